# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler refuses, as exceptions with its diagnostics; options as keyword arguments; answers of verbs."""
import os
import re
import subprocess
import sys
import unittest

import sinter
import sinter.onnxruntime as ort
from case import CACHE, WORK, Case, model


class Errors(Case):
    def test_diagnostics(self):
        with self.assertRaises(sinter.ModelError) as caught:
            sinter.compile(model("unknown"))
        error = caught.exception
        self.assertEqual((error.code, error.status, error.node), ("E0201", 2, "y"))
        self.assertEqual(error.problems[0].operator, "Relux")
        self.assertIn("Relu", error.hint)
        self.assertIn("[E0201]", str(error))
        with self.refused(sinter.ModelError, "'batch'.*E0303(.|\n)*such as \\(1, 8\\): dims={'batch': 1}"):
            sinter.compile(model("open"))
        with self.refused(sinter.UsageError, "no such file"):
            sinter.compile(model("nowhere"))
        with self.refused(sinter.UsageError, "path, bytes or a ModelProto, not int"):
            sinter.compile(7)
        with self.refused(sinter.ModelError, ""):
            sinter.compile(b"no model")

    def test_options(self):
        for options, message in (
            ({"dimms": 1}, "no option 'dimms'.*did you mean dim"),
            ({"fit": "best"}, "--fit best is none of"),
            ({"fast": 3}, "'fast' of compile is a switch"),
            ({"threads": True}, "'threads' of compile takes a value"),
            ({"o": "x"}, "save"),
            ({"target": "pdp11"}, "no target 'pdp11'"),
        ):
            with self.refused(sinter.UsageError, message):
                sinter.compile(model("small"), **options)
        made = sinter.compile(model("small"), O=1, fit="speed", prefix="own", ram={"fast": "64K", "slow": "1M"}, disable_pass=[])
        self.assertEqual(made.prefix, "own")
        self.assertIn("gemm_rows: taken", sinter.compile(model("products"), dump_choices=True).messages)

    def test_compiler_that_does_not_run(self):
        broken = CACHE / "sinter"
        broken.parent.mkdir(parents=True, exist_ok=True)
        broken.write_text("#!/bin/sh\nkill -KILL $$\n")
        broken.chmod(0o755)
        script = "import sinter, sys\nsinter.compile(sys.argv[1], **eval(sys.argv[2]))"
        for program, message in ((CACHE / "none", "none cannot be started: No such file"), (model("small"), "cannot be started"), (broken, "ended by SIGKILL")):
            for options in ("{}", "{'O': 1}"):  # the list of flags is asked for, or the first call fails
                environment = os.environ | {"SINTER_EXECUTABLE": str(program)}
                done = subprocess.run([sys.executable, "-c", script, model("small"), options], env=environment, capture_output=True, text=True, check=False)
                self.assertRegex(done.stderr.splitlines()[-1], f"sinter.*InternalError: .*{message}")

    def test_other_machines(self):
        net = sinter.compile(model("small"), target="cortex-m4")
        folder = CACHE / "gen"
        net.save(folder)
        self.assertTrue((folder / "small.cpp").exists() and (folder / "small.h").exists())
        net.save(CACHE / "board", package="arduino", package_info=["version=1.2.0"])
        self.assertIn("version=1.2.0\n", (CACHE / "board" / "library.properties").read_text())
        with self.refused(sinter.UsageError, "no option 'package'"):
            sinter.compile(model("small"), package="arduino")
        self.assertEqual(net.report.target, "cortex-m4")
        for target in ("cortex-m4", "cortex-a53", "wasm32", "cuda-sm_80"):
            net = sinter.compile(model("small"), target=target)
            for use in (lambda: net(x=1), lambda: net.run({"x": 1}), net.session, lambda: net.inputs):
                with self.refused(sinter.UsageError, f"compiled for {re.escape(net.target)}.*sinter.verify"):
                    use()
            with self.refused(sinter.UsageError, f"compiled for {re.escape(net.target)}.*sinter.verify"):
                ort.InferenceSession(model("small"), target=target)

    def test_no_compiler(self):
        path, os.environ["PATH"] = os.environ["PATH"], "/nowhere"
        try:
            with self.refused(sinter.NoCompilerError, r"looked for g\+\+.*pip install sinter.zig."):
                sinter.compile(model("small"), cache=CACHE / "none")
            with self.refused(sinter.NoCompilerError, "looked for none"):
                sinter.compile(model("small"), cxx="none")
            with self.refused(sinter.NoCompilerError, "looked for /nowhere/g"):
                sinter.compile(model("small"), cxx="/nowhere/g++")
        finally:
            os.environ["PATH"] = path

    def test_answers(self):
        targets = sinter.targets()
        self.assertTrue(targets.host and "cortex-m4" in [target["name"] for target in targets.targets])
        self.assertIn("<table>", targets._repr_html_())
        analyzed = sinter.analyze(model("small"))
        self.assertEqual(analyzed["inputs"][0]["name"], "x")
        self.assertIn("Relu", analyzed._repr_html_())
        self.assertGreater(sinter.bench(model("small"), seconds=0.01).call["calls"], 0)
        os.environ["SINTER_PYTHON"] = (WORK / "python").read_text()
        verified = sinter.verify(model("small"), sets=1)
        self.assertTrue(verified and verified.agrees and len(verified.sets) == 1)
        simplified = sinter.simplify(model("small"), CACHE / "simplified.onnx", exact=True)
        self.assertLessEqual(simplified.nodes_after, simplified.nodes_before)
        with self.refused(sinter.UsageError, "no node makes a tensor 'none'"):
            sinter.split(model("small"), CACHE / "parts", at="none")
        self.assertFalse(sinter.bisect(model("small"), sets=1).differs)
        net = sinter.compile(model("small"))
        self.assertIn("float32[1,4]", repr(net))
        self.assertIn("float32[1,4]", net._repr_html_())
        with self.refused(sinter.UsageError, "quantize"):
            sinter.quantize(model("small"), CACHE / "q.onnx", datas=1)


if __name__ == "__main__":
    unittest.main()
