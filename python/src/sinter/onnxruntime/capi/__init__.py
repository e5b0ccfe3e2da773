# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of onnxruntime that programs import by name. What they hold is imported from where it lies: a program may know this package as `onnxruntime`."""

from . import _pybind_state, onnxruntime_inference_collection, onnxruntime_pybind11_state

__all__ = ["_pybind_state", "onnxruntime_inference_collection", "onnxruntime_pybind11_state"]
