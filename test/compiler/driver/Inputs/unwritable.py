# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unwritable.py MODEL FOLDER: compiles into a folder so deep that files in it have no path, whoever asks; prints what sinter says, then its
status and whether it left anything."""
import os
import shutil
import subprocess
import sys

model, base = sys.argv[1:]
deep = os.path.abspath(base)
while len(deep) < 3990:
    deep += "/" + "d" * min(100, 3999 - len(deep))
os.makedirs(deep)
result = subprocess.run(["sinter", model, "-o", deep, "--prefix", "p" * 100], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
print(result.stdout.replace(deep, "FOLDER"))
print("status", result.returncode, "left", os.listdir(deep))
shutil.rmtree(base)
