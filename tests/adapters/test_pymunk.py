"""Vehicles in pymunk: bodies are pushed by the forces, pymunk's collisions move them, shapes are obstacles."""

import math

import numpy as np
import pytest

import steersman as sm

pymunk = pytest.importorskip("pymunk")

from steersman.adapters.pymunk import Bodies, obstacles  # noqa: E402


def space_with(*places, radius=0.5):
    space = pymunk.Space()
    bodies = []
    for k, place in enumerate(places):
        body = pymunk.Body(2 + k, 1)
        body.position = place
        space.add(body, pymunk.Circle(body, radius))
        bodies.append(body)
    return space, bodies


def test_bodies_are_vehicles_and_are_pushed():
    space, bodies = space_with((0, 0), (5, 1), (9, 9))
    wall = pymunk.Segment(space.static_body, (0, -5), (9, -5), 1)
    space.add(wall)
    bodies[2].velocity, bodies[1].angle = (1, 2), 0.5
    cars = Bodies(space, bodies[:0:-1], faces=True, max_force=50)  # Without the first; the other way round.
    assert cars.vehicles.position.tolist() == [[9, 9], [5, 1]]
    assert cars.vehicles.velocity.tolist() == [[1, 2], [0, 0]]
    assert cars.vehicles.heading == pytest.approx([0, 0.5])
    assert cars.vehicles.mass.tolist() == [4, 3]
    assert cars.vehicles.radius.tolist() == [0.5, 0.5]
    bodies[2].force = (1, 1)
    cars.push(np.array([[3, 4], [5, 6]], np.float32))
    assert [tuple(each.force) for each in bodies] == [(0, 0), (5, 6), (4, 5)]


def test_columns_that_are_given_count_instead_of_those_of_the_bodies():
    space, bodies = space_with((0, 0), (5, 1))
    cars = Bodies(space, bodies, mass=7, radius=[1, 2], max_speed=3)
    assert cars.vehicles.mass.tolist() == [7, 7]
    assert cars.vehicles.radius.tolist() == [1, 2]


def test_they_go_where_they_are_steered_and_pymunk_keeps_them_apart():
    space, bodies = space_with((0, 0), (0.2, 3), (0, 6))
    cars = Bodies(space, bodies, max_speed=4, max_force=40)
    controller = sm.Controller(cars.vehicles, sm.Arrive([12, 3]))
    for _ in range(300):
        cars.read()
        cars.push(controller.steer(1 / 60))
        space.step(1 / 60)
    cars.read()
    places = cars.vehicles.position
    assert np.linalg.norm(places - [12, 3], axis=1) == pytest.approx([0.6] * 3, abs=0.6)
    gaps = [math.dist(places[a], places[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert min(gaps) > 0.9  # Two radii, less what the solver lets overlap.


def test_bodies_and_vehicles_come_and_go_together():
    space, bodies = space_with((0, 0), (5, 1), (9, 9))
    cars = Bodies(space, bodies)
    space.remove(bodies[0], *bodies[0].shapes)
    cars.vehicles.remove(1)
    cars.read()
    assert cars.vehicles.id.tolist() == [2]
    assert list(space.bodies) == [bodies[2]]
    new = pymunk.Body(1, 1)
    new.position = (3, 4)
    space.add(new, pymunk.Poly.create_box(new, (6, 8)))
    assert cars.add(new, max_speed=7) == 3
    cars.read()
    assert cars.vehicles.position.tolist() == [[9, 9], [3, 4]]
    assert cars.vehicles.radius.tolist() == [0.5, 5]
    long = pymunk.Body(1, 1)
    space.add(long, pymunk.Circle(long, 1, (3, 4)), pymunk.Segment(long, (0, 0), (0, -2), 0.5))
    cars.add(long)
    assert cars.vehicles.radius[-1] == 6
    space.add(pymunk.Segment(long, (0, 0), (0, -7), 0.5))
    cars.add(long)
    assert cars.vehicles.radius[-1] == 7.5
    cars.vehicles.remove(cars.vehicles.id[-1])
    led = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    space.add(led)
    cars.add(led)
    assert cars.vehicles.mass.tolist() == [4, 1, 1, 1]  # A kinematic body has none.
    assert cars.body_of(3) is new
    with pytest.raises(ValueError, match="added to the Space"):
        Bodies(space, [pymunk.Body(1, 1)])


def test_shapes_are_obstacles_where_they_are():
    space = pymunk.Space()
    with pytest.raises(ValueError, match="static shape"):
        obstacles(space)
    body = pymunk.Body(body_type=pymunk.Body.STATIC)
    body.position, body.angle = (10, 0), math.pi / 2
    sensor = pymunk.Circle(body, 9)
    sensor.sensor = True
    moving = pymunk.Body(1, 1)
    ball = pymunk.Circle(moving, 3)
    space.add(body, moving, ball, sensor)
    space.add(pymunk.Circle(body, 2, (1, 0)), pymunk.Segment(body, (0, 0), (4, 0), 0.5))
    space.add(pymunk.Poly(body, [(0, 0), (2, 0), (2, 1), (0, 1)]))
    sets = {type(each).__name__: each for each in obstacles(space).sets}
    assert sets["Spheres"].center == pytest.approx(np.array([[10, 1]]))
    assert sets["Capsules"].b == pytest.approx(np.array([[10, 4]]))
    assert [sets["Capsules"].radius.tolist(), sets["Spheres"].radius.tolist()] == [[0.5], [2]]
    assert (sets["Walls"].closed, sets["Walls"].seen_from) == ((True,), "outside")
    corners = np.concatenate(sets["Walls"].points) if isinstance(sets["Walls"].points, tuple) else sets["Walls"].points
    assert sorted(np.reshape(corners, (-1, 2)).round(6).tolist()) == [[9, 0], [9, 2], [10, 0], [10, 2]]
    assert len(obstacles(space, [ball])) == 1
