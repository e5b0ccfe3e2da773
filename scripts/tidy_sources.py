#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tidy_sources.py BUILD: what scripts/tidy checks for the files that stdin names: sources that are compiled, and templates; for a header the source
of its name, else one that includes it, by way of others if need be. Writes BUILD/tidy/compile_commands.json, which names each source: CMake's names
batches where SINTER_UNITY is on, each of which has its files' command."""
import functools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1])
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def commands():
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["directory"], entry["file"])
        for member in INCLUDE.findall(file.read_text()) if file.parent.name == "Unity" else [entry["file"]]:
            yield {**entry, "command": entry["command"].replace(entry["file"], member), "file": member}


@functools.cache
def includers():
    """By file: those that include it, sources first."""
    found = {}
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.cpp", "*.h"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in sorted(listed.stdout.split(), key=lambda name: (name.endswith(".h"), name)):
        file = ROOT / name
        for included in INCLUDE.findall(file.read_text()) if file.exists() else ():
            places = (folder / included for folder in (file.parent, ROOT / "compiler", ROOT, ROOT / "compiler/ir"))
            target = next((place.resolve() for place in places if place.exists()), None)
            if target:
                found.setdefault(target.relative_to(ROOT).as_posix(), []).append(name)
    return found


def source_of(header, compiled):
    beside = header[:-2] + ".cpp"
    if beside in compiled:
        return beside
    seen, waiting = {header}, [header]
    for name in waiting:
        for other in includers().get(name, ()):
            if other in compiled:
                return other
            if other.endswith(".h") and other not in seen:
                seen.add(other)
                waiting.append(other)
    return None


def main():
    entries = list(commands())
    (BUILD / "tidy").mkdir(exist_ok=True)
    (BUILD / "tidy/compile_commands.json").write_text(json.dumps(entries, indent=1))
    files = (pathlib.Path(entry["directory"], entry["file"]).resolve() for entry in entries)
    compiled = {file.relative_to(ROOT).as_posix() for file in files if file.is_relative_to(ROOT)}
    found = set()
    for name in sys.stdin.read().split():
        if name.endswith(".test.cpp") or name.startswith(("templates/", "runtime-lite/")) and name.endswith(".h"):
            found.add(name)
        elif name.endswith(".h"):
            found.add(source_of(name, compiled))
        elif name in compiled:
            found.add(name)
    print("\n".join(sorted(found - {None})))


if __name__ == "__main__":
    main()
