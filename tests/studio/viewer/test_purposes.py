"""The purposes of behaviors, as ends of sentences."""

import re

import pytest

import steersman as sm
from steersman.core.steering.behavior import Behavior
from steersman.studio.viewer.purposes import PURPOSES, purpose_of

BEHAVIORS = [name for name in sm.__all__ if isinstance(each := getattr(sm, name), type) and issubclass(each, Behavior)]


@pytest.mark.parametrize("name", BEHAVIORS)
def test_each_behavior_has_a_purpose_that_ends_a_sentence(name):
    behavior = object.__new__(getattr(sm, name))
    words = purpose_of(behavior)
    assert re.fullmatch(r"[a-z][^.;:()]{4,90}", words), words


def test_purposes_are_those_of_behaviors():
    assert set(PURPOSES) <= {*BEHAVIORS, "Function"}


def test_of_behaviors_with_parts_those_have_one_that_choose_another_motion():
    assert purpose_of(object.__new__(sm.ORCA), parts=True) == "without meeting others"
    assert purpose_of(sm.Priority([sm.Seek((0, 0))]), parts=True) == ""


def test_a_behavior_of_a_user_has_the_purpose_of_its_docstring():
    class Orbit(sm.Seek):
        """Circle around a point: at a distance, and at a speed."""

    assert purpose_of(Orbit((0, 0))) == "circle around a point"
    assert purpose_of(lambda vehicles: 0) == ""
