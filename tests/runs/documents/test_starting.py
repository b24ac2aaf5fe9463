"""Spawn shapes, starting velocities and spreads."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.parameters.kinds import Description
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.spawning import SHAPES
from steersman.runs.documents.spread import SPREAD, Spread
from steersman.runs.documents.starting import STARTS

N = 400


def positions(name, domain=None, obstacles=(), clear=0.0, d=2, n=N, **params):
    rng = np.random.default_rng(1)
    return SHAPES[name](**params).positions(n, d, domain or sm.Open(), list(obstacles), clear, rng)


def test_box():
    points = positions("box", center=[10, 0], size=[4, 2])
    assert points.shape == (N, 2)
    assert np.all(np.abs(points - [10, 0]) <= [2, 1])
    assert np.ptp(points, axis=0) == pytest.approx([4, 2], rel=0.1)


def test_box_fills_the_domain_by_default():
    points = positions("box", domain=sm.Torus([10, 20], -5))
    assert np.all(points >= -5)
    assert np.all(points < [5, 15])
    with pytest.raises(ValueError, match="size must be given"):
        positions("box")


@pytest.mark.parametrize(("name", "d"), [("disc", 2), ("ball", 3)])
def test_disc_and_ball_are_uniform(name, d):
    distance = np.linalg.norm(positions(name, d=d, radius=3.0, n=20000), axis=1)
    assert distance.max() <= 3
    assert np.mean(distance < 1.5) == pytest.approx(0.5**d, abs=0.02)


@pytest.mark.parametrize(("name", "d"), [("ring", 2), ("shell", 3)])
def test_ring_and_shell_are_at_a_distance(name, d):
    points = positions(name, d=d, radius=3.0, center=[1.0] * d)
    assert np.linalg.norm(points - 1, axis=1) == pytest.approx(3.0)


def test_grid_keeps_its_spacing_and_is_centered():
    points = positions("grid", spacing=2.0, center=[5, 5], n=9)
    assert points.mean(axis=0) == pytest.approx([5, 5])
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)
    assert distance[~np.eye(9, dtype=bool)].min() == pytest.approx(2.0)
    assert positions("grid", spacing=2.0, d=3, n=1).shape == (1, 3)


def test_points_are_taken_as_they_are():
    assert positions("points", domain=sm.Torus([9, 9]), position=[[1, 2], [3, 4]], n=2).tolist() == [[1, 2], [3, 4]]
    assert SHAPES["points"](position=[[1, 2, 3]]).count == 1


def test_obstacles_are_kept_clear_of_also_across_the_seam():
    rocks = sm.Spheres(center=[[0.0, 0.0], [5.0, 5.0]], radius=[2.0, 1.0])
    domain = sm.Torus([10, 10])
    points = positions("box", domain=domain, obstacles=[rocks], clear=0.5, n=2000)
    for center, radius in zip(rocks.center, rocks.radius, strict=True):
        assert np.linalg.norm(domain.difference(points, center), axis=1).min() >= radius + 0.5
    with pytest.raises(ValueError, match="room beside the obstacles"):
        positions("box", domain=domain, obstacles=[rocks], clear=20.0)


def test_shapes_refuse_nonsense():
    with pytest.raises(ValueError, match="radius must be >= 0 m"):
        SHAPES["disc"](radius=-1.0)
    with pytest.raises(ValueError, match="size must be >= 0 m"):
        SHAPES["box"](size=[1, -1])
    with pytest.raises(ValueError, match="center must have shape"):
        SHAPES["box"](center=[1])


def velocities(name, position=None, **params):
    position = np.random.default_rng(2).normal(size=(N, 2)) if position is None else position
    return STARTS[name](**params).velocities(position, np.random.default_rng(3))


def test_starting_velocities():
    assert not velocities("rest").any()
    free = velocities("random", speed=Spread(2.0, 2.0))
    assert np.linalg.norm(free, axis=1) == pytest.approx(2.0)
    assert np.abs(free.mean(axis=0)).max() < 0.3
    ranged = np.linalg.norm(velocities("random", speed=Spread(1.0, 3.0)), axis=1)
    assert 1 <= ranged.min() < 1.2
    assert 2.8 < ranged.max() <= 3
    assert velocities("along", speed=Spread(5.0, 5.0), direction=[0, 2])[0].tolist() == [0, 5]
    square = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]])
    assert velocities("around", square, speed=Spread(1.0, 1.0)) == pytest.approx(
        np.array([[0, 1], [-1, 0], [0, -1], [1, 0]])
    )


def test_starting_velocities_refuse_nonsense():
    with pytest.raises(ValueError, match="direction must have 2 numbers, got 3"):
        velocities("along", speed=Spread(1.0, 1.0), direction=[0, 1, 0])
    with pytest.raises(ValueError, match=r"direction must be a direction, .* and not zero"):
        STARTS["along"](speed=Spread(1.0, 1.0), direction=[0, 0])


SPEED = Description(name="speed", kind=SPREAD, unit="m/s", low=0.0, choices=("step",))


def test_spreads():
    assert SPEED.normal(3) == Spread(3.0, 3.0)
    assert SPEED.normal({"low": 1, "high": 2.5}) == Spread(1.0, 2.5)
    assert SPEED.normal("step") == "step"
    drawn = Spread(1.0, 2.0).draw(1000, np.random.default_rng(0))
    assert 1 <= drawn.min() < 1.01 < 1.99 < drawn.max() <= 2


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1, "speed must be >= 0 m/s, got -1"),
        (float("nan"), "speed must be >= 0 m/s"),
        ({"low": 2, "high": 1}, "low <= high"),
        ({"low": 2}, "must be"),
        ({"low": "a", "high": 1}, "must be"),
        (True, 'must be "step" or a number >= 0 m/s or {low, high} or a list of numbers, got True'),
        ("slow", "got 'slow'"),
    ],
)
def test_spreads_refuse_nonsense(value, message):
    with pytest.raises((TypeError, ValueError), match=message):
        SPEED.normal(value)


@pytest.mark.parametrize(
    ("obstacles", "distance"),
    [
        (sm.Boxes([[0, 0]], [[3, 1]]), lambda p: np.maximum(np.abs(p[:, 0]) - 3, np.abs(p[:, 1]) - 1)),
        (sm.Walls([[-5, 0], [5, 0]]), lambda p: np.abs(p[:, 1])),
        (sm.Spheres([0, 0], 4, seen_from="inside"), lambda p: 4 - np.linalg.norm(p, axis=1)),
    ],
)
def test_vehicles_start_on_the_right_side_of_every_obstacle(obstacles, distance):
    points = positions("box", center=[0, 0], size=[10, 10], obstacles=[obstacles], clear=0.5)
    assert distance(points).min() > 0.5 - 1e-9
    crowded = positions("box", center=[0, 0], size=[10, 10])
    assert distance(crowded).min() < 0.5


def test_headings():
    populations = [{"name": "a", "n": 50, "spawn": {"shape": "disc", "radius": 3}, "heading": {"low": 1, "high": 2}}]
    heading = set_stage({"populations": populations}).world["a"].heading
    assert 1 <= heading.min() < heading.max() <= 2
    populations[0]["heading"] = 0.5
    assert set_stage({"populations": populations}).world["a"].heading == pytest.approx(np.full(50, 0.5))
    populations[0]["spawn"] = {"shape": "ball", "radius": 3}
    with pytest.raises(ScenarioError, match=r"populations\[0\].heading: heading is for 2D"):
        set_stage({"populations": populations})


def test_the_largest_of_a_spread_starts_clear_of_obstacles():
    rock = {"name": "rock", "kind": "spheres", "center": [[0, 0]], "radius": 3}
    crowd = {"name": "a", "n": 60, "spawn": {"shape": "disc", "radius": 6}, "radius": {"low": 0.1, "high": 1.5}}
    vehicles = set_stage({"obstacles": [rock], "populations": [crowd]}).world["a"]
    assert (np.linalg.norm(vehicles.position, axis=1) - vehicles.radius > 3).all()


@pytest.mark.filterwarnings("error")
def test_a_population_may_be_empty_at_first():
    crowd = {"name": "a", "n": 0, "spawn": {"shape": "disc", "radius": 6}, "velocity": {"kind": "around", "speed": 1}}
    assert len(set_stage({"populations": [{**crowd, "radius": {"low": 0.1, "high": 1.5}}]}).world["a"]) == 0


@pytest.mark.parametrize("count", [1, 4, 6, 9])
def test_numbers_for_each_are_as_many_as_vehicles(count):
    """Too few and too many: the number that is wrong is named, and both counts are told."""
    spread = SPREAD.normal(Description("mass", SPREAD), [1.0] * count)
    with pytest.raises(ValueError, match=f"mass must be one number or one for each of 5 vehicles, got {count}"):
        spread.draw(5, np.random.default_rng(0))
