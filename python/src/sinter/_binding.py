# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnxruntime's OrtValue and IOBinding: arrays that calls read and write in place."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array, as_array
from .errors import InputError

if TYPE_CHECKING:
    from .model import Model
    from .onnxruntime import InferenceSession


class OrtValue:
    """An array."""

    def __init__(self, array: Array) -> None:
        self._array = array

    @classmethod
    def ortvalue_from_numpy(cls, numpy_obj: Array, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """The array itself: nothing is copied."""
        _on_cpu(device_type)
        return cls(numpy_obj)

    @classmethod
    def ortvalue_from_shape_and_type(cls, shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """An array that nobody has written to."""
        _on_cpu(device_type)
        return cls(np.empty(shape, element_type))

    def numpy(self) -> Array:
        """The array itself."""
        return self._array

    def shape(self) -> list[int]:
        """Its sizes."""
        return list(self._array.shape)

    def data_ptr(self) -> int:
        """Where it lies."""
        return int(self._array.ctypes.data)

    def device_name(self) -> str:
        """Always the CPU's memory."""
        return "cpu"


def _on_cpu(device_type: str) -> None:
    if device_type.lower() != "cpu":
        raise InputError(f"arrays lie in the CPU's memory, not in that of '{device_type}'")


def _at(pointer: int, shape: Sequence[int], element_type: Any) -> Array:
    dtype = np.dtype(element_type)
    count = int(np.prod(shape, dtype=np.int64))
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(pointer)
    return np.frombuffer(memory, dtype, count).reshape(shape)


class IOBinding:
    """Inputs and outputs of a session's calls, bound once."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session
        self._inputs: dict[str, Any] = {}
        self._outputs: dict[str, Array | None] = {}
        self._results: list[Array] = []

    def bind_cpu_input(self, name: str, arr_on_cpu: Any) -> None:
        """An input's array."""
        self._inputs[name] = as_array(arr_on_cpu, name)

    def bind_input(self, name: str, device_type: str, device_id: int, element_type: Any, shape: Sequence[int], buffer_ptr: int) -> None:
        """The same by its address."""
        _on_cpu(device_type)
        self._inputs[name] = _at(buffer_ptr, shape, element_type)

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """The same by an OrtValue."""
        self._inputs[name] = ortvalue.numpy()

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Sequence[int] | None = None,
        buffer_ptr: int | None = None,
    ) -> None:
        """An output that is wanted, with an address or without."""
        _on_cpu(device_type)
        self._outputs[name] = None if buffer_ptr is None or shape is None else _at(buffer_ptr, shape, element_type)

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """An output that goes into an OrtValue's array."""
        self._outputs[name] = ortvalue.numpy()

    def clear_binding_inputs(self) -> None:
        """Forgets the inputs."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Forgets the outputs."""
        self._outputs.clear()

    def _run(self, model: Model) -> None:
        names = list(self._outputs) or None
        out = {name: array for name, array in self._outputs.items() if array is not None}
        self._results = list(model.run(self._inputs, names, out=out).values())

    def get_outputs(self) -> list[OrtValue]:
        """What the last call has made, in the order in which outputs were bound."""
        return list(map(OrtValue, self._results))

    def copy_outputs_to_cpu(self) -> list[Array]:
        """The same as arrays."""
        return list(self._results)
