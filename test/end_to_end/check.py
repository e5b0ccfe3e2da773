#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check.py NAME [--sinter PROGRAM] [--models DIR] [--work DIR] [--target T]: a model of models.toml on plausible inputs, sinter verify
# against onnxruntime. Exits 77 (skipped) when the model is not there, unless SINTER_REQUIRE_MODELS is set.
#
# Where an output comes from a Softmax or Sigmoid, which hide differences, their input is made an output too. Inputs on which the oracle's
# outputs hardly vary prove nothing: that fails.
import argparse
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib

import numpy as np
import onnx
from onnx import numpy_helper

import model_source
import plausible

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../compiler/driver/oracle"))
import reference  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
DATA_SETS = 5


def expose_logits(model):
    """The inputs of final Softmax and Sigmoid nodes become outputs. Returns the outputs that are probabilities."""
    probabilities = []
    makers = {output: node for node in model.graph.node for output in node.output}
    typed = {info.name: info for info in onnx.shape_inference.infer_shapes(model).graph.value_info}
    present = {info.name for info in model.graph.output} | {info.name for info in model.graph.input}
    for output in list(model.graph.output):
        node = makers.get(output.name)
        while node is not None and node.op_type in ("Identity", "Reshape", "Squeeze", "Flatten", "Transpose", "Cast"):
            node = makers.get(node.input[0])
        if node is None or node.op_type not in ("Softmax", "Sigmoid"):
            continue
        probabilities.append(output.name)
        if node.input[0] not in present:
            name = node.input[0]
            present.add(name)
            model.graph.output.append(typed[name] if name in typed else onnx.ValueInfoProto(name=name))
            if name not in typed:
                model.graph.output[-1].type.CopyFrom(output.type)
                model.graph.output[-1].type.tensor_type.ClearField("shape")
    return probabilities


def shape_of(info, sizes, index):
    dims = []
    for i, dim in enumerate(info.type.tensor_type.shape.dim):
        if dim.HasField("dim_value"):
            dims.append(dim.dim_value)
        else:
            values = sizes.get(dim.dim_param or f"{info.name}:{i}", [1])
            dims.append(values[index % len(values)])
    return dims


def write_tensor(path, value, name):
    with open(path, "wb") as file:
        file.write(numpy_helper.from_array(np.asarray(value), name).SerializeToString())


