"""Modes: who is in which mode, and when."""

import itertools

import numpy as np
import pytest
from core.action_selection.machines import flag, herd, push, two

import steersman as sm


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
        (TypeError, "must be a condition such as", {"transitions": [("a", "b", 3)]}),
        (ValueError, "cooldown must be >= 0 s and finite, got -1", {"cooldown": -1}),
        (TypeError, "cooldown must be a number", {"cooldown": "long"}),
        (ValueError, "cooldown must name modes", {"cooldown": {"c": 1}}),
        (TypeError, "on_enter must be a table of modes and functions", {"on_enter": {"a": 3}}),
        (ValueError, "on_enter must name modes", {"on_enter": {"c": print}}),
    ):
        arguments = {"modes": good, "start": "a", "transitions": []} | wrong
        with pytest.raises(error, match=message):
            sm.Modes(arguments.pop("modes"), **arguments)


def test_what_modes_are_made_of_is_copied():
    parts, pause, hooks = {"a": sm.Wander()}, {"a": 2.0}, {"a": print}
    changes = [("a", "a", sm.After(1))]
    modes = sm.Modes(parts, start="a", transitions=changes, cooldown=pause, on_enter=hooks)
    for each in (parts, pause, hooks, changes):
        each.clear()
    assert [len(each) for each in (modes.modes, modes.cooldown, modes.on_enter, modes.transitions)] == [1] * 4


def test_modes_are_read_of_a_population():
    world = sm.World()
    with pytest.raises(TypeError, match=r"^population must be a Population, .* got World"):
        sm.modes_of(world)
    with pytest.raises(TypeError, match=r"^population must be a Population, .* got World"):
        sm.set_modes(world, "a")


def test_a_number_of_a_mode_that_is_no_more_means_the_start():
    """As where a tree with other modes takes over the memory."""
    modes = sm.Modes({"first": sm.Wander(), "start": sm.Wander()}, start="start", transitions=[])
    world = sm.World()
    vehicles = sm.Vehicles(np.zeros((3, 2)))
    world.add(vehicles, steering=modes)
    mode = np.array(modes.init(vehicles)["mode"])
    mode[1] = 12345
    assert modes.names(mode).tolist() == ["start"] * 3
