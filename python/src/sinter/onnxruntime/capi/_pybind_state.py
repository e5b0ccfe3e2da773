# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same as onnxruntime_pybind11_state."""

from .onnxruntime_pybind11_state import *  # noqa: F403
