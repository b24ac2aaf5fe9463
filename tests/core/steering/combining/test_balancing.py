"""A push away from neighbors and a pull to a common goal are weighed against each other, and the crowd rests."""

import warnings
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman import laws
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import columns_of
from steersman.core.steering.combining.balancing import Weights, give_way
from steersman.core.steering.tree.forces import Out

GOAL = np.zeros(2)

SUMS = {
    "Separation": lambda goal: sm.Separation() + sm.Arrive(goal),
    "short": lambda goal: sm.Arrive(goal) + sm.Separation(radius=2),
    "inverse_square": lambda goal: sm.Separation(law="inverse_square") + sm.Arrive(goal),
    "weights": lambda goal: 1.5 * sm.Separation(radius=4) + 0.8 * sm.Arrive(goal),
    "GoTo": lambda goal: sm.Separation() + sm.GoTo(goal),
}


def crowd(
    tree: Any, n: int = 20, d: int = 2, dt: float = 1 / 60, seed: int = 1, side: bool = False, **body: Any
) -> Any:
    rng, wide = np.random.default_rng(seed), int(np.ceil(np.sqrt(n)))
    places = rng.uniform(-12, 12, (n, d))
    if side:
        places = rng.uniform(-0.15, 0.15, (n, d))
        places[:, 0] -= 12 + np.arange(n) // wide * 1.4
        places[:, 1] += (np.arange(n) % wide - (wide - 1) / 2) * 1.4
    vehicles = sm.Vehicles(places, **({"radius": 0.3, "max_speed": 2.0, "max_force": 10.0} | body))
    world = sm.World(dt=dt, seed=seed)
    world.add(vehicles, steering=tree)
    return world, vehicles


def least_gap(vehicles: sm.Vehicles) -> float:
    apart = np.linalg.norm(vehicles.position[:, None] - vehicles.position[None], axis=2)
    return float((apart + 9 * np.eye(len(vehicles))).min() - 2 * vehicles.radius[0])


@pytest.mark.each_value
@pytest.mark.parametrize("side", [False, True])
@pytest.mark.parametrize(
    ("name", "n", "d", "dt"),
    [(name, 20, 2, 1 / 60) for name in SUMS]
    + [("Separation", n, 2, 1 / 60) for n in (2, 50)]
    + [("Separation", 20, 3, 1 / 60), ("short", 20, 2, 1 / 20), ("short", 20, 2, 1 / 240)],
)
def test_a_crowd_comes_to_rest(name: str, n: int, d: int, dt: float, side: bool) -> None:
    world, vehicles = crowd(SUMS[name](np.zeros(d)), n, d, dt, side=side)
    world.run(seconds=40)
    for _ in range(10):
        world.run(seconds=0.5)
        assert vehicles.speed.max() < 1e-4
    assert least_gap(vehicles) > (-0.12 if name == "short" else -1e-3)
    assert np.linalg.norm(vehicles.position, axis=1).max() < 7.5 * max(1, n / 20) ** 0.5


@pytest.mark.parametrize("response_time", [0.0, 0.5])
def test_it_rests_whatever_its_response_time(response_time: float) -> None:
    world, vehicles = crowd(SUMS["Separation"](GOAL), response_time=response_time)
    world.run(seconds=40)
    assert vehicles.speed.max() < 1e-4
    assert least_gap(vehicles) > 0


def test_it_follows_a_goal_that_moves_and_fills_the_place_of_one_that_leaves() -> None:
    goal = GOAL.copy()
    world, vehicles = crowd(SUMS["Separation"](lambda: goal))
    world.run(seconds=40)
    goal[0] = 30
    world.run(seconds=5)
    assert vehicles.speed.mean() > 1
    world.run(seconds=50)
    assert vehicles.speed.max() < 1e-4
    assert abs(vehicles.position.mean(axis=0) - goal).max() < 0.5
    vehicles.remove(np.linalg.norm(vehicles.position - goal, axis=1) > 4)
    world.run(seconds=30)
    assert vehicles.speed.max() < 1e-4
    assert np.linalg.norm(vehicles.position - goal, axis=1).max() < 3.9


