"""Modes and conditions in documents."""

import tomllib

import pytest
from runs.documents.rounds import read_again

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.toml_lines import lines_of

GOOD = """
seed = 3
domain = { kind = "torus", size = [60, 60] }

[[populations]]
name = "caribou"
n = 30
spawn = { shape = "box" }
max_speed = 6

[populations.steering]
behavior = "Priority"

[[populations.steering.parts]]
behavior = "Modes"
name = "mood"
start = "graze"
cooldown = { flee = 0.5 }
modes.graze = { behavior = "Wander" }
modes.rest = { behavior = "Arrive", target = [30, 30] }

[populations.steering.parts.modes.flee]
behavior = "WeightedSum"
parts = [{ behavior = "Evade", pursuer = "wolves" }, { behavior = "Separation", weight = 0.5 }]

[[populations.steering.parts.transitions]]
from = "*"
to = "flee"
when = { condition = "Near", target = "wolves", distance = 9, leave = 12 }

[[populations.steering.parts.transitions]]
from = ["graze", "flee"]
to = "rest"
when = { any = [
    { all = [
        { condition = "After", seconds = 1 },
        { not = { condition = "Sees", target = "wolves", range = 15 } },
    ], name = "calm" },
    { condition = "Chance", rate = 0.1 },
] }

[[populations]]
name = "wolves"
n = 3
spawn = { shape = "box" }
max_speed = 7
steering = { behavior = "Pursue", quarry = "caribou" }
"""


def test_modes_are_read():
    stage = set_stage(tomllib.loads(GOOD))
    wolves = stage.world["wolves"]
    modes = stage.world.populations["caribou"].node("mood").behavior
    near, calm = sm.Near(wolves, 9.0, leave=12.0), sm.AllOf([sm.After(1.0), ~sm.Sees(wolves, range=15.0)], name="calm")
    assert modes == sm.Modes(
        {
            "graze": sm.Wander(),
            "rest": sm.Arrive([30, 30]),
            "flee": sm.WeightedSum([sm.Evade(wolves), sm.Separation()], weights=(1, 0.5)),
        },
        start="graze",
        transitions=[("*", "flee", near), (["graze", "flee"], "rest", sm.AnyOf([calm, sm.Chance(0.1)]))],
        cooldown={"flee": 0.5},
        name="mood",
    )
    stage.world.run(seconds=3)
    assert len(set(sm.modes_of(stage.world.populations["caribou"]))) == 3


def test_the_resolved_document_gives_the_same_bits():
    first = set_stage(tomllib.loads(GOOD))
    again = read_again(first)
    hashes = []
    for stage in (first, again):
        stage.world.run(steps=60)
        hashes.append(state_hash(stage.world))
    assert hashes[0] == hashes[1]


def wrong(*changes):
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(ScenarioError) as caught:
        set_stage(tomllib.loads(text), lines=lines_of(text))
    return str(caught.value)


PART = "populations[0].steering.parts[0]"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([('"Near"', '"Close"')], f"{PART}.transitions[0].when.condition: there is no condition 'Close'"),
        ([("distance = 9", "distance = -9")], f"{PART}.transitions[0].when.distance: distance must be > 0 m, got -9"),
        ([('"wolves", distance', '"wolfs", distance')], f"{PART}.transitions[0].when.target: target must be the name of"),
        ([('to = "flee"', 'to = "fly"')], f"{PART}.transitions: transitions must name modes that there are"),
        ([('to = "flee"', 'into = "flee"')], f"{PART}.transitions[0].into: there is no key 'into' here"),
        ([('to = "flee"', 'into = "flee"')], f"{PART}.transitions[0]: to must be given"),
        ([('start = "graze"', 'start = "sleep"')], f"{PART}.start: start must name modes that there are"),
        ([("flee = 0.5", "flee = -1")], f"{PART}.cooldown: cooldown must be >= 0 s and finite, got -1"),
        ([('"Evade"', '"Evad"')], f"{PART}.modes.flee.parts[0].behavior: there is no behavior 'Evad'; did you mean 'Evade'?"),
        ([("{ behavior = \"Wander\" }", "3")], f"{PART}.modes.graze: a mode must be a table, got 3"),
        ([("\"Wander\" }", "\"Wander\", weight = 2 }")], f"{PART}.modes.graze.weight: there is no key 'weight' here"),
        ([("seconds = 1 ", "second = 1 ")], f"{PART}.transitions[1].when.any[0].all[0]: seconds must be given"),
        ([("range = 15 ", "range = 0 ")], f"{PART}.transitions[1].when.any[0].all[1].not.range: range must be > 0 m"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(changes, message):
    assert message in wrong(*changes)


def test_a_composition_needs_a_list():
    text = (
        GOOD[: GOOD.index("when = { any = [")]
        + "when = { any = [] }\n"
        + GOOD[GOOD.index('[[populations]]\nname = "wolves') :]
    )
    with pytest.raises(ScenarioError, match="any must be a list of at least one condition, got"):
        set_stage(tomllib.loads(text))


def test_documents_in_python_may_hold_functions():
    document = tomllib.loads(GOOD)
    called = []
    modes = document["populations"][0]["steering"]["parts"][0]
    modes["transitions"].append({"from": "rest", "to": "graze", "when": lambda vehicles: vehicles.id % 2 == 0})
    modes["on_enter"] = {"rest": lambda vehicles, who: called.append(int(who.sum()))}
    modes["modes"]["graze"] = sm.Wander("turn")
    stage = set_stage(document)
    stage.world.run(seconds=4)
    assert called
