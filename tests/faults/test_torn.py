"""Coming and going that is interrupted: it happens whole or not at all, and the world goes on to the same bits."""

import copy
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from interruptions import Interrupted, Interruption

import steersman as sm
from steersman.core.vehicles.turns import CHANGING, TURNS, each_of
from steersman.core.world.state_hash import state_hash

MOST = 100_000
"""More moments than any call has."""

STRIDE = 199
"""Of the moments of a step, one in so many is tried."""


@pytest.fixture(autouse=True)
def locks_are_let_go() -> Iterator[None]:
    yield
    locks = [CHANGING.lock, *(turn.lock for turn in each_of(TURNS))]
    assert not [lock for lock in locks if lock._is_owned()], "other threads would wait for ever"


def herd(n: int = 40, d: int = 2) -> sm.Vehicles:
    rng = np.random.default_rng(5)
    return sm.Vehicles(rng.uniform(0, 9, (n, d)), rng.uniform(-1, 1, (n, d)), mass=np.arange(1, n + 1), max_speed=2)


def seen(vehicles: sm.Vehicles) -> tuple[Any, ...]:
    """All that vehicles show."""
    state = vehicles.__getstate__()
    columns = [
        np.array(getattr(vehicles, name)).tobytes()
        for name in ("position", "velocity", "forward", "mass", "id", "births")
    ]
    return (
        len(vehicles), vehicles.count.tolist(), vehicles.id.tolist(), vehicles.births.tolist(), vehicles.next_id,
        vehicles.block.shape, vehicles.block.tobytes(), vehicles.usual("mass"), state["born"], *columns,
    )  # fmt: skip


def remove(vehicles: sm.Vehicles) -> None:
    vehicles.remove([0, 7, 8, 21, 39])


def remove_by_mask(vehicles: sm.Vehicles) -> None:
    vehicles.remove(vehicles.mass % 3 == 0)


def spawn_within(vehicles: sm.Vehicles) -> None:
    vehicles.spawn([[1, 2], [3, 4]], mass=7)


def spawn_beyond(vehicles: sm.Vehicles) -> None:
    vehicles.spawn(np.ones((70, 2)), velocity=[1, 0], heading=np.linspace(0, 1, 70))


OTHERS = herd(25).__getstate__()


def replace(vehicles: sm.Vehicles) -> None:
    vehicles.replace(OTHERS)


@pytest.mark.parametrize("lines", [True, False], ids=["lines", "signals"])
@pytest.mark.parametrize(
    "change", [remove, remove_by_mask, spawn_within, spawn_beyond, replace], ids=lambda change: change.__name__
)
def test_vehicles_are_as_before_or_as_after(change: Callable[[sm.Vehicles], None], lines: bool) -> None:
    def made() -> sm.Vehicles:
        vehicles = herd(35)
        vehicles.spawn(np.ones((5, 2)))  # There is room for more.
        return vehicles

    vehicles = made()
    before = seen(vehicles)
    change(vehicles)
    after, found = seen(vehicles), []
    vehicles.spawn([5, 5])
    vehicles.remove(vehicles.id[0])
    later = seen(vehicles)
    for moment in range(MOST):
        vehicles = made()
        if not Interruption(moment, lines=lines).during(lambda vehicles=vehicles: change(vehicles)):
            break
        found.append(seen(vehicles))
        assert found[-1] in (before, after), f"torn at moment {moment}"
        if found[-1] == before:
            change(vehicles)
        vehicles.spawn([5, 5])
        vehicles.remove(vehicles.id[0])
        assert seen(vehicles) == later, f"moment {moment}"
    assert before in found
    assert len(found) > 10


def world_with_flows() -> sm.World:
    world = sm.World(seed=2, dt=0.1, threads=1, domain=sm.Torus([30, 30]))
    modes = sm.Modes(
        {"go": sm.Wander(), "stay": sm.Separation(radius=2)}, start="go", transitions=[("go", "stay", sm.After(0.3))]
    )
    flows = [
        sm.Spawner(60.0, sm.Sphere([9, 9], 8), arrivals="poisson", clearance=None),
        sm.Sink(older_than=0.5, name="old"),
        sm.Sink(sm.Sphere([15, 15], 2)),
    ]
    world.add(herd(30), name="herd", steering=modes, flows=flows)
    world.add(herd(5), name="others", steering=sm.Pursue(world["herd"]), flows=[sm.Spawner(8.0, [[1, 1]])])
    return world


def test_a_world_with_flows_goes_on_to_the_same_bits() -> None:
    """Interrupted wherever a signal can be heard in a step in which vehicles come and go."""
    world, other = world_with_flows(), world_with_flows()
    for each in (world, other):
        each.run(steps=12)
    interrupted, hashes = 0, set()
    for moment in range(0, MOST, STRIDE):
        steps = world.steps
        if not Interruption(moment + world.steps % STRIDE).during(world.step):
            break
        interrupted += 1
        if world.steps == steps:
            world.step()
        world.step()  # It makes up for what was left undone.
        other.step()
        other.step()
        assert world.steps == other.steps
        assert state_hash(world) == state_hash(other), f"torn at moment {moment}"
        hashes.add(state_hash(world))
    assert interrupted == len(hashes) > 5
    assert world.populations["herd"].passed("old") > 0


