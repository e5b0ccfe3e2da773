# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnxruntime's InferenceSession on a compiled model (sinter.onnxruntime).

Where a model leaves sizes open and no `dims` are given, it is compiled for the sizes of the first call, and anew for others."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from . import verbs
from ._allocators import CPU_MEMORY, OrtMemoryInfo
from ._arrays import by_name
from ._binding import IOBinding, OrtValue
from ._onnxruntime_errors import as_onnxruntime
from ._session_options import RunOptions, SessionOptions
from ._sized import Sized, is_open
from ._source import Source
from ._structures import Value, onnx_type_of_maps, sizes_of_structure, with_maps
from .compiling import compile
from .errors import CallError, InputError, ModelError, Problem, SinterError, UsageError
from .model import Model

CPU = "CPUExecutionProvider"


@dataclass(frozen=True)
class NodeArg:
    """An input or output."""

    name: str
    type: str
    """As `tensor(float)`."""
    shape: list[int | str | None]


@dataclass(frozen=True)
class ModelMetadata:
    """What the file says of itself."""

    producer_name: str = ""
    graph_name: str = ""
    domain: str = ""
    description: str = ""
    graph_description: str = ""
    version: int = 0
    custom_metadata_map: dict[str, str] = field(default_factory=dict)


def _type(stated: str) -> str:
    return stated if "(" in stated else f"tensor({stated})"


def _is_structure(arg: NodeArg) -> bool:
    return not arg.type.startswith("tensor(")


def _arg(value: Value) -> NodeArg:
    return NodeArg(value.name, value.onnx_type, list(value.parts[""].shape) if value.is_tensor else [])


def _check_providers(providers: Sequence[Any] | None) -> None:
    """As onnxruntime does: what is not there is left out, and said."""
    if isinstance(providers, str):
        raise UsageError(Problem(f"providers come as a list, not as '{providers}'", hint=f"[{providers!r}]"))
    for provider in providers or ():
        name = provider[0] if isinstance(provider, tuple) and provider else provider
        if not isinstance(name, str):
            raise UsageError(f"a provider is a name, or a name and its options, not {provider!r}")
        if name != CPU:
            warnings.warn(f"the provider '{name}' is not available; calls run by {CPU}", UserWarning, stacklevel=3)


