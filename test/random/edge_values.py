# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Numbers at the edge of what a type holds, through operators of which the standard says what becomes of them: NaN, infinities, zeros below zero,
# the greatest and the least; integers that wrap.
import numpy as np
from net import FLOATS, INTEGERS, NotPossible, T, is_float
from onnx import helper

UNARY = """Abs Neg Relu Sigmoid Tanh Erf Softplus Softsign Elu Celu Selu HardSigmoid HardSwish LeakyRelu ThresholdedRelu Exp Log Sqrt Reciprocal
Floor Ceil Round Sign IsNaN IsInf Sin Cos Atan Identity""".split()
REDUCTIONS = "ReduceMax ReduceMin ReduceSum ReduceMean ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSumExp ReduceLogSum".split()


def edge(net, dtype, shape, share=0.4, without=()):
    """Constants or an input, of which some are at the edge."""
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    draw = np.random.default_rng(net.rng.getrandbits(32))
    if is_float(dtype):
        info = np.finfo(kind) if dtype != T.BFLOAT16 else np.finfo(np.float32)
        edges = [v for v in (np.nan, np.inf, -np.inf, -0.0, 0.0, float(info.max) / 2, 0.5, -0.5, 1.5, -2.5) if not any(v == w or (v != v and w != w) for w in without)]
        values = draw.uniform(-4, 4, shape)
    else:
        info = np.iinfo(kind)
        edges = [v for v in (info.min, info.min + 1, info.max, info.max - 1, 0, 1, -1) if info.min <= v and v not in without]
        values = draw.integers(max(info.min, -9), 9, shape).astype(object)
    picked = np.array(edges, values.dtype)[draw.integers(0, len(edges), shape)]
    values = np.where(draw.random(shape) < share, picked, values)
    for bad in without:
        values = np.where(values == bad, 1, values)
    return net.constant(np.asarray(values).astype(kind), share=False)


def start(net, dtypes, ranks=(1, 2, 3), **how):
    """Behind an operator at times, so that nobody folds it."""
    value = edge(net, net.choose(dtypes), [net.integer(1, 17)] + [net.integer(1, 5) for _ in range(net.choose(ranks) - 1)], **how)
    return hidden(net, value)


def hidden(net, value):
    """The same elements, which only a call knows: picked by an input that is true."""
    if net.chance(0.2):
        return value
    rows = net.input(T.INT64, (value.shape[0],), 0, value.shape[0] - 1)
    return net.add("Gather", [value, rows], axis=0)


def seen(net, value):
    """Whether a zero is below zero shows in what it divides."""
    if is_float(value.dtype) and net.chance(0.3):
        net.add("Reciprocal", [value])


def unary(net):
    value, op = start(net, FLOATS), net.choose(UNARY)
    how = {"alpha": net.choose([0.0, 0.5, 1.5])} if op in ("Elu", "Celu", "LeakyRelu", "ThresholdedRelu", "HardSigmoid") and net.chance(0.5) else {}
    if op == "Celu" and how.get("alpha") == 0.0:
        raise NotPossible
    if op == "IsInf":
        how = {"detect_negative": net.integer(0, 1), "detect_positive": net.integer(0, 1)}
    seen(net, net.add(op, [value], **how))


def binary(net):
    op = net.choose("Add Sub Mul Div Max Min Max Min Equal Less Greater LessOrEqual GreaterOrEqual Pow PRelu Mod".split())
    left = start(net, FLOATS)
    finite = (np.nan, np.inf, -np.inf) if op == "PRelu" else ()  # which the reference evaluator multiplies by 0
    right = edge(net, left.dtype, net.choose([left.shape, left.shape[-1:], ()]), without=finite)
    how = {"fmod": 1} if op == "Mod" else {}
    seen(net, net.add(op, [left, right] if op == "PRelu" or net.chance(0.5) or op in ("Pow",) else [right, left], **how))


def clip(net):
    value = start(net, FLOATS if net.chance(0.6) else INTEGERS)
    kind = helper.tensor_dtype_to_np_dtype(value.dtype)
    low, high = (net.choose([0, 1]), net.choose([2, 5])) if not is_float(value.dtype) else net.choose([(-1, 1), (0, 6), (-np.inf, 1), (0, np.inf), (1, -1), (-0.0, 1)])
    bounds = [net.constant(np.array(low, kind)), net.constant(np.array(high, kind))]
    seen(net, net.add("Clip", [value, *net.choose([bounds, bounds[:1], [None, bounds[1]]])]))


def reduced(net):
    op = net.choose(REDUCTIONS)
    value = start(net, FLOATS)
    axes = [net.numbers(*net.rng.sample(range(value.rank), net.integer(1, value.rank)))]
    seen(net, net.add(op, [value, *axes], keepdims=net.integer(0, 1)))


