"""Zones: which vehicles enter and leave a region."""

import copy

import numpy as np
import pytest

import steersman as sm


def crossing(*, once: bool = False, speed: float = 2.0, d: int = 2, **about) -> tuple[sm.World, sm.Vehicles, sm.Zone]:
    """One vehicle that goes along x through a ball of radius 1 around the origin, and one that stays far away."""
    world = sm.World(dt=0.5, threads=1, **about)
    start = np.zeros((2, d))
    start[:, 0], start[1, 1] = -3.25, 50
    way = np.eye(d)[0] * speed
    vehicles = sm.Vehicles(start, velocity=way, max_speed=speed, response_time="step", id=[7, 8])
    world.add(vehicles, steering=sm.TargetSpeed(speed))
    zone = sm.Zone(sm.Sphere(np.zeros(d), 1), vehicles, once=once)
    world.on_step(zone)
    return world, vehicles, zone


@pytest.mark.parametrize("d", [2, 3])
def test_who_enters_and_leaves_is_told_once(d):
    world, _, zone = crossing(d=d)
    told = []
    for _ in range(8):
        world.step()
        told.append((zone.entered.tolist(), zone.left.tolist(), zone.inside.tolist()))
    assert [(k, *each) for k, each in enumerate(told) if each[0] or each[1]] == [
        (2, [7], [], [True, False]),
        (4, [], [7], [False, False]),
    ]
    assert zone.visits.tolist() == [1, 0]


@pytest.mark.parametrize("speed", [20, 2000])
def test_a_zone_thinner_than_a_step_is_not_jumped_over(speed):
    world, _, zone = crossing(speed=speed)
    world.step()
    assert zone.entered.tolist() == zone.left.tolist() == [7]
    world.step()
    assert zone.entered.size == zone.left.size == 0


def test_over_the_seam_of_a_torus():
    world = sm.World(domain=sm.Torus([10, 10]), dt=0.5, threads=1)
    vehicles = sm.Vehicles([[9.0, 5.0]], velocity=[5, 0], max_speed=5, response_time="step")
    world.add(vehicles, steering=sm.TargetSpeed(5))
    zone = sm.Zone(sm.Box([0.5, 1.0], origin=[0.2, 4.5]), vehicles)
    world.on_step(zone)
    world.step()
    assert vehicles.position[0, 0] == pytest.approx(1.5)
    assert zone.entered.tolist() == zone.left.tolist() == [0]


def test_first_visits_alone():
    world, vehicles, zone = crossing(once=True)
    both = []
    for back in (False, True):
        if back:
            vehicles.position[0, 0] = -3.25
        for _ in range(8):
            world.step()
            both.append((zone.entered.tolist(), zone.left.tolist()))
    assert [each for each in both if each != ([], [])] == [([7], []), ([], [7])]


def test_vehicles_come_and_go():
    world, vehicles, zone = crossing()
    world.run(steps=3)
    assert zone.inside.tolist() == [True, False]
    vehicles.remove(8)
    vehicles.spawn([[0.0, 0.2], [30, 0]], id=[20, 21])
    world.step()
    assert zone.entered.tolist() == [20]
    assert zone.inside.tolist() == [True, True, False]
    vehicles.remove(7)
    world.step()
    assert zone.left.tolist() == []
    assert zone.visits.tolist() == [1, 0]


def test_a_vehicle_that_begins_inside_has_not_entered():
    vehicles = sm.Vehicles([[0, 0]])
    world = sm.World(threads=1)
    world.add(vehicles, steering=sm.TargetSpeed(0))
    zone = sm.Zone(sm.Spheres([[0, 0]], 1), world.populations["vehicles"])
    world.on_step(zone)
    world.step()
    assert (zone.inside.tolist(), zone.entered.size) == ([True], 0)


def test_a_copied_world_has_a_zone_of_its_own():
    world, _, _ = crossing()
    world.run(steps=2)
    other = copy.deepcopy(world)
    ((theirs, _),) = other.observers
    ((ours, _),) = world.observers
    other.run(steps=2)
    assert theirs.inside.tolist() == [True, False]
    assert ours.inside.tolist() == [False, False]


def test_a_restored_world_goes_on_with_its_zone(tmp_path):
    """Vehicles that were removed before the save, and between the last step and the save, shift nobody."""

    def made():
        vehicles = sm.Vehicles([[0, 0], [5, 0], [0.5, 0], [9, 0], [0, 0.5]])
        world = sm.World(dt=0.1, threads=1)
        world.add(vehicles, name="all")
        zone = sm.Zone(sm.Sphere([0, 0], 2), vehicles)
        world.on_step(zone)
        return world, vehicles, zone

    world, vehicles, zone = made()
    vehicles.remove([1])
    world.step()
    vehicles.remove([0])
    world.save(tmp_path / "w.steersman")
    other, theirs, watch = made()
    other.restore(tmp_path / "w.steersman")
    for each, crowd in ((world, vehicles), (other, theirs)):
        crowd.position[:2] = [[9, 9], [0, 1]]
        each.step()
    assert (watch.entered.tolist(), watch.left.tolist(), watch.visits.tolist()) == ([3], [2], [1, 1, 1])
    assert (zone.entered.tolist(), zone.left.tolist(), zone.visits.tolist()) == ([3], [2], [1, 1, 1])


def test_what_it_refuses():
    vehicles = sm.Vehicles([[0, 0]])
    with pytest.raises(TypeError, match="region must be"):
        sm.Zone("pond", vehicles)
    with pytest.raises(TypeError, match="vehicles must be"):
        sm.Zone(sm.Sphere([0, 0], 1), "cars")
    with pytest.raises(ValueError, match="the region must have 2 dimensions"):
        sm.Zone(sm.Sphere([0, 0, 0], 1), vehicles)


def test_who_is_inside_across_the_seam_at_the_start_has_not_entered():
    vehicles = sm.Vehicles([[0.5, 5], [5, 5]], [[0, 0], [0, 0]])
    world = sm.World(domain=sm.Torus([10, 10]), dt=0.1)
    world.add(vehicles)
    zone = sm.Zone(sm.Sphere([9, 5], 2), vehicles)
    world.on_step(zone)
    world.step()
    assert (zone.entered.tolist(), zone.left.tolist()) == ([], [])
    assert (zone.inside.tolist(), zone.visits.tolist()) == ([True, False], [1, 0])
    vehicles.position[0] = (3, 5)
    world.step()
    assert (zone.entered.tolist(), zone.left.tolist()) == ([], [0])
