# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Nets for text and signals over time: blocks of transformers as exporters write them, with masks, rotations, shared heads and all spellings;
# recurrent layers of odd sizes, one behind the other.
import numpy as np
from large.parts import activated, check_work, either_order, fresh, gelu_by_erf, gelu_by_tanh, length, scaled, scalar, sigmoid_times, width
from net import NotPossible, T


def linear(net, value, columns, bias=None):
    inner = value.shape[-1]
    check_work(value.size * columns)
    result = net.add("MatMul", [value, scaled(net, value.dtype, (inner, columns), inner)])
    if net.chance(0.7) if bias is None else bias:
        result = either_order(net, "Add", result, net.random(value.dtype, (columns,)))
    return result


def layer_norm(net, value):
    """LayerNormalization or its like without the mean, as a node or in its formula."""
    kind, shape = value.dtype, value.shape[-1:]
    form = net.choose(["node", "node", "spelled", "root mean square", "root mean square, spelled"])
    if value.shape[-1] < 4:
        raise NotPossible
    if form == "node" and net.opset >= 17:
        operands = [value, net.random(kind, shape)] + ([net.random(kind, shape)] if net.chance(0.7) else [])
        return net.add("LayerNormalization", operands, axis=-1, epsilon=net.choose([None, 1e-6]))
    if form == "root mean square" and net.opset >= 23:
        return net.add("RMSNormalization", [value, net.random(kind, shape)], axis=-1)
    if net.opset < 18:
        raise NotPossible
    centred = net.add("Sub", [value, net.add("ReduceMean", [value, net.numbers(-1)])]) if form == "spelled" else value
    square = net.add("Mul", [centred, centred]) if net.chance(0.5) else net.add("Pow", [centred, scalar(net, 2, kind)])
    root = net.add("Sqrt", [either_order(net, "Add", net.add("ReduceMean", [square, net.numbers(-1)]), scalar(net, 1e-5, kind))])
    result = net.add("Div", [centred, root]) if net.chance(0.5) else either_order(net, "Mul", centred, net.add("Reciprocal", [root]))
    result = either_order(net, "Mul", result, net.random(kind, shape))
    return either_order(net, "Add", result, net.random(kind, shape)) if form == "spelled" else result


def heads_of(net, value, heads):
    """[batch, length, heads x size] -> [batch, heads, length, size]"""
    size = value.shape[-1] // heads
    shape = [0, -1, heads, size] if net.chance(0.5) or net.dynamic else [value.shape[0], value.shape[1], heads, size]
    return net.add("Transpose", [net.add("Reshape", [value, net.numbers(*shape)])], perm=[0, 2, 1, 3])


