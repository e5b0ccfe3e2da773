#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_empty_cases.py CASES OUT [PER_OPERATOR [JOBS]]: derives cases with dims of size 0 from the conformance cases of make_cases.py, of
# each operator the first few (default: 2), and writes them in the same layout. Of a case each size that occurs in its inputs becomes 0
# wherever it occurs, together with equal integers among the inputs, or without these, or at one dim of one input alone; operands of one
# number keep it. What onnxruntime runs, or does not implement, is a case; its results are those of ONNX's reference evaluator (onnxruntime
# leaves out beta in a Gemm that sums over nothing), or onnxruntime's. Each runs in a child, since either may crash. Cases of which one
# output has elements come with the kind "left", others with the kind "empty".
import importlib
import multiprocessing
import os
import re
import shutil
import sys

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

SMALL = 1 << 16  # elements of the largest input of a case that is worth deriving from


def tensors_of(folder, infos):
    """The first data set's inputs as arrays, or nothing where one is no tensor of numbers."""
    arrays = []
    for i, info in enumerate(infos):
        path = os.path.join(folder, "test_data_set_0", f"input_{i}.pb")
        if info.type.WhichOneof("value") != "tensor_type" or not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            proto = onnx.TensorProto.FromString(file.read())
        if proto.data_type in (onnx.TensorProto.STRING, onnx.TensorProto.UNDEFINED):
            return None
        try:
            array = numpy_helper.to_array(proto)
        except Exception:
            return None
        if array.size > SMALL or array.dtype.names or proto.data_type > onnx.TensorProto.BFLOAT16:
            return None
        arrays.append(array)
    return arrays


def shrunk(array, axes):
    """The array with no element along `axes`."""
    return array[tuple(slice(0, 0) if d in axes else slice(None) for d in range(array.ndim))]


def without(array, size, values):
    """Dims of that size without elements; with `values` also integers of that value as 0."""
    if values and array.dtype in (np.int32, np.int64) and array.ndim <= 1 and size > 1:
        array = np.where(array == size, 0, array).astype(array.dtype)
        return array
    return shrunk(array, [d for d, have in enumerate(array.shape) if have == size])


def variants(arrays):
    """name -> the arrays of a derived case."""
    made = {}
    sizes = sorted({size for array in arrays for size in array.shape if size > 0})
    for size in sizes:
        made[f"all_{size}"] = [without(a, size, False) for a in arrays]
        if any(a.dtype in (np.int32, np.int64) and a.ndim <= 1 for a in arrays):
            made[f"all_{size}_values"] = [without(a, size, True) for a in arrays]
    for i, array in enumerate(arrays):
        for d in range(array.ndim):
            if array.shape[d] > 0:
                made[f"input_{i}_{d}"] = [shrunk(a, [d]) if j == i else a for j, a in enumerate(arrays)]
    unique = {}
    for name, derived in made.items():
        if all(after.size for after in derived) or any(before.size == 1 and after.size == 0 for before, after in zip(arrays, derived)):
            continue
        key = tuple((a.shape, a.tobytes()) for a in derived)
        unique.setdefault(key, name)
    return {name: made[name] for name in unique.values()}


def model_of(model, arrays):
    """The model with the arrays' shapes, and without shapes of what is made of them."""
    derived = onnx.ModelProto()
    derived.CopyFrom(model)
    graph = derived.graph
    del graph.value_info[:]
    for info, array in zip(graph.input, arrays):
        shape = info.type.tensor_type.shape
        del shape.dim[:]
        shape.SetInParent()
        for size in array.shape:
            shape.dim.add().dim_value = size
    for info in graph.output:
        info.type.tensor_type.ClearField("shape")
    return derived


def by_onnxruntime(model, feeds):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return session.run(None, feeds)
    except Exception as problem:
        unknown = "NOT_IMPLEMENTED", "is not a registered", "not supported", "Unsupported model IR version", "under development"
        return "unknown" if any(text in str(problem) for text in unknown) else None


def by_reference(model, feeds):
    return ReferenceEvaluator(model).run(None, feeds)


def load_oracles():
    """Once, before the forks: of the reference evaluator each child would otherwise import all operators by itself, in more time than it takes to answer."""
    for module in ("onnxruntime", "onnx.reference.ops", "onnx.reference.ops.aionnx_preview", "onnx.reference.ops.aionnxml", "onnx.reference.ops.aionnx_preview_training"):
        importlib.import_module(module)


