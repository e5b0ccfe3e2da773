#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# figures.py [NAME...] [--sinter PROGRAM] [--models DIR] [--exports DIR]: what compiling each model of models.toml costs and gives, held against
# the project's limits: processor time and peak memory of the compiler, the arena beside what its buffers need, kernels that only copy.
# Without names: all models that are there. Exits 77 (skipped) when none is, unless SINTER_REQUIRE_MODELS is set.
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib

import onnx

import model_source

HERE = os.path.dirname(os.path.abspath(__file__))
NO_COPIES = {"resnet50", "mobilenet_v2", "mobilenet_v2_unfolded", "unet-small"}
ARENA_OF_NEEDED = 1.05  # the largest sum of live buffers, as the checker of plans finds it
ARENA_OF_GRAPH, SLACK_BYTES = 1.25, 4096  # the largest sum of live tensors between kernels; what alignment and scratch may add to tiny ones
SMALL_MODEL, SMALL_SECONDS, LARGE_SECONDS = 10e6, 1.0, 5.0
LARGE_MODEL, LARGE_MEMORY = 100e6, 1.5  # times the model


def measure(sinter, path, flags, folder):
    """Seconds, peak bytes, the planned function's figures, the report's counts."""
    out = os.path.join(folder, "out")
    # One CPU, whatever this machine is: figures are compared with bounds.
    arguments = [sinter, path, "-o", out + "/", "--prefix", "model", "--target", "x86-64-v4", *flags]
    with open(os.path.join(folder, "log"), "w+") as log:
        to_log = [(os.POSIX_SPAWN_DUP2, log.fileno(), stream) for stream in (1, 2)]
        pid = os.posix_spawn(sinter, arguments, os.environ, file_actions=to_log)
        _, status, usage = os.wait4(pid, 0)
        log.seek(0)
        if status:
            raise RuntimeError(log.read())
    with open(os.path.join(out, "model_report.json")) as report:
        counts = json.load(report)["counts"]
    # Once more for the IR, which says what the checker found: printing it costs time of its own.
    planned = subprocess.run(arguments + ["--dump-after=check-plan"], capture_output=True, text=True, check=True).stderr
    bytes_of = {key: int(value) for key, value in re.findall(r"sinter\.(arena|needed|graph)_bytes = (\d+)", planned)}
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, bytes_of, counts


def problems_of(name, size, seconds, memory, bytes_of, counts):
    arena = bytes_of["arena"]
    limit = SMALL_SECONDS if size < SMALL_MODEL else LARGE_SECONDS
    if seconds > limit and size < 110e6:
        yield f"{seconds:.1f} s, more than {limit:.0f}"
    if size > LARGE_MODEL and memory > LARGE_MEMORY * size:
        yield f"{memory / size:.2f} times the model in memory, more than {LARGE_MEMORY}"
    if arena > ARENA_OF_NEEDED * bytes_of["needed"]:
        yield f"the arena is {arena / bytes_of['needed']:.3f} times what is needed, more than {ARENA_OF_NEEDED}"
    if arena > ARENA_OF_GRAPH * bytes_of["graph"] + SLACK_BYTES:
        yield f"the arena is {arena / bytes_of['graph']:.3f} times the graph's tensors, more than {ARENA_OF_GRAPH}"
    if name in NO_COPIES and counts["copies"]:
        yield f"{counts['copies']} copies"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--models", default=model_source.MODELS)
    parser.add_argument("--exports", default="exports")
    options = parser.parse_args()
    with open(os.path.join(HERE, "models.toml"), "rb") as table:
        models = tomllib.load(table)
    measured, failed = 0, 0
    print(f"{'model':24}{'MB':>7}{'s':>7}{'peak MB':>9}{'arena':>11}{'/needed':>9}{'/graph':>8}{'kernels':>9}{'copies':>8}")
    for name, model in models.items():
        path = model_source.file_of(model, options.models, options.exports)
        if (options.names and name not in options.names) or (path and not os.path.exists(path)):
            continue
        with tempfile.TemporaryDirectory() as folder:
            if path is None:
                path = os.path.join(folder, name + ".onnx")
                onnx.save(model_source.load(model, options.models)[0], path)
            size = os.path.getsize(path)
            seconds, memory, bytes_of, counts = measure(options.sinter, path, model.get("flags", []), folder)
        measured += 1
        shares = [f"{bytes_of['arena'] / bytes_of[key]:.3f}" if bytes_of[key] else "-" for key in ("needed", "graph")]
        print(f"{name:24}{size / 1e6:7.1f}{seconds:7.2f}{memory / 1e6:9.0f}{bytes_of['arena']:11}{shares[0]:>9}{shares[1]:>8}"
              f"{counts['kernel_calls']:9}{counts['copies']:8}", flush=True)
        for problem in problems_of(name, size, seconds, memory, bytes_of, counts):
            print(f"  {name}: {problem}")
            failed += 1
    if not measured:
        print("skipped: no model is there")
        sys.exit(1 if os.environ.get("SINTER_REQUIRE_MODELS") else 77)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
