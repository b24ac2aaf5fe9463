"""What a camera sees, as elements of a plane."""

import numpy as np

from steersman.drawing.camera import Camera
from steersman.drawing.elements import Faces, Glyphs, Lines, Marks, Mesh
from steersman.drawing.glyphs import solid_triangles
from steersman.drawing.projection import LIGHT, brightness, scene_elements

CAMERA = Camera(np.zeros(3), 10.0, azimuth=-90.0, elevation=0.0)  # It looks along y.


def dart(y):
    up = np.array([[0.0, 0.0, 1.0]])
    return Glyphs(shape="dart", position=np.array([[0.0, y, 0.0]]), size=np.array([1.0]), color=(1.0, 0.0, 0.0),
                  forward=np.array([[1.0, 0.0, 0.0]]), up=up, name="a")  # fmt: skip


BALL = Glyphs(shape="ball", position=np.zeros((1, 3)), size=np.array([4.0]), color=(0.8, 0.8, 0.8))


def bodies(*elements, ground=-5.0):
    (found,) = [each for each in scene_elements(elements, CAMERA, ground) if isinstance(each.element, Faces)]
    return found


def test_the_farthest_comes_first_so_balls_hide_who_is_behind_them():
    found = bodies(dart(5.0), BALL, dart(-5.0))
    corners, body = [len(each) for each in found.element.polygons], len(solid_triangles("dart"))
    assert corners == [*[3] * body, *[48] * 14, *[3] * body]
    assert (np.diff(found.depth) <= 0).all()
    radii = [np.ptp(each[:, 0]) for each in found.element.polygons[body:-body]]
    assert radii == sorted(radii, reverse=True)  # The bright spot of a ball lies upon the rest of it.


def test_balls_in_a_landscape_are_triangles():
    found = bodies(BALL, ground=None)
    assert found.element.polygons.shape[1:] == (3, 2)
    assert len(found.element.polygons) > 100


def test_who_stands_on_a_triangle_is_in_front_of_it():
    land = Mesh(triangles=np.array([[[-9, -1, 0], [9, -1, 0], [0, 9, 0]]], float), color=(0.8, 0.9, 0.8))
    found = bodies(dart(2.0), land, ground=None)
    assert len(found.element.polygons[0]) == 3
    assert np.ptp(found.element.polygons[0][:, 0]) > 1  # The land.


def test_triangles_are_as_bright_as_they_face_the_light():
    along = LIGHT / np.linalg.norm(LIGHT)
    one = np.cross(along, [1.0, 0, 0])
    other = np.cross(along, one)
    facing, beside = [0 * one, one, other], [0 * one, along, other]
    found = brightness(np.array([facing, facing[::-1], beside, 7 * np.array(facing), np.zeros((3, 3))]))
    np.testing.assert_allclose(found, [1, 1, 0, 1, 0], atol=0.01)


def test_vehicles_leave_shadows_where_there_is_ground():
    for ground, count in ((-5.0, 1), (None, 0)):
        marks = [
            each.element for each in scene_elements([dart(0.0)], CAMERA, ground) if isinstance(each.element, Marks)
        ]
        assert len(marks) == count
    (shadow,) = (each.element for each in scene_elements([dart(0.0)], CAMERA, -5.0) if isinstance(each.element, Marks))
    assert np.allclose(shadow.position, CAMERA.project(np.array([[0.0, 0.0, -5.0]]))[0])
    assert shadow.opacity == 0.10


def test_lines_fade_with_their_depth():
    lines = Lines(points=[np.array([[-1.0, y, 0], [1.0, y, 0]]) for y in (-8, 8)], color=(0.0, 0.0, 0.0, 1.0))
    (found,) = [each for each in scene_elements([lines], CAMERA, -5.0) if isinstance(each.element, Lines)]
    near, far = found.element.color[:, 0]
    assert near < far
    assert found.depth[0] < found.depth[1]
    assert next(iter(scene_elements([Lines(points=[], color=(0, 0, 0, 1))], CAMERA, None))).element.points == []