def in_child(oracle, model, feeds):
    """The oracle's results, or nothing where it refuses or dies."""
    here, there = multiprocessing.Pipe(False)
    pid = os.fork()
    if pid == 0:
        here.close()
        result = None
        try:
            with open(os.devnull, "w") as null:
                os.dup2(null.fileno(), 2)
            np.seterr(all="ignore")
            result = oracle(model, feeds)
            if result != "unknown" and not all(isinstance(value, (np.ndarray, np.generic)) for value in result):
                result = None
        except BaseException:
            pass
        try:
            there.send(result)
        finally:
            os._exit(0)
    there.close()
    try:
        result = here.recv() if here.poll(30) else None
    except (EOFError, OSError):
        result = None
    if result is None:
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            pass
    here.close()
    os.waitpid(pid, 0)
    return result


def write(path, proto):
    with open(path, "wb") as file:
        file.write(proto.SerializeToString())


def write_data_set(folder, graph, inputs, outputs):
    """The arrays as a data set of a case."""
    os.makedirs(folder)
    for kind, infos, values in (("input", graph.input, inputs), ("output", graph.output, outputs)):
        for j, (info, value) in enumerate(zip(infos, values)):
            write(os.path.join(folder, f"{kind}_{j}.pb"), numpy_helper.from_array(np.asarray(value), info.name))


def by_operator(source, kinds=("node",)):
    """Operator -> its cases (kind, name, rtol, atol) in the order of the list, without random ones and those with flags, whose inputs are no tensors; a case of
    several nodes stands for itself."""
    cases = {}
    with open(os.path.join(source, "cases.tsv"), encoding="utf-8") as file:
        for kind, name, rtol, atol, is_random, *flags in (line.rstrip("\n").split("\t") for line in file):
            if kind in kinds and is_random == "0" and not flags and "_expanded" not in name:
                nodes = onnx.load(os.path.join(source, kind, name, "model.onnx")).graph.node
                cases.setdefault(nodes[0].op_type if len(nodes) == 1 else name, []).append((kind, name, rtol, atol))
    return cases


def derive(job):
    """All cases of one case; rows for the list."""
    source, out, name, rtol, atol = job
    folder = os.path.join(source, "node", name)
    model = onnx.load(os.path.join(folder, "model.onnx"))
    arrays = tensors_of(folder, model.graph.input)
    rows = []
    if not arrays or len(arrays) != len(model.graph.input):
        return rows
    for variant, derived in variants(arrays).items():
        changed = model_of(model, derived)
        feeds = {info.name: array for info, array in zip(changed.graph.input, derived)}
        allowed = in_child(by_onnxruntime, changed, feeds)
        if not allowed:
            continue
        results = in_child(by_reference, changed, feeds) or allowed
        if isinstance(results, str) or (not isinstance(allowed, str) and [v.shape for v in allowed] != [np.shape(v) for v in results]):
            continue
        kind = "left" if any(np.asarray(value).size for value in results) else "empty"
        label = f"{re.sub('^test_', '', name)}__{variant}"
        target = os.path.join(out, kind, label)
        os.makedirs(target)
        try:
            for info, value in zip(changed.graph.output, results):
                value = np.asarray(value)
                info.type.tensor_type.elem_type = onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
                for size in value.shape:
                    info.type.tensor_type.shape.dim.add().dim_value = size
                if not value.ndim:
                    info.type.tensor_type.shape.SetInParent()
            write(os.path.join(target, "model.onnx"), changed)
            write_data_set(os.path.join(target, "test_data_set_0"), changed.graph, derived, results)
        except Exception:
            shutil.rmtree(target)
            continue
        rows.append(f"{kind}\t{label}\t{rtol}\t{atol}\t0\n")
    return rows


def main():
    source, out = sys.argv[1:3]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    jobs = int(sys.argv[4]) if len(sys.argv) > 4 else os.cpu_count()
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    work = [(source, out, name, rtol, atol) for same in by_operator(source).values() for _, name, rtol, atol in same[:most]]
    load_oracles()

    with multiprocessing.Pool(jobs) as pool:
        rows = [row for found in pool.imap_unordered(derive, work, chunksize=8) for row in found]
    with open(os.path.join(out, "cases.tsv"), "w", encoding="utf-8") as file:
        file.writelines(sorted(rows))


if __name__ == "__main__":
    main()
