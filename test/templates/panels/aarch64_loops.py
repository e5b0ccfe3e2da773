#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# aarch64_loops.py OBJECT PERCENT: of each function the block with the most multiply-adds, as aarch64-linux-gnu-objdump shows it; a line for each:
#   function: N multiply-adds of M instructions, S accesses to the stack
import re
import subprocess
import sys

functions, name, percent = {}, None, int(sys.argv[2])
for line in subprocess.run(["aarch64-linux-gnu-objdump", "-dC", "--no-show-raw-insn", sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines():
    if head := re.fullmatch(r"[0-9a-f]+ <(.*)>:", line):
        name = functions.setdefault(head[1], [])
    elif instruction := re.fullmatch(r" *([0-9a-f]+):\t(\S+)\s*(.*)", line):
        name.append((int(instruction[1], 16), instruction[2], instruction[3]))
for name, instructions in functions.items():
    targets = {int(to[1], 16) for _, operation, operands in instructions if re.match(r"b|cb|tb", operation) and (to := re.search(r"([0-9a-f]+) <", operands))}
    blocks = [[]]
    for address, operation, operands in instructions:
        if address in targets:
            blocks.append([])
        blocks[-1].append((operation, operands))
        if re.match(r"b\b|b\.|cb|tb|ret", operation):
            blocks.append([])
    adds = lambda block: sum(operation in ("fmla", "sdot", "smmla", "bfmmla") for operation, _ in block)
    most = max(blocks, key=adds)
    if count := adds(most):
        print(f"{name}: {count} multiply-adds of {len(most)} instructions ({'more' if count * 100 > percent * len(most) else 'less'} than {percent} %), "
              f"{sum('[sp' in operands for _, operands in most)} accesses to the stack")
