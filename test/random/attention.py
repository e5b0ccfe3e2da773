# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What transformers are made of since opset 23: Attention with its masks, caches and groups, RotaryEmbedding, RMSNormalization, TensorScatter.
import numpy as np
from net import NotPossible, T


def attention(net):
    batch, heads, groups, width = net.integer(1, 2), net.integer(1, 3), net.choose([1, 1, 2]), net.choose([1, 2, 4, 8])
    length, keys, values = net.integer(1, 6), net.integer(1, 6), net.choose([width, width, 3])
    kind = net.choose([T.FLOAT] * 5 + [T.FLOAT16])
    flat = net.chance(0.3)

    def operand(heads, length, width):
        return net.operand(kind, (batch, length, heads * width) if flat else (batch, heads, length, width))

    operands = [operand(heads * groups, length, width), operand(heads, keys, width), operand(heads, keys, values)]
    how = {"q_num_heads": heads * groups, "kv_num_heads": heads} if flat else {}
    past = net.integer(1, 4) if net.chance(0.25) else 0
    mask = None
    if net.chance(0.4):
        shape = net.choose([(length, keys + past), (1, 1, length, keys + past), (batch, 1, length, keys + past), (batch, heads * groups, length, keys + past)])
        mask = net.operand(net.choose([kind, T.BOOL]), shape)
    if net.chance(0.3) and not past:  # of a cache each begins its triangle elsewhere
        how["is_causal"] = 1
    if net.chance(0.3):
        how["scale"] = 0.4
    if net.chance(0.15):
        how["softcap"] = 2.0
    if mask is not None and "softcap" in how:  # whether the mask is inside of the cap each thinks differently
        raise NotPossible
    if not past:
        net.add("Attention", [*operands, mask] if mask is not None else operands, **how)
        return
    caches = [net.operand(kind, (batch, heads, past, w)) for w in (width, values)]
    net.add("Attention", [*operands, mask, *caches], 3, **how)


def rotary(net):
    batch, heads, length, width = net.integer(1, 2), net.integer(1, 3), net.integer(1, 6), net.choose([2, 4, 8])
    flat = net.chance(0.3)
    value = net.operand(T.FLOAT, (batch, length, heads * width) if flat else (batch, heads, length, width))
    how = {"num_heads": heads} if flat else {}
    if net.chance(0.5):
        places = net.operand(T.INT64, (batch, length), 0, 9, plain=True)
        tables = [net.random(T.FLOAT, (10, width // 2)) for _ in range(2)] + [places]
    else:
        tables = [net.random(T.FLOAT, (batch, length, width // 2)) for _ in range(2)]
    net.add("RotaryEmbedding", [value, *tables], interleaved=net.integer(0, 1), **how)


def rms_norm(net):
    value = net.pick([T.FLOAT, T.FLOAT, T.FLOAT16], range(1, 5), lambda v: v.size > 0)
    axis = net.axis(value)
    shape = value.shape[axis:] if axis >= 0 else value.shape[value.rank + axis :]
    if net.symbolic and 6 in shape:
        raise NotPossible
    net.add("RMSNormalization", [value, net.random(value.dtype, shape)], axis=axis, epsilon=net.choose([None, 1e-3]))


def cache_update(net):
    batch, heads, most, width = net.integer(1, 2), net.integer(1, 3), net.integer(2, 6), net.integer(1, 4)
    count = net.integer(1, most)
    cache, update = net.operand(T.FLOAT, (batch, heads, most, width)), net.operand(T.FLOAT, (batch, heads, count, width))
    mode = net.choose(["linear", "circular"])
    last = most - 1 if mode == "circular" else most - count
    at = net.constant(np.array([net.integer(0, last) for _ in range(batch)], np.int64))
    net.add("TensorScatter", [cache, update, at], axis=2, mode=mode)


MAKERS = [(attention, 5), (rotary, 2), (rms_norm, 2), (cache_update, 1)]
