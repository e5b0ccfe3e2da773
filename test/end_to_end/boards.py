#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# boards.py NAME --target T [--board B] [--sinter PROGRAM] [--models DIR]: a net of quantized.toml or models.toml on an
# emulated microcontroller board, built with -O2 and with -Os (then inputs and outputs quantized, in the arena), against onnxruntime or the recording: quantized nets within one step of their last
# scale. bench counts it too: the stack that a call used is within the bound in the report. Exits 77 (skipped) when the model is not there, unless
# SINTER_REQUIRE_MODELS is set.
import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib

import onnx

import model_source
import plausible
import quantized
from check import write_tensor

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = 2  # floats on a core without an FPU take a while
STEPS = 1e6  # what a tolerance is given as a share of


def read_spec(name):
    for file in ("quantized.toml", "models.toml"):
        with open(os.path.join(HERE, file), "rb") as text:
            specs = tomllib.load(text)
        if name in specs:
            return specs[name]
    raise KeyError(name)


def make_data(model, spec, folder):
    """Inputs and what onnxruntime makes of them; returns the last scale, None of a net without."""
    cuts = quantized.cut_tensors(model)
    oracle = quantized.session(model)
    names = [output.name for output in model.graph.output]
    types = {info.name: onnx.helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type) for info in model.graph.input}
    for index in range(INPUTS):
        data = os.path.join(folder, f"test_data_set_{index}")
        os.makedirs(data)
        given = {}
        for k, info in enumerate(oracle.get_inputs()):
            given[info.name] = plausible.make(spec["inputs"][info.name], info.shape, types[info.name], 1000 * index + k)
            write_tensor(os.path.join(data, f"input_{k}.pb"), given[info.name], info.name)
        for k, (name, value) in enumerate(zip(names, oracle.run(None, given))):
            write_tensor(os.path.join(data, f"output_{k}.pb"), value, name)
    if not cuts:
        return None
    made = [output for output in cuts[-1] if output not in names]  # a dynamic scale is a tensor
    if made and any(node.op_type == "DynamicQuantizeLinear" and list(node.output) == cuts[-1] for node in model.graph.node):
        shown = onnx.ModelProto()
        shown.CopyFrom(model)
        shown.graph.output.extend(onnx.ValueInfoProto(name=name) for name in made)
        return quantized.last_scale(model, cuts, dict(zip(made, quantized.session(shown).run(made, given))))
    return quantized.last_scale(model, cuts, {})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--target", required=True)
    parser.add_argument("--board")
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--models", default=model_source.MODELS)
    arguments = parser.parse_args()
    spec = read_spec(arguments.name)
    model, path = quantized.load(spec, arguments.models), model_source.file_of(spec, arguments.models)
    target = ["--target", arguments.target] + (["--board", arguments.board] if arguments.board else [])
    with tempfile.TemporaryDirectory() as folder:
        if "recording" in spec and "dims" not in spec:
            data, tolerance = os.path.join(arguments.models, spec["recording"]), ["--tolerance", str(spec.get("tolerance", 1e-4))]
        else:
            path, data = os.path.join(folder, "net.onnx"), folder
            onnx.save(model, path)
            scale = make_data(model, spec, folder)
            tolerance = ["--tolerance", "1e-4"]
            if scale is not None:
                tolerance = ["--tolerance", str(1.0001 / STEPS)] + [f"--scale={output.name}={STEPS * scale!r}" for output in model.graph.output]
        # Nets that quantize at run time, or not at all, have floats at their ends.
        fixed = any(node.op_type in ("QuantizeLinear", "QLinearConv") for node in onnx.load(path).graph.node)
        for flags in (["-O2", "--fit", "speed"], ["-Os", "--io-in-arena", *(["--io", "quantized"] if fixed else [])]):
            verify = [arguments.sinter, "verify", path, "--data", data, *flags, *target, *tolerance]
            print("+", " ".join(verify), flush=True)
            status = subprocess.run(verify, check=False).returncode
            if status:
                return status
        bench = [arguments.sinter, "bench", path, "--json", *target]
        print("+", " ".join(bench), flush=True)
        counts = json.loads(subprocess.run(bench, check=True, stdout=subprocess.PIPE).stdout)
    kernels = sum(kernel["instructions"] for kernel in counts["kernels"])
    print({key: counts[key] for key in ("instructions", "flash", "arena", "stack")}, "in kernels", kernels)
    slack = counts["exact_to"] * 2 * (1 + len(counts["kernels"]))
    good = abs(counts["instructions"] - kernels) <= slack + 0.001 * kernels and 0 < counts["stack"]["used"] <= (counts["stack"]["bound"] or 0)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
