# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# activations.py OUT: a quantized net of activations, before and behind a convolution, with a residual between two.
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

nodes, constants = [], []


def constant(name, value):
    constants.append(numpy_helper.from_array(np.asarray(value), name))
    return name


def quantized(x, scale, zero):
    parameters = [constant(x + "_scale", np.float32(scale)), constant(x + "_zero", np.int8(zero))]
    nodes.append(helper.make_node("QuantizeLinear", [x, *parameters], [x + "_bytes"]))
    nodes.append(helper.make_node("DequantizeLinear", [x + "_bytes", *parameters], [x + "_real"]))
    return x + "_real"


def node(op, inputs, name, **attributes):
    nodes.append(helper.make_node(op, inputs, [name], **attributes))
    return name


x = quantized("x", 0.0234712, -3)
x = quantized(node("Sigmoid", [x], "sigmoid"), 1 / 256, -128)
rng = np.random.default_rng(1)
constant("w", rng.integers(-127, 128, (8, 4, 3, 3)).astype(np.int8))
nodes.append(helper.make_node("DequantizeLinear", ["w", constant("w_scale", np.float32(0.0123)), constant("w_zero", np.int8(0))], ["w_real"]))
x = quantized(node("Conv", [x, "w_real"], "conv", pads=[1, 1, 1, 1]), 0.0513712, 7)
x = quantized(node("LeakyRelu", [x], "leaky", alpha=0.1), 0.0397213, -31)
kept = quantized(node("HardSwish", [x], "swish"), 0.0314713, -90)
x = quantized(node("Tanh", [kept], "tanh"), 1 / 128, 0)
x = quantized(node("Add", [x, kept], "sum"), 0.0351237, -60)

graph = helper.make_graph(nodes, "activations", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 12, 12])],
                          [helper.make_tensor_value_info(x, TensorProto.FLOAT, [1, 8, 12, 12])], constants)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
