"""Modes: who is in which mode, when, and what that does."""

import itertools
import pickle

import numpy as np
import pytest

import steersman as sm


def push(x):
    """A force along the x-axis, so that what steers a vehicle can be read off the force."""

    def force(vehicles):
        return np.tile([x, 0.0], (len(vehicles), 1))

    return force


def herd(n=4, dtype=float):
    return sm.Vehicles(np.arange(2.0 * n).reshape(n, 2), max_speed=100, max_force=100, dtype=dtype)


def flag(mask):
    """A condition that can be changed from outside."""
    return sm.Where(lambda vehicles: mask.copy())


def two(when, back=None, **options):
    transitions = [("a", "b", when)] + ([("b", "a", back)] if back is not None else [])
    return sm.Modes({"a": push(1.0), "b": push(2.0)}, start="a", transitions=transitions, **options)


def test_each_vehicle_is_steered_by_its_mode_from_the_step_in_which_it_changes():
    mask = np.array([True, False, False, True])
    controller = sm.Controller(herd(), two(flag(mask)))
    assert controller.steer(0.1)[:, 0].tolist() == [2, 1, 1, 2]
    mask[:] = [False, True, False, False]
    assert controller.steer(0.1)[:, 0].tolist() == [2, 2, 1, 2]
    assert sm.modes_of(controller).tolist() == ["b", "b", "a", "b"]


def test_the_first_transition_that_holds_wins_and_only_one_a_step():
    always = sm.After(0)
    parts = {"a": push(1.0), "b": push(2.0), "c": push(3.0)}
    first = sm.Modes(parts, start="a", transitions=[("b", "c", always), ("a", "b", always), ("a", "c", always)])
    controller = sm.Controller(herd(1), first)
    assert [controller.steer(0.1)[0, 0] for _ in range(3)] == [2, 3, 3]
    other = sm.Modes(parts, start="a", transitions=[("a", "c", always), ("a", "b", always)])
    assert sm.Controller(herd(1), other).steer(0.1)[0, 0] == 3


def test_from_several_modes_and_from_any_other():
    parts = {"a": push(1.0), "b": push(2.0), "c": push(3.0)}
    mask = np.array([False])
    modes = sm.Modes(parts, start="a", transitions=[("*", "c", flag(mask)), (["a", "c"], "b", sm.After(0.2))])
    controller = sm.Controller(herd(1), modes)
    assert [controller.steer(0.1)[0, 0] for _ in range(4)] == [1, 1, 2, 2]
    mask[:] = True
    # In "c" the transition to "c" does not count, so the time in it goes on, and it is left.
    assert [controller.steer(0.1)[0, 0] for _ in range(5)] == [3, 3, 2, 3, 3]


def test_a_mode_may_be_entered_anew():
    modes = sm.Modes({"a": push(1.0)}, start="a", transitions=[("a", "a", sm.After(0.25))])
    controller = sm.Controller(herd(1), modes)
    for _ in range(5):
        controller.steer(0.1)
    assert controller.memory("Modes")["entered"][0] == pytest.approx(0.3)


def test_only_the_current_mode_is_computed_and_remembers():
    """A Wander that is never steered by keeps its memory; the one that steers does not."""
    quiet, busy = sm.Wander(name="quiet"), sm.Wander(name="busy")
    modes = sm.Modes(
        {"a": busy, "b": quiet}, start="a", transitions=[("a", "b", flag(np.array([True, False, False, False])))]
    )
    controller = sm.Controller(herd(), modes)
    before = {name: controller.memory(name)["point"] for name in ("quiet", "busy")}
    for _ in range(3):
        controller.steer(0.1)
    moved = {name: (controller.memory(name)["point"] != before[name]).any(axis=1).tolist() for name in before}
    assert moved == {"quiet": [True, False, False, False], "busy": [False, True, True, True]}


# ------------------------------------------------------------------------------------------------------- flicker


