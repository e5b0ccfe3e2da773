#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# quantized.py NAME [--sinter PROGRAM] [--models DIR] [--target T] [--inputs N]: a quantized net of quantized.toml against onnxruntime with all its
# optimizations, layer by layer. Exits 77 (skipped) when the model is not there, unless SINTER_REQUIRE_MODELS is set.
#
# The net is cut at every quantized tensor: a twin whose inputs are these tensors and whose outputs are the same tensors, each made by its layer from
# what is fed. The oracle's tensors go in, so one program holds every layer to: at most one step, in under 0.1 % of the values over all inputs.
# The net as it is must end within one step of its last scale, from onnxruntime as it comes and from the recording.
#
# onnxruntime on x86 turns int8 tensors between QuantizeLinear and DequantizeLinear into uint8, which fails where one is an output: then it computes in
# floats. So the session that shows the tensors has a net in which this has been done; that showing them changes nothing is checked on each input.
import argparse
import os
import subprocess
import sys
import tempfile
import tomllib

import numpy as np
import onnx
from onnx import numpy_helper

import model_source
import plausible

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../compiler/driver/oracle"))
import reference  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SHARE = 1e-3  # of a tensor's values that may be a step off
ALIKE = 1e-6  # relative: scales that are computed at run time


def compiler_of(target):
    """And what runs its programs."""
    if target and target.startswith(("aarch64", "cortex-a")):
        return "aarch64-linux-gnu-g++", ["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu"]
    return "g++", []


RUNNER = """
#include "net.h"
#include <stdio.h>
#include <stdlib.h>
static const size_t in_bytes[] = {%s}, out_bytes[] = {%s};
enum { INPUTS = %d, OUTPUTS = %d };
int main(void) {
  static net_inputs inputs;
  static net_outputs outputs;
  void **in = (void **)&inputs, **out = (void **)&outputs;
  void *arena = aligned_alloc(NET_ARENA_ALIGN, (NET_ARENA_BYTES / NET_ARENA_ALIGN + 1) * NET_ARENA_ALIGN);
  for (int i = 0; i < INPUTS; ++i)
    in[i] = malloc(in_bytes[i] + 1);
  for (int i = 0; i < OUTPUTS; ++i)
    out[i] = malloc(out_bytes[i] + 1);
  for (;;) {
    for (int i = 0; i < INPUTS; ++i)
      if (fread(in[i], 1, in_bytes[i], stdin) != in_bytes[i])
        return 0;
    int status = net_run(&inputs, &outputs, arena);
    if (status != 0)
      return 10 + status;
    for (int i = 0; i < OUTPUTS; ++i)
      fwrite(out[i], 1, out_bytes[i], stdout);
    fflush(stdout);
  }
}
"""


def load(spec, models):
    """The model with its dims pinned."""
    model, _ = model_source.load(spec, models)
    dims = spec.get("dims", {})
    for info in [*model.graph.input, *model.graph.output]:
        for dim in info.type.tensor_type.shape.dim:
            if dim.dim_param:
                dim.dim_value = dims.get(dim.dim_param, 1)
    return model


def cut_tensors(model):
    """What quantizing operators make of inputs, node by node: lists of names."""
    constant = {init.name for init in model.graph.initializer}
    cuts = []
    for node in model.graph.node:
        if all(name in constant for name in node.input if name):
            constant.update(node.output)
        elif node.op_type in ("QuantizeLinear", "DynamicQuantizeLinear", "QGemm") or node.op_type.startswith("QLinear"):
            cuts.append(list(node.output))
    return cuts


