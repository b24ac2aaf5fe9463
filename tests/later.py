"""Packages that few tests use are imported by these: at the top of a file, each process that collects tests imports them."""

from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest


def later(name: str) -> Any:
    """A module that is imported when one of its names is first used; a test that uses one that is missing is skipped."""
    module = cache(lambda: pytest.importorskip(name))

    class Later:
        def __getattr__(self, attribute: str) -> Any:
            if attribute.startswith("__"):  # pytest asks each name in a file for `__test__`.
                raise AttributeError(attribute)
            return getattr(module(), attribute)

        def __setattr__(self, attribute: str, value: object) -> None:
            setattr(module(), attribute, value)

        def __delattr__(self, attribute: str) -> None:
            delattr(module(), attribute)

    return Later()


def needs(package: str) -> pytest.MarkDecorator:
    """The mark of tests that are skipped without a package. It is not imported."""
    return pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed")
