#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# arm_table.py [--sinter PROGRAM] [--nets NAME...] [-- FLAG...]: instructions of one call on 64-bit Arm, of Sinter and of onnxruntime for Arm (npm brings its library),
# counted under qemu-aarch64 by instruction_counts/blocks_plugin.c, as the table in docs/benchmarks.md; with names or flags of sinter only prints it.
# What `scripts/benchmark --arm` runs.
#
# Hot code: the blocks that run most of the instructions, until they make up half of a call. Of these: the share that multiply and add in vectors, and
# the accesses to the stack (spills).
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx

from benchmark_table import Nets, load
from benchmarks_page import write_table

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
SOURCES = os.path.join(HERE, "instruction_counts")
# The newest whose library runs in QEMU 7.2.
RIVAL, LIBRARY = "onnxruntime-node@1.27.0", "linux/arm64/libonnxruntime.so.1"
BEGIN, END = "<!-- arm begins: scripts/benchmark --arm -->\n", "<!-- arm ends -->\n"
# Floats on an ARMv8.0, integers on a CPU with dot products, as each would be built.
FLOATS, INTEGERS = ("aarch64", "cortex-a72"), ("aarch64+dotprod", "cortex-a76")
NETS = {
    FLOATS: ["mnist-8", "resnet8", "vww", "micro-kws", "dtln-1", "gtcrn", "silero-vad", "crepe-tiny", "ultraface", "yunet-320", "minilm-16", "mobilenet_v2", "efficientnet_b0"],
    INTEGERS: ["kws-int8", "ic-int8", "vww-int8", "ad-int8", "micro-kws-qdq", "mobilenetv2-qat"],
}
MARKS = tuple(f"{0xD503201F | number << 5:x}" for number in (101, 102))  # marks.h
MULTIPLY_ADDS = re.compile(r"\t(fml[as]|[su]dot|usdot|[su]mmla|usmmla|bfmmla|bfdot|[su]mlal2?|mla)\tv")
STACK = re.compile(r"\t(ldr|str|ldp|stp|ldur|stur)\t.*\[sp")


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


def fixed(flags):
    """Flags with every dim of one size: the one that --size says."""
    sizes = dict(flags[i + 1].split("=") for i, flag in enumerate(flags) if flag == "--size")
    dims = [flags[i + 1].split("=") for i, flag in enumerate(flags) if flag == "--dim"]
    return [part for name, size in dims for part in ("--dim", f"{name}={sizes.get(name, size)}")]


class Counter:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.plugin = os.path.join(work, "blocks.so")
        run("cc", "-O2", "-shared", "-fPIC", os.path.join(SOURCES, "blocks_plugin.c"), "-o", self.plugin)
        packed = run("npm", "pack", "--silent", RIVAL, cwd=work, text=True).split()[-1]
        members = [name for name in run("tar", "tzf", packed, cwd=work, text=True).splitlines() if name.endswith(LIBRARY)]
        run("tar", "xzf", packed, *members, cwd=work)
        self.rival = os.path.join(work, members[0])
        self.caller = os.path.join(work, "call_onnxruntime")
        run("aarch64-linux-gnu-g++", "-O2", os.path.join(SOURCES, "call_onnxruntime.cpp"), self.rival, "-o", self.caller)

    def blocks(self, cpu, *command):
        """[(runs, words)] of the second call."""
        out = os.path.join(self.work, "blocks.txt")
        plugin = f"file={self.plugin},out={out},begin={MARKS[0]},end={MARKS[1]}"
        with open(os.path.join(self.work, "output"), "wb") as output:
            subprocess.run(["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-cpu", cpu, "-E", f"LD_LIBRARY_PATH={os.path.dirname(self.rival)}",
                            "-plugin", plugin, *command], check=True, stdout=output)  # fmt: skip
        with open(out, encoding="ascii") as file:
            return [(int(fields[1]), fields[2:]) for fields in map(str.split, file)]

    def inputs(self, report):
        """Of each input its file and how call_onnxruntime is told of it."""
        random, files = np.random.default_rng(0), []
        for number, tensor in enumerate(report["inputs"]):
            kind, dims = re.fullmatch(r"(\w+)\[(.*)\]", tensor["type"]).groups()
            type_number = onnx.TensorProto.DataType.Value(kind.upper())
            shape = [int(dim) for dim in dims.split(",") if dim.strip()]
            values = random.standard_normal(shape) if kind.startswith("float") else np.ones(shape)
            path = os.path.join(self.work, f"input{number}")
            values.astype(onnx.helper.tensor_dtype_to_np_dtype(type_number)).tofile(path)
            files.append((path, f"{type_number}:{','.join(map(str, shape))}:{path}"))
        return files

    def count(self, path, flags, target, cpu):
        made = os.path.join(self.work, "m")
        run(self.options.sinter, path, "--target", target, "--prefix", "m", "-o", made, *fixed(flags), *self.options.flags)
        with open(os.path.join(made, "m_report.json"), encoding="utf-8") as file:
            report = json.load(file)
        with open(os.path.join(made, "m.flags"), encoding="utf-8") as file:
            built_with = file.read().split()
        program = os.path.join(self.work, "call_library")
        run("aarch64-linux-gnu-g++", "-O2", *built_with, f"-I{made}", os.path.join(SOURCES, "call_library.cpp"), os.path.join(made, "m.cpp"), "-o", program)
        inputs = self.inputs(report)
        ours = self.blocks(cpu, program, *(file for file, _ in inputs))
        return report["macs"], ours, self.blocks(cpu, self.caller, path, *(told for _, told in inputs))


