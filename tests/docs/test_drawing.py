"""The pages on drawing and on scenarios: their code runs, and their tables are whole."""

import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot

import steersman as sm
from steersman.scenarios.spawning import SHAPES

DOCS = Path(__file__).parents[2] / "docs"


def test_the_code_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rocks, path = sm.Spheres([20, 20], 4), sm.Path([[0, 0], [40, 40]], radius=2)
    world, home = sm.World(domain=sm.Box([50, 50])), [5, 5]
    place = np.random.default_rng(0).uniform(0, 50, (10, 2))
    world.add(
        sm.Vehicles(place, max_speed=4, max_force=9), name="boids", steering=sm.AvoidObstacles(rocks) + sm.Wander()
    )
    for name in ("cars", "sheep"):
        world.add(sm.Vehicles(place[:3]), name=name)
    names = {
        "world": world, "rocks": rocks, "path": path, "road": path, "home": home, "goal": (9, 9), "sm": sm, "plt": pyplot,
        "axes": pyplot.figure().subplots(),
    }  # fmt: skip
    for block in re.findall(r"```python\n(.*?)```", (DOCS / "drawing.md").read_text(encoding="utf-8"), re.DOTALL):
        exec(block, names)
    pyplot.close("all")
    assert (tmp_path / "flock.png").stat().st_size > 10_000
    assert len(world.meters["boids.polarization"].values) == 81
    assert world.meters["sheep.at_home"].now > 0


@pytest.mark.parametrize("shape", SHAPES)
def test_every_spawn_shape_is_told(shape):
    about = re.search(rf"^\| `{shape}` \|.*$", (DOCS / "scenarios.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert about
    own = set(SHAPES[shape].__dataclass_fields__) - {"center"}
    assert all(f"`{name}`" in about[0] for name in own)


def test_no_kind_stands_for_itself_in_the_tables():
    page = (DOCS / "behaviors.md").read_text(encoding="utf-8")
    assert not re.findall(r"\| an? \w*s(?: or None)? \|", page)
