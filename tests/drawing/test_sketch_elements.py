"""Sketches as elements."""

import numpy as np
import pytest

from steersman.core.maths.shapes import ROLES, Circle, Cross, Line, ScaledArrow, Sector, segment
from steersman.core.world.sketching import Sketch
from steersman.drawing.elements import Areas, Lines, Texts
from steersman.drawing.palette import rgb, rgba
from steersman.drawing.sketch_elements import ASLEEP, labeled, legend_of, plain, sketch_elements
from steersman.drawing.sketches import LOOKS


def sketch(*shapes, acts=True):
    return Sketch("root", "Seek", 0, acts, np.array([0]), shapes)


ARROW = ScaledArrow([0, 0], [2, 0], role="part", label="Seek")


def test_a_shape_is_faces_below_and_lines_tips_and_words_above():
    face, rim = sketch_elements([sketch(Circle([1, 2], 3.0, role="range"))], 0.1, 1.0)
    assert (type(face), face.layer, face.face, face.opacity) == (Areas, 2.6, rgb(LOOKS["range"].color), 0.1)
    assert (type(rim), rim.layer, rim.color) == (Lines, 5.0, rgba(LOOKS["range"].color))
    shaft, tip, word = sketch_elements([sketch(ARROW)], 0.1, 3.0)
    assert (shaft.layer, tip.layer, word.layer) == (5.0, 5.1, 6.0)
    np.testing.assert_allclose(tip.rings[0][0], [6, 0])
    assert (type(word), word.words, word.opacity) == (Texts, ("Seek",), 1.0)


def test_what_a_node_does_not_claim_is_faint_but_for_what_is_about_the_whole_tree():
    whole = [ScaledArrow([0, 0], [1, 0], role=role) for role in ("velocity", "desired", "steering")]
    for each in sketch_elements([sketch(*whole, acts=False)], 0.1, 1.0):
        assert (each.color[3] if isinstance(each, Lines) else each.opacity) == 1
    claimed, unclaimed = (list(sketch_elements([sketch(ARROW, acts=acts)], 0.1, 1.0)) for acts in (True, False))
    assert [each.opacity for each in claimed[1:]] == [1, 1]
    assert [each.opacity for each in unclaimed[1:]] == [ASLEEP, 1], "words are as dark as others"
    assert (claimed[0].color[3], unclaimed[0].color[3]) == (1, ASLEEP)


def test_the_most_telling_roles_lie_on_top():
    shapes = [Cross([0, 0], role=role) for role in ROLES if role not in ("steering", "part")]
    colors = [each.color for each in sketch_elements([sketch(*shapes)], 0.1, 1.0)]
    assert colors == [rgba(LOOKS[each.role].color) for each in reversed(shapes)]


def test_forces_can_be_left_out():
    told = [sketch(ARROW, ScaledArrow([0, 0], [1, 0], role="steering"), Line([[0, 0], [1, 1]], role="target"))]
    (only,) = sketch_elements(told, 0.1, 1.0, forces=False)
    assert only.color == rgba(LOOKS["target"].color)
    assert [words for _, words in legend_of(told)] == [ROLES[role] for role in ("steering", "part", "target")]
    assert legend_of(told, forces=False) == [(LOOKS["target"], ROLES["target"])]


@pytest.mark.parametrize("seconds", [1.0, 2.5])
def test_the_steering_leads_from_the_velocity_toward_the_desired_one(seconds):
    """Half of the way, where half of what is asked for is granted; also of several vehicles, and of one at rest."""
    at, now, wish = np.array([[0, 0], [5, 5]]), np.array([[3, 0], [0, 0]]), np.array([[1, 4], [2, 2]])
    arrows = [
        ScaledArrow(at, now, role="velocity"),
        ScaledArrow(at, wish, role="desired"),
        ScaledArrow(at, (wish - now) / 2 / 0.25, "N", 0.25, role="steering"),
    ]
    made = list(sketch_elements([sketch(*arrows)], 0.1, seconds))
    color = rgba(LOOKS["steering"].color)
    (shafts,) = (each for each in made if isinstance(each, Lines) and each.color == color)
    (heads,) = (each for each in made if isinstance(each, Areas) and each.face == color[:3])
    np.testing.assert_allclose([shaft[0] for shaft in shafts.points], at + seconds * now)
    np.testing.assert_allclose([head[0] for head in heads.rings], at + seconds * (now + wish) / 2)