def changes(modes, places, wolf, dt=0.1):
    """How often a vehicle at the origin changes its mode while a wolf goes from place to place."""
    vehicles = sm.Vehicles([[0.0, 0.0]], max_speed=1, max_force=1, dtype=float)
    controller = sm.Controller(vehicles, modes)
    names = []
    for x in places:
        wolf.position = [[x, 0.0]]
        controller.steer(dt)
        names.append(sm.modes_of(controller)[0])
    return sum(a != b for a, b in itertools.pairwise(names))


def test_a_trap_a_quarry_at_the_border_does_not_flicker():
    """A wolf that trembles about the distance: naive modes change at every step, hysteresis and cooldown do not."""
    wolf = sm.Vehicles([[9.0, 0.0]], max_speed=1, max_force=1, dtype=float)
    places = [40 + 0.1 * (-1) ** k for k in range(100)]

    def modes(near, **options):
        return sm.Modes({"graze": push(0.0), "flee": push(1.0)}, start="graze",
                        transitions=[("graze", "flee", near), ("flee", "graze", ~near)], **options)  # fmt: skip

    assert changes(modes(sm.Near(wolf, 40)), places, wolf) == 98 + 1
    assert changes(modes(sm.Near(wolf, 40, leave=45)), places, wolf) == 1
    # 100 steps are 10 s: at most 5 changes with a cooldown of 2 s.
    assert 1 <= changes(modes(sm.Near(wolf, 40), cooldown=2.0), places, wolf) <= 5
    assert 1 <= changes(modes(sm.Near(wolf, 40), cooldown={"flee": 4.0}), places, wolf) <= 6


def test_conditions_that_hold_at_once_do_not_flicker_within_the_cooldown():
    always = sm.After(0)
    controller = sm.Controller(herd(1), two(always, always, cooldown=0.5))
    said = [controller.steer(0.1)[0, 0] for _ in range(20)]
    assert said == [1] * 5 + [2] * 5 + [1] * 5 + [2] * 5


def test_what_modes_do_converges_with_the_time_step():
    """A wolf passes by; the caribou flees while it is near. Its path is the same at any small step, to first order."""

    def end(dt):
        wolf = sm.Vehicles([[-30.0, 3.0]], [[12.0, 0.0]], max_speed=12, max_force=1, dtype=float)
        caribou = sm.Vehicles([[0.0, 0.0]], max_speed=6, max_force=8, response_time=0.3, dtype=float)
        near = sm.Near(wolf, 15, leave=20)
        world = sm.World(dt=dt)
        world.add(caribou, steering=sm.Modes(
            {"graze": sm.Arrive([0.0, 0.0]), "flee": sm.Flee(wolf)}, start="graze", cooldown=0.5,
            transitions=[("graze", "flee", near), ("flee", "graze", ~near)]))  # fmt: skip
        world.add(wolf)
        world.run(seconds=5)
        return caribou.position[0].copy()

    reference = end(1 / 2560)
    assert np.abs(reference).max() > 0.5
    errors = [np.abs(end(dt) - reference).max() for dt in (1 / 20, 1 / 80, 1 / 320)]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.1


# --------------------------------------------------------------------------------------------------------- hooks


def test_hooks_are_called_after_the_step_with_those_who_entered():
    mask, called = np.zeros(4, bool), []
    world = sm.World(dt=0.1)
    vehicles = herd()
    modes = two(
        flag(mask), sm.After(0.15),
        on_enter={
            "a": lambda vehicles, rows: called.append(("a", world.steps, rows.tolist())),
            "b": lambda vehicles, rows: called.append(("b", world.steps, rows.tolist())),
        },
    )  # fmt: skip
    world.add(vehicles, steering=modes)
    world.step()
    mask[:] = [False, True, False, True]
    world.step()
    mask[:] = False
    world.run(steps=3)
    assert called == [("a", 1, [0, 1, 2, 3]), ("b", 2, [1, 3]), ("a", 4, [1, 3])]


