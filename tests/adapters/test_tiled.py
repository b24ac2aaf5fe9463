"""Maps of Tiled in meters."""

import re

import numpy as np
import pytest

import steersman as sm

pytest.importorskip("pytiled_parser")

from steersman.adapters.tiled import read_map, rectangles_of

MAP = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.11.0" orientation="orthogonal"
 renderorder="right-down" width="6" height="4" tilewidth="16"
 tileheight="16" infinite="0" nextlayerid="4" nextobjectid="20">
 <layer id="1" name="walls" width="6" height="4"><data encoding="csv">
1,1,1,1,1,1,
1,0,0,0,0,1,
1,0,0,0,0,1,
0,0,0,0,0,0
</data></layer>
 <objectgroup id="2" name="things">
  <object id="1" name="rock" x="32" y="16" width="16" height="16"><ellipse/></object>
  <object id="2" name="crate" x="48" y="16" width="32" height="16" rotation="90"/>
  <object id="3" name="hedge" x="0" y="64"><polyline points="0,0 16,-16 32,-16"/></object>
  <object id="4" name="pond" x="16" y="16"><polygon points="0,0 16,0 16,16"/></object>
 </objectgroup>
 <objectgroup id="3" name="starts">
  <object id="5" name="a" type="sheep" x="16" y="48"><point/></object>
  <object id="6" name="b" type="sheep" x="32" y="48"><properties><property name="max_speed" type="float" value="7"/>
   </properties><point/></object>
  <object id="7" name="words" x="0" y="0" width="10" height="10"><text>hello</text></object>
 </objectgroup>
