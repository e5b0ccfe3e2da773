# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# external_data_far.test.py FOLDER: far.onnx, whose weights lie at the begin and at 2.2 GB of far.bin, which has nothing else.
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

folder = sys.argv[1]
weights = {"near": (512, np.linspace(-1, 1, 12, dtype=np.float32)), "far": (2_200_000_512, np.linspace(2, 3, 12, dtype=np.float32))}
tensors = []
with open(f"{folder}/far.bin", "wb") as file:
    for name, (offset, value) in weights.items():
        file.seek(offset)
        file.write(value.tobytes())
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[3, 4], data_location=TensorProto.EXTERNAL)
        for key, text in (("location", "far.bin"), ("offset", str(offset)), ("length", str(value.nbytes))):
            tensor.external_data.add(key=key, value=text)
        tensors.append(tensor)
nodes = [helper.make_node("MatMul", ["x", "near"], ["a"]), helper.make_node("MatMul", ["x", "far"], ["b"]), helper.make_node("Mul", ["a", "b"], ["y"])]
edges = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in (("x", [2, 3]), ("y", [2, 4]))]
graph = helper.make_graph(nodes, "far", edges[:1], edges[1:], tensors)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), f"{folder}/far.onnx")
