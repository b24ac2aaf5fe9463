"""Plots for the pages of classes, measured with the classes themselves: forces over distances, and ways."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import steersman as sm

GRAY = "#808080"
"""Of frames and words: it can be read on white and on black."""

COLORS = ["#0a84c6", "#e07b00", "#1f9d63", "#d0508f", "#8a63d2", "#a07a3a"]

FAR = 1e4
"""Between pairs that must not notice each other [m]."""


class Plot(NamedTuple):
    """A plot.

    Attributes:
        says: What it shows, in a sentence.
        draw: The function that draws it.
    """

    says: str
    draw: Callable[[Axes], None]


PLOTS: dict[str, Plot] = {}


def plotted(says: str, *names: str) -> Callable[[Callable[[Axes], None]], Callable[[Axes], None]]:
    """Decorator: the function draws a plot for the pages of some classes."""

    def enter(draw: Callable[[Axes], None]) -> Callable[[Axes], None]:
        PLOTS.update(dict.fromkeys(names, Plot(says, draw)))
        return draw

    return enter


def plot(name: str, folder: Path) -> Path:
    """Write the plot of a class, unless there is one that is newer than this module."""
    file = folder / f"{name}.svg"
    if not file.exists() or file.stat().st_mtime < Path(__file__).stat().st_mtime:
        with rc_context({"svg.hashsalt": "steersman", "svg.fonttype": "none", "font.size": 10, "text.color": GRAY}):
            sheet = Figure(figsize=(6.4, 3.4), layout="constrained")
            axes = sheet.add_subplot()
            axes.set_prop_cycle(color=COLORS)
            axes.spines[["top", "right"]].set_visible(False)
            axes.spines[:].set_color(GRAY)
            axes.tick_params(colors=GRAY, labelcolor=GRAY)
            PLOTS[name].draw(axes)
            axes.xaxis.label.set_color(GRAY)
            axes.yaxis.label.set_color(GRAY)
            axes.grid(color=GRAY, alpha=0.2)
            axes.legend(frameon=False, labelcolor=GRAY)
            sheet.savefig(file, transparent=True, metadata={"Date": None})
    return file


def forces(steering: Callable[[Any], Any], gaps: Any, *, other: float = 0.0, own: float = 0.0, **body: Any) -> Any:
    """The force along x on vehicles that have another one `gaps` [m] before them; `own` and `other`: speeds along x."""
    rows = FAR * np.arange(len(gaps))
    about = {"max_speed": 1e3, "max_force": 1e9, "radius": 0.3, "dtype": np.float64} | body
    first = sm.Vehicles(np.stack([0 * rows, rows], 1), np.tile([own, 0.0], (len(gaps), 1)), **about)
    second = sm.Vehicles(np.stack([gaps, rows], 1), np.tile([other, 0.0], (len(gaps), 1)), **about)
    world = sm.World(dt=1e-3)
    world.add(second, name="second", steering=None)
    world.add(first, name="first", steering=steering(second))
    world.step()
    return (first.velocity[:, 0] - own) / world.dt


def ways(axes: Axes, steering: Mapping[str, Any], seconds: float, *, start: Any, velocity: Any, **body: Any) -> None:
    """Where a vehicle goes by each of some behaviors."""
    for name, law in steering.items():
        one = sm.Vehicles([start], [velocity], **({"max_speed": 4.0, "max_force": 8.0, "dtype": np.float64} | body))
        world = sm.World(seed=4)
        been = [one.position[0].copy()]
        world.add(one, name="one", steering=law(world) if callable(law) else law)
        for _ in range(round(seconds / world.dt)):
            world.step()
            been.append(one.position[0].copy())
        axes.plot(*np.array(been).T, label=name)
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")


@plotted("How the speed falls on the last 10 m, with each ramp and a slowing distance of 8 m.", "Arrive")
def arrive(axes: Axes) -> None:
    """Speed over distance."""
    for ramp in ("linear", "parabola", "sine", "smoothstep", "braking"):
        about = {} if ramp == "braking" else {"slowing_distance": 8.0}
        one = sm.Vehicles([[0, 0]], [[4, 0]], max_speed=4, max_force=8, response_time=0.2)
        world = sm.World()
        world.add(one, name="one", steering=sm.Arrive([10, 0], ramp=ramp, **about))
        track = []
        for _ in range(360):
            track.append((10 - one.position[0, 0], one.speed[0]))
            world.step()
        axes.plot(*np.array(track).T, label=ramp)
    axes.invert_xaxis()
    axes.set(xlabel="distance to the target [m]", ylabel="speed [m/s]")


@plotted("The push of one neighbor over its distance, for falloffs 1 and 2, and the two other laws.", "Separation")
def separation(axes: Axes) -> None:
    """Force over distance."""
    gaps = np.linspace(0.6, 5, 120)
    for label, about in (
        ("inverse, falloff 1", {"strength": 6.0}),
        ("inverse, falloff 2", {"strength": 6.0, "falloff": 2.0}),
        ("inverse, not faded", {"strength": 6.0, "fade": False}),
        ("inverse_square, limit 10 N", {"law": "inverse_square", "strength": 6.0, "limit": 10.0}),
    ):
        axes.plot(
            gaps, -forces(lambda them, about=about: sm.Separation(radius=4.5, of=them, **about), gaps), label=label
        )
    axes.set(xlabel="distance [m]", ylabel="push [N]")


@plotted("The push of a neighbor that stands, over the distance of the centers; bodies of radius 0.3 m.", "SocialForce")
def social(axes: Axes) -> None:
    """Force over distance."""
    gaps = np.linspace(0.62, 2.5, 120)
    for law in ("bodies", "ellipses"):
        axes.plot(gaps, -forces(lambda them, law=law: sm.SocialForce(zero, of=them, law=law), gaps), label=law)
    axes.set(xlabel="distance [m]", ylabel="acceleration [m/s²]", yscale="log")


@plotted("The push of a neighbor that comes head-on, over its distance: the faster, the earlier.", "PowerLaw")
def power(axes: Axes) -> None:
    """Force over distance, at speeds."""
    gaps = np.linspace(1, 8, 120)
    for speed in (0.5, 1.0, 2.0):
        push = -forces(lambda them: sm.PowerLaw(zero, of=them), gaps, other=-speed)
        axes.plot(gaps, push, label=f"closing at {speed} m/s")
    axes.set(xlabel="distance [m]", ylabel="acceleration [m/s²]", yscale="log")


def zero(vehicles: Any) -> Any:
    """No urge of its own."""
    return np.zeros_like(vehicles.velocity)


@plotted("The ways of one vehicle in 40 s by each law, all from the same place to the right.", "Wander")
def wander(axes: Axes) -> None:
    """Ways."""
    laws = ("sphere", "jitter", "turn", "orientation", "gradient", "lateral")
    ways(axes, {law: sm.Wander(law=law) for law in laws}, 40, start=[0, 0], velocity=[3, 0])


@plotted(
    "After a quarry that goes straight up at 3 m/s from (12, 0): Seek runs after it, the others cut the corner.",
    "Pursue",
    "ConstantBearing",
)
def pursue(axes: Axes) -> None:
    """Ways."""

    def chase(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def begin(world: Any) -> Any:
            quarry = sm.Vehicles([[12, 0]], [[0, 3]], max_speed=3, max_force=10, dtype=np.float64)
            world.add(quarry, name="quarry", steering=None)
            return make(quarry)

        return begin

    laws = {"Seek": sm.Seek, "Pursue": sm.Pursue, "ConstantBearing": sm.ConstantBearing}
    ways(axes, {name: chase(law) for name, law in laws.items()}, 4.5, start=[0, 0], velocity=[4, 0])
    axes.plot([12, 12], [0, 13.5], color=GRAY, linestyle=":", label="quarry")


@plotted("The ways into a bend of a road of half-width 2 m, by each law.", "FollowPath")
def follow(axes: Axes) -> None:
    """Ways."""
    road = sm.Path([[-5, 0], [12, 0], [12, 14]], radius=2.0)
    laws = ("lane", "tube", "parameter", "predicted", "waypoints")
    axes.plot([-5, 12, 12], [0, 0, 14], color=GRAY, linestyle=":", label="spine")
    ways(axes, {law: sm.FollowPath(road, law=law) for law in laws}, 7, start=[-5, 1], velocity=[3, 0])


@plotted("Ways to a dock at (0, 0) that is to be entered to the right, from four sides.", "Dock")
def dock(axes: Axes) -> None:
    """Ways."""
    for start in ([-14, 8], [0, 9], [9, 2], [2, -7]):
        ways(axes, {f"from {tuple(start)}": sm.Dock([0, 0], forward=[1, 0])}, 25, start=start, velocity=[0.1, 0])


@plotted(
    "The push off a wall over the distance from it, by three feelers of 4 m, for a vehicle that heads straight for it.",
    "AvoidWalls",
)
def walls(axes: Axes) -> None:
    """Force over distance."""
    distances = np.linspace(0.1, 5, 100)
    rows = FAR * np.arange(len(distances))
    wall = sm.Walls([[[0, -FAR], [0, rows[-1] + FAR]]])
    for strength in (5.0, 10.0):
        some = sm.Vehicles(np.stack([-distances, rows], 1), [1, 0], max_speed=9, max_force=1e6, dtype=np.float64)
        world = sm.World(dt=1e-3)
        world.add(some, name="some", steering=sm.AvoidWalls(wall, reach=4.0, strength=strength))
        world.step()
        axes.plot(distances, (1 - some.velocity[:, 0]) / world.dt, label=f"strength {strength:g} N/m")
    axes.set(xlabel="distance [m]", ylabel="push [N]")


@plotted("The speed under a steady force of 4 N, for a vehicle of 1 kg: it tends to force / (mass rate).", "Drag")
def drag(axes: Axes) -> None:
    """Speed over time."""
    for rate in (0.5, 1.0, 2.0):
        one = sm.Vehicles([[0, 0]], max_speed=20, max_force=4)
        world = sm.World()
        world.add(
            one, name="one", steering=sm.Seek([1e6, 0], thrust="full"), locomotion=sm.PointMass(limits=[sm.Drag(rate)])
        )
        speeds = [0.0]
        for _ in range(360):
            world.step()
            speeds.append(float(one.speed[0]))
        axes.plot(np.arange(361) * world.dt, speeds, label=f"rate {rate:g} 1/s")
    axes.set(xlabel="time [s]", ylabel="speed [m/s]")


@plotted(
    "The speed behind a pedestrian who stands, over the distance of the centers; bodies of radius 0.2 m.",
    "CollisionFreeSpeed",
)
def spacing(axes: Axes) -> None:
    """Speed over distance."""
    gaps = np.linspace(0.6, 3, 110)
    for gap in (0.5, 1.0, 2.0):

        def walk(them: Any, gap: float = gap) -> Any:
            return sm.CollisionFreeSpeed(forward, of=them, time_gap=gap)

        speeds = forces(walk, gaps, own=1.34, radius=0.2, response_time="step", max_speed=1.34) * 1e-3 + 1.34
        axes.plot(gaps, speeds, label=f"time_gap {gap:g} s")
    axes.set(xlabel="distance [m]", ylabel="speed [m/s]")


def forward(vehicles: Any) -> Any:
    """An urge to walk along x at 1.34 m/s, within a step."""
    return (np.array([1.34, 0.0]) - vehicles.velocity) / 1e-3


@plotted(
    "The push of a pedestrian who stands, over the distance of the centers, on one who walks there: the faster, the longer.",
    "GeneralizedCentrifugalForce",
)
def ellipses(axes: Axes) -> None:
    """Force over distance, at speeds."""
    gaps = np.linspace(0.5, 2, 110)
    for speed in (0.5, 1.0, 1.5):
        push = -forces(
            lambda them: sm.GeneralizedCentrifugalForce(zero, of=them), gaps, own=speed, radius=0.2, max_speed=2
        )
        axes.plot(gaps, push, label=f"at {speed} m/s")
    axes.set(xlabel="distance [m]", ylabel="acceleration [m/s²]")
