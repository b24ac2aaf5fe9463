"""SurfaceBound: on the surface, upright, at the speed one has."""

import numpy as np
import pytest
from later import later

import steersman as sm

trimesh = later("trimesh")

X = np.linspace(0, 4 * np.pi, 65)
HILLS = 2 * np.sin(X)[:, None] * np.cos(X)[None, :]


def ball(subdivisions=3):
    mesh = trimesh.creation.icosphere(subdivisions=subdivisions, radius=10.0)
    return sm.TriangleMesh(mesh.vertices, mesh.faces)


SURFACES = {
    "plane": lambda: sm.Plane([0, 0, 0], [1, 2, 3]),
    "sphere": lambda: sm.Sphere([1, 2, 3], 10.0),
    "hills": lambda: sm.Heightfield(HILLS, [-20, -20], [20, 20]),
    "mesh": ball,
}
SIZE = {"plane": 100.0, "sphere": 10.0, "hills": 40.0, "mesh": 10.0}


def swarm(n=40, **columns):
    rng = np.random.default_rng(1)
    return sm.Vehicles(rng.uniform(-8, 8, (n, 3)), rng.normal(0, 2, (n, 3)), max_speed=3.0, max_force=20.0, **columns)


@pytest.mark.parametrize("name", SURFACES)
def test_nobody_leaves_the_surface_in_10_000_steps(name):
    """Wandering, in float32: up is the normal, velocity lies in the surface."""
    surface, vehicles = SURFACES[name](), swarm()
    world = sm.World(seed=3, dt=1 / 60, threads=1)
    tree = (
        sm.Wander()
        if name != "hills"
        else sm.Priority([sm.Contain(sm.Box([38, 38, 99], [-19, -19, -50])), sm.Wander()])
    )
    world.add(vehicles, steering=tree, locomotion=sm.SurfaceBound(surface))
    worst = 0.0
    for _ in range(100):
        world.run(steps=100)
        position = vehicles.position.astype(float)
        found = (
            sm.Skin(surface).nearest(position) if isinstance(surface, sm.TriangleMesh) else surface.nearest(position)
        )
        worst = max(worst, float(np.abs(found.distance).max()))
        up, velocity = vehicles.up.astype(float), vehicles.velocity.astype(float)
        assert np.abs(np.sum(up * velocity, axis=1)).max() < 1e-5 * 3
        assert np.abs(np.sum(up * vehicles.forward, axis=1)).max() < 1e-5
        np.testing.assert_allclose(np.linalg.norm(up, axis=1), 1, atol=1e-5)
    assert worst < 1e-5 * max(SIZE[name], np.abs(vehicles.position).max())
    assert vehicles.speed.mean() > 1


def test_up_is_the_outward_normal():
    vehicles = swarm()
    world = sm.World(dt=0.05, threads=1)
    world.add(vehicles, locomotion=sm.SurfaceBound(sm.Sphere([0, 0, 0], 5)))
    world.run(steps=10)
    np.testing.assert_allclose(vehicles.up, vehicles.position / 5, atol=1e-5)


@pytest.mark.parametrize("name", ["sphere", "hills", "mesh"])
def test_speed_is_neither_won_nor_lost_on_slopes(name):
    vehicles = swarm(dtype=np.float64)
    locomotion = sm.SurfaceBound(SURFACES[name]())
    locomotion.advance(vehicles, [0, 0, 0], 1e-9)
    speed = vehicles.speed.copy()
    for _ in range(100):
        locomotion.advance(vehicles, [0, 0, 0], 0.01)
    np.testing.assert_allclose(vehicles.speed, speed, rtol=1e-9)


def test_on_a_sphere_a_coasting_vehicle_goes_along_a_great_circle():
    """Half way round in pi r / v, to the other side."""
    vehicles = sm.Vehicles([[5, 0, 0]], [[0, 3, 4]], max_speed=9, dtype=np.float64)
    world = sm.World(dt=0.001, threads=1)
    world.add(vehicles, locomotion=sm.SurfaceBound(sm.Sphere([0, 0, 0], 5)))
    world.run(seconds=np.pi)
    np.testing.assert_allclose(vehicles.position, [[-5, 0, 0]], atol=0.01)
    np.testing.assert_allclose(vehicles.velocity, [[0, -3, -4]], atol=0.01)


