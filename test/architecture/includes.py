#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the folders include what the table in docs/architecture.md says they may, and nothing else? Has each folder a row, and is each arrow used?"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIXES = {".h", ".cpp", ".def", ".td"}


def table():
    """What each folder may include: a set of folders, or None for everything."""
    rows = re.findall(r"^\| ((?:compiler/)?[a-z_-]+) \| .* \| ([^|]*) \|$", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE)
    rows = [row for row in rows if (ROOT / row[0]).is_dir()]
    full = {folder.rsplit("/", 1)[-1]: folder for folder, _ in rows}
    return {folder: None if may == "everything" else {full[name] for name in may.split(", ") if name != "nothing"} for folder, may in rows}


def sources(folders):
    for folder in sorted({folder.split("/")[0] for folder in folders}):
        yield from (file for file in sorted((ROOT / folder).rglob("*")) if file.suffix in SUFFIXES)


def folder_of(file, folders):
    path = file.relative_to(ROOT).as_posix()
    return next((folder for folder in folders if path.startswith(folder + "/")), None)


def included(file, name):
    """The file of the project that an #include means; None for others, as those that the build makes."""
    places = (file.parent, ROOT / "compiler", ROOT, ROOT / "compiler/ir")
    return next((place / name for place in places if (place / name).exists()), None)


def main():
    may = table()
    problems, used = [], set()
    for file in sources(may):
        own = folder_of(file, may)
        if own is None and file.parent != ROOT / "compiler":
            problems.append(f"{file.relative_to(ROOT)}: its folder has no row in the table")
        for name in re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE):
            target = included(file, name)
            other = target and folder_of(target.resolve(), may)
            if own is None or other is None or other == own:
                continue
            used.add((own, other))
            if may[own] is not None and other not in may[own]:
                problems.append(f"{file.relative_to(ROOT)} includes {name}: {own} may not use {other}")
    problems += [f"the table lets {own} use {other}, which it does not" for own, others in may.items() for other in others or () if (own, other) not in used]
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