def rotated(net, value):
    """Rotary places: halves, or pairs, by sines and cosines."""
    size = value.shape[-1]
    if size % 2 or net.dynamic:
        return value
    if net.opset >= 23 and net.chance(0.4):
        tables = [net.random(T.FLOAT, (value.shape[0], value.shape[2], size // 2)) for _ in range(2)]
        return net.add("RotaryEmbedding", [value, *tables], interleaved=net.integer(0, 1))
    cosines, sines = (net.random(T.FLOAT, (value.shape[2], size), -1, 1) for _ in range(2))
    if net.chance(0.5):
        left, right = net.add("Split", [value, net.numbers(size // 2, size // 2)], 2, axis=3)
    else:
        left = net.add("Slice", [value, net.numbers(0), net.numbers(size // 2), net.numbers(3)])
        right = net.add("Slice", [value, net.numbers(size // 2), net.numbers(1 << 40), net.numbers(3)])
    turned = net.add("Concat", [net.add("Neg", [right]), left], axis=3)
    return either_order(net, "Add", net.add("Mul", [value, cosines]), net.add("Mul", [turned, sines]))


def masked(net, scores, batch, rows, columns):
    form = net.choose(["none", "none", "sum", "where", "triangle", "places"])
    if form == "none" or net.dynamic:
        return scores
    if form == "sum":
        shape = net.choose([(rows, columns), (batch, 1, 1, columns), (batch, 1, rows, columns)])
        return either_order(net, "Add", scores, fresh(net, T.FLOAT, shape, low=-9.0, high=0.0))
    if form == "where":
        return net.add("Where", [fresh(net, T.BOOL, net.choose([(rows, columns), (batch, 1, 1, columns)])), scores, scalar(net, -1e4)])
    if form == "triangle":
        return either_order(net, "Add", scores, net.constant(np.triu(np.full((rows, columns), -1e4, np.float32), 1 + max(0, columns - rows))))
    return either_order(net, "Add", scores, net.random(T.FLOAT, (1, scores.shape[1], rows, columns)))


def attention(net, value, memory=None):
    batch, rows, features = value.shape
    memory = memory or value
    columns = memory.shape[1]
    size = net.choose([4, 7, 8, 16, 24, 32, 33, 64, 80])
    heads = net.choose([1, 2, 3, 4, 8])
    groups = net.choose([g for g in (1, 1, 1, 2, 4) if heads % g == 0])
    check_work(batch * heads * rows * columns * size)
    if memory is value and net.chance(0.4):  # one product for all three
        sizes = [heads * size, heads // groups * size, heads // groups * size]
        query, key, values = net.add("Split", [linear(net, value, sum(sizes)), net.numbers(*sizes)], 3, axis=2)
    else:
        query = linear(net, value, heads * size)
        key, values = (linear(net, memory, heads // groups * size) for _ in range(2))
    if net.opset >= 23 and net.chance(0.4):
        result = net.add("Attention", [query, key, values], q_num_heads=heads, kv_num_heads=heads // groups,
                         is_causal=net.integer(0, 1) if rows == columns else 0)  # fmt: skip
        return linear(net, result, features)
    query, key, values = heads_of(net, query, heads), heads_of(net, key, heads // groups), heads_of(net, values, heads // groups)
    if net.chance(0.3):
        query, key = rotated(net, query), rotated(net, key)
    if groups > 1:
        if net.dynamic:
            raise NotPossible

        def shared(value):
            few = net.add("Unsqueeze", [value, net.numbers(2)])
            many = net.add("Expand", [few, net.numbers(batch, heads // groups, groups, columns, size)])
            return net.add("Reshape", [many, net.numbers(batch, heads, columns, size)])

        key, values = shared(key), shared(values)
    scale = scalar(net, 1 / np.sqrt(size))
    if net.chance(0.3):
        query = either_order(net, "Mul", query, scale)
    scores = net.add("MatMul", [query, net.add("Transpose", [key], perm=[0, 1, 3, 2])])
    scores = either_order(net, "Mul", scores, scale) if net.chance(0.5) else net.add("Div", [scores, scalar(net, np.sqrt(size))])
    weights = net.add("Softmax", [masked(net, scores, batch, rows, columns)], axis=-1)
    result = net.add("Transpose", [net.add("MatMul", [weights, values])], perm=[0, 2, 1, 3])
    result = net.add("Reshape", [result, net.numbers(0, -1 if net.dynamic else rows, heads * size)])
    return linear(net, result, features)


def feed_forward(net, value):
    features, inside = value.shape[-1], net.choose([16, 33, 64, 100, 128, 256])
    if net.chance(0.3):  # one half is the other's gate
        gate = sigmoid_times(net, linear(net, value, inside)) if net.chance(0.7) else gelu_by_erf(net, linear(net, value, inside))
        return linear(net, either_order(net, "Mul", gate, linear(net, value, inside)), features)
    hidden = linear(net, value, inside)
    hidden = net.choose([gelu_by_erf, gelu_by_tanh, activated, sigmoid_times])(net, hidden)
    return linear(net, hidden, features)


def transformer(net):
    batch, rows, features = net.choose([1, 1, 2, 3]), length(net, 70), net.choose([8, 16, 30, 32, 33, 48, 64, 96, 128])
    if net.chance(0.25):
        places = net.input(T.INT64, (batch, rows), 0, 49)
        value = net.add("Gather", [net.random(T.FLOAT, (50, features)), places])
        value = either_order(net, "Add", value, net.random(T.FLOAT, (rows, features))) if not net.dynamic else value
    else:
        value = fresh(net, T.FLOAT, (batch, rows, features), (0, 1))
    memory = fresh(net, T.FLOAT, (batch, length(net, 70), features)) if net.chance(0.2) and not net.dynamic else None
    for _ in range(net.integer(1, 2)):
        for part in (lambda v: attention(net, v, memory), lambda v: feed_forward(net, v)):
            before = net.chance(0.6)
            inner = part(layer_norm(net, value) if before else value)
            value = either_order(net, "Add", value, inner)
            value = value if before else layer_norm(net, value)
    if net.chance(0.4):
        last = net.add("Gather", [value, scalar(net, net.choose([0, -1]), T.INT64)], axis=1)
        linear(net, last, net.choose([2, 50, 101]))


def recurrent_layer(net, value, may_have_lengths):
    """[steps, batch, features] -> the same of other features."""
    op, gates = net.choose([("LSTM", 4), ("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    direction = net.choose(["forward", "reverse", "bidirectional"])
    d = 2 if direction == "bidirectional" else 1
    steps, batch, features = value.shape
    hidden = width(net, 80)
    check_work(steps * batch * d * gates * hidden * (features + hidden))
    operands = [value, scaled(net, T.FLOAT, (d, gates * hidden, features), features), scaled(net, T.FLOAT, (d, gates * hidden, hidden), hidden),
                net.random(T.FLOAT, (d, 2 * gates * hidden), -0.5, 0.5) if net.chance(0.8) else None,
                net.input(T.INT32, (batch,), 1, steps) if may_have_lengths and net.chance(0.15) else None]  # fmt: skip
    for _ in range(2 if op == "LSTM" else 1):
        operands.append(fresh(net, T.FLOAT, (d, batch, hidden)) if net.chance(0.3) and not net.dynamic else None)
    if op == "LSTM":
        operands.append(net.random(T.FLOAT, (d, 3 * hidden)) if net.chance(0.15) else None)
    while operands[-1] is None:
        operands.pop()
    how = {"linear_before_reset": net.integer(0, 1)} if op == "GRU" else {}
    results = net.add(op, operands, 2, hidden_size=hidden, direction=direction, absent=(1,) if net.chance(0.6) else (), **how)
    turned = net.add("Transpose", [results[0]], perm=[0, 2, 1, 3])
    return net.add("Reshape", [turned, net.numbers(0, 0, d * hidden)])


def recurrent(net):
    shape = (length(net, 24), net.choose([1, 1, 2, 3, 5, 8]), width(net, 100))
    value = fresh(net, T.FLOAT, shape, (0, 1))
    if net.chance(0.3) and not net.dynamic:  # as a convolution gives it: channels before time
        value = net.add("Transpose", [fresh(net, T.FLOAT, (shape[1], shape[2], shape[0]))], perm=[2, 0, 1])
    for _ in range(net.integer(1, 3)):
        value = recurrent_layer(net, value, not net.dynamic)
        if net.chance(0.3):
            value = activated(net, linear(net, value, width(net, 64)))
    if net.chance(0.5):
        net.add("Softmax", [linear(net, value, net.choose([5, 29, 97]))], axis=-1)


MAKERS = [(transformer, 5), (recurrent, 3)]
