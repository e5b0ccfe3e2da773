# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler's verbs besides compile. Options are the flags that `sinter VERB --help` lists, as keyword arguments (_options.py)."""

from __future__ import annotations

import os
from typing import Any

from . import _cxx, _driver, _options
from ._source import Source, as_file
from .results import Result


def _on_model(verb: str, model: Source, more: list[str], options: dict[str, Any]) -> Result:
    words = _options.arguments(verb, options)
    compiles = any(flag["name"] == "cxx" for flag in _driver.flags(verb))
    cxx = _cxx.choose(options.get("target"), options.get("cxx")) if compiles else _cxx.Cxx()
    with as_file(model) as path:
        return Result(_driver.call(verb, [str(path), *more, *words, *cxx.arguments], cxx.environment))


def verify(model: Source, *files: str | os.PathLike[str], **options: Any) -> Result:
    """Compares the compiled model with onnxruntime, or with recordings and labels that options name; true where all agrees.

    `files` are inputs. Needs a C++ compiler, and onnxruntime in this Python."""
    return _on_model("verify", model, [os.fspath(file) for file in files], options)


def bench(model: Source, *files: str | os.PathLike[str], **options: Any) -> Result:
    """Times calls and kernels, also against onnxruntime and openvino (`against=[...]`)."""
    return _on_model("bench", model, [os.fspath(file) for file in files], options)


def analyze(model: Source, **options: Any) -> Result:
    """What is in a model, what is not supported, what it needs."""
    return _on_model("analyze", model, [], options)


def quantize(model: Source, output: str | os.PathLike[str], **options: Any) -> Result:
    """Makes an int8 model by samples of its inputs (`data="samples/"`), a standard QDQ model in the file `output`."""
    return _on_model("quantize", model, [], {"o": output, **options})


def simplify(model: Source, output: str | os.PathLike[str], **options: Any) -> Result:
    """Writes the model with fewer nodes to the file `output`; it means the same."""
    return _on_model("simplify", model, [], {"o": output, **options})


def split(model: Source, output: str | os.PathLike[str], *, at: str | list[str], **options: Any) -> Result:
    """Cuts the model in two at tensors; both parts go to the folder `output`."""
    return _on_model("split", model, [], {"o": output, "at": at, **options})


def bisect(model: Source, *files: str | os.PathLike[str], **options: Any) -> Result:
    """Looks for the smallest part of a model that differs from onnxruntime; true where none does. `o="part"` saves it with its inputs."""
    return _on_model("bisect", model, [os.fspath(file) for file in files], options)


def targets(name: str | None = None, **options: Any) -> Result:
    """The targets, or what is known of one."""
    return Result(_driver.call("targets", [*([name] if name else []), *_options.arguments("targets", options)]))
