# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache: found by content, never half written, made anew where it is not as it was; failures say what to do."""
import errno
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest
import warnings

import numpy as np
import sinter
from case import CACHE, WORK, Case, model
from sinter import _driver, _folders

X = np.array([[-1, 2, -3, 4]], np.float32)
COMPILE = "import sinter, sys\nsinter.compile(sys.argv[1])"


class Cache(Case):
    def setUp(self):
        self.calls = 0
        call = _driver.call

        def counted(verb, *arguments):
            self.calls += verb == "compile"
            return call(verb, *arguments)

        _driver.call = counted
        self.addCleanup(setattr, _driver, "call", call)
        self.models = CACHE / "models"

    def compiles(self, count, *arguments, **options):
        """The model, compiled so many times."""
        before = self.calls
        net = sinter.compile(*arguments, **options)
        self.assertEqual(self.calls - before, count)
        return net

    def unfinished(self):
        return [path for path in self.models.iterdir() if path.name.startswith(".")]

    def test_content(self):
        self.compiles(1, model("small"))
        self.compiles(0, model("small"))
        self.compiles(0, str(model("small")))
        self.compiles(1, model("small"), fit="speed")
        self.compiles(0, model("small"), fit="speed")
        first = self.compiles(1, model("small").read_bytes(), O=1)
        self.compiles(0, model("small").read_bytes(), O=1)
        first.save(CACHE / "saved.so")
        self.assertTrue((CACHE / "saved.so").exists())
        self.assertEqual(first(X).tolist(), [[0, 2, 0, 4]])
        self.compiles(1, model("small"), cache=False)
        self.assertEqual(self.unfinished(), [])

    def test_external_data(self):
        folder = CACHE / "apart"
        folder.mkdir(parents=True)
        for name in ("apart.onnx", "apart.bin"):
            shutil.copy(WORK / "models" / name, folder)
        self.assertEqual(self.compiles(1, folder / "apart.onnx")(X).tolist(), [[-1, 4, -9, 16]])
        self.compiles(0, folder / "apart.onnx")
        (folder / "apart.bin").write_bytes(np.array([2, 2, 2, 2], np.float32).tobytes())
        self.assertEqual(self.compiles(1, folder / "apart.onnx")(X).tolist(), [[-2, 4, -6, 8]])
        self.compiles(0, folder / "apart.onnx")

    def test_files_of_options(self):
        target = CACHE / "mine.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("base: generic64\nsummary: mine\n")
        self.compiles(1, model("small"), target=target)
        self.compiles(0, model("small"), target=target)
        target.write_text("base: generic64\nsummary: another\n")
        self.compiles(1, model("small"), target=target)

    def test_changed_meanwhile(self):
        call = _driver.call
        path = CACHE / "changing.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(model("small"), path)

        def changing(verb, *arguments):
            answer = call(verb, *arguments)
            if verb == "compile":
                shutil.copy(model("open"), path)
            return answer

        _driver.call = changing
        with self.refused(sinter.CacheError, "changed while it was compiled"):
            sinter.compile(path, dims={})
        _driver.call = call
        self.compiles(1, path, dims={"batch": 1})

    def test_damage(self):
        self.compiles(1, model("index"))
        for damage in ("libmodel.so", "entry.json", "model_report.json"):
            path = next(self.models.glob(f"*/{damage}"))
            for entry in self.models.glob(f"*/{damage}"):
                entry.write_bytes(path.read_bytes()[:100])
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                net = self.compiles(1, model("index"))
            self.assertRegex(str(told[0].message), "not as it was written")
            self.assertEqual(net(x=[1, 2, 3, 4], i=[3, 0]).tolist(), [4, 1])
            self.compiles(0, model("index"))
        for path in self.models.glob("*.files"):
            path.write_text("{")
        self.compiles(1, model("index"))
        for path in self.models.glob("*.files"):
            path.unlink()
            path.mkdir()
        self.compiles(1, model("index"))
        self.compiles(0, model("index"))

    def test_damaged_by_another(self):
        """An entry that another process made meanwhile, and that is not whole, makes way; so does a file of its name."""
        cache = CACHE / "another"
        self.compiles(1, model("index"), cache=cache)
        (entry,) = (path for path in cache.iterdir() if path.is_dir())
        for damage in (lambda: (entry / "entry.json").write_text("{"), lambda: (shutil.rmtree(entry), entry.write_text(""))):
            damage()
            for path in cache.glob("*.files"):
                path.write_text("{")  # nobody knows of the entry before it is compiled
            with self.assertWarnsRegex(RuntimeWarning, "not as it was written"):
                net = self.compiles(1, model("index"), cache=cache)
            self.assertEqual(net(x=[1, 2, 3, 4], i=[3, 0]).tolist(), [4, 1])
            self.compiles(0, model("index"), cache=cache)

    def test_unusable(self):
        blocked = CACHE / "file"
        blocked.parent.mkdir(parents=True, exist_ok=True)
        blocked.write_text("")
        with self.refused(sinter.CacheError, "cannot be used.*SINTER_CACHE"):
            sinter.compile(model("small"), cache=blocked)

    def test_read_only(self):
        self.compiles(1, model("small"), O=2)
        utime = os.utime

        def refuse(*_):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

        os.utime = refuse  # as root may write everywhere
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                self.compiles(0, model("small"), O=2)
        finally:
            os.utime = utime

    def test_full_disk(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

        cache = CACHE / "full"
        environment = os.environ | {"SINTER_CACHE": str(cache)}
        done = subprocess.run([sys.executable, "-c", COMPILE, model("small")], env=environment, preexec_fn=limit, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "SIGXFSZ|File too large")
        self.assertEqual(list((cache / "models").iterdir()), [])
        sinter.compile(model("small"), cache=cache / "models")

    def test_full_disk_of_the_compiler(self):
        """Whose disk it is, with and without a cache; other failures of the system stay what they are."""
        call = _driver.call

        def failing(error):
            def fail(verb, *arguments):
                if verb == "compile":
                    raise error
                return call(verb, *arguments)

            _driver.call = fail

        for options, hint in (({"cache": False}, "TMPDIR"), ({"cache": CACHE / "fuller"}, "SINTER_CACHE")):
            failing(sinter.UsageError(f"libmodel.so: {os.strerror(errno.ENOSPC)}"))
            with self.refused(sinter.CacheError, f"the disk of .* is full.*{hint} names"):
                sinter.compile(model("small"), **options)
            failing(PermissionError(errno.EPERM, "not allowed"))
            with self.assertRaises(PermissionError):
                sinter.compile(model("small").read_bytes(), **options)

    def test_interrupted(self):
        slow = pathlib.Path(CACHE, "slow-c++")
        slow.parent.mkdir(parents=True, exist_ok=True)
        slow.write_text(f"#!/bin/sh\ntouch {CACHE}/begun\nsleep 20\n")
        slow.chmod(0o755)
        cache = CACHE / "interrupted"
        script = "import sinter, sys\nsinter.compile(sys.argv[1], cxx=sys.argv[2], cache=sys.argv[3])"
        child = subprocess.Popen([sys.executable, "-c", script, model("small"), slow, cache], stderr=subprocess.PIPE, text=True)
        for _ in range(200):
            if (CACHE / "begun").exists():
                break
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        start = time.monotonic()
        self.assertIn("KeyboardInterrupt", child.communicate()[1])
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(list(cache.iterdir()), [])

    def test_killed(self):
        """What a run that was killed has left goes with the next one; what another is at stays."""
        slow = pathlib.Path(CACHE, "slower-c++")
        slow.parent.mkdir(parents=True, exist_ok=True)
        slow.write_text(f"#!/bin/sh\ntouch {CACHE}/going\nsleep 5\n")
        slow.chmod(0o755)
        cache, temporary = CACHE / "killed", CACHE / "temporary"
        temporary.mkdir()
        script = "import pathlib, sinter, sys\nsinter.compile(pathlib.Path(sys.argv[1]).read_bytes(), cxx=sys.argv[2], cache={})"
        for folder, place in ((cache, str(cache)), (temporary, False)):
            (CACHE / "going").unlink(missing_ok=True)
            command = [sys.executable, "-c", script.format(repr(place)), model("small"), slow]
            child = subprocess.Popen(command, env=os.environ | {"TMPDIR": str(temporary)})
            while not (CACHE / "going").exists() and child.poll() is None:
                time.sleep(0.05)
            child.kill()
            child.wait()
            left = [path for path in folder.iterdir() if path.is_dir()]
            self.assertTrue(left)
            kept = _folders.Folder(folder, left[0].name[:-12])
            self.assertFalse(left[0].exists())
            again = _folders.Folder(folder, left[0].name[:-12])
            self.assertTrue(kept.path.exists())
            kept.remove()
            again.remove()
        self.compiles(1, model("small"), cache=cache)
        self.assertEqual([path for path in cache.iterdir() if path.name.startswith(".")], [])

    def test_processes_at_once(self):
        environment = os.environ | {"SINTER_CACHE": str(CACHE / "at_once")}
        children = [subprocess.Popen([sys.executable, "-c", COMPILE, model("small")], env=environment) for _ in range(3)]
        self.assertEqual([child.wait() for child in children], [0, 0, 0])
        self.assertEqual(len(list((CACHE / "at_once/models").iterdir())), 2)


if __name__ == "__main__":
    unittest.main()
