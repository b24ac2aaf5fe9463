"""Colors by a number: which populations have one."""

import base64

import numpy as np
import pytest

import steersman as sm
from steersman.studio.viewer.coloring import colors_by


def test_a_meter_colors_its_own_population_alone():
    world = sm.World()
    for name in ("a", "b"):
        world.add(sm.Vehicles([[20, 20], [70, 60]]), name=name)
        world.watch(name, "distance_to", to=[80, 80])
    for name in ("a", "b"):
        assert list(colors_by(world, f"{name}.distance_to", {})["populations"]) == [name]
    assert list(colors_by(world, "mass", {})["populations"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("metric", "to", "expected"),
    [
        ("distance_to", [96, 50], [9, 6]),
        ("path_error", sm.Path([[96, 0], [96, 60]]), [9, 6]),
        ("outside", sm.Polygon([[92, 40], [107, 40], [107, 60], [92, 60]]), [1, 0]),
    ],
)
def test_distances_and_regions_reach_over_the_seam_of_a_torus(metric, to, expected):
    world = sm.World(domain=sm.Torus([100, 100]))
    world.add(sm.Vehicles([[5, 50], [90, 50]]), name="a")
    world.watch("a", metric, to=to)
    told = colors_by(world, f"a.{metric}", {})
    assert [told["low"], told["high"]] == [min(expected), max(expected)]
    values = np.frombuffer(base64.b64decode(told["populations"]["a"]["values"]["f32"]), np.float32)
    assert values.tolist() == [float(each == max(expected)) for each in expected]


@pytest.mark.parametrize(
    ("masses", "low", "high", "parts"),
    [
        (([1, 2], [5, 3]), 1, 5, {"a": [0, 0.25], "b": [1, 0.5]}),
        (([0.25, 0.5], [0.375, 0.25]), 0.25, 0.5, {"a": [0, 1], "b": [0.5, 0]}),
        (([2, 2], [2, 2]), 2, 2, {"a": [0, 0], "b": [0, 0]}),
        (([], []), 0, 1, {}),
    ],
)
def test_colors_run_from_the_smallest_number_of_all_populations_to_the_largest(masses, low, high, parts):
    world = sm.World()
    for name, each in zip("ab", masses, strict=True):
        world.add(sm.Vehicles(np.zeros((len(each), 2)), mass=each), name=name)
    told = colors_by(world, "mass", {})
    assert (told["low"], told["high"]) == (low, high)
    values = {name: base64.b64decode(each["values"]["f32"]) for name, each in told["populations"].items()}
    assert {name: np.frombuffer(each, np.float32).tolist() for name, each in values.items()} == parts


def test_forces_are_colored_as_parts_of_the_largest_that_a_vehicle_can_make():
    world = sm.World(threads=1)
    push = np.array([[1.0, 0], [0, 3], [0, 0]])
    world.add(sm.Vehicles(np.zeros((3, 2)), max_force=[4, 1, 0], max_speed=9), name="a", steering=lambda _: push)
    told = colors_by(world, "force", {"a": world.explain("a")})
    assert (told["low"], told["high"]) == (0, 1)
    values = base64.b64decode(told["populations"]["a"]["values"]["f32"])
    assert np.frombuffer(values, np.float32).tolist() == [0.25, 1, 0]
