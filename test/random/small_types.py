# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Integers of 4 bits and floats of 8, which are only held: weights that are dequantized, values that are rounded to them.
import numpy as np
from net import NotPossible, T
from onnx import helper

INTEGERS = {T.INT4: (-8, 7), T.UINT4: (0, 15)}
FLOATS = [T.FLOAT8E4M3FN, T.FLOAT8E5M2, T.FLOAT8E4M3FNUZ, T.FLOAT8E5M2FNUZ]


def supported(net, kind):
    if net.opset < (21 if kind in INTEGERS else 19):
        raise NotPossible
    return kind


def held(net, kind, shape):
    draw = np.random.default_rng(net.rng.getrandbits(32))
    if kind in INTEGERS:
        low, high = INTEGERS[kind]
        return net.constant(draw.integers(low, high, shape, endpoint=True).astype(helper.tensor_dtype_to_np_dtype(kind)), share=False)
    return net.constant(draw.uniform(-2, 2, shape).astype(helper.tensor_dtype_to_np_dtype(kind)), share=False)


def dequantized(net, kind, shape):
    """The weights as floats: one scale, one for each row, or one for each block."""
    draw = np.random.default_rng(net.rng.getrandbits(32))
    how = net.choose(["one", "rows", "blocks"])
    scales, attributes = {"one": ((), {}), "rows": (shape[:1], {"axis": 0}), "blocks": ((shape[0], -(-shape[1] // 4)), {"axis": 1, "block_size": 4})}[how]
    operands = [held(net, kind, shape), net.constant(np.asarray(draw.uniform(0.02, 0.1, scales), np.float32))]
    if kind in INTEGERS and net.chance(0.5):
        operands.append(held(net, kind, scales))
    return net.add("DequantizeLinear", operands, **attributes)


def product(net):
    value = net.pick([T.FLOAT], range(2, 4), lambda v: v.size > 0 and not net.symbolic)
    rows, columns = net.integer(1, 3) * 4, value.shape[-1]
    weights = dequantized(net, supported(net, net.choose(list(INTEGERS) * 3 + FLOATS)), (rows, columns))
    net.add("MatMul", [value, net.add("Transpose", [weights], perm=[1, 0])])


def rounded(net):
    """A value through one of the types, by QuantizeLinear or by Cast."""
    value = net.pick([T.FLOAT], range(1, 5), lambda v: v.size > 0)
    kind = supported(net, net.choose(list(INTEGERS) + FLOATS))
    if kind in FLOATS and net.chance(0.5):
        net.add("Cast", [net.add("Cast", [value], to=kind, saturate=net.integer(0, 1))], to=T.FLOAT)
        return
    scale = net.constant(np.float32(net.choose([0.05, 0.25])))
    zero = held(net, kind, ()) if kind in INTEGERS else net.constant(np.zeros((), helper.tensor_dtype_to_np_dtype(kind)))
    net.add("DequantizeLinear", [net.add("QuantizeLinear", [value, scale, zero]), scale, zero])


MAKERS = [(product, 2), (rounded, 2)]
