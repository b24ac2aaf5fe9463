"""Maps of two dimensions are painted onto the landscape that somebody walks on."""

from dataclasses import replace

import matplotlib.image
import numpy as np
import pytest

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.elements import Glyphs, Lines, Mesh, of_kind
from steersman.drawing.maps import COLORS
from steersman.drawing.palette import TONES, rgb

LAND = sm.Heightfield(np.outer(np.linspace(0, 1, 12), np.ones(9)), [0, 0], [60, 40], scale=5)
ROAD, MEADOW = sm.Path([[5, 5], [55, 5]], radius=3), sm.Polygon([[10, 15], [40, 15], [40, 30], [10, 30]])


def world(*steering):
    world = sm.World()
    walkers = sm.Vehicles([[10, 10, 0]], max_speed=2)
    world.add(walkers, name="walkers", steering=sm.WeightedSum(steering), locomotion=sm.SurfaceBound(LAND))
    return world


def area_of(meshes, color):
    """The area seen from above of what has this color [m^2]."""
    total = 0.0
    for mesh in meshes:
        if mesh.color == color:
            one, two = (mesh.triangles[:, k, :2] - mesh.triangles[:, 0, :2] for k in (1, 2))
            total += (np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2).sum()
    return total


def meshes_of(world):
    return of_kind(describe(contents_of(world)).elements, Mesh)


def test_land_is_dark_on_dark_paper():
    """A color that is not in the palette would be lightened there, as a mark that must be seen."""
    dark = {rgb(light): rgb(dark) for light, dark in TONES.values()}
    assert all(max(dark[color]) < 0.5 for color in COLORS)


def test_a_path_and_a_region_cover_as_much_land_as_they_have():
    meshes = meshes_of(world(sm.FollowPath(ROAD), sm.Contain(MEADOW)))
    bare, way, place = (area_of(meshes, color) for color in COLORS)
    assert way == pytest.approx(50 * 6 + np.pi * 9, rel=0.03)
    assert place == pytest.approx(30 * 15, rel=0.03)
    assert bare + way + place == pytest.approx(60 * 40, rel=1e-6)
    assert sum(len(mesh.triangles) for mesh in meshes) < 100_000


def test_land_without_maps_is_bare():
    meshes = meshes_of(world(sm.Wander()))
    assert area_of(meshes, COLORS[0]) == pytest.approx(60 * 40)


def test_firs_stand_on_a_landscape_that_is_to_bear_them_but_on_no_path_or_region():
    land = sm.Heightfield(np.outer(np.linspace(0, 1, 12), np.ones(9)), [0, 0], [120, 80], scale=5)
    road = sm.Path([[5, 40], [115, 40]], radius=20)
    walkers = sm.World()
    steering = sm.FollowPath(road)
    walkers.add(sm.Vehicles([[10, 10, 0]], max_speed=2), name="a", steering=steering, locomotion=sm.SurfaceBound(land))
    bare, wooded = (
        replace(contents_of(walkers), named={"land": land}, style=sm.Picture(looks=looks))
        for looks in ({}, {"land": "trees"})
    )
    firs = [mesh for mesh in of_kind(describe(wooded).elements, Mesh) if mesh.color not in COLORS]
    assert not [mesh for mesh in of_kind(describe(bare).elements, Mesh) if mesh.color not in COLORS]
    tops = firs[-1].triangles[:, 2]
    assert len(tops) > 100
    assert not road.contains(tops[:, :2]).any()
    high = tops[:, 2] - land.height_at(tops[:, :2])
    assert (high > 1).all()
    assert (high <= 0.04 * 80).all()


def test_boulders_stand_out_of_the_ground(tmp_path):
    hills = world(sm.AvoidObstacles(sm.Spheres([[30, 20, 2.5]], 4)), sm.FollowPath(ROAD))
    balls = of_kind(describe(contents_of(hills)).elements, Glyphs)[0]
    assert balls.position[0, 2] + balls.size[0] / 2 == pytest.approx(6.5)
    hills.draw(tmp_path / "with.png")
    world(sm.Wander(), sm.FollowPath(ROAD)).draw(tmp_path / "without.png")
    stone, bare = (matplotlib.image.imread(tmp_path / f"{name}.png") for name in ("with", "without"))
    assert np.any(np.abs(stone - bare) > 0.03, axis=2).sum() > 2000


def test_maps_without_a_landscape_are_left_out_or_refused(tmp_path):
    plain = sm.World()
    plain.add(
        sm.Vehicles([1, 2, 3]), steering=sm.FollowPath(ROAD), locomotion=sm.SurfaceBound(sm.Plane([0, 0, 0], [0, 0, 1]))
    )
    plain.draw(tmp_path / "plain.png")
    with pytest.raises(ValueError, match="scenery must have 3 dimensions"):
        plain.draw(tmp_path / "refused.png", scenery=[ROAD])
    world(sm.FollowPath(ROAD), sm.Contain(MEADOW)).draw(tmp_path / "land.png", scenery=[LAND, ROAD])


def test_of_a_ball_the_ground_within_it_is_painted_and_no_hoops_hang_in_the_air():
    elements = describe(contents_of(world(sm.Contain(sm.Sphere([30, 20, 0], 12))))).elements
    plain = describe(contents_of(world(sm.Wander()))).elements
    assert area_of(of_kind(elements, Mesh), COLORS[2]) == pytest.approx(np.pi * (12**2 - 2.5**2), rel=0.05)
    assert len(of_kind(elements, Lines)) == len(of_kind(plain, Lines))


def test_the_rim_of_a_map_is_a_line_and_no_stairs():
    """No corner of the paint lies beyond the rim, and none of its edges far within it."""
    place, middle = COLORS[2], np.array([30, 20])
    elements = describe(contents_of(world(sm.Contain(sm.Sphere([30, 20, 2.5], 12))))).elements
    paint = np.concatenate([each.triangles for each in of_kind(elements, Mesh) if each.color == place])
    land = np.concatenate([each.triangles for each in of_kind(elements, Mesh) if each.color == COLORS[0]])
    away, beyond = (np.hypot(*(np.asarray(each)[..., :2] - middle).reshape(-1, 2).T) for each in (paint, land))
    assert away.max() < 12.02
    assert beyond.min() > 11.85
