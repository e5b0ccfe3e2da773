# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# show_model.py MODEL.onnx [FLOAT.onnx FOLDER]: checks a model and prints it, a line per opset, node and initializer. With a float model and
# samples: "close" if onnxruntime's outputs of both are within 5 % of the outputs' size.
import glob
import sys

import numpy as np
import onnx
import onnxruntime


def outputs(path, samples):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options)
    name = session.get_inputs()[0].name
    return np.concatenate([np.ravel(o) for s in samples for o in session.run(None, {name: np.load(s)})])


model = onnx.load(sys.argv[1])
onnx.checker.check_model(model, full_check=True)
print("opset", *(f"{o.domain or 'ai.onnx'} {o.version}" for o in model.opset_import))
for node in model.graph.node:
    attributes = "".join(f" {a.name}={onnx.helper.get_attribute_value(a)}" for a in node.attribute if a.name in ("axis", "axes", "block_size"))
    print(f"{node.op_type}({', '.join(node.input)}) -> {', '.join(node.output)}{attributes}")
for t in model.graph.initializer:
    print(f"{t.name}: {onnx.TensorProto.DataType.Name(t.data_type)} {list(t.dims)}")
if len(sys.argv) > 2:
    samples = sorted(glob.glob(sys.argv[3] + "/*.npy"))
    expected, actual = outputs(sys.argv[2], samples), outputs(sys.argv[1], samples)
    loss = np.linalg.norm(expected - actual) / np.linalg.norm(expected)
    print("close" if loss < 0.05 else f"far: {loss}")
