#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_typed_cases.py CASES OUT [EVERY [PER_OPERATOR [JOBS]]]: the conformance cases of make_cases.py with other element types. ONNX's schema of an
# operator names the types that each of its type variables may stand for; of each so manieth operator (default: all) the first few cases
# (default: 1) are written once per variable and type, in the same layout. Results are what onnxruntime or ONNX's reference evaluator (the
# oracles of ../random) say, where those that answer agree. Cases that nobody answers come with the kind "unknown" and the recorded results in
# the new type: of these it counts that the generated code compiles and stays in its memory.
import multiprocessing
import os
import shutil
import sys

import numpy as np
import onnx
from make_empty_cases import by_operator, in_child, load_oracles, tensors_of, write, write_data_set
from make_symbolic_cases import recorded_outputs
from onnx import TensorProto, defs, helper

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "random"))
from oracles import ORACLES  # noqa: E402

NAMES = "FLOAT DOUBLE FLOAT16 BFLOAT16 BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 STRING".split()
TYPES = {f"tensor({name.lower()})": getattr(TensorProto, name) for name in NAMES}
# One ten-thousandth where results are exact or nearly so; half types' own roundings where they compute step by step.
TOLERANCES = {TensorProto.FLOAT16: 4e-3, TensorProto.BFLOAT16: 3e-2}


def bound(schema, node):
    """Type variable -> the names of the node's inputs and outputs that have its type."""
    variables = {}
    for formals, names in ((schema.inputs, node.input), (schema.outputs, node.output)):
        for i, name in enumerate(names):
            formal = formals[min(i, len(formals) - 1)]
            if name and formal.is_homogeneous:
                variables.setdefault(formal.type_str, []).append(name)
    return variables


def retyped(array, element):
    """The array with elements of another type, which are as different from each other as its are."""
    dtype = helper.tensor_dtype_to_np_dtype(element)
    if element == TensorProto.STRING:
        return np.array([str(value) for value in array.ravel()], dtype=object).reshape(array.shape)
    if element == TensorProto.BOOL:
        return array > np.median(array) if array.size else array.astype(np.bool_)
    if dtype.kind in "iu" and array.dtype.kind not in "iub" and np.any(array != np.rint(array)):
        array = np.rint(array * 3)
    if dtype.kind == "u":
        array = np.abs(array)
    if dtype.kind in "iu":
        array = np.clip(array, max(np.iinfo(dtype).min, -(2**31)), min(np.iinfo(dtype).max, 2**31))
    return array.astype(dtype)


def variant(model, arrays, names, element):
    """The model and its inputs with the values of these names in another type."""
    derived = onnx.ModelProto()
    derived.CopyFrom(model)
    del derived.graph.value_info[:]
    for info in [*derived.graph.input, *derived.graph.output]:
        if info.name in names:
            info.type.tensor_type.elem_type = element
    changed = [retyped(array, element) if info.name in names else array for info, array in zip(model.graph.input, arrays)]
    return derived, changed


def answer(oracle, model, arrays):
    """What an oracle says; nothing where it has no kernel for the type, or numbers for strings."""
    results = in_child(lambda model, _: oracle(model).run(arrays), model, None)
    if not isinstance(results, list) or any(value.dtype == object and not all(isinstance(s, str) for s in value.ravel()) for value in results):
        return None
    return results


def agree(results, others, rtol):
    for result, other in zip(results, others):
        if result.shape != other.shape or result.dtype.kind != other.dtype.kind:
            return False
        if result.dtype.kind in "OU":
            if not np.array_equal(result.astype(object), other.astype(object)):
                return False
        elif not np.allclose(result.astype(np.float64), other.astype(np.float64), rtol, rtol, equal_nan=True):
            return False
    return True


def derive(job):
    """All cases of one case; rows for the list."""
    source, out, name, rtol, atol = job
    folder = os.path.join(source, "node", name)
    model = onnx.load(os.path.join(folder, "model.onnx"))
    node = model.graph.node[0]
    arrays = tensors_of(folder, model.graph.input)
    rows = []
    if any(not info.type.HasField("tensor_type") for info in model.graph.output):
        return rows
    if not arrays or len(arrays) != len(model.graph.input) or any(a.type == onnx.AttributeProto.GRAPH for a in node.attribute):
        return rows
    opset = next(opset.version for opset in model.opset_import if opset.domain == node.domain)
    schema = defs.get_schema(node.op_type, opset, node.domain)
    allowed = {constraint.type_param_str: constraint.allowed_type_strs for constraint in schema.type_constraints}
    recorded = recorded_outputs(folder, len(model.graph.output))
    inputs = {info.name: info.type.tensor_type.elem_type for info in model.graph.input}
    if node.op_type in ("Cast", "CastLike", "QuantizeLinear"):  # what others say of numbers that do not fit the type is an accident
        arrays = [np.clip(np.nan_to_num(array.astype(np.float64)), 0, 9).astype(array.dtype) for array in arrays]
    for variable, names in bound(schema, node).items():
        given = {inputs[name] for name in names if name in inputs}
        if len(given) != 1:
            continue
        for type_name in allowed.get(variable, []):
            element = TYPES.get(type_name)
            if element is None or element in given:
                continue
            derived, changed = variant(model, arrays, names, element)
            tolerance = TOLERANCES.get(element, 1e-4)
            answers = [results for oracle in ORACLES if (results := answer(oracle, derived, changed)) is not None]
            if not all(agree(other, answers[0], tolerance) for other in answers):
                continue
            kind, results = "typed", answers[0] if answers else None
            if not answers:
                kind = "unknown"
                results = [retyped(np.asarray(value), element) if info.name in names else value for info, value in zip(model.graph.output, recorded)]
            label = f"{name.removeprefix('test_')}__{variable}_{type_name[7:-1]}"
            target = os.path.join(out, kind, label)
            os.makedirs(target)
            write(os.path.join(target, "model.onnx"), derived)
            write_data_set(os.path.join(target, "test_data_set_0"), derived.graph, changed, results)
            rows.append(f"{kind}\t{label}\t{max(float(rtol), tolerance)}\t{max(float(atol), tolerance)}\t0\n")
    return rows


def main():
    source, out = sys.argv[1:3]
    every, most, jobs = [int(text) for text in sys.argv[3:]] + [1, 1, os.cpu_count()][len(sys.argv) - 3 :]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    cases = by_operator(source)
    work = [(source, out, name, rtol, atol) for operator, same in cases.items() for _, name, rtol, atol in same[:most] if name != operator]
    load_oracles()
    with multiprocessing.Pool(jobs) as pool:
        rows = [row for found in pool.imap_unordered(derive, work[::every], chunksize=2) for row in found]
    with open(os.path.join(out, "cases.tsv"), "w", encoding="utf-8") as file:
        file.writelines(sorted(rows))


if __name__ == "__main__":
    main()
