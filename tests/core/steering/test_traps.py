"""The traps that known libraries fell into, one test each."""

from typing import Any

import numpy as np
import pytest

import steersman as sm


def rest_of(vehicles: sm.Vehicles, steering: Any, *, seconds: float, dt: float, seed: int = 0) -> Any:
    """Positions after every step, (steps, n, d)."""
    world = sm.World(seed=seed, threads=1)
    world.add(vehicles, steering=steering)
    places: list[Any] = []
    world.on_step(lambda world: places.append(vehicles.position.copy()))
    world.run(seconds=seconds, dt=dt)
    return np.array(places)


# ---------------------------------------------------------------------------------------------------- arrive


def sprinters(n: int, seed: int) -> sm.Vehicles:
    """At rest on the negative x axis, of all kinds, with at least five steps of 0.01 s to a response time."""
    rng = np.random.default_rng(seed)
    return sm.Vehicles(
        np.stack([-(10 ** rng.uniform(0, 1.7, n)), np.zeros(n)], axis=1), mass=10 ** rng.uniform(-1, 1, n),
        max_speed=10 ** rng.uniform(-0.3, 1.3, n), max_force=10 ** rng.uniform(-0.5, 2, n),
        response_time=10 ** rng.uniform(-1.3, 0.3, n), dtype=np.float64,
    )  # fmt: skip


@pytest.mark.parametrize("ramp", ["linear", "braking"])
def test_arrive_that_overshoots_or_trembles(ramp: str) -> None:
    vehicles = sprinters(200, seed=1)
    start = vehicles.position[:, 0].copy()
    x = rest_of(vehicles, sm.Arrive([0.0, 0.0], ramp=ramp), seconds=40, dt=0.01)[:, :, 0]
    assert (x.max(axis=0) <= -1e-6 * start).all(), f"overshoots by {(x.max(axis=0) / -start).max():.2g} of the way"
    assert (np.diff(x, axis=0) >= -1e-6).all(), "turns back"
    fast = -start / vehicles.max_speed + 40 * vehicles.response_time < 20
    assert fast.sum() > 60
    assert (np.abs(x[-1]) < 0.05 * -start)[fast & (vehicles.max_force / vehicles.mass > 5)].all()


def test_arrive_stays_where_it_arrived() -> None:
    vehicles = sm.Vehicles([[-5.0, 2.0]], max_speed=3.0, max_force=20.0)
    places = rest_of(vehicles, sm.Arrive([0.0, 0.0]), seconds=30, dt=1 / 30)
    assert np.abs(places[-60:]).max() < 1e-3
    assert np.ptp(places[-60:], axis=0).max() < 1e-6


def test_arrive_brakes_inside_its_stop_distance() -> None:
    """A rest of speed there is never left alone: it would drift out and come back for ever."""
    vehicles = sm.Vehicles([[0.4, 0.0]], [[1.0, 0.0]], max_speed=3.0, max_force=50.0)
    rest_of(vehicles, sm.Arrive([0.0, 0.0], stop_distance=0.9), seconds=3, dt=1 / 60)
    assert np.linalg.norm(vehicles.velocity) < 1e-6
    assert 0.4 < vehicles.position[0, 0] < 0.9


def test_arrive_warns_when_it_must_overshoot() -> None:
    vehicles = sm.Vehicles([[-5.0, 0.0]], max_speed=4.0, max_force=2.0)
    with pytest.warns(
        RuntimeWarning, match=r"Arrive may overshoot: the slowing distance \(1 m\) is below .* = 8 m"
    ) as told:
        sm.Controller(vehicles, sm.Arrive([0.0, 0.0], slowing_distance=1.0), threads=1).steer(0.1)
    assert {each.filename for each in told} == {__file__}
    sm.Controller(vehicles, sm.Arrive([0.0, 0.0], slowing_distance=8.0), threads=1).steer(0.1)


def test_a_satisfied_seek_in_a_priority_does_not_tremble() -> None:
    """Falling through to what stands below would push it off, and back, and off."""
    vehicles = sm.Vehicles([[3.0, 4.0]], max_speed=2.0, max_force=9.0)
    places = rest_of(vehicles, sm.Priority([sm.Arrive([3.0, 4.0]), sm.Wander()]), seconds=5, dt=1 / 60)
    np.testing.assert_array_equal(places, np.broadcast_to(np.float32([3, 4]), places.shape))


# ---------------------------------------------------------------------------------------------------- coincidence


