"""What the page makes of what it is told: plots, colors, trees, arrows, handles. Run by Node, without a browser."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from studio.viewer.node import said

from steersman.core.maths.shapes import ROLES, Circle, Line, Sector, Shape
from steersman.drawing.sketches import as_lines


def test_a_plot_begins_anew_when_time_goes_back():
    """After a reset, the readings of the run before are no part of the line."""
    code = """(() => {
        const meter = { points: [], canvas: {}, now: {} };
        const panel = { box: {}, meters: new Map([["a", meter]]) };
        const told = [0, 1, 2, 2, 0, 1].map((time) => {
            plots.Plots.prototype.show.call(panel, { time, meters: { a: ["m", 10 + time] } });
            return meter.points.length;
        });
        const last = [11, null].map((value) => {
            plots.Plots.prototype.show.call(panel, { time: 1, meters: { a: ["m", value] } });
            return meter.now.textContent;
        });
        return [told, meter.points, last]; })()"""
    assert said(code) == [[1, 2, 3, 3, 1, 2], [[0, 10], [1, 11]], ["11 m", "\u2013"]]  # What is no number has none.


def test_colors_that_are_not_asked_for_any_more_are_not_shown():
    code = """(() => {
        const stage = { colorBy: "mass", uploads: 0, upload() { this.uploads++; } };
        const legend = { replaceChildren() {} };
        const told = { low: 0, high: 1, populations: { a: { ids: [3], values: [0.5] } } };
        const panel = { stage, legend, ramp: () => "" };
        return ["radius", "mass"].map((by) => {
            colors.Colors.prototype.heard.call(panel, { ...told, by });
            return [stage.uploads, stage.numbers ? [...stage.numbers.a] : null];
        }); })()"""
    assert said(code) == [[0, None], [1, [[3, 0.5]]]]


def test_the_parameters_of_parts_and_of_conditions_are_refreshed():
    code = """(() => {
        const shown = [];
        const names = ["a 1 x", "a 2 x", "a 3 x", "b 3 x"];
        const rows = new Map(names.map((key) => [key, ({ value }) => shown.push([key, value])]));
        const none = { children: [], conditions: [] };
        const node = (key, about) => ({ key, parameters: [{ name: "x", value: key }], ...none, ...about });
        const root = node(1, { children: [node(2)], conditions: [node(3)] });
        tree.Trees.prototype.refresh.call({ rows }, [{ name: "a", tree: root }, { name: "c", tree: null }]);
        return shown; })()"""
    assert said(code) == [["a 1 x", 1], ["a 2 x", 2], ["a 3 x", 3]]


@pytest.mark.parametrize("d", [2, 3])
def test_of_many_vehicles_some_have_the_arrows_of_their_own_velocities(d):
    """Of 8,001 every third one, with the place and the velocity of its row."""
    code = f"""(() => {{
        const [n, d] = [8001, {d}];
        const id = new Float32Array(n).map((_, k) => 5 * k);
        const velocity = new Float32Array(n * d).map((_, k) => 1 + Math.floor(k / d));
        const stage = {{
            scene: {{ dimensions: d, reach: 1, populations: [{{ name: "a", max_speed: 0.07 }}] }}, painter: {{ dark: true }},
            after: {{ populations: {{ a: {{ n, id, velocity }} }} }},
            placesOf: (_, ids) => new Float32Array(ids.length * d).map((_, k) => -ids[Math.floor(k / d)]),
        }};
        const [arrows] = populations.Populations.prototype.velocities.call({{ stage }});
        return [0, 1, 2].map((k) => [arrows.tails[d * k], arrows.tips[d * k] - arrows.tails[d * k]]); }})()"""
    assert said(code) == [[0, 1], [-15, 4], [-30, 7]]


def test_what_lies_across_a_seam_is_found_at_each_of_its_images():
    """A rock that is drawn at one border is taken at the other one, too; also at the corners."""
    code = """(() => {
        const scene = { dimensions: 2, low: [0, 0], high: [40, 20], middle: [20, 10], reach: 25, period: [40, 20],
            ground: null };
        const it = camera.cameraOf(scene);
        it.resize(800, 600);
        const rock = (id, place) => ({ id, place, home: place, reach: 1, elements: [{ kind: "areas", face: true,
            counts: [4], points: new Float32Array([[-1, -1], [1, -1], [1, 1], [-1, 1]].flatMap(([x, y]) =>
                [place[0] + x, place[1] + y])) }] });
        const handles = [rock("low", [0.3, 0.3]), rock("high", [39.7, 12]), rock("top", [20, 19.7])];
        const at = (place) => grasp.Grasp.prototype.at.call({ stage: { camera: it, scene, layers: { scenery: true } },
            handles }, ...camera.onScreen(it, place))?.id ?? null;
        return [[0.3, 0.3], [39.9, 0.3], [0.3, 19.9], [39.9, 19.9], [39.7, 12], [0.2, 12], [20, 19.7], [20, 0.2], [9, 9]
            ].map(at); })()"""
    assert said(code) == ["low", "low", "low", "low", "high", "high", "top", "top", None]


def test_in_space_what_is_nearer_is_taken_before_what_is_behind_it():
    code = """(() => {
        const scene = { dimensions: 3, low: [0, 0, 0], high: [60, 60, 60], middle: [30, 30, 30], reach: 50, azimuth: 20,
            elevation: 9, period: [0, 0, 0] };
        const it = camera.cameraOf(scene);
        it.resize(800, 600);
        const beyond = (part) => scene.middle.map((each, k) => each + part * (each - it.eye[k]));
        const ball = (id, place) => ({ id, place, home: place, reach: 1, elements: [{ kind: "glyphs", size: [2],
            position: new Float32Array(place) }] });
        const balls = [ball("far", beyond(0.3)), ball("near", beyond(-0.3)), ball("middle", beyond(0))];
        const first = (handles) => grasp.Grasp.prototype.at.call({ stage: { camera: it, scene, layers: { scenery: true } },
            handles }, ...camera.onScreen(it, scene.middle))?.id;
        return [first(balls), first([...balls].reverse()), first([balls[0], balls[2]]), first([balls[0]])]; })()"""
    assert said(code) == ["near", "near", "middle", "far"]


def test_a_speed_is_that_of_the_vehicle_itself_or_of_its_way_between_two_frames():
    code = """(() => {
        const bodies = (position, velocity) => ({ n: 2, position: Float32Array.from(position), velocity });
        const [was, now] = [bodies([1, 0, 0, 5]), bodies([9, 0, 0, 8])]; // The first crosses a seam.
        const it = { colorBy: "speed", scene: { period: [10, 0] } };
        const speeds = (from, to, dt) => [...stage.Stage.prototype.values.call(it, "a", from, to, dt, 4)];
        const told = bodies([1, 0, 0, 5], Float32Array.of(0, 4, 0, -2));
        return [speeds(was, now, 0.5), speeds(told, told, 0), speeds(now, now, 0)]; })()"""
    assert said(code) == [[1, 1.5], [1, 0.5], [0, 0]]


@pytest.mark.parametrize("dimensions", [2, 3])
def test_a_hand_moves_both_cameras_and_zooms_no_farther_than_numbers_reach(dimensions):
    code = f"""(() => {{
        const [low, high] = [[0, 0, 0], [60, 60, 60]];
        const scene = {{ low, high, middle: [30, 30, 30], reach: 50, dimensions: {dimensions}, azimuth: 0, elevation: 9 }};
        const both = [0, 1].map(() => ({{ camera: camera.cameraOf(scene), framing: {{ release() {{}} }} }}));
        for (const each of both) each.camera.resize(800, 600);
        const size = ({{ camera: it }}) => it.meter(it.middle) / it.whole;
        const zoomed = (factor) => {{
            for (let k = 0; k < 400; k++) stage.Stage.prototype.move.call({{ both }}, "zoom", factor, 300, 200);
            return both.map(size);
        }};
        return [zoomed(1.25), zoomed(0.8), zoomed(1)]; }})()"""
    (near, other), far, stays = said(code)
    assert 100 < near == other < 1e6
    assert 0 < far[0] < 1
    assert stays == far


def test_a_notice_that_is_repeated_is_shown_as_long_as_a_new_one():
    code = """(() => {
        const [timers, before] = [[], root.page.root];
        globalThis.setTimeout = (ring) => timers.push(ring);
        globalThis.clearTimeout = (number) => delete timers[number - 1];
        globalThis.document = { createElement: () => ({ style: {}, append() {} }) };
        let lines = 0;
        const box = { classList: { toggle() {} }, replaceChildren(...all) { lines = all.length; } };
        root.page.root = { getElementById: () => box };
        notices.notice("no");
        notices.notice("no");
        const shown = timers.map((ring) => (ring?.(), lines));
        root.page.root = before;
        return [0, 1].map((k) => shown[k] ?? 1); })()"""
    assert said(code) == [1, 0]


def test_a_tour_tells_the_numbers_of_a_behavior_in_the_units_of_the_panel():
    """And none that is infinite."""
    values = [("range", "m", 4), ("angle", "rad", np.pi / 2), ("turn", "rad/s", np.pi), ("max_force", "N", "inf")]
    about = [{"name": name, "unit": unit, "value": value, "control": "number"} for name, unit, value in values]
    code = f"""(() => {{
        const made = () => ({{ style: {{}}, said: [], append(...it) {{ this.said.push(...it); }} }});
        globalThis.document = {{ createElement: made }};
        const [told, node] = [{{ near: [], elements: [], legend: [] }}, {{ key: 1, evaluated: true }}];
        const lines = tour.Tour.prototype.sees.call(null, told, node, {{ parameters: {json.dumps(about)} }});
        return lines.at(-1).said.map(({{ said }}) => said[0]); }})()"""
    assert said(code) == ["range 4 m", "angle 90\u00b0", "turn 180\u00b0/s"]


def test_what_is_held_and_is_gone_is_held_no_more():
    code = """(async () => {
        const asked = [];
        const stage = { decorate() {}, layers: {}, camera: { place: (x, y) => [x, y] } };
        const hand = new grasp.Grasp(stage, async (id, place) => asked.push([id, place]));
        const thing = { id: "rock", place: [1, 2], elements: [] };
        hand.show({ handles: [thing] });
        hand.take(hand.handles[0], 0, 0);
        hand.show({ handles: [{ ...thing, id: "tree" }] });
        hand.hold(5, 5);
        await hand.drop();
        hand.hover(hand.handles[0]);
        return [asked, hand.current?.id ?? null]; })()"""
    assert said(code) == [[], "tree"]


def test_what_is_dropped_outside_of_a_torus_is_put_into_it():
    code = """(() => {
        const stage = { scene: { low: [-5, 0], period: [10, 0] } };
        const places = [[-7, 30], [-16, -30], [5, 0], [26, 1]];
        return places.map((place) => grasp.Grasp.prototype.wrapped.call({ stage }, place)); })()"""
    assert said(code) == [[3, 30], [4, -30], [-5, 0], [-4, 1]]


def test_what_is_constant_but_for_rounding_lies_in_the_middle_and_the_rest_fills_the_plot():
    code = "[[3, 3.0000001, 2.9999999], [0, 0], [-2, 6], [1, 1.01]].map(plots.rangeOf)"
    steady, zero, wide, narrow = said(code)
    assert steady == pytest.approx([2.85, 3.15])
    assert zero == [-0.5, 0.5]
    assert wide == [-2, 6]
    assert narrow == [1, 1.01]


def test_axes_have_round_numbers():
    assert said("[[0, 10], [0.93, 1.07], [-3, 4], [12.2, 71.9]].map(([a, b]) => plots.ticksOf(a, b))") == [
        [0, 5, 10], pytest.approx([0.95, 1, 1.05]), pytest.approx([-2, 0, 2, 4]), pytest.approx([20, 40, 60])]  # fmt: skip


def test_readings_are_saved_as_a_table():
    code = """plots.tableOf(new Map([["a.speed", { unit: "m/s", points: [[0, 1], [0.5, 2], [10, 3]] }],
        ['a, "b"', { unit: "", points: [[0.5, 7], [2, 8]] }]]))"""
    assert said(code) == 'time [s],a.speed [m/s],"a, ""b"""\n0,1,\n0.5,2,7\n2,,8\n10,3,\n'


