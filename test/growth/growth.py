# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles each of models.py's dimensions at sizes n and 2n and holds user time and memory to linear growth: behind the time of the smallest
# model, 2n takes at most three times what n takes (linear: 2, quadratic: 4). Other work on the machine disturbs times, and short ones most: the
# best of several runs counts, and what seems to grow out of proportion has to do so at larger n too, where a quadratic part would only show more.
import argparse
import functools
import os
import pathlib
import subprocess
import sys
import tempfile

import lists
import models
import subgraphs

SMALLEST, SIZES, TRIES = 4, (500, 1000, 2000), 4


@functools.cache
def model_of(name, size):
    return models.DIMENSIONS[name](size)


def cost(sinter, folder, name, size):
    """Seconds and MiB of one compile."""
    model = folder / f"{name}_{size}.onnx"
    made = model_of(name, size)
    if not model.exists():
        model.write_bytes(made.SerializeToString())
    symbols = dict.fromkeys(dim.dim_param for info in made.graph.input for dim in info.type.tensor_type.shape.dim if dim.dim_param)
    flags = [f"--dim={symbol}=1..16" for symbol in symbols]
    with open(folder / "log", "w") as log:
        process = subprocess.Popen([sinter, model, "-o", folder / "out", "--target", "x86-64-v3", *flags], stdout=log, stderr=log)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f"{name}: size {size} does not compile: {(folder / 'log').read_text()[-500:]}")
    return usage.ru_utime, usage.ru_maxrss / 1024


def problem_at(sinter, folder, name, size):
    """What grows out of proportion between size and twice of it, or None."""
    best = {}
    for _ in range(TRIES):
        for each in (SMALLEST, size, 2 * size):
            found = cost(sinter, folder, name, each)
            best[each] = min(best.get(each, found), found)
        (base, _), (half, half_memory), (whole, whole_memory) = (best[each] for each in sorted(best))
        if whole - base <= 3 * max(half - base, 0.08) and whole_memory <= 3 * half_memory:
            return None
    return (f"{name}: size {size} takes {half:.2f} s and {half_memory:.0f} MiB, size {2 * size} {whole:.2f} s and "
            f"{whole_memory:.0f} MiB: more than in proportion")


def problem(sinter, folder, name):
    found = None
    for size in SIZES:
        found = problem_at(sinter, folder, name, size)
        if not found:
            return None
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("names", nargs="*", default=list(models.DIMENSIONS))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        problems = [found for name in arguments.names if (found := problem(arguments.sinter, pathlib.Path(folder), name))]
    print("\n".join(problems) or f"{len(arguments.names)} dimensions grow in proportion")
    sys.exit(bool(problems))


main()
