#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_spaced_cases.py CASES OUT [PER_OPERATOR]: the conformance cases of make_cases.py, of each operator the first few (default: 2), with
# operands whose neighbours lie apart: an input is every second element of one that is twice as long, with other numbers between; an
# output is the first column of a tensor of two, where kernels may write it in place. A kernel that does not take the strides that it is
# given reads or writes what lies between. Short lists of integers, which may say what shape a result has, become constants.
import os
import shutil
import sys

import numpy as np
import onnx
from make_empty_cases import tensors_of, write, write_data_set
from make_symbolic_cases import recorded_outputs
from onnx import TensorProto, helper, numpy_helper

# Types that Slice, Unsqueeze and Concat take in all versions from 13 on.
TYPES = {getattr(TensorProto, name) for name in "FLOAT DOUBLE FLOAT16 BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64".split()}


def is_list(array):
    return array.dtype.kind in "iu" and array.ndim < 2


def is_spaced(info, array):
    return info.type.tensor_type.elem_type in TYPES and 0 < array.ndim < 8 and array.size > 0 and not is_list(array)


def every_second(array):
    """[a, b] -> [a, ?, b]: what Slice with steps of 2 takes the array from."""
    wide = np.full(array.shape[:-1] + (2 * array.shape[-1],), 3, array.dtype)
    wide[..., ::2] = array
    return wide


def spaced(model, inputs, outputs):
    """The model around these inputs and outputs, and the new ones."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    graph = model.graph
    before, after = [], []

    def constant(name, values):
        graph.initializer.append(numpy_helper.from_array(values, name))
        return name

    inputs, outputs = list(inputs), list(outputs)
    for i, info in enumerate(list(graph.input)):
        if is_list(inputs[i]):
            constant(info.name, inputs[i])
            graph.input.remove(info)
        if not is_spaced(info, inputs[i]):
            continue
        inner = f"{info.name}__apart"
        rename(graph.node, info.name, inner)
        rank = inputs[i].ndim
        bounds = [constant(f"{inner}_{what}", np.array([value])) for what, value in (("from", 0), ("to", 1 << 40), ("axis", rank - 1), ("step", 2))]
        before.append(helper.make_node("Slice", [info.name, *bounds], [inner]))
        inputs[i] = every_second(inputs[i])
        info.CopyFrom(helper.make_tensor_value_info(info.name, info.type.tensor_type.elem_type, inputs[i].shape))
    for i, info in enumerate(graph.output):
        if info.type.tensor_type.elem_type not in TYPES or outputs[i].ndim > 6:
            continue
        column, zeros = f"{info.name}__column", np.zeros(outputs[i].shape + (1,), outputs[i].dtype)
        inner = f"{info.name}__inner"
        rename(graph.node, info.name, inner)
        after.append(helper.make_node("Unsqueeze", [inner, constant(f"{column}_axis", np.array([outputs[i].ndim]))], [column]))
        after.append(helper.make_node("Concat", [column, constant(f"{column}_zeros", zeros)], [info.name], axis=-1))
        outputs[i] = np.concatenate([outputs[i][..., np.newaxis], zeros], -1)
        info.CopyFrom(helper.make_tensor_value_info(info.name, info.type.tensor_type.elem_type, outputs[i].shape))
    inputs = [array for array in inputs if not is_list(array)]
    nodes = [*before, *graph.node, *after]
    del graph.node[:]
    graph.node.extend(nodes)
    del graph.value_info[:]
    return model, inputs, outputs


def rename(nodes, old, new):
    for node in nodes:
        for names in (node.input, node.output):
            for i, name in enumerate(names):
                if name == old:
                    names[i] = new
        for attribute in node.attribute:
            rename(attribute.g.node, old, new)


def derive(source, out, kind, name, rtol, atol):
    folder = os.path.join(source, kind, name)
    model = onnx.load(os.path.join(folder, "model.onnx"))
    if any(not opset.domain and opset.version < 13 for opset in model.opset_import):
        return None
    if any(not info.type.HasField("tensor_type") for info in [*model.graph.input, *model.graph.output]):
        return None
    inputs = tensors_of(folder, model.graph.input)
    if not inputs or len(inputs) != len(model.graph.input):
        return None
    model, inputs, outputs = spaced(model, inputs, recorded_outputs(folder, len(model.graph.output)))
    label = name.removeprefix("test_")
    target = os.path.join(out, "spaced", label)
    os.makedirs(target)
    write(os.path.join(target, "model.onnx"), model)
    write_data_set(os.path.join(target, "test_data_set_0"), model.graph, inputs, outputs)
    return f"spaced\t{label}\t{rtol}\t{atol}\t0\n"


def main():
    source, out = sys.argv[1:3]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    rows, taken = [], {}
    with open(os.path.join(source, "cases.tsv"), encoding="utf-8") as file:
        for kind, name, rtol, atol, is_random in (line.rstrip("\n").split("\t") for line in file):
            if kind != "node" or is_random != "0" or "_expanded" in name:
                continue
            nodes = onnx.load(os.path.join(source, kind, name, "model.onnx")).graph.node
            operator = nodes[0].op_type if len(nodes) == 1 else name
            if taken.get(operator, 0) < most and (row := derive(source, out, kind, name, rtol, atol)):
                taken[operator] = taken.get(operator, 0) + 1
                rows.append(row)
    with open(os.path.join(out, "cases.tsv"), "w", encoding="utf-8") as file:
        file.writelines(sorted(rows))


if __name__ == "__main__":
    main()
