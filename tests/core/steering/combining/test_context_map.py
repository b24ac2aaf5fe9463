"""ContextMap: exact where nothing is dangerous, around what is, and without a jerk in between."""

import math
from typing import Any

import numpy as np
import pytest
from core.steering.combining.crowd import Push, some, steer
from sampling import KEPT

import steersman as sm
from steersman import laws
from steersman.core.steering.combining.directions import directions_of


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("count", [8, 16, 31])
def test_one_wish_alone_is_granted_exactly(count: int, dimensions: int) -> None:
    """However few directions there are: between them the map of a single wish is interpolated without an error."""
    rng = np.random.default_rng(1)
    vehicles = sm.Vehicles(
        rng.uniform(0, 20, (40, dimensions)), rng.normal(0, 1, (40, dimensions)), max_speed=3.0, max_force=400.0,
        dtype=np.float64,
    )  # fmt: skip
    arrive = sm.Arrive(np.full(dimensions, 9.0), slowing_distance=6.0)
    alone = steer(vehicles, arrive)[0]
    np.testing.assert_allclose(steer(vehicles, sm.ContextMap([arrive], directions=count))[0], alone, atol=1e-9)


@pytest.mark.parametrize(("count", "dimensions"), [(8, 2), (9, 2), (32, 2), (16, 3), (48, 3), (128, 3)])
def test_directions_are_units_all_around_forward_first(count: int, dimensions: int) -> None:
    unit = directions_of(count, dimensions).unit
    assert unit.shape == (count, dimensions)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1)
    np.testing.assert_allclose(unit[0], np.eye(dimensions)[0], atol=1e-15)
    np.testing.assert_allclose(unit.mean(axis=0), 0, atol=0.05)
    apart = unit @ unit.T - 2 * np.eye(count)
    nearest = np.arccos(apart.max(axis=1))
    assert nearest.max() < 2 * nearest.min()


def runner(y: float = 0.0) -> sm.Vehicles:
    return sm.Vehicles([[0.0, y]], [[3.0, 0.0]], max_speed=3.0, max_force=20.0, radius=0.5, dtype=np.float64)


def places_of(vehicles: sm.Vehicles, steering: Any, seconds: float, dt: float = 1 / 60) -> Any:
    world = sm.World(threads=1)
    world.add(vehicles, steering=steering)
    places: list[Any] = []
    world.on_step(lambda world: places.append(vehicles.position.copy()))
    world.run(seconds=seconds, dt=dt)
    return np.array(places)


ROCK = sm.Spheres([[10.0, 0.0]], 2.0)


@pytest.mark.parametrize("y", [0.0, 0.4, -1.5])
def test_it_goes_around_a_rock_on_one_side_and_touches_nothing(y: float) -> None:
    places = places_of(runner(y), sm.ContextMap([sm.Seek([20.0, y])], obstacles=ROCK), 9.0)[:, 0]
    assert np.linalg.norm(places - [10, 0], axis=1).min() > 2.5
    assert np.linalg.norm(places - [20, y], axis=1).min() < 0.2, "it never got there"
    off = places[(places[:, 0] > 5) & (places[:, 0] < 15), 1]
    assert len(set(np.sign(off[np.abs(off) > 0.5]))) == 1, "it changed sides"


def test_without_the_rock_it_would_run_into_it() -> None:
    places = places_of(runner(0.4), sm.ContextMap([sm.Seek([20.0, 0.4])]), 7.0)[:, 0]
    assert np.linalg.norm(places - [10, 0], axis=1).min() < 1


def test_who_is_walled_in_touches_nothing() -> None:
    """A ring of rocks with gaps too narrow: it slows down inside, and waits there."""
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = sm.Spheres(np.stack([3 * np.cos(angles), 3 * np.sin(angles)], axis=1), 0.5)
    vehicles = sm.Vehicles([[0.0, 0.0]], max_speed=3.0, max_force=20.0, radius=0.4)
    places = places_of(vehicles, sm.ContextMap([sm.Seek([20.0, 0.0])], obstacles=ring), 10.0)[:, 0]
    apart = np.linalg.norm(places[:, None] - ring.center, axis=2).min()
    assert apart > 0.9
    assert np.linalg.norm(places, axis=1).max() < 2.2
    assert np.linalg.norm(vehicles.velocity) < 0.2 * 3


