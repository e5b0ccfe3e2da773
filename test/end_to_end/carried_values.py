# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who may write over what in loops: carried values that share, swap, pass through, and are read later or twice.

A pattern says for each carried value what starts it and what each iteration makes of it; how the loop runs; what else reads these
values. Patterns are enumerated, --count of them drawn, many go into one model (so that they also share constants and inputs with each
other), and `sinter verify` holds their results against onnxruntime's.
"""
import argparse
import itertools
import pathlib
import random
import subprocess
import sys
from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper

WIDTH = 4
INPUTS = ["x", "y", "z", "w"]

# What the next value of a carried one is: its own and the others' values, changed or not, whole or turned, or something from outside.
STEPS = ["own", "next", "last", "changed", "sum", "turned", "turned_next", "outer", "constant", "shared", "chosen"]
STARTS = ["each its own", "all from one", "first two from one", "from a result", "from a constant"]
RUNS = ["for", "while", "while_data", "bounded", "scan", "nested", "in_if"]
READS = ["nothing", "start read later", "start is an output", "start of another loop", "result twice", "collected before", "collected after",
         "collected outer"]


@dataclass
class Pattern:
    steps: tuple
    start: str
    run: str
    read: str

    def __str__(self):
        return f"{'/'.join(self.steps)}, {self.start}, {self.run}, {self.read}"


@dataclass
class Graph:
    """Nodes and constants under construction."""
    prefix: str
    nodes: list = field(default_factory=list)
    initializers: list = field(default_factory=list)
    count: int = 0

    def name(self, hint):
        self.count += 1
        return f"{self.prefix}_{hint}{self.count}"

    def add(self, op, inputs, outputs=1, **attributes):
        names = [self.name(op.lower()) for _ in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, name=names[0], **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, array):
        name = self.name("c")
        self.initializers.append(onnx.numpy_helper.from_array(np.asarray(array), name))
        return name


def tensor(name, dims=(WIDTH,), element=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, element, dims)


def turned(g, value):
    return g.add("Slice", [value, g.constant(np.array([-1])), g.constant(np.array([-WIDTH - 1])), g.constant(np.array([0])), g.constant(np.array([-1]))])


def next_values(g, steps, before, outer):
    """The body: each carried value's next one."""
    n = len(before)
    shared = None
    after = []
    for i, step in enumerate(steps):
        own, following = before[i], before[(i + 1) % n]
        if step == "own":
            value = own
        elif step == "next":
            value = following
        elif step == "last":
            value = before[-1]
        elif step == "changed":
            value = g.add("Mul", [own, g.constant(np.float32(0.5 + i))])
        elif step == "sum":
            value = g.add("Add", [own, following])
        elif step == "turned":
            value = turned(g, own)
        elif step == "turned_next":
            value = turned(g, following)
        elif step == "outer":
            value = outer
        elif step == "constant":
            value = g.constant(np.arange(WIDTH, dtype=np.float32) + i)
        elif step == "shared":
            shared = shared or g.add("Sub", [before[0], outer])
            value = shared
        else: # one of two, by data
            value = choice(g, own, following)
        after.append(g.add("Identity", [value])) # a graph's outputs have names of their own
    return after


def choice(g, one, other):
    condition = g.add("Greater", [g.add("ReduceSum", [one], keepdims=0), g.constant(np.float32(0))])
    results = []
    branches = []
    for tag, value in (("t", one), ("e", other)):
        inner = Graph(g.name(tag))
        results.append(inner.add("Identity", [value]))
        branches.append(helper.make_graph(inner.nodes, tag, [], [tensor(results[-1])]))
    return g.add("If", [condition], then_branch=branches[0], else_branch=branches[1])