def last_scale(model, cuts, made):
    """Of the last quantizing node; of a dynamic one, what it made."""
    constants = {init.name: init for init in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Identity" and node.input[0] in constants:
            constants[node.output[0]] = constants[node.input[0]]
    node = next(node for node in model.graph.node if list(node.output) == cuts[-1])
    if node.op_type == "DynamicQuantizeLinear":
        return float(made[node.output[1]])
    place = {"QuantizeLinear": 1, "QLinearSoftmax": 3}.get(node.op_type, -2)
    return float(np.asarray(numpy_helper.to_array(constants[node.input[place]])).reshape(-1)[0])


def as_unsigned(model):
    """int8 tensors between QuantizeLinear and DequantizeLinear as uint8, 128 higher."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    if any(node.op_type.startswith("QLinear") for node in model.graph.node):
        return result  # onnxruntime leaves these as they are
    del result.graph.value_info[:]
    constants = {init.name: init for init in model.graph.initializer}
    signed = {name for name, init in constants.items() if init.data_type == onnx.TensorProto.INT8}
    known = set(constants)
    for node in result.graph.node:
        if all(name in known for name in node.input if name):
            known.update(node.output)
        elif node.op_type in ("QuantizeLinear", "DequantizeLinear") and len(node.input) > 2 and node.input[2] in signed:
            zero = numpy_helper.to_array(constants[node.input[2]]).astype(np.int16) + 128
            node.input[2] += f"|unsigned|{node.output[0]}"
            result.graph.initializer.append(numpy_helper.from_array(zero.astype(np.uint8), node.input[2]))
    return result


def typed(name, value):
    return onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def cut(model, cuts, values):
    """The twin whose layers stand each by themselves."""
    twin = onnx.ModelProto()
    twin.CopyFrom(model)
    names = {name: f"{name}|fed" for names in cuts for name in names}
    for node in twin.graph.node:
        for i, name in enumerate(node.input):
            node.input[i] = names.get(name, name)
    read = {name for node in twin.graph.node for name in node.input}
    fed = [name for name in names if names[name] in read]
    twin.graph.input.extend(typed(names[name], values[name]) for name in fed)
    present = {output.name for output in twin.graph.output}
    twin.graph.output.extend(typed(name, values[name]) for name in names if name not in present)
    return twin, fed


class Program:
    """A model compiled to a program that answers inputs with outputs, raw bytes both."""

    def __init__(self, arguments, model, folder, inputs, outputs):
        os.makedirs(folder)
        path, library = os.path.join(folder, "net.onnx"), os.path.join(folder, "net.a")
        onnx.save(model, path)
        cxx, runner = compiler_of(arguments.target)
        source, program = os.path.join(folder, "main.cpp"), os.path.join(folder, "main")
        sizes = [", ".join(str(value.nbytes) for value in values) for values in (inputs, outputs)]
        with open(source, "w") as file:
            file.write(RUNNER % (*sizes, len(inputs), len(outputs)))
        target = ["--target", arguments.target] if arguments.target else []
        for command in ([arguments.sinter, path, "-o", library, "--prefix", "net", *target], [cxx, "-O1", "-I", folder, source, library, "-o", program]):
            print("+", " ".join(command), flush=True)
            subprocess.run(command, check=True)
        self.process = subprocess.Popen([*runner, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.like = outputs

    def run(self, inputs):
        for value in inputs:
            self.process.stdin.write(np.ascontiguousarray(value).tobytes())
        self.process.stdin.flush()
        outputs = []
        for like in self.like:
            data = self.process.stdout.read(like.nbytes)
            if len(data) != like.nbytes:
                raise RuntimeError(f"the program ended with {self.process.wait()}")
            outputs.append(np.frombuffer(data, like.dtype).reshape(like.shape))
        return outputs

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Agreement:
    """How one tensor fares over all inputs."""

    def __init__(self, name):
        self.name, self.values, self.different, self.most = name, 0, 0, 0.0
        self.least, self.largest, self.example = np.inf, -np.inf, ""
        self.is_tensor = False

    def add(self, actual, expected, index):
        self.least, self.largest = min(self.least, float(expected.min())), max(self.largest, float(expected.max()))
        self.values += expected.size
        self.is_tensor = expected.size > 1
        if np.array_equal(actual, expected):
            return
        if expected.dtype.kind == "f":
            off = np.abs(actual.astype(np.float64) - expected) / np.maximum(np.abs(expected), 1e-30)
            off = np.where(off <= ALIKE, 0, off)
        else:
            off = np.abs(actual.astype(np.int64) - expected.astype(np.int64))
        self.different += int((off != 0).sum())
        if off.max() > self.most:
            self.most = float(off.max())
            at = np.unravel_index(int(off.argmax()), off.shape)
            self.example = f"input {index}, element {[int(i) for i in at]}: {actual[at]} instead of {expected[at]}"

    @property
    def share(self):
        return self.different / max(1, self.values)

    def good(self):
        return self.most <= 1 and (self.different == 0 or self.share < SHARE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--sinter", default="sinter")
    parser.add_argument("--models", default=model_source.MODELS)
    parser.add_argument("--target")
    parser.add_argument("--inputs", type=int, default=100)
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "quantized.toml"), "rb") as file:
        spec = tomllib.load(file)[arguments.name]
    model = load(spec, arguments.models)
    with tempfile.TemporaryDirectory() as folder:
        return compare(arguments, model, spec, folder)


def session(model):
    import onnxruntime

    onnxruntime.set_default_logger_severity(3)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return reference.session(model.SerializeToString(), options)


def compare(arguments, model, spec, folder):
    finals = [output.name for output in model.graph.output]
    cuts = cut_tensors(model)
    exposed = as_unsigned(model)
    undisturbed = session(exposed)
    exposed.graph.output.extend(onnx.ValueInfoProto(name=name) for names in cuts for name in names if name not in finals)
    oracle, plain = session(exposed), session(model)
    signed = {node.output[0] for node, other in zip(model.graph.node, exposed.graph.node) if node.op_type == "QuantizeLinear" and node.input[2:] != other.input[2:]}
    names = [output.name for output in oracle.get_outputs()]
    types = {info.name: onnx.helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type) for info in model.graph.input}
    inputs = [(info.name, info.shape, types[info.name]) for info in plain.get_inputs()]

    def feeds(index):
        return {name: plausible.make(spec["inputs"][name], shape, dtype, 1000 * index + k) for k, (name, shape, dtype) in enumerate(inputs)}

    def shown(given):
        """What the oracle makes of it, as the model has it."""
        values = dict(zip(names, oracle.run(None, given)))
        for name in signed & set(values):
            values[name] = (values[name].astype(np.int16) - 128).astype(np.int8)
        return values

    values = shown(feeds(0))
    twin, fed = cut(model, cuts, values)
    first = list(feeds(0).values())
    layers = Program(arguments, twin, os.path.join(folder, "layers"), first + [values[n] for n in fed], [values[o.name] for o in twin.graph.output])
    net = Program(arguments, model, os.path.join(folder, "net"), first, [values[name] for name in finals])
    found = {output.name: Agreement(output.name) for output in twin.graph.output if output.name not in finals}
    scale, ends, recorded = 0, 0, 0
    for index in range(arguments.inputs):
        given = feeds(index)
        values = shown(given)
        if any(not np.array_equal(values[name], value) for name, value in zip(finals, undisturbed.run(finals, given))):
            raise RuntimeError("the oracle computes something else when it shows its tensors")
        for output, actual in zip(twin.graph.output, layers.run([*given.values(), *(values[name] for name in fed)])):
            if output.name in found:
                found[output.name].add(actual, values[output.name], index)
        scale = last_scale(model, cuts, values)
        ends = max(ends, *(float(np.abs(a - e).max()) / scale for a, e in zip(net.run(given.values()), plain.run(finals, given))))
    if "recording" in spec:
        recording = [onnx.load_tensor(os.path.join(arguments.models, spec["recording"], f"{kind}_0.pb")) for kind in ("input", "output")]
        given, expected = map(numpy_helper.to_array, recording)
        recorded = float(np.abs(net.run([given])[0] - expected).max()) / scale
    layers.close()
    net.close()
    return report(arguments.name, list(found.values()), ends, recorded)


def report(name, found, ends, recorded):
    bad = [a for a in found if not a.good()]
    idle = [a for a in found if a.least == a.largest and a.is_tensor]
    for a in sorted((a for a in found if a.different), key=lambda a: -a.share):
        print(f"{'  FAILS' if a in bad else '       '} {a.name[-60:]:60} most {a.most:g}, {100 * a.share:.4f} % of {a.values} differ; {a.example}")
    for a in idle:
        print(f"  {a.name} is {a.least} everywhere: these inputs prove nothing about it")
    total, different = sum(a.values for a in found), sum(a.different for a in found)
    print(f"{name}: {len(found)} tensors, {len(bad)} fail; {different} of {total} values differ; final outputs {ends:.3g} steps off, {recorded:.3g} from a recording")
    return 1 if bad or idle or max(ends, recorded) > 1 + 1e-4 else 0


if __name__ == "__main__":
    sys.exit(main())