def test_a_refused_step_calls_no_hook_and_changes_no_mode():
    called, broken = [], np.array([False])

    def fail(vehicles):
        return np.full((len(vehicles), 2), np.nan if broken[0] else 0.0)

    mask = np.zeros(4, bool)
    modes = two(flag(mask), on_enter={"b": lambda vehicles, rows: called.append(rows.tolist())})
    world = sm.World(dt=0.1)
    population = world.add(herd(), steering=sm.WeightedSum([modes, fail]))
    world.step()
    mask[2], broken[0] = True, True
    before = world.memory("vehicles", modes)
    with pytest.raises(sm.NonFiniteError):
        world.step()
    assert called == []
    after = world.memory("vehicles", modes)
    assert all((before[name] == after[name]).all() for name in before)
    broken[0] = False
    world.step()
    assert called == [[2]]
    assert sm.modes_of(population).tolist() == ["a", "a", "b", "a"]


def test_a_controller_calls_hooks_too():
    called = []
    controller = sm.Controller(herd(2), two(sm.After(0), on_enter={"b": lambda v, rows: called.append(rows.tolist())}))
    controller.steer(0.1)
    controller.steer(0.1)
    assert called == [[0, 1]]


def test_a_hook_may_remove_vehicles_and_replace_the_tree():
    world, vehicles = sm.World(dt=0.1), herd()

    def eaten(vehicles, rows):
        vehicles.remove(np.isin(np.arange(len(vehicles)), rows))

    def free(vehicles, rows):
        world.populations["sheep"].steering = sm.Flee([0.0, 0.0])

    mask = np.array([False, True, False, True])
    world.add(vehicles, name="sheep", steering=two(flag(mask), on_enter={"b": eaten, "a": free}))
    world.step()
    assert vehicles.id.tolist() == [0, 2]
    world.step()
    assert isinstance(world.populations["sheep"].steering, sm.Flee)


def test_hooks_of_modes_that_rest_are_not_called():
    called = []
    inner = two(sm.After(0.25), on_enter={"b": lambda v, rows: called.append(rows.tolist())})
    first = lambda vehicles: np.where(vehicles.id[:, None] == 1, 1.0, 0.0) * [1.0, 0.0]  # noqa: E731
    controller = sm.Controller(herd(3), sm.Priority([first, inner]))
    for _ in range(6):
        controller.steer(0.1)
    assert called == [[0, 2]]


# ------------------------------------------------------------------------------------------------- while running


def test_a_mode_is_kept_when_the_tree_around_it_is_replaced():
    """Modes in another order, new ones, other parameters: who was in "b" still is."""
    world, mask = sm.World(dt=0.1), np.array([True, False, False, True])
    population = world.add(herd(), steering=two(flag(mask)))
    world.run(steps=3)
    entered = world.memory("vehicles", "Modes")["entered"]
    mask[:] = False
    replaced = sm.Modes({"c": push(3.0), "b": push(5.0), "a": push(4.0)}, start="c", transitions=[])
    population.steering = sm.Priority([sm.Flee([50.0, 50.0], panic_distance=1.0), replaced])
    assert sm.modes_of(population).tolist() == ["b", "a", "a", "b"]
    assert (world.memory("vehicles", "Modes")["entered"] == entered).all()
    world.step()
    assert sm.modes_of(population).tolist() == ["b", "a", "a", "b"]
    population.steering = sm.Modes({"c": push(3.0), "b": push(5.0)}, start="c", transitions=[])
    assert sm.modes_of(population).tolist() == ["b", "c", "c", "b"], "a mode that is gone is the start"
    world.step()
    after = world.memory("vehicles", "Modes")["entered"]
    assert after[[0, 3]].tolist() == entered[[0, 3]].tolist()
    assert after[[1, 2]].tolist() == pytest.approx([0.4, 0.4])


