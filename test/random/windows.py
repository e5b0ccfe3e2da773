# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Windows and samples as no net of today has them, but the standard allows: pads beyond the window, strides beyond it, windows larger than what
# they look at, dilations beside auto_pad and ceil_mode, sizes of results that are told, and Resize in all its forms.
import numpy as np
from net import NotPossible, T
from onnx import helper

KINDS = [T.FLOAT] * 8 + [T.FLOAT16]


def maps(net, ranks=(3, 3, 4, 4, 4, 5)):
    """Feature maps, of which a dim may be 1 and the batch at times empty."""
    rank, channels = net.choose(ranks), net.choose([1, 2, 3, 4, 6, 8, 16])
    most = {3: 20, 4: 9, 5: 5}[rank]
    batch = net.choose([1, 1, 1, 2, 3] + [0] * net.chance(0.1))
    shape = (batch, channels, *(net.choose([1, 2, net.integer(1, most), most]) for _ in range(rank - 2)))
    return net.operand(net.choose(KINDS), shape)


def window(net, sizes, most_pad=None):
    """`most_pad` of a window's extent: what pads are below of."""
    kernel = [net.choose([1, 2, 3, net.integer(1, 7)]) for _ in sizes]
    dilations = [net.choose([1, 1, 2, 3, 5]) if k > 1 else net.integer(1, 2) for k in kernel]
    if net.chance(0.5):
        dilations = [1] * len(sizes)
    extents = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    how = {"kernel_shape": kernel, "strides": [net.choose([1, 1, 2, 3, 4, 7]) for _ in sizes]}
    if dilations != [1] * len(sizes):
        how["dilations"] = dilations
    if net.chance(0.2):
        how["auto_pad"] = net.choose(["SAME_UPPER", "SAME_LOWER", "VALID"])
        if how["auto_pad"] == "VALID" and any(e > s for e, s in zip(extents, sizes)):
            raise NotPossible
        return how
    limits = [k - 1 for k in kernel] if most_pad else [2 * e + 1 for e in extents]
    pads = [net.choose([0, net.integer(0, limit)]) for limit in limits * 2]
    for i, (size, extent) in enumerate(zip(sizes, extents)):
        lacking = extent - size - pads[i] - pads[i + len(sizes)]
        if lacking > 0 and most_pad:
            raise NotPossible
        pads[i] += max(lacking, 0)
    how["pads"] = pads
    return how