def test_false_is_the_sum_of_parts_that_are_cut_alone() -> None:
    parts = [sm.Separation(), sm.Arrive(GOAL)]
    vehicles = crowd(None)[1]
    alone = [sm.Controller(vehicles, sm.WeightedSum([part]), threads=1).steer(0.1) for part in parts]
    both = sm.Controller(vehicles, sm.WeightedSum(parts, balance=False), threads=1).steer(0.1)
    np.testing.assert_allclose(both, laws.truncate(alone[0] + alone[1], 10.0), rtol=1e-5, atol=1e-5)


def test_one_without_neighbors_arrives_as_by_arrive_alone() -> None:
    ways = []
    for tree in (sm.Arrive(GOAL), sm.Separation() + sm.Arrive(GOAL)):
        world, vehicles = crowd(tree, n=1)
        world.run(seconds=15)
        ways.append(vehicles.position.copy())
    np.testing.assert_array_equal(*ways)


WARY = {
    "fade": sm.PointMass(limits=[sm.LowSpeedTurn(0.5)]),
    "cone": sm.PointMass(limits=[sm.LowSpeedTurn(law="cone")]),
    "inertia": sm.PointMass(limits=[sm.MomentOfInertia(1.0)]),
    "turn rate": sm.PointMass(limits=[sm.TurnRate(2.0)]),
    "car": sm.Wheeled(turning_radius=2.0),
    "bicycle": sm.Wheeled(wheelbase=1.0),
}
"""Bodies that cannot step aside."""


@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
def test_bodies_that_cannot_step_aside_come_to_rest_with_a_short_push(dt: float) -> None:
    """58 of 60 cars drove round the goal for ever, and through each other; 21 to 60 of 60 went on with LowSpeedTurn."""
    world, crowds = sm.World(dt=dt), {}
    grid = np.stack(np.meshgrid(*[np.linspace(-14, 14, 7)] * 2), -1).reshape(-1, 2)
    for name, body in WARY.items():
        for radius in (1.5, 2.0, 3.0):
            for seed in range(2):
                rng = np.random.default_rng(seed)
                places = rng.permutation(grid)[:20] + rng.uniform(-1.5, 1.5, (20, 2))
                car = {"radius": 0.4, "max_speed": 3.0, "max_force": 8.0}
                slow = {"radius": 0.3, "max_speed": 2.0, "max_force": 10.0}
                vehicles = sm.Vehicles(
                    places, heading=rng.uniform(-3, 3, 20), **(car if isinstance(body, sm.Wheeled) else slow)
                )
                world.add(vehicles, steering=sm.Separation(radius=radius) + sm.Arrive([0.0, 0.0]), locomotion=body)
                crowds[f"{name}, {radius:g} m, seed {seed}"] = vehicles
    world.run(seconds=60)
    assert {name: each.speed.max() for name, each in crowds.items() if each.speed.max() > 0.02} == {}
    for name, each in crowds.items():
        assert np.linalg.norm(each.position, axis=1).max() < 7, name
        assert least_gap(each) > (-0.1 if "1.5 m" in name else 0), name


