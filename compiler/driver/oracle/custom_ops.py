# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Custom operators (docs/custom-operators.md) in the scripts beside this one. A description gives an operator a library for onnxruntime, or a
# Python file with a class for ONNX's reference evaluator, named as the operator. With a class, onnxruntime runs the parts of the graph around it.
import importlib.util
import sys

import numpy as np
import onnx
import onnx.inliner
import onnxruntime
from onnx.reference import ReferenceEvaluator


def is_a(node, custom):
    return node.op_type == custom["name"] and node.domain == custom["domain"]


def graphs_of(node):
    for attribute in node.attribute:
        yield from [attribute.g] if attribute.HasField("g") else attribute.graphs


def nodes_within(nodes):
    """Those of subgraphs, of any depth."""
    for node in nodes:
        for graph in graphs_of(node):
            yield from graph.node
            yield from nodes_within(graph.node)


def nested_nodes(model):
    yield from nodes_within(model.graph.node)
    for function in model.functions:
        yield from function.node
        yield from nodes_within(function.node)


def numbers_of(default):
    """JSON does not tell 2.0 from 2."""
    kind, value = default["kind"], default["value"]
    if kind == onnx.AttributeProto.FLOAT:
        return float(value)
    return [float(number) for number in value] if kind == onnx.AttributeProto.FLOATS else value


def add_defaults(model, customs):
    """Attributes that nodes leave out, as the description has them: the evaluator knows no schema."""
    for node in [*model.graph.node, *nested_nodes(model)]:
        for custom in customs:
            if is_a(node, custom):
                given = {attribute.name for attribute in node.attribute}
                node.attribute.extend(onnx.helper.make_attribute(name, numbers_of(default), attr_type=default["kind"])
                                      for name, default in custom["defaults"].items() if name not in given)


def classes(customs):
    """By domain and name: the classes of references."""
    found = {}
    for custom in customs:
        if not custom["reference"]:
            continue
        spec = importlib.util.spec_from_file_location("reference_of_" + custom["name"], custom["reference"])
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        operator = getattr(module, custom["name"], None)
        if operator is None:
            sys.exit(f"{custom['reference']} has no class {custom['name']}")
        if operator.op_domain != custom["domain"]:
            sys.exit(f"{custom['reference']}: op_domain of {custom['name']} is '{operator.op_domain}' instead of '{custom['domain']}'")
        found[custom["domain"], custom["name"]] = operator
    return found


class Input:
    def __init__(self, value):
        self.name = value.name
        self.shape = [dim.dim_value or dim.dim_param for dim in value.type.tensor_type.shape.dim]


def inputs_of(graph):
    constants = {tensor.name for tensor in graph.initializer}
    return [Input(value) for value in graph.input if value.name not in constants]


class Evaluated:
    """A session of ONNX's reference evaluator, which is slow: for classes that are called within subgraphs."""

    def __init__(self, model, operators):
        self.model, self.evaluator = model, ReferenceEvaluator(model, new_ops=list(operators.values()))

    def get_inputs(self):
        return inputs_of(self.model.graph)

    def run(self, outputs, feeds):
        return self.evaluator.run(outputs, feeds)


class Parts:
    """A session of a model in which some operators are Python classes: runs what is in front of each, the class, and so on."""

    def __init__(self, model, options, operators):
        self.model, self.options, self.operators, self.sessions = model, options, operators, {}
        self.makers = {output: number for number, node in enumerate(model.graph.node) for output in node.output if output}
        self.constants = {tensor.name: tensor for tensor in model.graph.initializer}

    def get_inputs(self):
        return inputs_of(self.model.graph)

    def run(self, outputs, feeds):
        values = dict(feeds)
        for node in self.model.graph.node:
            if (node.domain, node.op_type) in self.operators:
                self.evaluate([name for name in node.input if name], values)
                self.call(node, values)
        self.evaluate(outputs, values)
        return [values[name] for name in outputs]

    def call(self, node, values):
        names = [name for name in node.input if name]
        graph = onnx.helper.make_graph([node], "node", [onnx.ValueInfoProto(name=name) for name in names],
                                       [onnx.ValueInfoProto(name=name) for name in node.output if name])
        model = onnx.helper.make_model(graph, opset_imports=self.model.opset_import)
        made = ReferenceEvaluator(model, new_ops=[self.operators[node.domain, node.op_type]]).run(None, {name: values[name] for name in names})
        values.update(zip([name for name in node.output if name], map(np.ascontiguousarray, made)))

    def evaluate(self, wanted, values):
        for name in wanted:
            if name in self.constants and name not in values:
                values[name] = onnx.numpy_helper.to_array(self.constants[name])
        missing = tuple(dict.fromkeys(name for name in wanted if name not in values))
        if not missing:
            return
        session = self.sessions.get(missing) or self.sessions.setdefault(missing, self.part(missing, values))
        values.update(zip(missing, session.run(list(missing), {each.name: values[each.name] for each in session.get_inputs()})))

    def part(self, wanted, values):
        """A session of the nodes between what is known and what is wanted."""
        needed, read, stack = set(), set(), list(wanted)
        while stack:
            name = stack.pop()
            if not name or name in read:
                continue
            read.add(name)
            if name not in values and name in self.makers:
                needed.add(self.makers[name])
                stack.extend(reads([self.model.graph.node[self.makers[name]]]))
        nodes = [node for number, node in enumerate(self.model.graph.node) if number in needed]
        inputs = [onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(values[name].dtype), [None] * values[name].ndim)
                  for name in sorted(read) if name in values]
        constants = [self.constants[name] for name in sorted(read) if name in self.constants and name not in values]
        part = onnx.helper.make_graph(nodes, "part", inputs, [onnx.ValueInfoProto(name=name) for name in wanted], constants)
        model = onnx.helper.make_model(part, opset_imports=self.model.opset_import, functions=self.model.functions)
        model.ir_version = self.model.ir_version
        return onnxruntime.InferenceSession(model.SerializeToString(), self.options, providers=["CPUExecutionProvider"])


def reads(nodes):
    """Names that nodes and their subgraphs read."""
    for node in nodes:
        yield from node.input
        for graph in graphs_of(node):
            yield from reads(graph.node)
            yield from (output.name for output in graph.output)


def loaded(model):
    """A path, or bytes, as a graph without functions: the evaluator knows no classes in them."""
    return onnx.inliner.inline_local_functions(onnx.load(model) if isinstance(model, str) else onnx.load_from_string(model))


def session_around(graph, options, operators):
    """A session in which these operators are Python classes."""
    is_nested = any((node.domain, node.op_type) in operators for node in nested_nodes(graph))
    return Evaluated(graph, operators) if is_nested else Parts(graph, options, operators)


def session(model, options, customs):
    """`model`: a path, or bytes."""
    for path in {custom["library"] for custom in customs} - {""}:
        options.register_custom_ops_library(path)
    open_ones = [custom for custom in customs if not custom["library"]]
    if open_ones:
        graph = loaded(model)
        nested = list(nested_nodes(graph))
        used = [custom for custom in open_ones if any(is_a(node, custom) for node in [*graph.graph.node, *nested])]
        for custom in used:
            name = f"{custom['domain']}.{custom['name']}"
            if not custom["reference"]:
                sys.exit(f"the description of {name} names neither a `reference` nor a library for `onnxruntime`; --data or --expect bring outputs")
        if used:
            add_defaults(graph, used)
            return session_around(graph, options, classes(used))
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
