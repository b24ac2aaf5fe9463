"""The overlay: the elements of sketches in pixels, light on dark windows, with neighbors and modes."""

import numpy as np
import pytest

import steersman as sm
from steersman.adapters.camera import Camera
from steersman.adapters.overlay import POINT, Fill, Stroke, Word, _reduced, overlay
from steersman.drawing.elements import Lines
from steersman.drawing.palette import rgb
from steersman.drawing.sketches import LOOKS

CAMERA = Camera((400, 200), center=(20, 10), scale=10)


@pytest.fixture
def world():
    made = sm.World(domain=sm.Box([40, 20]))
    birds = sm.Vehicles([[10, 10], [12, 10], [30, 10]], velocity=[2, 0], max_speed=4, max_force=9)
    tree = sm.Modes(
        {"far": sm.Seek([35, 10]), "near": sm.Flee([35, 10])},
        start="far",
        transitions=[("far", "near", sm.Near([35, 10], 3))],
    )
    made.add(birds, name="birds", steering=tree)
    made.add(sm.Vehicles([[0, 0]]), name="rocks")
    return made


def test_it_is_the_sketch_in_pixels(world):
    parts = overlay(world, 0, CAMERA, dark=False, modes=False)
    steering = tuple(round(255 * each) for each in rgb(LOOKS["velocity"].color))
    shafts = [each for each in parts if isinstance(each, Stroke) and each.color[:3] == steering]
    assert any(np.allclose(each.points[0], CAMERA.pixels([10, 10])) for each in shafts)
    assert any(isinstance(each, Fill) for each in parts)
    lit = overlay(world, 0, CAMERA, modes=False)
    assert len(lit) == len(parts)
    assert not any(each.color[:3] == steering for each in lit)


def test_a_cross_is_as_large_in_any_zoom(world):
    crosses = []
    for scale in (10, 40):
        camera = Camera((400, 200), center=(35, 10), scale=scale)
        strokes = [each.points for each in overlay(world, 0, camera) if isinstance(each, Stroke)]
        crosses.append([np.ptp(each, axis=0) for each in strokes if np.allclose(each.mean(axis=0), (200, 100))])
    np.testing.assert_allclose(*crosses)
    assert len(crosses[0]) == 2


def test_neighbors_and_modes_are_shown(world):
    parts = overlay(world, [0, 2], CAMERA, sketch=False, neighbors=3.0)
    assert [each.text for each in parts if isinstance(each, Word)] == ["far", "far"]
    (line,) = [each for each in parts if isinstance(each, Stroke)]
    assert np.allclose(line.points, CAMERA.pixels([[10, 10], [12, 10]]))


class UpwardCamera(Camera):
    """A camera over a window whose y grows upwards, as arcade's."""

    window_y_up = True


@pytest.mark.parametrize(("kind", "down"), [(Camera, 1), (UpwardCamera, -1)])
def test_a_mode_stands_below_its_vehicle_as_a_person_sees_it(world, kind, down):
    camera = kind((400, 200), center=(20, 10), scale=10)
    (word,) = [each for each in overlay(world, 0, camera, sketch=False) if isinstance(each, Word)]
    assert np.sign(word.y - camera.pixels([10, 10])[1]) == down


def test_each_vehicle_has_the_word_of_its_own_mode(world):
    world["birds"].position[2] = [34, 10]
    world.step()
    for chosen in ([0, 2], [2], np.array([False, True, True])):
        words = [each for each in overlay(world, chosen, CAMERA, name="birds", sketch=False) if isinstance(each, Word)]
        assert [each.text for each in words] == ["far", "near"][-len(words) :]
        assert len(words) == np.count_nonzero(chosen) if isinstance(chosen, np.ndarray) else len(chosen)


def test_masks_and_names_choose_and_nothing_advances(world):
    before = world["birds"].position.copy()
    mask = overlay(world, np.array([True, False, False]), CAMERA, name="birds")
    assert len(mask) == len(overlay(world, 0, CAMERA, name="birds"))
    assert overlay(world, 99, CAMERA) == []
    assert np.array_equal(before, world["birds"].position)
    assert world.steps == 0
    with pytest.raises(KeyError):
        overlay(world, 0, CAMERA, name="bats")
    world.add(sm.Vehicles([[1, 1]]), name="more", steering=sm.Wander())
    with pytest.raises(ValueError, match="name must be given"):
        overlay(world, 0, CAMERA)
    with pytest.raises(TypeError, match=r"id must be ids or a mask of one population, whose name is name=\.\.\., got"):
        overlay(world, {"birds": [0]}, CAMERA)


def test_a_line_that_two_behaviors_draw_is_drawn_once():
    birds = sm.Vehicles([[10, 10], [12, 10]], velocity=[2, 0], max_speed=4, max_force=9)
    apart, near = sm.Separation(radius=5), sm.Cohesion(radius=5)

    def dashes(steering):
        parts = overlay(sm.Controller(birds, steering), 0, CAMERA, forces=False)
        width = POINT * LOOKS["guide"].width
        return [each for each in parts if isinstance(each, Stroke) and np.allclose(each.width, width) and short(each)]

    def short(stroke):
        return 0 < np.linalg.norm(stroke.points[-1] - stroke.points[0]) < 12 and len(stroke.points) == 2

    assert 2 <= len(dashes(apart)) == len(dashes(apart + near)) < 5
    drawn, line = set(), np.array([[0.0, 0.0], [90.0, 0.0]])
    counts = [
        len(list(_reduced(Lines(points=[line], color=color, width=2.0, dash=(4, 2)), None, lambda shade: shade, drawn)))
        for color in ((1, 0, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1))
    ]
    assert counts[0] == counts[1] > 2 > counts[2] == 0  # In another color it is another line.


@pytest.mark.parametrize("dash", [None, (4, 2)])
def test_lines_are_as_wide_as_their_points_are_in_pixels(dash):
    line = np.array([[0.0, 0.0], [90.0, 0.0]])
    lines = Lines(points=[line], color=(1, 0, 0, 1), width=2.0, dash=dash)
    assert {each.width for each in _reduced(lines, None, lambda shade: shade, set())} == {2.0 * POINT}
