# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Answers of the compiler as objects: members are attributes (docs/json.md names them), notebooks show tables."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from typing import Any

_COMMON = ("version", "verb", "status", "problems", "notes", "messages")
_MOST_ROWS = 50


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def _table(rows: list[Mapping[str, Any]]) -> str:
    columns = list(dict.fromkeys(key for row in rows for key, value in row.items() if not isinstance(value, (dict, list)) or not value))
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    lines = ("".join(f"<td>{html.escape(_cell(row.get(column)))}</td>" for column in columns) for row in rows[:_MOST_ROWS])
    more = f"<p>and {len(rows) - _MOST_ROWS} more</p>" if len(rows) > _MOST_ROWS else ""
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>{more}"


def _section(name: str, value: Any) -> str:
    title = f"<b>{html.escape(name.replace('_', ' '))}</b>"
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return f"<details><summary>{title} ({len(value)})</summary>{_table(value)}</details>"
    return f"<details><summary>{title}</summary><pre>{html.escape(json.dumps(value, indent=1))}</pre></details>"


class Result(Mapping[str, Any]):
    """What a verb answered: a mapping whose members are attributes, too."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = dict(members)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._members:
            return self._members[name]
        raise AttributeError(f"the answer has no '{name}'; it has {', '.join(self._members)}" if not name.startswith("_") else name)

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._members]

    def __bool__(self) -> bool:
        """Of verify, whether all agrees; others that answer have done their work."""
        return bool(self._members.get("agrees", True))

    def _own(self) -> dict[str, Any]:
        return {name: value for name, value in self._members.items() if name not in _COMMON}

    def __repr__(self) -> str:
        flat = {name: value for name, value in self._own().items() if not isinstance(value, (dict, list))}
        rest = [f"{name}: {len(value)}" for name, value in self._own().items() if isinstance(value, (dict, list))]
        text = ", ".join([*(f"{name}={_cell(value)}" for name, value in flat.items()), *rest])
        return f"<sinter {self._members.get('verb', 'answer')}: {text}>"

    def _repr_html_(self) -> str:
        flat = [(name, value) for name, value in self._own().items() if not isinstance(value, (dict, list))]
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(_cell(value))}</td></tr>" for name, value in flat)
        sections = "".join(_section(name, value) for name, value in self._own().items() if isinstance(value, (dict, list)) and value)
        notes = "".join(f"<p>{html.escape(str(note))}</p>" for note in self._members.get("notes", []))
        return f"<table>{rows}</table>{sections}{notes}"
