"""Scenery in documents: things with a name, and behaviors that refer to them."""

import json
import tomllib

import numpy as np
import pytest
from contract.obstacles import KINDS
from runs.documents.rounds import read_again

import steersman as sm
from steersman.core.parameters.parameters import same_value
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.documents import resolved
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.scenery import SECTIONS

HEAD = """
[[populations]]
name = "ants"
n = 3
spawn = { shape = "box", size = [4, 4] }
"""

TRACK = """
[[paths]]
name = "track"
points = [[0, 0], [10, 0], [10, 10]]
radius = [2, 3, 2]
closed = true
"""


def staged(text):
    """The stage of a document, which its resolved form gives again."""
    stage = set_stage(tomllib.loads(text))
    again = read_again(stage)
    assert same_value(resolved(again)[0], resolved(stage)[0])
    assert {name: again.scenery[name] for name in stage.scenery} == dict(stage.scenery)
    return stage


def problem_of(text):
    with pytest.raises(ScenarioError) as caught:
        set_stage(tomllib.loads(text))
    (problem,) = caught.value.problems
    return problem.place, problem.message


def test_a_path_has_a_name_and_is_followed():
    stage = staged(TRACK + HEAD + 'steering = { behavior = "FollowPath", path = "track" }')
    track = sm.Path([[0, 0], [10, 0], [10, 10]], radius=[2, 3, 2], closed=True)
    assert stage.scenery == {"track": track}
    assert stage.world.populations["ants"].steering == sm.FollowPath(track)


def test_a_path_without_a_name():
    stage = staged(HEAD + 'steering = { behavior = "StayOnPath", path = { points = [[0, 0], [9, 0]], radius = 2 } }')
    assert stage.world.populations["ants"].steering == sm.StayOnPath(sm.Path([[0, 0], [9, 0]], radius=2))
    stage = staged(HEAD + 'steering = { behavior = "StayOnPath", path = [[0, 0], [9, 0]] }')
    assert stage.world.populations["ants"].steering == sm.StayOnPath(sm.Path([[0, 0], [9, 0]]))


def test_regions():
    stage = staged('[[regions]]\nname = "yard"\nkind = "box"\nsize = [10, 20]\n' + HEAD)
    assert stage.scenery == {"yard": sm.Box([10, 20])}


def test_a_body():
    for text in ('"PointMass"', '{ body = "PointMass" }'):
        stage = staged(HEAD + f"locomotion = {text}")
        assert isinstance(stage.world.populations["ants"].locomotion, sm.PointMass)


