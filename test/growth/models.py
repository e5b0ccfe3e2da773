# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Models that are large in one dimension each: DIMENSIONS maps its name to a function from a size to a model. growth.py compiles them.
import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL, STRING, INT8, UINT8 = (
    TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING, TensorProto.INT8, TensorProto.UINT8)

DIMENSIONS = {}


def dimension(function):
    DIMENSIONS[function.__name__] = function
    return function


def tensor(name, shape, element=FLOAT):
    return helper.make_tensor_value_info(name, element, shape)


def weight(name, values):
    return numpy_helper.from_array(np.asarray(values), name)


def model(nodes, inputs, outputs, weights=(), functions=(), opset=21, extra=()):
    graph = helper.make_graph(nodes, "growth", inputs, outputs, list(weights))
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("own", 1)]
    opsets += [helper.make_opsetid(domain, version) for domain, version in extra]
    return helper.make_model(graph, opset_imports=opsets, functions=list(functions), ir_version=10)


def chain(n, step, inputs, shape, weights=(), **options):
    """x0 = input x; step(i, from, to) gives the nodes of one link."""
    nodes = []
    for i in range(n):
        made = step(i, f"x{i}" if i else "x", f"x{i + 1}" if i + 1 < n else "y")
        nodes += made if isinstance(made, list) else [made]
    return model(nodes, inputs, [tensor("y", shape)], weights, **options)


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs, outputs, **attributes)


# Chains.

@dimension
def elementwise_chain(n):
    kinds = ["Relu", "Sigmoid", "Abs", "Sin"]
    return chain(n, lambda i, a, b: node(kinds[i % 4], [a], [b]), [tensor("x", [1, 64])], [1, 64])


@dimension
def cheap_chain(n):
    return chain(n, lambda i, a, b: node("Neg" if i % 2 else "Relu", [a], [b]), [tensor("x", [1, 64])], [1, 64])


@dimension
def cancelling_chain(n):
    """Each two links are none."""
    return chain(n, lambda i, a, b: node("Neg", [a], [b]), [tensor("x", [1, 64])], [1, 64])


@dimension
def doubling_chain(n):
    return chain(n, lambda i, a, b: node("Add", [a, a], [b]), [tensor("x", [4])], [4])


@dimension
def fibonacci_chain(n):
    def step(i, a, b):
        return node("Mul", [a, f"x{i - 1}" if i > 1 else "x"], [b])
    return chain(n, step, [tensor("x", [4])], [4])


@dimension
def residual_chain(n):
    def step(i, a, b):
        return [node("Softmax", [a], [f"s{i}"]), node("Add", [a, f"s{i}"], [b])]
    return chain(n, step, [tensor("x", [2, 16])], [2, 16])


@dimension
def softmax_chain(n):
    return chain(n, lambda i, a, b: node("Softmax", [a], [b]), [tensor("x", [2, 16])], [2, 16])


@dimension
def matmul_chain(n):
    return chain(n, lambda i, a, b: node("MatMul", [a, "w"], [b]), [tensor("x", [2, 8])], [2, 8],
                 [weight("w", np.full((8, 8), 0.1, np.float32))])


@dimension
def conv_chain(n):
    return chain(n, lambda i, a, b: node("Conv", [a, "w"], [b], pads=[1, 1, 1, 1]), [tensor("x", [1, 4, 6, 6])], [1, 4, 6, 6],
                 [weight("w", np.full((4, 4, 3, 3), 0.1, np.float32))])


@dimension
def transpose_chain(n):
    return chain(2 * n, lambda i, a, b: node("Softmax", [a], [b], axis=0) if i % 2 else node("Transpose", [a], [b], perm=[1, 0]),
                 [tensor("x", [4, 4])], [4, 4])


@dimension
def reshape_chain(n):
    return chain(2 * n, lambda i, a, b: node("Reshape", [a, "flat" if i % 2 else "square"], [b]), [tensor("x", [16])], [16],
                 [weight("square", np.int64([4, 4])), weight("flat", np.int64([16]))])


@dimension
def pad_chain(n):
    return chain(2 * n, lambda i, a, b: node("Slice", [a, "one", "last"], [b]) if i % 2 else node("Pad", [a, "pads"], [b]),
                 [tensor("x", [6])], [6],
                 [weight("pads", np.int64([1, 1])), weight("one", np.int64([1])), weight("last", np.int64([-1]))])


