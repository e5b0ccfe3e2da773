# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# interrupted.py MODEL FOLDER: sends signals to sinter at random moments; what is left behind, and who hangs.
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

INTERRUPTIONS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU]
CRASHES = [signal.SIGSEGV, signal.SIGABRT]
model, root = sys.argv[1], pathlib.Path(sys.argv[2])
random.seed(1)


def compilers():
    """Processes that still work for a run."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if any(word.startswith(os.fsencode(root)) for word in words[1:]) and b"interrupted.py" not in b" ".join(words):
            found.append(b" ".join(words[:1]).decode())
    return found


ended = 0
begin = time.monotonic()
subprocess.run(["sinter", model, "-o", root / "whole"], check=True, stderr=subprocess.DEVNULL)
duration = time.monotonic() - begin
for run in range(40):
    shutil.rmtree(root, ignore_errors=True)
    temporary = root / "tmp"
    temporary.mkdir(parents=True)
    number = random.choice(INTERRUPTIONS + CRASHES)
    output = root / "deep/er/out/"
    if run % 4 == 3:  # the C++ compiler is at work
        output = output / "libdigits.a"
    process = subprocess.Popen(["sinter", model, "-o", f"{output}{'' if output.suffix else '/'}"], env={**os.environ, "TMPDIR": str(temporary)},
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if run % 4 == 0:  # while files move to their places
        while process.poll() is None and not list((root / "deep/er/out").glob("digits*")):
            pass
    elif output.suffix:
        while process.poll() is None and "cc1plus" not in " ".join(compilers()):
            pass
    else:
        time.sleep(duration * random.random())
    process.send_signal(number)
    try:
        told = process.communicate(timeout=60)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"{number.name}: hangs")
    for attempt in range(50):
        if not compilers():
            break
        time.sleep(0.1)
    else:
        sys.exit(f"{number.name}: {compilers()} go on")
    if process.returncode == 0:
        continue
    ended += 1
    left = [str(path) for path in root.rglob("*") if path != temporary]
    whole = {path.suffix for path in (root / "deep/er/out").glob("digits*")} >= {".cpp", ".h", ".hpp", ".bin", ".json", ".txt"}
    if left and (not whole or list(temporary.iterdir()) or list((root / "deep/er/out").glob(".*"))):
        sys.exit(f"{number.name}: left {left}")
    if number in CRASHES and process.returncode > 0 and (process.returncode != 4 or "[E0901]" not in told):
        sys.exit(f"{number.name}: status {process.returncode}, {told}")
    if number in INTERRUPTIONS and process.returncode != -number:
        sys.exit(f"{number.name}: status {process.returncode}, {told}")
print(f"{ended} of 40 runs ended by a signal left nothing")
