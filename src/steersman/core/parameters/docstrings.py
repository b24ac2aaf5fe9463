"""Docstrings of parameters: the texts below `Args:`, parsed at the first use."""

import inspect
import re
from functools import cache

ENTRY = re.compile(r" {4}([\w*]+(?:, [\w*]+)*): (.*)")
"""The first line of an entry: one name or several, and the text."""


def text_of(cls: type, name: str) -> str:
    """The text on a parameter in the docstring of a class, or else in that of the nearest base; "" for nothing."""
    return next((text for each in cls.__mro__ if (text := arguments(each.__dict__.get("__doc__")).get(name))), "")


@cache
def arguments(docstring: str | None) -> dict[str, str]:
    """Name -> text of the entry below `Args:`, each in one line."""
    _, _, section = inspect.cleandoc(docstring or "").partition("\nArgs:\n")
    entries: dict[str, str] = {}
    names: list[str] = []
    for line in section.split("\n"):
        if not line.startswith("    "):
            break
        if entry := ENTRY.fullmatch(line):
            names = entry[1].split(", ")
            entries |= dict.fromkeys(names, entry[2])
        else:
            entries |= {name: f"{entries[name]} {line.strip()}" for name in names}
    return entries