@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
def test_bodies_that_cannot_step_aside_keep_apart_on_their_way(dt: float) -> None:
    """Cars that turned round, or came out of a circle, drove on into others by up to .78 m: no force stops them."""
    world, crowds = sm.World(dt=dt), {}
    grid = np.stack(np.meshgrid(*[np.linspace(-14, 14, 7)] * 2), -1).reshape(-1, 2)
    bodies = {"car": WARY["car"], "bicycle": WARY["bicycle"], "reverse": sm.Wheeled(reverse=True), "fade": WARY["fade"]}
    for name, body in bodies.items():
        for radius, seed in ((2.0, 1), (3.0, 3), (10.0, 1)):
            rng = np.random.default_rng(seed)
            places = rng.permutation(grid)[:20] + rng.uniform(-1.5, 1.5, (20, 2))
            vehicles = sm.Vehicles(places, heading=rng.uniform(-3, 3, 20), radius=0.4, max_speed=3, max_force=8)
            world.add(vehicles, steering=sm.Separation(radius=radius) + sm.Arrive([0.0, 0.0]), locomotion=body)
            crowds[f"{name}, {radius:g} m"] = vehicles
    while world.time < 20:
        world.run(seconds=0.25)
        assert {name: gap for name, each in crowds.items() if (gap := least_gap(each)) < 0} == {}


def test_neighbors_in_the_way_are_looked_at_for_bodies_that_cannot_step_aside_alone() -> None:
    tree = sm.Separation(radius=3.0) + sm.Arrive([0.0, 0.0])
    assert tree.needs_for(sm.PointMass()) == ()
    (listing,) = tree.needs_for(sm.Wheeled())
    assert listing.radius == 3
    assert (sm.AvoidNeighbors() + sm.Arrive([0.0, 0.0])).needs_for(sm.Wheeled()) == ()


@pytest.mark.parametrize("kind", ["own", "deferred", "all", "seam", "long", "thick"])
def test_a_car_stops_before_one_in_its_way(kind: str) -> None:
    """The push of the one ahead is too weak to stop it."""
    places = [[48.0, 0.1], [-48.0, 0.0]] if kind == "seam" else [[-4.0, 0.1], [0.0, 0.0]]
    radius = np.array([0.4, 1.2 if kind == "thick" else 0.4])
    vehicles = sm.Vehicles(
        places, [[2.0, 0.0], [0.0, 0.0]], radius=radius, max_speed=3, max_force=8, length=1.6 if kind == "long" else 0.0
    )
    goals = vehicles.position.copy()
    goals[0] = goals[1] + [20, 0]
    tree: Any = sm.Separation(radius=6.0, strength=0.5, of="all" if kind == "all" else None) + sm.Arrive(goals)
    if kind == "deferred":
        tree = sm.Switch(tree, on=np.ones(2, bool))
    world = sm.World(dt=1 / 60, domain=sm.Torus([100.0, 100.0], origin=-50.0) if kind == "seam" else None)
    world.add(vehicles, steering=tree, locomotion=sm.Wheeled())
    world.run(seconds=4)
    away = vehicles.position[1] - vehicles.position[0]
    away[0] %= 100
    both, longer = radius.sum(), 0.8 if kind == "long" else 0.0
    assert np.linalg.norm(away) - both == pytest.approx(0.05 * both + longer, abs=0.03)
    assert vehicles.speed.max() < 0.01


@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
def test_a_rush_from_one_side_squeezes_few(dt: float) -> None:
    """Twenty overlapped by up to .18 m on their way, fifty by .29 m: those behind pressed with all their force."""
    world, crowds = sm.World(dt=dt), []
    for n, most in ((20, 0.11), (50, 0.22)):
        for radius in (2.0, 3.0):
            for speed, force in ((2.0, 10.0), (3.0, 6.0)):
                tree = sm.Separation(radius=radius) + sm.Arrive(GOAL)
                vehicles = crowd(tree, n, side=True, max_speed=speed, max_force=force)[1]
                world.add(vehicles, steering=tree)
                crowds.append((vehicles, most))
    while world.time < 20:
        world.run(seconds=0.25)
        for vehicles, most in crowds:
            assert least_gap(vehicles) > -most
    assert max(vehicles.speed.max() for vehicles, _ in crowds) < 1e-3