def conv(net):
    value = maps(net)
    channels = value.shape[1]
    group = net.choose([1, 1, *(g for g in range(1, channels + 1) if channels % g == 0)])
    filters, how = group * net.choose([1, 1, 2, 3, 8]), window(net, value.shape[2:])
    operands = [value, net.operand(value.dtype, (filters, channels // group, *how["kernel_shape"]), -0.5, 0.5)]
    if net.chance(0.6):
        operands.append(net.operand(value.dtype, (filters,)))
    result = net.add("Conv", operands, group=group, **how)
    if net.chance(0.3):
        net.add(net.choose(["Relu", "Sigmoid", "Neg", "Clip"]), [result])


def conv_transpose(net):
    """The size of the result is told, or follows from pads, dilations and what is added to it."""
    value = maps(net)
    channels, sizes = value.shape[1], value.shape[2:]
    group = net.choose([g for g in range(1, channels + 1) if channels % g == 0])
    kernel, strides = [net.integer(1, 4) for _ in sizes], [net.choose([1, 2, 3, 5]) for _ in sizes]
    dilations = [net.choose([1, 1, 2, 3]) for _ in sizes] if net.chance(0.5) else [1] * len(sizes)
    extents = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    how = {"strides": strides, "dilations": dilations, "kernel_shape": kernel}
    whole = [s * (d - 1) + e for s, d, e in zip(strides, sizes, extents)]
    kind = net.choose(["pads", "pads", "added", "SAME_UPPER", "SAME_LOWER", "VALID", "told"])
    if kind == "told":
        how["output_shape"] = [max(1, w - net.integer(0, e - 1)) for w, e in zip(whole, extents)]
        how["auto_pad"] = net.choose([None, "SAME_UPPER", "SAME_LOWER"])
    elif kind in ("pads", "added"):
        how["pads"] = [net.integer(0, e - 1) for e in extents * 2]
        if kind == "added":
            how["output_padding"] = [net.integer(0, max(s, d) - 1) for s, d in zip(strides, dilations)]
        if min(w - a - b for w, a, b in zip(whole, how["pads"], how["pads"][len(sizes) :])) < 1:
            raise NotPossible
    else:
        if kind != "VALID" and any(e < s for e, s in zip(extents, strides)):
            raise NotPossible  # pads below 0, of which each thinks otherwise
        how["auto_pad"] = kind
    operands = [value, net.operand(value.dtype, (channels, net.integer(1, 3), *kernel), -0.5, 0.5)]
    if net.chance(0.5):
        operands.append(net.operand(value.dtype, (operands[1].shape[1] * group,)))
    net.add("ConvTranspose", operands, group=group, **how)


def pool(net):
    value = maps(net)
    op = net.choose(["MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool"])
    how = window(net, value.shape[2:], most_pad=True)
    beyond = any(s > k for s, k in zip(how["strides"], how["kernel_shape"]))
    if how.get("auto_pad", "").startswith("SAME") and (beyond or "dilations" in how):
        raise NotPossible  # onnxruntime's pools and convolutions differ there
    if net.chance(0.4) and "auto_pad" not in how:
        how["ceil_mode"] = 1
    if op == "AveragePool":
        how["count_include_pad"] = net.integer(0, 1)
    if op == "LpPool":
        how["p"] = net.choose([1, 2, 3])
    if op == "MaxPool" and net.chance(0.2):
        net.add(op, [value], 2, storage_order=net.integer(0, 1), **how)
        return
    net.add(op, [value], **how)


def resize(net):
    """Any rank, some or all axes, all modes."""
    shape = [net.integer(1, 6) for _ in range(net.integer(1, 5))]
    while np.prod(shape) > 600:
        shape[net.integer(0, len(shape) - 1)] = 1
    mode = net.choose(["nearest", "nearest", "linear", "linear", "cubic"])
    rank, most = len(shape), {"nearest": 5, "linear": 3, "cubic": 2}[mode]
    value = net.operand(net.choose([T.FLOAT] * 5 + [T.FLOAT16] + [T.INT8, T.UINT8, T.INT32] * (mode == "nearest")), shape)
    axes = sorted(net.rng.sample(range(rank), net.integer(1, min(most, rank))))
    if mode == "cubic" and len(axes) == 1:
        raise NotPossible
    how = {"mode": mode, "coordinate_transformation_mode": net.choose("half_pixel asymmetric align_corners pytorch_half_pixel half_pixel_symmetric".split())}
    if mode == "nearest":
        how["nearest_mode"] = net.choose(["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])
    elif net.chance(0.3):
        how["antialias"] = 1
    if mode == "cubic":
        how["cubic_coeff_a"], how["exclude_outside"] = net.choose([-0.75, -0.5]), net.integer(0, 1)
    if net.chance(0.15):
        how["coordinate_transformation_mode"] = "tf_crop_and_resize"
        how["extrapolation_value"] = 0.25
        how.pop("antialias", None)
    every = net.opset < 18 or net.chance(0.4)
    told = range(rank) if every else axes
    if not every:
        how["axes"] = [a - rank if net.chance(0.3) else a for a in axes]
    scales = {a: net.choose([0.5, 1.0, 2.0, 1.5, 3.0, 0.25]) if a in axes else 1.0 for a in told}
    corners = None
    if how["coordinate_transformation_mode"] == "tf_crop_and_resize":
        inside = [(net.choose([0.0, 0.1, 0.4]), net.choose([1.0, 0.8, 1.2, 0.5])) if a in axes else (0.0, 1.0) for a in told]
        corners = net.constant(np.array([b for b, _ in inside] + [e for _, e in inside], np.float32))
    if net.chance(0.5):
        if corners and set(scales.values()) == {1.0} or any(int(scales[a] * shape[a]) < 1 or scales[a] * shape[a] != int(scales[a] * shape[a]) for a in told):
            raise NotPossible
        net.add("Resize", [value, corners, net.constant(np.array([scales[a] for a in told], np.float32))], **how)
        return
    sizes = [net.integer(1, 9) if a in axes else shape[a] for a in told]
    if corners and sizes == [shape[a] for a in told]:
        raise NotPossible  # onnxruntime crops nothing then
    if net.opset >= 18 and not every and net.chance(0.3):
        how["keep_aspect_ratio_policy"] = net.choose(["not_larger", "not_smaller"])
        how["axes"] = axes  # of axes from the back onnxruntime keeps no ratio
    net.add("Resize", [value, corners, None, net.numbers(*sizes)], **how)


def col2im(net):
    """Of one to three dims, with dilations."""
    dims = net.integer(1, 3)
    block, image = [net.integer(1, 3) for _ in range(dims)], [net.integer(2, 6) for _ in range(dims)]
    strides, dilations = [net.integer(1, 3) for _ in range(dims)], [net.integer(1, 2) for _ in range(dims)]
    pads, count = [net.integer(0, 2) for _ in range(2 * dims)], 1
    for i in range(dims):
        positions = (image[i] + pads[i] + pads[i + dims] - (block[i] - 1) * dilations[i] - 1) // strides[i] + 1
        count *= positions
        if positions < 1:
            raise NotPossible
    value = net.operand(T.FLOAT, (net.integer(1, 2), net.integer(1, 3) * int(np.prod(block)), count))
    net.add("Col2Im", [value, net.numbers(*image), net.numbers(*block)], strides=strides, pads=pads, dilations=dilations)


def integer_conv(net):
    """QLinearConv with a scale for each filter, ConvInteger with a zero point, both with windows of any form."""
    value = maps(net, (3, 4, 4))
    kind, weights = net.choose([(T.UINT8, T.INT8), (T.UINT8, T.UINT8), (T.INT8, T.INT8)])
    channels = value.shape[1]
    group = net.choose([1, 1, *(g for g in range(1, channels + 1) if channels % g == 0)])
    filters, how = group * net.choose([1, 2, 3]), window(net, value.shape[2:])
    shape = (filters, channels // group, *how["kernel_shape"])
    left, right = net.operand(kind, value.shape, -63, 63), net.random(weights, shape, -63, 63)
    kinds = [helper.tensor_dtype_to_np_dtype(k) for k in (kind, weights)]
    zeros = [net.constant(np.array(net.integer(0, 60), k)) for k in kinds]
    if net.chance(0.3):
        net.add("ConvInteger", [left, right, zeros[0]] + zeros[1:] * net.chance(0.5), group=group, **how)
        return
    scales = net.constant(np.asarray(np.random.default_rng(net.rng.getrandbits(32)).uniform(0.01, 0.05, (filters,)), np.float32))
    each = net.chance(0.6)
    operands = [left, net.constant(np.float32(0.03)), zeros[0], right, scales if each else net.constant(np.float32(0.02)),
                net.constant(np.zeros((filters,) if each else (), kinds[1])), net.constant(np.float32(0.05)), net.constant(np.array(net.integer(0, 60), kinds[0]))]  # fmt: skip
    if net.chance(0.5):
        operands.append(net.random(T.INT32, (filters,), -3000, 3000))
    net.add("QLinearConv", operands, group=group, **how)


MAKERS = [(conv, 6), (conv_transpose, 4), (pool, 6), (resize, 6), (col2im, 1), (integer_conv, 3)]
