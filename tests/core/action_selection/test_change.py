"""Changes of mode: which transition took a vehicle into its mode, told and remembered."""

import pickle

import numpy as np
import pytest
from core.action_selection.machines import herd, push

import steersman as sm
from steersman.core.world.state_hash import state_hash


def told(explanation):
    """What is told of each vehicle: the mode that it is in, the one that it left, and the condition."""
    change = explanation.change
    return list(zip(change.mode.tolist(), change.left.tolist(), change.because.tolist(), strict=True))


def three(*transitions, **options):
    return sm.Modes({"a": push(1.0), "b": push(2.0), "c": push(3.0)}, start="a", transitions=transitions, **options)


def switch(mask, name):
    """A condition that can be changed from outside, with a name by which it is told."""
    return sm.Where(lambda vehicles: mask[vehicles.id], name=name)


class Switches:
    """Conditions by name, each with a mask that can be changed from outside; all are off at the start."""

    def __init__(self, *names, n=4):
        self.masks = {name: np.zeros(n, bool) for name in names}

    def __getitem__(self, name):
        return switch(self.masks[name], name)

    def set(self, **which):
        for name, mask in self.masks.items():
            mask[:] = False
            mask[which.get(name, [])] = True


def test_everybody_is_told_the_transition_that_he_took():
    """Not the one that others took, nor the last that is listed, nor one that would lead to the same mode."""
    on = Switches("first", "second", "third", "never")
    modes = three(("a", "b", on["first"]), (["a", "b"], "c", on["second"]), ("*", "c", on["third"]),
                  ("*", "b", on["never"]))  # fmt: skip
    controller = sm.Controller(herd(), modes)
    on.set(first=[0], second=[1], third=[2])
    controller.steer(0.1)
    on.set()
    assert told(controller.explain()) == [("b", "a", "first"), ("c", "a", "second"), ("c", "a", "third"), ("a", "", "")]


def test_of_two_that_hold_at_once_the_first_is_told():
    always = [sm.After(0, name=name) for name in ("one", "two", "three")]
    modes = three(("b", "c", always[0]), ("a", "b", always[1]), ("a", "c", always[2]))
    controller = sm.Controller(herd(1), modes)
    controller.steer(0.1)
    controller.steering = three(("b", "c", sm.After(9, name="one")), ("a", "b", always[1]), ("a", "c", always[2]))
    assert told(controller.explain()) == [("b", "a", "two")]


def test_of_a_chain_the_last_is_told_with_the_time_since():
    modes = three(("a", "b", sm.After(0.2, name="one")), ("b", "c", sm.After(0.3, name="two")))
    controller = sm.Controller(herd(1), modes)
    seen = []
    for _ in range(9):
        change = controller.explain().change
        seen.append((*told(controller.explain())[0], round(float(change.seconds[0]), 6)))
        controller.steer(0.1)
    assert seen[:4] == [("a", "", "", 0), ("a", "", "", 0.1), ("b", "a", "one", 0), ("b", "a", "one", 0.1)]
    assert seen[5:7] == [("c", "b", "two", 0), ("c", "b", "two", 0.1)]


def test_the_mode_that_was_left_is_told_where_a_transition_leaves_several():
    """From "a" and from "b" by the same transition; an entry anew is one, too."""
    on = Switches("up", "on", "again")
    modes = three(("a", "b", on["up"]), ("*", "c", on["on"]), ("a", "a", on["again"]))
    controller = sm.Controller(herd(), modes)
    on.set(up=[0])
    controller.steer(0.1)
    on.set(on=[0, 1], again=[2])
    controller.steer(0.1)
    on.set()
    assert told(controller.explain()) == [("c", "b", "on"), ("c", "a", "on"), ("a", "a", "again"), ("a", "", "")]


