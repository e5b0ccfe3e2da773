#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has every function of the headers that go into generated sources internal linkage, or is always inlined? Any other may become a weak symbol of a library, which
a compiler decides anew for each level of optimization (test/guarantees/objects.py looks at the objects of some models). clang-query finds them, for
a CPU of each kind. Exits 77 (skipped) without clang-query."""
import pathlib

import clang_query
from clang_query import ROOT

# newlib's; without it Cortex-M is not looked at.
HEADERS_OF_ARM = pathlib.Path("/usr/lib/arm-none-eabi/include")
CPUS = {
    "x86-64-v4": ["-march=x86-64-v4", "-mamx-tile", "-mamx-int8"],
    "aarch64": ["--target=aarch64-linux-gnu", "-march=armv8.2-a+dotprod+i8mm"],
    "Cortex-M55": ["--target=arm-none-eabi", "-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard", f"-isystem{HEADERS_OF_ARM}"],
    "Cortex-M0+": ["--target=arm-none-eabi", "-mcpu=cortex-m0plus", "-mthumb", f"-isystem{HEADERS_OF_ARM}"],
}
OUTSIDE = """functionDecl(isDefinition(), hasExternalFormalLinkage(), unless(isImplicit()), unless(isDefaulted()), unless(isTemplateInstantiation()),
unless(cxxDeductionGuideDecl()), unless(hasAncestor(lambdaExpr())), unless(isExpansionInSystemHeader()), unless(hasAttr("attr::AlwaysInline")))"""


def outside(cpu, headers):
    places, problems = clang_query.places(headers, ".cpp", OUTSIDE, ["-ffreestanding", *CPUS[cpu]])
    return [f"{place}: a function outside the unnamed namespace that is not always inlined" for place in places] + [f"{cpu}: {problem}" for problem in problems]


def main():
    headers = sorted(file.relative_to(ROOT) for file in (ROOT / "templates").glob("*/*.h") if file.parent.name not in ("cuda", "images"))  # images: needs libjpeg of each CPU
    problems = [] if headers else ["no headers found"]
    if clang_query.PROGRAM:
        looked_at = [cpu for cpu in CPUS if not cpu.startswith("Cortex") or HEADERS_OF_ARM.is_dir()]
        problems += sorted({problem for cpu in looked_at for problem in outside(cpu, headers)})
    clang_query.finish(problems)


if __name__ == "__main__":
    main()
