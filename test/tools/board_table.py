#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# board_table.py [--sinter PROGRAM] [FLAG...]: `sinter bench` of quantized nets on the emulated boards, as the table in docs/benchmarks.md; with
# flags of sinter (-Os, --requant, ...) only prints it. What `scripts/benchmark --boards` runs.
import argparse
import json
import os
import subprocess
import tomllib

from benchmarks_page import write_table

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
NETS = ["kws", "vww", "ic", "ad", "micro-kws-qdq"]
TARGETS = ["cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55", "rv32imac"]
BEGIN, END = "<!-- boards begin: scripts/benchmark --boards -->\n", "<!-- boards end -->\n"


def measure(options, path, dims, target, flags):
    command = [options.sinter, "bench", path, "--target", target, "--io", "quantized", "--io-in-arena", "--json", *dims, *flags]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def line(net, target, bench, small):
    flash, stack = bench["flash"], bench["stack"]
    cells = [net, target, f"{bench['instructions'] / 1e6:.3f}", f"{bench['instructions'] / bench['macs']:.2f}", str(bench["arena"]),
             f"{small['instructions'] / 1e6:.3f}, {small['arena']}", str(flash["weights"]), str(flash["bytes"] - flash["weights"]),
             f"{stack['used']} ({stack['bound']})"]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--nets", nargs="+", default=NETS)
    parser.add_argument("--targets", nargs="+", default=TARGETS)
    parser.add_argument("--models", default=os.environ.get("SINTER_MODELS", os.path.join(ROOT, "../shared/models")))
    options, flags = parser.parse_known_args()
    with open(os.path.join(ROOT, "test/end_to_end/quantized.toml"), "rb") as file:
        known = tomllib.load(file)
    head = ["| net | target | M instructions | per MAC | arena | `--fit ram` | weights | other flash | stack (bound) |", "|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(head), flush=True)
    lines = []
    for net in options.nets:
        for target in options.targets:
            path = os.path.join(options.models, known[net]["path"])
            dims = [f"--dim={name}={size}" for name, size in known[net].get("dims", {}).items()]
            lines.append(line(net, target, *(measure(options, path, dims, target, [*flags, "--fit", fit]) for fit in ("balanced", "ram"))))
            print(lines[-1], flush=True)
    if flags or options.nets != NETS or options.targets != TARGETS:
        return
    write_table(BEGIN, END, head + lines)


main()
