#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does scripts/snapshot find what differs between two compilers, and nothing between one and itself? The other one is the same with a flag."""
import pathlib
import subprocess
import sys
import tempfile

SNAPSHOT = pathlib.Path(__file__).resolve().parents[1] / "tools/snapshot.py"
sinter, cases = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])


def snapshot(*words):
    ran = subprocess.run([sys.executable, SNAPSHOT, *words], capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    other = work / "sinter"
    other.write_text(f'#!/bin/sh\nexec {sinter} "$@" --prefix net\n')
    other.chmod(0o755)
    for name, compiler in (("one", sinter), ("same", sinter), ("other", other)):
        wrote, said = snapshot("write", work / name, "--sinter", compiler, "--cases", cases, "--filter", "^(digits-digits|test_abs) (x86-64-v3|cortex-m4) balanced$")
        assert wrote == 0 and said.startswith("2 compilations: 2 with exit status 0"), said
    equal, said = snapshot("compare", work / "one", work / "same")
    assert "2 compilations in both, 0 of them differ; 0 only in one" in said, said
    differs, said = snapshot("compare", work / "one", work / "other")
    assert differs == 1 and "2 of them differ" in said and "net.cpp is new" in said and "digits.cpp is gone" in said, said
