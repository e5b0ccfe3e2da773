# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operators whose results have as many elements as the data says, and what makes a known shape of these again: a sum, the greatest, a number
# of elements; SequenceMap, whose body runs for each part.
import numpy as np
from net import NotPossible, T
from onnx import helper
from sequences import made, taken

ANYWHERE = 0  # stands for a size that nobody knows


def unknown(net, op, inputs, shapes, **attributes):
    """Results of which some have unknown sizes: nobody picks them."""
    results = net.add(op, inputs, len(shapes), shapes=shapes, **attributes)
    results = [results] if len(shapes) == 1 else results
    for value in results:
        if ANYWHERE in value.shape:
            net.values.remove(value)
    return results


def exact(net, dtype, rank):
    """Integers, some of them equal, whatever their type: a rounding more or less would be another size."""
    if net.symbolic:
        raise NotPossible
    shape = [max(net.dim(), 1) for _ in range(rank)]
    value = net.operand(T.INT64, shape, -2, 2, plain=True)
    return value if dtype == T.INT64 else net.add("Cast", [value], to=dtype)


def total(net, value, axes, shape):
    """The sum over the dims of unknown size."""
    net.add("ReduceSum", [value, net.numbers(*axes)], keepdims=0, shapes=[(value.dtype, shape)])


def non_zero(net):
    value = exact(net, net.choose([T.FLOAT, T.INT64, T.INT32, T.BOOL]), net.integer(1, 4))
    places = unknown(net, "NonZero", [value], [(T.INT64, (value.rank, ANYWHERE))])[0]
    if net.chance(0.5):
        total(net, places, [1], (value.rank,))
    else:
        net.add("Size", [places], shapes=[(T.INT64, ())])


def unique(net):
    value = exact(net, net.choose([T.FLOAT, T.INT64, T.DOUBLE]), net.integer(1, 3))
    axis = net.integer(0, value.rank - 1) if net.chance(0.5) else None
    parts = value.size if axis is None else value.shape[axis]
    shape = (ANYWHERE,) if axis is None else (*value.shape[:axis], ANYWHERE, *value.shape[axis + 1 :])
    several = (T.INT64, (ANYWHERE,))
    results = unknown(net, "Unique", [value], [(value.dtype, shape), several, (T.INT64, (parts,)), several], axis=axis, sorted=1)
    net.add("Size", [results[0]], shapes=[(T.INT64, ())])
    net.add("ReduceMax", [results[3]], keepdims=0, shapes=[(T.INT64, ())])
    total(net, results[1], [0], ())


def suppression(net):
    if net.symbolic:
        raise NotPossible
    batches, boxes, classes = net.integer(1, 2), net.integer(1, 6), net.integer(1, 3)
    corners = np.random.default_rng(net.rng.getrandbits(32)).uniform(0, 6, (batches, boxes, 2, 2))
    corners = np.concatenate([corners.min(2), corners.max(2)], 2).astype(np.float32)
    scores = net.operand(T.FLOAT, (batches, classes, boxes), 0, 1, plain=True)
    limits = [net.constant(np.array(net.integer(1, 4), np.int64)), net.constant(np.array(net.choose([0.1, 0.5, 0.9]), np.float32)),
              net.constant(np.array(net.choose([0.0, 0.3, 0.7]), np.float32))]  # fmt: skip
    total(net, unknown(net, "NonMaxSuppression", [net.constant(corners), scores, *limits], [(T.INT64, (ANYWHERE, 3))])[0], [0], (3,))


def sequence_map(net):
    """A body for each part of a sequence, stacked again."""
    if net.opset < 17 or net.symbolic or net.outer is not None:
        raise NotPossible
    value = net.pick([T.FLOAT], range(1, 4))
    parts = [value] + [net.operand(value.dtype, value.shape) for _ in range(net.integer(0, 2))]
    one, result = net.name("q"), net.name("q")
    body = helper.make_graph([helper.make_node(net.choose(["Neg", "Abs", "Relu", "Exp"]), [one], [result])], "each",
                             [helper.make_tensor_value_info(one, T.FLOAT, value.shape)], [helper.make_tensor_value_info(result, T.FLOAT, value.shape)])  # fmt: skip
    mapped = made(net, "SequenceMap", [made(net, "SequenceConstruct", parts)], body=body)
    taken(net, "ConcatFromSequence", [mapped], T.FLOAT, (len(parts), *value.shape), axis=0, new_axis=1)


MAKERS = [(non_zero, 2), (unique, 2), (suppression, 1), (sequence_map, 1)]
