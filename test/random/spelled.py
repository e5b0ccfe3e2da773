# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What onnxruntime is known to do wrong, spelled in other operators, so that its answer is the standard's. A spelling gets its node with the
# element type and the rank of the first operand, (0, 0) where these are not known; what it adds to `Nodes` stands in the node's place.
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Nodes:
    """What stands in a node's place."""

    def __init__(self, result):
        self.result, self.made = result, []

    def add(self, op, *inputs, **attributes):
        self.made.append(helper.make_node(op, inputs, [f"{self.result}_spelled_{len(self.made)}"], **attributes))
        return self.made[-1].output[0]

    def constant(self, value):
        return self.add("Constant", value=numpy_helper.from_array(np.array(value)))

    def give(self, name):
        self.made.append(helper.make_node("Identity", [name], [self.result]))


def attribute(node, name, default):
    return next((helper.get_attribute_value(a) for a in node.attribute if a.name == name), default)


def instance_normalization(nodes, node, element, rank):
    """In its formula: onnxruntime's takes the mean off in the bias, whose rounding is large where a channel hardly varies."""
    x, scale, bias = node.input
    one, two = nodes.constant(1), nodes.constant(2)
    spatial = nodes.add("Range", two, nodes.add("Size", nodes.add("Shape", x)), one)  # the rank is not always known: of what GroupNormalization gives
    behind = nodes.add("Sub", spatial, one)
    centred = nodes.add("Sub", x, nodes.add("ReduceMean", x, spatial, noop_with_empty_axes=1))
    variance = nodes.add("ReduceMean", nodes.add("Mul", centred, centred), spatial, noop_with_empty_axes=1)
    epsilon = nodes.add("CastLike", nodes.constant(np.float32(attribute(node, "epsilon", 1e-5))), x)
    scaled = nodes.add("Mul", nodes.add("Div", centred, nodes.add("Sqrt", nodes.add("Add", variance, epsilon))), nodes.add("Unsqueeze", scale, behind))
    nodes.give(nodes.add("Add", scaled, nodes.add("Unsqueeze", bias, behind)))


def mean_variance_normalization(nodes, node, element, rank):
    """In its formula: onnxruntime's forgets to add 1e-9 to the deviation, and divides 0 by 0 where nothing varies."""
    if element != TensorProto.FLOAT:
        return
    axes = nodes.constant(np.array(attribute(node, "axes", [0, 2, 3])))
    centred = nodes.add("Sub", node.input[0], nodes.add("ReduceMean", node.input[0], axes))
    deviation = nodes.add("Sqrt", nodes.add("ReduceMean", nodes.add("Mul", centred, centred), axes))
    nodes.give(nodes.add("Div", centred, nodes.add("Add", deviation, nodes.constant(np.float32(1e-9)))))


def max_pool(nodes, node, element, rank):
    """The greatest of infinities below zero: onnxruntime's MaxPool begins with the least finite number."""
    if element not in (TensorProto.FLOAT, TensorProto.DOUBLE):
        return
    of, finite = helper.tensor_dtype_to_np_dtype(element), f"{nodes.result}_finite"
    node.output[0] = finite
    nodes.made.append(node)
    is_least = nodes.add("Equal", finite, nodes.constant(np.array(np.finfo(of).min)))
    nodes.give(nodes.add("Where", is_least, nodes.constant(np.array(-np.inf, of)), finite))


def reduction(nodes, node, element, rank):
    """Axes counted from the front: of a tensor without elements onnxruntime does not reduce those counted from the back."""
    if rank and len(node.input) > 1 and node.input[1]:
        ranks = nodes.constant(np.array([rank]))
        node.input[1] = nodes.add("Mod", nodes.add("Add", node.input[1], ranks), ranks)
        nodes.made.append(node)


def greatest_or_least(nodes, node, element, rank):
    """Of 64-bit integers by comparing: onnxruntime's AVX-512 kernels see 2^31 below 1."""
    if element != TensorProto.INT64:
        return
    kinds = ("Max", "Min") if node.op_type == "Clip" else (node.op_type,) * len(node.input)
    value = node.input[0]
    for kind, other in zip(kinds, node.input[1:]):
        if other:
            value = nodes.add("Where", nodes.add("Greater" if kind == "Max" else "Less", value, other), value, other)
    nodes.give(value)


def sigmoid(nodes, node, element, rank):
    """In its formula: onnxruntime's is 0 far below zero, where the number still has all digits."""
    if element == TensorProto.FLOAT:
        one = nodes.constant(np.float32(1))
        nodes.give(nodes.add("Div", one, nodes.add("Add", nodes.add("Exp", nodes.add("Neg", node.input[0])), one)))


REDUCTIONS = {schema.name for schema in onnx.defs.get_all_schemas() if schema.name.startswith("Reduce")}
# By operator: the opset that has the operators of the spelling.
SPELLED = {"InstanceNormalization": (18, instance_normalization), "MeanVarianceNormalization": (18, mean_variance_normalization),
           "MaxPool": (11, max_pool), "Sigmoid": (11, sigmoid), **dict.fromkeys(("Max", "Min", "Clip"), (12, greatest_or_least)),
           **dict.fromkeys(REDUCTIONS, (13, reduction))}  # fmt: skip


def spell(graph, types, opset):
    """Spells the nodes of a graph; not those of its bodies."""
    every = []
    for node in graph.node:
        since, spelling = SPELLED.get(node.op_type, (opset + 1, None))
        nodes = Nodes(node.output[0])
        if opset >= since and node.input and not node.domain:
            spelling(nodes, node, *types.get(node.input[0], (0, 0)))
        every += nodes.made or [node]
    del graph.node[:]
    graph.node.extend(every)
