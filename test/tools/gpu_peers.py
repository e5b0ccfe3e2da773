#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu_peers.py MODEL.onnx [--runs N] [--cpu]: how long a call takes in what else is installed: ONNX Runtime with CUDA, PyTorch as it is and compiled
(max-autotune), which need onnx2torch to read the model. Tensors on the device, one wait a call. Prints a JSON array; a peer that is not here or cannot
run the net has the reason. --cpu: the same on the CPU, to try the script itself."""
import argparse
import json
import statistics
import time

import numpy as np
import onnx

TYPES = {onnx.TensorProto.FLOAT: np.float32, onnx.TensorProto.FLOAT16: np.float16, onnx.TensorProto.INT64: np.int64, onnx.TensorProto.INT32: np.int32, onnx.TensorProto.INT8: np.int8, onnx.TensorProto.UINT8: np.uint8}  # fmt: skip


def inputs_of(model):
    constants = {tensor.name for tensor in model.graph.initializer}
    rng, made = np.random.default_rng(1), {}
    for info in model.graph.input:
        if info.name in constants:
            continue
        tensor = info.type.tensor_type
        dims = [dim.dim_value or 1 for dim in tensor.shape.dim]
        element = TYPES[tensor.elem_type]
        made[info.name] = rng.normal(size=dims).astype(element) if np.issubdtype(element, np.floating) else rng.integers(0, 2, dims).astype(element)
    return made


def measured(call, runs):
    for _ in range(3):
        call()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(1e6 * (time.perf_counter() - start))
    return {"p50_us": statistics.median(times), "least_us": min(times), "runs": runs}


def onnxruntime(path, given, options):
    import onnxruntime as ort

    provider = "CPUExecutionProvider" if options.cpu else "CUDAExecutionProvider"
    if provider not in ort.get_available_providers():
        return {"absent": f"onnxruntime {ort.__version__} has no {provider}"}
    session = ort.InferenceSession(path, providers=[provider])
    binding, device = session.io_binding(), "cpu" if options.cpu else "cuda"
    for name, value in given.items():
        binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(value, device, 0))
    for output in session.get_outputs():
        binding.bind_output(output.name, device)

    def call():
        session.run_with_iobinding(binding)
        binding.synchronize_outputs()

    return {"version": ort.__version__, **measured(call, options.runs)}


def torch(model, given, options, compiled):
    try:
        import onnx2torch
        import torch
    except ImportError as error:
        return {"absent": f"{error}"}

    if not options.cpu and not torch.cuda.is_available():
        return {"absent": f"torch {torch.__version__} sees no GPU"}
    device = "cpu" if options.cpu else "cuda"
    module = onnx2torch.convert(model).to(device).eval()
    tensors = [torch.from_numpy(value).to(device) for value in given.values()]
    if compiled:
        module = torch.compile(module, mode="max-autotune")

    def call():
        module(*tensors)
        if not options.cpu:
            torch.cuda.synchronize()

    with torch.inference_mode():
        return {"version": torch.__version__, **measured(call, options.runs)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    model = onnx.load(options.model)
    given, results = inputs_of(model), []
    peers = {
        "onnxruntime": lambda: onnxruntime(options.model, given, options),
        "torch": lambda: torch(model, given, options, False),
        "torch max-autotune": lambda: torch(model, given, options, True),
    }
    for name, run in peers.items():
        try:
            results.append({"name": name, **run()})
        except Exception as error:  # whatever a peer raises is its answer
            results.append({"name": name, "absent": f"{type(error).__name__}: {error}"[:500]})
    print(json.dumps(results))


if __name__ == "__main__":
    main()
