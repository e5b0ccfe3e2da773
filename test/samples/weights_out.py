# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# weights_out.py MODEL FILE: moves the weights of a model into a file beside it (external data).
import sys

import onnx
from onnx import numpy_helper

path, file = sys.argv[1:]
model = onnx.load(path)
for tensor in model.graph.initializer:
    tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor), tensor.name))
onnx.save(model, path, save_as_external_data=True, location=file, size_threshold=0)
