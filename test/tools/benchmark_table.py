#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# benchmark_table.py [--sinter PROGRAM] [--exports DIR] [--seconds S] [GROUP|NET...] [-- FLAG...]: `sinter bench --against onnxruntime,openvino` on the nets of
# benchmark_groups.toml, as the table in docs/benchmarks.md; with GROUPs or NETs, or with flags for bench (`-- --target x86-64-v3`), only prints their lines. What scripts/benchmark runs.
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import tomllib

import numpy as np
import onnx

from benchmarks_page import write_table

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
BEGIN, END = "<!-- table begins: scripts/benchmark -->\n", "<!-- table ends -->\n"
OTHER_MEGABYTES = 96  # more than caches hold


def digits(number):
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def short(seconds):
    for unit, scale in (("µs", 1e6), ("ms", 1e3), ("s", 1)):
        if seconds * scale < 1000:
            return f"{digits(seconds * scale)} {unit}"
    return f"{seconds:.0f} s"


def load(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return tomllib.load(file)


def write_samples(path, folder, count=4):
    """A folder of made-up inputs, which are good enough for a net that is only timed: numbers between -2 and 2, integers 0 and 1."""
    random = np.random.default_rng(1)
    graph = onnx.load(path, load_external_data=False).graph
    known = {tensor.name for tensor in graph.initializer}
    for value in graph.input:
        if value.name in known:
            continue
        place = os.path.join(folder, re.sub(r"[^\w.-]", "_", value.name))
        os.makedirs(place)
        kind = value.type.tensor_type
        shape, dtype = [dim.dim_value or 1 for dim in kind.shape.dim], onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)
        for i in range(count):
            numbers = random.uniform(-2, 2, shape) if dtype.kind == "f" else random.integers(0, 2, shape)
            np.save(os.path.join(place, f"{i}.npy"), numbers.astype(dtype))
    return folder


class Nets:
    """Where each net's file is, and its flags."""

    def __init__(self, own, options, work):
        self.own, self.options, self.work, self.known = own, options, work, load("test/end_to_end/models.toml")

    def find(self, name):
        entry = self.own.get(name, {})
        base = self.known.get(entry.get("of", name), {})
        folder = self.options.exports if base.get("exported") else self.options.models
        path = os.path.join(folder, entry.get("path", base.get("path")))
        return path, entry.get("flags", base.get("flags", [])), entry.get("quantize", False)

    def prepared(self, name):
        """The file and flags, or None without the file."""
        path, flags, quantize = self.find(name)
        if not os.path.exists(path):
            print(f"{name}: no {path}", file=sys.stderr)
            return None
        if quantize:
            made = os.path.join(self.work, name + ".onnx")
            samples = write_samples(path, os.path.join(self.work, name))
            command = [self.options.sinter, "quantize", path, "-o", made, "--data", samples, *flags]
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                sys.exit(f"{path}: {done.stderr.strip()}")
            path = made
        return path, flags


def measure(options, path, flags, cold):
    command = [options.sinter, "bench", path, *flags, *options.flags, "--against", "onnxruntime,openvino", "--seconds", str(options.seconds), "--json"]
    if cold:
        command += ["--cold", str(OTHER_MEGABYTES)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{path}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def ratio(bench):
    """Our time over that of the fastest other, of least times."""
    ours, *others = bench["against"]["programs"]
    return ours["times"]["min"] / min(other["times"]["min"] for other in others if "times" in other)


def line(name, first, second):
    """first: the way that the group's ratio is of, hot or cold; second: the other."""
    ours, *others = first["against"]["programs"]
    least = ours["times"]["min"]
    cells = [name, digits(first["macs"] * 1e-6), short(least), f"{100 * first['macs'] / least / first['peak']['macs_per_second']:.0f} %"]
    cells += [short(other["times"]["min"]) if "times" in other else "cannot run it" for other in others]
    cells += [f"{ratio(first):.2f}", f"{ratio(second):.2f}"]
    starts = [short(program["first"]) if "first" in program else "-" for program in (ours, *others)]
    return "| " + " | ".join([*cells, ", ".join(starts)]) + " |"


def measure_group(group, names, nets, options):
    """The group's part of the table, and the last measurement."""
    lines, ratios, bench = [], [], None
    cold = group.get("cold", False)
    for name in names:
        if (found := nets.prepared(name)) is None:
            continue
        bench, other = (measure(options, *found, way) for way in (cold, not cold))
        ratios.append(ratio(bench))
        lines.append(line(name, bench, other))
        print(lines[-1], flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        lines.append(f"| geometric mean; worst | | | | | | **{mean:.2f}**; {max(ratios):.2f} | | |")
        print(lines[-1], flush=True)
    return lines, bench


def heading(bench):
    ours, *others = bench["against"]["programs"]
    programs = ", ".join(f"{other['name']} {other['version']}" for other in others)
    return (f"{bench['processor']}, {bench['target']}, one thread; sinter {ours['version']}, {programs}. "
            f"The peak: {bench['peak']['macs_per_second'] * 1e-9:.0f} G multiply-adds a second.")  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--exports", default=os.path.join(ROOT, "build/test/end_to_end/exports"))
    parser.add_argument("--models", default=os.environ.get("SINTER_MODELS", os.path.join(ROOT, "../shared/models")))
    parser.add_argument("--seconds", type=float, default=1, help="of each program, net and way")
    parser.add_argument("names", nargs="*", metavar="GROUP|NET")
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:at])
    options.flags = arguments[at + 1 :]
    known = load("test/tools/benchmark_groups.toml")
    page, bench = [], None
    with tempfile.TemporaryDirectory() as work:
        nets = Nets(known["net"], options, work)
        for name, group in known["group"].items():
            wished = [net for net in group["nets"] if not options.names or name in options.names or net in options.names]
            if not wished:
                continue
            ways = ("cold", "hot") if group.get("cold") else ("hot", "cold")
            head = [f"| {name} | M MACs | sinter, {ways[0]} | of peak | onnxruntime | openvino | ratio | {ways[1]} | first result |", "|---" * 9 + "|"]
            print("\n".join(head), flush=True)
            lines, last = measure_group(group, wished, nets, options)
            page, bench = page + head + lines + [""], last or bench
    if bench and not options.names and not options.flags:
        write_table(BEGIN, END, [heading(bench), "", *page[:-1]])


if __name__ == "__main__":
    main()
