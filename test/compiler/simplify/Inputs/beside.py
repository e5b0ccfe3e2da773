# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# beside.py BEFORE.onnx AFTER.onnx [DIM=N...]: checks the second model and prints it, a line per input, node, initializer and known shape; then how
# onnxruntime's outputs of both compare on made-up inputs, whose dims have these sizes (3 without a word).
import sys

import numpy as np
import onnx
import onnxruntime

onnxruntime.set_default_logger_severity(4)
before, after, *words = sys.argv[1:]
sizes = {name: int(size) for name, size in (word.split("=") for word in words)}
model = onnx.load(after)  # with its external data
onnx.checker.check_model(after, full_check=True)


def shape(value):
    return [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim]


def show(graph, indent=""):
    for node in graph.node:
        attributes = [(a.name, onnx.helper.get_attribute_value(a)) for a in node.attribute]
        text = "".join(f" {name}={value}" for name, value in sorted(attributes) if not isinstance(value, onnx.GraphProto))
        print(f"{indent}{node.op_type}({', '.join(node.input)}) -> {', '.join(node.output)}{text}")
        for name, value in attributes:
            if isinstance(value, onnx.GraphProto):
                print(f"{indent}  {name}:")
                show(value, indent + "    ")
    for t in graph.initializer:
        data = onnx.numpy_helper.to_array(t)
        print(f"{indent}constant {t.name}: {data.dtype}{list(t.dims)}{f' {data.ravel().tolist()}' if data.size <= 8 else ''}")


for value in model.graph.input:
    print("input", value.name, shape(value))
show(model.graph)
for value in [*model.graph.value_info, *model.graph.output]:
    print("shape of", value.name, shape(value))
outputs = []
for path in (before, after):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options)
    random = np.random.default_rng(1)
    feeds = {}
    for value in session.get_inputs():
        dims = [dim if isinstance(dim, int) else sizes.get(dim, 3) for dim in value.shape]
        kinds = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(bool)": np.bool_, "tensor(int32)": np.int32}
        feeds[value.name] = np.asarray(random.standard_normal(dims) * 4).astype(kinds[value.type])
    outputs.append(session.run(None, feeds))
a, b = outputs
if all(x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes() for x, y in zip(a, b)):
    print("equal to the last bit")
else:
    print("close" if all(x.shape == y.shape and np.allclose(x, y, 1e-4, 1e-4) for x, y in zip(a, b)) else "DIFFERENT")
