# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that calls cannot take as they are: made to fit, or refused with a message that says what was given and what is expected. The extension comes
here with all that is not an array of the right type, shape and layout (native/call.cpp)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from . import _dlpack, _types
from .errors import CallError, InputError, Problem
from .spec import Tensor

Array = np.ndarray[Any, Any]
_UNTYPED = (list, tuple, bool, int, float, complex, str, bytes)
_HINTS = {
    3: "sizes that belong together are those that the model's operators take together, such as [n] + [n]",
    4: "bound=... and text_bytes=... of sinter.compile() raise what a call may need",
    5: "index_check='clamp' of sinter.compile() takes the nearest valid index",
    6: "the model was compiled for another CPU",
}


def as_array(value: Any, name: str) -> Array:
    """A numpy array of anything that has __array__, DLPack or a buffer, or of numbers in lists."""
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.is_masked(value):
            masked = f"input '{name}': {np.count_nonzero(value.mask)} of {value.size} elements are masked, and models know no masks"
            raise InputError(Problem(masked, hint=f"{name}.filled(value) gives them a value"))
        return np.asarray(value.data)
    if isinstance(value, np.ndarray):
        return value
    try:
        if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except Exception as error:  # any package's
        if hasattr(value, "__dlpack__"):
            with contextlib.suppress(Exception):
                if (array := _dlpack.array_of(value)) is not None:
                    return array
        raise InputError(f"input '{name}': {type(value).__name__} does not become an array: {error}") from error


def by_name(inputs: Any) -> dict[str, Any]:
    """A dict of what came by name."""
    if type(inputs) is not dict and not isinstance(inputs, Mapping):  # the first is quicker
        raise InputError(Problem(f"inputs come in a dict by their names, not in a {type(inputs).__name__}", hint="such as {'x': x}"))
    return dict(inputs)


def describe(array: Array) -> str:
    """`float32[1,8]`."""
    return f"{array.dtype}[{','.join(map(str, array.shape))}]"


