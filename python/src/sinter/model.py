# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled model: called, asked what it needs, saved. Sessions keep its state."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from . import _native, _types
from ._arrays import Array, Arrays, by_name
from ._cache import Entry
from ._structures import Call, Value, calls_by_values, values_of
from .errors import CacheError, InputError, Problem, UsageError
from .results import Result
from .spec import Tensor


class Outputs(tuple[Array, ...]):
    """Several outputs, by place and by name."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, names: tuple[str, ...], arrays: Sequence[Array]) -> Outputs:
        """The arrays of outputs with these names."""
        made = cls(arrays)
        made.names = names
        return made

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.names.index(key) if isinstance(key, str) else key)

    def __getattr__(self, name: str) -> Array:
        if not name.startswith("__") and name in self.names:
            found: Array = self[name]
            return found
        raise AttributeError(name)

    def items(self) -> Iterator[tuple[str, Array]]:
        """Names and arrays."""
        return zip(self.names, self, strict=True)

    def __repr__(self) -> str:
        return "Outputs(" + ", ".join(f"{name}={array!r}" for name, array in self.items()) + ")"


class _Callable:
    """What models and sessions share: calls by keyword, place, and name."""

    _call: Call
    output_names: tuple[str, ...]
    _fed: tuple[str, ...]
    """Names of the inputs that calls take, by place."""
    _made: frozenset[str]
    """Names of the outputs."""
    _values: tuple[list[Value], list[Value]]
    """Inputs and outputs."""

    def _bind(self, call: Call, inputs: Sequence[Tensor], outputs: Sequence[Tensor], arrays: Arrays) -> None:
        """`call` takes and makes these tensors."""
        fed = values_of(inputs, [tensor.name for tensor in inputs])
        names = [tensor.state_output or tensor.name for tensor in outputs]
        made = values_of(outputs, names)
        is_plain = all(value.is_tensor for value in (*fed, *made))
        self._call = call if is_plain else calls_by_values(call, fed, made, names, arrays)
        self._values = fed, made
        self._fed = tuple(value.name for value in fed)
        self.output_names = tuple(value.name for value in made)
        self._made = frozenset(self.output_names)

    def __reduce__(self) -> NoReturn:
        """Compiled code belongs to the process that loaded it."""
        hint = "sinter.compile() in the other process finds it in the cache"
        raise UsageError(Problem(f"the {type(self).__name__.lower()} is not copied and not sent to other processes", hint=hint))

    def __call__(self, /, *arrays: Any, **inputs: Any) -> Any:
        """Calls the model: `m(audio=x)`, or by place, `m(x)`. The output's array; of several outputs `Outputs`."""
        if arrays:
            inputs = {self._fed[0]: arrays[0]} if len(arrays) == len(self._fed) == 1 and not inputs else self._by_place(arrays, inputs)
        made = self._call(inputs, None)
        return made[0] if len(made) == 1 else Outputs.of(self.output_names, made)

    def _by_place(self, arrays: tuple[Any, ...], inputs: dict[str, Any]) -> dict[str, Any]:
        names = self._fed
        if len(arrays) > len(names):
            raise InputError(f"{len(arrays)} inputs were given; there are {', '.join(map(repr, names))}")
        placed = dict(zip(names, arrays, strict=False))
        if twice := placed.keys() & inputs.keys():
            raise InputError(f"the input '{min(twice)}' was given twice")
        return placed | inputs

    def run(self, inputs: Mapping[str, Any], outputs: Sequence[str] | None = None, *, out: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Calls the model with inputs by name. All outputs by name, or those that `outputs` names.

        `out` has arrays or other packages' tensors (DLPack) that outputs are to be written to. They have to be C-contiguous, of the output's type and size."""
        if outputs is None and type(inputs) is dict and (out is None or (type(out) is dict and out.keys() <= self._made)):  # quicker than what follows
            return self._by_name(inputs, out)
        if isinstance(outputs, str):
            raise InputError(Problem(f"outputs come as a list of names, not as '{outputs}'", hint=f"[{outputs!r}]"))
        if unknown := [name for name in (*(outputs or ()), *(out or ())) if name not in self.output_names]:
            raise InputError(f"there is no output '{unknown[0]}'; outputs are {', '.join(map(repr, self.output_names))}")
        made = self._by_name(by_name(inputs), dict(out) if out else None)
        return made if outputs is None else {name: made[name] for name in outputs}

    def _by_name(self, inputs: dict[str, Any], out: dict[str, Any] | None) -> dict[str, Any]:
        made = self._call(inputs, out)
        return {self.output_names[0]: made[0]} if len(made) == 1 else dict(zip(self.output_names, made, strict=True))  # the first is quicker


class Model(_Callable):
    """A compiled model. Calls from several threads run at the same time, each with an arena of its own."""

    def __init__(self, entry: Entry, threads: int, save: Callable[[str, Mapping[str, Any]], None]) -> None:
        self._entry, self._save = entry, save
        answer = entry.answer
        self.target: str = answer["target"]
        """What it was compiled for."""
        self.notes: tuple[str, ...] = tuple(answer["notes"])
        """What the compiler said besides."""
        self.messages: str = answer["messages"]
        """What it said to people, such as what `dump_choices=True` asks for."""
        self.prefix: str = answer["prefix"]
        self._libraries = [name for name in answer["files"] if name.endswith(".so")]
        self._library: _native.Library | None = None
        if self._libraries:
            self._open(threads)

    def _open(self, threads: int) -> None:
        weights = self._entry.folder / f"{self.prefix}_weights.bin"
        try:
            library = _native.Library(str(self._entry.folder / self._libraries[0]), self.prefix, threads, str(weights) if weights.exists() else "")
        except (RuntimeError, TypeError) as error:
            raise UsageError(f"the compiled model cannot be used: {error}") from error
        self._library = library
        self.inputs: tuple[Tensor, ...] = tuple(map(Tensor.of, library.inputs))
        self.dims: Mapping[str, tuple[int, int]] = MappingProxyType({name: (low, high) for name, low, high in library.dims})
        """The least and the largest size of each dim that varies."""
        real = iter(map(Tensor.of, library.outputs))
        states = {tensor.state_index: tensor for tensor in self.inputs if tensor.is_state}
        count = len(library.outputs) + len(states)
        self.outputs: tuple[Tensor, ...] = tuple(states[place] if place in states else next(real) for place in range(count))
        """In the graph's order; of a state the input that holds it, of a sequence, map or optional its parts."""
        arrays = Arrays(self.inputs, [tensor for tensor in self.outputs if not tensor.is_state], self.dims)
        self._arrays = arrays
        self._bind(functools.partial(library.call, arrays, None), self.inputs, self.outputs, arrays)

    def __getattr__(self, name: str) -> Any:
        if name in ("inputs", "outputs", "dims", "output_names", "_call", "_arrays", "_fed", "_made", "_values"):
            hint = "save() writes what was made; sinter.verify() and sinter.bench() with the same target run it, on the device or in an emulation of it"
            raise UsageError(Problem(f"the model was compiled for {self.target}, and does not run in this process", hint=hint))
        raise AttributeError(name)

    def session(self, /, **sizes: int) -> Session:
        """Calls that go on from one another: the state (`state={"h_out": "h"}` of compile) is kept, zeros at first.

        `sizes` are those of dims of the state that vary; the largest where they are not given."""
        return Session(self, sizes)

    @property
    def arena_bytes(self) -> int:
        """Working memory of one call."""
        return int(self._entry.answer["arena_bytes"])

    @property
    def weights_bytes(self) -> int:
        """Bytes of constants."""
        return int(self._entry.answer["weights_bytes"])

    @functools.cached_property
    def report(self) -> Result:
        """Memory, kernels, and why each was chosen (docs/output-format.md#report)."""
        path = self._entry.folder / f"{self.prefix}_report.json"
        try:
            return Result(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise CacheError(Problem(f"the report cannot be read: {error}", hint="compile the model again")) from error

    @functools.cached_property
    def labels(self) -> Mapping[str, list[int | str]]:
        """Of outputs that are lists of maps in the model (ZipMap), and arrays here: what the numbers of a row are called."""
        return MappingProxyType({output["name"]: output["labels"] for output in self.report["outputs"] if "labels" in output})

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Writes what `sinter MODEL -o PATH` writes: a folder of sources, or a library (.a, .so) with its header. `options`: `package="conan"`,
        `package_info=["version=1.2.0"]`."""
        self._save(os.fspath(path), options)

    def _rows(self) -> list[tuple[str, str, str]]:
        if not self._library:
            return []
        return [
            *(("state" if tensor.is_state else "input", tensor.name, str(tensor)) for tensor in self.inputs),
            *(("output", tensor.state_output or tensor.name, str(tensor)) for tensor in self.outputs),
        ]

    def __repr__(self) -> str:
        tensors = ", ".join(f"{kind} {name}: {text}" for kind, name, text in self._rows())
        return f"<sinter.Model for {self.target}, arena {self.arena_bytes} bytes; {tensors}>"

    def _repr_html_(self) -> str:
        return Result(
            {
                "target": self.target,
                "arena_bytes": self.arena_bytes,
                "weights_bytes": self.weights_bytes,
                "interface": [{"": kind, "name": name, "type": text} for kind, name, text in self._rows()],
                "notes": list(self.notes),
            }
        )._repr_html_()


class Session(_Callable):
    """A model with its state. One call at a time; others wait."""

    def __init__(self, model: Model, sizes: Mapping[str, int]) -> None:
        arrays = model._arrays  # says so where the model does not run here
        library = model._library
        assert library
        self.model = model
        self._sizes = dict(sizes)
        self._places = {tensor.name: i for i, tensor in enumerate(model.inputs) if tensor.is_state}
        if unknown := sizes.keys() - {size for i in self._places.values() for size in model.inputs[i].shape}:
            raise UsageError(f"no state has a dim '{min(unknown)}'")
        self._buffers = {name: self._zeros(model.inputs[i]) for name, i in self._places.items()}
        native = _native.State(library, list(self._buffers.values()))
        self._native = native
        others = [[tensor for tensor in tensors if not tensor.is_state] for tensors in (model.inputs, model.outputs)]
        self._bind(functools.partial(library.call, arrays, native), others[0], others[1], arrays)

    def _zeros(self, tensor: Tensor) -> Array:
        sizes = [
            most if d == tensor.growing_dim or isinstance(size, int) else self._sizes.get(str(size), most)
            for d, (size, most) in enumerate(zip(tensor.shape, tensor.largest, strict=True))
        ]
        if tensor.element_type == _types.STRING or _types.packed_bits(tensor.element_type):
            raise UsageError(f"a session keeps no state of type {tensor.dtype}; call the model with '{tensor.name}' instead")
        made = np.zeros(sizes, _types.dtype(tensor.element_type))
        return made.view(_types.raw(tensor.element_type)) if tensor.element_type > 15 else made

    @property
    def state(self) -> dict[str, Array]:
        """The state's arrays, which calls change; of one that grows what is in use."""
        return {name: self._in_use(name, self._used(name)) for name in self._buffers}

    def _used(self, name: str) -> int:
        return int(self._native.used(self._places[name]))

    def _in_use(self, name: str, rows: int) -> Array:
        tensor, buffer = self.model.inputs[self._places[name]], self._buffers[name]
        typed: Array = buffer.view(_types.dtype(tensor.element_type))
        return typed if tensor.growing_dim < 0 else typed[Arrays._part(tensor, rows)]

    def set_state(self, /, **arrays: Any) -> None:
        """Goes on from these arrays; of a state that grows, with as many rows as they have."""
        for name, value in arrays.items():
            if name not in self._places:
                raise InputError(f"there is no state '{name}'; there are {', '.join(map(repr, self._places))}")
            place = self._places[name]
            tensor = self.model.inputs[place]
            data, shape = self.model._arrays.start(place, value, {})
            if data.size != self._buffers[name].size:
                raise InputError(f"state '{name}' is {tensor}, one of [{','.join(map(str, shape))}] was given")
            self._buffers[name][...] = data.reshape(self._buffers[name].shape)
            if tensor.growing_dim >= 0:
                self._native.set_used(place, shape[tensor.growing_dim])

    def reset(self) -> None:
        """Back to zeros, and to no rows of states that grow."""
        for name, buffer in self._buffers.items():
            buffer[...] = 0
            self._native.set_used(self._places[name], 0)
