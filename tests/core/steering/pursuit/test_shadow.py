"""Shadow: approach, then the same heading and speed."""

import numpy as np

import steersman as sm


def test_it_approaches_and_goes_along() -> None:
    quarry = sm.Vehicles([[0.0, 0.0]], [3.0, 2.0], max_speed=4.0, dtype=np.float64)
    shade = sm.Vehicles(
        [[-40.0, 30.0], [1.0, 1.0]], [[0.0, -5.0], [0.0, 0.0]], max_speed=9.0, max_force=30.0, dtype=np.float64
    )
    world = sm.World(dt=1 / 60, threads=1)
    world.add(quarry, name="quarry", steering=None)
    world.add(shade, name="shade", steering=sm.Shadow(quarry, distance=6.0))
    least = np.inf
    for _ in range(900):
        world.step()
        least = min(least, float(np.hypot(*(shade.position[0] - quarry.position[0]))))
    np.testing.assert_allclose(shade.velocity, [[3.0, 2.0]] * 2, atol=0.01)
    np.testing.assert_allclose(np.hypot(*(shade.position[0] - quarry.position[0])), 6.0, atol=0.05)
    assert least > 5.9, "it must not overshoot its distance"


def test_the_law_by_hand() -> None:
    """10 m away, 4 m to keep: 6 m are left of 12, so half of 5 m/s comes on top of the quarry's velocity."""
    steering = sm.laws.shadow([0.0, 0.0], [1.0, 1.0], [10.0, 0.0], [0.0, 2.0], 5.0, distance=4.0, slowing_distance=12.0)
    np.testing.assert_allclose(steering, [1.5, 1.0])
    within = sm.laws.shadow([7.0, 0.0], [1.0, 1.0], [10.0, 0.0], [0.0, 2.0], 5.0, distance=4.0, slowing_distance=12.0)
    np.testing.assert_allclose(within, [-1.0, 1.0])
