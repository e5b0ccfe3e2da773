# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# small_numbers.py FOLDER: models whose weights are small integers with scales, spelled in several ways.
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

random = np.random.default_rng(1)
K, N, GROUP = 96, 40, 32
BITS = {TensorProto.INT4: 4, TensorProto.UINT4: 4, TensorProto.INT8: 8, TensorProto.UINT8: 8}


def floats(name, *shape):
    return numpy_helper.from_array(random.uniform(0.01, 0.03, shape).astype(np.float32), name)


def numbers(name, element, *shape):
    count = int(np.prod(shape)) * BITS[element] // 8
    return helper.make_tensor(name, element, shape, random.integers(0, 256, count, dtype=np.uint8).tobytes(), raw=True)


def shape(name, *sizes):
    return numpy_helper.from_array(np.array(sizes, np.int64), name)


def save(name, nodes, weights, inputs=(("x", TensorProto.FLOAT, ["m", K]),), output=("m", N)):
    values = [helper.make_tensor_value_info(*each) for each in inputs]
    graph = helper.make_graph(nodes, name, values, [helper.make_tensor_value_info("y", TensorProto.FLOAT, output)], weights)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), f"{sys.argv[1]}/{name}.onnx")


def dequantize(operands, **attributes):
    return helper.make_node("DequantizeLinear", operands, ["w"], **attributes)


def product(rhs="w", y="y"):
    return helper.make_node("MatMul", ["x", rhs], [y])


# DequantizeLinear per channel without zero points, with different ones, and per tensor; numbers of int8 that two bits hold; long rows.
save("channel", [dequantize(["q", "s"], axis=1), product()], [numbers("q", TensorProto.INT8, K, N), floats("s", N)])
zeros = numbers("z", TensorProto.UINT8, N)
save("zeros", [dequantize(["q", "s", "z"], axis=0), helper.make_node("Gemm", ["x", "w"], ["y"], transB=1)],
     [numbers("q", TensorProto.UINT8, N, K), floats("s", N), zeros])
save("tensor", [dequantize(["q", "s"]), product()], [numbers("q", TensorProto.UINT8, K, N), floats("s")])
ternary = numpy_helper.from_array(random.integers(-1, 2, (K, N)).astype(np.int8), "q")
save("ternary", [dequantize(["q", "s"], axis=1), product()], [ternary, floats("s", N)])
deep = [numbers("q", TensorProto.INT8, 519, N), floats("s", N)]
save("deep", [dequantize(["q", "s"], axis=1), product()], deep, (("x", TensorProto.FLOAT, ["m", 519]),))

# Blocks of a reshaped tensor; the same by Cast, Sub and Mul, and with the zero point taken off integers; scales behind the product.
blocks = [numbers("q", TensorProto.INT4, K // GROUP, GROUP, N), floats("s", K // GROUP, 1, N), numbers("z", TensorProto.INT4, K // GROUP, 1, N),
          shape("kn", K, N)]
reshape = helper.make_node("Reshape", ["v", "kn"], ["w"])
node = dequantize(["q", "s", "z"], axis=1, block_size=GROUP)
node.output[0] = "v"
save("reshaped", [node, reshape, product()], blocks)
cast = helper.make_node("Cast", ["q"], ["f"], to=TensorProto.FLOAT)
save("cast", [cast, helper.make_node("Cast", ["z"], ["g"], to=TensorProto.FLOAT), helper.make_node("Sub", ["f", "g"], ["d"]),
              helper.make_node("Mul", ["s", "d"], ["v"]), reshape, product()], blocks)
wide = [helper.make_node("Cast", ["q"], ["i"], to=TensorProto.INT32), helper.make_node("Cast", ["z"], ["j"], to=TensorProto.INT32),
        helper.make_node("Sub", ["i", "j"], ["d"]), helper.make_node("Cast", ["d"], ["e"], to=TensorProto.FLOAT), helper.make_node("Mul", ["e", "s"], ["w"])]
save("integers", [*wide, product()], [numbers("q", TensorProto.UINT8, K, N), numbers("z", TensorProto.UINT8, N), floats("s", N)])
save("behind", [cast, product("f", "p"), helper.make_node("Mul", ["p", "s"], ["y"])], [numbers("q", TensorProto.INT8, K, N), floats("s", N)])

# Scales along the rows of numbers are no blocks.
save("rows", [dequantize(["q", "s"], axis=0), product()], [numbers("q", TensorProto.INT8, K, N), floats("s", K)])

# Rows that are looked up: of int8 with a scale each, of 4 bits in blocks; of a matrix that a product takes, too, in either form.
rows = (("i", TensorProto.INT64, ["m"]),)
gather = helper.make_node("Gather", ["w", "i"], ["y"])
save("embedding", [dequantize(["q", "s"], axis=0), gather], [numbers("q", TensorProto.INT8, 200, K), floats("s", 200)], rows, ("m", K))
save("nibbles", [dequantize(["q", "s", "z"], axis=1, block_size=GROUP), gather],
     [numbers("q", TensorProto.INT4, 200, K), floats("s", 200, K // GROUP), numbers("z", TensorProto.INT4, 200, K // GROUP)], rows, ("m", K))
save("floats", [dequantize(["q", "s"], axis=0), helper.make_node("Gather", ["w", "i"], ["x"]), helper.make_node("Add", ["x", "w"], ["y"])],
     [numbers("q", TensorProto.INT8, 200, K), floats("s", 200)], (("i", TensorProto.INT64, [200]),), (200, K))
tied = [dequantize(["q", "s"], axis=0), helper.make_node("Gather", ["w", "i"], ["x"]), helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]), product("t")]
save("tied", tied, [numbers("q", TensorProto.INT8, 200, K), floats("s", 200)], rows, ("m", 200))
packed = [numbers("q", TensorProto.UINT8, 200, K // GROUP, GROUP // 2), floats("s", 200 * K // GROUP), numbers("z", TensorProto.UINT8, 200, 2), shape("rows", 200, K // 2),
          shape("blocks", 200, K // GROUP), shape("all", 400)]
nodes = [helper.make_node("Reshape", ["q", "rows"], ["r"]), helper.make_node("Reshape", ["s", "blocks"], ["t"]), helper.make_node("Reshape", ["z", "all"], ["v"]),
         helper.make_node("GatherBlockQuantized", ["r", "i", "t", "z"], ["x"], domain="com.microsoft", bits=4, block_size=GROUP, quantize_axis=1),
         helper.make_node("MatMulNBits", ["x", "q", "s", "v"], ["y"], domain="com.microsoft", K=K, N=200, bits=4, block_size=GROUP)]
save("tied4", nodes, packed, rows, ("m", 200))
