#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""symbols.py COMPILER...: the host side of a program for CUDA compiles without warnings, exceptions or RTTI, shows no symbol besides its interface,
and needs none but these of the C library."""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NEEDED = {"memcpy", "memset", "memcmp", "strlen", "calloc", "free", "dlopen", "dlsym", "dlclose", "dlerror", "_GLOBAL_OFFSET_TABLE_"}
FLAGS = "-std=c++17 -Wall -Wextra -Wconversion -pedantic -Werror -fno-exceptions -fno-rtti -fno-stack-protector".split()
SHOWN = {"kws_create", "kws_run", "kws_error", "kws_destroy"}

problems = []
for compiler in sys.argv[1:]:
    for level in ("-O0", "-O2"):
        with tempfile.TemporaryDirectory() as folder:
            out = f"{folder}/program.o"
            command = [compiler, *FLAGS, level, f"-I{ROOT}", "-c", f"{HERE}/program.cpp", "-o", out]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                problems.append(f"{' '.join(command)}\n{done.stderr}")
                continue
            symbols = subprocess.run(["nm", out], capture_output=True, text=True, check=True).stdout
            undefined = set(re.findall(r"^ +U (\S+)$", symbols, re.MULTILINE))
            shown = set(re.findall(r"^\w+ [A-Zvwu] (\S+)$", symbols, re.MULTILINE))
            if undefined - NEEDED or shown != SHOWN:
                problems.append(f"{compiler} {level}: needs {sorted(undefined - NEEDED)}, shows {sorted(shown ^ SHOWN)}")
print("\n".join(problems))
sys.exit(bool(problems))
