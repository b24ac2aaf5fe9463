"""Steering trees in the panel: everything in them is told, and changed without losing memory."""

import json
import math
import tomllib

import numpy as np
import pytest

import steersman as sm
from steersman.core.parameters.expression import Names
from steersman.core.parameters.kinds import NUMBER, Description
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer import trees
from steersman.studio.viewer.conditions import names_in

ROCKS = sm.Spheres([[60, 60]], 8)


def population(steering=None):
    world = sm.World(seed=3)
    usual = sm.Priority([sm.AvoidObstacles(ROCKS), 1.5 * sm.Wander() + sm.Seek([50, 0])])
    return world, world.add(sm.Vehicles(np.eye(2), max_speed=3), name="a", steering=steering or usual)


def nodes(told):
    """All nodes by label."""
    found = {told["label"]: told}
    for child in (*told["children"], *told["conditions"]):
        found |= nodes(child)
    return found


def tree_of(a):
    return nodes(trees.message(a)["tree"])


def test_every_scenario_s_trees_are_told():
    for name, scenario in SCENARIOS.items():
        for each in scenario.stage().world.populations.values():
            told = json.loads(json.dumps(trees.message(each), allow_nan=False))
            assert each.tree is None or told["tree"]["label"], name


def test_what_is_told_of_a_parameter():
    _, a = population()
    found = tree_of(a)
    lookahead = next(each for each in found["AvoidObstacles"]["parameters"] if each["name"] == "lookahead")
    assert lookahead["unit"] == "s"
    assert lookahead["doc"]
    assert lookahead["low"] == 0
    assert lookahead["low"] < lookahead["value"] < lookahead["high"]
    assert found["Wander"]["weight"] == 1.5
    assert found["Priority"]["weight"] is None
    (target,) = [each for each in found["Seek"]["parameters"] if each["name"] == "target"]
    assert target["value"] == [50, 0]
    told = {each["name"] for node in found.values() for each in node["parameters"]}
    assert not told & {"name", "weights", "parts", "components"}


def test_a_point_of_a_small_world_is_told_exactly():
    _, a = population(sm.Seek([0.0012345678, 123456.789]))
    (target,) = [each for each in tree_of(a)["Seek"]["parameters"] if each["name"] == "target"]
    assert target["value"] == [0.0012345678, 123456.789]


def test_values_that_the_panel_only_shows_are_named():
    """Populations and arrays were named by their types: Vehicles, ndarray, tuple."""
    world = sm.World()
    mice, cats = (world.add(sm.Vehicles(np.zeros((3, 2))), name=name) for name in ("mice", "cats"))
    rocks = [sm.Spheres([[9, 9], [9, 0]], 1), sm.Boxes([[5.0, 5]], 1), sm.Spheres([[0, 9]], 1)]
    chase = sm.Pursue(mice.vehicles, which=[2, 0, 1])
    cats.steering = sm.Priority([sm.AvoidObstacles(rocks), chase, sm.Seek([[1, 2], [3, 4], [5, 6]])])
    (found,) = [each for each in trees.message(cats, names_in(world))["tree"]["children"] if each["class"] == "Pursue"]
    shown = {each["name"]: each["value"] for each in found["parameters"]}
    assert (shown["quarry"], shown["which"]) == ("mice", "3 numbers")
    first, _, last = trees.message(cats, names_in(world))["tree"]["children"]
    assert "Spheres, Boxes" in [each["value"] for each in first["parameters"]]
    assert "3 points" in [each["value"] for each in last["parameters"]]


@pytest.mark.parametrize(
    ("about", "value", "expected"),
    [
        ({"low": 0.0, "default": 2.0}, 2.0, (0, 6)),
        ({"low": 0.0, "high": 1.0, "default": 0.5}, 0.9, (0, 1)),
        ({"above": 0.0, "default": 1.0}, 50.0, (0, 150)),
        ({"low": 2.0, "default": 3.0}, 3.0, (2, 11)),
        ({"above": -4.0, "default": 3.0}, 3.0, (-4, 5)),
        ({"low": 0.0, "unit": "rad", "default": 1.0}, 1.0, (0, 2 * math.pi)),
        ({"default": -1.0}, 0.0, (-3, 0)),
        ({"default": 1.0}, -2.0, (-6, 0)),
        ({"low": 0.0, "infinite": True, "default": math.inf}, math.inf, (0, 10)),
    ],
)
def test_a_range_is_guessed_where_only_a_bound_is_known(about, value, expected):
    assert trees.range_of(Description("x", NUMBER, **about), value) == pytest.approx(expected)


