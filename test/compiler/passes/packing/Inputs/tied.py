# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tied.py OUT.onnx N: N rows of a matrix [170, 64] that are looked up, and the product with its transpose, as language models begin and end."""
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

n = int(sys.argv[2])
weights = np.random.default_rng(1).uniform(-1, 1, (170, 64)).astype(np.float32)
nodes = [
    helper.make_node("Gather", ["w", "ids"], ["rows"]),
    helper.make_node("Tanh", ["rows"], ["bent"]),
    helper.make_node("Transpose", ["w"], ["turned"], perm=[1, 0]),
    helper.make_node("MatMul", ["bent", "turned"], ["scores"]),
]
graph = helper.make_graph(
    nodes, "tied", [helper.make_tensor_value_info("ids", TensorProto.INT64, [n])],
    [helper.make_tensor_value_info("rows", TensorProto.FLOAT, [n, 64]), helper.make_tensor_value_info("scores", TensorProto.FLOAT, [n, 170])],
    [numpy_helper.from_array(weights, "w")])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
