#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_symbolic_cases.py CASES OUT [EVERY [PER_OPERATOR [JOBS]]]: derives cases with symbolic dims from the conformance cases of make_cases.py,
# of each operator (of each so manieth) the first few (default: 1), and writes them in the same layout with a column more: the flags with the dims' bounds. Of a
# case each size becomes a symbol wherever it occurs among the inputs, or at one dim of a single input; its bounds are the least and the largest size
# that oracles run the model at, among 0 and some around the size that was. Data sets are at both bounds, at the size that was and at one
# drawn between them; sinter-conformance --sanitize also calls the program with sizes just outside. Oracles are onnxruntime and ONNX's
# reference evaluator, those of them that give what is recorded at the size that was: a size is one that all of them take and agree on,
# since either alone takes operands that do not fit each other.
import functools
import multiprocessing
import os
import random
import shutil
import sys

import numpy as np
import onnx
from make_empty_cases import by_onnxruntime, by_operator, by_reference, in_child, load_oracles, tensors_of, write, write_data_set
from onnx import numpy_helper

MOST = 3  # variants of a case


def places(arrays):
    """name -> the dims [(input, axis)] that have one symbol. Operands of one number keep it: onnxruntime takes the first of several."""
    all_dims = [(i, d, size) for i, array in enumerate(arrays) if array.size > 1 for d, size in enumerate(array.shape)]
    made = {}
    for size in sorted({size for _, _, size in all_dims}):
        made[f"all_{size}"] = [(i, d) for i, d, have in all_dims if have == size]
    if len(arrays) == 1:  # sizes of several operands belong together, which oracles do not always insist on
        made.update({f"input_{i}_{d}": [(i, d)] for i, d, _ in all_dims})
    return made


def resized(arrays, dims, size):
    """The arrays with so many elements along these dims, whose contents repeat."""
    changed = list(arrays)
    for i, d in dims:
        changed[i] = np.take(changed[i], range(size), axis=d, mode="wrap")
    return changed


def model_at(model, arrays, symbol=None, dims=()):
    """The model with the arrays' shapes, `dims` as a symbol, and without shapes of what is made of them."""
    derived = onnx.ModelProto()
    derived.CopyFrom(model)
    del derived.graph.value_info[:]
    for i, (info, array) in enumerate(zip(derived.graph.input, arrays)):
        shape = info.type.tensor_type.shape
        del shape.dim[:]
        shape.SetInParent()
        for d, size in enumerate(array.shape):
            if symbol and (i, d) in dims:
                shape.dim.add().dim_param = symbol
            else:
                shape.dim.add().dim_value = size
    for info in derived.graph.output:
        info.type.tensor_type.ClearField("shape")
    return derived


def are_close(results, others, rtol, atol):
    try:
        for result, other in zip(results, others, strict=True):
            result, other = np.asarray(result), np.asarray(other)
            if result.shape != other.shape or result.dtype != other.dtype:
                return False
            np.testing.assert_allclose(result.astype(np.float64), other.astype(np.float64), rtol=rtol, atol=atol)
    except Exception:
        return False
    return True


def recorded_outputs(folder, count):
    outputs = []
    for i in range(count):
        with open(os.path.join(folder, "test_data_set_0", f"output_{i}.pb"), "rb") as file:
            outputs.append(numpy_helper.to_array(onnx.TensorProto.FromString(file.read())))
    return outputs


def answer(oracle, model, arrays):
    """What an oracle computes at these arrays' sizes; nothing where it refuses."""
    at = model_at(model, arrays)
    results = in_child(oracle, at, {info.name: array for info, array in zip(at.graph.input, arrays)})
    return None if isinstance(results, str) else results


def derive(job):
    """All cases of one case; rows for the list."""
    source, out, kind, name, rtol, atol = job
    folder = os.path.join(source, kind, name)
    model = onnx.load(os.path.join(folder, "model.onnx"))
    arrays = tensors_of(folder, model.graph.input)
    rows = []
    if not arrays or len(arrays) != len(model.graph.input):
        return rows
    close = functools.partial(are_close, rtol=float(rtol), atol=float(atol))
    try:
        recorded = recorded_outputs(folder, len(model.graph.output))
    except Exception:
        return rows
    oracles = [oracle for oracle in (by_onnxruntime, by_reference) if close(answer(oracle, model, arrays) or [], recorded)]

    def results_at(inputs):
        """What all oracles that know the case say; nothing where one refuses or another says something else."""
        answers = [answer(oracle, model, inputs) for oracle in oracles]
        return answers[0] if all(answers) and all(close(other, answers[0]) for other in answers) else None

    if not oracles:
        return rows
    draw = random.Random(name)
    seen = set()
    for variant, dims in places(arrays).items():
        size = arrays[dims[0][0]].shape[dims[0][1]]
        if tuple(dims) in seen or len(rows) == MOST:
            continue
        seen.add(tuple(dims))
        runs = {size: recorded}
        for other in {0, max(size - 1, 1), draw.randint(1, size), size + 1, size + draw.randint(2, 5)} - {size}:
            if results := results_at(resized(arrays, dims, other)):
                runs[other] = results
        if len(runs) < 3:
            continue  # no size of this dim is as good as another
        least, most = min(runs), max(runs)
        between = draw.randint(least, most)
        if between not in runs and (results := results_at(resized(arrays, dims, between))):
            runs[between] = results
        label = f"{name.removeprefix('test_')}__{variant}"
        target = os.path.join(out, "symbolic", label)
        try:
            os.makedirs(target)
            write(os.path.join(target, "model.onnx"), model_at(model, arrays, "s", dims))
            for number, (at, results) in enumerate(sorted(runs.items())):
                write_data_set(os.path.join(target, f"test_data_set_{number}"), model.graph, resized(arrays, dims, at), results)
        except Exception:
            shutil.rmtree(target, ignore_errors=True)
            continue
        rows.append(f"symbolic\t{label}\t{rtol}\t{atol}\t0\t--dim=s={least}..{most}\n")
    return rows


def main():
    source, out = sys.argv[1:3]
    every, most, jobs = [int(text) for text in sys.argv[3:]] + [1, 1, os.cpu_count()][len(sys.argv) - 3 :]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    cases = by_operator(source, ("node", "simple")).values()
    work = [(source, out, *case) for same in cases for case in same[:most]][::every]
    load_oracles()

    with multiprocessing.Pool(jobs) as pool:
        rows = [row for found in pool.imap_unordered(derive, work, chunksize=4) for row in found]
    with open(os.path.join(out, "cases.tsv"), "w", encoding="utf-8") as file:
        file.writelines(sorted(rows))


if __name__ == "__main__":
    main()
