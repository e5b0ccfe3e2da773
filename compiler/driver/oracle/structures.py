# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sequences, maps and optionals: onnxruntime has lists, dicts and None, programs have parts, arrays of fixed sizes (docs/output-format.md). `parts` is a list
# of {"part", "type", "dims"}, one for each array; "" is a tensor by itself.
import numpy as np


def values_of(names, parts, arrays):
    """By name, what the arrays make."""
    found = {}
    for name, part, array in zip(names, parts, arrays):
        found.setdefault(name, {})[part["part"]] = array
    return {name: value_of(each) for name, each in found.items()}


class Map(dict):
    """A dict that knows of which type its values are, also where it has none."""

    def __init__(self, keys, values):
        super().__init__(reversed(list(zip(keys.tolist(), values.tolist()))))  # of equal keys the first counts
        self.dtype = values.dtype

    def as_type(self, dtype):
        return Map(np.array(list(self), object), np.array(list(self.values()), dtype))


def value_of(arrays):
    if not arrays.get("present", True):
        return None
    if "keys" in arrays:
        count = int(arrays["count"])
        return Map(arrays["keys"][:count], arrays["values"][:count])
    if "elements" not in arrays:
        return arrays["value"] if "value" in arrays else arrays[""]
    rows = arrays["elements"].reshape(len(arrays["elements"]), -1)
    shapes = [[size for size in row if size >= 0] for row in arrays["dims"].tolist()]
    return [rows[i][: int(np.prod(shapes[i]))].reshape(shapes[i]) for i in range(int(arrays["count"]))]


def part_of(value, part):
    """The array of one part; what holds no value is 0, and a size behind the last of an element -1."""
    kind, dims = part["part"], part["dims"]
    dtype = {"float": "float32", "double": "float64", "string": "object"}.get(part["type"], part["type"])
    if kind == "":
        return np.asarray(value)
    if kind == "present":
        return np.asarray(value is not None)
    if kind == "value":
        return np.zeros(dims, dtype) if value is None else np.asarray(value)
    elements = [] if value is None else value
    if kind == "count":
        return np.asarray(len(elements), np.int64)
    made = np.full(dims, "", object) if dtype == "object" else np.zeros(dims, dtype)
    rows = made.reshape(dims[0], -1)
    for row, element in zip(rows, elements, strict=False):
        if kind == "dims":
            row[:] = [*element.shape, *[-1] * (len(row) - element.ndim)]
        else:
            row[: element.size] = element.reshape(-1)
    return made
