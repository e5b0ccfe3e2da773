# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements change their place: transposes, slices, joins, pads, gathers, scatters.
import numpy as np

from .case import Case

KINDS = ("float", "half", "double", "uint8", "int64")


def rearranged(kind):
    for shape, order in (
        ("[200,300]", [1, 0]),
        ("[301,7]", [1, 0]),
        ("[3,300]", [1, 0]),
        ("[8,64,33]", [0, 2, 1]),
        ("[1,64,12,33]", [0, 2, 1, 3]),
        ("[2,3,56,56]", [0, 2, 3, 1]),
        ("[2,28,28,32]", [0, 3, 1, 2]),
        ("[20,30,40]", [2, 1, 0]),
        ("[20,30,4]", [1, 0, 2]),
        ("[4,5,6,7,8]", [4, 2, 0, 3, 1]),
        ("[16,3,40,40]", [1, 0, 2, 3]),
        ("[n=8,64,33]", [0, 2, 1]),
    ):
        yield Case(f"y = Transpose<perm={order}>(x)", x=kind + shape)
    for shape in ("[1,64,28,28]", "[1,12,31,31]", "[1,16,14,14]"):
        yield Case("y = DepthToSpace<blocksize=2>(x)", x=kind + shape)
        yield Case('y = DepthToSpace<blocksize=2,mode="CRD">(x)', x=kind + shape)
    yield Case("y = DepthToSpace<blocksize=4>(x)", x=kind + "[1,48,20,20]")
    yield Case('y = DepthToSpace<blocksize=3,mode="CRD">(x)', x=kind + "[1,27,21,21]")
    for shape in ("[1,16,56,56]", "[1,3,64,64]"):
        yield Case("y = SpaceToDepth<blocksize=2>(x)", x=kind + shape)
    for shape, repeats in (
        ("[100,1]", [1, 50]),
        ("[50,3]", [1, 20]),
        ("[10,200]", [5, 1]),
        ("[4,5,6]", [3, 3, 3]),
        ("[4000]", [3]),
        ("[1,64,1,33]", [1, 1, 9, 1]),
        ("[300,3]", [1, 3]),
    ):
        yield Case("y = Tile(x, r)", x=kind + shape, r=np.array(repeats))
    for shape, wanted in (("[64,1,33]", [64, 20, 33]), ("[64,20,1]", [64, 20, 33]), ("[1,300]", [100, 300])):
        yield Case("y = Expand(x, s)", x=kind + shape, s=np.array(wanted))


def cut(kind):
    for shape, starts, ends, axes, steps in (
        ("[64,500]", [10], [400], [1], [1]),
        ("[64,500]", [0], [500], [1], [2]),
        ("[64,500]", [-1], [-501], [1], [-1]),
        ("[64,500]", [-1], [-65], [0], [-1]),
        ("[8,30,33]", [1, 2], [29, 30], [1, 2], [1, 1]),
        ("[1,3,64,64]", [0, 1], [64, 64], [2, 3], [2, 2]),
        ("[1000,5]", [1], [4], [1], [1]),
        ("[64,500]", [0], [500], [1], [3]),
    ):
        yield Case("y = Slice(x, s, e, a, t)", x=kind + shape, s=np.array(starts), e=np.array(ends), a=np.array(axes), t=np.array(steps))
    for shape, axis, parts in (("[64,512]", 1, 2), ("[64,99]", 1, 3), ("[2,64,28,28]", 1, 2), ("[500,3]", 1, 3)):
        yield Case(f"y, z{', w' if parts == 3 else ''} = Split<axis={axis},num_outputs={parts}>(x)", x=kind + shape)
    for left, right, axis in (
        ("[64,500]", "[64,500]", 1),
        ("[64,500]", "[1,500]", 0),
        ("[1000,1]", "[1000,1]", 1),
        ("[1000,3]", "[1000,5]", 1),
        ("[2,16,28,28]", "[2,24,28,28]", 1),
    ):
        yield Case(f"y = Concat<axis={axis}>(a, b)", a=kind + left, b=kind + right)
    modes = ("constant", "edge", "reflect", "wrap")
    for mode in modes if kind == "float" else modes[:1]:
        for shape, pads in (
            ("[1,16,28,28]", [0, 0, 1, 1, 0, 0, 1, 1]),
            ("[64,500]", [0, 3, 0, 5]),
            ("[8,30,3]", [1, 0, 1, 0, 2, 1]),
            ("[1,3,60,60]", [0, 0, 20, 20, 0, 0, 20, 20]),
        ):
            yield Case(f'y = Pad<mode="{mode}">(x, p)', x=kind + shape, p=np.array(pads))
    yield Case("y = Trilu<upper=0>(x)", x=kind + "[8,100,100]")
    yield Case("y = ReverseSequence<batch_axis=1,time_axis=0>(x, l)", x=kind + "[60,8,33]", l="int64[8] 1..60")


