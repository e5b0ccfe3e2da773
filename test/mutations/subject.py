# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A subject of mutation: a model with the data of its inputs, and the few edits that all kinds of mutation are made of (kinds.py). Subjects
are ONNX's conformance cases in several forms, since operands take different ways through a compiler as inputs and as constants."""
import glob
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LARGEST = 100_000  # bytes of a model; the nets of the kind "light" are operators that other cases have too


class Subject:
    def __init__(self, name, model, data):
        self.name, self.model, self.data = name, model, data  # data: name of an input -> array, list, or None

    def copy(self):
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        return Subject(self.name, model, dict(self.data))

    @property
    def graph(self):
        return self.model.graph

    def constants(self):
        return {tensor.name: tensor for tensor in self.graph.initializer}

    def operands(self):
        """Names of the tensors that the model is given: inputs and constants."""
        inputs = [info.name for info in self.graph.input if isinstance(self.data.get(info.name), np.ndarray)]
        return inputs + [name for name in self.constants() if name not in inputs]

    def array(self, name):
        constant = self.constants().get(name)
        return numpy_helper.to_array(constant) if constant is not None else self.data[name]

    def place(self, name):
        """What reads the operand, and where: the operator, the index."""
        for node in self.graph.node:
            for i, operand in enumerate(node.input):
                if operand == name:
                    return node.op_type, i
        return self.graph.node[0].op_type if self.graph.node else "", -1

    def put(self, name, array, kind=None):
        """Gives an operand other data, and declares it accordingly. `kind`: the element type, where NumPy's is not enough."""
        kind = kind or self.kind(name)
        constant = self.constants().get(name)
        if constant is not None:
            constant.CopyFrom(helper.make_tensor(name, kind, array.shape, array.flatten().tolist()) if kind == TensorProto.STRING
                              else numpy_helper.from_array(array, name))  # fmt: skip
        else:
            self.data[name] = array
        for info in self.graph.input:
            if info.name == name:
                info.CopyFrom(helper.make_tensor_value_info(name, kind, array.shape))

    def kind(self, name):
        for info in self.graph.input:
            if info.name == name:
                return info.type.tensor_type.elem_type
        return self.constants()[name].data_type

    def forget_shapes(self):
        """A mutation changes what follows from it: nothing is declared of shapes but those of inputs."""
        for graph in graphs_in(self.graph):
            del graph.value_info[:]
            for info in graph.output:
                if info.type.HasField("tensor_type"):
                    info.type.tensor_type.ClearField("shape")
            for info in graph.input if graph is not self.graph else []:
                if info.type.tensor_type.shape.dim:  # that it is one number stays
                    info.type.tensor_type.ClearField("shape")
        return self

    def make_constant(self, name):
        tensor = numpy_helper.from_array(self.data.pop(name), name)
        self.graph.initializer.append(tensor)
        kept = [info for info in self.graph.input if info.name != name]
        del self.graph.input[:]
        self.graph.input.extend(kept)

    def bounds(self):
        """Flags that bound symbolic dims around the sizes of the data."""
        flags = []
        for info in self.graph.input:
            array = self.data.get(info.name)
            for dim, size in zip(info.type.tensor_type.shape.dim, array.shape if isinstance(array, np.ndarray) else ()):
                if dim.dim_param:
                    flags += ["--dim", f"{dim.dim_param}={min(size, 1)}..{size + 2}"]
        return flags

    def make_symbolic(self, name):
        for info in self.graph.input:
            if info.name == name:
                for i, dim in enumerate(info.type.tensor_type.shape.dim):
                    dim.dim_param = f"{name}_{i}"


def graphs_in(graph):
    """The graph, and what is nested in it."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs_in(attribute.g)


def read_value(path, info):
    """The recorded value of an input, as the oracles take it, or None where it is neither tensor nor sequence."""
    with open(path, "rb") as file:
        data = file.read()
    kind = info.type.WhichOneof("value")
    if kind == "tensor_type":
        return numpy_helper.to_array(onnx.TensorProto.FromString(data))
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    return numpy_helper.to_optional(onnx.OptionalProto.FromString(data)) if kind == "optional_type" else None


def read(folder, name):
    path = os.path.join(folder, name, "model.onnx")
    if os.path.getsize(path) > LARGEST:
        return None
    model = onnx.load(path)
    files = sorted(glob.glob(os.path.join(folder, name, "test_data_set_0", "input_*.pb")), key=lambda p: int(p.rsplit("_", 1)[1][:-3]))
    given = list(zip(model.graph.input, files))
    return Subject(name, model, {info.name: read_value(file, info) for info, file in given})


def forms(subject):
    """The case as it is; with all operands but the first constant; as a function of the model; with symbolic dims."""
    yield "inputs", subject
    tensors = [info.name for info in subject.graph.input if isinstance(subject.data.get(info.name), np.ndarray)]
    if len(tensors) > 1:
        constant = subject.copy()
        for name in tensors[1:]:
            constant.make_constant(name)
        yield "constants", constant
    if any(subject.data[name].ndim for name in tensors):
        symbolic = subject.copy()
        for name in tensors:
            symbolic.make_symbolic(name)
        yield "symbolic", symbolic