def empty(net):
    """Of no elements: what the operation begins with."""
    shape = [net.integer(0, 3) for _ in range(net.integer(1, 4))]
    shape[net.integer(0, len(shape) - 1)] = 0
    value = net.input(net.choose([T.FLOAT, T.DOUBLE, T.FLOAT16, T.INT32, T.INT64]), shape)
    axes = net.rng.sample(range(len(shape)), net.integer(1, len(shape)))
    op = net.choose("ReduceSum ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSumExp ReduceLogSum".split())
    net.add(op, [value, net.numbers(*axes)], keepdims=net.integer(0, 1))


def rows(net):
    """Softmax, also of rows that are nothing but infinities; products; the greatest; running sums."""
    value = start(net, FLOATS, share=net.choose([0.1, 0.4]))
    op = net.choose(["Softmax", "LogSoftmax", "Softmax", "CumSum", "MatMul", "ArgMax", "TopK", "LayerNormalization", "Transpose", "Where", "MaxPool"])
    if op == "CumSum":
        seen(net, net.add(op, [value, net.constant(np.array(net.axis(value)))], exclusive=net.integer(0, 1), reverse=net.integer(0, 1)))
    elif op == "MatMul":
        net.add(op, [value, net.random(value.dtype, (value.shape[-1], net.integer(1, 9)))])
    elif op == "ArgMax":
        net.add(net.choose(["ArgMax", "ArgMin"]), [value], axis=net.axis(value), select_last_index=net.integer(0, 1))
    elif op == "TopK":
        net.add(op, [value, net.numbers(1)], 2, axis=-1, largest=net.integer(0, 1))
    elif op == "LayerNormalization":
        net.add(op, [value, net.random(value.dtype, value.shape[-1:])], axis=-1)
    elif op == "Transpose":
        seen(net, net.add(op, [value]))
    elif op == "Where":
        seen(net, net.add(op, [net.input(T.BOOL, value.shape), value, edge(net, value.dtype, ())]))
    elif op == "MaxPool":
        one = net.add("Unsqueeze", [value, net.numbers(*range(3 - min(value.rank, 3)))]) if value.rank < 3 else value
        pooled(net, one)
    else:
        net.add(op, [value], axis=net.axis(value))


def pooled(net, value):
    op = net.choose(["MaxPool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool"])
    net.add(op, [value], **({"kernel_shape": [net.integer(1, value.shape[2])]} if not op.startswith("Global") else {}))


def wrapped(net):
    """Integers whose results are beyond their type."""
    op = net.choose("Add Sub Mul Abs Neg Max Min Div Mod Equal Less Sign ReduceSum ReduceProd ReduceL1 ReduceSumSquare ReduceMax CumSum BitShift Pow ArgMax Sum".split())
    value = start(net, INTEGERS)
    if op in ("Abs", "Neg", "Sign"):
        net.add(op, [value])
    elif op.startswith("Reduce"):
        net.add(op, [value, net.numbers(net.axis(value))], keepdims=net.integer(0, 1))
    elif op == "CumSum":
        net.add(op, [value, net.constant(np.array(net.axis(value)))], exclusive=net.integer(0, 1), reverse=net.integer(0, 1))
    elif op == "BitShift":
        bits = np.dtype(helper.tensor_dtype_to_np_dtype(value.dtype)).itemsize * 8
        net.add(op, [value, net.random(value.dtype, value.shape, 0, bits - 1)], direction=net.choose(["LEFT", "RIGHT"]))
    elif op == "Pow":
        net.add(op, [value, net.random(value.dtype, value.shape[-1:], 0, 5)])
    elif op == "ArgMax":
        net.add(net.choose(["ArgMax", "ArgMin"]), [value], axis=net.axis(value))
    elif op in ("Div", "Mod"):  # a divisor of 0, and the least by -1, stop onnxruntime
        net.add(op, [value, edge(net, value.dtype, net.choose([value.shape, ()]), without=(0, -1))])
    else:
        net.add(op, [value, edge(net, value.dtype, net.choose([value.shape, value.shape[-1:], ()]))])


def cast(net):
    """Between floats, and integers that wrap."""
    if net.chance(0.5):
        value = start(net, FLOATS)
        net.add("Cast", [value], to=net.choose([T.FLOAT, T.DOUBLE, T.FLOAT16, T.BFLOAT16, T.BOOL]))
        return
    value = start(net, INTEGERS)
    net.add("Cast", [value], to=net.choose(INTEGERS + FLOATS + [T.BOOL]))


MAKERS = [(unary, 6), (binary, 6), (clip, 2), (reduced, 3), (empty, 1), (rows, 4), (wrapped, 5), (cast, 3)]
