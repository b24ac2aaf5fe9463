"""Contain: nothing leaves, however it comes, and it turns softly."""

import math

import numpy as np
import pytest
from stepping import ways

import steersman as sm

DISC = sm.Sphere([0, 0], 10)
PAPER = pytest.mark.parametrize("law", ["inside", "normal"])
LAWS = pytest.mark.parametrize("law", ["turn", "inside", "normal"])


def vehicle(position, velocity, **columns):
    options = {"max_speed": 4.0, "max_force": 20.0, "response_time": 0.2, "dtype": np.float64}
    return sm.Vehicles([position], [velocity], **options | columns)


def force(vehicles, behavior, **options):
    return sm.Controller(vehicles, behavior, **options).steer(0.05)[0]


@PAPER
def test_inside_there_is_nothing_to_correct(law):
    """Up to the very boundary: predicted at 9.99 m of 10."""
    behavior = sm.Contain(DISC, law=law)
    np.testing.assert_array_equal(force(vehicle((5.99, 0), (4, 0)), behavior), [0, 0])
    assert force(vehicle((6.01, 0), (4, 0)), behavior).any()


@PAPER
def test_head_on_it_turns_back_trap(law):
    """The normal has no lateral part there; a containment of Reynolds' second way alone would do nothing."""
    for angle in (0.0, 0.1, -0.15):
        velocity = 4 * np.array([np.cos(angle), np.sin(angle)])
        found = force(vehicle((7, 0), velocity), sm.Contain(DISC, law=law))
        assert found[0] < -10


@LAWS
def test_the_way_back_is_drawn_from_outside_to_a_place_inside(law):
    world = sm.World()
    world.add(vehicle((9, 1), (4, 0)), steering=sm.Contain(DISC, law=law, depth=2.0))
    (back,) = (shape for each in world.sketch(id=0) for shape in each.shapes if shape.means == "back inside")
    start, end = np.hypot(*back.points[0].T)
    assert start > 10 - 1e-6 > end


def test_the_inside_point_by_hand():
    """Predicted at (6, 8 + 4): 13.4164 m from the center, so 3.4164 m outside. Brought 3 m inside, then sought."""
    found = force(vehicle((6, 8), (0, 4), max_force=1e6), sm.Contain(DISC, law="inside", depth=3.0))
    target = np.array([6, 12]) / np.hypot(6, 12) * 7
    way = target - (6, 8)
    np.testing.assert_allclose(found, (4 * way / np.linalg.norm(way) - (0, 4)) / 0.2, rtol=1e-12)


def test_sideways_along_the_wall_and_in_a_corner_back_inside():
    """Through the upper wall of a box: sideways is down. Beyond its right wall too: back to a point inside."""
    box = sm.Box([20, 10])
    behavior = sm.Contain(box, law="normal", lookahead=1.5, depth=0.0)
    forward = np.array([2, 1.2]) / np.hypot(2, 1.2)
    lateral = np.array([0, -1]) + forward * forward[1]
    found = force(vehicle((15, 9.5), (2, 1.2)), behavior)
    np.testing.assert_allclose(found, 20 * lateral / np.linalg.norm(lateral), rtol=1e-12)
    found = force(vehicle((15, 9.5), (4, 1.2), max_speed=9, max_force=1e6), behavior)
    way = np.array([20, 10]) - (15, 9.5)
    np.testing.assert_allclose(found, (9 * way / np.linalg.norm(way) - (4, 1.2)) / 0.2, rtol=1e-12)


def test_a_way_across_a_dent_is_no_way():
    """Where it ends is inside, but it leaves on the way there."""
    dented = sm.Polygon([[0, 0], [10, 0], [10, 8], [5, 3], [0, 8]])
    for law in ("inside", "normal", "turn"):
        stay = sm.Contain(dented, law=law, lookahead=1.5)
        assert force(vehicle((2, 5), (4, 0)), stay)[1] < -1
        np.testing.assert_array_equal(force(vehicle((2, 1.5), (4, 0)), stay), [0, 0])


@LAWS
def test_what_is_outside_comes_back(law):
    vehicles = vehicle((30, -20), (1, 3))
    world = sm.World(dt=0.02)
    world.add(vehicles, steering=sm.Contain(DISC, law=law))
    world.run(seconds=20)
    assert DISC.inside(vehicles.position[0])


