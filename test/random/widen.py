# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A model that onnxruntime has no kernels for, since they are few for bfloat16 and float16, as one that it runs: each operator takes its
# operands as floats, and what it makes is rounded to the type that it has. Which is what ONNX says of half types, but for roundings inside.
# bfloat16 inputs and outputs are floats, since onnxruntime's Python knows no others.
import copy

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
HALVES = (T.FLOAT16, T.BFLOAT16)
# What these make is of the type that they are told, or of their operands': they stay as they are.
UNCHANGED = ("Cast", "CastLike", "If", "Loop", "Scan", "Constant")


class Widening:
    """Rewrites graph after graph; names of the casts are unique in the model."""

    def __init__(self, types):
        self.types, self.count = types, 0

    def cast(self, nodes, name, to):
        self.count += 1
        nodes.append(helper.make_node("Cast", [name], [f"{name}_as_{self.count}"], to=to))
        return nodes[-1].output[0]

    def node(self, node, nodes):
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                self.graph(attribute.g)
        if node.op_type in UNCHANGED or not any(self.types.get(name) in HALVES for name in [*node.input, *node.output]):
            nodes.append(node)
            return
        for i, name in enumerate(node.input):
            if self.types.get(name) in HALVES:
                node.input[i] = self.cast(nodes, name, T.FLOAT)
        nodes.append(node)
        for i, name in enumerate(node.output):
            if self.types.get(name) in HALVES:
                node.output[i] = name + "_wide"
                nodes.append(helper.make_node("Cast", [name + "_wide"], [name], to=self.types[name]))

    def graph(self, graph):
        nodes = []
        for node in graph.node:
            self.node(node, nodes)
        del graph.node[:]
        graph.node.extend(nodes)
        del graph.value_info[:]

    def edges(self, graph):
        """bfloat16 at the model's edges."""
        first, last = [], []
        for info in graph.input:
            if info.type.tensor_type.elem_type == T.BFLOAT16:
                first.append(helper.make_node("Cast", [info.name + "_float"], [info.name], to=T.BFLOAT16))
                info.name += "_float"
                info.type.tensor_type.elem_type = T.FLOAT
        for info in graph.output:
            if self.types.get(info.name) == T.BFLOAT16:
                last.append(helper.make_node("Cast", [info.name], [info.name + "_float"], to=T.FLOAT))
                info.name += "_float"
                info.type.tensor_type.elem_type = T.FLOAT
        nodes = [*first, *graph.node, *last]
        del graph.node[:]
        graph.node.extend(nodes)


def widened(model, types):
    """The model, and which of its outputs were bfloat16. `types`: of its values, by name."""
    were_bfloat16 = [types.get(info.name) == T.BFLOAT16 for info in model.graph.output]
    model = copy.deepcopy(model)
    widening = Widening(types)
    widening.graph(model.graph)
    widening.edges(model.graph)
    return model, were_bfloat16