def test_a_changed_parameter_keeps_the_memory():
    world, a = population()
    world.run(steps=5)
    before, key = a.memory("Wander"), tree_of(a)["Wander"]["key"]
    trees.set_parameter(a, key, "rate", 2.5)
    assert a.node("Wander").behavior.rate == 2.5
    assert all(np.array_equal(a.memory("Wander")[name], before[name]) for name in before)
    with pytest.raises(ValueError, match="rate must be"):
        trees.set_parameter(a, key, "rate", -1)
    with pytest.raises(KeyError, match="has no parameter 'rat'"):
        trees.set_parameter(a, key, "rat", 1)
    with pytest.raises(KeyError, match="not in the steering tree any more"):
        trees.set_parameter(a, 999, "rate", 1)
    assert a.node("Wander").behavior.rate == 2.5


def test_weights():
    _, a = population()
    found = tree_of(a)
    trees.set_weight(a, found["Wander"]["key"], 0.25)
    assert a.node("WeightedSum").behavior.weights == (0.25, 1.0)
    with pytest.raises(TypeError, match="weight"):
        trees.set_weight(a, found["Wander"]["key"], "much")
    with pytest.raises(KeyError, match="has no weight"):
        trees.set_weight(a, found["AvoidObstacles"]["key"], 2)


def test_a_node_that_is_off_steers_nobody_and_remembers():
    world, a = population()
    world.run(steps=3)
    before, key = a.memory("Wander"), tree_of(a)["Wander"]["key"]
    trees.switch(a, key, False)
    told = tree_of(a)["Wander"]
    assert (told["on"], told["weight"], told["key"]) == (False, 1.5, key)
    assert not world.explain("a")["Wander"].evaluated.any()
    world.run(steps=3)
    trees.set_weight(a, key, 0.5)
    trees.set_parameter(a, key, "rate", 1.25)
    assert not tree_of(a)["Wander"]["on"]
    trees.switch(a, key, True)
    told = tree_of(a)["Wander"]
    assert (told["on"], told["weight"]) == (True, 0.5)
    assert a.node("Wander").behavior.rate == 1.25
    assert all(np.array_equal(a.memory("Wander")[name], before[name]) for name in before)
    assert "Switch" not in repr(a.steering)


def test_conditions_and_modes_are_changed_in_their_place():
    modes = sm.Modes(
        {"go": sm.Seek([9, 9]), "rest": sm.Priority([sm.Wander()])},
        transitions=[("go", "rest", sm.After(3.0) & ~sm.Near([0, 0], 5.0)), ("rest", "go", sm.After(1.0))],
        start="go",
    )
    _, a = population(modes)
    near = tree_of(a)["Near"]
    trees.set_parameter(a, near["key"], "distance", 7.0)
    assert "7.0" in repr(a.steering)
    trees.set_parameter(a, tree_of(a)["Wander"]["key"], "rate", 2.0)
    assert a.node("Wander").behavior.rate == 2.0
    with pytest.raises(TypeError, match="only behaviors"):
        trees.switch(a, near["key"], False)


def test_a_tree_is_copied_as_python_and_as_toml():
    _, a = population()
    assert eval(trees.written(a, "python", {}), {"sm": sm}) == a.steering
    assert 'behavior = "Priority"' in trees.written(a, "toml", {"rocks": ROCKS})
    a.steering = lambda vehicles: np.zeros((2, 2))
    with pytest.raises(TypeError, match=r"^a Python function has no document, got lambda$"):
        trees.written(a, "toml", {})
    a.steering = None
    with pytest.raises(ValueError, match="nothing steers"):
        trees.written(a, "python", {})


