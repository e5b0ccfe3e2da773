# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX's element types and numpy's. Those that numpy lacks come from the package ml_dtypes where it is there; without it, arrays hold their bits."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

STRING = 8
# TensorProto.DataType: ONNX's name (as `tensor(NAME)` has it), numpy's, bits of those that arrays of bytes hold.
_NUMPY = {
    1: ("float", "float32"), 2: ("uint8", "uint8"), 3: ("int8", "int8"), 4: ("uint16", "uint16"), 5: ("int16", "int16"), 6: ("int32", "int32"),
    7: ("int64", "int64"), 8: ("string", "object"), 9: ("bool", "bool"), 10: ("float16", "float16"), 11: ("double", "float64"),
    12: ("uint32", "uint32"), 13: ("uint64", "uint64"), 14: ("complex64", "complex64"), 15: ("complex128", "complex128"),
}  # fmt: skip
_MORE = {
    16: ("bfloat16", "bfloat16", 16), 17: ("float8e4m3fn", "float8_e4m3fn", 8), 18: ("float8e4m3fnuz", "float8_e4m3fnuz", 8),
    19: ("float8e5m2", "float8_e5m2", 8), 20: ("float8e5m2fnuz", "float8_e5m2fnuz", 8), 21: ("uint4", "uint4", 4), 22: ("int4", "int4", 4),
    23: ("float4e2m1", "float4_e2m1fn", 4), 24: ("float8e8m0", "float8_e8m0fnu", 8), 25: ("uint2", "uint2", 2), 26: ("int2", "int2", 2),
    27: ("float6e2m3", "float6_e2m3fn", 8), 28: ("float6e3m2", "float6_e3m2fn", 8),
}  # fmt: skip


def onnx_name(element: int) -> str:
    """As in `tensor(float)`."""
    return (_NUMPY.get(element) or _MORE[element])[0]


def numpy_name(element: int) -> str:
    """As users of numpy know it."""
    return (_NUMPY.get(element) or _MORE[element])[1]


def element_type_of(numpy_type: np.dtype[Any]) -> int:
    """TensorProto.DataType of arrays of this type; of objects and texts the one of strings."""
    name = "object" if numpy_type.kind in "SU" else str(numpy_type)
    known = ((element, numpy_name(element)) for element in (*_NUMPY, *_MORE))
    return next((element for element, other in known if other == name), 0)


def onnx_name_of(numpy_type: np.dtype[Any]) -> str:
    """The same by its name."""
    element = element_type_of(numpy_type)
    return onnx_name(element) if element else str(numpy_type)


def packed_bits(element: int) -> int:
    """Of types smaller than a byte, which the ABI has several to a byte; else 0."""
    return _MORE[element][2] % 8 if element in _MORE and _MORE[element][2] < 8 else 0


def raw(element: int) -> np.dtype[Any]:
    """What holds the bits of one element."""
    return np.dtype(np.uint16 if _MORE[element][2] == 16 else np.uint8)


def dtype(element: int) -> np.dtype[Any]:
    """Of arrays of that type."""
    if element in _NUMPY:
        return np.dtype(_NUMPY[element][1])
    try:
        named: np.dtype[Any] = np.dtype(getattr(importlib.import_module("ml_dtypes"), _MORE[element][1]))
        return named
    except (ImportError, AttributeError):
        return raw(element)


def pack(elements: np.ndarray[Any, Any], bits: int) -> np.ndarray[Any, Any]:
    """Low bits of each byte, the first elements lowest."""
    per_byte = 8 // bits
    flat = elements.reshape(-1).view(np.uint8) & ((1 << bits) - 1)
    padded = np.zeros(-(-flat.size // per_byte) * per_byte, np.uint8)
    padded[: flat.size] = flat
    shifts = np.arange(per_byte, dtype=np.uint8) * np.uint8(bits)
    packed: np.ndarray[Any, Any] = np.bitwise_or.reduce(padded.reshape(-1, per_byte) << shifts, axis=1).astype(np.uint8)
    return packed


def unpack(data: np.ndarray[Any, Any], bits: int, count: int, signed: bool) -> np.ndarray[Any, Any]:
    """A byte each; those of signed types with the sign in all bits."""
    shifts = np.arange(8 // bits, dtype=np.uint8) * np.uint8(bits)
    flat: np.ndarray[Any, Any] = ((data[:, None] >> shifts) & np.uint8((1 << bits) - 1)).reshape(-1)[:count]
    if signed:
        shift = np.int8(8 - bits)
        flat = ((flat.view(np.int8) << shift) >> shift).view(np.uint8)
    return flat
