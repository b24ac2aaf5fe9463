"""A key that nobody knows is refused in every table of a document, however deep it stands."""

import copy
import tomllib

import pytest
from runs.documents.test_every_behavior import SCENERY
from runs.documents.test_reading import GOOD

import steersman as sm
from steersman.core.parameters.parameters import describe
from steersman.core.world.writing import NoDocumentError
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.documents import to_document
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.reader import key_of
from steersman.runs.documents.schema import PopulationSettings, Settings

MODES = (
    SCENERY
    + """
[[populations]]
name = "ants"
n = 3
spawn = { shape = "disc", radius = 2 }
max_speed = 4
heading = { low = 0, high = 1 }
locomotion = { body = "PointMass", limits = [{ kind = "Drag", rate = 0.1 }] }
metrics = [{ metric = "distance_to", to = "dogs" }]
flows = [
    { kind = "Spawner", rate = 2, where = { shape = "disc", radius = 3 }, velocity = { kind = "random", speed = 1 } },
    { kind = "Spawner", rate = 2, where = { kind = "sphere", center = [1, 2], radius = 3 } },
    { kind = "Sink", older_than = 4 },
]

[populations.steering]
behavior = "Modes"
start = "calm"
modes.calm = { behavior = "Wander" }
modes.wild = { behavior = "Priority", parts = [{ behavior = "Seek", target = [1, 2] }, { behavior = "Wander", name = "w" }] }

[[populations.steering.transitions]]
from = "calm"
to = "wild"
when = { all = [
    { condition = "Near", target = "dogs", distance = 4 },
    { not = { condition = "After", seconds = 2 } },
    { any = [{ condition = "Chance", rate = 0.5 }, { condition = "After", seconds = 3 }], name = "soon" },
] }
"""
)


def tables(value, place=()):
    """Every table of a document, with the keys and indices that lead to it."""
    if isinstance(value, dict):
        yield place
        for key, inner in value.items():
            yield from tables(inner, (*place, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from tables(inner, (*place, index))


def inside(document, place):
    for step in place:
        document = document[step]
    return document


def kinds_of_tables(document):
    """One of each: tables with the same way to them, numbers aside, and the same keys."""
    found = {}
    for place in tables(document):
        table = inside(document, place)
        says = tuple((key, table[key]) for key in ("behavior", "kind", "condition", "body", "shape") if key in table)
        way = tuple(step for step in place if isinstance(step, str))
        found.setdefault((way, repr(says)), place)
    return found.values()


def what_is_said(document):
    """The errors that reading a document ends in."""
    try:
        set_stage(document)
    except ScenarioError as error:
        return str(error)
    return ""


DOCUMENTS = {"chase": tomllib.loads(GOOD), "modes": tomllib.loads(MODES)}


def test_the_documents_are_right_without_it():
    for document in DOCUMENTS.values():
        set_stage(copy.deepcopy(document))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_unknown_key_is_refused_in_every_table(name):
    accepted, places = [], list(tables(DOCUMENTS[name]))
    assert len(places) > 12
    for place in places:
        document = copy.deepcopy(DOCUMENTS[name])
        inside(document, place)["surprise"] = 1
        if "surprise" not in what_is_said(document):
            accepted.append(place)
    assert accepted == []


def test_in_every_table_of_the_built_in_documents_too():
    accepted = []
    for scenario in SCENARIOS.values():
        try:
            written = to_document(scenario.stage(n=2), left_out=[])
        except NoDocumentError:
            continue
        for place in kinds_of_tables(written):
            document = copy.deepcopy(written)
            inside(document, place)["surprise"] = 1
            if "surprise" not in what_is_said(document):
                accepted.append((scenario.name, place))
    assert accepted == []


@pytest.mark.parametrize(
    ("cls", "key"),
    [(cls, key_of(each)) for cls in (Settings, PopulationSettings) for each in describe(cls) if key_of(each)],
)
def test_an_object_of_a_foreign_class_is_refused_by_its_key(cls, key):
    """Objects that no file can hold are allowed where the class of a parameter takes them."""
    document = {
        "dimensions": 2,
        "populations": [{"name": "a", "position": [[0, 0]], "steering": {"behavior": "Wander"}}],
    }
    foreign = type("Foreign", (), {})()
    (document if cls is Settings else document["populations"][0])[key] = foreign
    with pytest.raises(ScenarioError) as caught:
        sm.from_document(document)
    words = [str(each) for each in caught.value.problems]
    place = key if cls is Settings else f"populations[0].{key}"
    assert any(each.lstrip().startswith(f"{place}: ") for each in words), "it is refused where it stands"
    assert "'Foreign'" not in "\n".join(words), "these are Python's words"
