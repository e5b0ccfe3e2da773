# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# divergence.py BEFORE.onnx AFTER.onnx SAMPLES REPORT.json: whether the report's divergence is that of the softmax of onnxruntime's outputs.
import json
import pathlib
import sys

import numpy as np
import onnxruntime

before, after, folder, report = sys.argv[1:]
sessions = [onnxruntime.InferenceSession(path) for path in (before, after)]
total, rows = 0.0, 0
for path in sorted(pathlib.Path(folder).glob("*.npy")):
    sample = {sessions[0].get_inputs()[0].name: np.load(path)}
    p, q = (np.float64(session.run(None, sample)[0]) for session in sessions)
    p, q = (x - np.log(np.exp(x).sum(-1, keepdims=True)) for x in (p, q))
    total += (np.exp(p) * (p - q)).sum()
    rows += p.shape[0]
stated = json.loads(pathlib.Path(report).read_text())["divergence"]
assert abs(stated - total / rows) < 1e-9 + 1e-3 * total / rows, (stated, total / rows)
print("as stated")
