# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Products of matrices of 1 to several hundred rows and columns, by constants and by each other: batches, broadcasts, transposed and sliced
# operands, what is done to their rows behind.
import numpy as np
from large.parts import LARGEST, WIDTHS, activated, check_work, either_order, fresh, length, scaled, scalar
from net import NotPossible, T

KINDS = [T.FLOAT] * 8 + [T.FLOAT16, T.DOUBLE, T.BFLOAT16]


def size(net):
    kind = net.integer(0, 5)
    return 1 if kind == 0 else net.choose(WIDTHS + LARGEST) if kind < 4 else length(net, 300)


def turned(net, value):
    """The value as the transpose of another of these elements."""
    perm = [*range(value.rank - 2), value.rank - 1, value.rank - 2]
    return net.add("Transpose", [value], perm=perm)


def source(net, kind, shape, symbols=()):
    """An input of this shape, or a view of a larger or turned one: operands whose elements lie apart."""
    form = net.integer(0, 7)
    if form == 0 and len(shape) > 1:
        return turned(net, fresh(net, kind, (*shape[:-2], shape[-1], shape[-2])))
    if form == 1:
        step, axis = net.choose([1, 2]), net.integer(0, len(shape) - 1)
        first = net.integer(0, 3)
        wide = list(shape)
        wide[axis] = first + step * shape[axis] + net.integer(0, 2)
        if np.prod(wide) > 200000:
            raise NotPossible
        value = fresh(net, kind, wide)
        return net.add("Slice", [value, net.numbers(first), net.numbers(first + step * (shape[axis] - 1) + 1), net.numbers(axis), net.numbers(step)])
    if form == 2 and len(shape) == 3:
        return net.add("Transpose", [fresh(net, kind, (shape[1], shape[0], shape[2]))], perm=[1, 0, 2])
    return fresh(net, kind, shape, symbols)


def behind(net, value):
    """What stands behind a product."""
    columns = value.shape[-1]
    for _ in range(net.choose([0, 1, 1, 2])):
        form = net.choose(["bias", "bias", "activation", "activation", "scale", "residual", "softmax", "norm", "transpose", "slice", "sum", "reshape", "split"])
        if form == "bias":
            value = either_order(net, "Add", value, net.random(value.dtype, (columns,)))
        elif form == "activation":
            value = activated(net, value)
        elif form == "scale":
            value = either_order(net, "Mul", value, net.random(value.dtype, net.choose([(), (columns,), (1,)])))
        elif form == "residual":
            value = either_order(net, "Add", value, value if net.dynamic else fresh(net, value.dtype, value.shape))
        elif form == "softmax":
            value = net.add("Softmax", [value], axis=net.choose([-1, -1, -1, 0]))
        elif form == "norm" and value.dtype == T.FLOAT and columns > 3 and net.opset >= 17:
            value = net.add("LayerNormalization", [value, net.random(T.FLOAT, (columns,))], axis=-1)
        elif form == "transpose" and value.rank > 1:
            return turned(net, value)
        elif form == "slice" and columns > 2:
            return net.add("Slice", [value, net.numbers(1), net.numbers(columns), net.numbers(-1), net.numbers(net.choose([1, 2, 3]))])
        elif form == "sum" and net.opset >= 18:
            return net.add(net.choose(["ReduceSum", "ReduceMax", "ReduceMean", "ReduceL2"]), [value, net.numbers(net.choose([-1, 0]))], keepdims=net.integer(0, 1))
        elif form == "reshape" and not net.dynamic:
            return net.add("Reshape", [value, net.numbers(-1, value.shape[-2] if value.rank > 1 else 1)])
        elif form == "split" and columns > 2:
            cut = net.integer(1, columns - 1)
            for part in net.add("Split", [value, net.numbers(cut, columns - cut)], 2, axis=value.rank - 1):
                value = activated(net, part)
            return value
    return value


def matmul(net):
    rows, inner, columns = size(net), size(net), size(net)
    kind, batch = net.choose(KINDS), net.choose([(), (), (), (2,), (3,), (2, 3), (5,)])
    check_work(rows * inner * columns * int(np.prod(batch, dtype=np.int64)))
    left = source(net, kind, (*batch, rows, inner), range(len(batch) + 1))
    form = net.choose(["constant"] * 4 + ["input", "broadcast", "vector", "constant turned"])
    if form == "constant":
        right = scaled(net, kind, (inner, columns), inner)
    elif form == "constant turned":
        right = turned(net, scaled(net, kind, (columns, inner), inner))
    elif form == "vector":
        right = scaled(net, kind, (inner,), inner)
    elif form == "broadcast":
        right = source(net, kind, (*(net.choose([1, d]) for d in batch), inner, columns))
    else:
        right = source(net, kind, ((*batch, inner, columns) if not net.dynamic else (inner, columns)))
    behind(net, net.add("MatMul", [left, right]))


