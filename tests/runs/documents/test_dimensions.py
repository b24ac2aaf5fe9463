"""2D or 3D where the domain does not say so: a point that is not like the others is told, and nothing else."""

import copy

import pytest

import steersman as sm
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.dimensions import dimensions_of
from steersman.runs.documents.problems import ScenarioError

FLAT = {
    "obstacles": [{"name": "rocks", "center": [[20, 20], [60, 50]], "radius": [5, 8]}],
    "paths": [{"name": "track", "points": [[0, 0], [10, 2], [20, 5]]}],
    "populations": [
        {
            "name": "a",
            "spawn": {"shape": "points", "position": [[1, 2], [3, 4]]},
            "steering": {"behavior": "Seek", "target": [1, 2]},
        },
        {"name": "b", "n": 3, "spawn": {"shape": "disc", "center": [0, 0], "radius": 5}},
    ],
}


def place_of(document, *steps):
    for step in steps:
        document = document[step]
    return document


def test_the_document_is_right():
    assert set_stage(copy.deepcopy(FLAT)).world["a"].dimensions == 2


@pytest.mark.parametrize(
    ("steps", "value", "where"),
    [
        (("populations", 0, "spawn", "position"), [[1, 2, 3]], "populations[0].spawn.position: position"),
        (("populations", 0, "spawn", "position"), [[1, 2], [1, 2, 3]], "populations[0].spawn.position[1]: position"),
        (("populations", 1, "spawn", "center"), [1, 2, 3], "populations[1].spawn.center: center"),
        (("populations", 1, "spawn"), {"shape": "ball", "radius": 5}, "populations[1].spawn: the spawn shape"),
        (("populations", 0, "steering", "target"), [1, 2, 3], "populations[0].steering.target: target"),
        (("obstacles", 0, "center"), [[20, 20], [60, 50, 1]], "obstacles[0].center[1]: center"),
        (("paths", 0, "points"), [[0, 0, 1], [10, 2], [20, 5]], "paths[0].points[0]: points"),
    ],
)
def test_only_the_odd_point_is_wrong(steps, value, where):
    document = copy.deepcopy(FLAT)
    place_of(document, *steps[:-1])[steps[-1]] = value
    with pytest.raises(ScenarioError) as caught:
        set_stage(document)
    (problem,) = caught.value.problems
    assert str(problem).startswith(where)
    assert "2D" in str(problem)


def test_every_odd_point_of_a_list_is_told():
    document = copy.deepcopy(FLAT)
    document["paths"][0]["points"] = [[0, 0, 1], [10, 2], [20, 5, 0], [1, 1]]
    with pytest.raises(ScenarioError) as caught:
        set_stage(document)
    told = [(problem.place, problem.message.partition("got ")[2]) for problem in caught.value.problems]
    assert told == [("paths[0].points[0]", "[0, 0, 1]"), ("paths[0].points[2]", "[20, 5, 0]")]


def test_a_domain_decides_alone():
    with pytest.raises(ScenarioError) as caught:
        set_stage(copy.deepcopy(FLAT) | {"domain": {"kind": "box", "size": [9, 9, 9]}})
    assert len(caught.value.problems) > 3


def test_votes():
    ball = {"spawn": {"shape": "ball", "radius": 3}}
    assert dimensions_of({"populations": [ball]}) == 3
    assert dimensions_of({"populations": [{"spawn": {"shape": "box"}}]}) is None
    assert dimensions_of({"populations": [ball, {"spawn": {"shape": "ring", "radius": 3}}]}) == 3  # The first.
    hills = {"kind": "heightfield", "heights": [[0, 0], [0, 0]], "low": [0, 0], "high": [9, 9]}
    assert dimensions_of({"populations": [ball], "surfaces": [hills]}) == 3
    way = {"points": [[0, 0], [9, 0], [9, 9]]}
    assert dimensions_of({"populations": [ball], "paths": [way]}) == 3  # A map of the ground.
    assert dimensions_of({"populations": [], "paths": [way]}) == 2
    walls = {"kind": "walls", "points": [[[0, 0], [1, 1]], [[2, 2], [3, 3], [4, 4]]]}
    assert dimensions_of({"populations": [ball], "obstacles": [walls]}) == 2
    parts = {"behavior": "Priority", "parts": [{"behavior": "Seek", "target": [1, 2, 3]}]}
    assert dimensions_of({"populations": [{"n": 3, "steering": parts}]}) == 3
    broken = {"populations": [3, {"spawn": 7, "steering": "x"}], "obstacles": "rocks", "paths": [{"kind": 3}]}
    assert dimensions_of(broken) is None
    rocks = sm.Spheres([[1, 2], [3, 4]], 1).center
    assert dimensions_of({"populations": [], "obstacles": [{"center": rocks}]}) == 2
