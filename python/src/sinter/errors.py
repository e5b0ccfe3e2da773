# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong, as exceptions. Those of the compiler hold its diagnostics: docs/json.md says what they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """One diagnostic of the compiler."""

    message: str
    code: str = ""
    """`sinter explain CODE` says more; empty where there is none."""
    node: str = ""
    """The model's node that it is about."""
    operator: str = ""
    hint: str = ""

    @classmethod
    def from_json(cls, members: Mapping[str, Any]) -> Problem:
        """Of an entry of `problems` in the compiler's answer."""
        return cls(**{name: str(members.get(name, "")) for name in ("message", "code", "node", "operator", "hint")})

    def __str__(self) -> str:
        place = " ".join(part for part in (f"'{self.node}'" if self.node else "", f"({self.operator})" if self.operator else "") if part)
        text = f"{place}: {self.message}" if place else self.message
        if self.code:
            text += f" [{self.code}]"
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class SinterError(Exception):
    """What all exceptions of this package are."""

    def __init__(self, problems: Sequence[Problem] | Problem | str, *, status: int = 0, answer: Mapping[str, Any] | None = None) -> None:
        if isinstance(problems, str):
            problems = Problem(problems)
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.status = status
        self.answer: Mapping[str, Any] = answer or {}
        """What the compiler came to know before it failed."""
        super().__init__("\n".join(map(str, self.problems)))

    def _first(self) -> Problem:
        return self.problems[0] if self.problems else Problem("")

    @property
    def message(self) -> str:
        """The first problem's text."""
        return self._first().message

    @property
    def code(self) -> str:
        """The first problem's code, such as E0201, or empty."""
        return self._first().code

    @property
    def hint(self) -> str:
        """What to do about the first problem, or empty."""
        return self._first().hint

    @property
    def node(self) -> str:
        """The node that the first problem is about, or empty."""
        return self._first().node


class UsageError(SinterError, ValueError):
    """An option that there is not, or a value that it cannot have."""


class ModelError(SinterError):
    """The model is invalid, or does something that is not supported."""


class InternalError(SinterError):
    """A fault of the compiler, or generated code that does not compile."""


class NoCompilerError(SinterError):
    """There is no C++ compiler."""


class CacheError(SinterError, OSError):
    """The folder of compiled models cannot be used."""


class InputError(SinterError, ValueError):
    """An array that does not fit what the model takes."""


class CallError(SinterError, RuntimeError):
    """A call ended with another status than 0 (docs/output-format.md)."""


def of_status(status: int, problems: Sequence[Problem], answer: Mapping[str, Any]) -> SinterError:
    """The exception for what the compiler ended with."""
    kinds: dict[int, type[SinterError]] = {1: UsageError, 2: ModelError}
    if any(problem.message.startswith("no C++ compiler") for problem in problems):
        packages = problems[0].hint.partition("Debian has it in ")[2]
        install = f"install one (Debian: {packages})" if packages else "install g++ or clang++"
        hint = f"{install}, or `pip install sinter[zig]`, which compiles for Linux, Windows, macOS, iOS and Android; cxx=... names another"
        problems = [Problem(problem.message, problem.code, hint=hint) for problem in problems]
        return NoCompilerError(problems, status=status, answer=answer)
    return kinds.get(status, InternalError)(problems, status=status, answer=answer)