@pytest.mark.parametrize("law", ["inverse", "inverse_square"])
def test_coincident_vehicles_do_not_stick_together(law: str) -> None:
    vehicles = sm.Vehicles(np.full((6, 2), 7.0), max_speed=2.0, max_force=5.0)
    places = rest_of(vehicles, sm.Separation(radius=3.0, law=law), seconds=3, dt=1 / 60)
    apart = np.linalg.norm(places[-1][:, None] - places[-1][None], axis=2)[np.triu_indices(6, 1)]
    assert apart.min() > 0.3


def test_two_coincident_vehicles_push_each_other_oppositely() -> None:
    vehicles = sm.Vehicles(np.full((2, 2), 7.0), max_speed=2.0, max_force=5.0, dtype=np.float64)
    force = sm.Controller(vehicles, sm.Separation(radius=3.0), threads=1).steer(0.1)
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), 5)
    np.testing.assert_allclose(force[0], -force[1])


def test_who_stands_on_the_pursuer_flees_all_the_same() -> None:
    vehicles = sm.Vehicles([[3.0, 4.0]], heading=[1.0], max_speed=2.0, max_force=9.0)
    places = rest_of(vehicles, sm.Flee([3.0, 4.0]), seconds=2, dt=1 / 60)
    way = places[-1, 0] - [3, 4]
    assert np.linalg.norm(way) > 3
    assert np.arctan2(way[1], way[0]) == pytest.approx(1.0, abs=1e-4)


# ---------------------------------------------------------------------------------------------------- frame rate


@pytest.mark.parametrize("law", ["sphere", "jitter", "turn", "orientation", "gradient", "lateral"])
def test_frame_rate_dependent_wander(law: str) -> None:
    """How much wanderers turn, and for how long they keep turning, is the same at 30 and at 120 frames a second."""
    size, persistence = {}, {}
    for rate in (30, 120):
        vehicles = sm.Vehicles(np.zeros((1500, 2)), heading=np.zeros(1500), max_speed=2.0, max_force=4.0)
        world = sm.World(seed=3, threads=1)
        world.add(vehicles, steering=sm.Wander(law))
        world.run(seconds=2, dt=1 / rate)
        headings = [vehicles.heading]
        for _ in range(6):
            world.run(seconds=0.4)
            headings.append(vehicles.heading)
        turns = np.diff(np.unwrap(headings, axis=0), axis=0)
        size[rate] = np.sqrt(np.mean(turns**2))
        persistence[rate] = np.mean(turns[1:] * turns[:-1]) / np.mean(turns**2)
    assert size[30] == pytest.approx(size[120], rel=0.06)
    assert persistence[30] == pytest.approx(persistence[120], abs=0.06)
    assert size[30] > 0.1, "it does not wander at all"


def test_angles_that_wrap_the_long_way() -> None:
    """The orientation that wander walks in stays an angle, however long it walks."""
    vehicles = sm.Vehicles(np.zeros((20, 2)), max_speed=1.0)
    world = sm.World(threads=1)
    population = world.add(vehicles, steering=sm.Wander("orientation", rate=40.0))
    world.run(steps=300, dt=0.05)
    angles = next(iter(population.memories.values())).snapshot()["angles"]
    assert np.abs(angles).max() <= np.pi + 1e-6
    assert np.ptp(angles) > 3


# ---------------------------------------------------------------------------------------------------- obstacles


def runner(y: float = 0.0, **columns: Any) -> sm.Vehicles:
    given = {"max_speed": 4.0, "max_force": 12.0, "radius": 0.5} | columns
    return sm.Vehicles([[-12.0, y]], [[4.0, 0.0]], **given)


ROCK = sm.Spheres([[0.0, 0.0]], 2.0)


def paper(obstacles: sm.Obstacles, **options: Any) -> sm.AvoidObstacles:
    """The literal law of the paper."""
    return sm.AvoidObstacles(obstacles, **{"magnitude": "full", "clearance": 0.0, "stops": False} | options)


def clearance(places: Any, radius: float = 0.5) -> float:
    """The smallest distance between the surfaces of runner and rock."""
    return float(np.linalg.norm(places[:, 0], axis=1).min() - 2.0 - radius)


