# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where ONNX says nothing of a result: what a NaN becomes as an integer, or in an order.
import copy

import numpy as np
import onnx
from jitter import JITTER
from oracles import NoAnswer, run_somewhere
from runtime_faults import elements_of, graphs_in, reads

FLOAT = onnx.TensorProto.FLOAT
OF_NAN = ("QuantizeLinear", "DynamicQuantizeLinear", "Cast", "TopK", "ArgMax", "ArgMin", "Hardmax", "MaxPool", "GlobalMaxPool")


def is_asked(node):
    return any(one.op_type in OF_NAN for graph in graphs_in(onnx.GraphProto(node=[node])) for one in graph.node)


def meets_nan(model, inputs):
    """Whether an operator reads a NaN of which ONNX says nothing and each machine something else. Of what is computed in bodies only what
    comes in from outside is seen; a type that shape inference does not know (ai.onnx.ml's often) may be a float's."""
    types = elements_of(model)
    read = {name for node in model.graph.node if is_asked(node) for name in reads(node) if name and types.get(name, FLOAT) in JITTER}
    given = {info.name: value for info, value in zip(model.graph.input, inputs)}
    values = [given[name] for name in read & given.keys()]
    inside = sorted(read - given.keys() - {init.name for init in model.graph.initializer})
    if inside:
        model = copy.deepcopy(model)
        del model.graph.output[:]
        model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in inside)
        try:
            values += run_somewhere(model, inputs)
        except NoAnswer:
            pass
    return any(np.isnan(value.astype(np.float64)).any() for value in values if value.dtype.kind in "fV")