def test_words_that_two_populations_number_differently_have_a_color_each():
    code = """(() => { document.createElement = () => ({ style: {}, append() {} });
        const [stage, legend] = [{ colorBy: "mode", upload() {} }, { replaceChildren: (...all) => (legend.all = all) }];
        const about = (ids, values, names) => ({ ids: new Float32Array(ids), values: new Float32Array(values), names });
        const populations = { a: about([4, 5], [1, 0], ["flee", "graze"]), b: about([4], [0], ["hunt"]) };
        colors.Colors.prototype.heard.call({ stage, legend }, { by: "mode", populations });
        return [...Object.values(stage.numbers).map((each) => [...each]), legend.all.length]; })()"""
    assert said(code) == [[[4, 1], [5, 0]], [[4, 2]], 3]


def test_angles_are_shown_in_degrees_and_sent_in_radians():
    code = """(() => {
        const [told, way] = tree.degrees({ unit: "rad/s", control: "number", value: Math.PI, low: 0, high: 2 * Math.PI });
        const [other] = tree.degrees({ unit: "m", control: "number", value: 2 });
        return [told.unit, told.value, told.high, way(90, true) / Math.PI, way("inf", true), other.value]; })()"""
    assert said(code) == ["\u00b0/s", pytest.approx(180), pytest.approx(360), pytest.approx(0.5), "inf", 2]


