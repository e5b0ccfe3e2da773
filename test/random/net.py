# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A graph that grows node by node. Makers (elementwise.py, movement.py, ...) pick operands from the values that are there, or ask for new
# ones, and add a node; types and shapes of its results are what ONNX's own inference says. What has no exact shape is not added.
import random

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper, shape_inference

NEWEST = 24  # makers write nodes as this opset has them
DOMAINS = {"ai.onnx.ml": 5, "com.microsoft": 1}
MOST_ELEMENTS = 4096
MOST_DIMS = 16  # what Sinter takes (E0506)
SYMBOL, SYMBOL_SIZE = "N", 6  # the size that stands for the symbolic dim while a graph is made; dim() never gives it

FLOATS = [T.FLOAT] * 12 + [T.DOUBLE, T.FLOAT16, T.FLOAT16, T.BFLOAT16]
INTEGERS = [T.INT64] * 4 + [T.INT32] * 4 + [T.INT8, T.UINT8, T.INT16, T.UINT16, T.UINT32, T.UINT64]


class NotPossible(Exception):
    """This node does not fit here; another maker is asked."""


class Value:
    def __init__(self, name, dtype, shape, constant=None):
        self.name, self.dtype, self.shape, self.constant = name, dtype, tuple(shape), constant

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return int(np.prod(self.shape, dtype=np.int64))

    def info(self, rank_only=False):
        return helper.make_tensor_value_info(self.name, self.dtype, [None] * self.rank if rank_only else self.shape)


def is_float(dtype):
    return dtype in (T.FLOAT, T.DOUBLE, T.FLOAT16, T.BFLOAT16)


def is_integer(dtype):
    return dtype in (T.INT8, T.UINT8, T.INT16, T.UINT16, T.INT32, T.UINT32, T.INT64, T.UINT64)


