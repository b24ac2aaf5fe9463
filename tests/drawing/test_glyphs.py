"""Glyphs: shapes that face ahead, the same on paper and in the window, chosen by population or by the body."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.path import Path

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.elements import Glyphs, of_kind
from steersman.drawing.glyphs import (
    ANIMALS,
    DARK,
    FEET,
    GLYPHS,
    HEADS,
    OWN,
    SHADES,
    SKIN,
    TRUNKS,
    WOOL,
    outline,
    roof_triangles,
    solid_triangles,
    tinted_triangles,
)
from steersman.studio.viewer.packing import packed, scene_of


def area(triangles):
    one, two = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    return (one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2


@pytest.mark.parametrize("name", GLYPHS)
def test_a_glyph_is_one_long_faces_ahead_and_is_filled_once(name):
    ring = outline(name)
    for each in (ring, tinted_triangles(name, 2)[:, :9].reshape(-1, 3)):
        assert 0.7 < np.ptp(each[:, 0]) < 1.2
    assert ring[:, 0].max() > -0.9 * ring[:, 0].min()
    assert sorted(map(tuple, np.abs(ring).round(9))) == sorted(map(tuple, np.abs(ring * (1, -1)).round(9)))
    trunk = np.array(TRUNKS.get(name, []))
    x, y = ring.T if name not in TRUNKS else np.concatenate([trunk, trunk[-2:0:-1] * (1, -1)]).T
    around = np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2
    roof = roof_triangles(name)
    parts = area(roof[..., :2])
    assert (parts > 0).all()
    assert parts.sum() == pytest.approx(around)
    heights = {round(float(y), 9): z for _, y, z in roof.reshape(-1, 3)}
    assert (heights[0.0] > 0) == (name not in ("disc", "ball"))
    assert all(z == 0 for y, z in heights.items() if y != 0)
    solid = solid_triangles(name)
    assert np.ptp(solid[..., 2]) > 0.1
    assert np.linalg.norm(np.cross(solid[:, 1] - solid[:, 0], solid[:, 2] - solid[:, 0]), axis=1).min() > 1e-4
    assert solid[..., 1].max() == pytest.approx(-solid[..., 1].min())
    assert np.einsum("kc,kc->", solid[:, 0], np.cross(solid[:, 1], solid[:, 2])) > 0.01
    edges = [(*triangle[k], *triangle[k - 2]) for triangle in solid.round(9) for k in range(3)]
    assert len(set(edges)) == len(edges), "neighbors that share an edge go along it in opposite directions"


@pytest.mark.parametrize("name", SHADES)
def test_dark_parts_are_level_and_lie_within_the_outline(name):
    tinted = tinted_triangles(name, 2)
    triangles, tint = tinted[:, :9].reshape(-1, 3, 3), tinted[:, 9]
    assert (triangles[: len(roof_triangles(name))] == roof_triangles(name)).all()
    body = WOOL if name == "sheep" else OWN
    rest = tint[len(roof_triangles(name)) :]
    assert (tint[: -len(rest)] == body).all()
    assert set(rest) == {DARK, *(tint for tint, _ in HEADS.get(name, ()))}
    dark = triangles[tint == DARK]
    assert len(dark) > 3
    assert (area(dark[..., :2]) > 0).all()
    assert (dark[..., 2] == 0).all()
    upon = triangles[len(roof_triangles(name)) :]
    within = Path(outline(name)).contains_points(upon[..., :2].mean(axis=1), radius=1e-9)
    assert within.all(), upon[~within]
    assert area(dark[..., :2]).sum() < 0.5 * area(roof_triangles(name)[..., :2]).sum()


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_person_has_a_face_ahead_hair_and_feet_that_stride(dimensions):
    """A body of one color looks like a token from above, and like a pawn from the side."""
    tinted = tinted_triangles("person", dimensions)
    (x, y, z), tint = tinted[:, :9].reshape(-1, 3, 3).mean(axis=1).T, tinted[:, 9]
    skin, dark, own = tint == SKIN, tint == DARK, tint == OWN
    assert min(skin.sum(), dark.sum(), own.sum()) > 10
    head = (np.abs(y) < 0.2) & (np.hypot(x, y) < 0.25) if dimensions == 2 else z > 0.82
    assert x[head & skin].max() > x[head & dark].max(), "the face looks ahead"
    assert x[head & dark].min() < x[head & skin].min(), "hair is behind"
    feet = dark & (np.abs(x) > 0.2 if dimensions == 2 else z < 0.0)
    for side, ahead in ((1, True), (-1, False)):
        assert (x[feet & (side * y > 0)] > 0).all() == ahead, "one foot is ahead, the other one behind"
    hands = skin & (np.abs(y) > 0.2)
    assert sorted({(bool(right), bool(front)) for right, front in zip(y[hands] < 0, x[hands] > 0, strict=True)}) == [
        (False, False),
        (True, True),
    ], "arms swing against the feet"
    assert len(tinted) < 600


def test_a_person_fills_the_circle_of_its_body():
    world = sm.World(domain=sm.Box([200, 200]))
    world.add(sm.Vehicles([[30, 30]], radius=9.0), name="a")
    for style in (sm.Picture(glyphs="person"), sm.Picture(glyphs="person", to_scale=True)):
        (person,) = [
            each for each in of_kind(describe(replace(contents_of(world), style=style)).elements, Glyphs) if each.name
        ]
        corners = tinted_triangles("person", 2)[:, :9].reshape(-1, 3)[:, :2] * person.size[0]
        assert 0.9 * 9.0 < np.linalg.norm(corners, axis=-1).max() < 1.1 * 9.0


def test_animals_are_told_apart_by_their_outlines_and_have_no_seam_along_the_back():
    """A sheep is wider and shorter than a dog, a mouse shorter, an ant spreads its legs, a rider is wider than the horse."""
    wide = {name: np.ptp(outline(name)[:, 1]) for name in GLYPHS}
    assert wide["sheep"] > 1.25 * wide["animal"]
    assert wide["ant"] > 1.3 * wide["sheep"] > 1.3 * wide["mouse"]
    assert wide["deer"] > 1.5 * wide["animal"], "it has antlers"
    rider = outline("horse")[np.abs(outline("horse")[:, 0]) < 0.06]
    assert np.ptp(rider[:, 1]) > 1.9 * np.ptp(outline("horse")[outline("horse")[:, 0] > 0.18][:, 1])
    for name in GLYPHS:
        slopes = roof_triangles(name)[..., 2].max()
        assert (slopes < 0.1) == (name not in ("dart", "arrow", "car", "bird", "fish", "plane"))


def test_animals_and_people_stand_upon_the_ground_in_space():
    """A flat plate at the height of the ground would be half below it, and have no legs to be seen."""
    for name in ("animal", "sheep", "cow", "person"):
        height = solid_triangles(name)[..., 2]
        assert height.min() == FEET
        assert height.max() > FEET + 0.45
    sheep = solid_triangles("sheep")
    assert 0.05 < np.ptp(sheep[sheep[..., 2] == FEET][:, 1]) < 0.7 * np.ptp(sheep[..., 1]), "legs are below the body"


@pytest.mark.parametrize("name", ANIMALS)
def test_an_animal_in_space_stands_on_four_feet_with_its_head_ahead_and_high(name):
    x, y, z = solid_triangles(name).reshape(-1, 3).T
    feet = z == FEET
    assert z.min() == FEET
    assert {(bool(ahead), bool(left)) for ahead, left in zip(x[feet] > 0, y[feet] > 0, strict=True)} == {
        (a, b) for a in (True, False) for b in (True, False)
    }
    assert abs(y[x == x.max()]).max() < 0.07, "the muzzle"
    assert z[x == x.max()].min() > 0.2
    assert np.ptp(x) == pytest.approx(np.ptp(outline(name)[:, 0]), abs=0.13), "without the tail"
    assert np.ptp(y) <= np.ptp(outline(name)[:, 1]) + 0.05


def world_of(body, radius=3.0):
    world = sm.World(domain=sm.Box([100, 100]))
    world.add(sm.Vehicles([[30, 30]], radius=radius), name="a", locomotion=body)
    world.add(sm.Vehicles([[60, 60]], radius=radius), name="b")
    return world


def shapes(subject, **style):
    contents = contents_of(subject)
    if style:
        contents = replace(contents, style=sm.Picture(**style))
    return {each.name: each.shape for each in of_kind(describe(contents).elements, Glyphs) if each.name}


def test_what_is_drawn_is_the_body_or_what_is_chosen():
    car = world_of(sm.Wheeled(turning_radius=5))
    assert shapes(car) == {"a": "car", "b": "dart"}
    assert shapes(world_of(sm.Wheeled(turning_radius=5), radius=0.1)) == {"a": "dart", "b": "dart"}
    assert shapes(car, glyphs="bird") == {"a": "bird", "b": "bird"}
    assert shapes(car, glyphs={"b": "fish"}) == {"a": "car", "b": "fish"}
    told = scene_of(contents_of(car), {})
    assert [each["shape"] for each in told["populations"]] == ["car", "dart"]
    assert [each["stands"] for each in told["populations"]] == [True, False]
    flying, lying = scene_of(replace(contents_of(car), style=sm.Picture(glyphs={"a": "plane", "b": "leaf"})), {})[
        "populations"
    ]
    assert flying["high"] > 0.8 > 0.1 > lying["high"], "their shadows lie as far from them as they are high"
    assert told["shapes"]["car"] == packed(tinted_triangles("car", 2))


def test_glyphs_are_written_and_checked():
    stage = sm.Stage(world_of(sm.PointMass()), picture=sm.Picture(glyphs={"a": "bird"}))
    assert sm.to_document(stage)["picture"]["glyphs"] == {"a": "bird"}
    assert sm.Picture(glyphs="disc").replace(size=2).glyphs == "disc"
    with pytest.raises(ValueError, match="did you mean 'bird'"):
        sm.Picture(glyphs={"a": "brid"})
    with pytest.raises(TypeError, match="glyphs must be one of dart"):
        sm.Picture(glyphs=3)


def test_pictures_of_each(tmp_path):
    flat, solid = sm.World(domain=sm.Box([60, 20])), sm.World(domain=sm.Box([60, 20, 20]))
    for k, name in enumerate(GLYPHS):
        flat.add(sm.Vehicles([[5 + 10 * k, 10]], radius=2), name=name)
        solid.add(sm.Vehicles([[5 + 10 * k, 10, 10]], radius=2), name=name)
    for world in (flat, solid):
        one = world.draw(tmp_path / "one.png", style=sm.Picture(glyphs={each: each for each in GLYPHS}))
        other = world.draw(tmp_path / "other.png", style=sm.Picture(glyphs="dart"))
        assert (tmp_path / "one.png").read_bytes() != (tmp_path / "other.png").read_bytes()
        assert one is not other


AREAS = {
    "dart": (0.2460, 0.2750, 0.8537), "arrow": (0.3600, 0.3900, 1.0263), "disc": (0.4754, 0.4754, 1.3133),
    "car": (0.3973, 0.6867, 1.7919), "bird": (0.2878, 0.4742, 0.3568), "fish": (0.2254, 0.4070, 0.5802),
    "animal": (0.2973, 0.4622, 1.0273), "wolf": (0.2764, 0.4462, 1.1027),
    "sheep": (0.3891, 0.5006, 1.5174), "cow": (0.3266, 0.5221, 1.4233),
    "horse": (0.2588, 0.4003, 1.3147), "deer": (0.2907, 0.3873, 1.0874),
    "mouse": (0.2511, 0.3540, 0.9091), "ant": (0.3057, 0.3812, 1.7027),
    "moth": (0.5326, 0.6742, 1.6586), "plane": (0.3844, 0.6570, 0.7916),
    "person": (0.3717, 0.5483, 1.3706), "ship": (0.3401, 0.4772, 1.0319), "footprint": (0.2689, 0.2953, 0.8692),
    "leaf": (0.2580, 0.3643, 0.8527), "motorcycle": (0.2272, 0.3494, 0.8575), "ball": (0.7804, 0.7804, 1.9998),
}  # fmt: skip
"""Of the outline, and of all triangles in the plane and in space: what a drawn body looks like changes only on purpose."""


@pytest.mark.parametrize("name", GLYPHS)
def test_silhouettes_are_as_large_as_they_were_drawn(name):
    x, y = outline(name).T
    found = [(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2]
    for d in (2, 3):
        a, b, c = tinted_triangles(name, d)[:, :9].reshape(-1, 3, 3).transpose(1, 0, 2)
        found.append(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)
    np.testing.assert_allclose(found, AREAS[name], atol=1e-4)
