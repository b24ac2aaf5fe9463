"""The shapes that sketches are made of."""

import numpy as np
import pytest

from steersman.core.maths.shapes import (
    ROLES,
    Arrow,
    Circle,
    Cross,
    Line,
    Pose,
    ScaledArrow,
    Sector,
    Shape,
    Tube,
    segment,
)

A, B = np.array([[0.0, 1], [2, 3], [4, 5]]), np.array([[1.0, 1], [3, 3], [5, 5]])
ALL = (
    ScaledArrow(A, B), Arrow(A, B), Line(np.stack([A, B], axis=1)), Circle(A, 2), Sector(A, B, 3, 2), Tube(A, B, 1),
    Cross(A), Pose(A, B, 1),
)  # fmt: skip


def test_every_kind_is_tried():
    assert {type(shape) for shape in ALL} == set(Shape.__subclasses__())


@pytest.mark.parametrize("shape", ALL, ids=lambda shape: type(shape).__name__)
def test_shapes_are_batches_of_floats(shape):
    assert len(shape) == 3
    assert shape.dimensions == 2
    assert shape.role in ROLES
    some = shape.rows(np.array([True, False, True]))
    assert len(some) == 2
    for name in (*shape.places, *shape.numbers):
        assert getattr(shape, name).dtype == np.float64
        np.testing.assert_array_equal(getattr(some, name), getattr(shape, name)[[0, 2]])


def test_one_point_and_one_number_are_for_all():
    circle = Circle([1, 2], [1, 2, 3])
    assert len(circle) == 3
    assert circle.center.tolist() == [[1, 2]] * 3
    assert Tube(A, [9, 9], 1).end.tolist() == [[9, 9]] * 3
    assert Line([[0, 0], [1, 1], [2, 0]]).points.shape == (1, 3, 2)
    assert segment([0, 0], A, "range").points.tolist()[2] == [[0, 0], [4, 5]]
    assert len(Circle(np.zeros((0, 2)), 1.0)) == 0


def test_what_is_not_finite_shows_nothing():
    shape = Circle([[0, 0], [np.nan, 0], [1, 1]], [1, 1, np.inf])
    assert shape.finite().center.tolist() == [[0, 0]]
    assert Line([[[0, 0], [1, 1]], [[0, 0], [np.nan, 1]]]).finite().points.shape == (1, 2, 2)
    assert Circle(A, 1).finite() is not None
    assert len(Circle(np.zeros((0, 2)), 1.0).finite()) == 0


def test_what_several_show_alike_is_there_once():
    assert Circle([[1, 1], [0, 0], [1, 1]], [2, 2, 2]).distinct().center.tolist() == [[1, 1], [0, 0]]
    assert len(Circle([[1, 1], [1, 1]], [2, 3]).distinct()) == 2


def test_places_are_lifted_and_directions_are_not():
    heights = np.array([7.0, 8.0, 9.0])
    assert Pose(A, B, 1).lifted(heights).position[:, 2].tolist() == [7, 8, 9]
    assert Pose(A, B, 1).lifted(heights).forward[:, 2].tolist() == [0, 0, 0]
    assert ScaledArrow(A, B).lifted(heights).value[:, 2].tolist() == [0, 0, 0]
    assert Arrow(A, B).lifted(heights).tip[:, 2].tolist() == [7, 8, 9]
    assert Line(np.stack([A, B], axis=1)).lifted(heights).points[1, :, 2].tolist() == [8, 8]
    assert Cross([[0, 0], [1, 1]]).lifted(heights).center[:, 2].tolist() == [8, 8]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Cross(A, role="tagret"),
            r"role must be one of the known ones, got 'tagret'; did you mean 'target'\? \(roles: velocity, ",
        ),
        (lambda: Arrow(A, B[:2]), "tip must have one row or 3|tail must have one row or 2"),
        (lambda: Circle(A, [1, 2]), "one row or"),
        (lambda: Arrow(A, [[1, 2, 3]]), r"Arrow must have points of shape \(k, 2\) or \(k, 3\), all alike, got tail"),
        (lambda: Line([1, 2]), r"points must have shape \(m, d\) or \(k, m, d\), got \(2,\)"),
    ],
)
def test_messages(make, message):
    with pytest.raises(ValueError, match=message):
        make()
