#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Trains the sample's net on scikit-learn's handwritten digits (1797 images of 8x8), writes digits.onnx and test_digits.h (some of the
# images that it never saw). Plain numpy, one thread, half a minute; the same files each time on one machine.
#
# The net: Conv 3x3 (1->8) ReLU, Conv 3x3 (8->16) ReLU, MaxPool 2x2, Gemm 256->10, Softmax. Training is Adam on the cross entropy,
# images shifted by up to one pixel; convolutions are matrix products of unfolded images.
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(1)


def unfold(x):  # [n, c, h, w] -> [n, h, w, c * 9], zeros around
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return np.ascontiguousarray(windows.transpose(0, 2, 3, 1, 4, 5)).reshape(x.shape[0], *x.shape[2:], -1)


def fold(columns, channels):  # the transpose of unfold
    n, h, w, _ = columns.shape
    c = columns.reshape(n, h, w, channels, 3, 3)
    padded = np.zeros((n, channels, h + 2, w + 2), np.float32)
    for dy in range(3):
        for dx in range(3):
            padded[:, :, dy : dy + h, dx : dx + w] += c[..., dy, dx].transpose(0, 3, 1, 2)
    return padded[:, :, 1:-1, 1:-1]


def initial():
    def he(*shape):
        fan_in = np.prod(shape[1:])
        return (rng.standard_normal(shape) * np.sqrt(2 / fan_in)).astype(np.float32)

    return {"w1": he(8, 9), "b1": np.zeros(8, np.float32), "w2": he(16, 72), "b2": np.zeros(16, np.float32),
            "w3": he(10, 256), "b3": np.zeros(10, np.float32)}  # fmt: skip


def forward(p, x):
    c1 = unfold(x)
    a1 = np.maximum(c1 @ p["w1"].T + p["b1"], 0)
    c2 = unfold(a1.transpose(0, 3, 1, 2))
    a2 = np.maximum(c2 @ p["w2"].T + p["b2"], 0)  # [n, 8, 8, 16]
    pools = a2.transpose(0, 3, 1, 2).reshape(-1, 16, 4, 2, 4, 2).transpose(0, 1, 2, 4, 3, 5).reshape(-1, 16, 4, 4, 4)
    best = pools.argmax(-1)
    flat = pools.max(-1).reshape(x.shape[0], 256)
    logits = flat @ p["w3"].T + p["b3"]
    e = np.exp(logits - logits.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True), (c1, a1, c2, a2, best, flat)


def gradients(p, x, labels):
    y, (c1, a1, c2, a2, best, flat) = forward(p, x)
    n = x.shape[0]
    d = y.copy()
    d[np.arange(n), labels] -= 1
    d /= n
    g = {"w3": d.T @ flat, "b3": d.sum(0)}
    pools = np.zeros((n, 16, 4, 4, 4), np.float32)
    np.put_along_axis(pools, best[..., None], (d @ p["w3"]).reshape(n, 16, 4, 4, 1), -1)
    d2 = pools.reshape(n, 16, 4, 4, 2, 2).transpose(0, 2, 4, 3, 5, 1).reshape(n, 8, 8, 16) * (a2 > 0)
    g["w2"], g["b2"] = np.tensordot(d2, c2, ((0, 1, 2), (0, 1, 2))), d2.sum((0, 1, 2))
    d1 = fold(d2 @ p["w2"], 8).transpose(0, 2, 3, 1) * (a1 > 0)
    g["w1"], g["b1"] = np.tensordot(d1, c1, ((0, 1, 2), (0, 1, 2))), d1.sum((0, 1, 2))
    return g


def shifted(x):
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    out = np.empty_like(x)
    for i, (dy, dx) in enumerate(rng.integers(0, 3, (x.shape[0], 2))):
        out[i] = padded[i, :, dy : dy + 8, dx : dx + 8]
    return out


def train(x, labels, epochs=60, batch=64, rate=2e-3):
    p = initial()
    m = {k: np.zeros_like(v) for k, v in p.items()}
    v = {k: np.zeros_like(w) for k, w in p.items()}
    step = 0
    for epoch in range(epochs):
        order = rng.permutation(len(x))
        for start in range(0, len(x), batch):
            pick = order[start : start + batch]
            step += 1
            for k, g in gradients(p, shifted(x[pick]), labels[pick]).items():
                m[k] += 0.1 * (g - m[k])
                v[k] += 0.001 * (g * g - v[k])
                scale = rate * (1 - epoch / epochs) * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
                p[k] -= (scale * m[k] / (np.sqrt(v[k]) + 1e-8)).astype(np.float32)
    return p


def model(p):
    node = helper.make_node
    weights = {"conv1.weight": p["w1"].reshape(8, 1, 3, 3), "conv1.bias": p["b1"], "conv2.weight": p["w2"].reshape(16, 8, 3, 3),
               "conv2.bias": p["b2"], "fc.weight": p["w3"], "fc.bias": p["b3"]}  # fmt: skip
    graph = helper.make_graph(
        [
            node("Conv", ["image", "conv1.weight", "conv1.bias"], ["c1"], name="/conv1", pads=[1, 1, 1, 1]),
            node("Relu", ["c1"], ["r1"], name="/relu1"),
            node("Conv", ["r1", "conv2.weight", "conv2.bias"], ["c2"], name="/conv2", pads=[1, 1, 1, 1]),
            node("Relu", ["c2"], ["r2"], name="/relu2"),
            node("MaxPool", ["r2"], ["m"], name="/pool", kernel_shape=[2, 2], strides=[2, 2]),
            node("Flatten", ["m"], ["f"], name="/flatten"),
            node("Gemm", ["f", "fc.weight", "fc.bias"], ["logits"], name="/fc", transB=1),
            node("Softmax", ["logits"], ["probabilities"], name="/softmax", axis=1),
        ],
        "digits",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, 8, 8])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, 10])],
        [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()],
        doc_string="Reads one 8x8 digit, grey values 0 to 1. Trained by train.py on scikit-learn's digits.",
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="sinter sample")
    onnx.checker.check_model(made, full_check=True)
    return made


def header(images, labels):
    lines = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
             "// Some digits that the net never saw in training, grey values 0 to 16; from scikit-learn's load_digits.",
             "// Written by train.py.",
             "#pragma once", "", "struct TestDigit {", "  int label;", "  unsigned char pixels[64];", "};", "",
             "// clang-format off: a line per digit", "static const struct TestDigit testDigits[] = {"]  # fmt: skip
    for image, label in zip(images, labels):
        lines.append(f"    {{{label}, {{{', '.join(str(int(v)) for v in image.ravel())}}}}},")
    return "\n".join(lines + ["};", ""])


def main():
    digits = load_digits()
    x = (digits.images[:, None] / 16).astype(np.float32)
    labels = digits.target
    order = np.random.default_rng(7).permutation(len(x))
    test, rest = order[:300], order[300:]
    p = train(x[rest], labels[rest])
    right = forward(p, x[test])[0].argmax(1) == labels[test]
    print(f"{right.sum()} of {len(test)} unseen digits right")
    onnx.save(model(p), os.path.join(HERE, "digits.onnx"))
    shown = [next(i for i in test if labels[i] == digit) for digit in range(10)]
    with open(os.path.join(HERE, "test_digits.h"), "w", encoding="ascii") as file:
        file.write(header(digits.images[shown], labels[shown]))


if __name__ == "__main__":
    main()
