"""Inputs of public functions and methods: valid arguments, some of them replaced by nasty ones.

What is called with them is a world with two populations, its populations and vehicles, a controller, the places of
`sm.spawn`, the laws, and what is at the root of the library. A world that was called is stepped again: whatever was let in
must leave it in order.
"""

import inspect
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import steersman as sm
from steersman import laws
from steersman.runs.metrics.structure import Curve

from .judging import DOCUMENTED, Input, source
from .nasty import nasty, said

Valid = dict[str, list[Any]]


def world() -> sm.World:
    """A small world."""
    made = sm.World(seed=3, threads=1)
    place = np.random.default_rng(1).uniform(0, 20, (5, 2))
    steering = sm.Modes(
        {"a": sm.Wander(), "b": sm.Seek([1.0, 2.0])}, start="a", transitions=[("a", "b", sm.After(0.1))]
    )
    made.add(sm.Vehicles(place, max_speed=2.0), name="boids", steering=steering)
    made.add(sm.Vehicles(place + 5), name="others", steering=sm.Separation(radius=4.0))
    made.run(steps=2)
    return made


ROCKS = [sm.Spheres([[5.0, 5.0]], 1.0)]

WORLD: dict[str, Valid] = {
    "add": {"vehicles": [sm.Vehicles([[0.0, 0.0]])], "steering": [sm.Wander(), None], "name": ["more"],
            "locomotion": [sm.PointMass()], "flows": [()]},
    "remove": {"name": ["boids", "others"]},
    "memory": {"name": ["boids"], "which": ["Modes", "Wander"]},
    "explain": {"who": ["boids", None], "id": [3, [0, 1], None]},
    "sketch": {"who": ["boids", "others"], "id": [3, None]},
    "neighbors": {"name": ["boids"], "radius": [3.0, np.inf], "angle": [1.0], "inner_radius": [0.5], "k": [2, None],
                  "of": ["others", None, [[1.0, 2.0]]]},
    "watch": {"population": ["boids"], "metrics": ["polarization", "mean_speed"], "to": [[0.0, 0.0], None], "every": [0.25]},
    "step": {"dt": [0.1, None]},
    "advance": {"frame_time": [0.05]},
    "on_step": {"observer": [lambda world: None], "when": [sm.EverySteps(2), None]},
}  # fmt: skip
"""Methods of a World, with values that are allowed. (Who asks `run` for 1e15 s gets them.)"""

POPULATION: dict[str, Valid] = {
    "memory": {"which": ["Modes"]},
    "remember": {"which": ["Modes"], "whom": [0, [1, 2], None], "entered": [0.0]},
    "node": {"which": ["Wander", "Modes", None]},
    "passed": {"which": ["Sink"]},
}

VEHICLES: dict[str, Valid] = {
    "spawn": {"position": [[0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]]], "velocity": [[1.0, 0.0], None], "mass": [2.0],
              "id": [99, None], "heading": [0.5, None]},
    "remove": {"which": [0, [1, 2], [True, False, False, False, False]]},
    "rows": {"which": [0, [1, 2]]},
    "usual": {"column": ["mass"]},
    "localize": {"points": [[1.0, 2.0]]},
    "globalize": {"local": [[1.0, 2.0]]},
}  # fmt: skip

CONTROLLER: dict[str, Valid] = {
    "steer": {"dt": [0.1]},
    "explain": {"id": [1, None]},
    "memory": {"which": ["Wander"]},
    "remember": {"which": ["Wander"], "whom": [0, None], "point": [1.0]},
}

PLACES = ("circle", "disc", "ring", "ball", "box", "grid", "inside", "around", "any_direction")

SPAWN: Valid = {
    "n": [3, 1], "radius": [9.0], "size": [[20.0, 20.0]], "center": [[0.0, 0.0]], "start": [0.5], "spacing": [2.0],
    "obstacles": [(), ROCKS], "clearance": [0.1], "apart": [0.1], "rng": [0, np.random.default_rng(1)],
    "place": [sm.Sphere([0.0, 0.0], 9.0)], "position": [[[0.0, 1.0], [2.0, 0.0]]], "speed": [1.0], "dimensions": [2, 3],
}  # fmt: skip


