#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# optimized.py IN.onnx OUT.onnx [LEVEL]: the model as onnxruntime's optimizer saves it for this machine (level all, extended or basic).
import sys

import onnxruntime

source, target, level = [*sys.argv[1:], "all"][:3]
options = onnxruntime.SessionOptions()
options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_ENABLE_{level.upper()}")
options.optimized_model_filepath = target
options.log_severity_level = 3
onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
