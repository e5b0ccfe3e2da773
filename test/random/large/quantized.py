# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Quantized nets of real sizes: QuantizeLinear and DequantizeLinear around convolutions, products and what is between, symmetric or not, with
# scales for all or for each filter; ONNX's quantized operators; weights of 4 and 8 bits in blocks.
import numpy as np
from large.maps import start, window
from large.parts import activated, check_work, either_order, fresh, length, scalar, width
from large.products import size
from net import NotPossible, T
from onnx import helper

BYTES = [T.INT8, T.UINT8]


def draw(net):
    return np.random.default_rng(net.rng.getrandbits(32))


def quantization(net, kind, range_=4.0):
    """Scale and zero point for numbers of about this range."""
    symmetric = net.chance(0.4)
    scale = np.float32(range_ * net.rng.uniform(0.8, 1.3) / 127)
    zero = (0 if symmetric else net.integer(-30, 30)) + (128 if kind == T.UINT8 else 0)
    return net.constant(scale, False), net.constant(np.array(zero, helper.tensor_dtype_to_np_dtype(kind)))


def through(net, value, kind=None, range_=4.0):
    kind = kind or net.choose(BYTES)
    scale, zero = quantization(net, kind, range_)
    return net.add("DequantizeLinear", [net.add("QuantizeLinear", [value, scale, zero]), scale, zero])


def weights(net, shape, terms, axis=0):
    """Bytes, dequantized: with a scale for all or for each filter, rarely with a zero point."""
    held = net.random(T.INT8, shape, -127, 127)
    count = (shape[axis],) if net.chance(0.6) else ()
    scale = net.constant((draw(net).uniform(0.7, 1.4, count) * 1.7 / (127 * np.sqrt(terms))).astype(np.float32), False)
    operands = [held, scale]
    if net.chance(0.8):
        zero = np.zeros(count, np.int8) if net.chance(0.85) else draw(net).integers(-9, 9, count).astype(np.int8)
        operands.append(net.constant(zero))
    return net.add("DequantizeLinear", operands, axis=axis if count else None)


def bias(net, filters):
    return net.random(T.FLOAT, (filters,), -1, 1)


