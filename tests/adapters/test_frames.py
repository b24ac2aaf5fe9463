"""Frames: the motions of populations that are not in every frame."""

import numpy as np

import steersman as sm
from steersman.adapters.frames import Frame, motions_of, rows_of


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
