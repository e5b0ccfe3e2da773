# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""refused.py GOOD.ONNX WORK FOLDER...: compiles every model of the folders, and GOOD cut short at many places, over an earlier output. Each must
end with status 0 or 2; where it is 2, with a code, and the earlier output is what it was to the last byte. Prints how many were refused."""
import os
import re
import subprocess
import sys

good, work, *folders = sys.argv[1:]
out = os.path.join(work, "out")


def compile_to(model, output):
    return subprocess.run(["sinter", model, "-o", output, "--prefix", "m"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, timeout=120)  # fmt: skip


def snapshot():
    found = {}
    for folder, _, names in os.walk(out):
        found[folder] = sorted(names)
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[path] = (os.stat(path).st_mtime_ns, file.read())
    return found


def check(model, output):
    before = snapshot()
    result = compile_to(model, output)
    if result.returncode == 0:
        return 0
    if result.returncode != 2 or not re.search(r"error: .*\[E0\d\d\d\]", result.stdout):
        sys.exit(f"{model}: status {result.returncode}\n{result.stdout}")
    if snapshot() != before:
        sys.exit(f"{model}: was refused, but changed {out}")
    return 1


os.makedirs(out)
if compile_to(good, out + "/").returncode != 0 or compile_to(good, out + "/libm.a").returncode != 0:
    sys.exit("the good model does not compile")
models = [os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(folder)) if name.endswith(".onnx")]
refused = sum(check(model, out + "/") for model in models)
refused += check(models[0], out + "/libm.a")
print(f"{refused} of {len(models) + 1} models refused")

with open(good, "rb") as file:
    data = file.read()
cut = os.path.join(work, "cut.onnx")
sizes = sorted({len(data) * i // 40 for i in range(40)} | {1, 2, 3, len(data) - 1})
refused = 0
for size in sizes:
    with open(cut, "wb") as file:
        file.write(data[:size])
    refused += check(cut, out + "/")
print(f"{refused} of {len(sizes)} truncated models refused")
