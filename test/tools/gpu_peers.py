#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu_peers.py MODEL.onnx [--architecture NAME [--half]] [--runs N] [--gate FOLDER] [--cpu]: how long a call takes in what else is installed: ONNX Runtime
with CUDA; PyTorch as it is, as a CUDA graph of that, and compiled (max-autotune), from gpu_architectures.py's module or, for other models, onnx2torch's.
Tensors on the device, one wait a call. Prints a JSON array; a peer that is not here or cannot run the net has the reason. --gate: compiles at
once, writes FOLDER/PROCESS.ready, and measures when FOLDER/go is there, alone among those with this folder. --cpu: the same on the CPU, to try the script itself."""
import argparse
import contextlib
import fcntl
import json
import os
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


def onnxruntime(options):
    """A call, and the version."""
    import onnxruntime as ort

    provider = "CPUExecutionProvider" if options.cpu else "CUDAExecutionProvider"
    if provider not in ort.get_available_providers():
        raise ModuleNotFoundError(f"onnxruntime {ort.__version__} has no {provider}")
    session = ort.InferenceSession(options.model, providers=[provider])
    binding, device = session.io_binding(), "cpu" if options.cpu else "cuda"
    for name, value in inputs_of(onnx.load(options.model)).items():
        binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(value, device, 0))
    for output in session.get_outputs():
        binding.bind_output(output.name, device)

    def call():
        session.run_with_iobinding(binding)
        binding.synchronize_outputs()

    return call, ort.__version__


def module_of(options):
    """PyTorch's module and its tensors, on the device."""
    import torch

    if not options.cpu and not torch.cuda.is_available():
        raise ModuleNotFoundError(f"torch {torch.__version__} sees no GPU")
    if options.architecture:
        import gpu_architectures

        module, sample = gpu_architectures.make(options.architecture)
        tensors = [sample]
    else:
        import onnx2torch

        module = onnx2torch.convert(onnx.load(options.model))
        tensors = [torch.from_numpy(value) for value in inputs_of(onnx.load(options.model)).values()]
    kind = torch.float16 if options.half else torch.float32
    device = "cpu" if options.cpu else "cuda"
    tensors = [(tensor.to(kind) if options.half and tensor.is_floating_point() else tensor).to(device) for tensor in tensors]
    return (module.to(device, kind) if options.half else module.to(device)).eval(), tensors


def torch_call(options, way):
    import torch

    module, tensors = module_of(options)
    synchronize = (lambda: None) if options.cpu else torch.cuda.synchronize
    with torch.inference_mode():
        if way == "max-autotune":
            module = torch.compile(module, mode="max-autotune")
        if way == "graph":
            if options.cpu:
                raise ModuleNotFoundError("graphs are of GPUs")
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                for _ in range(3):
                    module(*tensors)
            synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                module(*tensors)

    def call():
        with torch.inference_mode():
            if way == "graph":
                graph.replay()
            else:
                module(*tensors)
            synchronize()

    for _ in range(3):  # compiled here
        call()
    return call, torch.__version__


@contextlib.contextmanager
def alone(gate):
    """Once everybody may measure, and nobody else does."""
    if not gate:
        yield
        return
    open(os.path.join(gate, f"{os.getpid()}.ready"), "w", encoding="utf-8").close()
    while not os.path.exists(os.path.join(gate, "go")):
        time.sleep(0.05)
    with open(os.path.join(gate, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--architecture")
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--gate")
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    peers = {
        "onnxruntime": lambda: onnxruntime(options),
        "torch": lambda: torch_call(options, "eager"),
        "torch graph": lambda: torch_call(options, "graph"),
        "torch max-autotune": lambda: torch_call(options, "max-autotune"),
    }
    made, results = {}, {}
    for name, prepare in peers.items():
        start = time.perf_counter()
        try:
            made[name] = prepare()
            results[name] = {"name": name, "version": made[name][1], "prepared_s": round(time.perf_counter() - start, 1)}
        except Exception as error:  # whatever a peer raises is its answer
            results[name] = {"name": name, "absent": f"{type(error).__name__}: {error}"[:500]}
    with alone(options.gate):
        for name, (call, _) in made.items():
            try:
                results[name].update(measured(call, options.runs))
            except Exception as error:
                results[name] = {"name": name, "absent": f"{type(error).__name__}: {error}"[:500]}
    print(json.dumps(list(results.values())))


if __name__ == "__main__":
    main()
