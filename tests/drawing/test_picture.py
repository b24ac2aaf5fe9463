"""Pictures: they show what there is, where it is."""

import dataclasses

import matplotlib.image
import numpy as np
import pytest
from sampling import drawn as drawn_names

import steersman as sm
from steersman.drawing.camera import Camera
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe, lengths_by, vehicle_glyphs
from steersman.drawing.elements import Lines
from steersman.drawing.flat import outlines_of
from steersman.drawing.palette import PALETTE, colors_of, rgb
from steersman.drawing.trails import Trails
from steersman.gallery.registry import SCENARIOS


def colored(path, color, near=0.08):
    """Pixels of about a color, shape (height, width), bool."""
    pixels = matplotlib.image.imread(path)[:, :, :3]
    return np.all(np.abs(pixels - rgb(color)) < near, axis=2)


def drawn(world, tmp_path, **about):
    path = tmp_path / "picture.png"
    sm.draw(world, path, **about)
    return path


def flat_world(position, domain=None, **columns):
    world = sm.World(domain=domain or sm.Box([100, 100]))
    world.add(sm.Vehicles(position, radius=3, **columns), name="a")
    return world


def test_a_vehicle_is_seen_where_it_is(tmp_path):
    lower_left = colored(drawn(flat_world([20, 20]), tmp_path, colors={"a": "red"}), "red")
    upper_right = colored(drawn(flat_world([80, 80]), tmp_path, colors={"a": "red"}), "red")
    assert lower_left.sum() > 200
    rows, columns = (np.nonzero(lower_left[:-120])[k].mean() / lower_left.shape[k] for k in (0, 1))
    assert rows > 0.6
    assert columns < 0.4
    rows, columns = (np.nonzero(upper_right[:-120])[k].mean() / upper_right.shape[k] for k in (0, 1))
    assert rows < 0.4
    assert columns > 0.6


def test_a_vehicle_points_the_way_it_faces(tmp_path):
    def shape(heading):
        mask = colored(drawn(flat_world([50, 50], heading=heading), tmp_path, colors={"a": "red"}), "red")[:-120]
        rows, columns = np.nonzero(mask)
        return np.ptp(columns), np.ptp(rows)

    wide, tall = shape(0.0), shape(np.pi / 2)
    assert wide[0] > 1.3 * wide[1]
    assert tall[1] > 1.3 * tall[0]


def test_a_dart_has_its_nose_in_front_and_two_equal_sides():
    vehicles = sm.Vehicles([[3, 4], [5, 6]], heading=[0.7, -2.0], radius=[1, 2])
    outlines = (
        outlines_of(vehicle_glyphs(vehicles, rgb("red"), lengths_by(vehicles.radius, 100.0)))
        - vehicles.position[:, None]
    )
    nose, left, tail, right = (outlines[:, k] for k in range(4))
    assert np.sum(nose * vehicles.forward, axis=1) == pytest.approx(np.linalg.norm(nose, axis=1))
    assert np.all(np.sum(tail * vehicles.forward, axis=1) < 0)
    assert np.sum((left - right) * vehicles.forward, axis=1) == pytest.approx([0, 0], abs=1e-6)
    assert np.linalg.norm(nose - left, axis=1) == pytest.approx(np.linalg.norm(nose - right, axis=1))
    assert np.linalg.norm(nose[1]) > np.linalg.norm(nose[0])


