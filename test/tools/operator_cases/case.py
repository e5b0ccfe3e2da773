# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A model of one operator, or of a few that exporters write together, as one line:
#   Case("y = Softmax<axis=1>(x)", x="float[8,64,30]")
# `x` is an input; sizes may have a name (float[n=8,64]), which makes them sizes of a call, values a range (int64[100] 0..49, both included).
# An argument that begins with "const" is a weight. Outputs are y, z and w, as far as the body sets them.
import re
import zlib

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import onnx.parser

OPSET, IR_VERSION = 22, 10
TYPES = {"float": np.float32, "double": np.float64, "half": np.float16, "bool": np.bool_} | {
    sign + "int" + bits: np.dtype(sign + "int" + bits).type for sign in ("", "u") for bits in ("8", "16", "32", "64")
}
SPEC = re.compile(r"(const )?(\w+)\[([^\]]*)\](?: (\S+?)\.\.(\S+))?$")


def made_up(generator, kind, shape, least, most):
    dtype = TYPES[kind]
    if dtype is np.bool_:
        return generator.random(shape) < 0.5
    if np.issubdtype(dtype, np.floating):
        if least is None:
            return generator.standard_normal(shape).astype(dtype)
        return generator.uniform(float(least), float(most), shape).astype(dtype)
    if least is None:
        least, most = (0, 100) if kind[0] == "u" else (-100, 100)
    return generator.integers(int(least), int(most), shape, endpoint=True).astype(dtype)


class Case:
    def __init__(self, body, /, **operands):
        self.body = body
        given = [f"{name} {spec if isinstance(spec, str) else spec.tolist()}" for name, spec in operands.items()]
        self.name = "; ".join([body, *given])
        generator = np.random.default_rng(zlib.crc32(self.name.encode()))
        self.inputs, self.weights, self.dims, self.shapes = {}, {}, {}, {}
        for name, spec in operands.items():
            if not isinstance(spec, str):
                self.weights[name] = spec
                continue
            weight, kind, sizes, least, most = SPEC.match(spec).groups()
            named = [size.strip().rpartition("=") for size in sizes.split(",") if size.strip()]
            shape = [int(size) for _, _, size in named]
            (self.weights if weight else self.inputs)[name] = made_up(generator, kind, shape, least, most)
            self.shapes[name] = [symbol or int(size) for symbol, _, size in named]
            self.dims |= {symbol: int(size) for symbol, _, size in named if symbol}

    def model(self):
        nodes = onnx.parser.parse_graph(f"g () => () {{ {self.body} }}").node
        made = {output for node in nodes for output in node.output}
        values = [
            onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), self.shapes[name])
            for name, array in self.inputs.items()
        ]
        results = [onnx.ValueInfoProto(name=name) for name in ("y", "z", "w") if name in made]
        weights = [onnx.numpy_helper.from_array(array, name) for name, array in self.weights.items()]
        graph = onnx.helper.make_graph(nodes, "one", values, results, weights)
        opsets = [onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid("com.microsoft", 1)]
        return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
