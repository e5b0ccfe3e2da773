# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compiled model says of its inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _types


@dataclass(frozen=True)
class Tensor:
    """An input or output. Prints as `float32[batch,8]`."""

    name: str
    element_type: int
    """TensorProto.DataType"""
    shape: tuple[int | str | None, ...]
    """Sizes; of those that vary the dim's name, or None where only the call knows."""
    largest: tuple[int, ...]
    state_output: str = ""
    """Of an input that calls update: the graph output that it then holds."""
    state_index: int = -1
    growing_dim: int = -1
    """Of a state of which a call uses a part: along which dim."""
    scale: float = 0.0
    """Of quantized tensors, real = scale * (value - zero_point); else 0."""
    zero_point: int = 0
    part: str = ""
    """Of a sequence, map or optional: which part of it this is. The name ends with it: `x.count`."""

    @property
    def is_state(self) -> bool:
        """Whether calls update it."""
        return self.state_index >= 0

    @property
    def dtype(self) -> str:
        """numpy's name of the type."""
        return _types.numpy_name(self.element_type)

    def __str__(self) -> str:
        name = "string" if self.element_type == _types.STRING else self.dtype
        return f"{name}[{','.join('?' if size is None else str(size) for size in self.shape)}]"

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> Tensor:
        """Of what the extension says."""
        shape = tuple(size if size >= 0 else (symbol or None) for size, symbol in zip(described["sizes"], described["dim_names"], strict=True))
        same = ("name", "largest", "state_output", "state_index", "growing_dim", "scale", "zero_point", "part")
        return cls(element_type=described["type"], shape=shape, **{member: described[member] for member in same})
