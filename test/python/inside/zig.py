# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A machine without a C++ compiler, but the package ziglang, which sinter[zig] brings."""
import os
import unittest

from case import WORK, Case, model, with_more_packages

with_more_packages()
os.environ["PATH"] = "/nowhere"
os.environ["ZIG_GLOBAL_CACHE_DIR"] = str(WORK / "zig_cache")
import numpy as np
import sinter


class Zig(Case):
    def test_compile(self):
        x = np.array([[-1, 2, -3, 4]], np.float32)
        for options in ({}, {"weights": "cpp"}, {"target": "x86-64-v2" if os.uname().machine == "x86_64" else "host"}):
            np.testing.assert_array_equal(sinter.compile(model("small"), **options)(x), np.maximum(x, 0))
        y = np.random.default_rng(0).standard_normal((64, 64), np.float32)
        np.testing.assert_allclose(sinter.compile(model("products"), threads=2)(y), y @ y @ y @ (y @ y), rtol=1e-2, atol=1)


if __name__ == "__main__":
    unittest.main()
