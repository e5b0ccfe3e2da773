#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is C++ that the docs quote (```cpp) what the sources say? Each block stands in one file, line by line; `...` leaves out the rest of a line, and a line
with nothing else any number of them."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = [file for folder in ("compiler", "codegen", "templates", "runtime-lite", "test/examples") for file in sorted((ROOT / folder).rglob("*")) if file.suffix in (".h", ".cpp", ".def")]


def pattern(block):
    lines = []
    for line in filter(None, (line.strip() for line in block.splitlines())):
        if line == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            start, cut, _ = line.partition("...")
            lines.append(r"\s*" + r"\s+".join(re.escape(word) for word in start.split()) + (r".*\n(?:.*\n)*?" if cut else r"\s*\n\s*"))
    return re.compile("".join(lines))


def main():
    texts = [file.read_text() for file in SOURCES]
    problems = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for block in re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
            wanted = pattern(block)
            if not any(wanted.search(text) for text in texts):
                problems.append(f"{page.relative_to(ROOT)} quotes what no source says:\n{block}")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
