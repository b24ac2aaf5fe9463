"""Hide: the spot behind the obstacle, and when to go there."""

import math
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.pursuit.hide import Balls, is_free

ROCK = sm.Spheres([[10.0, 0.0]], 2.0)


def scene(place: list[float], heading: list[float], watcher: list[float]) -> tuple[sm.Vehicles, sm.Vehicles]:
    """Who hides, and a pursuer at the origin that looks along `watcher`."""
    who = sm.Vehicles([place], forward=[heading], radius=0.5, max_speed=5.0, max_force=1e3)
    return who, sm.Vehicles([[0.0, 0.0]], forward=[watcher])


def hides(who: sm.Vehicles, pursuer: sm.Vehicles, rocks: sm.Spheres = ROCK, **options: Any) -> bool:
    return bool(sm.Controller(who, sm.Hide(pursuer, rocks, **options)).steer(0.1).any())


def test_spots_by_hand() -> None:
    """Behind a rock of 2 m at 10 m, 1.5 m of room: at 13.5 m. Diagonally: 5 m away along (3, 4) a rock of 1 m."""
    spots = sm.laws.hiding_spots([0.0, 0.0], [[10.0, 0.0], [3.0, 4.0]], [2.0, 1.0], 1.5)
    np.testing.assert_allclose(spots, [[13.5, 0.0], [4.5, 6.0]])


def test_the_nearest_spot_and_the_one_behind() -> None:
    """The pursuer looks along x, at the nearer rock; the farther one is behind it."""
    rocks = [[10.0, 0.0], [-20.0, 0.0]]
    args = ([5.0, 0.0], [0.0, 0.0], [1.0, 0.0], rocks, [2.0, 2.0], 1.0)
    assert sm.laws.hiding_spot(*args) == 0
    assert sm.laws.hiding_spot(*args, favor="behind") == 1
    beside = [[0.5, 0.0], [0.0, -20.0]]
    assert sm.laws.hiding_spot([5.0, 0.0], [0.0, 0.0], [1.0, 0.0], beside, [0.1, 2.0], 0.1, favor="behind") == 1


def test_a_spot_within_another_obstacle_is_none() -> None:
    assert sm.laws.hiding_spot([5.0, 0.0], [0.0, 0.0], [1.0, 0.0], [[10.0, 0.0], [13.0, 0.0]], [2.0, 2.0], 1.0) == 1
    who, pursuer = scene([5.0, 0.0], [1.0, 0.0], [1.0, 0.0])
    crowded = sm.Spheres([[10.0, 0.0], [13.0, 0.0]], 2.0)
    vehicle = sm.World(dt=1 / 60, threads=1)
    vehicle.add(pursuer, name="pursuer", steering=None)
    vehicle.add(who, name="who", steering=sm.Hide(pursuer, crowded, margin=0.5))
    vehicle.run(seconds=10)
    np.testing.assert_allclose(who.position, [[16.0, 0.0]], atol=0.01)


@pytest.mark.parametrize(("spot", "free"), [(9.0, False), (7.0, True), (-9.0, False), (-3.0, True), (15.0, False)])
def test_a_spot_across_the_seam_is_within_another_obstacle(spot: float, free: bool) -> None:
    """Rocks at 0 and at -8 = 12 m on a torus of 20 m: the second reaches from 8 to 16 m, and from -12 to -4 m."""
    centers, radii = np.array([[0.0, -8.0], [0.0, 0.0]]), np.array([4.0, 4.0])
    wrap = sm.Torus([20.0, 20.0]).wrap(2, np.float64)
    assert is_free((spot, 0.0), 0, Balls(tuple(centers), radii), wrap) == free


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]])
def test_of_several_spots_behind_the_pursuer_the_nearest_is_taken(order: list[int]) -> None:
    """In any order, beside a nearer one ahead of it."""
    rocks = np.array([[8.0, 0.0], [-6.0, 0.0], [-20.0, 3.0]])[order]
    who, pursuer = scene([1.0, 0.0], [1.0, 0.0], [1.0, 0.0])
    force = sm.Controller(who, sm.Hide(pursuer, sm.Spheres(rocks, 2.0), favor="behind", margin=0.5)).steer(0.1)[0]
    assert force[0] < 0
    assert force[1] == pytest.approx(0, abs=1e-9)


def test_it_ends_out_of_sight_wherever_it_starts() -> None:
    rng = np.random.default_rng(3)
    rocks = sm.Spheres([[15.0, 5.0], [-12.0, 9.0], [3.0, -18.0]], [3.0, 2.0, 4.0])
    who = sm.Vehicles(rng.uniform(-30, 30, (20, 2)), max_speed=6.0, max_force=30.0, radius=0.5)
    pursuer = sm.Vehicles([[0.0, 0.0]])
    world = sm.World(dt=1 / 60, threads=1)
    world.add(pursuer, name="pursuer", steering=None)
    world.add(who, name="who", steering=sm.Priority([sm.Hide(pursuer, rocks)]))
    world.run(seconds=15)
    away = np.linalg.norm(who.position, axis=1)
    hit = rocks.cast(np.zeros((20, 2)), who.position).distance
    assert (np.asarray(hit) < away).all()


