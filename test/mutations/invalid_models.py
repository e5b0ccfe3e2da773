#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several hundred small models by hand, of which each breaks one rule: Sinter must, with --strict, refuse them with a diagnostic that is no internal error, and
accept the valid ones beside them. Nodes: invalid_nodes.txt; subgraphs, functions, trees: invalid_graphs.py."""
import argparse
import os
import re
import sys

import numpy as np
from onnx import TensorProto, helper

import invalid_graphs
from compiler import Compiler
from subject import Subject

TYPES = {"f32": TensorProto.FLOAT, "f64": TensorProto.DOUBLE, "f16": TensorProto.FLOAT16, "i64": TensorProto.INT64, "i32": TensorProto.INT32,
         "i8": TensorProto.INT8, "u8": TensorProto.UINT8, "bool": TensorProto.BOOL, "str": TensorProto.STRING}  # fmt: skip
OPERAND = re.compile(r"(\w+?)(\{(.*)\})?(\[(.*)\])?$")


def numbers(text):
    return [float(word) if "." in word or "e" in word else int(word) for word in text.split(",")] if text else []


def attribute(text):
    name, value = text.split("=", 1)
    inner = value[1:-1].split(",") if value.startswith("[") else None
    if inner == [""]:
        return helper.make_attribute(name, [], attr_type=7)
    if inner is not None:
        return helper.make_attribute(name, numbers(value[1:-1]) if re.match(r"[-\d]", inner[0]) else inner)
    return helper.make_attribute(name, numbers(value)[0] if re.match(r"-?\d", value) else value)


def node_model(line):
    """The model that a line of invalid_nodes.txt stands for."""
    line, _, results = line.partition(" -> ")
    line, _, attributes = line.partition(" ;")
    operator, *operands = line.split()
    operator, _, opset = operator.partition("@")
    domain, _, operator = operator.rpartition(".")
    names, inputs, constants, kinds = [], [], [], []
    for i, text in enumerate(operands):
        if text == "_":
            names.append("")
            continue
        kind, elements, content, shape, dims = OPERAND.match(text).groups()
        dims = numbers(dims) if shape else None
        names.append(f"x{i}")
        kinds.append(TYPES[kind])
        if elements:
            dtype = helper.tensor_dtype_to_np_dtype(TYPES[kind])
            array = np.array(numbers(content), dtype).reshape(dims if dims is not None else -1)
            constants.append(helper.make_tensor(f"x{i}", TYPES[kind], array.shape, array.flatten()))
        else:
            inputs.append(helper.make_tensor_value_info(f"x{i}", TYPES[kind], dims))
    results = [TYPES[word] for word in results.strip().split(",")] if results else kinds[:1] or [TensorProto.FLOAT]
    outputs = [helper.make_tensor_value_info(f"y{i}", kind, None) for i, kind in enumerate(results)]
    node = helper.make_node(operator, names, [info.name for info in outputs], domain=domain)
    node.attribute.extend(attribute(text) for text in attributes.split())
    imports = [helper.make_opsetid("", int(opset or 22))] + ([helper.make_opsetid(domain, 5)] if domain else [])
    return helper.make_model(helper.make_graph([node], "g", inputs, outputs, constants), opset_imports=imports, ir_version=10)


def models():
    """All of them: a name, whether it is valid, the model."""
    with open(os.path.join(os.path.dirname(__file__), "invalid_nodes.txt"), encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line and not line.startswith("#"):
                valid = line.startswith("+ ")
                yield line, valid, node_model(line[2:] if valid else line)
    yield from invalid_graphs.models()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinter-batch", required=True)
    parser.add_argument("--filter", default="", help="a regular expression for the model's line")
    parser.add_argument("--keep", help="a folder for the models that fail")
    given = parser.parse_args()
    chosen = [one for one in models() if re.search(given.filter, one[0])]
    compiler = Compiler(given.sinter_batch, jobs=os.cpu_count(), flags=["--strict"])
    verdicts = compiler.verdicts([Subject(name, model, {}) for name, _, model in chosen])
    compiler.close()
    failed = 0
    for i, ((name, valid, model), verdict) in enumerate(zip(chosen, verdicts)):
        if verdict.word == ("accepted" if valid else "refused"):
            continue
        failed += 1
        print(f"{verdict.word}: {name[:300]}\n    {verdict.why}")
        if given.keep:
            os.makedirs(given.keep, exist_ok=True)
            with open(os.path.join(given.keep, f"{i}.onnx"), "wb") as file:
                file.write(model.SerializeToString())
    print(f"{len(chosen)} models, {sum(valid for _, valid, _ in chosen)} of them valid: {failed} with the wrong verdict")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
