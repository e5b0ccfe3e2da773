#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do files that comments and docs name exist? A name may leave out the folders in front of it; NAME.h stands for any,
and <name.h> for one that is not of the project."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = re.compile(r"(?<![\w./<>*{}$%+-])((?:[\w-]+/)*[\w-]+\.(?:test\.cpp|bench\.cpp|h|cpp|def|td|md))(?![\w/*])")
PREFIX = "kws"  # the model's in docs, whose generated files are none of the project
COMMENT = {**dict.fromkeys((".h", ".cpp", ".def", ".td"), r"//.*"), **dict.fromkeys((".py", ".cmake", ".txt", ".sh", ".test", ".yaml"), r"#(?!include).*"), ".mlir": r"//.*", ".md": r".*"}


def files():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in listed if (ROOT / name).is_file()]


def is_example(word):
    stem = word.split(".")[0]
    return stem.isupper() or stem == PREFIX or stem == PREFIX + "_session"


def main():
    known = files()
    ends = {"/".join(name.split("/")[i:]) for name in known for i in range(name.count("/") + 1)}
    problems = []
    for name in known:
        comment = COMMENT.get(pathlib.Path(name).suffix)
        if not comment:
            continue
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            for text in re.findall(comment, line):
                problems += [f"{name}:{number}: there is no {word}" for word in NAME.findall(text) if word not in ends and not is_example(word)]
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
