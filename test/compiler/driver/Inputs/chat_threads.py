# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""chat_threads.py PROGRAM LINE: what a chat program answers, and how many threads it has then."""
import os
import subprocess
import sys

with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
    program.stdin.write(sys.argv[2].encode() + b"\n")
    program.stdin.flush()
    print(program.stdout.readline(), len(os.listdir(f"/proc/{program.pid}/task")), "threads")
    program.stdin.close()
