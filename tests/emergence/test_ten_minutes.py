"""Every behavior of the catalogue, with its defaults and nothing else, does what its page promises for ten minutes.

Alone and among others; nobody trembles, stands for ever where it should go, or runs away.
"""

import numpy as np
import pytest
from emergence.living.lives import HABITS
from emergence.living.place import Place

from steersman.core.steering.registry import BEHAVIORS


def test_every_behavior_has_a_life():
    assert set(HABITS) == set(BEHAVIORS)


@pytest.mark.parametrize(("n", "d"), [(1, 2), (20, 2), (20, 3)])
@pytest.mark.parametrize("name", HABITS)
def test_it_keeps_its_promise_for_ten_minutes(name, n, d):
    habit = HABITS[name]
    place = Place(n, d, torus=habit.torus)
    life = place.live(habit.steering(place), habit.body)
    assert np.isfinite(life.position).all()
    assert life.speed.max() <= 4.0 * (1 + 1e-5)
    broken = [words for words, holds in habit.promise(life) if not holds]
    assert not broken
    assert life.sharp_turns <= habit.sharp
    assert life.jitter <= habit.jitter
