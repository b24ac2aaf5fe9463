"""AvoidNeighbors: hand-made encounters, and the traps that others fell into."""

import functools
import math

import numpy as np
import pytest
from stepping import ran

import steersman as sm
from steersman import laws
from steersman.core.steering.group.avoid_neighbors import in_part, takes_part
from steersman.core.steering.group.clear_side import ALL, gives_way

LITERAL = functools.partial(sm.AvoidNeighbors, law="imminent")
"""The paper's law: only the nearest collision in time."""


def force(position, velocity, behavior=None, **columns):
    vehicles = sm.Vehicles(position, velocity, dtype=np.float64, **({"max_force": 100.0, "max_speed": 9.0} | columns))
    return sm.Controller(vehicles, behavior or LITERAL(12.0, 2.0)).steer(0.01).copy()


def test_who_does_how_much_of_the_avoiding():
    """Half of the avoiding takes the whole push; a vehicle that does nearly all of it leaves nothing to the other."""
    parts = np.array([0, 0.25, 0.5, 0.75, np.nextafter(ALL, np.float32(0)), ALL, 1], np.float32)
    shares, push = (parts,), (3.0, -4.0)
    each = range(len(parts))
    assert [takes_part(j, shares) for j in each] == [False, True, True, True, True, True, True]
    assert [gives_way(j, shares) for j in each] == [True, True, True, True, True, False, False]
    factor = np.minimum(2 * parts[:, None].astype(float), 1)
    np.testing.assert_allclose([in_part(push, j, shares) for j in each], factor * push)
    assert takes_part(0, ())
    assert gives_way(0, ())
    assert in_part(push, 0, ()) == push


def test_the_distance_of_the_nearest_approach_is_the_sine_not_one_minus_the_cosine():
    """An obstacle of speed 0 at (10, 3.6), oneself at 1 m/s along x: after 10 s they pass at 3.6 m = |p| sin.

    |p| (1 - cos) would be 0.63 m, and would threaten at any room from there on.
    """
    position, velocity = [[0.0, 0.0], [10.0, 3.6]], [[1.0, 0.0], [0.0, 0.0]]
    np.testing.assert_array_equal(force(position, velocity, LITERAL(12.0, 2.5)), 0)  # room 3.5
    found = force(position, velocity, LITERAL(12.0, 3.0), mass=[2.0, 1.0])  # room 4: 0.4 m too near
    np.testing.assert_allclose(found[0], [0.0, -2.0 * 2 * 0.4 / 100], rtol=1e-12)
    np.testing.assert_allclose(found[1], [0.0, 1.0 * 2 * 0.4 / 100], rtol=1e-12)


def test_between_two_that_do_not_give_way_heavy_ones_need_as_much_more_force():
    """In 200 places two come at once, from both sides, where a push away from one leads into the other."""
    rng = np.random.default_rng(2)
    places, turns = np.arange(200)[:, None] * [100.0, 0.0], rng.uniform(-5, 5, (400, 2))
    others = sm.Vehicles(np.repeat(places, 2, axis=0) + turns, rng.normal(0, 2, (400, 2)) - turns, dtype=np.float64)
    behavior, velocity = sm.AvoidNeighbors(12.0, 1.0, of=others), rng.normal(0, 2, (200, 2))
    light, heavy = (force(places, velocity, behavior, mass=mass, max_force=3.0 * mass) for mass in (1.0, 8.0))
    np.testing.assert_allclose(heavy, 8 * light, rtol=1e-9, atol=1e-9)


def test_who_is_first_at_a_crossing_speeds_up_and_the_other_slows_down():
    """One crosses from the right, one second later: c = (-1, -1) / 2 * ... worked out below."""
    found = force([[0.0, 0.0], [4.0, -5.0]], [[1.0, 0.0], [0.0, 1.0]])
    # w = (-1, 1), offset = (4, -5): T = 4.5, c = (-0.5, -0.5), |c| = 0.707, room 3.
    size = 2 * (3 - math.sqrt(0.5)) / 4.5**2
    np.testing.assert_allclose(found[0], size * np.array([1, 1]) / math.sqrt(2), rtol=1e-12)
    np.testing.assert_allclose(found[1], -found[0], rtol=1e-12)
    assert found[0] @ [1, 0] > 0  # The first speeds up, and turns away;
    assert found[1] @ [0, 1] < 0  # the other slows down.


