# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What others make of a model: onnxruntime with no optimization, on the model as it is or with its half types computed in float; ONNX's
# reference evaluator; and onnxruntime on the model with each value jittered, which shows how far apart two right programs may be.
import copy

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto as T
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from runtime_faults import bodies, mended, opset_of, types_of
from widen import BFLOAT16, widened

onnxruntime.set_default_logger_severity(4)

# Operators that between DequantizeLinear and QuantizeLinear are onnxruntime's quantized operators (the pass recognize-quantized), whose
# results may be a step from those of the three.
QUANTIZED = ("AveragePool", "GlobalAveragePool", "Softmax", "Add", "Mul")

# What a right program may be off by, of each value: some roundings of its type.
JITTER = {T.FLOAT: 2.0**-21, T.DOUBLE: 2.0**-50, T.FLOAT16: 2.0**-9, T.BFLOAT16: 2.0**-6}


class NoAnswer(Exception):
    """The oracle does not run this model."""


def feeds_of(model, inputs):
    return {info.name: value for info, value in zip(model.graph.input, inputs)}


class Runtime:
    """onnxruntime on a model, which is loaded once."""

    def __init__(self, model, level=onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = level
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.model = model
        spelled = mended(model)
        try:
            self.session = onnxruntime.InferenceSession(spelled.SerializeToString(), options, providers=["CPUExecutionProvider"])
        except Exception as problem:
            raise NoAnswer(str(problem)) from problem

    def run(self, inputs):
        try:
            return [np.asarray(value) for value in self.session.run(None, feeds_of(self.model, inputs))]
        except Exception as problem:
            raise NoAnswer(str(problem)) from problem


class Widened(Runtime):
    """onnxruntime where it has no kernels for a half type: each operator computes in float, its results are rounded (widen.py)."""

    def __init__(self, model):
        try:
            wide, self.were_bfloat16 = widened(model, float_types(model))
        except Exception as problem:
            raise NoAnswer(f"{type(problem).__name__}: {problem}") from problem
        super().__init__(wide)

    def run(self, inputs):
        inputs = [value.astype(np.float32) if value.dtype == BFLOAT16 else value for value in inputs]
        return [value.astype(BFLOAT16) if was else value for value, was in zip(super().run(inputs), self.were_bfloat16)]


# Of these the reference evaluator says something else than the standard.
NOT_FOR_REFERENCE = {
    "Loop": "scalars are stacked as rows, an absent condition is taken for a false one",
    "RNN": "runs forward whatever its direction, over all steps, without a clip",
    "GRU": "as RNN",
    "LSTM": "as RNN",
    "OptionalGetElement": "of a tensor it takes the first element",
    "LpNormalization of p = 1": "no sum of absolute values",
    "MaxPool with indices": "they are no places of the input",
    "MaxPool with pads": "forgets them where the stride is 1",
    "GlobalMaxPool of other than images": "reduces other dims",
    "functions of double": "their constants are floats",
    "GridSample, cubic at borders": "samples are moved to the border first (ops/onnx/grid_sample.cpp)",
    "BatchNormalization before opset 14": "trains",
    "LinearRegressor without intercepts": "adds NaN",
    "ConvTranspose with groups and bias": "each group gets the biases of the first",
}


def asked_of(node, types, opset):
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute if a.type != onnx.AttributeProto.GRAPH}
    element, rank = types.get(node.input[0], (0, 0)) if node.input else (0, 0)
    forms = {
        "BatchNormalization": (opset < 14, "BatchNormalization before opset 14"),
        "ConvTranspose": (len(node.input) > 2 and attributes.get("group", 1) > 1, "ConvTranspose with groups and bias"),
        "GlobalMaxPool": (rank != 4, "GlobalMaxPool of other than images"),
        "GridSample": (attributes.get("padding_mode") == b"border" and attributes.get("mode") in (b"cubic", b"bicubic"), "GridSample, cubic at borders"),
        "LinearRegressor": ("intercepts" not in attributes, "LinearRegressor without intercepts"),
        "LpNormalization": (attributes.get("p") == 1, "LpNormalization of p = 1"),
        "MaxPool": (any(attributes.get("pads", [])) or len(node.output) > 1, "MaxPool with indices" if len(node.output) > 1 else "MaxPool with pads"),
        **dict.fromkeys(("Erf", "Gelu", "HardSwish", "Mish"), (element == T.DOUBLE, "functions of double")),
    }
    applies, form = forms.get(node.op_type, (False, ""))
    return form if applies else node.op_type


