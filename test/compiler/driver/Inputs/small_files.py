# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""small_files.py BYTES FOLDER COMMAND...: runs the command where no file may be larger, as on a disk that is full, with FOLDER for temporary files. It has to fail with a
message of its own, by itself, and leave nothing there."""
import os
import resource
import signal
import subprocess
import sys

limit, folder, *command = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def begin():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then writing fails, as it does on a full disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), resource.RLIM_INFINITY))


result = subprocess.run(command, preexec_fn=begin, env={**os.environ, "TMPDIR": folder}, capture_output=True, text=True, check=False)
said = result.stdout + result.stderr
assert result.returncode > 0, result
assert "error: " in said and "LLVM ERROR" not in said and "please report" not in said, said
assert not os.listdir(folder), os.listdir(folder)
print(f"status {result.returncode}: " + next(line for line in said.splitlines() if "error: " in line))
