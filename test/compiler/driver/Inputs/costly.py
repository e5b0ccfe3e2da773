# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# costly.py FOLDER: small models that ask for much.
import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def save(name, nodes, inputs, weights=(), functions=()):
    values = [helper.make_tensor_value_info(key, element, shape) for key, element, shape in inputs]
    graph = helper.make_graph(nodes, name, values, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(np.asarray(value), key) for key, value in weights])
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    model = helper.make_model(graph, opset_imports=opsets, functions=list(functions), ir_version=10)
    (folder / f"{name}.onnx").write_bytes(model.SerializeToString())


node = helper.make_node
x = ("x", TensorProto.FLOAT, [4])
opsets = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
doubling = [helper.make_function("own", "F0", ["a"], ["b"], [node("Exp", ["a"], ["b"])], opsets)]
for i in range(1, 18):
    body = [node(f"F{i - 1}", ["a"], ["t"], domain="own"), node(f"F{i - 1}", ["t"], ["b"], domain="own")]
    doubling.append(helper.make_function("own", f"F{i}", ["a"], ["b"], body, opsets))
save("doubling", [node("F17", ["x"], ["y"], domain="own", name="top")], [x], functions=doubling)
save("axes", [node("ReduceSum", ["x", "axes"], ["y"], name="sum")], [x, ("axes", TensorProto.INT64, [2**33])])
save("tile", [node("Tile", ["w", "r"], ["t"], name="tile"), node("ReduceSum", ["t"], ["s"]), node("Add", ["s", "x"], ["y"])], [x],
     [("w", np.ones(1, np.float32)), ("r", np.int64([2**28]))])
save("product", [node("Range", ["zero", "end", "one"], ["r"]), node("Reshape", ["r", "square"], ["m"]), node("MatMul", ["m", "m"], ["p"], name="product"),
                 node("ReduceSum", ["p"], ["s"]), node("Add", ["s", "x"], ["y"])], [x],
     [("zero", np.float32(0)), ("end", np.float32(2048 * 2048)), ("one", np.float32(1)), ("square", np.int64([2048, 2048]))])
x = ("x", TensorProto.FLOAT, [2**40])
save("sequence", [node("SplitToSequence", ["x"], ["s"], name="split"), node("SequenceAt", ["s", "0"], ["y"])], [x], [("0", np.int64(0))])


def mapped(depth):
    """f(x) of a sequence of 20 x, for each of which f is that again."""
    if depth == 0:
        return [node("Exp", ["x0"], ["y0"])]
    value = helper.make_tensor_value_info(f"x{depth - 1}", TensorProto.FLOAT, [4])
    result = helper.make_tensor_value_info(f"y{depth - 1}", TensorProto.FLOAT, None)
    body = helper.make_graph(mapped(depth - 1), "body", [value], [result])
    return [node("SequenceConstruct", [f"x{depth}"] * 20, [f"s{depth}"]), node("SequenceMap", [f"s{depth}"], [f"m{depth}"], body=body, name=f"map{depth}"),
            node("ConcatFromSequence", [f"m{depth}"], [f"y{depth}"], axis=0)]  # fmt: skip


x = ("x5", TensorProto.FLOAT, [4])
save("maps", [*mapped(5), node("Identity", ["y5"], ["y"])], [x])