class Reference:
    """ONNX's reference evaluator."""

    def __init__(self, model):
        self.model = model
        types = types_of(model)
        graphs = (model.graph, *(body for _, body in bodies(model.graph)))
        unasked = NOT_FOR_REFERENCE.keys() & {asked_of(node, types, opset_of(model)) for graph in graphs for node in graph.node}
        if unasked:
            raise NoAnswer(f"the reference evaluator is not asked about {', '.join(sorted(unasked))}")
        try:
            self.evaluator = ReferenceEvaluator(model)
        except Exception as problem:
            raise NoAnswer(f"{type(problem).__name__}: {problem}") from problem

    def run(self, inputs):
        try:
            with np.errstate(all="ignore"):
                return [np.asarray(value) for value in self.evaluator.run(None, feeds_of(self.model, inputs))]
        except Exception as problem:
            raise NoAnswer(f"{type(problem).__name__}: {problem}") from problem


def float_types(model):
    """Types of the values of a graph and its bodies, by name, where inference knows them."""
    types = {}

    def visit(graph):
        for info in [*graph.value_info, *graph.input, *graph.output]:
            types[info.name] = info.type.tensor_type.elem_type
        types.update({init.name: init.data_type for init in graph.initializer})
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    visit(attribute.g)
                elif attribute.type == onnx.AttributeProto.TENSOR and node.op_type == "Constant":
                    types[node.output[0]] = attribute.t.data_type

    visit(onnx.shape_inference.infer_shapes(model).graph)
    return types


def jittered(model, seed):
    """The model with a factor near 1 on each element of each float input, constant and value."""
    model = copy.deepcopy(model)
    types = float_types(model)
    constants = [init for graph in (model.graph, *(body for _, body in bodies(model.graph))) for init in graph.initializer]
    shapes = {init.name: list(init.dims) for init in constants}
    for graph in (model.graph, *(body for _, body in bodies(model.graph))):
        shapes.update({node.output[0]: list(node.attribute[0].t.dims) for node in graph.node if node.op_type == "Constant"})
    opset = opset_of(model)
    count = [0]

    def scalar(name):
        return np.prod(shapes.get(name, [0])) == 1

    def noise_like(name, stem, nodes):
        """Floats from -1 to 1 in the shape of a value: sines of large multiples of sines of the elements' numbers. (No oracle has random
        numbers of every opset, for scalars.)"""
        elements = numpy_helper.from_array(np.array([12.9898 + count[0] % 7], np.float32))
        shift = numpy_helper.from_array(np.array([seed * 7919.5 + count[0]], np.float32))
        first, step = (numpy_helper.from_array(np.array(number)) for number in (0, 1))
        large = numpy_helper.from_array(np.array([43758.5], np.float32))
        for what, value in (("k", elements), ("b", shift), ("l", large), ("0", first), ("1", step)):
            nodes.append(helper.make_node("Constant", [], [f"{stem}_{what}"], value=value))
        keep = {"allowzero": 1} if opset >= 14 else {}
        for op, inputs, result, how in (("Shape", [name], "s", {}), ("ReduceProd", ["s"], "n", {"keepdims": 0}), ("Range", ["0", "n", "1"], "i", {}),
                                        ("Cast", ["i"], "f", {"to": T.FLOAT}), ("Mul", ["f", "k"], "m", {}), ("Add", ["m", "b"], "a", {}),
                                        ("Sin", ["a"], "r", {}), ("Mul", ["r", "l"], "u", {}), ("Sin", ["u"], "v", {}),
                                        ("Reshape", ["v", "s"], "noise", keep)):  # fmt: skip
            nodes.append(helper.make_node(op, [one if op == "Shape" else f"{stem}_{one}" for one in inputs], [f"{stem}_{result}"], **how))
        return f"{stem}_noise"

    def factor(name, graph_nodes, dtype):
        count[0] += 1
        stem, wide = f"jittered_{count[0]}", T.DOUBLE if dtype == T.DOUBLE else T.FLOAT
        size = numpy_helper.from_array(np.array(JITTER[dtype], helper.tensor_dtype_to_np_dtype(wide)))
        graph_nodes.append(helper.make_node("Constant", [], [stem + "_z"], value=size))
        graph_nodes.append(helper.make_node("Cast", [noise_like(name, stem, graph_nodes)], [stem + "_c"], to=wide))
        graph_nodes.append(helper.make_node("Mul", [stem + "_c", stem + "_z"], [stem + "_y"]))
        graph_nodes.append(helper.make_node("Cast", [name], [stem + "_w"], to=wide))
        graph_nodes.append(helper.make_node("Mul", [stem + "_w", stem + "_y"], [stem + "_d"]))
        graph_nodes.append(helper.make_node("Add", [stem + "_w", stem + "_d"], [stem + "_e"]))
        graph_nodes.append(helper.make_node("Cast", [stem + "_e"], [stem], to=dtype))
        return stem

    def step(name, scale, nodes):
        """The value less or more up to a step of its quantization; all a step more in the first sample, less in the second."""
        count[0] += 1
        stem = f"step_{count[0]}"
        if seed < 2:
            nodes.append(helper.make_node("Neg" if seed else "Identity", [scale], [stem + "_y"]))
        else:
            nodes.append(helper.make_node("Mul", [noise_like(name, stem, nodes), scale], [stem + "_y"]))
        nodes.append(helper.make_node("Add", [name, stem + "_y"], [stem]))
        return stem

    def visit(graph, outer):
        renamed = dict(outer)
        makers = {name: node.op_type for node in graph.node for name in node.output}
        nodes = []
        for info in graph.input:
            if types.get(info.name) in JITTER:
                renamed[info.name] = factor(info.name, nodes, types[info.name])
        for init in graph.initializer:
            if init.data_type in JITTER and np.prod(init.dims) > 1:
                renamed[init.name] = factor(init.name, nodes, init.data_type)
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    visit(attribute.g, renamed)
            # Scales are part of what a quantized net or a Resize is, whose shape follows from them: both sides have the same.
            original = list(node.input)
            fixed = (1, 2) if node.op_type in ("QuantizeLinear", "DequantizeLinear", "Resize") else (0, 1, 2) if node.op_type == "Range" else ()
            for i, name in enumerate(node.input):
                if i not in fixed:
                    node.input[i] = renamed.get(name, name)
            if node.op_type == "QuantizeLinear" and makers.get(original[0]) in QUANTIZED and types.get(original[0]) == T.FLOAT and scalar(node.input[1]):
                node.input[0] = step(node.input[0], node.input[1], nodes)
            nodes.append(node)
            for name in node.output:
                if name and types.get(name) in JITTER and node.op_type not in ("Constant", "Identity", "Reshape", "Transpose"):
                    renamed[name] = factor(name, nodes, types[name])
        outputs = {info.name for info in graph.output}
        del graph.node[:]
        graph.node.extend(nodes)
        for info in graph.output:
            if info.name in renamed and info.name in outputs and renamed[info.name] != outer.get(info.name):
                info.name = renamed[info.name]

    visit(model.graph, {})
    return model


