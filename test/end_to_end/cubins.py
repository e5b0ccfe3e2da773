#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cubins.py --sinter PROGRAM --models FOLDER [--all | NAME...]: compiles nets of models.toml for four generations of GPUs, which needs NVRTC and no GPU, and
holds their kernels to what test/templates/cuda/gates.py holds those of the templates to: no spills, no stack, no local memory; products and convolutions of
halves and bytes on the matrix unit, at most so many instructions for each of it in the main loop, loads of 16 bytes; bytes of code. The
report says which template a kernel is of. Disassembly needs nvdisasm; without it registers and memory are held."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "templates/cuda"))
import nvrtc  # noqa: E402
import sass  # noqa: E402

SMS = (75, 80, 87, 90)
# By default one of halves and one of floats, since four cubins of a net take half a minute.
DEFAULT = ("squeezenet-fp16", "micro-kws")
# Instructions for each of the matrix unit in a main loop, at most, by how many of the unit the loop has: five are wanted, and had by tiles of 32 and
# more; smaller ones are for few rows, where latency counts; windows of a convolution and bytes of both signs cost two more. NVRTC gives one and the same
# loop of 8 between 12.5 and 14.5, as other functions stand before it.
PER_UNIT = {8: 14.5, 16: 9.5, 32: 7.5, 64: 5.0}
# Of floats, three instructions of the unit for each that halves have, and their operands are split.
PER_UNIT_FLOAT = {24: 12.0, 48: 6.0, 96: 4.5}
CODE, CODE_75 = 32 << 10, 42 << 10  # bytes of a kernel, at most; on sm_75 the unit's instructions are half as large, so there are twice as many
# Attention on the unit has two products and a softmax between them; gates.py holds its loops. Of floats each product is three, and rows without the unit
# come besides.
CODE_ATTENTION = 46 << 10


class Net:
    def __init__(self, name, folder):
        with open(next(folder.glob("*_report.json")), encoding="utf-8") as file:
            self.report = json.load(file)
        self.name, self.folder, self.problems, self.loops = name, folder, [], {}
        self.kernels = {kernel["function"]: kernel for kernel in self.report["kernels"]}

    def complain(self, sm, function, text):
        kind = self.kernels[function]["kernel"]
        self.problems.append(f"{self.name} sm_{sm} {function} ({kind}): {text}")

    def check_resources(self):
        for function, kernel in self.kernels.items():
            for on in kernel["on"]:
                local = {key: on[key] for key in ("stack_bytes", "spill_store_bytes", "spill_load_bytes") if on[key]}
                if local:
                    self.complain(on["sm"], function, local)

    def check_code(self, tool):
        for image in self.report["device"]["images"]:
            if image["form"] != "cubin":
                continue
            for function, kernel in sass.kernels((self.folder / image["file"]).read_bytes(), tool).items():
                self.check_kernel(image["sm"], function, kernel)

    def check_kernel(self, sm, function, kernel):
        if kernel.local():
            self.complain(sm, function, f"{kernel.local()} accesses of local memory")
        why = self.kernels[function]["why"]
        is_attention = "attentionTiles" in why
        if kernel.code_bytes > (CODE_ATTENTION if is_attention else CODE_75 if sm == 75 else CODE):
            self.complain(sm, function, f"{kernel.code_bytes} bytes of code")
        # What the report promises of it.
        is_on_unit = "on the matrix unit" in why
        if is_on_unit and not kernel.count(*sass.UNIT):
            self.complain(sm, function, "nothing on the matrix unit")
        if "by chunks of 16 bytes" in why and not kernel.wide_loads():
            self.complain(sm, function, "no load of 16 bytes")
        inside, of = kernel.loop
        limits = PER_UNIT_FLOAT if "of TF32" in why else PER_UNIT
        most = max((limit for at_least, limit in limits.items() if inside <= at_least), default=min(limits.values()))
        if sm >= 80 and inside and is_on_unit and not is_attention:
            self.loops[function] = max(self.loops.get(function, 0), of / inside)
            if of / inside > most:
                self.complain(sm, function, f"{of / inside:.1f} instructions for each of {inside} of the matrix unit, at most {most}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--models", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if nvrtc.OLDEST not in dict(nvrtc.libraries()) or not os.path.isdir(options.models):
        print("skipped: no NVRTC 11.8, or no models")
        sys.exit(77)
    with open(HERE / "models.toml", "rb") as file:
        known = {name: model for name, model in tomllib.load(file).items() if "path" in model and not model.get("exported")}
    wanted = list(known) if options.all else options.names or [name for name in DEFAULT if name in known]
    tool, problems = sass.disassembler(), []
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            target = "cuda-" + "+".join(f"sm_{sm}" for sm in SMS)
            command = [options.sinter, os.path.join(options.models, known[name]["path"]), "--target", target, "-o", folder + "/", "--quiet", *known[name].get("flags", [])]
            # Limits are those of the compilers that scripts/setup test installs, whatever toolkits are here.
            done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "SINTER_NVRTC": sys.prefix})
            if done.returncode:
                problems.append(f"{name}: {done.stderr[-400:]}")
                continue
            net = Net(name, pathlib.Path(folder))
            net.check_resources()
            if tool:
                net.check_code(tool)
            loops = ", ".join(f"{ratio:.1f}" for ratio in sorted(net.loops.values(), reverse=True))
            print(f"{name}: {len(net.kernels)} kernels, {len(net.problems)} problems" + (f"; instructions for each of the matrix unit: {loops}" if loops else ""), flush=True)
            problems += net.problems
    print("\n".join(problems))
    sys.exit(bool(problems) or not wanted)


if __name__ == "__main__":
    main()
