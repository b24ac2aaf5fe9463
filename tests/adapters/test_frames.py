"""Frames: the motions of populations that are not in every frame."""

import numpy as np

import steersman as sm
from steersman.adapters.frames import Frame, motions_of, rows_of, shape_lengths


def test_a_population_that_is_missing_or_empty_in_a_frame_stays_where_it_was():
    vehicles = sm.Vehicles([[1.0, 2.0], [3.0, 4.0]])
    nobody = sm.Vehicles(np.zeros((0, 2)))
    frames = [
        Frame(0.0, {}),
        Frame(0.5, {"a": rows_of(vehicles)}),
        Frame(1.0, {"a": rows_of(nobody)}),
        Frame(1.5, {}),
    ]
    motion = motions_of(frames)["a"]
    np.testing.assert_array_equal(motion.there, [[False, False], [True, True], [False, False], [False, False]])
    np.testing.assert_allclose(motion.position, np.broadcast_to([[1, 2, 0], [3, 4, 0]], (4, 2, 3)))
    np.testing.assert_array_equal(motion.velocity[2:], 0)


def test_shapes_are_twice_the_radius_long_and_of_points_a_meter():
    motion = motions_of([Frame(0.0, {"a": rows_of(sm.Vehicles([[0, 0], [1, 1]], radius=[0.75, 0.0]))})])["a"]
    assert shape_lengths(motion, None).tolist() == [1.5, 1]
    assert shape_lengths(motion, 3.0).tolist() == [3, 3]
