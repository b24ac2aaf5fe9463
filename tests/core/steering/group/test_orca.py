"""ORCA: its planes by hand, its velocity by trying everything, and that nobody collides."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from crowd_scenes import walk
from hypothesis import given
from hypothesis import strategies as st
from sampling import KEPT
from stepping import ran

import steersman as sm
from steersman import laws
from steersman.core.environment.obstacles.answers import new_bars
from steersman.core.steering.group import giving_way
from steersman.core.steering.group.giving_way import DesiredWay, WayMemory
from steersman.core.steering.group.half_spaces import nearest_velocity
from steersman.core.steering.group.orca import velocities_left
from steersman.core.steering.group.turning_room import keep_ahead
from steersman.core.steering.group.velocity_obstacle import add_walls, way_out_of_obstacle
from steersman.runs.metrics.contacts import Contacts


def velocity(position, moving, behavior, dt=0.1, **columns):
    """The velocity that ORCA takes: mass and response time make it the force."""
    vehicles = sm.Vehicles(
        position, moving, dtype=np.float64, **({"max_force": 1e9, "max_speed": 3.0, "response_time": 1.0} | columns)
    )
    return sm.Controller(vehicles, behavior).steer(dt) + vehicles.velocity


def test_the_plane_of_two_that_meet_head_on():
    """4 m apart, reach 1 m, closing at 2 m/s within 2 s: the cone has a half-angle of asin(1/4).

    w = (2, 0) lies on its axis; its side is 2 sin(asin(1/4)) = 0.5 m/s away. Each takes half of it, to its left.
    """
    normal, offset = laws.reciprocal_plane([4.0, 0.0], [1.0, 0.0], [-1.0, 0.0], 1.0, horizon=10.0)
    side = np.array([-0.25, math.sqrt(15) / 4])
    np.testing.assert_allclose(normal, side)
    assert offset == pytest.approx(np.dot(side, [1.0, 0.0]) + 0.25)
    normal, offset = laws.reciprocal_plane([4.0, 0.0], [1.0, 0.1], [-1.0, 0.0], 1.0, horizon=10.0)
    np.testing.assert_allclose(normal, side, atol=1e-12)
    distance = np.dot(side, [2.0, 0.1])  # From the side of the cone, which goes through the origin.
    assert offset == pytest.approx(np.dot(side, [1.0, 0.1]) - 0.5 * distance)


def test_the_round_end_of_the_cone_and_an_overlap():
    """At rest, 4 m apart, reach 1 m: within 2 s one may go at 1.5 m/s straight on."""
    normal, offset = laws.reciprocal_plane([4.0, 0.0], [0.0, 0.0], [0.0, 0.0], 1.0, horizon=2.0, share=1.0)
    np.testing.assert_allclose(normal, [-1, 0])
    assert offset == pytest.approx(-1.5)
    normal, offset = laws.reciprocal_plane([0.6, 0.0], [0.0, 0.0], [0.0, 0.0], 1.0, horizon=2.0, share=0.5, now=0.2)
    np.testing.assert_allclose(normal, [-1, 0])
    assert offset == pytest.approx(0.5 * 0.4 / 0.2)


@given(seed=st.integers(0, 10**6), d=st.sampled_from([2, 3]), count=st.integers(1, 8), hard=st.integers(0, 3))
def test_the_best_velocity_is_that_of_trying_everything(seed, d, count, hard):
    rng = np.random.default_rng(seed)
    normals = rng.normal(size=(count, d))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    offsets, target = rng.normal(rng.choice([-0.3, 0.5]), 0.8, count), tuple(rng.normal(0, 1.5, d))
    planes = np.column_stack([normals, offsets])
    found = nearest_velocity(planes, min(hard, count), count, 1.3, target, np.zeros_like(planes), 1e-12)
    expected = laws.nearest_velocity(normals, offsets, np.array(target), 1.3, hard=min(hard, count))
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_the_best_velocity_by_hand():
    """On the line x >= 1, as near to (0, 2) as a speed of 1.25 allows: (1, 0.75). Between two that exclude each other:
    in the middle."""
    one = laws.nearest_velocity([[1.0, 0.0]], [1.0], [0.0, 2.0], 1.25)
    np.testing.assert_allclose(one, [1, 0.75])
    two = laws.nearest_velocity([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]], [0.6, 0.2, 0.5], [0.0, 0.0], 5.0)
    assert two[0] == pytest.approx(0.2)
    kept = laws.nearest_velocity([[1.0, 0.0], [-1.0, 0.0]], [0.6, 0.2], [0.0, 0.0], 5.0, hard=1)
    assert kept[0] == pytest.approx(0.6)


@pytest.mark.parametrize("d", [2, 3])
def test_two_head_on_share_the_work_and_never_touch(d):
    axis = np.eye(d)[0]
    ends = np.array([-10 * axis, 10 * axis])
    vehicles = sm.Vehicles(ends, max_speed=1.5, max_force=1e3, response_time="step", dtype=np.float64)
    world = sm.World(dt=0.05)
    world.add(vehicles, steering=sm.ORCA(3.0, toward=sm.Seek(-3 * ends), margin=0.0, uneven=0.0))
    contacts = Contacts(vehicles, slack=1e-6)
    world.on_step(contacts)
    for _ in range(400):
        world.step()
        np.testing.assert_allclose(vehicles.position.sum(axis=0), 0, atol=1e-6)  # Each does the same.
    assert not contacts.pairs
    assert (vehicles.position @ axis * [1, -1] > 8).all()


@pytest.mark.parametrize("d", [2, 3])
def test_many_swap_places_and_nobody_touches_anybody(d):
    rng = np.random.default_rng(1)
    if d == 2:
        angle = np.linspace(0, 2 * np.pi, 30, endpoint=False)
        start = 14 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.uniform(-0.1, 0.1, (30, 2))
    else:
        start = rng.normal(size=(30, 3))
        start *= 10 / np.linalg.norm(start, axis=1, keepdims=True)
    vehicles = sm.Vehicles(start, radius=0.4, max_speed=2.0, max_force=1e3, response_time="step")
    world = sm.World(dt=1 / 20)
    world.add(vehicles, steering=sm.ORCA(2.5, toward=sm.Arrive(-start), k=12, margin=0.1))
    contacts = Contacts(vehicles)
    world.run(seconds=1)
    world.on_step(contacts)
    world.run(seconds=60)
    assert not contacts.pairs
    assert np.linalg.norm(vehicles.position + start, axis=1).max() < 1.0


@pytest.mark.parametrize("d", [2, 3])
def test_rocks_are_kept_clear_of_even_where_others_push(d):
    rng = np.random.default_rng(3)
    rock = sm.Spheres(np.zeros((1, d)), 3.0)
    start = rng.uniform(-2.5, 2.5, (10, d))
    start[:, 0] = np.linspace(-12, -6, 10)
    vehicles = sm.Vehicles(start, radius=0.3, max_speed=2.0, max_force=1e3, response_time="step", dtype=KEPT[d])
    world = sm.World(dt=1 / 20)
    goal = 15 * np.eye(d)[0]
    world.add(vehicles, steering=sm.ORCA(2.0, toward=sm.Seek(goal), obstacles=rock, margin=0.05))
    depth = 0.0
    for _ in range(400):
        world.step()
        depth = max(depth, float((3.3 - np.linalg.norm(vehicles.position, axis=1)).max()))
    assert depth < 0.01
    assert (vehicles.position[:, 0] > 5).all()


def test_walls_are_never_run_through_even_where_others_push():
    """A corner: everybody wants to a point behind it."""
    rng = np.random.default_rng(5)
    corner = sm.Walls([[[0.0, -20.0], [0.0, 0.0]], [[0.0, 0.0], [-20.0, 0.0]]])
    start = rng.uniform([-9, -9], [-2, -2], (12, 2))
    vehicles = sm.Vehicles(start, radius=0.3, max_speed=2.0, max_force=1e3, response_time="step")
    ran(vehicles, sm.ORCA(2.0, toward=sm.Seek([6.0, 6.0]), obstacles=corner), dt=1 / 20, seconds=20)
    assert (vehicles.position < -0.25).all()
    assert vehicles.position.max() > -0.8


def test_those_who_do_not_avoid_are_avoided_alone():
    """share=1 against one that goes straight on; share=0.5 would run into it."""
    bull = sm.Vehicles([[10.0, 0.0]], [[-1.5, 0.0]], max_speed=1.5)
    walker = sm.Vehicles([[0.0, 0.05]], max_speed=1.5, max_force=1e3, response_time="step")
    world = sm.World(dt=0.05)
    world.add(bull)
    world.add(walker, steering=sm.ORCA(3.0, toward=sm.Seek([30.0, 0.0]), of=bull, share=1.0))
    nearest = math.inf
    for _ in range(200):
        world.step()
        nearest = min(nearest, float(np.hypot(*(bull.position[0] - walker.position[0]))))
    assert 0.999 < nearest < 1.1
    assert walker.position[0, 0] > 10


@pytest.mark.parametrize("d", [2, 3])
def test_those_in_one_place_come_apart(d):
    vehicles = sm.Vehicles(np.zeros((4, d)), max_speed=2.0, max_force=50.0)
    ran(vehicles, sm.ORCA(), dt=0.05, seconds=3)
    offset = vehicles.position[:, None] - vehicles.position[None]
    distance = np.linalg.norm(offset, axis=2)[np.triu_indices(4, 1)]
    assert distance.min() > 0.99


def test_without_anybody_near_the_wanted_velocity_is_taken():
    found = velocity([[0.0, 0.0]], [[0.5, 0.0]], sm.ORCA(toward=sm.Seek([0.0, 9.0])))
    np.testing.assert_allclose(found, [[0.0, 3.0]], atol=1e-12)
    np.testing.assert_allclose(velocity([[0.0, 0.0]], [[0.5, 0.0]], sm.ORCA()), [[0.5, 0.0]])


def test_it_claims_whom_its_part_claims():
    """Who is where it wants to be gets no force, and must not fall through to what stands below."""
    vehicles = sm.Vehicles([[0.0, 0.0]], dtype=np.float64)
    steering = sm.Priority([sm.ORCA(toward=sm.Arrive([0.0, 0.0])), sm.Seek([9.0, 0.0])])
    np.testing.assert_array_equal(sm.Controller(vehicles, steering).steer(0.1), 0)


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="time_horizon must be > 0 s, got 0"):
        sm.ORCA(0)
    with pytest.raises(ValueError, match="share must be >= 0 and <= 1"):
        sm.ORCA(share=1.5)
    with pytest.raises(ValueError, match="obstacles must have 2 dimensions like the vehicles, got 3"):
        velocity([[0.0, 0.0]], [[0.0, 0.0]], sm.ORCA(obstacles=sm.Spheres([[0, 0, 0]], 1)))
    with pytest.raises(TypeError, match="toward must be a behavior"):
        sm.ORCA(toward=sm.Seek)


def directions(d):
    """64 unit vectors, the axes and diagonals among them."""
    if d == 2:
        angle = np.arange(64) * np.pi / 32
        return np.stack([np.cos(angle), np.sin(angle)], axis=1)
    z, turn = 1 - (2 * np.arange(64) + 1) / 64, np.arange(64) * np.pi * (3 - math.sqrt(5))
    ways = np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], axis=1)
    ways[:8] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1], [1, 1, 0], [1, 0, 1], [1, 1, 1], [-1, 1, -1]]
    return ways / np.linalg.norm(ways, axis=1, keepdims=True)


@pytest.mark.each_value
@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)])
@pytest.mark.parametrize("many", [2, 4, 8])
def test_those_who_meet_in_exact_symmetry_pass_in_every_direction(d, dtype, many):
    """Head on, four at right angles, a ring of eight, in 64 directions at once, far apart, with nothing but the defaults."""
    angle, start = np.arange(many) * 2 * np.pi / many, []
    for k, ahead in enumerate(directions(d)):
        side = np.array([-ahead[1], ahead[0]]) if d == 2 else np.linalg.svd(ahead[None])[2][1]
        ring = 5 * (np.cos(angle)[:, None] * ahead + np.sin(angle)[:, None] * side)
        start.append((ring, ring + 100.0 * k * np.eye(d)[0]))
    goal = np.concatenate([-ring + (there - ring) for ring, there in start])
    vehicles = sm.Vehicles(
        np.concatenate([there for _, there in start]), radius=0.4, max_speed=1.5, max_force=5.0, dtype=dtype
    )
    world = sm.World(dt=1 / 20)
    world.add(vehicles, steering=sm.ORCA(toward=sm.Arrive(goal)))
    contacts = Contacts(vehicles, slack=1e-3)
    world.on_step(contacts, sm.EverySteps(10))
    world.run(seconds=30)
    assert not contacts.pairs
    assert np.linalg.norm(vehicles.position - goal, axis=1).max() < 0.5


def ring_swap(n, dt, seconds, **own):
    """Part of those who are across, and the deepest overlap [m], when a ring of n swaps sides in exact symmetry."""
    angle = np.arange(n) * 2 * np.pi / n
    start = n / 3 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    vehicles = sm.Vehicles(start, radius=0.3, max_speed=1.3, max_force=5.0)
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, steering=sm.ORCA(toward=sm.Arrive(-start), **own))
    contacts = Contacts(vehicles, slack=1e-3)
    world.on_step(contacts, sm.EverySeconds(0.1))
    world.run(seconds=seconds)
    return np.mean(np.linalg.norm(vehicles.position + start, axis=1) < 0.5), contacts.deepest


@pytest.mark.parametrize(("n", "dt"), [(24, 1 / 30), (32, 1 / 20), (32, 1 / 60), (32, 1 / 240)])
def test_a_large_ring_in_exact_symmetry_does_not_lock_up(n, dt):
    """All would stand around the middle for ever if nobody stepped back."""
    across, deepest = ring_swap(n, dt, 1.8 * n)
    assert across == 1
    assert deepest < 0.02


def test_who_steps_back_is_the_same_at_every_scale():
    """A crowd that crosses, in lengths of a millionth: a wanted velocity of micrometers a second is one, too."""
    rng, ways = np.random.default_rng(3), []
    start, ends = rng.uniform(0, 9, (2, 60, 2))
    for unit in (1.0, 2.0**-20):
        vehicles = sm.Vehicles(
            start * unit, radius=0.4 * unit, max_speed=3 * unit, max_force=9 * unit, dtype=np.float64
        )
        ran(vehicles, sm.ORCA(toward=sm.Arrive(ends * unit), radius=20 * unit), dt=1 / 32, threads=1, steps=20)
        ways.append(vehicles.position / unit)
    np.testing.assert_allclose(ways[1], ways[0], atol=1e-6)


def test_who_is_held_up_steps_back_from_who_comes_first():
    """Two at rest in contact, who want through each other: one stands, the other steps back; with nothing uneven neither."""
    places, ends = [[0.0, 0.0], [1.0, 0.0]], np.array([[9.0, 0.0], [-9.0, 0.0]])
    columns = {"max_speed": 1.0, "response_time": 1.0, "radius": 0.5}
    walls = sm.Walls([[[-20.0, y], [20.0, y]] for y in (-0.5, 0.5)])  # There is no way past.
    for uneven in (0.2, 0.0):
        steering = sm.ORCA(toward=sm.Seek(ends), obstacles=walls, uneven=uneven, margin=0.0)
        found = velocity(places, np.zeros((2, 2)), steering, **columns)[:, 0] * [1, -1]
        np.testing.assert_allclose(sorted(found), [-uneven * 40503 / 65536, 0], atol=1e-9)


@pytest.mark.parametrize("name", ["corner", "room", "narrow_door", "hallway", "crossroads"])
def test_pedestrians_stay_out_of_walls_and_of_each_other(name):
    """With the defaults, whatever they want: out of a closed room, through an L, through a door of 1.2 body widths."""
    found = walk(name, 1)
    assert found.wall < 0.005
    assert found.each < 0.005
    assert math.isnan(found.arrived) or found.arrived == 1


def test_a_closed_room_of_triangles_is_not_left():
    """In 3D, by many who want out through its corners and edges."""
    corners = np.array([[x, y, z] for x in (-4.0, 4.0) for y in (-4.0, 4.0) for z in (-4.0, 4.0)])
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    faces = [[q[0], q[j], q[j + 1]] for q in quads for j in (1, 2)]
    room = sm.TriangleMesh(corners, faces, seen_from="inside")
    rng = np.random.default_rng(2)
    vehicles = sm.Vehicles(rng.uniform(-3, 3, (16, 3)), radius=0.3, max_speed=2.0, max_force=9.0, dtype=np.float64)
    ran(vehicles, sm.ORCA(toward=sm.Seek(9.0 * np.sign(vehicles.position)), obstacles=room), dt=1 / 20, seconds=12)
    assert np.abs(vehicles.position).max() < 3.71
    assert np.abs(vehicles.position).max() > 3.4


def stream(density, seconds, populations=1, **options):
    """People one way in a corridor that is joined at its ends; they start at rest. Returns their velocities [m/s]."""
    rng = np.random.default_rng(2)
    n = round(15 * 4 * density)
    lines = math.ceil(math.sqrt(n * 4 / 15))
    columns = math.ceil(n / lines)
    cell = np.array([15 / columns, 4 / lines])
    x, y = np.divmod(np.arange(n), lines)
    start = (np.stack([x, y], axis=1) + 0.5) * cell + rng.uniform(-1, 1, (n, 2)) * np.maximum(cell / 2 - 0.2, 0)
    walls = sm.Walls([[[x, y], [x + 5, y]] for y in (0, 4) for x in (0, 5, 10)])
    world = sm.World(dt=0.05, domain=sm.Torus([15, 16]))
    go = lambda vehicles: (np.array([1.34, 0]) - vehicles.velocity) / 0.1  # noqa: E731
    crowds = [
        sm.Vehicles(some, radius=0.2, max_speed=1.34, max_force=15, response_time=0.1)
        for some in (start[k::populations] for k in range(populations))
    ]
    for people in crowds:
        world.add(people, steering=sm.ORCA(2.0, toward=go, obstacles=walls, of="all", **options))
    world.run(seconds=seconds)
    return np.concatenate([people.velocity for people in crowds])


@pytest.mark.parametrize(("density", "populations"), [(3.0, 1), (4.0, 1), (4.0, 2)])
def test_a_dense_stream_does_not_walk_backward(density, populations):
    """At 4/m^2 all were held up at the start, stepped back, were held up the more, and went backward at 1 m/s."""
    assert stream(density, 15, populations)[:, 0].mean() > (1.3 if density < 4 else 0)


@pytest.mark.parametrize(("asked", "counts"), [(6, True), (5, False)])
def test_the_way_that_another_wants_counts_for_a_step(asked, counts, monkeypatch):
    """It comes head on; if it wanted that longer ago, another part steers it now."""
    for name in ("normal_of", "own_row", "load", "subtract", "dot"):
        monkeypatch.setattr(giving_way, name, getattr(giving_way, name).py_func)
    wanted = DesiredWay(tuple(np.array([[-1.0], [0.0]])), np.array([asked]))
    planes, ways = np.array([[-1.0, 0.0, 0.0]]), (WayMemory(wanted, wanted, ()),)
    clock = SimpleNamespace(step=np.array([7.0]))
    assert giving_way.crosses.py_func(planes, 0, (1.0, 0.0), 0, clock, ways) == counts


def test_a_crowd_leaves_by_a_door_in_time():
    """Who steps back from those whose way crosses makes room; where few did, one of fourteen was not out in 40 s."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x, y = np.divmod(np.arange(16), 4)
        start = np.stack([-1.6 - x, y - 1.5], axis=1) + rng.uniform(-0.15, 0.15, (16, 2))
        walls = sm.Walls([[[0.0, -8.0], [0.0, -0.6]], [[0.0, 0.6], [0.0, 8.0]]])
        people = sm.Vehicles(start, radius=0.3, max_speed=1.3, max_force=5.0, response_time=0.1)

        def go(vehicles):
            goal = np.where(vehicles.position[:, :1] < 0.3, [0.5, 0.0], [20.0, 0.0] + 0 * vehicles.position)
            way = goal - vehicles.position
            return (1.3 * way / np.linalg.norm(way, axis=1, keepdims=True) - vehicles.velocity) / 0.1

        ran(people, sm.ORCA(3.0, toward=go, obstacles=walls, obstacle_horizon=1.5), dt=1 / 30, seconds=40)
        assert (people.position[:, 0] > 0.5).all()


