"""Behaviors of a user's own: what they are given to write to, and what they may ask."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.scene import senses

SPACES = [
    (2, np.float32, None),
    (3, np.float64, None),
    (2, np.float32, sm.Torus([20, 20])),
    (3, np.float64, sm.Torus([20] * 3)),
]
EVERYWHERE = pytest.mark.parametrize(("d", "dtype", "domain"), SPACES, ids=["2D", "3D", "torus 2D", "torus 3D"])


def some(d: int, dtype: Any, n: int = 40) -> sm.Vehicles:
    rng = np.random.default_rng(3)
    return sm.Vehicles(rng.uniform(0, 20, (n, d)), rng.normal(size=(n, d)), max_speed=3, max_force=9, dtype=dtype)


@dataclass(frozen=True, eq=False)
class Asking(sm.Behavior):
    """Hands the scene to a function."""

    ask: Any = None

    def steer(self, scene, memory, out):
        self.ask(scene)


def answers(vehicles, domain, ask, steps=2):
    """What a behavior is told, at every step; vehicles move in between."""
    found: list[Any] = []
    world = sm.World(domain=domain, seed=1, dt=0.2, threads=1)
    places = []

    def look(scene):
        places.append((vehicles.position.copy(), vehicles.forward.copy()))
        found.append(ask(scene))

    world.add(vehicles, steering=Asking(look) + sm.Wander())
    world.run(steps=steps)
    return list(zip(places, found, strict=True))


@EVERYWHERE
def test_neighbors_are_those_of_the_world(d, dtype, domain):
    vehicles, other = some(d, dtype), some(d, dtype, 7)
    space = domain or sm.Open()
    for how in ({"radius": 5.0}, {"radius": 4.0, "k": 2, "angle": 4.0}, {"radius": 6.0, "of": other}):
        how = dict(how)
        radius = how.pop("radius")
        for (position, forward), told in answers(some(d, dtype), domain, lambda scene: scene.neighbors(radius, **how)):  # noqa: B023
            again = sm.World(domain=space)
            again.add(sm.Vehicles(position, forward=forward, dtype=dtype), name="them")
            for mine, theirs in zip(told, again.neighbors("them", radius, **how), strict=True):
                np.testing.assert_array_equal(mine, theirs)
        assert len(told.indices)
    assert len(vehicles)


@EVERYWHERE
def test_the_nearest_obstacle_is_what_the_obstacles_say(d, dtype, domain):
    rocks = [sm.Spheres(np.full((2, d), [[1.0], [12.0]]), [1.0, 3.0]), sm.Boxes(np.full((1, d), 6.0), np.full(d, 2.0))]
    told_before = None
    for (position, _), told in answers(some(d, dtype), domain, lambda scene: scene.nearest(rocks, reach=3.0)):
        each = [rock.nearest(position, domain) for rock in rocks]
        expected = np.minimum(each[0].distance, each[1].distance)
        near = expected <= 3
        assert near.any()
        assert not near.all()
        np.testing.assert_allclose(told.distance, np.where(near, expected, np.inf), rtol=1e-4, atol=1e-4)
        assert ((told.which == -1) == ~near).all()
        assert (np.isnan(told.point).all(axis=1) == ~near).all()
        reached = position[near] - told.distance[near, None] * told.normal[near]
        np.testing.assert_allclose(told.point[near], reached, atol=1e-5)
        if told_before is not None:
            assert (told.distance != told_before).any(), "an answer of its own at every step"
        told_before = told.distance


@EVERYWHERE
def test_rays_hit_what_the_obstacles_say(d, dtype, domain):
    rocks = sm.Spheres(np.full((2, d), [[3.0], [12.0]]), [2.0, 4.0])
    for ask, ahead in (
        (lambda scene: scene.cast(rocks, reach=9.0), None),
        (lambda scene: scene.cast(rocks, np.ones(d), reach=9.0), np.ones(d)),
        (lambda scene: scene.cast(rocks, 3 * scene.vehicles.forward, reach=9.0), None),
    ):
        for (position, forward), told in answers(some(d, dtype), domain, ask):
            along = forward if ahead is None else np.broadcast_to(ahead, position.shape)
            expected = rocks.cast(position, along, 9.0, domain)
            np.testing.assert_allclose(told.distance, expected.distance, rtol=2e-4, atol=2e-4)
            np.testing.assert_allclose(told.point, expected.point, rtol=1e-3, atol=2e-3)
            assert (told.which == expected.which).all()
        assert np.isfinite(told.distance).any()


@EVERYWHERE
def test_where_on_a_path_is_what_the_path_says(d, dtype, domain):
    path = sm.Path(np.array([[2.0] * d, [9.0, 15.0, 5.0][:d], [18.0] * d]), radius=[1.0, 2.0])
    space = domain or sm.Open()
    for (position, _), told in answers(some(d, dtype), domain, lambda scene: scene.along(path)):
        point = path.point_at(told.s)
        np.testing.assert_allclose(told.offset, space.difference(point, position), atol=1e-4)
        np.testing.assert_allclose(told.distance, np.linalg.norm(told.offset, axis=1), rtol=1e-5)
        np.testing.assert_allclose(told.tangent, path.tangent_at(told.s), atol=1e-5)
        np.testing.assert_allclose(told.radius, path.radius_at(told.s))
        if domain is None:
            np.testing.assert_allclose(told.distance, path.project(position).distance, rtol=1e-4, atol=1e-4)


def test_what_does_not_fit_is_refused():
    rocks, vehicles = sm.Spheres([[0.0, 0.0]], 1.0), some(2, np.float32, 3)
    for ask, error, message in (
        (lambda scene: scene.nearest(sm.Spheres([[0, 0, 0]], 1)), ValueError, "obstacles must have 2 dimensions"),
        (lambda scene: scene.nearest("rocks"), TypeError, "obstacles must be a set of obstacles"),
        (lambda scene: scene.nearest(rocks, reach=-1), ValueError, "reach must be a number >= 0 m, got -1"),
        (lambda scene: scene.cast(rocks, [0, 0]), ValueError, "direction must not be zero"),
        (lambda scene: scene.cast(rocks, np.ones((2, 2))), ValueError, r"direction must have shape \(3, 2\) or \(2,\)"),
        (lambda scene: scene.along(sm.Path([[0, 0, 0], [1, 1, 1]])), ValueError, "path must have 2 dimensions"),
        (lambda scene: scene.neighbors(-1.0), ValueError, "radius"),
    ):
        with pytest.raises(error, match=message):
            answers(vehicles, None, ask)


def test_questions_that_are_never_the_same_do_not_pile_up():
    scenes: list[Any] = []
    rocks = sm.Spheres([[0.0, 0.0]], 1.0)

    def ask(scene):
        scenes.append(scene)
        return scene.nearest(rocks, reach=1.0 + scene.step)

    answers(some(2, np.float32, 3), None, ask, steps=40)
    assert len(scenes[0].senses._ready) <= 32


# ------------------------------------------------------------------------------------------------- writing in place


@dataclass(frozen=True, eq=False)
class Fuse(sm.Behavior):
    turns = True

    def init(self, vehicles):
        return {"left": np.full(len(vehicles), 1.0), "heat": np.zeros((len(vehicles), 2))}

    def steer(self, scene, memory, out):
        memory["left"] -= scene.dt
        memory["heat"] = memory["left"][:, None]
        out.linear += [1.0, 2.0]
        out.linear *= 2
        out.acts |= memory["left"] < 0.85
        out.angular -= 3.0


def test_augmented_assignment_writes_in_place():
    vehicles = some(2, np.float64, 3)
    controller = sm.Controller(vehicles, sm.Priority([Fuse(), sm.Wander()]))
    for _ in range(2):
        force = controller.steer(0.1)
    np.testing.assert_allclose(controller.memory("Fuse")["left"], 0.8)
    np.testing.assert_allclose(controller.memory("Fuse")["heat"], 0.8)
    np.testing.assert_allclose(force, [[2, 4]] * 3)
    np.testing.assert_allclose(controller.turning, -3)


def test_whole_columns_are_assigned_and_others_refused():
    def wrong(scene, memory, out, name):
        memory[name] = 1.0

    @dataclass(frozen=True, eq=False)
    class Wrong(Fuse):
        how: Any = None

        def steer(self, scene, memory, out):
            self.how(memory, out)

    def assign(memory, out):
        out.linear = np.full(2, 7.0)
        out.acts = True

    vehicles = some(2, np.float64, 3)
    np.testing.assert_allclose(sm.Controller(vehicles, Wrong(how=assign)).steer(0.1), np.full((3, 2), 9 / 2**0.5))

    def unknown(memory, out):
        memory["lift"] = 1.0

    def misspelled(memory, out):
        out.liner = 1.0

    def deleted(memory, out):
        del memory["left"]

    for how, error, message in (
        (unknown, KeyError, "there is no column 'lift' in this memory; init declares: left, heat"),
        (misspelled, AttributeError, "liner"),
        (deleted, TypeError, "memory keeps the columns"),
    ):
        with pytest.raises(error, match=message):
            sm.Controller(vehicles, Wrong(how=how)).steer(0.1)


def test_a_refused_step_takes_back_what_was_written():
    @dataclass(frozen=True, eq=False)
    class Broken(Fuse):
        def steer(self, scene, memory, out):
            memory["left"] -= scene.dt
            out.linear += np.nan

    controller = sm.Controller(some(2, np.float64, 3), Broken())
    with pytest.raises(sm.NonFiniteError):
        controller.steer(0.1)
    np.testing.assert_array_equal(controller.memory("Broken")["left"], 1.0)


def test_a_body_of_ones_own_is_written_alike():
    @dataclass(frozen=True, eq=False)
    class Sled(sm.Locomotion):
        def propose(self, to):
            to.velocity += to.vehicles.velocity
            to.velocity += to.dt * to.force

    @dataclass(frozen=True, eq=False)
    class Wrong(sm.Locomotion):
        def propose(self, to):
            to.dt = 3

    vehicles = sm.Vehicles([0, 0], [1.0, 0.0], dtype=np.float64)
    Sled().advance(vehicles, [0, 1], 0.5)
    np.testing.assert_allclose(vehicles.velocity, [[1, 0.5]])
    with pytest.raises(AttributeError, match="only velocity and spin are to be written, got 'dt'"):
        Wrong().advance(vehicles, [0, 1], 0.5)


def test_a_question_about_another_path_has_another_answer():
    """Questions of one step that differ in their path alone are not answered from one another."""
    roads = [sm.Path([[-9.0, y], [9.0, y]], radius=0.5) for y in (2.0, -3.0)]

    def ask(scene):
        return [scene.along(road).distance.tolist() for road in (*roads, roads[0])]

    for _, told in answers(sm.Vehicles([[0.0, 0.0], [0.0, 1.0]], max_speed=0.01), None, ask):
        np.testing.assert_allclose(told, [[2.0, 1.0], [3.0, 4.0], [2.0, 1.0]], atol=0.01)


def test_a_question_with_another_reach_has_another_answer():
    """Questions of one step that differ in their reach alone are not answered from one another."""
    rocks = sm.Spheres([[10.0, 0.0]], [1.0])

    def ask(scene):
        return (
            [scene.nearest(rocks, reach=reach).which.tolist() for reach in (3.0, 30.0, 3.0)],
            [scene.cast(rocks, np.array([1.0, 0.0]), reach=reach).which.tolist() for reach in (3.0, 30.0, 3.0)],
            [len(scene.neighbors(radius).indices) for radius in (3.0, 30.0, 3.0)],
        )

    for _, told in answers(sm.Vehicles([[0.0, 0.0], [0.0, 8.0]], max_speed=0.01), None, ask):
        assert told == ([[-1, -1], [0, 0], [-1, -1]], [[-1, -1], [0, -1], [-1, -1]], [0, 2, 0])


def test_a_search_is_made_ready_once_until_vehicles_come_or_go(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    search = senses.NeighborSearch
    monkeypatch.setattr(senses, "NeighborSearch", lambda *about: made.append(about) or search(*about))
    world, vehicles = sm.World(), some(2, np.float32)
    world.add(
        vehicles, steering=Asking(lambda scene: (scene.neighbors(5.0), scene.neighbors(5.0), scene.neighbors(4.0)))
    )
    counts = []
    for _ in range(2):
        vehicles.spawn([[1.0, 1.0]])  # The second one finds room, and all else of the plan stays.
        world.run(steps=3)
        counts.append(len(made))
    assert counts == [2, 4]