class InferenceSession:
    """onnxruntime's class on a compiled model. `options` are those of sinter.compile()."""

    def __init__(
        self,
        path_or_bytes: Source,
        sess_options: SessionOptions | None = None,
        providers: Sequence[Any] | None = None,
        provider_options: Sequence[Any] | None = None,
        disabled_optimizers: Sequence[str] | None = None,
        **options: Any,
    ) -> None:
        self._session_options = sess_options or SessionOptions()
        _check_providers(providers or self._session_options._providers)
        self._model_path = os.fspath(path_or_bytes) if isinstance(path_or_bytes, (str, os.PathLike)) else None
        if self._session_options.intra_op_num_threads > 1:
            options.setdefault("threads", self._session_options.intra_op_num_threads)
        if fixed := self._session_options._dims:
            options["dims"] = {**fixed, **(options.pop("dims", None) or options.pop("dim", None) or {})}
        self._source, self._options = path_or_bytes, options
        try:
            self._load()
        except SinterError as error:
            raise as_onnxruntime(error).with_traceback(error.__traceback__) from None

    def _load(self) -> None:
        self._sized = Sized(self._source, self._options)
        self._described: Mapping[str, Any] | None = None
        self._model: Model | None = None
        try:
            self._model = compile(self._source, **self._options)
        except ModelError as error:
            if not is_open(error):
                raise
            self._inputs, self._outputs = self._stated()
        else:
            self._inputs, self._outputs = (list(map(_arg, values)) for values in self._model._values)
            labels = self._model.labels
            self._outputs = [NodeArg(arg.name, onnx_type_of_maps(labels[arg.name]), []) if arg.name in labels else arg for arg in self._outputs]

    def _analyze(self) -> Mapping[str, Any]:
        if self._described is None:
            known = {name: value for name, value in self._options.items() if name in ("dims", "dim", "external_root", "custom_ops")}
            try:
                self._described = verbs.analyze(self._source, **known)
            except ModelError as error:
                self._described = error.answer
        return self._described

    def _stated(self) -> tuple[list[NodeArg], list[NodeArg]]:
        """Inputs and outputs as the file states them."""
        answer = self._analyze()
        inputs, outputs = (
            [NodeArg(value["name"], _type(value["type"]), list(value["dims"] or [])) for value in answer[kind]] for kind in ("inputs", "outputs")
        )
        return inputs, outputs

    def _sizes(self, feeds: Mapping[str, Any]) -> dict[str, Any]:
        """Of a call, those that the model leaves open."""
        sizes: dict[str, Any] = {}
        for arg in self._inputs:
            if _is_structure(arg):
                sizes |= sizes_of_structure(arg.name, feeds.get(arg.name))
                continue
            given = np.shape(feeds[arg.name]) if arg.name in feeds else None
            if given is None or len(given) != len(arg.shape):
                raise InputError(f"input '{arg.name}' is {arg.type} of shape {arg.shape}, an array of {'none' if given is None else list(given)} was given")
            for d, (size, stated) in enumerate(zip(given, arg.shape, strict=True)):
                if not isinstance(stated, int):
                    sizes.setdefault(stated or f"{arg.name}:{d}", int(size))
        return sizes

    def _call(self, feeds: Mapping[str, Any], run: Callable[[Model], Any], run_options: RunOptions | None) -> Any:
        try:
            if run_options is not None and run_options.terminate:
                raise CallError("the call was ended by `terminate` of its RunOptions")
            return run(self._model) if self._model else self._sized.call(self._sizes(feeds), feeds, run)
        except SinterError as error:
            raise as_onnxruntime(error).with_traceback(error.__traceback__) from None

    def get_inputs(self) -> list[NodeArg]:
        """In the graph's order."""
        return list(self._inputs)

    def get_outputs(self) -> list[NodeArg]:
        """In the graph's order."""
        return list(self._outputs)

    def get_input_memory_infos(self) -> list[OrtMemoryInfo]:
        """Where inputs are read: the CPU's memory."""
        return [CPU_MEMORY] * len(self._inputs)

    def get_output_memory_infos(self) -> list[OrtMemoryInfo]:
        """Where outputs are written: the CPU's memory."""
        return [CPU_MEMORY] * len(self._outputs)

    def get_overridable_initializers(self) -> list[NodeArg]:
        """None: weights are compiled in. Those that `overridable=[...]` names are inputs."""
        return []

    def get_modelmeta(self) -> ModelMetadata:
        """What the file says of itself."""
        said = self._analyze()["description"]
        return ModelMetadata(said["producer"], said["graph"], said["domain"], said["text"], said["graph_text"], said["version"], dict(said["metadata"]))

    def get_session_options(self) -> SessionOptions:
        """What the session was made with."""
        return self._session_options

    def get_providers(self) -> list[str]:
        """What runs the model."""
        return [CPU]

    def get_provider_options(self) -> dict[str, dict[str, str]]:
        """There are none."""
        return {CPU: {}}

    def set_providers(self, providers: Sequence[Any] | None = None, provider_options: Sequence[Any] | None = None) -> None:
        """Changes nothing: there is one."""
        _check_providers(providers)

    def enable_fallback(self) -> None:
        """Means nothing here: there is one provider."""

    def disable_fallback(self) -> None:
        """Means nothing here: there is one provider."""

    def end_profiling(self) -> NoReturn:
        """Not supported."""
        raise UsageError(Problem("calls write no profile", hint="sinter.bench(model) times each kernel"))

    def get_profiling_start_time_ns(self) -> NoReturn:
        """Not supported."""
        self.end_profiling()

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, Any], run_options: RunOptions | None = None) -> list[Any]:
        """The outputs that are named, or all. Feeds may be OrtValues."""
        return self._made(output_names, input_feed, run_options, lambda model, made: with_maps(made, model.labels))

    def _made(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        run_options: RunOptions | None,
        finish: Callable[[Model, dict[str, Any]], dict[str, Any]],
    ) -> list[Any]:
        feeds = {name: value.numpy() if isinstance(value, OrtValue) else value for name, value in by_name(input_feed).items()}
        return list(self._call(feeds, lambda model: finish(model, model.run(feeds, output_names or None)), run_options).values())

    def run_async(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        callback: Callable[[list[Any], Any, str], None],
        user_data: Any,
        run_options: RunOptions | None = None,
    ) -> None:
        """A call on a thread of its own, which ends with `callback(outputs, user_data, error)`; `error` is empty where there is none."""

        def work() -> None:
            try:
                made, problem = self.run(output_names, input_feed, run_options), ""
            except Exception as error:  # all that goes wrong is the callback's to know
                made, problem = [], str(error)
            callback(made, user_data, problem)

        threading.Thread(target=work, daemon=True).start()

    def run_with_ort_values(
        self, output_names: Sequence[str] | None, input_dict_ort_values: Mapping[str, OrtValue], run_options: RunOptions | None = None
    ) -> list[OrtValue]:
        """The same with OrtValues; what the model states as lists of maps is a matrix of their values."""
        return list(map(OrtValue, self._made(output_names, input_dict_ort_values, run_options, lambda _, made: made)))

    def io_binding(self) -> IOBinding:
        """Arrays that calls read and write in place."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding: IOBinding, run_options: RunOptions | None = None) -> None:
        """A call on what is bound."""
        self._call(iobinding._inputs, iobinding._run, run_options)
