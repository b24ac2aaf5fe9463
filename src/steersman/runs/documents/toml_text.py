"""A document as readable TOML: lists of tables as sections, steering trees with one part a line.

Numbers are written with all their digits, so that reading the text gives the same document, bit for bit.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

BARE = re.compile(r"[A-Za-z0-9_-]+")
WIDE = 110
"""A list that is longer on one line is written one item a line."""

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def to_toml(document: Mapping[str, Any]) -> str:
    """The text of a document of texts, numbers, truth values, lists and tables.

    Raises:
        TypeError: It holds something that TOML has no form for, such as None.
    """
    return "\n".join(_table(document, ())).strip("\n") + "\n"


def in_lists(value: Any) -> Any:
    """A document with its long columns as lists, so that it is one file."""
    if isinstance(value, Mapping):
        return {key: in_lists(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [in_lists(each) for each in value] if isinstance(value, list) else value


def in_toml(value: Any) -> str:
    """One value in TOML; of a value that TOML has no form for, its repr."""
    try:
        return _value(value, "")
    except TypeError:
        return repr(value)


def _table(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    lines, sections = [], []
    for key, value in table.items():
        below = (*path, key)
        if _is_section(value, path):
            sections += ["", f"[{_dotted(below)}]", *_table(value, below)]
        elif _is_section_list(value, path):
            for item in value:
                sections += ["", f"[[{_dotted(below)}]]", *_table(item, below)]
        else:
            lines.append(f"{_key(key)} = {_value(value, '')}")
    return lines + sections


def _is_section(value: Any, path: tuple[str, ...]) -> bool:
    """Tables of the document, and steering trees, get a section; smaller ones stay on their line."""
    return isinstance(value, Mapping) and (not path or "behavior" in value) and len(path) <= 1


def _is_section_list(value: Any, path: tuple[str, ...]) -> bool:
    return not path and isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(_key(key) for key in path)


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else _text(key)


def _value(value: Any, indent: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)  # inf, -inf, nan
    if isinstance(value, list):
        return _list(value, indent)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item, indent)}" for key, item in value.items()) + "}"
    raise TypeError(f"TOML has no form for {value!r}")


def _list(items: list[Any], indent: str) -> str:
    flat = "[" + ", ".join(_value(item, indent) for item in items) + "]"
    if len(flat) + len(indent) <= WIDE and not any(isinstance(item, Mapping) for item in items):
        return flat
    inner = indent + "    "
    return "[\n" + "".join(f"{inner}{_value(item, inner)},\n" for item in items) + indent + "]"


def _text(text: str) -> str:
    return '"' + "".join(_character(c) for c in text) + '"'


def _character(c: str) -> str:
    if c in ESCAPES:
        return ESCAPES[c]
    return c if ord(c) >= 32 and ord(c) != 127 else f"\\u{ord(c):04x}"
