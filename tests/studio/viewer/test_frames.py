"""The page's frames: where bodies are between two of them. Run by Node, without a browser."""

import json

import numpy as np
import pytest
from studio.viewer.node import said

from steersman.drawing.palette import PALETTE, RAMP, ROLES, TONES, WHEEL, contrast, rgb

BODIES = """(ids, place) => {
    const [id, position, forward] = [ids, place, place].map((numbers) => new Float32Array(numbers));
    return { n: ids.length, id, position, forward };
}"""


@pytest.mark.parametrize(
    ("period", "expected"), [([0, 0], [[50, 2], [48, 1]]), ([100, 0], [[0, 2], [48, 1]]), ([100, 8], [[0, 2], [48, 5]])]
)
def test_between_two_frames_a_body_goes_the_short_way_across_a_seam(period, expected):
    """Over x = 100 and over y = 8, where the domain wraps; the place may be a period off."""
    bodies = f"const make = {BODIES}"
    code = f"""(() => {{ {bodies};
        const [from, to] = [make([4, 9], [98, 1, 46, -2]), make([4, 9], [2, 3, 50, 4])];
        return [0, 1].map((row) => frames.between(from, to, row, 0.5, {json.dumps(period)})); }})()"""
    for found, place in zip(said(code), expected, strict=True):
        for x, wanted, size in zip(found, place, period, strict=True):
            assert (x - wanted) % size == pytest.approx(0) if size else x == pytest.approx(wanted)


def test_bodies_are_aligned_by_their_ids():
    """A body that has gone shifts no other; one that is new stands where it is."""
    code = f"""(() => {{ const make = {BODIES};
        const found = frames.aligned(make([1, 2, 3], [1, 1, 2, 2, 3, 3]), make([3, 7, 1], [30, 30, 70, 70, 10, 10]));
        return Array.from(found.position); }})()"""
    assert said(code) == [3, 3, 70, 70, 1, 1]


def test_ups_are_aligned_as_places_are():
    code = f"""(() => {{ const make = {BODIES};
        const [from, to] = [make([1, 2], [1, 1, 1, 2, 2, 2]), make([2, 1], [3, 3, 3, 4, 4, 4])];
        [from.up, to.up] = [from.position, to.position];
        return Array.from(frames.aligned(from, to).up); }})()"""
    assert said(code) == [2, 2, 2, 1, 1, 1]


@pytest.mark.parametrize("order", [[1, 3, 7, 9], [9, 1, 7, 3]])
def test_bodies_that_enter_the_view_are_aligned_as_those_that_stay(order):
    """Ids that ascend are gone through side by side, others are looked up."""
    places = [place for id in order for place in (10 * id, 10 * id)]
    code = f"""(() => {{ const make = {BODIES};
        const [from, to] = [make({order}, {places}), make([3, 4, 9], [1, 1, 2, 2, 3, 3])];
        const found = frames.aligned(from, to);
        return [Array.from(found.position), found === frames.aligned(from, to),
            found === frames.aligned(make([4], [5, 5]), to)]; }})()"""
    assert said(code) == [[30, 30, 2, 2, 90, 90], True, False]


TRACK = "(steps) => ({ steps, time: steps / 10, populations: {} })"


def test_trails_lead_through_each_step_once_and_through_those_of_one_run():
    code = f"""(() => {{ const [trails, track] = [new frames.Trails(), {TRACK}];
        const add = (steps, branch, cut) => {{ trails.add({{ tracks: steps.map(track), branch, cut }}); }};
        add([1, 2, 3], 0, 0);
        add([2, 3, 4, 5], 0, 0); // A part is repeated.
        add([4, 5], 1, 3); // After a change at the third step.
        return trails.frames.map(({{ steps }}) => steps); }})()"""
    assert said(code) == [1, 2, 3, 4, 5]


def test_a_trail_leads_through_the_instants_before_a_time_and_of_many_through_some():
    code = f"""(() => {{ const [trails, track] = [new frames.Trails(), {TRACK}];
        trails.frames = Array.from({{ length: 700 }}, (_, k) => track(k));
        return [2, 40].map((seconds) => {{
            trails.seconds = seconds;
            return trails.sampled(60).map(({{ steps }}) => steps); }}); }})()"""
    some, many = said(code)
    assert some == [*range(580, 600)]
    assert len(many) == 100
    assert many == [*range(200, 600, 4)]


