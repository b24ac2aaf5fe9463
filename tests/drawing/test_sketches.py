"""Sketches in pictures."""

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgb

import steersman as sm
from steersman.core.maths.shapes import ROLES, Arrow, Circle, Cross, Line, Pose, ScaledArrow, Sector, Tube
from steersman.drawing.sketches import LOOKS, as_lines, seconds_of, sketches_of


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def test_every_role_has_a_look():
    assert LOOKS.keys() == ROLES.keys()


@pytest.mark.parametrize(
    ("line", "faces", "tips"),
    [
        ({"closed": True}, 0, 0),
        ({"closed": True, "role": "interest"}, 1, 0),
        ({"closed": True, "role": "interest", "filled": True}, 0, 1),
        ({"role": "interest", "filled": True}, 0, 0),
    ],
    ids=["edge", "area", "filled", "open"],
)
def test_closed_lines_of_areas_have_faces_and_filled_ones_are_full(line, faces, tips):
    found = as_lines(Line([[0, 0], [2, 0], [1, 1]], **line), 0.1)
    assert (len(found.faces), len(found.tips), len(found.lines)) == (faces, tips, 1)


FLAT = {
    "scaled arrow": (ScaledArrow([0, 0], [3, 0]), [0, 6], [0, 0]),
    "arrow": (Arrow([0, 0], [3, 4]), [0, 3], [0, 4]),
    "line": (Line([[0, 0], [1, 2], [5, 1]]), [0, 5], [0, 2]),
    "circle": (Circle([1, 1], 2.0), [-1, 3], [-1, 3]),
    "sector": (Sector([0, 0], [1, 0], 2.0, np.pi), [0, 2], [-2, 2]),
    "whole sector": (Sector([0, 0], [1, 0], 2.0), [-2, 2], [-2, 2]),
    "tube": (Tube([0, 0], [4, 0], 1.5), [0, 4], [-1.5, 1.5]),
    "cross": (Cross([5, 5]), [4.9, 5.1], [4.9, 5.1]),
    "pose": (Pose([5, 5], [1, 0], 0.5), [4.2, 6.3], [4.4, 5.6]),
}


@pytest.mark.parametrize("name", FLAT)
def test_shapes_reach_as_far_as_they_say(name):
    shape, x, y = FLAT[name]
    found = as_lines(shape, 0.1, seconds=2.0)
    points = np.concatenate([*found.lines, *found.faces, *found.tips])
    np.testing.assert_allclose([points[:, 0].min(), points[:, 0].max()], x, atol=0.07)
    np.testing.assert_allclose([points[:, 1].min(), points[:, 1].max()], y, atol=0.07)


@pytest.mark.parametrize("name", FLAT)
def test_shapes_of_space_are_lines_in_space(name):
    shape, _, _ = FLAT[name]
    found = as_lines(shape.lifted(np.array([3.0])), 0.1)
    points = np.concatenate([*found.lines, *found.tips])
    assert points.shape[1] == 3
    assert np.isfinite(points).all()
    assert not found.faces


@pytest.mark.parametrize("size", [0.0, 1.0])
@pytest.mark.parametrize("d", [2, 3])
def test_a_tube_may_have_any_length(size, d):
    found = as_lines(Tube(np.zeros(d), size * np.eye(d)[0], 0.5), 0.1)
    assert all(np.isfinite(each).all() for each in found.lines)
    assert bool(found.lines) == (size > 0)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("role", ["range", "danger", "interest", "guide"])
@pytest.mark.parametrize("d", [2, 3])
def test_closed_lines_around_an_area_in_the_plane_have_a_face(closed, role, d):
    found = as_lines(Line(np.eye(3)[:, :d], role=role, closed=closed), 0.1)
    assert len(found.faces) == (closed and role != "guide" and d == 2)
    assert [len(each) for each in found.lines] == [4 if closed else 3]


def test_words_stand_at_the_ends_of_arrows_that_are_long_enough():
    assert as_lines(Arrow([0, 0], [1, 0], label="there"), 0.01).labels[0][1] == "there"
    long, short = (as_lines(ScaledArrow([0, 0], [size, 0], label="force"), 0.1).labels for size in (1.0, 0.1))
    assert len(long) == 1
    assert not short
    assert not as_lines(Circle(np.zeros((0, 2)), 1, label="none"), 1).lines


def scene(dimensions=2):
    prey = sm.Vehicles(np.array([[30, 20, 5]])[:, :dimensions], np.array([[0, 3, 1]])[:, :dimensions], max_speed=4)
    one = sm.Vehicles(np.array([[5, 5, 5]])[:, :dimensions], np.array([[3, 0, 0]])[:, :dimensions], max_speed=5)
    rocks = sm.Spheres(np.array([[12, 10, 5]])[:, :dimensions], [2])
    world = sm.World()
    world.add(prey, name="prey", steering=sm.Wander())
    world.add(one, name="hunter", steering=sm.Priority([sm.AvoidObstacles(rocks), sm.Pursue(prey)]))
    return world


def drawn_in(axes):
    """The colors of the lines that there are."""
    return {tuple(np.round(color[:3], 3)) for each in axes.collections for color in each.get_edgecolor()}


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_world_is_drawn_with_sketches(dimensions, tmp_path):
    world = scene(dimensions)
    plain, axes = world.draw(), world.draw(tmp_path / "sketch.png", sketch={"hunter": [0]})
    for role in ("velocity", "steering", "range"):
        color = tuple(np.round(to_rgb(LOOKS[role].color), 3))
        assert color in drawn_in(axes)
        assert color not in drawn_in(plain)
    words = [text.get_text() for text in axes.figure.legends[0].get_texts()]
    assert words[0] == ROLES["velocity"]
    assert ROLES["danger"] not in words
    assert (tmp_path / "sketch.png").stat().st_size > 1000


def test_of_whom_is_said_as_for_forces():
    world = scene()
    assert {each.label for each in sketches_of(world, True)} == {"Wander", "Priority", "AvoidObstacles", "Pursue"}
    assert {each.label for each in sketches_of(world, {"prey": 0})} == {"Wander"}
    with pytest.raises(TypeError, match="sketch must be True, an id, ids, or ids by population, got 'a'"):
        world.draw(sketch="a")
    with pytest.raises(KeyError, match="no vehicle of prey has the id 9"):
        world.draw(sketch={"prey": 9})
    with pytest.raises(TypeError, match="sketch is of a World"):
        sm.draw(sm.Vehicles([0, 0]), sketch=True)


def test_the_frame_takes_in_where_somebody_will_be():
    world = scene()
    world["prey"].velocity[0] = [4, 0]
    assert world.draw(sketch={"hunter": 0}).get_xlim()[1] > world.draw().get_xlim()[1] + 1


def test_velocities_are_drawn_so_that_they_can_be_seen():
    sketches = scene().sketch("hunter")
    assert seconds_of(sketches, 50.0) == 1
    assert seconds_of(sketches, 5000.0) > 50
    assert seconds_of(sketches, 1.0) < 0.1
    assert seconds_of([], 50.0) == 1


def test_a_tube_in_space_has_a_ring_at_either_end():
    found = as_lines(Tube([0, 0, 3], [4, 0, 3], 1.5), 0.1)
    points = np.concatenate(found.lines)
    for x in (0.0, 4.0):
        there = points[np.abs(points[:, 0] - x) < 1e-9]
        angles = np.sort(np.arctan2(there[:, 2] - 3, there[:, 1]))
        np.testing.assert_allclose(np.hypot(there[:, 1], there[:, 2] - 3), 1.5)
        assert np.diff(angles).max() < 0.8
