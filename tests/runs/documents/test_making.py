"""Scenarios that are made in Python: treated like documents, except for what only Python can say."""

import tomllib

import numpy as np
import pytest
from runs.documents.rounds import read_again

import steersman as sm
from steersman.gallery import opening
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.opening import open_stage
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.documents import resolved
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.stage import Stage
from steersman.runs.metrics.metric import Metric

GOAL = np.array([30.0, 0.0])


def make(*, n: int = 12, seed: int = 0, push: float = 2.0) -> Stage:
    rng = np.random.default_rng(seed)
    world = sm.World(seed=seed, dt=0.02)
    ants = sm.Vehicles(rng.uniform(-5, 5, (n, 2)), max_speed=4, max_force=9)
    world.add(ants, name="ants", steering=lambda vehicles: np.full((len(vehicles), 2), push))
    stage = Stage(world, seconds=0.4, scenery={"rock": sm.Spheres([9, 9], 2)}, colors={"ants": "red"})
    stage.watch("ants", "mean_speed", "penetration")
    stage.watch("ants", "distance_to", to=GOAL, crowd=Metric("", "how many", lambda subject: len(subject.vehicles)))
    return stage


def check(stage: Stage) -> list[str]:
    speed = stage.meters["ants.mean_speed"].now
    return [] if speed > 0.5 else [f"they must move, but are at {speed:.1f} m/s"]


MADE = Scenario(make, check, name="made", shows="A push.", tags=("test",))


@pytest.fixture
def known(monkeypatch):
    monkeypatch.setattr(opening, "SCENARIOS", {"made": MADE})


def test_a_stage_has_what_it_was_given():
    stage = MADE.stage(n=5, seed=3)
    assert (stage.name, stage.steps, stage.check) == ("made", 20, check)
    assert [meter.label for meter in stage.meters.values()] == [
        "ants.mean_speed",
        "ants.penetration",
        "ants.distance_to",
        "ants.crowd",
    ]
    assert stage.obstacles == (sm.Spheres([9, 9], 2),)
    assert stage.meters["ants.crowd"].now == 5
    stage.world.run(steps=stage.steps)
    assert stage.problems() == []


@pytest.mark.parametrize("resumed", [False, True])
def test_a_stage_has_what_its_document_says(resumed):
    """A stage that goes on is not measured anew."""
    ants = {"name": "ants", "color": "red", "position": [[1, 1]], "metrics": ["mean_speed"]}
    document = tomllib.loads(
        "name = 'crowd'\ndescription = 'It stands.'\nseconds = 3\ndimensions = 2\npicture.trails = 2.5"
    )
    rocks = [{"name": "rock", "center": [[9, 9]], "radius": 2}]
    stage = set_stage(document | {"obstacles": rocks, "populations": [ants]}, resumed=resumed)
    assert (stage.name, stage.description, stage.seconds, stage.colors) == ("crowd", "It stands.", 3, {"ants": "red"})
    assert (stage.picture, stage.scenery) == (sm.Picture(trails=2.5), {"rock": sm.Spheres([9, 9], 2)})
    assert len(stage.meters["ants.mean_speed"].times) == (not resumed)


def test_it_is_called_for_by_a_document_and_gives_the_same_bits(known):
    first = MADE.stage(n=5, seed=3, dt=0.01, push=3.0)
    again = read_again(first)
    assert resolved(again) == resolved(first)
    for stage in (first, again):
        stage.world.run(steps=stage.steps)
    assert first.world.steps == 40
    assert np.array_equal(first.world["ants"].position, again.world["ants"].position)
    assert not np.array_equal(first.world["ants"].position, MADE.build(n=5, seed=4)["ants"].position)


def test_a_short_run_is_not_judged():
    assert MADE.stage(seconds=0.2).check is None
    assert MADE.stage(seconds=0.4).check is check


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("n = 0", "n", "n must be a whole number >= 1, got 0"),
        ("seed = -1", "seed", "seed must be a whole number >= 0, got -1"),
        ("dt = 0.0", "dt", "dt must be >= 1e-12 s and <= 1e+09 s, got 0.0"),
        ("sed = 3", "sed", "did you mean 'seed'"),
        ("params = 3", "params", "params must be a table, got 3"),
        ("params = { psh = 3 }", "params.psh", "did you mean 'push'? (parameters: "),
        ("params = { n = 3 }", "params.n", "there is no parameter 'n'"),
    ],
)
def test_what_is_wrong_with_a_call_is_said_with_its_line(known, line, place, message):
    lines = {("scenario",): 1, (place.split(".")[0],): 2}
    with pytest.raises(ScenarioError) as caught:
        open_stage(tomllib.loads(f'scenario = "made"\n{line}\n'), lines=lines, source="my.toml")
    (problem,) = caught.value.problems
    assert (problem.place, problem.line) == (place, 2)
    assert message in problem.message
    assert caught.value.source == "my.toml"


