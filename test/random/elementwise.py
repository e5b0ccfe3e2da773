# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operators that compute each element for itself: unary, binary with broadcast, comparisons, logic, choices, casts.
from net import FLOATS, INTEGERS, NotPossible, T, is_float, is_integer
import numpy as np
from onnx import helper

BOUNDED = """Abs Neg Relu Sigmoid Tanh Erf Softplus Softsign Elu Celu Selu HardSigmoid HardSwish LeakyRelu ThresholdedRelu Gelu Mish
Sin Cos Atan Floor Ceil Round Sign Identity""".split()
RANGED = {"Exp": (-2, 2), "Sqrt": (0, 4), "Log": (0.1, 4), "Reciprocal": (0.2, 2), "Asin": (-1, 1), "Acos": (-1, 1), "Tan": (-1, 1),
          "Sinh": (-2, 2), "Cosh": (-2, 2), "Asinh": (-2, 2), "Acosh": (1, 3), "Atanh": (-0.9, 0.9)}  # fmt: skip
ALPHA = "Elu Celu LeakyRelu ThresholdedRelu HardSigmoid".split()


def ranged(net, value, low, high):
    """The value within these bounds, by a Clip."""
    if not is_float(value.dtype):
        return value
    kind = helper.tensor_dtype_to_np_dtype(value.dtype)
    return net.add("Clip", [value, net.constant(np.array(low, kind)), net.constant(np.array(high, kind))])


def unary(net):
    op = net.choose(BOUNDED)
    dtypes = INTEGERS if op in ("Abs", "Neg", "Relu", "Sign", "Identity") and net.chance(0.15) else FLOATS
    attributes = {}
    if op in ("Erf", "Gelu"):
        dtypes = [kind for kind in dtypes if kind != T.DOUBLE]  # of which both oracles have the digits of a float
    if op in ALPHA and net.chance(0.7):
        attributes["alpha"] = net.choose([0.01, 0.2, 0.5, 1.0, 1.5])
    if op == "HardSigmoid" and net.chance(0.5):
        attributes["beta"] = net.choose([0.0, 0.5, 0.6])
    if op == "Gelu":
        attributes["approximate"] = net.choose(["none", "tanh"])
    net.add(op, [net.pick(dtypes)], **attributes)


def unary_ranged(net):
    op = net.choose(RANGED)
    value = net.pick(FLOATS)
    net.add(op, [ranged(net, value, *RANGED[op]) if net.chance(0.8) else value])


def pair(net, dtypes):
    """Two values that broadcast."""
    left = net.pick(dtypes)
    right = net.operand(left.dtype, net.broadcast_with(left.shape))
    return [left, right] if net.chance(0.6) else [right, left]


def binary(net):
    op = net.choose(["Add", "Add", "Sub", "Mul", "Mul", "Max", "Min"])
    net.add(op, pair(net, INTEGERS if net.chance(0.15) else FLOATS))


def division(net):
    if net.chance(0.7):
        left = net.pick(FLOATS)
        right = net.operand(left.dtype, net.broadcast_with(left.shape), 0.5, 2, plain=net.chance(0.9))
        net.add("Div", [left, right])
        return
    left = net.pick(INTEGERS)
    right = net.random(left.dtype, net.broadcast_with(left.shape), 1, 5)
    op = net.choose(["Div", "Mod"])
    net.add(op, [left, right], **({"fmod": net.integer(0, 1)} if op == "Mod" else {}))


def power(net):
    left = net.pick(FLOATS)
    exponent = net.choose([2.0, 0.5, 3.0, -1.0, 1.0, 0.0, 1.5])
    kind = helper.tensor_dtype_to_np_dtype(net.choose([left.dtype, left.dtype, T.INT32, T.INT64]))
    net.add("Pow", [ranged(net, left, 0.25, 3) if exponent not in (2.0, 3.0) else left, net.constant(np.array(exponent).astype(kind))])