def body_graph(g, pattern, collects):
    """The subgraph of a Loop or Scan, whose nodes go to a graph of their own."""
    n = len(pattern.steps)
    inner = Graph(g.name("body"))
    before = [inner.name("a") for _ in range(n)]
    after = next_values(inner, pattern.steps, before, "y")
    collected = []
    if collects:
        of = {"collected before": before[0], "collected after": after[-1], "collected outer": "z"}[pattern.read]
        collected.append(inner.add("Identity", [of]))
    inputs = [tensor(a) for a in before]
    outputs = [tensor(a) for a in after] + [tensor(c) for c in collected]
    if pattern.run == "scan":
        inputs.append(tensor(inner.name("unused")))
    else:
        go = inner.name("go")
        if pattern.run == "while_data":
            total = inner.add("ReduceSum", [inner.add("Abs", [after[0]])], keepdims=0)
            inner.nodes.append(helper.make_node("Less", [total, inner.constant(np.float32(30))], [go]))
        elif pattern.run == "while":
            number = inner.name("i")
            inputs = [tensor(number, (), TensorProto.INT64), tensor(inner.name("cond"), (), TensorProto.BOOL)] + inputs
            inner.nodes.append(helper.make_node("Less", [number, inner.constant(np.int64(2))], [go]))
        else:
            inner.nodes.append(helper.make_node("Identity", [inner.constant(np.array(True))], [go]))
        if pattern.run != "while":
            inputs = [tensor(inner.name("i"), (), TensorProto.INT64), tensor(inner.name("cond"), (), TensorProto.BOOL)] + inputs
        outputs = [tensor(go, (), TensorProto.BOOL)] + outputs
    return helper.make_graph(inner.nodes, inner.prefix, inputs, outputs, inner.initializers)


def loop(g, pattern, starts, collects):
    n = len(starts)
    body = body_graph(g, pattern, collects)
    outputs = n + collects
    if pattern.run == "scan":
        made = g.add("Scan", [*starts, "xs"], outputs, body=body, num_scan_inputs=1)
    else:
        trips = {"bounded": "m", "while": g.constant(np.int64(5)), "while_data": g.constant(np.int64(4))}.get(pattern.run) or g.constant(np.int64(3))
        made = g.add("Loop", [trips, g.constant(np.array(True)), *starts], outputs, body=body)
    return made if isinstance(made, list) else [made]


def nested(g, pattern, starts):
    """A Loop whose body is nothing but the pattern's Loop."""
    inner = Graph(g.name("around"))
    arguments = [inner.name("b") for _ in starts]
    made = loop(inner, Pattern(pattern.steps, "", "for", "nothing"), arguments, 0)
    go = inner.add("Identity", [inner.constant(np.array(True))])
    body = helper.make_graph(inner.nodes, inner.prefix, [tensor(inner.name("i"), (), TensorProto.INT64), tensor(inner.name("c"), (), TensorProto.BOOL)] +
                             [tensor(a) for a in arguments], [tensor(go, (), TensorProto.BOOL)] + [tensor(m) for m in made], inner.initializers)
    result = g.add("Loop", [g.constant(np.int64(2)), g.constant(np.array(True)), *starts], len(starts), body=body)
    return result if isinstance(result, list) else [result]


def in_if(g, pattern, starts):
    branches = []
    for tag in ("then", "else"):
        inner = Graph(g.name(tag))
        p = Pattern(pattern.steps if tag == "then" else pattern.steps[::-1], "", "for", "nothing")
        made = loop(inner, p, starts, 0)
        branches.append(helper.make_graph(inner.nodes, inner.prefix, [], [tensor(m) for m in made], inner.initializers))
    condition = g.add("Greater", [g.add("ReduceSum", ["w"], keepdims=0), g.constant(np.float32(0))])
    result = g.add("If", [condition], len(starts), then_branch=branches[0], else_branch=branches[1])
    return result if isinstance(result, list) else [result]