FRAME = """(steps, n, branch = 0, cut = 0) => ({ steps, time: steps / 30, branch, cut, populations: { a: {
    n, id: new Float32Array(n).map((_, k) => k), size: new Float32Array(n).fill(1),
    position: new Float32Array(2 * n).fill(steps), forward: new Float32Array(2 * n) } } })"""


def test_the_last_minute_is_kept_and_what_follows_a_change_replaces_what_was():
    code = f"""(() => {{ const [kept, frame] = [new frames.Kept(), {FRAME}];
        for (let k = 0; k <= 3000; k++) kept.add(frame(k, 5));
        const first = kept.frames[0].time;
        kept.add(frame(2000, 5)); // It is repeated.
        const repeated = kept.frames.length;
        kept.add(frame(2001, 5, 1, 2000));
        return [first, repeated, kept.frames.length, kept.frames.at(-1).steps, kept.frames.at(-2).steps,
            kept.frames[0].populations.a.id === kept.frames.at(-1).populations.a.id]; }})()"""
    first, repeated, then, *last = said(code)
    assert first == pytest.approx(40, abs=0.1)
    assert (repeated - then, last) == (999, [2001, 2000, True])


def test_frames_of_a_part_of_the_vehicles_are_not_kept_but_end_the_run_before():
    code = f"""(() => {{ const [kept, frame] = [new frames.Kept(), {FRAME}];
        const part = (steps, branch) => {{
            const made = frame(steps, 3, branch, 4);
            made.populations.a.of = 5;
            return made; }};
        for (let k = 0; k < 8; k++) kept.add(k % 3 ? part(k, 0) : frame(k, 5));
        const before = kept.frames.map(({{ steps }}) => steps);
        kept.add(part(5, 1));
        return [before, kept.frames.map(({{ steps }}) => steps), frames.isPart(part(1, 0)), frames.isPart(frame(1, 5))];
    }})()"""
    assert said(code) == [[0, 3, 6], [0, 3], True, False]


def test_the_frames_of_ten_thousand_are_thinned_and_their_memory_is_bounded():
    code = f"""(() => {{ const [kept, frame] = [new frames.Kept(), {FRAME}];
        let most = 0;
        for (let k = 0; k <= 1800; k++) {{ kept.add(frame(k, 10000)); most = Math.max(most, kept.bytes); }}
        const {{ time, populations }} = kept.frames.at(-1);
        return [most / 2 ** 20, kept.frames.length, kept.frames[0].time, time,
            frames.around(kept.frames, 30.02).slice(0, 2).map((each) => each.time), populations.a.position[0]]; }})()"""
    most, count, first, last, (before, after), place = said(code)
    assert most < 97
    assert count > 250
    assert (first, last) == (pytest.approx(0, abs=0.3), pytest.approx(60, abs=0.3))
    assert before <= 30.02 <= after < before + 0.3
    assert place == pytest.approx(30 * last)


def test_trails_of_a_run_that_was_given_up_end_where_it_was_left():
    """Also where the other run is not as far yet."""
    code = f"""(() => {{ const [trails, track] = [new frames.Trails(), {TRACK}];
        trails.add({{ tracks: [1, 2, 3, 4, 5, 6].map(track), branch: 0, cut: 0 }});
        trails.add({{ tracks: [4].map(track), branch: 1, cut: 3 }});
        return trails.frames.map(({{ steps }}) => steps); }})()"""
    assert said(code) == [1, 2, 3, 4]


def test_a_trail_leads_through_the_same_instants_while_time_goes_on():
    code = f"""(() => {{ const [trails, track] = [new frames.Trails(), {TRACK}];
        trails.frames = Array.from({{ length: 700 }}, (_, k) => track(k));
        trails.seconds = 40;
        return [60, 60.1, 60.2, 60.3].map((time) => trails.sampled(time).map(({{ steps }}) => steps)); }})()"""
    for steps in said(code):
        assert {each % 4 for each in steps} == {0}


def test_the_newest_frame_stays_where_others_are_forgotten():
    code = f"""(() => [10, 11].map((count) => {{ const [kept, frame] = [new frames.Kept(), {FRAME}];
        for (let k = 0; k < count; k++) kept.add(frame(k, 2));
        kept.thin();
        return kept.frames.map(({{ steps }}) => steps); }}))()"""
    assert said(code) == [[1, 3, 5, 7, 9], [0, 2, 4, 6, 8, 10]]


