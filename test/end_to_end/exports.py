#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# exports.py FOLDER: runs the exporter of well-known architectures once: a script that writes gen/*.onnx, found by SINTER_EXPORTER, else
# beside the models. Its files go to FOLDER when all are made: four minutes, under a second when they are there. Exits 77 (skipped)
# without the exporter or what it needs, unless SINTER_REQUIRE_MODELS is set.
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = ["torch", "transformers", "onnxscript"]


def main():
    folder = os.path.abspath(sys.argv[1])
    models = os.environ.get("SINTER_MODELS", os.path.join(HERE, "../../../shared/models"))
    exporter = os.path.abspath(os.environ.get("SINTER_EXPORTER", os.path.join(models, "../tools/export_architectures.py")))
    problem = None
    if not os.path.exists(exporter):
        problem = f"{exporter} is not there (SINTER_EXPORTER says where it is)"
    else:
        stamp = os.path.join(folder, "complete")
        if os.path.exists(stamp) and os.path.getmtime(stamp) >= os.path.getmtime(exporter):
            return 0
        missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            problem = f"{sys.executable} lacks {', '.join(missing)}: scripts/setup test installs them"
    if problem:
        print(f"skipped: {problem}")
        return 1 if os.environ.get("SINTER_REQUIRE_MODELS") else 77

    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        subprocess.run([sys.executable, "-W", "ignore", exporter], cwd=work, check=True)
        for name in os.listdir(os.path.join(work, "gen")):
            shutil.move(os.path.join(work, "gen", name), os.path.join(folder, name))
    open(stamp, "w").close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
