"""Notes: shapes with words that tell what a picture is about; and vehicles that are drawn to scale."""

import dataclasses
import json

import numpy as np
import pytest

import steersman as sm
from steersman.core.maths.shapes import Shape
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.elements import Glyphs, Lines, Texts, of_kind
from steersman.drawing.palette import ROLES, rgb, rgba
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.packing import frame_of, scene_of
from steersman.studio.viewer.simulation import Simulation

RING = sm.shapes.Circle(np.array([20.0, 20]), 5, role="guide", label="slows down here")


def stage(**about):
    world = sm.World(domain=sm.Box([100, 60]))
    vehicles = world.add(sm.Vehicles([[50, 30], [60, 30]], radius=0.5, max_speed=1), name="one").vehicles

    def sight():
        yield sm.shapes.segment(vehicles.position[:1], vehicles.position[1:], role="danger", label="seen")
        yield sm.shapes.Circle(vehicles.position[:0], 3, label="of none")

    return sm.Stage(world, seconds=1, notes=[RING, sight], **about)


def words_in(contents):
    return {word: each.color for each in of_kind(describe(contents).elements, Texts) for word in each.words}


def test_notes_are_drawn_below_the_vehicles_in_the_colors_of_their_roles():
    told = stage()
    assert words_in(contents_of(told)) == {
        "slows down here": rgb(ROLES["construction"][0]),
        "seen": rgb(ROLES["danger"][0]),
    }
    elements = describe(contents_of(told)).elements
    (line,) = [each for each in of_kind(elements, Lines) if tuple(each.color) == rgba(ROLES["danger"][0])]
    np.testing.assert_allclose(line.points[0], [[50, 30], [60, 30]])
    assert line.layer < min(each.layer for each in of_kind(elements, Glyphs))
    axes = sm.draw(told)
    assert {"slows down here", "seen"} <= {text.get_text() for text in axes.texts}


def test_notes_of_the_moment_follow_the_vehicles():
    told = stage()
    told.world["one"].position = [[50, 30], [80, 50]]
    (note, _) = contents_of(told).moving_notes
    np.testing.assert_allclose(note.points[0][1], [80, 50])


def test_the_view_has_room_for_notes_that_stay():
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]], max_speed=1), name="one")
    seen = describe(contents_of(sm.Stage(world, notes=[sm.shapes.Cross(np.array([40.0, 7]))])))
    assert seen.low[0] < 0
    assert seen.high[0] > 40


@pytest.mark.parametrize("notes", [3, [3], [RING, "ring"]])
def test_other_notes_are_refused(notes):
    with pytest.raises(TypeError, match=r"^notes must be"):
        sm.Stage(sm.World(), notes=notes)


def test_the_page_is_told_those_that_stay_and_those_of_the_moment():
    """The first with the scene, for they may lie in a replay; the others again and again."""
    told = stage()
    words = [word for each in scene_of(contents_of(told), {})["elements"] for word in each.get("words", ())]
    assert words == ["slows down here"]
    sent = Simulation(told).sent
    assert [word for each in json.loads(sent["notes"])["elements"] for word in each.get("words", ())] == ["seen"]
    assert "notes" not in Simulation(sm.Stage(sm.World(), notes=[RING])).sent


NOTED = (
    "cowboys", "dead_end", "docking", "formation", "gait", "interpose", "leader_following",
    "low_speed_turn", "naive_pursuit", "patrol", "rts_orders", "sneaking", "soccer",
)  # fmt: skip


@pytest.mark.parametrize("name", NOTED)
def test_scenarios_open_with_what_their_story_is_about(name):
    for n in (1, SCENARIOS[name].n):
        told = SCENARIOS[name].stage(n=n)
        shapes = (*contents_of(told).notes, *told.moving_notes())
        assert shapes
        assert all(isinstance(each, Shape) for each in shapes)
        describe(contents_of(told))


def lengths(told):
    return {each.shape: each for each in of_kind(describe(contents_of(told)).elements, Glyphs)}


def test_vehicles_to_scale_are_no_longer_than_their_bodies():
    usual, to_scale = lengths(stage()), lengths(stage(picture=sm.Picture(to_scale=True)))
    assert usual["dart"].size[0] > 1.0
    assert to_scale["dart"].size[0] < 1.0
    body = to_scale["ball"]
    assert body.size.tolist() == [1.0, 1.0]
    assert body.rim is not None
    told = stage(picture=sm.Picture(to_scale=True))
    scene = scene_of(contents_of(told), {})
    head = frame_of(contents_of(told), 2 * scene["reach"], {})
    assert b'"broad":true' in head


def test_a_ball_is_as_wide_as_its_body():
    contents = dataclasses.replace(contents_of(stage()), style=sm.Picture(glyphs="ball"))
    (ball,) = [each for each in of_kind(describe(contents).elements, Glyphs) if each.name]
    assert ball.shape == "ball"
    assert ball.size[0] == pytest.approx(1.1), "or so wide that it can be seen"