def test_a_danger_bends_the_way() -> None:
    """The goal is ahead, the pursuer ahead to the left: so it goes ahead to the right."""
    vehicles = sm.Vehicles([[0.0, 0.0]], heading=0.0, max_speed=3.0, max_force=99.0, dtype=np.float64)
    seek, flee = sm.Seek([10.0, 0.0]), sm.Flee([5.0, 1.0])
    force = steer(vehicles, sm.ContextMap([seek], danger=[flee]))[0, 0]
    assert force[0] > 0
    assert force[1] < -0.2 * force[0]


def test_wishes_that_cancel_in_a_sum_are_chosen_between() -> None:
    """Two goals in opposite directions: a sum stands still for ever, a map goes to the one worth more, and stays with it."""
    vehicles = sm.Vehicles([[0.0, 0.0]], heading=0.3, max_speed=2.0, max_force=9.0, dtype=np.float64)
    left, right = sm.Seek([-10.0, 0.0]), sm.Seek([10.0, 0.0])
    np.testing.assert_allclose(steer(vehicles, left + right)[0], 0, atol=1e-12)
    places = places_of(vehicles, sm.ContextMap([1.1 * left, right]), 4.0)[:, 0, 0]
    assert places[-1] < -7
    assert (np.diff(places) < 0).all()


def test_the_way_taken_is_kept_where_two_are_as_good() -> None:
    """Goals that are worth the same by turns: commitment keeps to one, without it the choice flips at every step."""
    flips = {}
    for commitment in (0.0, 0.2):
        vehicles = sm.Vehicles([[0.0, 0.0]], heading=0.0, max_speed=2.0, max_force=99.0, dtype=np.float64)
        world = sm.World(threads=1)

        def goal(sign: int, world: sm.World = world) -> Any:
            worth = 1.0 + 0.02 * sign * (-1) ** world.steps
            return lambda v: (np.array([[0.0, 2.0 * sign * worth]]) - v.velocity) * v.mass[:, None] / v.response_time

        def wish(sign: int, world: sm.World = world) -> Any:
            return lambda v: goal(sign, world)(v)

        vehicles.max_speed = 3.0
        world.add(vehicles, steering=sm.ContextMap([wish(1), wish(-1)], commitment=commitment, hysteresis=0.0))
        chosen = []
        for _ in range(20):
            chosen.append(np.sign(world.explain().raw[0, 1] + vehicles.velocity[0, 1] * 10))
            world.step(0.01)
        flips[commitment] = int((np.diff(chosen) != 0).sum())
    assert flips[0.0] >= 10
    assert flips[0.2] <= 1


RING = sm.Spheres(6 * np.stack([np.cos(np.arange(24) * np.pi / 12), np.sin(np.arange(24) * np.pi / 12)], axis=1), 1.0)


def turn_a_step(**options: float) -> Any:
    """Twenty vehicles whose goal lies in a closed ring of rocks: root mean square turns of a step [degrees], shape (20,)."""
    rng = np.random.default_rng(0)
    angle, far = rng.uniform(0, 2 * np.pi, 20), rng.uniform(12, 18, 20)
    start = far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    vehicles = sm.Vehicles(start, max_speed=4.0, max_force=16.0, radius=0.4)
    world = sm.World(dt=1 / 30)
    world.add(vehicles, steering=sm.ContextMap([sm.Seek([0.0, 0.0])], obstacles=RING, **options))
    world.run(seconds=10.0)
    headings = []
    for _ in range(300):
        world.step()
        headings.append(np.arctan2(vehicles.velocity[:, 1], vehicles.velocity[:, 0]))
    assert (RING.nearest(vehicles.position).distance > vehicles.radius).all()
    turns = (np.diff(np.unwrap(headings, axis=0), axis=0) + np.pi) % (2 * np.pi) - np.pi
    return np.degrees(np.sqrt(np.mean(turns**2, axis=0)))


