#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What sinter simplify makes of models, beside onnxsim and onnxslim (scripts/requirements-bench.txt): nodes without Constant, bytes, and whether
onnxruntime's outputs are those of the model as it was, both without its own optimizations; with --time how long onnxruntime's calls take with them, on one
thread, as a share of those of the model as it was: the best call of each, calls of all models in turn.

    simplifiers.py SINTER MODEL... [--alone] [--flag=--exact] [--time] [--bytes] [--worst 1e-3]

Inputs are made up, open sizes are 4, or 1. `=`: equal to the last bit; a number: the largest difference, as a share of the largest output; `-`: the tool
failed, or its model is refused. The exit status tells whether each model of sinter is valid and its outputs are within --worst."""
import argparse
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime

onnxruntime.set_default_logger_severity(4)
RNG_SEED = 1
TYPES = {
    "float": np.float32, "double": np.float64, "float16": np.float16, "int64": np.int64, "int32": np.int32, "int8": np.int8, "uint8": np.uint8,
    "bool": np.bool_,
}  # fmt: skip


def nodes(graph):
    inner = [attribute.g for node in graph.node for attribute in node.attribute if attribute.HasField("g")]
    return len(graph.node) + sum(map(nodes, inner)) - sum(node.op_type == "Constant" for node in graph.node)


def made_up(session, size):
    random = np.random.default_rng(RNG_SEED)
    feeds = {}
    for value in session.get_inputs():
        if not value.type.startswith("tensor("):
            raise ValueError(f"{value.name} is {value.type}")
        shape = [dim if isinstance(dim, int) and dim > 0 else size for dim in value.shape]
        kind = value.type[7:-1]
        if kind == "string":
            feeds[value.name] = np.full(shape, "a", object)
        elif kind in ("float", "double", "float16"):
            feeds[value.name] = random.standard_normal(shape).astype(TYPES[kind])
        else:
            feeds[value.name] = random.integers(0, 2, shape).astype(TYPES[kind])
    return feeds


def run(path, feeds=None):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    if feeds:
        outputs = session.run(None, feeds)
    else:
        for size in (4, 1):  # some nets take one sample at a time
            try:
                feeds = made_up(session, size)
                outputs = session.run(None, feeds)
                break
            except Exception:
                if size == 1:
                    raise
    return feeds, outputs


def best_calls(paths, feeds, seconds=2, at_least=5):
    """Milliseconds of the best call of each model."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    sessions = [onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"]) for path in paths]
    best = [float("inf")] * len(sessions)
    until, rounds = time.monotonic() + seconds, 0
    while time.monotonic() < until or rounds <= at_least:
        for i, session in enumerate(sessions):
            begin = time.perf_counter()
            session.run(None, feeds)
            if rounds:  # the first call allocates
                best[i] = min(best[i], time.perf_counter() - begin)
        rounds += 1
    return [seconds * 1e3 for seconds in best]


def difference(a, b):
    """The largest difference of two lists of outputs as a share of the largest value; 0: equal to the last bit."""
    worst = 0.0
    for x, y in zip(a, b, strict=True):
        if isinstance(x, list):
            worst = max(worst, float(repr(x) != repr(y)))
            continue
        if x.dtype != y.dtype or x.shape != y.shape:
            return float("inf")
        if x.dtype == object or x.dtype.kind in "biu":
            worst = max(worst, float((x != y).mean()) if x.size else 0.0)
        elif x.tobytes() != y.tobytes():
            if not np.array_equal(np.isfinite(x), np.isfinite(y)):
                return float("inf")
            x, y = (np.where(np.isfinite(v), v, 0).astype(np.float64) for v in (x, y))
            worst = max(worst, float(np.abs(x - y).max() / max(np.abs(x).max(), 1e-30)))
    return worst


def by_sinter(sinter, flags):
    def simplify(model, out):
        done = subprocess.run([sinter, "simplify", model, "-o", out, *flags], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[0] if done.stderr.strip() else f"status {done.returncode}")

    return simplify


def by_onnxsim(model, out):
    import onnxsim

    simplified, _ = onnxsim.simplify(onnx.load(model))
    onnx.save(simplified, out)


def by_onnxslim(model, out):
    import onnxslim

    with contextlib.redirect_stdout(io.StringIO()):  # a table
        onnxslim.slim(model, out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sinter")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--alone", action="store_true", help="sinter alone")
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--bytes", action="store_true")
    parser.add_argument("--worst", type=float, default=1e-3)
    arguments = parser.parse_args()
    tools = {"sinter": by_sinter(arguments.sinter, arguments.flag)}
    if not arguments.alone:
        tools |= {"onnxsim": by_onnxsim, "onnxslim": by_onnxslim}
    columns = ["nodes", "outputs"] + ["bytes"] * arguments.bytes + ["time"] * arguments.time
    print("| net | nodes | " + " | ".join(f"{tool}: {', '.join(columns)}" for tool in tools) + " |")
    print("|---|--:|" + "---|" * len(tools))
    bad = []
    for model in arguments.models:
        name = pathlib.Path(model).stem
        try:
            feeds, outputs = run(model)
        except Exception as error:
            print(f"| {name} | does not run on what is made up: {str(error)[:80]} |", flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            cells, written = {}, {}
            for tool, simplify in tools.items():
                out = f"{folder}/{tool}.onnx"
                problem = ""
                try:
                    simplify(model, out)
                    onnx.checker.check_model(out, full_check=tool == "sinter")
                    _, theirs = run(out, feeds)
                    apart = difference(outputs, theirs)
                    cells[tool] = f"{nodes(onnx.load(out, load_external_data=False).graph)}, {'=' if apart == 0 else f'{apart:.0e}'}"
                    if arguments.bytes:
                        cells[tool] += f", {pathlib.Path(out).stat().st_size}"
                    written[tool] = out
                    if apart > arguments.worst:
                        problem = f"outputs differ by {apart}"
                except Exception as error:  # of three tools and two libraries
                    cells[tool], problem = "-", f"{type(error).__name__}: {error}"
                if problem and tool == "sinter":
                    bad.append(f"{name}: {problem}")
            before = ""
            if arguments.time:
                asked, *others = best_calls([model, *written.values()], feeds)
                before = f", {asked:.3g} ms"
                for tool, took in zip(written, others):
                    cells[tool] += f", {took / asked:.2f}"
        if arguments.bytes:
            before += f", {pathlib.Path(model).stat().st_size} bytes"
        total = nodes(onnx.load(model, load_external_data=False).graph)
        print(f"| {name} | {total}{before} | " + " | ".join(cells.values()) + " |", flush=True)
    print("\n".join(bad), file=sys.stderr)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
