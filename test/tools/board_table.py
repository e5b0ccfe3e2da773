#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# board_table.py [--sinter PROGRAM] [-O LEVEL] [FLAG...]: `sinter bench` of quantized nets on the emulated boards, as the table in docs/benchmarks.md; with
# flags of sinter (--fit ram, ...) only prints it. What `scripts/benchmark --boards` runs.
import argparse
import json
import os
import re
import subprocess
import tomllib

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PAGE = os.path.join(ROOT, "docs/benchmarks.md")
NETS = ["kws", "vww", "ic", "ad", "micro-kws-qdq"]
TARGETS = ["cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55"]
BEGIN, END = "<!-- boards begin: scripts/benchmark --boards -->\n", "<!-- boards end -->\n"


def line(net, target, bench):
    flash, stack = bench["flash"], bench["stack"]
    cells = [net, target, f"{bench['instructions'] / 1e6:.3f}", f"{bench['instructions'] / bench['macs']:.2f}", str(bench["arena"]),
             str(flash["weights"]), str(flash["bytes"] - flash["weights"]), f"{stack['used']} ({stack['bound']})"]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--models", default=os.environ.get("SINTER_MODELS", os.path.join(ROOT, "../shared/models")))
    options, flags = parser.parse_known_args()
    with open(os.path.join(ROOT, "test/end_to_end/quantized.toml"), "rb") as file:
        known = tomllib.load(file)
    head = ["| net | target | M instructions | per MAC | arena | weights | other flash | stack (bound) |", "|---|---|---|---|---|---|---|---|"]
    print("\n".join(head), flush=True)
    lines = []
    for net in NETS:
        for target in TARGETS:
            path = os.path.join(options.models, known[net]["path"])
            dims = [f"--dim={name}={size}" for name, size in known[net].get("dims", {}).items()]
            command = [options.sinter, "bench", path, "--target", target, "--json", *dims, *flags]
            lines.append(line(net, target, json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)))
            print(lines[-1], flush=True)
    if flags:
        return
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    table = BEGIN + "\n".join(head + lines) + "\n" + END
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: table, page, flags=re.S))


main()
