"""How far a body may go on within a region, against the ways to planes in closed form."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.environment.shape import SurfaceProjection
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import columns_of
from steersman.core.steering.driving.staying_inside import ALONG, AWAY, CREEP, SHORT, Inside, TurnNumbers, limit_way

Array = np.ndarray[Any, Any]

N = 200


def units(rng: np.random.Generator, d: int) -> Array:
    vectors = rng.normal(size=(N, d))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def foot(distance: Array, normal: Array) -> SurfaceProjection:
    return SurfaceProjection(distance, columns_of(normal, np.float64))


def free_ways(
    vehicles: sm.Vehicles, time: float, margin: float, tightest: float, *feet: SurfaceProjection, room: float = 0.0
) -> Array:
    """The answers of the kernel, for feet where the vehicles are, will be, and leave; with room, bodies creep."""
    n = len(vehicles)
    columns, spare = columns_of(vehicles.position, np.float64), np.zeros(n, np.uint8)
    inside = Inside(
        columns, columns, columns, columns, np.full(n, time), np.full(n, margin + room), spare, spare, spare
    )
    free_way, active = np.full(n, np.inf), np.ones(n, np.uint8)
    active[-1] = 0
    numbers = TurnNumbers(1.0, margin, 50.0, tightest, float(room > 0))
    Call(limit_way, (vehicles.columns, active, *feet, numbers, inside, free_way)).run(n)
    assert free_way[-1] == np.inf
    return free_way[:-1]


@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize("margin", [0.0, 0.7])
@pytest.mark.parametrize("d", [2, 3])
def test_a_body_that_comes_askew_goes_on_to_the_plane_before_it_along_its_way(
    d: int, margin: float, leaves: bool
) -> None:
    """Askew to the planes: the nearest one now, and the one that it meets; `leaves`: on its way out, not at its end."""
    rng = np.random.default_rng(d)
    way, speed, time = units(rng, d), rng.uniform(0.5, 4.0, N), 2.5
    vehicles = sm.Vehicles(rng.normal(size=(N, d)), way * speed[:, None], max_speed=9.0, dtype=np.float64)
    gap, near = rng.uniform(margin, 5.0, N), units(rng, d)
    met, ahead = units(rng, d), rng.uniform(0.0, 12.0, N)
    end = vehicles.position + vehicles.velocity * time
    beyond = np.einsum("nd,nd->n", end - (vehicles.position + ahead[:, None] * met), met)
    other = foot(beyond, met)
    nowhere = foot(np.full(N, -1.0), near)
    feet = (nowhere, other) if leaves else (other, nowhere)
    found = free_ways(vehicles, time, margin, 0.0, foot(-gap, near), *feet)

    def along(distance: Array, normal: Array, least: float) -> Array:
        cosine = np.einsum("nd,nd->n", way, normal)
        with np.errstate(divide="ignore"):
            return np.where(cosine > least, np.maximum(distance - margin, 0) / cosine, np.inf)

    told = np.minimum(along(gap, near, 0.0), along(ahead, met, float(ALONG)))
    used = (beyond > 0) | (not leaves)
    used &= np.abs(np.einsum("nd,nd->n", way, met) - ALONG) > 1e-6
    used = used[:-1]
    np.testing.assert_allclose(found[used], told[:-1][used], rtol=1e-9, atol=1e-9)
    askew = (along(ahead, met, float(ALONG)) < along(gap, near, 0.0))[:-1] & used
    assert askew.sum() > 20


def test_a_body_outside_stops_before_it_goes_farther_out_unless_it_turns_around_there() -> None:
    """Outward, along the boundary, and back; one is farther outside than its tightest circle."""
    way = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    vehicles = sm.Vehicles(np.zeros((5, 2)), 2.0 * way, max_speed=9.0, dtype=np.float64)
    now = foot(np.array([0.5, 0.5, 0.5, 3.0, 0.5]), np.tile([1.0, 0.0], (5, 1)))
    then = foot(np.full(5, 4.0), np.tile([0.0, 1.0], (5, 1)))
    found = free_ways(vehicles, 1.0, 0.0, 2.0, now, then, then)
    np.testing.assert_array_equal(found, [0.0, np.inf, np.inf, np.inf])


def test_a_car_outside_may_come_a_tenth_farther_out_as_it_turns_back() -> None:
    """On a circle of 2 m that begins at an angle to the boundary: r (1 - sqrt(1 - c^2)) farther, about r c^2 / 2."""
    outside, tightest = 0.6, 2.0
    most = np.sqrt(AWAY * outside / tightest)
    assert abs(tightest * (1 - np.sqrt(1 - most**2)) - 0.1 * outside) < 0.02 * outside
    cosine = np.array([0.9 * most, 1.1 * most, 0.9 * most, 0.0])
    way = np.stack([cosine, np.sqrt(1 - cosine**2)], axis=1)
    vehicles = sm.Vehicles(np.zeros((4, 2)), 2.0 * way, max_speed=9.0, dtype=np.float64)
    now = foot(np.array([outside, outside, 0.6 * outside, 0.0]), np.tile([1.0, 0.0], (4, 1)))
    then = foot(np.full(4, 4.0), np.tile([0.0, 1.0], (4, 1)))
    np.testing.assert_array_equal(free_ways(vehicles, 1.0, 0.0, tightest, now, then, then), [np.inf, 0.0, 0.0])


def test_a_body_that_turns_as_it_moves_creeps_on_at_the_boundary_and_stops_close_beyond_it() -> None:
    """A hair outside it was let loose, and drove away; without a speed it would stand there and never turn."""
    room, distance = 0.4, np.array([-0.3, 0.0, 1e-9, 0.3, 0.5, 0.0])
    vehicles = sm.Vehicles(np.zeros((6, 2)), np.tile([2.0, 0.0], (6, 1)), max_speed=9.0, dtype=np.float64)
    now = foot(distance, np.tile([1.0, 0.0], (6, 1)))
    then = foot(np.full(6, -1.0), np.tile([0.0, 1.0], (6, 1)))
    found = free_ways(vehicles, 1.0, 0.0, 0.0, now, then, then, room=room)
    least, short = float(CREEP) * room, float(SHORT) * room
    np.testing.assert_allclose(found, [0.3 - short, least, least, least, np.inf], rtol=1e-6)


@pytest.mark.parametrize("dt", [0.001, 0.05])
def test_the_room_takes_a_quarter_of_a_shallow_region_and_the_spring_is_stiffer_there(dt: float) -> None:
    """At rest in a disc of 2 m, where 3 a tau^2 would be 2.4 m: half a meter, by which tau^2 = 0.5 m / 3 a."""
    inset, region = np.array([0.51, 0.49, 0.3]), sm.Sphere([0, 0], 2)
    places = np.stack([2 - inset, np.zeros(3)], axis=1)
    vehicles = sm.Vehicles(places, max_force=20.0, response_time=0.2, max_speed=9.0, dtype=np.float64)
    found = sm.Controller(vehicles, sm.Contain(region)).steer(dt)
    pushed = np.maximum(0.5 - inset, 0) / (4 * max(0.5 / (3 * 20.0), (2 * dt) ** 2))
    np.testing.assert_allclose(found, np.stack([-pushed, np.zeros(3)], axis=1), rtol=1e-5, atol=1e-9)
