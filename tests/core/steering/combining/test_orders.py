"""Orders: columns that numbers, weights and targets name, written by id at any time, without another tree."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from core.steering.combining.crowd import some, steer
from sampling import KEPT
from stepping import ran

import steersman as sm
from steersman.core.world.state_hash import state_hash

N = 6


def army(threads: int = 1) -> tuple[sm.World, Any]:
    vehicles = some(N, max_force=9.0)
    world = sm.World(seed=2, dt=0.05, threads=threads)
    going = sm.Arrive("column:goal", speed="column:pace")
    modes = sm.Modes({"go": going, "stroll": "boldness" * sm.Wander(strength="boldness")}, start="go")
    return world, world.add(
        vehicles, name="army", steering=sm.Orders(modes, {"goal": None, "pace": 2.0, "boldness": 0.5})
    )


@pytest.mark.parametrize("d", [2, 3])
def test_a_column_is_as_the_number_itself(d: int) -> None:
    rng = np.random.default_rng(4)
    position, velocity = rng.uniform(0, 9, (2, 500, d))

    def forces(strength: Any, weight: Any, place: Any, pace: Any, threads: int = 1) -> Any:
        part = weight * sm.Wander(strength=strength) + sm.Seek(place, speed=pace) + weight * sm.Arrive(place)
        columns = {"bold": 0.4, "heavy": 0.3, "pace": 0.7, "place": [5.0] * d}
        vehicles = sm.Vehicles(position, velocity, max_speed=4.0, max_force=30.0, dtype=KEPT[d])
        ran(vehicles, sm.Orders(part, columns), domain=sm.Torus([10.0] * d), seed=1, threads=threads, steps=3)
        return vehicles.position.copy()

    plain = forces(0.4, 0.3, [5.0] * d, 0.7)
    for threads in (1, 3):
        np.testing.assert_array_equal(forces("bold", "heavy", "column:place", "column:pace", threads), plain)


def test_columns_of_the_vehicles_are_read_at_every_step() -> None:
    vehicles = some(max_speed=2.0)
    controller = sm.Controller(vehicles, sm.Seek([50.0, 0.0], speed="column:response_time"), threads=1)
    for speed in (0.5, 1.5):
        vehicles.response_time = speed
        wanted = sm.Controller(vehicles, sm.Seek([50.0, 0.0], speed=speed), threads=1).steer(0.1)
        np.testing.assert_array_equal(controller.steer(0.1), wanted)


@pytest.mark.parametrize("threads", [1, 3])
def test_who_has_orders_follows_them_and_others_do_not_move(threads: int) -> None:
    world, population = army(threads)
    population.vehicles.velocity = (0.0, 0.0)
    start = population.vehicles.position.copy()
    world.run(seconds=1)
    np.testing.assert_array_equal(population.vehicles.position, start)
    assert population.order([0, 3], goal=(30.0, 4.0)).tolist() == [0, 3]
    assert population.order([1, 4], goal=[(0.0, 9.0), (7.0, 7.0)], pace=[1.0, 3.0]).tolist() == [1, 4]
    world.run(seconds=0.5)
    np.testing.assert_allclose(population.vehicles.speed, [2, 1, 0, 2, 3, 0], atol=0.1)
    world.run(seconds=40)
    places = [[30, 4], [0, 9], start[2], [30, 4], [7, 7], start[5]]
    np.testing.assert_allclose(population.vehicles.position, places, atol=0.05)
    population.order(np.ones(N, bool), goal=None)
    assert np.isnan(population.memory("Orders")["goal"]).all()


def test_orders_stay_with_their_vehicles_and_newcomers_have_those_of_the_start() -> None:
    world, population = army()
    vehicles = population.vehicles
    population.order([3, 5], goal=[(30.0, 0.0), (0.0, 30.0)], boldness=0.25)
    world.step()
    vehicles.remove([0, 3])
    new = vehicles.spawn(np.zeros((40, 2)))
    world.run(seconds=30)
    columns = population.memory("Orders")
    np.testing.assert_array_equal(columns["goal"][vehicles.rows([5])], [[0.0, 30.0]])
    assert columns["boldness"][vehicles.rows([5])] == 0.25
    assert np.isnan(columns["goal"][vehicles.rows(new)]).all()
    np.testing.assert_allclose(vehicles.position[vehicles.rows([5])], [[0.0, 30.0]], atol=0.05)


def test_orders_to_the_dead_are_refused_or_left_out() -> None:
    _, population = army()
    population.vehicles.remove([1, 2])
    with pytest.raises(KeyError, match="no vehicle has id 1"):
        population.order([0, 1, 2, 3], pace=1.5)
    assert (population.memory("Orders")["pace"] == 2.0).all()
    reached = population.order([0, 1, 2, 3, 99], pace=[0.1, 0.2, 0.3, 0.4, 0.5], missing="ignore")
    assert reached.tolist() == [0, 3]
    np.testing.assert_allclose(population.memory("Orders")["pace"], [0.1, 0.4, 2.0, 2.0])
    assert population.order([1, 2], pace=1.0, missing="ignore").tolist() == []
    with pytest.raises(ValueError, match='missing must be "raise" or "ignore", got \'skip\''):
        population.order([0], pace=1.0, missing="skip")


def test_modes_are_ordered_by_name() -> None:
    world, population = army()
    world.step()
    population.order([0, 4], mode="stroll")
    population.order([1, 2], mode=["stroll", "go"])
    world.step()
    assert sm.modes_of(population).tolist() == ["stroll", "stroll", "go", "go", "stroll", "go"]
    population.order([5, 99, 0], mode=["stroll", "stroll", "go"], missing="ignore")
    world.step()
    assert sm.modes_of(population).tolist() == ["go", "stroll", "go", "go", "stroll", "stroll"]
    with pytest.raises(ValueError, match=r"mode must name modes that there are \(go, stroll\), got 'sleep'"):
        population.order([0], mode="sleep")


def test_a_mode_that_is_ordered_is_entered() -> None:
    entered: list[Any] = []
    modes = sm.Modes(
        {"a": sm.Wander(), "b": sm.Wander()},
        start="a",
        transitions=[("b", "a", sm.After(0.2))],
        on_enter={"b": lambda vehicles, who: entered.append(vehicles.id[who].tolist())},
    )
    world = sm.World(dt=0.05)
    population = world.add(some(), name="army", steering=modes)
    world.run(steps=3)
    population.order([1, 5], mode="b")
    world.run(steps=3)
    assert entered == [[1, 5]]
    assert (sm.modes_of(population) == "b").sum() == 2
    world.run(steps=4)
    assert (sm.modes_of(population) == "a").all()


def test_documents_and_snapshots_hold_orders(tmp_path: Path) -> None:
    world, population = army()
    population.order([0, 3], goal=(30.0, 4.0), pace=1.0)
    population.order([2], mode="stroll", boldness=0.9)
    world.run(steps=4)
    population.vehicles.remove([1])
    world.save(tmp_path / "world.steersman")
    others = [sm.World.load(tmp_path / "world.steersman"), sm.from_document(sm.to_document(world), threads=1)]
    for other in others:
        assert other.populations["army"].steering == population.steering
        other.populations["army"].order([4], goal=(1.0, 1.0))
    population.order([4], goal=(1.0, 1.0))
    for each in (world, *others):
        each.run(steps=10)
    assert len({state_hash(each) for each in (world, *others)}) == 1


def test_a_tree_is_written_and_made_again() -> None:
    _, population = army()
    assert eval(repr(population.steering), {"sm": sm}) == population.steering


def test_sketches_and_reasons_take_the_numbers_of_each_vehicle() -> None:
    world, population = army()
    population.order([0, 3], goal=(30.0, 4.0), mode=["stroll", "go"], boldness=0.25)
    weights = [part.weight for part in world.explain("army", [0]).parts[0].parts[1].parts]
    assert weights == [0.25]
    assert len(world.sketch("army", [0, 3]))


@pytest.mark.parametrize(
    ("orders", "error", "said"),
    [
        ({"goal": (1.0, 2.0, 3.0)}, ValueError, r"goal must have shape \(2,\) or \(1, 2\), got \(3,\)"),
        ({"goal": (1.0, float("nan"))}, ValueError, "goal must be finite"),
        ({"pace": None}, TypeError, "pace must be numbers"),
        ({"boldness": "x"}, TypeError, "boldness must be numbers"),
        ({"boldness": -1.0}, ValueError, "strength must be >= 0 or None, got -1 in the column 'boldness'"),
        ({"bravery": 1.0}, KeyError, "the column 'bravery' is not there; columns of Orders: goal, pace, boldness"),
    ],
)
def test_wrong_orders_are_refused_and_change_nothing(orders: Any, error: type[Exception], said: str) -> None:
    _, population = army()
    before = population.memory("Orders")
    with pytest.raises(error, match=said):
        population.order([2], **{"pace": 0.5} | orders)
    after = population.memory("Orders")
    assert all(np.array_equal(before[name], after[name], equal_nan=True) for name in before)


@pytest.mark.parametrize(
    ("tree", "error", "said"),
    [
        (
            lambda: sm.Wander(strength="nix"),
            ValueError,
            r"strength must name a column that there is \(mass, .*, goal, bold, low\), or one of Orders above it, got .nix",
        ),
        (lambda: sm.Wander(strength="goal"), ValueError, "strength must be a number, got the column 'goal' with 2 per"),
        (
            lambda: sm.Seek("column:bold"),
            ValueError,
            r"target must be a point \(2,\), got the column 'bold' with 1 per",
        ),
        (
            lambda: sm.Wander(strength="not a name"),
            TypeError,
            "strength must be a number >= 0 or None, got 'not a name'",
        ),
        (lambda: sm.Seek([1, 2], speed="fast"), ValueError, 'speed must be "max", "current", "offset" or a number'),
        (
            lambda: sm.Separation(falloff="bold"),
            TypeError,
            "falloff must be one number for all vehicles here, not one per vehicle",
        ),
        (lambda: sm.Cohesion(radius="low"), ValueError, "radius must be > 0 m, got -1 in the column 'low'"),
        (lambda: sm.Wander(strength="low"), ValueError, "strength must be >= 0 or None, got -1 in the column 'low'"),
    ],
)
def test_columns_that_do_not_fit_are_refused(tree: Any, error: type[Exception], said: str) -> None:
    columns = {"goal": None, "bold": 1.0, "low": -1.0}
    with pytest.raises(error, match=said):
        steer(some(), sm.Orders(tree(), {name: columns[name] for name in columns}))


@pytest.mark.parametrize(
    ("columns", "error", "said"),
    [
        ([1.0], TypeError, r"columns must be name -> a number, a point \(d,\) or None"),
        ({"mass": 1.0}, ValueError, "columns must have names that no column of vehicles has, got 'mass'"),
        ({"a b": 1.0}, ValueError, "columns must have names that no column of vehicles has, got 'a b'"),
        ({"a": [1.0]}, ValueError, r"columns must be numbers or points \(d,\), got shape \(1,\) for 'a'"),
        ({"a": "b"}, TypeError, "must be numbers"),
        ({"a": float("inf")}, ValueError, "must be finite"),
    ],
)
def test_wrong_columns_are_refused(columns: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        sm.Orders(sm.Wander(), columns)


def test_points_have_the_dimensions_of_the_vehicles() -> None:
    with pytest.raises(ValueError, match="columns must have points of 2 dimensions like the vehicles, got a ="):
        steer(some(), sm.Orders(sm.Wander(), {"a": [1.0, 2.0, 3.0]}))


NEIGHBORHOODS = {
    "separation and cohesion": lambda radius: sm.Separation(radius=radius) + sm.Cohesion(radius=4.0),
    "cohesion": lambda radius: sm.Cohesion(radius=radius),
    "of the nearest": lambda radius: sm.Separation(radius=radius, k=3),
    "avoid": lambda radius: sm.AvoidNeighbors(radius=radius),
    "when asked": lambda radius: sm.Priority([sm.Separation(radius=radius), sm.Seek([1, 1])]),
    "view": lambda angle: sm.Alignment(radius=4.0, angle=angle, inner_radius=1.0),
}
"""Trees with one number of a neighborhood."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", NEIGHBORHOODS)
def test_a_column_of_radii_is_as_the_array(name: str) -> None:
    """Also when it is ordered anew, to larger ones than before, and when vehicles come and go."""
    rng = np.random.default_rng(3)
    position, radii = rng.uniform(0, 20, (40, 2)), rng.uniform(1, 3, 40)
    ends = []
    for column in (False, True):
        vehicles = sm.Vehicles(position, [1, 0], max_speed=3, max_force=9)
        world = sm.World(dt=1 / 30)
        make = NEIGHBORHOODS[name]
        group = world.add(vehicles, steering=sm.Orders(make("column:eye"), {"eye": 1.0}) if column else make(radii))
        if column:
            group.order(vehicles.id, eye=radii)
        world.run(steps=4)
        vehicles.remove([0, 7])
        if column:
            group.order(vehicles.id, eye=2 * np.delete(radii, [0, 7]))
        else:
            group.steering = make(2 * np.delete(radii, [0, 7]))
        world.run(steps=4)
        vehicles.spawn(position[:30] + 0.5, velocity=[1, 0], max_speed=3, max_force=9)
        if column:
            group.order(vehicles.id[-30:], eye=2 * radii[-1])
        world.run(steps=2)
        ends.append(vehicles.position.copy())
        world.sketch()
    np.testing.assert_allclose(ends[1], ends[0], rtol=0, atol=1e-12)


