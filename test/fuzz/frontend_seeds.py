#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""frontend_seeds.py FOLDER: small models for fuzz-frontend to start from: the onnx package's own, and the hostile ones of the importer's tests."""
import hashlib
import os
import sys

import onnx.backend.test.case.node as node_cases

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../compiler/frontend/Inputs"))
import hostile

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
models = [case.model for case in node_cases.collect_testcases(None)] + [build() for build in hostile.CASES]
for model in models:
    data = model.SerializeToString()
    if len(data) < 8192:
        with open(os.path.join(folder, hashlib.sha1(data).hexdigest()), "wb") as file:
            file.write(data)
