# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# com.microsoft: what onnxruntime's optimizers and quantizers write. ONNX has no inference of these, so that shapes are told.
import numpy as np
from net import NotPossible, T
from products import maps, not_empty
from quantized import parameters

DOMAIN = "com.microsoft"


def add(net, op, inputs, *shapes, **how):
    return net.add(op, inputs, len(shapes), domain=DOMAIN, shapes=list(shapes), **how)


def gelu(net):
    value = net.pick([T.FLOAT], range(1, 5), not_empty)
    op = net.choose(["BiasGelu", "FastGelu", "QuickGelu", "Gelu"])
    operands = [value] + ([net.random(T.FLOAT, value.shape[-1:])] if op == "BiasGelu" or (op == "FastGelu" and net.chance(0.5)) else [])
    if net.symbolic and len(operands) > 1 and value.shape[-1] == 6:
        raise NotPossible
    add(net, op, operands, (T.FLOAT, value.shape), **({"alpha": 1.702} if op == "QuickGelu" else {}))


def fused_matmul(net):
    a = net.pick([T.FLOAT], 2, lambda v: v.size > 0 and not net.symbolic)
    flip_a, flip_b = net.integer(0, 1), net.integer(0, 1)
    rows, inner = a.shape[::-1] if flip_a else a.shape
    columns = net.integer(1, 9)
    b = net.operand(T.FLOAT, (columns, inner) if flip_b else (inner, columns))
    if net.chance(0.5):
        add(net, "FusedMatMul", [a, b], (T.FLOAT, (rows, columns)), transA=flip_a, transB=flip_b, alpha=net.choose([0.5, 1.0, 2.0]))
        return
    activation = net.choose(["Relu", "Sigmoid", "Tanh"])
    add(net, "FusedGemm", [a, b, net.operand(T.FLOAT, (columns,))], (T.FLOAT, (rows, columns)), transA=flip_a, transB=flip_b, activation=activation)


def skip_norm(net):
    value = net.pick([T.FLOAT], 3, lambda v: v.size > 0 and not net.symbolic)
    width = value.shape[-1:]
    operands = [value, net.operand(T.FLOAT, value.shape), net.random(T.FLOAT, width)]
    if net.chance(0.5):
        add(net, "SkipSimplifiedLayerNormalization", operands, (T.FLOAT, value.shape), epsilon=1e-5)
        return
    operands += [net.random(T.FLOAT, width) for _ in range(net.integer(0, 2))]
    add(net, "SkipLayerNormalization", operands, (T.FLOAT, value.shape), epsilon=1e-5)


def held(net, kind, shape):
    """A quantized value with its scale and zero point."""
    return [net.operand(kind, shape, -100, 100), *parameters(net, kind)]


def qlinear(net):
    op = net.choose("QLinearAdd QLinearMul QLinearSigmoid QLinearLeakyRelu QLinearConcat QLinearAveragePool QLinearGlobalAveragePool QGemm QLinearWhere".split())
    kind = net.choose([T.INT8, T.UINT8])
    shape = (net.integer(1, 2), net.integer(1, 4), net.integer(2, 6), net.integer(2, 6))
    result = parameters(net, kind)
    if op in ("QLinearAdd", "QLinearMul"):
        other = net.choose([shape, shape, (1, shape[1], 1, 1), (shape[3],)])
        add(net, op, held(net, kind, shape) + held(net, kind, other) + [*result], (kind, shape))
    elif op in ("QLinearSigmoid", "QLinearLeakyRelu"):
        add(net, op, held(net, kind, shape) + [*result], (kind, shape), **({"alpha": 0.1} if op == "QLinearLeakyRelu" else {}))
    elif op == "QLinearConcat":
        parts = [held(net, kind, shape) for _ in range(net.integer(1, 3))]
        axis = net.integer(0, 3)
        joined = tuple(d * len(parts) if i == axis else d for i, d in enumerate(shape))
        add(net, op, [*result, *(value for part in parts for value in part)], (kind, joined), axis=axis)
    elif op == "QLinearAveragePool":
        kernel = [net.integer(1, shape[2]), net.integer(1, shape[3])]
        pooled = (*shape[:2], shape[2] - kernel[0] + 1, shape[3] - kernel[1] + 1)
        add(net, op, held(net, kind, shape) + [*result], (kind, pooled), kernel_shape=kernel)
    elif op == "QLinearGlobalAveragePool":
        add(net, op, held(net, kind, shape) + [*result], (kind, (*shape[:2], 1, 1)))
    elif op == "QLinearWhere":
        condition = net.operand(T.BOOL, shape)
        add(net, op, [condition, *held(net, kind, shape), *held(net, kind, shape), *result], (kind, shape))
    else:
        rows, inner, columns = (net.integer(1, 9) for _ in range(3))
        bias = net.random(T.INT32, (columns,), -500, 500) if net.chance(0.6) else None
        operands = [*held(net, kind, (rows, inner)), *held(net, T.INT8, (inner, columns)), bias, *parameters(net, kind, (), 0.1, 0.3)]
        add(net, op, operands, (kind, (rows, columns)))


