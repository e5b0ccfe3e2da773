# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the compiler that the package carries, and takes its JSON."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import InternalError, Problem, of_status

VERIFICATION_FAILED = 3
_WITHOUT_MODEL = ("targets", "report")


def executable() -> Path:
    """The compiler: the package's own, or the one that SINTER_EXECUTABLE names."""
    given = os.environ.get("SINTER_EXECUTABLE")
    return Path(given) if given else Path(__file__).parent / "bin" / "sinter"


def _said(program: Path, *arguments: str) -> str:
    """What it says of itself."""
    try:
        done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise InternalError(f"{program} cannot be started: {error.strerror}") from error
    if done.returncode:
        raise InternalError(_ending(" ".join(arguments), done.returncode, done.stderr))
    return done.stdout.strip()


@functools.cache
def identity(program: Path) -> str:
    """What tells this compiler from others: its version, and of one that is being worked on its file."""
    version = _said(program, "--version")
    status = program.stat()
    return f"{version} {status.st_size} {status.st_mtime_ns}"


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    # verify and bench run onnxruntime in a Python: this one, unless another is named.
    return {"SINTER_PYTHON": sys.executable, **os.environ, **more}


def _ending(verb: str, status: int, messages: str) -> str:
    how = f"with status {status}" if status >= 0 else f"by {signal.Signals(-status).name}"
    return f"`sinter {verb}` ended {how}" + (f": {messages.strip()}" if messages.strip() else "")


def call(verb: str, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The answer of a verb, and its `messages` for people. Raises what went wrong; a failed verification is an answer."""
    spelling = [] if verb in _WITHOUT_MODEL else ["--dims-as", "python"]
    command = [str(executable()), verb, "--json", *spelling, *arguments]
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=_environment(environment or {}),
        )
    except OSError as error:
        raise InternalError(f"{command[0]} cannot be started: {error.strerror}") from error
    try:
        out, messages = child.communicate()
    except BaseException:  # a KeyboardInterrupt: the compiler clears away what it has begun
        child.terminate()
        child.communicate()
        raise
    try:
        answer: dict[str, Any] = json.loads(out) if out.strip() else {}
    except ValueError as error:
        raise InternalError(f"{command[0]} gave no JSON: {out[:200]}") from error
    if child.returncode in (0, VERIFICATION_FAILED):
        return {**answer, "messages": messages}
    problems = [Problem.from_json(problem) for problem in answer.get("problems", [])]
    if not problems:
        problems = [Problem(_ending(verb, child.returncode, messages))]
    raise of_status(child.returncode, problems, answer)


@functools.cache
def flags(verb: str) -> tuple[Mapping[str, Any], ...]:
    """The flags of a verb, as the compiler lists them."""
    text = _said(executable(), verb, "--help=json")
    try:
        return tuple(json.loads(text)["flags"])
    except (ValueError, KeyError, TypeError) as error:
        raise InternalError(f"{executable()} gave no list of flags: {text[:200]}") from error
