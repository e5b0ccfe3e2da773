# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kinds of mutation, as one list: KINDS. Each is a function that takes a subject (subject.py) and yields pairs: what was done, in words,
and the mutated subject. Not every mutation is invalid: the oracles say which are (oracles.py)."""
import functools

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

import kinds_of_graphs

HUGE = 1 << 40
NUMBERS = [-1, 0, 1, 1000, -1000, HUGE, -(1 << 63), (1 << 63) - 1]


def resized(array, shape):
    """The same elements over and over, in another shape."""
    return np.resize(array, shape) if array.size else np.zeros(shape, array.dtype)


def each_operand(change):
    """A kind of mutation that gives one operand other data: `change` yields words and the new array for an array."""

    @functools.wraps(change)
    def mutate(subject):
        for name in subject.operands():
            array = subject.array(name)
            if array.dtype == object:
                continue
            operator, index = subject.place(name)
            for words, other in change(array):
                result = subject.copy().forget_shapes()
                result.put(name, other)
                yield f"{operator} operand {index}: {words}", result

    return mutate


@each_operand
def ranks(array):
    yield "rank + 1, in front", array[None]
    yield "rank + 1, of size 2", resized(array, (2, *array.shape))
    yield "rank + 1, behind", array[..., None]
    if array.ndim:
        yield "rank - 1, in front", resized(array, array.shape[1:])
        yield "rank - 1, behind", resized(array, array.shape[:-1])
    if array.ndim > 1:
        yield "rank 0", resized(array, ())


@each_operand
def dims(array):
    for axis, size in enumerate(array.shape):
        for words, other in (("+ 1", size + 1), ("- 1", size - 1), ("is 0", 0), ("is 1", 1)):
            if other >= 0 and other != size:
                yield f"dim {axis} {words}", resized(array, array.shape[:axis] + (other,) + array.shape[axis + 1 :])
    if array.ndim > 1 and array.shape[0] != array.shape[-1]:
        yield "dims turned", np.ascontiguousarray(array.T)


def sizes(subject):
    """Data of other sizes where only the run knows which: symbolic dims stay as they are declared."""
    for info in subject.graph.input:
        array = subject.data.get(info.name)
        for axis, dim in enumerate(info.type.tensor_type.shape.dim):
            size = array.shape[axis] if isinstance(array, np.ndarray) and array.dtype != object else 0
            for words, other in (("+ 1", size + 1), ("- 1", size - 1), ("is 0", 0), ("is 1", 1)):
                if dim.dim_param and size and other != size:
                    operator, index = subject.place(info.name)
                    result = subject.copy().forget_shapes()
                    result.data[info.name] = resized(array, array.shape[:axis] + (other,) + array.shape[axis + 1 :])
                    yield f"{operator} operand {index}: size {axis} {words} at run time", result


@each_operand
def values(array):
    """Numbers that choose axes, sizes, places or counts."""
    if array.dtype.kind not in "iu" or not 0 < array.size <= 64:
        return
    limits = np.iinfo(array.dtype)
    for number in NUMBERS:
        if limits.min <= number <= limits.max:
            other = array.copy()
            other.flat[-1] = number
            yield f"last element {number}", other


def other_types(kind):
    """Types near and far."""
    near = {TensorProto.FLOAT: TensorProto.DOUBLE, TensorProto.INT64: TensorProto.INT32}.get(kind, TensorProto.FLOAT)
    return [near] + [far for far in (TensorProto.INT64, TensorProto.BOOL, TensorProto.UINT8, TensorProto.STRING) if far not in (near, kind)]


def cast(array, kind):
    if kind == TensorProto.STRING:
        return np.array([str(x) for x in array.flatten()], dtype=object).reshape(array.shape)
    return array.astype(helper.tensor_dtype_to_np_dtype(kind))


def types(subject):
    """One operand of another type, alone and together with all operands and results of its type."""
    for name in subject.operands():
        operator, index = subject.place(name)
        kind = subject.kind(name)
        for other in other_types(kind):
            if subject.array(name).dtype == object:
                continue
            words = f"{operator} operand {index}: {TensorProto.DataType.Name(other)}"
            alone = subject.copy().forget_shapes()
            alone.put(name, cast(alone.array(name), other), other)
            yield words, alone
            together = subject.copy().forget_shapes()
            for like in together.operands():
                if together.kind(like) == kind:
                    together.put(like, cast(together.array(like), other), other)
            for info in together.graph.output:
                if info.type.tensor_type.elem_type == kind:
                    info.type.tensor_type.elem_type = other
            yield words + " with all of its type", together


def presence(subject):
    """Operands and results that are absent, or too many."""
    for n, node in enumerate(subject.graph.node):
        for i in range(len(node.input)):
            result = subject.copy().forget_shapes()
            result.graph.node[n].input[i] = ""
            yield f"{node.op_type} operand {i}: absent", result
        result = subject.copy().forget_shapes()
        if node.input:
            del result.graph.node[n].input[-1]
            yield f"{node.op_type} operand {len(node.input) - 1}: not given", result
            result = subject.copy().forget_shapes()
            result.graph.node[n].input.append(node.input[-1])
            yield f"{node.op_type} operand {len(node.input)}: one more", result
        result = subject.copy().forget_shapes()
        result.graph.node[n].output.append(f"{node.output[0]}_more")
        yield f"{node.op_type} result {len(node.output)}: one more", result
        result = subject.copy().forget_shapes()
        name = f"{node.op_type}_read"
        result.graph.node[n].output.append(name)
        result.graph.node.append(helper.make_node("Identity", [name], [name + "_too"]))
        if subject.graph.output[0].type.HasField("tensor_type"):
            result.graph.output.append(helper.make_tensor_value_info(name + "_too", subject.graph.output[0].type.tensor_type.elem_type, None))
            yield f"{node.op_type} result {len(node.output)}: one more, read", result


def declared(subject):
    """Results that are declared otherwise than they are."""
    for i, info in enumerate(subject.graph.output):
        if not info.type.HasField("tensor_type"):
            continue
        operator = next((node.op_type for node in subject.graph.node if info.name in node.output), "")
        shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        kind = info.type.tensor_type.elem_type
        others = {"rank + 1": (kind, [*shape, 1]), "type": (TensorProto.INT64 if kind != TensorProto.INT64 else TensorProto.FLOAT, shape)}
        if shape:
            others["rank - 1"] = (kind, shape[1:])
            others["dim + 1"] = (kind, [shape[0] + 1, *shape[1:]])
            others["dim 0"] = (kind, [*shape[:-1], 0])
        for words, (other_kind, other_shape) in others.items():
            result = subject.copy()
            result.graph.output[i].CopyFrom(helper.make_tensor_value_info(info.name, other_kind, other_shape))
            yield f"{operator} result {i} declared: {words}", result


def other_attributes(name, kind, value):
    """What an attribute might be instead: pairs of words and values; a value may be an AttributeProto."""
    wrong = {AttributeProto.INT: "text", AttributeProto.INTS: 1, AttributeProto.FLOAT: "text", AttributeProto.FLOATS: 1.0,
             AttributeProto.STRING: 1, AttributeProto.STRINGS: "text", AttributeProto.TENSOR: 1, AttributeProto.GRAPH: 1}  # fmt: skip
    if kind in wrong:
        yield "of another type", wrong[kind]
    if kind == AttributeProto.INT:
        for number in NUMBERS + ([value + 1] if value is not None else []):
            yield str(number), number
    elif kind == AttributeProto.FLOAT:
        yield from (("-1.0", -1.0), ("nan", float("nan")), ("1e30", 1e30))
    elif kind == AttributeProto.STRING:
        yield from (("nonsense", "nonsense"), ("empty", ""))
    elif kind == AttributeProto.INTS:
        have = list(value) if value else [1]
        yield from (("one longer", [*have, 1]), ("much longer", have * 7), ("one shorter", have[:-1]))
        for number in NUMBERS:
            yield f"first {number}", [number, *have[1:]]
            yield f"all {number}", [number] * len(have)
    elif kind in (AttributeProto.FLOATS, AttributeProto.STRINGS) and value:
        yield from (("one longer", [*value, value[0]]), ("one shorter", list(value[:-1])), ("of one", list(value[:1])))


def attributes(subject):
    """Every attribute of the schema, also those that the node leaves out."""
    for n, node in enumerate(subject.graph.node):
        version = next((o.version for o in subject.model.opset_import if o.domain == node.domain), 1)
        try:
            schema = onnx.defs.get_schema(node.op_type, version, node.domain)
        except onnx.defs.SchemaError:
            continue
        given = {attribute.name: attribute for attribute in node.attribute}
        for name, definition in schema.attributes.items():
            value = helper.get_attribute_value(given[name]) if name in given else None
            kind = int(definition.type.value)
            changes = [(words, helper.make_attribute(name, other, attr_type=AttributeProto.INTS if other == [] else None))
                       for words, other in other_attributes(name, kind, value)]  # fmt: skip
            for words, attribute in changes + ([("left out", None)] if name in given else []):
                result = subject.copy().forget_shapes()
                kept = [a for a in node.attribute if a.name != name]
                del result.graph.node[n].attribute[:]
                result.graph.node[n].attribute.extend(kept + ([attribute] if attribute else []))
                yield f"{node.op_type} {name}: {words}", result


def huge(subject):
    """Inputs of declared sizes, and constants, that work and memory must not follow."""
    for info in subject.graph.input:
        for axis, dim in enumerate(info.type.tensor_type.shape.dim):
            for size in (1 << 20, 1 << 31, 1 << 39):
                if dim.dim_value:
                    result = subject.copy().forget_shapes()
                    declared = next(other for other in result.graph.input if other.name == info.name)
                    declared.type.tensor_type.shape.dim[axis].dim_value = size
                    result.data[info.name] = None
                    operator, index = subject.place(info.name)
                    yield f"{operator} operand {index}: dim {axis} declared {size}", result
    for name in subject.operands():
        array = subject.array(name)
        for number in (1 << 31, 1 << 62, (1 << 63) - 1):
            if array.dtype.kind in "iu" and 0 < array.size <= 64 and number <= np.iinfo(array.dtype).max:
                for place in {0, array.size - 1}:
                    other = array.copy()
                    other.flat[place] = number
                    result = subject.copy().forget_shapes()
                    result.put(name, other)
                    operator, index = subject.place(name)
                    yield f"{operator} operand {index}: element {place} {number}", result


KINDS = [ranks, dims, sizes, values, types, presence, declared, attributes, huge, kinds_of_graphs.bodies, kinds_of_graphs.functions]
ONLY_SINTER = {"huge"}  # is asked: others take the memory