def gemm(net):
    rows, inner, columns = size(net), size(net), size(net)
    check_work(rows * inner * columns)
    kind, flip_a, flip_b = net.choose(KINDS), net.integer(0, 1), net.integer(0, 1)
    a = source(net, kind, (inner, rows) if flip_a else (rows, inner), (flip_a,))
    shape = (columns, inner) if flip_b else (inner, columns)
    operands = [a, scaled(net, kind, shape, inner) if net.chance(0.75) else source(net, kind, shape)]
    if net.chance(0.75):
        operands.append(net.random(kind, net.choose([(columns,), (columns,), (1, columns), (1,), ()] + ([] if net.dynamic else [(rows, columns), (rows, 1)]))))
    behind(net, net.add("Gemm", operands, transA=flip_a, transB=flip_b, alpha=net.choose([None, None, 0.5]), beta=net.choose([None, None, 0.5])))


def perceptron(net):
    """Layer behind layer, as of a classifier of features; with a sum around some."""
    rows, features = net.choose([1, 1, 2, 7, 16, 33]), size(net)
    value = fresh(net, T.FLOAT, (rows, features), (0,))
    for _ in range(net.integer(2, 5)):
        before, columns = value, net.choose([value.shape[-1], size(net)])
        check_work(rows * value.shape[-1] * columns)
        weights = scaled(net, T.FLOAT, (value.shape[-1], columns), value.shape[-1])
        value = net.add("Gemm", [value, weights, net.random(T.FLOAT, (columns,))]) if net.chance(0.5) else net.add("MatMul", [value, weights])
        value = activated(net, value) if net.chance(0.8) else value
        if before.shape == value.shape and net.chance(0.5):
            value = either_order(net, "Add", value, before)
    behind(net, value)


def einsum(net):
    equation, words = net.choose([("bij,bjk->bik", "bij bjk"), ("bhid,bhjd->bhij", "bhid bhjd"), ("bhij,bhjd->bihd", "bhij bhjd"), ("ij,jk->ki", "ij jk"),
                                  ("bihd,bjhd->bhij", "bihd bjhd"), ("ij,kj->ik", "ij kj"), ("bic,cd->bid", "bic cd"), ("ijk,ilk->jl", "ijk ilk")])  # fmt: skip
    sizes = {letter: net.integer(1, 3) if letter in "bh" else min(size(net), 100) for letter in "bhijkdcl"}
    check_work(int(np.prod([sizes[letter] for letter in set(equation) if letter in sizes], dtype=np.int64)))
    behind(net, net.add("Einsum", [fresh(net, T.FLOAT, [sizes[letter] for letter in word]) for word in words.split()], equation=equation))


def rows(net):
    """Sums, norms, softmax, orders and cumulated sums of long rows and columns."""
    shape = [net.choose([1, 2, 3]), length(net, 60), size(net)][-net.integer(2, 3) :]
    kind, axis = net.choose([T.FLOAT] * 4 + [T.FLOAT16]), net.choose([-1, -1, -1, 0, len(shape) - 2])
    op = net.choose(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2", "ReduceLogSumExp", "ReduceProd", "Softmax", "LogSoftmax", "ArgMax", "TopK", "CumSum",
                     "norm", "standardized", "Hardmax"])  # fmt: skip
    value = fresh(net, kind, shape, range(len(shape) - (op == "norm")))  # a norm's factors are as many as a row has elements
    if op.startswith("Reduce"):
        axes = [axis] if net.chance(0.6) else [-1, -2]
        if op == "ReduceProd":
            value = net.add("Tanh", [value])
        if net.opset < 18:
            raise NotPossible
        net.add(op, [value, net.numbers(*axes)], keepdims=net.integer(0, 1))
    elif op in ("Softmax", "LogSoftmax", "Hardmax", "ArgMax"):
        net.add(op, [value], axis=axis)
    elif op == "TopK":
        if net.dynamic:
            raise NotPossible
        _, places = net.add(op, [value, net.numbers(net.integer(1, value.shape[axis]))], 2, axis=axis)
        net.read.add(places.name)  # no output: ties have no order
    elif op == "CumSum":
        net.add(op, [value, scalar(net, axis, T.INT64)], exclusive=net.integer(0, 1), reverse=net.integer(0, 1))
    elif op == "norm":
        if net.opset < 17 or value.shape[-1] < 4:
            raise NotPossible
        net.add("LayerNormalization", [value, net.random(value.dtype, value.shape[-1:]), net.random(value.dtype, value.shape[-1:])], axis=-1)
    else:
        if net.opset < 18 or value.dtype != T.FLOAT or value.shape[axis] < 4:
            raise NotPossible
        centred = net.add("Sub", [value, net.add("ReduceMean", [value, net.numbers(axis)])])
        deviation = net.add("Sqrt", [net.add("ReduceMean", [net.add("Mul", [centred, centred]), net.numbers(axis)])])
        net.add("Div", [centred, either_order(net, "Add", deviation, scalar(net, 1e-3))])


MAKERS = [(matmul, 6), (gemm, 3), (perceptron, 3), (einsum, 2), (rows, 4)]
