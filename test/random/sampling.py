# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operators that read where data says, or cut and join windows: GridSample, AffineGrid, RoiAlign, Col2Im, DeformConv, MaxPool's indices.
import numpy as np
from net import NotPossible, T
from products import maps, window


def pictures(net):
    value = maps(net, (4,))
    if value.dtype != T.FLOAT or net.symbolic:
        raise NotPossible
    return value


def grid_sample(net):
    value = pictures(net)
    mode = net.choose(["linear", "linear", "nearest", "cubic"])
    height, width = net.integer(1, 5), net.integer(1, 5)
    if net.chance(0.3):
        theta = net.operand(T.FLOAT, (value.shape[0], 2, 3), -1, 1, plain=True)
        aligned = net.integer(0, 1) if min(height, width) > 1 else 0  # where one position lies alone each thinks differently
        grid = net.add("AffineGrid", [theta, net.numbers(*value.shape[:2], height, width)], align_corners=aligned)
    else:
        grid = net.operand(T.FLOAT, (value.shape[0], height, width, 2), -1.2, 1.2, plain=True)
    padding = net.choose(["zeros", "border", "reflection"])
    if min(value.shape[2:]) == 1 and padding == "reflection":  # reflected at borders that lie together: by a width of 0
        raise NotPossible
    if net.opset < 20:
        mode = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)
    net.add("GridSample", [value, grid], mode=mode, padding_mode=padding, align_corners=net.integer(0, 1))


def roi_align(net):
    value = pictures(net)
    count = net.integer(1, 3)
    corners = np.random.default_rng(net.rng.getrandbits(32)).uniform(0, 6, (count, 2, 2))
    corners = np.concatenate([corners.min(1), corners.max(1)], 1).astype(np.float32)  # x1, y1, x2, y2
    batches = net.operand(T.INT64, (count,), 0, value.shape[0] - 1, plain=True)
    how = {"mode": net.choose(["avg", "avg", "max"]), "output_height": net.integer(1, 3), "output_width": net.integer(1, 3)}
    how["sampling_ratio"] = 1 if how["mode"] == "max" else net.integer(0, 3)  # of more the greatest of what is another thing to each
    how["coordinate_transformation_mode"] = net.choose(["half_pixel", "output_half_pixel"])
    net.add("RoiAlign", [value, net.constant(corners), batches], spatial_scale=net.choose([1.0, 0.5]), **how)


def col2im(net):
    block, image = [net.integer(1, 3), net.integer(1, 3)], [net.integer(3, 7), net.integer(3, 7)]
    strides, pads = [net.integer(1, 2), net.integer(1, 2)], [net.integer(0, 1) for _ in range(4)]
    count = 1
    for i in range(2):
        count *= (image[i] + pads[i] + pads[i + 2] - block[i]) // strides[i] + 1
    value = net.operand(T.FLOAT, (net.integer(1, 2), net.integer(1, 3) * block[0] * block[1], count))
    net.add("Col2Im", [value, net.numbers(*image), net.numbers(*block)], strides=strides, pads=pads)


def deform_conv(net):
    value = pictures(net)
    if min(value.shape[2:]) < 2:
        raise NotPossible
    n, channels, height, width = value.shape
    groups = net.choose([g for g in (1, 2) if channels % g == 0])
    rows, columns = height - 1, width - 1
    filters = net.integer(1, 4)
    operands = [value, net.random(T.FLOAT, (filters, channels, 2, 2)), net.operand(T.FLOAT, (n, groups * 8, rows, columns), -1.3, 1.3, plain=True)]
    operands.append(net.random(T.FLOAT, (filters,)) if net.chance(0.5) else None)
    operands.append(net.operand(T.FLOAT, (n, groups * 4, rows, columns)) if net.chance(0.5) else None)
    while operands[-1] is None:
        operands.pop()
    net.add("DeformConv", operands, kernel_shape=[2, 2], pads=[0] * 4, offset_group=groups, shapes=[(T.FLOAT, (n, filters, rows, columns))])


def pool_with_indices(net):
    value = pictures(net)
    how = window(net, value.shape[2:], dilated=False)
    if "auto_pad" in how:
        raise NotPossible
    net.add("MaxPool", [value], 2, **how)


def unpool(net):
    value = pictures(net)
    if min(value.shape[2:]) < 2 or value.shape[2] % 2 or value.shape[3] % 2:
        raise NotPossible
    pooled, indices = net.add("MaxPool", [value], 2, kernel_shape=[2, 2], strides=[2, 2])
    net.add("MaxUnpool", [pooled, indices], kernel_shape=[2, 2], strides=[2, 2])


def crop_pad(net):
    value = net.pick([T.FLOAT], range(2, 5), lambda v: v.size > 0 and not net.symbolic)
    axes = net.rng.sample(range(value.rank), net.integer(1, value.rank))
    net.add("CenterCropPad", [value, net.numbers(*[net.integer(1, 9) for _ in axes])], axes=axes)


MAKERS = [(grid_sample, 4), (roi_align, 2), (col2im, 2), (deform_conv, 2), (pool_with_indices, 1), (unpool, 1), (crop_pad, 2)]
