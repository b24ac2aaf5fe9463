"""A split world has the bits of one process."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from scaling.links import ThreadLink, in_parts
from scaling.scenes import flock

import steersman as sm
from steersman.scaling import split_world as module
from steersman.scaling.link import Alone

STEPS, TIMES = 20, 3


def alone(make: Callable[[], sm.World]) -> list[str]:
    world, found = make(), []
    for _ in range(TIMES):
        world.run(steps=STEPS)
        found.append(sm.state_hash(world))
    return found


def split(make: Callable[[], sm.World], ranks: int, **options: Any) -> tuple[list[str], list[sm.SplitWorld]]:
    """The hashes in the first process, and all split worlds."""

    def work(link: ThreadLink) -> tuple[list[str], sm.SplitWorld]:
        world, found = sm.split_world(make(), link, **options), []
        for _ in range(TIMES):
            world.run(steps=STEPS)
            found.append(world.state_hash())
        return found, world

    each = in_parts(ranks, work)
    assert all(one[0] == each[0][0] for one in each)
    return each[0][0], [one[1] for one in each]


@pytest.mark.parametrize("torus", [True, False])
def test_a_flock_with_obstacles_a_leader_births_and_deaths_has_the_bits_of_one_process(torus: bool) -> None:
    def make() -> sm.World:
        return flock(torus=torus)

    expected = alone(make)
    for ranks, slices in ((1, False), (2, False), (4, True), (4, False)):
        found, worlds = split(make, ranks, slices=slices)
        assert found == expected, f"{ranks} processes, slices={slices}"
        assert len({*worlds[0]._blocks.low[:, 0]}) == (2 if ranks == 4 and not slices else ranks)
    n = sum(each.owned["flock"] for each in worlds)
    assert all(each.owned["flock"] < n for each in worlds)
    assert any(each.held["flock"] < n for each in worlds), "every process holds all: nothing was split"
    assert all(each.held["leader"] == 1 for each in worlds)


def test_a_halo_half_as_wide_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> sm.World:
        return flock(flows=False)

    expected = alone(make)
    assert split(make, 3, slices=True, skin=0.0)[0] == expected
    monkeypatch.setattr(module, "CELLS", module.CELLS / 2)
    assert split(make, 3, slices=True, skin=0.0)[0] != expected


def test_vehicles_that_rush_at_each_other_are_dealt_out_before_they_meet() -> None:
    """Both sides move, so what a process does not hold comes nearer by twice the way of one."""

    def make() -> sm.World:
        rng = np.random.default_rng(2)
        place = np.concatenate([rng.uniform([0, 0], [6, 8], (60, 2)), rng.uniform([8, 0], [40, 8], (40, 2))])
        velocity = np.where(place[:, :1] < 7, [20.0, 0.0], [-20.0, 0.0])
        world = sm.World(seed=1, dt=0.05, threads=1)
        world.add(sm.Vehicles([[20.0, 50.0]]), name="one that rests")
        world.add(sm.Vehicles(place, velocity, max_speed=20, max_force=5), steering=sm.Separation(radius=1.5))
        return world

    assert split(make, 2, slices=True, skin=1.0)[0] == alone(make)


def test_vehicles_are_dealt_out_only_every_few_steps() -> None:
    assert split(lambda: flock(flows=False), 1, threads=2)[1][0]._own.threads == 2
    dealt = [split(lambda: flock(flows=False), 2, **options)[1][0].dealt for options in ({}, {"skin": 4.0})]
    assert 1 <= dealt[1] < dealt[0] < STEPS * TIMES / 2  # Less often where more is held.


def test_a_scattered_flock_shares_cells_with_far_vehicles_and_is_exact() -> None:
    """One vehicle far away makes more cells than vehicles may have: cells far apart are one (see `grid.py`)."""

    def make() -> sm.World:
        world = flock(120, torus=False, flows=False)
        world["flock"].position[7] = 4000, 3000
        return world

    assert split(make, 2)[0] == alone(make)


@pytest.mark.parametrize("torus", [True, False])
def test_cells_are_laid_out_only_where_a_process_has_vehicles(torus: bool) -> None:
    """A long world in slices: the inner ones are far from both ends."""

    def make() -> sm.World:
        rng = np.random.default_rng(6)
        world = sm.World(domain=sm.Torus([400.0, 30.0]) if torus else None, seed=1, dt=0.05, threads=1)
        boids = sm.Vehicles(rng.uniform(0, (400, 30), (800, 2)), rng.normal(0, 2, (800, 2)), max_speed=6, max_force=20)
        world.add(boids, steering=sm.Separation(radius=3) + sm.Cohesion(radius=5) + sm.Alignment(radius=5))
        return world

    found, worlds = split(make, 4, slices=True)
    assert found == alone(make)
    numbers = []
    for each in worlds:
        (look,) = each._own._ready().plans[0].around.passes
        numbers.append(look.arrangements[0].grid.shape[0])
    assert max(numbers[1:3]) < 50 < max(numbers) if torus else max(numbers) < 50


def test_blocks_follow_the_vehicles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boids that all go to one side; blocks are made anew often."""

    def make() -> sm.World:
        rng = np.random.default_rng(4)
        world = sm.World(seed=1, dt=0.05, threads=1)
        boids = sm.Vehicles(rng.uniform(0, 60, (200, 2)), max_speed=20, max_force=60)
        world.add(boids, steering=sm.Seek([300.0, 0.0]) + sm.Separation(radius=3))
        return world

    monkeypatch.setattr(module, "BALANCE", 2)
    found, worlds = split(make, 4)
    assert found == alone(make)
    assert max(each.owned["vehicles"] for each in worlds) < 100


