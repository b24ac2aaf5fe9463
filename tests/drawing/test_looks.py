"""Looks: regions, paths and the ground are made of a material, obstacles are stones or trees, and things stand at places."""

from itertools import pairwise

import numpy as np
import pytest

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.elements import Areas, Lines, Marks, of_kind
from steersman.drawing.looks import LOOKS, MATERIALS, POOL, SHINE, THINGS
from steersman.drawing.palette import LIGHT, TONES, luminance, rgb
from steersman.drawing.scenery_flat import FACES
from steersman.studio.viewer.packing import scene_of

ROCKS = sm.Spheres(center=[[20, 20], [60, 30]], radius=[4, 6])
ROAD = sm.Path([[10, 50], [50, 60], [90, 50]], radius=3)
FOOD = sm.Resources([[30, 80], [40, 80]], [1.0, 0.0])
LAKE = sm.Sphere([75, 75], 10)
FLAG = np.array([50.0, 20.0])


def stage_of(looks=None, **about):
    world = sm.World(domain=sm.Box([100, 100]))
    world.add(sm.Vehicles([[50, 50]]), name="a", steering=sm.Seek(FLAG))
    scenery = {"rocks": ROCKS, "road": ROAD, "food": FOOD, "lake": LAKE}
    return sm.Stage(world, scenery=scenery, labels={"flag": FLAG}, picture=sm.Picture(looks=looks, **about))


def elements(looks=None, **about):
    return describe(contents_of(stage_of(looks, **about))).elements


def faces(looks=None):
    return [each.face for each in of_kind(elements(looks), Areas)]


@pytest.mark.parametrize("look", [None, "trees"])
def test_stones_and_trees_keep_their_faces_and_leaves_where_others_are_gone(look):
    things = sm.Spheres([[20.0, 20.0], [40.0, 20.0], [60.0, 20.0]], 4.0)
    world = sm.World(domain=sm.Box([100, 100]))
    stage = sm.Stage(world, scenery={"things": things}, picture=sm.Picture(looks={"things": look} if look else None))

    def rings():
        areas = of_kind(describe(contents_of(stage)).elements, Areas)
        return {np.asarray(ring).tobytes() for each in areas for ring in each.rings}

    whole = rings()
    things.disable(0)
    assert 3 < len(rings()) < len(whole)
    assert rings() < whole


@pytest.mark.parametrize("material", MATERIALS)
def test_a_region_and_a_path_are_made_of_a_material(material):
    own = rgb(LIGHT[material])
    assert faces().count(own) == (material == "grass")
    assert faces({"lake": material, "road": material}).count(own) == 2
    lines = of_kind(elements({"road": material}), Lines)
    assert any(each.color[:3] == rgb(LIGHT["marking"]) for each in lines) == (material == "asphalt")


def test_what_has_a_look_is_known_by_what_it_is_and_not_by_its_color(monkeypatch):
    for name in ("GRASS", "GRASS_EDGE", "ROAD", "ROAD_EDGE", "ROAD_LINE"):
        monkeypatch.setattr(f"steersman.drawing.scenery_flat.{name}", LIGHT["rock"])
    test_a_region_and_a_path_are_made_of_a_material("asphalt")
    edges = [each.edge for each in of_kind(elements({"lake": "water", "road": "water"}), Areas)]
    assert edges.count(rgb(LIGHT["water edge"])) == 2


def test_the_ground_is_below_all_and_no_part_of_the_frame():
    plain, made = (describe(contents_of(stage_of(looks))) for looks in (None, {"ground": "water"}))
    first = made.elements[0]
    assert first.face == rgb(LIGHT["water"])
    assert first.layer < min(each.layer for each in made.elements[1:])
    assert (first.rings[0].min(axis=0) < made.low - 100).all()
    assert (first.rings[0].max(axis=0) > made.high + 100).all()
    np.testing.assert_array_equal([plain.low, plain.high], [made.low, made.high])