def test_where_the_goal_is_walled_in_it_does_not_tremble() -> None:
    assert turn_a_step(hysteresis=0.0).mean() > 20
    assert turn_a_step().max() < 5  # Around the ring, 3 degrees a step.


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("better", [1.15, 1.5])
def test_a_better_way_is_taken_if_it_is_enough_better(better: float, d: int) -> None:
    """It goes to the left, by the law and by the kernel; then something to the right is worth more."""
    pull = {"left": 1.0, "right": 0.5}

    def go(side: str, sign: int) -> Any:
        def force(vehicles: sm.Vehicles) -> Any:
            wanted = np.zeros(d)
            wanted[1] = sign * pull[side]
            return 10 * (wanted - vehicles.velocity)

        return force

    vehicles = sm.Vehicles(np.zeros((1, d)), forward=np.eye(d)[0], max_speed=3.0, max_force=90.0, dtype=np.float64)
    tree = sm.ContextMap([go("left", 1), go("right", -1)], commitment=0.0)
    controller = sm.Controller(vehicles, tree)
    assert controller.steer(0.1)[0, 1] == pytest.approx(10.0)
    pull["right"] = better
    expected = 10.0 if better < 1.25 else -10.0 * better
    assert controller.steer(0.1)[0, 1] == pytest.approx(expected)
    units, left, right = directions_of(16 if d == 2 else 48, d).unit, np.eye(d)[-1], -np.eye(d)[-1]
    left, right = (left, right) if d == 3 else (-left, -right)
    interest = np.maximum(0.5 * (1 + units @ left), 0.5 * better * (1 + units @ right))
    found = laws.context_map(interest, interest * 0, units, left, hysteresis=0.25)
    assert float(found @ left) * 10 == pytest.approx(expected)


def test_the_force_turns_without_jerks_as_the_goal_goes_round() -> None:
    """Sixteen directions, and a goal that circles: the direction of the force follows within a hundredth."""
    vehicles = sm.Vehicles([[0.0, 0.0]], heading=0.2, max_speed=2.0, max_force=999.0, dtype=np.float64)
    rock = sm.Spheres([[50.0, 0.0]], 1.0)
    angles = np.linspace(0, 2 * np.pi, 400)
    steering = [sm.ContextMap([sm.Seek([9 * np.cos(a), 9 * np.sin(a)])], obstacles=rock) for a in angles]
    force = np.array([steer(vehicles, each)[0, 0] for each in steering[::8]])
    turn = np.unwrap(np.arctan2(force[:, 1], force[:, 0]))
    np.testing.assert_allclose(turn - turn[0], (angles - angles[0])[::8], atol=0.01)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_force_is_told_of_the_wish_that_wants_the_way_taken(order: tuple[int, int]) -> None:
    wishes = [2 * sm.Seek([9.0, 0.0]), sm.Seek([0.0, 9.0])]
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0.0]], max_speed=2, max_force=99), steering=sm.ContextMap([wishes[k] for k in order]))
    told = world.explain()
    granted = [part.contribution[0] for part in told.parts]
    assert told.force[0, 0] > 1
    np.testing.assert_array_equal(granted[order.index(0)], told.force[0])
    np.testing.assert_array_equal(granted[order.index(1)], 0)


def test_the_law_takes_the_safe_way_that_is_worth_most() -> None:
    units = directions_of(16, 2).unit
    interest = 2.0 * (1 + units @ [1.0, 0.0]) / 2
    np.testing.assert_allclose(laws.context_map(interest, np.zeros(16), units), [2, 0], atol=1e-12)
    blocked = (units @ [1.0, 0.0] > np.cos(0.5)).astype(float)
    way = laws.context_map(interest, blocked, units)
    assert 0.4 < abs(np.arctan2(way[1], way[0])) < 1.2
    np.testing.assert_array_equal(laws.context_map(interest, np.ones(16), units), 0)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="interest must be at least one behavior, got none"):
        sm.ContextMap([])
    with pytest.raises(ValueError, match="directions must be a whole number >= 8 and <= 128"):
        sm.ContextMap([Push(1, 0)], directions=4)
    with pytest.raises(TypeError, match="obstacles must be a set of obstacles"):
        sm.ContextMap([Push(1, 0)], obstacles="rocks")
    with pytest.raises(ValueError, match="obstacles must have 2 dimensions like the vehicles, got 3"):
        steer(some(), sm.ContextMap([Push(1, 0)], obstacles=sm.Spheres([[1.0, 2.0, 3.0]])))


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("danger", [False, True])
def test_a_wrong_number_is_not_covered_by_the_part_after_it(order, danger):
    """Two wishes in either order, one of them NaN: the step is refused, and the culprit named."""

    def broken(vehicles):
        return vehicles.velocity * np.nan

    parts = [broken, sm.Flee([3.0, 1.0]) if danger else sm.Seek([9.0, 4.0])][::order]
    steering = sm.ContextMap([sm.Seek([5.0, 5.0])], danger=parts) if danger else sm.ContextMap(parts)
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0.0], [1.0, 2.0]], [1.0, 0.0], max_force=9), steering=steering)
    with pytest.raises(sm.NonFiniteError, match=r"^broken made the force .* for vehicles 0, 1 of"):
        world.step()


