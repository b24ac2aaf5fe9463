"""OffsetPursuit: past the quarry at the radius, or beside it in a slot."""

import math

import numpy as np
import pytest

import steersman as sm


def passing(quarry_velocity: list[float], aim: float, radius: float = 5.0, dt: float = 1 / 60) -> float:
    """The least distance, at the first pass, from a quarry 60 m away, of a vehicle aimed `aim` radians aside."""
    quarry = sm.Vehicles([[60.0, 0.0]], quarry_velocity, max_speed=9.0, dtype=np.float64)
    velocity = [10 * math.cos(aim), 10 * math.sin(aim)]
    vehicle = sm.Vehicles([[0.0, 0.0]], velocity, max_speed=10.0, max_force=40.0, dtype=np.float64)
    world = sm.World(dt=dt, threads=1)
    world.add(quarry, name="quarry", steering=None)
    world.add(vehicle, name="vehicle", steering=sm.OffsetPursuit(quarry, radius=radius))
    least = math.inf
    for _ in range(int(15 / dt)):
        world.step()
        distance = float(np.hypot(*(quarry.position[0] - vehicle.position[0])))
        least = min(least, distance)
        if distance > least + 2:
            break
    return least


@pytest.mark.parametrize("aim", [-0.4, 0.0, 0.05, 0.4])
@pytest.mark.parametrize("quarry_velocity", [[0.0, 0.0], [0.0, 3.0], [-5.0, 0.0]])
def test_a_fly_by_passes_at_the_radius(quarry_velocity: list[float], aim: float) -> None:
    """Exactly, where the quarry rests; one that crosses or comes on is passed somewhat nearer, but not run into."""
    distance = passing(quarry_velocity, aim)
    assert distance == pytest.approx(5, abs=0.3) if quarry_velocity == [0.0, 0.0] else 2.8 < distance < 6.0


def test_a_fly_by_is_no_matter_of_the_time_step() -> None:
    coarse, middle, fine = (passing([0.0, 3.0], 0.3, dt=dt) for dt in (1 / 60, 1 / 120, 1 / 240))
    assert abs(fine - middle) < 0.6 * abs(middle - coarse) < 0.2


def test_the_side_is_that_of_the_quarry_and_always_the_same_dead_ahead() -> None:
    """The quarry is 20 m ahead and 3 m to the left: the point is 5 m to the right of it. Dead ahead, to the right too."""
    point = sm.laws.fly_by_point([0.0, 0.0], [1.0, 0.0], [20.0, 3.0], 5.0)
    np.testing.assert_allclose(point, [20.0, -2.0])
    np.testing.assert_allclose(sm.laws.fly_by_point([0.0, 0.0], [1.0, 0.0], [20.0, 0.0], 5.0), [20.0, -5.0])


def test_a_slot_turns_with_the_leader() -> None:
    """Leader heading to +y: 2 m ahead and 1 m to its right is (1, 2)."""
    slot = sm.laws.offset_slot([10.0, 10.0], [2.0, 1.0], np.array([[0.0, 1.0], [1.0, 0.0]]))
    np.testing.assert_allclose(slot, [11.0, 12.0])


@pytest.mark.parametrize("frame", ["leader", "world"])
def test_slots_are_kept(frame: str) -> None:
    """A squad of three follows a leader that goes straight along y; the frames differ by a quarter turn."""
    leader = sm.Vehicles([[0.0, 0.0]], [0.0, 4.0], max_speed=4.0, dtype=np.float64)
    offsets = np.array([[-4.0, 0.0], [-2.0, 3.0], [-2.0, -3.0]])
    squad = sm.Vehicles([[5.0, -9.0], [8.0, -2.0], [-7.0, -3.0]], max_speed=9.0, max_force=40.0)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(leader, name="leader", steering=None)
    world.add(squad, name="squad", steering=sm.OffsetPursuit(leader, offset=offsets, frame=frame))
    world.run(seconds=12)
    expected = offsets if frame == "world" else np.stack([offsets[:, 1], offsets[:, 0]], axis=1)
    # An arrival at a moving slot is as far behind as makes its speed that of the slot.
    lag = expected - (squad.position - leader.position[0])
    assert (np.abs(lag[:, 0]) < 0.05).all()
    assert ((lag[:, 1] > -0.05) & (lag[:, 1] < 2.5)).all()
    np.testing.assert_allclose(squad.velocity, [[0.0, 4.0]] * 3, atol=0.05)


def test_radius_or_offset() -> None:
    quarry = sm.Vehicles([[0.0, 0.0]])
    for options in ({}, {"radius": 1.0, "offset": [1.0, 2.0]}):
        with pytest.raises(ValueError, match="takes radius or offset"):
            sm.OffsetPursuit(quarry, **options)
    with pytest.raises(ValueError, match=r"offset must have shape \(2,\) or \(1, 2\)"):
        sm.Controller(sm.Vehicles([[5.0, 0.0]]), sm.OffsetPursuit(quarry, offset=[[1.0, 2.0]] * 3)).steer(0.1)
    with pytest.raises(ValueError, match="slowing_distance or deceleration_time, got both"):
        sm.OffsetPursuit(quarry, radius=1.0, slowing_distance=3.0, deceleration_time=1.0)
