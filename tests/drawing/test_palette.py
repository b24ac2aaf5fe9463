"""The palette: what can be read and seen on light and on dark paper, and whose colors nobody else has."""

from itertools import combinations, product

import numpy as np
import pytest

from steersman.core.maths.shapes import ROLES as SHAPE_ROLES
from steersman.drawing import palette
from steersman.drawing.looks import MATERIALS
from steersman.drawing.palette import MARKS, POPULATIONS, RAMP, ROLES, TONES, WHEEL, WORDS, contrast, over, rgb
from steersman.drawing.sketch_elements import ASLEEP
from steersman.drawing.sketches import LOOKS

PAPERS = ("sheet", "paper", "card")
NUMBERS = dict(enumerate((*RAMP, *WHEEL)))
BOTH = pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])


def least(color, mode):
    """The contrast of a color with the paper on which it is worst seen."""
    return min(contrast(rgb(color), rgb(TONES[paper][mode])) for paper in PAPERS)


@BOTH
def test_words_can_be_read(mode):
    words = {**WORDS, **{name: pair for name, pair in ROLES.items() if name != "construction"}}
    assert {name: least(pair[mode], mode) for name, pair in words.items() if least(pair[mode], mode) < 4.5} == {}


@BOTH
def test_marks_can_be_seen(mode):
    marks = {**POPULATIONS, **ROLES, **MARKS, **NUMBERS}
    assert {name: least(pair[mode], mode) for name, pair in marks.items() if least(pair[mode], mode) < 3} == {}


@BOTH
def test_what_does_not_act_can_be_seen(mode):
    """The lines of parts that another one keeps from acting are faint, and nested ones no fainter than that."""
    sheet = rgb(TONES["sheet"][mode])
    seen = {name: contrast(over(rgb(pair[mode]), ASLEEP, sheet), sheet) for name, pair in ROLES.items()}
    assert {name: value for name, value in seen.items() if value < 3} == {}


@BOTH
@pytest.mark.parametrize("ground", [*MATERIALS, "meadow", "road", "ground"])
def test_marks_of_a_sketch_can_be_seen_on_every_ground(ground, mode):
    """Crosses, rings, lines and arrows of each role."""
    on = rgb(TONES[ground][mode])
    seen = {name: contrast(rgb(pair[mode]), on) for name, pair in ROLES.items()}
    assert {name: value for name, value in seen.items() if value < 3} == {}


def oklab(color):
    """A color in OKLab (Ottosson 2020), where distances are about as large as they look."""
    red = np.array(rgb(color))
    linear = np.where(red <= 0.04045, red / 12.92, ((red + 0.055) / 1.055) ** 2.4)
    cones = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]) @ linear
    return np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]) @ np.cbrt(cones)


def apart(one, other, mode):
    return float(np.linalg.norm(oklab(one[mode]) - oklab(other[mode])))


@BOTH
def test_nobody_has_the_color_of_a_role(mode):
    near = {
        (role, name): distance
        for (role, one), (name, other) in product(ROLES.items(), POPULATIONS.items())
        if (distance := apart(one, other, mode)) < 0.08
    }
    assert near == {}


@BOTH
@pytest.mark.parametrize("group", [ROLES, POPULATIONS], ids=["roles", "populations"])
def test_colors_of_a_group_differ(group, mode):
    near = {
        (a, b): distance
        for (a, one), (b, other) in combinations(group.items(), 2)
        if (distance := apart(one, other, mode)) < 0.07
    }
    assert near == {}


@BOTH
def test_headings_are_equally_bright(mode):
    assert np.ptp([oklab(pair[mode])[0] for pair in WHEEL]) < 0.06
    steps = [apart(one, other, mode) for one, other in zip(WHEEL, (*WHEEL[1:], WHEEL[0]), strict=True)]
    assert max(steps) < 2 * min(steps)


def test_each_light_color_has_one_dark_color():
    """The page finds the dark color by the light one."""
    lights = [light for light, _ in TONES.values()]
    assert len(set(lights)) == len(lights)
    assert not {dark for _, dark in TONES.values()} & set(lights)


def test_roles_of_sketches_wear_their_colors():
    own = {"part": "steering", "interest": "desired", "range": "construction", "guide": "construction"}
    assert {role: LOOKS[role].color for role in SHAPE_ROLES} == {
        role: ROLES[own.get(role, role)][0] for role in SHAPE_ROLES
    }


def test_contrast():
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)
    assert contrast((1, 1, 1), (0.5, 0.5, 0.5)) == pytest.approx(3.98, abs=0.01)
    assert over((0, 0, 0), 0.25, (1, 1, 1)) == (0.75, 0.75, 0.75)


def test_the_module_of_the_page_has_all_colors():
    text = palette.theme_module()
    assert all(f'"{name}": ["{light}", "{dark}"],' in text for name, (light, dark) in TONES.items())
