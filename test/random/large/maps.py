# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Nets for images, signals and volumes, of 1, 2 and 3 spatial dims: convolutions of all forms, one behind the other, with what stands between
# them: residual sums, squeeze-excite, shuffled and joined channels, pools, resizing, norms.
import numpy as np
from large.parts import activated, check_work, either_order, fresh, length, scaled, scalar, sigmoid_times, width
from net import NotPossible, T

MOST_OF = {3: (300,), 4: (24, 48), 5: (6, 10, 14)}  # spatial sizes by rank


def start(net, channels=None, rank=None):
    """A new input. Squares are rarer than in real nets: rows that are no whole tiles are where kernels go wrong."""
    rank = rank or net.choose([3, 4, 4, 4, 4, 5])
    spatial = [length(net, most) for most in MOST_OF[rank]]
    return fresh(net, T.FLOAT, (net.choose([1, 1, 1, 2, 3]), channels or width(net), *spatial), (0, rank - 1, rank - 2))


def window(net, sizes, most=5, transposed=False):
    """kernel_shape, strides, dilations, pads."""
    kind = net.integer(0, 5)
    k = net.choose([3, 3, 3, 1, 2, 5, most])
    kernel = [k] * len(sizes) if kind else [net.integer(1, most) for _ in sizes]
    kernel = [min(k, 3) for k in kernel] if len(sizes) == 3 else kernel
    how = {"kernel_shape": kernel}
    dilations = [net.choose([1, 2, 3])] * len(sizes) if net.chance(0.15) else [1] * len(sizes)
    strides = [1] * len(sizes)
    if net.chance(0.4):
        strides = [net.choose([2, 2, 3])] * len(sizes) if net.chance(0.6) else [net.choose([1, 2, 3, 4]) for _ in sizes]
    extents = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    if dilations != [1] * len(sizes):
        how["dilations"] = dilations
    if strides != [1] * len(sizes) or net.chance(0.2):
        how["strides"] = strides
    pads = [e // 2 for e in extents] * 2  # as large as before
    if net.chance(0.35):
        pads = [net.integer(0, e - 1) for e in extents * 2]
    elif net.chance(0.2):
        pads = [0] * (2 * len(sizes))
    if not transposed:
        if net.chance(0.12) and not net.dynamic:
            how["auto_pad"] = net.choose(["SAME_UPPER", "SAME_LOWER"])
            return how
        for i, (size, extent) in enumerate(zip(sizes, extents)):
            if size + pads[i] + pads[i + len(sizes)] < extent:
                raise NotPossible
    if any(pads) or net.chance(0.3):
        how["pads"] = pads
    return how


def convolved(net, value, filters, group, how, transposed=False):
    channels, terms = value.shape[1], int(np.prod(how["kernel_shape"])) * value.shape[1] // group
    shape = (channels, filters // group) if transposed else (filters, channels // group)
    check_work(value.size // channels * filters * terms // (1 if transposed else int(np.prod(how.get("strides", [1])))))
    operands = [value, scaled(net, T.FLOAT, (*shape, *how["kernel_shape"]), terms)]
    if net.chance(0.7):
        operands.append(net.random(T.FLOAT, (filters,)))
    return net.add("ConvTranspose" if transposed else "Conv", operands, group=group if group > 1 or net.chance(0.2) else None, **how)


def conv(net, value, filters=None):
    """Of any form: pointwise, depthwise with or without a factor, grouped, full."""
    channels = value.shape[1]
    form = net.choose(["full", "full", "pointwise", "pointwise", "depthwise", "depthwise", "grouped"])
    how = window(net, value.shape[2:], net.choose([5, 7, 9]) if form == "depthwise" else 5)
    group = 1
    if form == "pointwise":
        how = {"kernel_shape": [1] * (value.rank - 2)}
        if net.chance(0.35):
            how["strides"] = [net.choose([1, 2, 3]) for _ in how["kernel_shape"]]
    elif form == "depthwise" and filters is None:
        group, filters = channels, channels * net.choose([1, 1, 1, 2, 3])
    elif form == "grouped":
        group = net.choose([g for g in range(1, channels + 1) if channels % g == 0])
        filters = group * max(1, width(net, 96) // group) if filters is None or filters % group else filters
    return convolved(net, value, filters or width(net, 100), group, how)


def conv_transpose(net, value):
    group = net.choose([1, 1, 1, 2, 4, value.shape[1]])
    if value.shape[1] % group or value.size > 20000:
        raise NotPossible
    how = window(net, value.shape[2:], 4, transposed=True)
    strides = how.get("strides", [1] * (value.rank - 2))
    extents = [(k - 1) * d + 1 for k, d in zip(how["kernel_shape"], how.get("dilations", strides))] if "dilations" in how else how["kernel_shape"]
    how["pads"] = [net.integer(0, e - 1) for e in extents * 2] if net.chance(0.5) else [0] * (2 * len(extents))
    sizes = [s * (d - 1) + e - a - b for s, d, e, a, b in zip(strides, value.shape[2:], extents, how["pads"], how["pads"][len(extents) :])]
    if min(sizes) < 1:
        raise NotPossible
    if net.chance(0.3):
        how["output_padding"] = [net.integer(0, s - 1) for s in strides]
    return convolved(net, value, group * net.choose([1, 2, 3, 8, 16, 21]), group, how, transposed=True)


def pool(net, value):
    op = net.choose(["MaxPool", "AveragePool"])
    how = window(net, value.shape[2:], 5)
    if how.get("auto_pad") and any(s > k for s, k in zip(how.get("strides", []), how["kernel_shape"])):
        raise NotPossible  # onnxruntime's pools and convolutions differ there
    if op == "AveragePool" and "dilations" in how and net.opset < 19:
        raise NotPossible
    if net.chance(0.25) and "auto_pad" not in how:
        how["ceil_mode"] = 1
    if op == "AveragePool":
        how["count_include_pad"] = net.integer(0, 1)
    return net.add(op, [value], **how)


def normed(net, value):
    channels, op = value.shape[1], net.choose(["BatchNormalization"] * 4 + ["InstanceNormalization", "GroupNormalization", "LRN", "LpNormalization"])
    if op == "BatchNormalization":
        return net.add(op, [value, *(net.random(T.FLOAT, (channels,)) for _ in range(3)), net.random(T.FLOAT, (channels,), 0.5, 2)])
    if op == "InstanceNormalization" and value.rank == 4 and net.opset >= 18 and np.prod(value.shape[2:]) > 8:
        return net.add(op, [value, net.random(T.FLOAT, (channels,)), net.random(T.FLOAT, (channels,))])
    if op == "GroupNormalization" and net.opset >= 21 and value.size // value.shape[0] // channels > 8:
        groups = net.choose([g for g in range(1, channels + 1) if channels % g == 0])
        return net.add(op, [value, net.random(T.FLOAT, (channels,)), net.random(T.FLOAT, (channels,))], num_groups=groups,
                       shapes=[(value.dtype, value.shape)])  # fmt: skip
    if op == "LRN" and value.rank == 4:
        return net.add(op, [value], size=net.choose([3, 5]), alpha=0.1)
    return net.add("LpNormalization", [value], axis=1, p=2) if op == "LpNormalization" else value


def residual(net, value):
    """A branch of convolutions that keeps the shape, and the sum of both; at times of a third."""
    inside = width(net, 64) if net.chance(0.5) else value.shape[1]
    branch = value
    for last in (False, True):
        k = net.choose([1, 3, 3, 5]) if value.rank < 5 else net.choose([1, 3])
        how = {"kernel_shape": [k] * (value.rank - 2), "pads": [k // 2] * (2 * (value.rank - 2))}
        group = branch.shape[1] if net.chance(0.3) and not (last and branch.shape[1] != value.shape[1]) else 1
        branch = convolved(net, branch, branch.shape[1] if group > 1 else value.shape[1] if last else inside, group, how)
        if not last:
            branch = activated(net, branch)
    if branch.shape != value.shape:
        raise NotPossible
    if net.chance(0.2):
        branch = net.add("Mul", [branch, net.random(T.FLOAT, (value.shape[1],) + (1,) * (value.rank - 2))])
    total = either_order(net, "Add", value, branch)
    if net.chance(0.2):
        total = either_order(net, "Add", total, value)
    return activated(net, total) if net.chance(0.6) else total


def squeeze_excite(net, value):
    channels, inside = value.shape[1], net.choose([1, 2, 4, 8, 13])
    ones = [1] * (value.rank - 2)
    gate = net.add("GlobalAveragePool", [value]) if net.chance(0.6) or net.opset < 18 else net.add("ReduceMean", [value, net.numbers(*range(2, value.rank))])
    gate = activated(net, convolved(net, gate, inside, 1, {"kernel_shape": ones}))
    gate = net.add(net.choose(["Sigmoid", "HardSigmoid"]), [convolved(net, gate, channels, 1, {"kernel_shape": ones})])
    return either_order(net, "Mul", value, gate)


def shuffled(net, value):
    n, channels, *spatial = value.shape
    groups = [g for g in (2, 3, 4, 8) if channels % g == 0]
    if not groups or net.dynamic:
        raise NotPossible
    group = net.choose(groups)
    split = net.add("Reshape", [value, net.numbers(n, group, channels // group, *spatial)])
    turned = net.add("Transpose", [split], perm=[0, 2, 1, *range(3, value.rank + 1)])
    return net.add("Reshape", [turned, net.numbers(n, channels, *spatial)])


def branches(net, value):
    """Several convolutions of one value (or a part of its channels each), and their results in one."""
    count, parts = net.integer(2, 5), []
    whole = value.shape[1] < count or net.chance(0.6)
    sources = [value] * count
    if not whole:
        cuts = sorted(net.rng.sample(range(1, value.shape[1]), count - 1))
        sizes = [b - a for a, b in zip([0, *cuts], [*cuts, value.shape[1]])]
        sources = net.add("Split", [value, net.numbers(*sizes)], count, axis=1)
    for source in sources:
        form = net.choose(["as it is", "pointwise", "conv", "conv", "pool", "pair"])
        k = net.choose([3, 3, 5, 1])
        how = {"kernel_shape": [k] * (value.rank - 2), "pads": [k // 2] * (2 * (value.rank - 2))}
        if form == "pool":
            source = net.add(net.choose(["MaxPool", "AveragePool"]), [source], strides=[1] * (value.rank - 2), **how)
        elif form != "as it is":
            if form == "pointwise":
                how = {"kernel_shape": [1] * (value.rank - 2)}
            source = convolved(net, source, width(net, 40), 1, how)
            source = activated(net, source) if net.chance(0.7) else source
            if form == "pair":
                source = convolved(net, source, source.shape[1], source.shape[1], how)
        parts.append(source)
    return net.add("Concat", parts, axis=1)


def resized(net, value):
    if value.rank != 4 or value.size > 30000:
        raise NotPossible
    mode = net.choose(["nearest", "nearest", "linear", "linear", "cubic"])
    scales = net.constant(np.array([1, 1, net.choose([2, 2, 1, 3, 0.5]), net.choose([2, 2, 1.5, 0.5])], np.float32))
    forms = {"nearest": ["asymmetric", "half_pixel"], "cubic": ["half_pixel", "pytorch_half_pixel"]}  # of cubic samples at corners each thinks differently
    coordinates = net.choose(forms.get(mode, ["asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel"]))
    rounding = "floor" if coordinates == "asymmetric" else "round_prefer_floor"
    return net.add("Resize", [value, None, scales], mode=mode, coordinate_transformation_mode=coordinates, nearest_mode=rounding if mode == "nearest" else None)


def places(net, value):
    """Elements to other places: depth to space and back, padding, a part, channels last around an operator."""
    n, channels, *spatial = value.shape
    kind = net.choose(["depth to space", "space to depth", "pad", "slice", "channels last", "gather"])
    if kind == "depth to space" and value.rank == 4 and channels % 4 == 0:
        return net.add("DepthToSpace", [value], blocksize=2, mode=net.choose(["DCR", "CRD"]))
    if kind == "space to depth" and value.rank == 4 and all(s % 2 == 0 for s in spatial) and not net.dynamic:
        return net.add("SpaceToDepth", [value], blocksize=2)
    if kind == "pad":
        edges = [0, 0, *(net.integer(0, 2) for _ in spatial)] + [0, net.choose([0, 0, 5]), *(net.integer(0, 2) for _ in spatial)]
        reflect = min(spatial) > 3 and not net.dynamic and edges[value.rank + 1] == 0
        return net.add("Pad", [value, net.numbers(*edges)], mode=net.choose(["constant", "edge", "reflect"] if reflect else ["constant", "edge"]))
    if kind == "slice" and channels > 2:
        first = net.integer(0, channels - 2)
        return net.add("Slice", [value, net.numbers(first), net.numbers(net.integer(first + 1, channels)), net.numbers(1), net.numbers(net.choose([1, 1, 2]))])
    if kind == "gather" and channels > 1:
        return net.add("Gather", [value, net.numbers(*(net.integer(0, channels - 1) for _ in range(width(net, 40))))], axis=1)
    last = net.add("Transpose", [value], perm=[0, *range(2, value.rank), 1])
    if net.chance(0.5):
        last = either_order(net, "Add", last, net.random(T.FLOAT, (channels,)))
    else:
        last = activated(net, last) if net.chance(0.5) else net.add("Softmax", [last], axis=-1)
    return net.add("Transpose", [last], perm=[0, value.rank - 1, *range(1, value.rank - 1)])


def separable(net, value):
    """Depthwise, then pointwise, as mobile nets have them; at times widened before."""
    if net.chance(0.5):
        value = activated(net, convolved(net, value, min(144, value.shape[1] * net.choose([2, 3, 6])), 1, {"kernel_shape": [1] * (value.rank - 2)}))
    value = convolved(net, value, value.shape[1], value.shape[1], window(net, value.shape[2:]))
    value = activated(net, value) if net.chance(0.7) else value
    value = squeeze_excite(net, value) if net.chance(0.2) else value
    return convolved(net, value, width(net), 1, {"kernel_shape": [1] * (value.rank - 2)})


def head(net, value):
    """What ends a classifier."""
    pooled = net.add(net.choose(["GlobalAveragePool", "GlobalMaxPool"]), [value])
    flat = net.add("Flatten", [pooled])
    classes = net.choose([1, 2, 10, 21, 100])
    flat = net.add("Gemm", [flat, scaled(net, T.FLOAT, (classes, flat.shape[1]), flat.shape[1]), net.random(T.FLOAT, (classes,))], transB=1)
    return net.add("Softmax", [flat], axis=1) if net.chance(0.5) else flat


STEPS = [(conv, 8), (separable, 4), (residual, 4), (squeeze_excite, 1), (branches, 3), (pool, 3), (shuffled, 1), (normed, 2), (conv_transpose, 2),
         (resized, 1), (places, 2)]  # fmt: skip


def chain(net, value, steps):
    functions, shares = zip(*STEPS)
    for _ in range(steps):
        try:
            value = net.rng.choices(functions, shares)[0](net, value)
            if net.chance(0.4):
                value = activated(net, value)
        except NotPossible:
            continue  # what the step has made so far is an output
    return value


def stack(net):
    value = chain(net, start(net), net.choose([1, 1, 2, 3, 4, 5]))
    if net.chance(0.3):
        head(net, value)


def pair(net):
    """One convolution, what is fused to it, and a pointwise one: most kernels meet all their neighbours that way."""
    value = conv(net, start(net))
    value = pool(net, value) if net.chance(0.25) else activated(net, value) if net.chance(0.7) else value
    strides = net.choose([None, None, [2] * (value.rank - 2)])
    convolved(net, value, width(net, 40), 1, {"kernel_shape": [1] * (value.rank - 2), **({"strides": strides} if strides else {})})


def gated(net):
    """Two convolutions of one map, of which one is the other's gate; as in audio nets."""
    value = start(net, rank=3)
    how = window(net, value.shape[2:])
    filters = width(net, 64)
    left, right = (convolved(net, value, filters, 1, how) for _ in range(2))
    product = either_order(net, "Mul", net.add("Tanh", [left]), net.add("Sigmoid", [right]))
    value = convolved(net, product, width(net, 64), 1, {"kernel_shape": [1]})
    sigmoid_times(net, either_order(net, "Mul", value, scalar(net, 0.7)))


MAKERS = [(stack, 4), (pair, 5), (gated, 1)]