def test_things_in_the_scenery_have_different_names():
    stage = TRACK + '[[obstacles]]\nname = "track"\ncenter = [[1, 2]]\n' + HEAD
    assert problem_of(stage) == ("paths[0].name", "name must be different for all things, got 'track' twice")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('steering = { behavior = "FollowPath", path = "trak" }', "populations[0].steering.path", "'track'? (paths: "),
        ('steering = { behavior = "FollowPath", path = 3 }', "populations[0].steering.path", "path must be a Path"),
        ('locomotion = "Pointmass"', "populations[0].locomotion.body", "did you mean 'PointMass'"),
        ('locomotion = { body = "PointMass", wings = 2 }', "populations[0].locomotion.wings", "there is no key 'wings'"),
        ("locomotion = 3", "populations[0].locomotion", "locomotion must be a table, got 3"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_place(text, place, message):
    found = problem_of(TRACK + HEAD + text)
    assert found[0] == place
    assert message in found[1]


@pytest.mark.parametrize(
    ("section", "place", "message"),
    [
        ('[[paths]]\nname = "a"\npoints = [[1, 2, 3]]', "paths[0].points", "world is 2D"),
        ('[[paths]]\nname = "a"\npoints = [[1, 2]]\nradius = 0', "paths[0].radius", "> 0 m"),
        ("[[paths]]\npoints = [[1, 2]]", "paths[0]", "name must be given"),
        ('[[paths]]\nname = "a"', "paths[0]", "points must be given"),
        ('[[obstacles]]\nname = "a"\nkind = "sphere"', "obstacles[0].kind", "did you mean 'spheres'"),
        ('[[obstacles]]\nname = "a"\ncenter = [[1, 2]]\nseze = 3', "obstacles[0].seze", "there is no key 'seze'"),
        ('[[regions]]\nname = "a"', "regions[0]", "kind must be given"),
        ("paths = 3", "paths", "paths must be a list of tables, got 3"),
    ],
)
def test_what_is_wrong_with_a_thing_is_said_once(section, place, message):
    found = problem_of(f"{section}\n{HEAD}")
    assert found[0] == place
    assert message in found[1]


THINGS = {
    "spheres": ('[[obstacles]]\nname = "x"\ncenter = [[9, 9]]\nradius = 2', lambda: sm.Spheres([[9, 9]], 2)),
    "boxes": (
        '[[obstacles]]\nname = "x"\nkind = "boxes"\ncenter = [[9, 9]]\nsize = [[2, 3]]\norientation = 0.5',
        lambda: sm.Boxes([[9, 9]], [[2, 3]], 0.5),
    ),
    "capsules": (
        '[[obstacles]]\nname = "x"\nkind = "capsules"\na = [[9, 9]]\nb = [[12, 9]]\nradius = 2',
        lambda: sm.Capsules([[9, 9]], [[12, 9]], 2),
    ),
    "walls": (
        '[[obstacles]]\nname = "x"\nkind = "walls"\npoints = [[9, 9], [12, 9], [12, 20]]\nclosed = true',
        lambda: sm.Walls([[9, 9], [12, 9], [12, 20]], closed=True),
    ),
    "mesh": (
        '[[obstacles]]\nname = "x"\nkind = "mesh"\nvertices = [[9, 9, 9], [12, 9, 9], [9, 12, 9]]\nfaces = [[0, 1, 2]]',
        lambda: sm.TriangleMesh([[9, 9, 9], [12, 9, 9], [9, 12, 9]], [[0, 1, 2]]),
    ),
    "path": ('[[paths]]\nname = "x"\npoints = [[0, 0], [9, 9]]\nradius = 2', lambda: sm.Path([[0, 0], [9, 9]], radius=2)),
    "spline": (
        '[[paths]]\nname = "x"\nkind = "spline"\npoints = [[0, 0], [9, 9], [9, 20]]\nradius = 2\n'
        'closed = true\ntolerance = 0.1',
        lambda: sm.Path.spline([[0, 0], [9, 9], [9, 20]], tolerance=0.1, radius=2, closed=True),
    ),
    "grid": (
        '[[fields]]\nname = "x"\nkind = "grid"\nvectors = [[[1, 0], [2, 0]], [[3, 0], [4, 1]]]\nspacing = 5',
        lambda: sm.FlowField.grid([[[1, 0], [2, 0]], [[3, 0], [4, 1]]], spacing=5),
    ),
    "toward": (
        '[[fields]]\nname = "x"\nkind = "toward"\ngoals = [[9, 9], [12, 20]]\nregion = { kind = "box", size = [30, 20] }',
        lambda: sm.FlowField.toward([[9, 9], [12, 20]], region=sm.Box([30, 20])),
    ),
    "box": ('[[regions]]\nname = "x"\nkind = "box"\nsize = [9, 8]\norigin = [1, 2]', lambda: sm.Box([9, 8], [1, 2])),
    "sphere": ('[[regions]]\nname = "x"\nkind = "sphere"\ncenter = [9, 8]\nradius = 3', lambda: sm.Sphere([9, 8], 3)),
    "polygon": (
        '[[regions]]\nname = "x"\nkind = "polygon"\npoints = [[0, 0], [9, 0], [4, 5]]',
        lambda: sm.Polygon([[0, 0], [9, 0], [4, 5]]),
    ),
    "plane": (
        '[[surfaces]]\nname = "x"\nkind = "plane"\npoint = [0, 0, 1]\nnormal = [0, 0, 2]',
        lambda: sm.Plane([0, 0, 1], [0, 0, 2]),
    ),
    "heightfield": (
        '[[surfaces]]\nname = "x"\nkind = "heightfield"\nheights = [[0, 1], [2, 3]]\nlow = [0, 0]\nhigh = [9, 9]',
        lambda: sm.Heightfield([[0, 1], [2, 3]], [0, 0], [9, 9]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", THINGS)
def test_every_kind_of_thing_can_be_written(name):
    text, made = THINGS[name]
    head = HEAD.replace("[4, 4]", "[4, 4, 4]") if name in ("mesh", "plane", "heightfield") else HEAD
    assert staged(f"{text}\n{head}").scenery == {"x": made()}


@pytest.mark.parametrize("kind", KINDS)
def test_obstacles_are_written_and_read(kind):
    world = sm.World()
    world.add(sm.Vehicles(np.zeros((1, KINDS[kind].dimensions))), steering=sm.AvoidObstacles(KINDS[kind]))
    stage = sm.Stage(world, scenery={"rocks": KINDS[kind]})
    assert read_again(stage).scenery == stage.scenery


def test_no_kind_is_forgotten():
    kinds = {kind for section in SECTIONS.values() for kind in section.kinds}
    added = {name for name, cls in SECTIONS["obstacles"].kinds.items() if cls in map(type, KINDS.values())}
    assert kinds == {
        *(*THINGS, *added, "skin", "interior", "function", "image", "mesh_file", "geojson", "places", "walk_mesh")
    }


def test_files_lie_beside_the_document(tmp_path):
    (tmp_path / "town.geojson").write_text('{"type": "LineString", "coordinates": [[9, 9], [12, 9]]}')
    text = '[[obstacles]]\nname = "town"\nkind = "geojson"\nfile = "town.geojson"\n' + HEAD
    stage = set_stage(tomllib.loads(text), folder=tmp_path)
    assert stage.scenery == {"town": sm.Walls([[9, 9], [12, 9]])}
    assert read_again(stage).scenery == stage.scenery
    place, message = problem_of(text)
    assert place == "obstacles[0]"
    assert "town.geojson" in message


@pytest.mark.parametrize("side", ["outside", "inside", "both"])
def test_obstacles_of_files_are_seen_from_the_side_that_is_said(side, tmp_path):
    low, high = (500, 900) if side == "outside" else (-100, 300)  # Vehicles have room on that side.
    corners = [(low, low, low), (high, low, low), (low, high, low), (low, low, high)]
    lines = [*("v {} {} {}".format(*corner) for corner in corners), "f 1 3 2", "f 1 2 4", "f 2 3 4", "f 3 1 4"]
    (tmp_path / "a.obj").write_text("\n".join(lines))
    ring = [[low, low], [high, low], [low, high], [low, low]]
    (tmp_path / "a.geojson").write_text(json.dumps({"type": "GeometryCollection", "geometries": [
        {"type": "Polygon", "coordinates": [ring]}, {"type": "LineString", "coordinates": [[910, 0], [950, 7]]},
    ]}))  # fmt: skip
    for file, kind, made, options in (
        ("a.obj", "mesh_file", sm.TriangleMesh.load, {"seen_from": side}),
        ("a.geojson", "geojson", sm.Walls.from_geojson, {"seen_from": side, "front": "right"}),
    ):
        text = f'[[obstacles]]\nname = "x"\nkind = "{kind}"\nfile = "{file}"\n'
        text += "".join(f'{key} = "{value}"\n' for key, value in options.items())
        head = HEAD.replace("[4, 4]", "[4, 4, 4]") if kind == "mesh_file" else HEAD
        stage = set_stage(tomllib.loads(text + head), folder=tmp_path)
        assert stage.scenery["x"].seen_from == side
        assert stage.scenery == {"x": made(tmp_path / file, **options)}


def test_resources_are_shared_by_those_who_know_their_name():
    steering = 'steering = { behavior = "Forage", resources = "grass" }'
    text = '[[resources]]\nname = "grass"\nposition = [[9, 9], [5, 5]]\namount = [3, 4]\n' + HEAD + steering
    stage = set_stage(tomllib.loads(text + HEAD.replace("ants", "bees") + steering))
    grass = stage.scenery["grass"]
    assert grass.amount.tolist() == [3, 4]
    assert all(each.steering.resources is grass for each in stage.world.populations.values())


def test_the_skin_of_obstacles_is_a_surface():
    text = THINGS["mesh"][0] + HEAD.replace("[4, 4]", "[4, 4, 4]")
    text += 'locomotion = { body = "SurfaceBound", surface = "x" }'
    stage = staged(text)
    assert stage.world.populations["ants"].locomotion == sm.SurfaceBound(stage.scenery["x"])


def test_the_inside_of_obstacles_is_a_region():
    stage = staged(THINGS["walls"][0] + "\n" + HEAD + 'steering = { behavior = "Contain", region = "x" }')
    assert stage.world.populations["ants"].steering == sm.Contain(stage.scenery["x"])


def test_constraints_of_the_world():
    stage = staged('constraints = ["ZeroOverlap"]\n' + HEAD)
    assert stage.world.constraints == (sm.ZeroOverlap(),)
    assert problem_of('constraints = ["ZeroOverlp"]\n' + HEAD)[0] == "constraints[0].kind"


def test_parts_that_are_no_behaviors():
    limits = 'locomotion = { body = "PointMass", limits = ["LowSpeedTurn", { kind = "Drag", rate = 2.0 }] }'
    body = staged(HEAD + limits).world.populations["ants"].locomotion
    assert body == sm.PointMass(limits=[sm.LowSpeedTurn(), sm.Drag(2.0)])
    assert problem_of(HEAD + limits.replace("Drag", "Drug"))[1].startswith(
        "there is no kind 'Drug'; did you mean 'Drag'"
    )


def test_a_context_map_has_two_lists_of_weighted_parts():
    steering = """steering = { behavior = "ContextMap", danger = [{ behavior = "Flee", target = [1, 2] }],
        interest = [{ weight = 2.0, behavior = "Seek", target = [9, 9] }, { behavior = "Wander" }] }"""
    found = staged(HEAD + steering.replace("\n", " ")).world.populations["ants"].steering
    assert found == sm.ContextMap([2 * sm.Seek([9, 9]), sm.Wander()], danger=[sm.Flee([1, 2])])


def test_a_pipeline():
    steering = """steering = { behavior = "Pipeline", targeters = [{ target = [9, 9] }],
        decomposers = [{ path = [[0, 0], [9, 9]] }], actuator = "Straight" }"""
    found = staged(HEAD + steering.replace("\n", " ")).world.populations["ants"].steering
    assert found == sm.Pipeline([sm.Toward([9, 9])], decomposers=[sm.AlongPath(sm.Path([[0, 0], [9, 9]]))])


def test_vehicles_start_clear_of_every_obstacle():
    rocks = '[[obstacles]]\nname = "rocks"\ncenter = [[0, 0]]\nradius = 1\n'
    ants = staged(rocks + HEAD.replace("n = 3", "n = 40\nclearance = 0.2")).world["ants"]
    assert np.linalg.norm(ants.position, axis=1).min() > 1.0 + 0.5 + 0.2 - 1e-6


def test_metrics_measure_toward_things_of_the_scenery():
    yard = '[[regions]]\nname = "yard"\nkind = "box"\nsize = [1, 1]\norigin = [50, 50]\n'
    metrics = 'metrics = [{ metric = "path_error", to = "track" }, { metric = "outside", to = "yard" }, "mean_speed"]'
    stage = staged(TRACK + yard + HEAD + metrics)
    assert stage.meters["ants.outside"].now == 1.0
    nearest = stage.scenery["track"].project(stage.world["ants"].position).distance
    assert stage.meters["ants.path_error"].now == pytest.approx(nearest.mean())
    place, message = problem_of(TRACK + HEAD + 'metrics = ["off_path"]')
    assert (place, message) == ("populations[0].metrics[0]", "metric 'off_path' needs a path `to` measure from")
    assert (
        problem_of(TRACK + HEAD + 'metrics = [{ metric = "off_path", to = "trak" }]')[0]
        == "populations[0].metrics[0].to"
    )
    twice = problem_of(HEAD + 'metrics = ["mean_speed", "mean_speed"]')
    assert twice == ("populations[0].metrics[1]", "metric 'mean_speed' must be asked for once, got it twice")


def test_a_map_of_routes_stands_where_it_is_used():
    hill = (
        '[[surfaces]]\nname = "hill"\nkind = "heightfield"\nheights = [[0, 1], [2, 3]]\nlow = [0, 0]\nhigh = [9, 9]\n'
    )
    by = 'by = { kind = "RouteGrid", region = { kind = "box", size = [9, 9] }, ground = "hill", cost = [[1, 2]] }'
    text = hill + HEAD.replace("[4, 4]", "[4, 4, 4]") + 'locomotion = { body = "SurfaceBound", surface = "hill" }\n'
    stage = staged(text + 'steering = { behavior = "GoTo", goal = [9, 9, 3], ' + by + " }")
    grid = sm.RouteGrid(region=sm.Box([9, 9]), ground=stage.scenery["hill"], cost=[[1, 2]])
    assert stage.world.populations["ants"].steering == sm.GoTo([9, 9, 3], by=grid)


def test_a_walk_mesh_is_a_surface_and_a_map():
    walk = sm.WalkMesh(sm.Heightfield([[0, 1, 0], [0, 0, 0]], [0, 0], [9, 9]), clearance=0.3)
    people = sm.Vehicles([[1.0, 1.0, 0.0]])
    world = sm.World()
    world.add(people, steering=sm.GoTo([8.0, 8.0, 0.0], by=walk), locomotion=sm.SurfaceBound(walk))
    again = next(iter(sm.from_document(sm.to_document(world)).populations.values()))
    assert again.steering.by is again.locomotion.surface
    assert again.steering == sm.GoTo([8.0, 8.0, 0.0], by=walk)
    for alone in (walk, again.steering):
        assert sm.from_document(sm.to_document(alone)) == alone
