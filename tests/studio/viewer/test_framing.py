"""The camera that frames the explained vehicle and what it steers by. Run by Node, without a browser."""

import json

import numpy as np
import pytest
from studio.viewer.node import said

WIDE, HIGH = 930, 535
LONG = 2.0
"""The size of the picture [pixels], and the length of the vehicle [m]."""

SCENE = {
    "name": "one", "dimensions": 2, "low": [-100, -60], "high": [100, 60], "middle": [0, 0], "reach": 120,
    "azimuth": -60, "elevation": 25, "ground": None, "close_up": 0, "limited": True,
}  # fmt: skip
SOLID = {**SCENE, "dimensions": 3, "low": [-100, -60, 0], "high": [100, 60, 80], "middle": [0, 0, 40]}


def seen(own, targets, deeds="", *, rings=(), notes=(), lines=(), means="", scene=SCENE, size=(WIDE, HIGH), crowd=()):
    """The scale in the middle, and where the vehicle and its targets are in the picture, after the opening and some deeds.

    Deeds know the camera (it), the framing, the stage, `go(seconds, place, targets)`.
    """
    ring, note = (
        [[x + r * np.cos(a), y + r * np.sin(a)] for x, y, r in each for a in np.linspace(0, 2 * np.pi, 40)]
        for each in (rings, notes)
    )
    noted = [{"kind": "lines", "counts": [40] * len(notes), "points": np.ravel(note).tolist()}] if notes else []
    return said(f"""(() => {{
        const it = camera.cameraOf({json.dumps(scene)});
        it.resize({size[0]}, {size[1]});
        let now = 0;
        globalThis.performance = {{ now: () => now }};
        let at = {json.dumps(own)};
        const body = () => ({{ n: 1, id: [7], position: at, size: [{LONG}] }});
        const crowd = {{ n: {len(crowd)}, position: {json.dumps(np.ravel(crowd).tolist())}, size: [], id: [] }};
        const drawn = (places) => [
            {{ kind: "marks", position: Float32Array.from(places.flat()) }},
            {{ kind: "lines", means: "{means}",
                counts: {json.dumps([40] * len(rings))}, points: {json.dumps(np.ravel(ring).tolist())} }},
            {{ kind: "lines", means: "{means}", counts: {json.dumps([2] * len(lines))},
                points: {json.dumps(np.ravel(lines).tolist())} }}];
        const stage = {{ camera: it, scene: {json.dumps(scene)}, selected: {{ population: "a", id: 7 }},
            after: {{ populations: {{ get a() {{ return body(); }}, crowd }} }}, sizes: ({{ size }}) => size,
            placeOf: () => at, following: true, dirty: false, count: {1 + len(crowd)},
            extra: new Map([["why", {{ elements: drawn({json.dumps(targets)}), make: () => [] }}]]),
            noted: {json.dumps(noted)} }};
        const it_frames = new framing.Framing(stage);
        let targets = {json.dumps(targets)};
        it_frames.open(at);
        const scales = [];
        const go = (seconds, place = at, others = targets) => {{
            [at, targets] = [place, others];
            stage.extra.get("why").elements = drawn(others);
            for (let k = 0; k < 60 * seconds; k++) {{
                now += 1000 / 60;
                it_frames.follow(at);
                scales.push(it.meter(it.middle));
            }}
        }};
        {deeds}
        return {{ scale: it.meter(it.middle), own: camera.onScreen(it, at), scales,
            notes: {json.dumps(note)}.map((each) => camera.onScreen(it, each)),
            targets: targets.map((each) => camera.onScreen(it, each)), touched: it.touched ?? null, dirty: stage.dirty }};
    }})()""")


def inside(place, room=40):
    """Whether a place is in the picture, away from its border."""
    return room <= place[0] <= WIDE - room and room <= place[1] <= HIGH - room


