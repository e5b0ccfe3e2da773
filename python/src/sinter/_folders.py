# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Temporary folders, which are locked by who made them: the system frees the lock however that process ends, and the next one that makes such a folder
removes what is left. The compiler has the same rule (compiler/driver/folder_lock.h)."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from . import _native

_TRIES = 128
_DIGITS = 12


def _lock(folder: Path) -> int | None:
    """A descriptor that holds the lock; None where another has it, or the folder went meanwhile. -1: there are no locks here."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_ino == os.lstat(folder).st_ino:
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:
        os.close(descriptor)
        return -1
    os.close(descriptor)
    return None


def _release(descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)


def _remove_abandoned(parent: Path, prefix: str) -> None:
    if not _native.is_local(str(parent)):  # on disks of other machines a lock may hold on one machine alone
        return
    for path in parent.glob(f"{prefix}*"):
        if not re.fullmatch(rf"[0-9a-f]{{{_DIGITS}}}", path.name[len(prefix) :]):
            continue
        with contextlib.suppress(OSError):
            if path.lstat().st_uid != os.geteuid():
                continue
            descriptor = _lock(path)
            if descriptor is not None and descriptor >= 0:
                shutil.rmtree(path, ignore_errors=True)
                _release(descriptor)


class Folder:
    """One that goes with `remove()`."""

    def __init__(self, parent: Path, prefix: str) -> None:
        _remove_abandoned(parent, prefix)
        for _ in range(_TRIES):
            self.path = parent / f"{prefix}{secrets.token_hex(_DIGITS // 2)}"
            try:
                self.path.mkdir(mode=0o700)
            except FileExistsError:
                continue
            descriptor = _lock(self.path)
            if descriptor is not None:  # else another process took it for abandoned before it was locked
                self._descriptor = descriptor
                return
        raise FileExistsError(f"{parent} has all names that were tried")

    def remove(self) -> None:
        """With all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        descriptor, self._descriptor = self._descriptor, -1
        _release(descriptor)


@contextlib.contextmanager
def temporary(parent: Path, prefix: str) -> Iterator[Path]:
    """A folder that goes at the end."""
    folder = Folder(parent, prefix)
    try:
        yield folder.path
    finally:
        folder.remove()