def matmul_nbits(net):
    """4-bit weights in blocks of 16 or 32, as text models have them."""
    value = net.pick([T.FLOAT], range(1, 4), lambda v: v.size > 0 and not net.symbolic)
    inner, columns, block = value.shape[-1], net.integer(1, 9), net.choose([16, 32])
    blocks = -(-inner // block)
    draw = np.random.default_rng(net.rng.getrandbits(32))
    operands = [value, net.constant(draw.integers(0, 256, (columns, blocks, block // 2)).astype(np.uint8), False),
                net.constant(draw.uniform(0.01, 0.1, columns * blocks).astype(np.float32), False)]  # fmt: skip
    if net.chance(0.5):
        operands.append(net.constant(draw.integers(0, 256, columns * -(-blocks // 2)).astype(np.uint8), False))
    add(net, "MatMulNBits", operands, (T.FLOAT, (*value.shape[:-1], columns)), K=inner, N=columns, bits=4, block_size=block)


def integer_products(net):
    value = net.pick([T.FLOAT], 2, lambda v: v.size > 0 and not net.symbolic)
    columns = net.integer(1, 9)
    # Two products of a byte and 63 fit into 16 bits: onnxruntime's kernels for CPUs without VNNI saturate there.
    right = net.random(T.INT8, (value.shape[1], columns), -63, 63)
    scale = parameters(net, T.INT8)[0]
    if net.chance(0.5):
        operands = [value, right, scale] + ([net.constant(np.int8(3))] if net.chance(0.5) else [])
        add(net, "DynamicQuantizeMatMul", operands, (T.FLOAT, (value.shape[0], columns)))
        return
    left = net.operand(T.UINT8, value.shape, 0, 255)
    operands = [left, right, parameters(net, T.UINT8)[0], scale]
    if net.chance(0.5):
        operands += [net.constant(np.uint8(120)), net.constant(np.int8(0))]
    add(net, "MatMulIntegerToFloat", operands, (T.FLOAT, (value.shape[0], columns)))


def fused_conv(net):
    value = maps(net, (4,))
    if value.dtype != T.FLOAT or net.symbolic:
        raise NotPossible
    filters = net.integer(1, 9)
    activation = net.choose([("Relu", None), ("LeakyRelu", [0.1]), ("Clip", [0.0, 6.0]), ("HardSigmoid", [0.2, 0.5]), ("Tanh", None)])
    operands = [value, net.random(T.FLOAT, (filters, value.shape[1], 1, 1)), net.random(T.FLOAT, (filters,))]
    shape = (value.shape[0], filters, *value.shape[2:])
    if net.chance(0.3):
        operands.append(net.operand(T.FLOAT, shape))
    add(net, "FusedConv", operands, (T.FLOAT, shape), kernel_shape=[1, 1], activation=activation[0], activation_params=activation[1])


MAKERS = [(gelu, 2), (fused_matmul, 2), (skip_norm, 2), (qlinear, 4), (matmul_nbits, 2), (integer_products, 2), (fused_conv, 1)]
