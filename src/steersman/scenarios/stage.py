"""The stage: a document brought to life, with everything in it that has a name."""

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from steersman.environment.obstacles.spheres import Spheres
from steersman.metrics.meters import Meters
from steersman.scenarios.builder import Builder
from steersman.scenarios.problems import Place
from steersman.scenarios.reader import Table
from steersman.scenarios.schema import Picture
from steersman.world.observers import EverySeconds
from steersman.world.world import World

READING = EverySeconds(0.25)
"""When the meters of a world are read."""


@dataclass(frozen=True)
class Stage:
    """A document brought to life.

    Attributes:
        world: The world, at its start.
        document: The document with all defaults written out. The same document gives the same world, bit for bit.
        obstacles: All obstacles by name.
        meters: The metrics that the document asks for, read four times a second.
        picture: How its picture looks.
        colors: Colors of populations, by name; None where the document does not say.
    """

    world: World
    document: dict[str, Any]
    obstacles: Mapping[str, Spheres]
    meters: Meters
    picture: Picture
    colors: Mapping[str, str | None]

    @property
    def name(self) -> str:
        """What the scenario is called."""
        return str(self.document["name"])

    @property
    def steps(self) -> int:
        """How many steps the document asks for: its seconds, rounded to whole steps, at least one."""
        return max(1, round(float(self.document["seconds"]) / float(self.document["dt"])))


_METERS: "weakref.WeakKeyDictionary[World, Meters]" = weakref.WeakKeyDictionary()


def meters_of(world: World) -> Meters:
    """The meters of a world that was built from a document, read now.

    Raises:
        ValueError: The world was built in another way.
    """
    if world not in _METERS:
        raise ValueError("only a world that was built from a scenario has meters")
    _METERS[world](world)
    return _METERS[world]


def set_stage(
    document: Table, *, lines: dict[Place, int] | None = None, source: str = "scenario", threads: int | None = None
) -> Stage:
    """Build the world that a document describes.

    Args:
        document: Texts, numbers, truth values, lists and tables, as a TOML file holds them.
        lines: Where things stand in the file, for messages.
        source: The name of the file, for messages.
        threads: How many threads the world uses.

    Raises:
        ScenarioError: The document is wrong somewhere; it says where, for everything that is wrong.
    """
    builder = Builder()
    real, plain = builder.read(document)
    builder.reader.problems.raise_all(source, lines or {})
    world = World(domain=real["domain"], seed=real["seed"], dt=real["dt"], threads=threads)
    for cast in builder.cast:
        world.add(cast.vehicles, name=cast.settings["name"], steering=cast.steering)
    meters = Meters([meter for cast in builder.cast for meter in cast.meters])
    _METERS[world] = meters
    meters(world)
    world.on_step(meters, READING)
    colors = {cast.settings["name"]: cast.settings["color"] for cast in builder.cast}
    obstacles = {name: each for name, each in builder.reader.obstacles.items() if isinstance(each, Spheres)}
    return Stage(world, plain, obstacles, meters, real["picture"] or Picture(), colors)