def test_obstacles_and_their_images_across_the_seam(tmp_path):
    world = flat_world([50, 50], sm.Torus([100, 100]))
    plain = matplotlib.image.imread(drawn(world, tmp_path))
    rocky = matplotlib.image.imread(drawn(world, tmp_path, scenery=[sm.Spheres([0, 0], 10)]))
    different = np.any(plain != rocky, axis=2)
    height, width = different.shape
    quarters = [different[:height // 2, :width // 2], different[:height // 2, width // 2:],
                different[height // 2:, :width // 2], different[height // 2:, width // 2:]]  # fmt: skip
    assert all(quarter.sum() > 500 for quarter in quarters)


def test_trails_are_drawn(tmp_path):
    world = flat_world([10, 50], velocity=[50, 0], max_speed=50)
    trails = Trails(world, 1.0)
    world.run(seconds=1)
    without = matplotlib.image.imread(drawn(world, tmp_path))
    with_trails = matplotlib.image.imread(drawn(world, tmp_path, trails=trails))
    assert np.any(without != with_trails, axis=2).sum() > 500


@pytest.mark.parametrize("domain", [sm.Open(), sm.Torus([20, 20, 20])])
def test_three_dimensions(tmp_path, domain):
    world = sm.World(domain=domain)
    rng = np.random.default_rng(0)
    world.add(sm.Vehicles(rng.uniform(0, 20, (200, 3)), rng.normal(size=(200, 3)), max_speed=5), name="a")
    trails = Trails(world, 0.5)
    world.run(seconds=0.5)
    path = drawn(world, tmp_path, trails=trails, scenery=[sm.Spheres([5, 5, 5], 3)], targets=[[1, 2, 3]])
    assert len(np.unique(matplotlib.image.imread(path).reshape(-1, 4), axis=0)) > 100


def test_nobody_and_many_and_no_population(tmp_path):
    assert drawn(flat_world(np.zeros((0, 2))), tmp_path).stat().st_size > 1000
    assert drawn(flat_world(np.zeros((0, 3)), sm.Open()), tmp_path).stat().st_size > 1000
    assert drawn(flat_world(np.random.default_rng(0).uniform(0, 100, (20000, 2))), tmp_path).stat().st_size > 1000
    with pytest.raises(ValueError, match="must have a population"):
        sm.draw(sm.World(), tmp_path / "none.png")


@pytest.mark.parametrize("name", drawn_names(SCENARIOS, 5, "pictures"))
def test_a_scenario_has_a_picture_that_is_not_blank(tmp_path, name):
    stage = SCENARIOS[name].stage(n=min(SCENARIOS[name].n, 100))
    trails = Trails(stage.world, stage.picture.trails)
    stage.world.run(steps=20)
    stage.draw(tmp_path / "p.png", trails=trails)
    pixels = matplotlib.image.imread(tmp_path / "p.png")[:, :, :3]
    assert pixels.shape[1] == 1200
    assert pixels.reshape(-1, 3).std(axis=0).max() > 0.02
    near = 0.08 if SCENARIOS[name].dimensions == 2 else 0.35  # There is haze in 3D.
    without_legend = slice(100, -100)
    assert sum(colored(tmp_path / "p.png", color, near)[without_legend].sum() for color in colors_in(stage)) > 100


def colors_in(stage):
    """Colors of the populations, as `#rrggbb`."""
    shades = colors_of(stage.world.populations, stage.colors).values()
    return {"#" + "".join(f"{round(255 * part):02x}" for part in shade) for shade in shades}


def test_the_camera_looks_from_where_it_stands():
    camera = Camera(np.array([1.0, 2.0, 3.0]), 10.0, azimuth=0.0, elevation=0.0)
    places, depth, scale = camera.project(np.array([[1, 2, 3], [1, 7, 3], [1, 2, 8], [6, 2, 3], [-4, 2, 3]]))
    assert places[0] == pytest.approx([0, 0])
    assert places[1] == pytest.approx([0.5, 0])
    assert places[2] == pytest.approx([0, 0.5])
    assert depth == pytest.approx([0, 0, 0, -0.5, 0.5])
    assert scale[0] == pytest.approx(0.1)
    assert scale[3] > scale[0] > scale[4]


def test_populations_get_different_colors():
    names = [f"p{k}" for k in range(5)]
    colors = colors_of(names, {"p1": "blue", "p2": None})
    assert colors["p1"] == rgb("blue") == rgb(PALETTE["blue"])
    assert len(set(colors.values())) == 5
    assert len(colors_of([str(k) for k in range(20)], {})) == 20


def test_trails_fade_with_their_age_and_more_in_space():
    for d, least, most in ((2, 0.05, 0.6), (3, 0.0, 0.4)):
        world = sm.World(dt=0.05)
        world.add(sm.Vehicles([[0.0] * d], [1.0] * d, max_speed=3), name="a")
        trails = Trails(world, 1.0)
        world.run(seconds=1)
        contents = dataclasses.replace(contents_of(world), trails=trails)
        (lines,) = [each for each in describe(contents).elements if isinstance(each, Lines) and each.layer == 3.0]
        opacity = np.asarray(lines.color)[:, 3]
        assert least <= opacity.min() < least + 0.1
        assert most - 0.1 < opacity.max() <= most + 1e-9
