"""The built-in scenarios by name: the SCENARIO of every file of `scenarios/`."""

from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from steersman.gallery import scenarios as library
from steersman.gallery.making.scenario import Scenario


def _scenarios() -> dict[str, Scenario]:
    modules = (import_module(f"{library.__name__}.{each.name}") for each in iter_modules(library.__path__))
    scenarios: list[Scenario] = [module.SCENARIO for module in modules]
    return {scenario.name: scenario for scenario in sorted(scenarios, key=lambda each: each.name)}


SCENARIOS = MappingProxyType(_scenarios())
"""Name -> scenario, in the order of their names."""
