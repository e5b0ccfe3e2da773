# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by `sinter verify` with SINTER_PYTHON or python3: what onnxruntime makes of the same inputs. Comparison is sinter's.
# oracle.py MODEL FOLDER: runs the data sets FOLDER/<set>/input_<i>.npy (in the order of names.json) and writes output_<i>.npy beside. Inputs
# that are state ("states": by name the number of the output) have, from the second data set on, what the one before gave. "values": names of
# values inside the model, written as value_<i>.npy where the graph has them. "forms": by name, what --input and --output made of the interface.
# "custom": operators of the user's, see custom_ops.py.
import json
import os
import sys

model, folder = sys.argv[1:3]
with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
    names = json.load(file)
try:
    import numpy as np
    import onnxruntime
    import reference
    import structures

    if names["custom"]:  # both take longer to import than most models to run
        import custom_ops
    if names["values"]:
        import onnx
except ImportError as missing:
    sys.exit(f"the Python package {missing.name} is missing; SINTER_PYTHON names a Python that has it, or give --data")

onnxruntime.set_default_logger_severity(4)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
# Reference numbers, not speed: the plainest form of the graph. Of nets of bytes the operators that onnxruntime makes of theirs, as Sinter does: how these
# round is their definition.
levels = onnxruntime.GraphOptimizationLevel
options.graph_optimization_level = levels.ORT_ENABLE_EXTENDED if reference.multiplies_bytes(model) else levels.ORT_ENABLE_BASIC
known = set()
if names["values"]:
    # A model over 2 GB is no message with its weights in it; what goes around onnxruntime's session has to have them.
    graph = onnx.load(model, load_external_data=bool(names["custom"]) or any(part["part"] == "count" for part in names["input_parts"]))
    reference.find_weights_beside(options, model)
    made = {output for node in graph.graph.node for output in node.output} - {output.name for output in graph.graph.output}
    graph.graph.output.extend(onnx.ValueInfoProto(name=name) for name in dict.fromkeys(names["values"]) if name in made)
    known = {output.name for output in graph.graph.output}
    model = graph.SerializeToString()
forms = names["forms"] or {"inputs": {}, "outputs": {}}


def is_last(shape):
    """Whether a model's channels are its last dim: only there are as few."""
    return len(shape) > 2 and shape[-1] in (1, 3, 4) and shape[1] not in (1, 3, 4)


def moved(value, layout, last, to_model):
    if not layout or (layout == "last") == last:
        return value
    return np.moveaxis(value, *((1, -1) if last == to_model else (-1, 1)))


def model_input(value, form, shape):
    """What the model takes, of what the caller gives."""
    last = is_last(shape)
    value = moved(value, form["layout"], last, True)
    axis = len(shape) - 1 if last else 1
    if form["reversed"]:
        value = np.take(value, [2, 1, 0, 3][: value.shape[axis]], axis)
    value = value.astype(np.float32)
    for key, apply in (("mean", np.subtract), ("scale", np.multiply)):
        numbers = np.array(form[key], np.float32)
        if numbers.size > 1:
            numbers = numbers.reshape([-1 if dim == axis else 1 for dim in range(len(shape))])
        if numbers.size:
            value = apply(value, numbers)
    return value


def callers_output(value, form):
    """What the caller gets, of what the model gives."""
    last = is_last(value.shape)
    axis = value.ndim - 1 if value.ndim <= 3 or last else 1
    if form["take"] == "argmax":
        return np.argmax(value, axis)
    if form["take"]:
        order = np.argsort(-value, axis, kind="stable")
        order = np.take(order, range(form["count"]), axis)
        return order if form["take"] == "indices" else np.take_along_axis(value, order, axis)
    if form["bytes"]:
        value = np.clip(np.rint(value * np.float32(form["scale"])), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(moved(value, form["layout"], last, False))


def labels_of(model, output):
    """Of an output that is a list of maps: the order that its ZipMap states, which onnxruntime's maps forget."""
    import onnx

    graph = (onnx.load(model, load_external_data=False) if isinstance(model, str) else onnx.load_model_from_string(model)).graph
    node = next(node for node in graph.node if node.op_type == "ZipMap" and output in node.output)
    return next(label for attribute in node.attribute if len(label := onnx.helper.get_attribute_value(attribute)) > 0)


def without_maps(value, output):
    """Sinter's output in place of a list of maps from known labels: their numbers, in the order of the labels."""
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return value
    labels = [label.decode() if isinstance(label, bytes) else label for label in labels_of(model, output)]
    return np.array([[row[label] for label in labels] for row in value], np.float32)


def arrays_in(data):
    arrays = [np.load(os.path.join(data, f"input_{i}.npy")) for i in range(len(names["inputs"]))]
    return [array.astype(object) if array.dtype.kind == "U" else array for array in arrays]


def session_for(sets):
    counts = [int(array) for data in sets for part, array in zip(names["input_parts"], arrays_in(data)) if part["part"] == "count"]
    if names["custom"]:
        return custom_ops.session(model, options, names["custom"])
    if counts:
        import maps

        if maps.needs_readers(names["input_parts"], counts):
            import custom_ops as around

            return around.session_around(around.loaded(model), options, maps.READERS)
    return reference.session(model, options)


data_sets = [data for entry in sorted(os.listdir(folder)) if os.path.isdir(data := os.path.join(folder, entry))]
session = session_for(data_sets)
shapes = {each.name: each.shape for each in session.get_inputs()}
sources = [forms["outputs"].get(name, {"of": name})["of"] for name in names["outputs"]]
outputs = list(dict.fromkeys(sources))
carried = {}
for data in data_sets:
    feeds = structures.values_of(names["inputs"], names["input_parts"], arrays_in(data))
    feeds = {name: model_input(value, forms["inputs"][name], shapes[name]) if name in forms["inputs"] else value for name, value in feeds.items()}
    inside = {name: i for i, name in enumerate(names["values"]) if name in known}
    values = session.run(outputs + list(inside), feeds | carried)
    known_outputs, found = {name: without_maps(value, name) for name, value in zip(outputs, values)}, values[len(outputs) :]
    values = [structures.part_of(known_outputs[source], part) for source, part in zip(sources, names["output_parts"])]
    values = [callers_output(value, forms["outputs"][name]) if name in forms["outputs"] else value for name, value in zip(names["outputs"], values)]
    carried = {name: values[i] for name, i in names["states"].items()}
    for i, value in enumerate(values):
        np.save(os.path.join(data, f"output_{i}.npy"), value.astype(str) if value.dtype == object else value)
    for i, value in zip(inside.values(), found):
        if isinstance(value, np.ndarray) and value.dtype != object:
            np.save(os.path.join(data, f"value_{i}.npy"), value)