def onward(vehicles):
    """A function that asks for full speed to the right: once that is reached it gives no force, and claims nobody."""
    return ([1.3, 0.0] - vehicles.velocity) / 0.1


@pytest.mark.parametrize("dt", [1 / 240, 1 / 30])
def test_who_is_content_with_its_motion_still_keeps_off_rocks(dt):
    rock = sm.Spheres([[0.0, 0.0]], 0.6)
    walker = sm.Vehicles([[-6.0, 0.0]], radius=0.3, max_speed=1.3, max_force=5.0, response_time=0.1)
    world = sm.World(dt=dt)
    world.add(walker, steering=sm.ContextMap([onward], obstacles=rock))
    nearest = np.inf
    for _ in range(round(10 / dt)):
        world.step()
        nearest = min(nearest, float(np.linalg.norm(walker.position[0])) - 0.9)
    assert nearest > 0.05
    assert walker.position[0, 0] > 4


def test_who_is_content_with_its_motion_still_evades():
    def apart(vehicles):
        return (vehicles.forward * 1.3 - vehicles.velocity) / 0.1

    ends = np.array([[-7.0, 0.0], [7.0, 0.0]])
    walkers = sm.Vehicles(ends, -1.3 * ends / 7, radius=0.3, max_speed=1.3, max_force=5.0, response_time=0.1)
    world = sm.World(dt=1 / 30)
    world.add(walkers, steering=sm.ContextMap([apart], danger=[sm.AvoidNeighbors()]))
    nearest = np.inf
    for _ in range(300):
        world.step()
        nearest = min(nearest, float(np.linalg.norm(walkers.position[0] - walkers.position[1])))
    assert nearest > 0.6


def test_without_interest_and_danger_nobody_is_claimed():
    walker = sm.Vehicles([[-6.0, 0.0]], [[1.3, 0.0]], max_speed=1.3, max_force=5.0, dtype=np.float64)
    far = sm.Spheres([[50.0, 0.0]], 1.0)
    found = sm.Controller(walker, sm.Priority([sm.ContextMap([onward], obstacles=far), sm.Seek([0.0, 9.0])])).steer(0.1)
    assert found[0, 1] > 0


def cars_that_cross(
    obstacles: sm.Obstacles | None, *, neighbors: bool, wheelbase: float | None
) -> tuple[sm.Vehicles, Any]:
    """Cars around a circle, in directions at random, that want to the other side; every half second their places."""
    angles = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    places = 11 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    heading = np.random.default_rng(4).uniform(-3, 3, len(places))
    cars = sm.Vehicles(places, heading=heading, max_speed=5.0, max_force=12.0, radius=0.5)
    world = sm.World(threads=1)
    tree = sm.ContextMap([sm.Arrive(-places)], obstacles=obstacles, neighbors=neighbors)
    world.add(cars, steering=tree, locomotion=sm.Wheeled(wheelbase=wheelbase))
    ways = []
    for _ in range(400):
        world.run(steps=3, dt=1 / 30)
        ways.append(cars.position.copy())
    assert (np.linalg.norm(cars.position + places, axis=1) < 1).sum() >= 12, "they do not get there"
    return cars, np.array(ways)


@pytest.mark.parametrize("wheelbase", [None, 1.0])
def test_a_car_stops_before_what_it_cannot_turn_away_from(wheelbase: float | None) -> None:
    """The best direction may lie behind a car: it drove on, to turn round, and up to 3 m into a rock."""
    rocks = sm.Spheres([[7.0, 3.0], [-6.0, 5.0], [0.0, -7.0], [0.0, 0.0]], [2.0, 2.5, 2.0, 1.5])
    _, ways = cars_that_cross(rocks, neighbors=False, wheelbase=wheelbase)
    assert rocks.nearest(ways.reshape(-1, 2)).distance.min() > 0.5 - 0.02


