# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sequences and optionals whose lengths are known, which leave nothing but tensors; and strings.
import numpy as np
import onnx
from net import FLOATS, INTEGERS, NotPossible, T
from onnx import helper


TAKEN = [dtype for dtype in FLOATS + INTEGERS if dtype != T.BFLOAT16]


def made(net, op, inputs, **attributes):
    """Adds a node whose result is a sequence; its name."""
    if not onnx.defs.has(op, net.opset, ""):
        raise NotPossible
    name = net.name("q")
    net.nodes.append(helper.make_node(op, [i if isinstance(i, str) else i.name for i in inputs], [name], **attributes))
    net.read.update(i.name for i in inputs if not isinstance(i, str))
    return name


def taken(net, op, inputs, dtype, shape, **attributes):
    """Adds a node that takes a sequence and makes a tensor."""
    from net import Value

    value = Value(made(net, op, inputs, **attributes), dtype, shape)
    net.values.append(value)
    return value


def position(net, length):
    at = net.integer(0, length - 1)
    return at, net.constant(np.array(at - length if net.chance(0.4) else at, np.int64))


def construct(net):
    """SequenceConstruct, then inserted, erased, joined, counted, picked."""
    first = net.pick(TAKEN, range(1, 4), lambda v: not net.symbolic)
    parts = [first] + [net.operand(first.dtype, first.shape) for _ in range(net.integer(0, 3))]
    sequence, count = made(net, "SequenceConstruct", parts), len(parts)
    if net.chance(0.4):
        sequence, count = made(net, "SequenceInsert", [sequence, net.operand(first.dtype, first.shape), position(net, count)[1]]), count + 1
    if net.chance(0.3) and count > 1:
        sequence, count = made(net, "SequenceErase", [sequence, position(net, count)[1]]), count - 1
    finish(net, sequence, first, count)


def finish(net, sequence, like, count):
    how = net.choose(["at", "join", "stack", "length"])
    if how == "at":
        taken(net, "SequenceAt", [sequence, position(net, count)[1]], like.dtype, like.shape)
    elif how == "length":
        taken(net, "SequenceLength", [sequence], T.INT64, ())
    elif how == "stack":
        axis = net.integer(0, like.rank)
        taken(net, "ConcatFromSequence", [sequence], like.dtype, (*like.shape[:axis], count, *like.shape[axis:]), axis=axis, new_axis=1)
    else:
        axis = net.integer(0, like.rank - 1)
        shape = list(like.shape)
        shape[axis] *= count
        taken(net, "ConcatFromSequence", [sequence], like.dtype, tuple(shape), axis=axis)


def split(net):
    value = net.pick([T.FLOAT, T.FLOAT, T.INT64, T.INT32], range(1, 4), lambda v: v.size > 0 and not net.symbolic)
    axis = net.integer(0, value.rank - 1)
    size = net.choose([d for d in range(1, value.shape[axis] + 1) if value.shape[axis] % d == 0])
    shape = list(value.shape)
    shape[axis] = size
    sequence = made(net, "SplitToSequence", [value, net.constant(np.array(size, np.int64))], axis=axis)
    taken(net, "SequenceAt", [sequence, position(net, value.shape[axis] // size)[1]], value.dtype, tuple(shape))


def optional(net):
    value = net.pick(TAKEN, range(4), lambda v: not net.symbolic)
    held = made(net, "Optional", [value])
    if net.chance(0.7):
        taken(net, "OptionalGetElement", [held], value.dtype, value.shape)
    else:
        taken(net, "OptionalHasElement", [held], T.BOOL, ())


def strings(net):
    if net.symbolic:
        raise NotPossible
    value = net.pick([T.STRING], range(1, 4), lambda v: v.size > 0, fresh=0.4)
    op = net.choose(["Equal", "Gather", "Reshape", "Transpose", "Concat", "Where", "Tile", "Slice", "Expand"])
    if op == "Equal":
        net.add(op, [value, net.operand(T.STRING, net.broadcast_with(value.shape))])
    elif op == "Gather":
        # Of the last axis: onnxruntime copies one string of each row that it picks.
        net.add(op, [value, net.random(T.INT64, (2,), 0, value.shape[-1] - 1)], axis=-1)
    elif op == "Reshape":
        net.add(op, [value, net.numbers(-1)])
    elif op == "Concat":
        net.add(op, [value, net.operand(T.STRING, value.shape)], axis=0)
    elif op == "Where":
        net.add(op, [net.operand(T.BOOL, value.shape), value, net.operand(T.STRING, value.shape)])
    elif op == "Tile":
        net.add(op, [value, net.numbers(*[net.integer(1, 2) for _ in value.shape])])
    elif op == "Slice":
        net.add(op, [value, net.numbers(0), net.numbers(net.integer(1, 4))])
    elif op == "Expand":
        net.add(op, [value, net.numbers(2, *value.shape)])
    else:
        net.add(op, [value])


MAKERS = [(construct, 4), (split, 2), (optional, 1), (strings, 3)]