REGIONS = {
    "disc": DISC,
    "box": sm.Box([20, 12], [-10, -6]),
    "polygon": sm.Polygon([[-10, -8], [10, -8], [12, 9], [2, 4], [-9, 10]]),
    "ball": sm.Sphere([0, 0, 0], 10),
    "tank": sm.Box([20, 12, 14], [-10, -6, -7]),
}


@pytest.mark.each_value
@LAWS
@pytest.mark.parametrize("name", REGIONS)
def test_nobody_ever_leaves(name, law):
    """Fifty strollers for a minute, in float32. Enough room ahead to turn in: 4 m at 4 m/s, turning circle 0.8 m."""
    region = REGIONS[name]
    rng = np.random.default_rng(2)
    low, high = region.bounds
    start = rng.uniform(low, high, (400, region.dimensions))
    start = start[region.nearest(start).distance < -1][:50]
    vehicles = sm.Vehicles(start, rng.normal(0, 2, start.shape), max_speed=4, max_force=20)
    world = sm.World(dt=1 / 30, seed=1, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.Contain(region, law=law, margin=0.5), sm.Wander()]))
    for _ in range(60):
        world.run(seconds=1)
        assert region.inside(vehicles.position.astype(float)).all()
    assert vehicles.speed.mean() > 2
    assert np.ptp(vehicles.position, axis=0).min() > 6


def test_on_a_torus_the_region_lies_where_it_is():
    """A disc across the rim: somebody on the other side of it is inside."""
    disc, torus = sm.Sphere([0, 5], 3), sm.Torus([40, 40])
    behavior = sm.Contain(disc, law="inside", lookahead=0.1)
    np.testing.assert_array_equal(force(vehicle((38, 5), (0, 1)), behavior, domain=torus), [0, 0])
    assert force(vehicle((36.5, 5), (0, 0)), behavior, domain=torus)[0] > 0


def test_what_is_refused():
    with pytest.raises(TypeError, match="region must be a Sphere, Box, Polygon or closed obstacles, got 3"):
        sm.Contain(3)
    with pytest.raises(ValueError, match="margin must be < 10 m, the depth of the region, got 10"):
        sm.Contain(DISC, margin=10)
    with pytest.raises(ValueError, match='law must be "turn", "inside" or "normal"'):
        sm.Contain(DISC, law="outside")
    with pytest.raises(ValueError, match="region must have 3 dimensions like the vehicles, got 2"):
        sm.Controller(sm.Vehicles([[0, 0, 0]]), sm.Contain(DISC)).steer(0.1)


@pytest.mark.each_value
@PAPER
@pytest.mark.parametrize("combined", ["priority", "sum"])
@pytest.mark.parametrize("degrees", [20, 40])
def test_wanderers_stay_in_a_sharp_corner(law, combined, degrees):
    """They run into it from afar. Seeking the point inside all the same, they leave by 5 to 20 cm."""
    half = math.radians(degrees) / 2
    corner = sm.Polygon(
        [[0, 0], [40 * math.cos(half), -40 * math.sin(half)], [40 * math.cos(half), 40 * math.sin(half)]]
    )

    def farthest(corners):
        rng = np.random.default_rng(1)
        way, angle = rng.uniform(15, 35, 30), rng.uniform(-0.6, 0.6, 30) * half
        vehicles = sm.Vehicles(
            np.stack([way * np.cos(angle), way * np.sin(angle)], axis=1), np.tile([-3.0, 0.0], (30, 1)),
            max_speed=8.0, max_force=30.0,
        )  # fmt: skip
        contain, wander = sm.Contain(corner, law=law, corners=corners), sm.Wander(distance=0.5, strength=0.3)
        world = sm.World(dt=1 / 20, seed=3, threads=1)
        world.add(
            vehicles, steering=sm.Priority([contain, wander]) if combined == "priority" else contain + 0.3 * wander
        )
        places = ways(world, vehicles, 800)
        assert vehicles.speed.mean() > 3
        return float(corner.nearest(places.reshape(-1, 2)).distance.max())

    assert farthest("retreat") < 0
    assert farthest("seek") > 0.02


# ------------------------------------------------------------------------------------------------ law="turn"

FIELD = sm.Box([30, 20], [-15, -10])
OUTSIDE = sm.Seek([60.0, 3.0])