@pytest.mark.parametrize("wheelbase", [None, 1.0])
def test_a_car_stops_before_another_that_it_cannot_turn_away_from(wheelbase: float | None) -> None:
    cars, ways = cars_that_cross(None, neighbors=True, wheelbase=wheelbase)
    apart = np.linalg.norm(ways[:, :, None] - ways[:, None], axis=-1) + 9 * np.eye(len(cars))
    assert apart.min() > 2 * 0.5 - 0.1


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize(
    ("places", "barred"),
    [
        ([[12, 0.5], [18, 0], [-5, 0]], 0),
        ([[-5, 0], [18, 9], [14, 0]], 2),
        ([[-5, 0], [12, 9]], None),
        ([[60, 0]], None),
    ],
    ids=["the first", "the one in the way", "none in the way", "none in reach"],
)
def test_a_sketch_shows_what_bars_the_way_that_is_most_wanted(places, barred, dimensions) -> None:
    rocks = np.zeros((len(places), dimensions))
    rocks[:, :2] = places
    world = sm.World(dt=0.01)
    velocity, dtype = 5 * np.eye(dimensions)[:1], KEPT[dimensions]
    vehicles = sm.Vehicles(np.zeros((1, dimensions)), velocity, max_speed=10.0, radius=0.5, dtype=dtype)
    goal = 90 * np.eye(dimensions)[0]
    world.add(vehicles, steering=sm.ContextMap([sm.Seek(goal)], obstacles=sm.Spheres(rocks, 2)))
    world.step()
    shapes = [shape for sketch in world.sketch("vehicles", [0]) for shape in sketch.shapes]
    rings = [shape for shape in shapes if shape.role == "chosen" and isinstance(shape, sm.shapes.Circle)]
    assert [each.center.tolist() for each in rings] == ([] if barred is None else [[rocks[barred].tolist()]])
    assert all(each.radius == 2 for each in rings)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_sketch_shows_of_each_way_what_is_left_and_what_danger_takes_off(dimensions) -> None:
    world = sm.World(dt=0.01)
    velocity, dtype = 5 * np.eye(dimensions)[:1], KEPT[dimensions]
    vehicles = sm.Vehicles(np.zeros((1, dimensions)), velocity, max_speed=10.0, radius=0.5, dtype=dtype)
    goal, rock = (each * np.eye(dimensions)[0] for each in (90, 12))
    tree = sm.ContextMap([sm.Seek(goal)], obstacles=sm.Spheres(rock[None] + 0.3, 2))
    world.add(vehicles, steering=tree)
    world.step()
    lines = [
        each
        for sketch in world.sketch("vehicles", [0])
        for each in sketch.shapes
        if isinstance(each, sm.shapes.Line) and each.role in ("interest", "danger")
    ]
    taken = [each for each in lines if each.filled]
    good, bad = (each for each in lines if not each.filled)
    assert (good.role, bad.role) == ("interest", "danger")
    far = [np.linalg.norm(each.points - vehicles.position[0], axis=-1) for each in (good, bad)]
    start, end = far[1].min(axis=1), far[1].max(axis=1)
    assert len(bad) >= 1
    assert (far[0].min(axis=1) < 1e-6).all()
    assert (far[0].max(axis=1) <= 10 / 0.9).all()
    assert far[0].max() > start.min()  # A free way has more left than the one into the rock.
    assert end.max() == pytest.approx(10, rel=0.02)  # It is wanted most.
    if dimensions == 3:
        assert not taken
        return
    (way,) = taken
    along = way.points[0, 2:].mean(axis=0) - vehicles.position[0]
    (desired,) = [
        shape.value[0] for sketch in world.sketch("vehicles", [0]) for shape in sketch.shapes if shape.role == "desired"
    ]
    lengths = np.linalg.norm(along) * np.linalg.norm(desired)
    assert along @ desired > math.cos(math.pi / 16) * lengths  # The nearest of 16 directions.
    assert np.linalg.norm(along) == pytest.approx(
        np.linalg.norm(good.points[:, 2:].mean(axis=1), axis=1).max(), rel=0.05
    )