@pytest.mark.parametrize(
    ("low", "high", "wanted", "found"),
    [
        (0, 10, 5.5, 5),  # The picture is 46.5 m wide: of a world that is smaller the middle is in the middle.
        (0, 10, 90, 5),
        (-15, 85, 5, 8.25),  # Of one that is larger no border is seen.
        (-75, 25, 5, 1.75),
        (-100, 100, 5, 5),
    ],
)
@pytest.mark.parametrize("axis", [0, 1])
def test_the_picture_is_in_the_middle_of_a_small_world_and_within_a_large_one(low, high, wanted, found, axis):
    box = {"low": [5, 5], "high": [5, 5]}
    subject = {"own": [5, 5], "long": 0.1, "near": box, "wide": box}
    picture = {"width": WIDE, "height": WIDE, "world": {"low": [low, low], "high": [high, high]}}
    middle = said(f"framing.middleOf({wanted}, 20, {json.dumps(subject)}, {json.dumps(picture)}, {axis})")
    assert middle == pytest.approx(found)


@pytest.mark.parametrize("targets", [[[25, 4]], [[-12, -9], [20, 0]], [[0, 18]], [[-30, 0]]])
def test_the_vehicle_and_its_targets_are_in_the_picture_and_large(targets):
    found = seen([2, 1], targets)
    assert 18.5 <= found["scale"] * LONG <= 72
    assert all(inside(each) for each in [found["own"], *found["targets"]])


def test_a_vehicle_with_nothing_around_is_large_and_in_the_middle():
    found = seen([2, 1], [])
    assert found["scale"] * LONG == pytest.approx(72)
    np.testing.assert_allclose(found["own"], [WIDE / 2, HIGH / 2], atol=60)


@pytest.mark.parametrize(("wide", "long"), [(20, LONG * HIGH / 20), (100, 32)])
def test_a_scene_says_how_wide_the_picture_is_but_the_vehicle_is_seen(wide, long):
    found = seen([2, 1], [[40, 0]], scene={**SCENE, "close_up": wide})
    assert found["scale"] * LONG == pytest.approx(long)


@pytest.mark.parametrize("targets", [[[60, 0]], [[60, 0], [70, 5]]])
def test_where_a_scene_says_how_wide_the_picture_is_a_goal_beyond_it_does_not_push_the_vehicle_aside(targets):
    found = seen([0, 0], targets, scene={**SCENE, "close_up": 20})
    assert 0.3 * WIDE < found["own"][0] < 0.45 * WIDE, "it stands back a little, to the side away from its goal"
    near = seen([0, 0], [[8, 0]], scene={**SCENE, "close_up": 20})
    assert all(inside(each) for each in [near["own"], *near["targets"]])


def test_where_a_scene_says_how_wide_the_picture_is_the_crowd_is_seen_rather_than_the_space_before_the_goal():
    crowd = [[-2 - k % 4, k / 4 - 2] for k in range(16)]
    alone, among = (seen([0, 0], [[60, 0]], scene={**SCENE, "close_up": 20}, crowd=some) for some in ([], crowd))
    assert alone["own"][0] < WIDE / 2 < among["own"][0] < 0.7 * WIDE
    few, far = crowd[:5], [[x - 60, y] for x, y in crowd]
    for some in (few, far):
        assert seen([0, 0], [[60, 0]], scene={**SCENE, "close_up": 20}, crowd=some)["own"] == alone["own"]
    usual = [seen([0, 0], [[60, 0]], crowd=some)["own"] for some in ([], far)]
    assert usual[0][0] == pytest.approx(usual[1][0], abs=40), "elsewhere a crowd only makes it smaller"


@pytest.mark.parametrize("solid", [False, True])
def test_a_vehicle_is_drawn_smaller_where_there_are_many(solid):
    near = {"low": [0, 0], "high": [0, 0]}
    subject = {"own": [0, 0], "long": 2, "near": near, "far": None, "wide": near}
    picture = {"width": WIDE, "height": HIGH, "whole": 1, "solid": solid, "world": None}
    scales = said(f"""[1, 10, 1000].map((many) =>
        framing.scaleOf({json.dumps(subject)}, {{ ...{json.dumps(picture)}, many }}))""")
    assert scales == sorted(scales, reverse=True)
    assert 2 * scales[0] > 1.5 * 2 * scales[2] > 45


