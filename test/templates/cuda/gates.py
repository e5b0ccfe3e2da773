#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every kernel of kernels.cu for each generation of GPU, which needs none, and holds what comes out to limits: nothing in local memory
(no spills, no stack), no warning; and where nvdisasm is found, how many instructions of the matrix unit a main loop has, and how many others for each.
With --table: prints what there is."""
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import nvrtc

FOLDER = pathlib.Path(__file__).resolve().parent
SMS = (75, 80, 87, 90)
# Of the main loop on sm_80 to sm_90: instructions of the matrix unit, and the most of all for each.
LOOPS = {
    "gemm_small": (8, 8.5),
    "gemm_flat": (16, 6.0),
    "gemm_square": (32, 4.2),
    "gemm_tall": (32, 3.5),
    "gemm_large": (32, 3.0),
    "gemm_peak": (64, 2.7),
    "gemm_bf16": (32, 4.2),
    "gemm_s8": (32, 4.2),
    "gemm_f32": (24, 7.5),
    "gemm_split": (32, 4.2),
    "conv_3x3": (32, 6.0),
    "conv_bytes": (32, 7.5),
}


def resources(log):
    """Per kernel: registers, bytes of stack, of spills."""
    found = {}
    for name, text in re.findall(r"Compiling entry function '(\w+)'(.*?)(?=Compiling entry function|\Z)", log, re.DOTALL):
        stack = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", text)
        found[name] = (int(re.search(r"Used (\d+) registers", text)[1]), int(stack[1]), int(stack[2]) + int(stack[3]))
    return found


def loops(cubin, tool):
    """Per kernel: the innermost loop that uses the matrix unit, as (its instructions of the unit, all of its instructions)."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        text = subprocess.run([tool, "-c", file.name], capture_output=True, text=True, check=True).stdout
    found = {}
    for name, body in re.findall(r"\.section\s+\.text\.(\w+)(.*?)(?=\.section\s|\Z)", text, re.DOTALL):
        labels, operations = {}, []
        for line in body.splitlines():
            if label := re.match(r"(\.L_x_\d+):", line):
                labels[label[1]] = len(operations)
            elif operation := re.search(r"/\*[0-9a-f]+\*/\s+(?:@!?\S+\s+)?([A-Z]\w*)", line):
                operations.append(operation[1])
                target = re.search(r"BRA.*(\.L_x_\d+)", line)
                if target and target[1] in labels:
                    counts = collections.Counter(operations[labels[target[1]]:])
                    units = counts["HMMA"] + counts["IMMA"]
                    if units and name not in found:
                        found[name] = (units, sum(counts.values()))
    return found


def disassembler():
    places = [pathlib.Path(folder) / "nvidia" for folder in sys.path]
    return next((str(tool) for place in places for tool in place.glob("*/bin/nvdisasm")), None) or shutil.which("nvdisasm")


def check(sm, found, inner, problems):
    for name, (_, stack, spills) in found.items():
        if stack or spills:
            problems.append(f"sm_{sm} {name}: {stack} bytes of stack, {spills} of spills")
    for name, (units, per_unit) in LOOPS.items() if sm >= 80 and inner else ():
        has, of = inner.get(name, (0, 0))
        if has != units or of > per_unit * units:
            problems.append(f"sm_{sm} {name}: {has} instructions of the matrix unit in a loop of {of}, expected {units} in at most {per_unit * units:.0f}")


def main():
    libraries = nvrtc.libraries()
    if not libraries:
        print("skipped: no NVRTC; scripts/setup installs it")
        sys.exit(77)
    version, library = libraries[0] # the oldest: one cubin for all drivers since
    source, tool, problems = (FOLDER / "kernels.cu").read_text(), disassembler(), []
    entries = len(re.findall(r"^(?:KERNEL|GEMM)\(\w", source, re.MULTILINE))
    for sm in SMS:
        cubin, log = nvrtc.compile_cubin(library, source, sm, [f"-I{FOLDER.parents[2]}"])
        found = resources(log)
        inner = loops(cubin, tool) if tool else {}
        check(sm, found, inner, problems)
        problems += [f"sm_{sm}: {line}" for line in log.splitlines() if "warning" in line]
        if sm >= 80 and len(found) != entries:
            problems.append(f"sm_{sm}: {len(found)} kernels of {entries}")
        if "--table" in sys.argv:
            for name, (registers, _, _) in sorted(found.items()):
                units, of = inner.get(name, (0, 0))
                print(f"sm_{sm} {name}: {registers} registers" + (f", {of / units:.1f} instructions for each of {units}" if units else ""))
    print(f"NVRTC {version[0]}.{version[1]}, {'with' if tool else 'without'} nvdisasm: {len(problems)} problems")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
