# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A model as onnxruntime gets it: around its faults (spelled.py, and arguments that bodies hand on), so that its answer is the standard's.
import copy

import onnx
from onnx import helper
from spelled import SPELLED, spell


def bodies(graph):
    """All subgraphs, also those inside others."""
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield attribute.g
                yield from bodies(attribute.g)


def graphs_in(graph):
    """The graph and all bodies in it, outer ones first."""
    return [graph, *bodies(graph)]


def reads(node):
    """Names that a node reads, also from inside its bodies."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            graph = attribute.g
            own = {info.name for info in graph.input} | {init.name for init in graph.initializer}
            for inner in graph.node:
                names += [name for name in reads(inner) if name not in own]
                own.update(inner.output)
            names += [info.name for info in graph.output if info.name not in own]
    return names


def copy_arguments(model):
    """Copies what a body hands on as it came: onnxruntime collects and carries the argument's buffer itself, in which the next step's value
    then lies."""
    for body in bodies(model.graph):
        given = {info.name for info in body.input}
        for i, info in enumerate(body.output):
            if info.name in given:
                body.node.append(helper.make_node("Identity", [info.name], [f"{info.name}_copy_{i}"]))
                info.name = f"{info.name}_copy_{i}"


def opset_of(model):
    return next(one.version for one in model.opset_import if not one.domain)


def types_of(model, which=lambda info: True):
    """Element types and ranks of the values of a graph and its bodies, by name, where inference knows them; a rank that it does not is 0.
    `which`: of those alone."""
    types = {}
    graph = onnx.shape_inference.infer_shapes(model).graph
    for one in graphs_in(graph):
        for info in filter(which, [*one.value_info, *one.input, *one.output]):
            types[info.name] = info.type.tensor_type.elem_type, len(info.type.tensor_type.shape.dim)
        types.update({init.name: (init.data_type, len(init.dims)) for init in one.initializer})
        for node in one.node:
            if node.op_type == "Constant" and node.attribute[0].type == onnx.AttributeProto.TENSOR:
                types[node.output[0]] = node.attribute[0].t.data_type, len(node.attribute[0].t.dims)
    return types


def has_elements(info):
    return all(dim.dim_value or not dim.HasField("dim_value") for dim in info.type.tensor_type.shape.dim)


def elements_of(model, which=lambda info: True):
    return {name: element for name, (element, _) in types_of(model, which).items()}


def mended(model):
    model = copy.deepcopy(model)
    if any(node.op_type in SPELLED for graph in graphs_in(model.graph) for node in graph.node):
        types, opset = types_of(model), opset_of(model)
        for graph in reversed(graphs_in(model.graph)):  # who replaces a graph's nodes replaces the bodies in them
            spell(graph, types, opset)
    copy_arguments(model)
    return model
