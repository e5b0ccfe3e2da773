#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is each function of the headers that a GPU's kernels may use marked for compilers of CUDA (runtime-lite/compiler.h, templates/cuda/device.h)? nvcc refuses a call
of one that is not. clang-query finds them, with constexpr ones, which clang itself would take without a mark. And does templates/cuda/builtins.h
hide each instruction set that these headers ask for? Exits 77 (skipped) without clang-query."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Rooms of templates that only CPUs use, and headers of the ABI's and of strings, threads and traces.
OF_CPUS = {"blocks", "direct", "dot4", "dual", "im2col", "images", "panels", "text"}
OF_HOSTS = {"parallel.h", "subnormals.h", "text.h", "trace.h", "types.h"}
UNMARKED = """set output diag
match functionDecl(isDefinition(), unless(isImplicit()), unless(isDefaulted()), unless(isTemplateInstantiation()), unless(cxxDeductionGuideDecl()),
unless(hasAncestor(lambdaExpr())), unless(isExpansionInSystemHeader()), unless(hasAttr("attr::CUDADevice")), unless(hasAttr("attr::CUDAGlobal")))
"""
SET_OF_INSTRUCTIONS = re.compile(r"\b__(?:(?:SSE|AVX|FMA|F16C|aarch64)\w*|ARM_NEON|ARM_FP|ARM_FEATURE_FMA)\b")


def device_headers():
    templates = [file for file in (ROOT / "templates").glob("*/*.h") if file.parent.name not in OF_CPUS]
    return sorted(templates) + sorted(file for file in (ROOT / "runtime-lite").glob("*.h") if file.name not in OF_HOSTS)


def unmarked(query, headers):
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "all.cu"), pathlib.Path(folder, "unmarked.txt")
        names = ["templates/cuda/builtins.h", *(file.relative_to(ROOT) for file in headers)]
        source.write_text("".join(f'#include "{name}"\n' for name in names))
        script.write_text(UNMARKED.replace(",\n", ", "))
        flags = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib", "-Xclang", "-fno-cuda-host-device-constexpr"]
        done = subprocess.run([query, str(source), "-f", str(script), "--", *flags, "-std=c++17", f"-I{ROOT}", "-Wno-unknown-cuda-version"],
                              capture_output=True, text=True, check=False)
    places = set(re.findall(r'^(\S+?:\d+):\d+: note: "root" binds here', done.stdout, re.MULTILINE))
    problems = [f"{place.removeprefix(f'{ROOT}/')}: a function without SINTER_HOST_DEVICE or a macro that has it" for place in sorted(places)
                if not place.split(":")[0].endswith("runtime-lite/types.h")]  # fmt: skip
    if errors := re.findall(r"^\S+: error: .*", done.stdout + done.stderr, re.MULTILINE):
        problems += [error.removeprefix(f"{ROOT}/") for error in errors]
    elif "match" not in done.stdout:
        problems.append(f"clang-query says: {done.stdout[-300:]}{done.stderr[-300:]}")
    return problems


def main():
    headers = device_headers()
    hidden = set(re.findall(r"#undef (\w+)", (ROOT / "templates/cuda/builtins.h").read_text()))
    asked = {name: file for file in headers for name in SET_OF_INSTRUCTIONS.findall("".join(re.findall(r"^ *#.*", file.read_text(), re.MULTILINE)))}
    problems = [f"{file.relative_to(ROOT)} asks for {name}, which templates/cuda/builtins.h does not hide" for name, file in sorted(asked.items()) if name not in hidden]
    if not headers or not hidden:
        problems.append("no headers found")
    query = shutil.which("clang-query-19") or shutil.which("clang-query", path="/usr/lib/llvm-19/bin") or shutil.which("clang-query")
    if query:
        problems += unmarked(query, headers)
    print("\n".join(problems))
    if not query and not problems:
        print("skipped: no clang-query; scripts/setup test installs it")
        sys.exit(77)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
