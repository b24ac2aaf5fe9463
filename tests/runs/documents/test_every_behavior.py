"""Every registered behavior, condition and body can be written in a document."""

import re
import tomllib

import numpy as np
import pytest
from contract.families import with_own
from runs.documents.rounds import read_again

from steersman.core.action_selection.kind import CONDITION
from steersman.core.action_selection.kind import CONDITIONS as PARTS_OF_CONDITIONS
from steersman.core.action_selection.modes import COOLDOWN, HOOKS
from steersman.core.action_selection.registry import CONDITIONS
from steersman.core.locomotion.registry import LOCOMOTIONS
from steersman.core.parameters.kinds import FUNCTION
from steersman.core.parameters.parameters import describe
from steersman.core.steering.combining.orders import OWN_COLUMNS
from steersman.core.steering.combining.switch import SWITCH
from steersman.core.steering.combining.weighted_sum import WEIGHTS
from steersman.core.steering.goals.arrive import RAMP
from steersman.core.steering.group.formation import SLOTS
from steersman.core.steering.registry import BEHAVIORS
from steersman.runs.documents import builder  # noqa: F401  teaches the reader all kinds
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.documents import resolved
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.reader import KINDS

SCENERY = """
[[obstacles]]
name = "rocks"
center = [[30, 30], [60, 10]]
radius = 3

[[obstacles]]
name = "walls"
kind = "walls"
points = [[0, 40], [80, 40]]

[[paths]]
name = "road"
points = [[0, 0], [80, 0]]

[[fields]]
name = "wind"
kind = "grid"
vectors = [[[1, 0], [2, 0]], [[3, 0], [4, 1]]]
spacing = 40

[[regions]]
name = "yard"
kind = "box"
size = [80, 80]

[[resources]]
name = "grass"
position = [[9, 9], [5, 5]]

[[populations]]
name = "dogs"
n = 2
spawn = { shape = "points", position = [[3, 4], [9, 20]] }
max_speed = 3
velocity = { kind = "random", speed = 2 }
"""

ANTS = """
[[populations]]
name = "ants"
n = 3
spawn = { shape = "points", position = [[20, 4], [9, 35], [50, 15]] }
max_speed = 4
max_force = 9
"""

LEAVES = {
    "Alignment": "radius = 9",
    "Arrive": "target = [1, 2]",
    "AvoidNeighbors": "",
    "AvoidObstacles": 'obstacles = ["rocks", "walls"]',
    "AvoidWalls": 'walls = "walls"',
    "Cohesion": 'of = "dogs", radius = 30',
    "ConstantBearing": 'target = "dogs"',
    "Contain": 'region = "yard"',
    "Dock": "target = [1, 2]",
    "Evade": 'pursuer = "dogs"',
    "Explore": 'region = "yard", reach = 5',
    "Face": 'target = "dogs"',
    "Flee": "target = [1, 2]",
    "Flocking": "",
    "FollowFlow": 'field = "wind"',
    "FollowLeader": 'leader = "dogs"',
    "FollowPath": 'path = "road"',
    "FollowWall": 'walls = "walls"',
    "Forage": 'resources = "grass"',
    "Formation": 'around = "dogs", slots = "circle"',
    "Hide": 'pursuer = "dogs", obstacles = "rocks"',
    "Interpose": 'a = "dogs", b = [1, 2]',
    "LookWhereYouGo": "",
    "MatchVelocity": 'of = "dogs"',
    "ORCA": 'toward = {behavior = "Arrive", target = [9, 9]}, obstacles = "rocks"',
    "OffsetPursuit": 'quarry = "dogs", radius = 3',
    "Patrol": "checkpoints = [[1, 2], [3, 4]]",
    "Pursue": 'quarry = "dogs", prediction = {kind = "Capped", limit = 1.0}',
    "Queue": "doorway = [40, 40]",
    "ReachOrientation": 'orientation = "dogs"',
    "Seek": 'target = "dogs", which = [0, 1, 1]',
    "Separation": 'of = "rocks", radius = 9',
    "Shadow": 'quarry = "dogs"',
    "StayOnPath": 'path = "road"',
    "TargetSpeed": "speed = 2.0",
    "Wander": 'law = "turn"',
    "Whiskers": 'obstacles = "rocks"',
}  # fmt: skip

TWO = '{behavior = "Seek", target = [1, 2]}, {behavior = "Wander"}'
WEIGHTED = '{weight = 2.0, behavior = "Seek", target = [1, 2]}, {behavior = "Wander"}'

