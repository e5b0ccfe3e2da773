# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One element of each operand makes one of the result: functions, arithmetic, comparisons, conversions, broadcasting.
from .case import Case

FLOATS = ("float", "half", "double")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FUNCTIONS = """Abs Acos Acosh Asin Asinh Atan Atanh Ceil Celu Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid HardSwish IsInf IsNaN LeakyRelu Log Mish Neg
Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Swish Tan Tanh ThresholdedRelu Gelu<approximate="tanh"> Clip""".split()
RANGES = {"Acos": " -1..1", "Asin": " -1..1", "Atanh": " -0.99..0.99", "Acosh": " 1..9", "Log": " 0.1..9", "Sqrt": " 0..9"}
BROADCASTS = (
    ("[33,65,31]", "[33,65,31]"),
    ("[16,64,49]", "[64,1]"),
    ("[16,64,49]", "[49]"),
    ("[64,1,50]", "[1,40,50]"),
    ("[16,1,33]", "[16,65,1]"),
    ("[64,400]", "[64,1]"),
    ("[8,3,3000]", "[]"),
    ("[5000,3]", "[3]"),
    ("[500,1]", "[1,300]"),
    ("[n=24,m=40,64]", "[m=40,64]"),
)


def functions():
    for kind in FLOATS:
        for call in FUNCTIONS:
            name, _, attributes = call.partition("<")
            if name == "Swish":
                yield Case("s = Sigmoid(x) y = Mul(x, s)", x=f"{kind}[40,1001]")
                continue
            yield Case(f"y = {name}{'<' + attributes if attributes else ''}(x)", x=f"{kind}[40,1001]{RANGES.get(name, '')}")
        yield Case("y = PRelu(x, s)", x=f"{kind}[4,32,29,29]", s=f"const {kind}[32,1,1]")
        yield Case("y = Pow(x, two)", x=f"{kind}[40,1001]", two=f"const {kind}[] 2..2")
        yield Case("y = Pow(x, e)", x=f"{kind}[40,1001] 0.1..4", e=f"const {kind}[] 1.7..1.7")
        yield Case("y = Pow(x, e)", x=f"{kind}[10,1001] 0.1..4", e=f"{kind}[10,1001] -2..2")
    for kind in INTEGERS:
        for name in ("Abs", "Sign", "Relu", "Neg", "BitwiseNot"):
            if (kind[0] != "u" or name not in ("Relu", "Neg")) and (
                kind not in ("uint8", "uint16", "uint32", "uint64", "int16") or name in ("Abs", "BitwiseNot")
            ):
                yield Case(f"y = {name}(x)", x=f"{kind}[40,1001]")
    for kind in ("int32", "int64"):
        yield Case("y = Mul(x, x)", x=f"{kind}[40,1001]")
        yield Case("y = Pow(x, two)", x=f"{kind}[40,1001]", two=f"const {kind}[] 2..2")
    yield Case("y = Not(x)", x="bool[40,1001]")


def arithmetic():
    for kind in (*FLOATS, "int32", "int64", "int8", "uint8"):
        for name in ("Add", "Sub", "Mul", "Div", "Min", "Max", "Mod"):
            if name == "Mod" and kind in FLOATS:
                name = "Mod<fmod=1>"
            least = 1 if kind[0] in "iu" and name in ("Div", "Mod") else None
            wide = kind in ("float", "half", "int64") and name in ("Add", "Mul", "Max")
            for left, right in BROADCASTS if wide else BROADCASTS[:2]:
                yield Case(f"y = {name}(a, b)", a=kind + left, b=kind + right + (f" {least}..9" if least else ""))
    for kind in ("float", "half", "double", "int32", "int64"):
        for name in ("Less", "Equal", "GreaterOrEqual"):
            for left, right in BROADCASTS[:3]:
                yield Case(f"y = {name}(a, b)", a=kind + left, b=kind + right)
    for name in ("And", "Or", "Xor", "Equal"):
        for left, right in BROADCASTS[:3]:
            yield Case(f"y = {name}(a, b)", a="bool" + left, b="bool" + right)
    for kind in ("uint8", "int32", "int64"):
        yield Case("y = BitwiseAnd(a, b)", a=kind + "[40,1001]", b=kind + "[40,1001]")
    for kind in ("uint8", "uint32", "uint64"):
        yield Case('y = BitShift<direction="LEFT">(a, b)', a=kind + "[40,1001]", b=kind + "[40,1001] 0..7")
    for kind in ("float", "half", "double", "int64", "int32", "uint8"):
        yield Case("y = Where(c, a, b)", c="bool[40,1001]", a=kind + "[40,1001]", b=kind + "[40,1001]")
        yield Case("y = Where(c, a, b)", c="bool[40,1]", a=kind + "[40,1001]", b=kind + "[]")
        yield Case("y = Where(c, a, b)", c="bool[12,1,50,50]", a=kind + "[12,4,50,50]", b=f"const {kind}[]")
    yield Case("y = Sum(a, b, c)", a="float[40,1001]", b="float[40,1001]", c="float[1001]")
    yield Case("y = Mean(a, b, c)", a="float[40,1001]", b="float[40,1001]", c="float[40,1001]")
    yield Case("y = Max(a, b, c)", a="float[40,1001]", b="float[40,1001]", c="float[40,1]")


def conversions():
    kinds = {
        "float": 1,
        "half": 10,
        "double": 11,
        "int8": 3,
        "uint8": 2,
        "int16": 5,
        "uint16": 4,
        "int32": 6,
        "int64": 7,
        "uint32": 12,
        "uint64": 13,
        "bool": 9,
    }
    for source in kinds:
        for target, code in kinds.items():
            if source != target and not {source, target} <= {"int16", "uint16", "int8", "uint32", "uint64"}:
                yield Case(f"y = Cast<to={code}>(x)", x=source + "[40,1001]" + ("" if target[0] != "u" or source == "bool" else " 0..100"))
    for name in ("IsNaN", "IsInf"):
        yield Case(f"y = {name}(x)", x="float[64]")


def cases():
    yield from functions()
    yield from arithmetic()
    yield from conversions()