def test_a_space_that_is_seen_has_the_material_of_the_ground():
    world = sm.World(domain=sm.Box([100, 100]))
    stage = sm.Stage(world, scenery={"room": world.domain}, picture=sm.Picture(looks={"ground": "floor"}))
    areas = of_kind(describe(contents_of(stage)).elements, Areas)
    assert [each.face for each in areas] == 2 * [rgb(LIGHT["floor"])]
    assert areas[1].edge == rgb(LIGHT["floor edge"])


def test_the_paint_of_a_flow_becomes_water():
    image = np.zeros((8, 8, 3), np.uint8)
    image[:, :4, 0] = image[:, 4:, 1] = 255
    field = sm.FlowImage(image, low=[0, 0], high=[100, 100], max_speed=3)
    for looks in (None, {"river": "water"}):
        world = sm.World(domain=sm.Box([100, 100]))
        stage = sm.Stage(world, scenery={"river": field}, picture=sm.Picture(looks=looks))
        seen = {
            (each.face == rgb(LIGHT["water"]), each.opacity)
            for each in of_kind(describe(contents_of(stage)).elements, Areas)
        }
        assert seen == {(True, 1.0) if looks else (False, 0.22)}


@pytest.mark.parametrize(("looks", "names"), [(None, FACES), ({"rocks": "trees"}, ["tree", "tree light", "tree lit"])])
def test_a_stone_and_a_tree_are_as_wide_as_their_obstacle(looks, names):
    """The outline is the obstacle, and what is drawn upon it lies within."""
    parts = [each for each in of_kind(elements(looks), Areas) if 1.6 <= each.layer < 1.7]
    assert [each.layer for each in parts] == sorted(each.layer for each in parts)
    assert {each.face for each in parts[1:]} >= {rgb(LIGHT[name]) for name in names if name}
    assert len(parts[0].rings) == len(ROCKS.center)
    for part in parts:
        far = [np.linalg.norm(ring[:, None] - ROCKS.center, axis=2) / ROCKS.radius for ring in part.rings]
        assert all(each.max(axis=0).min() <= 1 + 1e-9 for each in far)
        assert all(each.min(axis=0).max() > 1 - 1e-9 for each in far) or part.layer > 1.6


def test_the_faces_of_a_stone_are_the_lighter_the_more_they_look_to_the_upper_left():
    parts = {each.face: each.rings for each in of_kind(elements(), Areas) if each.layer == 1.61}
    names = ["rock deep", "rock shade", "rock light", "rock lit"]
    assert set(parts) == {rgb(LIGHT[name]) for name in names}
    assert all(
        luminance(rgb(TONES[one][dark])) < luminance(rgb(TONES[other][dark]))
        for one, other in pairwise(("rock deep", "rock shade", "rock", "rock light", "rock lit"))
        for dark in (0, 1)
    )
    middle, radius = ROCKS.center[1], ROCKS.radius[1]
    faced = {}
    for name in names:
        rings = [
            ring for ring in parts[rgb(LIGHT[name])] if np.linalg.norm(ring - middle, axis=1).max() <= radius * 1.01
        ]
        faced[name] = [float((ring.mean(axis=0) - middle) @ [-1.0, 1.0]) for ring in rings]
    assert max(faced["rock deep"]) < min(faced["rock shade"]) < min(faced["rock lit"])
    assert len(faced["rock light"]) == 1, "the top"


def test_a_room_and_many_stones_have_no_tops():
    for obstacles in (sm.Spheres([[50, 50]], 40, seen_from="inside"), sm.Spheres(np.zeros((700, 2)), 1)):
        world = sm.World(domain=sm.Box([100, 100]))
        stage = sm.Stage(world, scenery={"them": obstacles})
        assert [each.layer for each in of_kind(describe(contents_of(stage)).elements, Areas)].count(1.61) == 0