def instructions(blocks):
    return sum(runs * len(words) for runs, words in blocks)


def hot(blocks, work):
    """The share of vectors' multiply-adds and of accesses to the stack in hot code."""
    blocks, left, code = sorted(blocks, key=lambda block: -block[0] * len(block[1])), instructions(blocks) / 2, []
    for runs, words in blocks:
        if left <= 0:
            break
        left -= runs * len(words)
        code.append((runs, words))
    path = os.path.join(work, "code")
    with open(path, "wb") as file:
        file.write(b"".join(int(word, 16).to_bytes(4, "little") for _, words in code for word in words))
    lines = [line for line in run("aarch64-linux-gnu-objdump", "-D", "-b", "binary", "-m", "aarch64", path, text=True).splitlines() if re.match(r" *[0-9a-f]+:\t", line)]
    runs = [count for count, words in code for _ in words]
    share = lambda pattern: sum(count for count, line in zip(runs, lines, strict=True) if pattern.search(line)) / sum(runs)
    return share(MULTIPLY_ADDS), share(STACK)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--exports", default=os.path.join(ROOT, "build/test/end_to_end/exports"))
    parser.add_argument("--models", default=os.environ.get("SINTER_MODELS", os.path.join(ROOT, "../shared/models")))
    parser.add_argument("--nets", nargs="+")
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:at])
    options.flags = arguments[at + 1 :]
    page = [f"| net | M MACs | M instructions | {RIVAL.replace('-node@', ' ')} | ratio | hot code: multiply-adds | stack |", "|---" * 7 + "|"]
    print("\n".join(page), flush=True)
    with tempfile.TemporaryDirectory() as work:
        nets, counter = Nets(load("test/tools/benchmark_groups.toml")["net"], options, work), Counter(options, work)
        for (target, cpu), names in NETS.items():
            ratios = []
            for name in names:
                if options.nets and name not in options.nets or (found := nets.prepared(name)) is None:
                    continue
                macs, ours, theirs = counter.count(*found, target, cpu)
                multiply_adds, stack = hot(ours, work)
                ratios.append(instructions(ours) / instructions(theirs))
                page.append(f"| {name} | {macs / 1e6:.3g} | {instructions(ours) / 1e6:.3g} | {instructions(theirs) / 1e6:.3g} | {ratios[-1]:.2f} | {multiply_adds:.0%} | {stack:.1%} |")
                print(page[-1], flush=True)
            if ratios:
                page.append(f"| geometric mean; worst, {target} | | | | **{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}**; {max(ratios):.2f} | | |")
                print(page[-1], flush=True)
    if not options.nets and not options.flags:
        write_table(BEGIN, END, page)


main()
