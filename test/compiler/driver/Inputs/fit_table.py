# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fit_table.py TABLE.json SINTER MODEL [FLAG...]: whether there are several points, whether less RAM always costs more work, and whether the flags of
# each point give its arena.
import json
import os
import re
import subprocess
import sys
import tempfile

with open(sys.argv[1]) as file:
    points = json.load(file)["points"]


def arena_of(flags):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(sys.argv[2:] + flags.split() + ["-o", folder, "--prefix", "net"], check=True, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "net.h")) as header:
            return int(re.search(r"ARENA_BYTES (\d+)", header.read()).group(1))


pairs = list(zip(points, points[1:]))
print(len(points) > 2, all(a["arena"] > b["arena"] and a["of_default"] < b["of_default"] for a, b in pairs),
      all(arena_of(point["flags"]) == point["arena"] for point in points))
