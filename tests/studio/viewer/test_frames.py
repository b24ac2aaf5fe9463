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


def test_trails_begin_anew_when_time_goes_back_or_jumps():
    code = """(() => { const trails = new frames.Trails();
        const told = [0, 1, 1.5, 0.5, 0.6, 7].map((time) => { trails.add({ time }); return trails.frames.length; });
        return told; })()"""
    assert said(code) == [1, 2, 3, 1, 2, 1]


def test_of_many_frames_a_trail_has_some_and_the_last():
    code = """(() => { const trails = new frames.Trails();
        trails.frames = Array.from({ length: 102 }, (_, k) => ({ steps: k }));
        return trails.sampled().map(({ steps }) => steps); })()"""
    assert said(code) == [*range(0, 102, 2), 101]


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
        [0, 0.5, 1].forEach((time) => trails.add(frame(time)));
        const scene = {{ dimensions: 2, period: [0, 0], populations: [{{ name: "a" }}] }};
        const pieces = trails.pieces(scene, (name, id) => name === "a" && id === 9 ? [1, 0, 0] : [0, 0, 1]);
        return Array.from(pieces); }})()"""
    pieces = np.reshape(said(code), (-1, 12))
    assert pieces[:, 6:9].tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1], [1, 0, 0]]


def test_dark_paper_has_colors_of_its_own():
    light, dark = ROLES["steering"]
    for color, expected in ((light, rgb(dark)), (PALETTE["blue"], rgb("#3E9BE0"))):
        np.testing.assert_allclose(said(f"palette.dusk({list(rgb(color))})"), expected, atol=1e-6)
    own = said("palette.dusk([0.1, 0, 0.2])")
    assert contrast(tuple(own), rgb(TONES["sheet"][1])) >= 3, "a color that somebody has chosen is lightened"
    element = "{ kind: 'lines', color: [1, 1, 1, 0.5], edge: [1, 1, 1] }"
    sheet = rgb(TONES["sheet"][1])
    found = said(f"(() => {{ const made = palette.dusked({element}); return [Array.from(made.color), made.edge]; }})()")
    np.testing.assert_allclose(found[0], (*sheet, 0.5), atol=1e-6)
    np.testing.assert_allclose(found[1], sheet, atol=1e-6)


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
