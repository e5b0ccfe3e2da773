# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""names.py FOLDER: a model all of whose names could break out of a comment, string or identifier, or clash once cleaned up, and a recording of
what it computes: the output of each name is the input plus its number."""
import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

NAMES = ['a"b', "a\nb", "a b", "a_b", "*/ int x; /*", "??/", "back\\slash", "back\\", "int", "class", "restrict", "größe", "变量", "9lives", "__LINE__",
         "#include <x>", "%s%n", "a\tb", "\u202eevil", "dims", "arena", "main", "memcpy", "std", "x_int", "'", "y_dims"]  # fmt: skip
DIM = 'n"*/\n??/'

inputs, outputs, nodes, weights = [], [], [], []
for number, name in enumerate(NAMES):
    inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [DIM, 3]))
    outputs.append(helper.make_tensor_value_info("out " + name, TensorProto.FLOAT, [DIM, 3]))
    weights.append(numpy_helper.from_array(np.full(3, number, np.float32), "weight " + name))
    nodes.append(helper.make_node("Add", [name, "weight " + name], ["out " + name], name=name, doc_string=name))
graph = helper.make_graph(nodes, 'g"*/\n', inputs, outputs, initializer=weights, doc_string="*/")
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="*/\n#error x", doc_string="??/")
folder = os.path.join(sys.argv[1], "test_data_set_0")
os.makedirs(folder)
with open(os.path.join(sys.argv[1], '7 "odd" (model).onnx'), "wb") as file:
    file.write(model.SerializeToString())
for number, name in enumerate(NAMES):
    x = np.arange(6, dtype=np.float32).reshape(2, 3) * (number + 1)
    for kind, array, label in (("input", x, name), ("output", x + number, "out " + name)):
        with open(os.path.join(folder, f"{kind}_{number}.pb"), "wb") as file:
            file.write(numpy_helper.from_array(array, label).SerializeToString())
