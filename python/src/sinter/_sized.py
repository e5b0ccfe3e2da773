# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model whose sizes nobody states: compiled for those of a call, and anew for others. Sizes that only the data decides get bounds from the call too,
which are raised when a call needs more."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._source import Source
from .compiling import compile
from .errors import CallError, ModelError, UsageError
from .model import Model

NO_SIZE, NO_BOUND = "E0303", "E0308"
_TOO_SMALL, _MOST_BOUNDS, _FACTOR, _RAISES = 4, 64, 8, 6
_LARGEST_NUMBER = 1 << 16
"""Numbers above are no sizes."""


def is_open(error: ModelError) -> bool:
    """Whether a model does not compile for want of sizes alone."""
    return bool(error.problems) and all(problem.code in (NO_SIZE, NO_BOUND) for problem in error.problems)


def _largest_in(feeds: Mapping[str, Any]) -> int:
    """Of sizes of arrays, and of numbers in them: where data decides sizes, it mostly does by one of these."""
    most = 1
    for array in map(np.asarray, (value for value in feeds.values() if hasattr(value, "shape") or isinstance(value, (int, bool)))):
        most = max(most, array.size)
        if array.dtype.kind in "iu" and array.size:
            most = max(most, *(int(number) for number in (array.min(), array.max()) if number <= _LARGEST_NUMBER))
    return most


class Sized:
    """Models by the sizes that calls have. `options` are those of compile()."""

    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        self._source, self._options = source, dict(options)
        self._by_sizes: dict[tuple[tuple[str, Any], ...], Model] = {}
        self._bounds: dict[str, int] = {}
        self._lock = threading.Lock()

    def call(self, sizes: Mapping[str, Any], feeds: Mapping[str, Any], run: Callable[[Model], Any]) -> Any:
        """What `run` gives for the model of these sizes."""
        for _ in range(_RAISES):
            model = self._model(sizes, feeds)
            try:
                return run(model)
            except CallError as error:
                if error.status != _TOO_SMALL or not self._bounds:
                    raise
                last = error
            with self._lock:
                if self._by_sizes.get(key := tuple(sorted(sizes.items()))) is model:  # else another thread has raised them
                    self._bounds = {name: bound * _FACTOR for name, bound in self._bounds.items()}
                    del self._by_sizes[key]
        raise last

    def _model(self, sizes: Mapping[str, Any], feeds: Mapping[str, Any]) -> Model:
        key = tuple(sorted(sizes.items()))
        with self._lock:
            if key not in self._by_sizes:
                self._by_sizes[key] = self._compile(sizes, feeds)
            return self._by_sizes[key]

    def _compile(self, sizes: Mapping[str, Any], feeds: Mapping[str, Any]) -> Model:
        options = {name: value for name, value in self._options.items() if name not in ("dims", "dim", "bounds", "bound")}
        dims = {**sizes, **(self._options.get("dims") or self._options.get("dim") or {})}
        given = self._options.get("bounds") or self._options.get("bound") or {}
        if not isinstance(given, Mapping):
            raise UsageError("bounds of a session are a dict, such as {'node:0': 100}")
        while True:
            try:
                return compile(self._source, **options, dims=dims, bounds={**self._bounds, **given})
            except ModelError as error:
                asked = [match[1] for problem in error.problems if problem.code == NO_BOUND and (match := re.match(r"--bound (.*)=N$", problem.hint))]
                new = [name for name in asked if name not in self._bounds and name not in given]
                if not new or len(self._bounds) + len(new) > _MOST_BOUNDS:
                    raise
                self._bounds |= dict.fromkeys(new, _largest_in(feeds))
