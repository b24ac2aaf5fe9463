"""Documents: what they may hold, and what is said about what they may not."""

import copy
import tomllib

import numpy as np
import pytest
from runs.documents.rounds import read_again

import steersman as sm
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.documents import resolved
from steersman.runs.documents.files import read_file
from steersman.runs.documents.problems import ScenarioError, message_of

GOOD = """
name = "chase"
seed = 5
dt = 0.02
seconds = 1

[domain]
kind = "torus"
size = [100, 80]

[[obstacles]]
name = "rocks"
center = [[20, 20], [60, 50]]
radius = [5, 8]

[[obstacles]]
name = "trees"
center = [[80, 20]]

[[populations]]
name = "hares"
n = 20
spawn = { shape = "box" }
velocity = { kind = "random", speed = { low = 1, high = 2 } }
max_speed = 8
max_force = { low = 10, high = 20 }
metrics = ["mean_speed", { metric = "distance_to", to = "dogs" }, { metric = "distance_to", to = [1, 2] }]

[populations.steering]
behavior = "Priority"
parts = [
    { behavior = "AvoidObstacles", obstacles = ["rocks", "trees"], lookahead = 1.5 },
    { behavior = "Evade", pursuer = "dogs", panic_distance = 30, prediction = { kind = "Capped", limit = 1.5 } },
    { behavior = "WeightedSum", each = "normalize", parts = [
        { behavior = "Wander", law = "turn" },
        { behavior = "Arrive", target = [50, 40], ramp = [0.0, 0.8, 1.0], weight = 2.5 },
    ] },
]

[[populations]]
name = "dogs"
spawn = { shape = "points", position = [[1, 2], [3, 4]] }
response_time = "step"
steering = { behavior = "Pursue", quarry = "hares", which = 3, prediction = "Intercept" }
"""


def good():
    return tomllib.loads(GOOD)


def test_everything_arrives_where_it_belongs():
    stage = set_stage(good())
    world = stage.world
    assert (world.seed, world.dt, stage.steps, stage.name) == (5, 0.02, 50, "chase")
    assert world.domain == sm.Torus([100, 80])
    hares, dogs = world["hares"], world["dogs"]
    assert (len(hares), len(dogs)) == (20, 2)
    assert hares.max_speed.tolist() == [8.0] * 20
    assert 10 <= hares.max_force.min() < hares.max_force.max() <= 20
    assert dogs.response_time.tolist() == [0, 0]
    rocks, trees = sm.Spheres([[20, 20], [60, 50]], [5, 8]), sm.Spheres([[80, 20]])
    expected = sm.Priority(
        [
            sm.AvoidObstacles([rocks, trees], lookahead=1.5),
            sm.Evade(dogs, panic_distance=30, prediction=sm.Capped(1.5)),
            sm.WeightedSum(
                [sm.Wander("turn"), sm.Arrive([50, 40], ramp=[0.0, 0.8, 1.0])], weights=(1.0, 2.5), each="normalize"
            ),
        ]
    )
    assert world.populations["hares"].steering == expected
    assert world.populations["dogs"].steering == sm.Pursue(hares, which=3, prediction=sm.Intercept())


def test_meters_measure_what_was_asked_for():
    stage = set_stage(good())
    labels = [meter.label for meter in stage.meters.values()]
    assert labels == ["hares.mean_speed", "hares.distance_to dogs", "hares.distance_to [1, 2]"]
    assert 1 <= stage.meters["hares.mean_speed"].start <= 2


def test_the_resolved_document_is_complete_and_resolves_to_itself():
    stage = set_stage(good())
    document, _ = resolved(stage)
    evade = document["populations"][0]["steering"]["parts"][1]
    assert "unpredictability" not in evade
    assert evade["prediction"] == {"kind": "Capped", "limit": 1.5}
    weights = [part.get("weight") for part in document["populations"][0]["steering"]["parts"][2]["parts"]]
    assert weights == [None, 2.5]
    assert len(document["populations"][1]["position"]) == 2
    assert resolved(read_again(stage))[0] == document


