# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions that programs written for onnxruntime catch. What sinter.onnxruntime raises is one of these and what sinter itself calls it."""

from __future__ import annotations

from .errors import CallError, InputError, ModelError, SinterError, UsageError

_REFUSED_DATA = (3, 5)
"""Statuses of calls: sizes that do not belong together, an index out of range."""
_KINDS_OF_CODES = {"E0101": "InvalidProtobuf", "E0102": "NoSuchFile", "E0202": "NotImplemented", "E0203": "NotImplemented"}


def _declare(name: str, text: str) -> type[SinterError]:
    return type(name, (SinterError,), {"__doc__": text, "__module__": __name__})


DECLARED = {
    name: _declare(name, text)
    for name, text in (
        ("Fail", "Something went wrong that has no other name."),
        ("InvalidArgument", "Inputs, or an option, do not fit."),
        ("InvalidGraph", "The model is not well formed, or has operators that nobody knows."),
        ("InvalidProtobuf", "The bytes are no ONNX model."),
        ("NoSuchFile", "There is no such file."),
        ("NotImplemented", "The operator, or this form of it, is not supported."),
        ("RuntimeException", "A call failed."),
        ("DeviceReset", "Never raised."),
        ("EPFail", "Never raised."),
        ("EngineError", "Never raised."),
        ("ModelLoadCanceled", "Never raised."),
        ("ModelLoaded", "Never raised."),
        ("ModelRequiresCompilation", "Never raised."),
        ("NoModel", "Never raised."),
        ("NotFound", "Never raised."),
    )
}
"""By the name that onnxruntime has for each."""


_made: dict[tuple[str, str], type[SinterError]] = {}


def _both(name: str, kind: type[SinterError]) -> type[SinterError]:
    if (known := _made.get((name, kind.__name__))) is None:
        made = type(name, (DECLARED[name], kind), {"__doc__": kind.__doc__, "__module__": __name__})
        known = _made.setdefault((name, kind.__name__), made)
    return known


def _name(error: SinterError) -> str:
    if isinstance(error, CallError):
        return "InvalidArgument" if error.status in _REFUSED_DATA else "RuntimeException"
    if isinstance(error, UsageError) and "no such file" in error.message:
        return "NoSuchFile"
    if isinstance(error, (InputError, UsageError)):
        return "InvalidArgument"
    if isinstance(error, ModelError):
        return _KINDS_OF_CODES.get(error.code) or ("InvalidGraph" if error.code.startswith(("E01", "E02")) else "Fail")
    return "Fail"


def as_onnxruntime(error: SinterError) -> SinterError:
    """The same, to be caught by onnxruntime's name too."""
    return _both(_name(error), type(error))(error.problems, status=error.status, answer=error.answer)
