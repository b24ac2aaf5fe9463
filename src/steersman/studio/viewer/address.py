"""The address of a window: the scenario, the number of vehicles, the seed and the changed parameters.

A link reproduces the window: `?scene=boids&n=200&seed=3&set=boids.2.radius=5`. With `beside=flocking` another scenario is
shown beside it; with `beside=seed%3D4%26set%3Dboids.2.radius%3D9` the same one with another seed and other parameters.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode

from steersman.core.parameters.guiding import suggestion
from steersman.core.world.world import World
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer import trees

MOST = 1_000_000
"""Largest number of vehicles that the window asks a scenario for."""

WEIGHT, ON = "~weight", "~on"
"""Names, beside those of parameters, of the weight of a node and of its switch."""

Edit = tuple[str, int, str]
"""Population, key of the node, and name of the parameter."""


@dataclass
class Address:
    """The contents of a window.

    Args:
        scene: The name of a built-in scenario; "" for the subject of the server.
        n: Number of vehicles of the main population; None for the usual number.
        seed: The seed; None for the usual one.
        edits: The changed parameters, weights and switches, in the order of the changes.
        beside: The name of a scenario that is shown beside it, or a query of one; "" for none.
    """

    scene: str = ""
    n: int | None = None
    seed: int | None = None
    edits: dict[Edit, Any] = field(default_factory=dict)
    beside: str = ""

    @classmethod
    def read(cls, query: Mapping[str, Sequence[str]]) -> "Address":
        """The address of a query.

        Raises:
            ValueError: There is no such scenario, or a number or a change cannot be read.
        """
        scene = query.get("scene", [""])[0]
        if scene and scene not in SCENARIOS:
            near = suggestion(scene, SCENARIOS, label="scenarios")
            raise ValueError(f"there is no scenario {scene!r}{near}")
        n, seed = (_number(query.get(name, [""])[0]) for name in ("n", "seed"))
        check(n, seed)
        edits = dict(_edit(text) for text in query.get("set", []))
        address = cls(scene, n, seed, edits, query.get("beside", [""])[0])
        _ = address.partner  # So that it is refused with the rest.
        return address

    @property
    def partner(self) -> "Address | None":
        """The address of what is shown beside it, with the same seed unless it has its own; None for nothing.

        Raises:
            ValueError: As for `read`.
        """
        if not self.beside:
            return None
        query = parse_qs(self.beside) if "=" in self.beside else {"scene": [self.beside]}
        other = Address.read({name: values for name, values in query.items() if name != "beside"})
        same = other.scene in ("", self.scene)
        n = self.n if same and other.n is None else other.n
        return Address(other.scene or self.scene, n, self.seed if other.seed is None else other.seed, other.edits)

    def __str__(self) -> str:
        """The query."""
        values = [("scene", self.scene), ("n", self.n), ("seed", self.seed)]
        edits = [("set", f"{'.'.join(map(str, edit))}={json.dumps(value)}") for edit, value in self.edits.items()]
        values.append(("beside", self.beside))
        return urlencode([*((name, value) for name, value in values if value not in ("", None)), *edits])

    def note(self, edit: Edit, value: Any) -> None:
        """Note a change, in place of an earlier one of the same value."""
        self.edits.pop(edit, None)
        self.edits[edit] = value

    def apply(self, world: World) -> None:
        """Make the changes in a world."""
        for edit, value in self.edits.items():
            change(world, edit, value)


def change(world: World, edit: Edit, value: Any) -> None:
    """Change a parameter or the weight of a node, or switch it on or off."""
    name, key, parameter = edit
    if name not in world.populations:
        raise KeyError(f"there is no population {name!r}")
    population = world.populations[name]
    if parameter == WEIGHT:
        trees.set_weight(population, key, value)
    elif parameter == ON:
        trees.switch(population, key, bool(value))
    else:
        trees.set_parameter(population, key, parameter, value)


def check(n: Any, seed: Any) -> None:
    """Check a number of vehicles and a seed; None stands for the usual one.

    Raises:
        ValueError: The window asks no scenario for them.
    """
    if n is not None and not (_is_whole(n) and 1 <= n <= MOST):
        raise ValueError(f"n must be a whole number from 1 to {MOST:,}, got {n!r}")
    if seed is not None and not (_is_whole(seed) and seed >= 0):
        raise ValueError(f"seed must be a whole number >= 0, got {seed!r}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(text: str) -> Any:
    """A whole number, None where there is no text, and other texts as they are."""
    try:
        return int(text) if text else None
    except ValueError:
        return text


def _edit(text: str) -> tuple[Edit, Any]:
    """A change and its value, of `POPULATION.KEY.NAME=VALUE`."""
    place, _, value = text.partition("=")
    try:
        population, key, name = place.rsplit(".", 2)
        return (population, int(key), name), json.loads(value)
    except ValueError:
        raise ValueError(f"set must be POPULATION.KEY.PARAMETER=VALUE with a value in JSON, got {text!r}") from None
