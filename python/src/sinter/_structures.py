# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sequences, maps and optionals: lists, dicts and None here, several tensors in the C ABI (docs/output-format.md#structs)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _types
from ._arrays import Array, Arrays, describe
from .errors import InputError
from .spec import Tensor

Call = Callable[[dict[str, Any], dict[str, Any] | None], list[Any]]


class Value:
    """An input or output of the model: a tensor, or the parts of something else."""

    def __init__(self, name: str, parts: Sequence[Tensor]) -> None:
        self.name = name
        self.parts = {tensor.part: tensor for tensor in parts}

    @property
    def is_tensor(self) -> bool:
        """Whether it is a tensor by itself."""
        return "" in self.parts

    @property
    def onnx_type(self) -> str:
        """As onnxruntime says it: `tensor(float)`, `seq(tensor(float))`."""
        names = {part: _types.onnx_name(tensor.element_type) for part, tensor in self.parts.items()}
        if "keys" in names:
            return f"map({names['keys']},tensor({names['values']}))"
        held = next(f"tensor({names[part]})" for part in ("", "value", "elements") if part in names)
        held = f"seq({held})" if "elements" in names else held
        return f"optional({held})" if "present" in names else held

    def to_parts(self, value: Any, arrays: Arrays) -> dict[str, Any]:
        """Arrays by the parts' names. What holds no value is 0, and a size behind the last of an element -1."""
        made = {part: np.zeros(tensor.largest, _types.dtype(tensor.element_type)) for part, tensor in self.parts.items()}
        for part, tensor in self.parts.items():
            if tensor.element_type == _types.STRING:
                made[part][...] = ""
        if "present" in made:
            made["present"][...] = value is not None
        elif value is None:
            raise InputError(f"input '{self.name}' is no optional: None was given")
        if value is not None:
            if "value" in made:
                made["value"] = value
            elif "elements" in made:
                self._sequence(value, made, arrays)
            else:
                self._map(value, made)
        return {self.parts[part].name: array for part, array in made.items()}

    def _check_count(self, count: int, made: Mapping[str, Array], what: str) -> None:
        capacity = len(made["elements" if "elements" in made else "keys"])
        if count > capacity:
            raise InputError(f"input '{self.name}' is a {what} of at most {capacity}, one of {count} was given")

    def _sequence(self, value: Any, made: dict[str, Array], arrays: Arrays) -> None:
        if not isinstance(value, (list, tuple)):
            raise InputError(f"input '{self.name}' is a sequence: a list of arrays is expected, {type(value).__name__} was given")
        self._check_count(len(value), made, "sequence")
        tensor = self.parts["elements"]
        room = tensor.largest[1:]
        for i, element in enumerate(value):
            array = arrays.typed(tensor, element)
            fits = array.ndim == len(room) or ("dims" in made and array.ndim <= len(room))
            if not fits or any(size > most for size, most in zip(array.shape, room, strict=False)):
                raise InputError(f"input '{self.name}', element {i}: {describe(array)} was given, there is room for {list(room)}")
            made["elements"][i].reshape(-1)[: array.size] = array.reshape(-1)
            if "dims" in made:
                made["dims"][i] = -1
                made["dims"][i, : array.ndim] = array.shape
            elif array.shape != room:
                raise InputError(f"input '{self.name}', element {i}: {describe(array)} was given, not one of {list(room)}")
        made["count"][...] = len(value)

    def _map(self, value: Any, made: dict[str, Array]) -> None:
        if not isinstance(value, Mapping):
            raise InputError(f"input '{self.name}' is a map: a dict is expected, {type(value).__name__} was given")
        self._check_count(len(value), made, "map")
        try:
            made["keys"][: len(value)] = list(value)
            made["values"][: len(value)] = list(value.values())
        except (TypeError, ValueError) as error:
            kinds = f"{self.parts['keys'].dtype} to {self.parts['values'].dtype}"
            raise InputError(f"input '{self.name}' is a map of {kinds}: {error}") from error
        made["count"][...] = len(value)

    def from_parts(self, made: Mapping[str, Any]) -> Any:
        """The array, the list, or None."""
        parts = {part: made[tensor.name] for part, tensor in self.parts.items()}
        if self.is_tensor:
            return parts[""]
        if "present" in parts and not parts["present"]:
            return None
        if "value" in parts:
            return parts["value"]
        elements = parts["elements"]
        listed = []
        for i in range(int(parts["count"])):
            shape = tuple(int(size) for size in parts["dims"][i] if size >= 0) if "dims" in parts else elements.shape[1:]
            listed.append(elements[i].reshape(-1)[: int(np.prod(shape, dtype=np.int64))].reshape(shape).copy())
        return listed


def values_of(tensors: Sequence[Tensor], names: Sequence[str]) -> list[Value]:
    """Tensors that belong together, which follow each other. `names`: of tensors, as callers know them."""
    groups: dict[str, list[Tensor]] = {}
    for tensor, name in zip(tensors, names, strict=True):
        groups.setdefault(name.removesuffix(f".{tensor.part}") if tensor.part else name, []).append(tensor)
    return [Value(name, parts) for name, parts in groups.items()]


def calls_by_values(call: Call, inputs: Sequence[Value], outputs: Sequence[Value], names: Sequence[str], arrays: Arrays) -> Call:
    """A call on values, of one on tensors. `names`: of all tensors that a call makes."""
    structures = {value.name: value for value in inputs if not value.is_tensor}

    def by_values(feeds: dict[str, Any], out: dict[str, Any] | None) -> list[Any]:
        flat: dict[str, Any] = {}
        for name, given in feeds.items():
            flat |= structures[name].to_parts(given, arrays) if name in structures else {name: given}
        for name in structures:
            if name not in feeds and not any(tensor.name in feeds for tensor in structures[name].parts.values()):
                raise InputError(f"the input '{name}' is missing")
        made = dict(zip(names, call(flat, out), strict=True))
        return [value.from_parts(made) if not value.is_tensor else made[value.name] for value in outputs]

    return by_values


def with_maps(made: Mapping[str, Any], labels: Mapping[str, Sequence[int | str]]) -> dict[str, Any]:
    """Outputs of which those with labels are the lists of maps that the model states."""
    return {
        name: [dict(zip(labels[name], row, strict=True)) for row in np.atleast_2d(value).tolist()] if name in labels else value for name, value in made.items()
    }


def onnx_type_of_maps(labels: Sequence[int | str]) -> str:
    """As onnxruntime says the type of such an output."""
    return f"seq(map({'string' if isinstance(labels[0], str) else 'int64'},tensor(float)))"


def sizes_of_structure(name: str, value: Any) -> dict[str, Any]:
    """Sizes by place (`dims` of compile) for a sequence, map or optional like this one."""
    if value is not None and not isinstance(value, (list, tuple, Mapping)):
        return {f"{name}:{d}": size for d, size in enumerate(np.shape(value))}
    sizes: dict[str, Any] = {f"{name}:count": (0, max(len(value or ()), 1))}
    shapes = [np.shape(element) for element in value] if isinstance(value, (list, tuple)) else []
    if shapes and len({len(shape) for shape in shapes}) == 1:
        sizes[f"{name}:rank"] = len(shapes[0])
        sizes |= {f"{name}:{d}": (min(along), max(along)) for d, along in enumerate(zip(*shapes, strict=True))}
    return sizes
