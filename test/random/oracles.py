# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What others make of a model: onnxruntime with no optimization, on the model as it is or with its half types computed in float; ONNX's
# reference evaluator.
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto as T
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from runtime_faults import elements_of, graphs_in, mended, opset_of, types_of
from widen import BFLOAT16, widened

onnxruntime.set_default_logger_severity(4)

class NoAnswer(Exception):
    """The oracle does not run this model."""


def feeds_of(model, inputs):
    return {info.name: value for info, value in zip(model.graph.input, inputs)}


# Of these onnxruntime says something else than the standard, and spelled.py has no spelling.
NOT_FOR_RUNTIME = {
    "Col2Im of other than images": "elements of one and of three dims lie at wrong places",
    "Resize to a neighbour, symmetric": "3 elements become the first of them, where the place is that of the second",
}


class Runtime:
    """onnxruntime on a model, which is loaded once."""

    def __init__(self, model, level=onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = level
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.model = model
        refuse(model, NOT_FOR_RUNTIME, "onnxruntime")
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
            wide, self.were_bfloat16 = widened(model, elements_of(model))
        except Exception as problem:
            raise NoAnswer(f"{type(problem).__name__}: {problem}") from problem
        super().__init__(wide)

    def run(self, inputs):
        inputs = [value.astype(np.float32) if value.dtype == BFLOAT16 else value for value in inputs]
        return [value.astype(BFLOAT16) if was else value for value, was in zip(super().run(inputs), self.were_bfloat16)]


# Of these the reference evaluator says something else than the standard.
NOT_FOR_REFERENCE = {
    "AveragePool with ceil_mode": "divides by fewer elements than the window has",
    "Loop": "scalars are stacked as rows, an absent condition is taken for a false one",
    "RNN": "runs forward whatever its direction, over all steps, without a clip",
    "GRU": "as RNN",
    "LSTM": "as RNN",
    "OptionalGetElement": "of a tensor it takes the first element",
    "LRN": "normalizes the first channels only, as many as there are batches",
    "LpNormalization of p = 1": "no sum of absolute values",
    "LpPool with ceil_mode": "windows that end behind the padding take other elements",
    "MaxPool with indices": "they are no places of the input",
    "MaxPool with pads": "forgets them where the stride is 1, and those of auto_pad where the window is larger than the input",
    "GlobalMaxPool of other than images": "reduces other dims",
    "functions of double": "their constants are floats",
    "GridSample of integers": "its weights are integers, too",
    "GridSample, cubic at borders": "samples are moved to the border first (ops/onnx/grid_sample.cpp)",
    "BatchNormalization before opset 14": "trains",
    "QLinearConv of other than images": "is one of images",
    "LinearRegressor without intercepts": "adds NaN",
    "ConvTranspose with groups and bias": "each group gets the biases of the first",
    "Softmax before opset 13": "normalizes one axis, not all from it on",
    "Slice backwards from before the first": "takes nothing, where the standard begins with the first",
    "Unsqueeze at axes out of order": "one axis after the other",
}


def numbers_in(model):
    """The constants of one number, by name, of all graphs."""
    tensors = [(tensor.name, tensor) for graph in graphs_in(model.graph) for tensor in graph.initializer]
    tensors += [(node.output[0], a.t) for graph in graphs_in(model.graph) for node in graph.node for a in node.attribute if a.name == "value"]
    return {name: numpy_helper.to_array(tensor) for name, tensor in tensors if list(tensor.dims) == [1]}


def begins_before(node, numbers):
    """Whether a Slice goes backwards from a place far before the first."""
    if node.op_type != "Slice" or len(node.input) < 5:
        return False
    start, step = (numbers.get(node.input[at], 0) for at in (1, 4))
    return bool(start < -(2**16) and step < 0)


def asked_of(node, types, opset, numbers):
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute if a.type != onnx.AttributeProto.GRAPH}
    element, rank = types.get(node.input[0], (0, 0)) if node.input else (0, 0)
    samples_integers = element not in (T.FLOAT, T.DOUBLE, T.FLOAT16, T.BFLOAT16)
    cubic_at_borders = attributes.get("padding_mode") == b"border" and attributes.get("mode") in (b"cubic", b"bicubic")
    pads = any(attributes.get("pads", [])) or attributes.get("auto_pad", b"").startswith(b"SAME")
    to_neighbour = attributes.get("mode", b"nearest") == b"nearest"
    forms = {
        "AveragePool": (attributes.get("ceil_mode", 0) != 0, "AveragePool with ceil_mode"),
        "BatchNormalization": (opset < 14, "BatchNormalization before opset 14"),
        "Col2Im": (types.get(node.output[0], (0, 0))[1] != 4, "Col2Im of other than images"),
        "ConvTranspose": (len(node.input) > 2 and attributes.get("group", 1) > 1, "ConvTranspose with groups and bias"),
        "GlobalMaxPool": (rank != 4, "GlobalMaxPool of other than images"),
        "GridSample": (samples_integers or cubic_at_borders, "GridSample of integers" if samples_integers else "GridSample, cubic at borders"),
        "LinearRegressor": ("intercepts" not in attributes, "LinearRegressor without intercepts"),
        "LpNormalization": (attributes.get("p") == 1, "LpNormalization of p = 1"),
        "LpPool": (attributes.get("ceil_mode", 0) != 0, "LpPool with ceil_mode"),
        "MaxPool": (pads or len(node.output) > 1, "MaxPool with indices" if len(node.output) > 1 else "MaxPool with pads"),
        "QLinearConv": (rank != 4, "QLinearConv of other than images"),
        "Resize": (to_neighbour and attributes.get("coordinate_transformation_mode") == b"half_pixel_symmetric", "Resize to a neighbour, symmetric"),
        "Slice": (begins_before(node, numbers), "Slice backwards from before the first"),
        "Unsqueeze": (attributes.get("axes", []) != sorted(attributes.get("axes", [])), "Unsqueeze at axes out of order"),
        **dict.fromkeys(("Softmax", "LogSoftmax", "Hardmax"), (opset < 13, "Softmax before opset 13")),
        **dict.fromkeys(("Erf", "Gelu", "HardSwish", "Mish"), (element == T.DOUBLE, "functions of double")),
    }
    applies, form = forms.get(node.op_type, (False, ""))
    return form if applies else node.op_type


