# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Quantized nets: QuantizeLinear and DequantizeLinear around operators, as exporters write them, and ONNX's quantized operators.
import numpy as np
from net import NotPossible, T
from products import maps, window
from onnx import helper


def parameters(net, dtype, shape=(), low=0.01, high=0.06):
    """Scale and zero point."""
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    scale = net.constant(np.asarray(np.random.default_rng(net.rng.getrandbits(32)).uniform(low, high, shape), np.float32))
    zeros = {T.INT8: (-20, 20), T.UINT8: (100, 156), T.INT16: (-50, 50), T.UINT16: (32000, 33000)}[dtype]
    symmetric = net.chance(0.4) and dtype in (T.INT8, T.INT16)
    zero = np.zeros(shape, kind) if symmetric else np.asarray([net.integer(*zeros)] * int(np.prod(shape)), kind).reshape(shape)
    return scale, net.constant(zero)


def bytes_type(net):
    return net.choose([T.INT8, T.INT8, T.UINT8, T.UINT8, T.INT16, T.UINT16]) if net.chance(0.2) else net.choose([T.INT8, T.UINT8])


def quantize(net, value, dtype=None):
    dtype = dtype or bytes_type(net)
    scale, zero = parameters(net, dtype)
    return net.add("QuantizeLinear", [value, scale, zero]), scale, zero


def through(net, value, dtype=None):
    """The value, quantized and dequantized."""
    held, scale, zero = quantize(net, value, dtype)
    return net.add("DequantizeLinear", [held, scale, zero])


def weight(net, shape, per_filter_axis=0):
    """Weights of int8 with scales for all or for each filter."""
    held = net.random(T.INT8, shape, -127, 127)
    each = net.chance(0.5)
    count = (shape[per_filter_axis],) if each else ()
    scale = net.constant(np.asarray(np.random.default_rng(net.rng.getrandbits(32)).uniform(0.002, 0.02, count), np.float32))
    zero = net.constant(np.zeros(count, np.int8)) if net.chance(0.8) else None
    return net.add("DequantizeLinear", [held, scale, zero] if zero else [held, scale], axis=per_filter_axis if each else None)


def qdq_conv(net):
    value = maps(net, (4,))
    if value.dtype != T.FLOAT:
        raise NotPossible
    channels = value.shape[1]
    how = window(net, value.shape[2:])
    group = net.choose([1, 1, channels])
    filters = channels if group > 1 else net.choose([1, 3, 4, 8, 16])
    operands = [through(net, value), weight(net, (filters, channels // group, *how["kernel_shape"]))]
    if net.chance(0.6):
        operands.append(net.random(T.FLOAT, (filters,)))
    result = net.add("Conv", operands, group=group, **how)
    if net.chance(0.5):
        result = net.add(net.choose(["Relu", "Sigmoid", "HardSwish", "LeakyRelu"]), [result])
    return through(net, result)


def qdq_product(net):
    value = net.pick([T.FLOAT], range(2, 4), lambda v: v.size > 0)
    inner, columns = value.shape[-1], net.integer(1, 9)
    if net.chance(0.5) and value.rank == 2:
        result = net.add("Gemm", [through(net, value), weight(net, (columns, inner)), net.random(T.FLOAT, (columns,))], transB=1)
    else:
        right = weight(net, (inner, columns), 1) if net.chance(0.7) else through(net, net.operand(T.FLOAT, (*value.shape[:-2], inner, columns)))
        result = net.add("MatMul", [through(net, value), right])
    return through(net, result)


def qdq_elementwise(net):
    value = net.pick([T.FLOAT], range(1, 5), lambda v: v.size > 0)
    op = net.choose("Relu Sigmoid Tanh LeakyRelu HardSwish Add Mul Sub Clip Softmax Concat MaxPool AveragePool GlobalAveragePool Reshape Transpose".split())
    inner = through(net, value)
    if op in ("Add", "Mul", "Sub"):
        result = net.add(op, [inner, through(net, net.operand(T.FLOAT, net.broadcast_with(value.shape)))])
    elif op == "Clip":
        result = net.add(op, [inner, net.constant(np.float32(0)), net.constant(np.float32(6))])
    elif op == "Concat":
        result = net.add(op, [inner, through(net, net.operand(T.FLOAT, value.shape))], axis=net.axis(value))
    elif op in ("MaxPool", "AveragePool", "GlobalAveragePool"):
        if value.rank != 4:
            raise NotPossible
        result = net.add(op, [inner], **(window(net, value.shape[2:]) if op != "GlobalAveragePool" else {}))
    elif op == "Reshape":
        result = net.add(op, [inner, net.numbers(-1)])
    else:
        result = net.add(op, [inner])
    return through(net, result) if net.chance(0.85) else result


def operators(net):
    """QLinearConv, QLinearMatMul, MatMulInteger, ConvInteger, DynamicQuantizeLinear."""
    op = net.choose("QLinearMatMul MatMulInteger DynamicQuantizeLinear QLinearConv ConvInteger".split())
    if op == "DynamicQuantizeLinear":
        net.add(op, [net.pick([T.FLOAT], range(1, 5), lambda v: v.size > 0)], 3)
        return
    kind = net.choose([T.INT8, T.UINT8])
    if "MatMul" in op:
        rows, inner, columns = (net.integer(1, 9) for _ in range(3))
        left, right = net.operand(kind, (rows, inner), -100, 100), net.operand(T.INT8, (inner, columns), -100, 100)
    else:
        channels = net.integer(1, 5)
        left, right = net.operand(kind, (1, channels, 6, 7), -100, 100), net.random(T.INT8, (net.integer(1, 9), channels, 3, 3), -100, 100)
    how = {} if "MatMul" in op else {"pads": [net.integer(0, 1)] * 4, "strides": [net.integer(1, 2)] * 2}
    zero_left, zero_right = parameters(net, kind)[1], net.constant(np.int8(0))
    if op.endswith("Integer"):
        net.add(op, [left, right, zero_left, zero_right], **how)
        return
    result = parameters(net, kind, (), 1, 3)
    net.add(op, [left, parameters(net, kind)[0], zero_left, right, parameters(net, kind)[0], zero_right, *result], **how)


MAKERS = [(qdq_conv, 4), (qdq_product, 3), (qdq_elementwise, 5), (operators, 1)]