@pytest.mark.parametrize(
    ("n", "radius", "wheelbase", "dt"), [(2, 2.0, None, 1 / 60), (20, 3.0, 1.5, 1 / 60), (7, 1.5, None, 1 / 20)]
)
def test_cars_come_to_rest_around_a_common_goal(n: int, radius: float, wheelbase: float | None, dt: float) -> None:
    """They drove on at .4 to 1 m/s for ever, as none can step aside from where the others push it."""
    rng = np.random.default_rng(5)
    vehicles = sm.Vehicles(
        rng.uniform(-14, 14, (n, 2)), heading=rng.uniform(-3, 3, n), max_speed=3, max_force=8, radius=0.5
    )  # fmt: skip
    world = sm.World(dt=dt, threads=1)
    body = sm.Wheeled(turning_radius=radius, wheelbase=wheelbase)
    world.add(vehicles, steering=sm.Separation() + sm.Arrive([0.0, 0.0]), locomotion=body)
    world.run(seconds=60)
    assert np.linalg.norm(vehicles.position, axis=1).mean() < 1 + 1.3 * np.sqrt(n)
    assert least_gap(vehicles) > 0
    assert vehicles.speed.max() < 0.01


def test_a_herd_on_its_way_goes_at_full_speed() -> None:
    world, vehicles = crowd(SUMS["Separation"]([300.0, 0.0]))
    world.run(seconds=20)
    assert vehicles.velocity[:, 0].mean() > 1.95


def test_a_balance_needs_one_of_each_and_weights_above_zero() -> None:
    push, pull = sm.Separation(), sm.Arrive(GOAL)
    points = np.array([[1.0, 0.0], [0.5, 2.0]])
    for parts in ([push, pull, pull], [push, sm.Seek(GOAL)], [sm.Separation(of=points), pull]):
        assert not sm.WeightedSum(parts).init(sm.Vehicles([[0.0, 0.0]]))
    for weights in ((-0.5, 1.0), (1.0, 0.0)):
        vehicles = crowd(None)[1]
        first, second = (
            sm.Controller(vehicles, sm.WeightedSum([push, pull], weights=weights, balance=balance), threads=1).steer(
                0.1
            )
            for balance in (True, False)
        )
        np.testing.assert_allclose(first, second, rtol=1e-5, atol=1e-5)


def test_what_is_told_of_the_parts_adds_up() -> None:
    world, _ = crowd(SUMS["weights"](GOAL))
    for seconds in (1.0, 40.0):  # On their way, and at rest.
        world.run(seconds=seconds)
        total = world.explain()
        np.testing.assert_allclose(sum(part.contribution for part in total.parts), total.raw, atol=1e-4)


NUMBERS = {"mass": 1.0, "max_force": 10.0, "max_speed": 2.0, "response_time": 0.1}


@pytest.mark.parametrize("before", [None, 0.05])
@pytest.mark.parametrize("part", [0.09, 0.11, 0.19, 0.21])
def test_friction_holds_a_part_of_the_push_and_twice_that_of_one_that_stands(part: float, before: float | None) -> None:
    """A neighbor pushes with 10 N, and a goal far away pulls with 10 N, turned so that both add up to a part of that."""
    goal = np.zeros(2)

    def turn(net: float) -> None:
        angle = 2 * np.arcsin(net / 2)
        goal[:] = -50 * np.cos(angle), 50 * np.sin(angle)

    vehicles = sm.Vehicles([[0.0, 0.0], [-1.0, 0.0]], radius=0.3, max_speed=2.0, max_force=10.0, dtype=np.float64)
    push = sm.Separation(radius=np.inf, strength=10.0, fade=False)
    world = sm.World(dt=1e-9, threads=1)
    world.add(vehicles, steering=push + sm.Arrive(lambda: goal))
    for net in (part,) if before is None else (before, part):
        turn(net)
        force = world.explain().raw[0].copy()
        world.step()
    stands = part < 0.1 * (1 if before is None else 2)
    pull = 20.0 * goal / 50  # m u / tau
    told, rests = laws.balanced(np.array([10.0, 0]), pull, np.zeros(2), **NUMBERS, rests=before is not None)
    assert bool(rests) == stands
    assert np.linalg.norm(force) == pytest.approx(0 if stands else 10 * part)
    np.testing.assert_allclose(force, told, atol=1e-12)


