# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes a failing model small: nodes go, and what they made becomes an input with the value that an oracle has for it, so that every subset
# of nodes is a valid model. What is left is written with its inputs, in ONNX's text form too.
import os
import shutil

import hunt
import numpy as np
import onnx
from oracles import ORACLES, NoAnswer
from onnx import helper
from runtime_faults import reads


def record(proto, inputs):
    """All values of the graph in a call, by name."""
    values = dict(zip([info.name for info in proto.graph.input], inputs))
    values.update({init.name: onnx.numpy_helper.to_array(init) for init in proto.graph.initializer})
    full = onnx.ModelProto()
    full.CopyFrom(proto)
    names = list(dict.fromkeys(name for node in proto.graph.node for name in node.output if name))
    del full.graph.output[:]
    full.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    for oracle in ORACLES:
        try:
            values.update(zip(names, oracle(full).run(inputs)))
            return values
        except NoAnswer:
            continue
    return None


def subset(proto, nodes, values, outputs=None):
    """A model of these nodes, and its inputs."""
    constants = {init.name: init for init in proto.graph.initializer}
    made = {name for node in nodes for name in node.output if name}
    needed = list(dict.fromkeys(name for node in nodes for name in reads(node) if name not in made))
    read = {name for node in nodes for name in reads(node)}
    if outputs is None:
        outputs = [name for node in nodes for name in node.output if name and name not in read]
        outputs += [info.name for info in proto.graph.output if info.name in made and info.name not in outputs]

    def info(name):
        value = np.asarray(values[name])
        dtype = onnx.TensorProto.STRING if value.dtype.kind in "OU" else helper.np_dtype_to_tensor_dtype(value.dtype)
        return helper.make_tensor_value_info(name, dtype, value.shape)

    inputs = [name for name in needed if name not in constants]
    graph = helper.make_graph(list(nodes), "small", [info(n) for n in inputs], [info(n) for n in outputs], [constants[n] for n in needed if n in constants],
                              value_info=[told for told in proto.graph.value_info if told.name in made])  # fmt: skip
    model = helper.make_model(graph, opset_imports=proto.opset_import, ir_version=proto.ir_version, producer_name="random nets")
    return model, [[np.asarray(values[name]) for name in inputs]]


def usable(flags, proto):
    """The flags without state that the model does not have."""
    inputs, outputs = ({info.name for info in infos} for infos in (proto.graph.input, proto.graph.output))
    states = {flag: flag.split("=")[1:] for flag in flags if flag.startswith("--state=")}
    return [flag for flag in flags if flag not in states or (states[flag][0] in outputs and states[flag][1] in inputs)]


