# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How far apart two right programs may be: what an oracle makes of the model with each value jittered.
import copy

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper
from oracles import run_somewhere
from runtime_faults import elements_of, graphs_in, has_elements, opset_of

# Operators that between DequantizeLinear and QuantizeLinear are onnxruntime's quantized operators (the pass recognize-quantized), whose
# results may be a step from those of the three.
QUANTIZED = ("AveragePool", "GlobalAveragePool", "Softmax", "Add", "Mul")

# How large numbers are inside, whatever comes out: gates, of which onnxruntime's are off by up to 1e-7; parts of a sum that is 0; exponentials,
# less 1.
INSIDE = {"LSTM": 0.25, "GRU": 0.25, "RNN": 0.25, "DFT": 8.0, "STFT": 8.0, "Elu": 0.25, "Selu": 0.25, "Celu": 0.25}

# What a right program may be off by, of each value: some roundings of its type.
JITTER = {T.FLOAT: 2.0**-21, T.DOUBLE: 2.0**-50, T.FLOAT16: 2.0**-9, T.BFLOAT16: 2.0**-6}


def jittered(model, seed):
    """The model with a factor near 1 on each element of each float input, constant and value."""
    model = copy.deepcopy(model)
    types = elements_of(model, has_elements)
    constants = [init for graph in graphs_in(model.graph) for init in graph.initializer]
    shapes = {init.name: list(init.dims) for init in constants}
    for graph in graphs_in(model.graph):
        shapes.update({node.output[0]: list(node.attribute[0].t.dims) for node in graph.node if node.op_type == "Constant"})
    opset = opset_of(model)
    count = [0]

    def scalar(name):
        return np.prod(shapes.get(name, [0])) == 1

    def noise_like(name, stem, nodes):
        """Floats from -1 to 1 in the shape of a value: sines of large multiples of sines of the elements' numbers. (No oracle has random
        numbers of every opset, for scalars.)"""
        elements = numpy_helper.from_array(np.array([12.9898 + count[0] % 7], np.float32))
        shift = numpy_helper.from_array(np.array([seed * 7919.5 + count[0]], np.float32))
        first, step = (numpy_helper.from_array(np.array(number)) for number in (0, 1))
        large = numpy_helper.from_array(np.array([43758.5], np.float32))
        for what, value in (("k", elements), ("b", shift), ("l", large), ("0", first), ("1", step)):
            nodes.append(helper.make_node("Constant", [], [f"{stem}_{what}"], value=value))
        keep = {"allowzero": 1} if opset >= 14 else {}
        for op, inputs, result, how in (("Shape", [name], "s", {}), ("ReduceProd", ["s"], "n", {"keepdims": 0}), ("Range", ["0", "n", "1"], "i", {}),
                                        ("Cast", ["i"], "f", {"to": T.FLOAT}), ("Mul", ["f", "k"], "m", {}), ("Add", ["m", "b"], "a", {}),
                                        ("Sin", ["a"], "r", {}), ("Mul", ["r", "l"], "u", {}), ("Sin", ["u"], "v", {}),
                                        ("Reshape", ["v", "s"], "noise", keep)):  # fmt: skip
            nodes.append(helper.make_node(op, [one if op == "Shape" else f"{stem}_{one}" for one in inputs], [f"{stem}_{result}"], **how))
        return f"{stem}_noise"

    def factor(name, graph_nodes, dtype, least=0.0):
        """The value off by a part of itself, as of one that is `least` larger."""
        count[0] += 1
        stem, wide = f"jittered_{count[0]}", T.DOUBLE if dtype == T.DOUBLE else T.FLOAT
        size = numpy_helper.from_array(np.array(JITTER[dtype], helper.tensor_dtype_to_np_dtype(wide)))
        graph_nodes.append(helper.make_node("Constant", [], [stem + "_z"], value=size))
        graph_nodes.append(helper.make_node("Cast", [noise_like(name, stem, graph_nodes)], [stem + "_c"], to=wide))
        graph_nodes.append(helper.make_node("Mul", [stem + "_c", stem + "_z"], [stem + "_y"]))
        graph_nodes.append(helper.make_node("Cast", [name], [stem + "_w"], to=wide))
        large = stem + "_w"
        if least:
            more = numpy_helper.from_array(np.array(least, helper.tensor_dtype_to_np_dtype(wide)))
            large = stem + "_larger"
            graph_nodes.append(helper.make_node("Constant", [], [stem + "_least"], value=more))
            graph_nodes.append(helper.make_node("Add", [stem + "_w", stem + "_least"], [large]))
        graph_nodes.append(helper.make_node("Mul", [large, stem + "_y"], [stem + "_d"]))
        graph_nodes.append(helper.make_node("Add", [stem + "_w", stem + "_d"], [stem + "_e"]))
        graph_nodes.append(helper.make_node("Cast", [stem + "_e"], [stem], to=dtype))
        return stem

    def step(name, scale, nodes):
        """The value less or more up to a step of its quantization; all a step more in the first sample, less in the second."""
        count[0] += 1
        stem = f"step_{count[0]}"
        if seed < 2:
            nodes.append(helper.make_node("Neg" if seed else "Identity", [scale], [stem + "_y"]))
        else:
            nodes.append(helper.make_node("Mul", [noise_like(name, stem, nodes), scale], [stem + "_y"]))
        nodes.append(helper.make_node("Add", [name, stem + "_y"], [stem]))
        return stem

    def visit(graph, outer):
        renamed = dict(outer)
        makers = {name: node.op_type for node in graph.node for name in node.output}
        nodes = []
        for info in graph.input:
            if types.get(info.name) in JITTER:
                renamed[info.name] = factor(info.name, nodes, types[info.name])
        for init in graph.initializer:
            if init.data_type in JITTER and np.prod(init.dims) > 1:
                renamed[init.name] = factor(init.name, nodes, init.data_type)
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    visit(attribute.g, renamed)
            # Scales are part of what a quantized net or a Resize is, whose shape follows from them: both sides have the same.
            original = list(node.input)
            fixed = (1, 2) if node.op_type in ("QuantizeLinear", "DequantizeLinear", "Resize") else (0, 1, 2) if node.op_type == "Range" else ()
            for i, name in enumerate(node.input):
                if i not in fixed:
                    node.input[i] = renamed.get(name, name)
            if node.op_type == "QuantizeLinear" and makers.get(original[0]) in QUANTIZED and types.get(original[0]) == T.FLOAT and scalar(node.input[1]):
                node.input[0] = step(node.input[0], node.input[1], nodes)
            nodes.append(node)
            for name in node.output:
                if name and types.get(name) in JITTER and node.op_type not in ("Constant", "Identity", "Reshape", "Transpose"):
                    renamed[name] = factor(name, nodes, types[name], INSIDE.get(node.op_type, 0.0))
        outputs = {info.name for info in graph.output}
        del graph.node[:]
        graph.node.extend(nodes)
        for info in graph.output:
            if info.name in renamed and info.name in outputs and renamed[info.name] != outer.get(info.name):
                info.name = renamed[info.name]

    visit(model.graph, {})
    return model


