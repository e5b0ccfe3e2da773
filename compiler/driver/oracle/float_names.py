# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# float_names.py MODEL FOLDER: for each value in FOLDER/names.json ("values") of a quantized model the name that it has in the float model which it
# was made of, and how it stands for it, to FOLDER/float_names.json: what QuantizeLinear makes of x is x, and so is what DequantizeLinear makes of that.
import json
import os
import sys

try:
    import onnx
    from onnx import numpy_helper
except ImportError as missing:
    sys.exit(f"the Python package {missing.name} is missing; SINTER_PYTHON names a Python that has it")

model, folder = onnx.load(sys.argv[1]), sys.argv[2]
with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
    names = json.load(file)["values"]
makers = {output: node for node in model.graph.node for output in node.output}
constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
for node in model.graph.node:
    if node.op_type == "Constant" and node.attribute[0].name == "value":
        constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)


def meaning(name):
    maker = makers.get(name)
    if maker is None or maker.op_type not in ("QuantizeLinear", "DequantizeLinear"):
        return {"name": name}
    if maker.op_type == "DequantizeLinear":
        inner = makers.get(maker.input[0])
        return {"name": inner.input[0] if inner is not None and inner.op_type == "QuantizeLinear" else name}
    scale = constants.get(maker.input[1])
    zero = constants.get(maker.input[2]) if len(maker.input) > 2 and maker.input[2] else None
    if scale is None or scale.size != 1:
        return {"name": ""}  # of several scales
    return {"name": maker.input[0], "scale": float(scale.ravel()[0]), "zero_point": int(zero.ravel()[0]) if zero is not None else 0,
            "signed": zero is not None and zero.dtype.kind == "i"}


with open(os.path.join(folder, "float_names.json"), "w", encoding="utf-8") as file:
    json.dump([meaning(name) for name in names], file)