def call_of(function: Callable[..., Any], known: Valid, rng: Random) -> tuple[str, Callable[[], Any]]:
    """A call of a function with arguments of which some are nasty: what it is, and itself."""
    parameters = inspect.signature(function).parameters
    given = {name: rng.choice(values) for name, values in known.items() if must(parameters, name) or rng.random() < 0.3}
    for name in rng.sample(sorted(known), min(rng.choice((1, 1, 1, 2)), len(known))):
        given[name] = nasty(rng)
    if rng.random() < 0.02:
        given["radios"] = 1.0
    ahead = taken_by_place(parameters, given)
    shown = ", ".join([*map(said, ahead), *(f"{name}={said(value)}" for name, value in given.items())])
    return f"{function.__qualname__}({shown})", partial(function, *ahead, **given)


def taken_by_place(parameters: Mapping[str, inspect.Parameter], given: dict[str, Any]) -> list[Any]:
    """Take the arguments out of those given that can have no names; they come first, without gaps."""
    ahead = []
    for name, each in parameters.items():
        if each.kind is each.POSITIONAL_ONLY:
            ahead.append(given.pop(name, None if each.default is each.empty else each.default))
        elif each.kind is each.VAR_POSITIONAL and name in given:
            ahead.append(given.pop(name))
    return ahead


def call_with(function: Callable[..., Any], given: Mapping[str, Any]) -> Any:
    """Call a function with arguments by name, also those that it takes by their place."""
    named = dict(given)
    return function(*taken_by_place(inspect.signature(function).parameters, named), **named)


def must(parameters: Mapping[str, inspect.Parameter], name: str) -> bool:
    """Whether an argument must be given."""
    each = parameters.get(name)
    return each is None or each.default is each.empty


def spawning(rng: Random) -> tuple[Callable[..., Any], Valid]:
    """One of the places and velocities of `sm.spawn`."""
    name = rng.choice(PLACES)
    function = getattr(sm.spawn, name)
    known = dict(SPAWN)
    if name == "ball":
        known["center"] = [[0.0, 0.0, 0.0]]
    return function, {each: known[each] for each in inspect.signature(function).parameters}


def whole(rng: Random) -> tuple[Callable[..., Any], Valid, Callable[[], object]]:
    """Something to call with what may be given to it, and what must go well afterwards."""
    place = rng.randrange(6)
    if place == 5:
        return *spawning(rng), lambda: None
    made = world()
    boids, vehicles = made.populations["boids"], made["boids"]
    if place <= 1:
        name = rng.choice(sorted(WORLD))
        after = (lambda: None) if name in ("add", "on_step", "watch") else made.step  # A function may be wrong later.
        return getattr(made, name), WORLD[name], after
    if place == 2:
        name = rng.choice(sorted(POPULATION))
        return getattr(boids, name), POPULATION[name], made.step
    if place == 3:
        name = rng.choice(sorted(VEHICLES))
        return getattr(vehicles, name), VEHICLES[name], made.step
    controller = sm.Controller(vehicles, sm.Wander())
    name = rng.choice(sorted(CONTROLLER))
    return getattr(controller, name), CONTROLLER[name], lambda: controller.steer(0.1)


def and_then(call: Callable[[], object], after: Callable[[], object]) -> Callable[[], None]:
    """A call, after which something else must go well: if it is refused, nothing has changed."""

    def run() -> None:
        try:
            call()
        except DOCUMENTED:
            well(after)
            raise
        well(after)

    return run


def well(after: Callable[[], object]) -> None:
    """Call something that must not fail."""
    try:
        after()
    except sm.NonFiniteError:
        pass  # What was given is finite, but out of all bounds in float32.
    except Exception as error:
        raise AssertionError(f"afterwards: {type(error).__name__}: {error}") from error


@source("calls", documented=(*DOCUMENTED, sm.NonFiniteError), says=re.compile(""))
def calls(rng: Random, count: int) -> Iterator[Input]:
    """Calls of functions and methods: documented exceptions, short messages, and nothing is spoiled."""
    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            if k % 12 == 11:
                yield writing(rng, Path(folder) / str(k))
                continue
            function, known, after = whole(rng)
            what, call = call_of(function, known, rng)
            yield Input(what, and_then(call, after))


ROAD, YARD = sm.Path([[0, 0], [9, 0], [9, 9]], radius=1.0), sm.Box([9.0, 9.0])
FRAMES, SPACE = (np.random.default_rng(2).uniform(0, 9, (4, 5, d)) for d in (2, 3))