def spread(model, inputs, expected, samples=32):
    """Per output, how far jittered runs are from `expected`, elementwise, and where they differ in kind (NaN, infinity); None where shapes
    vary."""
    spreads = [np.zeros(value.shape) for value in expected]
    kinds = [np.zeros(value.shape, bool) for value in expected]
    for seed in range(samples):
        for i, value in enumerate(run_somewhere(jittered(model, seed), inputs)):
            if spreads[i] is None or value.dtype.kind in "OU":
                continue
            if value.shape != expected[i].shape:
                spreads[i] = None
                continue
            apart, other = difference(value, expected[i])
            spreads[i] = np.maximum(spreads[i], apart)
            kinds[i] |= other
    return spreads, kinds


def difference(a, b):
    """Elementwise distance of finite values, and where one is NaN or an infinity that the other is not."""
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    if a.dtype.kind in "iub" and a.dtype.itemsize == 8:
        a, b = a.astype(object), b.astype(object)
        return np.abs(a - b).astype(np.float64), np.zeros(a.shape, bool)
    a, b = a.astype(wide), b.astype(wide)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    finite = np.isfinite(a) & np.isfinite(b)
    with np.errstate(all="ignore"):
        apart = np.where(same | ~finite, 0, np.abs(a - b))
    return apart, ~same & ~finite
