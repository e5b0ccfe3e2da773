# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnxruntime's OrtValue and IOBinding: arrays that calls read and write in place."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dlpack, _types
from ._arrays import Array, as_array, describe
from .errors import InputError, Problem

if TYPE_CHECKING:
    from .model import Model
    from .onnxruntime import InferenceSession


@dataclass(frozen=True)
class OrtDevice:
    """Where an array lies: in the CPU's memory."""

    kind: str = "cpu"
    id: int = 0

    @classmethod
    def make(cls, device_name: str, device_id: int = 0) -> OrtDevice:
        """The one of that name."""
        _on_cpu(device_name)
        return cls(device_name.lower(), device_id)

    def device_type(self) -> str:
        """Its name."""
        return self.kind

    def device_id(self) -> int:
        """Its number."""
        return self.id

    def device_mem_type(self) -> int:
        """The default."""
        return 0

    def device_vendor_id(self) -> int:
        """None in particular."""
        return 0


class OrtValue:
    """An array; of sequences, maps and optionals a list, a dict, or None."""

    def __init__(self, array: Any) -> None:
        self._array = array

    @classmethod
    def ortvalue_from_numpy(cls, numpy_obj: Array, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """The array itself: nothing is copied."""
        _on_cpu(device_type)
        return cls(numpy_obj)

    @classmethod
    def ortvalue_from_numpy_with_onnx_type(cls, data: Array, /, onnx_element_type: int) -> OrtValue:
        """The array's memory as numbers of a TensorProto.DataType of the same size: nothing is copied."""
        dtype = _types.dtype(onnx_element_type)
        if dtype.itemsize != data.dtype.itemsize:
            raise InputError(f"{describe(data)} does not hold {dtype}, whose elements have {dtype.itemsize} bytes")
        return cls(data.view(dtype))

    @classmethod
    def ortvalue_from_shape_and_type(cls, shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """An array that nobody has written to."""
        _on_cpu(device_type)
        return cls(np.empty(shape, _dtype(element_type)))

    @classmethod
    def from_dlpack(cls, data: Any, is_bool_tensor: bool = False) -> OrtValue:
        """The memory of another package's tensor: nothing is copied."""
        array = as_array(data, "data")
        return cls(array.view(np.bool_) if is_bool_tensor else array)

    def __dlpack__(self, **options: Any) -> Any:
        """For other packages: nothing is copied."""
        return _dlpack.capsule_of(self._array, **options)

    def __dlpack_device__(self) -> Any:
        """Where it lies."""
        return self._array.__dlpack_device__()

    def numpy(self) -> Any:
        """The array itself."""
        return self._array

    def update_inplace(self, np_arr: Array) -> None:
        """Copies the numbers of an array of the same type and shape."""
        if np_arr.dtype != self._array.dtype or np_arr.shape != self._array.shape:
            raise InputError(f"the value is {describe(self._array)}, {describe(np_arr)} was given")
        self._array[...] = np_arr

    def data_type(self) -> str:
        """As onnxruntime says it: `tensor(float)`."""
        if self.is_tensor():
            return f"tensor({_types.onnx_name_of(self._array.dtype)})"
        if self.is_tensor_sequence():
            return f"seq({OrtValue(self._array[0]).data_type() if self._array else ''})"
        return "map" if self.has_value() else "optional"

    def element_type(self) -> int:
        """TensorProto.DataType."""
        return _types.element_type_of(self._array.dtype)

    def has_value(self) -> bool:
        """False of an optional that holds nothing."""
        return self._array is not None

    def is_tensor(self) -> bool:
        """Whether it is one array."""
        return isinstance(self._array, np.ndarray)

    def is_sparse_tensor(self) -> bool:
        """Never: sparse tensors are dense where models are called."""
        return False

    def is_tensor_sequence(self) -> bool:
        """Whether it is a list of arrays."""
        return isinstance(self._array, list)

    def tensor_size_in_bytes(self) -> int:
        """Of its memory."""
        return int(self._array.nbytes)

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


def _dtype(element_type: Any) -> np.dtype[Any]:
    """Of numpy's type, or of the number of a TensorProto.DataType."""
    return _types.dtype(element_type) if isinstance(element_type, int) else np.dtype(element_type)


def _at(pointer: int, shape: Sequence[int], element_type: Any) -> Array:
    dtype = _dtype(element_type)
    if _types.packed_bits(_types.element_type_of(dtype)):
        raise InputError(Problem(f"memory by its address has no room for {dtype} as arrays hold it", hint="bind_ortvalue_input and _output take such arrays"))
    count = int(np.prod(shape, dtype=np.int64))
    if not count:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(pointer)
    return np.frombuffer(memoryview(memory), np.uint8).view(dtype).reshape(shape)


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

    def synchronize_inputs(self) -> None:
        """Means nothing here: the CPU's memory is always what was written."""

    def synchronize_outputs(self) -> None:
        """The same."""

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
