"""Cars that start within a wide clearance leave it, although their goal is on the other side of the obstacle."""

import numpy as np
import pytest

import steersman as sm


def deepened(body, dt, dtype, clearance=4.0, radius=8.0, d=2):
    """How much deeper 200 cars get than where they start, and how deep they are within the clearance after 20 s [m]."""
    n, rng = 200, np.random.default_rng(77)
    out = np.zeros((n, d))
    out[:, :2] = rng.standard_normal((n, 2))
    out /= np.linalg.norm(out, axis=1)[:, None]
    along = np.zeros((n, d))
    along[:, :2] = rng.standard_normal((n, 2))
    along /= np.linalg.norm(along, axis=1)[:, None]
    along -= np.minimum((along * out).sum(axis=1), 0)[:, None] * out  # Nobody starts inward.
    goal = np.zeros((n, d))
    goal[:, :2] = rng.standard_normal((n, 2))
    goal *= 20 / np.linalg.norm(goal, axis=1)[:, None]
    place = out * (radius + 0.5 + rng.uniform(0.02, 0.98 * clearance, n))[:, None]
    cars = sm.Vehicles(place, velocity=2 * along, max_speed=6.0, max_force=12.0, radius=0.5, dtype=dtype)
    rock = sm.Spheres([[0.0] * d], [radius])
    world = sm.World(dt=dt, threads=1)
    steering = sm.Priority([sm.AvoidObstacles(rock, clearance=clearance), sm.Seek(goal)])
    world.add(cars, steering=steering, locomotion=body)
    start = np.linalg.norm(place, axis=1)
    least = now = start
    for _ in range(round(20 / dt)):
        world.step()
        now = np.linalg.norm(cars.position.astype(float), axis=1)
        least = np.minimum(least, now)
    return (start - least).max(), (radius + 0.5 + clearance - now).max()


@pytest.mark.parametrize(("dt", "dtype"), [(1 / 20, np.float64), (1 / 30, np.float32), (1 / 240, np.float32)])
@pytest.mark.parametrize(
    "body", [sm.Wheeled(turning_radius=1.0), sm.Wheeled(turning_radius=3.0), sm.Wheeled(wheelbase=1.0)], ids=repr
)
@pytest.mark.parametrize(("clearance", "radius"), [(2.0, 3.0), (4.0, 8.0)])
def test_cars_drive_out_of_a_clearance_although_they_have_begun_to_turn_into_it(body, dt, dtype, clearance, radius):
    deeper, left = deepened(body, dt, dtype, clearance, radius)
    assert deeper < body.turning_radius / 4  # Half of the clearance, 1 and 2 m, before.
    assert left < 0.2 or body.wheelbase  # Bicycles that start deep inside may stay there: see docs/faults.md.


def test_cars_in_space_drive_out_likewise():
    assert deepened(sm.Wheeled(turning_radius=2.0), 1 / 60, np.float32, d=3)[0] < 0.5
