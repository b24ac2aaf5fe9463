"""Writes docs/figures/: the figures of Reynolds 1999, each drawn from a little world that is steered by the library.

    python docs/make_figures.py [NUMBER ...]

What is drawn in color comes from the worlds: the behaviors say what they look at (`World.sketch`), and where somebody goes is
found out by running the same world. Words are set by hand.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon
from matplotlib.patheffects import withStroke
from PIL import Image

import steersman as sm
from steersman.drawing.palette import FAINT, INK, PALETTE, PAPER
from steersman.drawing.sketch_paper import draw_sketches
from steersman.drawing.sketches import LOOKS, sketches_of

FOLDER = Path(__file__).with_name("figures")
WIDTH, HEIGHT, DPI = 4.4, 3.3, 150
"""Of a figure [inch], and its dots per inch."""

SPAN = np.array([24.0, 18.0])
"""What a figure shows [m]."""

BODY: dict[str, Any] = {"max_speed": 4.0, "max_force": 100.0, "response_time": 1.0, "radius": 0.35, "dtype": np.float64}
"""Vehicles whose steering is the desired velocity less the present one, as in the paper."""

VELOCITY, DESIRED, STEERING, TARGET, PREDICTED, CHOSEN = (
    LOOKS[role].color for role in ("velocity", "desired", "steering", "target", "predicted", "chosen")
)

FIGURES: dict[int, Callable[[Axes], None]] = {}


def figure(number: int) -> Callable[[Callable[[Axes], None]], Callable[[Axes], None]]:
    """Decorator: the function draws this figure."""

    def enter(drawn: Callable[[Axes], None]) -> Callable[[Axes], None]:
        FIGURES[number] = drawn
        return drawn

    return enter


def vehicles(position: Any, velocity: Any, **body: Any) -> sm.Vehicles:
    """Some vehicles like all others here."""
    return sm.Vehicles(np.atleast_2d(position), np.atleast_2d(velocity), **(BODY | body))


def show(
    axes: Axes,
    world: sm.World,
    sketch: Any,
    low: Any = (0, 0),
    *,
    without: tuple[str, ...] = (),
    size: float = 1.0,
    **about: Any,
) -> None:
    """Draw a world and what some of it look at, without a frame of numbers.

    Args:
        axes: Where to draw.
        world: The world.
        sketch: Of whom to draw what they look at; see `World.draw`.
        low: The lowest corner of what is seen [m].
        without: Roles that are left out.
        size: How large everything is drawn.
        **about: What else `World.draw` takes.
    """
    corner, span = np.array(low, float), SPAN / size
    world.draw(ax=axes, frame=(corner, corner + span), style=sm.Picture(size=1.25), **about)
    axes.grid(visible=False)
    axes.set_axis_off()
    if sketch is False:
        return
    told = []
    for each in sketches_of(world, sketch):
        # Words stand where each figure has room for them.
        shapes = [replace(shape, label="") for shape in each.shapes if shape.role not in without]
        told.append(each._replace(shapes=tuple(shapes)))
    draw_sketches(axes, told, span[0], legend="", unit=0.022 * span[0], seconds=1.0)


def say(
    axes: Axes, place: Any, words: str, color: str = INK, ha: str = "center", va: str = "center", **more: Any
) -> None:
    """Words in a figure."""
    axes.text(
        *place, words, color=color, ha=ha, va=va, fontsize=8.5, zorder=9, linespacing=1.15, **more
    ).set_path_effects([withStroke(linewidth=2.5, foreground=PAPER, alpha=0.85)])


def trace(axes: Axes, make: Callable[[], sm.World], seconds: float, color: str = FAINT, **more: Any) -> sm.World:
    """Draw where everybody goes, and return the world as it is then."""
    world = make()
    places = [[each.vehicles.position.copy()] for each in world.populations.values()]
    for _ in range(round(seconds / world.dt)):
        world.step()
        for been, each in zip(places, world.populations.values(), strict=True):
            been.append(each.vehicles.position.copy())
    for been in places:
        for line in np.stack(been, axis=1):
            axes.plot(*line.T, color=color, linewidth=1.1, linestyle=(0, (1, 2)), zorder=2.2, **more)
    return world


# ---------------------------------------------------------------------------------------------------- the figures


@figure(1)
def hierarchy(axes: Axes) -> None:
    """Three levels, each with what it decides, and its folder."""
    levels = (
        ("Action selection", "strategy, goals, planning", "action_selection/", PALETTE["blue"]),
        ("Steering", "path determination", "steering/", PALETTE["green"]),
        ("Locomotion", "animation, articulation", "locomotion/", PALETTE["red"]),
    )
    axes.set(xlim=(0, 24), ylim=(0, 18))
    axes.set_axis_off()
    for k, (name, does, folder, color) in enumerate(levels):
        x, y = 1.6 + 1.4 * k, 12.6 - 5.4 * k
        box = FancyBboxPatch((x, y), 18.0, 3.8, boxstyle="round,pad=0.1,rounding_size=0.5", facecolor="white", zorder=2)
        box.set(edgecolor=color, linewidth=1.6)
        axes.add_patch(box)
        axes.text(x + 0.8, y + 2.5, name, fontsize=11, fontweight="bold", color=INK, va="center")
        axes.text(x + 0.8, y + 1.1, does, fontsize=8.5, color=INK, va="center")
        axes.text(x + 17.4, y + 1.1, folder, fontsize=8.5, color=color, va="center", ha="right", family="monospace")
        if k < 2:
            axes.annotate("", (x + 9.4, y - 1.45), (x + 9.4, y - 0.15), arrowprops={"arrowstyle": "-|>", "color": INK})
            said = ("what to do", "a steering force")[k]
            axes.text(x + 9.9, y - 0.8, said, fontsize=8, color=FAINT, va="center")


@figure(2)
def asymmetric(axes: Axes) -> None:
    """What a car's limits leave of forces in all directions: tried with a vehicle for each."""
    angle = np.linspace(0, 2 * np.pi, 181)
    wish = 8.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    place, ahead = [12.0, 9.5], [0.0, 4.0]
    everybody = vehicles(np.tile(place, (181, 1)), np.tile(ahead, (181, 1)), max_speed=50.0, max_force=8.0)
    body = sm.PointMass(limits=[sm.Asymmetric(thrust=0.42, brake=1.0, side=0.62)])
    world = sm.World(dt=0.01)
    world.add(everybody, steering=lambda _: wish, locomotion=body)
    world.step()
    reached = (everybody.velocity - ahead) / world.dt
    car = sm.World()
    car.add(vehicles([place], [ahead]), name="car")
    show(axes, car, False, (0.0, -1.5))
    axes.add_patch(Polygon(place + reached, closed=True, facecolor=STEERING, alpha=0.13, zorder=1))
    axes.add_patch(Polygon(place + reached, closed=True, fill=False, edgecolor=STEERING, linewidth=1.4, zorder=3))
    for k, words, offset in (
        (45, "thrust", (0.0, 0.7)),
        (135, "brake", (0.0, -0.7)),
        (0, "turn", (1.4, 0.0)),
        (90, "turn", (-1.4, 0.0)),
    ):
        tip = place + reached[k]
        axes.annotate("", tip, place, arrowprops={"arrowstyle": "-|>", "color": STEERING, "shrinkA": 9, "shrinkB": 0})
        say(axes, tip + np.array(offset), words)


