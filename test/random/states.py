# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# State: outputs that go back into inputs (--state), made as streaming nets make them, or any output that has an input's type and shape.
import numpy as np
from net import NotPossible, T


def shifted(net, given):
    """The newest rows in, the oldest out."""
    if not given.rank or given.shape[0] < 2:
        raise NotPossible
    rows = net.integer(1, given.shape[0] - 1)
    new = net.operand(given.dtype, (rows, *given.shape[1:]))
    held = net.add("Slice", [given, net.numbers(rows), net.numbers(np.iinfo(np.int64).max), net.numbers(0)])
    return net.add("Concat", [held, new], axis=0)


def blended(net, given):
    if given.dtype != T.FLOAT:
        raise NotPossible
    share = net.constant(np.float32(net.choose([0.25, 0.5, 0.9])))
    return net.add("Add", [net.add("Mul", [given, share]), net.operand(given.dtype, given.shape)])


def written(net, given):
    """Some rows are replaced, as in a cache of keys."""
    if not given.rank or not given.size:
        raise NotPossible
    count = net.integer(1, given.shape[0])
    rows = net.constant(np.array(net.rng.sample(range(given.shape[0]), count), np.int64).reshape(count, 1))
    return net.add("ScatterND", [given, rows, net.operand(given.dtype, (count, *given.shape[1:]))])


def handed_on(net, given):
    """Another input of this kind, or a value that is there: states change places."""
    fits = [v for v in net.values if v is not given and v.dtype == given.dtype and v.shape == given.shape and v.constant is None]
    if not fits:
        raise NotPossible
    value = net.choose(fits)
    return net.add("Identity", [value]) if value in net.inputs or net.chance(0.3) else value


def kept(net):
    """Pairs (value, input) that are to be state."""
    pairs = []
    for given in net.rng.sample(net.inputs, min(len(net.inputs), net.integer(1, 3))):
        if given.dtype == T.STRING:
            continue
        try:
            made = net.choose([shifted, blended, written, handed_on, handed_on])(net, given)
        except NotPossible:
            continue
        if made not in [value for value, _ in pairs]:
            pairs.append((made, given))
    return pairs