def test_bars_show_what_is_asked_for_and_what_is_granted():
    """As parts of the largest, and no longer than the panel is wide."""
    cases = [
        ([3, 4], [1.5, 2], [50, 25], "5 N", True), ([3, 4], [2.94, 3.92], [50, 49], "5 N", False),
        ([30, 40], [6, 8], [100, 100], "50 N", True), ([0, 0], [0, 0], [0, 0], "0 N", False),
        ([0.03, 0.04], [0.03, 0.04], [0.5, 0.5], "about 0 N", False),
    ]  # fmt: skip
    code = f"""{json.dumps([case[:2] for case in cases])}.map(([raw, contribution]) => {{
        const node = {{ key: 1, raw, contribution, parts: [], evaluated: true, acts: true }};
        const parts = [{{ style: {{}} }}, {{ style: {{}} }}];
        const row = {{ line: {{}}, button: {{}}, force: {{}}, bar: {{}}, parts, change: {{ replaceChildren() {{}} }} }};
        const about = {{ full: 10, beside: 50, quiet: 0.1, picked: null }};
        const less = shares.Shares.prototype.fill.call({{}}, row, node, false, about);
        return [parts.map(({{ style }}) => parseFloat(style.width)), row.force.textContent, less, row.bar.hidden]; }})"""
    for (raw, _, bars, words, less), (widths, *told) in zip(cases, said(code), strict=True):
        assert widths == pytest.approx(bars)
        assert told == [words, less, raw == [0, 0]]


def parts_of(*kept: float, besides: tuple[int, ...] = ()) -> dict[str, object]:
    """A sum (key 1) of behaviors with keys 10, 11, ..., of which so much is kept, and a part that is not asked (key 99)."""
    leaf = {"label": "a", "weight": 1, "evaluated": True, "acts": True, "change": None, "parts": []}
    parts = [{**leaf, "key": 10 + k, "raw": [2 * each, 0], "contribution": [each, 0]} for k, each in enumerate(kept)]
    parts[0]["besides"] = list(besides)
    rest = {**leaf, "key": 99, "evaluated": False, "acts": False, "raw": [0, 0], "contribution": [0, 0]}
    size = [sum(kept), 0]
    tree = {**leaf, "key": 1, "raw": size, "contribution": size, "parts": [*parts, rest]}
    return {"population": "a", "id": 0, "leaf": 0, "scale": 1, "full": 10, "force": size, "max_force": 10, "tree": tree}


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ([1, 5, 0, 3, 4], [1, 11, 14, 13]),  # The three largest.
        ([5, 0.5], [1, 10]),  # A small share of the largest.
        ([5, 0.9, 4, 2, 3], [1, 10, 12, 14]),
        ([0, 0.001], [1, 10]),  # Nothing to correct: the one that decides.
    ],
)
def test_only_the_largest_parts_of_a_sum_are_drawn(kept, expected):
    """A part that asks for nothing, one that is not asked, and conditions draw nothing."""
    code = f"""(() => {{ const told = {json.dumps(parts_of(*kept, besides=(20, 21)))};
        return [...acting.drawn(told, acting.acting(told, 0.02), null)]; }})()"""
    assert sorted(said(code)) == sorted(expected)


@pytest.mark.parametrize(("picked", "expected"), [(10, [1, 10, 20, 21]), (99, [1, 99]), (1, [1, 10, 11, 20, 21, 99])])
def test_all_of_a_picked_part_is_drawn(picked, expected):
    """With its conditions, and with what is below it, whether or not that acts; the root has the velocities."""
    told = {**parts_of(5, 4, besides=(20, 21))}
    elements = [{"of": key} for key in (1, 10, 11, 20, 21, 99)]
    code = f"""(() => {{ const told = {{ ...{json.dumps(told)}, near: [], elements: {json.dumps(elements)} }};
        const panel = Object.create(why.Why.prototype);
        Object.assign(panel, {{ stage: {{ wants: () => true, layers: {{ near: true, sketch: true }} }}, picked: {picked} }});
        return panel.elements(told).map((each) => each.of); }})()"""
    assert said(code) == expected


def test_of_the_parts_of_a_behavior_that_chooses_the_one_that_it_serves_is_drawn():
    """And itself; of one that was picked all parts."""
    made = {"label": "F", "evaluated": True, "parts": [], "purpose": "go on"}
    parts = [{**made, "key": key, "contribution": [size, 0]} for key, size in ((2, 5), (3, 4))]
    tree = {**made, "key": 1, "purpose": "without hitting a rock", "contribution": [9, 0], "parts": parts}
    told = {"population": "a", "id": 0, "tree": tree, "leaf": 0, "force": [9, 0], "full": 10, "pace": 0.5}
    code = f"""(() => {{ const told = {json.dumps(told)};
        return [null, told.tree].map((picked) => [...acting.drawn(told, [acting.decider(told)], picked)].sort()); }})()"""
    assert said(code) == [[1, 2], [1, 2, 3]]


@pytest.mark.parametrize(("forward", "expected"), [([0, 1], [0, 1, 2]), ([1, 0], [0, 1])])
def test_what_a_vehicle_faces_is_drawn_where_it_goes_elsewhere(forward, expected):
    """It is in the sentence then, although a turn of the body is no force."""
    made = {"label": "F", "evaluated": True, "parts": []}
    parts = [
        {**made, "key": 1, "purpose": "win", "contribution": [5, 0]},
        {**made, "key": 2, "purpose": "face the puck", "contribution": [0, 0]},
    ]
    tree = {**made, "key": 0, "contribution": [5, 0], "parts": parts}
    told = {"population": "a", "id": 7, "tree": tree, "force": [5, 0], "full": 10, "pace": 0.5, "velocity": [4, 0]}
    told |= {"near": [], "elements": [{"of": key} for key in (0, 1, 2)]}
    code = f"""(() => {{ const panel = Object.create(why.Why.prototype);
        const column = (...numbers) => Float32Array.from([9, 9, ...numbers]);
        const bodies = {{ n: 2, id: [3, 7], position: column(0, 0), forward: column(...{forward}) }};
        const after = {{ populations: {{ a: bodies }} }};
        const stage = {{ wants: () => true, layers: {{ near: true, sketch: true }}, after }};
        Object.assign(panel, {{ stage, picked: null }});
        return panel.elements({json.dumps(told)}).map((each) => each.of); }})()"""
    assert said(code) == expected


def test_readings_before_an_instant_are_kept_where_a_run_goes_on_from_it():
    code = "plots.readingsWith([[0, 1], [0.5, 2], [1, 3]], 0.5, 7)"
    assert said(code) == [[0, 1], [0.5, 7]]


def test_of_many_readings_every_other_one_is_kept_and_the_newest():
    code = """(() => { let points = []; let most = 0;
        for (let k = 0; k < 1500; k++) {
            points = plots.readingsWith(points, k, 2 * k);
            most = Math.max(most, points.length);
            if (points.at(-1)[0] !== k) return `the reading at ${k} is gone`;
        }
        return [points[0], most]; })()"""
    assert said(code) == [[0, 0], 600]


def test_a_direction_is_told_as_the_vehicle_sees_it():
    ways = [([1, 0], [1, 0]), ([1, 0], [0, 2]), ([0, 1], [3, 0]), ([0, 1], [-1, -1]),
            ([1, 0, 0], [0, 3, 0]), ([1, 0, 0], [0, 0, -2]), ([0, 1, 0], [0, 5, 5])]  # fmt: skip
    code = f"{json.dumps(ways)}.map(([forward, way]) => tour.wayOf(way, forward, [0, 0, 1]))"
    assert said(code) == [
        "ahead", "to the left", "to the right", "backward and to the left",
        "to the left", "downward", "ahead and upward",
    ]  # fmt: skip


