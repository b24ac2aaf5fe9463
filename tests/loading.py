"""Files outside of packages, as modules."""

import importlib.util
from pathlib import Path
from types import ModuleType


def module_of(file: Path, name: str = "") -> ModuleType:
    """A file as a module, under its own name or another one."""
    spec = importlib.util.spec_from_file_location(name or file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
