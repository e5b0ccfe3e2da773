# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by `sinter bisect`: plays a Loop or a Scan, whose body is a model of its own, turn by turn.
# turns.py MODEL FOLDER: FOLDER/job.json says what to do, start_<i>.npy are the node's inputs ("present": which there are), captured_<i>.npy what the
# body reads around it. For each turn FOLDER/set_<1000 + turn>/input_<i>.npy are the body's inputs and output_<i>.npy what nodes of it make.
import json
import os
import sys

model, folder = sys.argv[1:3]
with open(os.path.join(folder, "job.json"), encoding="utf-8") as file:
    job = json.load(file)
try:
    import numpy as np
    import onnx
    import onnxruntime
    import reference

    if job["custom"]:
        import custom_ops
except ImportError as missing:
    sys.exit(f"the Python package {missing.name} is missing; SINTER_PYTHON names a Python that has it")

onnxruntime.set_default_logger_severity(4)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
session = custom_ops.session(model, options, job["custom"]) if job["custom"] else reference.session(model, options)
ranks = {each.name: len(each.shape) for each in session.get_inputs()}


def load(kind, i):
    array = np.load(os.path.join(folder, f"{kind}_{i}.npy"))
    return array.astype(object) if array.dtype.kind == "U" else array


start = [load("start", i) if present else None for i, present in enumerate(job["present"])]
captured = {name: load("captured", i) for i, name in enumerate(job["captured"])}
graph = onnx.load(model, load_external_data=False).graph
constants = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer if tensor.name in job["outputs"]}
made = {output for node in graph.node for output in node.output}


def turn(number, own):
    """The body's outputs, all of them. Those that no node makes are what is given."""
    place = os.path.join(folder, f"set_{1000 + number}")
    os.makedirs(place)
    feeds = dict(zip(job["inputs"], own)) | captured
    names = [name for name in job["outputs"] if name in made]
    found = dict(zip(names, session.run(names, {name: value for name, value in feeds.items() if name in ranks})))
    for i, value in enumerate(own):
        np.save(os.path.join(place, f"input_{i}.npy"), value.astype(str) if value.dtype == object else value)
    for i, name in enumerate(names):
        value = found[name]
        np.save(os.path.join(place, f"output_{i}.npy"), value.astype(str) if value.dtype == object else value)
    return [next(values[name] for values in (found, feeds, constants) if name in values) for name in job["outputs"]]


def as_body_has(name, value):
    return value.reshape([1] * ranks.get(name, 0))


def play_loop():
    limit = int(start[0].item()) if start[0] is not None else job["most"]
    goes_on, carried = start[1] is None or bool(start[1].item()), start[2:]
    for number in range(min(limit, job["most"])):
        if not goes_on:
            break
        counter, condition = job["inputs"][:2]
        own = [as_body_has(counter, np.array(number, np.int64)), as_body_has(condition, np.array(True)), *carried]
        outputs = turn(number, own)
        goes_on, carried = bool(outputs[0].item()), outputs[1 : 1 + len(carried)]


def play_scan():
    carried, scanned = start[: len(start) - job["scans"]], start[len(start) - job["scans"] :]
    axes, backwards = job["axes"] or [0] * job["scans"], job["backwards"] or [0] * job["scans"]
    length = scanned[0].shape[axes[0]]
    for number in range(min(length, job["most"])):
        slices = [np.take(each, length - 1 - number if back else number, axis) for each, axis, back in zip(scanned, axes, backwards)]
        carried = turn(number, [*carried, *slices])[: len(carried)]


play_loop() if job["kind"] == "Loop" else play_scan()
