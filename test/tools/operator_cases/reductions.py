# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Many elements make one, or each row becomes what depends on all of it: sums, arguments, norms, softmax, scans, the largest k.
import numpy as np

from .case import Case

REDUCTIONS = ("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSum", "LogSumExp")
SHAPES = (
    ("[64,500]", [1]),
    ("[64,500]", [0]),
    ("[16,50,33]", [1]),
    ("[16,50,33]", [0, 2]),
    ("[1000,5]", [1]),
    ("[8,1000,3]", [1]),
    ("[20000]", [0]),
    ("[4,32,14,14]", [2, 3]),
)


def reductions():
    for kind in ("float", "half", "double", "int32", "int64", "int8", "uint8", "bool"):
        for name in REDUCTIONS:
            few = {
                "int8": ("Max", "Min"),
                "uint8": ("Max", "Min"),
                "bool": ("Max", "Min"),
                "int64": ("Sum", "Mean", "Max", "Min", "Prod"),
                "int32": REDUCTIONS[:7],
            }
            if name not in few.get(kind, REDUCTIONS):
                continue
            many = name in ("Sum", "Max", "Mean") or kind == "float"
            for shape, axes in SHAPES if many else SHAPES[:3]:
                spread = "" if not name.startswith(("Log", "Prod")) else " 0.5..1.5" if kind in ("float", "half", "double") else " -1..1"  # no overflow
                yield Case(f"y = Reduce{name}<keepdims={len(axes) - 1}>(x, axes)", x=kind + shape + spread, axes=np.array(axes))
    yield Case("y = ReduceMean<keepdims=1>(x, axes)", x="float[n=40,384]", axes=np.array([-1]))
    yield Case("y = ReduceMean<keepdims=1>(x, axes)", x="float[40,m=49,64]", axes=np.array([1]))
    for kind in ("float", "half", "double", "int32", "int64", "uint8", "int8"):
        for shape, axis in (("[64,500]", 1), ("[64,500]", 0), ("[16,50,33]", 1), ("[1,21,40,40]", 1), ("[1000,5]", 1), ("[1,32000]", 1)):
            yield Case(f"y = ArgMax<axis={axis},keepdims=0>(x)", x=kind + shape)
        yield Case("y = ArgMin<axis=0,keepdims=1,select_last_index=1>(x)", x=kind + "[64,500]")


def rows():
    for kind in ("float", "half", "double"):
        for name in ("Softmax", "LogSoftmax", "Hardmax"):
            for shape, axis in (("[64,500]", 1), ("[64,500]", 0), ("[16,50,33]", 1), ("[1,21,40,40]", 1), ("[1000,5]", 1), ("[12,64,64]", 2), ("[n=40,77]", 1)):
                yield Case(f"y = {name}<axis={axis}>(x)", x=kind + shape)
        for shape, size in (("[64,384]", 384), ("[100,7]", 7), ("[4,196,97]", 97), ("[1,4096]", 4096)):
            yield Case("y = LayerNormalization<axis=-1>(x, s, b)", x=kind + shape, s=f"const {kind}[{size}]", b=f"const {kind}[{size}]")
        yield Case("y = LayerNormalization<axis=1>(x, s)", x=kind + "[8,16,33]", s=f"const {kind}[16,33]")
        for shape in ("[2,16,28,28]", "[2,30,7,7]", "[4,12,301]"):
            channels = int(shape[1:-1].split(",")[1])
            scale, bias = f"const {kind}[{channels}]", f"const {kind}[{channels}]"
            yield Case("y = InstanceNormalization(x, s, b)", x=kind + shape, s=scale, b=bias)
            yield Case("y = BatchNormalization(x, s, b, m, v)", x=kind + shape, s=scale, b=bias, m=scale, v=bias + " 0.5..2")
            yield Case("y = LpNormalization<axis=1,p=2>(x)", x=kind + shape)
        yield Case("y = GroupNormalization<num_groups=4>(x, s, b)", x=kind + "[2,32,20,20]", s=f"const {kind}[32]", b=f"const {kind}[32]")
    for shape in ("[2,16,28,28]", "[1,96,27,27]"):
        yield Case("y = LRN<size=5>(x)", x="float" + shape)
    yield Case("y = MeanVarianceNormalization(x)", x="float[2,16,28,28]")
    yield Case("y = com.microsoft.SkipLayerNormalization(x, r, s, b)", x="float[2,64,384]", r="float[2,64,384]", s="const float[384]", b="const float[384]")
    for kind in ("float", "half"):
        yield Case("y = SimplifiedLayerNormalization<axis=-1>(x, s)", x=kind + "[64,384]", s=f"const {kind}[384]")


def scans():
    for kind in ("float", "double", "int32", "int64"):
        for shape, axis in (("[64,500]", 1), ("[64,500]", 0), ("[16,50,33]", 1), ("[5,20000]", 1)):
            yield Case("y = CumSum(x, axis)", x=kind + shape, axis=np.array(axis))
        yield Case("y = CumSum<exclusive=1,reverse=1>(x, axis)", x=kind + "[64,500]", axis=np.array(1))
    for kind in ("float", "half", "double", "int32", "int64"):
        for shape, axis, k in (
            ("[8,1000]", 1, 5),
            ("[300,40]", 0, 10),
            ("[16,300]", 1, 10),
            ("[1,32000]", 1, 50),
            ("[64,64]", 1, 64),
            ("[4,30,17]", 1, 1),
            ("[500,8]", 1, 2),
        ):
            yield Case(f"y, z = TopK<axis={axis}>(x, k)", x=kind + shape, k=np.array([k]))
    yield Case("y, z = TopK<axis=1,largest=0>(x, k)", x="float[8,1000]", k=np.array([5]))


def cases():
    yield from reductions()
    yield from rows()
    yield from scans()
