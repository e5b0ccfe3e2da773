#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every kernel of kernels.cu for each generation of GPU, which needs none, and holds what comes out to limits: nothing in local memory
(no spills, no stack), no warning, loads and stores of 16 bytes where a template promises them, size of code; and of main loops, how many
instructions of the matrix unit there are, and how many others for each. The last three need nvdisasm. With --table: prints what there is.
Limits are those of NVRTC 11.8, the oldest that knows these GPUs, whose cubins users get: scripts/setup test installs it; exits 77 (skipped) without."""
import pathlib
import re
import sys

import nvrtc
import sass

FOLDER = pathlib.Path(__file__).resolve().parent
SMS = (75, 80, 87, 90)
# Of the main loop on sm_80 to sm_90: instructions of the matrix unit, and the most of all for each. Five are wanted; above stand warps of few sums
# (small, flat), a convolution's windows, a few sums of floats, whose operands are split in two, and the softmax between two products.
LOOPS = {
    "gemm_small": (8, 8.5),
    "gemm_early": (8, 8.5),
    "gemm_flat": (16, 6.0),
    "gemm_square": (32, 4.2),
    "gemm_tall": (32, 3.5),
    "gemm_large": (32, 3.0),
    "gemm_peak": (64, 2.7),
    "gemm_bf16": (32, 4.2),
    "gemm_s8": (32, 4.2),
    "gemm_f32": (96, 3.9),
    "gemm_f32_fast": (32, 4.2),
    "gemm_f32_split": (24, 7.2),
    "conv_f32": (96, 4.0),
    "gemm_split": (32, 4.2),
    "conv_3x3": (32, 6.0),
    "attention_f32": (192, 6.6),
    "attention_f32_wide": (192, 6.6),
    "conv_bytes": (32, 8),
}
# Loads, with those of copies to shared memory, and stores of 16 bytes, at least.
WIDE = {
    "gemm_small": (12, 0),
    "gemm_early": (12, 0),
    "gemm_flat": (18, 0),
    "gemm_square": (24, 0),
    "gemm_tall": (18, 0),
    "gemm_large": (12, 0),
    "gemm_peak": (24, 0),
    "gemm_bf16": (24, 0),
    "gemm_f32": (24, 0),
    "gemm_f32_fast": (24, 0),
    "gemm_f32_split": (12, 0),
    "conv_f32": (12, 0),
    "gemm_s8": (24, 0),
    "gemm_split": (24, 0),
    "conv_3x3": (24, 0),
    "conv_bytes": (24, 0),
    "attention_rows": (12, 0),
    "attention_keys": (17, 0),
    "attention_wide": (24, 0),
    "attention_widest": (24, 0),
    "attention_f32": (26, 0),
    "attention_f32_keys": (20, 0),
    "attention_f32_wide": (26, 0),
    "row_products": (10, 0),
    "map_halves": (2, 1),
    "softmax_warp": (1, 1),
    "softmax_block": (2, 2),
    "layer_norm": (3, 3),
    "depthwise": (27, 3),
    "depthwise_wide": (45, 1),
    "depthwise_bytes": (0, 8),
    "residual_f32": (5, 0),
    "residual_f16": (5, 0),
}
# The templates are compiled as they lie in their folders, with includes that device sources of models have none of; builtins.h has what they want.
C_HEADERS = ("stddef.h", "stdint.h", "string.h")
# Fused multiply-adds, at least: of functions of numbers each has to be one instruction.
FUSED = {"gelu": 14}
CODE = 30 << 10  # bytes of a kernel, at most
# Of kernels that hold much in registers, where each of them has its own load and store: 24 elements of four rows, where seven instructions an element,
# twice in parts for rows without alignment, leave it at this; floats' attention, of three products each, with a row's arithmetic without the unit.
LARGE = {"attention_f32": 44 << 10, "attention_f32_keys": 42 << 10, "attention_f32_wide": 46 << 10, "tile_norm_gemm": 34 << 10}


def resources(log):
    """Per kernel: registers, bytes of stack, of spills."""
    found = {}
    for name, text in re.findall(r"Compiling entry function '(\w+)'(.*?)(?=Compiling entry function|\Z)", log, re.DOTALL):
        stack = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", text)
        found[name] = (int(re.search(r"Used (\d+) registers", text)[1]), int(stack[1]), int(stack[2]) + int(stack[3]))
    return found


def check(sm, found, code, problems):
    for name, (_, stack, spills) in found.items():
        if stack or spills:
            problems.append(f"sm_{sm} {name}: {stack} bytes of stack, {spills} of spills")
    for name, kernel in code.items():
        if kernel.local():
            problems.append(f"sm_{sm} {name}: {kernel.local()} accesses of local memory")
        if kernel.code_bytes > LARGE.get(name, CODE):
            problems.append(f"sm_{sm} {name}: {kernel.code_bytes} bytes of code")
        loads, stores = WIDE.get(name, (0, 0))
        if kernel.wide_loads() < loads or kernel.wide_stores() < stores:
            problems.append(f"sm_{sm} {name}: {kernel.wide_loads()} loads and {kernel.wide_stores()} stores of 16 bytes, expected {loads} and {stores}")
        if kernel.count("FFMA") < FUSED.get(name, 0):
            problems.append(f"sm_{sm} {name}: {kernel.count('FFMA')} fused multiply-adds, expected {FUSED[name]}")
        units, per_unit = LOOPS.get(name, (0, 0))
        has, of = kernel.loop
        if units and sm >= 80 and (has != units or of > per_unit * units):
            problems.append(f"sm_{sm} {name}: {has} instructions of the matrix unit in a loop of {of}, expected {units} in at most {per_unit * units:.0f}")


def main():
    library = dict(nvrtc.libraries()).get(nvrtc.OLDEST)
    if not library:
        print("skipped: no NVRTC 11.8; scripts/setup test installs it")
        sys.exit(77)
    source, tool, problems = (FOLDER / "kernels.cu").read_text(), sass.disassembler(), []
    entries = len(re.findall(r"^(?:KERNEL|GEMM|ATTENTION)\(\w", source, re.MULTILINE))
    for sm in SMS:
        cubin, log = nvrtc.compile_cubin(library, source, sm, [f"-I{FOLDER.parents[2]}"], C_HEADERS)
        found = resources(log)
        code = sass.kernels(cubin, tool) if tool else {}
        check(sm, found, code, problems)
        problems += [f"sm_{sm}: {line}" for line in log.splitlines() if "warning" in line]
        if sm >= 80 and (len(found) != entries or (tool and not {*LOOPS, *WIDE} <= {*code})):
            problems.append(f"sm_{sm}: {len(found)} kernels of {entries}, code of {len(code)}")
        if "--table" in sys.argv:
            for name, (registers, _, _) in sorted(found.items()):
                kernel = code.get(name, sass.Kernel([]))
                units, of = kernel.loop
                wide = f", {kernel.code_bytes} bytes of code, {kernel.wide_loads()} loads and {kernel.wide_stores()} stores of 16 bytes" if tool else ""
                print(f"sm_{sm} {name}: {registers} registers{wide}" + (f", {of / units:.1f} instructions for each of {units}" if units else ""))
    print(f"{'with' if tool else 'without'} nvdisasm: {len(problems)} problems")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
