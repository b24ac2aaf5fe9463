"""The angle turned in vain: below zero it stands for a way, which only a full circle begins, and which only driving ends."""

import math
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.locomotion.limits import low_speed_turn
from steersman.core.locomotion.motion_clips import turned_in_vain

ZERO, DT = np.float64(0.0), np.float64(0.1)


def turned(vain: float, steering: Any, *, circles: bool, speed: float, wheel: float = 2.0) -> float:
    numbers = (np.float64(each) for each in (speed, wheel, 3.0, DT))
    speed, wheel, mass, dt = numbers
    forward = (np.float64(1.0), ZERO)
    force = tuple(map(np.float64, steering))
    return float(low_speed_turn.turned_in_vain(np.float64(vain), force, forward, circles, speed, wheel, mass, dt))


def test_a_way_straight_on_takes_off_the_angle_and_no_more_than_all_of_it() -> None:
    """1 / (2 r) per meter: 4 m/s for 0.1 s, r = 2 m, are 0.1 rad; 0.05 rad become 0, and not a way to be driven."""
    assert turned(0.5, (6.0, 0.0), circles=False, speed=4.0) == pytest.approx(0.4)
    assert turned(0.05, (6.0, 0.0), circles=False, speed=4.0) == 0.0
    assert turned(0.0, (6.0, 0.0), circles=True, speed=4.0) == 0.0


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_turn_to_either_side_adds_to_it(side: float) -> None:
    """A force of 24 N turns 3 kg at 4 m/s by 2 rad/s, less 1 rad/s for the way."""
    assert turned(0.5, (-6.0, side * 24.0), circles=True, speed=4.0) == pytest.approx(0.6)
    assert turned(0.5, (-6.0, side * 24.0), circles=True, speed=0.0) == 0.5
    after = turned_in_vain(np.float64(0.5), np.float64(1.5), np.float64(side * 2.0), DT)
    assert float(after) == pytest.approx(0.7)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_walker_that_circled_goes_straight_on_as_far_as_its_circle_is_wide(side: float) -> None:
    numbers = np.float64(1.5), np.float64(side * 2.0), DT
    after = float(turned_in_vain(np.float64(2 * math.pi), *numbers))
    assert after == pytest.approx(-1.5)  # 2 m/s / (rad/s)
    assert float(turned_in_vain(np.float64(after), *numbers)) == pytest.approx(-1.35)
    assert float(turned_in_vain(np.float64(-0.1), *numbers)) == 0.0


@pytest.mark.parametrize("law", ["fade", "cone"])
def test_one_that_wanders_off_its_way_and_back_never_drives_away_from_its_goal(law: str) -> None:
    """A vehicle that never circles keeps an angle of zero: below it, it would drive straight on, whatever is asked for."""
    vehicles = sm.Vehicles([[0.0, 0.0]], [[3.0, 0.0]], max_speed=3.0, max_force=9.0, dtype=np.float64)
    asked = np.zeros((1, 2))
    world = sm.World(dt=0.05, threads=1)
    body = sm.PointMass(limits=[sm.LowSpeedTurn(0.5, law=law)])
    world.add(vehicles, steering=lambda _: asked, locomotion=body)
    world.run(seconds=2)
    asked[0] = 0.0, 6.0
    world.step()
    assert vehicles.velocity[0, 1] == pytest.approx(0.3, rel=0.01)