def test_uphill_the_way_is_as_long_as_on_the_flat():
    """A ramp of 3 in 4: in a second at 5 m/s one is 4 m further and 3 m higher."""
    ramp = sm.Heightfield([[0, 0], [75, 75]], [0, 0], [100, 10])
    vehicles = sm.Vehicles([[10, 5, 0]], [[4, 0, 3]], max_speed=5, dtype=np.float64)
    locomotion = sm.SurfaceBound(ramp)
    for _ in range(100):
        locomotion.advance(vehicles, [0, 0, 0], 0.01)
    np.testing.assert_allclose(vehicles.position, [[14, 5, 10.5]], atol=1e-9)


def test_only_the_tangential_part_of_a_force_counts():
    plane = sm.SurfaceBound(sm.Plane([0, 0, 0], [0, 0, 1]))
    vehicles = sm.Vehicles([[0, 0, 0]], [[1, 0, 0]], mass=2.0, max_speed=9, max_force=99, dtype=np.float64)
    plane.advance(vehicles, [0, 4, 50], 0.5)
    np.testing.assert_allclose(vehicles.velocity, [[1, 1, 0]])
    np.testing.assert_allclose(vehicles.position, [[0.5, 0.5, 0]])


def test_force_and_speed_are_truncated():
    plane = sm.SurfaceBound(sm.Plane([0, 0, 0], [0, 0, 1]))
    vehicles = sm.Vehicles([[0, 0, 0]], [[1, 0, 0]], max_speed=1.5, max_force=2, dtype=np.float64)
    plane.advance(vehicles, [100, 0, 0], 0.1)
    np.testing.assert_allclose(vehicles.velocity, [[1.2, 0, 0]])
    plane.advance(vehicles, [100, 0, 0], 10.0)
    np.testing.assert_allclose(vehicles.velocity, [[1.5, 0, 0]])


def test_at_rest_and_in_degenerate_places_nothing_breaks():
    """In the center of a sphere, facing along the normal, at rest, far away."""
    vehicles = sm.Vehicles([[0, 0, 0], [5, 0, 0], [1e12, 0, 0]], forward=[[1, 0, 0]] * 3, max_speed=2)
    locomotion = sm.SurfaceBound(sm.Sphere([0, 0, 0], 5))
    for _ in range(3):
        locomotion.advance(vehicles, [0, 0, 0], 0.1)
    assert np.isfinite(vehicles.block).all()
    np.testing.assert_allclose(np.linalg.norm(vehicles.position, axis=1), 5, rtol=1e-6)
    np.testing.assert_allclose(np.sum(vehicles.forward * vehicles.up, axis=1), 0, atol=1e-6)


@pytest.mark.parametrize(
    "limit",
    [sm.TurnRate(), sm.MomentOfInertia(), sm.ConstantSpeed(2.0), sm.HeadingSmoother(time_constant=0.3)],
    ids=lambda limit: type(limit).__name__,
)
def test_who_turns_slowly_stays_upright(limit):
    """Headings that are remembered do not tilt a vehicle: within 100 steps they leaned by up to 78 degrees."""
    center, vehicles = np.array([1.0, 2.0, 3.0]), swarm(dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=sm.Wander(), locomotion=sm.SurfaceBound(sm.Sphere(center, 10.0), limits=[limit]))
    for _ in range(100):
        world.step()
        np.testing.assert_allclose(vehicles.up, (vehicles.position - center) / 10, atol=1e-9)
        np.testing.assert_allclose(np.sum(vehicles.forward * vehicles.up, axis=1), 0, atol=1e-9)
    assert vehicles.speed.mean() > 0.5


@pytest.mark.parametrize("steering", [sm.Arrive([0, 0, 60]), sm.Dock([0, 0, 60], forward=[1, 0, 0])], ids=repr)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_goal_exactly_behind_is_turned_to_along_the_ground(steering, dtype):
    """One of 48 with a TurnRate stood for ever: it turned over its top, out of the surface."""
    angle = np.arange(48) * np.pi / 24
    out = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    vehicles = sm.Vehicles(9 * out + [0, 0, 60], forward=out, max_speed=3, max_force=6, dtype=dtype)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=steering, locomotion=sm.SurfaceBound(sm.Sphere([0, 0, 0], 60), limits=[sm.TurnRate()]))
    world.run(seconds=30)
    assert np.linalg.norm(vehicles.position - [0, 0, 60], axis=1).max() < 0.2