def test_a_tree_with_a_long_column_is_copied_as_toml():
    """A recorded run has such columns in files of their own; what is copied has none."""
    world, points = sm.World(), np.arange(20_000.0).reshape(-1, 2)
    a = world.add(sm.Vehicles([[0.0, 0]]), name="a", steering=sm.FollowPath(sm.Path(points)))
    copied = tomllib.loads(trees.written(a, "toml", {}))
    assert copied["steering"]["path"]["points"] == points.tolist()


def test_a_population_has_its_name_in_a_copied_tree():
    """Unless Python allows no such name."""
    world = sm.World()
    wolves, two = sm.Vehicles([[9, 9]]), sm.Vehicles([[3, 3]])
    a = world.add(sm.Vehicles([[0.0, 0]]), name="sheep", steering=sm.Flee(wolves) + sm.Seek(two))
    names = {"wolves": wolves, "team 2": two}
    assert trees.written(a, "python", names) == "sm.Flee(wolves) + sm.Seek(vehicles)"


def test_a_function_without_a_name_is_called_lambda():
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0]]), name="a", steering=sm.Seek([1.0, 1]) + (lambda vehicles: np.zeros((1, 2))))
    told = trees.message(world.populations["a"])
    assert [each["label"] for each in told["tree"]["children"]] == ["Seek", "lambda"]


def test_no_two_parts_have_one_title():
    """Modes have their names, conditions are plain words, and sums name their parts."""
    wolves, sheep = sm.Vehicles([[9, 9]]), sm.Vehicles([[0, 0], [1, 1]], max_speed=2)
    world = sm.World()
    world.add(wolves, name="wolves")
    modes = sm.Modes(
        {"graze": sm.Wander() + sm.Cohesion(radius=5), "run": sm.Wander() + sm.Cohesion(radius=5)},
        start="graze",
        transitions=[("graze", "run", sm.Near(wolves, 30)), ("run", "graze", ~sm.Near(wolves, 40))],
    )
    tree = sm.Priority([modes + sm.Separation(), sm.Flee([0, 0]) + sm.Separation(), sm.Flee([0, 0]), sm.Flee([5, 5])])
    world.add(sheep, name="sheep", steering=tree)
    names = Names()
    names.known.update({"wolves": wolves, "sheep": sheep})
    root = trees.message(world.populations["sheep"], names)["tree"]
    assert [each["title"] for each in root["children"]] == [
        "WeightedSum of Modes, Separation", "WeightedSum of Flee, Separation", "Flee 1", "Flee 2",
    ]  # fmt: skip
    found = root["children"][0]["children"][0]
    assert found["title"] == "Modes"
    assert [each["title"] for each in found["children"]] == ["graze: WeightedSum", "run: WeightedSum"]
    assert "wolves within 30 m" in [each["title"] for each in found["conditions"]]
    assert len({each["title"] for each in found["conditions"]}) == len(found["conditions"])


def test_in_no_scenario_have_two_parts_one_title():
    """The conditions of a node may be the same: those that two transitions have."""

    def walk(node):
        titles = [each["title"] for each in node["children"]]
        assert len(titles) == len(set(titles)), titles
        assert "<lambda>" not in str([node["title"], *(each["title"] for each in node["conditions"])])
        for each in [*node["children"], *node["conditions"]]:
            walk(each)

    for name in ("capture_the_flag", "caribou_and_wolves", "cowboys", "patrol", "soccer", "rts_orders"):
        for population in SCENARIOS[name].stage().world.populations.values():
            if (tree := trees.message(population)["tree"]) is not None:
                walk(tree)


def test_a_function_without_a_name_is_called_one():
    """Also as a condition and as the value of a parameter; the words of Python for it are none."""
    modes = sm.Modes(
        {"go": sm.Seek(lambda: [1.0, 2.0]), "rest": lambda vehicles: np.zeros((2, 2))},
        transitions=[("go", "rest", lambda vehicles: np.zeros(2, bool))],
        start="go",
    )
    _, a = population(modes)
    told = json.dumps(trees.message(a))
    assert "a function" in told
    assert "<lambda>" not in told


def test_columns_of_orders_are_told_by_their_names():
    """And not as a dict."""
    _, a = population(sm.Orders(sm.Arrive("column:goal"), columns={"goal": [1.0, 2.0], "haste": 1.0}))
    assert '"value": "goal, haste"' in json.dumps(trees.message(a))