def conv(net, value):
    """Of what is dequantized; the result, quantized and dequantized."""
    channels, rank = value.shape[1], value.rank
    form = net.choose(["full", "pointwise", "pointwise", "depthwise", "depthwise", "grouped"])
    how, group = window(net, value.shape[2:]), 1
    if form == "pointwise":
        how = {"kernel_shape": [1] * (rank - 2), **({"strides": [2] * (rank - 2)} if net.chance(0.2) else {})}
    group = channels if form == "depthwise" else net.choose([g for g in (2, 3, 4, 8) if channels % g == 0] or [1]) if form == "grouped" else 1
    filters = channels * net.choose([1, 1, 1, 2]) if form == "depthwise" else group * max(1, width(net, 96) // group)
    terms = int(np.prod(how["kernel_shape"])) * channels // group
    check_work(value.size // channels * filters * terms)
    operands = [value, weights(net, (filters, channels // group, *how["kernel_shape"]), terms)]
    if net.chance(0.8):
        operands.append(bias(net, filters))
    result = net.add("Conv", operands, group=group, **how)
    if net.chance(0.6):
        op = net.choose(["Relu", "Relu", "Clip", "HardSwish", "Sigmoid", "LeakyRelu", "any"])
        if op == "Clip":
            result = net.add(op, [result, scalar(net, 0), scalar(net, 6)])
        else:
            result = activated(net, result) if op == "any" else net.add(op, [result])
    return through(net, result)


def residual(net, value):
    k = net.choose([1, 3])
    how = {"kernel_shape": [k] * (value.rank - 2), "pads": [k // 2] * (2 * (value.rank - 2))}
    channels = value.shape[1]
    group = net.choose([1, channels])
    terms = k ** (value.rank - 2) * channels // group
    check_work(value.size * terms)
    branch = net.add("Conv", [value, weights(net, (channels, channels // group, *how["kernel_shape"]), terms), bias(net, channels)], group=group, **how)
    total = either_order(net, "Add", value, through(net, branch))
    return through(net, net.add("Relu", [total]) if net.chance(0.5) else total)


def between(net, value):
    op = net.choose(["MaxPool", "AveragePool", "Concat", "squeeze-excite", "Resize", "Sigmoid", "HardSwish", "Pad", "shuffle", "Mul"])
    n, channels, *spatial = value.shape
    if op in ("MaxPool", "AveragePool"):
        k = net.choose([2, 3])
        if min(spatial) < k:
            raise NotPossible
        result = net.add(op, [value], kernel_shape=[k] * len(spatial), strides=[net.choose([1, 2])] * len(spatial), pads=[net.integer(0, 1)] * (2 * len(spatial)))
    elif op == "Concat":
        result = net.add(op, [value, *(conv_kept(net, value) for _ in range(net.integer(1, 3)))], axis=1)
    elif op == "squeeze-excite":
        gate = through(net, net.add("GlobalAveragePool", [value]))
        gate = through(net, net.add("Relu", [conv_kept(net, gate)]))
        result = either_order(net, "Mul", value, through(net, net.add("Sigmoid", [conv_kept(net, gate, channels)]), range_=1.0))
    elif op == "Resize":
        if len(spatial) != 2 or value.size > 30000:
            raise NotPossible
        scales = net.constant(np.array([1, 1, 2, 2], np.float32))
        result = net.add(op, [value, None, scales], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    elif op == "Pad":
        result = net.add(op, [value, net.numbers(0, 0, *[1] * len(spatial), 0, 0, *[2] * len(spatial))])
    elif op == "shuffle":
        if channels % 2 or net.dynamic:
            raise NotPossible
        split = net.add("Reshape", [value, net.numbers(n, 2, channels // 2, *spatial)])
        return net.add("Reshape", [net.add("Transpose", [split], perm=[0, 2, 1, *range(3, value.rank + 1)]), net.numbers(*value.shape)])
    elif op == "Mul":
        result = net.add(op, [value, through(net, net.random(T.FLOAT, (1, channels, *[1] * len(spatial))))])
    else:
        result = net.add(op, [value])
    return through(net, result)


def conv_kept(net, value, filters=None):
    """A pointwise one."""
    filters = filters or width(net, 40)
    check_work(value.size * filters)
    shape = (filters, value.shape[1], *[1] * (value.rank - 2))
    return through(net, net.add("Conv", [value, weights(net, shape, value.shape[1]), bias(net, filters)]))


def image_net(net):
    value = through(net, start(net, rank=net.choose([4, 4, 4, 4, 3])), range_=2.0)
    for _ in range(net.integer(1, 5)):
        try:
            value = net.rng.choices([conv, residual, between], [6, 2, 3])[0](net, value)
        except NotPossible:
            continue
    if net.chance(0.3):
        flat = through(net, net.add("Flatten", [through(net, net.add("GlobalAveragePool", [value]))]))
        dense(net, flat)


def dense(net, value):
    inner, columns = value.shape[-1], size(net)
    check_work(value.size * columns)
    if value.rank == 2 and net.chance(0.6):
        turned = net.integer(0, 1)
        shape, axis = ((columns, inner), 0) if turned else ((inner, columns), 1)
        result = net.add("Gemm", [value, weights(net, shape, inner, axis), bias(net, columns)], transB=turned)
    else:
        result = net.add("MatMul", [value, weights(net, (inner, columns), inner, 1)])
        if net.chance(0.6):
            result = either_order(net, "Add", result, bias(net, columns))
    if net.chance(0.5):
        result = activated(net, result)
    return through(net, result)


def dense_net(net):
    shape = net.choose([(length(net, 40), size(net)), (net.choose([1, 2]), length(net, 40), size(net))])
    value = through(net, fresh(net, T.FLOAT, shape, (0,)), range_=2.0)
    for _ in range(net.integer(1, 4)):
        value = dense(net, value)
    if net.chance(0.3):
        through(net, net.add("Softmax", [value], axis=-1), range_=1.0)


def attention(net):
    batch, heads, rows, columns, features = net.choose([1, 2]), net.choose([1, 2, 3]), length(net, 40), length(net, 40), net.choose([8, 16, 17, 32, 64])
    query, key, value = (through(net, fresh(net, T.FLOAT, (batch, heads, n, features)), range_=2.0) for n in (rows, columns, columns))
    scores = net.add("MatMul", [query, net.add("Transpose", [key], perm=[0, 1, 3, 2])])
    scores = through(net, net.add("Mul", [scores, scalar(net, 1 / np.sqrt(features))]))
    weights = through(net, net.add("Softmax", [scores], axis=-1), T.UINT8, 1.0)
    through(net, net.add("MatMul", [weights, value]))


def zero_point(net, kind):
    return net.constant(np.array(net.integer(-9, 9) + (128 if kind == T.UINT8 else 0), helper.tensor_dtype_to_np_dtype(kind)))


def operators(net):
    """QLinearConv, QLinearMatMul, ConvInteger, MatMulInteger, one behind the other."""
    kind = net.choose(BYTES)
    if net.chance(0.5):
        rows, inner, columns = length(net, 40), size(net), size(net)
        check_work(rows * inner * columns)
        left, right = net.input(kind, (rows, inner), -128, 255), net.random(T.INT8, (inner, columns), -127, 127)
        zeros, how, terms, last = (zero_point(net, kind), net.constant(np.int8(0))), {}, inner, columns
        op = net.choose(["QLinearMatMul", "MatMulInteger"])
    else:
        channels, filters = width(net, 64), width(net, 64)
        spatial = [length(net, 24), length(net, 40)]
        how = window(net, spatial)
        group = net.choose([1, 1, channels])
        filters = channels if group > 1 else filters
        op = net.choose(["QLinearConv", "ConvInteger"])
        terms, last = int(np.prod(how["kernel_shape"])) * channels // group, filters
        check_work(int(np.prod(spatial)) * filters * terms)
        left = net.input(kind, (net.choose([1, 2]), channels, *spatial), -128, 255)
        right = net.random(T.INT8, (filters, channels // group, *how["kernel_shape"]), -127, 127)
        zeros, how = (zero_point(net, kind), net.constant(np.int8(0))), {**how, "group": group}
    if op.endswith("Integer"):
        sums = net.add("Cast", [net.add(op, [left, right, *zeros], **how)], to=T.FLOAT)
        net.add("Mul", [sums, scalar(net, 1e-3)])
        return
    scales = [net.constant(np.float32(0.02), False), net.constant(np.float32(1.7 / (127 * np.sqrt(terms))), False)]
    operands = [left, scales[0], zeros[0], right, scales[1], zeros[1], *quantization(net, kind, 4.0)]
    if op == "QLinearConv" and net.chance(0.6):
        operands.append(net.random(T.INT32, (last,), -2000, 2000))
    net.add(op, operands, **how)


def dynamic(net):
    """Activations quantized by what they are: DynamicQuantizeLinear, MatMulInteger, and the sums as floats."""
    rows, inner, columns = length(net, 40), size(net), size(net)
    check_work(rows * inner * columns)
    value = fresh(net, T.FLOAT, net.choose([(rows, inner), (2, rows, inner)]), (0,))
    for _ in range(net.integer(1, 2)):
        inner = value.shape[-1]
        held, scale, zero = net.add("DynamicQuantizeLinear", [value], 3)
        sums = net.add("MatMulInteger", [held, net.random(T.INT8, (inner, columns), -127, 127), zero, net.constant(np.int8(0))])
        factor = net.add("Mul", [scale, net.constant(np.float32(1.7 / (127 * np.sqrt(inner))), False)])
        value = either_order(net, "Mul", net.add("Cast", [sums], to=T.FLOAT), factor)
        if net.chance(0.6):
            value = either_order(net, "Add", value, bias(net, columns))
        if net.chance(0.5):
            value = activated(net, value)


def in_blocks(net):
    """MatMulNBits: weights of 4 or 8 bits in blocks, with zero points or without."""
    rows, inner, columns = net.choose([1, 1, 2, 5, length(net, 33)]), 8 * net.integer(2, 40), size(net)
    block, bits = net.choose([16, 32, 64, 128]), net.choose([4, 4, 4, 8])
    check_work(rows * inner * columns)
    blocks = -(-inner // block)
    value = fresh(net, T.FLOAT, net.choose([(rows, inner), (1, rows, inner)]))
    made = draw(net)
    most = 2**bits
    operands = [value, net.constant(made.integers(0, 256, (columns, blocks, block * bits // 8)).astype(np.uint8), False),
                net.constant((made.uniform(0.7, 1.4, columns * blocks) * 3.4 / (most * np.sqrt(inner))).astype(np.float32), False)]  # fmt: skip
    if net.chance(0.5):
        operands.append(net.constant(made.integers(0, 256, columns * (-(-blocks * bits // 8))).astype(np.uint8), False))
    result = net.add("MatMulNBits", operands, domain="com.microsoft", shapes=[(T.FLOAT, (*value.shape[:-1], columns))],
                     K=inner, N=columns, bits=bits, block_size=block)  # fmt: skip
    if net.chance(0.5):
        result = either_order(net, "Add", result, bias(net, columns))
    activated(net, result)


def weight_only(net):
    """A product by weights that DequantizeLinear makes of 4 or 8 bits, in blocks or per column."""
    if net.opset < 21:
        raise NotPossible
    rows, inner, columns = net.choose([1, 2, length(net, 33)]), 16 * net.integer(1, 20), size(net)
    check_work(rows * inner * columns)
    kind = net.choose([T.INT4, T.UINT4, T.INT8, T.UINT8])
    numpy_kind = helper.tensor_dtype_to_np_dtype(kind)
    low, high = {T.INT4: (-8, 8), T.UINT4: (0, 16), T.INT8: (-128, 128), T.UINT8: (0, 256)}[kind]
    block = net.choose([16, inner])
    made = draw(net)
    shape = (inner // block, columns) if block < inner else (columns,)
    held = net.constant(made.integers(low, high, (inner, columns)).astype(np.int32).astype(numpy_kind), False)
    scale = net.constant((made.uniform(0.7, 1.4, shape) * 3.4 / ((high - low) * np.sqrt(inner))).astype(np.float32), False)
    operands = [held, scale]
    if net.chance(0.6) or low == 0:
        operands.append(net.constant(np.full(shape, (low + high) // 2).astype(np.int32).astype(numpy_kind), False))
    weight = net.add("DequantizeLinear", operands, axis=0 if block < inner else 1, block_size=block if block < inner else None)
    activated(net, net.add("MatMul", [fresh(net, T.FLOAT, (rows, inner), (0,)), weight]))


MAKERS = [(image_net, 6), (dense_net, 3), (attention, 1), (operators, 3), (dynamic, 2), (in_blocks, 2), (weight_only, 1)]
