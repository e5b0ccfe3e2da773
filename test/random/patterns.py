# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What passes look for, as exporters spell it, and near misses: a value inside that somebody else reads too, operands the other way round,
# a constant of another shape, another axis, a step more.
import numpy as np
from net import NotPossible, T
from onnx import helper
from products import batch_norm, conv, maps, pool


def constant(net, number, rank=0):
    """A number; at times of so many dims that the result has more than the other operand."""
    shape = net.choose([(2, 1, 1, 1, 1), (1,) * 5, (1, 1), (1,)]) if net.chance(0.05) else (1,) * net.choose([0, 0, rank])
    return net.constant(np.full(shape, number, np.float32))


def pair(net, op, left, right):
    return net.add(op, [left, right] if net.chance(0.7) else [right, left])


def read_inside(net, value):
    """A second reader of a value inside a pattern."""
    if net.chance(0.15):
        net.add(net.choose(["Neg", "Relu", "Identity"]), [value])
    return value


def activation(net, value):
    kind = net.choose(["Relu", "Clip", "Sigmoid", "HardSwish", "LeakyRelu", "Swish", "Tanh", "none"])
    if kind == "Clip":
        return net.add("Clip", [value, net.constant(np.float32(0)), net.constant(np.float32(6))])
    if kind == "Swish":
        return pair(net, "Mul", value, net.add("Sigmoid", [value]))
    return value if kind == "none" else net.add(kind, [value])


def conv_block(net):
    """Conv, BatchNormalization, activation; perhaps a factor, a bias, a residual, a second of its kind, a pool."""
    value = conv(net, maps(net))
    for _ in range(net.integer(1, 3)):
        read_inside(net, value)
        step = net.choose(["norm", "norm", "activation", "activation", "factor", "bias", "residual", "conv", "pool", "pad"])
        shape = (1, value.shape[1]) + (1,) * (value.rank - 2)
        if value.dtype != T.FLOAT:
            return
        if step == "norm":
            value = batch_norm(net, value)
        elif step == "activation":
            value = activation(net, value)
        elif step in ("factor", "bias"):
            value = pair(net, "Mul" if step == "factor" else "Add", value, net.random(T.FLOAT, shape if net.chance(0.8) else ()))
        elif step == "residual":
            value = pair(net, "Add", value, net.operand(T.FLOAT, value.shape))
        elif step == "conv":
            value = conv(net, value)
        elif step == "pad":
            value = net.add("Pad", [value, net.numbers(0, 0, *[1] * (value.rank - 2), 0, 0, *[1] * (value.rank - 2))])
        else:
            value = pool(net, value)


def squeeze_excite(net):
    value = maps(net, (4,))
    if value.dtype != T.FLOAT:
        raise NotPossible
    channels = value.shape[1]
    gate = net.add("GlobalAveragePool", [value])
    gate = net.add("Relu", [net.add("Conv", [gate, net.random(T.FLOAT, (2, channels, 1, 1))])])
    gate = net.add(net.choose(["Sigmoid", "HardSigmoid"]), [net.add("Conv", [gate, net.random(T.FLOAT, (channels, 2, 1, 1))])])
    pair(net, "Mul", value, gate)


def attention(net):
    """MatMul, scale, mask, Softmax, MatMul over heads; at times of other types and ranks, or with operands that broadcast."""
    kind = net.choose([T.FLOAT] * 6 + [T.FLOAT16, T.DOUBLE])
    batch, heads, length, width = net.integer(1, 2), net.integer(1, 3), net.integer(1, 6), net.choose([1, 2, 4, 8])
    whole = net.choose([(batch, heads)] * 5 + [(), (heads,), (2, batch, heads)])
    ragged = net.chance(0.15)

    def heads_of(*last):
        return (*(net.choose([1, d]) if ragged else d for d in whole), *last)

    def number(value):
        shape = net.choose([(), (), (1,) * (len(whole) + 2), (1,) * (len(whole) + 3)]) if ragged else ()
        return net.constant(np.full(shape, value).astype(helper.tensor_dtype_to_np_dtype(kind)))

    query, key, value = (net.operand(kind, heads_of(length, width)) for _ in range(3))
    if net.chance(0.3):
        query = pair(net, "Mul", query, number(0.5))
    order = [*range(key.rank - 2), key.rank - 1, key.rank - 2]
    scores = net.add("MatMul", [query, net.add("Transpose", [key], perm=order)])
    if net.chance(0.6):
        scores = net.add(net.choose(["Div", "Mul"]), [read_inside(net, scores), number(2.0)])
    if net.chance(0.5):
        shapes = [(length, length), (*whole[:-1], 1, 1, length), (length, 1), (1,), (), *([(2, *heads_of(1, length))] if ragged else [])]
        scores = pair(net, "Add", scores, net.operand(kind, net.choose(shapes)))
    weights = net.add("Softmax", [scores], axis=-1 if net.chance(0.9) else scores.rank - 2)
    result = net.add("MatMul", [read_inside(net, weights), value])
    if result.rank == 4 and net.chance(0.6):
        net.add("Reshape", [net.add("Transpose", [result], perm=[0, 2, 1, 3]), net.numbers(result.shape[0], length, -1)])


