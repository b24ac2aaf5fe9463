"""Tables that are put together from the modules of a folder."""

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Any


def merged(package: str, path: Iterable[str], table: str) -> dict[str, Any]:
    """The dictionaries of one name in all modules of a package, as one; no key may be there twice."""
    whole: dict[str, Any] = {}
    for module in sorted(pkgutil.iter_modules(path), key=lambda each: each.name):
        part = getattr(importlib.import_module(f"{package}.{module.name}"), table, {})
        twice = whole.keys() & part.keys()
        assert not twice, f"{sorted(twice)} of {package}.{module.name} are there twice"
        whole |= part
    return whole