def test_plots_are_saved_as_lines_and_words():
    code = """(() => {
        const points = [[60, 1], [61, 3], [62, 2]];
        const meters = new Map([["a.speed<", { points, unit: "m/s" }], ["a.none", { points: [], unit: "" }]]);
        return plots.svgOf(meters, () => "#123456"); })()"""
    svg = ElementTree.fromstring(str(said(code)))
    name = "{http://www.w3.org/2000/svg}"
    words = [each.text for each in svg.iter(f"{name}text")]
    assert words[0] == "a.speed< [m/s]"
    assert {"1", "2", "3", "60 s", "62 s"} <= set(words)
    *_, line = svg.iter(f"{name}path")
    places = [tuple(map(float, each.split())) for each in re.split("[ML]", line.get("d") or "")[1:]]
    (x, low), (y, high), (z, middle) = places
    assert (y - x, low - middle) == pytest.approx((z - y, middle - high))
    assert (x, z) == (38, 474)  # From the axis to the border, however late it begins.
    assert high < low


def name(text: str, x: float, y: float = 0.0, *, force: bool = False, ring: bool = False) -> dict[str, object]:
    return {"text": text, "at": [x, y], "force": force, "ring": ring}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([name("velocity", 50), name("desired velocity", 50, 6)], ["velocity", "desired velocity"]),
        ([name("where to go", 50), name("where to go", 90)], ["where to go"]),
        ([name("predicted position", 50), name("where to go", 55)], ["predicted position"]),
        ([name("where to go", 50), name("its slot", 55), name("predicted position", 52)], ["its slot"]),
        (
            [name(f"looks {far} m far ({by})", 9 * far, 9, ring=True) for far, by in ((5, "a"), (9, "b"), (5, "c"))],
            ["looks 5 m far (a, c)", "looks 9 m far (b)"],
        ),
        (
            [name(f"looks 1e-05 m far ({by})", 99, 9, ring=True) for by in "ab"],
            ["looks 1e-05 m far"],
        ),
        ([name("velocity", 5), name("desired velocity", 0, 9), name("where to go", 3), name("rock", 20)], ["rock"]),
        ([name("steering", 40, force=True), name("Seek", 44, force=True)], ["Seek"]),
        (
            [name(text, 20 * k, force=k < 6) for k, text in enumerate("abcdefghijk")] + [name("velocity", 80)],
            ["c", "d", "e", "f", "velocity", "g", "h"],
        ),
    ],
    ids=[
        "two velocities",
        "one goal",
        "two marks",
        "three marks",
        "rings",
        "small rings",
        "too short",
        "one force",
        "many",
    ],
)
def test_names_of_an_explanation_are_few_and_of_arrows_that_can_be_told_apart(names, expected):
    assert said(f"names.chosen({json.dumps(names)}, [0, 0]).map(({{ text }}) => text)") == expected


@pytest.mark.parametrize(
    ("mark", "count"), [("where to go", 1), ("predicted position", 1), ("reacts to this", 1), ("place 1", 2)]
)
def test_a_mark_with_a_vague_word_has_none_where_it_has_a_name(mark, count):
    """The arrow that ends there keeps its own, and so does what the sentence calls as its mark."""
    names, lamp = [name(mark, 90), name("velocity", 85)], name("the lamp", 93)
    code = f"[[], {json.dumps([lamp])}].map((known) => names.chosen({json.dumps(names)}, [0, 0], known).length)"
    assert said(code) == [2, count]


def test_names_of_a_vehicle_that_is_not_seen_are_all_long_enough():
    assert said(f"names.chosen({json.dumps([name('velocity', 1)])}, null).length") == 1


def test_numbers_of_the_grid_stand_at_their_lines():
    """A little to the right of a line, and below one."""
    about = "{dimensions: 2, low: [-4, -9], high: [7, 2], middle: [1.3, -3.4]}"
    code = f"""(() => {{ const it = camera.cameraOf({about}); it.resize(800, 600);
        return labels.ticks(it).map(({{ text, left, top }}) => [Number(text), parseFloat(left), parseFloat(top),
            camera.onScreen(it, [top === "2px" ? Number(text) : 0, top === "2px" ? 0 : Number(text)])]); }})()"""
    ticks = said(code)
    for _, left, top, at in ticks:
        assert (left - at[0] == pytest.approx(3)) if top == 2 else (top - at[1] == pytest.approx(1))
    for side in (True, False):
        assert len({value for value, _, top, _ in ticks if (top == 2) == side}) >= 5


def test_the_next_event_is_another_one_than_that_of_now():
    """Also where now is the very time of an event."""
    events = "[[1, 2, 'birth', 'a'], [2, 5, 'contact', 'b'], [3, 5, 'contact', 'c']]"
    cases = [(0, 1, "a"), (2, 1, "b"), (2.0005, -1, None), (5, -1, "a"), (9, -1, "c"), (9, 1, None), (3, -1, "a")]
    asked = json.dumps([case[:2] for case in cases])
    found = said(f"{asked}.map(([now, by]) => timeline.nextEvent({events}, now, by)?.[3] ?? null)")
    assert found == [words for _, _, words in cases]


def test_marks_stand_at_their_times_where_the_timeline_begins_late():
    """It reaches from 60 to 110 s, and from 70 to 90 s a span is repeated; what was before it has no mark."""
    code = """(() => { document.createElement = () => ({ style: {}, setAttribute() {}, addEventListener() {}, append() {} });
        const events = [59, 60, 85, 110].map((time, k) => [k, time, 'birth', 'a']);
        const it = { start: 60, end: 110, span: [70, 90], events, marks: { replaceChildren: (...all) => (it.all = all) } };
        timeline.Timeline.prototype.mark.call(it);
        return it.all.map(({ style }) => style.left); })()"""
    assert said(code) == ["20%", "0%", "50%", "100%"]


def test_a_span_is_marked_from_either_end_and_begins_anew_from_wherever_the_time_is():
    times, within = "[1, 2, 4.9, 5, 7]", "timeline.Timeline.prototype.within"
    code = f"[[2, 5], [2], []].map((span) => {times}.map((time) => {within}.call({{ span }}, time)))"
    assert said(code) == [[2, 2, 4.9, 2, 2], [1, 2, 4.9, 5, 7], [1, 2, 4.9, 5, 7]]
    code = """(() => { const [told, it] = [[], { span: [], say() {}, looped: (now) => told.push(now) }];
        const press = (value) => timeline.Timeline.prototype.toggle.call(Object.assign(it, { line: { value } }));
        return [[5, 2, 3, 4, 4], told].map((each) => each === told ? told : each.map((at) => (press(at), it.span))); })()"""
    assert said(code) == [[[5], [2, 5], [], [4], []], [True, False]]


def test_pictures_and_films_have_long_words_in_the_lines_of_the_page():
    pen = "{ measureText: (text) => ({ width: 10 * text.length }) }"
    code = f"[110, 60, 20].map((wide) => film.linesOf({pen}, 'one two three', wide))"
    assert said(code) == [["one two", "three"], ["one", "two", "three"], ["one", "two", "three"]]
    assert said(f"film.linesOf({pen}, 'one two three', 129)") == ["one two three"]


