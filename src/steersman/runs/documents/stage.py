"""The stage: a world ready to run, with its scenery, its meters, and the settings of its picture."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core import extensions
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.maths.shapes import Shape
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import Explained
from steersman.core.world.clock import check_time
from steersman.core.world.observers import Trigger
from steersman.core.world.population import Population
from steersman.core.world.world import World
from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.draw import draw, draw_moments
from steersman.drawing.moments import Moments
from steersman.drawing.sketches import sketches_of
from steersman.drawing.style import Picture, unknown_looks
from steersman.drawing.trails import Trails
from steersman.runs.metrics.reading import Meters
from steersman.runs.metrics.watching import meters_in, watch
from steersman.runs.recording.recording import EVERY, Recording, record

Check = Callable[["Stage"], Iterable[str]]
"""Returns the problems of a stage after the run, in sentences."""

_KINDS: tuple[tuple[str, type, str], ...] = (
    ("world", World, "a World"),
    ("scenery", Mapping, "a dict: name -> what stands there"),
    ("picture", Picture, "a Picture"),
    ("colors", Mapping, "a dict: name of a population -> color"),
    ("name", str, "a text"),
    ("description", str, "a text"),
    ("recall", Mapping, "a dict, the document that calls for it"),
    ("labels", Mapping, "a dict: name -> point (d,)"),
    ("notes", Sequence, "a list of shapes, and of functions that return shapes"),
    ("fixed_populations", Mapping, "a dict: name of a population -> the reason"),
)
"""The arguments of a Stage, their types, and the words for these types."""


@dataclass(eq=False)
class Stage(metaclass=Explained):
    """A world ready to run, with its scenery and picture: a scenario's `make` returns one, and a document is read into one.

        return sm.Stage(world, seconds=20, colors={"sheep": "blue"}, scenery={"fence": fence})

    Attributes:
        world: The world, at its start.
        seconds: How long to run it [s].
        scenery: Obstacles, paths, fields, regions and surfaces, by name. Pictures show the scenery, metrics use its
            obstacles.
        picture: How its picture looks.
        colors: Colors of populations, by name; those that are None or missing are chosen.
        name: The name of the scenario.
        description: A sentence about the scenario.
        recall: The document that calls for it, where it is a built-in scenario.
        check: Returns the problems of the stage after the run, in sentences; None without a check.
        labels: Names that the picture writes beside places: a goal, a berth. Name -> point [m], shape (d,).
        notes: What the picture draws to tell the story: shapes (`sm.shapes`), with their roles and words; and functions
            without arguments that return the shapes of the moment, such as lines of sight.
        fixed_populations: Populations to which the window adds no vehicle, and of which it removes none: name -> the reason,
            which it says.
    """

    world: World
    seconds: float = 10.0
    scenery: Mapping[str, Any] = field(default_factory=dict)
    picture: Picture = field(default_factory=Picture)
    colors: Mapping[str, str | None] = field(default_factory=dict)
    name: str = "scenario"
    description: str = ""
    recall: dict[str, Any] = field(default_factory=dict)
    check: Check | None = None
    labels: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[Shape | Callable[[], Iterable[Shape]]] = ()
    fixed_populations: Mapping[str, str] = field(default_factory=dict)
    _trails: Trails | None = field(default=None, init=False, repr=False)
    _moments: Moments | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, kind, expected in _KINDS:
            if not isinstance(value := getattr(self, name), kind):
                raise TypeError(f"{name} must be {expected}, got {brief(value)}")
        for each in self.notes:
            if not isinstance(each, Shape) and not callable(each):
                raise TypeError(f"notes must be shapes, and functions that return shapes, got {brief(each)}")
        if self.check is not None and not callable(self.check):
            raise TypeError(f"check must be a function of the stage, or None, got {brief(self.check)}")
        for problem in unknown_looks(self.picture.looks, self.named).values():
            raise ValueError(problem)
        check_time(self.seconds, "seconds")
        meters_in(self.world)

    @property
    def meters(self) -> Meters:
        """The meters of the stage; `watch` adds meters."""
        return meters_in(self.world)

    @property
    def steps(self) -> int:
        """The number of steps: the seconds, rounded to whole steps, at least one."""
        return max(1, round(self.seconds / self.world.dt))

    def moving_notes(self) -> tuple[Shape, ...]:
        """The notes of the moment: what the functions among them return."""
        return tuple(shape for each in self.notes if not isinstance(each, Shape) for shape in each())

    @property
    def obstacles(self) -> tuple[Obstacles, ...]:
        """The obstacles among the scenery."""
        return tuple(each for each in self.scenery.values() if isinstance(each, Obstacles))

    def problems(self) -> list[str]:
        """The present problems, in sentences, as the check returns them; empty if there are none, or no check.

        All meters are read once more before.
        """
        self.meters(self.world)
        return [] if self.check is None else list(self.check(self))

    def keep_picture(self) -> None:
        """Keep from now on the data of the picture: trails, and the moments at which it is drawn."""
        self._trails = Trails(self.world, self.picture.trails)
        if self.picture.at:
            self._moments = Moments(self.world, self._contents, self.picture.at)

    def _contents(self) -> Contents:
        """The present contents of its picture."""
        sketches = sketches_of(self.world, self._sketched_ids()) if self._sketched_ids() else ()
        return replace(contents_of(self), trails=self._trails, sketches=sketches)

    def _sketched_ids(self) -> dict[str, list[int]]:
        """The ids of the present vehicles with a drawn construction, by population."""
        chosen = (self.picture.sketch or {}).items()
        there = {name: np.intersect1d(ids, self.world[name].id).tolist() for name, ids in chosen}
        return {name: ids for name, ids in there.items() if ids}

    @property
    def named(self) -> dict[str, Any]:
        """What has a name: things of the scenery, and places that have labels."""
        return {**self.scenery, **self.labels}

    def draw(self, file: str | PathLike[str] | None = None, *, trails: Trails | None = None, **about: Any) -> Any:
        """Draw the stage by the settings of its picture: scenery, colors, labels and sizes, at the chosen moments.

        Args:
            file: The file to write: PNG, SVG or PDF.
            trails: Trails recorded during the run. Default: those of `keep_picture`.
            **about: Other arguments of `sm.draw`; if there are any, the present is drawn.

        Returns:
            The axes; of several moments, a list.
        """
        if self._moments is not None and self._moments.moments and trails is None and not about:
            several = draw_moments(self._moments.moments, file)
            return several if len(several) > 1 else several[0]
        about = {
            "trails": trails if trails is not None else self._trails,
            "sketch": self._sketched_ids() or False,
            **about,
        }
        return draw(self, file, **about)

    def video(self, file: str | PathLike[str], *, seconds: float | None = None, **about: Any) -> Path:
        """Run the stage, and write its view as a video; arguments and errors as for `World.video`.

        Args:
            file: The file to write; it ends in .mp4, .webm, .gif or .webp.
            seconds: How long to run [s]. Default: its seconds.
            **about: Other arguments of `World.video`.

        Returns:
            The file.
        """
        path: Path = extensions.VIDEO.function(self, file, seconds=seconds, **about)
        return path

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
            to: The target of metrics that need one: a point (d,), points (m, d), Vehicles, a path, a region.
            every: Time between readings [s], or a trigger.
            **own: Metrics under names of your own: functions `vehicles -> number`, a Metric, or names of `METRICS`.

        Returns:
            All meters of the stage.

        Raises:
            TypeError: A metric gives no number.
            ValueError: The metric needs `to`, or it is watched already.
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
        **options: Any,
    ) -> Recording:
        """Record its world from now on, with scenery and colors for pictures; arguments and errors as for `World.record`."""
        return record(
            self.world, folder, every=every, columns=columns, populations=populations, format=format, force=force,
            document=lambda: extensions.RESOLVE_STAGE.function(self), **options,
        )  # fmt: skip


@contents_of.register
def _stage(stage: Stage) -> Contents:
    """The contents of the picture of a stage."""
    contents = contents_of(stage.world)
    named = tuple(stage.scenery.values())
    others = tuple(each for each in contents.scenery if all(each is not one for one in named))
    return replace(
        contents,
        scenery=(*named, *others),
        colors=stage.colors,
        style=stage.picture,
        labels=stage.labels,
        named=stage.named,
        notes=tuple(each for each in stage.notes if isinstance(each, Shape)),
        moving_notes=stage.moving_notes(),
        title=stage.name.replace("_", " "),
        caption=stage.description,
    )
