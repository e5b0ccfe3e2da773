# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of types that numpy lacks, bfloat16 and floats of 8 bits, which numpy's own from_dlpack and __dlpack__ refuse: other packages' as arrays, and
arrays for other packages. Nothing is copied."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

import numpy as np

from . import _types

_CPU, _READ_ONLY = 1, 1
_ELEMENTS = {(4, 16): 16, (10, 8): 17, (11, 8): 18, (12, 8): 19, (13, 8): 20, (14, 8): 24}
"""TensorProto.DataType by DLPack's code and bits."""
_CODES = {element: code for (code, _), element in _ELEMENTS.items()}


class _Tensor(ctypes.Structure):
    """DLTensor, with which a DLManagedTensor begins."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]  # fmt: skip


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _tensor_in(capsule: Any) -> tuple[_Tensor, bool]:
    """Of a capsule of either form; and whether it says that its memory may be written to, as only the newer form does."""
    if "dltensor_versioned" in repr(capsule):
        managed = _Versioned.from_address(_pointer_of(capsule, b"dltensor_versioned"))
        tensor: _Tensor = managed.tensor
        return tensor, not managed.flags & _READ_ONLY
    return _Tensor.from_address(_pointer_of(capsule, b"dltensor")), False


def array_of(value: Any) -> np.ndarray[Any, Any] | None:
    """An array of the tensor's memory, in ml_dtypes' type or its bits; None where it is of no such type, or does not lie in the CPU's memory."""
    if value.__dlpack_device__()[0] != _CPU:
        return None
    try:
        capsule = value.__dlpack__(max_version=(1, 0))
    except (TypeError, BufferError):  # of those that know the older form alone
        capsule = value.__dlpack__()
    tensor, is_writable = _tensor_in(capsule)
    element = _ELEMENTS.get((tensor.code, tensor.bits))
    if element is None or tensor.lanes != 1:
        return None
    raw = _types.raw(element)
    shape = tuple(tensor.shape[d] for d in range(tensor.ndim))
    if 0 in shape:
        return np.empty(shape, _types.dtype(element))
    if tensor.strides:
        strides = tuple(tensor.strides[d] * raw.itemsize for d in range(tensor.ndim))
    else:
        strides = tuple(int(np.prod(shape[d + 1 :], dtype=np.int64)) * raw.itemsize for d in range(tensor.ndim))
    extent = raw.itemsize + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    memory = (ctypes.c_char * extent).from_address(tensor.data + tensor.byte_offset)
    memory.capsule = capsule  # the tensor lives as long as the array
    array = np.ndarray(shape, raw, memory, 0, strides).view(_types.dtype(element))
    array.flags.writeable = is_writable
    return array


def writable(value: Any) -> np.ndarray[Any, Any] | None:
    """The memory of an array or of another package's tensor, to write to; None where it is neither, or does not say that it may be."""
    if isinstance(value, np.ndarray):
        return None if isinstance(value, np.ma.MaskedArray) else value
    with contextlib.suppress(Exception):  # any package's
        return np.from_dlpack(value)
    with contextlib.suppress(Exception):
        return array_of(value)
    return None


def capsule_of(array: np.ndarray[Any, Any], **options: Any) -> Any:
    """`array.__dlpack__(**options)`, of types that numpy lacks, too."""
    element = _types.element_type_of(array.dtype)
    if element <= 15:
        return np.asarray(array).__dlpack__(**options)
    if element not in _CODES:
        raise BufferError(f"packages differ in how a tensor of {array.dtype} lies in memory; .astype('int8') or .astype('float32') makes one that all know")
    capsule = np.asarray(array).view(_types.raw(element)).__dlpack__(**options)
    _tensor_in(capsule)[0].code = _CODES[element]
    return capsule


class Exported(np.ndarray[Any, Any]):
    """An array of a type that numpy does not give to other packages by itself."""

    def __dlpack__(self, **options: Any) -> Any:
        """For other packages: nothing is copied."""
        return capsule_of(self, **options)