def test_without_an_obstacle_it_evades() -> None:
    who, pursuer = scene([5.0, 0.0], [1.0, 0.0], [1.0, 0.0])
    force = sm.Controller(who, sm.Hide(pursuer, sm.Spheres(np.empty((0, 2)), 1.0))).steer(0.1)
    assert force[0, 0] > 0
    assert force[0, 1] == 0


def test_only_if_seen() -> None:
    """Field of view 270 degrees: a pursuer straight behind is not seen, nor is one with a rock before it."""
    assert hides(*scene([5.0, 0.0], [-1.0, 0.0], [1.0, 0.0]), only_if="seen")
    assert not hides(*scene([5.0, 0.0], [1.0, 0.0], [1.0, 0.0]), only_if="seen")
    assert not hides(*scene([15.0, 0.0], [-1.0, 0.0], [1.0, 0.0]), only_if="seen")
    assert hides(*scene([15.0, 0.0], [-1.0, 0.0], [1.0, 0.0]))


def test_only_if_mutually_seen() -> None:
    assert hides(*scene([5.0, 0.0], [-1.0, 0.0], [1.0, 0.0]), only_if="mutually_seen")
    assert not hides(*scene([5.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]), only_if="mutually_seen")
    assert hides(*scene([5.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]), only_if="mutually_seen", angle=2 * math.pi)


@pytest.mark.parametrize("dt", [0.1, 0.05])
def test_memory_lasts_as_long_as_it_says(dt: float) -> None:
    """The pursuer is seen in the first step, and then turned away from; one second later it is forgotten."""
    who, pursuer = scene([5.0, 0.0], [-1.0, 0.0], [1.0, 0.0])
    controller = sm.Controller(who, sm.Hide(pursuer, ROCK, only_if="seen", memory=1.0))
    assert controller.steer(dt).any()
    who.forward = [[1.0, 0.0]]
    hiding = [bool(controller.steer(dt).any()) for _ in range(round(2 / dt))]
    assert sum(hiding) * dt == pytest.approx(1.0, abs=1.01 * dt)
    assert not hiding[-1]


def test_panic_distance_and_the_torus() -> None:
    who, pursuer = scene([95.0, 0.0], [-1.0, 0.0], [1.0, 0.0])
    steering = sm.Hide(pursuer, ROCK, panic_distance=10.0)
    assert not sm.Controller(who, steering).steer(0.1).any()
    force = sm.Controller(who, steering, domain=sm.Torus([100, 100])).steer(0.1)
    assert force[0, 0] > 0, "the rock is 15 m ahead, across the edge"


@pytest.mark.parametrize(
    ("name", "value"), [("only_if", "never"), ("memory", -1.0), ("favor", "best"), ("margin", -1.0)]
)
def test_nonsense_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{name} must be"):
        sm.Hide(sm.Vehicles([[0.0, 0.0]]), ROCK, **{name: value})


@pytest.mark.parametrize("tree", ["sum", "Separation", "ORCA"])
def test_a_crowd_rests_in_its_hiding_place(tree: str) -> None:
    """All hide behind the same rock, and stand there behind each other; they swarmed around the place before."""
    rock = sm.Spheres([[0.0, 0.0]], 3.0)
    places = np.random.default_rng(1).uniform([-12, 5], [12, 14], (40, 2))
    apart = np.linalg.norm(places[:, None] - places, axis=2) + 9 * np.eye(40)
    places = places[[k for k in range(40) if apart[k, :k].min(initial=9) > 1.3]][:8]
    hidden = sm.Vehicles(places, max_speed=5.0, max_force=12.0)
    hunter = sm.Vehicles([[0.0, -12.0]])
    hide = sm.Hide(hunter, rock)
    trees = {
        "sum": lambda: sm.AvoidNeighbors() + hide,
        "Separation": lambda: sm.Separation(radius=2.0) + hide,
        "ORCA": lambda: sm.ORCA(toward=hide),
    }
    world = sm.World(threads=1, dt=1 / 30)
    world.add(hunter)
    world.add(hidden, steering=sm.Priority([sm.AvoidObstacles(rock), trees[tree]()]))
    world.run(seconds=60)
    assert hidden.speed.max() < 0.01
    assert np.linalg.norm(hidden.position - [0, 4.5], axis=1).max() < 6
    assert np.median(np.linalg.norm(hidden.position - [0, 4.5], axis=1)) < 3
