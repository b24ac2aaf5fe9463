"""Every behavior of the catalogue, with its defaults and nothing else, does what its page promises for ten minutes.

Alone or among others, as its name chooses, and a Pipeline for two minutes (with STEERSMAN_ALL=1 both, for ten); nobody
trembles, stands for ever where it should go, or runs away.
"""

import numpy as np
import pytest
from emergence.living.lives import HABITS
from emergence.living.place import MINUTES, Place
from sampling import EVERYTHING, drawn

from steersman.core.steering.registry import BEHAVIORS


def test_every_behavior_has_a_life():
    assert set(HABITS) == set(BEHAVIORS)


COMPANIES = [(1, 2), (20, 2), (20, 3)]
"""Numbers of vehicles and dimensions."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "n", "d"), [(name, *each) for name in HABITS for each in drawn(COMPANIES, 1, name)])
def test_it_keeps_its_promise_for_ten_minutes(name, n, d):
    habit = HABITS[name]
    place = Place(n, d, torus=habit.torus)
    life = place.live(habit.steering(place), habit.body, MINUTES if EVERYTHING else habit.minutes)
    assert np.isfinite(life.position).all()
    assert life.speed.max() <= 4.0 * (1 + 1e-5)
    broken = [words for words, holds in habit.promise(life) if not holds]
    assert not broken
    assert life.sharp_turns <= habit.sharp
    assert life.jitter <= habit.jitter
