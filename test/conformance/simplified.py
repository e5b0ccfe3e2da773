#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""simplified.py SINTER LEAST FOLDER...: simplifies each model.onnx under the folders. What comes out passes onnx.checker where the model did, and onnxruntime
makes of the case's inputs what it makes of the model: equal integers, floats within 1e-3 (steps that change roundings are on). Cases that onnxruntime cannot
run, whose inputs are no tensors, or of which it leaves something unwritten (sums over nothing) do not count; at least LEAST must."""
import collections
import ctypes
import glob
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

onnxruntime.set_default_logger_severity(4)
M_PERTURB = -6  # what mallopt calls it


def tensor(path):
    with open(path, "rb") as file:
        return numpy_helper.to_array(onnx.TensorProto.FromString(file.read()))


def run(path, folder, order, fill=0):
    """The outputs. Memory that onnxruntime gets and does not write to holds a byte made of `fill` (glibc's M_PERTURB)."""
    ctypes.CDLL(None).mallopt(M_PERTURB, fill)
    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = False
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options)
    return session.run(None, {value.name: tensor(f"{folder}/test_data_set_0/input_{order[value.name]}.pb") for value in session.get_inputs()})


def agree(a, b):
    if not isinstance(a, np.ndarray):
        return repr(a) == repr(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return np.allclose(a, b, 1e-3, 1e-5, equal_nan=True) if a.dtype.kind in "fc" else np.array_equal(a, b)


def is_valid(path):
    try:
        onnx.checker.check_model(path, full_check=True)
    except Exception:
        return False
    return True


def problem_of(sinter, path, out):
    """What is wrong, '' for nothing, None for a case that does not count."""
    folder = os.path.dirname(path)
    order = {value.name: i for i, value in enumerate(onnx.load(path).graph.input)}
    done = subprocess.run([sinter, "simplify", path, "-o", out], capture_output=True, text=True, check=False)
    try:
        expected, again = run(path, folder, order, 0x11), run(path, folder, order, 0x6E)
    except Exception:
        expected = again = None
    if done.returncode:
        return None if expected is None and done.returncode == 2 else f"status {done.returncode}: {done.stderr[-200:]}"
    if is_valid(path) and not is_valid(out):
        return "onnx.checker refuses it"
    if expected is None or not all(map(agree, expected, again)):
        return None
    try:
        return "" if all(map(agree, expected, run(out, folder, order))) else "outputs differ"
    except Exception as error:
        return f"onnxruntime refuses it: {error}"


def main():
    sinter, least, *folders = sys.argv[1:]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for path in sorted(path for folder in folders for path in glob.glob(folder + "/**/model.onnx", recursive=True)):
            problem = problem_of(sinter, path, f"{temporary}/out.onnx")
            counts["not counted" if problem is None else "bad" if problem else "good"] += 1
            if problem:
                print(f"{os.path.dirname(path)}: {problem}")
    print(dict(counts))
    sys.exit(counts["bad"] > 0 or counts["good"] < int(least))


if __name__ == "__main__":
    main()
