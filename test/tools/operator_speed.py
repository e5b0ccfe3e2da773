#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# operator_speed.py --sinter PROGRAM [--above 1.1] [--keep FOLDER] [PATTERN] [-- FLAG...]: models of one operator and of a few (operator_cases), called
# alternately with onnxruntime on the same memory in this process. What takes more than --above of onnxruntime's time, or gives other results, is printed when
# it is found and at the end, worst first. PATTERN is a regular expression on a model's line; FLAGs go to the compiler. What scripts/benchmark --operators runs.
import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings

sys.dont_write_bytecode = True
warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402
import onnxruntime as ort  # noqa: E402
from operator_cases import all_cases  # noqa: E402
from operator_cases.case import Case  # noqa: E402

ort.set_default_logger_severity(4)
ALIGN, SPARE_DIMS = 64, 32
LEAST_SECONDS = 1e-6  # what calls take above those of one element; less is noise
TOLERANCES = {"float16": 3e-2, "float32": 2e-3, "float64": 1e-5}
clock = time.perf_counter


def aligned(array, room=0):
    """A copy that begins where vectors like it."""
    memory = np.zeros(array.nbytes + room + ALIGN, np.uint8)
    begin = -memory.ctypes.data % ALIGN
    copy = memory[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


class Onnxruntime:
    def __init__(self, model, inputs):
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.results = [aligned(result) for result in self.session.run(None, inputs)]
        self.binding = self.session.io_binding()
        for name, value in inputs.items():
            self.binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(value))
        for output, result in zip(self.session.get_outputs(), self.results):
            self.binding.bind_ortvalue_output(output.name, ort.OrtValue.ortvalue_from_numpy(result))

    def __call__(self):
        self.session.run_with_iobinding(self.binding)


