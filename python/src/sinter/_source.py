# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model that the caller gives: a file, bytes, or a ModelProto. The compiler reads files, so that bytes become one for as long as they are needed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from ._folders import temporary
from .errors import CacheError, Problem, UsageError


@runtime_checkable
class Serializable(Protocol):
    """An onnx.ModelProto."""

    def SerializeToString(self) -> bytes:
        """The model's bytes."""


Source = str | os.PathLike[str] | bytes | Serializable


@contextlib.contextmanager
def as_file(model: Source) -> Iterator[Path]:
    """A path by which the compiler finds the model."""
    if isinstance(model, (str, os.PathLike)):
        yield Path(model)
        return
    if isinstance(model, Serializable):
        model = model.SerializeToString()
    if not isinstance(model, (bytes, bytearray, memoryview)):
        raise UsageError(f"a model is a path, bytes or a ModelProto, not {type(model).__name__}")
    with contextlib.ExitStack() as stack:
        try:
            path = stack.enter_context(temporary(Path(tempfile.gettempdir()), "sinter-source-")) / "model.onnx"
            path.write_bytes(model)
        except OSError as error:
            raise CacheError(Problem(f"the model cannot be written to a temporary folder: {error}", hint="TMPDIR names another folder")) from error
        yield path