BODIES = {"turning circle": sm.Wheeled(), "bicycle": sm.Wheeled(wheelbase=2.5)}


def drive(position, goals, forward, body, seconds):
    """Cars of radius 1 m that drive to goals: how near two of them came [m], and how far each is from its goal [m]."""
    position, goals = np.asarray(position, float), np.asarray(goals, float)
    cars = sm.Vehicles(position, radius=1.0, max_speed=8, max_force=16, forward=forward)
    world = sm.World(dt=1 / 30)
    world.add(cars, steering=sm.ORCA(4, toward=sm.Arrive(goals)), locomotion=body)
    nearest = np.inf
    for _ in range(round(seconds * 10)):
        world.run(steps=3)
        apart = np.linalg.norm(cars.position[:, None] - cars.position, axis=2)
        nearest = min(nearest, apart[np.triu_indices(len(cars), 1)].min())
    return nearest, np.linalg.norm(cars.position - goals, axis=1)


@pytest.mark.parametrize("body", BODIES)
def test_cars_one_behind_the_other_stop_in_line(body):
    """They swerved before the one ahead that braked, or were pushed on by the one behind, and turned until they met."""
    file = np.stack([-5.0 * np.arange(6), np.zeros(6)], axis=1)
    nearest, left = drive(file, file + np.array([60.0, 0.0]), [1.0, 0.0], BODIES[body], seconds=30)
    assert nearest > 4.9
    assert left.max() < 0.1


