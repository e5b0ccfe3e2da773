# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutations of subgraphs (If, Loop, Scan, SequenceMap, ...) and of calls: counts, types and ranks of arguments and results."""
from onnx import AttributeProto, TensorProto, helper


def change_results(graph, kind):
    """A result dropped, added, of another type or rank."""
    if kind == "result dropped":
        del graph.output[-1]
    elif kind == "result added":
        graph.output.add().CopyFrom(graph.output[-1])
    elif kind == "results swapped":
        first, last = graph.output[0].name, graph.output[-1].name
        graph.output[0].name, graph.output[-1].name = last, first
    else:
        last = graph.output[-1]
        if not last.type.HasField("tensor_type"):
            return
        name = last.name + "_other"
        if kind == "result of another type":
            to = TensorProto.FLOAT if last.type.tensor_type.elem_type != TensorProto.FLOAT else TensorProto.INT64
            graph.node.append(helper.make_node("Cast", [last.name], [name], to=to))
            last.type.tensor_type.elem_type = to
        elif kind == "result of another rank":
            graph.node.append(helper.make_node("Constant", [], [name + "_axis"], value_ints=[0]))
            graph.node.append(helper.make_node("Unsqueeze", [last.name, name + "_axis"], [name]))
        elif kind == "result twice as long":
            graph.node.append(helper.make_node("Concat", [last.name, last.name], [name], axis=0))
        last.name = name
        last.type.tensor_type.ClearField("shape")


def change_arguments(graph, kind):
    """An argument dropped, added, declared otherwise."""
    if kind == "argument added":
        graph.input.append(helper.make_tensor_value_info("argument_more", TensorProto.FLOAT, None))
    elif not graph.input:
        return
    elif kind == "argument dropped":
        del graph.input[-1]
    elif graph.input[-1].type.HasField("tensor_type"):
        kept = graph.input[-1].type.tensor_type
        if kind == "argument declared of another type":
            kept.elem_type = TensorProto.FLOAT if kept.elem_type != TensorProto.FLOAT else TensorProto.INT64
        elif kind == "argument declared of another rank":
            kept.shape.dim.add().dim_value = 7
        elif kind == "argument declared of another dim":
            kept.shape.dim.add().dim_value = 7
            kept.shape.dim[0].dim_value = 7


RESULTS = ["result dropped", "result added", "results swapped", "result of another type", "result of another rank", "result twice as long"]
ARGUMENTS = ["argument added", "argument dropped", "argument declared of another type", "argument declared of another rank",
             "argument declared of another dim"]  # fmt: skip


def bodies(subject):
    for n, node in enumerate(subject.graph.node):
        for a, attribute in enumerate(node.attribute):
            if attribute.type != AttributeProto.GRAPH:
                continue
            for change, kinds in ((change_results, RESULTS), (change_arguments, ARGUMENTS)):
                for kind in kinds:
                    result = subject.copy().forget_shapes()
                    body = result.graph.node[n].attribute[a].g
                    before = body.SerializeToString()
                    change(body, kind)
                    if body.SerializeToString() != before:
                        yield f"{node.op_type} {attribute.name}: {kind}", result


def as_function(subject):
    """The model's only node as the body of a function, called in its place."""
    if len(subject.graph.node) != 1 or not subject.graph.node[0].input:
        return None
    result = subject.copy().forget_shapes()
    node = result.graph.node[0]
    inner = [f"in_{i}" for i in range(len(node.input))]
    outer = [f"out_{i}" for i in range(len(node.output))]
    body = helper.make_node(node.op_type, [new if old else "" for new, old in zip(inner, node.input)],
                            [new if old else "" for new, old in zip(outer, node.output)], domain=node.domain)  # fmt: skip
    body.attribute.extend(node.attribute)
    kept = [i for i, name in enumerate(node.output) if name]
    function = helper.make_function("local", "Called", inner, [outer[i] for i in kept], [body], list(result.model.opset_import))
    call = helper.make_node("Called", list(node.input), [node.output[i] for i in kept], domain="local")
    result.graph.node[0].CopyFrom(call)
    result.model.functions.append(function)
    result.model.opset_import.append(helper.make_opsetid("local", 1))
    result.model.ir_version = max(result.model.ir_version, 8)
    return result


def functions(subject):
    base = as_function(subject)
    if base is None:
        return
    operator, node = subject.graph.node[0].op_type, base.graph.node[0]
    for kind in ("as it is", "last argument not given", "no arguments", "one argument more", "one result more", "first argument absent",
                 "unknown function", "one result less"):  # fmt: skip
        result = base.copy()
        call = result.graph.node[0]
        if kind == "last argument not given":
            del call.input[-1]
        elif kind == "no arguments":
            del call.input[:]
        elif kind == "one argument more":
            call.input.append(node.input[-1])
        elif kind == "one result more":
            call.output.append("one_more")
        elif kind == "first argument absent":
            call.input[0] = ""
        elif kind == "unknown function":
            call.op_type = "Unknown"
        elif kind == "one result less":
            if len(call.output) < 2:
                continue
            gone = call.output.pop()
            kept = [info for info in result.graph.output if info.name != gone]
            del result.graph.output[:]
            result.graph.output.extend(kept)
        yield f"function of {operator}: {kind}", result