ORACLES = (Runtime, Widened, Reference)


def run_somewhere(model, inputs):
    problem = None
    for oracle in ORACLES:
        try:
            return oracle(model).run(inputs)
        except NoAnswer as why:
            problem = why
    raise problem


# What these make of a NaN is nowhere said: an integer, a place in an order.
UNDEFINED_OF_NAN = ("QuantizeLinear", "DynamicQuantizeLinear", "Cast", "TopK", "ArgMax", "ArgMin", "Hardmax", "MaxPool")


def meets_nan(model, inputs):
    """Whether an operator reads a NaN of which ONNX says nothing and each machine something else. Not seen inside bodies."""
    model = copy.deepcopy(model)
    given = {info.name for info in model.graph.input}
    types = float_types(model)
    read = {node.input[0] for node in model.graph.node if node.op_type in UNDEFINED_OF_NAN and types.get(node.input[0]) in JITTER} - given
    del model.graph.output[:]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in sorted(read))
    try:
        values = run_somewhere(model, inputs) if read else []
    except NoAnswer:
        return False
    return any(np.isnan(value.astype(np.float64)).any() for value in values if value.dtype.kind in "fV")


def spread(model, inputs, expected, samples=12):
    """Per output, how far jittered runs are from `expected`, elementwise, and where they differ in kind (NaN, infinity); None where shapes
    vary."""
    spreads = [np.zeros(value.shape) for value in expected]
    kinds = [np.zeros(value.shape, bool) for value in expected]
    for seed in range(samples):
        for i, value in enumerate(run_somewhere(jittered(model, seed), inputs)):
            if spreads[i] is None or value.dtype.kind in "OU":
                continue
            if value.shape != expected[i].shape:
                spreads[i] = None
                continue
            apart, other = difference(value, expected[i])
            spreads[i] = np.maximum(spreads[i], apart)
            kinds[i] |= other
    return spreads, kinds


def difference(a, b):
    """Elementwise distance of finite values, and where one is NaN or an infinity that the other is not."""
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    if a.dtype.kind in "iub" and a.dtype.itemsize == 8:
        a, b = a.astype(object), b.astype(object)
        return np.abs(a - b).astype(np.float64), np.zeros(a.shape, bool)
    a, b = a.astype(wide), b.astype(wide)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    finite = np.isfinite(a) & np.isfinite(b)
    with np.errstate(all="ignore"):
        apart = np.where(same | ~finite, 0, np.abs(a - b))
    return apart, ~same & ~finite
