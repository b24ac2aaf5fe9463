"""Tables of the contract suite, put together from the modules of a folder and from the test files of behaviors."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from loading import module_of

FOLDERS = [Path(__file__).parent.parent / "core"]
"""The test file of a behavior, condition or kind of obstacles may have its examples, references and documents itself."""


def merged(package: str, path: Iterable[str], table: str) -> dict[str, Any]:
    """The dictionaries of one name in all modules of a package and in test files, as one; no key may be there twice."""
    modules = sorted(pkgutil.iter_modules(path), key=lambda each: each.name)
    parts = [importlib.import_module(f"{package}.{each.name}") for each in modules]
    return together([*parts, *own(table)], table)


def with_own(table: str, entries: dict[str, Any]) -> dict[str, Any]:
    """The entries of a table, and those that test files add."""
    added = together(own(table), table)
    twice = entries.keys() & added.keys()
    assert not twice, f"{sorted(twice)} are there already: test files add entries of their own names"
    return entries | added


def together(parts: Iterable[ModuleType], table: str) -> dict[str, Any]:
    """The dictionaries of one name in some modules as one."""
    whole: dict[str, Any] = {}
    for part in parts:
        entries = getattr(part, table, {})
        twice = whole.keys() & entries.keys()
        assert not twice, f"{sorted(twice)} of {part.__name__} are there twice"
        whole |= entries
    return whole


def own(table: str) -> Iterator[ModuleType]:
    """The test files with a table of this name."""
    for file in sorted(file for folder in FOLDERS for file in folder.rglob("test_*.py")):
        text = file.read_text("utf-8")
        if f"\n{table} = " in text or f"\n{table}: " in text:
            yield loaded(file)


@cache
def loaded(file: Path) -> ModuleType:
    """A test file as a module."""
    return module_of(file, f"contract_of_{file.stem}")
