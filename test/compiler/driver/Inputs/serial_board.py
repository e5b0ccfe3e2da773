# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# serial_board.py IMAGE COMMAND...: runs the image on QEMU's mps2-an386 with its UART behind a pseudo terminal, then the command, in which
# {line} is the terminal's name; ends as the command does.
import re
import subprocess
import sys

image, *command = sys.argv[1:]
emulator = ["qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "pty", "-kernel", image]
board = subprocess.Popen(emulator, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
try:
    line = next(found[0] for text in board.stdout if (found := re.search(r"/dev/pts/\d+", text)))
    status = subprocess.run([word.replace("{line}", line) for word in command]).returncode
finally:
    board.kill()
sys.exit(status)
