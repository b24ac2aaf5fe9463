"""The figures of the paper as constructions that move and can be dragged.

For every place of a coarse mesh to which a vehicle can be dragged the library draws its sketch; the page draws what lies
between. So the laws stand nowhere but in the library, and the page needs no server. The worlds are those of make_figures.py.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import make_figures
import numpy as np
from matplotlib.figure import Figure

import steersman as sm
from steersman.core.maths.shapes import Arrow, Circle, Cross, Line, Pose, ScaledArrow, Sector, Shape, Tube
from steersman.drawing.palette import PALETTE
from steersman.drawing.sketches import LOOKS, sketches_of

LIVING = range(3, 18)
"""Figures that have a construction; the first two are diagrams."""

HANDLES: dict[int, list[tuple[str, int]]] = {
    3: [("seek", 0)],
    4: [("quarry", 0), ("pursuer", 0), ("evader", 0)],
    5: [("quarry", 0), ("pursuer", 0)],
    10: [("follower", 0), ("contained", 0)],
    12: [("two", 0), ("two", 1)],
    17: [("leader", 0), ("followers", 3)],
}
"""Figure -> the vehicles that can be dragged; of the others, the one that has a sketch."""

TOGETHER = {("seek", 0): [("flee", 0)]}
"""Vehicles that are dragged along with others."""

STEP = 2.0
"""Of the mesh [m]."""

PLAYED, EVERY = 3.0, 4
"""How long a figure moves [s], and how many steps there are between two of its pictures."""


class Scene:
    """What a figure shows: its world, and how it is drawn.

    Args:
        number: Of the figure.
    """

    def __init__(self, number: int) -> None:
        self.make: Callable[[], sm.World] | None = None

        def show(axes: Any, world: Any, sketch: Any, low: Any = (0, 0), **about: Any) -> None:
            self.world, self.sketch, self.low, self.about = world, sketch, np.array(low, float), about

        def trace(axes: Any, make: Any, seconds: float, **about: Any) -> Any:
            self.make = make
            return make()

        self.names: list[tuple[Any, str]] = []

        def say(axes: Any, place: Any, words: str, color: str = make_figures.INK, **about: Any) -> None:
            if about.get("fontweight") and color == make_figures.INK:
                self.names.append((place, words))

        with patch.multiple(make_figures, show=show, trace=trace, say=say):
            make_figures.FIGURES[number](Figure().add_subplot())
        self.handles = HANDLES.get(number, [("one", 0)])

    def backdrop(self, file: Path) -> None:
        """Draw everything but vehicles, with the names of things."""
        sheet = Figure(figsize=(4.8, 3.6), dpi=150)
        axes = sheet.add_axes((0, 0, 1, 1))
        there = {name: each.vehicles.position.copy() for name, each in self.world.populations.items()}
        for each in self.world.populations.values():
            each.vehicles.position[:] += 1e4
        make_figures.show(axes, self.world, False, self.low, **self.about)
        for place, words in self.names:
            make_figures.say(axes, place, words, fontweight="bold")
        for name, position in there.items():
            self.world[name].position[:] = position
        sheet.savefig(file)

    def frame(self, world: sm.World) -> dict[str, Any]:
        """The vehicles and shapes of a moment."""
        shapes = [
            entry
            for each in sketches_of(world, self.sketch)
            for shape in each.shapes
            if shape.role not in self.about.get("without", ())
            for entry in entries(shape.finite(), self.low)
        ]
        if self.about.get("triangle"):
            shapes = triangles(shapes)
        return {"v": [rounded(row) for row in vehicles(world, self.low)], "s": shapes}

    def mesh(self, handle: tuple[str, int]) -> list[list[dict[str, Any]]]:
        """The moments for all places to which a vehicle can be dragged, row by row; vehicles that do not move once only."""
        moved = [handle, *TOGETHER.get(handle, [])]
        home = [self.world[name].position[row].copy() for name, row in moved]
        rows = []
        for y in np.arange(0, make_figures.SPAN[1] + 0.1, STEP):
            rows.append([])
            for x in np.arange(0, make_figures.SPAN[0] + 0.1, STEP):
                for name, row in moved:
                    self.world[name].position[row] = self.low + np.array([x, y])
                rows[-1].append(self.frame(self.world)["s"])
        for (name, row), place in zip(moved, home, strict=True):
            self.world[name].position[row] = place
        return rows

    def film(self) -> Iterator[dict[str, Any]]:
        """The moments of a run."""
        world = self.make() if self.make else self.world
        for step in range(round(PLAYED / world.dt)):
            if step % EVERY == 0:
                yield self.frame(world)
            world.step()


def vehicles(world: sm.World, low: Any) -> Iterator[list[float]]:
    """Place, heading, radius and color of each vehicle."""
    for k, each in enumerate(world.populations.values()):
        them = each.vehicles
        for row in range(len(them)):
            yield [*(them.position[row] - low), *them.forward[row], float(them.radius[row]), k]


def entries(shape: Shape, low: Any) -> Iterator[list[Any]]:
    """A shape as [role, kind, numbers ...]: places in the figure [m]."""
    for k in range(len(shape)):
        match shape:
            case ScaledArrow():
                yield [
                    shape.role,
                    "a",
                    *rounded([*(at := shape.at[k] - low), *(at + shape.value[k] * shape.as_speed[k])]),
                ]
            case Arrow():
                yield [shape.role, "a", *rounded([*(shape.tail[k] - low), *(shape.tip[k] - low)])]
            case Line():
                yield [shape.role, "l", *rounded((shape.points[k] - low).ravel())]
            case Circle():
                yield [shape.role, "c", *rounded([*(shape.center[k] - low), shape.radius[k]])]
            case Sector():
                numbers = [*(shape.center[k] - low), *shape.forward[k], min(shape.radius[k], 99.0), shape.angle[k]]
                yield [shape.role, "s", *rounded(numbers)]
            case Tube():
                yield [shape.role, "t", *rounded([*(shape.start[k] - low), *(shape.end[k] - low), shape.radius[k]])]
            case Cross():
                yield [shape.role, "x", *rounded(shape.center[k] - low)]
            case Pose():
                yield [shape.role, "p", *rounded([*(shape.position[k] - low), *shape.forward[k], shape.radius[k]])]


def triangles(shapes: list[list[Any]]) -> list[list[Any]]:
    """The steering begins where the present velocity ends, so that it leads to the desired one."""
    shift = None
    for each in shapes:
        if each[:2] == ["velocity", "a"]:
            shift = (each[4] - each[2], each[5] - each[3])
        elif each[:2] == ["steering", "a"] and shift:
            each[2:] = rounded([each[2] + shift[0], each[3] + shift[1], each[4] + shift[0], each[5] + shift[1]])
    return shapes


def rounded(numbers: Any) -> list[float]:
    """Numbers of two places."""
    return [round(float(each), 2) + 0.0 for each in numbers]


def make_living(folder: Path) -> None:
    """Write the data and the backdrop of each figure that has none, or an older one than make_figures.py."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in LIVING:
        file = folder / f"figure_{number:02d}.js"
        sources = [Path(__file__), Path(str(make_figures.__file__))]
        if file.exists() and file.stat().st_mtime > max(each.stat().st_mtime for each in sources):
            continue
        scene = Scene(number)
        scene.backdrop(file.with_suffix(".png"))
        data = {
            "span": make_figures.SPAN.tolist(),
            "step": STEP,
            "home": scene.frame(scene.world),
            "handles": [
                {
                    "rows": [row_of(scene.world, one) for one in (each, *TOGETHER.get(each, []))],
                    "mesh": scene.mesh(each),
                }
                for each in scene.handles
            ],
            "film": list(scene.film()),
            "looks": {role: [look.color, look.width, look.dashed, look.fill] for role, look in LOOKS.items()},
            "colors": [PALETTE[name] for name in ("blue", "orange", "green")],
        }
        text = json.dumps(data, separators=(",", ":"))
        file.write_text(f"living({number},{text});\n", encoding="utf-8")


def row_of(world: sm.World, handle: tuple[str, int]) -> int:
    """The place of a vehicle among all vehicles."""
    before = 0
    for name, each in world.populations.items():
        if name == handle[0]:
            break
        before += len(each.vehicles)
    return before + handle[1]
