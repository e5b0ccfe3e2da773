# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that is written for onnxruntime, as it comes from PyPI: magika, which tells kinds of files by their bytes, answers the same on sinter.onnxruntime."""
import json
import subprocess
import sys
import unittest

from case import WORK, Case, with_more_packages

PROGRAM = """
import json, pathlib, sys
from magika import Magika
root, magika = pathlib.Path(sys.argv[1]), Magika()
paths = [root / name for name in ("README.md", "scripts/wheel", "test/python/wheel.py", "codegen/wasm/package.d.mts", "samples/digits/digits.onnx")]
answers = magika.identify_paths(paths) + [magika.identify_path(path) for path in paths[:2]]
print(json.dumps([[answer.output.label, round(answer.score, 3)] for answer in answers]))
"""
SWAP = "import sys\nimport sinter.onnxruntime\nsys.modules['onnxruntime'] = sinter.onnxruntime\n"


class Programs(Case):
    def test_magika(self):
        with_more_packages()
        root = __file__.rsplit("/test/", 1)[0]
        more = f"import sys\nsys.path.append({str(WORK / 'more')!r})\n"

        def answers(python, program):
            return json.loads(subprocess.run([python, "-c", program, root], capture_output=True, text=True, check=True).stdout)

        theirs = answers((WORK / "python").read_text(), PROGRAM)
        self.assertEqual([label for label, _ in theirs[:3]], ["markdown", "shell", "python"])
        self.assertEqual(answers(sys.executable, more + SWAP + PROGRAM), theirs)


if __name__ == "__main__":
    unittest.main()
