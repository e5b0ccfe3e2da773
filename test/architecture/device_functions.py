#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is each function of the headers that a GPU's kernels may use marked for compilers of CUDA (runtime-lite/compiler.h, templates/cuda/device.h)? nvcc refuses a call
of one that is not. clang-query finds them, with constexpr ones, which clang itself would take without a mark. And does templates/cuda/builtins.h
hide each instruction set that these headers ask for? Exits 77 (skipped) without clang-query."""
import re

import clang_query
from clang_query import ROOT

# Rooms of templates that only CPUs use, and headers of the ABI's and of strings, threads and traces.
OF_CPUS = {"blocks", "direct", "dot4", "dual", "im2col", "images", "panels", "terms", "text"}
OF_HOSTS = {"parallel.h", "subnormals.h", "text.h", "tile_permission.h", "trace.h", "types.h"}
UNMARKED = """functionDecl(isDefinition(), unless(isImplicit()), unless(isDefaulted()), unless(isTemplateInstantiation()), unless(cxxDeductionGuideDecl()),
unless(hasAncestor(lambdaExpr())), unless(isExpansionInSystemHeader()), unless(hasAttr("attr::CUDADevice")), unless(hasAttr("attr::CUDAGlobal")))"""
SET_OF_INSTRUCTIONS = re.compile(r"\b__(?:(?:SSE|AVX|FMA|F16C|aarch64)\w*|ARM_NEON|ARM_FP|ARM_FEATURE_FMA)\b")


def device_headers():
    templates = [file for file in (ROOT / "templates").glob("*/*.h") if file.parent.name not in OF_CPUS]
    return sorted(templates) + sorted(file for file in (ROOT / "runtime-lite").glob("*.h") if file.name not in OF_HOSTS)


def unmarked(headers):
    flags = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib", "-Xclang", "-fno-cuda-host-device-constexpr",
             "-Wno-unknown-cuda-version"]  # fmt: skip
    places, problems = clang_query.places(["templates/cuda/builtins.h", *(file.relative_to(ROOT) for file in headers)], ".cu", UNMARKED, flags)
    return [f"{place}: a function without SINTER_HOST_DEVICE or a macro that has it" for place in places
            if not place.split(":")[0].endswith("runtime-lite/types.h")] + problems  # fmt: skip


def main():
    headers = device_headers()
    hidden = set(re.findall(r"#undef (\w+)", (ROOT / "templates/cuda/builtins.h").read_text()))
    asked = {name: file for file in headers for name in SET_OF_INSTRUCTIONS.findall("".join(re.findall(r"^ *#.*", file.read_text(), re.MULTILINE)))}
    problems = [f"{file.relative_to(ROOT)} asks for {name}, which templates/cuda/builtins.h does not hide" for name, file in sorted(asked.items()) if name not in hidden]
    if not headers or not hidden:
        problems.append("no headers found")
    if clang_query.PROGRAM:
        problems += unmarked(headers)
    clang_query.finish(problems)


if __name__ == "__main__":
    main()
