# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Small models of control flow and run-time sizes, for entries of models.toml with `made`. Each function takes nothing and gives a model.
import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING
node, value = helper.make_node, helper.make_tensor_value_info


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def model(nodes, inputs, outputs, initializers=()):
    graph = helper.make_graph(nodes, "small", inputs, outputs, initializer=list(initializers))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def weights(name, *shape):
    return constant(name, np.random.default_rng(len(name)).normal(0, 1 / np.sqrt(shape[0]), shape).astype(np.float32))


def if_costs():
    """One branch is three products, the other a sum."""
    costly = helper.make_graph(
        [node("MatMul", ["x", "w1"], ["a"]), node("Relu", ["a"], ["b"]), node("MatMul", ["b", "w2"], ["c"]),
         node("Tanh", ["c"], ["d"]), node("MatMul", ["d", "w1"], ["costly"])],
        "costly", [], [value("costly", FLOAT, [16, 32])], [weights("w1", 32, 32), weights("w2", 32, 32)])
    cheap = helper.make_graph([node("Add", ["x", "one"], ["cheap"])], "cheap", [], [value("cheap", FLOAT, [16, 32])],
                              [constant("one", np.float32(1))])
    return model([node("ReduceMean", ["x"], ["mean"], keepdims=0), node("Greater", ["mean", "zero"], ["positive"]),
                  node("If", ["positive"], ["y"], then_branch=costly, else_branch=cheap)],
                 [value("x", FLOAT, [16, 32])], [value("y", FLOAT, [16, 32])], [constant("zero", np.float32(0))])


def if_sizes():
    """The branches give tensors of different sizes."""
    longer = helper.make_graph([node("Concat", ["x", "x"], ["longer"], axis=0)], "longer", [], [value("longer", FLOAT, [None, 3])])
    shorter = helper.make_graph([node("ReduceSum", ["x", "axes"], ["shorter"])], "shorter", [], [value("shorter", FLOAT, [1, 3])],
                                [constant("axes", [0])])
    return model([node("If", ["c"], ["y"], then_branch=longer, else_branch=shorter), node("Exp", ["y"], ["z"])],
                 [value("x", FLOAT, ["n", 3]), value("c", BOOL, [])], [value("z", FLOAT, ["m", 3])])


def loop_grows():
    """Each iteration appends a row to a carried tensor, and gives a scan output; it stops when told to, or when a sum is large."""
    body = helper.make_graph(
        [node("Gather", ["x", "i"], ["row"], axis=0), node("Unsqueeze", ["row", "first"], ["rows"]),
         node("Concat", ["grown", "rows"], ["grown_out"], axis=0), node("ReduceSum", ["grown_out"], ["sum"], keepdims=0),
         node("Less", ["sum", "limit"], ["again"]), node("Mul", ["row", "sum"], ["scanned"])],
        "body", [value("i", INT64, []), value("go", BOOL, []), value("grown", FLOAT, [None, 4])],
        [value("again", BOOL, []), value("grown_out", FLOAT, [None, 4]), value("scanned", FLOAT, [4])],
        [constant("first", [0])])
    return model([node("Loop", ["trips", "", "start"], ["grown_end", "all"], body=body, name="grow")],
                 [value("x", FLOAT, [8, 4]), value("trips", INT64, []), value("limit", FLOAT, [])],
                 [value("grown_end", FLOAT, [9, 4]), value("all", FLOAT, [8, 4])],
                 [constant("start", np.zeros((1, 4), np.float32))])


def scan_sums():
    """Running sums over a run-time length, and the reversed inputs' products with the state."""
    body = helper.make_graph(
        [node("Add", ["state", "a"], ["state_out"]), node("Mul", ["state", "b"], ["product"]), node("Identity", ["state_out"], ["sum"])],
        "body", [value("state", FLOAT, [5]), value("a", FLOAT, [5]), value("b", FLOAT, [5])],
        [value("state_out", FLOAT, [5]), value("sum", FLOAT, [5]), value("product", FLOAT, [5])])
    return model([node("Scan", ["state0", "x", "x"], ["last", "sums", "products"], body=body, num_scan_inputs=2, scan_input_directions=[0, 1])],
                 [value("state0", FLOAT, [5]), value("x", FLOAT, ["n", 5])],
                 [value("last", FLOAT, [5]), value("sums", FLOAT, ["n", 5]), value("products", FLOAT, ["n", 5])])


def non_zero():
    """Places of what is positive, and what stands there: as many as the data say."""
    return model([node("Greater", ["x", "zero"], ["positive"]), node("NonZero", ["positive"], ["places"]),
                  node("Transpose", ["places"], ["indices"]), node("GatherND", ["x", "indices"], ["found"]),
                  node("ReduceSum", ["found"], ["sum"], keepdims=0)],
                 [value("x", FLOAT, ["n", 6])],
                 [value("places", INT64, [2, "k"]), value("found", FLOAT, ["k"]), value("sum", FLOAT, [])], [constant("zero", np.float32(0))])


def updates():
    """Rows and elements that are written where the data say; several meet at one place."""
    return model([node("ScatterND", ["x", "rows", "new"], ["written"], reduction="max"),
                  node("ScatterElements", ["written", "columns", "x"], ["y"], axis=1, reduction="add")],
                 [value("x", FLOAT, ["n", 6]), value("rows", INT64, [5, 1]), value("new", FLOAT, [5, 6]), value("columns", INT64, ["n", 6])],
                 [value("y", FLOAT, ["n", 6])])


def words():
    """Strings compared with each other and with a constant, chosen between, concatenated and gathered."""
    text = helper.make_tensor("text", STRING, [1], ["yes".encode()])
    other = helper.make_tensor("other", STRING, [2], ["n\u00f6".encode(), b""])
    return model([node("Equal", ["a", "text"], ["is_text"]), node("Equal", ["a", "b"], ["same"]),
                  node("Where", ["is_text", "b", "a"], ["chosen"]), node("Concat", ["a", "other"], ["all"], axis=0),
                  node("Gather", ["all", "last"], ["end"]), node("Cast", ["is_text"], ["number"], to=FLOAT)],
                 [value("a", STRING, ["n"]), value("b", STRING, ["n"])],
                 [value("same", BOOL, ["n"]), value("number", FLOAT, ["n"]), value("chosen", STRING, ["n"]), value("all", STRING, ["m"]),
                  value("end", STRING, [2])],
                 [text, other, constant("last", [-1, 0])])


def sequence():
    """A sequence of tensors of different sizes: split, changed, and joined again."""
    return model([node("SequenceConstruct", ["x", "y"], ["two"]), node("Relu", ["y"], ["z"]),
                  node("SequenceInsert", ["two", "z", "one"], ["three"]), node("SequenceErase", ["three", "zero"], ["left"]),
                  node("ConcatFromSequence", ["left"], ["joined"], axis=0), node("SequenceAt", ["three", "minus"], ["last"]),
                  node("SequenceLength", ["three"], ["length"])],
                 [value("x", FLOAT, ["n", 3]), value("y", FLOAT, [2, 3])],
                 [value("joined", FLOAT, [4, 3]), value("last", FLOAT, [2, 3]), value("length", INT64, [])],
                 [constant("zero", 0), constant("one", 1), constant("minus", -1)])
