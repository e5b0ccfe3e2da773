# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An InferenceSession for programs that are written for onnxruntime: `import sinter.onnxruntime as ort`. Exceptions are also those that such programs catch
(`ort.capi.onnxruntime_pybind11_state`)."""

from __future__ import annotations

from .. import _inference_session
from .._allocators import (
    OrtAllocatorType,
    OrtArenaCfg,
    OrtMemoryInfo,
    OrtMemType,
    copy_tensors,
    create_and_register_allocator,
    create_and_register_allocator_v2,
    get_ep_devices,
    has_collective_ops,
    preload_dlls,
    register_execution_provider_library,
    set_default_logger_callback,
    set_global_thread_pool_sizes,
)
from .._binding import IOBinding, OrtDevice, OrtValue
from .._inference_session import InferenceSession, ModelMetadata, NodeArg
from .._session_options import ExecutionMode, ExecutionOrder, GraphOptimizationLevel, RunOptions, SessionOptions
from . import capi

__all__ = [
    "ExecutionMode",
    "ExecutionOrder",
    "GraphOptimizationLevel",
    "IOBinding",
    "InferenceSession",
    "ModelMetadata",
    "NodeArg",
    "OrtAllocatorType",
    "OrtArenaCfg",
    "OrtDevice",
    "OrtMemType",
    "OrtMemoryInfo",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "capi",
    "copy_tensors",
    "create_and_register_allocator",
    "create_and_register_allocator_v2",
    "disable_telemetry_events",
    "enable_telemetry_events",
    "get_all_providers",
    "get_available_providers",
    "get_build_info",
    "get_device",
    "get_ep_devices",
    "get_version_string",
    "has_collective_ops",
    "preload_dlls",
    "print_debug_info",
    "register_execution_provider_library",
    "set_default_logger_callback",
    "set_default_logger_severity",
    "set_default_logger_verbosity",
    "set_global_thread_pool_sizes",
    "set_seed",
]

__version__ = "1.31.1"
"""The onnxruntime whose interface this is: programs ask before they use what is newer."""


def get_available_providers() -> list[str]:
    """Compiled models run on the CPU of this process."""
    return [_inference_session.CPU]


def get_all_providers() -> list[str]:
    """The same."""
    return get_available_providers()


def get_device() -> str:
    """What calls run on."""
    return "CPU"


def set_default_logger_severity(severity: int) -> None:
    """Means nothing here: calls log nothing."""


def set_default_logger_verbosity(verbosity: int) -> None:
    """Means nothing here: calls log nothing."""


def enable_telemetry_events() -> None:
    """Means nothing here: nothing is ever sent."""


def disable_telemetry_events() -> None:
    """Means nothing here: nothing is ever sent."""


def set_seed(seed: int) -> None:
    """Means nothing here: compiled models hold their seeds."""


def get_version_string() -> str:
    """`__version__`."""
    return __version__


def get_build_info() -> str:
    """What calls run on."""
    return f"sinter.onnxruntime, the interface of onnxruntime {__version__}"


def print_debug_info() -> None:
    """The same, printed."""
    print(get_build_info())
