"""Shapes of sketches and notes as messages: arrows and crosses that are equally large at any distance."""

import base64

import numpy as np
import pytest

import steersman as sm
from steersman.core.maths.shapes import Arrow, Circle, Cross, Line, ScaledArrow
from steersman.core.world.sketching import Sketch
from steersman.drawing.sketches import LOOKS
from steersman.studio.viewer.element_messages import BELOW, note_messages, traced_messages
from steersman.studio.viewer.simulation import Simulation


def sketch(*shapes):
    return Sketch(3, "Seek", 0, True, np.array([0]), shapes)


def numbers(message, name):
    return np.frombuffer(base64.b64decode(message[name]["f32"]), np.float32)


@pytest.mark.parametrize("d", [2, 3])
def test_arrows_are_places_with_a_width_in_points_whatever_the_unit(d):
    tail, tip = np.eye(d)[:1], 3 * np.eye(d)[:1]
    arrow = Arrow(np.concatenate([tail, tail]), np.concatenate([tip, tail]), role="target", label="there")
    for unit in (0.1, 10.0):
        (one, _, made), (*_, words) = traced_messages([sketch(arrow)], unit, 1.0)
        assert (one.key, made["kind"], made["fixed"]) == (3, "arrows", True)
        np.testing.assert_array_equal(numbers(made, "tails"), tail[0])  # That without a length is left out.
        np.testing.assert_array_equal(numbers(made, "tips"), tip[0])
        np.testing.assert_allclose(numbers(made, "width"), LOOKS["target"].width)
        assert words.words == ("there",)


def test_velocities_are_as_long_as_their_way_in_so_many_seconds():
    (made,) = [each for *_, each in traced_messages([sketch(ScaledArrow([1, 2], [3, 0], role="desired"))], 0.1, 2.0)]
    np.testing.assert_array_equal(numbers(made, "tips"), [7, 2])


def test_crosses_are_marks_and_other_shapes_elements():
    made = [each for *_, each in traced_messages([sketch(Cross([1, 2], role="chosen"), Circle([0, 0], 4.0))], 0.1, 1.0)]
    (cross,) = [each for each in made if isinstance(each, dict)]
    assert (cross["kind"], cross["shape"]) == ("marks", "cross")
    np.testing.assert_array_equal(numbers(cross, "position"), [1, 2])
    assert len(made) > 1


def test_guides_of_notes_are_smaller_and_lighter_than_constructions():
    own, noted = (
        Cross([1, 2], role="guide"),
        note_messages([Cross([1, 2], role="guide"), Line([[[0, 0], [1, 1]]])], 0.1),
    )
    (*_, usual) = next(traced_messages([sketch(own)], 0.1, 1.0))
    cross, line = sorted(noted, key=lambda each: each["kind"], reverse=True)
    assert numbers(cross, "size") < numbers(usual, "size")
    assert numbers(cross, "color").sum() > numbers(usual, "color").sum()
    assert numbers(line, "color")[3] < 1


def test_faces_of_notes_are_faint_as_several_may_overlap():
    (face, _), (usual, _) = (
        note_messages([Circle([0, 0], 4.0, role="danger")], 0.1),
        [each for *_, each in traced_messages([sketch(Circle([0, 0], 4.0, role="danger"))], 0.1, 1.0)],
    )
    assert face["kind"] == "areas"
    assert face["opacity"] < 0.5 * usual.opacity


def test_notes_lie_below_vehicles_in_the_plane_but_for_their_words():
    flat = note_messages([Arrow([0, 0], [5, 0], label="this way"), Cross([np.nan, 0])], 0.1)
    assert [(each["kind"], each["layer"] <= BELOW) for each in flat] == [("arrows", True), ("texts", False)]
    (solid,) = note_messages([Cross([0, 0, 1])], 0.1)
    assert solid["layer"] > BELOW
    assert note_messages([], 0.1) == []


def test_resources_are_sent_anew_whenever_some_has_been_taken(monkeypatch):
    grass, said = sm.Resources([[5.0, 5.0]], 3.0), []
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0.0]]))
    shown = Simulation(sm.Stage(world, seconds=1, scenery={"grass": grass}))
    monkeypatch.setattr(shown, "say", lambda kind, message: said.append(kind))
    sent = []
    for amount in (3.0, 2.0, 1.0, 1.0):
        grass.amount = [amount]
        said.clear()
        shown.publish(whole=True)
        sent.append("scenery" in said)
    assert sent == [False, True, True, False]
