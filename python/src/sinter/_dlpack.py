# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other packages' tensors of types that numpy lacks, which numpy's own from_dlpack refuses: bfloat16 and floats of 8 bits. Nothing is copied."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _types

_CPU = 1
_ELEMENTS = {(4, 16): 16, (10, 8): 17, (11, 8): 18, (12, 8): 19, (13, 8): 20, (14, 8): 24}
"""TensorProto.DataType by DLPack's code and bits."""


class _Tensor(ctypes.Structure):
    """DLTensor, with which a DLManagedTensor begins."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def array_of(value: Any) -> np.ndarray[Any, Any] | None:
    """An array of the tensor's memory, in ml_dtypes' type or its bits; None where it is of no such type, or does not lie in the CPU's memory."""
    if value.__dlpack_device__()[0] != _CPU:
        return None
    capsule = value.__dlpack__()
    tensor = _Tensor.from_address(_pointer_of(capsule, b"dltensor"))
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
    return np.ndarray(shape, raw, memory, 0, strides).view(_types.dtype(element))