def lines_of(shape: Shape) -> str:
    """A shape as the page has it: an element of lines, as JavaScript."""
    lines = as_lines(shape, 1.0).lines
    points, counts = np.concatenate(lines).astype(np.float32).ravel().tolist(), [len(each) for each in lines]
    color, width = [1, 0, 0, 1], [1]
    return (
        f"{{ kind: 'lines', points: new Float32Array({points}), counts: {counts}, "
        f"color: new Float32Array({color}), width: new Float32Array({width}) }}"
    )


def test_a_sphere_is_the_circle_in_which_the_eye_sees_its_rim():
    """Each point lies on the sphere, and the line of sight to it touches the sphere there; cones stay as they are."""
    middles, radii = np.array([[10.0, -40.0, 7.0], [0.0, 0.0, 0.0]]), np.array([3.0, 20.0])
    eye = np.array([60.0, 5.0, 30.0])
    cone = lines_of(Sector(middles[:1], np.array([[1.0, 0, 0]]), 5.0, 2.0))
    code = f"""(() => {{ const {{ rest, spheres }} = outlines.parted([{lines_of(Circle(middles, radii))}, {cone}]);
        const [{{ points, counts }}] = outlines.outlines(spheres, {eye.tolist()});
        return [rest.map((each) => each.counts.length), counts, Array.from(points),
            outlines.outlines(spheres, [1, 2, 3])[0].counts.length]; }})()"""
    rest, counts, points, inside = said(code)
    assert rest == [len(as_lines(Sector(middles[:1], np.array([[1.0, 0, 0]]), 5.0, 2.0), 1.0).lines)]
    assert (len(counts), inside) == (2, 1)
    for places, middle, radius in zip(np.split(np.reshape(points, (-1, 3)), 2), middles, radii, strict=True):
        np.testing.assert_allclose(np.linalg.norm(places - middle, axis=1), radius, rtol=1e-4)
        np.testing.assert_allclose(np.sum((places - middle) * (eye - places), axis=1), 0, atol=1e-3 * radius * 60)
        assert np.ptp(places, axis=0).max() > radius


@pytest.mark.parametrize("d", [2, 3])
def test_many_lines_to_neighbors_are_all_there_and_thin(d):
    """Other lines, such as those that have no place in common, stay as they are."""
    rng = np.random.default_rng(d)
    ends = 5 + rng.normal(size=(30, d)) * 10
    own = np.full(d, 5.0)
    star = lines_of(Line(np.stack([np.broadcast_to(own, ends.shape), ends], axis=1)))
    loose = lines_of(Line(np.stack([ends + 3, ends], axis=1)))
    code = f"""[{star}, {loose}].map((each) => {{ const made = outlines.calmed(each, {d});
        return [made.counts.length, made.width[0]]; }})"""
    (count, width), (loose_count, usual) = said(code)
    assert (count, loose_count, usual) == (30, 30, 1)
    assert width < 1


@pytest.mark.parametrize(
    ("count", "means", "faint"), [(16, "where to go", True), (3, "where to go", False), (9, "construction", False)]
)
def test_lines_in_many_directions_are_all_there_and_faint(count, means, faint):
    """As those of a map of directions, among which the arrow of the direction that is taken is seen."""
    angles = np.linspace(0, 6, count)
    ends = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rays = lines_of(Line(np.stack([np.zeros_like(ends), ends], axis=1)))
    code = f"""(() => {{ const made = outlines.calmed({{ ...{rays}, means: "{means}" }}, 2);
        return [made.counts.length, made.color[3], made.width[0]]; }})()"""
    drawn, opacity, width = said(code)
    assert drawn == count
    assert (opacity < 0.5) == faint
    assert (width < 1) == (count > 3)


def test_the_area_of_a_range_is_airier_than_that_of_a_danger():
    """A range is often as large as the picture."""
    code = """[["how far it looks", 0.1], ["where not to be", 0.1], ["where not to be", 1]].map(([means, opacity]) =>
        outlines.calmed({ kind: "areas", means, opacity, counts: [72] }, 2).opacity)"""
    airy, danger, tip = said(code)
    assert airy < 0.5 * danger < 0.05
    assert tip == 1


def test_long_ways_are_pale_and_rings_are_not():
    angles = np.linspace(0, 6, 40)
    ways = [np.stack([np.cos(angles), np.sin(angles)], axis=1)]
    ways.append(np.concatenate([ways[0], ways[0][:1]]))
    lines = [{"kind": "lines", "means": "construction", "points": way.ravel().tolist(), "counts": [len(way)],
              "color": [0, 0, 0, 1]} for way in ways]  # fmt: skip
    way, ring = said(f"{json.dumps(lines)}.map((each) => outlines.calmed(each, 2).color[3])")
    assert way < 0.7 < ring == 1


def test_many_rings_are_thin_and_few_are_not():
    code = """[3, 9].map((count) => outlines.calmed({ kind: "lines", means: "neighbors and obstacles that count", width: [2],
        counts: Array(count).fill(73) }, 2).width[0])"""
    few, many = said(code)
    assert many < few == 2


def test_a_line_to_a_goal_is_pale_and_dashed_beyond_the_first_obstacle():
    """A wall at x = 4, in front of a rock; a line that meets neither, and lines of other meanings, stay as they are."""
    wall = {"kind": "lines", "layer": 1.7, "points": [4, -5, 4, 5], "counts": [2]}
    rock = {"kind": "areas", "layer": 1.6, "points": [6, -1, 8, -1, 8, 1, 6, 1], "counts": [4]}
    ground = {"kind": "areas", "layer": 0.6, "points": [1, -1, 2, -1, 2, 1], "counts": [3]}
    goals = [("where to go", [0, 0, 10, 0]), ("where to go", [10, 0, 0, 0]), ("where to go", [0, 0, 0, 9]),
             ("construction", [0, 0, 10, 0])]  # fmt: skip
    lines = [
        {"kind": "lines", "means": means, "points": at, "counts": [2], "color": [0, 0, 1, 1]} for means, at in goals
    ]
    code = f"""{json.dumps(lines)}.map((line) => outlines.barred(line, [0, 0], outlines.edgesOf(
        {json.dumps([wall, rock, ground])}))
        .map(({{ points, dash, color }}) => [Array.from(points), !!dash, color[3] < 1]))"""
    met = [[[0, 0, 4, 0], False, False], [[4, 0, 10, 0], True, True]]
    assert said(code) == [met, met, *([[at, False, False]] for _, at in goals[2:])]


def test_lines_to_goals_stay_as_they_are_where_obstacles_have_too_many_edges():
    """Each picture would look at all of them, and a call with so many arguments fails."""
    code = """[9, 9e5].map((n) => outlines.edgesOf([{ kind: "areas", layer: 1.6, points: new Float32Array(2 * n),
        counts: [n] }]).length)"""
    assert said(code) == [9, 0]


