# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnxruntime's names of memory, of the process and of devices. Memory of compiled models is theirs: what tunes onnxruntime's means nothing here."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ._binding import OrtValue
from .errors import Problem, UsageError


class OrtAllocatorType(enum.IntEnum):
    """Means nothing here."""

    INVALID = -1
    ORT_DEVICE_ALLOCATOR = 0
    ORT_ARENA_ALLOCATOR = 1


class OrtMemType(enum.IntEnum):
    """All is the CPU's."""

    CPU_INPUT = -2
    CPU_OUTPUT = -1
    CPU = -1
    DEFAULT = 0


@dataclass(frozen=True)
class OrtMemoryInfo:
    """Where memory is."""

    name: str
    allocator_type: Any = OrtAllocatorType.ORT_DEVICE_ALLOCATOR
    device_id: int = 0
    mem_type: Any = OrtMemType.DEFAULT


class OrtArenaCfg:
    """Means nothing here."""

    def __init__(self, *sizes: Any) -> None:
        self._sizes = sizes


CPU_MEMORY = OrtMemoryInfo("Cpu")


def create_and_register_allocator(memory_info: OrtMemoryInfo, arena_cfg: OrtArenaCfg | None = None) -> None:
    """Means nothing here: a model's arena is as large as its calls need."""


def create_and_register_allocator_v2(provider_type: str, memory_info: OrtMemoryInfo, options: Any = None, arena_cfg: OrtArenaCfg | None = None) -> None:
    """The same."""


def set_global_thread_pool_sizes(intra_op_num_threads: int = 0, inter_op_num_threads: int = 0) -> None:
    """Means nothing here: `intra_op_num_threads` of a session's options counts."""


def set_default_logger_callback(callback: Callable[..., Any] | None, severity: int = 2) -> None:
    """Means nothing here: calls log nothing."""


def preload_dlls(cuda: bool = True, cudnn: bool = True, msvc: bool = True, directory: Any = None) -> None:
    """Means nothing here: compiled models need no libraries."""


def has_collective_ops() -> bool:
    """There are none."""
    return False


def get_ep_devices() -> list[Any]:
    """No devices but the CPU, which is none of them."""
    return []


def register_execution_provider_library(registration_name: str, library_path: Any) -> NoReturn:
    """Not supported: models run on the CPU of this process."""
    raise UsageError(Problem(f"there is no place for the provider '{registration_name}'", hint="sinter.compile(target=...) compiles for other machines"))


def copy_tensors(src: Sequence[OrtValue], dst: Sequence[OrtValue], stream: Any = None) -> None:
    """Copies the numbers of each to the other of its place."""
    for source, to in zip(src, dst, strict=True):
        to.update_inplace(source.numpy())
