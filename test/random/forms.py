# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operators in forms that exporters do not write: equations of any letters, parameters of quantization along any axis and in blocks along any,
# rows of batches gathered, padding of some axes, parts of shapes, layouts of recurrent nets, numbers far beyond a dim.
import numpy as np
from net import FLOATS, INTEGERS, NotPossible, T, is_float
from movement import ANY, indices
from onnx import helper

SMALL = {T.INT4: (-8, 7), T.UINT4: (0, 15), T.INT8: (-128, 127), T.UINT8: (0, 255), T.INT16: (-32768, 32767), T.UINT16: (0, 65535)}


def einsum(net):
    """One to three operands of letters, some of them twice, in any order; what is summed and what stays at random."""
    letters = "abcdeijk"[: net.integer(2, 6)]
    sizes = {letter: net.choose([1, 2, 3, 4, 5]) for letter in letters}
    words = ["".join(net.rng.sample(letters, net.integer(1, min(4, len(letters))))) for _ in range(net.choose([1, 2, 2, 2, 3]))]
    used = sorted(set("".join(words)))
    result = "".join(net.rng.sample(used, net.integer(0, min(4, len(used)))))
    dots = net.choose([(), (), (), (2,), (3, 2)])
    places = [net.choose([True, False]) if dots else False for _ in words]
    if dots and not any(places):
        places[0] = True
    shapes = [(*dots, *(sizes[letter] for letter in word)) if there else tuple(sizes[letter] for letter in word) for word, there in zip(words, places)]
    equation = ",".join(("..." if there else "") + word for word, there in zip(words, places))
    if net.chance(0.8) or dots:
        equation += "->" + ("..." if dots else "") + result
    if np.prod([sizes[letter] for letter in used]) > 3000:
        raise NotPossible
    dtype = net.choose([T.FLOAT, T.FLOAT, T.FLOAT, T.DOUBLE, T.INT32, T.INT64])
    net.add("Einsum", [net.operand(dtype, shape, -1, 1) for shape in shapes], equation=equation)


