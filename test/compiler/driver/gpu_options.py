#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu_options.py SINTER FOLDER MODEL: each option that a verb has (--help lists them), given with a GPU's target, works or is refused with a reason: none
is ignored in silence. An option that stands in no table here is an error: whoever adds one says what it means on a GPU. What works is held to what
it changes: a file, or text in one. MODEL has inputs x[n, 4] and state, outputs y and next, and quantizes y."""
import os
import re
import subprocess
import sys

SINTER, FOLDER, MODEL = sys.argv[1:4]
TARGET = ["--target", "cuda-sm_80", "--nvrtc", FOLDER]
SIZES = ["--dim", "n=1..8"]
REFUSED = None
# Of compile: what is given, and a file with a text in it that is there because of it ("" for any), or that it is refused.
COMPILE = {
    "-o": ([], ("net.cu", "")),
    "-MD": (["-MD"], ("net.cpp.d", "net.onnx")),
    "-MF": (["-MF", f"{FOLDER}/deps"], ("../deps", "net.onnx")),
    "-O": (["-O1"], ("net.cu", "")),  # of libraries and of programs that verbs build
    "--emulated-gpu": "codegen/abi/abi_example.test",
    "--html": (["--html", "-"], ("stdout", '"device":{')),
    "--package": (["--package", "conan"], REFUSED),
    "--package-info": (["--package-info", "version=1.2.0"], REFUSED),  # there is no package
    "--quiet": (["--quiet"], ("net.cu", "")),
    "--json": (["--json"], ("stdout", '"arena_bytes"')),
    "--dim": (["--dim", "n=3"], ("net.h", "NET_INPUT_X_DIM_0 3")),
    "--external-root": (["--external-root", FOLDER], ("net.cu", "")),
    "--expand-limit": (["--expand-limit", "1000"], ("net.cu", "")),
    "--custom-ops": "compiler/custom",
    "--strict": (["--strict"], ("net.cu", "")),
    "--untrusted": (["--untrusted"], ("net.cu", "")),
    "--nchwc-block": (["--nchwc-block", "8"], ("net.cu", "")),  # no map of this model has blocks
    "--target": ([], ("net_report.json", "sm_80")),
    "--prefix": (["--prefix", "other"], ("other.cu", "")),
    "--fast": (["--fast"], ("net.cu", "--fast:")),
    "--index-check": (["--index-check", "clamp"], ("net.cu", "")),
    "--fit": (["--fit", "speed"], REFUSED),
    "--requant": (["--requant", "fixed"], ("net.cu", "")),
    "--subnormals": (["--subnormals", "zero"], REFUSED),
    "--threads": (["--threads", "2"], REFUSED),
    "--cxx": (["--cxx", "c++"], ("net.cu", "")),
    "--library-text": (["--library-text", "header"], REFUSED),
    "--machine": (["--machine", f"{FOLDER}/machine.yaml"], REFUSED),
    "--tuned": (["--tuned", f"{FOLDER}/tuned.json"], REFUSED),
    "--tune": (["--tune", f"{FOLDER}/tuned.json"], REFUSED),
    "--tune-seconds": (["--tune-seconds", "1"], ("net.cu", "")),  # goes with --tune
    "--text-bytes": (["--text-bytes", "64"], ("net.cu", "")),
    "--nvrtc": (["--nvrtc", FOLDER], ("net_report.txt", "NVRTC was not there")),
    "--specialize": (["--dim", "n=1..8", "--specialize", "n=1"], ("net_report.json", "exact_copies")),
    "--bound": (["--bound", "none:0=4"], REFUSED),  # no size of this model depends on data: the frontend looks
    "--arena-limit": (["--arena-limit", "64"], REFUSED),
    "--ram": (["--ram", "a=64,b"], REFUSED),
    "--weights": (["--weights", "section:.mine"], ("net.cpp", ".mine")),
    "--weights-in-ram": (["--weights-in-ram", "all"], REFUSED),
    "--adapter": (["--adapter", f"{FOLDER}/none"], REFUSED),  # adapters are of the model, whatever the target: compiler/adapter
    "--overridable": (["--overridable", "w"], REFUSED),  # nor is w an input
    "--state": (["--state", "next=state"], ("net.h", "updated in place")),
    "--decoder": (["--decoder"], REFUSED),
    "--context": (["--context", "8"], REFUSED),  # goes with --decoder
    "--batch": (["--batch", "2"], REFUSED),
    "--chunk": (["--chunk", "2"], REFUSED),
    "--logit-rows": (["--logit-rows", "2"], REFUSED),
    "--source": (["--source", "2"], REFUSED),
    "--encoder": (["--encoder", MODEL], REFUSED),
    "--cross-attentions": (["--cross-attentions", "all"], REFUSED),
    "--hidden-states": (["--hidden-states"], REFUSED),
    "--cache": (["--cache", "int8"], REFUSED),
    "--io": (["--io", "quantized"], ("net.h", "int8_t *y;")),
    "--example": (["--example"], ("net_example.c", "net_create")),
    "--input": (["--input", "x=u8,scale=1/255"], ("net.h", "uint8_t *x;")),
    "--output": (["--output", "next=argmax"], ("net.h", "int64_t *next; /* int64[], the index of the largest")),
    "--io-in-arena": (["--io-in-arena"], REFUSED),
    "--fold-limit": (["--fold-limit", "1"], ("net.cu", "")),
    "--disable-pass": (["--disable-pass", "fuse-epilogues"], ("net.cu", "")),
    "--dump-after": (["--dump-after", "plan-memory"], ("stderr", "sinter.arena")),
    "--dump-choices": (["--dump-choices"], ("stderr", "row_products")),
    "--time-passes": (["--time-passes"], ("stderr", "plan-memory")),
}
BOARD = (["--board", "mps2-an385"], REFUSED)
RUNNER = (["--runner", "serial:/dev/null"], REFUSED)
# Of verbs that run a program: their own. What works is a test of its own, since it builds an emulated GPU.
INPUTS = {name: "compiler/driver/cuda_run.test" for name in ("--size", "--random", "--random-range")}
OWN = {
    "run": {"-o": "compiler/driver/cuda_run.test", "--board": BOARD, "--runner": RUNNER, "--json": "compiler/driver/cuda_run.test", **INPUTS},
    "verify": {
        "--board": BOARD,
        "--runner": RUNNER,
        "--layers": "compiler/driver/layers.test",
        "--sets": "compiler/driver/layers.test",
        **{name: "compiler/driver/cuda_run.test" for name in ("--expect", "--tolerance", "--scale", "--json")},
        **{name: "compiler/driver/verify_data.test" for name in ("--data", "--labels", "--top", "--against-model")},
        **INPUTS,
    },
    "bisect": {**{name: "compiler/driver/bisect.test" for name in ("-o", "--tolerance", "--data", "--sets", "--expect", "--json")}, **INPUTS},
    # Without a GPU bench says so, whatever is given; it takes neither of these with one.
    "bench": {name: ([], REFUSED) for name in ("--seconds", "--runs", "--cold", "--tune", "--tune-seconds", "--against", "--trace", "--html", "--json", "--board", "--runner", *INPUTS)},
    "analyze": {"--measure": (["--measure", "--fit", "all"], REFUSED), "--json": (["--json"], ("stdout", '"device"')), "--html": (["--html", "-"], ("stdout", '"device":{'))},
}
problems = []


def options_of(verb):
    text = subprocess.run([SINTER, verb, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (-[A-Za-z]\b|-MD|-MF|--[a-z-]+)", text, re.MULTILINE)


def check(verb, option, given, expected):
    out = f"{FOLDER}/{verb}{option}"
    sizes = [] if option in ("--dim", "--specialize") else SIZES
    command = [SINTER, verb, MODEL, *TARGET, *sizes, *(["-o", out + "/"] if verb in ("compile", "run") else []), *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "SINTER_NVRTC": FOLDER})
    if expected is REFUSED:
        if done.returncode not in (1, 2) or "error: " not in done.stderr:
            problems.append(f"{verb} {option}: status {done.returncode}, not refused: {done.stderr}")
        return
    name, text = expected
    has = {"stdout": done.stdout, "stderr": done.stderr}.get(name)
    if has is None and os.path.exists(f"{out}/{name}"):
        with open(f"{out}/{name}", encoding="utf-8") as file:
            has = file.read()
    if done.returncode or has is None or text not in has:
        problems.append(f"{verb} {option}: status {done.returncode}, {name} has no {text!r}: {done.stderr[-500:]}")


def main():
    tests = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    for verb in ("compile", *OWN):
        known = {**COMPILE, **OWN.get(verb, {})} if verb != "compile" else COMPILE
        for option in options_of(verb):
            if option not in known:
                problems.append(f"{verb} {option}: what does it do on a GPU? Nothing is said here")
                continue
            if verb != "compile" and option not in OWN[verb]:
                continue  # the same flag as compile's, by the same code
            if isinstance(known[option], str):
                if not os.path.exists(f"{tests}/{known[option]}"):
                    problems.append(f"{verb} {option}: {known[option]} is not there")
                continue
            check(verb, option, *known[option])
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
