#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_wrapped_cases.py CASES OUT [EVERY [PER_OPERATOR]]: the conformance cases of make_cases.py where operators have other neighbours. A
# wrapper makes of a model, its inputs and outputs others whose right outputs are known, too. Each wrapper gets each so manieth operator
# (default: all; the next wrapper begins one behind it), and of these the first few cases (default: 1; the next wrapper the next ones). Short
# lists of integers, which may say what shape a result has, are constants.
import os
import shutil
import sys

import numpy as np
import onnx
from make_empty_cases import by_operator, tensors_of, write, write_data_set
from make_symbolic_cases import recorded_outputs
from onnx import TensorProto, helper, numpy_helper

# Types that Slice, Unsqueeze, Where and Concat take in all versions from 13 on.
TYPES = {getattr(TensorProto, name) for name in "FLOAT DOUBLE FLOAT16 BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64".split()}


class Case:
    """A model on its way, with its inputs and outputs by name; `before` and `after` stand around its nodes."""

    def __init__(self, model, inputs, outputs):
        self.model = onnx.ModelProto.FromString(model.SerializeToString())
        self.graph = self.model.graph
        del self.graph.value_info[:]
        if all(opset.domain for opset in self.model.opset_import):
            self.model.opset_import.append(helper.make_opsetid("", 21))
        self.inputs = dict(zip((info.name for info in self.graph.input), inputs))
        self.outputs = dict(zip((info.name for info in self.graph.output), outputs))
        self.before, self.after = [], []

    def constant(self, name, values):
        self.graph.initializer.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def freeze(self, name):
        """An input becomes a constant."""
        self.constant(name, self.inputs.pop(name))

    def inner(self, name):
        """The value that stands for an input or output among the nodes."""
        rename(self.graph.node, name, f"{name}__inner")
        return f"{name}__inner"

    def finish(self):
        nodes = [*self.before, *self.graph.node, *self.after]
        del self.graph.node[:], self.graph.input[:], self.graph.output[:]
        self.graph.node.extend(nodes)
        self.graph.input.extend(info_of(name, value) for name, value in self.inputs.items())
        self.graph.output.extend(info_of(name, value) for name, value in self.outputs.items())


def info_of(name, value):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def rename(nodes, old, new):
    for node in nodes:
        for names in (node.input, node.output):
            for i, name in enumerate(names):
                if name == old:
                    names[i] = new
        for attribute in node.attribute:
            rename(attribute.g.node, old, new)
            for result in attribute.g.output:
                if result.name == old:
                    result.name = new


def is_plain(value):
    return helper.np_dtype_to_tensor_dtype(value.dtype) in TYPES


def spaced(case):
    """Neighbours lie apart: an input is every second element of one that is twice as long, with other numbers between; an output is the first
    column of a tensor of two, where kernels may write it. Who does not take the strides that it is given reads or writes what lies between."""
    for name, value in list(case.inputs.items()):
        if not is_plain(value) or not 0 < value.ndim < 8 or not value.size:
            continue
        inner = case.inner(name)
        bounds = [case.constant(f"{inner}_{i}", [bound]) for i, bound in enumerate((0, 1 << 40, value.ndim - 1, 2))]
        case.before.append(helper.make_node("Slice", [name, *bounds], [inner]))
        case.inputs[name] = np.full(value.shape[:-1] + (2 * value.shape[-1],), 3, value.dtype)
        case.inputs[name][..., ::2] = value
    for name, value in list(case.outputs.items()):
        if not is_plain(value) or value.ndim > 6:
            continue
        inner, zeros = case.inner(name), np.zeros(value.shape + (1,), value.dtype)
        case.after.append(helper.make_node("Unsqueeze", [inner, case.constant(f"{inner}_axis", [value.ndim])], [f"{inner}_column"]))
        case.after.append(helper.make_node("Concat", [f"{inner}_column", case.constant(f"{inner}_zeros", zeros)], [name], axis=-1))
        case.outputs[name] = np.concatenate([value[..., np.newaxis], zeros], -1)


def read_again(case):
    """Operands are values on the way that are read once more behind the operator: it must not write over them. So are results."""
    case.inputs["is_so"] = np.array(True)
    for name, value in list(case.inputs.items())[:-1]:
        if not is_plain(value) or not value.ndim:
            continue
        inner = case.inner(name)
        case.before.append(helper.make_node("Where", ["is_so", name, case.constant(f"{inner}_zero", np.zeros((), value.dtype))], [inner]))
        case.after.append(helper.make_node("Concat", [inner, inner], [f"{inner}_again"], axis=0))
        case.outputs[f"{inner}_again"] = np.concatenate([value, value])
    for name, value in list(case.outputs.items()):
        if is_plain(value) and value.ndim and not name.endswith("_again"):
            case.after.append(helper.make_node("Concat", [name, name], [f"{name}_again"], axis=0))
            case.outputs[f"{name}_again"] = np.concatenate([value, value])