@dimension
def gather_chain(n):
    """Loop nests that say what they read only in their bodies."""
    return chain(n, lambda i, a, b: node("Gather", [a, "at"], [b]), [tensor("x", [4])], [4], [weight("at", np.int64([2, 0, 3, 1]))])


@dimension
def where_chain(n):
    def step(i, a, b):
        return [node("Greater", [a, "x"], [f"c{i}"]), node("Where", [f"c{i}", a, "x"], [b])]
    return chain(n, step, [tensor("x", [4])], [4])


@dimension
def concat_chain(n):
    """Each link joins two halves and takes its two halves apart again."""
    def step(i, a, b):
        return [node("Concat", [a, a], [f"c{i}"], axis=0), node("Split", [f"c{i}"], [f"l{i}", f"r{i}"], axis=0, num_outputs=2),
                node("Mul", [f"l{i}", f"r{i}"], [b])]
    return chain(n, step, [tensor("x", [4])], [4])


@dimension
def symbolic_chain(n):
    return chain(n, lambda i, a, b: node("Softmax" if i % 2 else "Exp", [a], [b]), [tensor("x", ["rows", 8])], ["rows", 8])


@dimension
def meeting_chain(n):
    """Two dims of run time that must be equal, or one of them 1, meet at each link."""
    inputs = [tensor("x", ["rows", "one"]), tensor("z", ["rows", "other"])]
    return chain(n, lambda i, a, b: node("Mul" if i % 2 else "Add", [a, "z" if i % 3 else "x"], [b]), inputs, ["rows", "columns"])


@dimension
def shape_chain(n):
    """Sizes that are computed from shapes, as exporters write them for each view."""
    def step(i, a, b):
        return [node("Shape", [a], [f"s{i}"]), node("Gather", [f"s{i}", "zero"], [f"g{i}"]),
                node("Concat", [f"g{i}", "minus"], [f"c{i}"], axis=0), node("Softmax", [a], [f"m{i}"]),
                node("Reshape", [f"m{i}", f"c{i}"], [b])]
    return chain(n, step, [tensor("x", ["rows", 8])], ["rows", 8],
                 [weight("zero", np.int64([0])), weight("minus", np.int64([-1]))])


@dimension
def constant_chain(n):
    made = chain(n, lambda i, a, b: node("Relu" if i % 2 else "Sin", [a], [b]), [tensor("x", [64])], [64])
    nodes = list(made.graph.node)
    nodes[0].input[0] = "w"
    nodes[-1].output[0] = "end"
    nodes.append(node("Add", ["x", "end"], ["y"]))
    return model(nodes, [tensor("x", [64])], [tensor("y", [64])], [weight("w", np.linspace(0, 1, 64, dtype=np.float32))])


# Width.

@dimension
def concat_columns(n):
    """What scikit-learn's pipelines look like: columns taken out, computed on, joined."""
    nodes, weights = [], [weight("axis", np.int64([1]))]
    for i in range(n):
        weights += [weight(f"b{i}", np.int64([i])), weight(f"e{i}", np.int64([i + 1]))]
        nodes += [node("Slice", ["x", f"b{i}", f"e{i}", "axis"], [f"s{i}"]), node("Sqrt", [f"s{i}"], [f"c{i}"])]
    nodes.append(node("Concat", [f"c{i}" for i in range(n)], ["y"], axis=1))
    return model(nodes, [tensor("x", [3, n])], [tensor("y", [3, n])], weights)


@dimension
def concat_inputs(n):
    return model([node("Concat", [f"x{i}" for i in range(n)], ["y"], axis=0)], [tensor(f"x{i}", [2]) for i in range(n)],
                 [tensor("y", [2 * n])])


@dimension
def concat_one_value(n):
    return model([node("Concat", ["x"] * n, ["y"], axis=0)], [tensor("x", [2])], [tensor("y", [2 * n])])


@dimension
def split(n):
    nodes = [node("Split", ["x"], [f"s{i}" for i in range(n)], axis=1, num_outputs=n)]
    nodes += [node("Exp", [f"s{i}"], [f"c{i}"]) for i in range(n)]
    nodes.append(node("Concat", [f"c{n - 1 - i}" for i in range(n)], ["y"], axis=1))
    return model(nodes, [tensor("x", [2, 2 * n])], [tensor("y", [2, 2 * n])])


@dimension
def sum_width(n):
    nodes = [node("Softmax", ["x"], [f"s{i}"], axis=i % 2) for i in range(n)] + [node("Sum", [f"s{i}" for i in range(n)], ["y"])]
    return model(nodes, [tensor("x", [4, 4])], [tensor("y", [4, 4])])