def test_cars_behind_one_that_stands_at_their_goal_stand_in_line():
    file = np.stack([-6.0 * np.arange(8), np.zeros(8)], axis=1)
    nearest, left = drive(file, np.tile([60.0, 0.0], (8, 1)), [1.0, 0.0], BODIES["turning circle"], seconds=60)
    assert nearest > 2
    assert left.max() < 8 * 3


@pytest.mark.parametrize("body", BODIES)
def test_two_files_of_cars_that_meet_pass_each_other(body):
    file = np.stack([-20 - 5.0 * np.arange(5), np.zeros(5)], axis=1)
    far = np.array([80.0, 0.0])
    starts, ends = np.vstack([file, -file]), np.vstack([file + far, -file - far])
    ahead = np.vstack([np.tile([1.0, 0.0], (5, 1)), np.tile([-1.0, 0.0], (5, 1))])
    nearest, left = drive(starts, ends, ahead, BODIES[body], seconds=30)
    assert nearest > 2
    assert left.max() < 2


@pytest.mark.parametrize("body", BODIES)
def test_cars_of_two_streams_that_cross_turn_round_at_their_goals_without_touching(body):
    """They passed the crossing well, but those that missed their goals turned round into others, up to 1.8 m deep.

    A velocity back was free, so they took it for theirs; a car that wants it drives on, on its tightest circle.
    """
    rng = np.random.default_rng(1)
    a, b = (-30 - 7.0 * np.arange(10) + rng.uniform(-1, 1, 10) for _ in range(2))
    far, none = 60 + 7.0 * np.arange(10)[::-1], np.zeros(10)
    starts, ends = (
        np.vstack([np.stack([x, none], axis=1), np.stack([none, y], axis=1)]) for x, y in ((a, b), (far, far))
    )
    ahead = np.vstack([np.tile([1.0, 0.0], (10, 1)), np.tile([0.0, 1.0], (10, 1))])
    nearest, left = drive(starts, ends, ahead, BODIES[body], seconds=50)
    assert nearest > 2
    assert left.max() < 5


