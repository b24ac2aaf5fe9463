"""Brief: any value as one line of a message. The line is never long, and writing it never raises an error."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

LONGEST = 160
"""The most characters of a value."""

ITEMS = 16
"""The most items of a list that are shown."""

DEEPEST = 4
"""The most levels of lists in lists that are shown."""

DIGITS = 40
"""Whole numbers with more digits are written as powers of ten."""


def brief(value: Any) -> str:
    """A value as `repr` writes it, in one line, and shortened where it is long."""
    text = " ".join(_written(value, DEEPEST).split()) if not isinstance(value, (str, bytes)) else _written(value, 0)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 43]}...{text[-40:]}"


def _written(value: Any, deeper: int) -> str:
    """A value with at most `deeper` levels of lists in lists."""
    kind: type = type(value)
    if kind in (str, bytes, bytearray) and len(value) > LONGEST:
        return f"{value[: LONGEST // 2]!r}... ({len(value)} characters)"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 3.3 * DIGITS:
        return f"{'-' * (value < 0)}10**{int(value.bit_length() / 3.3219280949)} or so"
    if kind in BRACKETS and (not deeper or kind in (dict, list, tuple) or len(value) > ITEMS):
        opening, closing = BRACKETS[kind]
        if not deeper and len(value):
            return f"{opening}...{closing}"
        return f"{opening}{_items(value, deeper - 1)}{',' * (kind is tuple and len(value) == 1)}{closing}"
    try:
        return repr(value)
    except Exception:
        return f"<{kind.__name__}>"


def _items(values: Any, deeper: int) -> str:
    """The first items, and the number of the others."""
    shown: Iterable[str]
    if isinstance(values, dict):
        first = islice(values.items(), ITEMS)
        shown = (f"{_written(key, deeper)}: {_written(value, deeper)}" for key, value in first)
    else:
        shown = (_written(value, deeper) for value in islice(values, ITEMS))
    more = [f"... and {len(values) - ITEMS} more"] if len(values) > ITEMS else []
    return ", ".join([*shown, *more])


BRACKETS: dict[type, Any] = {list: "[]", tuple: "()", dict: "{}", set: "{}", frozenset: ("frozenset({", "})")}
"""The brackets of collections."""
