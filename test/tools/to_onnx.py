#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# to_onnx.py IN.txt OUT.onnx: ONNX's text form (onnx.parser) to a model file, so that tests need no binary files. Lines that start with
# // or # are comments (RUN and CHECK lines); the model is not checked, because tests write invalid ones too.
import sys
from importlib import machinery, util

# Nothing but the parser, which is C++: all of the package takes ten times as long, and lit tests make some 250 models.
spec = machinery.PathFinder.find_spec("onnx_cpp2py_export", util.find_spec("onnx").submodule_search_locations)
onnx = util.module_from_spec(spec)
spec.loader.exec_module(onnx)

source, target = sys.argv[1:]
with open(source, encoding="utf-8") as file:
    text = "".join(line for line in file if not line.startswith(("//", "#")))
parsed, problem, model = onnx.parser.parse_model(text)
if not parsed:
    sys.exit(f"{source}: {problem.decode()}")
with open(target, "wb") as file:
    file.write(model)