def force_and_law(place: Any, strength: float, speed: float, body: Any, before: float = 0.0, held: bool = False) -> Any:
    """The force of one that is pulled along x, and pushed by a neighbor at a place; its strength was another `before`."""
    for steps in (0, 1):
        vehicles = sm.Vehicles(
            [[0.0, 0.0], place], [[speed, 0.0], [0.0, 0.0]], radius=0.3, max_speed=2.0, max_force=10.0, dtype=np.float64
        )
        world = sm.World(dt=1e-9, threads=1)
        trees = [
            sm.Separation(radius=np.inf, strength=each, fade=False) + sm.Arrive([50.0, 0.0])
            for each in (before, strength)
        ]
        population = world.add(vehicles, steering=trees[0] if steps else trees[1], locomotion=body)
        if steps:
            world.step()
            population.steering = trees[1]
        if bool(before) == bool(steps):
            break
    push = -strength * np.asarray(place) / np.dot(place, place)
    told, rests = laws.balanced(
        push, 10 * (np.array([2.0, 0.0]) - [speed, 0.0]), np.array([speed, 0.0]), **NUMBERS, rests=before > 0,
        steps_aside=body.steps_aside, held=held,
    )  # fmt: skip
    return world.explain().raw[0], told, bool(rests)


@pytest.mark.parametrize("body", [sm.Wheeled(), sm.PointMass(limits=[sm.LowSpeedTurn()])], ids=["car", "slow"])
@pytest.mark.parametrize(
    ("part", "speed", "before", "stands"),
    [
        (0.34, 0.0, 0.0, False), (0.36, 0.0, 0.0, True), (0.36, 0.39, 0.0, True), (0.36, 0.41, 0.0, False),
        (0.17, 0.0, 0.6, False), (0.18, 0.0, 0.6, True), (0.69, 1.9, 0.0, False), (0.71, 1.9, 0.0, True),
    ],
)  # fmt: skip
def test_a_body_that_cannot_step_aside_stands_where_a_push_leaves_little_of_its_way(
    part: float, speed: float, before: float, stands: bool, body: Any
) -> None:
    """A neighbor straight ahead pushes with a part of the pull of 10 N; one that is fast stands where nothing is left."""
    force, told, rests = force_and_law([1.0, 0.0], 10 * part, speed, body, 10 * before)
    assert rests == stands
    np.testing.assert_allclose(force, told, atol=1e-9)
    assert not stands or force[0] == pytest.approx(-min(speed / 0.1, 10))


@pytest.mark.parametrize("body", [sm.Wheeled(), sm.PointMass(limits=[sm.LowSpeedTurn()])], ids=["car", "slow"])
@pytest.mark.parametrize(
    ("apart", "angle", "speed", "before", "holds"),
    [
        (0.7, 55, 0.0, 0.0, True), (0.7, 65, 0.0, 0.0, False), (0.74, 0, 0.0, 0.0, False), (0.74, 0, 0.0, 10.0, True),
        (0.86, 0, 0.0, 10.0, False), (0.7, 0, 0.39, 0.0, True), (0.7, 0, 0.41, 0.0, False),
    ],
)  # fmt: skip
def test_a_neighbor_toward_the_goal_holds_a_slow_body_that_cannot_step_aside(
    apart: float, angle: float, speed: float, before: float, holds: bool, body: Any
) -> None:
    """Its push is too weak to hold it. Both radii are .6 m."""
    turn = np.radians(angle)
    force, told, rests = force_and_law([apart * np.cos(turn), apart * np.sin(turn)], 0.5, speed, body, before, holds)
    assert rests == holds
    np.testing.assert_allclose(force, told, atol=1e-9)