def test_an_edge_on_which_a_mark_of_what_counts_lies_wears_its_color():
    """Of a wall and of a region; not the other edges, nor that below a mark of something else."""
    wall = {"kind": "lines", "layer": 1.7, "points": [0, 0, 8, 0, 8, 6], "counts": [3]}
    region = {"kind": "areas", "layer": 0.6, "points": [0, 9, 8, 9, 8, 12], "counts": [3]}
    counts, goal = ROLES["chosen"], ROLES["target"]
    marks = [
        {"kind": "marks", "means": means, "position": at, "color": [1, 0, 0.5]}
        for means, at in ((counts, [3, 0.1]), (counts, [3, 9]), (goal, [8, 3]), (counts, [3, 4]))
    ]
    code = f"""outlines.faced({json.dumps(marks)}, outlines.edgesOf({json.dumps([wall, region])}, [1.6, 0.6]), 0.2)
        .map(({{ points, color }}) => [Array.from(points), Array.from(color)])"""
    assert said(code) == [[[0, 0, 8, 0], [1, 0, 0.5, 1]], [[0, 9, 8, 9], [1, 0, 0.5, 1]]]


def test_walls_have_a_soft_shadow():
    code = """[1.7, 1].map((layer) => stage.solid({ kind: "lines", layer, width: [2], color: [0, 0, 0, 1] })
        .map(({ width, color }) => [width[0], color[3]]))"""
    (*shadow, (wide, full)), other = said(code)
    assert max(soft for soft, _ in shadow) > wide == 2
    assert sum(pale for _, pale in shadow) < 0.4 < full == 1
    assert other == [[2, 1]]
    cast = said(code.replace("[width[0], color[3]]", "cast ?? [0, 0]").replace("width, color", "cast"))[0]
    assert cast[-1] == [0, 0]
    assert all(x > 0 > y for x, y in cast[:-1]), "it lies at the lower right, as that of a vehicle"


def test_a_crowd_has_no_shadows():
    """Nor has what is painted once more over the others; a picture of a thousand vehicles costs what it did."""
    code = """[[600, false], [601, false], [9, true]].map(([n, some]) => {
        const bodies = { a: { before: { n }, after: { n } } };
        let shadows = 0;
        const painter = { shown: (color) => color, bodies: () => {}, gl: { depthMask: () => {} }, ratio: 1, meter: 1 };
        const it = { colorBy: "population", part: 1, stretch: 1, bodies, painter, paintShadows: () => (shadows += 1) };
        const populations = [{ name: "a", color: [0, 0, 0], shape: "dart" }];
        const scene = { dimensions: 2, period: [0, 0], elements: [], populations };
        stage.Stage.prototype.paintBodies.call(it, scene, some ? bodies : undefined);
        return shadows; })"""
    assert said(code) == [1, 0, 0]


def test_the_scenery_steps_back_beside_an_explanation():
    """Flows, marks, dashed lines and the grid in space do; walls, rocks and floors do not."""
    faint = """[{ kind: "arrows" }, { kind: "marks" }, { kind: "lines", slight: true }, { kind: "lines", layer: 1 }]"""
    assert all(each <= 0.5 for each in said(f"{faint}.map(stage.faintness)"))
    stays = """[{ kind: "lines" }, { kind: "areas" }, { kind: "areas", slight: true }]"""
    assert said(f"{stays}.map(stage.faintness)") == [1, 1, 1]
    prepared = """[{}, { opacity: 1 }, { opacity: 0.9 }, { dash: [4, 2] }, { dash: null }].map((element) => {
        const it = { kind: () => null, gl: null, dark: false };
        return painter.Painter.prototype.prepare.call(it, { kind: "lines", layer: 2, ...element }, 2).slight; })"""
    assert said(prepared) == [False, False, True, True, False]


def test_crosses_of_the_goals_of_others_are_gone_beside_an_explanation():
    """No word says what they are; the own goal has a mark of the explanation."""
    code = """["plus", "dot"].map((shape) => {
        const it = { kind: () => null, gl: null, dark: false };
        const made = painter.Painter.prototype.prepare.call(it, { kind: "marks", layer: 2, shape }, 2);
        return [true, false].map((explains) => stage.Stage.prototype.tells.call({ explains, said: () => false }, made)); })"""
    assert said(code) == [[False, True], [True, True]]


@pytest.mark.parametrize(
    ("roles", "parts"),
    [
        ([["neighbor", "pink"]], [["It turns to its ", ""], ["neighbors", "pink"], [".", ""]]),
        ([["s", "red"], ["It", "blue"]], [["", ""], ["It", "blue"], [" turns to its neighbors.", ""]]),
        ([["turn (1+", "red"], ["neigh", "blue"]], [["It turns to its neighbors.", ""]]),
        ([], [["It turns to its neighbors.", ""]]),
        ([["ahead on the its", "blue"]], [["It turns to ", ""], ["its", "blue"], [" neighbors.", ""]]),
    ],
)
def test_names_in_the_sentence_have_the_color_of_what_is_drawn(roles, parts):
    """Also where they stand for several of it, and of a way that has a place on it; not within other words."""
    assert said(f"reason.tinted('It turns to its neighbors.', {json.dumps(roles)})") == parts


def test_a_camera_comes_near_to_what_it_looks_at():
    code = """[[800, 600], [300, 600]].map(([width, height]) => {
        const it = camera.cameraOf({ dimensions: 2, middle: [0, 0], low: [-50, -50], high: [50, 50] });
        it.resize(width, height);
        it.near(40);
        it.follow([7, 8]);
        it.resize(width, height);
        return [it.scale, ...it.middle]; })"""
    assert said(code) == [[15, 7, 8, 0], [7.5, 7, 8, 0]]


def reason(force, *parts, pace=0.5, forward=(1, 0), up=(0, 0, 1), leaf=0, **about):
    """The sentence on a vehicle that is steered by parts: a purpose and a contribution each."""
    leaves = [
        {
            "key": key,
            "label": "F",
            "purpose": purpose,
            "raw": list(each),
            "contribution": list(each),
            "evaluated": True,
            "parts": [],
        }
        for key, (purpose, each) in enumerate(parts, 1)
    ]
    root = {"key": 0, "raw": list(force), "contribution": list(force), "parts": leaves}
    told = {"tree": root, "force": list(force), "full": 10, "pace": pace, "leaf": leaf, **about}
    return said(f"reason.reasonOf({json.dumps(told)}, {json.dumps(forward)}, {json.dumps(up)})")


@pytest.mark.parametrize(
    ("force", "pace", "expected"),
    [
        ((5, 0), 0.5, "It speeds up to win."),
        ((5, 0), 0.0, "It sets off to win."),
        ((5, 0), 1.0, "It is pushed forward to win, but is at its top speed."),
        ((0.4, 0), 1.0, "It is pushed forward to win, but is at its top speed."),
        ((5, 0), None, "It speeds up to win."),
        ((-9, 0), 0.5, "It brakes hard to win."),
        ((0, -9), 0.5, "It turns sharply right to win."),
        ((9, 0), 0.5, "It speeds up quickly to win."),
        ((-9, 9), 0.5, "It brakes hard and turns sharply left to win."),
        ((-9, 0), 0.0, "It sets off backward to win."),
        ((-9, 9), 0.0, "It sets off to the left to win."),
        ((0, 1), 0.5, "It turns left slightly to win."),
        ((0, 0.4), 0.5, "It turns left very slightly to win."),
        ((-0.4, 0), 0.0, "It rests to win."),
        ((-1, 0), 0.0, "It sets off backward slowly to win."),
        ((-3, -3), 0.5, "It brakes and turns right to win."),
        ((3, 3), 1.0, "It turns left to win."),
        ((0, 0), 0.5, "It goes straight on: no force is needed now to win."),
        ((0.01, 0), 0.01, "It rests."),
    ],
)
def test_the_reason_of_a_force_is_a_sentence(force, pace, expected):
    assert reason(force, ("win", force), pace=pace) == expected