def test_what_is_past_or_too_late_or_alike_does_not_matter():
    nothing = np.zeros((2, 2))
    np.testing.assert_array_equal(force([[0.0, 0.0], [4.0, 0.0]], [[-1.0, 0.0], [1.0, 0.0]]), nothing)
    np.testing.assert_array_equal(force([[0.0, 0.0], [4.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]), nothing)
    late = LITERAL(1.9)
    np.testing.assert_array_equal(force([[0.0, 0.0], [4.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]], late), nothing)
    assert force([[0.0, 0.0], [4.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]], LITERAL(2.1)).any()


@pytest.mark.parametrize("law", ["smooth", "imminent", "all"])
@pytest.mark.parametrize("d", [2, 3])
def test_two_head_on_pass_with_just_the_room_that_they_keep(law, d):
    """No deadlock, though everything is symmetric."""
    axis = np.eye(d)[0]
    ends = np.array([-15 * axis, 15 * axis])
    vehicles = sm.Vehicles(ends, -ends / 10, max_speed=2.0, max_force=20.0, dtype=np.float64)
    world = sm.World(dt=1 / 60)
    world.add(vehicles, steering=sm.Priority([sm.AvoidNeighbors(4.0, 0.5, law=law), sm.Seek(-3 * ends)]))
    nearest = math.inf
    for _ in range(900):
        world.step()
        nearest = min(nearest, float(np.linalg.norm(vehicles.position[0] - vehicles.position[1])))
    assert 1.45 < nearest < 1.8  # The radii and the distance: 1.5.
    assert (vehicles.position @ axis * [1, -1] > 5).all()


@pytest.mark.parametrize("law", ["smooth", "imminent"])
def test_halving_the_time_step_converges(law):
    def way(dt):
        vehicles = sm.Vehicles([[-9, 0], [9, 0.2]], [[1.5, 0], [-1.5, 0]], max_speed=2, max_force=20, dtype=np.float64)
        ran(vehicles, sm.AvoidNeighbors(4.0, 1.0, law=law), dt=dt, seconds=10)
        return vehicles.position.copy()

    coarse, middle, fine = way(0.02), way(0.01), way(0.005)
    assert np.abs(middle - fine).max() < 0.02
    assert np.abs(coarse - middle).max() < 0.02
    if law == "imminent":  # The smooth one begins, and lets go, at a threshold.
        assert np.abs(middle - fine).max() < 0.65 * np.abs(coarse - middle).max()


def threats(times):
    """One vehicle, and two that come from ahead to its left and right after these times [s], 0.2 m off."""
    position = [[0.0, 0.0], [2 * times[0], 0.2], [2 * times[1], -0.2]]
    return np.array(position), [[1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]]


def test_a_threat_that_is_hardly_nearer_does_not_make_one_switch():
    """The two are by turns a little nearer: who minds just the nearest would jiggle from side to side."""
    vehicles = sm.Vehicles(*threats([3.0, 3.1]), max_force=100.0, max_speed=9.0, dtype=np.float64)
    controller = sm.Controller(vehicles, LITERAL(6.0, 1.0))
    sides = []
    for k in range(6):
        vehicles.position = threats([3.0, 3.1] if k % 2 == 0 else [3.1, 3.0])[0]
        sides.append(np.sign(controller.steer(0.01)[0, 1]))
    assert sides == [-1] * 6
    vehicles.position = threats([3.1, 1.5])[0]
    assert controller.steer(0.01)[0, 1] > 0  # One that is much nearer displaces the other.


def test_the_threat_is_remembered_by_its_id():
    position = np.insert(threats([3.0, 3.1])[0], 1, [-500, 0], axis=0)
    velocity = [[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]]
    vehicles = sm.Vehicles(position, velocity, max_force=100.0, max_speed=9.0, dtype=np.float64)
    controller = sm.Controller(vehicles, LITERAL(6.0, 1.0))
    assert controller.steer(0.01)[0, 1] < 0
    vehicles.remove(np.array([False, True, False, False]))
    vehicles.position = threats([3.1, 3.0])[0]
    assert controller.steer(0.01)[0, 1] < 0


def test_all_threats_add_up_to_nothing_between_two_alike():
    vehicles = sm.Vehicles(*threats([3.0, 3.0]), max_force=100.0, max_speed=9.0, dtype=np.float64)
    found = sm.Controller(vehicles, sm.AvoidNeighbors(6.0, 1.0, law="all")).steer(0.01)[0]
    np.testing.assert_allclose(found, 0, atol=1e-12)


def test_only_fellows_and_populations_can_be_avoided():
    with pytest.raises(TypeError, match="of must be a population, a list"):
        sm.AvoidNeighbors(of=[[0.0, 0.0]])
    with pytest.raises(ValueError, match="lookahead must be > 0 s, got 0"):
        sm.AvoidNeighbors(lookahead=0)
    with pytest.raises(ValueError, match='law must be "smooth", "imminent" or "all"'):
        sm.AvoidNeighbors(law="first")
    with pytest.raises(ValueError, match='law must be "smooth", "imminent" or "all"'):
        laws.avoid_neighbors(
            np.zeros(2), np.zeros(2), 1, np.zeros((1, 2)), np.zeros((1, 2)), 1, lookahead=1, law="first"
        )


def test_two_that_leave_each_other_are_not_driven_apart():
    """Within the room, 1 m/s apart: they have left it in 0.3 s, and were pushed until then, faster than they came."""
    position = [[0.0, 0.0], [1.3, 0.0]]
    stand = force(position, [[0.0, 0.0], [0.0, 0.0]], sm.AvoidNeighbors(3.0, 0.5), radius=0.5, max_force=10.0)
    leave = force(position, [[-0.5, 0.0], [0.5, 0.0]], sm.AvoidNeighbors(3.0, 0.5), radius=0.5, max_force=10.0)
    assert stand[0, 0] < -3
    np.testing.assert_array_equal(leave, 0)


@pytest.mark.parametrize("dt", [0.05, 1 / 60])
def test_a_stream_of_two_a_square_meter_goes_on(dt):
    """From rest. With steps of 0.05 s they flew through each other: 0.2 m/s, and two of five went backward."""
    rng = np.random.default_rng(1)
    start = np.stack(np.meshgrid(np.arange(14) + 0.5, np.arange(14) + 0.5, indexing="ij"), axis=-1).reshape(-1, 2)
    start = (start + rng.uniform(-0.2, 0.2, start.shape)) * 0.7
    people = sm.Vehicles(start, radius=0.2, max_speed=rng.uniform(1.0, 1.6, 196), max_force=15.0, response_time=0.1)
    wanted = np.stack([people.max_speed, 0 * people.max_speed], axis=1)
    world = sm.World(dt=dt, domain=sm.Torus([9.8, 9.8]))
    go = lambda vehicles: (wanted - vehicles.velocity) / 0.1  # noqa: E731
    world.add(people, steering=sm.Priority([sm.AvoidNeighbors(2.0, 0.2), go], blend=0.3))
    world.run(seconds=15)
    assert people.velocity[:, 0].mean() > 0.8
    assert (people.velocity[:, 0] < -0.05).mean() < 0.05


def stand(position, **columns):
    """The forces on vehicles at rest, in steps of 0.05 s."""
    vehicles = sm.Vehicles(position, dtype=np.float64, **({"max_force": 10.0, "radius": 0.5} | columns))
    return sm.Controller(vehicles, sm.AvoidNeighbors(3.0, 0.5)).steer(0.05).copy()


def test_one_that_overlaps_counts_more_than_one_that_is_near():
    """Both pushed with about max_force, so the two in one place stayed there."""
    left, right = stand([[0.0, 0.0], [0.5, 0.0], [-1.02, 0.0]])[0]
    assert left < -5
    assert abs(right) < 1e-9


def test_a_faster_one_brakes_before_it_touches_one_ahead():
    """Half a meter off the middle: it turned aside, and hardly braked until the two touched."""
    found = force(
        [[0.0, 0.0], [1.1, 0.5]], [[1.0, 0.0], [0.7, 0.0]], sm.AvoidNeighbors(3.0, 0.5), radius=0.5, max_force=10.0
    )
    assert found[0, 0] < found[0, 1] < 0


def test_two_that_meet_exactly_within_the_room_turn_to_the_left():
    """And keep apart: otherwise two abreast, which narrow toward a door, would only push each other aside."""
    found = force(
        [[0.0, 0.7], [0.0, -0.7]], [[1.0, -0.5], [1.0, 0.5]], sm.AvoidNeighbors(3.0, 0.5), radius=0.5, max_force=10.0
    )
    np.testing.assert_allclose(found[0], -found[1], atol=1e-9)
    assert found[0, 0] < -1
    assert found[0, 1] > 1


@pytest.mark.parametrize(("density", "dt"), [(3, 0.05), (4, 0.05), (4, 1 / 60)])
def test_people_of_a_dense_stream_overlap_little_and_go_on(density, dt):
    """By 0.18 m, 0.32 m and 0.3 m, and in steps of 1/60 s four of ten walked backward."""
    rng = np.random.default_rng(1)
    n, side = 14 * 14, 14 / math.sqrt(density)
    start = (np.stack(np.divmod(np.arange(n), 14), axis=1) + 0.5 + rng.uniform(-0.1, 0.1, (n, 2))) * side / 14
    wanted = np.clip(rng.normal(1.34, 0.26, n), 0.5, 2.2)
    people = sm.Vehicles(start, radius=0.2, max_speed=wanted, max_force=15.0, response_time=0.1)
    world = sm.World(dt=dt, domain=sm.Torus([side, side]))
    way = np.stack([wanted, 0 * wanted], axis=1)
    go = lambda vehicles: (way - vehicles.velocity) / 0.1  # noqa: E731
    world.add(people, steering=sm.Priority([sm.AvoidNeighbors(2.0, 0.2), go], blend=0.3))
    world.run(seconds=10)
    for _ in range(20):
        world.run(seconds=0.5)
        offset = people.position[:, None] - people.position[None]
        apart = np.linalg.norm(offset - side * np.round(offset / side), axis=2) + np.eye(n)
        assert apart.min() > 0.3
        assert people.velocity[:, 0].mean() > 0.7
        assert (people.velocity[:, 0] < -0.05).mean() < 0.03


@pytest.mark.parametrize("law", ["smooth", "imminent"])
def test_a_sketch_shows_those_that_threaten_and_nobody_who_passes_clear(law):
    """One comes head-on, one will pass at 6 m, one is gone by; the first two paths end where they are nearest."""
    position, velocity = (
        [[0.0, 0.0], [8.0, 0.3], [8.0, 6.0], [-4.0, 0.0]],
        [[1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]],
    )
    vehicles = sm.Vehicles(position, velocity, radius=0.5, max_speed=9.0, max_force=100.0, dtype=np.float64)
    world = ran(vehicles, sm.AvoidNeighbors(6.0, 0.5, law=law), dt=0.01, steps=1)
    lines = [shape.points for sketch in world.sketch("vehicles", [0]) for shape in sketch.shapes
             if getattr(shape, "role", "") == "predicted" and hasattr(shape, "points")]  # fmt: skip
    ends = np.concatenate([np.asarray(each).reshape(-1, 2) for each in lines])
    ends = ends[np.isfinite(ends).all(axis=1)]
    assert len(ends)
    assert (np.abs(ends[:, 1]) < 1).all(), "nobody on the lane at 6 m is shown"
    assert (ends[:, 0] > -1).all(), "nobody behind is shown"
    words = [shape.label for sketch in world.sketch("vehicles", [0]) for shape in sketch.shapes if shape.label]
    assert words == 2 * ["where both will be"] + ["would meet here"]


@pytest.mark.parametrize(("d", "dtype"), [(2, np.float64), (2, np.float32), (3, np.float64)])
@pytest.mark.parametrize(("speed", "force", "dt"), [(8.0, 3.0, 1 / 60), (12.0, 8.0, 1 / 20), (5.0, 1.5, 1 / 240)])
def test_two_parked_one_behind_the_other_are_passed_on_one_side(speed, force, dt, d, dtype):
    """The turns away from the two, to either side of the way, canceled: a third of the vehicles drove into one."""
    rng, n = np.random.default_rng(5), 40
    apart = 200.0 * np.arange(n)
    parked = np.zeros((n, 2, d))
    parked[:, 0, 0], parked[:, 0, 1] = 24, apart + rng.uniform(0.1, 0.9, n)
    parked[:, 1, 0], parked[:, 1, 1] = 24 + rng.uniform(2, 4, n), apart - rng.uniform(0.1, 0.9, n)
    start = np.zeros((n, d))
    start[:, 1] = apart
    ahead = np.eye(d)[0]
    obstacles = sm.Vehicles(parked.reshape(-1, d), max_speed=0, radius=0.5, dtype=dtype)
    cars = sm.Vehicles(start, np.tile(speed * ahead, (n, 1)), max_speed=speed, max_force=force, radius=0.5, dtype=dtype)
    world, nearest = sm.World(dt=dt, threads=1), np.inf
    world.add(obstacles, name="parked")
    world.add(cars, steering=sm.Priority([sm.AvoidNeighbors(of=obstacles), sm.Arrive(start + 60 * ahead)]))
    while world.time < 40 / speed:
        world.step()
        gaps = np.linalg.norm(cars.position[:, None] - parked.astype(dtype), axis=2)
        nearest = min(nearest, float(gaps.min()))
    assert nearest > 1.0
    assert cars.position[:, 0].min() > 30


@pytest.mark.parametrize(("speed", "force", "dt"), [(8.0, 3.0, 1 / 60), (12.0, 8.0, 1 / 20), (5.0, 1.5, 1 / 240)])
def test_a_gap_that_is_wide_enough_for_the_body_is_taken(speed, force, dt):
    """Two leave 1.4 to 1.9 m for a body of 1 m, which wants .5 m more to either side: it braked, and went round them."""
    rng, n = np.random.default_rng(7), 40
    lanes = 200.0 * np.arange(n)
    middle, half = rng.uniform(-0.3, 0.3, n), rng.uniform(1.2, 1.45, n)
    parked = np.zeros((n, 2, 2))
    parked[:, 0], parked[:, 1] = (
        np.stack([np.full(n, 24.0), middle + half], 1),
        np.stack([24 + rng.uniform(2, 4, n), middle - half], 1),
    )
    parked[..., 1] += lanes[:, None]
    start, ahead = np.stack([np.zeros(n), lanes], axis=1), np.array([1.0, 0.0])
    obstacles = sm.Vehicles(parked.reshape(-1, 2), max_speed=0, radius=0.5, dtype=np.float64)
    cars = sm.Vehicles(
        start, np.tile(speed * ahead, (n, 1)), max_speed=speed, max_force=force, radius=0.5, dtype=np.float64
    )
    world, nearest, slowest = sm.World(dt=dt, threads=1), np.inf, np.inf
    world.add(obstacles, name="parked")
    world.add(cars, steering=sm.Priority([sm.AvoidNeighbors(of=obstacles), sm.Arrive(start + 60 * ahead)]))
    while world.time < 32 / speed:
        world.step()
        nearest = min(nearest, float(np.linalg.norm(cars.position[:, None] - parked, axis=2).min()))
        slowest = min(slowest, float(cars.speed.min()))
    assert nearest > 1.0
    assert slowest > 0.8 * speed
    assert np.abs(cars.position[:, 1] - lanes).max() < 1


@pytest.mark.parametrize("behind", [2.0, 3.5])
def test_the_side_of_several_that_stand_is_the_one_that_needs_the_least_force(behind):
    """There is no room between the two: the side on which both are passed with the smaller constant acceleration is taken."""
    x, y, room, v = np.array([16.0, 16.0 + behind]), np.array([0.4, -0.7]), 1.5, 8.0
    standing = sm.Vehicles(np.stack([x, y], axis=1), max_speed=0, radius=0.5)
    own = sm.Vehicles([[0.0, 0.0]], [[v, 0.0]], max_speed=v, max_force=50, radius=0.5, mass=2.0)
    world = sm.World(dt=1e-3, threads=1)
    world.add(standing, name="standing")
    world.add(own, name="own", steering=sm.AvoidNeighbors(lookahead=4.0, of=standing))
    world.step()
    times = x / v
    left, right = (2 * (room + y) / times**2).max(), (2 * (room - y) / times**2).max()
    needed = min(left, right) * (1 - (times.min() / 4) ** 2)
    assert own.velocity[0, 1] / 1e-3 == pytest.approx(needed if left < right else -needed, rel=1e-2)


def test_one_that_is_too_near_to_be_passed_with_the_free_room_counts_as_later():
    """As soon as a vehicle moves aside by the free room: of two of the same strength the heavier needs more time for that."""
    x, y, v, room, distance = np.array([3.2, 13.6]), np.array([-1.2, 0.4]), 8.0, 1.5, 0.5
    standing = sm.Vehicles(np.stack([x, y], axis=1), max_speed=0, radius=0.5)
    for mass in (2.0, 3.0):
        own = sm.Vehicles([[0.0, 0.0]], [[v, 0.0]], max_speed=v, max_force=8.0, radius=0.5, mass=mass, dtype=np.float64)
        world = sm.World(dt=1e-3, threads=1)
        world.add(standing, name="standing")
        world.add(own, name="own", steering=sm.AvoidNeighbors(lookahead=4.0, distance=distance, of=standing))
        world.step()
        soonest2 = 2 * distance * mass / 8.0
        assert (x[0] / v) ** 2 < soonest2 < (x[1] / v) ** 2
        needed = (2 * (room + y) / np.maximum((x / v) ** 2, soonest2)).max() * (1 - soonest2 / 4**2)
        assert own.velocity[0, 1] / 1e-3 == pytest.approx(needed, rel=1e-2)


def test_who_is_too_weak_to_pass_several_that_stand_brakes_with_the_rest_of_its_force():
    standing = sm.Vehicles([[16.0, 0.4], [18.0, -0.7]], max_speed=0, radius=0.5, dtype=np.float64)
    found = force([[0.0, 0.0]], [[8.0, 0.0]], sm.AvoidNeighbors(lookahead=4.0, of=standing), max_force=1.0, mass=2.0)
    assert np.hypot(*found[0]) == pytest.approx(1.0)
    assert found[0, 0] < -0.1


def test_those_on_their_way_avoid_as_those_who_have_nowhere_to_rest():
    """Also where the answer of a long step is held back, so that it does not lead beyond where pushes balance."""
    rng = np.random.default_rng(3)
    place, velocity = rng.uniform(0, 12, (30, 2)), rng.normal(0, 1, (30, 2))

    def forces(tree, dt):
        vehicles = sm.Vehicles(
            place, velocity, max_speed=2, max_force=20, radius=0.4, response_time=2, dtype=np.float32
        )
        return sm.Controller(vehicles, tree, threads=1).steer(dt).copy()

    avoid = sm.AvoidNeighbors()
    alone = forces(avoid, 0.5)
    claimed = alone.any(axis=1)
    assert claimed.sum() > 10
    assert not np.allclose(alone, forces(avoid, 0.01), rtol=0.1)
    on_their_way = forces(sm.Priority([avoid, sm.Arrive([500.0, 0.0])]), 0.5)
    np.testing.assert_allclose(on_their_way[claimed], alone[claimed], rtol=1e-4, atol=1e-4)