def body_of(case, name):
    """The nodes as a body whose results are the outputs."""
    results = [info_of(f"{result}__result", value) for result, value in case.outputs.items()]
    ends = [helper.make_node("Identity", [result], [f"{result}__result"]) for result in case.outputs]
    body = helper.make_graph([*case.graph.node, *ends], name, [], results)
    del case.graph.node[:]
    return body


def in_loop(case):
    """Twice in a Loop on values from outside, which the first time must leave as they are."""
    body = body_of(case, "body")
    body.input.extend([info_of("round", np.array(0)), info_of("goes_on", np.array(True))])
    body.node.append(helper.make_node("Identity", ["goes_on"], ["goes_on_still"]))
    body.output.insert(0, info_of("goes_on_still", np.array(True)))
    case.graph.node.append(helper.make_node("Loop", [case.constant("rounds", 2), case.constant("always", True)], list(case.outputs), body=body))
    case.outputs = {name: np.stack([value, value]) for name, value in case.outputs.items()}


def in_branch(case):
    """In the branch of an If that is taken; the other one gives zeros."""
    body = body_of(case, "then")
    zeros = [helper.make_node("Constant", [], [f"{name}__zeros"], value=numpy_helper.from_array(np.zeros(value.shape, value.dtype)))
             for name, value in case.outputs.items()]  # fmt: skip
    other = helper.make_graph(zeros, "else", [], [info_of(f"{name}__zeros", value) for name, value in case.outputs.items()])
    case.inputs["is_so"] = np.array(True)
    case.graph.node.append(helper.make_node("If", ["is_so"], list(case.outputs), then_branch=body, else_branch=other))


def frozen(case):
    """All of it is constant."""
    for name in list(case.inputs):
        case.freeze(name)


def half_frozen(case):
    """All operands but the first are constant."""
    for name in list(case.inputs)[1:]:
        case.freeze(name)


WRAPPERS = (spaced, read_again, in_loop, in_branch, frozen, half_frozen)


def derive(wrap, source, out, kind, name):
    """How far results may be off absolutely, some roundings of the largest number: what is recorded has these, too. Nothing if the wrapper
    does not take the case."""
    folder = os.path.join(source, kind, name)
    model = onnx.load(os.path.join(folder, "model.onnx"))
    if any(not opset.domain and opset.version < 13 for opset in model.opset_import):
        return None
    if any(not info.type.HasField("tensor_type") for info in [*model.graph.input, *model.graph.output]):
        return None
    inputs = tensors_of(folder, model.graph.input)
    if not inputs or len(inputs) != len(model.graph.input):
        return None
    case = Case(model, inputs, recorded_outputs(folder, len(model.graph.output)))
    for input_name, value in list(case.inputs.items()):
        if value.dtype.kind in "iu" and value.ndim < 2:
            case.freeze(input_name)
    wrap(case)
    case.finish()
    target = os.path.join(out, wrap.__name__, name.removeprefix("test_"))
    os.makedirs(target)
    write(os.path.join(target, "model.onnx"), case.model)
    write_data_set(os.path.join(target, "test_data_set_0"), case.graph, case.inputs.values(), case.outputs.values())
    floats = [value for value in case.outputs.values() if value.dtype == np.float32 and value.size]
    return 2.0**-21 * max((float(np.abs(value[np.isfinite(value)]).max(initial=0)) for value in floats), default=0.0)


def main():
    source, out = sys.argv[1:3]
    every, most = [int(text) for text in sys.argv[3:]] + [1, 1][len(sys.argv) - 3 :]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    rows = []
    for place, same in enumerate(by_operator(source).values()):
        for number, wrap in enumerate(WRAPPERS):
            if (place + number) % every:
                continue
            taken, turned = 0, same[number % len(same) :] + same[: number % len(same)]
            for kind, name, rtol, atol in turned:
                if taken < most and (least := derive(wrap, source, out, kind, name)) is not None:
                    taken += 1
                    rows.append(f"{wrap.__name__}\t{name.removeprefix('test_')}\t{rtol}\t{max(float(atol), least)}\t0\n")
    with open(os.path.join(out, "cases.tsv"), "w", encoding="utf-8") as file:
        file.writelines(sorted(rows))


if __name__ == "__main__":
    main()