def run(region, tree, position, velocity, *, seconds=20.0, dt=1 / 60, body=None, **columns):
    """Positions and velocities after every step, (steps, n, d)."""
    options = {"max_speed": 4.0, "max_force": 10.0, "dtype": np.float64} | columns
    vehicles = sm.Vehicles(position, velocity, **options)
    world = sm.World(dt=dt, seed=1, threads=1)
    world.add(vehicles, steering=tree, locomotion=body or sm.PointMass())
    ways = []
    for _ in range(round(seconds / dt)):
        world.step()
        ways.append((vehicles.position.copy(), vehicles.velocity.copy()))
    return (np.array(each) for each in zip(*ways, strict=True))


def jumps(velocity, max_force, dt=1 / 60):
    """How often a second the force of a vehicle changes by 0.3 max_force from one step to the next, the mean."""
    change = np.linalg.norm(np.diff(velocity, n=2, axis=0), axis=2) / dt
    return float((change > 0.3 * max_force).mean() / dt)


def deepest_outside(region, position):
    """The greatest distance outside [m], negative inside."""
    return float(region.nearest(position.reshape(-1, region.dimensions)).distance.max())


def starts(region, n=12, speed=3.0, seed=4):
    """Places well inside a region, and velocities."""
    rng, (low, high) = np.random.default_rng(seed), region.bounds
    places = rng.uniform(low, high, (500, region.dimensions))
    places = places[region.nearest(places).distance < -1.5][:n]
    ways = rng.normal(size=places.shape)
    return places, speed * ways / np.linalg.norm(ways, axis=1)[:, None]


@pytest.mark.parametrize("name", REGIONS)
def test_a_goal_outside_leads_nobody_out(name):
    """They come to rest inside, with room; the law of before slid along outside for most of the time."""
    region = REGIONS[name]
    goal = region.middle + 60 * np.eye(region.dimensions)[0] + 3
    steering = sm.Priority([sm.Contain(region), sm.Seek(goal)])
    position, velocity = run(region, steering, *starts(region), seconds=30)
    assert deepest_outside(region, position) < -0.05
    assert np.linalg.norm(velocity[-1], axis=1).max() < 0.3
    assert jumps(velocity, 10) < 0.5


@pytest.mark.parametrize("dt", [1 / 240, 1 / 20])
@pytest.mark.parametrize("response_time", [0.0, 0.1, 0.5])
def test_what_slides_along_outside_is_brought_inside(dt, response_time):
    """By at least a fifth of a meter, or half of the room, and it stays there."""
    places = [[3, 10.13], [15.1, 4], [-15.02, -9], [15.2, 10.2], [25, -20]]
    ways = [[4, 0], [0, 3], [0, 0], [-2, 0], [0, -4]]
    tree = sm.Priority([sm.Contain(FIELD), sm.Wander()])
    position, _ = run(FIELD, tree, places, ways, seconds=8, dt=dt, response_time=response_time)
    late = position[int(5 / dt) :]
    assert deepest_outside(FIELD, late) < -min(0.2, 15 * max(response_time, 2 * dt) ** 2)


def test_it_looks_as_far_ahead_as_stopping_takes():
    """10 m/s at 5 N: a second ahead is a tenth of what they need. Speeds and forces of all sizes, in one population."""
    region, rng = sm.Box([60, 60]), np.random.default_rng(2)
    places, ways = starts(region, n=20)
    speed, force_ = rng.uniform(1, 12, 20), rng.uniform(2, 40, 20)
    speed[:5], force_[:5] = 10, 5
    ways *= speed[:, None] / 3
    can_stop = -region.nearest(places).distance > speed**2 / force_
    tree = sm.Priority([sm.Contain(region), sm.Wander()])
    position, velocity = run(region, tree, places, ways, seconds=30, max_speed=speed, max_force=force_)
    assert can_stop.sum() > 12
    assert deepest_outside(region, position[:, can_stop]) < -0.05
    assert (np.linalg.norm(velocity, axis=2).mean(axis=0) > 0.5 * speed).all()


