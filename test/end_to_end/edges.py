#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# edges.py [--sinter PROGRAM] [--target T]: quantized operators at every edge, against the definition in whole numbers: halves (ties to even), beyond
# both ends of the type, zero points at both ends, sums next to the limits of int32. Scales are powers of two, so that halves are met exactly.
# One model holds all of it. Exits 77 (skipped) where the target's compiler or emulator is not there.
import argparse
import os
import shutil
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

import quantized

TYPES = [np.int8, np.uint8, np.int16, np.uint16]
BYTES = [np.int8, np.uint8]


def ends(dtype):
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def step(value, zero, dtype):
    """value: halves and quarters that doubles hold exactly."""
    return np.clip(np.rint(value) + zero, *ends(dtype)).astype(dtype)


class Model:
    def __init__(self):
        self.nodes, self.constants, self.inputs, self.outputs = [], [], [], []

    def constant(self, value):
        self.constants.append(numpy_helper.from_array(np.asarray(value), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def input(self, value):
        self.inputs.append((f"x{len(self.inputs)}", value))
        return self.inputs[-1][0]

    def expect(self, what, op, operands, expected, **attributes):
        name = f"y{len(self.outputs)}"
        self.nodes.append(helper.make_node(op, operands, [name], **attributes))
        self.outputs.append((name, what, expected))

    def proto(self):
        def info(name, value):
            return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)

        graph = helper.make_graph(self.nodes, "edges", [info(*x) for x in self.inputs], [info(n, e) for n, _, e in self.outputs], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def quantize(model):
    for dtype in TYPES:
        low, high = ends(dtype)
        middles = np.arange(low - 300, high + 300) if np.dtype(dtype).itemsize == 1 else np.r_[low - 9 : low + 9, -9:9, high - 9 : high + 9]
        halves = np.r_[middles, middles + 0.5, middles + 0.25, middles - 0.25]
        beyond = np.array([1e6, -1e6, 3e9, -3e9, 1e20, -1e20, 3e38, -3e38, np.inf, -np.inf])
        for zero in {low, high, (low + high) // 2 + 1}:
            x = np.r_[(halves - zero) * 0.125, beyond].astype(np.float32)
            model.expect(f"QuantizeLinear to {dtype.__name__}, zero {zero}", "QuantizeLinear",
                         [model.input(x), model.constant(np.float32(0.125)), model.constant(dtype(zero))], step(x.astype(np.float64) * 8, zero, dtype))
            every = np.arange(low, high + 1).astype(dtype) if high - low < 256 else np.array([low, low + 1, zero, high - 1, high]).astype(dtype)
            model.expect(f"DequantizeLinear of {dtype.__name__}, zero {zero}", "DequantizeLinear",
                         [model.input(every), model.constant(np.float32(0.375)), model.constant(dtype(zero))],
                         (every.astype(np.float32) - np.float32(zero)) * np.float32(0.375))


def products(model):
    for a_type in BYTES:
        for b_type in BYTES:
            for a_zero, b_zero in zip(ends(a_type), ends(b_type)):
                # As large as sums get: every factor 255, or -255. 33025 of them stay below 2^31.
                a_far = ends(a_type)[1] if a_zero == ends(a_type)[0] else ends(a_type)[0]
                b = np.tile(np.array([[ends(b_type)[0], ends(b_type)[1], b_zero, ends(b_type)[1] // 2]]), (33025, 1)).astype(b_type)
                b[:5, 3] = [1, 2, 3, 4, 5]
                a = np.full((1, 33025), a_far).astype(a_type)
                sums = (a.astype(np.int64) - a_zero) @ (b.astype(np.int64) - b_zero)
                assert np.abs(sums).max() < 2**31 and np.abs(sums).max() > 2**31 - 2**17
                what = f"{a_type.__name__} x {b_type.__name__}, zeros {a_zero} and {b_zero}"
                zeros = model.constant(a_type(a_zero)), model.constant(b_type(b_zero))
                model.expect(f"MatMulInteger {what}, sums at the limit", "MatMulInteger", [model.input(a), model.constant(b), *zeros], sums.astype(np.int32))
                rows = np.arange(256).reshape(64, 4)
                few = (rows + ends(a_type)[0]).astype(a_type)
                small = np.array([[1, -1], [2, 3], [0, 1], [-3, 2]]) + (b_zero if ends(b_type)[0] + 3 < b_zero < ends(b_type)[1] - 3 else ends(b_type)[0] + 100)
                small = small.astype(b_type)
                inner = (few.astype(np.int64) - a_zero) @ (small.astype(np.int64) - b_zero)
                for y_type in BYTES:
                    for y_zero in ends(y_type):
                        one = np.float32(2.0**-9)  # 1/2 x 1/4 / 64
                        model.expect(f"QLinearMatMul {what} to {y_type.__name__}, zero {y_zero}", "QLinearMatMul",
                                     [model.input(few), model.constant(np.float32(0.5)), zeros[0], model.constant(small), model.constant(np.float32(0.25)), zeros[1],
                                      model.constant(np.float32(64)), model.constant(y_type(y_zero))], step(inner * float(one), y_zero, y_type))


def convolutions(model):
    rng = np.random.default_rng(5)
    for x_type in BYTES:
        for x_zero in ends(x_type):
            x = rng.integers(*ends(x_type), (1, 3, 6, 5), endpoint=True).astype(x_type)
            x[0, 0], x[0, 1, ::2] = ends(x_type)
            w = rng.integers(-128, 127, (4, 3, 3, 3), endpoint=True).astype(np.int8)
            w[0], w[1] = 127, -128
            bias = np.array([2**30, -(2**30), 7, -64], np.int32)
            padded = np.pad(x.astype(np.int64) - x_zero, ((0, 0), (0, 0), (1, 1), (1, 1)))
            windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
            sums = np.einsum("nchwij,kcij->nkhw", windows, w.astype(np.int64)) + bias.reshape(1, 4, 1, 1)
            assert np.abs(sums).max() < 2**31
            scales = np.array([2.0**-24, 2.0**-24, 2.0**-9, 2.0**-10], np.float32)
            for y_zero in ends(x_type):
                value = np.float32(sums).astype(np.float64) * scales.reshape(1, 4, 1, 1)
                model.expect(f"QLinearConv of {x_type.__name__}, zeros {x_zero} and {y_zero}", "QLinearConv",
                             [model.input(x), model.constant(np.float32(1)), model.constant(x_type(x_zero)), model.constant(w), model.constant(scales),
                              model.constant(np.zeros(4, np.int8)), model.constant(np.float32(1)), model.constant(x_type(y_zero)), model.constant(bias)],
                             step(value, y_zero, x_type), pads=[1, 1, 1, 1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--target")
    arguments = parser.parse_args()
    cxx, runner = quantized.compiler_of(arguments.target)
    if any(shutil.which(program) is None for program in [cxx, *runner[:1]]):
        print(f"skipped: {cxx} or {runner[:1]} is not there")
        return 77
    model = Model()
    for fill in (quantize, products, convolutions):
        fill(model)
    proto = model.proto()
    onnx.checker.check_model(proto)
    with tempfile.TemporaryDirectory() as folder:
        values = [value for _, value in model.inputs]
        program = quantized.Program(arguments, proto, os.path.join(folder, "net"), values, [expected for _, _, expected in model.outputs])
        outputs = program.run(values)
        program.close()
    bad = 0
    for (_, what, expected), actual in zip(model.outputs, outputs):
        if not np.array_equal(actual, expected):
            at = tuple(int(i) for i in np.argwhere(actual != expected)[0])
            print(f"{what}: {int((actual != expected).sum())} of {expected.size} differ; element {at} is {actual[at]} instead of {expected[at]}")
            bad += 1
    print(f"{len(outputs)} results, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
