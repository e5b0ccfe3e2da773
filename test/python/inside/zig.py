# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A machine without a C++ compiler, but the package ziglang, which sinter[zig] brings: for this machine and for others."""
import os
import unittest

from case import CACHE, WORK, Case, model, with_more_packages

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

    def test_other_machines(self):
        for target, kind in (
            ("armv7", b"\x7fELF"),
            ("aarch64-android", b"\x7fELF"),
            ("aarch64-ios", b"\xcf\xfa\xed\xfe\x0c\0\0\1"),
            ("x86-64-v3-windows", b"\x64\x86"),
        ):
            with self.subTest(target):
                place = CACHE / target / "libsmall.a"
                sinter.compile(model("small"), target=target).save(place)
                made = place.read_bytes()
                self.assertTrue(made.startswith(b"!<arch>\n"))
                self.assertIn(kind, made)
                self.assertIn(b"small_run", made)
        with self.refused(sinter.NoCompilerError, "looked for arm-none-eabi-g.*Debian: .*arm-none-eabi"):
            sinter.compile(model("small"), target="cortex-m4").save(CACHE / "board" / "libsmall.a")


if __name__ == "__main__":
    unittest.main()
