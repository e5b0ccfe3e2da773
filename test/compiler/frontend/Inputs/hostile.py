#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py FOLDER: writes one model per problem that the importer must report, FOLDER/<function's name>.onnx. problems.test reads them."""
import os
import sys

import numpy as np
from onnx import AttributeProto, TensorProto, TypeProto, helper, numpy_helper

FLOAT, INT64, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING
CASES = []


def case(build):
    CASES.append(build)
    return build


def value(name, shape=(2,), kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def relu(source="x", target="y", **attributes):
    return helper.make_node("Relu", [source], [target], name="n", **attributes)


def model(nodes, inputs=None, outputs=None, initializers=(), opset=17, imports=None, **more):
    graph = helper.make_graph(nodes, "g", inputs if inputs is not None else [value("x")], outputs if outputs is not None else [value("y")],
                              initializer=list(initializers))  # fmt: skip
    imports = imports if imports is not None else [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8, **more)


def with_tensor(tensor):
    """A model whose only initializer is `tensor`, named w."""
    tensor.name = "w"
    return model([helper.make_node("Identity", ["w"], ["y"], name="n")], inputs=[], outputs=[value("y", None)], initializers=[tensor])


def tensor(kind=FLOAT, dims=(2,), **fields):
    result = TensorProto(data_type=kind, dims=dims)
    for name, data in fields.items():
        if isinstance(data, bytes):
            setattr(result, name, data)
        else:
            getattr(result, name).extend(data)
    return result


# --- the graph ---
@case
def no_graph():
    result = model([relu()])
    result.ClearField("graph")
    return result


@case
def no_opset():
    return model([relu()], imports=[])


@case
def no_domain():
    return model([helper.make_node("QGemm", ["x"], ["y"], name="n", domain="com.microsoft")])


@case
def two_opsets():
    return model([relu()], imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx", 18)])


@case
def opset_too_new():
    return model([relu()], opset=1000)


@case
def ir_too_new():
    result = model([relu()])
    result.ir_version = 1000
    return result


@case
def defined_twice():
    return model([relu("x", "y"), relu("x", "y")])


@case
def input_twice():
    return model([relu()], inputs=[value("x"), value("x")])


@case
def initializer_twice():
    weight = tensor(dims=(1,), raw_data=b"0000")
    weight.name = "w"
    return model([relu("w")], initializers=[weight, weight])


@case
def undefined():
    return model([relu("z")])


@case
def cycle():
    return model([helper.make_node("Add", ["x", "b"], ["a"], name="first"), relu("a", "b"), relu("b", "y")])


@case
def undefined_output():
    return model([relu("x", "z")])


@case
def undefined_in_subgraph():
    branch = helper.make_graph([relu("nowhere", "b")], "branch", [], [value("b")])
    choose = helper.make_node("If", ["c"], ["y"], name="choose", then_branch=branch, else_branch=branch)
    return model([choose], inputs=[value("c", (), TensorProto.BOOL)])


def choosing(branch, outputs=("y",)):
    """An If whose branches are the same graph."""
    choose = helper.make_node("If", ["c"], list(outputs), name="choose", then_branch=branch, else_branch=branch)
    return model([choose], inputs=[value("c", (), TensorProto.BOOL), value("x")])


@case
def defined_outside():
    return choosing(helper.make_graph([relu("x", "c")], "branch", [], [value("c")]))


@case
def element_type_attribute():
    return model([helper.make_node("Cast", ["x"], ["y"], name="n", to=99)])


@case
def left_out_variadic():
    return model([helper.make_node("Max", ["x", ""], ["y"], name="n")])


@case
def no_outputs():
    return model([relu()], outputs=[])


@case
def nameless_input():
    return model([relu()], inputs=[value("x"), value("")])


@case
def nameless_initializer():
    return model([relu()], initializers=[tensor(raw_data=b"00000000")])


# --- tensors ---
@case
def too_few_bytes():
    return with_tensor(tensor(raw_data=b"1234"))


@case
def petabyte():
    return with_tensor(tensor(dims=(1 << 20, 1 << 19), float_data=[1.0]))


@case
def overflowing_dims():
    return with_tensor(tensor(dims=(1 << 32, 1 << 32), raw_data=b""))


@case
def negative_dim():
    return with_tensor(tensor(dims=(-2,), raw_data=b"00000000"))


@case
def high_rank():
    return with_tensor(tensor(dims=(1,) * 17, raw_data=b"0000"))


@case
def wrong_field():
    return with_tensor(tensor(int64_data=[1, 2]))


@case
def two_fields():
    return with_tensor(tensor(float_data=[1.0, 2.0], raw_data=b"00000000"))


@case
def too_many_entries():
    return with_tensor(tensor(kind=INT64, int64_data=[1, 2, 3]))


@case
def missing_strings():
    return with_tensor(tensor(kind=STRING, string_data=[b"one"]))


@case
def raw_strings():
    return with_tensor(tensor(kind=STRING, raw_data=b"ab"))


@case
def constant_input():
    weight = tensor(raw_data=b"00000000")
    weight.name = "x"
    return model([relu()], inputs=[value("x", (2,), INT64)], initializers=[weight])


@case
def segment():
    piece = tensor(raw_data=b"00000000")
    piece.segment.begin = 0
    piece.segment.end = 2
    return with_tensor(piece)


@case
def unknown_element_type():
    return with_tensor(tensor(kind=99, raw_data=b"00"))


@case
def sparse_index_outside():
    return sparse(np.array([5], np.int64))


@case
def sparse_not_ascending():
    return sparse(np.array([2, 1], np.int64))


@case
def sparse_bomb():
    return sparse(np.array([1], np.int64), dims=(1 << 34,))


def sparse(indices, dims=(4,)):
    values = numpy_helper.from_array(np.ones(len(indices), np.float32), "w")
    result = model([relu("w")], inputs=[])
    result.graph.sparse_initializer.append(helper.make_sparse_tensor(values, numpy_helper.from_array(indices), list(dims)))
    return result


# --- types ---
@case
def input_without_type():
    result = model([relu()])
    result.graph.input[0].ClearField("type")
    return result


@case
def sparse_input():
    result = model([relu()])
    result.graph.input[0].type.CopyFrom(TypeProto(sparse_tensor_type=TypeProto.SparseTensor(elem_type=1)))
    return result


@case
def wrong_type():
    return model([helper.make_node("Relu", ["x"], ["y"], name="n")], inputs=[value("x", (2,), STRING)])


@case
def types_differ():
    return model([helper.make_node("Add", ["x", "z"], ["y"], name="n")], inputs=[value("x"), value("z", (2,), INT64)])


@case
def declared_type_differs():
    return model([relu()], outputs=[value("y", (2,), INT64)])


# --- operators ---
@case
def unknown_operator():
    return model([helper.make_node("Convv", ["x"], ["y"], name="n")])


@case
def later_operator():
    return model([helper.make_node("Gelu", ["x"], ["y"], name="n")])


@case
def unknown_domain():
    return model([helper.make_node("Foo", ["x"], ["y"], name="n", domain="com.example")],
                 imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)])  # fmt: skip


