"""Zones: its examples and law for the contract suite, and promises of its own."""

import math
from typing import Any

import numpy as np
import pytest
from contract.examples.example import Example
from contract.references.vehicle import LIKE, Answer, At, Reference, joined, words
from stepping import ran

import steersman as sm
from steersman import laws
from steersman.core.maths.random import normals, unit_vector

EXAMPLES: dict[str, Example] = {
    "zones": lambda p: sm.Zones(orientation_radius=4.0, attraction_radius=12.0, error=0.0),
    "zones with errors, noise": lambda p: sm.Zones(repulsion_radius=2.0, attraction_radius=12.0, error=0.4, speed=1.5),
    "zones view, of others, speed current": lambda p: sm.Zones(
        repulsion_radius=3.0, orientation_radius=9.0, angle=3.0, of=p.others, error=0.0, speed="current"
    ),
    "zones of the nearest two of several": lambda p: sm.Zones(
        repulsion_radius=0.5, orientation_radius=8.0, attraction_radius=30.0, angle=6.2, k=2, of=[p.others, p.vehicles],
        error=0.0,
    ),
    "zones all the world": lambda p: sm.Zones(orientation_radius=1.0, attraction_radius=np.inf, error=0.0),
}  # fmt: skip


def zones(b: Any, at: At) -> Answer:
    others, own = joined(b.of, at)
    positions, visible = at.near(others.position), np.ones(len(others.position), bool)
    if own is not None:
        visible[own] = False
    radii = (b.repulsion_radius, b.orientation_radius, b.attraction_radius)
    if b.k is not None:
        angle, radius = (b.angle, b.attraction_radius)
        if (visible & laws.neighborhood(at.position, at.forward, radii[0], others=positions)).any():
            angle, radius = 2 * math.pi, b.repulsion_radius  # Which is felt all around.
        seen = visible & laws.neighborhood(at.position, at.forward, radius, angle=angle, others=positions)
        visible = _nearest(laws.length(positions - at.position), seen, b.k)
    heading = laws.zones_heading(
        at.position, at.forward, positions, others.forward, radii, angle=b.angle, visible=visible
    )
    if b.error > 0:
        drawn = words(at, at.step, 0)
        side = laws.perpendicular(heading)
        if len(heading) == 3:
            local = np.array(unit_vector(drawn[2], drawn[3], (LIKE,) * 3))
            side = laws.normalize(laws.lateral(laws.to_global(local, at.axes), heading))
        angle = b.error * normals(drawn[0], drawn[1], LIKE)[0]
        heading = np.cos(angle) * heading + np.sin(angle) * side
    speed = laws.cruise_speed(heading, at.velocity, at.max_speed, b.speed)
    return at.match(speed * heading - at.velocity), False


def _nearest(distance: Any, among: Any, k: int) -> Any:
    """The k nearest of some, as a mask."""
    rows = np.flatnonzero(among)
    chosen = np.zeros(len(distance), bool)
    chosen[rows[np.argsort(distance[rows], kind="stable")[:k]]] = True
    return chosen


REFERENCES: dict[str, Reference] = {"Zones": zones}

DOCUMENTS = {"Zones": "orientation_radius = 3.0"}


def heading_after_a_step(others: Any, headings: Any = None, forward: Any = (1.0, 0.0), **zone: Any) -> Any:
    """Where a vehicle in the origin heads after a step, in degrees."""
    d = len(forward)
    positions = np.array([np.zeros(d), *others], float)
    velocity = np.array([forward, *(headings if headings is not None else [forward] * len(others))], float)
    vehicles = sm.Vehicles(positions, velocity, max_speed=1, max_force=1e6, response_time=0, dtype=np.float64)
    ran(vehicles, sm.Zones(1.0, 5.0, 10.0, error=0.0, **zone), dt=0.1, threads=1, steps=1)
    return math.degrees(math.atan2(vehicles.velocity[0, 1], vehicles.velocity[0, 0]))