def test_reading_leaves_the_document_as_it_is():
    document = good()
    set_stage(document)
    assert document == good()


def test_other_populations_do_not_change_a_population():
    document = good()
    del document["populations"][0]["metrics"]
    document["populations"].append({"name": "cats", "n": 3, "spawn": {"shape": "box"}})
    before, after = set_stage(good()).world["hares"], set_stage(document).world["hares"]
    assert np.array_equal(before.block, after.block)


def test_populations_alike_are_drawn_apart():
    document = good()
    document["populations"].append({**document["populations"][0], "name": "rabbits"})
    world = set_stage(document).world
    assert not np.array_equal(world["hares"].position, world["rabbits"].position)


def test_another_seed_gives_another_start():
    document = {**good(), "seed": 6}
    assert not np.array_equal(set_stage(good()).world["hares"].block, set_stage(document).world["hares"].block)


def test_three_dimensions_and_no_domain():
    document = {"populations": [{"name": "a", "n": 4, "spawn": {"shape": "ball", "radius": 3}}], "dtype": "float64"}
    stage = set_stage(document)
    assert stage.world["a"].dimensions == 3
    assert stage.world["a"].dtype == np.float64
    assert stage.world.domain == sm.Open()


def problems_of(document):
    with pytest.raises(ScenarioError) as caught:
        set_stage(document)
    return {problem.place: problem.message for problem in caught.value.problems}


def changed(path, value):
    """The good document with one value changed, or taken away if the value is Ellipsis."""
    document = copy.deepcopy(good())
    here = document
    for step in path[:-1]:
        here = here[step]
    if value is ...:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return document


HARES, PARTS = ("populations", 0), ("populations", 0, "steering", "parts")


