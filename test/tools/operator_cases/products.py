# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Products of matrices, recurrent nets, attention, transforms.
from .case import Case


def matmuls():
    for kind in ("float", "half", "double", "int32"):
        for m, k, n in ((64, 64, 64), (1, 512, 512), (1, 100, 7), (7, 33, 65), (128, 256, 10), (200, 3, 200), (197, 192, 192), (16, 1024, 100), (31, 31, 1)):
            yield Case("y = MatMul(a, b)", a=f"{kind}[{m},{k}]", b=f"const {kind}[{k},{n}]")
            yield Case("y = MatMul(a, b)", a=f"{kind}[{m},{k}]", b=f"{kind}[{k},{n}]")
        for left, right in (
            ("[12,64,32]", "[12,32,64]"),
            ("[12,64,50]", "[12,50,33]"),
            ("[4,1,64]", "[4,64,77]"),
            ("[100,4,4]", "[100,4,4]"),
            ("[8,20,30]", "[30,40]"),
            ("[30]", "[50,30,7]"),
        ):
            yield Case("y = MatMul(a, b)", a=kind + left, b=kind + right)
    yield Case("y = MatMul(a, b)", a="float[n=40,384]", b="const float[384,384]")
    for kind in ("float", "half", "double"):
        for flags, left, right in (
            ("transB=1", "[64,96]", "[50,96]"),
            ("transA=1", "[96,64]", "[96,50]"),
            ("transA=1,transB=1,alpha=0.5", "[96,64]", "[50,96]"),
        ):
            yield Case(f"y = Gemm<{flags}>(a, b, c)", a=kind + left, b=kind + right, c=kind + "[50]")
            yield Case(f"y = Gemm<{flags}>(a, b, c)", a=kind + left, b="const " + kind + right, c=f"const {kind}[50]")
    for text, left, right in (
        ("bij,bjk->bik", "[4,33,20]", "[4,20,17]"),
        ("bhid,bhjd->bhij", "[1,8,49,32]", "[1,8,49,32]"),
        ("bchw,bkhw->bck", "[2,16,14,14]", "[2,8,14,14]"),
        ("ij,j->i", "[300,200]", "[200]"),
        ("i,j->ij", "[300]", "[200]"),
        ("bhwc,hkc->bhwk", "[4,14,14,32]", "[14,14,32]"),
    ):
        yield Case(f'y = Einsum<equation="{text}">(a, b)', a="float" + left, b="float" + right)


def recurrent():
    for name, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
        for length, batch, inputs, hidden in (
            (20, 1, 40, 64),
            (20, 1, 33, 51),
            (20, 4, 40, 64),
            (30, 3, 17, 100),
            (1, 1, 128, 256),
            (50, 16, 24, 24),
            (10, 1, 7, 5),
        ):
            for direction, count in (("forward", 1), ("bidirectional", 2)):
                text = f'direction="{direction}",hidden_size={hidden}' + (",linear_before_reset=1" if name == "GRU" and hidden != 100 else "")
                yield Case(
                    f"y = {name}<{text}>(x, w, r, b)",
                    x=f"float[{length},{batch},{inputs}]",
                    w=f"const float[{count},{gates * hidden},{inputs}] -0.2..0.2",
                    r=f"const float[{count},{gates * hidden},{hidden}] -0.2..0.2",
                    b=f"const float[{count},{2 * gates * hidden}] -0.2..0.2",
                )


def transforms():
    for length in (512, 400, 320, 1009):
        yield Case("y = DFT<onesided=1>(x)", x=f"float[8,{length},1]")
    yield Case("y = STFT(x, s, w)", x="float[1,4000]", s="const int64[] 160..160", w="const float[400]")
    yield Case("y = Det(x)", x="float[100,4,4]")


def cases():
    yield from matmuls()
    yield from recurrent()
    yield from transforms()
