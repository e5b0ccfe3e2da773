# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What machine code a cubin has, by nvdisasm (a Python package, or of a toolkit): kernels, their operations, and the loops that keep the matrix unit
busy. gates.py holds kernels of templates to limits with it, test/end_to_end/cubins.py those of nets."""
import collections
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

UNIT = ("HMMA", "IMMA")  # of the matrix unit


@dataclasses.dataclass
class Kernel:
    operations: list  # with their modifiers: "LDG.E.128"
    loop: tuple = (0, 0)  # the innermost one that uses the matrix unit: its instructions of the unit, all of its instructions

    @property
    def code_bytes(self):
        return 16 * len(self.operations)

    def count(self, *wanted):
        """Operations that begin with one of these, and have all modifiers that follow a space: "LDG 128"."""
        patterns = [name.split() for name in wanted]
        return sum(any(has[0] == name[0] and all(more in has for more in name[1:]) for name in patterns) for has in (o.split(".") for o in self.operations))

    def wide_loads(self):
        return self.count("LDG 128", "LDGSTS 128")

    def wide_stores(self):
        return self.count("STG 128")

    def local(self):
        return self.count("LDL", "STL")


def disassembler():
    places = [pathlib.Path(folder) / "nvidia" for folder in sys.path]
    return next((str(tool) for place in places for tool in place.glob("*/bin/nvdisasm")), None) or shutil.which("nvdisasm")


def kernel_of(body):
    labels, operations, loop = {}, [], None
    for line in body.splitlines():
        if label := re.match(r"(\.L_x_\d+):", line):
            labels[label[1]] = len(operations)
        elif operation := re.search(r"/\*[0-9a-f]+\*/\s+(?:@!?\S+\s+)?([A-Z][\w.]*)", line):
            operations.append(operation[1])
            target = re.search(r"BRA.*(\.L_x_\d+)", line)
            if target and target[1] in labels and not loop:
                counts = collections.Counter(each.split(".")[0] for each in operations[labels[target[1]] :])
                units = sum(counts[name] for name in UNIT)
                loop = (units, sum(counts.values())) if units else None
    return Kernel(operations, loop or (0, 0))


def kernels(cubin, tool):
    """By their names."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        text = subprocess.run([tool, "-c", file.name], capture_output=True, text=True, check=True).stdout
    return {name: kernel_of(body) for name, body in re.findall(r"\.section\s+\.text\.(\w+)(.*?)(?=\.section\s|\Z)", text, re.DOTALL)}
