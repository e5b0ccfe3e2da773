# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What makers of large nets share: sizes as nets have them, beside the steps of vectors, tiles and blocks; weights that keep numbers near 1;
# functions behind a contraction, also spelled; inputs whose dims may be symbols.
import numpy as np
from net import NotPossible, T
from onnx import helper

WIDTHS = [1, 3, 4, 5, 7, 8, 12, 15, 16, 17, 20, 24, 31, 32, 33, 40, 48, 63, 64, 65, 72, 96, 100, 130, 144]  # channels, features
LARGEST = [192, 256, 257, 300, 384, 512]  # of rows and columns of matrices besides
MOST_WORK = 40_000_000  # multiplications of a contraction: programs for other CPUs run in an emulator


def width(net, most=144):
    return net.choose([w for w in WIDTHS if w <= most])


def length(net, most):
    """Any size up to this; small ones, and those beside multiples of 8, more often."""
    kind = net.integer(0, 3)
    if kind == 0:
        return net.integer(1, min(most, 9))
    if kind == 1:
        return min(most, max(1, 8 * net.integer(1, max(1, most // 8)) + net.integer(-1, 1)))
    return net.integer(1, most)


def check_work(work):
    if work > MOST_WORK:
        raise NotPossible


def scaled(net, dtype, shape, terms):
    """Constants by which sums of so many terms stay as large as a term."""
    most = 1.6 / np.sqrt(max(terms, 1))
    return net.random(dtype, shape, -most, most)


def scalar(net, value, dtype=T.FLOAT):
    return net.constant(np.asarray(value).astype(helper.tensor_dtype_to_np_dtype(dtype)))


def fresh(net, dtype, shape, symbols=(), low=-2.0, high=2.0):
    """An input, of which the dims at `symbols` are symbols where the net has such."""
    value = net.input(dtype, shape, low, high)
    if net.dynamic:
        net.symbols[value.name] = [axis for axis in symbols if net.chance(0.7)]
    return value


def either_order(net, op, a, b):
    return net.add(op, [a, b] if net.chance(0.7) else [b, a])


def sigmoid_times(net, value, factor=None):
    """SiLU, or Gelu's estimate by a sigmoid."""
    inner = value if factor is None else either_order(net, "Mul", value, scalar(net, factor, value.dtype))
    return either_order(net, "Mul", value, net.add("Sigmoid", [inner]))


def gelu_by_erf(net, value):
    kind = value.dtype
    inner = net.add("Div", [value, scalar(net, np.sqrt(2), kind)])
    outer = either_order(net, "Add", net.add("Erf", [inner]), scalar(net, 1, kind))
    if net.chance(0.5):
        return either_order(net, "Mul", either_order(net, "Mul", value, outer), scalar(net, 0.5, kind))
    return either_order(net, "Mul", either_order(net, "Mul", value, scalar(net, 0.5, kind)), outer)


def gelu_by_tanh(net, value):
    kind = value.dtype
    cube = net.add("Pow", [value, scalar(net, 3, kind)]) if net.chance(0.6) else net.add("Mul", [net.add("Mul", [value, value]), value])
    inner = either_order(net, "Add", value, either_order(net, "Mul", cube, scalar(net, 0.044715, kind)))
    inner = net.add("Tanh", [either_order(net, "Mul", inner, scalar(net, np.sqrt(2 / np.pi), kind))])
    return either_order(net, "Mul", either_order(net, "Mul", value, scalar(net, 0.5, kind)), either_order(net, "Add", inner, scalar(net, 1, kind)))


def clipped(net, value):
    low, high = net.choose([(0, 6), (-0.3, 0.7), (-1, 1)])
    return net.add("Clip", [value, scalar(net, low, value.dtype), scalar(net, high, value.dtype)])


def hard_swish_spelled(net, value):
    gate = net.add("Clip", [net.add("Add", [value, scalar(net, 3, value.dtype)]), scalar(net, 0, value.dtype), scalar(net, 6, value.dtype)])
    return net.add("Div", [net.add("Mul", [value, gate]), scalar(net, 6, value.dtype)])


def activated(net, value):
    op = net.choose(["Relu", "Relu", "Relu", "Sigmoid", "Tanh", "HardSwish", "Clip", "SiLU", "Gelu", "gelu by erf", "gelu by tanh", "gelu by sigmoid",
                     "LeakyRelu", "Elu", "Softplus", "Mish", "HardSigmoid", "PRelu", "hard swish spelled"])  # fmt: skip
    spelled = {"Clip": clipped, "SiLU": sigmoid_times, "gelu by erf": gelu_by_erf, "gelu by tanh": gelu_by_tanh, "hard swish spelled": hard_swish_spelled,
               "gelu by sigmoid": lambda net, value: sigmoid_times(net, value, 1.702)}  # fmt: skip
    if op in spelled:
        return spelled[op](net, value)
    if op == "PRelu":
        if value.rank < 2:
            raise NotPossible
        return net.add(op, [value, net.random(value.dtype, (value.shape[1],) + (1,) * (value.rank - 2), 0, 0.5)])
    how = {"approximate": net.choose(["none", "tanh"])} if op == "Gelu" else {"alpha": 0.1} if op == "LeakyRelu" else {}
    return net.add(op, [value], **how)
