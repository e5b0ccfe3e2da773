# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sequences, maps and optionals: lists, dicts and None; and their parts, as the C ABI has them."""
import unittest

import numpy as np
import sinter
import sinter.onnxruntime as ort
from case import Case, model

A, B = np.array([1, 2], np.float32), np.array([3], np.float32)


def listed(sequence):
    return [array.tolist() for array in sequence]


class Structures(Case):
    def test_sequence(self):
        net = sinter.compile(model("sequence"), dims={"x:count": (0, 3), "x:0": (0, 2)})
        made = net(x=[A, B], i=1)
        self.assertEqual((made.y.tolist(), listed(made.z)), ([3], [[1, 2], [3], [3]]))
        parts = {tensor.name: np.zeros(tensor.largest, tensor.dtype) for tensor in net.inputs}
        parts["x.elements"][0, :1] = 7
        parts["x.dims"][0] = 1
        parts["x.count"][...] = 1
        self.assertEqual(listed(net.run(parts)["z"]), [[7], [7]])
        for wrong, message in (
            ([A] * 4, "at most 3, one of 4"),
            (None, "no optional"),
            ([np.zeros(3, np.float32)], "element 0: float32.3. was given, there is room for"),
            ([A, A.astype(np.float64)], "float64"),
            (A, "a list of arrays is expected, ndarray"),
        ):
            with self.refused(sinter.InputError, message):
                net(x=wrong, i=0)
        with self.refused(sinter.InputError, "'x' is missing"):
            net(i=0)

    def test_optional(self):
        net = sinter.compile(model("optional"))
        there, same = net(x=A)
        self.assertEqual((bool(there), same.tolist()), (True, [1, 2]))
        there, same = net(x=None)
        self.assertEqual((bool(there), same), (False, None))
        with self.refused(sinter.InputError, "x"):
            net(x=B)

    def test_map(self):
        net = sinter.compile(model("map"), dims={"x:count": (0, 3)})
        self.assertEqual(net(x={0: 5.0, 3: -1.0}).tolist(), [[5, 0, 0, -1]])
        for wrong, message in (({0: 1, 1: 1, 2: 1, 3: 1}, "at most 3"), ([1], "a dict is expected"), ({"a": 1.0}, "map of int64 to float32")):
            with self.refused(sinter.InputError, message):
                net(x=wrong)

    def test_onnxruntime(self):
        session = ort.InferenceSession(model("sequence"))
        self.assertEqual([arg.type for arg in session.get_inputs()], ["seq(tensor(float))", "tensor(int64)"])
        y, z = session.run(None, {"x": [A, B, A], "i": np.int64(2)})
        self.assertEqual((y.tolist(), len(z)), ([1, 2], 4))


if __name__ == "__main__":
    unittest.main()
