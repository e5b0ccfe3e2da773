# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# misfits.py FOLDER: models of one node of com.example.MovingAverage (samples/custom_op), which fits its description in one of them.
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

FOLDER = sys.argv[1]


def save(name, inputs, operator="MovingAverage", **attributes):
    """inputs: by name, element type and shape."""
    node = helper.make_node(operator, list(inputs), ["y"], domain="com.example", name="node", **attributes)
    values = [helper.make_tensor_value_info(key, element, shape) for key, (element, shape) in inputs.items()]
    graph = helper.make_graph([node], "misfit", values, [onnx.ValueInfoProto(name="y")])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), f"{FOLDER}/{name}.onnx")


x, gain = (TensorProto.FLOAT, [1, 2, 8]), (TensorProto.FLOAT, [2])
save("fits", {"x": x, "gain": gain}, window=3)
save("misspelt", {"x": x}, operator="MovingAverages", window=3)
save("no_input", {}, window=3)
save("many_inputs", {"x": x, "gain": gain, "more": gain}, window=3)
save("type", {"x": (TensorProto.INT32, [1, 2, 8])}, window=3)
save("types", {"x": x, "gain": (TensorProto.DOUBLE, [2])}, window=3)
save("no_window", {"x": x})
save("attribute_type", {"x": x}, window=3.0)
save("attribute", {"x": x}, window=3, windows=3)
save("rank", {"x": (TensorProto.FLOAT, [2, 8])}, window=3)
save("gain", {"x": x, "gain": (TensorProto.FLOAT, [3])}, window=3)
save("window", {"x": x}, window=9)
save("open", {"x": (TensorProto.FLOAT, [1, 2, "l"])}, window=3)
save("shape", {"x": (TensorProto.FLOAT, [4])}, operator="Shape")
np.save(f"{FOLDER}/short.npy", np.zeros((1, 2, 2), np.float32))