def add_pattern(g, pattern):
    """Adds the pattern's nodes; returns the names of its outputs."""
    n = len(pattern.steps)
    starts = INPUTS[:n]
    if pattern.start == "all from one":
        starts = ["x"] * n
    elif pattern.start == "first two from one":
        starts = (["x"] + INPUTS)[:n]
    elif pattern.start == "from a result":
        made = g.add("Add", ["x", "w"])
        starts = [made] * n
    elif pattern.start == "from a constant":
        starts = [g.constant(np.full(WIDTH, 0.25, np.float32))] * n
    collects = int(pattern.read.startswith("collected") and pattern.run not in ("nested", "in_if"))
    run = {"nested": nested, "in_if": in_if}.get(pattern.run)
    results = run(g, pattern, starts) if run else loop(g, pattern, starts, collects)
    outputs = [g.add("Identity", [r]) for r in results]
    if pattern.read == "start read later":
        outputs.append(g.add("Add", [starts[0], results[-1]]))
    elif pattern.read == "start is an output":
        outputs.append(g.add("Identity", [starts[0]]))
    elif pattern.read == "start of another loop":
        outputs += [g.add("Identity", [r]) for r in loop(g, Pattern(("changed",), "", "for", "nothing"), [starts[0]], 0)]
    elif pattern.read == "result twice":
        outputs.append(g.add("Sub", [results[0], results[-1]]))
    return outputs, n, collects


def make_model(patterns):
    nodes, initializers, outputs = [], [], []
    for k, pattern in enumerate(patterns):
        g = Graph(f"p{k}")
        names, count, collects = add_pattern(g, pattern)
        nodes += g.nodes
        initializers += g.initializers
        outputs += [tensor(name, (None, WIDTH) if collects and i == count else (WIDTH,)) for i, name in enumerate(names)]
    inputs = [tensor(name) for name in INPUTS] + [tensor("xs", (3, WIDTH)), tensor("m", (), TensorProto.INT64)]
    graph = helper.make_graph(nodes, "patterns", inputs, outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def enumerate_patterns():
    for n in (1, 2, 3, 4):
        steps = STEPS if n <= 2 else ["own", "next", "last", "sum", "turned_next", "shared"]
        for chosen in itertools.product(steps, repeat=n):
            for start, run, read in itertools.product(STARTS, RUNS, READS):
                yield Pattern(chosen, start, run, read)


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def verify(sinter, folder, patterns, flags, tag):
    path = folder / f"patterns{tag}.onnx"
    model = make_model(patterns)
    onnx.save(model, path)
    np.save(folder / "m.npy", np.int64(3))
    bounds = [f"--bound={node.name}:{len(node.input) - 2}=8" for node in model.graph.node
              if node.op_type == "Loop" and len(node.output) > len(node.input) - 2]
    return run([sinter, "verify", str(path), "--input", f"m={folder / 'm.npy'}", "-O", "0", *bounds, *flags])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinter", default="build/bin/sinter")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("carried"))
    parser.add_argument("--count", type=int, default=240, help="patterns drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=40, help="patterns in a model")
    parser.add_argument("flags", nargs="*", help="further flags of `sinter verify`")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    everything = list(enumerate_patterns())
    print(f"{options.count} of {len(everything)} patterns, seed {options.seed}")
    drawn = random.Random(options.seed).sample(everything, min(options.count, len(everything)))
    bad = []
    for begin in range(0, len(drawn), options.each):
        group = drawn[begin:begin + options.each]
        done = verify(options.sinter, options.work, group, options.flags, begin)
        if done.returncode == 0:
            continue
        alone = [(pattern, verify(options.sinter, options.work, [pattern], options.flags, "alone")) for pattern in group]
        wrong = [(pattern, one) for pattern, one in alone if one.returncode != 0]
        for pattern, one in wrong or [("only together: " + "; ".join(map(str, group)), done)]:
            bad.append(pattern)
            print(f"{pattern}:\n{one.stdout[-600:]}{one.stderr[-600:]}")
    print(f"{len(bad)} of {len(drawn)} patterns differ")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
