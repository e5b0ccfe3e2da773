# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An InferenceSession for programs that are written for onnxruntime: `import sinter.onnxruntime as ort`.

Where a model leaves sizes open and no `dims` are given, it is compiled for the sizes of the first call, and anew for others."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import verbs
from ._binding import IOBinding, OrtValue
from ._source import Source
from ._structures import Value, sizes_of_structure
from .compiling import compile
from .errors import InputError, ModelError
from .model import Model

__all__ = ["IOBinding", "InferenceSession", "NodeArg", "OrtValue", "RunOptions", "SessionOptions", "get_available_providers", "get_device"]

_NO_SIZE = "E0303"


@dataclass(frozen=True)
class NodeArg:
    """An input or output."""

    name: str
    type: str
    """As `tensor(float)`."""
    shape: list[int | str | None]


@dataclass
class SessionOptions:
    """Of what onnxruntime has, the number of threads counts; other options may be set and mean nothing."""

    intra_op_num_threads: int = 1
    inter_op_num_threads: int = 1
    graph_optimization_level: Any = None
    execution_mode: Any = None
    enable_profiling: bool = False
    log_severity_level: int = 2

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Means nothing here."""


class RunOptions:
    """Means nothing here."""


def get_available_providers() -> list[str]:
    """Compiled models run on the CPU of this process."""
    return ["CPUExecutionProvider"]


def get_device() -> str:
    """What calls run on."""
    return "CPU"


def _type(stated: str) -> str:
    return stated if "(" in stated else f"tensor({stated})"


def _is_structure(arg: NodeArg) -> bool:
    return not arg.type.startswith("tensor(")


def _arg(value: Value) -> NodeArg:
    return NodeArg(value.name, value.onnx_type, list(value.parts[""].shape) if value.is_tensor else [])


class InferenceSession:
    """onnxruntime's class on a compiled model. `options` are those of sinter.compile()."""

    def __init__(
        self,
        path_or_bytes: Source,
        sess_options: SessionOptions | None = None,
        providers: Sequence[Any] | None = None,
        provider_options: Sequence[Any] | None = None,
        **options: Any,
    ) -> None:
        if sess_options and sess_options.intra_op_num_threads > 1:
            options.setdefault("threads", sess_options.intra_op_num_threads)
        self._source, self._options = path_or_bytes, options
        self._by_sizes: dict[tuple[tuple[str, Any], ...], Model] = {}
        self._lock = threading.Lock()
        self._model: Model | None = None
        try:
            self._model = compile(path_or_bytes, **options)
        except ModelError as error:
            if any(problem.code != _NO_SIZE for problem in error.problems):
                raise
            self._inputs, self._outputs = self._stated()
        else:
            self._inputs, self._outputs = (list(map(_arg, values)) for values in self._model._values)

    def _stated(self) -> tuple[list[NodeArg], list[NodeArg]]:
        """Inputs and outputs as the file states them."""
        known = {name: value for name, value in self._options.items() if name in ("dims", "dim", "external_root", "custom_ops")}
        try:
            answer: Mapping[str, Any] = verbs.analyze(self._source, **known)
        except ModelError as error:
            answer = error.answer
        inputs, outputs = (
            [NodeArg(value["name"], _type(value["type"]), list(value["dims"] or [])) for value in answer[kind]] for kind in ("inputs", "outputs")
        )
        return inputs, outputs

    def _for(self, feeds: Mapping[str, Any]) -> Model:
        if self._model:
            return self._model
        sizes: dict[str, Any] = {}
        for arg in self._inputs:
            if _is_structure(arg):
                sizes |= sizes_of_structure(arg.name, feeds.get(arg.name))
                continue
            given = getattr(feeds.get(arg.name), "shape", None)
            if given is None or len(given) != len(arg.shape):
                raise InputError(f"input '{arg.name}' is {arg.type} of shape {arg.shape}, an array of {'none' if given is None else list(given)} was given")
            for d, (size, stated) in enumerate(zip(given, arg.shape, strict=True)):
                if not isinstance(stated, int):
                    sizes.setdefault(stated or f"{arg.name}:{d}", int(size))
        key = tuple(sorted(sizes.items()))
        with self._lock:
            if key not in self._by_sizes:
                options = {name: value for name, value in self._options.items() if name not in ("dims", "dim")}
                given_dims = dict(self._options.get("dims") or self._options.get("dim") or {})
                self._by_sizes[key] = compile(self._source, **options, dims={**sizes, **given_dims})
            return self._by_sizes[key]

    def get_inputs(self) -> list[NodeArg]:
        """In the graph's order."""
        return list(self._inputs)

    def get_outputs(self) -> list[NodeArg]:
        """In the graph's order."""
        return list(self._outputs)

    def get_providers(self) -> list[str]:
        """What runs the model."""
        return get_available_providers()

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, Any], run_options: Any = None) -> list[Any]:
        """The outputs that are named, or all."""
        made = self._for(input_feed).run(input_feed, output_names or None)
        return list(made.values())

    def io_binding(self) -> IOBinding:
        """Arrays that calls read and write in place."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding: IOBinding, run_options: Any = None) -> None:
        """A call on what is bound."""
        iobinding._run(self._for(iobinding._inputs))