@pytest.mark.parametrize(("mass", "turn"), [(1.0, 0.5), (2.0, 0.3), (0.1, 1.0)])
def test_a_body_on_wheels_wishes_for_headings_that_it_has_soon(mass: float, turn: float) -> None:
    """In half a second at 4 m/s: on a circle of 2 m it turns by 1 rad, by a force of 4 N by 0.5 rad / mass, at least 0.3."""
    car = sm.Vehicles([[0.0, 0.0]], [[4.0, 0.0]], mass=mass, max_force=4.0, dtype=np.float64)
    planes = np.zeros((3, 3))
    keep_ahead(planes, 1, 0, car.columns, 2.0, ())
    sine, cosine = math.sin(turn), math.cos(turn)
    np.testing.assert_allclose(planes, [[0, 0, 0], [sine, cosine, 0], [sine, -cosine, 0]], atol=1e-7)


def test_the_rounded_end_of_a_velocity_obstacle_is_as_far_as_its_horizon_says() -> None:
    """10 m ahead, to be kept off by 1 m for 4 s: 2.5 m/s would be there in time, 2.25 touches it."""
    direction, way = way_out_of_obstacle((10.0, 0.0), (0.0, 0.0), 1.0, 4.0, 0.1, (1.0, 0.0), (), 0)
    assert (direction, way) == ((-1.0, 0.0), -2.25)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_walls_bar_ways_on_the_ground_by_their_parts_along_it(dtype):
    """4 m away within 2 s: a wall, a slope, and a floor that rounding has tilted, which bars nothing."""
    bars = new_bars(1, 3, 1, dtype)
    bars.number[0] = 3
    for k, (normal, bound) in enumerate((((-1, 0, 0), -4), ((0, -0.6, 0.8), -3), ((5e-4, 0, 1), -1))):
        bars.bound[0, k] = bound
        for axis, each in zip(bars.normal, normal, strict=True):
            axis[0, k] = each
    for ground, expected in (
        (tuple(np.array([[0], [0], [1]], dtype)), [[-1, 0, 0, -2], [0, -1, 0, -2.5], [0, 0, 0, 0]]),
        ((), [[-1, 0, 0, -2], [0, -0.6, 0.8, -1.5], [5e-4, 0, 1, -0.5]]),
    ):
        planes = np.zeros((4, 4), dtype)
        assert add_walls(planes, 1, 0, bars, dtype(2), ground) == (3 if ground else 4)
        np.testing.assert_allclose(planes, [[0, 0, 0, 0], *expected], rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_in_a_slot_of_its_own_width_one_goes_on_about_as_fast_as_it_wants(dtype):
    """It wants 0.86 m/s along the slot. Where rounding leaves a little less room than it takes, it did not count any more."""
    for angle in np.linspace(0.05, 1.5, 12):
        axes = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        slot = [sm.Walls([[-9.0, y] @ axes, [9.0, y] @ axes]) for y in (-0.5, 0.5)]
        steering = sm.ORCA(toward=sm.Seek([5.0, 3.0] @ axes, speed=1.0), obstacles=slot, margin=0.0)
        vehicles = sm.Vehicles(
            [[0.0, 0.0]], [axes[0]], max_speed=2.0, max_force=1e9, response_time=1.0, radius=0.5, dtype=dtype
        )
        along, aside = axes @ (sm.Controller(vehicles, steering).steer(0.1) + vehicles.velocity)[0]
        assert along == pytest.approx(0.86, abs=0.05), angle
        assert aside == pytest.approx(0.0, abs=1e-5), angle


def area(corners: np.ndarray) -> float:
    x, y = corners.T
    return float(0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def test_velocities_left_are_those_within_all_half_planes():
    """Of the disc of radius 2: right of x = 1 a segment, whose area is R^2 acos(1/2) - sin(60 degrees) R."""
    normal, bound = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), np.array([1.0, 0.5, -3.0, -0.5])
    left, binds = velocities_left(normal, bound, np.array([True, True, True, False]), 2.0)
    assert binds.tolist() == [True, False, False, False]
    assert area(left) == pytest.approx(4 * np.arccos(0.5) - np.sqrt(3), rel=0.02)
    assert (left[:, 0] >= 1 - 1e-12).all()
    left, binds = velocities_left(normal, bound, np.ones(4, bool), 2.0)
    assert binds.tolist() == [True, False, False, True]
    assert left[:, 1].max() == pytest.approx(0.5)


def test_no_velocity_is_left_between_half_planes_that_turn_away_from_each_other():
    normal = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    left, binds = velocities_left(normal, np.ones(3), np.ones(3, bool), 2.0)
    assert len(left) == 0
    assert binds.tolist() == [True, True, False]


def test_the_region_that_is_left_holds_the_velocity_that_is_taken():
    world = sm.World(dt=1 / 60)
    walkers = sm.Vehicles([[0.0, 0.0], [4.0, 0.1]], [[1.4, 0.0], [-1.4, 0.0]], max_speed=2, max_force=50, radius=0.5)
    world.add(walkers, name="walkers", steering=sm.ORCA(toward=sm.Arrive([[9.0, 0.0], [-9.0, 0.0]])))
    world.run(steps=30)
    (sketch,) = (each for each in world.sketch("walkers", 0) if each.label == "ORCA")
    region = next(shape for shape in sketch.shapes if shape.label == "velocities without a collision")
    (corners,) = region.points
    there = walkers.position[0] + walkers.velocity[0]
    edges, to = np.roll(corners, -1, axis=0) - corners, there - corners
    assert (edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0] >= -0.02).all()
    assert area(corners) < 0.95 * np.pi * 4
    (bounds,) = (shape.points for shape in sketch.shapes if shape.label == "beyond this line it would collide")
    np.testing.assert_allclose(np.linalg.norm(bounds - walkers.position[0], axis=2), 2, rtol=1e-4)  # The top speed.
