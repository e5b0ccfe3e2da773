# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension: native/module.cpp."""

from collections.abc import Sequence
from typing import Any

import numpy as np

class Library:
    """A compiled model as a shared library."""

    def __init__(self, path: str, prefix: str, threads: int, weights: str) -> None: ...
    def call(self, arrays: object, state: State | None, feeds: dict[str, Any], outs: dict[str, Any] | None) -> list[np.ndarray[Any, Any]]:
        """The outputs in the graph's order."""
    @property
    def inputs(self) -> list[dict[str, Any]]:
        """In the graph's order."""
    @property
    def outputs(self) -> list[dict[str, Any]]:
        """In the graph's order, without states."""
    @property
    def dims(self) -> list[tuple[str, int, int]]:
        """Name, least and largest size of each dim that varies."""
    @property
    def arena_bytes(self) -> int:
        """Working memory of one call."""

def is_local(path: str) -> bool:
    """Whether a folder is on a disk of this machine; False where it is not known."""

class State:
    """Arrays that calls update."""

    def __init__(self, library: Library, arrays: Sequence[np.ndarray[Any, Any]]) -> None: ...
    def used(self, input: int) -> int:
        """Rows in use of a state that grows."""
    def set_used(self, input: int, rows: int) -> None:
        """The same to be set."""
