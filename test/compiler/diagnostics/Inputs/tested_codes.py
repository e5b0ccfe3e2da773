# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tested_codes.py SOURCES: fails with the codes of codes.def that compiler/ reports and no test mentions, and with those that `sinter explain`
does not know."""
import os
import re
import subprocess
import sys

sources = sys.argv[1]


def text_below(folder, *endings):
    text = ""
    for place, _, names in os.walk(os.path.join(sources, folder)):
        for name in names:
            if name.endswith(endings):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    text += file.read()
    return text


with open(os.path.join(sources, "compiler/diagnostics/codes.def"), encoding="utf-8") as file:
    codes = dict(re.findall(r"^SINTER_CODE\((E\d+), (\w+),", file.read(), re.MULTILINE))
assert codes, "no codes"
reported = set(re.findall(r"Code::(\w+)", text_below("compiler", ".cpp", ".h")))
tests = text_below("test", ".test", ".mlir", ".cpp")
bad = [f"{code} ({name}) is in no test" for code, name in codes.items()
       if name in reported and f"[{code}]" not in tests and f"Code::{name}" not in tests]  # fmt: skip
for code in codes:
    said = subprocess.run(["sinter", "explain", code], capture_output=True, text=True, check=False)
    if said.returncode != 0 or not said.stdout.startswith(code + ": "):
        bad.append(f"sinter explain {code}: {said.stdout}{said.stderr}")
print("\n".join(bad))
sys.exit(bool(bad))