class Reducer:
    def __init__(self, program, folder, finding, work):
        self.program, self.folder, self.finding, self.work = program, folder, finding, work
        self.last = finding.kind  # of the smallest model that fails

    def same(self, found):
        """Whether it is the finding that is looked for; or that the second oracle, which could not be asked about the whole model, agrees
        with Sinter."""
        kinds = (self.finding.kind, hunt.NOTE) if self.finding.kind.startswith("differs") else (self.finding.kind,)
        self.last = found.kind if found.kind in kinds else self.last
        return found.kind in kinds

    def fails(self, candidates, flags):
        """Which of these (model, data) fail in the same way."""
        lines = []
        folders = [os.path.join(self.work, f"try_{i}") for i in range(len(candidates))]
        for i, (model, data) in enumerate(candidates):
            shutil.rmtree(folders[i], ignore_errors=True)
        tasks = list(range(len(candidates)))
        asked = {i: told for i, told in hunt.in_children(tasks, 2, lambda i: hunt.prepare(folders[i], *candidates[i]))}
        known = [i for i in tasks if asked[i] and asked[i][0] not in (None, "failed")]
        stage = self.finding.place[0] if self.finding.place else hunt.AFTER
        for i in known:
            lines.append(hunt.line(folders[i], flags, 0, len(candidates[i][1]), stage == "built", interpreted=[] if stage == "built" else [stage]))
            lines[-1]["flags"] = usable(flags, candidates[i][0])
        results = hunt.batch(self.program, lines, 2, self.work) if lines else []
        bad = [False] * len(candidates)
        judged = []
        for i, one, result in zip(known, lines, results):
            if result["verdict"] != "accepted":
                bad[i] = self.same(hunt.verdict_finding(result, flags))
            else:
                judged.append((i, one, result))
        for (i, _, _), found in hunt.in_children(judged, 2, lambda task: hunt.judge(folders[task[0]], task[1], task[2])):
            bad[i] = bool(found) and not isinstance(found, tuple) and self.same(found)
        return bad

    def smaller(self, proto, nodes, values, flags):
        """Chunks of nodes go, ever smaller ones, as long as it fails."""
        size = max(len(nodes) // 2, 1)
        while True:
            chunks = [nodes[:at] + nodes[at + size :] for at in range(0, len(nodes), size)]
            chunks = [chunk for chunk in chunks if chunk]
            bad = self.fails([subset(proto, chunk, values) for chunk in chunks], flags) if len(nodes) > 1 else []
            if True in bad:
                nodes = chunks[bad.index(True)]
                size = min(size, max(len(nodes) // 2, 1))
            elif size == 1:
                return nodes
            else:
                size = (size + 1) // 2

    def reduce(self):
        proto = onnx.load(os.path.join(self.folder, "model.onnx"))
        call = self.finding.place[1] if self.finding.place else 0
        inputs = []
        for i in range(len(proto.graph.input)):
            with open(os.path.join(self.folder, f"data_{call}", f"input_{i}.pb"), "rb") as file:
                inputs.append(onnx.numpy_helper.to_array(onnx.TensorProto.FromString(file.read())))
        flags = list(self.finding.flags)
        symbolic = "--dim" in flags
        values = record(proto, inputs)
        if values is None:
            return proto, [inputs], flags
        static = [flag for i, flag in enumerate(flags) if flag != "--dim" and (i == 0 or flags[i - 1] != "--dim")]
        nodes = list(proto.graph.node)
        if not self.fails([subset(proto, nodes, values)], static if symbolic else flags)[0]:
            return proto, [inputs], flags
        flags = static
        nodes = self.smaller(proto, nodes, values, flags)
        for flag in [f for f in flags if f.startswith("--disable-pass")]:
            fewer = [f for f in flags if f != flag]
            if self.fails([subset(proto, nodes, values)], fewer)[0]:
                flags = fewer
        model, data = subset(proto, nodes, values)
        singles = [subset(proto, nodes, values, [info.name]) for info in model.graph.output]
        bad = self.fails(singles, flags) if len(singles) > 1 else []
        model, data = singles[bad.index(True)] if True in bad else (model, data)
        self.fails([(model, data)], flags)
        return model, data, flags


def reduce(program, folder, finding, keep):
    """Writes the reproduction; the kind of what was found, which the small model may tell better."""
    work = folder + "_reduced"
    os.makedirs(work, exist_ok=True)
    try:
        reducer = Reducer(program, folder, finding, work)
        model, data, flags = reducer.reduce()
    except (TypeError, ValueError) as problem:  # a value that is no tensor cannot be an input instead
        shutil.copytree(folder, keep, dirs_exist_ok=True)
        print(f"    not made small ({problem}): {keep}", flush=True)
        return finding.kind
    finally:
        shutil.rmtree(work, ignore_errors=True)
    finding.kind, finding.flags = reducer.last, flags
    hunt.write_case(keep, model, data)
    np.savez(os.path.join(keep, "inputs.npz"), **{info.name: value for info, value in zip(model.graph.input, data[0])})
    with open(os.path.join(keep, "finding.txt"), "w", encoding="utf-8") as file:
        file.write(f"{finding}\n{len(model.graph.node)} nodes\n\n{onnx.printer.to_text(model)[:6000]}\n")
    print(f"    {len(model.graph.node)} nodes: {', '.join(node.op_type for node in model.graph.node)[:200]}: {keep}", flush=True)
    return finding.kind