MEASURED: Valid = {
    "position": [FRAMES], "velocity": [FRAMES - 5], "dt": [0.1], "domain": [sm.Torus([10, 10]), None], "radius": [0.5],
    "mass": [2.0], "slack": [0.1], "target": [[1.0, 2.0]], "goal": [[1.0, 2.0]], "point": [[1.0, 2.0]], "within": [0.5],
    "own": [False], "obstacles": [ROCKS], "path": [ROAD], "region": [YARD], "area": [YARD], "reach": [2.0], "k": [3],
    "axis": [[1.0, 0.0]], "width": [1.0], "line": [[[0.0, 0.0], [9.0, 9.0]]], "way": ["left"], "seconds": [0.2],
    "arrived": [1.0], "standing": [2.0], "walking": [1.0], "bins": [8], "order": [[0.5, 0.75, 0.5]], "n": [20],
    "correlation": [Curve(np.arange(4.0), np.array([1.0, 0.5, -0.25, -0.5]))], "lags": [None, [1, 2]],
    "divisions": [[2, 3]], "longest": [None, 0.2], "places": [[0.0, 5.0, 10.0]], "interval": [None, 0.1],
}  # fmt: skip
"""What may be given to metrics."""

OF_METRICS = {"voronoi_areas": {"within": [YARD], "domain": [None]},
              "voronoi_density": {"within": [YARD], "domain": [None]},
              "voronoi_volumes": {"position": [SPACE], "within": [sm.Box([9.0, 9.0, 9.0])], "domain": [None]},
              "space_time": {"axis": [0], "domain": [None]},
              "pair_correlation": {"within": [YARD], "domain": [None]},
              "number_fluctuations": {"domain": [sm.Torus([10, 10])]}}  # fmt: skip
FUNCTIONS = sorted(name for name in sm.metrics.__all__ if inspect.isfunction(getattr(sm.metrics, name)))


def measures_of(name: str) -> Valid:
    """The arguments of a metric, with values that are allowed."""
    known = MEASURED | OF_METRICS.get(name, {})
    return {each: known[each] for each in inspect.signature(getattr(sm.metrics, name)).parameters}


@source("metrics", documented=(TypeError, ValueError))
def measures(rng: Random, count: int) -> Iterator[Input]:
    """Metrics, which take vehicles and arrays alike: a refusal names the argument and says what is allowed."""
    for _ in range(count):
        name = rng.choice(FUNCTIONS)
        known = measures_of(name)
        what, call = call_of(getattr(sm.metrics, name), known, rng)
        yield Input(what, partial(quietly, call), (*known, "radios"))


def writing(rng: Random, folder: Path) -> Input:
    """Recording, saving or reading, in a folder of its own."""
    made, path = world(), folder
    given = nasty(rng)
    if rng.random() < 0.7 and not isinstance(given, str | bytes | bytearray | int):
        path = given
    what, call = rng.choice(
        [
            ("save", lambda: made.save(path)),
            ("load", lambda: sm.World.load(path)),
            ("read_run", lambda: sm.read_run(path)),
            ("record(every)", lambda: made.record(folder, every=given).close()),
            ("record(columns)", lambda: made.record(folder, columns=given).close()),
            ("record(populations)", lambda: made.record(folder, populations=given).close()),
            ("record(format)", lambda: made.record(folder, format=given).close()),
            ("record(folder)", lambda: made.record(path).close()),
        ]
    )
    return Input(f"{what} with {said(given)}", and_then(call, made.step))


@source(
    "laws",
    documented=(TypeError, ValueError, IndexError, KeyError, AttributeError, ArithmeticError),
    says=re.compile(""),
)
def equations(rng: Random, count: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Laws are NumPy as it stands in a book: what NumPy says of wrong shapes is all that they say. They come back, though."""
    known = sorted(name for name in laws.__all__ if inspect.isfunction(getattr(laws, name)))
    for _ in range(count):
        name = rng.choice(known)
        function = getattr(laws, name)
        plain = [
            each for each in inspect.signature(function).parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD
        ]
        values = [rng.choice(SHAPES) for _ in plain]
        yield f"laws.{name}({', '.join(map(said, values))})", partial(quietly, function, *values)


def quietly(function: Callable[..., object], *values: Any) -> None:
    """Call without the warnings of NumPy."""
    with np.errstate(all="ignore"):
        function(*values)


SHAPES: list[Any] = [
    0.0, 1.0, -1.0, np.nan, np.inf, [], [[]], [1.0, 2.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], [[1.0, 2.0, 3.0]] * 2,
    np.zeros((0, 2)), np.zeros((2, 0)), np.zeros((3, 2)), np.full((3, 2), np.nan), np.zeros((2, 3, 4)), None, "nearest", True,
]  # fmt: skip
