# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A model as onnxruntime gets it: what onnxruntime is known to do wrong is spelled in other operators, so that its answer is the standard's.
import copy

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def bodies(graph):
    """(node, body) of all subgraphs, also those inside others."""
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield node, attribute.g
                yield from bodies(attribute.g)


def copy_arguments(model):
    """Copies what a body hands on as it came: onnxruntime collects and carries the argument's buffer itself, in which the next step's value
    then lies."""
    for _, body in bodies(model.graph):
        given = {info.name for info in body.input}
        for i, info in enumerate(body.output):
            if info.name in given:
                body.node.append(helper.make_node("Identity", [info.name], [f"{info.name}_copy_{i}"]))
                info.name = f"{info.name}_copy_{i}"


def instance_norm(node, rank):
    """InstanceNormalization in its formula: onnxruntime's takes the mean off in the bias, whose rounding is large where a channel hardly
    varies."""
    x, scale, bias = node.input
    stem, nodes = f"{node.output[0]}_norm", []

    def add(op, *inputs, **attributes):
        nodes.append(helper.make_node(op, inputs, [f"{stem}_{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    def constant(value):
        return add("Constant", value=numpy_helper.from_array(np.array(value)))

    epsilon = next((a.f for a in node.attribute if a.name == "epsilon"), 1e-5)
    spatial, behind = constant(np.arange(2, rank)), constant(np.arange(1, rank - 1))
    centred = add("Sub", x, add("ReduceMean", x, spatial))
    variance = add("ReduceMean", add("Mul", centred, centred), spatial)
    root = add("Sqrt", add("Add", variance, add("CastLike", constant(np.float32(epsilon)), x)))
    scaled = add("Mul", add("Div", centred, root), add("Unsqueeze", scale, behind))
    nodes.append(helper.make_node("Add", [scaled, add("Unsqueeze", bias, behind)], [node.output[0]]))
    return nodes


def spell_norms(graph, types):
    nodes = []
    for node in graph.node:
        _, rank = types.get(node.input[0], (0, 0)) if node.op_type == "InstanceNormalization" else (0, 0)
        nodes += instance_norm(node, rank) if rank > 2 else [node]
    del graph.node[:]
    graph.node.extend(nodes)


def spell_max_pools(graph, types):
    """The greatest of infinities below zero: onnxruntime's MaxPool begins with the least finite number."""
    nodes = []
    for node in graph.node:
        nodes.append(node)
        element, _ = types.get(node.input[0], (0, 0)) if node.op_type == "MaxPool" else (0, 0)
        if element not in (TensorProto.FLOAT, TensorProto.DOUBLE):
            continue
        of, result = helper.tensor_dtype_to_np_dtype(element), node.output[0]
        node.output[0], least, infinity, is_least = (f"{result}_{what}" for what in ("finite", "least", "infinity", "is_least"))
        nodes += [helper.make_node("Constant", [], [least], value=numpy_helper.from_array(np.array(np.finfo(of).min))),
                  helper.make_node("Constant", [], [infinity], value=numpy_helper.from_array(np.array(-np.inf, of))),
                  helper.make_node("Equal", [node.output[0], least], [is_least]),
                  helper.make_node("Where", [is_least, infinity, node.output[0]], [result])]  # fmt: skip
    del graph.node[:]
    graph.node.extend(nodes)


def spell_reductions(graph, types):
    """Axes counted from the front: of a tensor without elements onnxruntime does not reduce those counted from the back."""
    nodes = []
    for node in graph.node:
        _, rank = types.get(node.input[0], (0, 0)) if node.op_type in REDUCTIONS else (0, 0)
        if rank and len(node.input) > 1 and node.input[1]:
            ranks, sums, axes = (f"{node.output[0]}_{what}" for what in ("rank", "sum", "axes"))
            nodes += [helper.make_node("Constant", [], [ranks], value=numpy_helper.from_array(np.array([rank]))),
                      helper.make_node("Add", [node.input[1], ranks], [sums]), helper.make_node("Mod", [sums, ranks], [axes])]  # fmt: skip
            node.input[1] = axes
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)


def spell_greater_of_two(graph, types):
    """Max, Min and Clip of 64-bit integers by comparing: onnxruntime's AVX-512 kernels see 2^31 below 1."""
    nodes = []
    for node in graph.node:
        element, _ = types.get(node.input[0], (0, 0)) if node.op_type in ("Max", "Min", "Clip") else (0, 0)
        if element != TensorProto.INT64 or len(node.input) < 2:
            nodes.append(node)
            continue
        value, others = node.input[0], [(node.op_type, name) for name in node.input[1:]]
        if node.op_type == "Clip":
            others = [(op, name) for op, name in zip(("Max", "Min"), node.input[1:]) if name]
        for i, (op, other) in enumerate(others):
            which, result = f"{node.output[0]}_which_{i}", f"{node.output[0]}_of_{i + 2}"
            nodes += [helper.make_node("Greater" if op == "Max" else "Less", [value, other], [which]),
                      helper.make_node("Where", [which, value, other], [result])]  # fmt: skip
            value = result
        nodes.append(helper.make_node("Identity", [value], [node.output[0]]))
    del graph.node[:]
    graph.node.extend(nodes)


def spell_sigmoids(graph, types):
    """Sigmoid of floats in its formula: onnxruntime's is 0 far below zero, where the number still has all digits."""
    nodes = []
    for node in graph.node:
        element, _ = types.get(node.input[0], (0, 0)) if node.op_type == "Sigmoid" else (0, 0)
        if element != TensorProto.FLOAT:
            nodes.append(node)
            continue
        negative, power, more, one = (f"{node.output[0]}_{what}" for what in ("negative", "power", "more", "one"))
        nodes += [helper.make_node("Constant", [], [one], value=numpy_helper.from_array(np.array(1, np.float32))),
                  helper.make_node("Neg", [node.input[0]], [negative]), helper.make_node("Exp", [negative], [power]),
                  helper.make_node("Add", [power, one], [more]), helper.make_node("Div", [one, more], [node.output[0]])]  # fmt: skip
    del graph.node[:]
    graph.node.extend(nodes)


def opset_of(model):
    return next(one.version for one in model.opset_import if not one.domain)


def types_of(model):
    """Element types and ranks of the values of a model, by name, where inference knows them."""
    types = {}
    graph = onnx.shape_inference.infer_shapes(model).graph
    for one in (graph, *(body for _, body in bodies(graph))):
        for info in [*one.value_info, *one.input, *one.output]:
            if info.type.tensor_type.HasField("shape"):
                types[info.name] = info.type.tensor_type.elem_type, len(info.type.tensor_type.shape.dim)
        types.update({init.name: (init.data_type, len(init.dims)) for init in one.initializer})
    return types


REDUCTIONS = {schema.name for schema in onnx.defs.get_all_schemas() if schema.name.startswith("Reduce")}
SINCE = {spell_norms: 18, spell_max_pools: 11, spell_reductions: 13, spell_greater_of_two: 12, spell_sigmoids: 11}  # the opset that has the other operators
SPELLED = {"InstanceNormalization": spell_norms, "MaxPool": spell_max_pools, "Sigmoid": spell_sigmoids,
           **dict.fromkeys(("Max", "Min", "Clip"), spell_greater_of_two), **dict.fromkeys(REDUCTIONS, spell_reductions)}  # fmt: skip


def graphs_of(model):
    """Inner ones first: who replaces a graph's nodes replaces the bodies in them."""
    return [*(body for _, body in bodies(model.graph))][::-1] + [model.graph]


def mended(model):
    model = copy.deepcopy(model)
    found = {node.op_type for graph in graphs_of(model) for node in graph.node} & SPELLED.keys()
    types = types_of(model) if found else {}
    opset = opset_of(model)
    for spell in dict.fromkeys(SPELLED[op] for op in sorted(found) if opset >= SINCE[SPELLED[op]]):
        for graph in graphs_of(model):
            spell(graph, types)
    copy_arguments(model)
    return model
