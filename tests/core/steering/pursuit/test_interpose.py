"""Interpose: between two others, and there in time."""

import numpy as np
import pytest

import steersman as sm


def test_the_point_by_hand() -> None:
    """Midpoint (0, 4), 4 m away: 2 s at 2 m/s. By then the others are at (-3, 8) and (1, 4): between them is (-1, 6)."""
    point = sm.laws.between([0.0, 0.0], [-5.0, 4.0], [1.0, 2.0], [5.0, 4.0], [-2.0, 0.0], 2.0)
    np.testing.assert_allclose(point, [-1.0, 6.0])
    near_a = sm.laws.between([-5.0, 4.0], [-5.0, 4.0], [1.0, 2.0], [5.0, 4.0], [-2.0, 0.0], 2.0, 0.0)
    np.testing.assert_allclose(near_a, [-5.0, 4.0])


@pytest.mark.parametrize("ratio", [0.0, 0.25, 0.75, 1.0])
def test_the_point_moves_with_the_nearer_one_as_much_as_it_is_nearer(ratio: float) -> None:
    """Points on the line from (0, 0) to (8, 0), a going up with 2 m/s and b down with 1 m/s, for 4 m/s."""
    start = np.array([8 * ratio, 0.0])
    velocity = 2 - 3 * ratio
    place = start - [0.0, 4.0]  # 4 m below: in 1 s, whatever the ratio.
    found = sm.laws.between(place, [0.0, 0.0], [0.0, 2.0], [8.0, 0.0], [0.0, -1.0], 4.0, ratio)
    np.testing.assert_allclose(found, [8 * ratio, velocity])
    several = sm.laws.between(
        np.tile(place, (2, 1)), [[0.0, 0.0]] * 2, [[0.0, 2.0]] * 2, [[8.0, 0.0]] * 2, [[0.0, -1.0]] * 2, 4.0,
        [ratio, 0.5],
    )  # fmt: skip
    np.testing.assert_allclose(several[0], found)


@pytest.mark.parametrize("ratio", [0.25, 0.5])
def test_it_stays_between_two_that_move(ratio: float) -> None:
    pair = sm.Vehicles([[0.0, 0.0], [40.0, 0.0]], [[1.0, 1.0], [-0.5, 1.5]], max_speed=3.0, dtype=np.float64)
    guard = sm.Vehicles([[15.0, 25.0]], max_speed=8.0, max_force=40.0, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(pair, name="pair", steering=None)
    world.add(guard, name="guard", steering=sm.Interpose(pair, pair, which_a=0, which_b=1, ratio=ratio))
    world.run(seconds=10)
    a, b = pair.position
    assert np.hypot(*(guard.position[0] - (a + ratio * (b - a)))) < 0.8


def test_across_the_edge_of_a_torus() -> None:
    """a at 2 and b at 98 of 100: the middle is at 0, not at 50."""
    guard = sm.Vehicles([[90.0, 50.0]], max_speed=5.0, dtype=np.float64)
    steering = sm.Interpose([2.0, 50.0], [98.0, 50.0])
    force = sm.Controller(guard, steering, domain=sm.Torus([100, 100])).steer(0.1)
    assert force[0, 0] > 0
    assert force[0, 1] == 0


def test_a_ratio_is_a_part() -> None:
    with pytest.raises(ValueError, match="ratio must be >= 0 and <= 1"):
        sm.Interpose([0.0, 1.0], [2.0, 3.0], ratio=1.5)


APART = {
    "priority": lambda between: sm.Priority([sm.AvoidNeighbors(), between]),
    "sum": lambda between: sm.AvoidNeighbors() + between,
    "Separation": lambda between: sm.Separation(radius=2.0) + between,
}


@pytest.mark.parametrize(("tree", "body"), [*[(tree, None) for tree in APART], ("Separation", sm.Wheeled())])
def test_guards_rest_between_two_that_stand_and_follow_them(tree: str, body: sm.Locomotion | None) -> None:
    """They went round the place for ever, at .7 m/s (cars 1.9), or were squeezed into each other."""
    places = np.random.default_rng(0).uniform(-20, 20, (9, 2))
    wards = sm.Vehicles([[-10.0, -10.0], [10.0, 3.0]], max_speed=2.0)
    guards = sm.Vehicles(places, max_speed=5.0, max_force=12.0)
    world = sm.World(threads=1, dt=1 / 30)
    world.add(wards)
    world.add(guards, steering=APART[tree](sm.Interpose(wards, wards, which_a=0, which_b=1)), locomotion=body)
    world.run(seconds=60)
    assert guards.speed.max() < 0.01
    apart = np.linalg.norm(guards.position[:, None] - guards.position, axis=2) + 9 * np.eye(9)
    assert apart.min() > 1.0 - (0.15 if tree == "Separation" else 0.01)
    assert np.linalg.norm(guards.position - wards.position.mean(axis=0), axis=1).max() < 6
    wards.velocity[:] = [1.5, 0.0]
    world.run(seconds=20)
    assert np.linalg.norm(guards.position - wards.position.mean(axis=0), axis=1).mean() < 2.5
