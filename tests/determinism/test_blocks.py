"""The bits do not depend on how rows are cut: whoever is a remainder of one block is in the middle of another."""

import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.obstacles import KINDS
from contract.places import State
from contract.running import DT, NAME, SEED
from contract.trying import FIRST
from sampling import EVERYTHING, KEPT, drawn

import steersman as sm
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import KERNELS
from steersman.core.steering.targets import target
from steersman.core.world import section
from steersman.gallery.registry import SCENARIOS

SIZES = (3, 16) if EVERYTHING else (3,)
"""Rows of a block. In one of three, none is computed in the lanes of a vector, as most are in one of all rows; of sixteen,
those are that are in all rows."""

BODIES = {
    "point mass": lambda d: sm.PointMass(),
    "constant speed": lambda d: sm.PointMass(limits=[sm.ConstantSpeed(rate=1.0)]),
    "turn rate": lambda d: sm.PointMass(limits=[sm.TurnRate(1.0)]),
    "inertia": lambda d: sm.PointMass(limits=[sm.MomentOfInertia(0.3)]),
    "smoother": lambda d: sm.PointMass(limits=[sm.HeadingSmoother(5)]),
    "gait": lambda d: sm.PointMass(limits=[sm.Gait()]),
    "smoother in time": lambda d: sm.PointMass(limits=[sm.HeadingSmoother(time_constant=0.3)]),
    "the others": lambda d: sm.PointMass(
        limits=[sm.Asymmetric(thrust=0.9, brake=0.8, side=0.7), sm.LowSpeedTurn(), sm.SmoothForce(0.2), sm.Drag(0.5)]
    ),
    "cone": lambda d: sm.PointMass(limits=[sm.LowSpeedTurn(law="cone")]),
    "free body": lambda d: sm.FreeBody(limits=[sm.Drag(0.2, angular=0.3)]),
    "wheeled": lambda d: sm.Wheeled(reverse=True),
    "flying": lambda d: sm.Flying(),
    "clips": lambda d: sm.MotionClips([sm.Clip("walk", speed=1.0), sm.Clip("left", speed=0.5, turn_rate=1.0)]),
    "surface": lambda d: sm.SurfaceBound(sm.Sphere(np.zeros(d), 30.0)),
}
"""Bodies and limits, by a name; `d` are the dimensions."""

FLAT, SOLID = {"wheeled", "clips"}, {"flying"}

CUT: set[Callable[..., Any]] = set()
"""Kernels whose rows were cut into blocks so far."""

COLLECTED = len(KERNELS)
"""Kernels that there were when tests were collected."""

OTHERS: list[int] = []
"""How many there were before the first test of this file."""

DONE: set[str] = set()
"""The bodies, behaviors and scenarios that were tried."""