def test_rings_are_seen_whole_where_there_is_room_for_them():
    alone = seen([0, 0], [[10, 0]])["scale"]
    small = seen([0, 0], [[10, 0]], rings=[[0, 0, 14]])["scale"]
    large = seen([0, 0], [[10, 0]], rings=[[0, 0, 80]])["scale"]
    assert small < alone
    assert 28 * small <= HIGH
    assert large * LONG == pytest.approx(58)


def test_the_range_around_the_vehicle_may_reach_out_of_the_picture_but_other_rings_not():
    """Where it is seen whole only if the vehicle is shorter than 54 pixels; a smaller one is seen, and one of little more."""
    alone = seen([0, 0], [[10, 0]])["scale"]
    for at, radius, same in (([0, 0], 8, False), ([0, 0], 9, True), ([0, 6], 13, False)):
        found = seen([0, 0], [[10, 0]], rings=[[*at, radius]], means="how far it looks")["scale"]
        assert (found == pytest.approx(alone)) == same
        if not same:
            assert (HIGH - 96) / (2 * radius + at[1]) <= found <= HIGH / (2 * radius)


@pytest.mark.parametrize(
    ("at", "radius", "whole"),
    [([0, 9], 2, True), ([0, 25], 2, False), ([0, 6], 6, False)],
    ids=["near", "far", "large"],
)
def test_a_ring_of_a_note_is_seen_where_there_is_room_for_it(at, radius, whole):
    """One around a vehicle; not one around a place, which is larger."""
    found = seen([0, 0], [[4, 0]], notes=[[*at, radius]])
    assert all(inside(each, 30) for each in found["notes"]) == whole


def test_what_a_vehicle_reacts_to_is_in_the_picture_by_its_ring_alone():
    """Whole where there is room for all rings, but also where there is none."""
    large = seen([0, 0], [[4, 0]], rings=[[0, 8, 6]], means="neighbors and obstacles that count")
    assert large["own"][1] - 14 * large["scale"] > 20
    rings = [[0, 12, 1], [0, -80, 1]]
    found = seen([0, 0], [[4, 0]], rings=rings, means="neighbors and obstacles that count")
    assert found["scale"] * LONG > 30
    assert found["own"][1] - 12 * found["scale"] > 20


def test_helper_lines_do_not_widen_the_picture():
    """Such as a whole round, or how far ahead it looks; lines to goals do. But the vehicle stands back from them."""
    for means, widens in (("construction", False), ("how far it looks", False), ("where to go", True)):
        found = seen([0, 0], [[10, 0]], lines=[[[0, 0], [60, 0]]], means=means)
        assert (found["scale"] < seen([0, 0], [[10, 0]])["scale"]) == widens
    aside = [seen([0, 0], [[2, 0]], lines=each, means="construction")["own"][0] for each in ([], [[[0, 0], [60, 0]]])]
    assert aside[1] < aside[0] - 0.1 * WIDE


def test_what_is_to_be_seen_comes_back_to_the_middle_calmly():
    """Where the vehicle has gone aside among places that stay, as in a picture of which half is empty."""
    targets = [[0, 4], [4, -4]]
    found = seen([-1, 0], targets, "it_frames.offset = [-9, 0, 0]; go(8);")
    middle = (np.min([found["own"], *found["targets"]], axis=0) + np.max([found["own"], *found["targets"]], axis=0)) / 2
    assert abs(middle[0] - WIDE / 2) <= 0.061 * WIDE
    early = seen([-1, 0], targets, "it_frames.offset = [-9, 0, 0]; go(0.05);")
    assert early["own"][0] - found["own"][0] > 100


def test_what_is_too_far_away_is_left_out_and_the_vehicle_stands_back_from_it():
    found = seen([-80, 0], [[95, 0]])
    assert found["scale"] * LONG == pytest.approx(72)
    assert 100 < found["own"][0] < WIDE / 3


def test_a_crowd_of_places_of_one_kind_does_not_widen_the_picture():
    """Of many the nearest four count; what lies farther away widens it where it is alone."""
    marks = [[3 + x, 1] for x in range(4)]
    many, few = (seen([0, 0], [*marks, *far])["scale"] for far in ([[60, 20]], []))
    assert many == few
    assert seen([0, 0], [marks[0], [60, 20]])["scale"] < few


