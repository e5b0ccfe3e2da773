# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# exact.py MODEL FOLDER: evaluates a model in float64 with ONNX's reference evaluator: FOLDER/set_1000/input_<i>.npy (in the order of names.json)
# to exact_<i>.npy for the outputs named in "values". It settles who is off where `sinter verify` finds a difference.
import json
import os
import sys

try:
    import custom_ops
    import numpy as np
    import onnx
    from onnx import TensorProto, numpy_helper
    from onnx.reference import ReferenceEvaluator
except ImportError as missing:
    sys.exit(f"the Python package {missing.name} is missing")

model, folder = onnx.load(sys.argv[1]), sys.argv[2]
with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
    names = json.load(file)
opsets = {"" if opset.domain == "ai.onnx" else opset.domain: opset.version for opset in model.opset_import}
# Attributes that are types of results, in all operators that have them.
TYPES = {"to", "dtype", "output_datatype", "output_dtype", "stash_type", "softmax_precision"}


def widened(tensor):
    """A tensor of floats as doubles."""
    if tensor.data_type in (TensorProto.FLOAT16, TensorProto.BFLOAT16):
        sys.exit("types of 16 bits are rounded to by each operator")
    if tensor.data_type == TensorProto.FLOAT:
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor, os.path.dirname(sys.argv[1])).astype(np.float64), name))


def widen_type(type_proto):
    if type_proto.tensor_type.elem_type == TensorProto.FLOAT:
        type_proto.tensor_type.elem_type = TensorProto.DOUBLE


def add_types(node):
    """What the operator's schema says of types that the node leaves out."""
    if node.op_type == "LayerNormalization":  # the evaluator takes no stash_type but 1, and computes in the type of the input all the same
        return
    try:
        schema = onnx.defs.get_schema(node.op_type, opsets.get(node.domain, 1), node.domain)
    except onnx.defs.SchemaError:
        return
    given = {attribute.name for attribute in node.attribute}
    for name, attribute in schema.attributes.items():
        if name in TYPES - given and attribute.default_value.i == TensorProto.FLOAT:
            node.attribute.append(onnx.helper.make_attribute(name, TensorProto.FLOAT))


def widen_node(node):
    add_types(node)
    for attribute in node.attribute:
        if attribute.name in TYPES and node.op_type != "LayerNormalization" and attribute.i == TensorProto.FLOAT:
            attribute.i = TensorProto.DOUBLE
        elif node.op_type == "Constant" and attribute.name in ("value_float", "value_floats"):
            floats = attribute.f if attribute.name == "value_float" else list(attribute.floats)
            attribute.CopyFrom(onnx.helper.make_attribute("value", numpy_helper.from_array(np.array(floats, np.float64))))
        elif attribute.type == onnx.AttributeProto.TENSOR:
            widened(attribute.t)
        for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
            widen_graph(graph)
    if node.op_type == "ConstantOfShape" and not node.attribute:
        node.attribute.append(onnx.helper.make_attribute("value", numpy_helper.from_array(np.zeros(1, np.float64))))


def widen_graph(graph):
    for tensor in graph.initializer:
        widened(tensor)
    for value in [*graph.input, *graph.output]:
        widen_type(value.type)
    del graph.value_info[:]
    for node in graph.node:
        widen_node(node)


def needed_for(graph, wanted):
    """Only the nodes that these outputs need."""
    def reads(inner):
        for node in inner:
            yield from node.input
            for attribute in node.attribute:
                for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                    yield from reads(graph.node)
                    yield from (output.name for output in graph.output)

    known, kept = set(wanted), []
    for node in reversed(graph.node):
        if known & set(node.output):
            kept.append(node)
            known.update(reads([node]))
    return [onnx.NodeProto.FromString(node.SerializeToString()) for node in reversed(kept)]


kept = needed_for(model.graph, names["values"])
del model.graph.node[:]
model.graph.node.extend(kept)
outputs = [output for output in model.graph.output if output.name in names["values"]]
del model.graph.output[:]
model.graph.output.extend(outputs)
widen_graph(model.graph)
for function in model.functions:
    for node in function.node:
        widen_node(node)
data = os.path.join(folder, "set_1000")
feeds = {name: np.load(os.path.join(data, f"input_{i}.npy")) for i, name in enumerate(names["inputs"])}
feeds = {name: value.astype(np.float64) if value.dtype == np.float32 else value for name, value in feeds.items()}
feeds = {name: value.astype(object) if value.dtype.kind == "U" else value for name, value in feeds.items()}
custom_ops.add_defaults(model, names["custom"])
try:
    values = ReferenceEvaluator(model, new_ops=list(custom_ops.classes(names["custom"]).values())).run(names["values"], feeds)
except Exception as problem:  # an operator that the evaluator does not have, or does not do in doubles
    sys.exit(f"ONNX's reference evaluator: {str(problem).strip().splitlines()[0][:160] if str(problem).strip() else type(problem).__name__}")
for i, value in enumerate(values):
    if value.dtype != np.float64:
        sys.exit(f"ONNX's reference evaluator makes '{names['values'][i]}' of {value.dtype}")
    np.save(os.path.join(data, f"exact_{i}.npy"), value)
