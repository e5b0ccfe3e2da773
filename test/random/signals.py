# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fourier transforms, and tensors that are made of a few numbers: windows, filter banks, ranges, diagonals.
import numpy as np
from net import NotPossible, T


def number(net, value, dtype=np.int64):
    return net.constant(np.array(value, dtype))


def dft(net):
    """Over any dim but the last, of as many elements or others; of pairs there and back, of real numbers to one side or both. (Of
    doubles onnxruntime takes angles in float.)"""
    parts = net.choose([1, 1, 2])
    value = net.operand(T.FLOAT, (*[net.integer(1, 9) for _ in range(net.integer(1, 3))], parts))
    if net.symbolic:
        raise NotPossible
    axis = net.integer(0 if net.opset >= 20 else 1, value.rank - 2) if value.rank > 2 else 0
    if net.opset < 20 and axis == 0:
        raise NotPossible
    length = number(net, net.integer(1, 12)) if net.chance(0.3) else None
    how = net.choose([{}, {"onesided": 1}] if parts == 1 else [{}, {"inverse": 1}])
    net.add("DFT", [value, length, number(net, axis - value.rank if net.chance(0.3) else axis)], **how)


def stft(net):
    frame, step, frames = net.choose([4, 5, 8, 16]), net.integer(1, 5), net.integer(1, 4)
    length = frame + step * (frames - 1) + net.integer(0, step - 1)
    if net.symbolic:
        raise NotPossible
    signal = net.operand(T.FLOAT, (net.integer(1, 3), length, 1))
    window = net.operand(T.FLOAT, (frame,), 0.1, 1.0) if net.chance(0.7) else None
    side = net.integer(0, 1)
    bins = frame // 2 + 1 if side else frame
    net.add("STFT", [signal, number(net, step), window, number(net, frame) if window is None or net.chance(0.5) else None], onesided=side,
            shapes=[(T.FLOAT, (signal.shape[0], frames, bins, 2))])  # fmt: skip


def windows(net):
    size = net.integer(3, 16)
    net.add(net.choose(["HannWindow", "HammingWindow", "BlackmanWindow"]), [number(net, size)], periodic=net.integer(0, 1), shapes=[(T.FLOAT, (size,))])


def mel_weights(net):
    bins, length, rate = net.integer(2, 8), net.choose([16, 32, 64]), net.choose([8000, 16000])
    low, high = 20.0 + 100 * net.integer(0, 3), rate / 2 - 500 * net.integer(0, 2)
    numbers = [number(net, bins), number(net, length), number(net, rate), number(net, low, np.float32), number(net, high, np.float32)]
    net.add("MelWeightMatrix", numbers, shapes=[(T.FLOAT, (length // 2 + 1, bins))])


def range_(net):
    kind = net.choose([np.int64, np.int32, np.float32, np.float64])
    begin, delta, count = net.integer(-5, 5), net.choose([-3, -2, -1, 1, 2, 3]), net.integer(0, 9)
    end = begin + delta * count - (0 if count == 0 else net.integer(0, abs(delta) - 1) * (1 if delta > 0 else -1))
    made = [number(net, value, kind) for value in (begin, end, delta)]
    net.add("Range", made, shapes=[(made[0].dtype, (count,))])


def eye_like(net):
    value = net.pick([T.FLOAT, T.DOUBLE, T.INT32, T.INT64], 2, lambda v: not net.symbolic)
    net.add("EyeLike", [value], k=net.integer(-3, 3), dtype=net.choose([None, T.FLOAT, T.INT32]))


MAKERS = [(dft, 3), (stft, 2), (windows, 1), (mel_weights, 1), (range_, 2), (eye_like, 1)]
