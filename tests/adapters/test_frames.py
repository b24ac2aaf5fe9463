"""Frames: the motions of populations that are not in every frame."""

import numpy as np
import pytest

import steersman as sm
from steersman.adapters.frames import Frame, frames_of, linear, motions_of, rows_of, shape_lengths


def test_a_population_that_is_missing_or_empty_in_a_frame_stays_where_it_was():
    vehicles = sm.Vehicles([[1.0, 2.0], [3.0, 4.0]])
    nobody = sm.Vehicles(np.zeros((0, 2)))
    frames = [Frame(0.0, {}), Frame(0.5, {"a": rows_of(vehicles)}), Frame(1.0, {"a": rows_of(nobody)}), Frame(1.5, {})]
    motion = motions_of(frames)["a"]
    np.testing.assert_array_equal(motion.there, [[False, False], [True, True], [False, False], [False, False]])
    np.testing.assert_allclose(motion.position, np.broadcast_to([[1, 2, 0], [3, 4, 0]], (4, 2, 3)))
    np.testing.assert_array_equal(motion.velocity[2:], 0)


@pytest.mark.parametrize(("dt", "seconds", "every"), [(0.1, 0.3, 0.1), (0.07, 0.49, 0.14), (0.01, 0.29, None)])
def test_frames_are_so_far_apart_from_the_first_moment_on(dt, seconds, every, tmp_path):
    """Of a world and of its recording, whatever the rounding, and where both begin later than at 0 s."""
    world = sm.World(dt=dt)
    world.add(sm.Vehicles([[0.0, 0.0]], [[1.0, 0.0]], max_speed=1.0))
    world.run(steps=7)
    begin, apart = world.time, every or round(1 / 30 / dt) * dt
    with world.record(tmp_path / "run", every=sm.EverySteps(1)):
        found = [each.time for each in frames_of(world, seconds=seconds, every=every)]
    wanted = begin + np.arange(1 + int(seconds / apart + 1e-9)) * apart
    np.testing.assert_allclose(found, wanted)
    run = sm.Run(tmp_path / "run")
    np.testing.assert_allclose([each.time for each in frames_of(run, every=apart)], wanted)
    np.testing.assert_allclose([each.time for each in frames_of(run, seconds=apart, every=apart)], wanted[:2])


def test_linear_light_is_that_of_srgb():
    """IEC 61966-2-1, where its two parts meet; half of full light looks 188 of 255 bright."""
    low, high, half = linear((0.04045, 0.0404501, 188 / 255))
    assert (low, high) == pytest.approx((0.0031308, 0.0031308), rel=1e-3)
    assert half == pytest.approx(0.5, abs=0.004)
    assert linear((0.0, 0.02, 1.0)) == pytest.approx((0, 0.02 / 12.92, 1))


def test_shapes_are_twice_the_radius_long_and_of_points_a_meter():
    motion = motions_of([Frame(0.0, {"a": rows_of(sm.Vehicles([[0, 0], [1, 1]], radius=[0.75, 0.0]))})])["a"]
    assert shape_lengths(motion, None).tolist() == [1.5, 1]
    assert shape_lengths(motion, 3.0).tolist() == [3, 3]
