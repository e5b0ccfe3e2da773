#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does only the room of kernels know kernels by name? Elsewhere a name may be given (packing does), never compared with."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / "compiler/kernels"
NAMES = "|".join(sorted(file.stem for file in KERNELS.glob("*/*.cpp")))
COMPARED = re.compile(rf'(getName\(\)|kernel\w*)\s*[=!]=\s*"({NAMES})"|"({NAMES})"\s*[=!]=|(Case|is_contained)\([^)]*"({NAMES})"')


def main():
    problems = [f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
                for folder in ("compiler", "codegen") for file in sorted((ROOT / folder).rglob("*"))
                if file.suffix in (".h", ".cpp", ".def") and KERNELS not in file.parents
                for number, line in enumerate(file.read_text().splitlines(), 1) if COMPARED.search(line)]  # fmt: skip
    if not NAMES:
        problems.append("no kernels found")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
