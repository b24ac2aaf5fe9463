"""Pipeline: each stage by hand, the negotiation, and what happens where no way is found."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from core.steering.combining.crowd import Push, some, steer

import steersman as sm

ROCK = sm.Spheres([[10.0, 0.0]], 2.0)


def runner(y: float = 0.0) -> sm.Vehicles:
    return sm.Vehicles([[0.0, y]], [[3.0, 0.0]], max_speed=3.0, max_force=20.0, radius=0.5, dtype=np.float64)


def places_of(vehicles: sm.Vehicles, steering: Any, seconds: float, domain: Any = None) -> Any:
    world = sm.World(threads=1, domain=domain)
    world.add(vehicles, steering=steering)
    places: list[Any] = []
    world.on_step(lambda world: places.append(vehicles.position.copy()))
    world.run(seconds=seconds, dt=1 / 60)
    return np.array(places)


def test_a_target_alone_is_an_arrival() -> None:
    vehicles = some(max_force=3.0)
    np.testing.assert_allclose(
        steer(vehicles, sm.Pipeline(sm.Toward([1.0, 2.0]))), steer(vehicles, sm.Arrive([1.0, 2.0])), rtol=1e-9
    )
    seeking = sm.Pipeline(sm.Toward([1.0, 2.0]), actuator=sm.Straight("seek"))
    np.testing.assert_allclose(steer(vehicles, seeking), steer(vehicles, sm.Seek([1.0, 2.0])), rtol=1e-9)


@pytest.mark.parametrize("y", [0.0, 0.5, -2.0, 4.0])
def test_it_goes_around_a_rock_and_arrives(y: float) -> None:
    tree = sm.Pipeline(sm.Toward([20.0, 0.0]), constraints=sm.KeepClear(ROCK, margin=0.3))
    places = places_of(runner(y), tree, 14.0)[:, 0]
    assert np.linalg.norm(places - [10, 0], axis=1).min() > 2.5
    np.testing.assert_allclose(places[-1], [20, 0], atol=0.05)
    assert np.linalg.norm(places_of(runner(y), sm.Arrive([20.0, 0.0]), 14.0)[:, 0] - [10, 0], axis=1).min() < 2.4


def test_it_goes_around_the_chain_of_walls_that_is_in_the_way() -> None:
    """It is the second of three, each of several walls: as if it were the only one."""
    chain, aside = np.array([[8.0, -2.0], [10.0, 0.0], [8.0, 2.0]]), np.array([0.0, 30.0])
    one, among = (
        steer(runner(), sm.Pipeline(sm.Toward([20.0, 0.0]), constraints=sm.KeepClear(sm.Walls(chains))))[0]
        for chains in ([chain], [chain + aside, chain, chain - aside])
    )
    assert abs(one[0, 1]) > 1
    np.testing.assert_allclose(among, one)


def test_it_goes_around_on_a_torus_too() -> None:
    """The short way to the goal leads across the edge, where the rock is."""
    vehicles = sm.Vehicles([[36.0, 10.0]], max_speed=3.0, max_force=20.0, radius=0.5, dtype=np.float64)
    rock = sm.Spheres([[39.5, 10.0]], 1.0)
    tree = sm.Pipeline(sm.Toward([4.0, 10.0]), constraints=sm.KeepClear(rock))
    domain = sm.Torus([40.0, 40.0])
    places = places_of(vehicles, tree, 10.0, domain)[:, 0]
    assert np.linalg.norm(domain.difference(places, [39.5, 10.0]), axis=1).min() > 1.5
    np.testing.assert_allclose(places[-1], [4, 10], atol=0.05)
    assert places[:, 0].min() < 3, "it went the long way"


def test_along_a_path_it_stays_near_the_path() -> None:
    corner = sm.Path([[0, 0], [10, 0], [10, 10]])
    tree = sm.Pipeline(sm.Toward([10.0, 10.0]), decomposers=sm.AlongPath(corner, reach=2.0))
    places = places_of(runner(), tree, 15.0)[:, 0]
    assert corner.project(places).distance.max() < 1.2
    np.testing.assert_allclose(places[-1], [10, 10], atol=0.05)
    straight = places_of(runner(), sm.Pipeline(sm.Toward([10.0, 10.0])), 15.0)[:, 0]
    assert corner.project(straight).distance.max() > 4


@pytest.mark.parametrize(("goal", "way"), [([1.0, 9.0], 1.0), ([9.0, 1.0], -1.0)])
def test_along_a_closed_path_it_goes_the_short_way_round(goal: list[float], way: float) -> None:
    """From the first corner up the last side, or along the first."""
    ring = sm.Path([[0, 0], [10, 0], [10, 10], [0, 10]], closed=True)
    tree = sm.Pipeline(sm.Toward(goal), decomposers=sm.AlongPath(ring, reach=2.0))
    vehicles = sm.Vehicles([[0.2, 0.2]], max_speed=3.0, max_force=20.0, dtype=np.float64)
    places = places_of(vehicles, tree, 2.0)[:, 0]
    assert way * (places[-1, 1] - places[-1, 0]) > 3
    assert ring.project(places).distance.max() < 1.2


def test_where_no_way_is_found_the_fallback_steers_or_they_brake() -> None:
    """Walled in by two rows of spheres, one round is not enough."""
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = sm.Spheres(np.stack([4 * np.cos(angles), 4 * np.sin(angles)], axis=1), 1.5)
    vehicles = sm.Vehicles([[0.0, 0.0]], [[1.0, 0.5]], max_speed=3.0, max_force=99.0, response_time=1.0, dtype=float)
    keep = sm.KeepClear(ring, margin=0.0)
    braking = steer(vehicles, sm.Pipeline(sm.Toward([20.0, 0.0]), constraints=keep))[0]
    np.testing.assert_allclose(braking, [[-1.0, -0.5]])
    fallback = Push(0.0, 7.0)
    tree = sm.Pipeline(sm.Toward([20.0, 0.0]), constraints=keep, fallback=fallback)
    np.testing.assert_allclose(steer(vehicles, tree)[0], [[0, 7]])
    asked = fallback.asked
    steer(vehicles, sm.Pipeline(sm.Toward([1.0, 0.0]), constraints=keep, fallback=fallback))
    assert fallback.asked == asked, "the fallback was computed although a way was found"


@dataclass(frozen=True, eq=False)
class Walk(sm.Targeter):
    """Wants a velocity, and says nothing about a place."""

    velocity: Any = (0.0, 1.0)

    def goals(self, scene: Any) -> sm.Goals:
        n = len(scene.vehicles)
        free = sm.Goals.none(n, 2)
        return sm.Goals(free.position, free.has_position, np.tile(self.velocity, (n, 1)), np.ones(n, bool))


@dataclass(frozen=True, eq=False)
class Ceiling(sm.Constraint):
    """Nobody goes above a height; who would, goes to just below it."""

    height: float = 1.0

    def violation(self, scene: Any, path: Any) -> Any:
        end = scene.vehicles.position[:, 1] + path[:, -1, 1]
        return np.where(end > self.height, 0.0, np.inf)

    def suggest(self, scene: Any, path: Any, goals: sm.Goals) -> sm.Goals:
        return sm.Goals.at(np.stack([goals.position[:, 0], np.full(len(path), self.height - 0.1)], axis=1))


def test_stages_of_ones_own() -> None:
    vehicles = some(max_force=99.0)
    expected = (np.array([0.0, 1.0]) - vehicles.velocity) * (vehicles.mass / vehicles.response_time)[:, None]
    np.testing.assert_allclose(steer(vehicles, sm.Pipeline(Walk()))[0], expected)
    low = steer(vehicles, sm.Pipeline(sm.Toward([3.0, 8.0]), constraints=Ceiling()))
    np.testing.assert_allclose(low, steer(vehicles, sm.Arrive([3.0, 0.9])), rtol=1e-9)


def test_the_first_targeter_that_says_something_counts() -> None:
    nobody = sm.Vehicles(np.empty((0, 2)))
    vehicles = some(max_force=3.0)
    tree = sm.Pipeline([sm.Toward(nobody), sm.Toward([1.0, 2.0]), sm.Toward([9.0, 9.0])])
    np.testing.assert_allclose(steer(vehicles, tree), steer(vehicles, sm.Arrive([1.0, 2.0])), rtol=1e-9)
    assert not steer(vehicles, sm.Pipeline(sm.Toward(nobody))).any()


def test_a_goal_claims_and_no_goal_does_not() -> None:
    nobody = sm.Vehicles(np.empty((0, 2)))
    below = Push(0.0, 1.0)
    vehicles = sm.Vehicles([[1.0, 2.0]], max_speed=3.0, dtype=np.float64)
    assert not steer(vehicles, sm.Priority([sm.Pipeline(sm.Toward([1.0, 2.0])), below])).any()
    assert steer(vehicles, sm.Priority([sm.Pipeline(sm.Toward(nobody)), below])).any()


def test_who_is_watched_by_a_stage_is_inspected() -> None:
    others = sm.Vehicles([[3.0, 4.0], [5.0, 1.0]])
    controller = sm.Controller(some(), sm.Pipeline(sm.Toward(others)), threads=1)
    controller.steer(0.1)
    others.position[1] = np.nan
    with pytest.raises(sm.NonFiniteError, match="position"):
        controller.steer(0.1)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="targeters must be at least one, got none"):
        sm.Pipeline([])
    with pytest.raises(TypeError, match="constraints must be of class Constraint, got"):
        sm.Pipeline(sm.Toward([1.0, 2.0]), constraints=[ROCK])
    with pytest.raises(TypeError, match=r"actuator must be an Actuator such as Straight\(\), got"):
        sm.Pipeline(sm.Toward([1.0, 2.0]), actuator=sm.Seek([0.0, 0.0]))
    with pytest.raises(ValueError, match="rounds must be"):
        sm.Pipeline(sm.Toward([1.0, 2.0]), rounds=0)
    with pytest.raises(ValueError, match=r"margin must be >= 0 m, got -1\.0"):
        sm.KeepClear(ROCK, margin=-1.0)


def test_a_path_without_length_leads_to_its_place() -> None:
    nowhere = sm.Path([[1, 1], [1, 1], [1, 1]], closed=True)
    tree = sm.Pipeline(sm.Toward([5.0, 5.0]), decomposers=sm.AlongPath(nowhere))
    np.testing.assert_allclose(places_of(runner(), tree, 15.0)[-1, 0], [5, 5], atol=0.05)