def test_the_memory_of_conditions_is_kept_when_a_parameter_changes():
    wolf = sm.Vehicles([[6.0, 0.0]], max_speed=1, max_force=1, dtype=float)

    def modes(leave, strength):
        near = sm.Near(wolf, 5, leave=leave)
        return sm.Modes({"a": push(strength), "b": push(9.0)}, start="a",
                        transitions=[("a", "b", near), ("b", "a", ~near)])  # fmt: skip

    vehicles = sm.Vehicles([[2.0, 0.0]], max_speed=1, max_force=10, dtype=float)
    controller = sm.Controller(vehicles, modes(8, 1.0))
    assert controller.steer(0.1)[0, 0] == 9
    vehicles.position = [[-1.0, 0.0]]
    controller.steering = modes(8, 2.0)
    assert controller.steer(0.1)[0, 0] == 9, "the wolf is within the leaving distance of what was near before"
    controller.steering = modes(6.5, 2.0)
    assert controller.steer(0.1)[0, 0] == 2


def test_modes_survive_spawning_and_removing():
    mask = np.array([True, False, True, False])
    vehicles = herd()
    controller = sm.Controller(vehicles, two(sm.Where(lambda v: np.isin(v.id, [0, 2]))))
    controller.steer(0.1)
    assert sm.modes_of(controller).tolist() == np.where(mask, "b", "a").tolist()
    vehicles.remove([True, False, False, False])
    vehicles.spawn([[7.0, 7.0]])
    assert sm.modes_of(controller).tolist() == ["a", "b", "a", "a"]
    assert controller.steer(0.1)[:, 0].tolist() == [1, 2, 1, 1]


def test_modes_nest():
    """Inside a sum, under a Priority, and in each other; a sum sees one mode's force, weighted."""
    inner = sm.Modes({"x": push(10.0), "y": push(20.0)}, start="x", transitions=[("x", "y", sm.After(0.15))])
    outer = sm.Modes({"a": push(1.0), "b": inner}, start="a", transitions=[("a", "b", sm.After(0.1))])
    controller = sm.Controller(herd(1), sm.WeightedSum([outer, push(0.5)], weights=[2.0, 1.0]))
    said = [controller.steer(0.1)[0, 0] for _ in range(5)]
    np.testing.assert_allclose(said, [2.5, 20.5, 20.5, 40.5, 40.5])


def test_the_worlds_clock_goes_on_while_something_more_urgent_steers():
    busy = np.array([False])
    urgent = lambda vehicles: np.where(busy, 7.0, 0.0) * np.ones((len(vehicles), 1)) * [1.0, 0.0]  # noqa: E731
    controller = sm.Controller(herd(1), sm.Priority([urgent, two(sm.After(0.35))]))
    said = []
    for step in range(6):
        busy[0] = step in (1, 2, 3)
        said.append(controller.steer(0.1)[0, 0])
    assert said == [1, 7, 7, 7, 2, 2]


def test_a_world_with_modes_can_be_pickled_and_goes_on_the_same():
    wolves = sm.Vehicles([[5.0, 5.0]], [[1.0, 0.0]], max_speed=3, max_force=5)
    near = sm.Near(wolves, 4, leave=6)
    sheep = sm.Vehicles(np.random.default_rng(0).uniform(0, 12, (30, 2)), max_speed=2, max_force=5)
    world = sm.World(seed=4, dt=0.05, domain=sm.Torus([12, 12]), threads=1)
    world.add(sheep, name="sheep", steering=sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Evade(wolves)}, start="graze", cooldown=0.2,
        transitions=[("graze", "flee", near | sm.Chance(0.1)), ("flee", "graze", sm.After(1) & ~near)]))  # fmt: skip
    world.add(wolves, name="wolves", steering=sm.Pursue(sheep))
    world.run(seconds=3)
    twin = pickle.loads(pickle.dumps(world))
    for each in (world, twin):
        each.run(seconds=3)
    np.testing.assert_array_equal(world["sheep"].block, twin["sheep"].block)
    assert (sm.modes_of(world.populations["sheep"]) == sm.modes_of(twin.populations["sheep"])).all()
    assert set(sm.modes_of(world.populations["sheep"])) == {"graze", "flee"}


