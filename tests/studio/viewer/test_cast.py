"""Which vehicles take part in an explanation, as its construction leads to them. Run by Node, without a browser."""

import json

import numpy as np
import pytest
from studio.viewer.node import said

from steersman.core.maths.shapes import ROLES

LONG = 2.0
CHOSEN = ROLES["chosen"]
PLACES = [[0, 0], [10, 0], [20, 0], [30, 0], [40, 0], [50, 0]]


def cast(elements, notes=(), moved=0.0, selected=0):
    """Ids of the vehicles that take part, which have moved so far since the frame before; elements mean what counts."""
    elements = [{"means": CHOSEN, **each} for each in elements]
    places = np.array(PLACES, float)
    frames = [(places + np.array([0, moved])).ravel().tolist(), places.ravel().tolist()]

    def typed(all_of_them):
        arrays = ("points", "position", "tails")
        parts = [
            ", ".join(
                f"{key}: {f'new Float32Array({np.ravel(it).tolist()})' if key in arrays else json.dumps(it)}"
                for key, it in each.items()
            )
            for each in all_of_them
        ]
        return "[" + ", ".join(f"{{ {each} }}" for each in parts) + "]"

    return said(f"""(() => {{
        const frame = (position) => ({{ populations: {{ a: {{ n: 6, id: [0, 1, 2, 3, 4, 5], position,
            size: [{LONG}, {LONG}, {LONG}, {LONG}, {LONG}, {LONG}] }} }} }});
        const found = cast.castOf({{ after: frame({frames[0]}), before: frame({frames[1]}), scene: {{ dimensions: 2 }},
            selected: {{ population: "a", id: {selected} }}, telling: {typed(elements)},
            noted: {typed(notes)} }});
        return Array.from(found.get("a") ?? []).sort(); }})()""")


def ring(x, radius=1.5):
    """A circle around a place."""
    angles = np.linspace(0, 2 * np.pi, 41)
    return np.stack([x + radius * np.cos(angles), radius * np.sin(angles)], axis=1)


@pytest.mark.parametrize("moved", [0.0, 3.0])
def test_marks_ends_of_lines_tails_of_arrows_and_middles_of_rings_lead_to_vehicles(moved):
    """The explained one is none of them; neither is one that a line passes by. One that moves is found where it was."""
    elements = [
        {"kind": "marks", "position": [[10, 0]]},
        {"kind": "lines", "points": [[0, 0], [20, 0.3]], "counts": [2]},
        {"kind": "arrows", "tails": [[30, 0]]},
        {"kind": "lines", "points": ring(50, 30), "counts": [41]},
        {"kind": "texts", "position": [[40, 0]]},
    ]
    assert cast(elements, moved=moved) == [1, 2, 3, 5]


def test_what_only_touches_a_vehicle_does_not_lead_to_it():
    """Corners of outlines, points of rings, and places that are nearly at it."""
    slot = np.array([[10, 0], [8, 1], [8, -1], [10, 0]])
    elements = [
        {"kind": "lines", "points": slot, "counts": [4]},
        {"kind": "lines", "points": ring(15, 5), "counts": [41]},
        {"kind": "marks", "position": [[30 + 0.4 * LONG, 0]]},
    ]
    assert cast(elements) == []


@pytest.mark.parametrize("role", [role for role in ROLES if role != "chosen"])
def test_another_place_does_not_lead_to_one_that_is_there_by_chance(role):
    """Such as a goal, the middle of its neighbors, or the end of a line beyond which it would collide."""
    places = {"kind": "marks", "position": [[10, 0]]}, {"kind": "lines", "points": [[0, 0], [20, 0]], "counts": [2]}
    assert cast([{**each, "means": ROLES[role]} for each in places]) == []
    assert cast(places) == [1, 2]


@pytest.mark.parametrize(("count", "found"), [(1, [1]), (3, [1, 2, 3]), (4, [])])
def test_rings_of_notes_are_about_single_vehicles_or_about_all(count, found):
    notes = [
        {"kind": "lines", "points": np.concatenate([ring(10 * k + 10) for k in range(count)]), "counts": [41] * count}
    ]
    assert cast([], notes) == found
    assert cast([], [{"kind": "marks", "position": [[10, 0]]}]) == []


