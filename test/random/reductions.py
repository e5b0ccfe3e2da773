# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operators over axes: reductions, softmax, running sums, the greatest; and recurrent nets, which are reductions over time.
from net import FLOATS, NotPossible, T
import numpy as np

SUMMED = [T.FLOAT] * 8 + [T.DOUBLE, T.FLOAT16, T.INT32, T.INT64]


def reduce(net):
    op = net.choose("ReduceSum ReduceSum ReduceMean ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSumExp".split())
    # A product of many may pass through numbers so small that they have few digits, in one order of its factors and not in another.
    most = 16 if op == "ReduceProd" else 1 << 20
    value = net.pick(FLOATS if op == "ReduceLogSumExp" else SUMMED, range(7), lambda v: 0 < v.size <= most or op == "ReduceSum")
    axes = net.rng.sample(range(value.rank), net.integer(0, value.rank))
    axes = [a - value.rank if net.chance(0.3) else a for a in axes]
    operands = [value, net.numbers(*axes)] if axes or net.chance(0.5) else [value]
    how = {"noop_with_empty_axes": 1} if net.chance(0.1) else {}
    net.add(op, operands, keepdims=net.integer(0, 1), **how)


def softmax(net):
    value = net.pick(FLOATS, range(1, 6), lambda v: v.size > 0)
    net.add(net.choose(["Softmax", "Softmax", "LogSoftmax", "Hardmax"]), [value], axis=net.axis(value))


def arg(net):
    value = net.pick([T.FLOAT, T.FLOAT, T.INT32, T.UINT8], range(1, 6), lambda v: v.size > 0)
    how = {"select_last_index": net.integer(0, 1)} if net.chance(0.4) else {}
    net.add(net.choose(["ArgMax", "ArgMin"]), [value], axis=net.axis(value), keepdims=net.integer(0, 1), **how)


def top_k(net):
    value = net.pick([T.FLOAT, T.FLOAT, T.INT64], range(1, 5), lambda v: v.size > 0)
    axis = net.axis(value)
    most = 1 if net.symbolic else value.shape[axis]
    net.add("TopK", [value, net.numbers(net.integer(1, most))], 2, axis=axis, largest=net.integer(0, 1))


def cum_sum(net):
    value = net.pick([T.FLOAT, T.FLOAT, T.DOUBLE, T.INT32, T.INT64], range(1, 5))
    axis = net.constant(np.array(net.axis(value), net.choose([np.int32, np.int64])))
    net.add("CumSum", [value, axis], exclusive=net.integer(0, 1), reverse=net.integer(0, 1))


def recurrent(net):
    """LSTM, GRU, RNN: directions, lengths, initial states, outputs left out."""
    op, gates = net.choose([("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    direction = net.choose(["forward", "reverse", "bidirectional"])
    d = 2 if direction == "bidirectional" else 1
    value = net.pick([T.FLOAT], 3, lambda v: 0 < v.size <= 512 and v.shape[0] <= 8)
    steps, batch, width = value.shape
    hidden = net.integer(1, 5)
    operands = [value, net.random(T.FLOAT, (d, gates * hidden, width), -0.7, 0.7), net.random(T.FLOAT, (d, gates * hidden, hidden), -0.7, 0.7)]
    operands.append(net.random(T.FLOAT, (d, (2 if op != "RNN" else 2) * gates * hidden)) if net.chance(0.6) else None)
    fixed = not (net.symbolic and 6 in value.shape)
    operands.append(net.operand(T.INT32, (batch,), 1, steps, plain=True) if net.chance(0.2) and fixed else None)
    operands.append(net.operand(T.FLOAT, (d, batch, hidden)) if net.chance(0.4) and fixed else None)
    if op == "LSTM":
        operands.append(net.operand(T.FLOAT, (d, batch, hidden)) if net.chance(0.4) and fixed else None)
        operands.append(net.random(T.FLOAT, (d, 3 * hidden)) if net.chance(0.2) else None)
    while operands[-1] is None:
        operands.pop()
    how = {"hidden_size": hidden, "direction": direction if direction != "forward" or net.chance(0.5) else None}
    if op == "GRU":
        how["linear_before_reset"] = net.integer(0, 1)
    if op == "RNN" and net.chance(0.3):
        how["activations"] = [net.choose(["Tanh", "Relu", "Sigmoid"])] * d
    if net.chance(0.1):
        how["clip"] = 0.5
    outputs = 3 if op == "LSTM" else 2
    absent = set(i for i in range(outputs) if net.chance(0.3))
    if len(absent) == outputs:
        raise NotPossible
    net.add(op, operands, outputs, absent=absent, **how)


def losses(net):
    rows, classes = net.integer(1, 5), net.integer(1, 5)
    scores, labels = net.operand(T.FLOAT, (rows, classes)), net.operand(T.INT64, (rows,), 0, classes - 1, plain=True)
    weights = [net.random(T.FLOAT, (classes,), 0.5, 2)] if net.chance(0.4) else []
    reduction = net.choose(["none", "mean", "sum"])
    if net.chance(0.5):
        net.add("NegativeLogLikelihoodLoss", [scores, labels, *weights], reduction=reduction)
    else:
        net.add("SoftmaxCrossEntropyLoss", [scores, labels, *weights], reduction=reduction)


def whole(net):
    """Of whole tensors or matrices."""
    op = net.choose(["Det", "Size", "MeanVarianceNormalization", "ReduceLogSum"])
    if op == "Det":
        size = net.integer(1, 4)
        net.add(op, [net.operand(T.FLOAT, (*net.choose([(), (2,), (1, 3)]), size, size))])
    elif op == "MeanVarianceNormalization":
        value = net.pick([T.FLOAT], 4, lambda v: v.size > 8)
        net.add(op, [value], shapes=[(value.dtype, value.shape)])
    elif op == "ReduceLogSum":
        value = net.pick([T.FLOAT], range(1, 5), lambda v: v.size > 0)
        net.add(op, [net.add("Exp", [net.add("Tanh", [value])]), net.numbers(net.axis(value))], keepdims=net.integer(0, 1))
    else:
        net.add(op, [net.pick([T.FLOAT, T.INT64, T.BOOL])])


MAKERS = [(losses, 0.5), (whole, 1), (reduce, 6), (softmax, 3), (arg, 1), (top_k, 1), (cum_sum, 1), (recurrent, 2)]
