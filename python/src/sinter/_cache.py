# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled models by what they were made of. An entry is a folder that is made under another name and renamed when it is whole, with the hashes of its
files; one that is not as it was written is made anew."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._folders import Folder
from .errors import CacheError, Problem, SinterError

_FORMAT = 1
_UNUSED_DAYS, _UNFINISHED_DAYS = 30, 1
_TRIES = 5
_HINT = "SINTER_CACHE names another folder; cache=False keeps nothing"


@dataclass(frozen=True)
class Entry:
    """A compiled model on the disk."""

    folder: Path
    answer: Mapping[str, Any]
    """What the compiler said when it made it."""


def default_folder() -> Path:
    """$SINTER_CACHE/models, else sinter/models where the user's caches are."""
    if given := os.environ.get("SINTER_CACHE"):
        return Path(given, "models")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "sinter", "models")


def file_hash(path: Path) -> str:
    """Of what is in a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _key(parts: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps([_FORMAT, *parts]).encode()).hexdigest()


@contextlib.contextmanager
def _failures(folder: Path) -> Iterator[None]:
    try:
        yield
    except CacheError:
        raise
    except OSError as error:
        raise CacheError(Problem(f"the cache in {folder} cannot be used: {error.strerror or error}", hint=_HINT)) from error


@contextlib.contextmanager
def full_disk_named(folder: Path, hint: str = _HINT) -> Iterator[None]:
    """What the compilers say of a full disk is no wrong use: an error says whose disk it is."""
    try:
        yield
    except CacheError:
        raise
    except SinterError as error:
        if os.strerror(errno.ENOSPC) in str(error):
            raise CacheError(Problem(f"the disk of {folder} is full", hint=hint)) from error
        raise


def _used(path: Path) -> None:
    """Nothing is pruned that is in use; what lies where only others may write, or on a read-only file system, is used all the same."""
    with contextlib.suppress(OSError):
        os.utime(path)


def _read(folder: Path) -> Entry | None:
    """None where there is no entry. One that is not whole is taken away."""
    try:
        described = json.loads((folder / "entry.json").read_text(encoding="utf-8"))
        if all(file_hash(folder / name) == expected for name, expected in described["files"].items()):
            _used(folder)
            return Entry(folder, described["answer"])
    except FileNotFoundError:
        if not folder.exists():
            return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    warnings.warn(f"sinter: {folder} is not as it was written; the model is compiled again", RuntimeWarning, stacklevel=5)
    _remove(folder)
    return None


def _remove(path: Path) -> None:
    """As far as it can be."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def _write(folder: Path, answer: Mapping[str, Any]) -> None:
    files = {path.name: file_hash(path) for path in sorted(folder.iterdir()) if path.is_file()}
    with (folder / "entry.json").open("w", encoding="utf-8") as file:
        json.dump({"files": files, "answer": answer}, file)
        file.flush()
        os.fsync(file.fileno())


def _prune(cache: Path) -> None:
    """What was not used for a while, and where locks mean nothing what an interrupted build has left."""
    now = time.time()
    for path in cache.iterdir():
        days = _UNFINISHED_DAYS if path.name.startswith(".") else _UNUSED_DAYS
        with contextlib.suppress(OSError):
            if now - path.stat().st_mtime < days * 86400:
                continue
            _remove(path)


def _publish(made: Path, folder: Path) -> Entry:
    """Renames; where another process was faster, its entry is as good, and makes way where it is damaged."""
    for _ in range(_TRIES):
        try:
            made.rename(folder)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                raise
        if known := _read(folder):
            return known
        if not made.exists():
            break
    raise CacheError(Problem(f"the entry {folder} was changed by another program while it was written", hint=_HINT))


def named_files(words: Sequence[str]) -> Iterator[str]:
    """Of what options name: where it lies, and what is in it."""
    for path in map(Path, words):
        with contextlib.suppress(OSError):
            if path.exists():
                yield f"{path.resolve()} {file_hash(path) if path.is_file() else ''}"


def entry(cache: Path, model: Path, place: str, options: Sequence[str], make: Callable[[Path], Mapping[str, Any]]) -> Entry:
    """The entry of a model that lies in `place`. `options`: all that it depends on besides files; `make` compiles it into a folder.

    Which files a model depends on is known once it was compiled: a list by the model's own bytes says which, and the entry is found by what is in them."""
    with _failures(cache):
        cache.mkdir(parents=True, exist_ok=True)
    try:
        before = file_hash(model)
        listed = cache / (_key([before, place, *options]) + ".files")
    except OSError as error:
        raise CacheError(f"{model}: {error.strerror}") from error
    begun = time.time_ns()

    def found() -> Path | None:
        try:
            names = json.loads(listed.read_text(encoding="utf-8"))
            _used(listed)
            return cache / _key([*(file_hash(Path(name)) for name in [model, *names]), *options])
        except (OSError, ValueError, TypeError):
            return None

    with _failures(cache):
        if (folder := found()) and (known := _read(folder)):
            return known
        held = Folder(cache, ".")
    unfinished = held.path
    try:
        made = unfinished / "entry"
        made.mkdir()
        with full_disk_named(cache):
            answer = make(made)
        with _failures(cache):
            _write(made, answer)
            names = [str(Path(name).resolve()) for name in answer["dependencies"][1:]]
            (unfinished / "files").write_text(json.dumps(names), encoding="utf-8")
            if listed.is_dir():
                _remove(listed)
            (unfinished / "files").rename(listed)
            folder = found()
            is_same = file_hash(model) == before and all(Path(name).stat().st_mtime_ns <= begun for name in names)
            if not folder or not is_same:
                listed.unlink(missing_ok=True)
                raise CacheError(Problem(f"{model} or one of its files changed while it was compiled", hint="compile it again"))
            published = _publish(made, folder)
            _prune(cache)
            return published
    finally:
        held.remove()
