# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnx.backend's own runner on sinter.backend: WORK [--every N] [--only REGEX] runs each so manieth of the onnx package's backend tests, or all, and prints
a count and what failed. Where a generator operator makes an output, it is a draw: type and shape are compared. Tests that docs/conformance.md lists as
`recording off`, with its evidence, are counted as that when their numbers differ."""
import argparse
import collections
import pathlib
import re
import sys
import unittest
import warnings

from case import with_more_packages

with_more_packages()
import numpy as np
import onnx.backend.test
import sinter.backend

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "conformance.md"
sys.path.append(str(ROOT / "test" / "conformance"))
from make_cases import draws


class Rep(sinter.backend.SinterRep):
    def run(self, inputs, **kwargs):
        Backend.is_random = draws(Backend.model, inputs)
        return super().run(inputs, **kwargs)


class Backend(sinter.backend.SinterBackend):
    is_random, model = False, None

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        cls.model = model
        return Rep(super().prepare(model, device, **kwargs)._session)


class Suite(onnx.backend.test.BackendTest):
    @classmethod
    def assert_similar_outputs(cls, ref_outputs, outputs, rtol, atol, model_dir=None):
        if Backend.is_random:
            for wanted, made in zip(ref_outputs, outputs, strict=True):
                np.testing.assert_equal((made.shape, made.dtype), (wanted.shape, wanted.dtype))
            return
        np.testing.assert_equal(len(outputs), len(ref_outputs))
        for wanted, made in zip(ref_outputs, outputs, strict=True):
            if isinstance(wanted, list):  # of whose elements the runner takes len(), though they may be scalars
                np.testing.assert_equal(type(made), list)
                cls.assert_similar_outputs(wanted, made, rtol, atol, model_dir)
            else:
                super().assert_similar_outputs([wanted], [made], rtol, atol, model_dir)


def off_by_the_page():
    """Names that stand below a line of `recording off`."""
    text = PAGE.read_text(encoding="utf-8")
    return set(re.findall(r"test_\w+", "".join(re.findall(r"^- \d+ x recording off:.*\n((?:  .*\n?)+)", text, re.MULTILINE))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=64)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    cases = Suite(Backend, __name__).test_cases
    listed = [(kind, name) for kind, case in cases.items() for name in sorted(dir(case)) if name.startswith("test_") and name.endswith("_cpu")]
    counts, off, failures = collections.defaultdict(collections.Counter), off_by_the_page(), 0
    for kind, name in [one for one in listed if re.search(options.only, one[1])][:: options.every]:
        result = unittest.TestResult()
        Backend.is_random = False
        cases[kind](name).run(result)
        problems = [text for _, text in result.errors + result.failures]
        outcome = "skipped" if result.skipped else "failed" if problems else "random" if Backend.is_random else "passed"
        if result.failures and not result.errors and name.removesuffix("_cpu") in off:
            outcome = "recording off"
        counts[re.sub(r"OnnxBackend|ModelTest", "", kind)][outcome] += 1
        if outcome in ("failed", "skipped"):
            failures += 1
            print(f"{outcome}: {name}", *problems, *(why for _, why in result.skipped), sep="\n", flush=True)
    for kind, outcomes in counts.items():
        print(f"{kind}: {sum(outcomes.values())} tests, " + ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items()))
    return min(failures, 1) if counts else "no test matches"


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # the cases' own arithmetic overflows
    sys.exit(main())
