#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generated.py --sinter PROGRAM --cxx CLANG --work FOLDER [--calls N] [--fuzz SECONDS] [NET...]: compiles the nets of nets/ (ONNX's text form; the
first line has Sinter's flags), builds each with generated_fuzzer.cpp under AddressSanitizer and UndefinedBehaviorSanitizer, and calls it with hostile
sizes and values: N calls, the same each time, or with libFuzzer for so long."""
import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
parser = argparse.ArgumentParser()
for name in ("sinter", "cxx", "work"):
    parser.add_argument("--" + name, required=True)
parser.add_argument("--calls", type=int, default=1000)
parser.add_argument("--first", type=int, default=0)
parser.add_argument("--fuzz", type=int, default=0)
parser.add_argument("nets", nargs="*")
given = parser.parse_args()


def run(*command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if result.returncode != 0:
        print(f"{' '.join(command)}\nended with status {result.returncode}\n{result.stdout[-6000:]}")
    return result


def check(net):
    """Whether all calls of a net end as they should."""
    text = os.path.join(HERE, "nets", net + ".txt")
    folder = os.path.abspath(os.path.join(given.work, net))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(text, encoding="utf-8") as file:
        flags = file.readline().removeprefix("# flags:").split()
    model = os.path.join(folder, "model.onnx")
    sanitizers = "-fsanitize=address,undefined" + (",fuzzer" if given.fuzz else "")
    build = [given.cxx, "-std=c++17", "-O1" if given.fuzz else "-O0", "-g1", sanitizers, "-fno-sanitize-recover=all", "-DSINTER_PREFIX=model"]
    build += ["-DSINTER_LIBFUZZER"] if given.fuzz else []
    build += [f"-I{ROOT}/compiler/driver/runner", f"-I{ROOT}/targets/boards", f"-iquote{ROOT}/runtime-lite", f"-I{folder}"]
    program = os.path.join(folder, "program")
    steps = [
        [sys.executable, os.path.join(ROOT, "test/tools/to_onnx.py"), text, model],
        [os.path.abspath(given.sinter), model, "--prefix", "model", "-o", folder + "/", *flags],
        [*build, f"@{folder}/model.flags", os.path.join(HERE, "generated_fuzzer.cpp"), os.path.join(folder, "model.cpp"), "-o", program],
    ]
    if any(run(*step, cwd=folder).returncode != 0 for step in steps):
        return False
    if given.fuzz:
        corpus = os.path.join(folder, "corpus")
        os.makedirs(corpus)
        command = [program, f"-max_total_time={given.fuzz}", "-timeout=20", "-max_len=1024", "-print_final_stats=1", corpus]
    else:
        command = [program, str(given.calls), str(given.first)]
    result = run(*command, cwd=folder)
    print(net, *[line for line in result.stdout.splitlines() if "number_of_executed" in line or line.endswith(" calls")])
    return result.returncode == 0


nets = given.nets or sorted(name.removesuffix(".txt") for name in os.listdir(os.path.join(HERE, "nets")))
results = [check(net) for net in nets]
sys.exit(0 if all(results) else 1)