def refuse(model, unsuited, name):
    types, numbers = types_of(model), numbers_in(model)
    unasked = unsuited.keys() & {asked_of(node, types, opset_of(model), numbers) for graph in graphs_in(model.graph) for node in graph.node}
    if unasked:
        raise NoAnswer(f"{name} is not asked about {', '.join(sorted(unasked))}")


class Reference:
    """ONNX's reference evaluator."""

    def __init__(self, model):
        self.model = model
        refuse(model, NOT_FOR_REFERENCE, "the reference evaluator")
        try:
            self.evaluator = ReferenceEvaluator(model)
        except Exception as problem:
            raise NoAnswer(f"{type(problem).__name__}: {problem}") from problem

    def run(self, inputs):
        try:
            with np.errstate(all="ignore"):
                results = [np.asarray(value) for value in self.evaluator.run(None, feeds_of(self.model, inputs))]
        except Exception as problem:
            raise NoAnswer(f"{type(problem).__name__}: {problem}") from problem
        for info, result in zip(self.model.graph.output, results):  # numpy makes int64 of sums and products of smaller integers
            kind = info.type.tensor_type.elem_type  # none is told of a value inside
            if kind and result.dtype != helper.tensor_dtype_to_np_dtype(kind) and result.dtype.kind != "U":
                raise NoAnswer(f"{info.name} is a {result.dtype}")
        return results


ORACLES = (Runtime, Widened, Reference)


def run_somewhere(model, inputs):
    problem = None
    for oracle in ORACLES:
        try:
            return oracle(model).run(inputs)
        except NoAnswer as why:
            problem = why
    raise problem
