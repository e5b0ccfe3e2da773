# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operators that move, copy, pick or count elements.
import numpy as np
from net import FLOATS, INTEGERS, SYMBOL_SIZE, NotPossible, T, is_float

ANY = FLOATS * 2 + INTEGERS + [T.BOOL]
MOVED = range(1, 7)


def factors(net, size):
    """A shape of that many elements."""
    dims = []
    while size > 1 and len(dims) < 4:
        divisors = [d for d in range(2, min(size, 64) + 1) if size % d == 0]
        dims.append(net.choose(divisors + [1]))
        size //= dims[-1]
    return dims + [size] if size != 1 or not dims or net.chance(0.2) else dims


def reshape(net):
    value = net.pick(ANY)
    shape = factors(net, value.size) if value.size else [0 if d == 0 else d for d in value.shape]
    if net.symbolic and value.rank and value.shape[0] == SYMBOL_SIZE:
        shape = [0, *factors(net, value.size // SYMBOL_SIZE)] if value.size else list(value.shape)
        if net.chance(0.3):
            shape = [-1, *shape[1:]]
    elif value.size and shape and net.chance(0.4):
        shape[net.integer(0, len(shape) - 1)] = -1
    elif value.rank and net.chance(0.1):
        shape = [0] * value.rank
    if 0 in shape and 0 in value.shape and net.chance(0.5):
        net.add("Reshape", [value, net.numbers(*value.shape)], allowzero=1)
    else:
        net.add("Reshape", [value, net.numbers(*shape)])


def transpose(net):
    value = net.pick(ANY, MOVED)
    order = list(range(value.rank))
    net.rng.shuffle(order)
    net.add("Transpose", [value], **({"perm": order} if net.chance(0.9) else {}))


def squeeze(net):
    value = net.pick(ANY, MOVED, lambda v: 1 in v.shape)
    units = [i for i, d in enumerate(value.shape) if d == 1]
    chosen = [i - value.rank if net.chance(0.3) else i for i in units if net.chance(0.6)]
    if net.symbolic and not chosen:  # the rank must not depend on a size
        raise NotPossible
    net.add("Squeeze", [value, net.numbers(*chosen)] if chosen else [value])


def unsqueeze(net):
    value = net.pick(ANY, range(5))
    rank = value.rank + net.integer(1, 2)
    axes = net.rng.sample(range(rank), rank - value.rank)
    net.add("Unsqueeze", [value, net.numbers(*[a - rank if net.chance(0.3) else a for a in axes])])


def flatten(net):
    value = net.pick(ANY, range(7))
    net.add("Flatten", [value], axis=net.integer(-value.rank, value.rank))


def concat(net):
    first = net.pick(ANY, MOVED)
    axis = net.axis(first)
    parts = [first]
    for _ in range(net.integer(0, 3)):
        shape = list(first.shape)
        shape[axis] = net.dim() if net.chance(0.5) else shape[axis]
        parts.append(net.operand(first.dtype, shape) if not net.chance(0.1) else first)
    net.rng.shuffle(parts)
    net.add("Concat", parts, axis=axis)


def split(net):
    value = net.pick(ANY, MOVED, lambda v: max(v.shape) > 1)
    axis = net.axis(value)
    size = value.shape[axis]
    count = net.integer(1, min(4, max(size, 1)))
    if net.chance(0.5) or (net.symbolic and size == SYMBOL_SIZE):
        net.add("Split", [value], count, axis=axis, num_outputs=count)
        return
    cuts = sorted(net.integer(0, size) for _ in range(count - 1))
    sizes = np.diff([0, *cuts, size]).tolist()
    net.add("Split", [value, net.numbers(*sizes)], count, axis=axis)


def slice_(net):
    value = net.pick(ANY, MOVED)
    axes = net.rng.sample(range(value.rank), net.integer(1, value.rank))
    starts, ends, steps = [], [], []
    for axis in axes:
        step = net.choose([1, 1, 1, 2, 3, -1, -1, -2])
        start, end = net.integer(-2, 3), net.choose([2**31 - 1, 2**63 - 1, net.integer(2, 8), -1])
        if step < 0:
            start, end = net.choose([-1, 2**31 - 1, net.integer(1, 6)]), net.choose([-(2**31), -(2**63) + 1, net.integer(-8, 0), 0])
        starts.append(start), ends.append(end), steps.append(step)
    axes = [a - value.rank if net.chance(0.3) else a for a in axes]
    operands = [net.numbers(*starts), net.numbers(*ends), net.numbers(*axes), net.numbers(*steps)]
    keep = 4 if min(steps) < 0 or net.chance(0.8) else 3
    net.add("Slice", [value, *operands[:keep]])


def indices(net, shape, size, dtype=None):
    dtype = dtype or net.choose([T.INT64, T.INT32])
    if size == 0:
        raise NotPossible
    low = -size if net.chance(0.4) else 0
    if net.symbolic:
        low, size = -1, 1
    return net.operand(dtype, shape, low, size - 1, plain=True)


def gather(net):
    value = net.pick(ANY, MOVED)
    axis = net.axis(value)
    net.add("Gather", [value, indices(net, net.shape(net.integer(0, 2)), value.shape[axis])], axis=axis)


def gather_elements(net):
    value = net.pick(ANY, MOVED)
    axis = net.axis(value)
    shape = [net.integer(1, max(d, 1)) if d else 0 for d in value.shape]
    shape[axis] = net.dim()
    net.add("GatherElements", [value, indices(net, shape, value.shape[axis])], axis=axis)


def gather_nd(net):
    value = net.pick(ANY, MOVED)
    depth = net.integer(1, value.rank)
    shape = (*net.shape(net.integer(0, 2)), depth)
    net.add("GatherND", [value, indices(net, shape, min(value.shape[:depth]), T.INT64)])


def scatter_elements(net):
    value = net.pick(ANY, MOVED)
    axis = net.axis(value)
    reduction = net.choose(["none", "add", "mul", "max", "min"]) if value.dtype in (T.FLOAT, T.INT32, T.INT64, T.DOUBLE) else "none"
    shape = [net.integer(1, d) if d else 0 for d in value.shape]
    if reduction == "none":  # each place once
        shape[axis] = 1
    picked = indices(net, shape, value.shape[axis])
    net.add("ScatterElements", [value, picked, net.operand(value.dtype, shape)], axis=axis, reduction=reduction)


def scatter_nd(net):
    value = net.pick(ANY, MOVED)
    depth = net.integer(1, value.rank)
    reduction = net.choose(["none", "add", "mul", "max", "min"]) if value.dtype in (T.FLOAT, T.INT32, T.INT64, T.DOUBLE) else "none"
    rows = 1 if reduction == "none" else net.integer(1, 4)
    picked = indices(net, (rows, depth), min(value.shape[:depth]), T.INT64)
    net.add("ScatterND", [value, picked, net.operand(value.dtype, (rows, *value.shape[depth:]))], reduction=reduction)


def tile(net):
    value = net.pick(ANY, MOVED)
    net.add("Tile", [value, net.numbers(*[net.choose([1, 1, 2, 3]) for _ in value.shape])])


def expand(net):
    value = net.pick(ANY, range(5))
    shape = [d if d != 1 or net.chance(0.5) else net.dim() for d in value.shape]
    shape = [1 if net.chance(0.3) or d == SYMBOL_SIZE and net.symbolic else d for d in shape]
    net.add("Expand", [value, net.numbers(*([net.dim()] if net.chance(0.3) else []), *shape)])


def pad(net):
    value = net.pick(ANY, MOVED)
    mode = net.choose(["constant", "constant", "edge", "reflect", "wrap"])
    if mode != "constant" and min(value.shape) < 3:
        raise NotPossible
    lowest = -1 if mode == "constant" and min(value.shape) > 3 else 0
    pads = [net.choose([0, 0, 1, 2, lowest]) for _ in range(2 * value.rank)]
    operands = [value, net.numbers(*pads)]
    if mode == "constant" and net.chance(0.6):
        operands.append(net.random(value.dtype, ()))
    net.add("Pad", operands, mode=mode)


def blocks(net):
    block = net.integer(1, 3)
    value = net.pick(FLOATS, 4, lambda v: v.shape[1] % (block * block) == 0 and v.shape[1], fresh=0.1)
    if net.chance(0.5):
        net.add("DepthToSpace", [value], blocksize=block, mode=net.choose(["DCR", "CRD"]))
        return
    value = net.pick(FLOATS, 4, lambda v: v.shape[2] % block == 0 and v.shape[3] % block == 0)
    net.add("SpaceToDepth", [value], blocksize=block)


def trilu(net):
    value = net.pick(ANY, range(2, 5))
    operands = [value] + ([net.constant(np.array(net.integer(-3, 3), np.int64))] if net.chance(0.6) else [])
    net.add("Trilu", operands, upper=net.integer(0, 1))


def reverse_sequence(net):
    value = net.pick(ANY, range(2, 5))
    batch, time = net.choose([(0, 1), (1, 0)])
    if value.shape[time] == 0 or net.symbolic:
        raise NotPossible
    net.add("ReverseSequence", [value, net.operand(T.INT64, (value.shape[batch],), 1, value.shape[time], plain=True)], batch_axis=batch, time_axis=time)


def one_hot(net):
    depth = net.integer(1, 6)
    where = net.operand(T.INT64, net.shape(net.integer(0, 2)), -depth, depth - 1, plain=True)
    values = net.random(net.choose([T.FLOAT, T.INT64]), (2,))
    net.add("OneHot", [where, net.constant(np.array(depth, np.int64)), values], axis=net.choose([-1, 0]))


def compress(net):
    value = net.pick(ANY, MOVED, lambda v: max(v.shape) > 0 and (not net.symbolic))
    axis = net.axis(value)
    mask = np.random.default_rng(net.rng.getrandbits(32)).integers(0, 2, value.shape[axis]).astype(bool)
    shape = list(value.shape)
    shape[axis] = int(mask.sum())
    net.add("Compress", [value, net.constant(mask)], axis=axis, shapes=[(value.dtype, tuple(shape))])


def shape_of(net):
    """Shape arithmetic as exporters write it: the shape of a value, a part of it, a Reshape or Expand by it."""
    value = net.pick(ANY, MOVED)
    shape = net.add("Shape", [value])
    if net.chance(0.5):
        net.add("Reshape", [net.add("Neg", [value]) if is_float(value.dtype) else value, shape], shapes=[(value.dtype, value.shape)])
    elif net.chance(0.5):
        net.add("Cast", [net.add("Gather", [shape, net.constant(np.array(net.integer(0, value.rank - 1), np.int64))])], to=T.FLOAT)
    else:
        net.add("ConstantOfShape", [shape], shapes=[(T.FLOAT, value.shape)])


def resize(net):
    value = net.pick([T.FLOAT] * 4 + [T.FLOAT16, T.UINT8, T.INT8], 4, lambda v: v.size > 0)
    mode = net.choose(["nearest", "linear", "cubic"]) if is_float(value.dtype) else "nearest"  # onnxruntime cuts integers off
    how = {"mode": mode, "coordinate_transformation_mode": net.choose(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])}
    if mode == "nearest":
        how["nearest_mode"] = net.choose(["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])
    if net.chance(0.5):
        scales = [1, 1, net.choose([0.5, 1, 2, 1.5, 3]), net.choose([0.5, 1, 2, 0.7, 4])]
        if how["coordinate_transformation_mode"] == "align_corners":  # of a fraction ONNX's cases and onnxruntime think differently
            scales = [s if s * d == int(s * d) else 1 for s, d in zip(scales, value.shape)]
        net.add("Resize", [value, None, net.constant(np.array(scales, np.float32))], **how)
    else:
        sizes = [*value.shape[:2], net.integer(1, 9), net.integer(1, 9)]
        if net.symbolic:
            raise NotPossible
        net.add("Resize", [value, None, None, net.numbers(*sizes)], **how)


MAKERS = [(reshape, 4), (transpose, 5), (squeeze, 1), (unsqueeze, 2), (flatten, 1), (concat, 5), (split, 3), (slice_, 5), (gather, 3),
          (gather_elements, 1), (gather_nd, 1), (scatter_elements, 1), (scatter_nd, 1), (tile, 1), (expand, 2), (pad, 3), (blocks, 1),
          (trilu, 1), (reverse_sequence, 0.5), (one_hot, 0.5), (compress, 0.5), (shape_of, 1), (resize, 1)]  # fmt: skip