def test_it_tells_of_the_step_that_comes_next_and_nothing_advances():
    """As all of an explanation: a transition that is about to be taken is told, and who asks changes nothing."""
    on = Switches("go")
    controller = sm.Controller(herd(), three(("a", "b", on["go"])))
    controller.steer(0.1)
    on.set(go=[3])
    before = controller.memory("Modes")
    assert told(controller.explain())[3] == ("b", "a", "go")
    assert "b from now on, from a because go" in str(controller.explain(3))
    assert all((controller.memory("Modes")[name] == column).all() for name, column in before.items())


def test_a_mode_that_was_set_by_hand_has_no_transition():
    on = Switches("go", "back")
    world = sm.World(dt=0.1)
    herding = world.add(herd(), name="sheep", steering=three(("a", "b", on["go"]), ("b", "a", on["back"])))
    on.set(go=[0, 1, 2])
    world.step()
    on.set()
    sm.set_modes(herding, "c", [1])
    sm.set_modes(herding, "b", [2])
    assert (world.memory("sheep", "Modes")["fired"] == -1).tolist() == [False, True, True, True]
    assert told(world.explain("sheep")) == [("b", "a", "go"), ("c", "", ""), ("b", "", ""), ("a", "", "")]
    world.step()
    assert told(world.explain("sheep")) == [("b", "a", "go"), ("c", "", ""), ("b", "", ""), ("a", "", "")]
    herding.remember("Modes", [0], mode=world.memory("sheep", "Modes")["mode"][1])
    assert told(world.explain("sheep"))[0] == ("c", "", ""), (
        "who writes the memory himself: a transition to another mode"
    )
    herding.remember("Modes", [0], mode=world.memory("sheep", "Modes")["mode"][2], entered=-1.0)
    assert told(world.explain("sheep"))[0] == ("b", "", ""), "it enters the mode anew, and no transition does that"


def test_modes_in_modes_tell_each_their_own():
    on = Switches("in", "on")
    inner = sm.Modes({"x": push(1.0), "y": push(2.0)}, start="x", transitions=[("x", "y", on["on"])], name="inner")
    outer = sm.Modes({"b": inner, "a": push(3.0)}, start="a", transitions=[("a", "b", on["in"])], name="outer")
    controller = sm.Controller(herd(), outer)
    on.set(**{"in": [0, 1]})
    controller.steer(0.1)
    on.set(on=[1])
    controller.steer(0.1)
    on.set()
    both = controller.explain()
    assert told(both["outer"]) == [("b", "a", "in"), ("b", "a", "in"), ("a", "", ""), ("a", "", "")]
    assert told(both["inner"]) == [("x", "", ""), ("y", "x", "on"), ("", "", ""), ("", "", "")]
    assert both["b"].change.mode.tolist() == both["inner"].change.mode.tolist()
    assert controller.explain(1)["inner"].change.because.tolist() == ["on"]
    assert all((node.change is None) == (node.label not in ("outer", "inner")) for node in both.walk())


@pytest.mark.parametrize("resume", [True, False])
def test_who_is_steered_by_something_more_urgent_is_told_where_it_will_go_on(resume):
    """Or nothing, if it will begin anew; and when it has, nothing of what was before."""
    busy, on = np.zeros(4, bool), Switches("go")
    urgent = lambda vehicles: busy[:, None] * np.array([9.0, 0.0])  # noqa: E731
    controller = sm.Controller(herd(), sm.Priority([urgent, three(("a", "b", on["go"]), resume=resume)]))
    on.set(go=[0, 1])
    controller.steer(0.1)
    on.set()
    busy[0] = True
    controller.steer(0.1)
    assert told(controller.explain()["Modes"])[:2] == [("b", "a", "go") if resume else ("", "", ""), ("b", "a", "go")]
    said = str(controller.explain(0))
    assert ("not asked; b for 0.2 s, from a because go" in said) == resume
    busy[0] = False
    controller.steer(0.1)
    assert told(controller.explain()["Modes"])[:2] == [("b", "a", "go") if resume else ("a", "", ""), ("b", "a", "go")]


