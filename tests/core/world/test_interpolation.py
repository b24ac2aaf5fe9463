"""`World.drawn`: places and orientations between two steps."""

import math

import numpy as np
import pytest

import steersman as sm


def of_two(d: int = 2, **about) -> tuple[sm.World, sm.Vehicles]:
    world = sm.World(seed=1, dt=0.1, threads=1, **about)
    vehicles = sm.Vehicles(np.eye(3)[:2, :d] * 4, velocity=np.eye(3)[1, :d] * 2)
    world.add(vehicles, steering=sm.Wander(), name="two")
    return world, vehicles


@pytest.mark.parametrize("d", [2, 3])
def test_positions_are_between_those_of_the_last_two_steps(d):
    world, vehicles = of_two(d)
    world.drawn(0)
    world.run(steps=3)
    before = vehicles.position.copy()
    world.step()
    for fraction in (0, 0.25, 1):
        expected = before + fraction * (vehicles.position - before)
        np.testing.assert_allclose(world.drawn(fraction).position, expected, atol=1e-12)


def test_the_first_call_gives_the_present_and_a_refused_step_changes_nothing():
    world, vehicles = of_two()
    world.run(steps=2)
    assert (world.drawn(0.3).position == vehicles.position).all()
    world.step()
    half = world.drawn(0.5).position
    vehicles.mass[0] = np.nan
    with pytest.raises(sm.NonFiniteError):
        world.step()
    vehicles.mass[0] = 1
    assert (world.drawn(0.5).position == half).all()


def test_vehicles_may_come_and_go_in_between():
    world, vehicles = of_two()
    world.drawn(0)
    world.step()
    before, stays = vehicles.position[1].copy(), int(vehicles.id[1])
    world.step()
    vehicles.remove(vehicles.id[0])
    vehicles.spawn([[9, 9], [8, 8]])
    pose = world.drawn(0.5)
    assert pose.id.tolist() == vehicles.id.tolist()
    assert pose.id[0] == stays
    np.testing.assert_allclose(pose.position[0], (before + vehicles.position[0]) / 2)
    np.testing.assert_allclose(pose.position[1:], [[9, 9], [8, 8]])
    world.step()
    np.testing.assert_allclose(world.drawn(0).position[1:], [[9, 9], [8, 8]])


@pytest.mark.parametrize("d", [2, 3])
def test_over_a_seam_it_goes_the_short_way(d):
    world = sm.World(domain=sm.Torus([10] * d, origin=[-5] * d), dt=0.1, threads=1)
    vehicles = sm.Vehicles([[4.9, *[0] * (d - 1)]], velocity=[2, *[0] * (d - 1)], max_speed=2)
    world.add(vehicles, steering=sm.TargetSpeed(2))
    world.drawn(0)
    world.step()
    assert vehicles.position[0, 0] == pytest.approx(-4.9)
    assert world.drawn(0.25).position[0, 0] == pytest.approx(4.95)
    assert world.drawn(0.75).position[0, 0] == pytest.approx(-4.95)


def test_over_a_seam_of_one_axis_it_stays_as_it_is_along_the_other():
    world = sm.World(domain=sm.Box([10, 10], periodic="x"), dt=0.1, threads=1)
    world.add(sm.Vehicles([[9.9, 4]], velocity=[2, 1], max_speed=3))
    world.drawn(0)
    world.step()
    np.testing.assert_allclose(world.drawn(0.25).position, [[9.95, 4.025]], rtol=1e-5)
    np.testing.assert_allclose(world.drawn(0.75).position, [[0.05, 4.075]], rtol=1e-4)


def test_headings_turn_the_short_way():
    world = sm.World(dt=0.1, threads=1)
    vehicles = sm.Vehicles([[0, 0]], heading=math.radians(170))
    world.add(vehicles, steering=sm.TargetSpeed(0))
    world.drawn(0)
    world.step()
    vehicles.heading = math.radians(-170)
    pose = world.drawn(0.5)
    assert abs(pose.heading[0]) == pytest.approx(math.pi)
    np.testing.assert_allclose(pose.forward[0], [-1, 0], atol=1e-12)
    assert world.drawn(0.25).heading[0] == pytest.approx(math.radians(175))


def test_quaternions_turn_the_short_way_and_keep_their_sign():
    world = sm.World(dt=0.1, threads=1)
    vehicles = sm.Vehicles([[0, 0, 0]])
    world.add(vehicles, steering=sm.TargetSpeed(0))
    last = world.drawn(0).quaternion[0]
    for step in range(1, 80):  # Twice around the vertical axis.
        world.step()
        angle = step * math.tau / 39
        vehicles.quaternion = [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]
        for fraction in (0, 0.5, 1):
            pose = world.drawn(fraction)
            assert pose.quaternion[0] @ last > 0.98
            last = pose.quaternion[0]
            turned = (step - 1 + fraction) * math.tau / 39
            np.testing.assert_allclose(pose.forward[0], [math.cos(turned), math.sin(turned), 0], atol=1e-6)
            np.testing.assert_allclose(pose.up[0], [0, 0, 1], atol=1e-6)


def test_quaternions_keep_their_sign_when_a_row_before_them_goes():
    world = sm.World(dt=0.1, threads=1)
    vehicles = sm.Vehicles([[0, 0, 0], [5, 0, 0], [9, 0, 0]])
    world.add(vehicles, steering=sm.TargetSpeed(0))
    last = world.drawn(0).quaternion[1]
    for step in range(1, 40):
        if step == 30:
            vehicles.remove(0)
        world.step()
        angle = step * math.tau / 39
        turned = vehicles.quaternion.copy()
        turned[-2] = [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]
        vehicles.quaternion = turned
        pose = world.drawn(1)
        assert pose.id[-2] == 1
        assert pose.quaternion[-2] @ last > 0.98
        last = pose.quaternion[-2]


def test_what_it_refuses():
    world, _ = of_two()
    with pytest.raises(ValueError, match="fraction"):
        world.drawn(1.5)
    with pytest.raises(KeyError, match="three"):
        world.drawn(0.5, "three")
    for other in (0, sm.Vehicles([[0, 0]])):
        with pytest.raises(
            TypeError, match="vehicles must be a population of this world, its name or its vehicles, got"
        ):
            world.drawn(0.5, other)


def test_a_population_is_named_in_any_way():
    world, vehicles = of_two()
    other = world.add(sm.Vehicles([[9, 9]]), name="still")
    other.steering = sm.TargetSpeed(0)
    with pytest.raises(ValueError, match="which population is meant"):
        world.drawn(0)
    for who in ("still", other, other.vehicles):
        assert world.drawn(0, who).position.tolist() == [[9, 9]]
    assert len(world.drawn(0, vehicles).id) == 2
