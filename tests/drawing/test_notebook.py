"""What notebooks show: a picture where there is something to be seen, and a table that is right on any paper."""

import base64
import io
import re

import matplotlib.image
import numpy as np
import pytest

import steersman as sm

ROCKS = sm.Spheres([[20.0, 20.0], [60.0, 70.0]], [4.0, 9.0])


def world():
    world = sm.World(domain=sm.Torus([100, 80]), seed=3)
    boids = sm.Vehicles(np.random.default_rng(0).uniform(0, 80, (40, 2)), max_speed=np.linspace(2, 4, 40))
    world.add(
        boids, name="<boids>", steering=sm.Priority([sm.AvoidObstacles(ROCKS), 1.5 * sm.Wander() + sm.Cohesion()])
    )
    world.watch("<boids>", "mean_speed")
    world.run(steps=6)
    return world


def words_of(what):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", what._repr_html_()))


def test_a_world_tells_its_time_and_who_is_in_it():
    words = words_of(world())
    assert "World time 0.1 s, 6 steps of 0.01667 s domain Torus 100 x 80 m seed 3" in words
    assert "&lt;boids&gt; 40 in 2D, PointMass, steered by Priority" in words
    assert re.search(r"mean_speed [\d.]+ m/s", words)
    assert "nothing" in words_of(coasting())


def coasting():
    world = sm.World()
    world.add(sm.Vehicles([1.0, 2.0, 3.0]))
    return world


def test_a_population_shows_its_columns_and_its_tree_with_weights():
    text = world().populations["<boids>"]._repr_html_()
    assert "2 to 4 m/s, on average 3" in text
    assert "Priority\n    AvoidObstacles\n    WeightedSum\n        1.5 Wander\n        1 Cohesion" in text


@pytest.mark.parametrize(
    ("thing", "seen", "words"),
    [
        (sm.Path([[0, 0], [30, 40]], radius=2), True, "length 50 m points [[0.0, 0.0], [30.0, 40.0]] m radius 2 m"),
        (sm.FlowField.grid(np.ones((3, 4, 2)), spacing=5), True, "1 everywhere"),
        (sm.FlowField.function(np.sin), False, "sin"),
        (ROCKS, True, "bodies 2 in 2D"),
        (sm.Resources([[1, 2], [3, 4]], [3, 4]), True, "places 2 in 2D amount 7 in all"),
        (sm.Vehicles([[1.0, 2.0]], max_force=7), True, "max_force 7 N"),
        (sm.Vehicles(np.zeros((0, 3))), True, "0 in 3D"),
        (sm.World(), False, "domain Open"),
    ],
)
def test_what_can_be_drawn_is_shown_beside_what_is_known_of_it(thing, seen, words):
    shown = thing._repr_mimebundle_()
    assert ("image/png" in shown) == ("<img" in shown["text/html"]) == seen
    assert words in words_of(thing)
    assert shown["text/html"] == thing._repr_html_()


def test_the_picture_in_the_table_is_the_picture():
    shown = world()._repr_mimebundle_()
    data = re.search(r"data:image/png;base64,([^\"]*)", shown["text/html"])
    assert data
    assert base64.b64decode(data[1]) == shown["image/png"]
    assert matplotlib.image.imread(io.BytesIO(shown["image/png"])).shape[1] == 800
    assert len(shown["image/png"]) < 150_000


def test_the_table_has_no_colors_of_its_own():
    text = re.sub(r'src="[^"]*"', "", world()._repr_html_() + world().populations["<boids>"]._repr_html_())
    colors = re.findall(r"(?:color|background)[a-z-]*:\s*([^;\"]*)", text)
    assert set(colors) == {"inherit", "none"}


def test_without_matplotlib_there_is_the_table_alone(monkeypatch):
    monkeypatch.setattr("steersman.drawing.draw.find_spec", lambda name: None)
    shown = world()._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert "<img" not in shown["text/html"]
