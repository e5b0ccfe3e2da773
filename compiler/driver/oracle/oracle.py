# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by `sinter verify` with SINTER_PYTHON or python3: what onnxruntime makes of the same inputs. Comparison is sinter's.
# oracle.py MODEL FOLDER: runs the data sets FOLDER/<set>/input_<i>.npy (in the order of names.json) and writes output_<i>.npy beside. Inputs
# that are state ("states": by name the number of the output) have, from the second data set on, what the one before gave. "values": names of
# values inside the model, written as value_<i>.npy where the graph has them.
import json
import os
import sys

try:
    import numpy as np
    import onnxruntime
except ImportError as missing:
    sys.exit(f"the Python package {missing.name} is missing; SINTER_PYTHON names a Python that has it, or give --data")

model, folder = sys.argv[1:3]
onnxruntime.set_default_logger_severity(4)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
# Reference numbers, not speed: the plainest form of the graph.
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
    names = json.load(file)
known = set()
if names["values"]:
    import onnx

    graph = onnx.load(model)
    made = {output for node in graph.graph.node for output in node.output} - {output.name for output in graph.graph.output}
    graph.graph.output.extend(onnx.ValueInfoProto(name=name) for name in dict.fromkeys(names["values"]) if name in made)
    known = {output.name for output in graph.graph.output}
    model = graph.SerializeToString()
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
carried = {}
for entry in sorted(os.listdir(folder)):
    data = os.path.join(folder, entry)
    if not os.path.isdir(data):
        continue
    feeds = {name: np.load(os.path.join(data, f"input_{i}.npy")) for i, name in enumerate(names["inputs"])}
    feeds = {name: value.astype(object) if value.dtype.kind == "U" else value for name, value in feeds.items()}
    inside = {name: i for i, name in enumerate(names["values"]) if name in known}
    values = [np.asarray(value) for value in session.run(names["outputs"] + list(inside), feeds | carried)]
    carried = {name: values[i] for name, i in names["states"].items()}
    for i, value in enumerate(values[: len(names["outputs"])]):
        np.save(os.path.join(data, f"output_{i}.npy"), value.astype(str) if value.dtype == object else value)
    for i, value in zip(inside.values(), values[len(names["outputs"]) :]):
        if value.dtype != object:
            np.save(os.path.join(data, f"value_{i}.npy"), value)