def fitted(counts, points, means, *, sizes, widths=None, meter=1e9):
    """The points of an element with rings that fit the vehicles of PLACES, shape (m, 2)."""
    width = "null" if widths is None else json.dumps(widths)
    made = said(f"""(() => {{
        const bodies = {{ n: 6, position: {np.ravel(PLACES).tolist()}, size: {sizes}, width: {width} }};
        const stage = {{ scene: {{ dimensions: 2 }}, after: {{ populations: {{ a: bodies }} }}, sizes: (it) => it.size,
            meterAt: () => {meter} }};
        const element = {{ kind: "lines", means: "{means}", points: {np.ravel(points).tolist()}, counts: {counts} }};
        const [made, ...more] = cast.fittedRings(stage, element);
        return more.length ? null : Array.from(made.points); }})()""")
    return np.reshape(made, (-1, 2))


CHOSEN = ROLES["chosen"]


@pytest.mark.parametrize(
    ("about", "radius"),
    [
        ({}, 0.62 * LONG),
        ({"widths": [4.0] * 6}, 0.68 * 4),
        ({"widths": [1.0] * 6}, 0.62 * LONG),
        ({"meter": 5}, 14 / 5),
    ],
)
@pytest.mark.parametrize("drawn", [0.0, 0.2, 9.0])
def test_a_ring_fits_the_vehicle_that_counts_as_it_is_drawn(about, radius, drawn):
    """By its length, by its width where that is more, and never too small to be seen; lines to it stay."""
    line = [[0, 0], [20, 0]]
    points = np.concatenate([ring(20, drawn), line])
    made = fitted([41, 2], points, CHOSEN, sizes=[LONG] * 6, **about)
    np.testing.assert_allclose(np.hypot(*(made[:41] - [20, 0]).T), radius, rtol=1e-6)
    np.testing.assert_array_equal(made[41:], line)


@pytest.mark.parametrize("d", [2, 3])
def test_what_is_around_an_image_beyond_a_seam_is_put_around_the_vehicle_itself(d):
    """A ring and a word at a place where no vehicle is drawn; those at others, and where nothing is, stay."""
    places = np.array([[5, 5, 5], [58, 5, 5], [30, 2, 5]], float)[:, :d]
    rings = [
        np.stack([*(ring(x, 1.0) + np.array([0, y])).T, np.full(41, 5.0)], axis=1)[:, :d]
        for x, y in ((-2, 5), (5, 5), (30, 62), (9, 9))
    ]
    code = f"""(() => {{
        const bodies = {{ n: 3, position: {places.ravel().tolist()}, size: [2, 2, 2] }};
        const scene = {{ dimensions: {d}, low: [0, 0, 0], period: [60, 60, 0] }};
        const stage = {{ scene, after: {{ populations: {{ a: bodies }} }}, sizes: (it) => it.size, meterAt: () => 1e9 }};
        const about = {{ means: "{CHOSEN}", counts: [41, 41, 41, 41] }};
        const lines = {{ kind: "lines", ...about, points: Float32Array.from({np.concatenate(rings).ravel().tolist()}) }};
        const word = (position) => ({{ kind: "texts", means: "{CHOSEN}", position, words: ["neighbor"] }});
        const all = [lines, word([-2, 5, 5].slice(0, {d})), word([5, 5, 5].slice(0, {d}))];
        return all.map((each) => cast.fittedRings(stage, each)).flat()
            .map((it) => [it.across ?? false, it.counts?.length ?? 1, Array.from(it.points ?? it.position)]); }})()"""
    here, there, moved, stays = said(code)
    assert (here[:2], there[:2]) == ([False, 2], [True, 2])
    middles = [np.reshape(each[2], (2, 41, d))[:, 1:].mean(axis=1) for each in (here, there)]
    np.testing.assert_allclose(middles[0][:, :2], [[5, 5], [9, 9]], atol=1e-4)
    np.testing.assert_allclose(middles[1][:, :2], [[58, 5], [30, 2]], atol=1e-4)
    assert [moved[0], moved[2][:2], stays[0], stays[2][:2]] == [True, [58, 5], False, [5, 5]]