def test_steering_without_a_velocity_begins_at_the_vehicle():
    (shaft, _) = sketch_elements([sketch(ScaledArrow([1, 2], [2, 0], role="steering"))], 0.1, 1.0)
    np.testing.assert_allclose(shaft.points[0][0], [1, 2])


def test_looks_can_be_others():
    looks = LOOKS | {"target": LOOKS["target"]._replace(color="#123456", width=7.0, dashed=True)}
    told = [sketch(Cross([0, 0], role="target"))]
    (lines,) = sketch_elements(told, 0.1, 1.0, looks)
    assert (lines.color, lines.width, lines.dash) == (rgba("#123456"), 7.0, (3.0, 2.0))
    assert legend_of(told, looks)[0][0].color == "#123456"


@pytest.mark.parametrize("unit", [0.1, 2.0])
def test_crosses_are_as_large_as_the_unit(unit):
    (lines,) = sketch_elements([sketch(Cross([0, 0], role="target"))], unit, 1.0)
    assert np.ptp(lines.points[0][:, 0]) == pytest.approx(0.9 * unit)


def test_the_first_shape_of_a_role_is_labeled_once_in_each_sketch():
    first = sketch(Cross([[1, 1]], role="target"), ScaledArrow([0, 0], [1, 0], role="velocity", label="v"))
    second = sketch(
        Cross([[2, 1]], role="target"), Circle([1, 2], 3.0, role="range"), Cross([[3, 1]], role="predicted")
    )
    view = Sector([[0, 0]], [[1, 0]], 13.0, 2.0)
    labels = [[shape.label for shape in each.shapes] for each in labeled([first, second, sketch(view)])]
    assert labels == [
        ["where to go", "v"],
        ["where to go", "how far it looks", "predicted position"],
        ["looks 13 m far (seek)"],
    ]


def test_what_a_node_reacts_to_is_labeled_by_its_name_where_that_is_known():
    ring = sketch(Circle([1, 2], 3.0, role="chosen"), Circle([4, 2], 3.0, role="chosen"))
    found = labeled([ring, ring._replace(key=7)], {ring.key: ("dog",), 7: ()})
    assert [[shape.label for shape in each.shapes] for each in found] == [["dog", ""], ["reacts to this", ""]]


def test_a_place_that_a_node_leads_to_is_labeled_by_its_name_where_that_is_known():
    goal = sketch(Cross([1, 2], role="target"), Circle([1, 2], 3.0, role="chosen"))
    found = labeled([goal, goal._replace(key=7)], goals={goal.key: "lamp", 7: ""})
    assert [[each.label for each in one.shapes] for one in found] == [
        ["lamp", "reacts to this"],
        ["where to go", "reacts to this"],
    ]


@pytest.mark.parametrize(
    ("label", "words"),
    [("chase: AvoidObstacles", "avoid obstacles"), ("ORCA", "ORCA"), ("keep to the Left", "keep to the Left")],
)
def test_names_of_classes_are_told_as_words(label, words):
    assert plain(label) == words


def test_each_shape_has_a_meaning_and_a_label_is_written_once():
    """A shape with a meaning alone stays without a label; of several that a node reacts to, each has its own word."""
    shapes = (
        Cross([1, 2], label="its slot"),
        segment([0, 0], [1, 2], "target", means="its slot"),
        segment([0, 0], [3, 3], means="line of sight"),
        Circle([np.nan, 2], 3.0, role="chosen"),  # Nothing to see: the word is left for the next one.
        Circle([1, 2], 3.0, role="chosen"),
        Circle([4, 2], 3.0, role="chosen"),
        Circle([1, 2], 3.0, role="danger"),
    )
    one = sketch(*shapes)
    (made,) = labeled([one], {one.key: ("dog", "wolf")})
    words = ["its slot", "its slot", "line of sight", "dog", "dog", "wolf", "danger area"]
    assert [each.means for each in made.shapes] == words
    assert [each.label for each in made.shapes] == ["its slot", "", "", "", "dog", "wolf", "danger area"]