def crowd(threads):
    """Sheep after some steps, and which part of them flees."""
    rng = np.random.default_rng(0)
    wolves = sm.Vehicles(rng.uniform(0, 300, (40, 2)), max_speed=3, max_force=5)
    sheep = sm.Vehicles(rng.uniform(0, 300, (9000, 2)), max_speed=2, max_force=5)
    near = sm.Near(wolves, 10, leave=12)
    world = sm.World(seed=4, dt=0.05, domain=sm.Torus([300, 300]), threads=threads)
    population = world.add(sheep, name="sheep", steering=sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Flee(wolves)}, start="graze",
        transitions=[("graze", "flee", near | sm.Chance(0.1)), ("flee", "graze", ~near)]))  # fmt: skip
    world.add(wolves, name="wolves", steering=sm.Wander())
    world.run(steps=10)
    return sheep.block.copy(), (sm.modes_of(population) == "flee").mean()


def test_threads_change_nothing():
    (block, share), (again, _) = crowd(1), crowd(2)
    assert 0.05 < share < 0.5
    np.testing.assert_array_equal(block, again)


# ------------------------------------------------------------------------------------------------ from outside


def test_modes_can_be_set_from_outside():
    world = sm.World(dt=0.1)
    population = world.add(herd(), name="sheep", steering=two(sm.After(0.25)))
    world.run(steps=2)
    sm.set_modes(population, "b", rows=[1, 3])
    assert sm.modes_of(population).tolist() == ["a", "b", "a", "b"]
    world.step()
    assert world.memory("sheep", "Modes")["entered"].tolist() == pytest.approx([0, 0.2, 0, 0.2])
    sm.set_modes(population, "a")
    world.run(steps=2)
    assert sm.modes_of(population).tolist() == ["a"] * 4, "time in a mode that is set begins anew"
    with pytest.raises(ValueError, match="mode must be one of a, b, got 'c'"):
        sm.set_modes(population, "c")


def test_which_modes_is_meant():
    inner = sm.Modes({"x": push(1.0)}, start="x", transitions=[], name="inner")
    outer = sm.Modes({"a": inner}, start="a", transitions=[])
    world = sm.World()
    population = world.add(herd(1), steering=sm.Priority([outer]))
    assert sm.modes_of(population).tolist() == ["a"]
    assert sm.modes_of(population, "inner").tolist() == ["x"]
    assert sm.modes_of(population, inner).tolist() == ["x"]
    population.steering = sm.Priority([inner, sm.Modes({"b": push(1.0)}, start="b")])
    with pytest.raises(KeyError, match=r"there are 2 nodes in the steering tree \(there are: inner, Modes"):
        sm.modes_of(population)
    population.steering = sm.Seek([0, 0])
    with pytest.raises(KeyError, match="there is no Modes in the steering tree"):
        sm.modes_of(population)


def test_nonsense_is_refused():
    good = {"a": push(1.0), "b": push(2.0)}
    for error, message, wrong in (
        (ValueError, 'modes must be at least one, each with a name other than "" and "\\*", got \\[\\]', {"modes": {}}),
        (ValueError, r"other than .* got \['\*'\]", {"modes": {"*": push(1.0)}}),
        (TypeError, "modes must be a table of names and behaviors", {"modes": [push(1.0)]}),
        (TypeError, "steering must be a behavior or a function", {"modes": {"a": 3}}),
        (ValueError, r"start must name modes that there are \(a, b\), got 'c'", {"start": "c"}),
        (ValueError, "transitions must name modes that there are", {"transitions": [("a", "c", sm.After(1))]}),
        (ValueError, r"got '\*'", {"transitions": [("a", "*", sm.After(1))]}),
        (ValueError, "got 'c'", {"transitions": [(["a", "c"], "b", sm.After(1))]}),
        (TypeError, "transitions must be triples", {"transitions": [("a", "b")]}),
        (TypeError, "transitions must be a list of triples", {"transitions": 3}),
        (TypeError, "a condition must be one such as", {"transitions": [("a", "b", 3)]}),
        (ValueError, "cooldown must be >= 0 s and finite, got -1", {"cooldown": -1}),
        (TypeError, "cooldown must be a number", {"cooldown": "long"}),
        (ValueError, "cooldown must name modes", {"cooldown": {"c": 1}}),
        (TypeError, "on_enter must be a table of modes and functions", {"on_enter": {"a": 3}}),
        (ValueError, "on_enter must name modes", {"on_enter": {"c": print}}),
    ):
        arguments = {"modes": good, "start": "a", "transitions": []} | wrong
        with pytest.raises(error, match=message):
            sm.Modes(arguments.pop("modes"), **arguments)


