"""AvoidNeighbors where everything is exactly symmetrical: rounding noise is no side, and everybody is passed with room."""

import math
from typing import Any

import numpy as np
import pytest
from stepping import ran

import steersman as sm
from steersman.runs.metrics.contacts import Contacts

DISTANCE = 0.5
TURNS = {
    "head on": 180.0,
    "135 degrees": 135.0,
    "right angle": 90.0,
    "45 degrees": 45.0,
    "overtaking": 0.0,
    "standing": 0.0,
}
"""By how much the other's way differs [degrees]."""

SPEEDS = {"overtaking": (1.5, 0.625), "standing": (1.5, 0.0)}

TREES = {
    "Priority, Seek": lambda avoid, ends: sm.Priority([avoid, sm.Seek(ends)]),
    "Priority, Arrive": lambda avoid, ends: sm.Priority([avoid, sm.Arrive(ends)]),
    "Priority, TargetSpeed": lambda avoid, ends: sm.Priority([avoid, sm.TargetSpeed(1.25)]),
    "sum, Seek": lambda avoid, ends: 4 * avoid + sm.Seek(ends),
    "sum, Arrive": lambda avoid, ends: 4 * avoid + sm.Arrive(ends),
    "sum, TargetSpeed": lambda avoid, ends: 4 * avoid + sm.TargetSpeed(1.25),
}
"""What stands behind it. In a sum, Seek pulls back to the line all the time, so that the weight must be larger."""


def ways(d: int) -> Any:
    """64 pairs of perpendicular unit vectors: the axes, the diagonals, and others all around; shape (64, 2, d)."""
    if d == 2:
        angle = np.arange(64) * np.pi / 32
        return np.stack([np.stack([np.cos(angle), np.sin(angle)], 1), np.stack([-np.sin(angle), np.cos(angle)], 1)], 1)
    simple = [[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z]
    ahead = np.vstack([simple, np.random.default_rng(0).normal(0, 1, (64 - len(simple), 3))])
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    side = np.cross(ahead, np.eye(3)[np.argmin(np.abs(ahead), axis=1)])
    return np.stack([ahead, side / np.linalg.norm(side, axis=1)[:, None]], 1)


def exact(values: Any) -> Any:
    """Rounded so that sums of them are exact in float32: the two of a pair are mirror images to the last bit."""
    return np.round(np.asarray(values) * 1024) / 1024


def encounters(d: int, dtype: Any, alike: bool) -> tuple[sm.Vehicles, Any]:
    """For every kind and way a pair that would meet after five seconds, far from the others; and where all want to go."""
    places, velocities, ends, tops = [], [], [], []
    both = ways(d)
    for row, (kind, turn) in enumerate(TURNS.items()):
        speeds = SPEEDS.get(kind, (1.25, 1.25) if alike else (1.5, 1.0))
        cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        for column, (ahead, side) in enumerate(both):
            middle = np.zeros(d)
            middle[:2] = 64.0 * (column % 8) - 256, 64.0 * (column // 8 + 8 * row) - 1536
            for speed, way in zip(speeds, (ahead, cosine * ahead + sine * side), strict=True):
                velocity = exact(speed * way)
                places.append(middle - 5 * velocity)
                velocities.append(velocity)
                ends.append(middle + 12 * velocity)
                tops.append(speed)
    radius = np.tile([0.4, 0.4] if alike else [0.3, 0.6], len(places) // 2)
    vehicles = sm.Vehicles(places, velocities, max_speed=tops, max_force=8.0, radius=radius, dtype=dtype)
    return vehicles, np.array(ends)


def nearest_passes(vehicles: sm.Vehicles, steering: Any, seconds: float = 8.0) -> Any:
    """The free room of every pair where it was least [m], shape (pairs,)."""
    world = sm.World(dt=1 / 30)
    world.add(vehicles, steering=steering)
    least = np.full(len(vehicles) // 2, np.inf)
    for _ in range(round(seconds * 30)):
        world.step()
        apart = np.linalg.norm(vehicles.position[::2].astype(float) - vehicles.position[1::2], axis=1)
        least = np.minimum(least, apart - vehicles.radius[::2] - vehicles.radius[1::2])
    return least


@pytest.mark.each_value
@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)], ids=["2D float32", "3D float64"])
@pytest.mark.parametrize("tree", TREES)
def test_in_exact_symmetry_all_pass_with_room(tree: str, d: int, dtype: Any) -> None:
    for alike in (True, False):
        vehicles, ends = encounters(d, dtype, alike)
        least = (
            nearest_passes(vehicles, TREES[tree](sm.AvoidNeighbors(distance=DISTANCE), ends))
            .reshape(len(TURNS), -1)
            .min(axis=1)
        )
        asked = (0.8 if tree.startswith("Priority") else 0.75) * DISTANCE
        short = {kind: round(float(room), 3) for kind, room in zip(TURNS, least, strict=True) if not room > asked}
        assert not short, f"alike: {alike}"


@pytest.mark.parametrize("law", ["imminent", "all"])
def test_the_literal_laws_find_a_side_too(law: str) -> None:
    vehicles, _ = encounters(2, np.float32, True)
    least = nearest_passes(vehicles, sm.AvoidNeighbors(distance=DISTANCE, law=law)).reshape(len(TURNS), -1).min(axis=1)
    assert (least > 0.8 * DISTANCE).all(), dict(zip(TURNS, least, strict=True))


@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)], ids=["2D float32", "3D float64"])
@pytest.mark.parametrize("apart", [0.0, 0.3])
def test_those_who_overlap_where_they_stand_come_apart(apart: float, d: int, dtype: Any) -> None:
    places = np.array([[0.0] * d, [apart] + [0.0] * (d - 1)] * 3)
    places[:, 1] += np.repeat([0.0, 40.0, 80.0], 2)
    vehicles = sm.Vehicles(places, max_speed=1.5, max_force=8.0, radius=0.4, dtype=dtype)
    ran(vehicles, sm.AvoidNeighbors(), dt=1 / 30, seconds=2.0)
    assert (np.linalg.norm(vehicles.position[::2] - vehicles.position[1::2], axis=1) > 0.8).all()


