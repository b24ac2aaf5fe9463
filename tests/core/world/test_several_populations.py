"""Several populations see each other: `of=` takes a list of them, or "all"."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from forgetting import forgotten_kernels, nothing_compiles

import steersman as sm

AREA = sm.Torus([14.0, 14.0])

HOME = sm.Seek([7.0, 7.0])

LAWS: dict[str, Callable[[Any], Any]] = {
    "separation": lambda of: sm.Separation(radius=3.0, of=of) + HOME,
    "separation inverse_square": lambda of: sm.Separation(radius=3.0, law="inverse_square", of=of) + HOME,
    "separation mean_site": lambda of: sm.Separation(radius=3.0, law="mean_site", of=of),
    "separation of the nearest": lambda of: sm.Separation(radius=5.0, k=3, of=of) + HOME,
    "separation of all": lambda of: sm.Separation(radius=np.inf, of=of),
    "alignment": lambda of: sm.Alignment(radius=3.0, of=of),
    "alignment of velocities ahead": lambda of: sm.Alignment(radius=4.0, law="velocity", angle=3.0, of=of),
    "cohesion": lambda of: sm.Cohesion(radius=4.0, of=of),
    "a flock": lambda of: (
        sm.Separation(radius=2.0, of=of) + sm.Alignment(radius=4.0, angle=4.0, of=of) + sm.Cohesion(radius=4.0, of=of)
    ),
    "a flock below a Priority": lambda of: sm.Priority(
        [sm.Separation(radius=1.5, of=of), sm.Alignment(radius=4.0, of=of) + sm.Cohesion(radius=6.0, k=5, of=of)]
    ),
    "AvoidNeighbors": lambda of: sm.AvoidNeighbors(of=of, radius=6.0) + HOME,
    "AvoidNeighbors imminent": lambda of: sm.AvoidNeighbors(of=of, law="imminent", radius=6.0) + HOME,
    "AvoidNeighbors and rest": lambda of: sm.Priority([sm.AvoidNeighbors(of=of), sm.Arrive([7.0, 7.0])]),
    "ContextMap": lambda of: sm.ContextMap([HOME], neighbors=True, of=of),
    "ORCA": lambda of: sm.ORCA(toward=HOME, of=of, uneven=0.0),
    "Queue": lambda of: sm.Queue([7.0, 7.0], of=of),
}
"""Steering trees about the neighbors that are given."""


def crowd(n: int, seed: int, dtype: Any = np.float64, side: float = 14.0, ids: Any = None) -> sm.Vehicles:
    rng = np.random.default_rng(seed)
    kept = {"radius": rng.uniform(0.1, 0.3, n), "max_speed": 1.5, "max_force": rng.uniform(3, 6, n)}
    position, velocity = rng.uniform(0, side, (n, 2)), rng.normal(0, 1, (n, 2))
    return sm.Vehicles(position, velocity, response_time=0.3, dtype=dtype, id=ids, **kept)


def part(vehicles: sm.Vehicles, first: int, last: int) -> sm.Vehicles:
    """Some of the vehicles as a population of their own."""
    every = copy.deepcopy(vehicles)
    every.remove((np.arange(len(every)) < first) | (np.arange(len(every)) >= last))
    return every


def run(
    steering: Any, populations: list[sm.Vehicles], steps: int = 25, threads: int = 1, body: Any = None, **about: Any
) -> Any:
    """The positions and velocities at the end, shape (n, 4), of all populations one after the other."""
    world = sm.World(dt=1 / 30, threads=threads, **about)
    for each in populations:
        world.add(each, steering=steering, locomotion=body)
    world.run(steps=steps)
    return np.concatenate([np.hstack([each.position, each.velocity]) for each in populations])


@pytest.mark.each_value
@pytest.mark.parametrize("domain", [None, AREA], ids=["open", "torus"])
@pytest.mark.parametrize("law", [law for law in LAWS if law != "AvoidNeighbors and rest"])  # they rest with their own
def test_split_populations_move_like_one_that_holds_all(law: str, domain: Any) -> None:
    whole = crowd(70, 3)
    one, two, three = part(whole, 0, 30), part(whole, 30, 31), part(whole, 31, 70)
    expected = run(LAWS[law](None), [whole], domain=domain)
    found = run(LAWS[law]("all"), [one, two, three], domain=domain)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("law", ["AvoidNeighbors", "ContextMap"])
def test_split_populations_of_cars_stop_behind_each_other_like_one(law: str) -> None:
    """Of joined populations the brakes were not looked at: cars drove on into those that stood."""
    whole = crowd(40, 3)
    expected = run(LAWS[law](None), [whole], 40, body=sm.Wheeled())
    whole = crowd(40, 3)
    found = run(LAWS[law]("all"), [part(whole, 0, 15), part(whole, 15, 40)], 40, body=sm.Wheeled())
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "law", ["separation", "ORCA", "ContextMap", "AvoidNeighbors and rest", "a flock below a Priority"]
)
@pytest.mark.parametrize("of", ["all", "itself"])
def test_all_populations_of_one_are_the_own_population(law: str, of: str) -> None:
    first, second = crowd(40, 5, np.float32), crowd(40, 5, np.float32)
    expected = run(LAWS[law](None), [first])
    assert np.array_equal(run(LAWS[law]("all" if of == "all" else [second]), [second]), expected)


def test_the_own_population_is_searched_once_by_whatever_name() -> None:
    world, vehicles = sm.World(), sm.Vehicles([[0, 0], [1, 0]])
    near, *same = (sm.Separation(radius=3.0, of=of) for of in (None, vehicles, [vehicles], "all"))
    world.add(vehicles, name="a", steering=sm.WeightedSum([near, *same, sm.Separation(radius=4.0)]))
    around = world._ready().plans[0].around
    assert [each.radius for each in around.merged] == [3.0, 4.0]
    assert len({*around.sums}) > 2


@pytest.mark.parametrize("law", LAWS)
def test_the_number_of_threads_does_not_matter(law: str) -> None:
    """Threads share out neither population evenly."""
    found = [
        run(
            LAWS[law]("all"), [crowd(4203, 1, np.float32, 150), crowd(303, 2, np.float32, 150)], 4, threads, domain=None
        )
        for threads in (1, 2, 4)
    ]
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_vehicles_come_and_go_in_any_population() -> None:
    """The same vehicles, in one population or in two, between steps and by the search of a Priority."""
    tree = LAWS["a flock below a Priority"]
    whole = crowd(60, 7)
    one, two = part(whole, 0, 25), part(whole, 25, 60)
    single, several = sm.World(dt=1 / 30), sm.World(dt=1 / 30)
    single.add(whole, steering=tree(None))
    for each in (one, two):
        several.add(each, steering=tree("all"))
    rng = np.random.default_rng(0)
    for k in range(24):
        single.step()
        several.step()
        if k % 3 == 0:  # The first vehicle of each population goes, and one comes to the second one.
            whole.remove(np.isin(np.arange(len(whole)), [0, len(one)]))
            one.remove(one.id[0])
            two.remove(two.id[0])
        if k % 4 == 0:
            place, numbers = rng.uniform(0, 14, 2), {"radius": 0.2, "max_force": 4.0}
            whole.spawn(place, **numbers)
            two.spawn(place, **numbers)
        found = np.concatenate([one.position, two.position])
        np.testing.assert_allclose(found, whole.position, rtol=0, atol=1e-12)
    assert len(one) == 17


def test_a_population_outgrows_its_room() -> None:
    one, two = crowd(10, 1), crowd(10, 2)
    world = sm.World(dt=1 / 30)
    for each in (one, two):
        world.add(each, steering=sm.ORCA(of="all") + sm.Separation(of=[two, one]))
    world.run(steps=2)
    two.spawn(np.random.default_rng(3).uniform(0, 14, (300, 2)), max_force=4.0)
    world.run(steps=2)
    fresh = sm.World(dt=1 / 30)
    again = [copy.deepcopy(each) for each in (one, two)]
    for each in again:
        fresh.add(each, steering=sm.ORCA(of="all") + sm.Separation(of=[again[1], again[0]]))
    fresh.time, fresh.steps = world.time, world.steps
    world.run(steps=2)
    fresh.run(steps=2)
    assert np.array_equal(again[0].position, one.position)
    assert np.array_equal(again[1].position, two.position)


def test_a_population_may_be_added_later() -> None:
    walker = sm.Vehicles([[0.0, 0.0]], [[1.0, 0.0]], max_force=5, radius=0.3)
    world = sm.World()
    world.add(walker, steering=sm.Separation(radius=4.0, of="all"))
    world.step()
    assert not world.explain("vehicles").force.any()
    world.add(sm.Vehicles([[1.0, 0.2]], radius=0.3))
    assert world.explain("vehicles").force.any()


def test_a_warmup_compiles_all_that_steps_need() -> None:
    moment = {"position": [[0, 0], [2, 0]], "velocity": [[1, 0]] * 2, "radius": [0.2] * 2, "id": [0, 0]}
    world = sm.World(dt=1 / 30)
    world.add(sm.Replayed(sm.Tracks(times=[0, 2], frame=[0, 1], **moment)), name="recorded")
    for seed, name in enumerate(("east", "west")):
        tree = sm.Priority([sm.AvoidNeighbors(of="all"), sm.Cohesion(of="all")])
        world.add(crowd(20, seed, np.float32, side=5.0), name=name, steering=tree)
    with forgotten_kernels():
        sm.warmup(world, explain=True, progress=None)
        with nothing_compiles() as late:
            world.run(steps=20)
            world["east"].spawn([[1, 1]])
            world.run(steps=2)
            world.explain("east", 3)
            world.sketch("west", 3)
    assert not late


@pytest.mark.parametrize("law", ["ORCA", "separation of the nearest", "AvoidNeighbors and rest", "Queue"])
def test_populations_may_be_empty(law: str) -> None:
    one, two = (sm.Vehicles(np.zeros((0, 2)), radius=0.2, max_force=5) for _ in range(2))
    world = sm.World(dt=0.05)
    world.add(one, steering=LAWS[law]("all"), flows=[sm.Spawner(3.0, [[0, 0], [0, 5]])])
    world.add(two, steering=LAWS[law]("all"))
    world.run(steps=3)
    two.spawn([[3, 3]])
    world.run(steps=20)
    two.remove(0)
    one.remove(np.ones(len(one), bool))
    world.run(steps=20)
    assert len(two) == 0
    assert len(one) == 3
    assert np.isfinite(one.position).all()


@pytest.mark.parametrize("law", [law for law in LAWS if not law.startswith("separation of all")])
def test_explanations_and_sketches_tell_of_all_neighbors(law: str) -> None:
    one, two = crowd(12, 3, side=5.0), crowd(9, 4, side=5.0)
    world = sm.World(dt=1 / 30, domain=AREA)
    for each, name in ((one, "one"), (two, "two")):
        world.add(each, name=name, steering=LAWS[law]("all"))
    world.run(steps=3)
    before = one.position.copy()
    text = str(world.explain("two", 3))
    sketch = world.sketch("two", 3)
    assert text
    assert sketch
    assert np.array_equal(one.position, before)


def test_the_neighbors_of_a_sketch_are_of_all_populations() -> None:
    one = sm.Vehicles([[0.0, 0.0], [9.0, 9.0]], radius=0.5)
    two = sm.Vehicles([[1.0, 0.0], [0.0, 2.0]], radius=0.25)
    world = sm.World()
    for each, name in ((one, "one"), (two, "two")):
        world.add(each, name=name, steering=sm.Separation(radius=3.0, of="all"))

    def circled(name: str, id: int) -> list[list[float]]:
        shapes = [shape for sketch in world.sketch(name, id) for shape in sketch.shapes]
        return sorted(p for shape in shapes if type(shape).__name__ == "Circle" for p in shape.center.tolist())

    assert circled("one", 0) == [[0.0, 2.0], [1.0, 0.0]]
    assert circled("two", 1) == [[0.0, 0.0], [1.0, 0.0]]


def test_two_in_one_place_part_though_their_ids_are_equal() -> None:
    one, two = (sm.Vehicles([[1.0, 1.0]], radius=0.2, max_force=5) for _ in range(2))
    found = run(sm.Separation(radius=2.0, of="all"), [one, two], 10)
    assert np.linalg.norm(found[0, :2] - found[1, :2]) > 0.05
    np.testing.assert_allclose(found[0, :2] + found[1, :2], [2.0, 2.0], atol=1e-6)


@pytest.mark.parametrize("law", ["AvoidNeighbors", "ORCA", "ContextMap"])
def test_two_in_one_place_part_by_avoiding(law: str) -> None:
    one, two = (sm.Vehicles([[1.0, 1.0]], radius=0.2, max_force=5) for _ in range(2))
    far = sm.Vehicles([[90.0, 90.0]], radius=0.2, max_force=5)  # so that ids are shifted
    found = run(LAWS[law]("all"), [far, one, two], 30)
    assert np.linalg.norm(found[1, :2] - found[2, :2]) > 0.3


# ---------------------------------------------------------------------------------------------------- who gives way


SIDE = {
    "ORCA": lambda way, of: sm.ORCA(4.0, toward=way, of=of, bias=0.0, uneven=0.0),
    "AvoidNeighbors": lambda way, of: sm.Priority([sm.AvoidNeighbors(of=of), way], blend=0.2),
    "ContextMap": lambda way, of: sm.ContextMap([way], neighbors=True, of=of),
}


def meeting(law: str, yields: tuple[Any, Any], steered: tuple[bool, bool] = (True, True)) -> tuple[float, float, float]:
    """Two that meet nearly head on: how far each leaves its way, and the least distance [m]."""
    one = sm.Vehicles([[-6.0, 0.05]], [[1.3, 0.0]], radius=0.25, max_speed=1.5, max_force=8)
    two = sm.Vehicles([[6.0, -0.05]], [[-1.3, 0.0]], radius=0.25, max_speed=1.5, max_force=8)
    world = sm.World(dt=1 / 30)
    for each, speed, its, is_steered in ((one, 1.3, yields[0], steered[0]), (two, -1.3, yields[1], steered[1])):
        way = sm.MatchVelocity([speed, 0.0])
        world.add(each, steering=SIDE[law](way, "all") if is_steered else None, yields=its)
    aside, least = np.zeros(2), np.inf
    for _ in range(270):
        world.step()
        aside = np.maximum(aside, [abs(one.position[0, 1] - 0.05), abs(two.position[0, 1] + 0.05)])
        least = min(least, float(np.linalg.norm(one.position - two.position)))
    return float(aside[0]), float(aside[1]), least


@pytest.mark.parametrize("law", SIDE)
def test_two_populations_share_the_avoiding(law: str) -> None:
    first, second, least = meeting(law, (None, None))
    assert first == pytest.approx(second, rel=0.35)
    assert first > 0.1
    assert least > 0.49


@pytest.mark.parametrize("law", SIDE)
def test_one_that_does_not_yield_goes_straight_on(law: str) -> None:
    first, second, least = meeting(law, (1.0, 0.0))
    assert first > 0.3
    assert second < 1e-3
    assert least > 0.49


@pytest.mark.parametrize("law", SIDE)
def test_one_that_nothing_steers_is_avoided_alone(law: str) -> None:
    first, second, least = meeting(law, (None, None), steered=(True, False))
    assert first > 0.3
    assert second < 1e-3
    assert least > 0.49


@pytest.mark.parametrize("near", [0, 1])
@pytest.mark.parametrize("law", SIDE)
def test_each_neighbor_counts_with_the_share_of_its_own_population(law: str, near: int) -> None:
    """One of two populations that yield differently is near: it is avoided as if the other one were not looked at."""
    forces = []
    for alone in (False, True):
        walker = sm.Vehicles([[0.0, 0.0]], [[1.3, 0.0]], radius=0.25, max_speed=1.5, max_force=8, dtype=np.float64)
        others = [part(crowd(2, 1), k, k + 1) for k in range(2)]
        for k, each in enumerate(others):
            each.position, each.velocity = [[3.0 if k == near else 90.0, 0.1]], [[-1.3, 0.0]]
        world = sm.World(dt=1 / 30)
        of = others[near] if alone else others
        group = world.add(walker, steering=SIDE[law](sm.MatchVelocity([1.3, 0.0]), of), yields=1.0)
        for each, yields in zip(others, (0.3, 3.0), strict=True):
            world.add(each, steering=HOME, yields=yields)
        forces.append(world.explain(group).force)
    np.testing.assert_allclose(*forces, rtol=1e-6)
    assert abs(forces[0][0, 1]) > 0.1


@pytest.mark.parametrize("yields", [0.0, 3.0])
@pytest.mark.parametrize("law", SIDE)
def test_fellows_share_the_avoiding_however_much_they_yield_to_others(law: str, yields: float) -> None:
    forces = []
    for of in (None, "all"):
        two = part(crowd(2, 1), 0, 2)
        two.position, two.velocity = [[0.0, 0.0], [3.0, 0.1]], [[1.3, 0.0], [-1.3, 0.0]]
        world = sm.World(dt=1 / 30)
        group = world.add(two, steering=SIDE[law](sm.MatchVelocity([1.3, 0.0]), of), yields=yields)
        world.add(sm.Vehicles([[90.0, 90.0]], dtype=np.float64), steering=HOME)
        forces.append(world.explain(group).force)
    np.testing.assert_allclose(*forces, rtol=1e-6, atol=1e-9)
    assert abs(forces[0][0, 1]) > 0.1


def test_yields_may_change_while_running() -> None:
    one, two = crowd(20, 1), crowd(20, 2)
    world = sm.World(dt=1 / 30)
    populations = [world.add(each, steering=sm.ORCA(of="all")) for each in (one, two)]
    world.run(steps=2)
    half = world.explain(populations[0]).force.copy()
    populations[1].yields = 0.0
    whole = world.explain(populations[0]).force.copy()
    assert not np.array_equal(whole, half)
    populations[1].yields = None
    assert np.array_equal(world.explain(populations[0]).force, half)
    populations[1].steering = None
    assert np.array_equal(world.explain(populations[0]).force, whole)


@pytest.mark.parametrize("yields", [-1.0, np.nan, "much", True])
def test_yields_is_a_number_that_is_not_negative(yields: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="yields must be"):
        sm.World().add(crowd(2, 1), yields=yields)


# ------------------------------------------------------------------------------------------------ streams, players, runs


def stream(x: float, way: float, seed: int, n: int = 20) -> sm.Vehicles:
    places = sm.spawn.inside(n, sm.Box([8, 6], origin=[x, -3]), apart=0.6, rng=np.random.default_rng(seed))
    return sm.Vehicles(places, [way * 1.3, 0], radius=0.2, max_speed=1.3, max_force=8, response_time=0.3)


@pytest.mark.parametrize("law", SIDE)
def test_streams_of_two_populations_do_not_walk_through_each_other(law: str) -> None:
    deepest = {}
    for of in (None, "all"):
        east, west = stream(-14, 1, 2), stream(6, -1, 0)
        world = sm.World(dt=1 / 30)
        for each, way in ((east, 1.3), (west, -1.3)):
            population = world.add(each)
            population.steering = SIDE[law](sm.MatchVelocity([way, 0.0]), [each] if of is None else of)
        deepest[of] = 0.0
        for _ in range(540):
            world.step()
            apart = np.linalg.norm(east.position[:, None] - west.position, axis=2)
            deepest[of] = max(deepest[of], 0.4 - float(apart.min()))
        assert east.position[:, 0].mean() > 10
        assert west.position[:, 0].mean() < -10
    assert deepest[None] > 0.35
    assert deepest["all"] < 0.03


@pytest.mark.parametrize("law", SIDE)
def test_a_player_who_walks_through_a_crowd_is_avoided(law: str) -> None:
    places = sm.spawn.inside(20, sm.Box([12, 8], origin=[-6, -4]), apart=1.5, rng=np.random.default_rng(4))
    walkers = sm.Vehicles(places, radius=0.25, max_speed=1.6, max_force=10, response_time=0.2)
    player = sm.Vehicles([[-9.0, 0.0]], radius=0.3, max_speed=2.0)
    world = sm.World(dt=1 / 60)
    world.add(player, name="player")
    world.add(walkers, name="walkers", steering=SIDE[law](sm.MatchVelocity([-1.0, 0.0]), "all"))
    least = np.inf
    for _ in range(12 * 60):
        player.velocity[0] = [1.2, 0.2 * np.sin(world.time)]  # as a key or a stick would say
        world.step()
        least = min(least, float(np.linalg.norm(walkers.position - player.position, axis=1).min()))
    assert player.position[0, 0] > walkers.position[:, 0].max()
    assert least > 0.5


def test_a_replayed_run_is_avoided_at_any_time_step() -> None:
    time = np.arange(0, 12.01, 0.1)
    position = np.stack([-6 + time, 0.4 * np.sin(time)], axis=1)
    velocity = np.stack([np.ones_like(time), 0.4 * np.cos(time)], axis=1)
    tracks = sm.Tracks(
        times=time, frame=np.arange(len(time)), id=np.full(len(time), 5), position=position, velocity=velocity,
        radius=np.full(len(time), 0.3),
    )  # fmt: skip
    for dt in (1 / 20, 1 / 240):
        recorded = sm.Replayed(tracks)
        walker = sm.Vehicles([[6.0, 0.1]], [[-1.0, 0.0]], radius=0.3, max_speed=1.5, max_force=8)
        world = sm.World(dt=dt)
        ghost = world.add(recorded.vehicles(), name="recorded", flows=[recorded]).vehicles
        world.add(walker, name="walker", steering=sm.ORCA(4.0, toward=sm.MatchVelocity([-1.0, 0.0]), of="all"))
        least = np.inf
        for _ in range(round(11.5 / dt)):
            world.step()
            now = world.time
            np.testing.assert_allclose(ghost.position, [[-6 + now, 0.4 * np.sin(now)]], atol=1e-5)
            np.testing.assert_allclose(ghost.velocity, [[1.0, 0.4 * np.cos(now)]], atol=1e-3)
            least = min(least, float(np.linalg.norm(ghost.position - walker.position)))
        assert walker.position[0, 0] < -3
        assert least > 0.58


# ------------------------------------------------------------------------------------------------------------- warnings


def test_populations_that_ignore_each_other_are_warned_of() -> None:
    world = sm.World()
    world.add(crowd(3, 1), name="east", steering=sm.ORCA())
    world.add(crowd(3, 2), name="west", steering=sm.Seek([0, 0]))
    with pytest.warns(RuntimeWarning, match=r"ORCA of 'east' ignores the vehicles of 'west': .* give of=\"all\""):
        world.step()
    world.step()
    world.add(crowd(3, 3), name="players")
    with pytest.warns(RuntimeWarning, match="'west', 'players'") as told:
        world.step()
    assert {each.filename for each in told} == {__file__}


@pytest.mark.filterwarnings("error")
def test_there_is_no_warning_where_others_are_seen_or_left_out_on_purpose() -> None:
    east, west = crowd(3, 1), crowd(3, 2)
    for steering in (
        sm.ORCA(of="all"), sm.ORCA(of=[east, west]), sm.ORCA(of=[east]), sm.ORCA(of=east),
        sm.AvoidNeighbors() + sm.Evade(west), sm.Separation(), sm.ContextMap([sm.Seek([0, 0])]),
    ):  # fmt: skip
        world = sm.World()
        world.add(east, name="east", steering=steering)
        world.add(west, name="west")
        world.step()


# ------------------------------------------------------------------------------------------------------ errors, documents


def test_populations_of_another_dtype_are_refused() -> None:
    world = sm.World()
    world.add(crowd(3, 1, np.float32), name="single", steering=sm.ORCA(of="all"))
    world.add(crowd(3, 2, np.float64), name="double")
    with pytest.raises(ValueError, match="the same dtype: 'single' has float32, 'double' has float64"):
        world.step()


def test_populations_of_other_dimensions_are_refused() -> None:
    world = sm.World()
    world.add(crowd(3, 1, np.float32), name="flat", steering=sm.Separation(of="all"))
    world.add(sm.Vehicles([[0, 0, 0]]), name="birds")
    with pytest.raises(ValueError, match="the same dimensions: 'flat' has 2, 'birds' has 3"):
        world.step()


@pytest.mark.parametrize("behavior", [sm.ORCA, sm.Separation, sm.Alignment, sm.Queue])
@pytest.mark.parametrize(
    ("of", "message"), [("each", "of must be a population"), ([], "must"), ([crowd(2, 1)] * 2, "once")]
)
def test_wrong_populations_are_refused(behavior: Any, of: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        behavior(*([[0.0, 0.0]] if behavior is sm.Queue else []), of=of)


def test_documents_and_snapshots_hold_several_populations(tmp_path: Any) -> None:
    one, two, three = crowd(8, 1, np.float32), crowd(9, 2, np.float32), crowd(4, 3, np.float32)
    world = sm.World(dt=1 / 30)
    world.add(one, name="one", steering=sm.ORCA(of="all") + sm.Separation(of=[one, two]), yields=0.25)
    world.add(two, name="two", steering=sm.ContextMap([HOME], neighbors=True, of=[three]))
    world.add(
        three, name="three", steering=sm.Queue([0, 0], of="all") + sm.AvoidNeighbors(of=[one, two], law="imminent")
    )
    table = sm.to_document(world)
    first = table["populations"][0]
    assert first["yields"] == 0.25
    assert [part.get("of") for part in first["steering"]["parts"]] == ["all", ["one", "two"]]
    again = sm.from_document(table)
    world.run(steps=5)
    again.run(steps=5)
    world.save(tmp_path / "world.steersman")
    loaded = sm.World.load(tmp_path / "world.steersman")
    for each in (world, loaded):
        each.run(steps=5)
    again.run(steps=5)
    for name in ("one", "two", "three"):
        assert np.array_equal(again[name].position, world[name].position)
        assert np.array_equal(loaded[name].position, world[name].position)


def test_a_replayed_population_is_saved_with_its_tracks(tmp_path: Any) -> None:
    tracks = sm.Tracks(
        times=[0, 1, 2], frame=[0, 1, 1, 2], id=[0, 0, 3, 3], position=[[0, 0], [1, 0], [5, 5], [5, 6]],
        velocity=[[1, 0], [1, 0], [0, 1], [0, 1]], radius=[0.2, 0.2, 0.3, 0.3],
    )  # fmt: skip
    flow = sm.Replayed(tracks, start=0.5)
    world = sm.World(dt=0.1)
    world.add(flow.vehicles(), name="recorded", flows=[flow])
    world.run(steps=8)
    world.save(tmp_path / "world.steersman")
    others = [sm.World.load(tmp_path / "world.steersman"), sm.from_document(sm.to_document(world))]
    for each in (world, *others):
        each.run(steps=9)
        assert each["recorded"].id.tolist() == [0, 3]
        np.testing.assert_allclose(each["recorded"].position, [[1.2, 0], [5, 5.2]], atol=1e-6)
        each.run(steps=20)
        np.testing.assert_allclose(each["recorded"].position, [[5, 6]], atol=1e-6)
        assert not each["recorded"].velocity.any()