@pytest.mark.parametrize(
    ("path", "value", "place", "message"),
    [
        (("sed",), 3, "sed", "did you mean 'seed'? (keys: "),
        (("seed",), 1.5, "seed", "whole number"),
        (("seed",), True, "seed", "whole number"),
        (("dt",), 0.0, "dt", "must be >= 1e-12 s"),
        (("dt",), float("nan"), "dt", "got nan"),
        (("seconds",), float("inf"), "seconds", "<= 1e+12 s"),
        (("dtype",), "float16", "dtype", '"float32" or "float64"'),
        ((*PARTS, 0, "obstacles"), [], "populations[0].steering.parts[0].obstacles", "name of a set of obstacles, or"),
        ((*PARTS, 2, "parts", 1, "target"), 3.0, "populations[0].steering.parts[2].parts[1].target", "list of points, got 3"),
        ((*PARTS, 2, "parts", 1, "target"), True, "populations[0].steering.parts[2].parts[1].target", "or the name of a pop"),
        ((*HARES, "steering"), {"behavior": "FollowLeader", "leader": 3}, "populations[0].steering.leader", "name of a pop"),
        ((*HARES, "steering"), {"behavior": "ContextMap", "interest": 3}, "populations[0].steering.interest", "list of beha"),
        ((*HARES, "locomotion"), {"body": "PointMass", "limits": 3}, "populations[0].locomotion.limits", "be a list, got 3"),
        (("populations", 1, "next_id"), 1, "populations[1].next_id", "next_id must be above all ids, at least 2, got 1"),
        (
            (*HARES, "spawn"), {"shape": "points", "position": {"file": 3, "array": "x"}}, "populations[0].spawn.position",
            "file must be a text, got 3",
        ),
        ((*HARES, "spawn"), {"shape": "grid", "spacing": 0.5, "center": [20, 20]}, "populations[0].spawn", "room beside"),
        (("domain", "kind"), "tours", "domain.kind", "did you mean 'torus'"),
        (("domain", "size"), [100, -80], "domain.size", "must be > 0 m"),
        (("domain", "size"), ..., "domain", "size must be given"),
        (("domain",), 3, "domain", "must be a table"),
        (("obstacles", 0, "radius"), [1, 2, 3], "obstacles[0].radius", "shape"),
        (("obstacles", 0, "center"), [[1, 2, 3]], "obstacles[0].center", "world is 2D"),
        (("obstacles", 0, "center"), "here", "obstacles[0].center", "numbers"),
        (("populations",), [], "populations", "at least one"),
        (("populations",), 5, "populations", "list of tables"),
        ((*HARES, "n"), -1, "populations[0].n", ">= 0, got -1"),
        ((*HARES, "n"), ..., "populations[0]", "n must be given"),
        ((*HARES, "color"), "pink", "populations[0].color", '"blue"'),
        ((*HARES, "spawn"), {"shape": "disk"}, "populations[0].spawn.shape", "did you mean 'disc'"),
        ((*HARES, "spawn"), {"shape": "ball", "radius": 3}, "populations[0].spawn", "2D like the world, got 3D"),
        ((*HARES, "spawn"), {"shape": "ring"}, "populations[0].spawn", "radius must be given"),
        ((*HARES, "max_speed"), -1, "populations[0].max_speed", ">= 0 m/s, got -1"),
        ((*HARES, "max_speed"), [1, -2], "populations[0].max_speed", ">= 0 m/s, got -2"),
        ((*HARES, "max_speed"), [True, 2], "populations[0].max_speed", "got True"),
        ((*HARES, "mass"), 0, "populations[0].mass", "> 0 kg"),
        ((*HARES, "velocity"), {"kind": "along", "speed": 1, "direction": [0, 0]}, "populations[0].velocity.direction", "0"),
        ((*HARES, "metrics"), ["polarisation"], "populations[0].metrics[0]", "did you mean 'polarization'"),
        ((*HARES, "metrics"), ["distance_to"], "populations[0].metrics[0]", "needs a target"),
        ((*HARES, "metrics"), [{"metric": "mean_speed", "to": "dogs"}], "populations[0].metrics[0]", "has no target"),
        (("populations", 1, "n"), 3, "populations[1].n", "number of points"),
        (("populations", 1, "steering", "quarry"), "hare", "populations[1].steering.quarry", "'hares'? (populations: "),
        (("populations", 1, "steering", "which"), -1, "populations[1].steering.which", ">= 0"),
        (("populations", 1, "steering", "prediction"), "Aproach", "populations[1].steering.prediction.kind", "'Approach'"),
        ((*PARTS, 0, "lookahed"), 1, "populations[0].steering.parts[0].lookahed", "did you mean 'lookahead'"),
        ((*PARTS, 0, "lookahead"), -1, "populations[0].steering.parts[0].lookahead", ">= 0 s"),
        ((*PARTS, 0, "obstacles"), ["rocks", "tree"], "populations[0].steering.parts[0].obstacles[1]", "? (obstacles: "),
        ((*PARTS, 0, "behavior"), "AvoidObstacle", "populations[0].steering.parts[0].behavior", "'AvoidObstacles'"),
        ((*PARTS, 0, "weight"), 2, "populations[0].steering.parts[0].weight", "does not weigh"),
        ((*PARTS, 2, "parts", 1, "weight"), "2", "populations[0].steering.parts[2].parts[1].weight", "number"),
        ((*PARTS, 2, "parts", 1, "target"), [1, 2, 3], "populations[0].steering.parts[2].parts[1].target", "world is 2D"),
        ((*PARTS, 2, "parts", 1, "ramp"), "liner", "populations[0].steering.parts[2].parts[1].ramp", '"linear"'),
        ((*PARTS, 2, "parts"), [], "populations[0].steering.parts[2].parts", "at least one"),
        ((*PARTS, 2, "parts", 0), "Wander", "populations[0].steering.parts[2].parts[0]", "must be a table"),
        (("populations", 0, "steering"), {"behavior": "Seek"}, "populations[0].steering", "target must be given"),
        (("populations", 0, "steering"), {"behavior": "Wander", "weight": 2}, "populations[0].steering.weight", "no key"),
        (("populations", 0, "steering"), {"behavior": "FollowLeader", "leader": "x"}, "populations[0].steering.leader",
         "there is no 'x' (populations: hares"),
        (("picture",), {"trails": -1}, "picture.trails", ">= 0 s"),
    ],
)  # fmt: skip
def test_one_mistake_is_reported_once_at_its_place(path, value, place, message):
    problems = problems_of(changed(path, value))
    assert list(problems) == [place]
    assert message in problems[place]


