"""Neighbors that only gated parts need are looked at for the rows that ask these parts, and not at all if none does."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from stepping import ran

import steersman as sm
from steersman.core.kernels.kernel import ENTRY_POINTS
from steersman.core.neighborhood.neighbor_pass import to_columns
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.stages import Constraint
from steersman.core.steering.targets import target
from steersman.core.world.state_hash import state_hash

OTHERS = sm.Vehicles(np.random.default_rng(8).uniform(0, 60, (90, 2)))
CROWDED = sm.Near(OTHERS, 4)
FLOCK = sm.Separation(radius=3) + sm.Cohesion(radius=6, angle=5.0) + sm.Alignment(radius=6, angle=5.0)


DEFERRING = (sm.Dithered, sm.Modes, sm.Pipeline, sm.Priority, sm.RoundRobin, sm.Switch, sm.TruncatedSum)


def in_turns(vehicles: sm.Vehicles) -> Any:
    """Every fifth, and in turns: whose position is left of a line."""
    return (vehicles.id % 5 == 0) | (vehicles.position[:, 0] < 12)


def machine() -> sm.Behavior:
    flock = sm.Priority([sm.AvoidNeighbors(lookahead=1.0), FLOCK])
    inner = sm.Modes({"x": sm.Seek([9.0, 9.0]) + FLOCK, "y": sm.Cohesion(radius=6, angle=5.0)}, start="x",
                     transitions=[("x", "y", sm.After(0.1))])  # fmt: skip
    return sm.Modes(
        {"flock": flock, "more": sm.Seek([0.0, 0.0]) + inner, "rest": sm.Wander()},
        start="rest",
        transitions=[("rest", "flock", in_turns), ("flock", "more", sm.After(0.15)), ("more", "rest", sm.After(0.2))],
    )


def switched() -> sm.Behavior:
    return sm.Switch(FLOCK, on=in_turns) + sm.Switch(sm.Separation(radius=5), on=False) + 0.5 * sm.Wander()


def push(rows: Any) -> Any:
    """A force for some rows, by their ids."""
    return lambda vehicles: np.where(rows(vehicles.id)[:, None], 3.0, 0.0) * np.ones(2)


def even(id: Any) -> Any:
    return id % 2 == 0


def third(id: Any) -> Any:
    return id % 3 == 0


@dataclass(frozen=True, eq=False)
class Blocked(Constraint):
    """Every third has no way."""

    def violation(self, scene: Any, path: Any) -> Any:
        return np.where(third(scene.vehicles.id), 1.0, np.inf)

    def suggest(self, scene: Any, path: Any, goals: Any) -> Any:
        return goals


def now_and_then() -> Any:
    """A force for all vehicles in every other step."""
    calls: list[int] = []
    return lambda vehicles: calls.append(1) or np.full((len(vehicles), 2), 3.0 * (len(calls) % 2))


PARTED = {
    "priority": lambda part: sm.Priority([push(even), part, sm.Wander()]),
    "priority with blend": lambda part: sm.Priority([push(even), part], blend=0.1),
    "nested": lambda part: sm.Priority([push(even), sm.Priority([push(third), sm.Wander() + part])]),
    "below two gates": lambda part: sm.Priority(
        [now_and_then(), push(lambda id: id < 0), sm.Priority([push(third), part])]
    ),
    "below a sum": lambda part: sm.Wander() + 2 * sm.WeightedSum([sm.Priority([push(third), part])], each="limit"),
    "truncated": lambda part: sm.TruncatedSum([1000 * sm.WeightedSum([push(third)], each="raw"), part]),
    "dithered": lambda part: sm.Dithered([part, push(even)], probabilities=[0.4, 1.0]),
    "dithered below": lambda part: sm.Dithered([push(even), part], probabilities=[1.0, 0.5]),
    "round robin": lambda part: sm.RoundRobin([sm.Seek([0.0, 0.0]), part], period=2 / 60),
    "pipeline": lambda part: sm.Pipeline(sm.Toward([0.0, 0.0]), constraints=[Blocked()], rounds=1, fallback=part),
    "switch": lambda part: sm.Switch(part, on=lambda vehicles: third(vehicles.id)),
    "modes": lambda part: sm.Modes(
        {"a": sm.Wander(), "b": part}, start="a", transitions=[("a", "b", in_turns), ("b", "a", sm.After(0.1))]
    ),
}
"""Combinators that do not always ask a part."""


def everything() -> sm.Behavior:
    parts = [
        FLOCK, sm.AvoidNeighbors(radius=9) + sm.Separation(radius=5), sm.Alignment(radius=6, angle=5.0, k=3),
        sm.Priority([push(third), sm.AvoidNeighbors(radius=5), FLOCK]), sm.Separation(radius=2),
    ]  # fmt: skip
    made = [make(parts[k % len(parts)]) for k, make in enumerate(PARTED.values())]
    return sm.WeightedSum([*made, sm.Priority([push(even), *parts])], each="limit")


def asked_conditions() -> sm.Behavior:
    """Conditions that look at neighbors; those of a mode without anybody have nobody to look for."""
    return sm.Modes(
        {"rest": sm.Wander(), "flock": FLOCK, "never": sm.Wander()},
        start="rest",
        transitions=[
            ("rest", "flock", in_turns),
            ("flock", "rest", sm.After(0.1) & ~CROWDED),
            ("never", "rest", CROWDED | sm.Near([0.0, 0.0], 3)),
        ],
    )


def end_of(tree: sm.Behavior, n: int, threads: int, steps: int = 24) -> bytes:
    rng = np.random.default_rng(3)
    size = (n * 4.0) ** 0.5
    vehicles = sm.Vehicles(rng.uniform(0, size, (n, 2)), rng.normal(0, 3, (n, 2)), max_speed=6, max_force=20)
    vehicles.position[:9] = vehicles.position[9]
    ran(vehicles, tree, domain=sm.Torus([size, size]), dt=1 / 60, threads=threads, steps=steps)
    return vehicles.block.tobytes()


@pytest.mark.parametrize("make", [machine, switched, everything, asked_conditions])
def test_the_bits_are_those_of_looking_at_everybody_before(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = [end_of(make(), n, threads, steps) for n, threads, steps in ((500, 1, 24), (5000, 2, 8))]
    for kind in DEFERRING:
        monkeypatch.setattr(kind, "defers", Behavior.defers)
    assert ends == [end_of(make(), n, 1, steps) for n, steps in ((500, 24), (5000, 8))]


def end_of_a_flock_as_large_as_before() -> bytes:
    """Where a flock ends that shrinks and grows again, beside a population without neighbors that shrinks meanwhile."""
    rng = np.random.default_rng(4)
    flock = sm.Vehicles(rng.uniform(0, 40, (60, 2)), rng.normal(0, 2, (60, 2)), max_speed=4, max_force=9)
    others = sm.Vehicles(rng.uniform(0, 40, (6, 2)), max_speed=4)
    world = sm.World(domain=sm.Torus([40.0, 40.0]), dt=1 / 60, seed=2)
    world.add(flock, name="flock", steering=sm.Switch(FLOCK, on=lambda vehicles: even(vehicles.id)))
    world.add(others, name="others", steering=sm.Wander())
    world.run(steps=2)
    flock.remove([flock.id[3]])
    world.run(steps=2)
    flock.spawn([[1.0, 2.0]])
    others.remove([others.id[2]])
    world.run(steps=2)
    return flock.block.tobytes()


def test_a_search_cut_anew_fits_in_although_what_looks_before_is_reused(monkeypatch: pytest.MonkeyPatch) -> None:
    end = end_of_a_flock_as_large_as_before()
    monkeypatch.setattr(sm.Switch, "defers", Behavior.defers)
    assert end == end_of_a_flock_as_large_as_before()


def test_what_looks_later_is_compiled_with_everything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENTRY_POINTS, to_columns, {})
    vehicles = sm.Vehicles(np.random.default_rng(1).uniform(0, 9, (20, 2)), max_speed=2)
    nobody = [("rest", "flock", lambda _: np.zeros(20, bool))]
    ran(vehicles, sm.Modes({"rest": sm.Wander(), "flock": FLOCK}, start="rest", transitions=nobody), steps=1)
    assert len(ENTRY_POINTS[to_columns]) == 1


def test_a_controller_does_the_same() -> None:
    vehicles = sm.Vehicles([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], max_force=9)
    on = np.zeros(3, bool)
    controller = sm.Controller(vehicles, sm.Switch(sm.Separation(radius=3), on=on))
    assert not controller.steer(0.1).any()
    on[1] = True
    force = controller.steer(0.1).copy()
    assert force[1].any()
    assert not force[[0, 2]].any()
    np.testing.assert_array_equal(force[1], sm.Controller(vehicles, sm.Separation(radius=3)).steer(0.1)[1])


@dataclass(frozen=True, eq=False)
class Spy(Behavior):
    """Notes the rows that it is asked about."""

    seen: list[Any] = field(default_factory=list)
    fails: list[int] = field(default_factory=list)

    def steer(self, scene: Any, memory: Any, out: Any) -> None:
        self.seen.append(np.flatnonzero(out.active))
        if self.fails:
            self.fails.pop()
            raise RuntimeError("refused")


def crowd(tree: sm.Behavior, n: int = 60, threads: int = 1) -> tuple[sm.World, sm.Vehicles]:
    rng = np.random.default_rng(4)
    vehicles = sm.Vehicles(rng.uniform(0, 40, (n, 2)), rng.normal(0, 2, (n, 2)), max_speed=4, max_force=9)
    world = ran(vehicles, tree, domain=sm.Torus([40.0, 40.0]), dt=1 / 60, threads=threads, seed=2, steps=1)
    return world, vehicles


AVOID = sm.AvoidNeighbors(radius=8.0)


@pytest.mark.parametrize("name", PARTED)
@pytest.mark.parametrize("n", [60, 300])
def test_the_rows_searched_are_those_that_ask(name: str, n: int) -> None:
    spy = Spy()
    world, vehicles = crowd(PARTED[name](AVOID + spy), n)
    some = 0
    for turn in range(12):
        around = world._plan.plans[0].around
        (request,) = AVOID.needs()
        (look,) = around.deferred.values()
        listing, grid = around.lists[request], look._search.arrangement.grid
        listing.number[:], grid.axes[:], spy.seen[:] = -7, np.nan, []
        world.step()
        rows = spy.seen[0] if spy.seen else np.zeros(0, int)
        np.testing.assert_array_equal(np.flatnonzero(listing.number[: len(vehicles)] != -7), rows)
        assert np.isnan(grid.axes).all() == (len(rows) == 0)
        some += 0 < len(rows) < len(vehicles) or name in ("round robin", "below two gates")
        if turn % 3 == 2:  # What fits in with those who come and go does so here, too.
            vehicles.remove(vehicles.id[[0, 5]])
            vehicles.spawn([[float(turn), 1.0], [3.0, 4.0]])
    assert some > 8


def test_a_part_that_is_always_asked_is_looked_for_before_steering() -> None:
    world, _ = crowd(sm.Priority([AVOID, sm.Seek([1.0, 1.0])]) + sm.Dithered([FLOCK], probabilities=[1.0]))
    assert not world._plan.plans[0].around.deferred


def test_what_several_parts_share_is_searched_for_all_of_their_rows_and_once() -> None:
    spies = Spy(), Spy()
    parts = [sm.Priority([push(rows), AVOID + spy]) for rows, spy in zip((even, third), spies, strict=True)]
    world, _ = crowd(sm.WeightedSum(parts))
    around = world._plan.plans[0].around
    (listing,), (look,) = around.lists.values(), around.deferred.values()
    listing.number[:] = -7
    world.step()
    asked = np.union1d(spies[0].seen[-1], spies[1].seen[-1])
    np.testing.assert_array_equal(np.flatnonzero(listing.number != -7), asked)
    np.testing.assert_array_equal(np.flatnonzero(look._searched), asked)
    assert not look._requested.any()
    assert not look._some.any()


def test_sums_that_somebody_always_needs_share_their_loop_with_those_of_gated_parts() -> None:
    world, _ = crowd(sm.Separation(radius=3) + sm.Priority([push(even), sm.Cohesion(radius=4) + AVOID]))
    around = world._plan.plans[0].around
    assert [*around.deferred] == [*AVOID.needs()]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_refused_step_leaves_no_row_behind_that_asks(threads: int) -> None:
    def tree(spy: Spy) -> sm.Behavior:
        return sm.Priority([push(even), sm.Switch(spy, on=in_turns) + AVOID, FLOCK])

    spy = Spy()
    (world, _), (other, _) = (crowd(tree(each), 5000, threads) for each in (spy, Spy()))
    spy.fails.append(1)
    with pytest.raises(RuntimeError, match="refused"):
        world.step()
    world.explain("vehicles", 7)
    for each in (world, other):
        each.run(steps=3)
    assert state_hash(world) == state_hash(other)


def test_the_nearest_of_many_is_searched_for_the_rows_that_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    prey = sm.Vehicles(np.random.default_rng(1).uniform(0, 40, (80, 2)))

    def tree() -> sm.Behavior:
        return sm.Priority([push(even), sm.Pursue(prey)]) + sm.Priority([push(lambda id: id >= 0), sm.Pursue(prey)])

    hashes = []
    for pairs in (target.PAIRS, 0):
        monkeypatch.setattr(target, "PAIRS", pairs)
        world, _ = crowd(tree())
        world.run(steps=5)
        hashes.append(state_hash(world))
    assert hashes[0] == hashes[1]
    some, none = world._plan.plans[0]._looks
    np.testing.assert_array_equal(np.flatnonzero(some._searched), np.arange(1, 60, 2))
    assert not none._searched.any()


def test_points_that_are_read_anew_are_read_when_somebody_asks() -> None:
    class Points:
        reads = 0
        broken = False

        @property
        def position(self) -> Any:
            self.reads += 1
            if self.broken:
                raise RuntimeError("these are lost")
            return np.array([[3.0, 3.0], [20.0, 20.0]])

    points, on = Points(), np.zeros(60, bool)
    world, _ = crowd(sm.Switch(sm.Separation(radius=5, of=points), on=on) + sm.Wander())
    points.reads = 0
    world.run(steps=3)
    assert points.reads == 0
    on[4] = True
    world.run(steps=3)
    assert points.reads == 3
    points.broken = True
    with pytest.raises(RuntimeError, match="these are lost"):
        world.step()
    on[4], points.reads = False, 0
    world.run(steps=3)
    assert points.reads == 0  # The row that asked in the step that was refused asks no more.
