# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""softmaxes.py N FILE: a model of N kernels in a row."""
import sys

import onnx
from onnx import TensorProto, helper

count, path = int(sys.argv[1]), sys.argv[2]
nodes = [helper.make_node("Softmax", [f"x{i}"], [f"x{i + 1}"]) for i in range(count)]
ends = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 4])] for name in ("x0", f"x{count}")]
onnx.save(helper.make_model(helper.make_graph(nodes, "softmaxes", *ends), opset_imports=[helper.make_opsetid("", 21)], ir_version=10), path)