HEAD_ON = {
    "box": (FIELD, [[0, 0], [0, 0], [-3, 4], [5, 5]], [[4, 0], [0, -4], [-4, 0], [0, 4]]),
    "disc": (DISC, [[0, 0], [5, 0], [0, -5]], [[4, 0], [4, 0], [0, -4]]),
    "ball": (REGIONS["ball"], [[0, 0, 0], [3, 0, 0]], [[4, 0, 0], [4, 0, 0]]),
    "tank": (REGIONS["tank"], [[0, 0, 0], [3, 1, 0]], [[4, 0, 0], [0, 4, 0]]),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", HEAD_ON)
def test_head_on_it_is_turned_along_a_side_and_comes_away(name, dtype):
    """Exactly head-on, alone: it is not stopped, never comes to the wall, and does not follow it."""
    region, places, ways = HEAD_ON[name]
    position, velocity = run(region, sm.Contain(region), places, ways, seconds=30, dtype=dtype)
    assert deepest_outside(region, position.astype(float)) < -0.3
    assert np.linalg.norm(velocity, axis=2).min() > 1.5
    depth = region.nearest(position.reshape(-1, region.dimensions)).distance.reshape(position.shape[:2])
    assert (depth[600:].min(axis=0) < -1.5).all()  # Along a wall it would be as near for ever.
    assert jumps(velocity, 10) < 0.1


def test_head_on_the_side_is_that_of_the_middle_and_is_kept():
    position, velocity = run(FIELD, sm.Contain(FIELD), [[8, 4], [8, -4]], [[4, 0], [4, 0]], seconds=3)
    assert (velocity[:, 0, 1] <= 0).all()
    assert (velocity[:, 1, 1] >= 0).all()
    np.testing.assert_allclose(position[:, 0], position[:, 1] * [1, -1], rtol=1e-9)


def test_it_turns_out_of_a_corner():
    """Into corners along the diagonal and beside it; they do not come to rest there."""
    places, ways = [[5, 5], [8, 3], [-5, 3], [-6, -5]], [[3, 3], [3, 3], [-3.9, 0.5], [-3, -2.8]]
    position, velocity = run(FIELD, sm.Contain(FIELD), places, ways, seconds=15)
    assert deepest_outside(FIELD, position) < -0.3
    assert np.linalg.norm(velocity[300:], axis=2).min() > 0.8
    assert (np.ptp(position[600:], axis=0).max(axis=1) > 3).all()


@pytest.mark.parametrize("dt", [1 / 120, 1 / 60, 1 / 20])
def test_evading_into_a_corner_it_comes_to_rest(dt):
    """It trembled: 24 turns of 180 degrees a minute, and 42 jumps of the force a second."""
    hunter = sm.Vehicles([[0.0, 0.0]])
    places = [[8, 6], [9, 5], [3, 2], [5, -4], [-9, 6]]
    tree = sm.Priority([sm.Contain(FIELD), sm.Evade(hunter)])
    position, velocity = run(FIELD, tree, places, np.zeros((5, 2)), dt=dt)
    assert deepest_outside(FIELD, position) < -0.05
    late = velocity[round(15 / dt) :]
    assert np.linalg.norm(late, axis=2).max() < 0.05
    assert jumps(late, 10, dt) < 0.1
    assert (np.abs(position[-1]) > [13, 9]).all()


@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
@pytest.mark.parametrize(("radius", "reverse"), [(1.0, False), (2.0, False), (2.0, True), (3.0, True)])
def test_cars_that_evade_come_to_rest_at_the_boundary(radius, reverse, dt):
    """They backed away from it, turned and came again for ever: 10 to 24 of 30 still moved after 150 s."""
    region = sm.Box([20, 14], [-10, -7])
    hunter = sm.Vehicles([[0.0, 0.0]])
    body = sm.Wheeled(turning_radius=radius, reverse=reverse)
    tree = sm.Priority([sm.Contain(region), sm.Evade(hunter)])
    start = starts(region, n=30)
    position, velocity = run(region, tree, *start, seconds=100, dt=dt, body=body, max_speed=3.0)
    assert deepest_outside(region, position) < 0.01
    assert np.linalg.norm(velocity[-round(20 / dt) :], axis=2).max() < 0.01


def test_a_car_that_backed_outside_is_pushed_in_all_the_same():
    """Only inside of the boundary it is left where it stops."""
    body = sm.Wheeled(turning_radius=1.0, reverse=True)
    x = np.array([[15.3, 2], [3, 10.4], [-15.5, -4]])
    inward = [[-1, 0], [0, -1], [1, 0]]
    vehicles = sm.Vehicles(x, np.zeros((3, 2)), forward=inward, max_speed=4.0, max_force=10.0)
    world = sm.World(threads=1)
    world.add(vehicles, name="cars", steering=sm.Contain(FIELD), locomotion=body)
    world.populations["cars"].remember("Contain", backed=1.0)
    for _ in range(180):
        world.step()
    assert deepest_outside(FIELD, vehicles.position.astype(float)) < 0


@pytest.mark.parametrize("reverse", [False, True])
def test_cars_that_wander_do_not_stand_at_the_boundary(reverse):
    """Without a push back from it they stood there for a tenth of the time."""
    body = sm.Wheeled(turning_radius=3.0, reverse=reverse)
    region = sm.Box([20, 14], [-10, -7])
    tree = sm.Priority([sm.Contain(region), sm.Wander()])
    position, velocity = run(region, tree, *starts(region, n=30), seconds=60, body=body, max_speed=3.0)
    speed = np.linalg.norm(velocity, axis=2)
    assert deepest_outside(region, position) < 0
    assert (speed < 0.02).mean() < 0.02
    assert speed.mean() > 2


@pytest.mark.each_value
@pytest.mark.parametrize("combine", [sm.Priority, sm.TruncatedSum, sm.WeightedSum])
@pytest.mark.parametrize("name", REGIONS)
def test_wanderers_turn_softly_and_do_not_follow_the_wall(name, combine):
    """Before: 15 to 30 jumps of the force a second, and half of the time within a meter of the wall."""
    region = REGIONS[name]
    wander = sm.Wander() if combine is sm.Priority else 0.3 * sm.Wander()
    position, velocity = run(region, combine([sm.Contain(region), wander]), *starts(region), seconds=30)
    assert deepest_outside(region, position) < 0
    assert jumps(velocity, 10) < 1.5
    assert np.linalg.norm(velocity, axis=2).mean() > 3.4
    near = region.nearest(position.reshape(-1, region.dimensions)).distance > -0.6
    assert near.mean() < 0.15


@pytest.mark.parametrize("body", [sm.PointMass(limits=(sm.TurnRate(1.0),)), sm.Wheeled(turning_radius=1.0)])
def test_bodies_that_cannot_go_sideways_stay_inside(body):
    for tree in (sm.Wander(), OUTSIDE):
        position, _ = run(FIELD, sm.Priority([sm.Contain(FIELD), tree]), *starts(FIELD, n=6), seconds=20, body=body)
        assert deepest_outside(FIELD, position) < 0


@pytest.mark.parametrize(("radius", "wheelbase"), [(3.0, None), (2.0, 1.5), (6.0, None)])
def test_cars_brake_and_turn_before_they_are_out(radius, wheelbase):
    """A force straight back is first of all a brake: they drove on and turned round, up to 9 m outside."""
    body = sm.Wheeled(turning_radius=radius, wheelbase=wheelbase)
    for name in ("box", "disc", "polygon"):
        region = REGIONS[name]
        for tree in (sm.Wander(), OUTSIDE):
            steering = sm.Priority([sm.Contain(region), tree])
            position, _ = run(region, steering, *starts(region, n=9), seconds=25, body=body)
            assert deepest_outside(region, position) < (0.05 if wheelbase else 0.01)
            if tree is not OUTSIDE:
                assert np.linalg.norm(np.diff(position[::60], axis=0), axis=2).sum(axis=0).min() > 10


def test_a_car_outside_comes_in():
    body = sm.Wheeled(turning_radius=3.0)
    x = np.array([[25.0, 0], [-30, 8], [0, 18], [21, -16], [15.5, 2]])
    position, _ = run(FIELD, sm.Contain(FIELD), x, np.zeros((5, 2)), seconds=40, body=body)
    assert deepest_outside(FIELD, position[-1:]) < 0


def test_fliers_stay_inside():
    tank = REGIONS["tank"]
    steering = sm.Priority([sm.Contain(tank), sm.Wander()])
    position, _ = run(tank, steering, *starts(tank, n=6), seconds=20, body=sm.Flying())
    assert deepest_outside(tank, position) < 0


def test_where_it_is_too_narrow_it_keeps_to_the_middle():
    """Two halls, and a gap of half a meter between them that is narrower than the room on both sides."""
    halls = sm.Polygon(
        [
            [-9, -5],
            [-1, -5],
            [-1, -0.25],
            [1, -0.25],
            [1, -5],
            [9, -5],
            [9, 5],
            [1, 5],
            [1, 0.25],
            [-1, 0.25],
            [-1, 5],
            [-9, 5],
        ]
    )
    position, velocity = run(halls, sm.Contain(halls), [[-0.5, 0.2], [0.5, -0.2], [0, 0]], np.zeros((3, 2)), seconds=4)
    assert deepest_outside(halls, position) < 0
    within = np.abs(position[-1, :, 0]) < 1
    assert np.abs(position[-1, within, 1]).max(initial=0) < 0.1
    assert jumps(velocity, 10) == 0


def test_nothing_degenerate_makes_nan():
    """At the very middle, on the boundary, in a corner, without brakes, at rest and at speed."""
    places = [[0, 0], [15, 0], [15, 10], [0, 0], [20, 0], [0, 0]]
    ways = [[0, 0], [0, 0], [0, 0], [4, 0], [0, 0], [1e-30, 0]]
    force_ = [10, 10, 10, 1e-30, 1e-30, 10]
    for dtype in (np.float32, np.float64):
        position, _ = run(FIELD, sm.Contain(FIELD), places, ways, seconds=0.5, max_force=force_, dtype=dtype)
        assert np.isfinite(position).all()


@pytest.mark.parametrize("law", ["turn", "inside", "normal"])
@pytest.mark.parametrize("number", ["margin", "lookahead"])
def test_one_number_per_vehicle_is_the_number_although_the_first_vehicle_is_far_inside(law, number):
    """The flag of a gate was that of the first vehicle alone: those behind it were not kept inside."""
    start = np.random.default_rng(4).uniform(-9, 9, (20, 2))
    start[0] = 0
    found = []
    for value in (2.0, np.full(20, 2.0)):
        vehicles = sm.Vehicles(start, 0.2 * start, max_speed=3, max_force=9)
        steered = sm.Controller(vehicles, steering=sm.Contain(sm.Sphere([0.0, 0.0], 12.0), law=law, **{number: value}))
        found.append(steered.steer(0.1).copy())
    assert np.abs(found[0]).max() > 1
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("body", [sm.Wheeled(turning_radius=4.0), sm.Wheeled(turning_radius=2.0, wheelbase=1.0)])
def test_cars_beside_a_round_region_come_in(body):
    """At rest along its border, or a little outward: 5 to 20 of 100 stood outside for ever, and trembled."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    out = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    way = angle + np.pi / 2 + np.tile([-0.4, -0.1, 0.0, 0.1, 0.4], 8)
    way = np.stack([np.cos(way), np.sin(way)], axis=1)
    places = (10 + np.tile([0.3, 1.5, 0.1, 3], 10))[:, None] * out
    position, _ = run(DISC, sm.Contain(DISC), places, 0.4 * way, seconds=25, body=body)
    assert deepest_outside(DISC, position[-1:]) < 0


CORNERED = sm.Polygon([[0, 0], [40, 0], [40, 30], [25, 12], [0, 30]])
FOLLOW_LATE = {
    "clips": sm.MotionClips([sm.Clip("walk", speed=1.5, duration=1.0), sm.Clip("stop", speed=0.0),
                             sm.Clip("left", speed=1.0, turn_rate=1.2), sm.Clip("right", speed=1.0, turn_rate=-1.2)]),
    "low speed turn": sm.PointMass(limits=[sm.LowSpeedTurn(0.5)]),
    "turn rate": sm.PointMass(limits=[sm.TurnRate(1.0)]),
    "smooth force": sm.PointMass(limits=[sm.SmoothForce(0.3)]),
}  # fmt: skip


@pytest.mark.parametrize("body", FOLLOW_LATE.values(), ids=FOLLOW_LATE)
def test_who_does_not_follow_every_force_stays_inside(body):
    """Corners of 40 degrees and a dent: walkers came out by 2 m, others by 0.01 to 0.2 m."""
    rng = np.random.default_rng(3)
    places = rng.uniform(0, 40, (400, 2))
    places = places[CORNERED.nearest(places).distance < -4][:40]
    position, _ = run(
        CORNERED, sm.Priority([sm.Contain(CORNERED), sm.Wander()]), places, rng.normal(0, 0.5, places.shape), seconds=30,
        max_force=12.0, body=body,
    )  # fmt: skip
    assert deepest_outside(CORNERED, position) < 2e-3


LATE_IN_CORNERS = {
    "point": sm.PointMass(),
    "cone": sm.PointMass(limits=[sm.LowSpeedTurn(0.5, law="cone")]),
    "fade": sm.PointMass(limits=[sm.LowSpeedTurn(0.5)]),
    "turn rate": sm.PointMass(limits=[sm.TurnRate(1.0)]),
}


def sharp(degrees, length=40.0):
    """A triangle with its tip at the origin."""
    x, y = length * math.cos(math.radians(degrees / 2)), length * math.sin(math.radians(degrees / 2))
    return sm.Polygon([[0, 0], [x, -y], [x, y]])


def toward_tip(degrees, n=24, speed=2.0):
    """Places before the tip of a sharp corner, and velocities toward it."""
    rng = np.random.default_rng(degrees)
    way, angle = rng.uniform(4, 15, n), rng.uniform(-0.3, 0.3, n) * math.radians(degrees)
    places = np.stack([way * np.cos(angle), way * np.sin(angle)], axis=1)
    return places, np.stack([np.full(n, -speed), rng.normal(0, 0.3, n)], axis=1)


@pytest.mark.parametrize("degrees", [10, 20])
@pytest.mark.parametrize("name", LATE_IN_CORNERS)
def test_nobody_is_pushed_out_of_the_tip_of_a_sharp_corner(name, degrees):
    """The pushes of its two walls canceled: all came out, point masses by .02 m, others by up to 8 m."""
    region, (places, ways) = sharp(degrees), toward_tip(degrees)
    for tree in (sm.Wander(), sm.Seek([-5.0, 0.3])):
        position, _ = run(
            region, sm.Priority([sm.Contain(region), tree]), places, ways, seconds=20, dt=1 / 20, max_force=8.0,
            body=LATE_IN_CORNERS[name],
        )  # fmt: skip
        assert deepest_outside(region, position) < 2e-3


@pytest.mark.parametrize("degrees", [40, 80, 150])
def test_two_walls_that_lean_toward_each_other_and_leave_a_passage_are_no_corner(degrees):
    """Half a meter wide, narrower than the room to both sides."""
    length, gap = 10.0, 0.25
    wide = gap + length * math.tan(math.radians(degrees / 2))
    region = sm.Polygon([[-length, -wide], [0, -gap], [length, -wide], [length, wide], [0, gap], [-length, wide]])
    places = np.stack([np.linspace(-7, -5, 8), np.linspace(-0.3, 0.3, 8)], axis=1)
    tree = sm.Priority([sm.Contain(region), sm.Seek([30.0, 0.0])])
    position, _ = run(region, tree, places, np.zeros((8, 2)), seconds=12, dt=1 / 20, max_speed=1.4)
    assert (position[-1, :, 0] > 1).all()
    assert deepest_outside(region, position) < 0


@pytest.mark.parametrize("degrees", [20, 40])
def test_cars_that_back_up_stay_in_a_corner(degrees):
    """Each time that they stood, their way was the one ahead, and they backed through the wall by and by."""
    region, (places, ways) = sharp(degrees), toward_tip(degrees)
    tree = sm.Priority([sm.Contain(region), sm.Wander()])
    position, _ = run(region, tree, places, ways, seconds=30, dt=1 / 30, body=sm.Wheeled(reverse=True))
    assert deepest_outside(region, position) < 5e-3


@pytest.mark.parametrize("dt", [1 / 20, 1 / 60])
@pytest.mark.parametrize("body", [sm.Wheeled(), sm.Wheeled(wheelbase=1.0), sm.Wheeled(reverse=True)])
def test_cars_stop_before_the_boundary_and_not_on_it(body, dt):
    """In a tip they stood outside by a rounding of float32, 5 to 12 % of the time."""
    region, (places, ways) = sharp(20), toward_tip(20, speed=1.0)
    tree = sm.Priority([sm.Contain(region), sm.Seek([-5.0, 0.3])])
    position, _ = run(region, tree, places, ways, seconds=20, dt=dt, body=body, dtype=np.float32)
    outside = region.nearest(position.reshape(-1, 2).astype(float)).distance > 0
    assert outside.mean() < 1e-3


def test_a_car_that_backed_and_may_not_move_any_more_keeps_finite_numbers():
    vehicles = sm.Vehicles([[14.8, 2.0], [14.8, -2.0]], forward=[[1, 0], [0, 1]], max_speed=0.0, max_force=10.0)
    world = sm.World(threads=1)
    world.add(vehicles, name="cars", steering=sm.Contain(FIELD), locomotion=sm.Wheeled(turning_radius=1.0))
    world.populations["cars"].remember("Contain", backed=0.5)
    for _ in range(3):
        world.step()
        assert np.isfinite(world.explain("cars").force).all()
    assert np.isfinite(vehicles.position).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("degrees", [10, 20, 40, 80])
def test_at_rest_in_a_corner_it_is_pushed_toward_the_nearest_place_with_room_to_both_walls(degrees, dtype):
    """By hand: on the bisector, at the room over the sine of half of the angle; as by a spring, up to all force."""
    half, region = math.radians(degrees / 2), sharp(degrees, 400.0)
    room, response_time, max_force = 0.3, 0.1, 10.0
    place = np.array([room / math.sin(half), 0])
    away = np.array([[-0.1, 0], [-0.1, 0.03 * half], [-0.1, -0.03 * half], [-0.2, 0.0]]) * (1 + 1 / math.tan(half))
    vehicles = sm.Vehicles(place + away, max_force=max_force, max_speed=40, response_time=response_time, dtype=dtype)
    found = sm.Controller(vehicles, sm.Contain(region)).steer(1 / 60)
    spring = -away / (4 * response_time**2)
    size = np.linalg.norm(spring, axis=1, keepdims=True)
    np.testing.assert_allclose(found, spring * np.minimum(1, max_force / size), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize(("speed", "push"), [(3.0, 6.0), (5.0, 12.0)])
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("other", [sm.Wander(), sm.Seek([40.0, 40.0])], ids=["wanders", "seeks"])
def test_a_body_that_cannot_brake_stays_in_a_ball(speed, push, dimensions, other):
    """It turns: a force against its way, which it would not follow, turns it where the way out is short."""
    if dimensions == 3 and isinstance(other, sm.Seek):
        other = sm.Seek([40.0, 40.0, 40.0])
    rng = np.random.default_rng(9)
    position, velocity = rng.uniform(-4, 4, (20, dimensions)), rng.normal(0, 1, (20, dimensions))
    vehicles = sm.Vehicles(position, velocity, max_speed=speed, max_force=push)
    world = sm.World(dt=1 / 30, seed=1, threads=1)
    steering = sm.Priority([sm.Contain(sm.Sphere([0.0] * dimensions, 9.0)), other])
    world.add(vehicles, steering=steering, locomotion=sm.PointMass(limits=[sm.ConstantSpeed()]))
    for _ in range(1200):
        world.step()
        assert np.linalg.norm(vehicles.position, axis=1).max() < 9.0


@pytest.mark.parametrize("dt", [1 / 20, 1 / 60])
@pytest.mark.parametrize(("speed", "push"), [(3.0, 6.0), (5.0, 12.0), (2.0, 1.5)])
def test_a_body_that_cannot_brake_comes_back_from_beyond_a_corner(speed, push, dt):
    """As far out as one and a half of its circles are wide, and no farther; it used to fly on for ever."""
    rng = np.random.default_rng(9)
    position, velocity = rng.uniform([5, 5], [19, 11], (25, 2)), rng.normal(0, 1, (25, 2))
    vehicles = sm.Vehicles(position, velocity, max_speed=speed, max_force=push)
    world = sm.World(dt=dt, seed=1, threads=1)
    steering = sm.Priority([sm.Contain(sm.Box([24.0, 16.0])), sm.Wander()])
    world.add(vehicles, steering=steering, locomotion=sm.PointMass(limits=[sm.ConstantSpeed()]))
    farthest = 0.0
    for _ in range(round(40 / dt)):
        world.step()
        out = np.maximum(-vehicles.position, vehicles.position - [24.0, 16.0]).max()
        farthest = max(farthest, float(out))
    assert farthest < 1.5 * 2 * speed**2 / push
