# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# block_weights.py FOLDER: models whose weights are numbers of few bits in blocks that share a scale.
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

random = np.random.default_rng(1)
CONTRIB = "com.microsoft"


def save(name, nodes, inputs, outputs, weights):
    graph = helper.make_graph(nodes, name, inputs, outputs, weights)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(CONTRIB, 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), f"{sys.argv[1]}/{name}.onnx")


def value(name, shape, element=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, element, shape)


def floats(name, shape, element=np.float32):
    return numpy_helper.from_array(random.uniform(0.01, 0.03, shape).astype(element), name)


def octets(name, shape):
    return numpy_helper.from_array(random.integers(0, 256, shape, dtype=np.uint8), name)


def n_bits(name, x, k, n, bits, block, level, zeros=False, element=np.float32):
    """A node MatMulNBits, and its weights."""
    blocks = -(-k // block)
    weights = [octets(name + ".B", (n, blocks, block * bits // 8)), floats(name + ".scales", n * blocks, element)]
    if zeros:
        weights.append(octets(name + ".zeros", n * -(-blocks * bits // 8)))
    attributes = {"K": k, "N": n, "bits": bits, "block_size": block, "accuracy_level": level}
    return helper.make_node("MatMulNBits", [x, *(w.name for w in weights)], [name], domain=CONTRIB, **attributes), weights


chain = [n_bits("a", "x", 72, 50, 4, 32, 4), n_bits("b", "scaled", 50, 33, 4, 16, 0, zeros=True), n_bits("c", "b", 33, 40, 8, 32, 0, zeros=True),
         n_bits("y", "c", 40, 9, 2, 16, 0)]
factor = helper.make_node("Mul", ["a", "factors"], ["scaled"])
nodes, weights = zip(*chain)
save("nbits", [nodes[0], factor, *nodes[1:]], [value("x", ["m", 72])], [value("y", ["m", 9])],
     [floats("factors", 50), *(w for some in weights for w in some)])

node, weights = n_bits("y", "x", 64, 20, 4, 32, 4, zeros=True)
weights[1] = numpy_helper.from_array(np.float32(2.0 ** random.integers(-9, -5, 40)), "y.scales")
save("exact", [node], [value("x", [3, 64])], [value("y", [3, 20])], weights)

node, weights = n_bits("y", "x", 64, 20, 4, 32, 0, element=np.float16)
save("halfs", [node], [value("x", [3, 64], TensorProto.FLOAT16)], [value("y", [3, 20], TensorProto.FLOAT16)], weights)


def dequantize(name, shape, axis, element, zeros, block=16):
    """DequantizeLinear of a constant of 4 bits, and its weights. Scales have either sign, as symmetric ones of -8 to 7 do."""
    scales = list(shape)
    scales[axis] = -(-scales[axis] // block)

    def packed(name, shape):
        return helper.make_tensor(name, element, shape, random.integers(0, 256, -(-int(np.prod(shape)) // 2), dtype=np.uint8).tobytes(), raw=True)

    signed = random.uniform(0.01, 0.03, scales) * random.choice([-1, 1], scales)
    weights = [packed(name + ".q", shape), numpy_helper.from_array(signed.astype(np.float32), name + ".s")]
    if zeros:
        weights.append(packed(name + ".z", scales))
    return helper.make_node("DequantizeLinear", [w.name for w in weights], [name], axis=axis, block_size=block), weights


matrices = [dequantize("a", (64, 48), 0, TensorProto.INT4, False), dequantize("b", (32, 48), 1, TensorProto.UINT4, True),
            dequantize("c", (32, 20), 0, TensorProto.UINT4, False), dequantize("d", (16, 20), 1, TensorProto.INT4, True)]
nodes, weights = zip(*matrices)
products = [helper.make_node("MatMul", ["x", "a"], ["xa"]), helper.make_node("Transpose", ["b"], ["bt"]), helper.make_node("MatMul", ["xa", "bt"], ["xb"]),
            helper.make_node("MatMul", ["xb", "c"], ["xc"]), helper.make_node("Gemm", ["xc", "d"], ["y"], transB=1)]
save("qdq", [*nodes, *products], [value("x", [3, 64])], [value("y", [3, 16])], [w for some in weights for w in some])

node, weights = dequantize("w", (60, 24), 0, TensorProto.INT4, True, 12)
run_time, given = n_bits("z", "y", 24, 16, 4, 16, 0)
save("floats", [node, helper.make_node("MatMul", ["x", "w"], ["y"]), run_time], [value("x", [3, 60]), value("z.B", [16, 2, 8], TensorProto.UINT8)],
     [value("z", [3, 16])], [*weights, given[1]])

node, weights = dequantize("w", (1536, 24), 0, TensorProto.INT4, True, 768)
save("parts", [node, helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", [7, 1536])], [value("y", [7, 24])], weights)

# Two bits with rows as bytes where onnxruntime has them; columns that name their scales, in blocks and not.
two, weights = n_bits("y", "x", 64, 20, 2, 32, 4, zeros=True)
save("two", [two], [value("x", ["m", 64])], [value("y", ["m", 20])], weights)
for name, groups in (("ordered", random.permutation(np.arange(64) // 16)), ("uneven", np.sort(random.integers(0, 4, 64)))):
    node, weights = n_bits("y", "x", 64, 20, 4, 16, 4)
    node.input.extend(["", "groups"])
    save(name, [node], [value("x", ["m", 64])], [value("y", ["m", 20])], [*weights, numpy_helper.from_array(groups.astype(np.int32), "groups")])