def indexed(kind):
    for shape, indices, axis in (
        ("[1000,64]", "[128] 0..999", 0),
        ("[1000,33]", "[4,17] 0..999", 0),
        ("[64,500]", "[100] 0..499", 1),
        ("[16,50,33]", "[20] 0..49", 1),
        ("[5000]", "[3000] 0..4999", 0),
        ("[64,500]", "[] 3..3", 1),
    ):
        for index in ("int64", "int32") if kind == "float" else ("int64",):
            yield Case(f"y = Gather<axis={axis}>(x, i)", x=kind + shape, i=index + indices)
    for shape, indices, axis in (
        ("[64,500]", "[64,100] 0..499", 1),
        ("[64,500]", "[20,500] 0..63", 0),
        ("[16,50,33]", "[16,20,33] 0..49", 1),
        ("[8,1000]", "[8,1] 0..999", 1),
    ):
        yield Case(f"y = GatherElements<axis={axis}>(x, i)", x=kind + shape, i="int64" + indices)
        yield Case(f"y = ScatterElements<axis={axis}>(x, i, u)", x=kind + shape, i="int64" + indices, u=kind + indices.split(" ")[0])
    for shape, indices, width in (
        ("[50,60,33]", "[200,2] 0..49", "[200,33]"),
        ("[50,60]", "[1000,2] 0..49", "[1000]"),
        ("[500,64]", "[100,1] 0..499", "[100,64]"),
    ):
        yield Case("y = GatherND(x, i)", x=kind + shape, i="int64" + indices)
        yield Case("y = ScatterND(x, i, u)", x=kind + shape, i="int64" + indices, u=kind + width)
    yield Case("y = GatherND<batch_dims=1>(x, i)", x=kind + "[8,100,33]", i="int64[8,20,1] 0..99")
    if kind in ("float", "int64"):
        yield Case('y = ScatterElements<axis=1,reduction="add">(x, i, u)', x=kind + "[64,500]", i="int64[64,100] 0..499", u=kind + "[64,100]")
        yield Case('y = ScatterND<reduction="add">(x, i, u)', x=kind + "[500,64]", i="int64[100,1] 0..499", u=kind + "[100,64]")
        yield Case("y = Compress<axis=0>(x, c)", x=kind + "[500,64]", c="bool[500]")
        yield Case("y = Compress(x, c)", x=kind + "[5000]", c="bool[5000]")
        yield Case("y = OneHot<axis=-1>(i, d, v)", i="int64[500] 0..63", d=np.array([64]), v=f"const {kind}[2]")


def cases():
    for kind in KINDS:
        yield from rearranged(kind)
        yield from cut(kind)
        yield from indexed(kind)
    for kind in ("float", "bool", "int64", "uint8"):
        yield Case("y = NonZero(x)", x=kind + "[40,1001]" + ("" if kind == "bool" else " -1..1" if kind != "uint8" else " 0..1"))
    for kind in ("float", "int64"):
        yield Case("y = Unique(x)", x=kind + "[4000]")
        yield Case("y, z = Unique<sorted=0>(x)", x=kind + "[1000] 0..50")
    yield Case(
        "y = NonMaxSuppression(b, s, m, i, t)",
        b="float[1,200,4] 0..1",
        s="float[1,3,200] 0..1",
        m=np.array([10]),
        i=np.array([0.5], np.float32),
        t=np.array([0.1], np.float32),
    )
    yield Case("y = EyeLike(x)", x="float[100,100]")
    yield Case("y = Col2Im(x, s, k)", x="float[1,144,196]", s=np.array([16, 16]), k=np.array([3, 3]))