def test_the_transition_is_kept_in_another_tree_and_forgotten_with_it():
    """Another order, other numbers, more transitions: the same one is told; one that is gone is not."""
    near, calm = sm.After(0.05), sm.After(99)
    world = sm.World(dt=0.1)
    sheep = world.add(herd(1), name="sheep", steering=three(("a", "b", near), ("b", "c", calm)))
    world.run(steps=2)
    assert told(world.explain()) == [("b", "a", "After(0.05)")]
    more = [("a", "c", sm.Chance(0.1)), ("b", "c", calm), ("c", "b", sm.Near([0.0, 0.0], 1.0)), ("a", "b", near)]
    sheep.steering = sm.Modes({"c": push(1.0), "b": push(2.0), "a": push(1.0)}, start="c", transitions=more)
    assert told(world.explain()) == [("b", "a", "After(0.05)")]
    sheep.steering = three(("c", "b", near), ("b", "c", calm))
    assert told(world.explain()) == [("b", "", "")], "the same condition, but it leads from elsewhere"
    sheep.steering = three(("b", "c", calm))
    assert told(world.explain()) == [("b", "", "")]


def test_newcomers_have_none_and_the_others_keep_theirs():
    on = Switches("go", n=9)
    vehicles = herd()
    controller = sm.Controller(vehicles, three(("a", "b", on["go"])))
    on.set(go=[1, 3])
    controller.steer(0.1)
    on.set()
    vehicles.remove([0, 1])
    vehicles.spawn([[7.0, 7.0]] * 3)
    assert told(controller.explain()) == [("a", "", ""), ("b", "a", "go"), *[("a", "", "")] * 3]


def flight(seed=4):
    """Sheep that flee from wolves and calm down."""
    wolves = sm.Vehicles([[5.0, 5.0]], [[1.0, 0.0]], max_speed=3, max_force=5)
    near = sm.Near(wolves, 4, leave=6)
    sheep = sm.Vehicles(np.random.default_rng(0).uniform(0, 12, (30, 2)), max_speed=2, max_force=5)
    world = sm.World(seed=seed, dt=0.05, domain=sm.Torus([12, 12]), threads=1)
    world.add(sheep, name="sheep", steering=sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Evade(wolves)}, start="graze", cooldown=0.2,
        transitions=[("graze", "flee", near), ("graze", "flee", sm.Chance(0.1)),
                     ("flee", "graze", sm.After(1) & ~near)]))  # fmt: skip
    world.add(wolves, name="wolves", steering=sm.Pursue(sheep))
    return world


ALL_WAYS = {
    ("graze", "", ""), ("graze", "flee", "After(1) & ~Near(wolves, 4, leave=6)"),
    ("flee", "graze", "Near(wolves, 4, leave=6)"), ("flee", "graze", "Chance(0.1)"),
}  # fmt: skip


@pytest.mark.parametrize("way", ["pickle", "snapshot", "snapshot put into a world like it", "document"])
def test_a_world_that_goes_on_elsewhere_remembers_it(way, tmp_path):
    world = flight()
    world.run(seconds=3)
    before = told(world.explain("sheep"))
    assert set(before) == ALL_WAYS
    if way == "pickle":
        twin = pickle.loads(pickle.dumps(world))
    elif way == "document":
        twin = sm.from_document(sm.to_document(world))
    else:
        world.save(tmp_path / "it.snapshot")
        twin = flight() if "like" in way else sm.World.load(tmp_path / "it.snapshot")
        if "like" in way:
            twin.restore(tmp_path / "it.snapshot")
    assert told(twin.explain("sheep")) == before
    if way != "document":
        assert state_hash(twin) == state_hash(world)
    for each in (world, twin):
        each.run(seconds=1)
    assert told(twin.explain("sheep")) == told(world.explain("sheep")) != before


