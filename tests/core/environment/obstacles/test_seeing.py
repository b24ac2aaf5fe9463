"""The first contact is seen, and how far it is to the first of all is kept: whichever set is looked at first."""

import numpy as np
import pytest

from steersman.core.environment.obstacles.answers import Hits, new_sight
from steersman.core.environment.obstacles.seeing import STEADY, see_contact
from steersman.core.kernels.call import Call


def test_a_contact_is_seen_where_it_is_nearer_than_the_sight_so_far_and_the_free_way_is_the_shortest() -> None:
    """Nothing seen before; a sphere whose middle is farther, and which is touched later or sooner; one that is nearer."""
    sight = new_sight(5, 2, np.float64)
    sight.order[:], sight.free[:] = [np.inf, 9.0, 9.0, 2.0, 9.0], [np.inf, 7.0, 1.0, 1.0, 7.0]
    sight.which[:] = [-1, 3, 3, 3, 3]
    hits = Hits(np.array([4.0, 4.0, 4.0, 4.0, 4.0]), tuple(np.tile([[0.6], [0.8]], 5)), np.array([12, 11, 12, 12, -1]))
    radius, size, group = np.full(5, 0.5), np.array([5.0, 2.0, 3.0]), np.array([0, 1, 1])
    Call(see_contact, (np.ones(5, np.uint8), radius, hits, size, group, 10, sight)).run(5)
    assert sight.order.tolist() == [4.0, 4.0, 4.0, 2.0, 9.0]
    assert sight.free.tolist() == [4.0, 4.0, 1.0, 1.0, 7.0]
    assert sight.which.tolist() == [11, 11, 11, 3, 3]
    assert sight.touch[:3].tolist() == [4.0] * 3
    np.testing.assert_allclose(np.stack(sight.away)[:, :3].T, np.outer([3.0, 2.0, 3.0], [0.6, 0.8]))
    assert sight.room[:3] == pytest.approx(float(STEADY) * np.array([3.0, 2.0, 3.0]))
    assert sight.bend[:3].tolist() == [3.5, 2.5, 3.5]
