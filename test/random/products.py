# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Products and windows: matrices, convolutions, pools; and the norms beside them.
import numpy as np
from net import FLOATS, NotPossible, T

FEW = [T.FLOAT] * 12 + [T.DOUBLE, T.FLOAT16]


def not_empty(value):
    return value.size > 0


def matmul(net):
    left = net.pick(FEW, range(1, 5), not_empty)
    inner, columns = left.shape[-1], net.dim() or 1
    shape = net.choose([(inner, columns), (inner, columns), (inner,), (*left.shape[:-2], inner, columns)])
    net.add("MatMul", [left, net.operand(left.dtype, shape)])


def matmul_left(net):
    right = net.pick(FEW, range(2, 4), not_empty)
    net.add("MatMul", [net.operand(right.dtype, (net.dim() or 1, right.shape[-2])), right])


def gemm(net):
    a = net.pick(FEW, 2, not_empty)
    flip_a, flip_b = net.integer(0, 1), net.integer(0, 1)
    rows, inner = a.shape[::-1] if flip_a else a.shape
    columns = net.dim() or 1
    operands = [a, net.operand(a.dtype, (columns, inner) if flip_b else (inner, columns))]
    if net.chance(0.7):
        rows = 1 if net.symbolic else rows
        operands.append(net.operand(a.dtype, net.choose([(columns,), (1, columns), (rows, columns), (rows, 1), (1,), ()])))
    net.add("Gemm", operands, transA=flip_a, transB=flip_b, alpha=net.choose([None, 0.5, 2.0]), beta=net.choose([None, 0.5, 0.0]))


def einsum(net):
    equation, shapes = net.choose([("bij,bjk->bik", "bij bjk"), ("bhid,bhjd->bhij", "bhid bhjd"), ("ij,j->i", "ij j"), ("ij->ji", "ij"), ("bij->b", "bij"),
                                   ("ii->i", "ii"), ("i,j->ij", "i j"), ("...ij,...jk->...ik", "aij ajk")])  # fmt: skip
    sizes = {letter: net.integer(1, 5) for letter in "abhijkd"}
    dtype = net.choose([T.FLOAT, T.FLOAT, T.DOUBLE])
    net.add("Einsum", [net.operand(dtype, [sizes[letter] for letter in word]) for word in shapes.split()], equation=equation)


def window(net, sizes, dilated=True):
    """kernel_shape, strides, pads or auto_pad, dilations for spatial dims of these sizes."""
    kernel = [net.integer(1, min(4, size + 1)) for size in sizes]
    how = {"kernel_shape": kernel}
    dilations = [net.choose([1, 1, 1, 2]) for _ in sizes] if dilated and net.chance(0.4) else [1] * len(sizes)
    if dilations != [1] * len(sizes):
        how["dilations"] = dilations
    if net.chance(0.6):
        how["strides"] = [net.choose([1, 1, 2, 3]) for _ in sizes]
    extents = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    if net.chance(0.25) and "dilations" not in how:
        how["auto_pad"] = net.choose(["SAME_UPPER", "SAME_LOWER", "VALID"])
        if how["auto_pad"] == "VALID" and any(e > s for e, s in zip(extents, sizes)):
            raise NotPossible
        return how
    pads = [net.integer(0, min(2, k - 1)) for k in kernel * 2]
    for i, size in enumerate(sizes):
        if size + pads[i] + pads[i + len(sizes)] < extents[i]:
            raise NotPossible
    if any(pads) or net.chance(0.3):
        how["pads"] = pads
    return how


def maps(net, ranks=(3, 4, 4, 4, 5)):
    """Feature maps: [batch, channels, spatial...]."""
    value = net.pick(FEW, ranks, lambda v: v.size > 0 and v.size < 4096, fresh=0.05)
    if net.chance(0.35):
        channels, spatial = net.choose([1, 2, 3, 4, 5, 8, 9, 16, 17]), [net.integer(1, 9) for _ in range(net.choose(ranks) - 2)]
        batch = net.choose([1, 1, 2])
        value = net.input(T.FLOAT, (batch, channels, *spatial))
    return value


def weights(net, value, shape):
    scale = 2 / np.sqrt(max(np.prod(shape[1:]), 1))
    return net.random(value.dtype, shape, -scale, scale) if net.chance(0.9) else net.operand(value.dtype, shape)