def test_a_step_that_is_refused_takes_no_transition():
    on = Switches("go")

    def broken(vehicles):
        if on.masks["go"].any():
            raise ValueError("no")
        return np.zeros((len(vehicles), 2))

    world = sm.World(dt=0.1)
    modes = sm.Modes({"a": push(1.0), "b": push(2.0)}, start="a", transitions=[("a", "b", on["go"])])
    world.add(herd(), name="sheep", steering=modes + broken)
    world.step()
    on.set(go=[2])
    with pytest.raises(ValueError, match="no"):
        world.step()
    on.set()
    assert told(world.explain()["Modes"]) == [("a", "", "")] * 4


def test_it_is_written_in_words():
    wolves = sm.Vehicles([[99.0, 0.0]], max_speed=1, max_force=1, dtype=float)
    modes = three(("a", "b", sm.Near(wolves, 200) & ~sm.Chance(0)), ("b", "c", sm.After(9, name="it is late")))
    world = sm.World(dt=0.25)
    world.add(herd(2), name="sheep", steering=modes)
    world.add(wolves, name="wolves")
    world.run(steps=6)
    lines = str(world.explain("sheep", 1)).splitlines()
    assert lines[1].endswith("N; b for 1.5 s, from a because Near(wolves, 200) & ~Chance(0)")
    assert "because" not in str(world.explain("sheep")), "several vehicles have several"
    assert str(world.explain("sheep").change) == "2 vehicles"
    assert repr(world.explain("sheep", 0).change) == "b for 1.5 s, from a because Near(wolves, 200) & ~Chance(0)"
    sm.set_modes(world.populations["sheep"], "c")
    world.run(steps=2)
    assert "c for 0.5 s" in str(world.explain("sheep", 0))
    assert "because" not in str(world.explain("sheep", 0))


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (sm.After(1) & sm.Chance(2), "sm.After(1) & sm.Chance(2)"),
        (sm.After(1) | sm.Chance(2) | sm.After(3), "sm.After(1) | sm.Chance(2) | sm.After(3)"),
        ((sm.After(1) | sm.Chance(2)) & sm.After(3), "(sm.After(1) | sm.Chance(2)) & sm.After(3)"),
        (~(sm.After(1) & sm.Chance(2)), "~(sm.After(1) & sm.Chance(2))"),
        (~~sm.After(1), "~~sm.After(1)"),
        (sm.AllOf([sm.After(1)]), "sm.AllOf([sm.After(1)])"),
        (sm.AnyOf([sm.After(1), sm.Chance(2)], name="x"), "sm.AnyOf([sm.After(1), sm.Chance(2)], name='x')"),
        (sm.Not(sm.After(1), name="y") & sm.After(3), "sm.Not(sm.After(1), name='y') & sm.After(3)"),
    ],
)
def test_conditions_print_as_one_writes_them(condition, text):
    assert repr(condition) == text
    assert eval(text, {"sm": sm}) == condition


def test_from_any_mode_is_from_all_but_the_one_that_is_entered():
    """Its condition holds all the time: the mode is entered once, and the time since then grows."""
    controller = sm.Controller(herd(1), three(("*", "c", sm.After(0, name="always"))))
    seconds = []
    for _ in range(4):
        controller.steer(0.1)
        change = controller.explain().change
        seconds.append(round(float(change.seconds[0]), 6))
    assert told(controller.explain()) == [("c", "a", "always")]
    assert seconds == [0.1, 0.2, 0.3, 0.4]
    assert sorted(change.transitions.values()) == [("a", "c", "always"), ("b", "c", "always")]


def test_any_mode_beside_the_one_that_is_entered_enters_it_anew():
    """As listed by its name, it begins again at every step."""
    controller = sm.Controller(herd(1), three((["*", "c"], "c", sm.After(0, name="always"))))
    for _ in range(3):
        controller.steer(0.1)
    change = controller.explain().change
    assert float(change.seconds[0]) <= 0.1 + 1e-9
    assert told(controller.explain()) == [("c", "c", "always")]