</map>
"""


@pytest.fixture
def level(tmp_path):
    (tmp_path / "level.tmx").write_text(MAP)
    return read_map(tmp_path / "level.tmx", scale=8)


def test_tiles_side_by_side_are_one_box(level):
    assert level.size.tolist() == [12, 8]
    walls = level.obstacles("walls")
    assert len(walls) == 3
    low, high = walls.corners.min(axis=1), walls.corners.max(axis=1)
    assert np.concatenate([low, high], axis=1).tolist() == [[0, 6, 12, 8], [0, 2, 2, 6], [10, 2, 12, 6]]


def test_objects_are_obstacles_of_their_own_kind(level):
    sets = {type(each).__name__: each for each in level.obstacles("things").sets}
    assert sets["Spheres"].center.tolist() == [[5, 5]]
    assert sets["Spheres"].radius.tolist() == [1]
    corners = sets["Boxes"].corners[0]  # Turned by 90 degrees clockwise about its upper left corner, at (6, 6).
    assert (corners.min(axis=0), corners.max(axis=0)) == (pytest.approx([4, 2]), pytest.approx([6, 6]))
    assert len(level.obstacles("walls", "things").sets) == 5


@pytest.mark.parametrize("flip", [True, False])
def test_what_is_turned_a_little_lies_as_the_editor_shows_it(tmp_path, flip):
    """By 30 degrees clockwise about the upper left corner, as a box and as the outline of a region."""
    crate = '<object id="2" name="crate" x="48" y="16" width="32" height="16" rotation="30"/>'
    (tmp_path / "turned.tmx").write_text(re.sub(r'<object id="2".*/>', crate, MAP))
    level = read_map(tmp_path / "turned.tmx", scale=8, flip=flip)
    box = next(each for each in level.obstacles("things").sets if isinstance(each, sm.Boxes))
    down, half = (-1 if flip else 1), np.sqrt(0.75)
    ways = 4 * np.array([half, 0.5 * down]), 2 * np.array([-0.5, half * down])
    first = np.array([6.0, 6.0 if flip else 2.0])
    wanted = [first, first + ways[0], first + ways[0] + ways[1], first + ways[1]]
    for found in (box.corners[0], level.region("crate").points):
        order, other = (np.lexsort(np.round(each, 5).T) for each in (found, np.array(wanted)))
        np.testing.assert_allclose(found[order], np.array(wanted)[other], atol=1e-9)


def test_objects_are_vehicles_paths_and_regions(level):
    sheep = level.vehicles("sheep", max_speed=3, radius=0.2)
    assert sheep.position.tolist() == [[2, 2], [4, 2]]
    assert sheep.max_speed.tolist() == [3, 7]
    assert sheep.radius == pytest.approx([0.2, 0.2])
    assert level.vehicles("sheep").max_speed.tolist() == [1, 7]
    assert level.points("starts").shape == (3, 2)
    hedge = level.path("hedge", radius=2)
    assert hedge.points.tolist() == [[0, 0], [2, 2], [4, 2]]
    assert set(np.ravel(hedge.radius)) == {2}
    assert sorted(level.region("pond").points.tolist()) == [[2, 6], [4, 4], [4, 6]]


@pytest.mark.parametrize("flip", [True, False])
def test_tiles_ovals_and_polygons_are_where_the_editor_shows_them(tmp_path, flip):
    """A tile that is an object stands on its lower left corner."""
    things = """<object id="8" name="sign" gid="1" x="32" y="48" width="16" height="16"/>
  <object id="9" name="pool" x="48" y="16" width="32" height="16"><ellipse/></object>
  <object id="1" name="rock" """
    (tmp_path / "more.tmx").write_text(MAP.replace('<object id="1" name="rock" ', things))
    level = read_map(tmp_path / "more.tmx", scale=8, flip=flip)
    sign, pool = level.region("sign").points, level.region("pool").points
    low, high = ([4, 2], [6, 4]) if flip else ([4, 4], [6, 6])
    assert (sign.min(axis=0).tolist(), sign.max(axis=0).tolist()) == (low, high)
    assert level.points("sign").tolist() == [[5, 3 if flip else 5]]
    boxes = [each for each in level.obstacles("things").sets if isinstance(each, sm.Boxes)]
    assert [5, 3 if flip else 5] in [each.center[0].tolist() for each in boxes]
    middle = [8, 5 if flip else 3]
    assert np.linalg.norm((pool - middle) / [2, 1], axis=1) == pytest.approx(1)
    assert len(np.unique(pool.round(6), axis=0)) == len(pool) == 24
    assert {each.seen_from for each in level.obstacles("things").sets if isinstance(each, sm.Walls)} == {
        "both",
        "outside",
    }
    ovals = [each for each in level.obstacles("things").sets if isinstance(each, sm.Walls) and all(each.closed)]
    for wanted in (middle, np.mean(level.region("pond").points, axis=0)):
        assert any(np.allclose(np.reshape(each.points, (-1, 2)).mean(axis=0), wanted) for each in ovals)
    assert level.path("pond").closed
    assert not level.path("hedge").closed


@pytest.mark.parametrize("column", ["radius", "max_speed", "max_force", "mass", "response_time"])
def test_columns_of_objects_without_the_property_are_the_usual_ones(tmp_path, column):
    (tmp_path / "level.tmx").write_text(MAP.replace('name="max_speed"', f'name="{column}"'))
    sheep, usual = read_map(tmp_path / "level.tmx").vehicles("sheep"), sm.Vehicles([[0, 0]])
    assert getattr(sheep, column).tolist() == pytest.approx([getattr(usual, column)[0], 7])


def test_y_may_grow_downwards(tmp_path):
    (tmp_path / "level.tmx").write_text(MAP)
    level = read_map(tmp_path / "level.tmx", scale=8, flip=False)
    assert level.points("sheep").tolist() == [[2, 6], [4, 6]]
    assert level.path("hedge").points.tolist() == [[0, 8], [2, 6], [4, 6]]


def test_what_is_missing_is_named(level):
    with pytest.raises(KeyError, match=r"layer must be one of the map.*layers: .*walls"):
        level.obstacles("wals")
    with pytest.raises(KeyError, match=r"objects: .*sheep"):
        level.points("shep")
    with pytest.raises(ValueError, match="must be on starts"):
        level.obstacles("starts")


def test_few_rectangles_cover_a_grid_and_no_two_overlap():
    filled = np.random.default_rng(3).random((30, 40)) < 0.7
    covered = np.zeros(filled.shape, int)
    for left, top, right, bottom in rectangles_of(filled).astype(int):
        covered[top:bottom, left:right] += 1
    assert np.array_equal(covered, filled.astype(int))
    assert len(rectangles_of(filled)) < filled.sum() / 2


def test_vehicles_keep_out_of_the_walls_of_a_map(level):
    sheep = level.vehicles("sheep", max_speed=2, max_force=9, radius=0.2)
    world = sm.World(seed=1, constraints=[sm.ZeroOverlap(level.obstacles("walls", "things"))])
    world.add(sheep, steering=sm.Seek([6, 7]))
    world.run(seconds=3)
    assert (sheep.position[:, 1] < 6).all()
