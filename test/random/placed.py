# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Results of kernels that end as parts of other tensors, reshaped or transposed on their way: what a compiler makes there in the first place,
# with strides that the kernel may not have thought of.
import elementwise
import movement
import numpy as np
import products
import quantized
import reductions
from net import NotPossible


MADE_BY = [products.matmul, products.gemm, products.conv, products.conv, products.pool, products.layer_norm, products.batch_norm,
           products.conv_transpose, products.global_pool, reductions.softmax, reductions.reduce, reductions.recurrent, movement.transpose,
           elementwise.unary, quantized.qdq_conv, quantized.qdq_product]  # fmt: skip


def made(net):
    """The last value of what one of these makes."""
    net.choose(MADE_BY)(net)
    value = net.values[-1]
    if not value.rank or not value.size or value.constant is not None:
        raise NotPossible
    return value


def on_its_way(net, value):
    """With units elsewhere, dims merged or parted, or in another order."""
    kind = net.choose(["units", "units", "factors", "transpose", "none"])
    dims = [d for d in value.shape if d != 1]
    if kind == "units":
        for _ in range(net.integer(0, 2)):
            dims.insert(net.integer(0, len(dims)), 1)
        return net.add("Reshape", [value, net.numbers(*(dims or [1]))])
    if kind == "factors":
        return net.add("Reshape", [value, net.numbers(*movement.factors(net, value.size))])
    if kind == "transpose":
        order = list(range(value.rank))
        net.rng.shuffle(order)
        return net.add("Transpose", [value], perm=order)
    return value


def placed(net):
    """A part of a Concat, a stack, a Pad, or a ScatterND."""
    value = on_its_way(net, made(net))
    axis = net.integer(0, value.rank - 1)
    kind = net.choose(["concat", "concat", "stack", "pad", "scatter", "twice"])
    others = [net.operand(value.dtype, value.shape) for _ in range(net.integer(1, 2))]
    if kind == "concat":
        parts = [value, *others]
        net.rng.shuffle(parts)
        net.add("Concat", parts, axis=axis)
    elif kind == "stack":
        parts = [net.add("Unsqueeze", [part, net.numbers(axis)]) for part in (value, *others)]
        net.add("Concat", parts if net.chance(0.5) else parts[::-1], axis=axis)
    elif kind == "twice":
        first = net.add("Concat", [value, others[0]], axis=axis)
        net.add("Concat", [net.operand(first.dtype, first.shape), first], axis=net.integer(0, first.rank - 1))
    elif kind == "pad":
        before, behind = ([net.integer(0, 2) if net.chance(0.5) else 0 for _ in value.shape] for _ in range(2))
        net.add("Pad", [value, net.numbers(*before, *behind)])
    else:
        rows = net.rng.sample(range(value.shape[0] + 2), value.shape[0])
        whole = net.operand(value.dtype, (len(rows) + 2, *value.shape[1:]))
        net.add("ScatterND", [whole, net.constant(np.array(rows, np.int64).reshape(-1, 1)), value])
    if net.chance(0.2):
        net.add("Identity", [value])


MAKERS = [(placed, 1)]
