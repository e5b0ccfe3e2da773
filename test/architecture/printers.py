#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has each source of codegen's rooms a test beside it? That of codegen/ROOM/NAME.cpp is test/codegen/ROOM/NAME with any ending."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    sources = sorted((ROOT / "codegen").glob("*/*.cpp"))
    problems = [f"{file.relative_to(ROOT)} has no test beside it" for file in sources
                if not any(test.name.split(".")[0] == file.stem for test in (ROOT / "test" / file.relative_to(ROOT).parent).glob("*"))]  # fmt: skip
    if not sources:
        problems.append("no sources found")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