@pytest.mark.parametrize(
    ("force", "expected"),
    [((0, 5), "speeds up"), ((0, -5), "brakes"), ((5, 0), "turns right"), ((-3, 3), "speeds up and turns left")],
)
def test_a_motion_is_that_against_the_velocity_wherever_a_vehicle_faces(force, expected):
    """A skater that goes north with its face to the east."""
    assert reason(force, ("win", force), velocity=[0, 4]) == f"It {expected} to win."


@pytest.mark.parametrize(
    ("force", "forward", "expected"),
    [
        ((0, 5, 0), (1, 0, 0), "turns"),
        ((0, 0, 5), (1, 0, 0), "turns upward"),
        ((0, 3, -5), (1, 0, 0), "turns downward"),
        ((0, 5, -3), (1, 0, 0), "turns"),
        ((5, 0, 5), (1, 0, 0), "speeds up and turns upward"),
        ((0, 5, 0), (0, 0, -1), "turns"),
        ((5, 0, -4), (0.3, 0, -1), "speeds up and pulls out of its dive"),
        ((2, 0, 5), (1, 0, -0.5), "pulls out of its dive"),
        ((2, 0, -5), (1, 0, 0.5), "levels off"),
        ((2, 0, 5), (1, 0, 0.5), "speeds up and turns upward"),
        ((-1, 0, -5), (1, 0, -0.2), "turns downward"),
        ((-5, 0, 0), (1, 0, 0), "brakes"),
    ],
)
def test_what_flies_turns_neither_left_nor_right(force, forward, expected):
    """Its own left, that of one that banks, is another one in the picture."""
    for up in ((0, 0, 1), (0, 0.6, 0.8)):
        assert reason(force, ("fly", force), forward=forward, up=up) == f"It {expected} to fly."


@pytest.mark.parametrize(
    ("force", "across", "upward", "on_ground", "expected"),
    [
        ((0, 5, 0), (1, 0, 0), (0, 1, 0), False, "turns left"),
        ((0, -5, 0), (1, 0, 0), (0, 1, 0), False, "turns right"),
        ((0, 5, 0), (1, 0, 0), (0, -1, 0), False, "turns"),  # From below, where left is right.
        ((0, 5, 0), (0.2, 0, 0), (0, 1, 0), False, "turns"),  # It flies away from the eye.
        ((0, 5, 0), (1, 0, 0), (0.1, 0.01, 0), False, "turns"),  # Both are one line in the picture.
        ((0, 5, 0), (1, 0, 0), (0, -1, 0), True, "turns right"),  # On a slope.
        ((0, 5, 0), (0.2, 0, 0), (0, -1, 0), True, "turns left"),  # It drives away from the eye, and keeps its side.
        ((0, 0, 5), (1, 0, 0), (0, 0, 1), False, "turns upward"),
        ((0, 0, 5), (1, 0, 0), (0, 0, -1), False, "turns"),
    ],
)
def test_in_space_a_side_is_that_in_the_picture(force, across, upward, on_ground, expected):
    """The picture has two axes, right and up."""
    leaf = {
        "key": 0,
        "label": "F",
        "purpose": "go",
        "raw": force,
        "contribution": force,
        "evaluated": True,
        "parts": [],
    }
    told = {"tree": leaf, "force": force, "full": 10, "pace": 0.5, "leaf": 0, "on_ground": on_ground}
    view = f"(v) => {json.dumps([across, upward])}.map((axis) => axis.reduce((sum, each, k) => sum + each * v[k], 0))"
    assert said(f"reason.reasonOf({json.dumps(told)}, [1, 0, 0], [0, 0, 1], {view})") == f"It {expected} to go."


@pytest.mark.parametrize(
    ("velocity", "pace", "expected"),
    [
        ([0, 4], 0.5, "It turns left to win, facing the puck."),
        ([4, 0.5], 0.5, "It brakes to win."),
        ([0, 0], 0.0, "It sets off backward to win."),
    ],
)
def test_a_vehicle_that_faces_elsewhere_than_it_goes_says_so(velocity, pace, expected):
    parts = ("win", (-5, 0)), ("face the puck", (0, 0))
    assert reason((-5, 0), *parts, forward=(1, 0), velocity=velocity, pace=pace) == expected


def test_the_ground_bears_what_presses_on_it():
    """A force through the floor moves nothing; one along a slope is ahead."""
    for force, forward, up, expected in (
        ((0, 4, -4), (1, 0, 0), (0, 0, 1), "turns left"),
        ((3, 0, -8), (1, 0, 0), (0, 0, 1), "speeds up"),
        ((0.8, 0, 0.6), (0.8, 0, 0.6), (-0.6, 0, 0.8), "speeds up slightly"),
    ):
        assert reason(force, ("walk", force), forward=forward, up=up, on_ground=True) == f"It {expected} to walk."
    pressed = reason((0, 0, -5), ("walk", (0, 0, -5)), forward=(1, 0, 0), on_ground=True)
    assert pressed == "It goes straight on: no force is needed now to walk."


def test_the_reason_names_what_serves_the_motion_most():
    """Not the strongest part, which the others may cancel."""
    assert reason((5, 1), ("rest", (0, 1)), ("run", (5, 0))) == "It speeds up to run."
    assert reason((2, 0), ("run", (5, 0)), ("hide", (-3, 0))) == "It speeds up to run."
    assert reason((1, 3), ("run", (5, 0)), ("hide", (-4, 3))) == "It turns left to run."
    assert reason((-2, 2), ("run", (4, 0)), ("hide", (-3, 1)), ("rest", (-3, 1))).startswith(
        "It brakes and turns left to hide"
    )
    assert (
        reason((0, 0), ("run", (5, 0)), ("hide", (-5, 0)))
        == "It goes straight on: the forces to run and to hide cancel out."
    )
    assert reason((2, 0), ("run", (5, 0)), ("run", (-3, 0))) == "It speeds up to run."
    assert reason((5, 0), ("", (5, 0))) == "It speeds up as F says."
    assert reason((0, 0), ("run", (0, 0)), ("hide", (0, 0)), leaf=1).endswith("no force is needed now to hide.")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([("rest", (-5, 0)), ("hide", (0, 4))], "It brakes and turns left to rest."),
        ([("rest", (-9, 1)), ("hide", (0, 8.5))], "It brakes hard and turns sharply left to rest."),
        ([("rest", (-3, 2)), ("hide", (0, 1))], "It brakes and turns left to rest."),
        ([("rest", (-9, 0)), ("hide", (4, 4))], "It brakes and turns left to rest."),
        ([("rest", (-9, 0)), ("hide", (8, 1))], "It brakes slightly and turns left slightly to rest."),
        ([("hide", (0.2, 5)), ("rest", (0, 0.5))], "It turns left to hide."),
    ],
)
def test_a_sentence_has_one_cause_and_says_how_much_there_is_of_each_motion(parts, expected):
    assert reason(np.sum([each for _, each in parts], axis=0).tolist(), *parts) == expected