def array(rng, dtype, shape, low=-2.0, high=2.0):
    """Random elements; integers include both ends. Floats are rounded to a few bits at times, so that ties and zeros occur."""
    if dtype == T.STRING:
        return np.array([rng.choice("abcd") for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)
    draw = np.random.default_rng(rng.getrandbits(32))
    if dtype == T.BOOL:
        return draw.integers(0, 2, shape).astype(bool)
    numpy_type = helper.tensor_dtype_to_np_dtype(dtype)
    if is_float(dtype):
        values = draw.uniform(low, high, shape)
        if rng.random() < 0.2:
            values = np.round(values * 4) / 4
        return np.asarray(values).astype(numpy_type)
    low, high = int(np.floor(low)), int(np.ceil(high))
    limits = np.iinfo(numpy_type)
    low, high = max(low, limits.min), min(high, limits.max)
    return np.asarray(draw.integers(low, high, shape, endpoint=True)).astype(numpy_type)


def tensor(value, name):
    """numpy to TensorProto, all types."""
    return numpy_helper.from_array(np.asarray(value), name)


class Net:
    """One graph, or the body of a subgraph, whose `outer` is the graph around it."""

    most_elements = MOST_ELEMENTS

    def __init__(self, rng, symbolic=False, outer=None, names=None, opset=NEWEST):
        self.rng, self.symbolic, self.outer = rng, symbolic, outer
        self.opset = outer.opset if outer is not None else opset
        self.names = names if names is not None else [0]
        self.nodes, self.inputs, self.initializers = [], [], []
        self.values = []  # in the order they were made
        self.data = {}  # inputs: how they are drawn: (low, high)
        self.read = set()
        self.domains = set()
        self.told = []  # value_info of what ONNX's inference does not know

    def root(self):
        return self.outer.root() if self.outer is not None else self

    # Choices

    def chance(self, share):
        return self.rng.random() < share

    def choose(self, items):
        return self.rng.choice(list(items))

    def integer(self, low, high):
        return self.rng.randint(low, high)

    def dim(self):
        return self.choose([1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 8, 16]) if not self.chance(0.01) else 0

    def shape(self, rank=None):
        rank = self.choose([0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6]) if rank is None else rank
        dims = [self.dim() if rank < 5 else self.choose([1, 2, 3]) for _ in range(rank)]
        while np.prod(dims, dtype=np.int64) > self.most_elements:
            dims[self.integer(0, rank - 1)] = 1
        if self.symbolic and rank and self.outer is None and self.chance(0.6):
            dims[0] = SYMBOL_SIZE
        return tuple(dims)

    def broadcast_with(self, shape):
        """A shape that broadcasts with this one: some dims are 1, leading ones missing, or ones of `shape` larger."""
        dims = [1 if self.chance(0.3) or (self.symbolic and d == SYMBOL_SIZE) else d for d in shape]
        dims = [self.dim() or 1 if full == 1 and self.chance(0.15) else d for d, full in zip(dims, shape)]
        dims = dims[self.integer(0, len(dims)) :] if self.chance(0.4) else dims
        result = np.broadcast_shapes(tuple(dims), shape)
        return tuple(dims) if np.prod(result, dtype=np.int64) <= self.most_elements else tuple(shape)

    def axis(self, value, negative=True):
        if not value.rank:
            raise NotPossible
        axis = self.integer(0, value.rank - 1)
        return axis - value.rank if negative and self.chance(0.4) else axis

    # Values

    def name(self, stem):
        self.names[0] += 1
        return f"{stem}{self.names[0]}"

    def input(self, dtype, shape, low=-2.0, high=2.0):
        if self.outer is not None:
            return self.outer.input(dtype, shape, low, high)
        value = Value(self.name("x"), dtype, shape)
        self.inputs.append(value)
        self.data[value.name] = (low, high)
        self.values.append(value)
        return value

    def constant(self, data, share=True):
        """An initializer, or at times a Constant node. Small ones that are there already may be used again."""
        data = np.asarray(data)
        same = [v for v in self.values if v.constant is not None and v.constant.dtype == data.dtype and v.shape == data.shape]
        if share and same and data.size < 16 and self.chance(0.3):
            for value in same:
                if np.array_equal(value.constant, data):
                    return value
        proto = tensor(data, self.name("w"))
        value = Value(proto.name, proto.data_type, data.shape, data)
        if self.chance(0.1) or (self.outer is not None and self.chance(0.5)):
            self.nodes.append(helper.make_node("Constant", [], [value.name], value=proto))
        else:
            self.initializers.append(proto)
        self.values.append(value)
        return value

    def numbers(self, *values):
        return self.constant(np.array(values, np.int64).reshape(len(values)))

    def random(self, dtype, shape, low=-2.0, high=2.0):
        return self.constant(array(self.rng, dtype, shape, low, high), share=False)

    def visible(self):
        return self.values + (self.outer.visible() if self.outer is not None else [])

    def operand(self, dtype, shape, low=-2.0, high=2.0, plain=False):
        """A value of this type and shape: one that is there, a constant, or an input. `plain`: within low and high for certain."""
        same = [] if plain else [v for v in self.visible() if v.dtype == dtype and v.shape == tuple(shape)]
        if same and self.chance(0.5):
            return self.choose(same)
        if self.chance(0.5) and not (self.symbolic and SYMBOL_SIZE in shape):
            return self.random(dtype, shape, low, high)
        return self.input(dtype, shape, low, high)

    def pick(self, dtypes=FLOATS, ranks=None, where=None, fresh=0.2):
        """A value of one of these types, preferably a young one that nobody has read; else a new input."""
        dtypes = [kind for kind in dtypes if kind != T.BFLOAT16 or self.opset >= 13]
        ranks = range(7) if ranks is None else ([ranks] if isinstance(ranks, int) else ranks)
        fits = [v for v in self.visible() if v.dtype in dtypes and v.rank in ranks and (where is None or where(v))]
        made = [v for v in fits if v.constant is None] or fits
        if made and not self.chance(fresh):
            unread = [v for v in made if v.name not in self.read]
            if unread and self.chance(0.6):
                return unread[-1]
            return made[max(self.integer(0, len(made) - 1), self.integer(0, len(made) - 1))]
        for _ in range(8):
            value = Value("", self.choose(dtypes), self.shape(self.choose(ranks)))
            if where is None or where(value):
                return self.input(value.dtype, value.shape)
        raise NotPossible

    # Nodes

    def add(self, op, inputs, outputs=1, domain="", shapes=None, absent=(), **attributes):
        """Adds a node; its results. `shapes`: [(dtype, shape)] where inference cannot know; `absent`: outputs left out."""
        attributes = {key: value for key, value in attributes.items() if value is not None}
        schema = None
        if domain != "com.microsoft":
            schema, inputs, attributes = as_version(op, domain, self.opset, inputs, attributes)
            check_types(schema, schema.inputs, [v.dtype if v is not None else None for v in inputs])
        names = ["" if i in absent else self.name("v") for i in range(outputs)]
        node = helper.make_node(op, [v.name if v is not None else "" for v in inputs], names, domain=domain, **attributes)
        if shapes is None:
            shapes = infer(schema, node, inputs, self.opset)
        elif schema is not None:
            check_types(schema, schema.outputs, [dtype or None for dtype, _ in shapes])
        if domain:
            self.root().domains.add(domain)
        results = []
        for name, (dtype, shape) in zip(names, shapes):
            if name and (int(np.prod(shape, dtype=np.int64)) > 4 * self.most_elements or len(shape) > MOST_DIMS):
                raise NotPossible
            results.append(Value(name, dtype, shape))
        if schema is None:
            self.told += [v.info(self.symbolic) for v in results if v.name]
        self.nodes.append(node)
        self.read.update(v.name for v in inputs if v is not None)
        self.values += [v for v in results if v.name]
        return results[0] if outputs == 1 else results


def opset_imports(opset, domains):
    return [helper.make_operatorsetid("", opset), *(helper.make_operatorsetid(domain, DOMAINS[domain]) for domain in sorted(domains))]


def as_version(op, domain, opset, inputs, attributes):
    """The schema that holds in an opset; and a node's inputs and attributes in its form: what was an attribute once is no input, what the
    version does not have yet is left out if that is its default."""
    newest = onnx.defs.get_schema(op, DOMAINS.get(domain, NEWEST), domain) if onnx.defs.has(op, domain) else None
    try:
        schema = onnx.defs.get_schema(op, DOMAINS.get(domain, opset), domain)
    except onnx.defs.SchemaError as problem:
        raise NotPossible from problem
    if schema.deprecated or newest is None:
        raise NotPossible
    inputs, attributes = list(inputs), dict(attributes)
    for value, formal in list(zip(inputs, newest.inputs))[schema.max_input :]:
        once = next((schema.attributes[name] for name in (formal.name, formal.name.lower()) if name in schema.attributes), None)
        if value is None:
            continue
        if once is None or value.constant is None:
            raise NotPossible
        numbers = [float(n) if once.type in (onnx.defs.OpSchema.AttrType.FLOAT, onnx.defs.OpSchema.AttrType.FLOATS) else int(n) for n in value.constant.ravel()]
        is_list = once.type in (onnx.defs.OpSchema.AttrType.INTS, onnx.defs.OpSchema.AttrType.FLOATS)
        if not numbers:
            raise NotPossible
        attributes[once.name] = numbers if is_list else numbers[0]
    if not any(one.option == onnx.defs.OpSchema.FormalParameterOption.Variadic for one in schema.inputs):
        inputs = inputs[: schema.max_input]
    for name in [name for name in attributes if name not in schema.attributes]:
        default = newest.attributes[name].default_value if name in newest.attributes else None
        if default is None or helper.get_attribute_value(default) != attributes.pop(name):
            raise NotPossible
    return schema, inputs, attributes


def check_types(schema, formals, dtypes):
    """Whether the schema has operands, or results, of these types (None: absent)."""
    allowed = {c.type_param_str: set(c.allowed_type_strs) for c in schema.type_constraints}
    bound = {}
    for i, dtype in enumerate(dtypes):
        if dtype is None:
            continue
        formal = formals[min(i, len(formals) - 1)]
        name = "tensor(" + helper.tensor_dtype_to_string(dtype).split(".")[1].lower() + ")"
        if formal.type_str in allowed:
            if name not in allowed[formal.type_str]:
                raise NotPossible
            if formal.is_homogeneous and bound.setdefault(formal.type_str, name) != name:
                raise NotPossible
        elif formal.type_str != name:
            raise NotPossible


def infer(schema, node, inputs, opset):
    types = {v.name: helper.make_tensor_type_proto(v.dtype, v.shape) for v in inputs if v is not None}
    data = {v.name: tensor(v.constant, v.name) for v in inputs if v is not None and v.constant is not None}
    try:
        found = shape_inference.infer_node_outputs(schema, node, types, data, opset_imports=opset_imports(opset, [node.domain] if node.domain else []))
    except Exception as problem:
        raise NotPossible from problem
    shapes = []
    for name in node.output:
        if not name:
            shapes.append((0, ()))
            continue
        kind = found[name].tensor_type if name in found else None
        if kind is None or not kind.HasField("shape") or any(not d.HasField("dim_value") or d.dim_value < 0 for d in kind.shape.dim):
            raise NotPossible
        shapes.append((kind.elem_type, tuple(d.dim_value for d in kind.shape.dim)))
    return shapes