def conv(net, value=None):
    value = value or maps(net)
    channels = value.shape[1]
    group = net.choose([1, 1, 1, channels] + [g for g in (2, 3, 4) if channels % g == 0])
    filters = group * net.choose([1, 1, 2, 3, 4]) if group > 1 else net.choose([1, 2, 3, 4, 5, 8, 16, 17, 24])
    how = window(net, value.shape[2:])
    operands = [value, weights(net, value, (filters, channels // group, *how["kernel_shape"]))]
    if net.chance(0.7):
        operands.append(net.random(value.dtype, (filters,)))
    if net.chance(0.2):
        del how["kernel_shape"]
    return net.add("Conv", operands, group=group if group > 1 or net.chance(0.2) else None, **how)


def conv_transpose(net):
    value = maps(net, (3, 4, 4))
    channels = value.shape[1]
    group = net.choose([1, 1, 1, channels])
    kernel = [net.integer(1, 4) for _ in value.shape[2:]]
    strides = [net.integer(1, 3) for _ in kernel]
    how = {"strides": strides, "pads": [net.integer(0, k - 1) for k in kernel * 2]}
    if net.chance(0.3):
        how["output_padding"] = [net.integer(0, s - 1) for s in strides]
    per_group = net.integer(1, 4)
    operands = [value, weights(net, value, (channels, per_group, *kernel))]
    if net.chance(0.6):
        operands.append(net.random(value.dtype, (per_group * group,)))
    shape = [s * (d - 1) + k - b - e for s, d, k, b, e in zip(strides, value.shape[2:], kernel, how["pads"], how["pads"][len(kernel) :])]
    if min(shape) < 1:
        raise NotPossible
    net.add("ConvTranspose", operands, group=group, **how)


def pool(net, value=None):
    value = value or maps(net)
    op = net.choose(["MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool"])
    how = window(net, value.shape[2:])
    # Where strides are longer than windows onnxruntime's pools take some of the image away for SAME, where its Conv takes nothing.
    if how.get("auto_pad", "").startswith("SAME") and any(s > k for s, k in zip(how.get("strides", []), how["kernel_shape"])):
        raise NotPossible
    if net.chance(0.3):
        how["ceil_mode"] = 1
    if op == "AveragePool":
        how["count_include_pad"] = net.integer(0, 1)
    if op == "LpPool":
        how["p"] = net.choose([1, 2, 3])
    return net.add(op, [value], **how)


def global_pool(net):
    net.add(net.choose(["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"]), [maps(net)])


def batch_norm(net, value=None):
    value = value or maps(net, (2, 3, 4, 4))
    kind, shape = value.dtype, (value.shape[1],)
    operands = [net.random(kind, shape), net.random(kind, shape), net.random(kind, shape), net.random(kind, shape, 0.5, 2)]
    return net.add("BatchNormalization", [value, *operands], epsilon=net.choose([None, 1e-3]))


def layer_norm(net):
    value = net.pick(FEW, range(1, 5), not_empty)
    axis = net.axis(value)
    shape = value.shape[axis:] if axis >= 0 else value.shape[value.rank + axis :]
    if net.symbolic and 6 in shape:
        raise NotPossible
    if net.chance(0.3):
        net.add("LpNormalization", [value], axis=axis, p=net.integer(1, 2))
        return
    operands = [value, net.random(value.dtype, shape)] + ([net.random(value.dtype, shape)] if net.chance(0.6) else [])
    net.add("LayerNormalization", operands, axis=axis, epsilon=net.choose([None, 1e-3]))


def channel_norm(net):
    value = maps(net, (3, 4, 4))
    channels = value.shape[1]
    if net.chance(0.4):
        if net.opset < 18:  # only since then it can be spelled for onnxruntime (runtime_faults.py)
            raise NotPossible
        net.add("InstanceNormalization", [value, net.random(value.dtype, (channels,)), net.random(value.dtype, (channels,))])
    elif net.chance(0.5):
        groups = net.choose([g for g in range(1, channels + 1) if channels % g == 0])
        if net.opset < 21:  # one scale for each group then
            raise NotPossible
        net.add("GroupNormalization", [value, net.random(value.dtype, (channels,)), net.random(value.dtype, (channels,))],
                num_groups=groups, stash_type=T.DOUBLE if value.dtype == T.DOUBLE else None, shapes=[(value.dtype, value.shape)])  # fmt: skip
    elif net.chance(0.5):
        net.add("LRN", [value], size=net.choose([3, 5, 1]), alpha=net.choose([1e-4, 0.1]), bias=net.choose([1.0, 2.0]))
    else:
        net.add("MeanVarianceNormalization", [value], axes=net.choose([[0, 2, 3], [1], [2]])[: 3 if value.rank == 4 else 1])


MAKERS = [(matmul, 6), (matmul_left, 2), (gemm, 3), (einsum, 1), (conv, 9), (conv_transpose, 2), (pool, 4), (global_pool, 1), (batch_norm, 2),
          (layer_norm, 2), (channel_norm, 2)]  # fmt: skip
