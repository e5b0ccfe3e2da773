#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# quantize.py [NAME...] [--sinter PROGRAM] [--models DIR] [--calibration N] [--evaluation N]: what `sinter quantize` loses, beside
# onnxruntime.quantization.quantize_static (per channel, the better of min-max and percentile) with the same samples. Both models run in
# onnxruntime, on samples that neither has seen; the loss is the root of the summed squared differences from the float model's outputs, as a
# share of these; "agree" the share of samples with the same largest output; for digits also the share of right answers. Fails where
# Sinter's loss is the larger. Without names: all whose model is there.
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnx.version_converter
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quant_pre_process, quantize_static

import model_source
import plausible

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../compiler/driver/oracle"))
import reference  # noqa: E402

NETS = {  # file, or function that makes it, and how its input is made up
    "resnet8": ("mlperf-tiny-ic-resnet8-fp32/pretrainedResnet.onnx", "image 0 255"),
    "vww": ("mlperf-tiny-vww-mbv1-fp32/vww_96_float.onnx", "image 0 1"),
    "micro-kws": ("micro-kws/micro_kws_m_static_fp32.onnx", "normal 30"),
    "digits": ("own_nets.digits", None),
    "own-residual": ("own_nets.residual", "photo 0 1"),
    "own-mobile": ("own_nets.mobile", "image -1 1"),
    "own-keywords": ("own_nets.keywords", "spectrum -2 2"),
}


def digits():
    """The images that the net was not trained on: half to calibrate with, half to evaluate, with their labels."""
    from sklearn.datasets import load_digits

    data = load_digits()
    test = np.random.default_rng(7).permutation(len(data.images))[:300]
    return (data.images[test, None, None] / 16).astype(np.float32), data.target[test]


def samples(name, shape, spec, calibration, evaluation):
    if spec is None:
        images, labels = digits()
        return images[:calibration], images[150 : 150 + evaluation], labels[150 : 150 + evaluation]
    make = lambda first, count: [plausible.make(spec, shape, np.float32, first + i) for i in range(count)]
    return make(1000, calibration), make(5000, evaluation), None


class Reader(CalibrationDataReader):
    def __init__(self, name, arrays):
        self.rest = iter([{name: a} for a in arrays])

    def get_next(self):
        return next(self.rest, None)


def outputs(path, name, arrays):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = reference.session(path, options)
    return np.stack([session.run(None, {name: a})[0].reshape(-1) for a in arrays])


def compare(expected, actual, labels):
    loss = np.linalg.norm(actual - expected) / np.linalg.norm(expected)
    agree = (actual.argmax(1) == expected.argmax(1)).mean()
    return loss, agree, None if labels is None else (actual.argmax(1) == labels).mean()


def row(what, result):
    loss, agree, right = result
    return f"  {what:34} loss {loss:8.5f}  agree {agree:7.2%}" + ("" if right is None else f"  right {right:7.2%}")


def measure(name, model, spec, options, folder):
    path = os.path.join(folder, "float.onnx")
    onnx.save(model, path)
    onnx_input = model.graph.input[0]
    shape = [d.dim_value for d in onnx_input.type.tensor_type.shape.dim]
    calibration, evaluation, labels = samples(name, shape, spec, options.calibration, options.evaluation)
    data = os.path.join(folder, "data")
    os.makedirs(data)
    for i, array in enumerate(calibration):
        np.save(os.path.join(data, f"{i}.npy"), array)
    expected = outputs(path, onnx_input.name, evaluation)
    print(name)
    if labels is not None:
        print(row("float", compare(expected, expected, labels)))

    best = None
    prepared = os.path.join(folder, "prepared.onnx")
    raised = os.path.join(folder, "raised.onnx")  # its scales per channel need opset 13
    low = any(o.domain == "" and o.version < 13 for o in model.opset_import)
    onnx.save(onnx.version_converter.convert_version(model, 13) if low else model, raised)
    quant_pre_process(raised, prepared)
    for method in (CalibrationMethod.MinMax, CalibrationMethod.Percentile):
        for activations in (QuantType.QInt8, QuantType.QUInt8):
            out = os.path.join(folder, "ort.onnx")
            quantize_static(prepared, out, Reader(onnx_input.name, calibration), quant_format=QuantFormat.QDQ, per_channel=True,
                            activation_type=activations, weight_type=QuantType.QInt8, calibrate_method=method,
                            extra_options={"CalibPercentile": 99.99})  # fmt: skip
            result = compare(expected, outputs(out, onnx_input.name, evaluation), labels)
            print(row(f"onnxruntime {method.name} {activations.name}", result), flush=True)
            best = min(best or result, result)
    out = os.path.join(folder, "sinter.onnx")
    subprocess.run([options.sinter, "quantize", path, "--data", data, "-o", out, *options.flags], check=True, stdout=subprocess.DEVNULL)
    onnx.checker.check_model(onnx.load(out), full_check=True)
    result = compare(expected, outputs(out, onnx_input.name, evaluation), labels)
    print(row("sinter", result), flush=True)
    good = result[0] <= best[0] and (labels is None or result[2] >= best[2])
    if not good:
        print(f"{name}: more is lost than by onnxruntime's quantizer")
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--models", default=model_source.MODELS)
    parser.add_argument("--calibration", type=int, default=64)
    parser.add_argument("--evaluation", type=int, default=150)
    parser.add_argument("--flags", nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args()
    good = True
    for name in options.names or NETS:
        origin, made = NETS[name]
        spec = {"path" if origin.endswith(".onnx") else "made": origin}
        path = model_source.file_of(spec, options.models)
        if not options.names and path and not os.path.exists(path):
            continue
        model, _ = model_source.load(spec, options.models)
        with tempfile.TemporaryDirectory() as folder:
            good &= measure(name, model, made, options, folder)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
