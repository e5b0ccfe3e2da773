# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts beside it share: FOLDER/models, a cache of their own in FOLDER, and packages that the wheel does not bring."""
import os
import pathlib
import re
import shutil
import sys
import unittest

WORK = pathlib.Path(sys.argv.pop(1)).resolve()
CACHE = WORK / f"cache_{pathlib.Path(sys.argv[0]).stem}"
shutil.rmtree(CACHE, ignore_errors=True)
os.environ["SINTER_CACHE"] = str(CACHE)


def model(name):
    return WORK / "models" / f"{name}.onnx"


def with_more_packages():
    sys.path.append(str(WORK / "more"))


class Case(unittest.TestCase):
    def refused(self, kind, pattern):
        """A block that raises this, with a message that has all of `pattern`."""
        return self.assertRaisesRegex(kind, re.compile(pattern, re.DOTALL))
