# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-query on a source that includes headers of the project: what the rules on templates ask (device_functions.py, internal_linkage.py)."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = shutil.which("clang-query-19") or shutil.which("clang-query", path="/usr/lib/llvm-19/bin") or shutil.which("clang-query")


def places(headers, suffix, matcher, flags):
    """(file:line of each match, from the project's root; problems: errors of the compiler, or what clang-query says in place of an answer)."""
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "all" + suffix), pathlib.Path(folder, "matcher.txt")
        source.write_text("".join(f'#include "{name}"\n' for name in headers))
        script.write_text("set output diag\nmatch " + matcher.replace("\n", " ") + "\n")
        done = subprocess.run([PROGRAM, str(source), "-f", str(script), "--", *flags, "-std=c++17", f"-I{ROOT}"], capture_output=True, text=True, check=False)
    found = re.findall(r'^(\S+?:\d+):\d+: note: "root" binds here', done.stdout, re.MULTILINE)
    problems = re.findall(r"^\S+: (?:fatal )?error: .*", done.stdout + done.stderr, re.MULTILINE)
    if not problems and "match" not in done.stdout:
        problems = [f"clang-query says: {done.stdout[-300:]}{done.stderr[-300:]}"]
    return sorted({place.removeprefix(f"{ROOT}/") for place in found}), [problem.removeprefix(f"{ROOT}/") for problem in problems]


def finish(problems):
    """Prints them and ends the script: 77 (skipped) where clang-query is missing and nothing else was found."""
    print("\n".join(problems))
    if not PROGRAM and not problems:
        print("skipped: no clang-query; scripts/setup test installs it")
        sys.exit(77)
    sys.exit(bool(problems))
