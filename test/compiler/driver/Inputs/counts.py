# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# counts.py FILE.json BOARD TICK LEAST: whether `sinter bench --json` of a board holds together: the kernels' instructions are the call's but
# for what lies between them, LEAST per multiply-add and up to 40 times that, flash is the sum of its parts, the stack within its bound.
import json
import sys

path, board, tick, least = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    bench = json.load(file)
assert bench["board"] == board and bench["exact_to"] == float(tick), bench
kernels = sum(kernel["instructions"] for kernel in bench["kernels"])
slack = float(tick) * (2 * len(bench["kernels"]) + 2)
assert kernels - slack <= bench["instructions"] <= kernels + slack + 400, (kernels, bench["instructions"])
assert float(least) * bench["macs"] <= bench["instructions"] <= 40 * float(least) * bench["macs"], bench
flash = bench["flash"]
assert flash["bytes"] == flash["code"] + flash["weights"] + flash["other"] and flash["model_code"] <= flash["code"], flash
assert 0 < bench["stack"]["used"] <= bench["stack"]["bound"], bench["stack"]