@pytest.mark.parametrize(("size", "expected"), [([2.5], [2.5, 2.5]), ([2.5, 4], [2.5, 4])])
def test_in_a_recording_bodies_have_sizes_of_their_own_or_one(size, expected):
    """Two bodies in two groups of frames, of which the second begins in the third frame."""
    head = {
        "times": [0, 1, 2], "low": [0, 0], "mesh": [1, 1], "scene": {"dimensions": 2},
        "populations": [{"name": "a", "groups": [
            {"first": 0, "count": 2, "ids": [4, 9], "size": size}, {"first": 2, "count": 1, "ids": [9, 7], "size": size},
        ]}],
    }  # fmt: skip
    code = f"""(() => {{ const found = recorded.framesIn(new ArrayBuffer(100), {json.dumps(head)});
        return found.map(({{ populations }}) => [Array.from(populations.a.id), Array.from(populations.a.size)]); }})()"""
    assert said(code) == [[[4, 9], expected], [[4, 9], expected], [[9, 7], expected]]


def test_trails_have_the_color_that_vehicles_have():
    code = f"""(() => {{ const make = {BODIES}; const trails = new frames.Trails();
        const frame = (time) => ({{ time, steps: time, populations: {{ a: make([4, 9], [time, 0, time, 5]) }} }});
        trails.add({{ tracks: [0, 0.5, 1].map(frame), branch: 0, cut: 0 }});
        const scene = {{ dimensions: 2, period: [0, 0], populations: [{{ name: "a" }}] }};
        const pieces = trails.pieces(scene, frame(1), (name, id) => name === "a" && id === 9 ? [1, 0, 0] : [0, 0, 1]);
        return Array.from(pieces); }})()"""
    pieces = np.reshape(said(code), (-1, 12))
    assert pieces[:, 6:9].tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    ("selected", "dark", "cast", "part"),
    [(None, False, [], 1), (9, False, [], 0.2), (9, True, [], 0.16), (9, False, [4], 0.4), (9, False, [9], 0.2)],
)
def test_trails_of_others_are_faint_where_a_vehicle_is_explained(selected, dark, cast, part):
    """Those of vehicles that take part in the explanation are less so."""
    code = f"""(() => {{ const make = {BODIES}; const trails = new frames.Trails();
        const frame = (time) => ({{ time, steps: time, populations: {{ a: make([4, 9], [time, 0, time, 5]) }} }});
        trails.add({{ tracks: [0, 1].map(frame), branch: 0, cut: 0 }});
        const scene = {{ dimensions: 2, period: [0, 0], populations: [{{ name: "a" }}] }};
        const it = {{ layers: {{ why: true }}, painter: {{ dark: {json.dumps(dark)} }},
            cast: new Map([["a", new Set({cast})]]),
            selected: {json.dumps(selected and {"population": "a", "id": selected})} }};
        const strength = stage.Stage.prototype.strengths.call(it);
        return Array.from(trails.pieces(scene, frame(1), () => [0, 0, 0], strength)); }})()"""
    other, own = np.reshape(said(code), (-1, 12))[:, 9]
    assert own == pytest.approx(0.62)
    assert other == pytest.approx(part * own)


@pytest.mark.parametrize(
    ("dots", "now", "times"),
    [(None, 2, []), (0.5, 2.2, [0.5, 1, 1.5, 2]), (0.5, 2.4, [0.5, 1, 1.5, 2]), (0.8, 2, [0.8, 1.6])],
)
def test_dots_on_trails_are_at_equal_times_and_stay_there(dots, now, times):
    code = f"""(() => {{ const make = {BODIES}; const trails = new frames.Trails();
        const frame = (time) => ({{ time, steps: time, populations: {{ a: make([4, 9], [3 * time, 0, 3 * time, 5]) }} }});
        trails.add({{ tracks: [0.3, 1, 2].map(frame), branch: 0, cut: 0 }});
        Object.assign(trails, {{ seconds: 10, dots: {json.dumps(dots)} }});
        const scene = {{ dimensions: 2, period: [0, 0], populations: [{{ name: "a" }}] }};
        return Array.from(trails.pieces(scene, frame({now}), () => [1, 0, 0])); }})()"""
    pieces = np.reshape(said(code), (-1, 12))
    found = pieces[(pieces[:, :3] == pieces[:, 3:6]).all(axis=1)]
    expected = [[3 * time, y] for time in times for y in (0, 5)]
    np.testing.assert_allclose(found[:, :2], np.reshape(expected, (-1, 2)), atol=1e-6)
    assert (found[:, 9] == 1).all()