@pytest.mark.parametrize(("gap", "stands"), [(0.15, True), (0.4, False)])
def test_a_car_between_two_others_beside_its_goal_stands(gap: float, stands: bool) -> None:
    """It changed gear for ever, to and fro between them. The gap is that to each, and its radius .4 m."""
    places = np.array([[0.0, 0.0], [0.8 + gap, 0.0], [-0.8 - gap, 0.0]])
    vehicles = sm.Vehicles(places, heading=0.0, radius=0.4, max_speed=3, max_force=8, dtype=np.float64)
    tree = sm.Separation(radius=np.inf, strength=0.5, fade=False) + sm.Arrive([[0.0, 5.0], *places[1:]])
    world = sm.World(dt=1e-9, threads=1)
    world.add(vehicles, steering=tree, locomotion=sm.Wheeled())
    assert (np.linalg.norm(world.explain().raw[0]) == 0) == stands


@pytest.mark.parametrize(("far", "stands"), [(0.02, True), (0.04, False)])
def test_a_body_that_cannot_step_aside_stands_near_its_goal_where_it_is_pushed_more(far: float, stands: bool) -> None:
    """With LowSpeedTurn it circled round the goal for ever. The goal is beside it, and pulls with 10 N / .4 m."""
    vehicles = sm.Vehicles([[0.0, 0.0], [1.0, 0.0]], radius=0.3, max_speed=2.0, max_force=10.0, dtype=np.float64)
    tree = sm.Separation(radius=np.inf, strength=0.75, fade=False) + sm.Arrive([[0.0, far], [1.0, 0.0]])
    world = sm.World(dt=1e-9, threads=1)
    world.add(vehicles, steering=tree, locomotion=sm.PointMass(limits=[sm.LowSpeedTurn()]))
    assert (np.linalg.norm(world.explain().raw[0]) == 0) == stands


@pytest.mark.parametrize("place", [[-1.0, 0.0], [0.0, 1.0], [-0.7, 0.7], [0.4, 0.9], [0.9, 0.4]])
@pytest.mark.parametrize("body", [sm.PointMass(), sm.Wheeled()], ids=["point", "car"])
def test_pushes_from_all_sides_are_weighed_as_the_law_says(place: Any, body: Any) -> None:
    """From behind and from beside a push leaves the whole way."""
    for strength in (1.0, 5.0, 20.0):
        for speed in (0.0, 1.2):
            force, told, _ = force_and_law(place, strength, speed, body)
            np.testing.assert_allclose(force, told, atol=1e-9)
            if place[0] <= 0:
                assert force[0] > (5 if speed == 0 else 2)


def test_arrive_does_not_act_against_the_push_of_avoid_neighbors() -> None:
    """One stands before the goal: what is left of the pull is beside the push."""
    body = {"radius": 0.3, "max_speed": 2.0, "max_force": 10.0, "dtype": np.float64}
    vehicles = sm.Vehicles([[-0.9, 0.2], [0.0, 0.0]], **body)
    push, pull = sm.AvoidNeighbors(), sm.Arrive([20.0, 0.0])
    forces = {}
    for name, tree in {"push": push, "pull": pull, "sum": push + pull}.items():
        forces[name] = sm.Controller(vehicles, tree, threads=1).steer(1 / 60)[0].copy()
    away = forces["push"] / np.linalg.norm(forces["push"])
    assert forces["pull"] @ away < -5
    assert forces["sum"] @ away == pytest.approx(np.linalg.norm(forces["push"]))
    assert np.linalg.norm(forces["sum"]) < 10 * (1 + 1e-12)
    told = laws.given_way(forces["push"], forces["pull"], max_force=10.0)
    np.testing.assert_allclose(forces["sum"], told, rtol=1e-9)