@pytest.mark.parametrize("law", ["smooth", "imminent", "all"])
@pytest.mark.parametrize("d", [2, 3])
def test_ways_that_nearly_agree_do_not_lead_into_each_other(law: str, d: int) -> None:
    """At a few degrees two are within the room long before their nearest approach comes within the lookahead."""
    degrees = np.array([1.0, 2.0, 5.0, 10.0, 20.0])
    half = np.radians(degrees) / 2
    way = np.zeros((len(half), 2, d))
    way[..., 0], way[:, 0, 1], way[:, 1, 1] = np.cos(half)[:, None], np.sin(half), -np.sin(half)
    middle = np.zeros((len(half), 1, d))
    middle[:, 0, 1] = 100.0 * np.arange(len(half))
    # The longest way there is with room at the start, so that nothing forces them together.
    back = np.maximum(8.0, 0.75 / np.sin(half))[:, None, None]
    places, ends = (middle - back * way).reshape(-1, d), (middle + 20 * way).reshape(-1, d)
    walkers = sm.Vehicles(places, 1.5 * way.reshape(-1, d), max_speed=1.5, max_force=8.0, radius=0.5)
    tree = sm.Priority([sm.AvoidNeighbors(law=law), sm.Seek(ends)])
    assert (nearest_passes(walkers, tree, seconds=float(back.max()) / 1.5 + 4) > 0).all()


@pytest.mark.parametrize("law", ["smooth", "imminent", "all"])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("speed", [0.0, 1.5])
def test_those_in_one_place_part(law: str, d: int, speed: float) -> None:
    """Two that have everything in common, standing or on their way."""
    places = np.repeat(np.arange(8.0)[:, None] * 100, 2, axis=0) * np.eye(d)[1]
    walkers = sm.Vehicles(places, np.tile(speed * np.eye(d)[0], (16, 1)), max_speed=1.5, max_force=8.0, radius=0.5)
    ran(walkers, sm.Priority([sm.AvoidNeighbors(law=law), sm.Seek(places + 60 * np.eye(d)[0])]), dt=1 / 30, seconds=4)
    apart = np.linalg.norm(walkers.position[::2] - walkers.position[1::2], axis=1)
    assert (apart > 1.0).all()


@pytest.mark.parametrize(
    ("d", "dt", "blend"), [(2, 1 / 50, 0.0), (2, 1 / 25, 0.25), (3, 1 / 50, 0.25), (3, 1 / 100, 0.0)]
)
def test_a_ring_of_walkers_that_meet_in_one_point_changes_places(d: int, dt: float, blend: float) -> None:
    """All brake for all, as seen from each; a turn to the left parts them before they stand in each other's way."""
    rings = np.repeat(np.arange(2, 9), np.arange(2, 9))
    angle = np.concatenate([2 * np.pi * (np.arange(n) + 0.1) / n for n in range(2, 9)])
    middle, start = np.zeros((2, len(rings), d))
    middle[:, 0], start[:, :2] = 60.0 * rings, 8.6 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    walkers = sm.Vehicles(middle + start, max_speed=1.4, max_force=4.5, radius=0.45, dtype=np.float64)
    world = sm.World(dt=dt, threads=1)
    world.add(walkers, steering=sm.Priority([sm.AvoidNeighbors(), sm.Arrive(middle - start)], blend=blend))
    contacts = Contacts(walkers)
    world.on_step(contacts)
    world.run(seconds=24)
    assert not contacts.pairs
    assert np.linalg.norm(walkers.position - middle + start, axis=1).max() < 0.3
