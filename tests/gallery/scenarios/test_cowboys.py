"""What the cowboys of the scenario do, beside what its check says of a whole run."""

import numpy as np
import pytest

import steersman as sm
from steersman.gallery.scenarios.cowboys import TrailBoss


@pytest.mark.parametrize(
    ("rider", "place"),
    [
        ([50, 0], [44, 0]),  # He is behind it, as seen from the camp: close up.
        ([40 + 6 * np.cos(0.6), 6 * np.sin(0.6)], [44, 0]),
        ([40 + 6 * np.cos(1.0), 6 * np.sin(1.0)], [40 + 10 * np.cos(0.3), 10 * np.sin(0.3)]),  # Around it, not into it.
        ([40 + 6 * np.cos(2.0), -6 * np.sin(2.0)], [40 + 10 * np.cos(1.3), -10 * np.sin(1.3)]),
        ([30, 0], [40 + 10 * np.cos(np.pi - 0.7), 10 * np.sin(np.pi - 0.7)]),
    ],
)
def test_a_cowboy_rides_around_a_stray_and_comes_close_from_behind(rider, place):
    cattle, cowboys = sm.Vehicles([[0, 0], [40, 0]]), sm.Vehicles([[9, 9], rider])
    boss = TrailBoss(cattle, cowboys)
    boss.errands = np.array([-1, cattle.id[1]])
    assert boss.busy(cowboys).tolist() == [False, True]
    np.testing.assert_allclose(boss.behind()[1], place, atol=1e-4)
