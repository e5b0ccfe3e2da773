# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles ONNX models to C++ that stands alone, and calls them.

    m = sinter.compile("kws.onnx", dims={"batch": (1, 8)}, threads=2)
    y = m(audio=x)

sinter.onnxruntime has an InferenceSession for programs that exist, sinter.backend the interface of onnx.backend. docs/python.md says more.
"""

from importlib.metadata import version as _version

from .compiling import compile
from .errors import (
    CacheError,
    CallError,
    InputError,
    InternalError,
    ModelError,
    NoCompilerError,
    Problem,
    SinterError,
    UsageError,
)
from .model import Model, Outputs, Session
from .results import Result
from .spec import Tensor
from .verbs import analyze, bench, bisect, quantize, simplify, split, targets, verify

__version__ = _version("sinter")

__all__ = [
    "CacheError",
    "CallError",
    "InputError",
    "InternalError",
    "Model",
    "ModelError",
    "NoCompilerError",
    "Outputs",
    "Problem",
    "Result",
    "Session",
    "SinterError",
    "Tensor",
    "UsageError",
    "analyze",
    "bench",
    "bisect",
    "compile",
    "quantize",
    "simplify",
    "split",
    "targets",
    "verify",
]
