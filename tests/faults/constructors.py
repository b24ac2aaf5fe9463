"""Inputs of every public constructor: valid arguments, some of them replaced by nasty ones."""

import inspect
import math
import numbers
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.environment.shape import Shape
from steersman.core.parameters.kinds import INTEGER, NUMBER, Description
from steersman.core.parameters.parameters import Parameters, describe
from steersman.learning.tasks import Pursuit
from steersman.scaling.link import Alone

from .judging import Input, source
from .nasty import edges, nasty, said

NOT_MADE = {
    "Explanation", "Neighbors", "Signals", "Keeping", "ManyVehicles", "Sweep", "Tuned", "Kind", "Recording", "Run",
    "Sketch", "SketchContext", "Timings",
}  # fmt: skip
"""Classes whose objects are made by the library."""


@cache
def classes() -> dict[str, type]:
    """Every public class that users make objects of."""
    public = {name: getattr(sm, name) for name in sm.__all__}
    return {
        name: each
        for name, each in public.items()
        if isinstance(each, type)
        and not inspect.isabstract(each)
        and name not in NOT_MADE
        and not issubclass(each, Exception)
    }


@cache
def described(cls: type) -> dict[str, Description]:
    """What is known of the parameters of a class."""
    return {each.name: each for each in describe(cls)} if issubclass(cls, Parameters) else {}


def vehicles() -> sm.Vehicles:
    """A few vehicles."""
    return sm.Vehicles([[0.0, 0.0], [3.0, 1.0], [1.0, 4.0]])


def small_world(seed: int) -> sm.World:
    """A world of one population."""
    world = sm.World(seed=seed)
    world.add(sm.Vehicles([[1.0, 2.0]]), steering=sm.Wander())
    return world


