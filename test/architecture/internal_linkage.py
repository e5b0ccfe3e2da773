#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has every function of the headers that go into generated sources internal linkage, or is always inlined? Any other may become a weak symbol of a library, which
a compiler decides anew for each level of optimization (test/guarantees/objects.py looks at the objects of some models). clang-query finds them, for
a CPU of each kind. Exits 77 (skipped) without clang-query."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# newlib's; without it Cortex-M is not looked at.
HEADERS_OF_ARM = pathlib.Path("/usr/lib/arm-none-eabi/include")
CPUS = {
    "x86-64-v4": ["-march=x86-64-v4"],
    "aarch64": ["--target=aarch64-linux-gnu", "-march=armv8.2-a+dotprod+i8mm"],
    "Cortex-M55": ["--target=arm-none-eabi", "-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard", f"-isystem{HEADERS_OF_ARM}"],
    "Cortex-M0+": ["--target=arm-none-eabi", "-mcpu=cortex-m0plus", "-mthumb", f"-isystem{HEADERS_OF_ARM}"],
}
OUTSIDE = """set output diag
match functionDecl(isDefinition(), hasExternalFormalLinkage(), unless(isImplicit()), unless(isDefaulted()), unless(isTemplateInstantiation()),
unless(cxxDeductionGuideDecl()), unless(hasAncestor(lambdaExpr())), unless(isExpansionInSystemHeader()), unless(hasAttr("attr::AlwaysInline")))
"""


def outside(query, cpu, headers):
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "all.cpp"), pathlib.Path(folder, "outside.txt")
        source.write_text("".join(f'#include "{name}"\n' for name in headers))
        script.write_text(OUTSIDE.replace(",\n", ", "))
        done = subprocess.run([query, str(source), "-f", str(script), "--", "-std=c++17", "-ffreestanding", f"-I{ROOT}", *CPUS[cpu]],
                              capture_output=True, text=True, check=False)  # fmt: skip
    places = re.findall(r'^(\S+?:\d+):\d+: note: "root" binds here', done.stdout, re.MULTILINE)
    if errors := re.findall(r"^\S+: (?:fatal )?error: .*", done.stdout + done.stderr, re.MULTILINE):
        return [f"{cpu}: {error.removeprefix(f'{ROOT}/')}" for error in errors]
    if "match" not in done.stdout:
        return [f"{cpu}: clang-query says: {done.stdout[-300:]}{done.stderr[-300:]}"]
    return [f"{place.removeprefix(f'{ROOT}/')}: a function outside the unnamed namespace that is not always inlined" for place in places]


def main():
    headers = sorted(file.relative_to(ROOT) for file in (ROOT / "templates").glob("*/*.h") if file.parent.name not in ("cuda", "images"))  # images: needs libjpeg of each CPU
    problems = [] if headers else ["no headers found"]
    query = shutil.which("clang-query-19") or shutil.which("clang-query", path="/usr/lib/llvm-19/bin") or shutil.which("clang-query")
    if query:
        problems += sorted({problem for cpu in CPUS if not cpu.startswith("Cortex") or HEADERS_OF_ARM.is_dir() for problem in outside(query, cpu, headers)})
    print("\n".join(problems))
    if not query and not problems:
        print("skipped: no clang-query; scripts/setup test installs it")
        sys.exit(77)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
