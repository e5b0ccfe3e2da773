#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is each operator that a file of compiler/ops/onnx registers in a test of that file? Tests of conv.cpp are those of test/compiler/ops/onnx whose names
begin with conv."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def registered(text):
    return re.findall(r'\.onOp\(\s*"(\w+)"', text)


def main():
    problems = []
    for file in sorted((ROOT / "compiler/ops/onnx").glob("*.cpp")):
        text = file.read_text()
        names = registered(text)
        if len(names) != text.count(".onOp("):
            problems.append(f"{file.stem}: a name that onOp is given is no literal")
        tests = [test.read_text() for test in (ROOT / "test/compiler/ops/onnx").glob(f"{file.stem}*") if test.suffix in (".mlir", ".test")]
        problems += [f"{file.stem}: no test has {name}" for name in names if not any(re.search(rf'"{name}"|= (?:[\w.]+\.)?{name}\b', test) for test in tests)]
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