@case
def deprecated():
    return model([helper.make_node("Upsample", ["x", "s"], ["y"], name="n")], inputs=[value("x", (1, 1, 2, 2)), value("s", (4,))], opset=10)


@case
def too_many_inputs():
    return model([helper.make_node("Relu", ["x", "x"], ["y"], name="n")])


@case
def left_out_input():
    return model([helper.make_node("Add", ["", "x"], ["y"], name="n")])


@case
def too_many_outputs():
    return model([helper.make_node("Relu", ["x"], ["y", "z"], name="n")])


@case
def unknown_attribute():
    return model([relu(slope=1.0)])


@case
def missing_attribute():
    return model([helper.make_node("Concat", ["x", "x"], ["y"], name="n")])


@case
def wrong_attribute():
    return model([helper.make_node("Concat", ["x", "x"], ["y"], name="n", axis=[0])])


@case
def duplicate_attribute():
    node = helper.make_node("Concat", ["x", "x"], ["y"], name="n", axis=0)
    node.attribute.append(node.attribute[0])
    return model([node])


@case
def two_constants():
    return model([helper.make_node("Constant", [], ["y"], name="n", value_int=1, value_float=2.0)], inputs=[])


@case
def several_problems():
    return model([helper.make_node("Foo", ["x"], ["a"], name="one"), relu("nowhere", "b"),
                  helper.make_node("Concat", ["a", "b"], ["y"], name="three")])  # fmt: skip