def variadic(net):
    first = net.pick(FLOATS)
    rest = [net.operand(first.dtype, net.broadcast_with(first.shape)) for _ in range(net.integer(0, 3))]
    net.add(net.choose(["Sum", "Max", "Min", "Mean"]), [first, *rest])


def compare(net):
    op = net.choose("Equal Less Greater LessOrEqual GreaterOrEqual".split())
    net.add(op, pair(net, INTEGERS if net.chance(0.4) else FLOATS))


def logic(net):
    op = net.choose("And Or Xor Not".split())
    net.add(op, [net.pick([T.BOOL])] if op == "Not" else pair(net, [T.BOOL]))


def bits(net):
    op = net.choose("BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitShift".split())
    if op == "BitShift":
        left = net.pick([T.UINT8, T.UINT16, T.UINT32, T.UINT64])
        net.add(op, [left, net.random(left.dtype, net.broadcast_with(left.shape), 0, 7)], direction=net.choose(["LEFT", "RIGHT"]))
    else:
        net.add(op, [net.pick(INTEGERS)] if op == "BitwiseNot" else pair(net, INTEGERS))


def where(net):
    condition = net.pick([T.BOOL])
    left = net.operand(net.choose(FLOATS + INTEGERS), net.broadcast_with(condition.shape))
    right = net.operand(left.dtype, net.broadcast_with(condition.shape if net.chance(0.5) else left.shape))
    net.add("Where", [condition, left, right])


def clip(net):
    value = net.pick(INTEGERS if net.chance(0.2) else FLOATS)
    kind = helper.tensor_dtype_to_np_dtype(value.dtype)
    low, high = net.choose([(0, 6), (0, 1), (0, 3)] if not is_float(value.dtype) else [(-1, 1), (0, 6), (-0.5, 0.25), (1, -1)])
    bounds = [net.constant(np.array(low, kind)), net.constant(np.array(high, kind))]
    net.add("Clip", [value, *net.choose([bounds, bounds, bounds[:1], [None, bounds[1]], []])])


def cast(net):
    value = net.pick(FLOATS + INTEGERS + [T.BOOL])
    to = net.choose(FLOATS + INTEGERS + [T.BOOL])
    if is_float(value.dtype) and is_integer(to):
        signed = to in (T.INT8, T.INT16, T.INT32, T.INT64)
        value = ranged(net, value, -100 if signed else 0, 100)  # what is beyond the type differs by machine
    net.add("Cast", [value], to=to)


def prelu(net):
    value = net.pick(FLOATS, range(1, 5))
    slope = net.broadcast_with(value.shape)
    if np.broadcast_shapes(slope, value.shape) != value.shape:
        raise NotPossible
    net.add("PRelu", [value, net.random(value.dtype, slope)])


def tests_of_floats(net):
    op = net.choose(["IsNaN", "IsInf"])
    net.add(op, [net.pick(FLOATS)])


def rest(net):
    op = net.choose(["Shrink", "Swish", "CastLike", "Dropout"])
    value = net.pick(FLOATS if op != "Shrink" else [T.FLOAT])
    if op == "Shrink":
        net.add(op, [value], bias=net.choose([0.0, 0.5]), lambd=net.choose([0.5, 1.0]))
    elif op == "Swish":
        net.add(op, [value], alpha=net.choose([1.0, 0.5]), shapes=[(value.dtype, value.shape)])
    elif op == "Dropout":
        net.add(op, [value])
    else:
        net.add(op, [value, net.operand(net.choose([T.FLOAT, T.DOUBLE, T.FLOAT16]), (1,))])


MAKERS = [(rest, 1), (unary, 8), (unary_ranged, 4), (binary, 10), (division, 3), (power, 1), (variadic, 2), (compare, 2), (logic, 1), (bits, 1),
          (where, 2), (clip, 2), (cast, 3), (prelu, 1), (tests_of_floats, 0.5)]  # fmt: skip