def test_a_mode_may_turn_its_vehicles():
    """Each mode's angular acceleration reaches its own vehicles, directly and through a sum."""
    rng = np.random.default_rng(2)
    vehicles = sm.Vehicles(rng.normal(0, 9, (6, 2)), rng.normal(0, 1, (6, 2)), max_speed=5, max_force=9, dtype=float)
    face, look = sm.Face([30.0, 5.0]), sm.Face([-3.0, -50.0])
    even = sm.Where(lambda vehicles: vehicles.id % 2 == 0)
    modes = sm.Modes({"a": face, "b": look}, start="a", transitions=[("a", "b", even)])
    alone = {}
    for name, behavior in (("a", face), ("b", look)):
        controller = sm.Controller(vehicles, behavior)
        controller.steer(0.1)
        alone[name] = controller.turning.copy()
    expected = np.where(vehicles.id % 2 == 0, alone["b"], alone["a"])
    assert (alone["a"] != alone["b"]).sum() >= 4
    for tree, weight in ((modes, 1.0), (sm.WeightedSum([0.5 * modes, push(1.0)]), 0.5)):
        controller = sm.Controller(vehicles, tree)
        controller.steer(0.1)
        np.testing.assert_allclose(controller.turning, weight * expected, rtol=1e-12)


@pytest.mark.parametrize("resume", [True, False])
def test_after_a_pause_modes_go_on_or_begin_anew(resume):
    """Something more urgent steers for two steps. Whoever begins anew is asked about the transitions of the start."""
    busy = np.array([False])
    urgent = lambda vehicles: np.where(busy, 7.0, 0.0) * np.ones((len(vehicles), 1)) * [1.0, 0.0]  # noqa: E731
    entered = []
    modes = sm.Modes(
        {"a": push(1.0), "b": push(2.0)}, start="a", resume=resume,
        transitions=[("a", "b", sm.After(0.25))],
        on_enter={"a": lambda vehicles, rows: entered.append(rows.tolist())},
    )  # fmt: skip
    controller = sm.Controller(herd(1), sm.Priority([urgent, modes]))
    said = []
    for step in range(10):
        busy[0] = step in (4, 5)
        said.append(controller.steer(0.1)[0, 0])
    assert said == ([1, 1, 1, 2, 7, 7, 2, 2, 2, 2] if resume else [1, 1, 1, 2, 7, 7, 1, 1, 1, 2])
    assert len(entered) == (1 if resume else 2)


def test_modes_in_modes_may_begin_anew():
    inner = sm.Modes(
        {"x": push(10.0), "y": push(20.0)}, start="x", transitions=[("x", "y", sm.After(0.15))], resume=False
    )
    outer = sm.Modes(
        {"a": inner, "b": push(1.0)},
        start="a",
        transitions=[("a", "b", sm.After(0.35)), ("b", "a", sm.After(0.15))],
    )
    controller = sm.Controller(herd(1), outer)
    assert [controller.steer(0.1)[0, 0] for _ in range(10)] == [10, 10, 20, 20, 1, 1, 10, 10, 20, 20]
