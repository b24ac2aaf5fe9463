"""A moment of a recorded run: the states of all vehicles at one frame, as arrays and as a picture."""

from collections.abc import ItemsView, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from steersman.core.parameters.showing import Shown
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.draw import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from steersman.runs.recording.run import Run


@dataclass(frozen=True, eq=False)
class RecordedPopulation:
    """The vehicles of one population at one frame, in the order of their rows.

    Attributes:
        id: Ids, shape (n,), int64.
        position: Positions [m], shape (n, d), float32.
        velocity: Velocities [m/s], shape (n, d), float32.
        forward: Unit vectors of the directions that they face, shape (n, d), float32.
        up: Up directions, shape (n, 3), float32; None in the plane.
        radius: Bounding radii [m], shape (n,), float32.
        mode: Modes by name, shape (n,), "" where there is none; None where no modes were recorded.
        columns: Other recorded columns, by name, shape (n,) each.
    """

    id: Array
    position: Array
    velocity: Array
    forward: Array
    up: Array | None
    radius: Array
    mode: Array | None = None
    columns: Mapping[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.id)

    def as_vehicles(self) -> Vehicles:
        """The same as Vehicles, for pictures, metrics, or a world of your own."""
        return Vehicles(
            self.position, self.velocity, forward=self.forward if len(self) else None, up=self.up if len(self) else None,
            radius=self.radius, length=self.columns.get("length", 0.0), id=self.id,
        )  # fmt: skip


class Moment(Shown):
    """All vehicles at one frame, by population: `run.positions(12.5)["boids"].position`.

    Attributes:
        run: The run.
        number: The number of the frame, from 0.
        time: Time since the start [s].
        step: Steps since the start.
    """

    def __init__(
        self, run: "Run", number: int, time: float, step: int, populations: Mapping[str, RecordedPopulation]
    ) -> None:
        self.run, self.number, self.time, self.step, self._populations = (
            run,
            number,
            time,
            step,
            dict(populations),
        )

    def __getitem__(self, name: str) -> RecordedPopulation:
        if name not in self._populations:
            raise KeyError(f"no population is called {name!r}; there are: {', '.join(self._populations) or 'none'}")
        return self._populations[name]

    def items(self) -> ItemsView[str, RecordedPopulation]:
        """Names and vehicles of all populations."""
        return self._populations.items()

    def __contains__(self, name: object) -> bool:
        return name in self._populations

    def __iter__(self) -> Iterator[str]:
        return iter(self._populations)

    def __len__(self) -> int:
        return len(self._populations)

    def __repr__(self) -> str:
        crowd = ", ".join(f"{len(each):,} {name}" for name, each in self._populations.items())
        return f"Moment(frame {self.number} of {self.run.folder.name!r} at {self.time:g} s: {crowd})"

    def draw(self, file: str | PathLike[str] | None = None, **about: Any) -> "Axes":
        """Draw it with the scenery of the run; arguments and errors as for `sm.draw`."""
        return draw(self, file, **about)


@contents_of.register
def _moment(moment: Moment) -> Contents:
    """The contents of the picture: the scenery, colors and sizes of the run's document, and the vehicles of the frame."""
    stage = moment.run.stage()
    around = Contents() if stage is None else contents_of(stage)
    vehicles = {name: each.as_vehicles() for name, each in moment.items()}
    named = around.title not in ("", "scenario")
    return replace(
        around, vehicles=vehicles, world=None, time=moment.time,
        title=around.title if named else moment.run.folder.name,
    )  # fmt: skip
