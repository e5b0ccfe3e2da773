# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two to ten operators as exporters write them: norms in parts, forms of Gelu, attention, squeeze and excite, shuffles, upsampling.
import numpy as np

from .case import Case


def ints(*values):
    return np.array(values, np.int64)


def norms():
    parts = "m = ReduceMean<keepdims=1>(x, axes) d = Sub(x, m) q = Pow(d, two) v = ReduceMean<keepdims=1>(q, axes) e = Add(v, eps) r = Sqrt(e) "
    for kind in ("float", "half"):
        for shape, size in (("[2,64,384]", 384), ("[4,50,97]", 97), ("[n=40,192]", 192)):
            scale = f"const {kind}[{size}]"
            common = {"x": kind + shape, "axes": ints(-1), "two": f"const {kind}[] 2..2", "eps": f"const {kind}[] 0.01..0.01", "g": scale}
            yield Case(parts + "n = Div(d, r) s = Mul(n, g) y = Add(s, b)", **common, b=scale)
            rms = "q = Pow(x, two) v = ReduceMean<keepdims=1>(q, axes) e = Add(v, eps) r = Sqrt(e) n = Div(x, r) y = Mul(g, n)"
            yield Case(rms, **common)
        channels = f"const {kind}[64,1,1]"
        yield Case(
            parts + "n = Div(d, r) s = Mul(n, g) y = Add(s, b)",
            x=kind + "[1,64,28,28]",
            axes=ints(1),
            two=f"const {kind}[] 2..2",
            eps=f"const {kind}[] 0.01..0.01",
            g=channels,
            b=channels,
        )
        yield Case(
            "n = Reshape(x, s) i = InstanceNormalization(n, o, z0) r = Reshape(i, t) m = Mul(r, g) y = Add(m, b)",
            x=kind + "[1,64,28,28]",
            s=ints(1, 8, -1),
            t=ints(1, 64, 28, 28),
            o=f"const {kind}[8] 1..1",
            z0=f"const {kind}[8] 0..0",
            g=channels,
            b=channels,
        )
    yield Case(
        "t = Transpose<perm=[0,2,3,1]>(x) n = LayerNormalization<axis=-1>(t, g, b) y = Transpose<perm=[0,3,1,2]>(n)",
        x="float[1,96,28,28]",
        g="const float[96]",
        b="const float[96]",
    )
    yield Case("a = Add(x, s) y = LayerNormalization<axis=-1>(a, g, b)", x="float[64,257]", s="float[64,257]", g="const float[257]", b="const float[257]")
    yield Case("n = ReduceL2<keepdims=1>(x, axes) c = Clip(n, e) y = Div(x, c)", x="float[64,130]", axes=ints(1), e=np.array(1e-12, np.float32))


def activations():
    for kind in ("float", "half"):
        constants = {
            name: f"const {kind}[] {value}..{value}"
            for name, value in (("r", 1.41421), ("o", 1), ("h", 0.5), ("k", 0.044715), ("c", 0.797885), ("t", 3), ("s", 6), ("q", 1.702))
        }
        x = kind + "[64,1001]"
        yield Case("a = Div(x, r) e = Erf(a) p = Add(e, o) m = Mul(x, p) y = Mul(m, h)", x=x, **{name: constants[name] for name in "roh"})
        yield Case(
            "u = Pow(x, t) v = Mul(u, k) w0 = Add(x, v) a = Mul(w0, c) e = Tanh(a) p = Add(e, o) m = Mul(x, p) y = Mul(m, h)",
            x=x,
            **{name: constants[name] for name in "tkcoh"},
        )
        yield Case("a = Mul(x, q) e = Sigmoid(a) y = Mul(x, e)", x=x, q=constants["q"])
        yield Case("a = Add(x, t) b = Clip(a, z0, s) d = Div(b, s) y = Mul(x, d)", x=x, t=constants["t"], s=constants["s"], z0=f"const {kind}[] 0..0")
        yield Case("a, b = Split<axis=-1,num_outputs=2>(x) g = Gelu(b) y = Mul(a, g)", x=kind + "[64,514]")
        yield Case("a, b = Split<axis=-1,num_outputs=2>(x) g = Sigmoid(a) s = Mul(a, g) y = Mul(s, b)", x=kind + "[64,514]")
        yield Case("a, b = Split<axis=1,num_outputs=2>(x) g = Sigmoid(b) y = Mul(a, g)", x=kind + "[1,64,201]")
        yield Case("s = Softplus(x) t = Tanh(s) y = Mul(x, t)", x=x)


def attention():
    for kind in ("float", "half"):
        for heads, queries, keys, size in ((12, 64, 64, 64), (4, 49, 49, 24), (3, 100, 100, 33), (8, 1, 128, 64), (6, 197, 197, 32), (2, 31, 77, 80)):
            scale = f"const {kind}[] 0.15..0.15"
            q, k = f"{kind}[1,{heads},{queries},{size}]", f"{kind}[1,{heads},{keys},{size}]"
            yield Case("t = Transpose<perm=[0,1,3,2]>(k) s = MatMul(q, t) m = Mul(s, c) p = Softmax<axis=-1>(m) y = MatMul(p, v)", q=q, k=k, v=k, c=scale)
            yield Case(
                "t = Transpose<perm=[0,1,3,2]>(k) s = MatMul(q, t) m = Mul(s, c) n = Add(m, a) p = Softmax<axis=-1>(n) y = MatMul(p, v)",
                q=q,
                k=k,
                v=k,
                c=scale,
                a=f"{kind}[1,1,{queries},{keys}]",
            )
    yield Case(
        "r = Reshape(x, sh) t0 = Transpose<perm=[2,0,3,1,4]>(r) h, i, j = Split<axis=0,num_outputs=3>(t0) t1 = Transpose<perm=[0,1,2,4,3]>(i) s = MatMul(h, t1) p = Softmax<axis=-1>(s) y = MatMul(p, j)",
        x="float[2,49,288]",
        sh=ints(2, 49, 3, 4, 24),
    )
    yield Case(
        "a = Mul(x, c) h, i = Split<axis=-1,num_outputs=2>(x) n = Neg(i) j = Concat<axis=-1>(n, h) b = Mul(j, s) y = Add(a, b)",
        x="float[1,12,50,64]",
        c="float[50,64]",
        s="float[50,64]",
    )


