# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls: sizes, types, order in memory, arrays for outputs, threads, and what is wrong with arrays that do not fit."""
import array
import copy
import pickle
import threading
import time
import unittest

from case import Case, model, with_more_packages

with_more_packages()  # ml_dtypes
import ml_dtypes
import numpy as np
import sinter
from sinter import _dlpack

RANDOM = np.random.default_rng(0)


def floats(*shape):
    return RANDOM.standard_normal(shape, np.float32)


class OnlyArray:
    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None, copy=None):
        return self.value


class OnlyDlpack:
    def __init__(self, value):
        self.value = value

    def __dlpack__(self, **options):
        return self.value.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.value.__dlpack_device__()


class Calls(Case):
    @classmethod
    def setUpClass(cls):
        cls.small = sinter.compile(model("small"))
        cls.sizes = sinter.compile(model("sizes"), dims={"n": (1, 8), "m": (0, 3)})
        cls.types = sinter.compile(model("types"))

    def test_forms(self):
        x = floats(1, 4)
        y = np.maximum(x, 0)
        for given in (x, OnlyArray(x), OnlyDlpack(x), x.tolist(), memoryview(x), np.asfortranarray(x), x.astype(">f4"), np.repeat(x, 2, 1)[:, ::2]):
            np.testing.assert_array_equal(self.small(x=given), y)
        np.testing.assert_array_equal(self.small(x), y)
        np.testing.assert_array_equal(self.small.run({"x": x})["y"], y)
        unaligned = np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(np.float32).reshape(1, 4)
        np.testing.assert_array_equal(self.small(unaligned), y)
        x.flags.writeable = False
        np.testing.assert_array_equal(self.small(x), y)
        with self.refused(sinter.InputError, "'x'.*float64"):
            self.small(x=array.array("d", [1, 2, 3, 4]))

    def test_sizes(self):
        for n in (1, 5, 8):
            for m in (0, 3):
                x, z = floats(n, 4), floats(n, m)
                made = self.sizes(x=x, z=z)
                np.testing.assert_array_equal(made.y, np.maximum(x, 0))
                np.testing.assert_array_equal(made["joined"], np.concatenate([x, z], 1))
                np.testing.assert_array_equal(made[2], np.argwhere(x))
        self.assertEqual(str(self.sizes.inputs[1]), "float32[n,m]")
        self.assertEqual(dict(self.sizes.dims), {"n": (1, 8), "m": (0, 3)})

    def test_types(self):
        given = {
            "b": [True, False, True],
            "f": np.full((2, 2), 1.5, np.float16),
            "i": [1, 2**40],
            "s": np.array(["a", "\u00fc"]),
            "bf": np.full(2, 0.5, ml_dtypes.bfloat16),
            "d": [1.5],
            "u": [1, 2, 3, 200],
            "q": np.array([-8, 7, 1, -1, 3], ml_dtypes.int4),
        }
        made = self.types(**given)
        expected = {"not_b": [False, True, False], "f2": np.full((2, 2), 3), "i2": [2, 2**41], "ss": ["aa", "\u00fc\u00fc"], "s1": ["a", "\u00fc"]}
        expected |= {"bf2": [1, 1], "d2": [3], "u2": [2, 4, 6, 144], "q1": given["q"]}
        for name, array_ in made.items():
            np.testing.assert_array_equal(array_, expected[name])
        self.assertEqual([str(made[name].dtype) for name in ("not_b", "f2", "bf2", "q1")], ["bool", "float16", "bfloat16", "int4"])
        for name, wrong in {"u": [1, 300], "i": [1.5, 2], "s": [1, 2], "bf": np.ones(2, np.float32), "b": [1, 0, 1]}.items():
            with self.refused(sinter.InputError, f"input '{name}' is "):
                self.types(**given | {name: wrong})

    def test_tensors_of_types_that_numpy_lacks(self):
        """As torch gives them: numpy takes neither their __array__ nor their __dlpack__. Here a capsule of uint16, said to be bfloat16."""
        halves = np.array([[0.5, 9], [-2, 9]], ml_dtypes.bfloat16)[:, 0]

        class Bfloat16(OnlyDlpack):
            def __dlpack__(self, **options):
                if options:
                    raise BufferError("numpy does not know the type")
                capsule = self.value.__dlpack__()
                tensor = _dlpack._Tensor.from_address(_dlpack._pointer_of(capsule, b"dltensor"))
                tensor.code = 4
                return capsule

        given = {"b": [True] * 3, "f": np.ones((2, 2), np.float16), "i": [1, 2], "s": ["a", "b"], "d": [1.5], "u": [1, 2, 3, 4]}
        given["q"] = np.zeros(5, ml_dtypes.int4)
        made = self.types(**given, bf=Bfloat16(halves.view(np.uint16)))
        self.assertEqual(made.bf2.dtype, ml_dtypes.bfloat16)
        np.testing.assert_array_equal(made.bf2, np.array([1, -4], ml_dtypes.bfloat16))
        with self.refused(sinter.InputError, "input 'f' is float16.2,2., bfloat16.2. was given"):
            self.types(**given | {"f": Bfloat16(halves.view(np.uint16))}, bf=halves)

    def test_outputs_of_types_that_numpy_lacks(self):
        """Go to other packages, and into arrays and other packages' tensors, where they lie."""
        given = {"b": [True] * 3, "f": np.ones((2, 2), np.float16), "i": [1, 2], "s": ["a", "b"], "d": [1.5], "u": [1, 2, 3, 4]}
        given |= {"bf": np.array([1, -4], ml_dtypes.bfloat16), "q": np.array([-8, 7, 1, -1, 3], ml_dtypes.int4)}
        made = self.types(**given)
        doubled = self.types(**given | {"bf": OnlyDlpack(made.bf2)})
        np.testing.assert_array_equal(doubled.bf2, np.array([4, -16], ml_dtypes.bfloat16))
        shared = _dlpack.writable(OnlyDlpack(made.bf2))
        shared[0] = 9
        self.assertEqual(float(made.bf2[0]), 9)
        with self.refused(BufferError, "int4 lies in memory.*astype"):
            made.q1.__dlpack__()
        self.assertEqual(np.from_dlpack(made.bf2.astype(np.float32)).tolist(), [9, -8])

        expected = {"bf2": [2, -8], "q1": [-8, 7, 1, -1, 3]}
        for name, kinds in {"bf2": (ml_dtypes.bfloat16, np.uint16), "q1": (ml_dtypes.int4, np.uint8)}.items():
            for kind in kinds:
                out = np.zeros(len(expected[name]), kind)
                self.assertIs(self.types.run(given, out={name: out})[name], out)
                self.assertEqual(out.view(kinds[0]).astype(np.int32).tolist(), expected[name])
        out = np.zeros(2, ml_dtypes.bfloat16).view(_dlpack.Exported)
        tensors = {"bf2": OnlyDlpack(out), "d2": OnlyDlpack(np.zeros(1))}
        run = self.types.run(given, out=tensors)
        self.assertTrue(all(run[name] is tensor for name, tensor in tensors.items()))
        self.assertEqual(out.astype(np.int32).tolist(), [2, -8])
        self.assertEqual(tensors["d2"].value.tolist(), [3])
        locked = np.zeros(2, ml_dtypes.bfloat16)
        locked.flags.writeable = False
        for name, wrong, message in (
            ("bf2", np.zeros(2, np.int16), "'bf2' is bfloat16.2., int16.2. was given"),
            ("bf2", np.zeros(4, ml_dtypes.bfloat16)[::2], "strides"),
            ("bf2", locked, "read-only"),
            ("bf2", OnlyDlpack(locked.view(_dlpack.Exported)), "read-only"),
            ("bf2", given["bf"].view(np.uint16), "overlaps"),
            ("q1", np.zeros((5, 1), ml_dtypes.int4), "int4.5,1. was given"),
            ("ss", np.zeros(2, object), "made by the call alone"),
        ):
            with self.refused(sinter.InputError, message):
                self.types.run(given, out={name: wrong})

    def test_refusals(self):
        x = floats(1, 4)
        for given, message in (
            ({}, "'x' is missing; it is float32.1,4."),
            ({"xx": x}, "no input 'xx'; inputs are 'x'"),
            ({"x": x, "xx": x}, "no input 'xx'"),
            ({"x": x[0]}, r"'x' is float32.1,4., one of .4. was given: it has 1 dims, not 2"),
            ({"x": floats(1, 5)}, "dim 1 is 5, not 4"),
            ({"x": x.astype(np.float64)}, "'x' is float32.1,4., float64.1,4. was given.*astype"),
            ({"x": "text"}, "'x' is float32"),
            ({"x": object()}, "'x' is float32.1,4., a object was given, which is no array"),
            ({"x": None}, "a NoneType was given"),
            ({"x": x.astype(complex)}, r"complex128.1,4. was given: the type differs$"),
            ({"x": np.ma.array(x, mask=[[False, True, False, False]])}, r"'x': 1 of 4 elements are masked.*x\.filled"),
        ):
            with self.refused(sinter.InputError, message):
                self.small(**given)
        for inputs in (None, [x], x):
            with self.refused(sinter.InputError, "inputs come in a dict by their names, not in a"):
                self.small.run(inputs)
        with self.refused(sinter.InputError, "outputs come as a list of names, not as 'y'"):
            self.small.run({"x": x}, "y")
        for copied in (copy.deepcopy, pickle.dumps):
            with self.refused(sinter.UsageError, "the model is not copied.*in the cache"):
                copied(self.small)
        with self.refused(sinter.InputError, "2 inputs were given"):
            self.small(x, x)
        with self.refused(sinter.InputError, "'n', is 9, outside of 1..8"):
            self.sizes(x=floats(9, 4), z=floats(9, 1))
        with self.refused(sinter.InputError, "'n', is 2, and 3 in input 'x'"):
            self.sizes(x=floats(3, 4), z=floats(2, 1))

    def test_masked_arrays_of_which_nothing_is_masked(self):
        x = floats(1, 4)
        for masked in (np.ma.array(x), np.ma.array(x, mask=np.zeros_like(x, bool))):
            np.testing.assert_array_equal(self.small(masked), np.maximum(x, 0))

    def test_outputs(self):
        x, out = floats(1, 4), np.empty((1, 4), np.float32)
        self.assertIs(self.small.run({"x": x}, out={"y": out})["y"], out)
        np.testing.assert_array_equal(out, np.maximum(x, 0))
        read_only = out.copy()
        read_only.flags.writeable = False
        for wrong, message in (
            (np.empty((1, 4)), "'y' is float32.1,4., float64.1,4. was given"),
            (np.empty((4,), np.float32), "float32.4. was given"),
            (read_only, "read-only"),
            (np.empty((1, 8), np.float32)[:, ::2], "strides"),
            ([1, 2, 3, 4], "list was given.*DLPack"),
            (np.ma.array(out), "MaskedArray was given"),
            (x, "overlaps"),
        ):
            with self.refused(sinter.InputError, message):
                self.small.run({"x": x}, out={"y": wrong})
        with self.refused(sinter.InputError, "size that only the call knows"):
            self.sizes.run({"x": x, "z": x[:, :1]}, out={"where": out})
        for wanted in ({"outputs": ["z"]}, {"out": {"z": out}}, {"out": {"y": out, "z": out}}):
            with self.refused(sinter.InputError, "no output 'z'; outputs are 'y'"):
                self.small.run({"x": x}, **wanted)

    def test_dicts_that_change_meanwhile(self):
        class Clearing:
            """What Python makes an array of, while nothing else holds it."""

            def __init__(self, holder):
                self.holder = holder

            def __array__(self, dtype=None, copy=None):
                self.holder.clear()
                return np.ones((1, 4), np.float32)

        feeds = {}
        feeds["x"] = Clearing(feeds)
        with self.refused(sinter.InputError, "input 'x' is missing"):  # one was taken, none is there
            self.small.run(feeds)
        feeds = {"x": floats(1, 4)}
        self.small.run(feeds)
        self.assertEqual(list(feeds), ["x"])

    def test_data_out_of_range(self):
        with self.refused(sinter.CallError, "status 5: index out of range") as caught:
            sinter.compile(model("index"))(x=floats(4), i=[0, 9])
        self.assertEqual(caught.exception.status, 5)

    def test_memory(self):
        x, z = floats(5, 4), floats(5, 2)
        for options in ({"io_in_arena": True}, {"weights": "file"}, {"ram": {"fast": "64", "slow": "64K"}}):
            made = sinter.compile(model("sizes"), dims={"n": (1, 8), "m": (0, 3)}, **options)(x=x, z=z)
            np.testing.assert_array_equal(made.joined, np.concatenate([x, z], 1))
            np.testing.assert_array_equal(made.where, np.argwhere(x))

    def test_threads(self):
        shared = sinter.compile(model("products"), threads=2)
        alone = sinter.compile(model("products"))
        xs = [floats(64, 64) for _ in range(4)]
        expected = [alone(x) for x in xs]
        wrong = []

        def work(i):
            for _ in range(50):
                for net in (shared, alone):
                    if not np.array_equal(net(xs[i]), expected[i]):
                        wrong.append(i)

        workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])

    def test_time_of_a_call(self):
        x, best = floats(1, 4), 1.0
        for _ in range(2000):
            start = time.perf_counter()
            for _ in range(20):
                self.small(x=x)
            best = min(best, (time.perf_counter() - start) / 20)
        print(f"a call takes {best * 1e6:.2f} us")
        self.assertLess(best, 3e-6)


if __name__ == "__main__":
    unittest.main()
