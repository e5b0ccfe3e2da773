#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the checkers of compiler/memory share code with what decides? All that a checker includes, and what its parts include in their turn, against all that
plan-memory does. Both may know how a plan is written down, and what kernels promise; that is outside of the room or named here."""
import pathlib
import re
import sys

ROOM = pathlib.Path(__file__).resolve().parents[2] / "compiler/memory"
BOTH = {"arenas", "passes"}  # the plan as attributes; declarations of passes
CHECKERS = ("check", "check_values", "check_strides")


def parts(name):
    """The room's files that the source `name` is made of, by their names without ending."""
    found, todo = set(), [name]
    while todo:
        name = todo.pop()
        if name in found or name in BOTH:
            continue
        found.add(name)
        for file in (ROOM / f"{name}.h", ROOM / f"{name}.cpp"):
            if file.exists():
                todo += [other for other in re.findall(r'^#include "(?:memory/)?(\w+)\.h"', file.read_text(), re.MULTILINE) if (ROOM / f"{other}.h").exists()]
    return found


def main():
    deciders = parts("plan")
    problems = [f"{checker}.cpp and plan.cpp share {name}" for checker in CHECKERS for name in sorted(parts(checker) & deciders)]
    if len(deciders) < 5 or any(len(parts(checker)) < 1 for checker in CHECKERS):
        problems.append("no files found")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