@cache
def valid() -> dict[str, list[Any]]:
    """Values that are allowed, by the name of a parameter or else of its kind."""
    rocks, path = sm.Spheres([[5.0, 5.0]], 1.0), sm.Path([[0, 0], [9, 0], [9, 9]], radius=1.0)
    others, seek = vehicles(), sm.Seek([1.0, 2.0])
    triangle = [[0, 0], [9, 0], [0, 9]]
    rows = {
        "id": [3, 3],
        "position": [[0.0, 0.0], [1.0, 0.0]],
        "velocity": [[1.0, 0.0], [1.0, 0.0]],
        "radius": [0.5, 0.5],
    }
    tracks = {"times": [0.0, 1.0], "frame": [0, 1], **rows}
    return {
        **{f"Tracks.{name}": [value] for name, value in tracks.items()},
        "number": [0.5, 1, 1.0, np.float32(0.75)], "integer": [1], "flag": [True, False], "text": ["boids"],
        "vector": [[1.0, 2.0]], "points": [triangle], "numbers": [1.0, 2],
        "function": [lambda *given: np.zeros((3, 2))], "direction": [[1.0, 0.0]], "target": [[1.0, 2.0], others],
        "which": ["nearest", 1], "obstacles": [rocks, [rocks]], "path": [path],
        "region": [sm.Sphere([0.0, 0.0], 5.0)], "surface": [sm.Plane([0, 0, 0], [0, 0, 1])], "population": [others],
        "neighbors": [others], "populations": [others, [others], "all"], "quarry": [others, sm.LastSeen(others, forget=2.0)],
        "facing": [[1.0, 0.0]], "groups": ["all", [0, 0, -1]], "knowledge": [sm.LastSeen(others, forget=2.0)],
        "own columns": [{"goal": None, "pace": 4.0}], "tracks": [sm.Tracks(**tracks)],
        "steering": [seek], "parts": [[seek, seek]], "optional parts": [[seek]],
        "weights": [[1.0, 2.0]], "condition": [sm.After(1.0)], "conditions": [[sm.After(1.0)]],
        "modes": [{"a": seek, "b": seek}], "transitions": [[("a", "b", sm.After(1.0))]],
        "cooldown": [1.0, {"a": 1.0}], "hooks": [{"a": print}],
        "field": [sm.FlowField.grid(np.zeros((3, 3, 2)), (0, 0), (1, 1))], "chains": [triangle], "flags": [True],
        "rows": [[[0, 1, 2]]], "grid": [np.zeros((3, 3, 2))], "image": [np.zeros((4, 4, 3), np.uint8)],
        "heights": [np.zeros((3, 3))], "slots": [triangle], "orientation": [0.5], "orientations": [0.5],
        "ramp": [[0.0, 0.5, 1.0]], "followed": [rocks], "switch": [True],
        "resources": [sm.Resources([[1.0, 2.0]], 3.0)], "predictor": [sm.Constant(1.0)], "limits": [[sm.Drag(1.0)]],
        "clips": [[sm.Clip("stand", speed=0.0), sm.Clip("go", speed=1.0)]], "actuator": [sm.Straight()],
        "targeters": [[sm.Toward([1.0, 2.0])]], "decomposers": [[sm.AlongPath(path)]],
        "constraints": [[sm.KeepClear(rocks)]], "rate": [1.0], "start": [[1.0, 0.0]], "columns": [{"radius": 0.5}],
        "where": [triangle], "position": [triangle, [[0.0, 0.0, 0.0]]], "amount": [1.0], "steps": [3],
        "dtype": [np.float64], "id": [[3, 4, 5]], "domain": [sm.Torus([10, 10])], "seed": [3], "threads": [1],
        "Dithered.probabilities": [[0.5, 0.5]], "Switch.components": [[seek]],
        "Orders.components": [[seek]], "FlowImage.high": [[9.0, 9.0]],
        "Heightfield.high": [[9.0, 9.0]], "HeadingSmoother.samples": [3], "OffsetPursuit.radius": [2.0],
        "Formation.which": ["first", 1], "Interior.obstacles": [rocks], "Skin.obstacles": [rocks],
        "Flying.gravity": [[0, 0, -9.8]], "ContextMap.directions": [8], "ContextMap.weights": [[1.0]],
        "ContextMap.of": [None], "ContextMap.speed": [None],
        "StuckWatch.name": ["boids"],
        "Trails.followed": [3], "StuckWatch.goal": [triangle], "Modes.start": ["a"],
        "Controller.name": ["boids"], "Controller.flows": [[sm.Sink(older_than=1.0)]],
        "TriangleMesh.seen_from": ["outside", "both"], "Sink.side": ["inside"],
        "TriangleMesh.vertices": [[[0, 0, 0], [9, 0, 0], [0, 9, 0]]], "World.constraints": [[sm.ZeroOverlap()]],
        "Vehicles.velocity": [[1.0, 2.0]], "Vehicles.forward": [[0.0, 1.0]], "Sink.older_than": [1.0],
        "HeadingSmoother.time_constant": [None], "OffsetPursuit.offset": [None], "OffsetPursuit.law": ["literal"],
        "OffsetPursuit.come_around": [None], "OffsetPursuit.frame": ["leader"],
        "ConstantBearing.gain": [3.0], "Vehicles.up": [None], "Vehicles.heading": [None], "vehicles": [others],
        "Stage.scenery": [{"rock": rocks}], "Stage.picture": [sm.Picture()], "Stage.colors": [{"boids": "red"}],
        "Stage.name": ["flock"], "Stage.description": ["They fly."], "Stage.recall": [{}], "Stage.check": [None, print],
        "Stage.fixed_populations": [{"boids": "there are two"}], "Stage.labels": [{"goal": [1.0, 2.0]}],
        "Stage.notes": [[sm.shapes.Circle([[1.0, 2.0]], 3.0)]],
        "SplitWorld.world": [small_world(0)], "link": [Alone()], "slices": [True], "skin": [0.5],
        "make": [small_world], "Worlds.n": [2, [3, 5]], "Network.sizes": [[2, 3, 1]],
        "Network.numbers": [None, np.zeros(13)], "task": [Pursuit()], "Policy.others": [None],
        "Picture.opens": [0.0, 2.5], "Picture.sketch": [None, {"boids": [3]}], "Picture.glyphs": ["bird", {"boids": "fish"}],
        "Picture.looks": [None, {"camp": "sand", "ground": "grass"}],
        "Route.points": [triangle], "Route.edges": [[[0, 1], [1, 2]]], "Route.costs": [None, [1.0, 2.0]],
        "Route.names": [None, ["a", "b", "c"]], "goal": [[1.0, 2.0], others], "goals": [[1.0, 2.0]],
        "polygons": [[[triangle]]], "doors": [[], [[[1, 0], [1, 9]]]], "NavMesh.tolls": [0.0], "WalkMesh.doors": [()],
        "WalkMesh.tolls": [0.0], "RouteGrid.tolls": [0.0], "GoTo.congestion": [0.0], "FlowToward.by": [None],
        "NavMesh.leaves": [None], "WalkMesh.leaves": [None], "RouteGrid.leaves": [None], "Box.periodic": ["", "x"],
        "Zones.repulsion_radius": [0.5], "Zones.orientation_radius": [3.0], "Zones.attraction_radius": [5.0],
        "WalkMesh.surface": [sm.Heightfield(np.zeros((3, 3)), [0, 0], [9, 9])],
        "map": [None, sm.RouteGrid(rocks)], "cost": [None, [[1.0, 2.0], [1.0, 3.0]]],
        "ground": [None, sm.Plane([0, 0, 0], [0, 0, 1])], "moves": [False],
        "World.device": ["cpu"], "once": [True, False], "world": [sm.World()], "dt": [0.1], "cell": [1.0], "frames": ["own"],
    }  # fmt: skip