def norm_spelled(net):
    """LayerNormalization, or RMSNormalization, in means and roots."""
    value = net.pick([T.FLOAT], range(2, 5), lambda v: v.size > 0)
    axes = net.numbers(-1 if net.chance(0.8) else value.rank - 1) if net.chance(0.85) else net.numbers(0)
    centred = value
    if net.chance(0.6):
        centred = net.add("Sub", [value, net.add("ReduceMean", [value, axes])])
    square = net.add("Pow", [centred, constant(net, 2.0)]) if net.chance(0.6) else net.add("Mul", [centred, centred])
    mean = net.add("ReduceMean", [square, axes], keepdims=1)
    root = net.add("Sqrt", [pair(net, "Add", read_inside(net, mean), constant(net, 1e-5))])
    result = net.add("Div", [centred, root]) if net.chance(0.7) else pair(net, "Mul", centred, net.add("Reciprocal", [root]))
    if net.chance(0.7):
        shape = value.shape[-1:] if value.shape[-1] > 1 or net.chance(0.5) else (5,)
        result = pair(net, "Mul", result, net.random(T.FLOAT, shape if net.chance(0.8) and not net.symbolic else ()))
    if net.chance(0.5):
        pair(net, "Add", result, net.random(T.FLOAT, (1,)))


def gelu_spelled(net):
    value = net.pick([T.FLOAT], range(1, 5))
    inner = net.add("Div", [value, constant(net, np.sqrt(2))])
    inner = pair(net, "Add", net.add("Erf", [read_inside(net, inner)]), constant(net, 1.0))
    pair(net, "Mul", pair(net, "Mul", value, inner), constant(net, 0.5))


def softmax_spelled(net):
    value = net.pick([T.FLOAT], range(1, 5), lambda v: v.size > 0)
    axis = net.numbers(net.axis(value))
    powers = net.add("Exp", [net.add("Sub", [value, net.add("ReduceMax", [value, axis])])])
    net.add("Div", [powers, net.add("ReduceSum", [read_inside(net, powers), axis])])


def transposes(net):
    """Channels last around an operator, and pairs of transposes."""
    value = maps(net, (4,))
    back = net.choose([[0, 2, 3, 1], [0, 3, 1, 2], [3, 2, 1, 0]])
    value = net.add("Transpose", [value], perm=[0, 3, 1, 2])
    if net.chance(0.7):
        value = net.choose([lambda: activation(net, value), lambda: conv(net, value), lambda: net.add("Concat", [value, value], axis=1)])()
    net.add("Transpose", [value], perm=back)


def channels_split(net):
    """Channels apart, some worked on, together again, perhaps shuffled."""
    value = maps(net, (4,))
    channels = value.shape[1]
    if channels < 2:
        raise NotPossible
    cut = net.integer(1, channels - 1)
    parts = net.add("Split", [value, net.numbers(cut, channels - cut)], 2, axis=1)
    parts = [conv(net, p) if net.chance(0.4) else activation(net, p) for p in parts]
    if parts[0].shape[2:] == parts[1].shape[2:] and parts[0].dtype == parts[1].dtype:
        value = net.add("Concat", parts if net.chance(0.6) else parts[::-1], axis=1)
        if value.shape[1] % 2 == 0 and not net.symbolic:
            n, c, h, w = value.shape
            turned = net.add("Transpose", [net.add("Reshape", [value, net.numbers(n, 2, c // 2, h, w)])], perm=[0, 2, 1, 3, 4])
            net.add("Reshape", [turned, net.numbers(n, c, h, w)])


MAKERS = [(conv_block, 6), (squeeze_excite, 1), (attention, 2), (norm_spelled, 2), (gelu_spelled, 1), (softmax_spelled, 1), (transposes, 2),
          (channels_split, 2)]  # fmt: skip
