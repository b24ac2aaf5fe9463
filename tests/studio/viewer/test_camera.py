"""The page's cameras: what is below the pointer stays there. Run by Node, without a browser."""

import json

import pytest
from studio.viewer.node import said

SCENE = json.dumps({
    "dimensions": 2, "low": [-10, 0], "high": [30, 20], "middle": [10, 10],
    "reach": 25, "azimuth": -60, "elevation": 25,
})  # fmt: skip
SOLID = json.dumps({**json.loads(SCENE), "dimensions": 3, "middle": [10, 10, 5]})


def shown(scene, deeds):
    """Where the pixel (300, 100) lies before and after some deeds, and where it comes to be, of 800 x 600 pixels."""
    return said(f"""(() => {{
        const it = camera.cameraOf({scene});
        it.resize(800, 600);
        const before = it.place(300, 100);
        {deeds}
        return [before, it.place(300, 100), camera.onScreen(it, before)]; }})()""")


@pytest.mark.parametrize("scene", [SCENE, SOLID], ids=["flat", "solid"])
def test_a_place_is_on_the_screen_where_it_was_asked_for(scene):
    assert shown(scene, "")[2] == pytest.approx([300, 100])


@pytest.mark.parametrize("scene", [SCENE, SOLID], ids=["flat", "solid"])
def test_panning_takes_the_place_along(scene):
    assert shown(scene, "it.pan(50, -30);")[2] == pytest.approx([350, 70], abs=1e-3)


def test_zooming_keeps_the_place_below_the_pointer():
    before, after, place = shown(SCENE, "it.zoom(3, 300, 100);")
    assert after == pytest.approx(before)
    assert place == pytest.approx([300, 100])


def test_following_puts_it_into_the_middle():
    for scene, at in ((SCENE, "[7, 3]"), (SOLID, "[7, 3, 1]")):
        found = said(f"""(() => {{ const it = camera.cameraOf({scene});
            it.resize(800, 600); it.follow({at}); return camera.onScreen(it, {at}); }})()""")
        assert found == pytest.approx([400, 300])


def test_a_mesh_is_round_and_wide_enough():
    found = said("[0.5, 2, 9.1, 30, 90, 100, 1000].map((scale) => camera.meshOf({ scale }))")
    assert found == pytest.approx([200, 50, 10, 5, 1, 1, 0.1])
