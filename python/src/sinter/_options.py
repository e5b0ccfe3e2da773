# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keyword arguments as flags of the compiler. Which there are, the compiler says: none is named here."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from typing import Any

from . import _driver
from .errors import Problem, UsageError


def _find(verb: str, name: str) -> Mapping[str, Any]:
    """`arena_limit` is --arena-limit; a flag that may be repeated has a plural, too: `dims`."""
    known = {flag["name"]: flag for flag in _driver.flags(verb)}
    word = name.rstrip("_").replace("_", "-")
    if word in known:
        return known[word]
    singular = word.removesuffix("s")
    if singular in known and known[singular]["repeated"]:
        return known[singular]
    close = difflib.get_close_matches(word, known, 1)
    hint = f"did you mean {close[0].replace('-', '_')}?" if close else f"`sinter {verb} --help` lists them"
    raise UsageError(Problem(f"{verb} has no option '{name}'", hint=hint))


def _text(value: Any) -> str:
    """One value: (1, 8) is 1..8, [1, 128] is 1,128."""
    if isinstance(value, tuple):
        return "..".join(map(_text, value))
    if isinstance(value, list):
        return ",".join(map(_text, value))
    if isinstance(value, bool):
        return str(value).lower()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _values(flag: Mapping[str, Any], value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        pairs = [f"{key}={_text(inner)}" for key, inner in value.items()]
        yield from pairs if flag["repeated"] else [",".join(pairs)]
    elif flag["repeated"] and isinstance(value, (list, tuple, set, frozenset)):
        yield from map(_text, value)
    else:
        yield _text(value)


def arguments(verb: str, options: Mapping[str, Any]) -> list[str]:
    """The command line of `options`, in an order that does not depend on theirs."""
    words: list[str] = []
    for name, value in sorted(options.items()):
        flag = _find(verb, name)
        if value is None or value is False:
            continue
        if "value" not in flag:
            if value is not True:
                raise UsageError(f"the option '{name}' of {verb} is a switch: True or False, not {value!r}")
            words.append(flag["spelling"])
            continue
        if value is True:
            raise UsageError(f"the option '{name}' of {verb} takes a value: {flag['value'] or flag['summary']}")
        for text in _values(flag, value):
            words += [flag["spelling"] + text] if flag["attached"] else [flag["spelling"], text]
    return words
