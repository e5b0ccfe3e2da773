# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kinds.yaml's operators in numpy. As a program, `kinds.py FOLDER` writes models that call them.
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference.op_run import OpRun


class Reduce(OpRun):
    op_domain = "com.example"

    def _run(self, x, skip=None, first=None, scale=None, ks=None, weights=(), mode=None):
        row = x.astype(np.float64)
        if skip is not None:
            row = np.where(skip, 0, row)
        row[..., : len(weights)] *= np.array(weights)
        total = (row * scale).sum(axis=-1) + (0 if first is None else float(first))
        count = np.stack([(row > k).sum(axis=-1) for k in ks], axis=-1)
        return (-total if mode == 'negative "sum"' else total).astype(x.dtype), count.astype(np.int64)


class Halve(OpRun):
    op_domain = "com.example"

    def _run(self, x):
        return (np.ascontiguousarray(x[: x.shape[0] // 2 * 2 : 2].T),)


OPSETS = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 3)]


def save(path, nodes, inputs, outputs, constants=(), functions=()):
    graph = helper.make_graph(nodes, "kinds", inputs, [onnx.ValueInfoProto(name=name) for name in outputs],
                              [numpy_helper.from_array(value, name) for name, value in constants])
    onnx.save(helper.make_model(graph, opset_imports=[*OPSETS, helper.make_opsetid("own", 1)], ir_version=8, functions=functions), path)


def node(name, inputs, outputs, **attributes):
    return helper.make_node(name, inputs, outputs, domain="com.example" if name in ("Reduce", "Halve") else "", **attributes)


def value(name, element, shape):
    return helper.make_tensor_value_info(name, element, shape)


def main(folder):
    # Operands that lie with strides, results that become parts of others, constants, an operand that is left out in the middle.
    save(f"{folder}/net.onnx", [
        node("Transpose", ["x"], ["turned"], perm=[2, 0, 1]),
        node("Slice", ["x", "one", "most", "last"], ["part"]),
        node("Reduce", ["turned", "", "first"], ["a", "a_count"], ks=[0, -1, 1], scale=0.5),
        node("Reduce", ["part", "skip"], ["b"], weights=[2.0, -1.5], mode='negative "sum"'),
        node("Reduce", ["x"], ["", "c_count"], ks=[5]),
        node("Reduce", ["constants"], ["constant"]),
        node("Unsqueeze", ["b", "last"], ["b_column"]),
        node("Concat", ["x", "b_column"], ["joined"], axis=2),
        node("Cast", ["bytes"], ["integers"], to=TensorProto.INT32),
        node("Reduce", ["bytes"], ["byte_sum"], scale=1.0),
        node("Reduce", ["integers"], ["sums", "counts"], ks=[100]),
    ], [value("x", TensorProto.FLOAT, ["n", 3, "m"]), value("bytes", TensorProto.UINT8, ["k", 4])],
       ["a", "a_count", "c_count", "joined", "constant", "byte_sum", "sums", "counts"],
       [("first", np.float32(7)), ("skip", np.array([i % 3 == 0 for i in range(4)])), ("one", np.array([0])), ("most", np.array([4])),
        ("last", np.array([2])), ("constants", np.arange(6, dtype=np.float32).reshape(2, 3))])
    save(f"{folder}/halve.onnx", [node("Halve", ["x"], ["y"])], [value("x", TensorProto.FLOAT16, ["n", 3])], ["y"])
    # In the branches of a choice and in a function of the model.
    branch = [helper.make_graph([node("Reduce", ["x"], [f"sum_{scale}"], scale=scale)], "branch", [], [onnx.ValueInfoProto(name=f"sum_{scale}")])
              for scale in (1.0, 3.0)]
    save(f"{folder}/branches.onnx", [
        node("ReduceSum", ["x"], ["total"], keepdims=0),
        node("Greater", ["total", "zero"], ["positive"]),
        node("If", ["positive"], ["y"], then_branch=branch[0], else_branch=branch[1]),
    ], [value("x", TensorProto.FLOAT, [4, 3])], ["y"], [("zero", np.float32(0))])
    function = helper.make_function("own", "Twice", ["a"], ["b"], [node("Reduce", ["a"], ["s"], ks=[0]), node("Add", ["s", "s"], ["b"])], OPSETS)
    twice = helper.make_node("Twice", ["x"], ["y"], domain="own")
    save(f"{folder}/function.onnx", [twice], [value("x", TensorProto.FLOAT, [4, 3])], ["y"], functions=[function])


if __name__ == "__main__":
    main(sys.argv[1])