class Sinter:
    """The C ABI without the header: pointers and 64-bit numbers, as docs/output-format.md lays them out."""

    def __init__(self, program, case, model, folder, flags, inputs, results):
        path = os.path.join(folder, "model.onnx")
        with open(path, "wb") as file:
            file.write(model)
        dims = [f for symbol, size in case.dims.items() for f in ("--dim", f"{symbol}=1..{2 * size}")]
        library = os.path.join(tempfile.mkdtemp(dir=folder), "libm.so")  # the loader knows libraries by their path
        command = [program, path, "-o", library, "--prefix", "m", *dims, *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = done.stderr.strip().splitlines() or ["no words"]
            raise RuntimeError(next((line for line in said if "error" in line), said[-1]))
        with open(os.path.join(os.path.dirname(library), "m_report.json"), encoding="utf-8") as file:
            report = json.load(file)
        arena = aligned(np.zeros(report["ram"]["arena"] + ALIGN, np.uint8))
        self.results = [aligned(np.zeros_like(result), result.nbytes) for result in results]
        sizes = [case.dims[dim["name"]] for dim in report["dims"] if dim["name"] in case.dims]
        given = np.array([value.ctypes.data for value in inputs.values()] + sizes + [0] * SPARE_DIMS, np.int64)
        wanted = np.array([result.ctypes.data for result in self.results] + [0] * SPARE_DIMS, np.int64)
        env = np.array([8 * 8, arena.ctypes.data, arena.nbytes, 0, 0, 0, 0, 0], np.int64)
        self.keep = (arena, given, wanted, env)
        self.function = ctypes.CDLL(library).m_run_with
        self.arguments = [ctypes.c_void_p(array.ctypes.data) for array in self.keep[1:]]

    def __call__(self):
        if status := self.function(*self.arguments):
            raise RuntimeError(f"a call ended with status {status}")


def differs(ours, theirs):
    for one, other in zip(ours, theirs):
        if one.dtype.kind != "f":
            if not np.array_equal(one, other):
                return True
            continue
        tolerance = TOLERANCES[one.dtype.name]
        one, other = one.astype(np.float64), other.astype(np.float64)
        finite = other[np.isfinite(other)]
        room = tolerance * (np.abs(finite).max() if finite.size else 1)
        if not np.allclose(one, other, rtol=tolerance, atol=room, equal_nan=True):
            return True
    return False


def least(calls, seconds):
    """The least time of each, in runs of some tens of microseconds that alternate."""
    repeats = []
    for call in calls:
        call()
        start = clock()
        call()
        repeats.append(max(1, min(100, int(50e-6 / (clock() - start + 1e-9)))))
    times, begin = [1e9] * len(calls), clock()
    while clock() - begin < seconds * len(calls):
        for i, call in enumerate(calls):
            start = clock()
            for _ in range(repeats[i]):
                call()
            times[i] = min(times[i], (clock() - start) / repeats[i])
    return times


def measured(case, options, flags, folder):
    """Seconds of Sinter and of onnxruntime, whether results differ; None where onnxruntime lacks the operator."""
    model = case.model().SerializeToString()
    inputs = {name: aligned(array) for name, array in case.inputs.items()}
    try:
        theirs = Onnxruntime(model, inputs)
    except Exception as problem:  # whatever onnxruntime thinks of the model
        return None, str(problem).splitlines()[0]
    ours = Sinter(options.sinter, case, model, folder, flags, inputs, theirs.results)
    ours()
    theirs()
    unequal = differs(ours.results, theirs.results)
    return least([ours, theirs], options.seconds), unequal


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", default="build/bin/sinter")
    parser.add_argument("--seconds", type=float, default=0.05, help="of each program on each model")
    parser.add_argument("--above", type=float, default=1.1)
    parser.add_argument("--keep", help="folder for the models that are slow or differ")
    parser.add_argument("--list", action="store_true", help="only say which models there are")
    parser.add_argument("--all", action="store_true", help="print a line for each model")
    parser.add_argument("pattern", nargs="?", default="")
    own = sys.argv[1:]
    flags = own[own.index("--") + 1 :] if "--" in own else []
    return parser.parse_args(own[: own.index("--")] if "--" in own else own), flags


def main():
    options, flags = arguments()
    options.sinter = os.path.abspath(options.sinter)
    chosen = [case for case in all_cases() if re.search(options.pattern, case.name)]
    if options.list:
        print(*(case.name for case in chosen), sep="\n")
        return
    ratios, slow, lacking, unequal, failed = [], [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        own, other = measured(Case("y = Neg(x)", x="float[1]"), options, flags, folder)[0]
        print(f"a call of one element: {own * 1e6:.2f} us, onnxruntime {ort.__version__} {other * 1e6:.2f} us; subtracted below", flush=True)
        for case in chosen:
            try:
                times, other_results = measured(case, options, flags, folder)
            except Exception as problem:
                failed += 1
                print(f"# {case.name}: {problem}", flush=True)
                continue
            if times is None:
                lacking += 1
                if options.all:
                    print(f"# {case.name}: {other_results}", flush=True)
                continue
            net = [max(seconds - call, LEAST_SECONDS) for seconds, call in zip(times, (own, other))]
            ratio = net[0] / net[1]
            line = f"{ratio:5.2f}  {net[0] * 1e6:8.1f} us  {case.name}" + ("  RESULTS DIFFER" if other_results else "")
            ratios.append(ratio)
            unequal += other_results
            if ratio > options.above:
                slow.append((ratio, line))
            if ratio > options.above or other_results or options.all:
                print(line, flush=True)
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    name = re.sub(r"\W+", "_", case.name)[:100]
                    os.replace(os.path.join(folder, "model.onnx"), os.path.join(options.keep, f"{name}.onnx"))
    print(f"\nabove {options.above}, worst first:", *(line for _, line in sorted(slow, reverse=True)), sep="\n")
    mean = float(np.exp(np.mean(np.log(ratios)))) if ratios else 0
    print(
        f"{len(ratios)} models measured, geometric mean {mean:.2f}, {len(slow)} above {options.above}; results differ in {unequal}, "
        f"{failed} failed, {lacking} that onnxruntime does not run"
    )


if __name__ == "__main__":
    main()