def test_blocks_are_even_by_a_sample_of_all_vehicles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vehicles stand in their order from left to right, so the first ones are all on one side."""
    monkeypatch.setattr(module, "SAMPLE", 20)

    def work(link: ThreadLink) -> int:
        world = sm.World(threads=1)
        world.add(sm.Vehicles(np.stack([np.linspace(0, 90, 200), np.zeros(200)], axis=1)), steering=sm.Wander())
        split = sm.split_world(world, link, slices=True)
        split.run(steps=1)
        return split.owned["vehicles"]

    assert max(in_parts(2, work)) < 120


@pytest.mark.parametrize("about", [{"side": "outside"}, {"side": "inside"}, {"older_than": 0.4}])
def test_those_that_leave_all_at_once_are_gone_in_every_process(about: dict[str, Any]) -> None:
    def make() -> sm.World:
        world = sm.World(seed=1, dt=0.05, threads=1)
        place = np.stack([np.zeros(8), np.arange(8.0)], axis=1)
        here = sm.Box([9.0, 30.0], [-8.0 if about.get("side") == "outside" else 1.0, -10.0])
        steering = sm.Seek([90.0, 0.0]) + sm.Separation(radius=2)
        world.add(
            sm.Vehicles(place, [3.0, 0.0], max_speed=3, max_force=9), steering=steering, flows=[sm.Sink(here, **about)]
        )
        return world

    found, worlds = split(make, 2)
    assert found == alone(make)
    assert sum(each.owned["vehicles"] for each in worlds) == 0


def test_memory_moves_with_vehicles() -> None:
    """Modes, conditions and smoothers remember; k nearest, in 3D and float64."""

    def make() -> sm.World:
        rng = np.random.default_rng(8)
        world = sm.World(domain=sm.Torus([50.0, 30.0, 30.0]), seed=2, dt=0.05, threads=1)
        vehicles = sm.Vehicles(
            rng.uniform(0, 30, (150, 3)), rng.normal(0, 2, (150, 3)), max_speed=8, max_force=30, dtype=np.float64
        )
        modes = sm.Modes(
            {"calm": sm.Wander() + sm.Cohesion(radius=5, k=4), "gone": sm.Wander(strength=2.0)},
            start="calm",
            transitions=[("calm", "gone", sm.Chance(0.5)), ("gone", "calm", sm.After(0.6))],
        )
        world.add(vehicles, steering=modes, locomotion=sm.PointMass(limits=[sm.HeadingSmoother(5)]))
        return world

    found, worlds = split(make, 3)
    assert found == alone(make)
    assert worlds[0].dealt > 2


def test_fright_spreads_from_process_to_process() -> None:
    """It spreads by the memory of neighbors, also of those that another process owns."""

    def make() -> sm.World:
        world = sm.World(seed=2, dt=0.05, threads=1)
        place = np.stack([np.arange(40.0), np.zeros(40)], axis=1)
        modes = sm.Modes(
            {"calm": sm.Seek([20.0, 90.0]), "scared": sm.Flee([0.0, 0.0])},
            start="calm",
            transitions=[("calm", "scared", sm.Startled(sm.Near([0.0, 0.0], 1.5), radius=3.0, k=4))],
        )
        world.add(sm.Vehicles(place, max_speed=1.0, max_force=5.0), steering=modes)
        return world

    assert split(make, 3)[0] == alone(make)


def test_a_snapshot_is_that_of_one_process_and_goes_on_in_any_number(tmp_path: Path) -> None:
    one = flock()
    one.run(steps=STEPS)
    one.save(tmp_path / "one")

    def begin(link: ThreadLink) -> None:
        world = sm.split_world(flock(), link)
        world.run(steps=STEPS)
        world.save(tmp_path / "two")

    in_parts(2, begin)
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    one.run(steps=STEPS)

    def go_on(link: ThreadLink) -> str:
        world = sm.split_world(sm.World.load(tmp_path / "two", threads=1), link)
        world.run(steps=STEPS)
        return world.state_hash()

    assert in_parts(3, go_on)[0] == sm.state_hash(one)


def test_the_first_process_observes_the_whole_world() -> None:
    def watched(world: sm.World) -> list[tuple[int, bytes]]:
        seen: list[tuple[int, bytes]] = []
        world.on_step(lambda each: seen.append((each.steps, each["flock"].position.tobytes())), sm.EverySteps(7))
        return seen

    one = flock()
    expected = watched(one)
    one.run(steps=STEPS)

    def work(link: ThreadLink) -> list[tuple[int, bytes]]:
        world = flock()
        seen = watched(world)
        sm.split_world(world, link).run(steps=STEPS)
        return seen

    first, second = in_parts(2, work)
    assert first == expected
    assert second == []


def test_a_world_may_begin_empty_or_have_populations_of_other_dimensions() -> None:
    def make() -> sm.World:
        rng = np.random.default_rng(2)
        world = sm.World(seed=2, dt=0.05, threads=1)
        boids = sm.Vehicles(np.zeros((0, 2)), max_speed=3, max_force=9)
        door = sm.Box([9.0, 9.0])
        flows = [sm.Spawner(4.0, door), sm.Spawner(1.0, door, arrivals="poisson")]  # In most steps nobody comes.
        world.add(boids, name="boids", steering=sm.Wander() + sm.Separation(radius=2), flows=flows)
        birds = sm.Vehicles(rng.uniform(0, 20, (20, 3)), max_speed=3, max_force=9)
        world.add(birds, name="birds", steering=sm.Wander() + sm.Cohesion(radius=4))
        return world

    assert split(make, 2)[0] == alone(make)


def test_a_recording_and_a_meter_are_those_of_one_process(tmp_path: Path) -> None:
    def recorded(world: sm.World, folder: Path) -> tuple[Any, sm.Recording]:
        meters = world.watch("flock", sm.metrics.mean_speed, every=0.2)
        return meters, world.record(folder, every=sm.EverySteps(4), format="csv")

    one = flock()
    meters, recording = recorded(one, tmp_path / "one")
    one.run(steps=STEPS)
    recording.close()
    expected = [list(each.values) for each in meters.values()]

    def work(link: ThreadLink) -> Any:
        world = flock()
        if link.rank:
            sm.split_world(world, link).run(steps=STEPS)
            return None
        meters, recording = recorded(world, tmp_path / "two")
        sm.split_world(world, link).run(steps=STEPS)
        recording.close()
        return [list(each.values) for each in meters.values()]

    assert in_parts(2, work)[0] == expected
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.csv"))
    assert files
    for file in files:
        assert (tmp_path / "two" / file).read_bytes() == (tmp_path / "one" / file).read_bytes()


def test_the_world_of_other_processes_is_not_needed() -> None:
    def work(link: ThreadLink) -> bool:
        return sm.split_world(flock(), link).gather() is None

    assert in_parts(2, work) == [False, True]


class Everyone(sm.Behavior):
    """A behavior that looks at all vehicles."""

    def compute(self, vehicles: Any, *_: Any, **__: Any) -> Any:
        return vehicles.position - vehicles.position.mean(axis=0)


def a_world(steering: Any = None, **about: Any) -> sm.World:
    world = sm.World(threads=1, **about)
    world.add(sm.Vehicles(np.zeros((3, 2)) + np.arange(3)[:, None]), steering=steering)
    return world


@pytest.mark.parametrize(("make", "named"), [
    (lambda: a_world(constraints=[sm.ZeroOverlap()]), "ZeroOverlap"),
    (lambda: a_world(lambda vehicles: vehicles.position), "all vehicles at once"),
    (lambda: a_world(sm.Pursue(sm.Vehicles([[0.0, 1.0]]))), "outside of the world"),
    (lambda: sm.World(), "worlds without vehicles"),
])  # fmt: skip
def test_what_cannot_be_split_is_refused_by_name(make: Callable[[], sm.World], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        in_parts(2, lambda link: sm.split_world(make(), link))


def test_bodies_of_length_are_refused() -> None:
    world = a_world()
    world["vehicles"].length = 3.0
    with pytest.raises(ValueError, match="bodies of length"):
        in_parts(1, lambda link: sm.split_world(world, link))


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="world must be a World"):
        in_parts(1, lambda link: sm.split_world("world", link))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="comm must be a communicator"):
        sm.split_world(a_world(), 3)
    with pytest.raises(TypeError, match="slices"):
        in_parts(1, lambda link: sm.split_world(a_world(), link, slices=3))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="skin"):
        in_parts(1, lambda link: sm.split_world(a_world(), link, skin=-1))


@pytest.mark.parametrize(
    ("deed", "inside"),
    [
        (lambda world: world.step(), "_make"),
        (lambda world: world.gather(), "_collect"),
        (lambda world: world.state_hash(), "_collect"),
        (lambda world: world.save("/nowhere/a snapshot"), None),
    ],
)
def test_whatever_goes_wrong_is_told_to_the_other_processes(
    deed: Callable[[sm.SplitWorld], Any], inside: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else they would wait for this one for ever."""
    told = []

    class Telling(Alone):
        def fail(self, error: BaseException) -> NoReturn:
            told.append(error)
            raise error

    def fails(*_: Any) -> NoReturn:
        raise OSError("no space left")

    world = sm.split_world(flock(), Telling())
    if inside is not None:
        monkeypatch.setattr(world, inside, fails)
    with pytest.raises(OSError) as raised:
        deed(world)
    assert told == [raised.value]


