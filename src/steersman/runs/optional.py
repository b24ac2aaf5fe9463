"""Optional: packages that are no dependencies, imported when they are needed."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def require_package(package: str, requirement: str = "") -> Any:
    """A package that is no dependency.

    Args:
        package: Its name.
        requirement: The way to install it, where that is not its own name.

    Raises:
        ImportError: It is not installed; the message names what to install.
    """
    if find_spec(package) is None:
        raise ImportError(f'this needs {package}; please run: pip install "{requirement or package}"')
    return import_module(package)
