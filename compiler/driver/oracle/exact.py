# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# exact.py MODEL FOLDER: evaluates a model in float64 with ONNX's reference evaluator: FOLDER/set_1000/input_<i>.npy (in the order of names.json)
# to exact_<i>.npy for the outputs named in "values". It settles who is off where `sinter verify` finds a difference. Half types become doubles
# too, since what is not rounded tells whose roundings came out better; how far such roundings take an evaluation that makes one after each operator,
# as the standard has it, is in rounded_<i>.npy.
import json
import os
import sys

try:
    import custom_ops
    import maps
    import ml_dtypes
    import numpy as np
    import onnx
    import structures
    from onnx import TensorProto, numpy_helper
    from onnx.reference import ReferenceEvaluator
except ImportError as missing:
    sys.exit(f"the Python package {missing.name} is missing")

model, folder = onnx.load(sys.argv[1]), sys.argv[2]
with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
    names = json.load(file)
opsets = {"" if opset.domain == "ai.onnx" else opset.domain: opset.version for opset in model.opset_import}
HALVES = (np.float16, ml_dtypes.bfloat16)
FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16)  # become doubles
# Attributes that are types of results, in all operators that have them.
TYPES = {"to", "dtype", "output_datatype", "output_dtype", "stash_type", "softmax_precision"}


has_halves = False  # whether a type became a double that each operator rounds to


def widened(tensor):
    """A tensor of floats as doubles."""
    global has_halves
    if tensor.data_type in FLOATS:
        has_halves |= tensor.data_type != TensorProto.FLOAT
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor, os.path.dirname(sys.argv[1])).astype(np.float64), name))


def widen_type(type_proto):
    global has_halves
    if type_proto.tensor_type.elem_type in FLOATS:
        has_halves |= type_proto.tensor_type.elem_type != TensorProto.FLOAT
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
    global has_halves
    add_types(node)
    for attribute in node.attribute:
        if attribute.name in TYPES and node.op_type != "LayerNormalization" and attribute.i in FLOATS:
            has_halves |= attribute.i != TensorProto.FLOAT
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


def reads(nodes):
    """The names that nodes read, their bodies too."""
    for node in nodes:
        yield from node.input
        for attribute in node.attribute:
            for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                yield from reads(graph.node)
                yield from (output.name for output in graph.output)


def needed_for(graph, wanted):
    """The nodes that these outputs need, each behind what it reads: models need not have them so."""
    makers = {output: i for i, node in enumerate(graph.node) for output in node.output if output}
    places, seen, ordered = [(makers[name], False) for name in wanted if name in makers], set(), []
    while places:
        i, has_what_it_reads = places.pop()
        if has_what_it_reads:
            ordered.append(onnx.NodeProto.FromString(graph.node[i].SerializeToString()))
        elif i not in seen:
            seen.add(i)
            places.append((i, True))
            places.extend((makers[name], False) for name in reads([graph.node[i]]) if name in makers)
    return ordered


kept = needed_for(model.graph, names["values"])
del model.graph.node[:]
model.graph.node.extend(kept)
outputs = [output for output in model.graph.output if output.name in names["values"]]
del model.graph.output[:]
model.graph.output.extend(outputs)
for node in model.graph.node:
    for attribute in node.attribute:
        if node.op_type == "GridSample" and attribute.name == "mode":  # the evaluator knows the names of opset 20 only
            attribute.s = {b"bilinear": b"linear", b"bicubic": b"cubic"}.get(attribute.s, attribute.s)
rounding = onnx.ModelProto()
rounding.CopyFrom(model)
widen_graph(model.graph)
for function in model.functions:
    for node in function.node:
        widen_node(node)
data = os.path.join(folder, "set_1000")
custom_ops.add_defaults(model, names["custom"])


def fed(i, part):
    """Input i; bfloat16, which numpy has no name for, lies in the file as raw bytes. Strings are objects."""
    value = np.load(os.path.join(data, f"input_{i}.npy"))
    if part["type"] == "bfloat16":
        return value.view(ml_dtypes.bfloat16)
    return value.astype(object) if value.dtype.kind == "U" else value


def evaluated(which, feeds):
    operators = [*custom_ops.classes(names["custom"]).values(), *maps.READERS.values()]
    return ReferenceEvaluator(which, new_ops=operators).run(names["values"], feeds)


def widened_input(value):
    if isinstance(value, list):
        return [widened_input(element) for element in value]
    if value is None or value.dtype not in (np.float32, *HALVES):
        return value
    return value.as_type(np.float64) if isinstance(value, structures.Map) else value.astype(np.float64)


feeds = structures.values_of(names["inputs"], names["input_parts"], [fed(i, part) for i, part in enumerate(names["input_parts"])])
try:
    values = evaluated(model, {name: widened_input(value) for name, value in feeds.items()})
except Exception as problem:  # an operator that the evaluator does not have, or does not do in doubles
    sys.exit(f"ONNX's reference evaluator: {str(problem).strip().splitlines()[0][:160] if str(problem).strip() else type(problem).__name__}")
for i, value in enumerate(values):
    if value.dtype != np.float64:
        sys.exit(f"ONNX's reference evaluator makes '{names['values'][i]}' of {value.dtype}")
    np.save(os.path.join(data, f"exact_{i}.npy"), value)
if has_halves:
    try:
        custom_ops.add_defaults(rounding, names["custom"])
        for i, value in enumerate(evaluated(rounding, feeds)):
            np.save(os.path.join(data, f"rounded_{i}.npy"), value.astype(np.float64))
    except Exception:  # what it does in doubles it need not do in half types: then float64 alone settles
        pass
