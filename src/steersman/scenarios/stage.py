"""The stage: a world ready to run, with everything that stands in it, what is measured, and how it is drawn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.draw import draw
from steersman.drawing.style import Picture
from steersman.drawing.trails import Trails
from steersman.environment.obstacles.obstacle import Obstacles
from steersman.geometry.showing import above
from steersman.metrics.reading import Meters
from steersman.metrics.watching import meters_in, watch
from steersman.recording.recording import EVERY, Recording, record
from steersman.scenarios.builder import Builder
from steersman.scenarios.problems import Place
from steersman.scenarios.reader import FAILED, Table
from steersman.world.observers import EverySeconds, Trigger
from steersman.world.population import Population
from steersman.world.world import World


@dataclass(eq=False)
class Stage:
    """A world ready to run. A document is read into one; a scenario that is made in Python returns one.

    Attributes:
        world: The world, at its start.
        seconds: How long to run it [s].
        scenery: What stands in it, by name: obstacles, paths, fields, regions, surfaces. Pictures show it, metrics look
            at its obstacles.
        picture: How its picture looks.
        colors: Colors of populations, by name; those that are None or missing are chosen.
        name: What it is called.
        description: What it shows, in a sentence.
        recall: The document that calls for it, where it is a built-in scenario.
        check: Says what is wrong with the world after the run, in sentences; None where nothing is judged.
    """

    world: World
    seconds: float = 10.0
    scenery: Mapping[str, Any] = field(default_factory=dict)
    picture: Picture = field(default_factory=Picture)
    colors: Mapping[str, str | None] = field(default_factory=dict)
    name: str = "scenario"
    description: str = ""
    recall: dict[str, Any] = field(default_factory=dict)
    check: Callable[[World], Sequence[str]] | None = None

    def __post_init__(self) -> None:
        meters_in(self.world)

    @property
    def meters(self) -> Meters:
        """What is measured; `watch` adds to it."""
        return meters_in(self.world)

    @property
    def steps(self) -> int:
        """How many steps there are: the seconds, rounded to whole steps, at least one."""
        return max(1, round(self.seconds / self.world.dt))

    @property
    def obstacles(self) -> tuple[Obstacles, ...]:
        """The obstacles among the scenery."""
        return tuple(each for each in self.scenery.values() if isinstance(each, Obstacles))

    def draw(self, file: str | PathLike[str] | None = None, *, trails: Trails | None = None, **about: Any) -> Any:
        """Draw it as its document asks for: its scenery, colors and sizes.

        Args:
            file: The file to write: PNG, SVG or PDF.
            trails: Trails recorded during the run.
            **about: What else `sm.draw` takes.

        Returns:
            The axes.
        """
        return draw(self, file, trails=trails, **about)

    def watch(
        self,
        population: str | Population | None = None,
        /,
        *metrics: str,
        to: Any = None,
        every: float | Trigger = 0.25,
        **own: Any,
    ) -> Meters:
        """Measure something of a population, from now on: `stage.watch("boids", "polarization", "mean_speed")`.

        Args:
            population: Its name. Default: the only one.
            *metrics: Names of `METRICS`.
            to: What those measure toward that need it: a point (d,), points (m, d), Vehicles, a path, a region.
            every: How often they are read [s], or a trigger.
            **own: Metrics under names of your own: functions `vehicles -> number`, a Metric, or names of `METRICS`.

        Returns:
            All meters of the stage.

        Raises:
            KeyError: There is no such population.
            TypeError: An argument is of another kind, or a metric gives no number.
            ValueError: There is no such metric, it needs `to`, or it is watched already.
        """
        return watch(self.world, population, metrics, own, to=to, every=every, obstacles=self.obstacles)

    def record(
        self,
        folder: str | PathLike[str],
        *,
        every: float | Trigger = EVERY,
        columns: Sequence[str] = (),
        populations: Sequence[str | Population] | None = None,
        format: str = "parquet",
        force: bool = False,
        **kept: Any,
    ) -> Recording:
        """Record its world from now on, with scenery and colors for pictures; arguments and errors as for `World.record`."""
        return record(
            self.world, folder, every=every, columns=columns, populations=populations, format=format, force=force,
            document=lambda: above("scenarios.documents").resolved(self), **kept,
        )  # fmt: skip


@contents_of.register
def _stage(what: Stage) -> Contents:
    """What a picture of a stage shows."""
    return replace(
        contents_of(what.world),
        scenery=tuple(what.scenery.values()),
        colors=what.colors,
        style=what.picture,
        title=what.name.replace("_", " "),
    )


def meters_of(world: World) -> Meters:
    """The meters of a world, read now.

    Raises:
        ValueError: Nothing is measured there.
    """
    if world.meters is None:
        raise ValueError("nothing is measured in this world; a scenario, or world.watch, has meters")
    world.meters(world)
    return world.meters


def set_stage(
    document: Table,
    *,
    lines: dict[Place, int] | None = None,
    source: str = "scenario",
    threads: int | None = None,
    folder: Path | None = None,
    resumed: bool = False,
) -> Stage:
    """Build the world that a document describes.

    Args:
        document: Texts, numbers, truth values, lists and tables, as a TOML file holds them. A document that is written in
            Python may hold what no file can: a behavior, a function, an obstacle set, stand where their table would.
        lines: Where things stand in the file, for messages.
        source: The name of the file, for messages.
        threads: How many threads the world uses.
        folder: Where the files are that the document names; by default the present folder.
        resumed: Whether it goes on where another world was: no meter is read at once, and nothing is read from files, for all
            is in the document.

    Raises:
        ScenarioError: The document is wrong somewhere; it says where, for everything that is wrong.
    """
    builder = Builder(folder or Path(), files=not resumed)
    found = builder.read(document)
    builder.reader.problems.raise_all(source, lines or {})
    settings = {name: found[name] for name in ("domain", "seed", "dt", "constraints")}
    world = World(threads=threads, **settings)
    world.steps, world.time, world.rest = found["steps"], found["time"], found["rest"]
    for entry in builder.entries:
        given = {name: entry.settings[name] for name in ("name", "locomotion", "flows", "steering")}
        population = world.add(entry.vehicles, **given)
        if entry.settings["remembered"] is not None:
            population.resume(**entry.settings["remembered"])
    stage = Stage(
        world,
        seconds=float(found["seconds"]),
        scenery={name: each for name, each in builder.reader.scenery.items() if each is not FAILED},
        picture=found["picture"] or Picture(),
        colors={entry.settings["name"]: entry.settings["color"] for entry in builder.entries},
        name=found["name"],
        description=found["description"],
    )
    wanted = [(entry.every[meter.label], meter) for entry in builder.entries for meter in entry.meters]
    for every in dict.fromkeys(seconds for seconds, _ in wanted):
        meters = [meter for seconds, meter in wanted if seconds == every]
        stage.meters.add(meters, world, EverySeconds(every), now=not resumed)
    return stage