@dimension
def max_inputs(n):
    return model([node("Max", [f"x{i}" for i in range(n)], ["y"])], [tensor(f"x{i}", [2]) for i in range(n)], [tensor("y", [2])])


@dimension
def outputs(n):
    return model([node("Softmax", ["x"], [f"y{i}"]) for i in range(n)], [tensor("x", [2, 4])],
                 [tensor(f"y{i}", [2, 4]) for i in range(n)])


@dimension
def inputs_and_outputs(n):
    return model([node("Exp", [f"x{i}"], [f"y{i}"]) for i in range(n)], [tensor(f"x{i}", [2]) for i in range(n)],
                 [tensor(f"y{i}", [2]) for i in range(n)])


@dimension
def symbolic_inputs(n):
    return model([node("Exp", [f"x{i}"], [f"y{i}"]) for i in range(n)], [tensor(f"x{i}", [f"d{i}", 2]) for i in range(n)],
                 [tensor(f"y{i}", [f"d{i}", 2]) for i in range(n)])


@dimension
def fan_out(n):
    """One value with many readers, each of which is added on."""
    nodes = [node("Softmax", ["x"], ["h"])]
    nodes += [node("Softmax", ["h"], [f"s{i}"], axis=i % 2) for i in range(n)]
    nodes += [node("Mul", [f"a{i - 1}" if i else "h", f"s{i}"], [f"a{i}"]) for i in range(n)]
    nodes.append(node("Neg", [f"a{n - 1}"], ["y"]))
    return model(nodes, [tensor("x", [2, 4])], [tensor("y", [2, 4])])


# Weights, attributes, strings, names.

@dimension
def unused_weights(n):
    return model([node("Exp", ["x"], ["y"])], [tensor("x", [4])], [tensor("y", [4])],
                 [weight(f"w{i}", np.float32([i])) for i in range(n)])


@dimension
def constant_nodes(n):
    nodes = [node("Constant", [], [f"k{i}"], value=weight("v", np.full(4, i, np.float32))) for i in range(n)]
    nodes += [node("Add", [f"a{i}" if i else "x", f"k{i}"], [f"a{i + 1}" if i + 1 < n else "y"]) for i in range(n)]
    return model(nodes, [tensor("x", [4])], [tensor("y", [4])])


@dimension
def attribute_list(n):
    nodes = [node("Constant", [], ["k"], value_floats=[float(i) for i in range(n)]), node("Add", ["x", "k"], ["y"])]
    return model(nodes, [tensor("x", [n])], [tensor("y", [n])])


@dimension
def long_names(n):
    name = "n" * n
    nodes = [helper.make_node("Softmax" if i % 2 else "Exp", [f"{name}{i}"], [f"{name}{i + 1}"], name=f"{name}{i}") for i in range(20)]
    return model(nodes, [tensor(name + "0", [4])], [tensor(name + "20", [4])])


# Subgraphs and functions.

@dimension
def loop_body(n):
    nodes = [node("Softmax" if i % 2 else "Exp", [f"v{i}"], [f"v{i + 1}"]) for i in range(n)] + [node("Identity", ["c"], ["d"])]
    body = helper.make_graph(nodes, "body", [tensor("i", [], INT64), tensor("c", [], BOOL), tensor("v0", [2, 4])],
                             [tensor("d", [], BOOL), tensor(f"v{n}", [2, 4])])
    return model([node("Loop", ["trips", "", "x"], ["y"], body=body)], [tensor("x", [2, 4])], [tensor("y", [2, 4])],
                 [weight("trips", np.int64(3))])


@dimension
def function_calls(n):
    function = helper.make_function("own", "Own", ["a"], ["b"], [node("Exp", ["a"], ["t"]), node("Softmax", ["t"], ["b"])],
                                    [helper.make_opsetid("", 21)])
    return chain(n, lambda i, a, b: node("Own", [a], [b], domain="own"), [tensor("x", [2, 4])], [2, 4], functions=[function])


@dimension
def functions(n):
    made = [helper.make_function("own", f"Own{i}", ["a"], ["b"], [node("Exp", ["a"], ["t"]), node("Softmax", ["t"], ["b"])],
                                 [helper.make_opsetid("", 21)]) for i in range(n)]
    return chain(n, lambda i, a, b: node(f"Own{i}", [a], [b], domain="own"), [tensor("x", [2, 4])], [2, 4], functions=made)