@figure(3)
def seek_and_flee(axes: Axes) -> None:
    """Two in one place: one seeks, one flees."""
    target = [18.4, 8.6]

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        for name, steering in (("flee", sm.Flee(target)), ("seek", sm.Seek(target))):
            world.add(vehicles([10.4, 4.8], [-0.6, 3.9]), name=name, steering=steering)
        return world

    trace(axes, make, 3.0)
    show(axes, make(), True, (0.0, -2.2), colors={"seek": "blue", "flee": "blue"})
    say(axes, (18.9, 7.7), "target", TARGET)
    say(axes, (9.7, 9.9), "current velocity", VELOCITY)
    say(axes, (13.6, 5.4), "desired velocity (seek)", DESIRED, ha="left")
    say(axes, (7.2, 2.0), "desired velocity (flee)", DESIRED)
    say(axes, (12.3, 8.0), "steering\n(seek)", STEERING, ha="left")
    say(axes, (7.4, 5.9), "steering\n(flee)", STEERING, ha="right")
    say(axes, (15.4, 10.1), "seek path", FAINT)
    say(axes, (3.0, 7.4), "flee path", FAINT)


@figure(4)
def pursuit_and_evasion(axes: Axes) -> None:
    """A quarry, one who pursues it and one who evades it."""

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        quarry = vehicles([7.2, 8.6], [2.6, 0.4])
        ahead = sm.Constant(2.4)
        world.add(quarry, name="quarry", steering=None)
        world.add(vehicles([4.0, 1.4], [0.8, 3.6]), name="pursuer", steering=sm.Pursue(quarry, prediction=ahead))
        world.add(vehicles([17.6, 12.6], [-3.0, 1.4]), name="evader", steering=sm.Evade(quarry, prediction=ahead))
        return world

    trace(axes, make, 2.0)
    show(axes, make(), {"pursuer": [0], "evader": [0]}, without=("chosen",))
    say(axes, (6.6, 10.0), "quarry", PALETTE["blue"])
    say(axes, (13.6, 8.1), "its future position", PREDICTED, ha="left")
    say(axes, (2.9, 1.4), "pursuer", PALETTE["orange"], ha="right")
    say(axes, (17.4, 11.5), "evader", PALETTE["green"])