def make_data(model, path, spec, work):
    """Data sets with onnxruntime's outputs; whether these vary enough."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    session = reference.session(path, options)
    initialized = {init.name for init in model.graph.initializer}
    inputs = [info for info in model.graph.input if info.name not in initialized]
    carried, all_outputs = {}, []
    for i in range(DATA_SETS):
        folder = os.path.join(work, f"test_data_set_{i}")
        os.makedirs(folder)
        feeds = {}
        for k, info in enumerate(inputs):
            dtype = onnx.helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)
            made = spec.get("inputs", {}).get(info.name, "normal 1")
            seed = i if made.split()[0] in ("positions", "alternating") else 1000 * i + k
            feeds[info.name] = carried.get(info.name, plausible.make(made, shape_of(info, spec.get("sizes", {}), i), dtype, seed))
            write_tensor(os.path.join(folder, f"input_{k}.pb"), feeds[info.name], info.name)
        outputs = session.run(None, feeds)
        names = [output.name for output in session.get_outputs()]
        for k, (name, value) in enumerate(zip(names, outputs)):
            write_tensor(os.path.join(folder, f"output_{k}.pb"), value, name)
        carried = {spec["carry"][n]: v for n, v in zip(names, outputs) if n in spec.get("carry", {})}
        all_outputs.append(outputs)
    floats = [values for values in zip(*all_outputs) if values[0].dtype.kind == "f"]
    shares = [variation(values) for values in floats or zip(*all_outputs)]
    # 100 times the tolerance. With fp16's 1e-2 that is the whole of the largest value, which outputs that are never negative could only reach
    # by an exact zero: nearly all of it is asked of one output, half of the others.
    asked = 100 * spec.get("tolerance", 1e-4)
    return max(shares) >= min(asked, 0.9) and min(shares) >= min(asked, 0.5)


def variation(values):
    """The most that an element changes from data set to data set, as a share of the largest value."""
    if any(v.shape != values[0].shape for v in values):
        return 1
    if values[0].dtype.kind in "OSU":
        return int(any((v != values[0]).any() for v in values))
    stacked = np.stack([np.asarray(v, np.float64) for v in values])
    return np.ptp(stacked, axis=0).max(initial=0) / max(1e-30, np.abs(stacked).max(initial=0))


def verify(arguments, model, spec, data, probabilities, flags=()):
    command = [arguments.sinter, "verify", model, "--data", data, "--tolerance", str(spec.get("tolerance", 1e-4))]
    # Where all probabilities are below 0.01, the tolerance is a share of that: onnxruntime's Sigmoid is off by 1e-7 itself.
    command += spec.get("flags", []) + list(flags) + [f"--scale={name}=0.01" for name in probabilities]
    if arguments.target:
        command += ["--target", arguments.target, "-O0" if arguments.target.startswith("cuda") else "-O1"]
    print("+", " ".join(command), flush=True)
    return subprocess.run(command, check=False).returncode


def check_counts(arguments, model, spec, work):
    """What the report counts; and each copy has its reason."""
    with tempfile.TemporaryDirectory(dir=work) as folder:
        command = [arguments.sinter, model, "-o", folder, "--prefix", "model", *spec.get("flags", [])]
        print("+", " ".join(command), flush=True)
        status = subprocess.run(command, check=False).returncode
        if status:
            return status
        with open(os.path.join(folder, "model_report.json"), encoding="utf-8") as file:
            report = json.load(file)
    found = {name: report["counts"][name] for name in spec["counts"]}
    reasons = [copy["reason"] for copy in report["copies"]]
    print("counts", found, "copies", reasons)
    return 0 if found == spec["counts"] and len(reasons) == report["counts"]["copies"] and all(reasons) else 1


def has_gpu():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


def run_program(arguments, model, spec, work):
    """Builds the entry's program with the model as a library called `model`, and runs it on the recording that it wants; for a GPU on an emulated one
    where there is none."""
    cxx, runner, libraries, environment = "g++", [], [], dict(os.environ)
    is_for_gpu = (arguments.target or "").startswith("cuda")
    if arguments.target == "aarch64":
        cxx, runner = "aarch64-linux-gnu-g++", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
    with tempfile.TemporaryDirectory(dir=work) as folder:
        library = os.path.join(folder, "libmodel.a")
        target = ["--target", arguments.target] if arguments.target else []
        if is_for_gpu:
            libraries.append("-ldl")
        if is_for_gpu and not has_gpu():
            target += ["--emulated-gpu", os.path.join(folder, "libcuda.so.1")]
            environment["LD_LIBRARY_PATH"] = folder
        program = os.path.join(folder, "program")
        commands = [
            [arguments.sinter, model, "-o", library, "--prefix", "model", *spec.get("flags", []), *target],
            [cxx, "-std=c++17", "-O1", "-Wall", "-Wextra", "-I", folder, os.path.join(HERE, spec["program"]), library, *libraries, "-o", program],
            [*runner, program],
        ]
        if "program_data" in spec:
            path, member = spec["program_data"].rsplit(":", 1)
            np.load(os.path.join(arguments.models, path))[member].tofile(os.path.join(folder, "data"))
            commands[-1].append(os.path.join(folder, "data"))
        for command in commands:
            print("+", " ".join(command), flush=True)
            status = subprocess.run(command, check=False, env=environment).returncode
            if status:
                return status
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--models", default=model_source.MODELS)
    parser.add_argument("--exports", default="exports")
    parser.add_argument("--work", default="end_to_end")
    parser.add_argument("--target")
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "models.toml"), "rb") as file:
        spec = tomllib.load(file)[arguments.name]
    work = os.path.join(arguments.work, arguments.name)
    model, source = model_source.load(spec, arguments.models, arguments.exports)
    path = os.path.join(work, os.path.basename(spec.get("path", arguments.name + ".onnx")))
    probabilities = expose_logits(model)
    stamp = os.path.join(work, "complete")
    needed = [os.path.join(HERE, "models.toml"), os.path.join(HERE, "plausible.py"), __file__, source]
    if not os.path.exists(stamp) or os.path.getmtime(stamp) < max(map(os.path.getmtime, needed)):
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        onnx.save(model, path)
        if not make_data(model, path, spec, work):
            print("the oracle's outputs hardly vary on these inputs: they prove nothing")
            return 1
        open(stamp, "w").close()
    status = verify(arguments, path, spec, work, probabilities)
    if status == 0 and spec.get("state"):
        states = [f"--state={out}={into}" for out, into in spec["carry"].items()]
        status = verify(arguments, path, spec, work, probabilities, states)
    if status == 0 and spec.get("recording"):
        status = verify(arguments, source, spec, os.path.join(arguments.models, spec["recording"]), probabilities)
    if status == 0 and spec.get("counts"):
        status = check_counts(arguments, path, spec, work)
    if status == 0 and spec.get("program"):
        status = run_program(arguments, path, spec, work)
    return status


if __name__ == "__main__":
    sys.exit(main())
