#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_cases.py OUT: writes every case of the onnx package's backend tests into a folder, once, in the layout that ONNX itself uses:
# OUT/<kind>/<name>/model.onnx and test_data_set_*/{input,output}_*.pb. OUT/cases.tsv lists them: kind, name, rtol, atol, random, and flags that
# give sizes which the model leaves open the values that the data has.
# `random` is 1 where a generator operator reaches an output: such outputs are a draw, so only their types and shapes can be held
# against the recording. That is seen from the graph, not from names. sinter-conformance runs the cases.
import os
import shutil
import sys

import numpy as np
import onnx
import onnx.backend.test.case.model as model_cases
import onnx.backend.test.loader as loader
from onnx import numpy_helper
from onnx.backend.test.runner import Runner

GENERATORS = {"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli"}


def training_dropout(node, constants):
    """A Dropout that draws: training mode on, ratio not zero."""
    if node.op_type != "Dropout" or len(node.input) < 3 or not node.input[2]:
        return False
    mode = constants.get(node.input[2])
    ratio = constants.get(node.input[1]) if node.input[1] else np.float32(0.5)
    return mode is not None and bool(mode.any()) and (ratio is None or bool(np.any(ratio != 0)))


def draws(model, inputs):
    """Whether a random draw reaches an output of the model."""
    graph = model.graph
    constants = {init.name: numpy_helper.to_array(init) for init in graph.initializer}
    constants.update({info.name: value for info, value in zip(graph.input, inputs) if isinstance(value, (np.ndarray, np.generic))})
    for node in graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    tainted = set()
    for node in graph.node:
        drawn = node.op_type in GENERATORS or training_dropout(node, constants)
        bodies = [a.g for a in node.attribute if a.type == onnx.AttributeProto.GRAPH]
        drawn |= any(inner.op_type in GENERATORS for body in bodies for inner in body.node)
        if drawn or tainted.intersection(node.input):
            tainted.update(node.output)
    return any(output.name in tainted for output in graph.output)


def ranges(sizes):
    """A range for each axis of shapes of one rank; None where they have none."""
    shapes = [size for size in sizes if size is not None]
    return [(min(axis), max(axis)) for axis in zip(*shapes)] if shapes and len({len(shape) for shape in shapes}) == 1 else None


def dim_flags(model, data_sets):
    """What the model leaves open of its inputs, by the data: --dim for sizes without a number, lengths of sequences, shapes of elements."""
    flags = []
    for info, values in zip(model.graph.input, zip(*(inputs for inputs, _ in data_sets))):
        kind, held = info.type.WhichOneof("value"), info.type
        if kind == "optional_type":
            held = info.type.optional_type.elem_type
            values = [value for value in values if value is not None]
            if not values:
                flags.append(f"--dim={info.name}:present=0")
                continue
        if held.HasField("sequence_type"):
            elements = [np.asarray(element) for value in values for element in value]
            flags.append(f"--dim={info.name}:count=0..{max(map(len, values))}")
            if elements and not elements[0].shape:
                flags.append(f"--dim={info.name}:rank=0")
            flags += [f"--dim={info.name}:{axis}={low}..{high}" for axis, (low, high) in enumerate(ranges(e.shape for e in elements) or [])]
        elif held.HasField("tensor_type"):
            dims = held.tensor_type.shape.dim
            found = ranges(getattr(value, "shape", None) for value in values) or []
            flags += [f"--dim={info.name}:{axis}={low}..{high}" for axis, ((low, high), dim) in enumerate(zip(found, dims)) if not dim.HasField("dim_value")]
    return flags


def to_proto(value, info):
    if isinstance(value, onnx.TensorProto):
        return value
    kind = info.type.WhichOneof("value")
    make = {"map_type": numpy_helper.from_dict, "sequence_type": numpy_helper.from_list,
            "optional_type": numpy_helper.from_optional}.get(kind, numpy_helper.from_array)  # fmt: skip
    return make(np.asarray(value) if make is numpy_helper.from_array else value, info.name)


def write(path, proto):
    with open(path, "wb") as file:
        file.write(proto.SerializeToString())


def write_generated(case, folder):
    """A case that the package makes in memory."""
    os.makedirs(folder)
    write(os.path.join(folder, "model.onnx"), case.model)
    for i, (inputs, outputs) in enumerate(case.data_sets):
        data = os.path.join(folder, f"test_data_set_{i}")
        os.makedirs(data)
        for kind, values, infos in (("input", inputs, case.model.graph.input), ("output", outputs, case.model.graph.output)):
            for j, (value, info) in enumerate(zip(values, infos)):
                write(os.path.join(data, f"{kind}_{j}.pb"), to_proto(value, info))
    return draws(case.model, case.data_sets[0][0]), dim_flags(case.model, case.data_sets)


def write_stored(case, folder):
    """A case that lies in the package as files."""
    shutil.copytree(case.model_dir, folder)
    return draws(onnx.load(os.path.join(folder, "model.onnx")), []), []


def write_light(case, folder):
    """A large net with small weights: the input is a ramp, as the package's runner makes it; the output lies beside the model."""
    source = os.path.join(os.path.dirname(onnx.__file__), os.path.relpath(case.url, "onnx"))
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    shutil.copy(source, os.path.join(folder, "model.onnx"))
    model = onnx.load(source)
    initialized = {init.name for init in model.graph.initializer}
    inputs = [info for info in model.graph.input if info.name not in initialized]
    for i, info in enumerate(inputs):
        write(os.path.join(data, f"input_{i}.pb"), numpy_helper.from_array(Runner.generate_dummy_data(info), info.name))
    for i in range(len(model.graph.output)):
        shutil.copy(source.replace(".onnx", f"_output_{i}.pb"), os.path.join(data, f"output_{i}.pb"))
    return False, []


def all_cases():
    for case in loader.load_model_tests(kind="node"):
        yield "node", case, write_generated
    for case in model_cases.collect_testcases():
        yield ("light", case, write_light) if case.kind == "real" else ("simple", case, write_generated)
    for kind in ("pytorch-operator", "pytorch-converted"):
        for case in loader.load_model_tests(kind=kind):
            yield kind, case, write_stored


def main():
    out = sys.argv[1]
    listing = os.path.join(out, "cases.tsv")
    shutil.rmtree(out, ignore_errors=True)
    rows = []
    for kind, case, writer in all_cases():
        random, flags = writer(case, os.path.join(out, kind, case.name))
        rows.append("\t".join([kind, case.name, repr(case.rtol), repr(case.atol), str(int(random)), *flags]) + "\n")
    with open(listing, "w", encoding="utf-8") as file:
        file.writelines(sorted(rows))


if __name__ == "__main__":
    main()
