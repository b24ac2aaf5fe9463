"""A plugin of pytest: the library with one more condition and one more kind of obstacles, and their test files."""

import importlib.util
import sys
from pathlib import Path

from contract import families

import steersman as sm

HERE = Path(__file__).parent

for name, folder in (("Fast", "core.action_selection"), ("Pearls", "core.environment.obstacles")):
    path = HERE / f"{name.lower()}.py"
    spec = importlib.util.spec_from_file_location(f"steersman.{folder}.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    setattr(sm, name, getattr(module, name))  # The lines in `core/public.py` and `steersman/__init__.py`.

families.FOLDERS.append(HERE)