def test_no_border_of_the_world_is_seen_without_need():
    x, y = seen([97, 57], [])["own"]
    assert x > WIDE - 170
    assert y < 160


def test_nothing_is_nearer_than_the_whole_where_the_world_is_small():
    scene = {**SCENE, "low": [-10, -6], "high": [10, 6]}
    found = seen([2, 1], [], scene=scene)
    assert not found["touched"]


@pytest.mark.parametrize(("scene", "away"), [(SCENE, 72), (SOLID, 44)], ids=["flat", "solid"])
def test_it_widens_soon_comes_nearer_calmly_and_then_stands_still(scene, away):
    space = [[], [5.0]][len(scene["low"]) - 2]
    own, near, far = [0, 0, *space], [[6, 0, *space]], [[away, 14, *space]]
    found = seen(own, near, f"go(1.5, at, {far}); stage.dirty = false; go(0.1);", scene=scene)
    assert all(inside(each, 20) for each in [found["own"], *found["targets"]])
    assert np.all(np.diff(found["scales"]) <= 1e-9)
    assert np.abs(np.diff(np.log(found["scales"]))).max() < 0.06
    later = seen(own, far, f"go(8, at, {near}); stage.dirty = false; go(0.1);", scene=scene)
    assert later["scales"][30] < 0.95 * later["scale"]
    assert np.all(np.diff(later["scales"]) >= -1e-9)
    assert not later["dirty"]


def test_it_does_not_pump_with_a_target_that_comes_and_goes():
    turns = "".join(f"go(0.3, at, [[{44 + 4 * (k % 2)}, 0]]);" for k in range(12))
    found = seen([0, 0], [[50, 0]], turns)
    assert len(np.unique(np.round(found["scales"], 9))) == 1
    assert found["scale"] * LONG < 36


def test_it_goes_along_without_a_lag_and_the_own_zoom_ends_the_rest():
    deeds = "go(0.5); it.zoom(0.5, 200, 100); it_frames.release(); const held = camera.onScreen(it, at);"
    found = seen([0, 0], [[10, 0]], deeds + "go(1, [20, 5], [[60, 5]]); at.held = held;")
    assert found["scales"][-1] == pytest.approx(found["scales"][0] / 2)
    kept = seen([0, 0], [[10, 0]], deeds)
    np.testing.assert_allclose(found["own"], kept["own"], atol=1e-6)


def test_another_vehicle_is_not_jumped_at():
    found = seen([0, 0], [[10, 0]], "stage.selected = { population: 'a', id: 7.5 }; stage.selected.id = 7;"
                 "it_frames.vehicle = 'another'; const was = [...it.middle]; now += 16; it_frames.follow([at[0] + 3, at[1]]);"
                 "scales.push(Math.hypot(it.middle[0] - was[0], it.middle[1] - was[1]));")  # fmt: skip
    assert found["scales"][-1] < 0.5


def test_the_frame_of_a_limited_world_goes_around_it():
    frame = said("(({ kind, points, counts }) => ({ kind, points: [...points], counts }))"
                 "(stage.frameOf({ low: [1, 2], high: [5, 9] }))")  # fmt: skip
    assert frame == {"kind": "lines", "points": [1, 2, 5, 2, 5, 9, 1, 9, 1, 2], "counts": [5]}


@pytest.mark.parametrize("close_up", [0, 40])
@pytest.mark.parametrize("seed", range(8))
def test_a_picture_that_opens_stays_where_it_is_while_nothing_moves(seed, close_up):
    """Wherever the vehicle and its targets are, and however the world and the words hold the picture."""
    rng = np.random.default_rng(seed)
    own = rng.uniform([-95, -55], [95, 55]).round(1)
    targets = (own + rng.normal(scale=25, size=(3, 2))).round(1).tolist()
    rings = [[*(own + rng.normal(scale=9, size=2)).round(1), 4.0]]
    scene = {**SCENE, "close_up": close_up}
    opened, later = (seen(own.tolist(), targets, deed, rings=rings, scene=scene) for deed in ("", "go(3);"))
    np.testing.assert_allclose(later["own"], opened["own"], atol=0.1)
    assert later["scale"] == pytest.approx(opened["scale"], rel=1e-3)
