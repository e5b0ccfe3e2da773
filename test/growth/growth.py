# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles each of models.py's dimensions at size n, 2n and 4n and holds user time and memory to linear growth: behind the time of the
# smallest model, 4n takes at most three times what 2n takes (linear: 2, quadratic: 4). Other work on the machine disturbs times, so the best of
# several runs counts.
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

SMALL, TRIES = 250, 6


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


def problem(sinter, folder, name):
    best = {}
    for _ in range(TRIES):
        for size in (1 if name != "fibonacci_chain" else 4, 2 * SMALL, 4 * SMALL):
            seconds, megabytes = cost(sinter, folder, name, max(size, 2))
            best[size] = min(best.get(size, (seconds, megabytes)), (seconds, megabytes))
        (base, _), (half, half_memory), (whole, whole_memory) = (best[size] for size in sorted(best))
        grows = whole - base > 3 * max(half - base, 0.08) or whole_memory > 3 * half_memory
        if not grows:
            return None
    return (f"{name}: size {2 * SMALL} takes {half:.2f} s and {half_memory:.0f} MiB, size {4 * SMALL} {whole:.2f} s and "
            f"{whole_memory:.0f} MiB: more than in proportion")


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
