# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sinter.compile(): from a model to something that can be called."""

from __future__ import annotations

import contextlib
import os
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _cache, _cxx, _driver, _options
from ._folders import Folder
from ._source import Source, as_file
from .errors import CacheError, UsageError
from .model import Model

_PREFIX = "model"  # of cached libraries: what a file is called does not matter


def _without_conflicts(options: Mapping[str, Any]) -> None:
    for name in ("o", "json", "MD", "MF", "emulated_gpu", "package", "package_info"):
        if name in options:
            raise UsageError(f"compile() has no option '{name}': save() writes libraries and sources")


def compile(model: Source, *, cache: bool | str | os.PathLike[str] = True, **options: Any) -> Model:
    """Compiles a model for this machine (or `target="cortex-a53"`, to be saved) and loads it.

    `model` is a file, bytes, or a ModelProto. `options` are the flags that `sinter compile --help` lists: `dims={"batch": (1, 8)}`, `threads=2`,
    `state={"h_out": "h"}`, `fit="speed"`, `O=3`. What was compiled before is taken from the cache: `cache` names its folder, or is False."""
    _without_conflicts(options)
    words = _options.arguments("compile", options)
    cxx = _cxx.choose(options.get("target"), options.get("cxx"))
    form = f"lib{_PREFIX}.so" if cxx.runs_here else "."
    given = [*words, *cxx.arguments]
    prefix = [] if "prefix" in options else ["--prefix", _PREFIX]

    def make(path: Path, folder: Path) -> dict[str, Any]:
        return _driver.call("compile", [str(path), "-o", str(folder / form), *prefix, *given], cxx.environment)

    def save(to: str, more: Mapping[str, Any]) -> None:
        with as_file(model) as path:
            if not isinstance(model, (str, os.PathLike)):
                own = [] if "prefix" in options else ["--prefix", _PREFIX]
            else:
                own = []
                if _cache.file_hash(path) != saved_hash:
                    raise UsageError(f"{path} changed since it was compiled: compile it again")
            _driver.call("compile", [str(path), "-o", to, *own, *given, *_options.arguments("compile", more)], cxx.environment)

    with as_file(model) as path:
        saved_hash = _cache.file_hash(path) if path.is_file() else ""
        if cache is False:
            return _uncached(lambda folder: make(path, folder), options, save)
        folder = _cache.default_folder() if cache is True else Path(os.fspath(cache))
        known = [_driver.identity(_driver.executable()), cxx.target, cxx.identity, form, *prefix, *given, *_cache.named_files(words)]
        place = str(path.resolve().parent) if isinstance(model, (str, os.PathLike)) else ""
        if not path.is_file():
            make(path, folder / "never")  # the compiler says what is wrong with it
        entry = _cache.entry(folder.resolve(), path, place, known, lambda made: make(path, made))
        return Model(entry, int(options.get("threads") or 1), save)


def _uncached(make: Any, options: Mapping[str, Any], save: Any) -> Model:
    """In a temporary folder that goes with the model."""
    try:
        folder = Folder(Path(tempfile.gettempdir()), "sinter-model-")
    except OSError as error:
        raise CacheError(f"no temporary folder can be made: {error}") from error
    with contextlib.ExitStack() as failed:
        failed.callback(folder.remove)
        failed.enter_context(_cache.full_disk_named(folder.path.parent, "TMPDIR names another folder"))
        made = Model(_cache.Entry(folder.path, make(folder.path)), int(options.get("threads") or 1), save)
        failed.pop_all()
    weakref.finalize(made, folder.remove)
    return made