# --- functions ---
def function(name, nodes, attributes=(), inputs=("a",), outputs=("b",), imports=None):
    imports = imports or [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    return helper.make_function("local", name, list(inputs), list(outputs), nodes, imports, attributes=list(attributes))


def call(name, source="x", target="y", **attributes):
    return helper.make_node(name, [source], [target], name="call" + target, domain="local", **attributes)


def calling(nodes, functions):
    return model(nodes, imports=[helper.make_opsetid("", 17), helper.make_opsetid("local", 1)], functions=functions)


@case
def function_without_result():
    return calling([call("F")], [function("F", [relu("a", "c")])])


@case
def recursion():
    return calling([call("F")], [function("F", [call("G", "a", "b")]), function("G", [call("F", "a", "b")])])


@case
def recursion_in_subgraph():
    branch = helper.make_graph([call("F", "a", "c")], "branch", [], [value("c")])
    body = [helper.make_node("Constant", [], ["t"], value=numpy_helper.from_array(np.array(True))),
            helper.make_node("If", ["t"], ["b"], then_branch=branch, else_branch=branch)]  # fmt: skip
    return calling([call("F")], [function("F", body)])


@case
def function_twice():
    body = function("F", [relu("a", "b")])
    return calling([call("F")], [body, body])


@case
def function_inputs():
    node = call("F")
    node.input.append("x")
    return calling([node], [function("F", [relu("a", "b")])])


@case
def function_attribute():
    return calling([call("F", slope=1.0)], [function("F", [relu("a", "b")])])


@case
def reference_outside():
    node = helper.make_node("LeakyRelu", ["x"], ["y"], name="n")
    node.attribute.append(AttributeProto(name="alpha", ref_attr_name="slope", type=AttributeProto.FLOAT))
    return model([node])


@case
def problem_in_function():
    body = function("F", [helper.make_node("Foo", ["a"], ["b"], name="inner")])
    return calling([call("F", "x", "m"), call("F", "m", "y")], [body])


@case
def exponential():
    functions = [function("F0", [relu("a", "b")])]
    for i in range(1, 40):
        functions.append(function(f"F{i}", [call(f"F{i - 1}", "a", "m"), call(f"F{i - 1}", "m", "b")]))
    return calling([call("F39")], functions)


@case
def deep_calls():
    functions = [function("F0", [relu("a", "b")])] + [function(f"F{i}", [call(f"F{i - 1}", "a", "b")]) for i in range(1, 65)]
    return calling([call("F64")], functions)


@case
def deep_calls_at_limit():
    functions = [function("F0", [relu("a", "b")])] + [function(f"F{i}", [call(f"F{i - 1}", "a", "b")]) for i in range(1, 64)]
    return calling([call("F63")], functions)


@case
def deep_subgraphs():
    """Sixteen subgraphs in the file and fifteen in the function that the innermost calls."""

    def nested(depth, inner):
        for i in range(depth):
            branch = helper.make_graph([inner], "branch", [], [value(inner.output[0])])
            other = helper.make_graph([relu("x", f"f{i}")], "other", [], [value(f"f{i}")])
            inner = helper.make_node("If", ["a"], [f"{inner.output[0]}{i}"], then_branch=branch, else_branch=other)
        return inner

    body = nested(15, relu("x", "m"))
    body.output[0] = "b"
    main = nested(16, helper.make_node("F", ["a", "x"], ["m"], domain="local"))
    main.output[0] = "y"
    result = calling([main], [function("F", [body], inputs=("a", "x"))])
    result.graph.input.append(value("a", (), TensorProto.BOOL))
    return result


@case
def control_characters():
    return model([helper.make_node("Fo\x1b[31m\no", ["x"], ["y"], name='n"\r\n*/')])


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for build in CASES:
        with open(os.path.join(sys.argv[1], build.__name__ + ".onnx"), "wb") as file:
            file.write(build().SerializeToString())