@pytest.mark.parametrize("y", [0.0, 1e-4, -1e-4, 0.3, -1.0])
@pytest.mark.parametrize("magnitude", ["full", "proximity"])
def test_left_right_flip_flop_in_front_of_an_obstacle(y: float, magnitude: str) -> None:
    """The goal lies straight behind the rock. The runner passes it on one side, chosen once."""
    vehicles = runner(y)
    steering = sm.Priority([sm.AvoidObstacles(ROCK, magnitude=magnitude, lookahead=2.0), sm.Seek([40.0, 0.0])])
    places = rest_of(vehicles, steering, seconds=7, dt=1 / 60)
    before = places[places[:, 0, 0] < 0][:, 0, 1]
    off = before[np.abs(before) > 0.05]
    assert clearance(places) > -0.05
    assert len(set(np.sign(off))) == 1, "it changed sides"
    assert places[-1, 0, 0] > 5, "it never got past"


def test_the_side_once_chosen_is_kept_while_the_obstacle_threatens() -> None:
    """A runner that yaws to and fro in front of a rock nearly dead ahead would steer to and fro; it remembers."""
    vehicles = runner()
    vehicles.position = [[-6.0, 0.0]]
    controller = sm.Controller(vehicles, paper(ROCK), threads=1)
    chosen = []
    for heading in (0.02, -0.02, 0.03, -0.06, 0.01):
        vehicles.heading = [heading]
        chosen.append(np.sign(controller.steer(1 / 60)[0, 1]))
    assert set(chosen) == {1.0}
    # Once it was out of the way the runner chooses anew; and a rock clearly on one side is passed on the other.
    for heading, expected in ((2.0, 0), (-0.02, -1), (0.3, 1)):
        vehicles.heading = [heading]
        assert np.sign(controller.steer(1 / 60)[0, 1]) == expected


def test_dead_center_is_decided_and_still_claims() -> None:
    places = [rest_of(runner(), sm.Priority([sm.AvoidObstacles(ROCK), sm.Seek([40.0, 0.0])]), seconds=4, dt=1 / 60)
              for _ in range(2)]  # fmt: skip
    np.testing.assert_array_equal(places[0], places[1])
    assert np.abs(places[0][:, 0, 1]).max() > 2.4


def test_seek_cancelling_avoid() -> None:
    """In a sum a strong seek outweighs the avoidance, and the runner hits the rock; a priority keeps it clear."""
    avoid, seek = sm.AvoidObstacles(ROCK), sm.Seek([0.0, 0.5])
    assert clearance(rest_of(runner(0.5), avoid + 3 * seek, seconds=4, dt=1 / 60)) < -1
    assert clearance(rest_of(runner(0.5), sm.Priority([avoid, sm.Seek([40.0, 0.5])]), seconds=6, dt=1 / 60)) > -0.05


@pytest.mark.parametrize("dimensions", [2, 3])
def test_avoidance_that_pushes_toward_the_centers_side(dimensions: int) -> None:
    """Whatever is in the way, the force is lateral and points away from its center."""
    rng = np.random.default_rng(4)
    n, d = 300, dimensions
    forward = rng.normal(size=(n, d))
    vehicles = sm.Vehicles(rng.uniform(-9, 9, (n, d)), forward * 3, max_speed=9.0, max_force=2.0, dtype=np.float64)
    center = rng.uniform(-4, 4, (1, d))
    force = sm.Controller(vehicles, paper(sm.Spheres(center, 3.0), lookahead=5.0), threads=1).steer(0.1)
    acting = force.any(axis=1)
    assert acting.sum() > 20
    offset = center - vehicles.position
    lateral = offset - np.sum(offset * vehicles.forward, axis=1, keepdims=True) * vehicles.forward
    assert (np.sum(force * lateral, axis=1)[acting] < 0).all()
    np.testing.assert_allclose(np.sum(force * vehicles.forward, axis=1), 0, atol=1e-12)


def test_obstacles_behind_or_beside_the_way_are_ignored() -> None:
    vehicles = sm.Vehicles([[5.0, 0.0], [-5.0, 2.6], [-14.0, 0.0]], [[4.0, 0.0]] * 3, radius=0.5, max_speed=4.0)
    force = sm.Controller(vehicles, paper(ROCK, lookahead=2.0), threads=1).steer(0.1)
    np.testing.assert_array_equal(force, 0)


# ---------------------------------------------------------------------------------------------------- torus


def at_the_edge(velocity: Any = (0.0, 0.0)) -> sm.Vehicles:
    return sm.Vehicles(
        [[19.0, 10.0]], velocity, heading=0.0, max_speed=2.0, max_force=99.0, response_time=1.0, dtype=float
    )


ACROSS = sm.Vehicles([[1.0, 10.0], [1.5, 11.0]], [[0.0, 1.0]] * 2, heading=0.0, dtype=np.float64)

