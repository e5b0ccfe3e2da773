#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""device_compilers.py --sinter PROGRAM [NAME...]: device sources of the project's own nets are taken, without a warning, by the compilers that users may
have besides NVRTC: nvcc makes a cubin, for one generation of GPUs or the other in turns, clang checks the source without a toolkit. Exits 77 (skipped) where neither is."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

import onnx

import model_source

HERE = pathlib.Path(__file__).resolve().parent
SMS = (80, 90)
# Between them: floats, halves, bytes, open sizes; products, convolutions, fused blocks, attention, norms, loop nests; Loop, Scan, If; what one block selects; updates.
NETS = ("own-mobile", "own-fire-half", "own-residual-int8", "own-segments", "own-encoder", "own-decoder", "own-denoiser", "own-detector", "loop-grows",
        "scan-sums", "if-sizes", "non-zero", "updates")


def nvcc():
    """The one of the Python packages, which has a known version; else any that is there."""
    packages = [pathlib.Path(folder) / "nvidia" for folder in sys.path]
    found = [str(program) for place in packages for program in place.glob("*/bin/nvcc")]
    toolkits = [str(program) for program in pathlib.Path("/usr/local").glob("cuda*/bin/nvcc")]
    return next(iter(found), None) or shutil.which("nvcc") or next(iter(toolkits), None)


def commands(sm, source):
    if program := nvcc():
        # IEEE arithmetic is what the source asks for in its first lines.
        yield "nvcc", [program, "-std=c++17", "-fmad=false", "-cubin", f"-arch=sm_{sm}", "-o", f"{source}.cubin", source]
    if program := shutil.which("clang++-19") or shutil.which("clang++"):
        flags = ["-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch=sm_{sm}", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version"]
        yield "clang", [program, *flags, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", source]


def problems_of(name, spec, sm, sinter):
    with tempfile.TemporaryDirectory() as folder:
        model, _ = model_source.load(spec, model_source.MODELS)
        onnx.save(model, f"{folder}/net.onnx")
        made = subprocess.run([sinter, f"{folder}/net.onnx", "--target", f"cuda-sm_{sm}", "-o", f"{folder}/net/", "--quiet", *spec.get("flags", [])],
                              capture_output=True, text=True, check=False, env={**os.environ, "SINTER_NVRTC": "/nonexistent"})
        if made.returncode:
            yield f"{name}: {made.stderr[-400:]}"
            return
        for compiler, command in commands(sm, f"{folder}/net/net.cu"):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
            if done.returncode or said.strip():
                yield f"{name}, {compiler}, sm_{sm}: {said[:2000]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinter", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if not any(commands(0, "")):
        print("skipped: neither nvcc nor clang; scripts/setup test installs both")
        sys.exit(77)
    known = {}
    for file in ("models.toml", "quantized.toml"):
        known = {**tomllib.loads((HERE / file).read_text()), **known}
    problems = []
    for turn, name in enumerate(options.names or NETS):
        found = list(problems_of(name, known[name], SMS[turn % len(SMS)], options.sinter))
        print(f"{name}: {len(found)} problems", flush=True)
        problems += found
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
