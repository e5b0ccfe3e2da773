#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# benchmark_table.py [--sinter PROGRAM] [--exports DIR] [--seconds S] [MODEL...]: `sinter bench --against onnxruntime,openvino` on models of
# ../end_to_end/models.toml, as the table in docs/benchmarks.md; with MODELs, only prints their lines. What scripts/benchmark runs.
import argparse
import json
import os
import subprocess
import sys
import tomllib

from benchmarks_page import write_table

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
MODELS = ["mnist-8", "keypoint", "gtcrn", "crepe-tiny", "ultraface", "yunet-320", "sinet", "unet-small", "yolox-nano", "squeezenet-fp16",
          "resnet8", "vww", "micro-kws", "resnet50", "mobilenet_v2", "minilm_64"]
BEGIN, END = "<!-- table begins: scripts/benchmark -->\n", "<!-- table ends -->\n"


def digits(number):
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def short(seconds):
    for unit, scale in (("µs", 1e6), ("ms", 1e3), ("s", 1)):
        if seconds * scale < 1000:
            return f"{digits(seconds * scale)} {unit}"
    return f"{seconds:.0f} s"


def measure(name, path, flags, options):
    command = [options.sinter, "bench", path, *flags, "--against", "onnxruntime,openvino", "--seconds", str(options.seconds), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def line(name, bench):
    ours, *others = bench["against"]["programs"]
    least = ours["times"]["min"]
    cells = [name, digits(bench["macs"] * 1e-6), short(least), f"{100 * bench['macs'] / least / bench['peak']['macs_per_second']:.0f} %"]
    for other in others:
        cells.append(f"{short(other['times']['min'])} ({other['times']['min'] / least:.2f})" if "times" in other else "cannot run it")
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--exports", default=os.path.join(ROOT, "build/test/end_to_end/exports"))
    parser.add_argument("--models", default=os.environ.get("SINTER_MODELS", os.path.join(ROOT, "../shared/models")))
    parser.add_argument("--seconds", type=float, default=2, help="of each program and model")
    parser.add_argument("names", nargs="*", metavar="MODEL")
    options = parser.parse_args()
    with open(os.path.join(ROOT, "test/end_to_end/models.toml"), "rb") as file:
        known = tomllib.load(file)
    lines, bench = [], None
    for name in options.names or MODELS:
        path = os.path.join(options.exports if known[name].get("exported") else options.models, known[name]["path"])
        if not os.path.exists(path):
            print(f"{name}: no {path}", file=sys.stderr)
            continue
        bench = measure(name, path, known[name].get("flags", []), options)
        lines.append(line(name, bench))
        print(lines[-1], flush=True)
    if options.names or not lines:
        return
    ours, *others = bench["against"]["programs"]
    head = [f"{bench['processor']}, {bench['target']}, one thread; sinter {ours['version']}, "
            + ", ".join(f"{other['name']} {other['version']}" for other in others)
            + f". The peak: {bench['peak']['macs_per_second'] * 1e-9:.0f} G multiply-adds a second.", "",
            "| model | M MACs | sinter | of peak | " + " | ".join(f"{other['name']} (ratio)" for other in others) + " |",
            "|---|---|---|---|" + "---|" * len(others)]
    write_table(BEGIN, END, head + lines)


main()
