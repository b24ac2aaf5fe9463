"""The page's cameras: what is below the pointer stays there. Run by Node, without a browser."""

import json

import numpy as np
import pytest
from studio.viewer.node import said

SCENE = json.dumps({
    "dimensions": 2, "low": [-10, 0], "high": [30, 20], "middle": [10, 10],
    "reach": 25, "azimuth": -60, "elevation": 25, "ground": None,
})  # fmt: skip
SOLID = json.dumps({**json.loads(SCENE), "dimensions": 3, "middle": [10, 10, 5]})


def shown(scene, deeds):
    """Where the pixel (300, 100) lies before and after some deeds, and where it comes to be, of 800 x 600 pixels, as either
    function says."""
    return said(f"""(() => {{
        const it = camera.cameraOf({scene});
        it.resize(800, 600);
        const before = it.place(300, 100);
        {deeds}
        return [before, it.place(300, 100), camera.onScreen(it, before), camera.screen(it)(before)]; }})()""")


@pytest.mark.parametrize("scene", [SCENE, SOLID], ids=["flat", "solid"])
def test_a_place_is_on_the_screen_where_it_was_asked_for(scene):
    assert shown(scene, "")[2] == pytest.approx([300, 100])


@pytest.mark.parametrize("scene", [SCENE, SOLID], ids=["flat", "solid"])
def test_panning_takes_the_place_along(scene):
    for place in shown(scene, "it.pan(50, -30);")[2:]:
        assert place == pytest.approx([350, 70], abs=1e-3)


def test_zooming_keeps_the_place_below_the_pointer():
    before, after, place, _ = shown(SCENE, "it.zoom(3, 300, 100);")
    assert after == pytest.approx(before)
    assert place == pytest.approx([300, 100])


def test_following_puts_it_into_the_middle():
    for scene, at in ((SCENE, "[7, 3]"), (SOLID, "[7, 3, 1]")):
        found = said(f"""(() => {{ const it = camera.cameraOf({scene});
            it.resize(800, 600); it.follow({at}); return camera.onScreen(it, {at}); }})()""")
        assert found == pytest.approx([400, 300])


def sees(scene, deeds, points):
    """By how much points, pixels of 800 x 600, are within each of the planes of the view after some deeds; or None."""
    return said(f"""(() => {{
        const it = camera.cameraOf({scene});
        it.resize(800, 600);
        {deeds}
        const planes = camera.planesOf(it);
        const within = (place) => planes.map((plane) =>
            plane.at(-1) + place.reduce((sum, each, c) => sum + (c < plane.length - 1 ? each * plane[c] : 0), 0));
        return planes && {json.dumps(points)}.map(([x, y]) => within(it.place(x, y))); }})()""")


@pytest.mark.parametrize(
    ("scene", "nearer"), [(SCENE, "it.zoom(5, 300, 100);"), (SOLID, "it.zoom(5); it.drag(40, 10);")]
)
def test_the_view_is_the_picture_and_a_half_of_its_half_around_it(scene, nearer):
    assert sees(scene, "", [[0, 0]]) is None
    within = [[0, 0], [799, 599], [-190, 0], [400, 740], [990, -140]]
    without = [[-210, 300], [1010, 300], [400, -160], [400, 760]]
    found = sees(scene, nearer, within + without)
    assert all(min(each) > 0 for each in found[: len(within)])
    assert [int(np.argmin(each)) for each in found[len(within) :]] == [0, 1, 3, 2]
    assert all(min(each) < 0 for each in found[len(within) :])


def test_where_shadows_lie_on_the_ground_everything_is_seen():
    assert sees(json.dumps({**json.loads(SOLID), "ground": 0}), "it.zoom(5);", [[0, 0]]) is None


def test_everything_is_seen_above_the_legend():
    """The lower corners are 58 pixels or more above the border; the margins above and below that are alike."""
    low, high = said(f"""(() => {{ const it = camera.cameraOf({SCENE}); it.resize(500, 600);
        it.scene.high[1] = 100; it.scene.middle[1] = 50; it.fit();
        return [[-10, 0], [30, 100]].map((at) => camera.onScreen(it, at)); }})()""")
    assert 600 - low[1] == pytest.approx(58 + high[1])
    assert 0 < high[1] < 26
    assert low[0] + high[0] == pytest.approx(500)


def test_lines_between_those_of_the_grid_are_round_too():
    """Their distances are 1, 2 or 5 times a power of ten, and at least 15 pixels."""
    for scale in (0.003, 0.5, 2, 9.1, 22, 30, 45, 90, 100, 1000):
        mesh, parts = said(f"[camera.meshOf({{ scale: {scale} }})].flatMap((mesh) => [mesh, camera.partsOf(mesh)])")
        step = mesh / parts
        assert np.round(step / 10.0 ** np.floor(np.log10(step) + 1e-9), 6) in (1, 2, 5)
        assert parts > 1
        assert step * scale >= 15


def test_a_mesh_is_round_and_wide_enough():
    found = said("[0.5, 2, 9.1, 30, 90, 100, 1000].map((scale) => camera.meshOf({ scale }))")
    assert found == pytest.approx([200, 50, 10, 5, 1, 1, 0.1])
