# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# keyword_net.py MODEL SOUND.h: prints the word that onnxruntime hears in the sample's sound. Where there is no MODEL, a small net with the keyword
# net's interface is made there first: a convolution, a pool and a product with random weights.
import os
import re
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper, save

WORDS = "down go left no off on right stop up yes (silence) (unknown)".split()


def stand_in(path):
    random = np.random.default_rng(1)
    weights = {"filters": random.normal(0, 0.2, (8, 1, 10, 4)), "product": random.normal(0, 0.02, (8, 12))}
    initializers = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()]
    initializers.append(numpy_helper.from_array(np.array([1, 1, 49, 10], np.int64), "shape"))
    nodes = [
        helper.make_node("Reshape", ["input_1", "shape"], ["map"]),
        helper.make_node("Conv", ["map", "filters"], ["features"], strides=[2, 2]),
        helper.make_node("Relu", ["features"], ["rectified"]),
        helper.make_node("GlobalAveragePool", ["rectified"], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["flat"]),
        helper.make_node("MatMul", ["flat", "product"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["dense"]),
    ]
    ends = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, size])] for name, size in (("input_1", 490), ("dense", 12))]
    graph = helper.make_graph(nodes, "keywords", *ends, initializers)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


model, header = sys.argv[1:]
if not os.path.exists(model):
    stand_in(model)
with open(header, encoding="utf-8") as file:
    numbers = re.search(r"\{(.*)\}", file.read(), re.DOTALL).group(1)
sound = np.array([int(number) for number in numbers.replace("\n", "").split(",") if number.strip()], np.float32).reshape(1, 490)
scores = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, {"input_1": sound})[0]
print(WORDS[int(scores.argmax())])
