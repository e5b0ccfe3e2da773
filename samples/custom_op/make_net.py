# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_net.py FILE.onnx: a small net with an operator that ONNX does not have. Signals of two channels are smoothed by a convolution,
# averaged by com.example.MovingAverage and bent by a Sigmoid.
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

random = np.random.default_rng(1)
weights = numpy_helper.from_array(random.normal(size=(4, 2, 3)).astype(np.float32) / 3, "weights")
gain = numpy_helper.from_array(np.array([0.5, 1, 1.5, 2], np.float32), "gain")
graph = helper.make_graph(
    [
        helper.make_node("Conv", ["signal", "weights"], ["smooth"], pads=[1, 1], name="conv"),
        helper.make_node("MovingAverage", ["smooth", "gain"], ["average"], domain="com.example", window=4, stride=2, name="moving_average"),
        helper.make_node("Sigmoid", ["average"], ["score"], name="sigmoid"),
    ],
    "custom_op",
    [helper.make_tensor_value_info("signal", TensorProto.FLOAT, ["batch", 2, "length"])],
    [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["batch", 4, None])],
    [weights, gain],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)], ir_version=8)
onnx.save(model, sys.argv[1])