@pytest.fixture(autouse=True)
def _noted(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is tried is noted, and the kernels that are bound to blocks."""
    OTHERS.append(len(KERNELS))
    if isinstance(request.node, pytest.Function) and hasattr(request.node, "callspec"):
        DONE.add(request.node.callspec.params.get("name", ""))
    compiled = Call.compiled

    def noted(call: Call) -> Callable[..., None]:
        if not call.whole:
            CUT.add(call.kernel)
        return compiled(call)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Call, "compiled", noted)
        yield


def bits(world: sm.World, steps: int) -> list[bytes]:
    """All columns and memory after some steps."""
    world.run(steps=steps)
    found = []
    for population in world.populations.values():
        found.append(population.vehicles.block.tobytes())
        for memory in population.memories.values():
            found += [column.tobytes() for column in memory.snapshot().values()]
    return found


def same_in_all_blocks(monkeypatch: pytest.MonkeyPatch, make: Any, steps: int) -> None:
    whole = bits(make(), steps)
    for size in SIZES:
        monkeypatch.setattr(section, "BLOCK", size)
        assert bits(make(), steps) == whole, f"blocks of {size} rows"
        monkeypatch.undo()


@pytest.mark.parametrize(("name", "dtype", "d"), [
    (name, dtype, d) for name in BODIES
    for d, dtype in (itertools.product((2, 3), (np.float32, np.float64)) if EVERYTHING else KEPT.items())
    if not (name in FLAT and d == 3) and not (name in SOLID and d == 2)
])  # fmt: skip
def test_bodies_and_limits(monkeypatch: pytest.MonkeyPatch, name: str, d: int, dtype: Any) -> None:
    def make() -> sm.World:
        rng = np.random.default_rng(4)
        vehicles = sm.Vehicles(
            rng.uniform(-30, 30, (67, d)), rng.normal(0, 2, (67, d)), mass=rng.uniform(0.5, 3, 67), max_speed=3,
            max_force=9, radius=rng.uniform(0.1, 2, 67), dtype=dtype,
        )  # fmt: skip
        world = sm.World(seed=3, dt=0.05, threads=1)
        world.add(vehicles, steering=sm.Wander() + 0.5 * sm.Seek(np.zeros(d)), locomotion=BODIES[name](d))
        return world

    same_in_all_blocks(monkeypatch, make, 20)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", EXAMPLES)
def test_behaviors(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """In the types for which the contract suite compiles them; an example that is not the first of its behavior in one."""
    for d, dtype in KEPT.items() if name in FIRST else drawn(list(KEPT.items()), 1, f"blocks {name}"):

        def make(dtype: Any = dtype, d: int = d) -> sm.World:
            place = State.random(1, d, 19).place(dtype)
            world = sm.World(domain=place.domain, seed=SEED, dt=DT, threads=1)
            world.add(place.vehicles, name=NAME, steering=EXAMPLES[name](place))
            return world

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same_in_all_blocks(monkeypatch, make, 3)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    scenario = SCENARIOS[name]

    def make() -> sm.World:
        return scenario.stage(n=max(scenario.least, min(scenario.n, 19)), seed=1, threads=1).world

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same_in_all_blocks(monkeypatch, make, 6)


def crowd(d: int, dtype: Any, n: int = 31) -> sm.Vehicles:
    rng = np.random.default_rng(4)
    return sm.Vehicles(
        rng.uniform(-6, 6, (n, d)), rng.normal(0, 2, (n, d)), max_speed=3, max_force=9, radius=0.4, dtype=dtype
    )


def in_a_flow(d: int, dtype: Any) -> sm.World:
    flow = sm.FlowField.function(lambda points: np.cos(points))
    world = sm.World(seed=3, domain=sm.Torus([20.0] * d), threads=1)
    world.add(crowd(d, dtype), steering=sm.FollowFlow(flow))
    return world


def between_ends(d: int, dtype: Any) -> sm.World:
    world = sm.World(seed=3, domain=sm.Box([20.0] * d, periodic="x"), threads=1)
    world.add(crowd(d, dtype), steering=sm.Wander())
    return world


def to_a_goal(d: int, dtype: Any) -> sm.World:
    rocks = sm.Spheres([[2.0, 1.0], [-4.0, -3.0]], 2.0)
    flow = sm.FlowField.toward([[5.0, 5.0], [-5.0, 5.0]], obstacles=rocks, region=sm.Box([20, 20], origin=[-10, -10]))
    world = sm.World(seed=3, threads=1)
    world.add(crowd(2, dtype), steering=sm.FollowFlow(flow))
    return world


def by_a_map(d: int, dtype: Any) -> sm.World:
    routes = sm.RouteGrid(sm.Spheres([[2.0, 1.0]], 1.0), region=sm.Box([20, 20], origin=[-10, -10]))
    world = sm.World(seed=3, threads=1)
    world.add(crowd(2, dtype), steering=sm.FollowFlow(sm.FlowField.toward([[5.0, 5.0]], by=routes)))
    return world


def among_all_kinds(d: int, dtype: Any) -> sm.World:
    world = sm.World(seed=3, threads=1)
    kinds = [each for each in KINDS.values() if each.dimensions == d]
    world.add(crowd(d, dtype), steering=sm.ORCA(toward=sm.Seek(np.full(d, 20.0)), obstacles=kinds))
    return world


def in_a_tank(d: int, dtype: Any) -> sm.World:
    tank = sm.Interior(sm.Spheres([np.zeros(d)], 12.0))
    world = sm.World(seed=3, threads=1)
    world.add(crowd(d, dtype), steering=sm.Priority([sm.Contain(tank), sm.Wander()]))
    return world


def cars_in_a_yard(d: int, dtype: Any) -> sm.World:
    world = sm.World(seed=3, threads=1)
    tree = sm.Priority([sm.Contain(sm.Box([16, 16], origin=-8)), sm.Seek([20.0, 3.0])])
    world.add(crowd(2, dtype), steering=tree, locomotion=sm.Wheeled())
    return world


def cars_among_rocks(d: int, dtype: Any) -> sm.World:
    world = sm.World(seed=3, threads=1)
    tree = sm.ContextMap([sm.Arrive([20.0, 3.0])], obstacles=sm.Spheres([[4.0, 1.0]], 2.0), neighbors=True)
    world.add(crowd(2, dtype), steering=tree, locomotion=sm.Wheeled())
    return world


def untangled(d: int, dtype: Any) -> sm.World:
    rocks = sm.Spheres([np.zeros(d)], 2.0)
    world = sm.World(seed=3, threads=1, constraints=[sm.ZeroOverlap(rocks, passes=5)])
    world.add(crowd(d, dtype), steering=sm.Wander() + sm.Seek(np.zeros(d)))
    return world


def of_length(d: int, dtype: Any) -> sm.World:
    world = sm.World(seed=3, threads=1, constraints=[sm.ZeroOverlap(sm.Spheres([np.zeros(d)], 2.0), passes=5)])
    vehicles = crowd(d, dtype)
    vehicles.length = 1.5
    world.add(vehicles, steering=sm.Wander() + sm.Seek(np.zeros(d)))
    return world


def to_one_goal(d: int, dtype: Any) -> sm.World:
    world = sm.World(seed=3, threads=1)
    world.add(crowd(d, dtype), steering=sm.Priority([sm.AvoidNeighbors(), sm.GoTo(np.ones(d))]))
    return world


def in_formation(d: int, dtype: Any) -> sm.World:
    map = sm.RouteGrid(sm.Spheres([[2.0, 1.0]], 1.0), region=sm.Box([60, 60], origin=[-30, -30]), spacing=1.0)
    world = sm.World(seed=3, threads=1)
    leader = sm.Vehicles([[4.0, 4.0]], [[1.0, 0.0]], dtype=dtype)
    world.add(leader)
    world.add(crowd(2, dtype), steering=sm.Formation(leader, slots="column", spacing=1.5, by=map))
    return world


def turned(d: int, dtype: Any) -> sm.World:
    wish = sm.Seek(np.zeros(d)) + sm.Face(np.zeros(d))
    tree = sm.Priority(
        [sm.ContextMap(interest=[wish, sm.Wander()], danger=[sm.Seek(np.ones(d))], neighbors=True), wish]
    ) + sm.ORCA(toward=wish)
    world = sm.World(seed=3, threads=1)
    world.add(crowd(d, dtype), steering=tree, locomotion=sm.FreeBody())
    return world


def on_hills(d: int, dtype: Any) -> sm.World:
    hills = sm.Heightfield(np.cos(np.arange(20.0))[:, None] * np.sin(np.arange(20.0))[None, :], [-20, -20], [20, 20])
    rocks = sm.Spheres([[3.0, 3.0, 0.0]], 2.0)
    tree = sm.Priority([sm.AvoidObstacles(rocks), sm.FollowPath(sm.Path([[-9, 0], [9, 2]])), sm.Wander()])
    world = sm.World(seed=3, threads=1)
    world.add(crowd(3, dtype), steering=tree, locomotion=sm.SurfaceBound(hills, limits=[sm.TurnRate(1.0)]))
    return world


def after_many(d: int, dtype: Any) -> sm.World:
    world = sm.World(seed=3, threads=1)
    world.add(
        crowd(d, dtype), steering=sm.Priority([sm.Flee(np.zeros(d), panic_distance=9), sm.Pursue(crowd(d, dtype))])
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(target, "PAIRS", 0)
        world._ready()
    return world


SCENES = {
    each.__name__: each
    for each in (
        in_a_flow, between_ends, to_a_goal, by_a_map, among_all_kinds, in_a_tank, cars_in_a_yard, cars_among_rocks,
        untangled, of_length, to_one_goal, in_formation, turned, on_hills, after_many,
    )
}  # fmt: skip


PLANAR = {"to_a_goal", "by_a_map", "cars_in_a_yard", "cars_among_rocks", "in_formation"}
"""Scenes in the plane, whatever `d` is."""


@pytest.mark.each_value
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", SCENES)
def test_scenes(monkeypatch: pytest.MonkeyPatch, name: str, d: int) -> None:
    """What the rest does not use."""
    dtype = np.float64 if EVERYTHING else KEPT[2 if name in PLANAR else d]
    same_in_all_blocks(monkeypatch, lambda: SCENES[name](d, dtype), 20)


@pytest.mark.parametrize("d", [2, 3])
def test_controllers(monkeypatch: pytest.MonkeyPatch, d: int) -> None:
    def steered() -> list[bytes]:
        vehicles = crowd(d, KEPT[d])
        steers = sm.Controller(vehicles, steering=sm.Wander() + sm.Face(np.zeros(d)), seed=1)
        return [np.asarray(each).tobytes() for _ in range(5) for each in np.atleast_1d(steers.steer(0.1))]

    whole = steered()
    for size in SIZES:
        monkeypatch.setattr(section, "BLOCK", size)
        assert steered() == whole, f"blocks of {size} rows"


NEVER_CUT = {
    "find_along", "find_times", "project_rows", "signal",  # asked for all rows at once, for those who ask
    "find_shares",  # when a path is bound
    "nodes_of_blocks", "places_of", "see_corners",  # when a map is made
    "guide_on_mesh", "locate_all", "ways_from_corners",  # on a mesh all rows share a workspace, and ask at once
    "find_ways",  # when a path is planned
    "find_pieces", "stand_all", "ways_from_nodes", "guide_on_ground", "lengths_on_ground",  # the same on a WalkMesh
    "join",  # several populations are copied one behind the other, each in as many shares as there are threads
    "copy", "credit",  # explained steps alone
    "push",  # laws of a user (tests/core/steering/group)
    "list_around", "measure",  # lists of neighbors for NumPy, in one go
    "crowd_between",  # congestion on a map, which no example here has
    *([] if EVERYTHING else ["find_due"]),  # rounds, which some of the scenarios have that are not always drawn
    "make_steps",  # many worlds: its rows are worlds
    "add_weighed", "nothing", "since",  # parts of other kernels
}  # fmt: skip
"""Kernels for ranges of rows that a step never calls for less than all of them."""


def test_no_kernel_was_forgotten(request: pytest.FixtureRequest) -> None:
    """Every other kernel for ranges of rows was cut in one of the tests above."""
    if missing := {*BODIES, *EXAMPLES, *SCENARIOS, *SCENES} - DONE:
        asked = {
            str(params.params.get("name"))
            for each in request.session.items
            if (params := getattr(each, "callspec", None))
        }
        if request.config.getoption("loadgroup", False) and missing <= asked:
            pytest.fail(
                "other processes have run tests of this file: pytest-xdist has formed no groups (see pyproject.toml)"
            )
        pytest.skip(f"only some of the tests were run: {sorted(missing)[0]} was not")
    ranged = [each for each in KERNELS if list(inspect.signature(each.py_func).parameters)[:2] == ["start", "stop"]]
    made_by_others = {
        each for each in KERNELS[COLLECTED : OTHERS[0]] if "<locals>" in each.py_func.__qualname__
    }  # For laws of tests of other files.
    own = {
        each
        for each in ranged
        if each.py_func.__module__.startswith("steersman.") and not each.py_func.__qualname__.endswith(".per_row")
    } - made_by_others
    assert {each.py_func.__name__ for each in own - CUT} == NEVER_CUT