def test_a_goal_off_the_ground_asks_for_no_speed_across_it():
    """With LowSpeedTurn some circled for ever below the middle of two others, which lies off the hills."""
    rng, hills = np.random.default_rng(4), SURFACES["hills"]()
    ends = np.array([[-4.0, 1.0, 0.0], [3.0, 2.0, 0.0]])
    ends[:, 2] = hills.height_at(ends[:, :2])
    vehicles = sm.Vehicles(rng.uniform(-9, 9, (40, 3)))
    world = sm.World(dt=1 / 60, threads=1)
    a, b = sm.Vehicles(ends[:1]), sm.Vehicles(ends[1:])
    world.add(a)
    world.add(b)
    body = sm.SurfaceBound(hills, limits=[sm.LowSpeedTurn()])
    world.add(vehicles, steering=sm.Interpose(a, b), locomotion=body)
    world.run(seconds=60)
    assert vehicles.speed.max() < 0.01


def test_on_a_circle_in_the_plane():
    vehicles = sm.Vehicles([[3, 0]], [[0, 2]], max_speed=5, dtype=np.float64)
    locomotion = sm.SurfaceBound(sm.Sphere([0, 0], 3))
    for _ in range(50):
        locomotion.advance(vehicles, [0, 0], 0.02)
    np.testing.assert_allclose(np.linalg.norm(vehicles.position), 3)
    np.testing.assert_allclose(vehicles.speed, 2)


@pytest.mark.parametrize("limits", [[], [sm.Asymmetric()]], ids=["free", "limited"])
def test_a_force_is_cut_before_it_is_laid_down(limits):
    vehicles = sm.Vehicles([[0, 0, 0]], max_force=1, dtype=np.float64)
    world = sm.World(dt=0.1, threads=1)
    body = sm.SurfaceBound(sm.Plane([0, 0, 0], [0, 0, 1]), limits=limits)
    world.add(vehicles, steering=lambda vehicles: np.array([[3.0, 0.0, -4.0]]), locomotion=body)
    world.step()
    np.testing.assert_allclose(vehicles.velocity, [[0.06, 0, 0]], atol=1e-12)


def test_on_a_torus_a_landscape_that_repeats_has_no_rim():
    land = sm.Heightfield(np.round(HILLS, 6), [0, 0], [40, 40], repeat=True)
    vehicles = sm.Vehicles([[39, 20, 0]], [[3, 0, 0]], max_speed=3, dtype=np.float64)
    world = sm.World(domain=sm.Torus([40, 40, 40], [0, 0, -20]), dt=0.02, threads=1)
    world.add(vehicles, locomotion=sm.SurfaceBound(land))
    world.run(seconds=2)
    assert 2 < vehicles.position[0, 0] < 8
    np.testing.assert_allclose(vehicles.position[0, 2], land.height_at(vehicles.position[0, :2]), atol=1e-9)
    np.testing.assert_allclose(vehicles.speed, 3)


def test_what_is_refused():
    with pytest.raises(
        TypeError, match="surface must be a Plane, Sphere, Heightfield, TriangleMesh or WalkMesh, got 3"
    ):
        sm.SurfaceBound(3)
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]]), locomotion=sm.SurfaceBound(sm.Sphere([0, 0, 0], 1)))
    with pytest.raises(ValueError, match="surface must have 2 dimensions like the vehicles, got 3"):
        world.step()


def test_stays_in_float32():
    from precision import assert_single_precision

    from steersman.core.locomotion.chassis import Chassis
    from steersman.core.vehicles.memory import Memory

    vehicles = swarm(3)
    columns = [tuple(np.zeros((3, 3), np.float32)) for _ in range(4)]
    chassis = Chassis(vehicles, *columns, np.array([0.1], np.float32), Memory({}))
    motion = sm.SurfaceBound(sm.Plane([0, 0, 0], [0, 0, 1])).bind(chassis)
    for call in [*motion.propose, *motion.move]:
        assert_single_precision(call.kernel, np.uint64(0), np.uint64(1), *call.arguments)
