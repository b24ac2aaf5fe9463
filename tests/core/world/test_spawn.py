"""Where vehicles are at the start: in shape, clear of obstacles and of each other, and repeated by the seed."""

import numpy as np
import pytest

import steersman as sm

SHAPES = {
    "box": lambda n, **own: sm.spawn.box(n, [8, 4], center=[20, 10], **own),
    "box 3D": lambda n, **own: sm.spawn.box(n, [8, 4, 6], center=[20, 10, 5], **own),
    "disc": lambda n, **own: sm.spawn.disc(n, 4, center=[20, 10], **own),
    "ball": lambda n, **own: sm.spawn.ball(n, 4, center=[20, 10, 5], **own),
    "ring": lambda n, **own: sm.spawn.ring(n, 4, center=[20, 10], **own),
    "inside a region": lambda n, **own: sm.spawn.inside(n, sm.Sphere([20, 10], 4), **own),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_places_are_spread_in_the_shape_and_repeated(shape):
    places = shape(4000, rng=3)
    middle = np.array([20, 10, 5][: places.shape[1]])
    assert np.allclose(places.mean(axis=0), middle, atol=0.2)
    assert (np.abs(places - middle) <= 4 + 1e-9).all()
    assert np.array_equal(places, shape(4000, rng=np.random.default_rng(3)))
    assert not np.array_equal(places, shape(4000, rng=4))


@pytest.mark.parametrize(
    ("places", "inner"),
    [
        (sm.spawn.disc(40_000, 4, rng=1), 0.25),
        (sm.spawn.ball(40_000, 4, rng=1), 0.125),
        (sm.spawn.ring(10, 4, rng=1), 0.0),
    ],
    ids=["disc", "ball", "ring"],
)
def test_round_shapes_are_uniform(places, inner):
    distance = np.linalg.norm(places, axis=1)
    assert (distance < 2).mean() == pytest.approx(inner, abs=0.01)
    assert distance.max() <= 4 + 1e-9


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_places_are_clear_of_obstacles_and_of_each_other(shape):
    middle = shape(1, rng=0).shape[1]
    rock = sm.Spheres([20, 12] if middle == 2 else [20, 12, 5], 1.5)
    places = shape(16, obstacles=rock, clearance=0.5, apart=0.9, rng=5)
    assert rock.nearest(places).distance.min() >= 0.5
    gaps = np.linalg.norm(places[:, None] - places, axis=2)[np.triu_indices(16, 1)]
    assert gaps.min() >= 0.9


def test_places_in_a_torus_are_apart_across_the_seam():
    space = sm.Torus([10, 10])
    places = sm.spawn.inside(40, space, apart=1.1, rng=2)
    way = space.difference(places[:, None], places)
    assert (np.sqrt((way**2).sum(axis=2)) + 9 * np.eye(40)).min() >= 1.1
    assert places.min() >= 0
    assert places.max() <= 10


def test_many_places_are_apart():
    places = sm.spawn.box(20_000, [200, 200], apart=0.5, rng=1)
    order = np.argsort(places[:, 0])
    gaps = [np.linalg.norm(places[order][k:] - places[order][:-k], axis=1).min() for k in range(1, 120)]
    assert min(gaps) >= 0.5


def test_where_there_is_no_room_it_is_said():
    with pytest.raises(ValueError, match="there must be room beside the obstacles and each other for 100 places"):
        sm.spawn.disc(100, 1, apart=1, rng=0)
    with pytest.raises(ValueError, match="4 of them found none"):
        sm.spawn.disc(4, 1, obstacles=sm.Spheres([0, 0], 5), rng=0)


def test_nobody_and_one_are_placed():
    assert sm.spawn.disc(0, 3, rng=0).shape == (0, 2)
    assert sm.spawn.grid(0, 3).shape == (0, 2)
    assert sm.spawn.circle(0, 3).shape == (0, 2)
    assert sm.spawn.box(1, [2, 2, 2], apart=9, rng=0).shape == (1, 3)


def test_even_places():
    assert np.allclose(sm.spawn.circle(4, 2, center=[1, 1]), [[3, 1], [1, 3], [-1, 1], [1, -1]])
    assert np.allclose(sm.spawn.circle(2, 2, center=[0, 0, 5], start=np.pi / 2), [[0, 2, 5], [0, -2, 5]])
    assert np.allclose(sm.spawn.grid(4, 2, center=[1, 1]), [[0, 0], [0, 2], [2, 0], [2, 2]])
    assert np.allclose(sm.spawn.grid(5, 2, center=[1, 1]).mean(axis=0), 1)
    assert len(np.unique(sm.spawn.grid(27, 1, center=[0, 0, 0]).round(9), axis=0)) == 27
    assert len(np.unique(sm.spawn.grid(28, 1, center=[0, 0, 0])[:, 2])) == 4


def test_velocities():
    velocity = sm.spawn.any_direction(2000, speed=(4, 9), rng=1)
    speed = np.linalg.norm(velocity, axis=1)
    assert speed.min() >= 4
    assert speed.max() <= 9
    assert speed.mean() == pytest.approx(6.5, abs=0.1)
    assert np.abs(velocity.mean(axis=0)).max() < 0.4
    assert np.allclose(np.linalg.norm(sm.spawn.any_direction(9, speed=3, dimensions=3, rng=1), axis=1), 3)
    assert np.allclose(sm.spawn.around([[1, 0], [0, 1], [-1, 0], [0, -1]], speed=2), [[0, 2], [-2, 0], [0, -2], [2, 0]])
    assert np.allclose(sm.spawn.around([[3, 0, 7]], speed=2, center=[1, 0, 0]), [[0, 2, 0]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sm.spawn.disc(-1, 3, rng=0), "n must be a whole number >= 0, got -1"),
        (lambda: sm.spawn.disc(2.5, 3, rng=0), "n must be a whole number >= 0, got 2.5"),
        (lambda: sm.spawn.disc(3, -3, rng=0), "radius must be a number >= 0 m, got -3"),
        (lambda: sm.spawn.disc(3, 3, center=[1], rng=0), r"center must have 2 or 3 numbers, got \[1\]"),
        (lambda: sm.spawn.disc(3, 3, apart=-1, rng=0), "apart must be a number >= 0 m, got -1"),
        (lambda: sm.spawn.disc(3, 3, obstacles=7, rng=0), "obstacles must be"),
        (lambda: sm.spawn.box(3, [1, -1], rng=0), "size must be 2 or 3 lengths >= 0 m"),
        (lambda: sm.spawn.box(3, [1, 1], center=[1, 2, 3], rng=0), "center must have 2 numbers"),
        (lambda: sm.spawn.inside(3, sm.Open(), rng=0), "place must be of limited size"),
        (lambda: sm.spawn.inside(3, 7, rng=0), "place must be a Sphere, Box, Polygon or closed obstacles, got 7"),
        (lambda: sm.spawn.any_direction(3, (9, 4), rng=0), r"speed must be a number >= 0 m/s, or \(low, high\)"),
        (lambda: sm.spawn.any_direction(3, 1, dimensions=4, rng=0), "dimensions must be 2 or 3, got 4"),
        (lambda: sm.spawn.around([1.0, np.nan], 1), "position must be finite"),
        (lambda: sm.spawn.disc(3, 3, rng=None), "rng must be a generator of NumPy, or a whole number >= 0 as a seed"),
        (
            lambda: sm.spawn.disc(3, 3, rng=range(10**12)),
            "rng must be a generator of NumPy",
        ),  # NumPy would write it out.
        (lambda: sm.spawn.disc(3, 3, rng=-1), "rng must be a generator of NumPy"),
        (lambda: sm.spawn.disc(3, 3, rgn=0), "did you mean 'rng'"),
    ],
)
def test_what_is_not_allowed_is_said(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