TORUS_CASES = {
    "seek": (sm.Seek([1.0, 10.0]), [2, 0]),
    "seek nearest": (sm.Seek(ACROSS), [2, 0]),
    "flee": (sm.Flee([1.0, 10.0]), [-2, 0]),
    "arrive": (sm.Arrive([1.0, 10.0], slowing_distance=8.0), [0.5, 0]),
    "pursue": (sm.Pursue(ACROSS, prediction=sm.Constant(2.0)), [2**0.5, 2**0.5]),
    "evade": (sm.Evade(ACROSS, prediction=sm.Constant(2.0)), [-(2**0.5), -(2**0.5)]),
    "separation": (sm.Separation(radius=2.1, of=ACROSS, strength=1.0, fade=False), [-0.5, 0]),
    "cohesion": (sm.Cohesion(radius=2.1, of=ACROSS, law="seek"), [2, 0]),
    "alignment": (sm.Alignment(radius=2.1, of=ACROSS, law="velocity"), [0, 1]),
    "avoid": (paper(sm.Spheres([[2.0, 10.5]], 1.0), min_length=6.0, magnitude="literal"), [0, -0.5]),
    "no neighbors": (sm.Cohesion(radius=1.9, of=ACROSS, law="seek"), [0, 0]),
}


@pytest.mark.parametrize(("steering", "expected"), TORUS_CASES.values(), ids=TORUS_CASES)
def test_headings_wrong_across_a_torus_edge(steering: Any, expected: Any) -> None:
    controller = sm.Controller(at_the_edge(), steering, domain=sm.Torus([20, 20]), threads=1)
    np.testing.assert_allclose(controller.steer(0.1), [expected], atol=1e-12)


@pytest.mark.filterwarnings("ignore:Arrive may overshoot")
def test_a_vehicle_that_crosses_the_edge_goes_on_smoothly() -> None:
    vehicles = at_the_edge([2.0, 0.0])
    world = sm.World(domain=sm.Torus([20, 20]), threads=1)
    world.add(vehicles, steering=sm.Arrive([4.0, 10.0]))
    speeds = []
    world.on_step(lambda world: speeds.append(vehicles.velocity[0].copy()))
    world.run(seconds=60, dt=0.05)
    assert np.abs(np.diff(speeds, axis=0)).max() < 0.15
    np.testing.assert_allclose(vehicles.position, [[4, 10]], atol=0.01)


# ---------------------------------------------------------------------------------------------------- groups


@pytest.mark.parametrize(
    "behavior",
    [
        lambda of: sm.Alignment(of=of), lambda of: sm.Alignment(of=of, law="velocity"),
        lambda of: sm.Alignment(of=of, law="forward"),
        lambda of: sm.Alignment(of=of, law="mean_velocity"), lambda of: sm.Cohesion(of=of, law="seek", speed="offset"),
        lambda of: sm.Cohesion(of=of, law="seek"),
        lambda of: sm.Cohesion(of=of, law="offset"), lambda of: sm.Separation(of=of, law="mean_site", speed="offset"),
    ],
)  # fmt: skip
def test_a_sum_used_where_a_mean_was_meant(behavior: Any) -> None:
    """Twice as many neighbors in the same places, doing the same, change nothing."""
    rng = np.random.default_rng(6)
    position, velocity = rng.uniform(-3, 3, (5, 2)), rng.normal(0, 1, (5, 2))
    vehicles = sm.Vehicles([[0.5, 0.2]], [[1.0, 0.3]], max_speed=20.0, max_force=999.0, dtype=np.float64)
    forces = [
        sm.Controller(vehicles, behavior(sm.Vehicles(np.tile(position, (k, 1)), np.tile(velocity, (k, 1)), dtype=float)),
                      threads=1).steer(0.1).copy() for k in (1, 2)
    ]  # fmt: skip
    assert forces[0].any()
    np.testing.assert_allclose(forces[0], forces[1], rtol=1e-9)


def test_who_is_alone_is_left_alone() -> None:
    vehicles = sm.Vehicles([[0.0, 0.0]], [[1.0, 0.0]], max_speed=2.0)
    for behavior in (sm.Alignment(), sm.Alignment(law="forward"), sm.Cohesion(), sm.Separation(), sm.Flocking()):
        np.testing.assert_array_equal(sm.Controller(vehicles, behavior, threads=1).steer(0.1), 0)
    braking = sm.Controller(vehicles, sm.Separation(law="mean_site"), threads=1).steer(0.1)
    assert braking[0, 0] < 0