COMBINED = {
    "ContextMap": f'interest = [{WEIGHTED}], neighbors = true, of = "dogs"',
    "Dithered": f"parts = [{TWO}], probabilities = [0.5, 1.0]",
    "Modes": 'start = "a", modes = {a = {behavior = "Wander"}, b = {behavior = "Seek", target = [1, 2]}}, '
    'transitions = [{from = "a", to = "b", when = {condition = "Near", target = "dogs", distance = 5}}]',
    "Orders": 'columns = {goal = "none", boldness = 0.5}, parts = [{behavior = "Wander", strength = "boldness"}]',
    "Pipeline": 'targeters = [{kind = "Toward", target = [1, 2]}]',
    "Priority": f"parts = [{TWO}]",
    "RoundRobin": f"parts = [{TWO}]",
    "Switch": 'on = true, parts = [{behavior = "Wander"}]',
    "TruncatedSum": f"parts = [{WEIGHTED}]",
    "WeightedSum": f'each = "normalize", parts = [{WEIGHTED}]',
}

WRITTEN = with_own("DOCUMENTS", LEAVES | COMBINED)

GIVEN = {HOOKS, SWITCH, SLOTS, WEIGHTS, PARTS_OF_CONDITIONS, CONDITION, COOLDOWN, FUNCTION, RAMP, OWN_COLUMNS}
"""Kinds that the class judges itself, that only Python can say, or that are read elsewhere."""


def test_no_behavior_is_forgotten():
    assert set(WRITTEN) == set(BEHAVIORS), "give new behaviors an entry of DOCUMENTS in their test file"


@pytest.mark.filterwarnings("ignore:.* of 'ants' does nothing")
@pytest.mark.parametrize("name", WRITTEN)
def test_a_behavior_is_written_and_steers(name):
    more = f", {WRITTEN[name]}" if WRITTEN[name] else ""
    text = f'{SCENERY}{ANTS}steering = {{behavior = "{name}"{more}}}'
    stage = set_stage(tomllib.loads(text))
    assert type(stage.world.populations["ants"].steering) is BEHAVIORS[name]
    again = read_again(stage)
    assert resolved(again) == resolved(stage)
    for each in (stage, again):
        each.world.run(steps=2)
    assert np.array_equal(stage.world["ants"].block, again.world["ants"].block)


NAMES = re.findall(r'^name = "(.*)"$', SCENERY, re.MULTILINE)
NAMING = [(name, known) for name, text in WRITTEN.items() for known in NAMES if f'"{known}"' in text]


@pytest.mark.parametrize(("name", "known"), NAMING)
def test_a_name_that_stands_for_nothing_is_told(name, known):
    more = WRITTEN[name].replace(f'"{known}"', '"nowhere"')
    with pytest.raises(ScenarioError, match=r"there (is|are) no .*'nowhere'"):
        set_stage(tomllib.loads(f'{SCENERY}{ANTS}steering = {{behavior = "{name}", {more}}}'))


@pytest.mark.parametrize(
    "cls", [*BEHAVIORS.values(), *CONDITIONS.values(), *LOCOMOTIONS.values()], ids=lambda c: c.__name__
)
def test_every_kind_of_parameter_is_known(cls):
    for each in describe(cls):
        known = each.kind.is_like(*KINDS, *GIVEN)
        assert known, f"teach runs/documents/kinds.py to read {each.name} ({each.kind.name})"


LOCOMOTION_KEY = {
    "MotionClips": 'clips = [{name = "walk", speed = 2}, {name = "stop", speed = 0}]',
    "SurfaceBound": 'surface = {kind = "plane", point = [0, 0, 1], normal = [0, 0, 1]}',
}


@pytest.mark.parametrize("name", LOCOMOTIONS)
def test_a_body_is_written_and_moves(name):
    place = "position = [[20, 4, 1], [9, 35, 1]]"
    more = f", {LOCOMOTION_KEY[name]}" if name in LOCOMOTION_KEY else ""
    ants = ANTS.replace("n = 3\n", "").replace("position = [[20, 4], [9, 35], [50, 15]]", place)
    text = ants + f'locomotion = {{body = "{name}"{more}}}\nsteering = {{behavior = "Wander"}}'
    stage = set_stage(tomllib.loads(text))
    assert type(stage.world.populations["ants"].locomotion) is LOCOMOTIONS[name]
    assert resolved(read_again(stage)) == resolved(stage)
    stage.world.run(steps=2)