NEEDED = {
    "HeadingSmoother": ["samples"],
    "OffsetPursuit": ["radius", "law"],
    "Sink": ["older_than"],
    "Modes": ["start"],
    "FlowToward": ["region"],
    "RouteGrid": ["region"],
}
"""Arguments without which, though they have a default, nothing can be made."""


def values(cls: type, name: str) -> list[Any]:
    """Valid values of a parameter."""
    known, about = valid(), described(cls).get(name)
    if own := known.get(f"{cls.__name__}.{name}"):
        return own
    if about is not None and about.choices and about.kind.name == "text":
        return list(about.choices)
    return known.get(about.kind.name if about is not None else name) or [1.0]


@cache
def signature(cls: type) -> dict[str, inspect.Parameter]:
    """The parameters of a constructor."""
    usual = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    known = inspect.signature(cls).parameters.items()
    return {name: each for name, each in known if each.kind not in usual and name != "flattens"}


@cache
def needed(cls: type) -> tuple[str, ...]:
    """The arguments that must be given."""
    plain = [name for name, each in signature(cls).items() if each.default is inspect.Parameter.empty]
    return (*plain, *NEEDED.get(cls.__name__, []))


def arguments(cls: type, rng: Random) -> dict[str, Any]:
    """Arguments of a constructor: what must be given, some that need not, and of these one or a few are nasty."""
    known = signature(cls)
    given = {name: rng.choice(values(cls, name)) for name in known if name in needed(cls) or rng.random() < 0.1}
    few = rng.choice((1, 1, 1, 2, 3))
    for name in rng.sample(sorted(known), min(few, len(known))):
        about = described(cls).get(name)
        at_edge = edges(about) if about is not None else []
        given[name] = rng.choice(at_edge) if at_edge and rng.random() < 0.3 else nasty(rng)
    if given and rng.random() < 0.02:
        del given[rng.choice(sorted(given))]
    if rng.random() < 0.02:
        given["radios"] = 1.0
    return given


def check(made: Any) -> None:
    """No number that was let in is one that is not allowed."""
    for about in describe(type(made)) if isinstance(made, Parameters) else ():
        value = getattr(made, about.name)
        if about.kind in (NUMBER, INTEGER) and isinstance(value, numbers.Real):
            number = float(value)
            assert about.infinite or math.isfinite(number), f"{about.name} is {number}"
            assert about.holds(number), f"{about.name} is {number}"


def making(cls: type, given: dict[str, Any]) -> Callable[[], None]:
    """A call that makes an object, and writes it down."""

    def make() -> None:
        made = cls(**given)
        check(made)
        if isinstance(made, Shape | Parameters):
            repr(made)

    return make


@source("constructors")
def constructors(rng: Random, count: int) -> Iterator[Input]:
    """Calls of all constructors in turn."""
    known = sorted(classes().items())
    for k in range(count):
        name, cls = known[k % len(known)]
        given = arguments(cls, rng)
        shown = ", ".join(f"{key}={said(value)}" for key, value in given.items())
        yield Input(f"sm.{name}({shown})", making(cls, given), tuple(dict.fromkeys([*signature(cls), *given])))
