# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which C++ compiler is taken: the one that is named, the one that the driver finds for the target, or that of the package ziglang, which knows other
machines, too."""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _driver

# What Zig calls the machines for which it brings headers, or has those that sources take (bin/zig-c++).
_ZIG_TARGETS = {
    "x86_64-linux-gnu": "x86_64-linux-gnu",
    "aarch64-linux-gnu": "aarch64-linux-gnu",
    "arm-linux-gnueabihf": "arm-linux-gnueabihf",
    "riscv64-linux-gnu": "riscv64-linux-gnu",
    "x86_64-w64-mingw32": "x86_64-windows-gnu",
    "arm64-apple-macos": "aarch64-macos",
    "arm64-apple-ios": "aarch64-ios",
    "aarch64-linux-android": "aarch64-linux-android",
}


@dataclass(frozen=True)
class Cxx:
    """What the driver is to be told of it."""

    target: str = ""
    """The target by its full name: `host` is another on other machines."""
    runs_here: bool = False
    identity: str = ""
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


def _identity(program: str) -> str:
    found = shutil.which(program)
    if not found:
        return program
    status = Path(found).stat()
    return f"{Path(found).resolve()} {status.st_size} {status.st_mtime_ns}"


@functools.cache
def _zig() -> Path | None:
    spec = importlib.util.find_spec("ziglang")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (program := Path(folder) / "zig").exists():
            return program
    return None


@functools.cache
def _target(spec: str, path: str, written: int) -> dict[str, Any]:
    """`path`: PATH, which decides what is found; `written`: of a description in a file, when."""
    answer = _driver.call("targets", [spec])
    return dict(answer["gpu"] if "gpu" in answer else answer["targets"][0])


def choose(target: str | None, cxx: str | os.PathLike[str] | None) -> Cxx:
    """For a target as --target has it, and what --cxx says."""
    specs = str(target or "host").split(",")
    path = os.environ.get("PATH", "")
    found = [_target(spec, path, Path(spec).stat().st_mtime_ns if Path(spec).is_file() else 0) for spec in specs]
    name = ",".join(str(one.get("name", "")) for one in found)
    runs_here = bool(found[0].get("runs_here"))
    if cxx is not None:
        return Cxx(name, runs_here, _identity(os.fspath(cxx)))
    if compiler := found[0].get("compiler"):
        return Cxx(name, runs_here, _identity(compiler))
    zig, query = _zig(), "" if runs_here else _ZIG_TARGETS.get(str(found[0].get("triple")))
    if not zig or query is None:
        return Cxx(name, runs_here)
    wrapper = Path(__file__).parent / "bin" / "zig-c++"
    return Cxx(name, runs_here, _identity(str(zig)), ("--cxx", str(wrapper)), {"SINTER_ZIG": str(zig), "SINTER_ZIG_TARGET": query})