def test_a_flow_that_raises_leaves_nothing_half_done() -> None:
    trouble: list[bool] = []

    def place(count: int, rng: np.random.Generator) -> Any:
        if trouble:
            raise RuntimeError("no place")
        return rng.uniform(0, 30, (count, 2))

    def made() -> sm.World:
        world = sm.World(seed=2, dt=0.1, threads=1)
        flows = [
            sm.Sink(older_than=0.5),
            sm.Spawner(60.0, place, clearance=None),
            sm.Spawner(30.0, [[2, 2]], clearance=None),
        ]
        world.add(herd(30), name="herd", steering=sm.Wander(), flows=flows)
        return world

    world, other = made(), made()
    for each in (world, other):
        each.run(steps=7)
    trouble.append(True)
    before, passed = len(world["herd"]), world.populations["herd"].passed("Sink 1")
    with pytest.raises(RuntimeError, match="no place"):
        world.step()
    assert (world.steps, len(world["herd"])) == (8, before)
    assert world.populations["herd"].passed("Sink 1") == passed
    again = copy.deepcopy(world)
    trouble.clear()
    for each in (world, again):
        each.run(steps=5)
    other.run(steps=6)
    assert state_hash(world) == state_hash(other) == state_hash(again)


class TroubleError(Exception):
    """The first of two exceptions; the second is heard while this one is answered."""

    def __init__(self, second: Interruption) -> None:
        sys.settrace(second.trace)  # What is called from now on is traced: all that answers.


def answered(world: sm.World, steer: Callable[[sm.World], object] = sm.World.step) -> None:
    """Make a step, or something like it, that is interrupted, and interrupted again while that is answered."""
    older = sys.gettrace()
    try:
        steer(world)
    except (TroubleError, Interrupted):
        return
    finally:
        sys.settrace(older)
    raise AssertionError("a step that should have been interrupted was made")


def test_an_interrupt_while_flows_are_taken_back() -> None:
    """In a storm of Ctrl-C, vehicles came twice for one step."""
    trouble: list[Interruption] = []

    def place(count: int, rng: np.random.Generator) -> Any:
        if trouble:
            raise TroubleError(trouble.pop())
        return rng.uniform(0, 30, (count, 2))

    def made() -> sm.World:
        world = sm.World(seed=2, dt=0.1, threads=1)
        flows = [sm.Sink(older_than=0.5), sm.Spawner(60.0, [[1, 1]], clearance=None), sm.Spawner(60.0, place)]
        world.add(herd(30), name="herd", steering=sm.Wander(), flows=flows)
        return world

    for moment in range(MOST):
        world, other = made(), made()
        for each in (world, other):
            each.run(steps=7)
        second = Interruption(moment, lines=True)
        trouble.append(second)
        answered(world)
        world.run(steps=2)
        other.run(steps=world.steps - other.steps)
        assert state_hash(world) == state_hash(other), f"torn at moment {moment}"
        if not second.raised:
            return


@dataclass(frozen=True, eq=False)
class Counting(sm.Behavior):
    """Counts how often it was asked."""

    def init(self, vehicles: sm.Vehicles) -> Any:
        return {"count": np.zeros(len(vehicles))}

    def steer(self, scene: Any, memory: Any, out: Any) -> None:
        memory["count"][:] += 1
        if TROUBLE:
            raise TroubleError(TROUBLE.pop())


TROUBLE: list[Interruption] = []


@pytest.mark.parametrize("steer", [sm.World.step, lambda world: world.explain("a"), lambda world: world.sketch("b")])
def test_an_interrupt_while_a_step_is_forgotten(steer: Callable[[sm.World], object]) -> None:
    heard = 0
    for moment in range(MOST):
        world = sm.World(seed=2, dt=0.1, threads=1)
        world.add(herd(5), name="a", steering=Counting(name="count"))
        world.add(herd(5), name="b", steering=sm.Wander() + Counting(name="count"))
        world.run(steps=2)
        TROUBLE[:] = [second := Interruption(moment)]
        answered(world, steer)
        world.run(steps=2)
        for name in ("a", "b"):
            assert (world.memory(name, "count")["count"] == world.steps).all(), f"torn at moment {moment}"
        if not second.raised:
            break
        heard += 1
    assert heard > 3


def test_a_snapshot_has_what_was_owed(tmp_path: Any) -> None:
    world, other = world_with_flows(), world_with_flows()
    world.populations["herd"].steering = other.populations["herd"].steering = sm.Wander()
    for each in (world, other):
        each.run(steps=4)
    tally = world.populations["herd"].flowing

    def interrupted(*_: Any) -> int:
        raise KeyboardInterrupt

    sink = tally.tallies["old"].flow
    object.__setattr__(sink, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        world.step()
    object.__delattr__(sink, "run")
    world.save(tmp_path / "owed.steersman")
    again = sm.World.load(tmp_path / "owed.steersman", threads=1)
    other.step()
    assert len(again["herd"]) == len(other["herd"]) != len(herd(30))
    for each in (world, other, again):
        each.step()
    assert state_hash(world) == state_hash(other) == state_hash(again)


def test_a_controller_goes_on_to_the_same_bits() -> None:
    def made() -> sm.Controller:
        flows = [sm.Spawner(30.0, [[2, 2], [4, 4]], clearance=None), sm.Sink(older_than=0.5)]
        return sm.Controller(herd(30), sm.Wander() + sm.Separation(radius=1), seed=3, threads=1, flows=flows)

    game, other = made(), made()
    for each in (game, other):
        for _ in range(9):
            each.steer(0.1)
    interrupted = 0
    for moment in range(0, MOST, STRIDE):
        steps = game.steps
        if not Interruption(moment + game.steps % STRIDE).during(lambda: game.steer(0.1)):
            break
        interrupted += 1
        for _ in range(2 if game.steps == steps else 1):
            forces = game.steer(0.1)
        other.steer(0.1)
        expected = other.steer(0.1)
        assert game.steps == other.steps
        np.testing.assert_array_equal(forces, expected)
        assert seen(game.vehicles) == seen(other.vehicles)
    assert interrupted > 3
