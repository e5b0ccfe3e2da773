# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by `sinter verify` with SINTER_PYTHON or python3: what onnxruntime makes of the same inputs. Comparison is sinter's.
# oracle.py MODEL FOLDER: runs the data sets FOLDER/<set>/input_<i>.npy (in the order of names.json) and writes output_<i>.npy beside. Inputs
# that are state ("states": by name the number of the output) have, from the second data set on, what the one before gave.
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
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
    names = json.load(file)
carried = {}
for entry in sorted(os.listdir(folder)):
    data = os.path.join(folder, entry)
    if not os.path.isdir(data):
        continue
    feeds = {name: np.load(os.path.join(data, f"input_{i}.npy")) for i, name in enumerate(names["inputs"])}
    feeds = {name: value.astype(object) if value.dtype.kind == "U" else value for name, value in feeds.items()}
    values = [np.asarray(value) for value in session.run(names["outputs"], feeds | carried)]
    carried = {name: values[i] for name, i in names["states"].items()}
    for i, value in enumerate(values):
        np.save(os.path.join(data, f"output_{i}.npy"), value.astype(str) if value.dtype == object else value)
