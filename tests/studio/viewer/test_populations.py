"""All vehicles at once: samples of several populations, each with numbers of its own."""

import base64
from dataclasses import replace

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.sketching import Sketch
from steersman.drawing.elements import Areas, Lines
from steersman.studio.viewer.populations import WIDE, _calm, forces_of_all, merged, note_of, parted, share_of


def crowds(**counts):
    """Populations of these sizes, every vehicle somewhere else, with a force of its own."""
    world = sm.World(seed=1, threads=1)
    for name, n in counts.items():
        position = np.random.default_rng(n).normal(0, 50, (n, 2))
        vehicles = sm.Vehicles(position, id=np.arange(n) * 3 + 5, max_force=np.linspace(1, 2, n))
        world.add(vehicles, name=name, steering=sm.Seek([0, 0]))
    return world


def numbers(packed, kind="f32"):
    return np.frombuffer(base64.b64decode(packed[kind]), f"<{kind[0]}4")


def test_a_small_population_beside_a_large_one_is_shown():
    world = crowds(flock=3000, hawk=1, mice=20, nobody=0)
    rows = share_of(world, 100)
    assert {name: len(each) for name, each in rows.items()} == {"flock": 99, "hawk": 1, "mice": 1}
    assert rows["flock"][[0, -1]].tolist() == [0, 2999]
    assert note_of(world, rows) == "101 of 3,021 vehicles are shown"
    assert note_of(world, share_of(world, 4000)) == ""


def test_forces_of_a_sample_are_those_of_its_ids():
    world = crowds(flock=2500, mice=60)
    whole = {name: world.explain(name) for name in ("flock", "mice")}
    told = forces_of_all(world, whole, 100.0)
    assert told["full"] == 2.0  # The largest limit.
    said = told["populations"]
    for name, why in whole.items():
        ids = numbers(said[name]["ids"], "u32").astype(int)
        rows = np.searchsorted(why.id, ids)
        assert 0 < len(ids) < len(why.id)
        np.testing.assert_allclose(numbers(said[name]["force"]).reshape(-1, 2), why.force[rows], rtol=1e-6)
        for key, values in (("raw", why.raw), ("contribution", why.contribution)):
            np.testing.assert_allclose(numbers(said[name][key][0]).reshape(-1, 2), values[rows], rtol=1e-6)
        assert (numbers(said[name]["winner"]) == 0).all()


def test_forces_of_what_moves_on_a_surface_lie_along_it():
    slope = sm.Plane([0, 0, 0], [-0.6, 0, 0.8])
    push = np.array([[0.0, 2.0, -5.0], [0.8, 0.0, 0.6]])
    for body, expected in ((sm.SurfaceBound(slope), [[-2.4, 2, -1.8], [0.8, 0, 0.6]]), (sm.PointMass(), push)):
        world, vehicles = sm.World(threads=1), sm.Vehicles(np.zeros((2, 3)), max_force=9, forward=[[0.8, 0, 0.6]] * 2)
        world.add(vehicles, name="a", steering=lambda _: push, locomotion=body)
        told = forces_of_all(world, {"a": world.explain("a")}, 100.0)["populations"]["a"]
        for each in (told["force"], told["raw"][0], told["contribution"][0]):
            np.testing.assert_allclose(numbers(each).reshape(-1, 3), expected, atol=1e-6)


def test_where_limits_are_not_finite_the_largest_force_has_the_longest_arrow():
    push = np.array([[1.0, 0], [3, 4], [0, 2]])
    world, vehicles = sm.World(threads=1), sm.Vehicles(np.zeros((3, 2)), max_force=9)
    world.add(vehicles, name="a", steering=lambda _: push)
    assert forces_of_all(world, {"a": world.explain("a")}, 100.0)["full"] == 9.0
    vehicles.max_force[:] = np.inf  # What the next step refuses is shown until then.
    assert forces_of_all(world, {"a": world.explain("a")}, 100.0)["full"] == 5.0


def test_ranges_that_cover_most_of_the_picture_have_no_face_and_a_faint_outline():
    ring = np.array([[0.0, 0], [1, 0], [1, 1]])
    for size in (0.99 * WIDE * 100, 1.01 * WIDE * 100):
        face, rim = Areas(rings=[ring, size * ring]), Lines(points=[ring, size * ring], color=(0, 0, 0, 1.0))
        is_wide = size > WIDE * 100
        assert _calm(face, 100.0) is (None if is_wide else face)
        assert (_calm(rim, 100.0) is rim) == (not is_wide)


def test_only_areas_that_look_the_same_become_one():
    ring = np.array([[0.0, 0], [1, 0], [1, 1]])
    area = Areas(rings=[ring], face=(1, 0, 0), edge=(0, 0, 0))
    others = [
        replace(area, **each) for each in ({"layer": 9}, {"face": None}, {"edge": None}, {"width": 3}, {"dash": (4, 2)})
    ]
    assert [len(each.rings) for each in merged([area, *others, area, replace(area, opacity=0.5)])] == [2, 1, 1, 1, 1, 1]


def test_only_lines_that_look_the_same_become_one():
    line = Lines(points=[np.zeros((2, 2))], color=(0, 0, 0, 1.0))
    others = [
        replace(line, **each) for each in ({"layer": 9}, {"color": (1, 0, 0, 1.0)}, {"width": 3}, {"dash": (4, 2)})
    ]
    assert [len(each.points) for each in merged([line, *others, line])] == [2, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("role", "d", "radius", "size"),
    [
        ("predicted", 2, 1.5, 3.0),
        ("predicted", 2, 0.0, 0.7 * 1.4),
        ("target", 2, 1.5, None),
        ("predicted", 3, 1.5, None),
    ],
    ids=["large", "small", "a goal", "in space"],
)
def test_a_predicted_position_in_the_plane_is_a_ring(role, d, radius, size):
    """Its word, meaning and place stay; where a vehicle should be, and in space, it is a dart that faces somewhere."""
    middle = [7.0, 2.0, 5.0][:d]
    pose = sm.shapes.Pose([middle], [[1.0, 0.0, 0.0][:d]], radius, role=role, label="ahead", means="ahead")
    made = parted([Sketch(3, "", 0, True, np.array([0]), (pose,))], 100.0)["elements"]
    line, word = (next(each for each in made if each["kind"] == kind) for kind in ("lines", "texts"))
    assert word["words"] == ["ahead"]
    assert (line["of"], line["says"]) == (3, "ahead")
    away = np.linalg.norm(numbers(line["points"]).reshape(-1, d) - middle, axis=1)
    if size is None:
        assert np.ptp(away) > 1
    else:
        assert away == pytest.approx(size, rel=1e-5)