def after_giving_way(push: Any, pull: Any, weights: tuple[float, float] = (1.0, 1.0)) -> tuple[Any, Any, Any]:
    """What is left of a push and of a pull of vehicles of 10 N [N], and what both are together, shape (n, d) each."""
    n, d = np.shape(push)
    vehicles = sm.Vehicles(np.zeros((n, d)), max_force=10.0, dtype=np.float64)
    sides = [
        Out(columns_of(np.array(each, float), np.float64), (), np.ones(n, np.uint8), np.ones(n, np.uint8), np.ones(2))
        for each in (push, pull, np.zeros((n, d)))
    ]
    numbers = Weights(*np.array([*weights, 0.1, 0.05, 1.0]))
    Call(give_way, (vehicles.columns, sides[0], sides[1], numbers, sides[2])).run(n)
    return tuple(np.stack(each.linear, axis=1) for each in sides)


def test_what_is_left_of_a_pull_is_beside_the_push_and_completes_max_force() -> None:
    """Pushed along x by 6 N of 10 N, 8 N are left beside it; by 10 N and more, nothing; along with it, all that fits."""
    push = [[6.0, 0.0], [6.0, 0.0], [6.0, 0.0], [-10.0, 0.0], [30.0, 0.0], [0.0, 0.0], [0.0, 6.0], [6.0, 0.0]]
    pull = [[-3.0, 9.0], [-50.0, 0.0], [-1.0, 2.0], [3.0, 4.0], [-3.0, 4.0], [-3.0, 4.0], [8.0, -1.0], [12.0, 0.0]]
    left = [[0.0, 8.0], [0.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [-3.0, 4.0], [8.0, 0.0], [8.0, 0.0]]
    pressed, pulled, total = after_giving_way(push, pull)
    np.testing.assert_allclose(pulled, left, atol=1e-12)
    np.testing.assert_allclose(pressed, laws.truncate(np.array(push), 10.0), atol=1e-12)
    np.testing.assert_allclose(total, pressed + pulled, atol=1e-12)


def test_a_little_push_is_given_way_to_in_part() -> None:
    """By as much as it is of a tenth of max_force: 0.25 N of 1 N take off a quarter of what is against it."""
    push, pull = [[0.25, 0.0], [0.25, 0.0]], [[-4.0, 2.0], [-8.0, 6.0]]
    _, pulled, _ = after_giving_way(push, pull)
    np.testing.assert_allclose(pulled[0], [-3.0, 2.0], atol=1e-12)
    np.testing.assert_allclose(pulled[1], [-6.0, 6.0], atol=1e-12)


@pytest.mark.parametrize("weights", [(1.0, 1.0), (0.6, 1.5), (1.4, 0.7), (1.0, -1.0)])
@pytest.mark.parametrize("d", [2, 3])
def test_giving_way_is_the_equation_for_pushes_and_pulls_of_every_size(d: int, weights: tuple[float, float]) -> None:
    rng = np.random.default_rng(d)
    push, pull = rng.normal(size=(2, 300, d)) * rng.choice([0.0, 0.1, 0.5, 3.0, 9.0, 40.0], (2, 300, 1))
    pressed, pulled, total = after_giving_way(weights[0] * push, weights[1] * pull, weights)
    if min(weights) > 0:
        told = laws.given_way(push, pull, max_force=10.0, weights=weights)
    else:
        told = weights[0] * laws.truncate(push, 10.0) + weights[1] * laws.truncate(pull, 10.0)
    np.testing.assert_allclose(total, told, atol=2e-6)  # The kernel has its constants in float32.
    np.testing.assert_allclose(pressed + pulled, total, atol=1e-12)


def test_documents_and_expressions_keep_the_choice() -> None:
    tree = sm.WeightedSum([sm.Separation(), sm.Arrive(GOAL)], balance=False)
    assert "balance=False" in repr(tree)
    assert not sm.WeightedSum([tree, sm.Wander()]).components[0].balance


def backed(weight: float, gap: float, beside: float, goal: float, d: int, dt: float) -> tuple[float, float]:
    """How near a car that sets out backward comes to one that stands behind it [m], and how far it gets in 6 s.

    The other stands `beside` rad off straight behind, and the goal lies `goal` rad off it on the other side.
    """
    places, ends = np.zeros((2, d)), np.zeros((2, d))
    places[1, :2] = (1 + gap) * np.array([-np.cos(beside), np.sin(beside)])
    ends[0, :2], ends[1] = 8 * np.array([-np.cos(goal), -np.sin(goal)]), places[1]
    cars = sm.Vehicles(places, forward=[1.0] + [0.0] * (d - 1), radius=0.5, max_speed=3, max_force=6, dtype=np.float64)
    world, nearest = sm.World(dt=dt, threads=1), np.inf
    steering = weight * sm.Separation(radius=2.0) + sm.Arrive(ends)
    world.add(cars, steering=steering, locomotion=sm.Wheeled(reverse=True))
    while world.time < 6:
        world.step()
        nearest = min(nearest, float(np.linalg.norm(cars.position[0] - cars.position[1])) - 1)
    return nearest, float(np.linalg.norm(cars.position[0] - places[0]))


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("dt", [1 / 120, 1 / 20])
def test_a_car_does_not_begin_to_back_into_another(d: int, dt: float) -> None:
    """It stopped and set out backward at every other step, up to .37 m into the other, for a step at rest looks ahead."""
    for weight, beside, goal in ((0.2, 0.5, 0.6), (0.2, 0.7, 0.4), (0.5, 0.7, 0.4)):
        for gap in (0.0, 0.01, 0.03):
            assert backed(weight, gap, beside, goal, d, dt)[0] > gap - 1e-3
    for weight, beside, goal in ((0.2, 0.4, 0.7), (1.0, 0.5, 0.6)):  # Pushed on, it drives off and round the other.
        nearest, way = backed(weight, 0.01, beside, goal, d, dt)
        assert nearest > 0
        assert way > 5


@pytest.mark.each_value
@pytest.mark.parametrize("dt", [1 / 20, 1 / 60])
@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)])
@pytest.mark.parametrize("body", [sm.PointMass(), sm.Wheeled(), sm.Wheeled(wheelbase=1.0)], ids=repr)
def test_parked_cars_of_another_population_are_passed(body: Any, d: int, dtype: Any, dt: float) -> None:
    """Arrive gave way to AvoidNeighbors of the own population alone: two of three went through a parked car, by 1.2 m."""
    rng, ahead, n, thickness = np.random.default_rng(3), np.eye(d)[0], 8, 1.6
    spots = np.zeros((6, d))
    spots[:, 0], spots[:, 1] = np.arange(12, 48, 6), rng.uniform(-6, 6, 6)
    parked = sm.Vehicles(spots, max_speed=0, radius=thickness / 2, dtype=dtype)
    world, cars, nearest = sm.World(dt=dt, threads=1), [], np.inf
    world.add(parked, name="parked")
    for aside in np.linspace(-6, 6, n):  # Each is a population of its own: they do not see each other.
        start = aside * np.eye(d)[1]
        car = sm.Vehicles([start], [4 * ahead], max_speed=4, max_force=8, radius=thickness / 2, dtype=dtype)
        steering = sm.AvoidNeighbors(of=parked) + sm.Arrive(start + 55 * ahead)
        with warnings.catch_warnings(action="ignore"):
            world.add(car, steering=steering, locomotion=body)
        cars.append((car, start + 55 * ahead))
    while world.time < 40:
        with warnings.catch_warnings(action="ignore"):
            world.step()
        gaps = [np.linalg.norm(car.position - parked.position, axis=1).min() for car, _ in cars]
        nearest = min(nearest, min(gaps))
    assert nearest > thickness
    assert max(np.linalg.norm(car.position[0] - goal) for car, goal in cars) < 0.1