class Arrays:
    """Of one model's inputs and outputs."""

    def __init__(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor], dims: Mapping[str, tuple[int, int]]) -> None:
        self.inputs, self.outputs, self.dims = inputs, outputs, dims

    def fix(self, index: int, value: Any) -> tuple[Any, tuple[int, ...]]:
        """What lies in memory as the call reads it, and the shape."""
        tensor = self.inputs[index]
        array = self.typed(tensor, value)
        if tensor.element_type == _types.STRING:
            return array.reshape(-1).tolist(), array.shape
        whole = np.require(array, requirements=["C", "A"])
        if bits := _types.packed_bits(tensor.element_type):
            return _types.pack(whole, bits), array.shape
        if tensor.element_type > 15:
            return whole.reshape(-1).view(_types.raw(tensor.element_type)), array.shape
        return whole, array.shape

    def typed(self, tensor: Tensor, value: Any) -> Array:
        """An array of the tensor's type, as it lies."""
        array = as_array(value, tensor.name)
        if tensor.element_type == _types.STRING:
            if not all(isinstance(element, (str, bytes)) for element in array.reshape(-1).tolist()):
                raise InputError(f"input '{tensor.name}' is {tensor}, {describe(array)} was given: elements are str or bytes")
            return array
        expected = _types.dtype(tensor.element_type)
        if isinstance(value, _UNTYPED) and array.dtype != expected:
            array = self._numbers(tensor, array, expected)
        native = array.dtype.newbyteorder("=")
        if native != expected and not (tensor.element_type > 15 and native == _types.raw(tensor.element_type)):
            if array.dtype.kind == "O" and not isinstance(value, np.ndarray):
                raise InputError(f"input '{tensor.name}' is {tensor}, a {type(value).__name__} was given, which is no array")
            hint = f"{tensor.name}.astype({str(expected)!r}) converts it" if array.dtype.kind in "biufO" else ""
            raise InputError(Problem(f"input '{tensor.name}' is {tensor}, {describe(array)} was given: the type differs", hint=hint))
        return array if array.dtype == native else array.astype(native)

    def _numbers(self, tensor: Tensor, array: Array, expected: np.dtype[Any]) -> Array:
        """Lists and numbers of Python have no type of their own: what the type can hold is taken."""
        if not (array.dtype.kind in "iu" and expected.kind in "iuf") and not np.can_cast(array.dtype, expected, "same_kind"):
            raise InputError(f"input '{tensor.name}' is {tensor}, {describe(array)} was given: the type differs")
        with np.errstate(over="ignore", invalid="ignore"):
            converted = array.astype(expected)
        if expected.kind in "iu" and not np.array_equal(converted, array):
            raise InputError(f"input '{tensor.name}' is {tensor}: numbers outside of what {expected} holds were given")
        return converted

    def start(self, index: int, value: Any, known: Mapping[str, int]) -> tuple[Array, tuple[int, ...]]:
        """A buffer for a state, which the call updates: what was given, or zeros; and the sizes that are in use."""
        tensor = self.inputs[index]
        if value is None:
            named = enumerate(zip(tensor.shape, tensor.largest, strict=True))
            sizes = [0 if d == tensor.growing_dim else known.get(str(size), most) for d, (size, most) in named]
            value = np.zeros(sizes, _types.dtype(tensor.element_type))
        memory, shape = self.fix(index, value)
        if tensor.growing_dim < 0 or len(shape) != len(tensor.shape):
            return np.array(memory), shape
        if shape[tensor.growing_dim] > tensor.largest[tensor.growing_dim]:
            self._refuse_shape(tensor, shape, {})
        held = list(shape)
        held[tensor.growing_dim] = tensor.largest[tensor.growing_dim]
        buffer = np.zeros(held, memory.dtype)
        buffer[self._part(tensor, shape[tensor.growing_dim])] = memory.reshape(shape)
        return buffer, shape

    @staticmethod
    def _part(tensor: Tensor, rows: int) -> tuple[slice, ...]:
        return (*(slice(None) for _ in range(tensor.growing_dim)), slice(rows))

    def rows(self, index: int, buffer: Array, rows: int) -> Array:
        """Of a state that grows, what is in use."""
        used: Array = buffer[self._part(self.inputs[index], rows)]
        return used

    def place(self, index: int, out: Any, shape: tuple[int, ...]) -> Array | None:
        """The memory of an array for an output that has no buffer of the output's type to show, as those of types that numpy lacks and other packages'
        tensors; None where it does not fit."""
        element = self.outputs[index].element_type
        array = _dlpack.writable(out)
        if array is None or element == _types.STRING or array.shape != shape or not (array.flags.carray and array.flags.writeable):
            return None
        if element <= 15:
            return array if array.dtype == _types.dtype(element) else None
        return array.view(_types.raw(element)) if array.dtype in (_types.dtype(element), _types.raw(element)) else None

    def finish(self, index: int, data: Any, shape: tuple[int, ...], out: Array | None = None) -> Array:
        """The array of what a call wrote: into memory for the largest sizes, or as bits. `out`: what place() gave, to which it goes."""
        element = self.outputs[index].element_type
        count = int(np.prod(shape, dtype=np.int64))
        if element == _types.STRING:
            texts: Array = np.empty(count, object)
            texts[:] = [text.decode("utf-8", "surrogateescape") for text in data]
            return texts.reshape(shape)
        if bits := _types.packed_bits(element):
            data = _types.unpack(data, bits, count, signed=_types.numpy_name(element).startswith("int"))
        used: Array = data[:count]
        if out is not None:
            out[...] = used.reshape(shape)
            return out
        if element > 15:
            used = used.view(_types.dtype(element))
        if used.nbytes * 2 < data.nbytes:
            used = used.copy()
        made: Array = used.reshape(shape)
        return made.view(_dlpack.Exported) if element > 15 else made

    def explain(self, feeds: Mapping[str, Any], held: Mapping[str, int] | None) -> None:
        """Raises what is wrong with the inputs. `held`: sizes of the state that a session keeps; None where there is none."""
        wanted = {tensor.name: tensor for tensor in self.inputs if held is None or not tensor.is_state}
        for name in feeds:
            if name not in wanted:
                raise InputError(f"there is no input '{name}'; inputs are {', '.join(map(repr, wanted))}")
        missing = [name for name, tensor in wanted.items() if name not in feeds and not tensor.is_state]
        if missing:
            raise InputError(f"the input '{missing[0]}' is missing; it is {wanted[missing[0]]}")
        known = {name: (size, "the session's state") for name, size in (held or {}).items()}
        for name, tensor in wanted.items():
            if name in feeds and feeds[name] is not None:
                self._refuse_shape(tensor, self.fix(self.inputs.index(tensor), feeds[name])[1], known)

    def _refuse_shape(self, tensor: Tensor, shape: Sequence[int], known: dict[str, tuple[int, str]]) -> None:
        given = f"input '{tensor.name}' is {tensor}, one of [{','.join(map(str, shape))}] was given"
        if len(shape) != len(tensor.shape):
            raise InputError(f"{given}: it has {len(shape)} dims, not {len(tensor.shape)}")
        for d, (size, expected) in enumerate(zip(shape, tensor.shape, strict=True)):
            if isinstance(expected, int):
                if size != expected:
                    raise InputError(f"{given}: dim {d} is {size}, not {expected}")
                continue
            low, high = self.dims.get(str(expected), (0, tensor.largest[d]))
            if not low <= size <= high:
                raise InputError(f"{given}: dim {d}, '{expected}', is {size}, outside of {low}..{high}")
            before = known.setdefault(str(expected), (size, f"input '{tensor.name}'"))
            if before[0] != size:
                raise InputError(f"{given}: dim {d}, '{expected}', is {size}, and {before[0]} in {before[1]}")

    def explain_out(self, index: int, out: Any, shape: tuple[int, ...] | None, overlaps: bool) -> NoReturn:
        """Raises why an array cannot be written to."""
        tensor = self.outputs[index]
        if overlaps:
            raise InputError(f"output '{tensor.name}': the array overlaps an input or another output")
        if shape is None:
            raise InputError(f"output '{tensor.name}' has a size that only the call knows: it takes no array")
        if tensor.element_type == _types.STRING:
            raise InputError(f"output '{tensor.name}' is {tensor}: arrays of this type are made by the call alone")
        expected = f"output '{tensor.name}' is {_types.dtype(tensor.element_type)}[{','.join(map(str, shape))}]"
        array = _dlpack.writable(out)
        if array is None:
            raise InputError(f"{expected}, {type(out).__name__} was given: it has to be a numpy array, or a tensor that DLPack lets others write to")
        types = [_types.dtype(tensor.element_type)] + ([_types.raw(tensor.element_type)] if tensor.element_type > 15 else [])
        if array.dtype not in types or array.shape != shape:
            raise InputError(f"{expected}, {describe(array)} was given")
        if not array.flags.writeable:
            raise InputError(f"{expected}: the array is read-only")
        raise InputError(f"{expected}: the array lies with strides {array.strides}, and it has to be C-contiguous and aligned")

    def fail(self, status: int, text: str) -> NoReturn:
        """Raises what a call ended with."""
        raise CallError(Problem(f"the call ended with status {status}: {text}", hint=_HINTS.get(status, "")), status=status)
