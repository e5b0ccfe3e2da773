# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_net.py FOLDER: net.onnx, which adds up its input, and an adapter as PEFT writes it, lora/, by which its first output is ten times that."""
import json
import os
import sys

import numpy as np
import onnx
import onnx.parser
from onnx import numpy_helper
from safetensors.numpy import save_file

model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]> net (float[1, 4] x) => (float[1, 3] y) { y = Gemm <transB = 1> (x, w) }')
tensor = numpy_helper.from_array(np.ones((3, 4), np.float32), "model.fc.weight")
model.graph.initializer.append(tensor)
model.graph.node[0].input[1] = tensor.name
onnx.save(model, f"{sys.argv[1]}/net.onnx")
os.makedirs(f"{sys.argv[1]}/lora", exist_ok=True)
pair = {"lora_A": np.ones((1, 4), np.float32), "lora_B": np.array([[9], [0], [0]], np.float32)}
save_file({f"base_model.model.model.fc.{name}.weight": value for name, value in pair.items()}, f"{sys.argv[1]}/lora/adapter_model.safetensors")
with open(f"{sys.argv[1]}/lora/adapter_config.json", "w", encoding="utf-8") as file:
    json.dump({"peft_type": "LORA", "r": 1, "lora_alpha": 1}, file)