def maps():
    excite = "p = ReduceMean<keepdims=1>(x, axes) u = Conv(p, w0) r = Relu(u) v = Conv(r, w1) s = Sigmoid(v) y = Mul(x, s)"
    for channels, few, edge in ((96, 4, 28), (240, 10, 14), (32, 8, 56), (672, 28, 7)):
        yield Case(
            excite, x=f"float[1,{channels},{edge},{edge}]", axes=ints(2, 3), w0=f"const float[{few},{channels},1,1]", w1=f"const float[{channels},{few},1,1]"
        )
    for kind in ("float", "half"):
        for groups, each, edge in ((2, 24, 28), (3, 20, 14), (2, 58, 28)):
            channels = groups * each
            yield Case(
                "a = Reshape(x, s) b = Transpose<perm=[0,2,1,3,4]>(a) y = Reshape(b, t)",
                x=f"{kind}[1,{channels},{edge},{edge}]",
                s=ints(1, groups, each, edge, edge),
                t=ints(1, channels, edge, edge),
            )
        yield Case(
            "a = Reshape(x, s) b = Transpose<perm=[0,1,4,2,5,3]>(a) y = Reshape(b, t)",
            x=kind + "[1,48,30,30]",
            s=ints(1, 12, 2, 2, 30, 30),
            t=ints(1, 12, 60, 60),
        )
        yield Case(
            "a = Reshape(x, s) b = Transpose<perm=[0,1,3,2,4,5]>(a) y = Reshape(b, t)", x=kind + "[1,56,56,32]", s=ints(1, 8, 7, 8, 7, 32), t=ints(64, 49, 32)
        )
    scale = np.array([1, 1, 2, 2], np.float32)
    for mode in ("nearest", "linear"):
        yield Case(f'u = Resize<mode="{mode}">(x, , s) y = Conv<pads=[1,1,1,1]>(u, w)', x="float[1,32,28,28]", s=scale, w="const float[16,32,3,3]")
        yield Case(
            f'u = Resize<mode="{mode}">(x, , s) c = Concat<axis=1>(u, k) y = Conv(c, w)',
            x="float[1,32,28,28]",
            k="float[1,16,56,56]",
            s=scale,
            w="const float[16,48,1,1]",
        )
    yield Case("c = Conv<pads=[1,1,1,1]>(x, w) y = DepthToSpace<blocksize=2>(c)", x="float[1,32,40,40]", w="const float[12,32,3,3]")
    yield Case('p = Pad<mode="reflect">(x, q) y = Conv(p, w)', x="float[1,16,40,40]", q=ints(0, 0, 1, 1, 0, 0, 1, 1), w="const float[16,16,3,3]")
    yield Case(
        "a = MaxPool<kernel_shape=[5,5],pads=[2,2,2,2]>(x) b = MaxPool<kernel_shape=[5,5],pads=[2,2,2,2]>(a) d = MaxPool<kernel_shape=[5,5],pads=[2,2,2,2]>(b) y = Concat<axis=1>(x, a, b, d)",
        x="float[1,32,20,20]",
    )


def indices():
    yield Case(
        "a = Gather<axis=0>(e, i) b = Gather<axis=0>(p, j) c = Add(a, b) y = LayerNormalization<axis=-1>(c, g, h)",
        e="const float[1000,128]",
        i="int64[1,50] 0..999",
        p="const float[64,128]",
        j="int64[1,50] 0..63",
        g="const float[128]",
        h="const float[128]",
    )
    yield Case("c = CumSum(x, o) t = Mul(c, m) y = Sub(t, c)", x="float[16,300]", o=np.array(1), m="const float[]")
    yield Case("a = ArgMax<axis=1,keepdims=1>(x) y = GatherElements<axis=1>(v, a)", x="float[200,30]", v="float[200,30]")
    yield Case("t, i = TopK<axis=1>(x, k) y = GatherElements<axis=1>(v, i)", x="float[4,900]", v="float[4,900]", k=ints(20))
    yield Case(
        'g = Gather<axis=0>(x, i) y = ScatterElements<axis=0,reduction="add">(o, j, g)',
        x="float[300,1]",
        i="int64[900] 0..299",
        o="const float[300,1]",
        j="int64[900,1] 0..299",
    )
    yield Case(
        'g = Gather<axis=0>(x, i) y = ScatterND<reduction="add">(o, j, g)',
        x="float[300,16]",
        i="int64[900] 0..299",
        o="const float[300,16]",
        j="int64[900,1] 0..299",
    )


def cases():
    yield from norms()
    yield from activations()
    yield from attention()
    yield from maps()
    yield from indices()