@figure(5)
def offset_pursuit(axes: Axes) -> None:
    """Past where the quarry will be, at a radius."""

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        quarry = vehicles([20.6, 4.4], [-1.4, 2.0])
        world.add(quarry, name="quarry", steering=None)
        law = sm.OffsetPursuit(quarry, radius=3.2, law="literal", prediction=sm.Constant(2.6))
        world.add(vehicles([3.0, 7.4], [3.9, -0.5]), name="pursuer", steering=law)
        return world

    trace(axes, make, 3.0)
    show(axes, make(), {"pursuer": [0]}, (0.0, 0.4), without=("chosen",))
    say(axes, (21.2, 3.1), "quarry", PALETTE["blue"])
    say(axes, (2.6, 8.9), "pursuer", PALETTE["orange"])
    say(axes, (17.4, 13.8), "its future position", PREDICTED)
    say(axes, (17.2, 5.3), "offset point", TARGET)
    say(axes, (16.2, 8.0), "R", FAINT)


@figure(6)
def arrival(axes: Axes) -> None:
    """Dots at equal times: they crowd where it slows down."""

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        goal = sm.Arrive([16.0, 9.0], slowing_distance=7.0)
        world.add(vehicles([2.6, 4.4], [1.6, 3.4], response_time=0.4), name="one", steering=goal)
        return world

    world, been = make(), []
    for step in range(600):
        if step % 15 == 0:
            been.append(world["one"].position[0].copy())
        world.step()
    axes.plot(*np.array(been).T, "o", color=INK, markersize=2.4, zorder=2.2)
    show(axes, make(), {"one": [0]}, without=("steering",))
    say(axes, (16.4, 8.1), "target", TARGET)
    say(axes, (16.0, 16.9), "within this ring it slows down", FAINT)
    say(axes, (6.2, 10.8), "where it is\nevery quarter\nof a second", INK)


@figure(7)
def obstacle_avoidance(axes: Axes) -> None:
    """Of three obstacles two are in the way, and the nearer one is avoided."""

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        rocks = sm.Spheres([[8.2, 13.4], [11.8, 8.0], [20.0, 7.4]], [2.3, 2.1, 1.8])
        avoid = sm.AvoidObstacles(rocks, lookahead=4.8, magnitude="full", stops=False, clearance=0.45)
        world.add(vehicles([2.2, 9.0], [4.0, 0.0], max_force=2.2), name="one", steering=avoid)
        return world

    trace(axes, make, 5.4)
    show(axes, make(), {"one": [0]}, (0.0, 0.6), without=("desired",))
    for place, name in (((8.2, 13.4), "A"), ((11.8, 7.0), "B"), ((20.0, 6.9), "C")):
        say(axes, place, name, fontweight="bold")
    say(axes, (4.4, 11.9), "steering", STEERING)
    say(axes, (16.4, 10.3), "cylinder of free space", FAINT)
    say(axes, (8.4, 7.4), "first contact", PREDICTED)


@figure(8)
def wander(axes: Axes) -> None:
    """The point on the circle walks at random; the small circle is one step of it."""

    def make(seconds: float = 0.0) -> sm.World:
        world = sm.World(dt=1 / 20, seed=5)
        law = sm.Wander(distance=2.0, strength=1.2, rate=1.1)
        one = vehicles([4.6, 6.0], [3.6, 1.4], max_force=2.2, max_speed=4.0, radius=0.5)
        world.add(one, name="one", steering=law)
        return world

    show(axes, make(), {"one": [0]}, (0.0, 0.0), without=("desired", "velocity"))
    say(axes, (12.0, 15.0), "wander strength", FAINT)
    say(axes, (19.0, 11.9), "wander rate", FAINT)
    say(axes, (6.6, 5.2), "steering", STEERING)


