"""The bits do not depend on how rows are cut: whoever is a remainder of one block is in the middle of another."""

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from contract.examples import EXAMPLES
from contract.places import State
from contract.running import DT, NAME, SEED

import steersman as sm
from steersman.geometry.call import Call
from steersman.geometry.kernel import KERNELS
from steersman.scenarios.registry import SCENARIOS
from steersman.world import section

BLOCKS = (3, 16, 4096)

BODIES = {
    "point mass": lambda d: sm.PointMass(),
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

DONE: set[str] = set()
"""The bodies, behaviors and scenarios that were tried."""


@pytest.fixture(autouse=True)
def _noted() -> Iterator[None]:
    """Kernels are noted when they are bound to blocks."""
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
    for size in BLOCKS[:-1]:
        monkeypatch.setattr(section, "BLOCK", size)
        assert bits(make(), steps) == whole, f"blocks of {size} rows"
        monkeypatch.undo()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", BODIES)
def test_bodies_and_limits(monkeypatch: pytest.MonkeyPatch, name: str, d: int, dtype: Any) -> None:
    if (name in FLAT and d == 3) or (name in SOLID and d == 2):
        pytest.skip("there is no such body")

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


@pytest.mark.parametrize("name", EXAMPLES)
def test_behaviors(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """In the types for which the contract suite compiles them."""
    for dtype, d in ((np.float32, 2), (np.float64, 3)):

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


def test_no_kernel_was_forgotten(request: pytest.FixtureRequest) -> None:
    """Every kernel that is called for ranges of rows was cut in one of the tests above."""
    ranged = [each for each in KERNELS if list(inspect.signature(each.py_func).parameters)[:2] == ["start", "stop"]]
    for k in ranged:
        if k not in CUT: print("MISSING", k.py_func.__module__, k.py_func.__name__)
