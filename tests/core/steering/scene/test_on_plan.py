"""What has two dimensions steers vehicles on a surface by x and y."""

import tomllib

import numpy as np
import pytest
from runs.documents.rounds import read_again

import steersman as sm
from steersman.runs.documents import builder  # noqa: F401  teaches the reader all kinds
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.documents import resolved
from steersman.runs.documents.problems import ScenarioError

X = np.linspace(0, 60, 31)
HILLS = sm.Heightfield(2 * np.sin(X / 7)[:, None] * np.cos(X / 9)[None, :], [0, 0], [60, 60])

RING = 30 + 15 * np.column_stack([np.cos(np.arange(24) * np.pi / 12), np.sin(np.arange(24) * np.pi / 12)])


def herd(steering, seconds=20.0, domain=None):
    """A herd on the hills after some time."""
    rng = np.random.default_rng(4)
    place = rng.uniform(18, 42, (30, 2))
    position = np.column_stack([place, HILLS.height_at(place)])
    vehicles = sm.Vehicles(position, rng.normal(0, 1, (30, 3)), max_speed=3, max_force=9, radius=0.4, dtype=np.float64)
    world = sm.World(seed=1, threads=1, domain=domain)
    world.add(vehicles, steering=steering, locomotion=sm.SurfaceBound(HILLS))
    world.run(seconds=seconds, dt=1 / 30)
    np.testing.assert_allclose(vehicles.position[:, 2], HILLS.height_at(vehicles.position[:, :2]), atol=1e-6)
    return vehicles


@pytest.mark.parametrize("law", ["lane", "predicted", "waypoints"])
def test_a_path_on_a_map_is_followed_over_hill_and_dale(law):
    path = sm.Path(RING, radius=2.0, closed=True)
    vehicles = herd(sm.FollowPath(path, law=law))
    assert path.project(vehicles.position[:, :2]).distance.max() < 2.0
    (x, y), (vx, vy) = (vehicles.position[:, :2] - 30).T, vehicles.velocity[:, :2].T
    assert (x * vy - y * vx > 0).all()  # All go round counter-clockwise, as the path does.
    assert vehicles.speed.min() > 2.9


def test_a_path_on_a_map_is_kept_to():
    path = sm.Path(RING, radius=2.0, closed=True)
    vehicles = herd(sm.Priority([sm.StayOnPath(path), sm.Wander()]))
    assert path.project(vehicles.position[:, :2]).distance.max() < 2.3


def test_a_painted_flow_moves_a_herd_on_hills():
    whirl = sm.FlowField.function(lambda p: np.column_stack([30 - p[:, 1], p[:, 0] - 30]) / 10)
    field = sm.FlowField.image(whirl.paint([0, 0], [60, 60], max_speed=3), [0, 0], [60, 60], max_speed=3)
    vehicles = herd(sm.FollowFlow(field), 8.0, domain=sm.Torus([60, 60, 100], [0, 0, -50]))
    wanted = field.at(vehicles.position[:, :2])
    assert np.linalg.norm(wanted, axis=1).mean() > 0.5
    np.testing.assert_allclose(vehicles.velocity[:, :2], wanted, atol=0.35)


@pytest.mark.parametrize("law", ["inside", "normal"])
def test_a_polygon_on_a_map_is_not_left(law):
    meadow = sm.Polygon([[14, 14], [46, 14], [46, 46], [30, 36], [14, 46]])
    vehicles = herd(sm.Priority([sm.Contain(meadow, law=law, margin=0.5), sm.Wander()]))
    assert meadow.inside(vehicles.position[:, :2]).all()
    assert vehicles.speed.mean() > 1


@pytest.mark.parametrize(
    "behavior",
    [
        sm.FollowPath(RING),
        sm.StayOnPath(RING),
        sm.FollowFlow(sm.FlowField.grid(np.ones((2, 2, 2)))),
        sm.Contain(sm.Polygon([[0, 0], [9, 0], [0, 9]])),
    ],
    ids=lambda each: type(each).__name__,
)
def test_who_flies_needs_three_dimensions(behavior):
    """And in 2D nothing of 3D has a meaning."""
    world = sm.World(threads=1)
    world.add(sm.Vehicles([[1, 1, 1.0]], dtype=np.float64), steering=behavior)
    with pytest.raises(ValueError, match="3 dimensions like the vehicles, got 2; 2 do for vehicles on a surface"):
        world.step(0.1)


def test_on_a_surface_in_2d_three_dimensions_have_no_meaning():
    world = sm.World(threads=1)
    vehicles = sm.Vehicles([[1, 1.0]], dtype=np.float64)
    world.add(
        vehicles, steering=sm.FollowPath([[0, 0, 0], [1, 1, 1]]), locomotion=sm.SurfaceBound(sm.Plane([0, 0], [0, 1]))
    )
    with pytest.raises(ValueError, match=r"path must have 2 dimensions like the vehicles, got 3$"):
        world.step(0.1)


DOCUMENT = """
dt = 0.05

[[surfaces]]
name = "land"
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]

[[paths]]
name = "road"
points = [[0, 0], [40, 0]]
radius = 2

[[regions]]
name = "meadow"
kind = "polygon"
points = [[-5, -9], [60, -9], [60, 9], [-5, 9]]

[[populations]]
name = "herd"
spawn = {shape = "points", position = [[1, 1, 0], [2, -3, 0]]}
max_speed = 3
max_force = 9
locomotion = {body = "SurfaceBound", surface = "land"}
steering = {behavior = "FollowPath", path = "road"}
"""


def test_a_document_may_draw_maps():
    stage = set_stage(tomllib.loads(DOCUMENT))
    stage.world.run(seconds=5)
    position = stage.world["herd"].position.copy()
    assert (position[:, 0] > 10).all()
    np.testing.assert_allclose(position[:, 2], 0, atol=1e-6)
    assert resolved(read_again(stage)) == resolved(stage)


@pytest.mark.parametrize("law", ["inside", "normal"])
def test_a_document_contains_by_a_polygon(law):
    steering = f'{{behavior = "Contain", region = "meadow", law = "{law}"}}'
    text = DOCUMENT.replace('{behavior = "FollowPath", path = "road"}', steering)
    set_stage(tomllib.loads(text)).world.run(seconds=1)


def test_other_points_of_a_document_have_the_dimensions_of_the_world():
    text = DOCUMENT.replace('{behavior = "FollowPath", path = "road"}', '{behavior = "Seek", target = [1, 2]}')
    with pytest.raises(ScenarioError, match="3 numbers per point"):
        set_stage(tomllib.loads(text))
