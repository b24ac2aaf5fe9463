"""Bodies of length: AvoidNeighbors, ORCA, Separation and Queue take vehicles for capsules."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sampling import KEPT
from stepping import ran

import steersman as sm
from steersman import laws
from steersman.core.neighborhood import neighbor_pass
from steersman.core.steering.scene import scene as scene_module

HALF = 1.0
"""Half the width of a car [m]; it is 4 m long."""

BEHAVIORS: dict[str, Callable[[], Any]] = {
    "smooth": sm.AvoidNeighbors,
    "imminent": lambda: sm.AvoidNeighbors(law="imminent"),
    "all": lambda: sm.AvoidNeighbors(law="all"),
    "ORCA": lambda: sm.ORCA(margin=0.5, uneven=0.0),
    "Separation": lambda: sm.Separation(radius=7.0, strength=5.0),
    "inverse_square": lambda: sm.Separation(radius=7.0, law="inverse_square", angle=4.0),
    "nearest": lambda: sm.Separation(radius=7.0, k=2, strength=5.0),
}


def two(d: int, seed: int) -> tuple[Any, Any, Any]:
    """Two bodies that may meet: positions, velocities and headings."""
    rng = np.random.default_rng([seed, d])
    way = rng.normal(size=(2, d))
    position = np.array([[0.0] * d, 6 * way[0] / np.linalg.norm(way[0])])
    velocity = np.array([way[0] + 0.2 * rng.normal(size=d), -way[0] + 0.2 * rng.normal(size=d)]) * 2
    return position, velocity, rng.normal(size=(2, d))


def steered(behavior: Any, position: Any, velocity: Any, forward: Any, length: Any, dtype: Any = np.float64) -> Any:
    vehicles = sm.Vehicles(
        position, velocity, forward=forward, length=length, radius=0.5, max_speed=9, max_force=200, dtype=dtype
    )
    return np.array(sm.Controller(vehicles, behavior).steer(0.02), float)


@pytest.mark.each_value
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", BEHAVIORS)
def test_the_force_is_that_of_the_discs_that_meet(name: str, d: int) -> None:
    """A pair of balls at the points where the two bodies meet first is evaded as they are; so says the law in NumPy."""
    pushed = 0
    for seed in range(10):
        position, velocity, forward = two(d, seed)
        length = np.array([3.0, 4.5])
        axes = (length / 2 - 0.5)[:, None] * forward / np.linalg.norm(forward, axis=1)[:, None]
        offset, w = position[1] - position[0], velocity[1] - velocity[0]
        behavior = BEHAVIORS[name]()
        if isinstance(behavior, sm.Separation):
            way = laws.nearest_offset(offset, axes[0], axes[1])
        else:
            avoids = isinstance(behavior, sm.AvoidNeighbors)
            reach, horizon = (
                1 + (behavior.distance if avoids else 0.5),
                behavior.lookahead if avoids else behavior.time_horizon,
            )
            way = laws.meeting_offset(offset[None], w[None], axes[:1], axes[1:], reach, horizon)[0]
        balls = steered(behavior, np.array([position[0], position[0] + way]), velocity, forward, 0.0)
        found = steered(behavior, position, velocity, forward, length)
        np.testing.assert_allclose(found[0], balls[0], rtol=1e-6, atol=1e-6)
        pushed += np.abs(found).max() > 0
    assert pushed > 3


@pytest.mark.parametrize("d", [2, 3])
def test_the_discs_that_meet_first_are_found(d: int) -> None:
    """By all pairs of 101 discs along the bodies: none comes within reach before the one that was found."""
    rng, parts = np.random.default_rng(d), np.linspace(-1, 1, 101)
    hits = 0
    for _ in range(25):
        offset = 6 * rng.normal(size=d)
        w = 0.6 * rng.normal(size=d) - offset / 3
        axis, other = rng.normal(size=(2, d))
        reach = rng.uniform(0.3, 1.5)
        every = offset - parts[:, None, None] * axis + parts[None, :, None] * other

        def entry(way: Any, w: Any = w, reach: float = reach) -> Any:
            ahead, w2 = -(way * w).sum(-1), (w * w).sum()
            spare = reach**2 - ((way + (ahead / w2)[..., None] * w) ** 2).sum(-1)
            time = np.where((spare >= 0), ahead / w2 - np.sqrt(np.maximum(spare, 0) / w2), np.inf)
            inside = (way**2).sum(-1) <= reach**2
            return np.where(inside, 0.0, np.where(time >= 0, time, np.inf))

        first = float(entry(every).min())
        found = laws.meeting_offset(offset[None], w[None], axis[None], other[None], reach, 30.0)
        if np.isfinite(first) and first < 30:
            assert float(entry(found)[0]) <= first + 1e-6
            hits += 1
    assert hits > 10


def corners(position: Any, forward: Any) -> Any:
    side = np.stack([-forward[:, 1], forward[:, 0]], axis=1) * HALF
    ahead = forward * 2
    return np.stack([position + a * ahead + b * side for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))], axis=1)


def rectangles_overlap(position: Any, forward: Any) -> float:
    """The deepest overlap of two cars as rectangles [m], along the axis that separates them best."""
    corner, side = corners(position, forward), np.stack([-forward[:, 1], forward[:, 0]], axis=1)
    worst = 0.0
    for i, j in itertools.combinations(range(len(position)), 2):
        axes = np.stack([forward[i], side[i], forward[j], side[j]])
        a, b = corner[i] @ axes.T, corner[j] @ axes.T
        worst = max(worst, float(np.minimum(a.max(0) - b.min(0), b.max(0) - a.min(0)).min()))
    return worst


def lines(kind: str, rng: Any) -> tuple[Any, Any, Any, Any]:
    """Cars, their velocities, goals and greatest speeds."""
    back, beside = -9.0 * np.arange(3), rng.normal(0, 0.1, (6, 1))
    east, west = np.array([1.0, 0.0]), np.array([-1.0, 0.0])
    if kind == "queue":
        position = np.hstack([-9.0 * np.arange(6)[:, None], beside])
        return position, np.tile(5 * east, (6, 1)), position + 80 * east, np.array([2.0, 6, 6, 6, 6, 6])
    way = np.repeat([east, west if kind == "oncoming" else east[::-1]], 3, axis=0)
    lane = np.array([-way[:, 1], way[:, 0]]).T
    position = np.concatenate([back - 20, back - 20])[:, None] * way + beside * lane
    if kind == "oncoming":
        position -= 1.3 * lane
    return position, 5 * way, position + 70 * way, np.full(6, 5.0)


TREES: dict[str, Callable[[Any], Any]] = {
    "AvoidNeighbors": lambda go: sm.Priority([sm.AvoidNeighbors(distance=1.0), go]),
    "ORCA": lambda go: sm.ORCA(toward=go, margin=1.0),
}


def overlap(tree: str, kind: str, wheels: bool, length: float = 4.0, seed: int = 1, several: bool = False) -> float:
    """The deepest overlap of rectangles in 14 s."""
    position, velocity, goal, speed = lines(kind, np.random.default_rng(seed))
    world, worst = sm.World(dt=1 / 30, seed=seed), 0.0
    groups = [slice(0, 6)] if not several else [slice(0, 2), slice(2, 6)]
    cars = [
        sm.Vehicles(position[rows], velocity[rows], max_speed=speed[rows], max_force=6, radius=HALF, length=length)
        for rows in groups
    ]
    for each, rows in zip(cars, groups, strict=True):
        steering = TREES[tree](sm.Arrive(goal[rows]))
        if several:
            steering = sm.Priority([sm.AvoidNeighbors(distance=1.0, of="all"), sm.Arrive(goal[rows])])
        body = {"locomotion": sm.Wheeled(turning_radius=5.0)} if wheels else {}
        world.add(each, steering=steering, **body)
    for _ in range(140):
        world.run(steps=3)
        at, ahead = (
            np.concatenate([getattr(each, name) for each in cars]).astype(float) for name in ("position", "forward")
        )
        worst = max(worst, rectangles_overlap(at, ahead))
    return worst


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["queue", "crossing", "oncoming"])
@pytest.mark.parametrize(("tree", "wheels"), [("AvoidNeighbors", False), ("AvoidNeighbors", True), ("ORCA", False)])
def test_cars_of_four_by_two_meters_do_not_overlap_as_rectangles(tree: str, wheels: bool, kind: str) -> None:
    assert overlap(tree, kind, wheels) == 0


@pytest.mark.parametrize("kind", ["queue", "crossing"])
@pytest.mark.parametrize("tree", TREES)
def test_the_impostor_without_lengths_overlaps(tree: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene_module, "bodies_of", lambda *_: ())
    assert overlap(tree, kind, wheels=False) > 0.2


def test_cars_of_several_populations_do_not_overlap() -> None:
    assert overlap("AvoidNeighbors", "crossing", wheels=False, several=True) == 0


def test_a_queue_leaves_room_for_the_bodies() -> None:
    rng = np.random.default_rng(3)
    position = np.hstack([-9.0 * np.arange(5)[:, None], rng.normal(0, 0.1, (5, 1))])
    cars = sm.Vehicles(position, [3, 0], max_speed=5, max_force=8, radius=HALF, length=4.0)
    world = sm.World(dt=1 / 30)
    world.add(cars, steering=sm.Queue([30.0, 0.0], headway=0.8, radius=15.0))
    for _ in range(100):
        world.run(steps=5)
        assert rectangles_overlap(cars.position.astype(float), cars.forward.astype(float)) == 0
    gaps = np.diff(np.sort(cars.position[:, 0]))
    assert (gaps > 4.1).all()
    assert (gaps < 5.2).all()


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)])
def test_pushes_add_up_over_all_bodies_within_the_radius_of_the_axes(d: int, dtype: Any, torus: bool) -> None:
    rng = np.random.default_rng(d)
    n, size = 60, 30.0 if d == 2 else 16.0
    position, forward = rng.uniform(0, size, (n, d)), rng.normal(size=(n, d))
    length = rng.choice([0.0, 2.0, 6.0], n)
    domain = sm.Torus([size] * d) if torus else sm.Open()
    vehicles = sm.Vehicles(position, forward=forward, length=length, radius=0.4, max_force=1e9, dtype=dtype)
    found = np.array(sm.Controller(vehicles, sm.Separation(radius=4.0, strength=3.0), domain=domain).steer(0.02), float)
    axis = np.maximum(length / 2 - 0.4, 0)[:, None] * forward / np.linalg.norm(forward, axis=1)[:, None]
    for i in range(n):
        rest = np.arange(n) != i
        way = domain.difference(position[rest], position[i][None])
        way = laws.nearest_offset(way, np.broadcast_to(axis[i], way.shape), axis[rest])
        near = way[(np.linalg.norm(way, axis=1) <= 4) & (np.linalg.norm(way, axis=1) > 1e-2)]
        if (np.linalg.norm(way, axis=1) <= 1e-2).any():
            continue
        expected = laws.separation(np.zeros(d), near, strength=3.0, fade=4.0)
        np.testing.assert_allclose(found[i], expected, rtol=2e-3, atol=2e-3)


def test_a_length_that_comes_later_counts_from_the_next_step_on() -> None:
    cars = sm.Vehicles([[0.0, 0.0], [4.0, 0.0]], forward=[1, 0], radius=0.5, max_force=100)
    world = ran(cars, sm.Separation(radius=3.5), dt=0.02, steps=1)
    assert not cars.velocity.any()
    cars.length[:] = 2.0
    world.step()
    assert (cars.velocity[:, 0] * [-1, 1] > 0).all()
    cars.velocity, cars.position, cars.length = [0, 0], [[0, 0], [9, 0]], 7.0
    world.step()
    assert (cars.velocity[:, 0] * [-1, 1] > 0).all()


def test_a_body_as_long_as_wide_is_a_ball() -> None:
    position, velocity, forward = two(2, 1)
    for name, make in BEHAVIORS.items():
        ball = steered(make(), position, velocity, forward, 0.0)
        np.testing.assert_array_equal(steered(make(), position, velocity, forward, 1.0), ball, err_msg=name)


def test_bodies_that_cross_leave_each_other_along_their_middles() -> None:
    for make in (
        make for name, make in BEHAVIORS.items() if name != "inverse_square"
    ):  # It does not see behind itself.
        position, forward = np.array([[0.0, 0.0], [0.3, 0.4]]), np.array([[1.0, 0.0], [0.0, 1.0]])
        found = steered(make(), position, np.zeros((2, 2)), forward, 4.0)
        assert found[1] @ position[1] > 0, make


@pytest.mark.parametrize("of", ["cars", "all"])
@pytest.mark.parametrize("law", [sm.Separation, sm.AvoidNeighbors])
def test_balls_see_how_long_others_are(law: Any, of: str) -> None:
    """A walker beside the end of a car with its middle too far away to count: beside a short one it stands still."""
    steered = []
    for length in (8.0, 1.0):
        cars = sm.Vehicles([[-4.0, 0.0]], [[0.0, 2.0]], forward=[1, 0], radius=0.5, length=length, max_speed=9)
        walker = sm.Vehicles([[0.0, 1.4]], radius=0.3, max_force=9, max_speed=2)
        world = sm.World(dt=0.02)
        world.add(cars, name="cars")
        near = {"radius": 2.0} if law is sm.Separation else {"lookahead": 1.0}
        world.add(walker, name="walker", steering=law(of=cars if of == "cars" else "all", **near))
        world.step()
        steered.append(bool(walker.velocity.any()))
    assert steered == [True, False]


@pytest.mark.parametrize("behavior", ["smooth", "ORCA", "Separation"])
@pytest.mark.parametrize("d", [2, 3])
def test_the_sketch_shows_the_capsule(behavior: str, d: int) -> None:
    position, velocity = np.zeros((2, d)), np.zeros((2, d))
    position[1, :2], velocity[:, 0] = (6, 0.3), (2, -2)
    pictures = []
    for length in (0.0, 4.0):
        world = sm.World(dt=0.02)
        cars = sm.Vehicles(position, velocity, radius=0.5, length=length, max_speed=3, max_force=10, dtype=KEPT[d])
        world.add(cars, steering=BEHAVIORS[behavior]())
        pictures.append([shape for sketch in world.sketch() for shape in sketch.shapes])
    assert len(pictures[1]) >= len(pictures[0]) + 3  # A second round end, and two sides.


def test_neighbor_sums_of_bodies_are_one_for_any_number_of_threads() -> None:
    start, ends = np.random.default_rng(5).uniform(0, 60, (600, 2)), []
    for threads in (1, 2):
        cars = sm.Vehicles(start, length=3.0, radius=0.5, max_force=9)
        ran(cars, sm.Separation(radius=4.0) + sm.AvoidNeighbors(), dt=0.02, threads=threads, steps=5)
        ends.append(cars.position.copy())
    np.testing.assert_array_equal(ends[0], ends[1])


def test_nothing_is_computed_for_balls() -> None:
    """The searches and calls of a population without lengths are those that there were."""
    cars = sm.Vehicles([[0.0, 0.0], [4.0, 0.0]])
    look = neighbor_pass.NeighborPass(cars, (sm.Separation().needs()[0],), sm.Open())
    assert [each.parts is not None for each in look.runners] == [True]
    assert scene_module.bodies_of(cars, cars) == ()


def test_lengths_that_are_given_later_count_beside_sums_that_do_not_depend_on_them() -> None:
    forces = []
    for later in (False, True):
        vehicles = sm.Vehicles([[0.0, 0.0], [4.5, 0.1]], forward=[1.0, 0.0], radius=0.2, dtype=np.float64)
        controller = sm.Controller(vehicles, sm.Separation(radius=1.0) + sm.Alignment(radius=2.0), threads=1)
        if later:
            assert not controller.steer(0.1).any()
        vehicles.length = 4.0
        forces.append(controller.steer(0.1).copy())
    assert forces[0].all()
    np.testing.assert_array_equal(*forces)