def scales_of(net, value):
    """For all, along any axis, or in blocks along any: shape, attributes."""
    how = net.choose(["one", "axis", "axis", "blocks"])
    if how == "one" or not value.rank:
        return (), {}
    axis = net.integer(0, value.rank - 1)
    told = axis - value.rank if net.chance(0.3) else axis
    if how == "axis":
        return (value.shape[axis],), {"axis": told}
    if net.opset < 21:
        raise NotPossible
    size = net.choose([b for b in range(1, value.shape[axis] + 1)])
    blocks = -(-value.shape[axis] // size)
    if -(-value.shape[axis] // blocks) != size:
        raise NotPossible
    return (*value.shape[:axis], blocks, *value.shape[axis + 1 :]), {"axis": told, "block_size": size}


def drawn(net, kind, shape, low=None, high=None):
    lowest, highest = SMALL[kind]
    draw = np.random.default_rng(net.rng.getrandbits(32))
    values = draw.integers(max(lowest, low if low is not None else lowest), min(highest, high if high is not None else highest), shape, endpoint=True)
    return net.constant(np.asarray(values).astype(helper.tensor_dtype_to_np_dtype(kind)), share=False)


def quantization(net):
    """There and back, of any type and along any axis; what is between may be moved."""
    value = net.pick([T.FLOAT] * 5 + [T.FLOAT16], range(1, 5), lambda v: v.size > 0 and not net.symbolic)
    kinds = list(SMALL) if net.opset >= 21 else [T.INT8, T.UINT8]
    kind = net.choose(kinds)
    shape, how = scales_of(net, value)
    dtype = helper.tensor_dtype_to_np_dtype(value.dtype)
    scale = net.constant(np.random.default_rng(net.rng.getrandbits(32)).uniform(0.05, 0.4, shape).astype(dtype), share=False)
    low, high = SMALL[kind]
    zero = drawn(net, kind, shape, (low + high) // 2 - 5, (low + high) // 2 + 5) if net.chance(0.8) else None
    if zero is None and kind != T.UINT8:
        raise NotPossible
    operands = [scale] + ([zero] if zero is not None else [])
    held = net.add("QuantizeLinear", [value, *operands], **how)
    if not shape and net.chance(0.4):
        kind = net.choose(["Transpose", "Reshape", "Identity"])
        held = net.add(kind, [held] + ([net.numbers(-1)] if kind == "Reshape" else []))
    net.add("DequantizeLinear", [held, *operands], **how)


def dequantized(net):
    """Constants or inputs of small integers, into a product or a sum."""
    kind = net.choose([*SMALL, T.INT32] if net.opset >= 21 else [T.INT8, T.UINT8, T.INT32])
    shape = tuple(net.integer(1, 9) for _ in range(net.integer(1, 4)))
    is_wide = kind == T.INT32
    value = net.random(kind, shape, -500, 500) if is_wide else drawn(net, kind, shape)
    if kind in (T.INT8, T.UINT8) and net.chance(0.4):
        value = net.input(kind, shape, -100, 100)
    scales, how = scales_of(net, value)
    operands = [value, net.constant(np.random.default_rng(net.rng.getrandbits(32)).uniform(0.01, 0.1, scales).astype(np.float32), share=False)]
    if not is_wide and net.chance(0.6):
        operands.append(drawn(net, kind, scales))
    result = net.add("DequantizeLinear", operands, **how)
    if net.chance(0.6) and result.rank >= 2:
        left = net.operand(T.FLOAT, (net.integer(1, 5), result.shape[-2]))
        net.add("MatMul", [left, result])
    elif net.chance(0.5):
        net.add("Add", [result, net.operand(T.FLOAT, result.shape)])


def integer_product(net):
    """QLinearMatMul and MatMulInteger with numbers for each row or column, and batches."""
    batch, rows, inner, columns = net.choose([(), (), (2,), (2, 3)]), net.integer(1, 9), net.integer(1, 20), net.integer(1, 20)
    kind, weights = net.choose([(T.UINT8, T.INT8), (T.UINT8, T.UINT8), (T.INT8, T.INT8)])
    left = net.operand(kind, (*batch, rows, inner), -63, 63)
    right = net.operand(weights, (inner, columns) if net.chance(0.6) else (*batch, inner, columns), -63, 63)
    numpy_kinds = [helper.tensor_dtype_to_np_dtype(one) for one in (kind, weights)]
    each = net.chance(0.5)
    zeros = [net.constant(np.array(net.integer(0, 60), numpy_kinds[0])),
             net.random(weights, (columns,), 0, 9) if each and right.rank == 2 else net.constant(np.array(net.integer(0, 9), numpy_kinds[1]))]  # fmt: skip
    if net.chance(0.5):
        result = net.add("MatMulInteger", [left, right, *zeros[: net.integer(0, 2)]])
        if net.chance(0.5):
            net.add("Mul", [net.add("Cast", [result], to=T.FLOAT), net.random(T.FLOAT, net.choose([(), (columns,)]), 0.01, 0.1)])
        return
    draw = np.random.default_rng(net.rng.getrandbits(32))
    scales = net.constant(draw.uniform(0.01, 0.05, zeros[1].shape).astype(np.float32), share=False)
    net.add("QLinearMatMul", [left, net.constant(np.float32(0.02)), zeros[0], right, scales, zeros[1], net.constant(np.float32(0.04)),
                              net.constant(np.array(net.integer(0, 60), numpy_kinds[0]))])  # fmt: skip


def gather_batches(net):
    value = net.pick(ANY, range(2, 6), lambda v: v.size > 0 and not net.symbolic)
    batch = net.integer(1, value.rank - 1)
    depth = net.integer(1, value.rank - batch)
    shape = (*value.shape[:batch], *net.shape(net.integer(0, 1)), depth)
    net.add("GatherND", [value, indices(net, shape, min(value.shape[batch : batch + depth]), T.INT64)], batch_dims=batch)


def pad(net):
    """Of some axes, counted from either end; away from them; by more than there is."""
    if net.opset < 18:
        raise NotPossible
    value = net.pick(ANY, range(1, 6), lambda v: v.size > 0)
    axes = net.rng.sample(range(value.rank), net.integer(1, value.rank))
    mode = net.choose(["constant", "constant", "edge", "reflect", "wrap"])
    if net.symbolic or mode in ("wrap",) and net.opset < 19:
        raise NotPossible
    pads = []
    for _ in range(2):
        for axis in axes:
            size = value.shape[axis]
            most = {"constant": 9, "edge": 9, "reflect": size - 1, "wrap": size}[mode]
            pads.append(net.integer(0, most) if net.chance(0.7) else -net.integer(0, (size - 1) // 2) if mode == "constant" else 0)
    how = [a - value.rank if net.chance(0.3) else a for a in axes]
    filler = net.random(value.dtype, ()) if mode == "constant" and net.chance(0.6) else None
    net.add("Pad", [value, net.numbers(*pads), filler, net.constant(np.array(how, net.choose([np.int32, np.int64])))], mode=mode)


def part_of_shape(net):
    if net.opset < 15:
        raise NotPossible
    value = net.pick(ANY, range(7))
    how = {"start": net.integer(-value.rank - 2, value.rank + 2)}
    if net.chance(0.6):
        how["end"] = net.integer(-value.rank - 2, value.rank + 2)
    shape = net.add("Shape", [value], **how)
    if shape.size and net.chance(0.5):
        net.add("ReduceProd", [shape, net.numbers(0)], keepdims=0)


def slice_far(net):
    """Starts, ends and steps far beyond the dim."""
    value = net.pick(ANY, range(1, 5), lambda v: not net.symbolic)
    axis, far = net.integer(0, value.rank - 1), [2**63 - 1, -(2**63), 2**31, -(2**31) - 1, 0, 1, -1, 5]
    step = net.choose([2**63 - 1, -(2**63) + 1, 2**40, -(2**40), 7, -7, 1, -1])
    ends = [end for end in far if step > 0 or end != 2**63 - 1]  # the greatest end is onnxruntime's word for the last, also backwards
    net.add("Slice", [value, net.numbers(net.choose(far)), net.numbers(net.choose(ends)), net.numbers(axis), net.numbers(step)])


def trilu_far(net):
    value = net.pick(ANY, range(2, 5))
    net.add("Trilu", [value, net.constant(np.array(net.choose([2**40, -(2**40), 100, -100, 9, -9]), np.int64))], upper=net.integer(0, 1))


def recurrent_of_batches(net):
    """Batches first; an activation for each gate and direction."""
    op, gates, functions = net.choose([("LSTM", 4, 3), ("GRU", 3, 2), ("RNN", 1, 1)])
    if net.symbolic or net.opset < 14:
        raise NotPossible
    direction = net.choose(["forward", "reverse", "bidirectional"])
    d, batch, steps, width, hidden = 2 if direction == "bidirectional" else 1, net.integer(1, 3), net.integer(1, 5), net.integer(1, 5), net.integer(1, 5)
    operands = [net.operand(T.FLOAT, (steps, batch, width)), net.random(T.FLOAT, (d, gates * hidden, width), -0.7, 0.7),
                net.random(T.FLOAT, (d, gates * hidden, hidden), -0.7, 0.7), net.random(T.FLOAT, (d, 2 * gates * hidden)),
                net.operand(T.INT32, (batch,), 0, steps, plain=True) if net.chance(0.4) else None]  # fmt: skip
    while operands[-1] is None:
        operands.pop()
    how = {"activations": [net.choose(["Sigmoid", "Tanh", "Relu", "HardSigmoid", "Softsign", "Softplus", "Elu", "LeakyRelu"]) for _ in range(functions * d)]}
    how["activations"] = [name for name in how["activations"]]
    if net.chance(0.3):
        how["clip"] = 0.4
    if op == "LSTM" and net.chance(0.2):
        how["input_forget"] = 1
    if op == "GRU":
        how["linear_before_reset"] = net.integer(0, 1)
    net.add(op, operands, 3 if op == "LSTM" else 2, hidden_size=hidden, direction=direction, **how)


def one_hot(net):
    """At any axis, of any types, with indices beyond the depth, which pick nothing."""
    depth, shape = net.integer(1, 5), net.shape(net.integer(0, 3))
    where = net.operand(net.choose([T.INT64, T.INT64, T.FLOAT]), shape, -depth - 2, depth + 1, plain=True)
    if is_float(where.dtype):
        where = net.add("Floor", [where])
    values = net.random(net.choose([T.FLOAT, T.INT64]), (2,))
    net.add("OneHot", [where, net.constant(np.array([depth] if net.chance(0.5) else depth, np.int64)), values], axis=net.integer(-len(shape) - 1, len(shape)))


def scattered_twice(net):
    """Elements at one place more than once, summed up."""
    value = net.pick([T.FLOAT, T.FLOAT, T.INT32, T.INT64, T.FLOAT16], range(1, 5), lambda v: v.size > 0 and not net.symbolic)
    if net.opset < 18:
        raise NotPossible
    axis, how = net.axis(value), net.choose(["add", "mul", "max", "min"])
    shape = list(value.shape)
    shape[axis] = net.integer(1, 12)
    net.add("ScatterElements", [value, indices(net, shape, value.shape[axis]), net.operand(value.dtype, shape)], axis=axis, reduction=how)


def top_k(net):
    value = net.pick([T.FLOAT, T.DOUBLE, T.INT32, T.INT64, T.FLOAT16], range(1, 5), lambda v: v.size > 0 and not net.symbolic)
    axis = net.axis(value)
    net.add("TopK", [value, net.numbers(net.integer(0, value.shape[axis]))], 2, axis=axis, largest=net.integer(0, 1), absent=net.choose([(), (0,), (1,)]))


def cast_narrow(net):
    """Floats and integers through narrow types, and to and from boolean."""
    value = net.pick(FLOATS + INTEGERS + [T.BOOL], range(4))
    if net.opset < 21:
        raise NotPossible
    if is_float(value.dtype):
        kind = net.choose([T.FLOAT8E4M3FN, T.FLOAT8E5M2, T.FLOAT8E4M3FNUZ, T.FLOAT8E5M2FNUZ])
        net.add("Cast", [net.add("Cast", [value], to=kind, saturate=net.integer(0, 1))], to=net.choose(FLOATS))
        return
    bounded = net.add("Clip", [value, *(net.constant(np.array(n, helper.tensor_dtype_to_np_dtype(value.dtype))) for n in (0, 7))]) if value.dtype != T.BOOL else value
    net.add("Cast", [net.add("Cast", [bounded], to=net.choose([T.INT4, T.UINT4]))], to=net.choose(INTEGERS + FLOATS))


MAKERS = [(einsum, 6), (quantization, 6), (dequantized, 5), (integer_product, 3), (gather_batches, 2), (pad, 3), (part_of_shape, 1), (slice_far, 2),
          (trilu_far, 1), (recurrent_of_batches, 3), (one_hot, 1), (scattered_twice, 2), (top_k, 1), (cast_narrow, 2)]  # fmt: skip