def test_a_column_of_the_vehicles_may_be_a_radius() -> None:
    vehicles = sm.Vehicles([[0.0, 0.0], [3.0, 0.0]], max_force=9, mass=[2.0, 4.0])
    world = ran(vehicles, sm.Cohesion(radius="mass"), dt=0.02, steps=1)
    assert vehicles.velocity[:, 0].astype(bool).tolist() == [False, True]
    vehicles.mass[0] = 5
    world.step()
    assert vehicles.velocity[:, 0].astype(bool).tolist() == [True, True]


def test_two_columns_of_one_name_for_one_neighborhood_are_refused() -> None:
    world = sm.World()
    one, other = (sm.Orders(sm.Cohesion(radius="column:eye"), {"eye": eye}) for eye in (1.0, 5.0))
    world.add(some(N), steering=one + other)
    with pytest.raises(ValueError, match="must read columns of other names"):
        world.step()


COMPUTED = {
    "limit": lambda number: sm.Separation(law="inverse_square", strength=4.0, limit=number, radius=6.0),
    "strength": lambda number: sm.Separation(law="inverse_square", strength=number, limit=3.0, radius=6.0),
    "panic distance": lambda number: sm.Flee([0.0, 0.0], panic_distance=number),
    "queue": lambda number: sm.Queue([0.0, 0.0], radius=number),
    "margin": lambda number: sm.Contain(sm.Sphere([0.0, 0.0], 12.0), law="normal", margin=number),
    "reach": lambda number: sm.AvoidWalls(sm.Walls([[-9, -9], [9, -9], [9, 9]]), reach=number),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", COMPUTED)
def test_an_order_changes_what_is_computed_from_a_column(name):
    """From the next step on, for vehicles that have come since then, too; as one number for all would."""
    rng = np.random.default_rng(4)
    start, velocity = rng.uniform(-9, 9, (30, 2)), rng.normal(size=(30, 2))

    def forces(number, own=0.0):
        vehicles = sm.Vehicles(start[:20], velocity[:20], max_speed=3, max_force=9, dtype=np.float64)
        tree = COMPUTED[name](number)
        steered = sm.Controller(vehicles, steering=sm.Orders(tree, {"own": own}))
        first = steered.steer(0.1).copy()
        vehicles.spawn(start[20:], velocity=velocity[20:])
        steered.order(vehicles.id, own=5.0)
        return first, steered.steer(0.1).copy()

    mine = forces("own", own=2.0)
    np.testing.assert_allclose(mine[0], forces(2.0)[0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mine[1], forces(5.0)[1], rtol=1e-9, atol=1e-12)
    assert np.abs(mine[1][:20] - mine[0]).max() > 1e-3