def test_parts_of_an_unknown_behavior_are_read_too():
    steering = {"behavior": "Priorities", "parts": [{"behavior": "Wander"}, {"behavior": "Sek"}]}
    problems = problems_of(changed((*HARES, "steering"), steering))
    assert list(problems) == ["populations[0].steering.behavior", "populations[0].steering.parts[1].behavior"]


def test_names_are_given_once():
    document = good()
    document["populations"].append(document["populations"][0])
    document["obstacles"].append(document["obstacles"][1])
    problems = problems_of(document)
    assert list(problems) == ["populations[2].name", "obstacles[2].name"]
    assert all("must be different" in message for message in problems.values())


def test_all_mistakes_are_reported_at_once():
    document = good()
    document["dt"] = -1
    document["domain"]["siz"] = 1
    document["populations"][0]["spawn"]["shape"] = "bax"
    document["populations"][0]["steering"]["parts"][0]["lookahead"] = -1
    document["populations"][1]["steering"]["quarry"] = "cats"
    assert list(problems_of(document)) == [
        "dt",
        "domain.siz",
        "populations[0].spawn.shape",
        "populations[0].steering.parts[0].lookahead",
        "populations[1].steering.quarry",
    ]


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ('rokcs = "trees"', "there is no 'rokcs'; did you mean 'rocks'? (names: rocks, trees, ground)"),
        (
            'rocks = "tree"',
            "of asphalt, earth, floor, forest, grass, ice, night, paving, sand, snow, steppe, water, trees",
        ),
    ],
)
def test_a_look_that_is_wrong_is_told_with_its_line_and_with_what_is_allowed(tmp_path, look, words):
    path = tmp_path / "my.toml"
    path.write_text(f"{GOOD}\n[picture.looks]\n{look}\n")
    document, lines = read_file(path)
    with pytest.raises(ScenarioError) as caught:
        set_stage(document, lines=lines, source="my.toml")
    (problem,) = caught.value.problems
    assert words in problem.message
    number = path.read_text().split("\n").index(look) + 1
    assert problem.line == number


def test_problems_have_the_lines_of_the_file(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text(GOOD.replace("lookahead = 1.5", "lookahead = -1.5").replace("seed", "sed"))
    document, lines = read_file(path)
    with pytest.raises(ScenarioError) as caught:
        set_stage(document, lines=lines, source="my.toml")
    at = [number for number, line in enumerate(path.read_text().split("\n"), 1) if "sed" in line or "-1.5" in line]
    assert [problem.line for problem in caught.value.problems] == at
    assert str(caught.value).startswith("my.toml: 2 problems\n  line 3: sed: there is no key")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "there is not enough memory for it"),
        (MemoryError("9 GiB"), "there is not enough memory for it: 9 GiB"),
        (RecursionError("maximum depth"), "things must be nested less deep"),
        (ValueError("must be > 0"), "must be > 0"),
        (OSError("must be a file"), "must be a file"),
        (ValueError(), "cannot be read: ValueError"),
        (KeyError("there is no such name"), "there is no such name"),
        (KeyError("name"), "cannot be read: KeyError: 'name'"),
        (ZeroDivisionError("by zero"), "cannot be read: ZeroDivisionError: by zero"),
    ],
)
def test_errors_are_told_in_words(error, message):
    assert message_of(error) == message


def test_files_that_are_no_toml(tmp_path):
    path = tmp_path / "my.toml"
    with pytest.raises(ScenarioError, match="No such file"):
        read_file(path)
    path.write_text('a = 1\nb = "x\n')
    with pytest.raises(ScenarioError, match="line 2: is not valid TOML"):
        read_file(path)
    path.write_bytes(b"a = '\xff'")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        read_file(path)
