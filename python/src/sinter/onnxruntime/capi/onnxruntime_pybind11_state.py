# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions, and the classes of sinter.onnxruntime that calls take."""

from sinter._allocators import OrtAllocatorType, OrtArenaCfg, OrtMemoryInfo, OrtMemType, get_ep_devices, set_global_thread_pool_sizes
from sinter._binding import OrtDevice, OrtValue
from sinter._onnxruntime_errors import DECLARED
from sinter._session_options import ExecutionMode, ExecutionOrder, GraphOptimizationLevel, RunOptions, SessionOptions

DeviceReset = DECLARED["DeviceReset"]
EPFail = DECLARED["EPFail"]
EngineError = DECLARED["EngineError"]
Fail = DECLARED["Fail"]
InvalidArgument = DECLARED["InvalidArgument"]
InvalidGraph = DECLARED["InvalidGraph"]
InvalidProtobuf = DECLARED["InvalidProtobuf"]
ModelLoadCanceled = DECLARED["ModelLoadCanceled"]
ModelLoaded = DECLARED["ModelLoaded"]
ModelRequiresCompilation = DECLARED["ModelRequiresCompilation"]
NoModel = DECLARED["NoModel"]
NoSuchFile = DECLARED["NoSuchFile"]
NotFound = DECLARED["NotFound"]
NotImplemented = DECLARED["NotImplemented"]
RuntimeException = DECLARED["RuntimeException"]

__all__ = [
    "ExecutionMode",
    "ExecutionOrder",
    "GraphOptimizationLevel",
    "OrtAllocatorType",
    "OrtArenaCfg",
    "OrtDevice",
    "OrtMemType",
    "OrtMemoryInfo",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "get_ep_devices",
    "set_global_thread_pool_sizes",
    *DECLARED,
]