@figure(9)
def path_following(axes: Axes) -> None:
    """The predicted position leaves the tube, so the vehicle is led back to the spine."""
    road = sm.Path.spline([[-2, 3], [5, 5.5], [11, 9.5], [17, 10], [26, 14]], radius=2.2)

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        follow = sm.FollowPath(road, law="tube", lookahead=1.6, reach=3.0)
        world.add(vehicles([5.4, 6.6], [2.2, 3.3], response_time=0.6), name="one", steering=follow)
        return world

    trace(axes, make, 5.0)
    show(axes, make(), {"one": [0]})
    say(axes, (7.4, 13.0), "predicted position", PREDICTED)
    say(axes, (13.3, 8.9), "target on the path", TARGET, ha="left", va="top")
    say(axes, (20.2, 14.4), "tube", FAINT)


@figure(10)
def wall_following_and_containment(axes: Axes) -> None:
    """Along a wall at an offset; and back into a region that it would leave."""
    wall = sm.Walls([[[-1, 12.2], [3.5, 11.4], [7.6, 12.8], [11.6, 16.2], [12.6, 20]]])
    pond = sm.Polygon([[11.4, 1.4], [20.8, 1.8], [21.4, 8.6], [17.4, 12.2], [11.2, 9.8]])

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        follow = sm.FollowWall(wall, offset=2.0, side="left", lookahead=1.5, reach=4.0)
        stay = sm.Contain(pond, law="inside", lookahead=1.7)
        world.add(vehicles([1.2, 6.6], [2.8, 2.3], response_time=0.5), name="follower", steering=follow)
        world.add(vehicles([16.4, 4.6], [3.6, 1.4], response_time=0.5), name="contained", steering=stay)
        return world

    trace(axes, make, 3.0)
    show(axes, make(), True, without=("range",))
    say(axes, (4.0, 14.6), "wall following", INK)
    say(axes, (16.6, 13.6), "containment", INK)


@figure(11)
def flow_following(axes: Axes) -> None:
    """What flows at the predicted position is the desired velocity."""

    def swirl(points: Any) -> Any:
        x, y = (points - [4.0, -4.0]).T
        away = np.hypot(x, y)
        return np.stack([y, -x], axis=1) * (3.4 / away)[:, None]

    field = sm.FlowFunction(swirl)

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        follow = sm.FollowFlow(field, lookahead=1.0)
        world.add(vehicles([8.6, 7.0], [1.4, 3.6], response_time=0.8), name="one", steering=follow)
        return world

    trace(axes, make, 4.0)
    show(axes, make(), {"one": [0]})
    for place, letter, color in (
        ((8.3, 9.4), "V", VELOCITY),
        ((11.8, 10.5), "F", TARGET),
        ((11.6, 8.2), "S", STEERING),
    ):
        say(axes, place, letter, color, fontweight="bold")
    say(axes, (10.0, 12.1), "future", PREDICTED)


@figure(12)
def unaligned_collision_avoidance(axes: Axes) -> None:
    """Two who would meet, and where they will be when they are nearest."""

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        avoid = sm.AvoidNeighbors(lookahead=4.0, distance=2.4, law="imminent")
        two = vehicles([[3.6, 3.6], [20.4, 4.2]], [[3.2, 2.3], [-3.5, 1.9]])
        world.add(two, name="two", steering=avoid)
        return world

    trace(axes, make, 3.6)
    show(axes, make(), True, (0.0, -0.6), without=("desired", "chosen"))
    say(axes, (11.6, 12.4), "nearest approach", PREDICTED)
    say(axes, (6.9, 7.2), "steering", STEERING, ha="right")
    say(axes, (16.9, 4.4), "steering", STEERING)


def crowd(steering: sm.Behavior, seed: int = 3) -> sm.World:
    """One in the middle, and others around it."""
    world = sm.World(dt=1 / 60)
    others = [[8.6, 11.4], [15.8, 11.8], [14.6, 6.0], [10.2, 4.6], [9.4, 15.4], [19.8, 8.4], [3.4, 6.4], [19.4, 15.6]]
    moving = [[2.4, 2.6], [3.2, 1.2], [3.4, 0.6], [3.3, -0.6], [3.0, 1.0], [1.2, 3.0], [3.3, 0.4], [-1.0, 3.0]]
    one = vehicles([12.0, 8.6], [0.9, 3.2])
    around = vehicles(others, moving)
    world.add(around, name="others", steering=None)
    world.add(one, name="one", steering=steering.replace(of=around))
    return world


