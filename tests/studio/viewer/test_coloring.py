"""Colors by a number: which populations have one."""

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