@pytest.mark.parametrize(
    ("before", "after", "time", "told", "across"),
    [
        ((8, 5), (10, 5), 1.0, (8, 5), False),
        ((8, 5), (10, 5), 1.4, (12, 5), False),
        ((8, 5), (10, 5), 0.8, (6, 5), False),
        ((59, 5), (1, 5), 1.1, (60, 5), True),
        ((59, 5), (1, 5), 1.1, (0, 5), False),
        ((59, 5), (1, 8), 1.4, (3, 11), False),
        ((57, 5), (59, 5), 1.4, (1, 5), True),
    ],
)
def test_a_ring_of_another_moment_is_put_around_the_vehicle_where_it_is_by_now(before, after, time, told, across):
    """Frames at 1.0 and 1.2 s: what was told of before, between or behind them was about a place where it is no more."""
    code = f"""(() => {{
        const frame = (time, position) => ({{ time, populations: {{ a: {{ n: 1, id: [7], position, forward: [1, 0],
            size: [2] }} }} }});
        const stage = {{ scene: {{ dimensions: 2, low: [0, 0], period: [60, 0] }}, before: frame(1, {list(before)}),
            after: frame(1.2, {list(after)}), sizes: (it) => it.size, meterAt: () => 1e9 }};
        const points = Float32Array.from({(ring(0, 1.0) + np.array(told)).ravel().tolist()});
        const about = {{ means: "{CHOSEN}", points, counts: [41] }};
        const word = {{ kind: "texts", means: "{CHOSEN}", position: {list(told)}, words: ["neighbor"] }};
        const made = [{{ kind: "lines", ...about }}, word].map((each) => cast.fittedRings(stage, each, {time})).flat();
        return made.map((it) => [it.across ?? false, Array.from(it.points ?? it.position)]); }})()"""
    (ring_across, points), (word_across, place) = said(code)
    np.testing.assert_allclose(np.reshape(points, (41, 2))[1:].mean(axis=0), after, atol=1e-4)
    np.testing.assert_allclose(place, after, atol=1e-4)
    assert ring_across == word_across == across


def test_rings_around_no_vehicle_and_those_that_mean_something_else_stay():
    points = np.concatenate([ring(15, 3.0), ring(30, 3.0)])
    made = fitted([41, 41], points, CHOSEN, sizes=[LONG] * 6)
    np.testing.assert_allclose(made[:41], points[:41], rtol=1e-6)
    np.testing.assert_allclose(np.hypot(*(made[41:] - [30, 0]).T), 0.62 * LONG, rtol=1e-6)
    np.testing.assert_allclose(fitted([41, 41], points, "danger area", sizes=[LONG] * 6), points, rtol=1e-6)


def test_those_who_count_are_told_from_those_whom_a_note_rings():
    bodies = {"n": 2, "id": [4, 5], "position": [20, 0, 30, 0], "size": [LONG, LONG]}
    one, other = ({"kind": "lines", "points": np.ravel(ring(x, 3.0)).tolist(), "counts": [41]} for x in (20, 30))
    telling, noted = [{**one, "means": CHOSEN}], [other]
    code = f"""(() => {{
        const it = {{ after: {{ populations: {{ a: {json.dumps(bodies)} }} }}, telling: {json.dumps(telling)},
            noted: {json.dumps(noted)}, scene: {{ dimensions: 2 }}, selected: {{ population: "a", id: 9 }}, recastOf: [] }};
        stage.Stage.prototype.recast.call(it);
        return [it.cast, it.peers].map((each) => [...each.get("a")]); }})()"""
    assert said(code) == [[4, 5], [4]]


