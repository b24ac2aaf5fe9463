"""The built-in scenarios by name."""

from types import MappingProxyType

from steersman.scenarios.library import (
    arrival,
    flocking,
    murmuration,
    obstacle_avoidance,
    pursuit_evasion,
    seek_flee,
    wander,
)

SCENARIOS = MappingProxyType(
    {
        module.SCENARIO.name: module.SCENARIO
        for module in (seek_flee, arrival, pursuit_evasion, wander, obstacle_avoidance, flocking, murmuration)
    }
)
"""Name -> scenario, the simple ones first."""