@pytest.mark.parametrize("thing", THINGS)
def test_things_stand_at_labels_in_regions_and_where_food_is_left(thing):
    for name, places in (("flag", [FLAG]), ("lake", [[75, 75]]), ("food", [[30, 80]])):
        made = [each for each in of_kind(elements({name: thing}), Areas) if each.layer >= 1.9]
        assert len(made) == len(THINGS[thing])
        for part in made:
            assert len(part.rings) == len(places)
            for ring, place in zip(part.rings, places, strict=True):
                assert np.abs(ring - place).max() < 1.8


def test_lamps_and_fires_stand_in_pools_of_light_that_are_brighter_in_the_middle():
    for thing in THINGS:
        made = [each for each in of_kind(elements({"flag": thing}), Areas) if each.face == rgb(LIGHT["glow"])]
        pools = [each for each in made if each.opacity < 0.2]
        assert len(pools) == (POOL[0] if thing in SHINE else 0)
        wide = [np.ptp(each.rings[0][:, 0]) for each in pools]
        assert wide == sorted(wide, reverse=True), "one upon the other"
        assert all(np.abs(each.rings[0].mean(axis=0) - FLAG).max() < 1e-6 for each in pools)


def test_a_thing_stands_in_place_of_a_cross_and_of_a_dot():
    def marks(looks):
        return sum(len(each.position) for each in of_kind(elements(looks), Marks))

    assert marks(None) == 3
    assert marks({"flag": "flag"}) == 2
    assert marks({"food": "food"}) == 1


def test_things_are_larger_where_the_view_is_wider():
    def height(**about):
        made = [each for each in of_kind(elements({"flag": "flag"}, **about), Areas) if each.layer >= 1.9]
        return np.ptp(np.concatenate([ring for each in made for ring in each.rings])[:, 1])

    assert height(close_up=80.0) == pytest.approx(2 * height(close_up=40.0))


@pytest.mark.parametrize(
    ("looks", "error", "words"),
    [
        ("grass", TypeError, "looks must be words by name"),
        ({"lake": 3}, TypeError, "looks must be words by name"),
        ({"lake": "watr"}, ValueError, "did you mean 'water'"),
        ({"ground": "flag"}, ValueError, "the ground must be one of asphalt"),
    ],
)
def test_what_is_no_look_is_refused(looks, error, words):
    with pytest.raises(error, match=words):
        sm.Picture(looks=looks)


def test_a_look_of_nothing_is_refused():
    with pytest.raises(
        ValueError, match="looks must be those of the scenery, of labels or of the ground; there is no 'lak'"
    ):
        stage_of({"lak": "water"})


def test_a_tank_of_water_has_panes_and_the_window_is_under_water():
    world, tank = sm.World(), sm.Box([60, 30, 24])
    world.add(sm.Vehicles([[30, 15, 12]]), name="fish", steering=sm.Contain(tank))
    for look, wet in (({}, False), ({"tank": "water"}, True)):
        stage = sm.Stage(world, scenery={"tank": tank}, picture=sm.Picture(looks=look))
        contents = contents_of(stage)
        panes = [each for each in of_kind(describe(contents).elements, Areas) if each.opacity < 0.5]
        assert [len(each.rings) for each in panes] == ([4] if wet else [])
        assert all(np.ptp(ring, axis=0)[2] == 24 for each in panes for ring in each.rings), "they stand upright"
        assert scene_of(contents, {})["wet"] is wet
    flat = sm.World()
    flat.add(sm.Vehicles([[0, 0]]), name="ships")
    stage = sm.Stage(flat, labels={"home": [9, 9]}, picture=sm.Picture(looks={"ground": "water"}))
    assert scene_of(contents_of(stage), {})["wet"] is False, "a ship is on it"


def test_each_look_has_its_colors():
    assert all(f"{name} edge" in LIGHT for name in MATERIALS)
    assert {color for parts in THINGS.values() for color, _ in parts} <= set(LIGHT)
    assert len(set(LOOKS)) == len(LOOKS)
