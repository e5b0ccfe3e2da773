#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tensors.py OUT: a model whose initializers hold every element type in every form. tensors.test says what they become."""
import struct
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

T = TensorProto
graph = helper.make_graph([helper.make_node("Identity", ["float_data"], ["y"])], "g", [], [helper.make_tensor_value_info("y", T.FLOAT, None)])


def add(name, kind, dims, **fields):
    tensor = graph.initializer.add(name=name, data_type=kind, dims=dims)
    for field, data in fields.items():
        if isinstance(data, bytes):
            setattr(tensor, field, data)
        else:
            getattr(tensor, field).extend(data)


def bits(values, kind):
    return [int(x) for x in np.array(values, kind).view(np.uint16)]


add("float_data", T.FLOAT, [2], float_data=[1, 2])
add("float_raw", T.FLOAT, [2], raw_data=struct.pack("<2f", 1, 2))
add("float_unpacked", T.FLOAT, [3])
add("int8_data", T.INT8, [2], int32_data=[-1, 2])
add("uint8_data", T.UINT8, [2], int32_data=[255, 2])
add("int64_data", T.INT64, [2], int64_data=[-1, 2**63 - 1])
add("uint64_data", T.UINT64, [2], uint64_data=[2**64 - 1, 2])
add("bool_data", T.BOOL, [3], int32_data=[1, 0, 1])
add("bool_raw", T.BOOL, [3], raw_data=b"\1\0\7")
add("float16_data", T.FLOAT16, [2], int32_data=bits([1, -2], np.float16))
add("bfloat16_data", T.BFLOAT16, [2], int32_data=[0x3F80, 0xC000])
add("complex64_data", T.COMPLEX64, [2], float_data=[1, 2, 3, 4])
add("complex128_data", T.COMPLEX128, [2], double_data=[1, 2, 3, 4])
add("int4_data", T.INT4, [3], int32_data=[0x81, 0x07])
add("uint4_raw", T.UINT4, [3], raw_data=b"\x81\x07")
add("int2_data", T.INT2, [5], int32_data=[0b00111001, 0b01])
add("float8_data", T.FLOAT8E4M3FN, [2], int32_data=[0x38, 0xC0])
add("string_data", T.STRING, [3], string_data=[b"a", b"", b"\0\xff"])
add("float4_data", T.FLOAT4E2M1, [3], int32_data=[0x21, 0x03])
add("float6_data", T.FLOAT6E2M3, [5], int32_data=[1, 2, 3, 4, 5])
add("e8m0_data", T.FLOAT8E8M0, [2], raw_data=b"\x7f\x80")
add("splat", T.INT32, [3, 1000], int32_data=[5] * 3000)
add("int4_splat", T.INT4, [5000], raw_data=b"\xdd" * 2500)
add("large_int4", T.INT4, [4096], raw_data=bytes(i % 256 for i in range(2048)))
add("large_varints", T.INT32, [300], int32_data=[(-1) ** i * i for i in range(300)])
add("0/odd name>:%", T.INT8, [2048], raw_data=bytes(i % 256 for i in range(2048)))
add("empty", T.FLOAT, [0, 3])
for name, indices, values, dims in (("sparse", [2], [7], [4]), ("sparse_coordinates", [[0, 1], [1, 0]], [1.0, 2.0], [2, 2])):
    values = np.array(values, np.int32 if name == "sparse" else np.float32)
    graph.sparse_initializer.append(helper.make_sparse_tensor(numpy_helper.from_array(values, name), numpy_helper.from_array(np.array(indices, np.int64)), dims))

model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=13)
# One field per element, which protobuf reads as well as the packed form that it writes. It makes the tensor and the graph longer.
tensor = graph.initializer[2].SerializeToString()
unpacked = tensor + b"".join(b"\x25" + struct.pack("<f", x) for x in (1, 2, 3))
graph_bytes = graph.SerializeToString().replace(bytes([len(tensor)]) + tensor, bytes([len(unpacked)]) + unpacked)
model.ClearField("graph")
length, size = b"", len(graph_bytes)
while size >= 128:
    length += bytes([size & 127 | 128])
    size >>= 7
with open(sys.argv[1], "wb") as file:
    file.write(model.SerializeToString() + b"\x3a" + length + bytes([size]) + graph_bytes)