ANGLE = np.radians(270)


@figure(13)
def neighborhood(axes: Axes) -> None:
    """A distance, and an angle: who is within is a neighbor."""
    world = crowd(sm.Cohesion(radius=6.5, angle=ANGLE))
    show(axes, world, {"one": [0]}, without=("desired", "steering", "target"), colors={"one": "blue", "others": "gray"})
    axes.plot([12.0, 18.5], [8.6, 8.6], color=FAINT, linewidth=1.0, zorder=3)
    say(axes, (15.6, 9.2), "distance", FAINT)
    say(axes, (12.0, 13.8), "angle", FAINT)
    say(axes, (9.6, 2.6), "not seen", FAINT)


@figure(14)
def separation(axes: Axes) -> None:
    """Every neighbor pushes, the nearer the harder; their sum steers."""
    world = crowd(sm.Separation(radius=6.5, angle=ANGLE, strength=20.0))
    show(axes, world, {"one": [0]}, without=("desired", "velocity"), colors={"one": "blue", "others": "gray"})
    say(axes, (9.8, 8.6), "steering", STEERING, ha="right")
    say(axes, (10.6, 6.5), "pushes of\nneighbors", STEERING, ha="right")


@figure(15)
def cohesion(axes: Axes) -> None:
    """Toward the mean of the places."""
    world = crowd(sm.Cohesion(radius=6.5, angle=ANGLE, strength=1.6))
    show(axes, world, {"one": [0]}, without=("desired", "velocity"), colors={"one": "blue", "others": "gray"})
    say(axes, (13.9, 9.0), "mean of\ntheir places", TARGET, ha="left")
    say(axes, (11.7, 10.2), "steering", STEERING, ha="right")


@figure(16)
def alignment(axes: Axes) -> None:
    """Toward the mean of the velocities."""
    world = crowd(sm.Alignment(radius=6.5, angle=ANGLE, law="velocity"))
    show(axes, world, {"one": [0]}, colors={"one": "blue", "others": "gray"})
    say(axes, (14.2, 9.3), "mean of\ntheir\nvelocities", DESIRED, ha="left", va="top")
    say(axes, (15.1, 10.3), "steering", STEERING, ha="left")


@figure(17)
def leader_following(axes: Axes) -> None:
    """Behind the leader, and out of the rectangle ahead of it."""

    def make() -> sm.World:
        world = sm.World(dt=1 / 60)
        leader = vehicles([13.0, 9.0], [2.4, 0.6])
        world.add(leader, name="leader", steering=None)
        crowd = vehicles(
            [[3.4, 12.6], [5.0, 4.6], [8.4, 10.6], [17.2, 10.6]],
            [[2.6, 0.2], [2.4, 1.6], [2.6, 0.4], [1.0, 0.25]],
            response_time=0.6,
        )
        follow = sm.FollowLeader(leader, behind=3.0, clear_length=8.0, clear_width=4.4)
        world.add(crowd, name="followers", steering=follow)
        return world

    show(axes, make(), True, without=("desired",))
    say(axes, (13.6, 7.2), "leader", PALETTE["blue"])
    say(axes, (17.6, 8.2), "kept clear", LOOKS["danger"].color)
    say(axes, (9.7, 7.5), "place behind", TARGET, ha="right")
    say(axes, (17.6, 13.6), "steers aside,\nout of the way", STEERING, ha="right")


def main() -> None:
    """Draw all of them, or those that are asked for."""
    mpl.rcParams["font.size"] = 8.5
    FOLDER.mkdir(exist_ok=True)
    total = 0
    for number in [int(word) for word in sys.argv[1:]] or list(FIGURES):
        sheet = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI, facecolor=PAPER)
        axes = sheet.add_axes((0.01, 0.01, 0.98, 0.98))
        FIGURES[number](axes)
        axes.set_aspect("equal")
        path = FOLDER / f"figure_{number:02d}.png"
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(folder, "drawn.png")
            sheet.savefig(drawn)
            with Image.open(drawn) as picture:
                flat = picture.convert("RGB").quantize(128, kmeans=4, dither=Image.Dither.NONE)
            flat.save(path, optimize=True)
        total += path.stat().st_size
        print(f"wrote {path} ({path.stat().st_size:,} bytes)")
    print(f"{total:,} bytes in all")


if __name__ == "__main__":
    main()
