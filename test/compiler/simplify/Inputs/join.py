# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# join.py MODEL.onnx FIRST.onnx SECOND.onnx: checks both parts, prints their inputs and outputs, and whether onnxruntime's outputs of one behind the
# other are those of the model.
import sys

import numpy as np
import onnx
import onnxruntime

options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
whole, *parts = (onnxruntime.InferenceSession(path, options) for path in sys.argv[1:])
random = np.random.default_rng(1)
values = {value.name: random.standard_normal([dim if isinstance(dim, int) else 3 for dim in value.shape]).astype(np.float32) for value in whole.get_inputs()}
expected = dict(zip([value.name for value in whole.get_outputs()], whole.run(None, values)))
for path, part in zip(sys.argv[2:], parts):
    onnx.checker.check_model(onnx.load(path), full_check=True)
    inputs, outputs = [value.name for value in part.get_inputs()], [value.name for value in part.get_outputs()]
    print(", ".join(inputs), "->", ", ".join(outputs))
    values |= dict(zip(outputs, part.run(None, {name: values[name] for name in inputs})))
print("equal" if all(np.array_equal(values[name], value) for name, value in expected.items()) else "DIFFERENT")