def test_an_unknown_scenario_is_named(known):
    with pytest.raises(ScenarioError, match="there is no scenario 'mad'; did you mean 'made'"):
        open_stage({"scenario": "mad"})


def test_name_and_meaning_come_from_the_file():
    plain = Scenario(make, check)
    assert plain.name.endswith("test_making")
    assert (
        plain.shows == "Scenarios that are made in Python: treated like documents, except for what only Python can say."
    )
    assert (plain.n, plain.own) == (12, ("push",))


@pytest.mark.parametrize(("n", "judged"), [(1, False), (2, True), (9, True), (10, False)])
def test_a_story_may_say_with_how_many_it_is_judged(n, judged):
    stage = Scenario(make, check, least=2, most=9).stage(n=n)
    assert len(stage.world["ants"]) == n
    assert (stage.check is check) == judged


def test_a_make_may_return_a_world_and_take_nothing():
    scenario = Scenario(lambda: sm.World(seed=4), name="bare")
    stage = scenario.stage(n=7, seed=3, seconds=2)
    assert (stage.world.seed, stage.seconds, stage.check, stage.problems()) == (4, 2, None, [])
    with pytest.raises(ScenarioError, match="make must return a Stage or a World, got 3"):
        Scenario(lambda: 3, name="odd").stage()


def test_a_make_that_reads_a_document_tells_its_problems_as_they_are():
    with pytest.raises(ScenarioError) as caught:
        Scenario(lambda: open_stage({"scenaro": "made", "sed": 3}), name="outer").stage()
    with pytest.raises(ScenarioError) as alone:
        open_stage({"scenaro": "made", "sed": 3})
    assert caught.value.problems == alone.value.problems
    assert len(caught.value.problems) > 1


def test_what_cannot_be_watched():
    stage = MADE.stage()
    with pytest.raises(ValueError, match="did you mean 'mean_speed'"):
        stage.watch("ants", "mean_sped")
    with pytest.raises(ValueError, match="needs a target `to`"):
        stage.watch("ants", "closest_to")
    with pytest.raises(ValueError, match=r"'ants.mean_speed' is measured already"):
        stage.watch("ants", "mean_speed")
    with pytest.raises(KeyError, match="no population is called 'bees'"):
        stage.watch("bees", "mean_speed")


def test_documents_in_python_may_hold_objects():
    hare = sm.Vehicles([50, 0])
    rocks = sm.Spheres([10, 10], 3)
    document = {
        "domain": sm.Torus([100, 100]),
        "populations": [
            {
                "name": "dogs",
                "n": 2,
                "spawn": {"shape": "box"},
                "locomotion": sm.PointMass(),
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        {"behavior": "AvoidObstacles", "obstacles": rocks},
                        sm.Flee([0, 0], panic_distance=3),
                        {"behavior": "Pursue", "quarry": hare},
                        lambda vehicles: np.zeros((len(vehicles), 2)),
                    ],
                },
            }
        ],
    }
    parts = set_stage(document).world.populations["dogs"].steering.parts()
    assert parts[:3] == (sm.AvoidObstacles(rocks), sm.Flee([0, 0], panic_distance=3), sm.Pursue(hare))


def test_objects_of_the_wrong_kind_are_refused_at_their_place():
    document = {
        "populations": [
            {
                "name": "dogs",
                "n": 2,
                "spawn": {"shape": "disc", "radius": 3},
                "steering": {"behavior": "AvoidObstacles", "obstacles": sm.Torus([3, 3])},
            }
        ]
    }
    with pytest.raises(ScenarioError, match=r"populations\[0\].steering.obstacles: obstacles must be"):
        set_stage(document)


def test_a_document_has_no_looks_of_labels_which_it_lacks():
    """Else it could not be read: it would speak of a place that has no name there."""
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]], max_speed=1), name="a", steering=sm.Seek([5, 5]))
    for looks, left in (({"lamp": "lamp", "ground": "night"}, {"ground": "night"}), ({"lamp": "lamp"}, None)):
        stage = sm.Stage(world, labels={"lamp": [5, 5]}, picture=sm.Picture(size=2, looks=looks))
        document = sm.to_document(stage)
        assert document["picture"].get("looks") == left
        assert set_stage(document).picture.looks == left