@pytest.mark.parametrize(
    ("named", "scenery", "found"), [(["gap"], True, [4, 5]), ([], True, [5]), (["gap"], False, [])]
)
def test_only_notes_that_are_drawn_lead_to_vehicles(named, scenery, found):
    """Helper lines of notes are drawn beside an explanation where its sentence names them."""
    bodies = {"n": 2, "id": [4, 5], "position": [20, 0, 30, 0], "size": [LONG, LONG]}
    notes = [
        {"kind": "lines", "means": means, "says": says, "points": np.ravel(ring(x, 3.0)).tolist(), "counts": [41]}
        for means, says, x in ((ROLES["guide"], "gap", 20), (ROLES["target"], "next", 30))
    ]
    code = f"""(() => {{
        const it = Object.assign(Object.create(stage.Stage.prototype, {{ explains: {{ value: true }} }}), {{
            after: {{ populations: {{ a: {json.dumps(bodies)} }} }}, telling: [], scene: {{ dimensions: 2 }}, recastOf: [],
            extra: new Map([["notes", {{ elements: {json.dumps(notes)} }}]]), layers: {{ scenery: {json.dumps(scenery)} }},
            selected: {{ population: "a", id: 9 }}, said: ({{ says }}) => {json.dumps(named)}.includes(says) }});
        it.recast();
        return [...(it.cast.get("a") ?? [])]; }})()"""
    assert said(code) == found


def told(elements, tip):
    """What is drawn of elements for a vehicle at (0, 0) with a velocity to a tip; what is nearer than 2 m is there."""
    arrays = "points position"
    made = [
        "{ "
        + ", ".join(
            f"{k}: {f'Float32Array.from({np.ravel(v).tolist()})' if k in arrays else json.dumps(v)}"
            for k, v in each.items()
        )
        + " }"
        for each in elements
    ]
    numbers = f"[{', '.join(made)}].map((each, k) => ({{ ...each, k }}))"
    return said(f"cast.essence({numbers}, [0, 0], {json.dumps(tip)}, 2).map(({{ k }}) => k)")


def ghost(x, y, of=1, start=(0, 0)):
    """A predicted position: the way there, its word and its outline."""
    about = {"says": "predicted position", "means": "predicted position", "of": of}
    outline = np.add([[2, 0], [-1, 1], [-0.5, 0], [-1, -1], [2, 0]], [x, y])
    return [
        {"kind": "lines", "points": [start, (x, y)], "counts": [2], **about},
        {"kind": "texts", "position": [(x, y)], **about},
        {"kind": "lines", "points": outline, "counts": [5], **about},
    ]


def ringed(says):
    """The ring around a vehicle at (20, 0) that counts."""
    return {"kind": "lines", "points": ring(20), "counts": [41], "means": CHOSEN, "of": 1, "says": says}


@pytest.mark.parametrize(
    ("place", "tip", "seen"),
    [((0.5, 0.5), (0, 0), False), ((6, 1), (9, 0), False), ((6, 4), (9, 0), True), ((15, 0), (9, 0), True)],
    ids=["on the vehicle", "on its velocity", "beside it", "beyond its tip"],
)
def test_a_predicted_position_on_the_vehicle_or_on_its_velocity_is_left_out(place, tip, seen):
    """With its word and the way there; another one of the same behavior stays."""
    others = ghost(20, 20, start=(30, 20))
    assert told([*ghost(*place), *others], tip) == ([0, 1, 2, 3, 4, 5] if seen else [3, 4, 5])


def test_a_predicted_position_where_its_vehicle_is_ringed_is_left_out():
    assert told([*ghost(20.5, 0), ringed("dog")], (5, 0)) == [3]


@pytest.mark.parametrize(("says", "of", "seen"), [("starling", 1, False), ("starling", 2, True), ("middle", 1, True)])
def test_the_cross_of_a_goal_is_left_out_where_a_vehicle_of_the_same_name_is_ringed(says, of, seen):
    """Its word, too, but not the line that leads there."""
    about = {"says": says, "means": "where to go", "of": of}
    goal = [
        {"kind": "lines", "points": [(0, 0), (20, 0)], "counts": [2], **about},
        {"kind": "marks", "position": [(20, 0)], **about},
        {"kind": "texts", "position": [(20, 0)], **about},
    ]
    assert told([ringed("starling"), *goal], (5, 0)) == ([0, 1, 2, 3] if seen else [0, 1])
    assert told([*ghost(20, 0, of), *goal], (5, 0)) == [0, 1, 2, 3, 4]  # A predicted position keeps it.


