# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Windows over maps: convolutions, transposed ones, pools, resampling.
import numpy as np

from .case import Case


def conv(channels, filters, size, taps, **attributes):
    """Rank, kind and groups come of the arguments: size and taps are lists, attributes those of Conv."""
    kind, batch = attributes.pop("kind", "float"), attributes.pop("batch", 1)
    name, group = attributes.pop("name", "Conv"), attributes.get("group", 1)
    text = ",".join(f"{key}={value}" for key, value in attributes.items())
    weights = [channels, filters // group, *taps] if name == "ConvTranspose" else [filters, channels // group, *taps]
    shape = ",".join(map(str, [batch, channels, *size]))
    call = f"y = {name}{'<' + text + '>' if text else ''}(x, w, b)"
    return Case(call, x=f"{kind}[{shape}]", w=f"const {kind}[{','.join(map(str, weights))}] -0.3..0.3", b=f"const {kind}[{filters}]")


def convolutions():
    same = {"pads": [1, 1, 1, 1]}
    for channels, filters, edge in ((3, 32, 64), (16, 16, 50), (17, 19, 23), (64, 64, 28), (96, 24, 14), (128, 256, 7), (1, 8, 61), (8, 1, 61)):
        yield conv(channels, filters, [edge, edge], [3, 3], **same)
        yield conv(channels, filters, [edge, edge], [3, 3], **same, strides=[2, 2])
        yield conv(channels, filters, [edge, edge], [1, 1])
    yield conv(64, 64, [28, 28], [1, 1], strides=[2, 2])
    yield conv(64, 64, [28, 28], [3, 3], pads=[2, 2, 2, 2], dilations=[2, 2])
    yield conv(32, 32, [28, 28], [5, 5], pads=[2, 2, 2, 2])
    yield conv(3, 64, [112, 112], [7, 7], pads=[3, 3, 3, 3], strides=[2, 2])
    yield conv(3, 96, [112, 112], [4, 4], strides=[4, 4])
    yield conv(32, 32, [17, 17], [1, 7], pads=[0, 3, 0, 3])
    yield conv(32, 32, [17, 17], [7, 1], pads=[3, 0, 3, 0])
    yield conv(16, 16, [20, 20], [3, 3], batch=4, **same)
    yield conv(16, 16, [40, 40], [2, 2])
    for per_group in (2, 3, 4, 6, 8, 12, 16, 24, 32, 48):
        yield conv(8 * per_group, 8 * per_group, [28, 28], [3, 3], **same, group=8)
        yield conv(8 * per_group, 8 * per_group, [28, 28], [1, 1], group=8)
    yield conv(24, 48, [28, 28], [3, 3], **same, group=24)
    yield conv(32, 16, [28, 28], [3, 3], **same, group=16)
    for channels, edge, taps, stride in ((32, 56, 3, 1), (32, 56, 3, 2), (96, 14, 5, 1), (49, 31, 3, 1), (240, 7, 3, 1), (64, 28, 7, 1), (64, 28, 5, 2)):
        pad = taps // 2
        yield conv(channels, channels, [edge, edge], [taps, taps], group=channels, pads=[pad] * 4, strides=[stride] * 2)
    yield conv(64, 64, [28, 28], [3, 3], group=64, pads=[2, 2, 2, 2], dilations=[2, 2])
    for channels, filters, length, taps, stride in ((1, 64, 4000, 10, 5), (64, 64, 500, 3, 1), (40, 80, 301, 5, 2), (128, 128, 100, 1, 1)):
        yield conv(channels, filters, [length], [taps], strides=[stride])
    yield conv(64, 64, [501], [31], group=64, pads=[15, 15])
    yield conv(64, 64, [501], [4], group=64)
    yield conv(4, 16, [16, 28, 28], [3, 3, 3], pads=[1] * 6)
    yield conv(16, 16, [8, 28, 28], [1, 3, 3], pads=[0, 1, 1, 0, 1, 1])
    yield conv(16, 16, [8, 28, 28], [3, 1, 1], pads=[1, 0, 0, 1, 0, 0])
    yield conv(16, 16, [8, 28, 28], [3, 3, 3], pads=[1] * 6, group=16)
    for taps, pads in (([3, 3], [1] * 4), ([1, 1], [0] * 4)):
        yield conv(32, 32, [28, 28], taps, pads=pads, kind="half")
        yield conv(32, 32, [28, 28], taps, pads=pads, kind="double")
    yield Case("y = Conv<pads=[1,1,1,1]>(x, w)", x="float[n=2,16,h=28,v=28]", w="const float[16,16,3,3]")


def transposed():
    for channels, filters, edge, taps, stride, pad in (
        (64, 32, 28, 2, 2, 0),
        (32, 16, 56, 2, 2, 0),
        (16, 1, 50, 2, 2, 0),
        (32, 3, 28, 4, 4, 0),
        (64, 32, 14, 3, 3, 0),
        (64, 32, 14, 4, 2, 1),
        (32, 32, 28, 3, 1, 1),
        (32, 17, 15, 3, 2, 1),
        (48, 24, 20, 5, 2, 2),
        (21, 21, 16, 16, 8, 4),
        (100, 64, 4, 4, 1, 0),
        (7, 5, 31, 2, 3, 0),
        (24, 12, 30, 1, 1, 0),
        (24, 12, 30, 1, 2, 0),
    ):
        yield conv(channels, filters, [edge, edge], [taps, taps], name="ConvTranspose", strides=[stride] * 2, pads=[pad] * 4)
    yield conv(32, 32, [20, 20], [4, 4], name="ConvTranspose", strides=[2, 2], pads=[1] * 4, group=32)
    yield conv(32, 32, [20, 20], [2, 2], name="ConvTranspose", strides=[2, 2], group=4)
    yield conv(64, 32, [100], [4], name="ConvTranspose", strides=[4])
    yield conv(64, 32, [100], [16], name="ConvTranspose", strides=[8], pads=[4, 4])
    yield conv(16, 8, [8, 14, 14], [2, 2, 2], name="ConvTranspose", strides=[2, 2, 2])


def pools():
    for kind in ("float", "half", "double"):
        for channels, size, taps, stride, pad in (
            (64, 56, 2, 2, 0),
            (64, 56, 3, 2, 1),
            (32, 28, 3, 1, 1),
            (16, 20, 5, 1, 2),
            (8, 40, 13, 1, 6),
            (33, 15, 3, 3, 0),
            (16, 14, 14, 1, 0),
            (3, 64, 8, 8, 0),
        ):
            for name in ("MaxPool", "AveragePool") if kind != "double" or size > 30 else ("MaxPool",):
                text = f"kernel_shape=[{taps},{taps}],strides=[{stride},{stride}],pads=[{pad},{pad},{pad},{pad}]"
                yield Case(f"y = {name}<{text}>(x)", x=f"{kind}[1,{channels},{size},{size}]")
        yield Case("y = GlobalAveragePool(x)", x=f"{kind}[1,256,14,14]")
        yield Case("y = GlobalMaxPool(x)", x=f"{kind}[2,64,7,7]")
    for name in ("MaxPool", "AveragePool"):
        yield Case(f"y = {name}<kernel_shape=[3,3,3],strides=[1,1,1],pads=[1,1,1,1,1,1]>(x)", x="float[1,16,8,28,28]")
        yield Case(f"y = {name}<kernel_shape=[2,2,2],strides=[2,2,2]>(x)", x="float[1,16,8,28,28]")
        yield Case(f"y = {name}<kernel_shape=[4],strides=[4]>(x)", x="float[1,64,2000]")
        yield Case(f"y = {name}<kernel_shape=[3],strides=[1],pads=[1,1]>(x)", x="float[1,64,501]")
        yield Case(f"y = {name}<kernel_shape=[3,1],strides=[2,1],pads=[1,0,1,0]>(x)", x="float[1,32,40,40]")
    yield Case("y, z = MaxPool<kernel_shape=[2,2],strides=[2,2]>(x)", x="float[1,16,56,56]")
    yield Case("y = MaxPool<kernel_shape=[3,3],dilations=[2,2]>(x)", x="float[1,16,40,40]")
    yield Case("y = AveragePool<kernel_shape=[3,3],strides=[2,2],ceil_mode=1>(x)", x="float[1,32,40,40]")
    yield Case("y = LpPool<kernel_shape=[3,3],strides=[2,2]>(x)", x="float[1,16,40,40]")
    for kind in ("int8", "uint8"):
        yield Case("y = MaxPool<kernel_shape=[3,3],strides=[2,2],pads=[1,1,1,1]>(x)", x=kind + "[1,32,56,56]")
    yield Case("p, i = MaxPool<kernel_shape=[2,2],strides=[2,2]>(x) y = MaxUnpool<kernel_shape=[2,2],strides=[2,2]>(p, i)", x="float[1,16,28,28]")


def resampling():
    modes = (
        'mode="nearest"',
        'mode="linear"',
        'mode="cubic"',
        'mode="linear",coordinate_transformation_mode="align_corners"',
        'mode="nearest",coordinate_transformation_mode="asymmetric",nearest_mode="floor"',
    )
    for mode in modes:
        for channels, edge, scale in ((32, 28, 2.0), (3, 60, 1.5), (17, 31, 3.0), (16, 64, 0.5), (1, 224, 0.25)):
            yield Case(f"y = Resize<{mode}>(x, , s)", x=f"float[1,{channels},{edge},{edge}]", s=np.array([1, 1, scale, scale], np.float32))
    for kind in ("half", "uint8", "int8"):
        for mode in modes[:2]:
            if kind != "half" or "linear" not in mode:
                yield Case(f"y = Resize<{mode}>(x, , s)", x=f"{kind}[1,16,28,28]", s=np.array([1, 1, 2, 2], np.float32))
    yield Case('y = Resize<mode="linear">(x, , s)', x="float[1,16,8,16,16]", s=np.array([1, 1, 2, 2, 2], np.float32))
    yield Case('y = Resize<mode="linear">(x, , s)', x="float[1,16,400]", s=np.array([1, 1, 2], np.float32))
    yield Case('y = Resize<mode="linear",antialias=1>(x, , s)', x="float[1,3,64,64]", s=np.array([1, 1, 0.4, 0.4], np.float32))
    for mode in ("linear", "nearest", "cubic"):
        for padding in ("zeros", "border", "reflection"):
            yield Case(f'y = GridSample<mode="{mode}",padding_mode="{padding}">(x, g)', x="float[1,16,40,40]", g="float[1,32,32,2] -1..1")
    yield Case("y = GridSample(x, g)", x="float[1,1,200,200]", g="float[1,200,200,2] -1..1")
    yield Case("y = GridSample(x, g)", x="float[1,8,8,20,20]", g="float[1,8,16,16,3] -1..1")
    yield Case("y = RoiAlign<output_height=7,output_width=7,sampling_ratio=2>(x, r, i)", x="float[1,32,50,50]", r="float[20,4] 0..40", i="int64[20] 0..0")
    yield Case("y = AffineGrid<align_corners=1>(t, s)", t="float[2,2,3]", s=np.array([2, 3, 60, 60]))


def cases():
    yield from convolutions()
    yield from transposed()
    yield from pools()
    yield from resampling()