def test_the_zones_are_annuli_of_one_law_each() -> None:
    """Neighbors to the left that head back count by their place: away, along with them, toward."""
    back = [[-1.0, 0.0]]
    assert heading_after_a_step([[0.0, 0.9]], back) == pytest.approx(-90)
    assert abs(heading_after_a_step([[0.0, 1.1]], back)) == pytest.approx(180)
    assert abs(heading_after_a_step([[0.0, 4.9]], back)) == pytest.approx(180)
    assert heading_after_a_step([[0.0, 5.1]], back) == pytest.approx(90)
    assert heading_after_a_step([[0.0, 10.1]], back) == 0
    assert heading_after_a_step([[0.0, 0.9], [0.0, -7.0], [4.0, 0.0]], [[1.0, 0.0]] * 3) == pytest.approx(-90)
    assert heading_after_a_step([[3.0, 0.0], [0.0, 7.0]], [[1.0, 0.0]] * 2) == pytest.approx(45)


def test_zones_have_a_say_by_how_many_are_in_them_and_none_beside_repulsion() -> None:
    """Equation 2 and its half sum: d = (d_o + d_a) / 2, sums of unit vectors; equation 1 goes before them both."""
    along, north = [[3.0, 0.0], [4.0, 0.0]], [[0.0, 7.0]]
    assert heading_after_a_step(along + north, [[1.0, 0.0]] * 3) == pytest.approx(math.degrees(math.atan2(1, 2)))
    assert heading_after_a_step(along[:1] + 2 * north, [[1.0, 0.0]] * 3) == pytest.approx(
        math.degrees(math.atan2(2, 1))
    )
    assert heading_after_a_step([*along, *north, [0.0, 0.99]], [[1.0, 0.0]] * 4) == pytest.approx(-90)


def test_the_fish_of_the_paper_turn_by_four_degrees_a_step_and_never_slow_down() -> None:
    """40 degrees a second, steps of 0.1 s, 3 m/s: half a circle of 3 / 0.698 = 4.30 m takes 45 steps."""
    fish = sm.Vehicles([[0.0, 0.0]], [[3.0, 0.0]], max_speed=3, max_force=1e6, response_time=0, dtype=np.float64)
    light = sm.Vehicles([[-1e3, 0.1]], dtype=np.float64)
    world = sm.World(dt=0.1, threads=1)
    law = sm.Zones(1.0, 3.0, np.inf, angle=2 * math.pi, error=0.0, of=light)
    world.add(fish, steering=law, locomotion=sm.PointMass(limits=[sm.ConstantSpeed(rate=math.radians(40))]))
    world.add(light, steering=None)
    for k in range(1, 45):
        world.step()
        assert fish.speed[0] == pytest.approx(3)
        assert math.degrees(math.atan2(fish.velocity[0, 1], fish.velocity[0, 0])) == pytest.approx(4 * k)
    assert fish.position[0, 1] == pytest.approx(2 * 3 / math.radians(40), rel=0.01)


def test_no_one_is_seen_in_the_blind_angle_and_felt_there_all_the_same() -> None:
    behind = [[-7.0, 0.1]]
    assert heading_after_a_step(behind, angle=math.radians(350)) == 0
    assert abs(heading_after_a_step(behind, angle=math.radians(359))) > 170
    assert heading_after_a_step([[-0.5, -0.5]], angle=math.radians(90)) == pytest.approx(45)


def test_only_the_nearest_count_however_far_they_are() -> None:
    far = [[0.0, 7.0], [0.0, -8.0], [0.0, -9.0]]
    assert heading_after_a_step(far) == pytest.approx(-90)
    assert heading_after_a_step(far, k=1) == pytest.approx(90)


def test_errors_have_the_standard_deviation_that_is_asked_for() -> None:
    for d in (2, 3):
        n = 20_000
        ahead = np.eye(d)[0]
        vehicles = sm.Vehicles(
            100.0 * np.arange(n)[:, None] * ahead, np.tile(ahead, (n, 1)), max_speed=1, max_force=1e6, response_time=0
        )
        ran(vehicles, sm.Zones(error=0.3), seed=3, dt=0.1, threads=1, steps=1)
        angle = np.arccos(np.clip(vehicles.velocity[:, 0], -1, 1))
        assert np.sqrt(np.mean(angle**2)) == pytest.approx(0.3, rel=0.03)
        assert abs(vehicles.velocity[:, 1:].mean(axis=0)).max() < 0.01


def test_radii_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="repulsion_radius <= orientation_radius <= attraction_radius"):
        sm.Zones(2.0, 1.0, 9.0)
