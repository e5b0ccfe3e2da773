#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# to_onnx.py IN.txt OUT.onnx: ONNX's text form (onnx.parser) to a model file, so that tests need no binary files. Lines that start with
# // or # are comments (RUN and CHECK lines); the model is not checked, because tests write invalid ones too.
import sys

import onnx.parser

source, target = sys.argv[1:]
with open(source, encoding="utf-8") as file:
    text = "".join(line for line in file if not line.startswith(("//", "#")))
with open(target, "wb") as file:
    file.write(onnx.parser.parse_model(text).SerializeToString())
