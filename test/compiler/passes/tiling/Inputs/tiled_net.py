# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A small image net whose feature maps are worth row tiles: a first convolution, an inverted residual, one with stride 2
# and larger taps, a pool with padding, a convolution with uneven padding. Usage: tiled_net.py OUT.onnx
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

random = np.random.default_rng(3)
nodes, weights = [], []


def add(op, inputs, **attributes):
    nodes.append(helper.make_node(op, inputs, [f"v{len(nodes)}"], name=f"n{len(nodes)}", **attributes))
    return nodes[-1].output[0]


def weight(*shape):
    scale = np.sqrt(2 / np.prod(shape[1:])) if len(shape) > 1 else 0.1
    weights.append(numpy_helper.from_array((random.standard_normal(shape) * scale).astype(np.float32), f"w{len(weights)}"))
    return weights[-1].name


def conv(x, channels, filters, size, stride=1, group=1, pads=None, relu=True):
    x = add("Conv", [x, weight(filters, channels // group, size, size), weight(filters)], strides=[stride, stride],
            group=group, pads=pads or [size // 2] * 4)
    return add("Relu", [x]) if relu else x


x = first = conv("x", 3, 16, 3, stride=2)
x = conv(conv(x, 16, 96, 1), 96, 96, 3, group=96)
x = add("Add", [conv(x, 96, 16, 1, relu=False), first])
x = conv(conv(conv(x, 16, 96, 1), 96, 96, 5, stride=2, group=96), 96, 32, 1, relu=False)
x = add("MaxPool", [conv(x, 32, 64, 3)], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
x = conv(x, 64, 32, 3, pads=[0, 1, 2, 1])
x = add("Flatten", [add("GlobalAveragePool", [x])])
y = add("Gemm", [x, weight(32, 10), weight(10)])

graph = helper.make_graph(nodes, "tiled", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 96, 64])],
                          [helper.make_tensor_value_info(y, TensorProto.FLOAT, [1, 10])], weights)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, sys.argv[1])