@pytest.mark.parametrize(("x", "seen"), [(1.8, False), (2.2, True)], ids=["within its ring", "beside it"])
def test_a_goal_within_the_ring_of_the_vehicle_is_left_out(x, seen):
    """Its word, which stands beside it, and the line there, too; not the outline of a place, nor an arrow."""
    about = {"says": "place", "means": "where to go", "of": 1}
    outline = np.add([[2, 0], [-1, 1], [-0.5, 0], [-1, -1], [2, 0]], [x, 0])
    goal = [
        {"kind": "marks", "position": [(x, 0)], **about},
        {"kind": "texts", "position": [(x + 0.5, 0)], **about},
        {"kind": "lines", "points": [(0, 0), (x, 0)], "counts": [2], **about},
        {"kind": "lines", "points": outline, "counts": [5], **about, "says": "slot"},
        {"kind": "arrows", "tails": [(0, 0)], "tips": [(9, 0)], **about, "says": "average heading"},
    ]
    assert told(goal, (5, 0)) == ([0, 1, 2, 3, 4] if seen else [3, 4])


@pytest.mark.parametrize(
    ("wish", "end", "start", "kept"),
    [
        ((9, 0.5), (20, 0), (9, 0.5), 1),
        ((9, 2), (20, 0), (0, 0), 1),
        ((9, 0.5), (9, 0), None, 0),
        (None, (20, 0), (0, 0), 1),
    ],
    ids=["leads there", "leads beside it", "as far", "without"],
)
def test_a_line_to_a_goal_begins_where_the_desired_velocity_ends_that_leads_there(wish, end, start, kept):
    line = {"kind": "lines", "points": [(0, 0), end], "counts": [2], "means": "where to go"}
    code = f"[{{ ...{json.dumps(line)}, points: Float32Array.from({[0, 0, *end]}) }}]"
    made = said(f"cast.essence({code}, [0, 0], [5, 0], 2, {json.dumps(wish)}).map(({{ points }}) => [...points])")
    assert made == [[*start, *end]] * kept if kept else not made


@pytest.mark.parametrize(
    ("ahead", "left"),
    [((18, 1), [2]), ((30, 0), [0, 1, 2]), ((12, 9), [0, 1, 2])],
    ids=["on it", "longer", "beside it"],
)
def test_a_line_ahead_that_the_velocity_covers_is_left_out_with_its_word(ahead, left):
    about = {"means": ROLES["range"], "says": "looks ahead", "of": 1}
    line = {"kind": "lines", "points": [(0, 0), ahead], "counts": [2], **about}
    word = {"kind": "texts", "position": [ahead], **about}
    assert told([line, word, {**line, "means": ROLES["guide"]}], (20, 0)) == left


def test_details_are_left_out():
    line = {"kind": "lines", "points": [(0, 0), (5, 9)], "counts": [2], "means": "construction", "of": 1, "says": "a"}
    assert told([{**line, "detail": True}, line, {**line, "detail": True}], (5, 0)) == [1]


FLOORS = [
    {"kind": "areas", "counts": [3, 3], "points": [0, 0, 3, 9, 0, 3, 0, 9, 3, 0, 0, 6, 9, 0, 6, 0, 9, 6]},
    {"kind": "areas", "counts": [3], "points": [0, 0, 0, 9, 0, 0, 0, 9, 0]},
    {"kind": "lines", "counts": [3], "points": [0, 0, 2, 9, 0, 2, 0, 9, 2]},
]


@pytest.mark.parametrize(
    ("place", "lid"),
    [((2, 2, 0.1), 3), ((2, 2, 3), 6), ((2, 2, 6), None), ((8, 8, 0), None), ((2, 2, 2.7), 6)],
)
def test_a_floor_above_the_explained_vehicle_is_seen_through(place, lid):
    """The lowest one that covers it; none beside it, nor the one that it stands upon."""
    stage = (
        f"{{ explains: true, selected: {{}}, scene: {{ dimensions: 3 }}, elements: {json.dumps(FLOORS)},"
        f" placeOf: () => {json.dumps(place)} }}"
    )
    found = said(f"stage.Stage.prototype.lid.call({stage})")
    assert found == (None if lid is None else pytest.approx(lid, abs=0.01))
    for other in ("explains: false", "scene: { dimensions: 2 }"):
        assert said(f"stage.Stage.prototype.lid.call({{ ...{stage}, {other} }})") is None
