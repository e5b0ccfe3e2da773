# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Small nets of the project's own, one of each kind that the real models are: what of quantization, boards and end-to-end runs for everybody. Entries
# of models.toml and quantized.toml name them with `made`; each function takes nothing and gives a model. Weights are random, of the size that
# keeps activations where they are, the same on every machine. quantized_nets.py quantizes some of them.
import os

import numpy as np
from onnx import TensorProto, checker, helper, load, numpy_helper

FLOAT, FLOAT16, INT64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64


class Net:
    """Nodes one behind the other; each call gives the name of its result."""

    def __init__(self, seed, dtype=np.float32):
        self.random, self.dtype, self.nodes, self.weights = np.random.default_rng(seed), dtype, [], []

    def node(self, op, *operands, outputs=1, **attributes):
        names = [f"{op.lower()}_{len(self.nodes)}" + (f"_{i}" if outputs > 1 else "") for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(operands), names, name=f"/{op}_{len(self.nodes)}", **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, value, dtype=None):
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype or self.dtype), f"weight_{len(self.weights)}"))
        return self.weights[-1].name

    def normal(self, scale, *shape):
        return self.constant(self.random.normal(0, scale, shape))

    def ints(self, *values):
        return self.constant(values, np.int64)

    def conv(self, x, inputs, filters, kernel=3, stride=1, group=1, relu=True):
        fan_in = inputs // group * kernel * kernel
        w, b = self.normal(np.sqrt(2 / fan_in), filters, inputs // group, kernel, kernel), self.normal(0.1, filters)
        y = self.node("Conv", x, w, b, strides=[stride] * 2, pads=[kernel // 2] * 4, group=group, kernel_shape=[kernel] * 2)
        return self.node("Relu", y) if relu else y

    def dense(self, x, inputs, outputs):
        y = self.node("MatMul", x, self.normal(np.sqrt(2 / inputs), inputs, outputs))
        return self.node("Add", y, self.normal(0.1, outputs))

    def norm(self, x, size):
        return self.node("LayerNormalization", x, self.constant(self.random.uniform(0.5, 1.5, size)), self.normal(0.1, size), axis=-1)

    def heads(self, x, tokens, count, size, last=(0, 2, 1, 3)):
        return self.node("Transpose", self.node("Reshape", x, self.ints(1, tokens, count, size)), perm=list(last))

    def model(self, inputs, outputs, opset=17):
        """inputs, outputs: name to (type, shape). A result gets its output's name by an Identity that compilers drop."""
        for (name, _), result in zip(outputs.items(), self.results):
            self.nodes.append(helper.make_node("Identity", [result], [name]))
        ends = [[helper.make_tensor_value_info(name, *kind) for name, kind in side.items()] for side in (inputs, outputs)]
        made = helper.make_model(helper.make_graph(self.nodes, "net", *ends, self.weights), opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
        checker.check_model(made, full_check=True)
        return made

    def give(self, *results):
        self.results = results
        return self


def digits():
    """The sample's net, which is trained."""
    return load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../samples/digits/digits.onnx"))


def residual():
    """Maps channels-last at the input, as TensorFlow's exporters have them; blocks with shortcuts, one of them strided; a mean and a softmax."""
    net = Net(1)
    x = net.conv(net.node("Transpose", "image", perm=[0, 3, 1, 2]), 3, 8)
    for inputs, filters, stride in ((8, 8, 1), (8, 16, 2)):
        branch = net.conv(net.conv(x, inputs, filters, stride=stride), filters, filters, relu=False)
        x = net.node("Relu", net.node("Add", branch, x if stride == 1 else net.conv(x, inputs, filters, 1, stride, relu=False)))
    x = net.node("Flatten", net.node("GlobalAveragePool", x))
    net.give(net.node("Softmax", net.dense(x, 16, 10)))
    return net.model({"image": (FLOAT, [1, 16, 16, 3])}, {"scores": (FLOAT, [1, 10])})


def mobile():
    """Depthwise and pointwise convolutions between clamps, an inverted bottleneck, an average pool before the product."""
    net = Net(2)
    clamp = lambda x: net.node("Clip", x, net.constant(0), net.constant(6))
    x = clamp(net.conv("image", 3, 8, stride=2, relu=False))
    for inputs, filters, stride in ((8, 16, 1), (16, 24, 2)):
        x = clamp(net.conv(x, inputs, inputs, stride=stride, group=inputs, relu=False))
        x = clamp(net.conv(x, inputs, filters, 1, relu=False))
    wide = clamp(net.conv(x, 24, 48, 1, relu=False))
    wide = clamp(net.conv(wide, 48, 48, group=48, relu=False))
    x = net.node("Add", x, net.conv(wide, 48, 24, 1, relu=False))
    x = net.node("Flatten", net.node("AveragePool", x, kernel_shape=[5, 5]))
    w = net.normal(0.3, 5, 24)
    net.give(net.node("Gemm", x, w, net.normal(0.1, 5), transB=1))
    return net.model({"image": (FLOAT, [1, 3, 20, 20])}, {"scores": (FLOAT, [1, 5])})


def keywords():
    """Frames of a spectrum in one row; an oblong first kernel, depthwise and pointwise convolutions, a softmax."""
    net = Net(3)
    x = net.node("Reshape", "sound", net.ints(1, 1, 25, 10))
    x = net.node("Relu", net.node("Conv", x, net.normal(0.2, 16, 1, 10, 4), net.normal(0.1, 16), strides=[2, 2], pads=[4, 1, 5, 1]))
    for _ in range(2):
        x = net.conv(net.conv(x, 16, 16, group=16), 16, 16, 1)
    x = net.node("Flatten", net.node("GlobalAveragePool", x))
    net.give(net.node("Softmax", net.dense(x, 16, 6)))
    return net.model({"sound": (FLOAT, [1, 250])}, {"word": (FLOAT, [1, 6])})


def autoencoder():
    """Products only, through a narrow middle."""
    net = Net(4)
    x, sizes = "spectrum", (64, 32, 32, 8, 32, 64)
    for inputs, outputs in zip(sizes, sizes[1:]):
        x = net.dense(x, inputs, outputs)
        x = net.node("Relu", x) if outputs != 64 else x
    net.give(x)
    return net.model({"spectrum": (FLOAT, [1, 64])}, {"rebuilt": (FLOAT, [1, 64])})


def segments():
    """Down by pools and up by transposed convolutions and by resizing, joined with what was on the way; height and width known at run time only."""
    net = Net(5)
    first = net.conv("image", 3, 8)
    second = net.conv(net.node("MaxPool", first, kernel_shape=[2, 2], strides=[2, 2]), 8, 16)
    x = net.conv(net.node("MaxPool", second, kernel_shape=[2, 2], strides=[2, 2]), 16, 16)
    x = net.node("Resize", x, "", net.constant([1, 1, 2, 2]), mode="linear", coordinate_transformation_mode="half_pixel")
    x = net.conv(net.node("Concat", x, second, axis=1), 32, 16)
    x = net.node("ConvTranspose", x, net.normal(0.2, 16, 8, 2, 2), net.normal(0.1, 8), strides=[2, 2])
    x = net.conv(net.node("Concat", x, first, axis=1), 16, 4, relu=False)
    net.give(net.node("Sigmoid", x))
    return net.model({"image": (FLOAT, [1, 3, "height", "width"])}, {"mask": (FLOAT, [1, 4, None, None])})


def detector():
    """Three sizes of maps, each with boxes and scores, from top to bottom and back; outputs in rows of one box each."""
    net = Net(6)
    maps, x, channels = [], net.conv("image", 3, 8, stride=2), 8
    for filters in (16, 24, 24):
        x = net.conv(net.conv(x, channels, channels, stride=2, group=channels), channels, filters, 1)
        maps.append((x, filters))
        channels = filters
    joined, rows = None, {"boxes": [], "scores": []}
    for x, filters in reversed(maps):
        x = net.conv(x, filters, 16, 1)
        if joined:
            x = net.node("Add", x, net.node("Resize", joined, "", net.constant([1, 1, 2, 2]), mode="nearest"))
        joined = x
        for name, size in (("boxes", 4), ("scores", 3)):
            y = net.node("Transpose", net.conv(net.conv(x, 16, 16, group=16), 16, size, 1, relu=False), perm=[0, 2, 3, 1])
            y = net.node("Reshape", y, net.ints(1, -1, size))
            rows[name].append(net.node("Exp", net.node("Tanh", y)) if name == "boxes" else y)
    net.give(net.node("Concat", *rows["boxes"], axis=1), net.node("Sigmoid", net.node("Concat", *rows["scores"], axis=1)))
    return net.model({"image": (FLOAT, [1, 3, 64, 64])}, {"boxes": (FLOAT, [1, 336, 4]), "scores": (FLOAT, [1, 336, 3])})


def fire_half():
    """Squeezed and expanded maps in half precision."""
    net = Net(7, np.float16)
    x, channels = net.conv("image", 3, 16, stride=2), 16
    for squeezed in (8, 12):
        narrow = net.conv(x, channels, squeezed, 1)
        x = net.node("Concat", net.conv(narrow, squeezed, 16, 1), net.conv(narrow, squeezed, 16), axis=1)
        x = net.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2])
        channels = 32
    net.give(net.node("Flatten", net.node("GlobalAveragePool", net.conv(x, channels, 12, 1, relu=False))))
    return net.model({"image": (FLOAT16, [1, 3, 40, 40])}, {"scores": (FLOAT16, [1, 12])})


def denoiser():
    """A frame at a time: a causal convolution over frames that are kept, an LSTM and a GRU whose states are outputs, a mask on the input."""
    net = Net(8)
    frames = net.node("Concat", "frames_kept", net.node("Unsqueeze", "frame", net.ints(1)), axis=1)
    rows = net.node("Relu", net.node("Conv", net.node("Transpose", frames, perm=[0, 2, 1]), net.normal(0.2, 16, 32, 3), net.normal(0.1, 16)))
    x = net.node("Transpose", rows, perm=[2, 0, 1])
    operands = [(net.normal(0.3, 1, gates * 16, 16), net.normal(0.3, 1, gates * 16, 16), net.normal(0.1, 1, gates * 32)) for gates in (4, 3)]
    sequence, hidden, cell = net.node("LSTM", x, *operands[0], "", "hidden", "cell", hidden_size=16, outputs=3)
    x = net.node("Squeeze", sequence, net.ints(1))
    sequence, state = net.node("GRU", x, *operands[1], "", "state", hidden_size=16, linear_before_reset=1, outputs=2)
    mask = net.node("Sigmoid", net.dense(net.node("Reshape", sequence, net.ints(1, 16)), 16, 32))
    kept = net.node("Slice", frames, net.ints(1), net.ints(3), net.ints(1))
    net.give(net.node("Mul", mask, "frame"), kept, hidden, cell, state)
    state = {name: (FLOAT, [1, 1, 16]) for name in ("hidden", "cell", "state")}
    return net.model({"frame": (FLOAT, [1, 32]), "frames_kept": (FLOAT, [1, 2, 32]), **state},
                     {"clean": (FLOAT, [1, 32]), "frames_kept_out": (FLOAT, [1, 2, 32]), **{f"{name}_out": kind for name, kind in state.items()}})


def bytes_kind():
    """What a piece of text is: embedded bytes, a convolution along them, the largest of each channel."""
    net = Net(9)
    x = net.node("Gather", net.normal(1, 256, 8), net.node("Cast", "bytes", to=INT64), axis=0)
    x = net.node("Conv", net.node("Transpose", x, perm=[0, 2, 1]), net.normal(0.2, 24, 8, 5), net.normal(0.1, 24), strides=[2])
    x = net.node("ReduceMax", net.node("Mul", x, net.node("Sigmoid", x)), axes=[2], keepdims=0)
    net.give(net.node("Softmax", net.dense(x, 24, 7)))
    return net.model({"bytes": (TensorProto.INT32, [1, 128])}, {"kind": (FLOAT, [1, 7])})


def encoder():
    """Two layers of attention over tokens, as exporters write them in small operators; their number known at run time only."""
    net, size, heads = Net(10), 32, 4
    embedded = net.node("Gather", net.normal(1, 50, size), "tokens", axis=0)
    positions = net.node("Slice", net.normal(0.5, 64, size), net.ints(0), net.node("Shape", "tokens", start=1, end=2), net.ints(0))
    x = net.norm(net.node("Add", embedded, positions), size)
    for _ in range(2):
        q, k, v = (net.heads(net.dense(x, size, size), -1, heads, size // heads, last) for last in ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3)))
        weights = net.node("Softmax", net.node("Mul", net.node("MatMul", q, k), net.constant((size // heads) ** -0.5)), axis=-1)
        mixed = net.node("Reshape", net.node("Transpose", net.node("MatMul", weights, v), perm=[0, 2, 1, 3]), net.ints(1, -1, size))
        x = net.norm(net.node("Add", x, net.dense(mixed, size, size)), size)
        wide = net.dense(x, size, 2 * size)
        gelu = net.node("Mul", net.node("Mul", wide, net.constant(0.5)),
                        net.node("Add", net.node("Erf", net.node("Div", wide, net.constant(2**0.5))), net.constant(1)))
        x = net.norm(net.node("Add", x, net.dense(gelu, 2 * size, size)), size)
    net.give(x)
    return net.model({"tokens": (INT64, [1, "length"])}, {"features": (FLOAT, [1, "length", size])})


def decoder():
    """One token of text at a time: keys and values of those before are kept, and the new ones scattered among them at the position."""
    net, size, heads, longest = Net(11), 32, 4, 16
    x = net.node("Gather", net.normal(1, 40, size), "token", axis=0)
    seen = net.node("LessOrEqual", net.constant(np.arange(longest), np.int64), "position")
    mask = net.node("Where", seen, net.constant(0), net.constant(-1e9))
    kept = []
    for layer in range(2):
        normed = net.norm(x, size)
        q, k, v = (net.node("Reshape", net.dense(normed, size, size), net.ints(1, heads, size // heads)) for _ in range(3))
        at = net.node("Reshape", "position", net.ints(1, 1))
        keys, values = (net.node("ScatterND", f"{name}_{layer}", at, new) for name, new in (("keys", k), ("values", v)))
        kept += [keys, values]
        scores = net.node("MatMul", net.node("Transpose", q, perm=[1, 0, 2]), net.node("Transpose", keys, perm=[1, 2, 0]))
        weights = net.node("Softmax", net.node("Add", net.node("Mul", scores, net.constant((size // heads) ** -0.5)), mask), axis=-1)
        mixed = net.node("MatMul", weights, net.node("Transpose", values, perm=[1, 0, 2]))
        x = net.node("Add", x, net.dense(net.node("Reshape", mixed, net.ints(1, size)), size, size))
        wide = net.dense(net.norm(x, size), size, 2 * size)
        x = net.node("Add", x, net.dense(net.node("Mul", wide, net.node("Sigmoid", wide)), 2 * size, size))
    net.give(net.dense(net.norm(x, size), size, 40), *kept)
    cache = {f"{name}_{layer}": (FLOAT, [longest, heads, size // heads]) for layer in range(2) for name in ("keys", "values")}
    return net.model({"token": (INT64, [1]), "position": (INT64, [1]), **cache},
                     {"logits": (FLOAT, [1, 40]), **{f"{name}_out": kind for name, kind in cache.items()}})