def test_what_flies_up_and_brakes_does_both_for_one_cause():
    parts = ("slow down", (-5, 0, 0)), ("climb", (0, 0, 4))
    assert reason((-5, 0, 4), *parts, forward=(1, 0, 0)) == "It brakes and turns upward to slow down."


@pytest.mark.parametrize(
    ("force", "parts", "expected"),
    [
        ((8, 2), [("win", (8, -1)), ("hide", (0, 3))], "It turns left to hide, at its top speed."),
        ((8, -1), [("win", (8, 1)), ("hide", (0, -2))], "It turns right slightly to hide, at its top speed."),
        ((8, 0.3), [("win", (8, -1)), ("hide", (0, 1.3))], "It is pushed forward to win, but is at its top speed."),
        ((-8, 2), [("win", (-8, 2)), ("hide", (0, 3))], "It brakes hard to win."),
    ],
)
def test_at_top_speed_a_push_ahead_turns_a_vehicle_and_the_cause_is_that_of_the_turn(force, parts, expected):
    assert reason(force, *parts, pace=1.0, velocity=[4, 0]) == expected
    assert reason(force, *parts, pace=0.5, velocity=[4, 0]).startswith(
        "It brakes hard" if force[0] < 0 else "It speeds"
    )


def test_a_cause_that_is_no_purpose_follows_without_to():
    assert reason((0, 5), ("because the wind pushes it", (0, 5))) == "It turns left because the wind pushes it."


@pytest.mark.parametrize(("of", "count", "expected"), [(1, 1, "neighbor"), (1, 2, "neighbors"), (2, 1, "neighbors")])
def test_one_neighbor_that_is_ringed_is_named_in_the_singular(of, count, expected):
    """For the behavior that the sentence names."""
    elements = [{"kind": "lines", "of": of, "says": "neighbor", "count": count}]
    told = reason((0, 5), ("keep apart from its neighbors", (0, 5)), elements=elements)
    assert told == f"It turns left to keep apart from its {expected}."


def test_the_reason_is_that_of_a_behavior_that_chooses_and_of_a_mode():
    leaf = {"label": "F", "purpose": "win", "contribution": [5, 0], "evaluated": True, "parts": []}
    choosing = {
        "label": "S",
        "purpose": "without colliding",
        "contribution": [0, 5],
        "evaluated": True,
        "parts": [leaf],
    }
    modes = {"key": 1, "label": "M", "change": {"mode": "flee"}, "contribution": [5, 0], "parts": [{**leaf, "key": 2}]}
    rest = {**leaf, "key": 3, "contribution": [0, 0]}
    for tree, force, expected in (
        (choosing, [0, 5], "It turns left to win without colliding."),
        ({"key": 0, "parts": [modes, rest]}, [5, 0], "Flee: it speeds up to win."),
        ({"key": 0, "parts": [{**modes, "change": None}, rest]}, [5, 0], "It speeds up to win."),
    ):
        told = {"tree": tree, "force": force, "full": 10, "pace": 0.5, "leaf": 0}
        assert said(f"reason.reasonOf({json.dumps(told)}, [1, 0])") == expected
        named = expected.replace("Flee: it", "Flee: the guard").replace("It", "The guard")
        assert said(f"reason.reasonOf({json.dumps({**told, 'noun': 'guard'})}, [1, 0])") == named


def test_the_key_tells_who_looks_how_far_where_not_all_look_as_far():
    names = ["looks 5 m far (a)", "looks 9 m far (b)", "rock"]
    assert said(f"{json.dumps(names)}.map(names.briefly({json.dumps(names)}))") == names
    alike = [names[0], "looks 5 m far (c)", "rock"]
    assert said(f"{json.dumps(alike)}.map(names.briefly({json.dumps(alike)}))") == ["looks 5 m far"] * 2 + ["rock"]


def test_of_a_behavior_that_chooses_the_strongest_part_is_the_one_that_is_named():
    """It has the purpose that the sentence tells, and is bold in the list, where the rows below a bold one are bold."""
    made = {"evaluated": True, "parts": [], "purpose": "win"}
    parts = [{**made, "key": key, "label": "F", "contribution": each} for key, each in ((2, [1, 0]), (3, [4, 0]))]
    tree = {**made, "key": 1, "label": "S", "purpose": "by a safe way", "contribution": [0, 5], "parts": parts}
    told = {"tree": tree, "force": [0, 5], "full": 10, "pace": 0.5, "leaf": 0}
    assert said(f"[acting.decider({json.dumps(told)})].map(({{ key, served }}) => [key, served])[0]") == [1, 3]


def test_a_ring_that_is_larger_than_the_lens_is_not_in_it_nor_what_is_about_it():
    code = """(() => {
        const ring = (of, size) => {
            const angles = Array.from({ length: 73 }, (_, k) => (2 * Math.PI * k) / 72);
            const points = angles.flatMap((a) => [50 + size * Math.cos(a), 50 + size * Math.sin(a)]);
            return { kind: "lines", of, means: "how far it looks", points, counts: [73] }; };
        const text = (of) => ({ kind: "texts", of, means: "how far it looks", words: ["looks"], position: [50, 50] });
        const spot = (places, k) => places.slice(2 * k, 2 * k + 2);
        const made = lens.magnified([ring(1, 80), text(1), ring(2, 30), text(2)], spot, { width: 100 });
        return made.map(({ kind, of }) => [kind, of]); })()"""
    assert said(code) == [["lines", 2], ["texts", 2]]


@pytest.mark.parametrize("of", ["elements", "noted"])
@pytest.mark.parametrize("end", [0, 1])
def test_the_lens_stands_where_no_line_passes(end, of):
    """Of two places as far from the vehicle; the line has no corner in them. Notes that are not drawn do not count."""
    code = f"""(() => {{
        const near = camera.cameraOf({{ dimensions: 2, middle: [0, 0], low: [-50, -50], high: [50, 50] }});
        near.resize(1000, 500);
        const places = [100, 700].map((x) => ({{ x, y: 100, width: 200, height: 200 }}));
        const line = (place) => {{
            const points = [place.x - 50, place.x + 250].flatMap((x) => near.place(x, 200).slice(0, 2));
            return {{ kind: "lines", points, counts: [2] }}; }};
        const scene = {{ dimensions: 2 }};
        const extra = new Map([["notes", {{ elements: [line(places[{1 - end}])], words: [] }}]]);
        const stage = {{ camera: near, after: {{ populations: {{}} }}, scene, texts: [], elements: [], noted: [], extra }};
        stage.{of} = [line(places[{end}])];
        const region = {{ x: 475, y: 175, width: 50, height: 50 }};
        return lens.Lens.prototype.emptiest.call({{ stage }}, places, region, -1); }})()"""
    assert said(code) == 1 - end
