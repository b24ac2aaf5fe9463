"""Docstrings as Markdown, and the public methods of classes with theirs."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import make_tables

import steersman as sm
from steersman.core.parameters.expression import Expressed
from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.showing import Shown

WORDS = {"Args", "Attributes", "Raises", "Returns", "Yields"}

BASES = {base.__name__ for name in sm.__all__ if isinstance(base := getattr(sm, name), type) and base.__subclasses__()}
"""Public classes of which others are made."""

DESCRIBED = {cls for _, classes in make_tables.chapters() for cls in classes}
"""Classes whose parameters make a page."""


BENEATH: dict[str, type] = {
    base.__name__: base
    for cls in (getattr(sm, name) for name in sm.__all__)
    if isinstance(cls, type) and issubclass(cls, Parameters)
    for base in cls.__mro__
    if issubclass(base, (Parameters, Expressed)) and base.__name__ not in sm.__all__
    if any(inspect.isfunction(each) and not name.startswith("_") for name, each in vars(base).items())
}
"""Bases that are no public names, of classes that have parameters: their methods stand on pages of their own."""


def members(cls: type) -> Iterator[str]:
    """Public methods and properties of a class, and of its bases that have no page; a link to those that have.

    What a base asks of every class is described there alone; the pages of behaviors show their own methods.
    """
    written, known, linked = set[str](), cls.__name__ not in BASES and issubclass(cls, Parameters), list[str]()
    for base in cls.__mro__:
        if not base.__module__.startswith("steersman") or base is Shown:
            continue
        if base is not cls and (base.__name__ in sm.__all__ or base.__name__ in BENEATH):
            linked.append(f"[{base.__name__}](../{page_of(base)}.md)")
            continue
        above = {name for one in base.__mro__[1:] if one.__module__.startswith("steersman") for name in vars(one)}
        for name, each in vars(base).items():
            plain = each.__func__ if isinstance(each, (classmethod, staticmethod)) else each
            said = each.fget if isinstance(each, property) else plain
            public = inspect.isfunction(said) and not name.startswith("_") and inspect.getdoc(said)
            if not public or name in written | (above if known else set()):
                continue
            written.add(name)
            yield f"### {name}\n"
            yield "" if isinstance(each, property) else signature(name, plain)
            yield docstring(said)
    if linked:
        yield f"And those of {', '.join(linked)}.\n"


def page_of(cls: type) -> str:
    """The page of a class, without its ending."""
    return f"{'classes' if cls in DESCRIBED else 'names'}/{cls.__name__}"


def signature(name: str, each: Any) -> str:
    """How it is called."""
    try:
        made = inspect.signature(each)
    except (TypeError, ValueError):
        return ""
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in made.parameters.values()]
    text = str(made.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return f"```text\n{name}{re.sub(r'<[^>]*>', '...', text)}\n```\n"


def summary(each: Any) -> str:
    """The first paragraph of a docstring."""
    return " ".join((inspect.getdoc(each) or "").partition("\n\n")[0].split())


def docstring(each: Any) -> str:
    """The docstring of an object as Markdown."""
    return markdown(inspect.getdoc(each) or "")


def markdown(text: str) -> str:
    """The text of a docstring as Markdown: its sections as lists, indented text as code."""
    lines: list[str] = []
    section = False
    for line in text.split("\n"):
        if line.rstrip(":") in WORDS and line.endswith(":"):
            section = True
            lines += ["", f"**{line.rstrip(':')}**", ""]
        elif section and re.match(r"    \S", line):
            head, colon, rest = line.strip().partition(":")
            lines.append(f"- `{head}`:{rest}" if colon and " " not in head else f"- {line.strip()}")
        elif section and line.startswith("     "):
            lines.append(f"  {line.strip()}")
        else:
            section = section and (not line or line.startswith(" "))
            lines.append(line)
    return "\n".join(lines) + "\n"