def test_dark_paper_has_colors_of_its_own():
    light, dark = ROLES["steering"]
    for color, expected in ((light, rgb(dark)), (PALETTE["blue"], rgb("#3E9BE0"))):
        np.testing.assert_allclose(said(f"palette.dusk({list(rgb(color))})"), expected, atol=1e-6)
    own = said("palette.dusk([0.1, 0, 0.2])")
    assert contrast(tuple(own), rgb(TONES["sheet"][1])) >= 3, "a color that somebody has chosen is lightened"
    sheet = rgb(TONES["sheet"][1])
    paper = [float(each) for each in rgb(TONES["sheet"][0])]
    for kind, opacity in (("lines", [0.5]), ("arrows", [0.5]), ("marks", [])):
        element = f"{{ kind: '{kind}', color: {2 * [*paper, *opacity]}, edge: {paper} }}"
        made = f"const made = palette.dusked({element}); return [Array.from(made.color), made.edge];"
        color, edge = said(f"(() => {{ {made} }})()")
        np.testing.assert_allclose(color, 2 * [*sheet, *opacity], atol=1e-6, err_msg=kind)
        np.testing.assert_allclose(edge, sheet, atol=1e-6)


def test_colors_of_numbers_lie_between_those_of_the_palette():
    for table, value, at in (("ramp", 0.375, (1, 2)), ("wheel", -0.0625, (7, 0)), ("wheel", 0.9375, (7, 0))):
        pairs = {"ramp": RAMP, "wheel": WHEEL}[table]
        middle = (np.array(rgb(pairs[at[0]][0])) + rgb(pairs[at[1]][0])) / 2
        np.testing.assert_allclose(said(f"palette.colorIn('{table}', {value})"), middle, atol=1e-6)


def test_density_counts_everybody_in_view_once():
    """Also at the border, where nothing is spread out of the picture; who is out of it does not count."""
    tiles = {"low": [-1, 0], "mesh": 2, "across": 4, "up": 3}
    places = [[0, 1, 0.5, 1.5, 6.9, 5.9], [-5, 0, 0, 7]]
    given = ", ".join(f"new Float32Array({each})" for each in places)
    counts = np.reshape(said(f"Array.from(density.counted([{given}], {json.dumps(tiles)}))"), (3, 4))
    assert counts.sum() == pytest.approx(3)
    np.testing.assert_allclose(counts[0], [2 * 0.75 * 0.75, 2 * 0.75 * 0.25, 0, 0])
    assert counts[2, 3] == pytest.approx(0.75**2)


@pytest.mark.parametrize(
    ("tail", "force", "expected"),
    [
        ([0, 0], [10, 0], 48.8 / 10),
        ([0, 0], [-10, 0], 48.8 / 10),
        ([40, 0], [10, 5], 8.8 / 10),
        ([40, 0], [-10, 0], 88.8 / 10),
        ([0, 25], [1, -8], 43.8 / 8),
        ([48.7, 0], [10, 0], None),
        ([60, 0], [10, 0], None),
        ([0, 0, 0], [10, 0, 0], None),
    ],
)
def test_arrows_of_forces_end_in_the_picture(tail, force, expected):
    """But for those of a vehicle at its border, or outside."""
    camera = "{ scale: 10, middle: [0, 0], width: 1000, height: 400 }"
    found = said(f"((k) => (isFinite(k) ? k : null))(vectors.within({camera}, {tail}, {force}))")
    assert found == (None if expected is None else pytest.approx(expected))


def test_a_quarter_of_the_densest_crowd_has_half_of_its_color():
    """Colors go by the square root, so that thin crowds are seen beside dense ones."""
    code = """(() => {
        const group = (x, y, n) => Array.from({ length: n }, () => [x, y]).flat();
        const position = new Float32Array([...group(0.3, 0.3, 64), ...group(120.3, 60.3, 16)]);
        const stage = { camera: { width: 400, height: 300, scale: 1, middle: [0, 0] }, shade: (_, share) => share,
            after: { populations: { ants: { position } } } };
        const found = [0, 0];
        for (const { points, face } of density.density(stage))
            for (let k = 0; k < points.length; k += 2) found[+(points[k] > 60)] = Math.max(found[+(points[k] > 60)], face);
        return found; })()"""
    dense, thin = said(code)
    assert dense > 0.85
    assert abs(thin - 0.5) < 0.11
