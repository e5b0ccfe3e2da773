#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""missing_barriers.py CLANG [--all]: takes barriers out of copies of the kernels' headers, one at a time, and runs their tests under ThreadSanitizer, to
which CUDA's threads are fibers (runtime-lite/emulation): each must be missed, as a race, a wrong result or an error of the emulation. By default
the few that most kernels stand on; --all takes minutes. With the barriers nothing is found, which units/templates-cuda-threads says."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
HEADERS = ROOT / "templates/cuda"
BARRIER = re.compile(r"\b(?:cuda::)?sync(?:Block|Warp)\(\);")
FEW = ("block_tile.h", "group.h")
FLAGS = "-std=c++17 -O1 -g1 -ffp-contract=off -DSINTER_CUDA_ARCH=800".split()


def included(path, seen):
    """The headers of templates that a source reaches."""
    for name in re.findall(r'#include "(templates/[^"]+)"', path.read_text()):
        if name not in seen:
            seen.add(name)
            included(ROOT / name, seen)
    return seen


def barriers(names):
    """(header, line) of each."""
    for path in sorted(HEADERS.glob("*.h")):
        if path.name != "device.h" and (names is None or path.name in names):
            for number, line in enumerate(path.read_text().splitlines()):
                if BARRIER.search(line):
                    yield path.name, number


class Tests:
    def __init__(self, compiler, folder):
        self.compiler, self.folder = compiler, folder
        self.sources = {path: included(path, set()) for path in sorted(FOLDER.glob("*.test.cpp"))}
        emulation = [path for path in (ROOT / "runtime-lite/emulation").glob("*.cpp") if path.name != "program.cpp"]
        self.objects = [self.compile(path, folder / f"{path.stem}.o", ROOT, "-DEMULATION_TSAN") for path in emulation]
        self.objects.append(self.compile(ROOT / "test/doctest_main.cpp", folder / "main.o", ROOT))

    def compile(self, source, to, root, *flags):
        command = [self.compiler, *FLAGS, *flags, f"-I{root}", f"-I{FOLDER.parent}", f"-I{FOLDER}", "-c", str(source), "-o", str(to)]
        subprocess.run(command, check=True)
        return to

    def find(self, header, number):
        """What a test says without the barrier: the first that says something."""
        own = self.folder / f"{header}-{number}"
        shutil.copytree(ROOT / "templates", own / "templates")
        (own / "runtime-lite").symlink_to(ROOT / "runtime-lite")
        text = (HEADERS / header).read_text().splitlines(keepends=True)
        text[number] = BARRIER.sub(";", text[number])
        (own / "templates/cuda" / header).write_text("".join(text))
        for source, reached in self.sources.items():
            if f"templates/cuda/{header}" not in reached or source.name == "emulation.test.cpp":
                continue
            test = self.compile(source, own / f"{source.stem}.o", own, "-fsanitize=thread")
            program = own / source.stem
            subprocess.run([self.compiler, "-fsanitize=thread", str(test), *map(str, self.objects), "-o", str(program)], check=True)
            options = {"TSAN_OPTIONS": "halt_on_error=1 exitcode=66", **os.environ}
            ran = subprocess.run([str(program)], capture_output=True, text=True, check=False, env=options)
            if ran.returncode:
                place = re.search(r"templates/cuda/(\w+\.h:\d+)", ran.stderr)
                return f"a race at {place[1]}" if "data race" in ran.stderr and place else "a wrong result"
        return None


def main():
    names = None if "--all" in sys.argv else FEW
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("SINTER_JOBS", "2"))) as pool:
        tests = Tests(sys.argv[1], pathlib.Path(folder))
        taken = list(barriers(names))
        found = list(pool.map(lambda barrier: tests.find(*barrier), taken))
    for (header, number), what in zip(taken, found):
        print(f"{header}:{number + 1} {what or 'NOT MISSED'}")
    sys.exit(None in found or not taken)


if __name__ == "__main__":
    main()