def test_an_error_in_one_process_ends_all() -> None:
    def work(link: ThreadLink) -> None:
        world = sm.split_world(flock(), link)
        world.run(steps=3)
        if link.rank == 1:
            world._parts["flock"].population.vehicles.position[world._parts["flock"].owned[0]] = np.nan
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            world.run(steps=50)

    with pytest.raises(sm.NonFiniteError):
        in_parts(2, work)


def test_populations_that_see_each_other_from_afar_have_one_grid() -> None:
    """Its cells begin where the first of all vehicles is, in every process: sums have the order of these cells."""

    def make() -> sm.World:
        rng = np.random.default_rng(4)
        world = sm.World(seed=2, dt=1 / 30, threads=1)
        near, far = (
            sm.Vehicles(rng.uniform(low, high, (150, 2)), rng.normal(0, 3, (150, 2)), max_speed=5, max_force=20)
            for low, high in ((0, 30), (-45.3, 17))
        )
        world.add(
            near, name="near", steering=sm.Cohesion(radius=6, of=[near, far]) + sm.Alignment(radius=6, of=[far, near])
        )
        world.add(
            far, name="far", steering=sm.Cohesion(radius=6, of=[far, near]) + 2 * sm.Separation(radius=3, of=[near])
        )
        return world

    expected = alone(make)
    for ranks in (1, 3):
        assert split(make, ranks)[0] == expected
