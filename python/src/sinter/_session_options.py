# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnxruntime's options of sessions and calls. What changes results or makes files is done or refused; what tunes onnxruntime alone means nothing here."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from .errors import Problem, UsageError


class GraphOptimizationLevel(enum.IntEnum):
    """Means nothing here: the compiler does all that it can."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(enum.IntEnum):
    """Means nothing here: one call computes one kernel at a time."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class ExecutionOrder(enum.IntEnum):
    """Means nothing here: the compiler has its own order."""

    DEFAULT = 0
    PRIORITY_BASED = 1
    MEMORY_EFFICIENT = 2


def _refuse(what: str, hint: str) -> NoReturn:
    raise UsageError(Problem(f"{what} is not supported", hint=hint))


@dataclass(slots=True)
class SessionOptions:
    """The number of threads and sizes of dims count; what else onnxruntime has may be set."""

    intra_op_num_threads: int = 0
    """0: one."""
    inter_op_num_threads: int = 0
    graph_optimization_level: Any = GraphOptimizationLevel.ORT_ENABLE_ALL
    execution_mode: Any = ExecutionMode.ORT_SEQUENTIAL
    execution_order: Any = ExecutionOrder.DEFAULT
    enable_profiling: bool = False
    profile_file_prefix: str = "onnxruntime_profile_"
    optimized_model_filepath: str = ""
    enable_cpu_mem_arena: bool = True
    enable_mem_pattern: bool = True
    enable_mem_reuse: bool = True
    use_deterministic_compute: bool = False
    use_per_session_threads: bool = True
    log_severity_level: int = -1
    log_verbosity_level: int = 0
    logid: str = ""
    _entries: dict[str, str] = field(default_factory=dict, repr=False)
    _dims: dict[str, int] = field(default_factory=dict, repr=False)
    _providers: list[str] = field(default_factory=list, repr=False)

    def add_provider(self, name: str, options: Mapping[str, str] | None = None) -> None:
        """The session says of it what it says of its `providers`."""
        self._providers.append(name)

    def has_providers(self) -> bool:
        """Whether one was added."""
        return bool(self._providers)

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Kept; means nothing here."""
        self._entries[key] = value

    def get_session_config_entry(self, key: str) -> str:
        """What was added."""
        if key not in self._entries:
            raise UsageError(f"there is no session config entry '{key}'")
        return self._entries[key]

    def add_free_dimension_override_by_name(self, name: str, size: int) -> None:
        """The dim has this size in all calls."""
        self._dims[name] = size

    def add_free_dimension_override_by_denotation(self, denotation: str, size: int) -> NoReturn:
        """Not supported."""
        _refuse("add_free_dimension_override_by_denotation", "add_free_dimension_override_by_name takes the dim's name")

    def register_custom_ops_library(self, path: str) -> NoReturn:
        """Not supported: operators come as sources."""
        _refuse("register_custom_ops_library", "InferenceSession(..., custom_ops='operators.yaml') takes operators as C++ functions")

    def add_initializer(self, name: str, value: Any) -> NoReturn:
        """Not supported: weights are compiled in."""
        _refuse("add_initializer", "the model holds its weights; external_root=... says where those of other files lie")

    def add_external_initializers(self, names: Any, values: Any) -> NoReturn:
        """Not supported: weights are compiled in."""
        _refuse("add_external_initializers", "the model holds its weights; external_root=... says where those of other files lie")


@dataclass(slots=True)
class RunOptions:
    """Of a call: `terminate` refuses it, other options mean nothing here."""

    terminate: bool = False
    only_execute_path_to_fetches: bool = False
    log_severity_level: int = -1
    log_verbosity_level: int = 0
    logid: str = ""
    _entries: dict[str, str] = field(default_factory=dict, repr=False)

    def add_run_config_entry(self, key: str, value: str) -> None:
        """Kept; means nothing here."""
        self._entries[key] = value

    def get_run_config_entry(self, key: str) -> str:
        """What was added."""
        if key not in self._entries:
            raise UsageError(f"there is no run config entry '{key}'")
        return self._entries[key]
