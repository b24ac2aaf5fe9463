"""Where words stand in the window: beside what they name, on nothing that counts, within the picture, and calmly."""

import json
from itertools import pairwise

import numpy as np
import pytest
from studio.viewer.node import said

WIDE, HIGH = 60, 16
PICTURE = {"width": 400, "height": 200}


def free(place, *, words=(), bodies=(), lines=(), kept=(), last="", beside=None, most=1e9, around=None):
    """Where a word of 60 by 16 pixels stands beside a place in a picture of 400 by 200; None for nowhere."""
    wish = {"wide": WIDE, "high": HIGH, "places": [place] if around is None else around, "most": most}
    things = {"words": words, "bodies": bodies, "lines": lines, "kept": kept}
    given = [wish, things, PICTURE, last, *([] if beside is None else [beside])]
    return said(f"placing.freest({', '.join(map(json.dumps, given))})")


def box(x, y, wide, high):
    """A box by its left end and its middle."""
    return {"x": x, "y": y, "wide": wide, "high": high}


def meets(one, other):
    """Whether two boxes overlap."""
    across = one["x"] < other["x"] + other["wide"] and other["x"] < one["x"] + one["wide"]
    return across and abs(one["y"] - other["y"]) < (one["high"] + other["high"]) / 2


def crossed(at, line):
    """Whether a line passes through a box."""
    ends = np.linspace(line[0], line[1], 400)
    off = np.abs(ends - [at["x"] + at["wide"] / 2, at["y"]])
    return bool(((off[:, 0] < at["wide"] / 2) & (off[:, 1] < 0.4 * at["high"])).any())


def away(at, place):
    """How far a box is from a place."""
    off = np.abs(np.subtract(place, [at["x"] + at["wide"] / 2, at["y"]])) - [at["wide"] / 2, at["high"] / 2]
    return float(np.hypot(*np.maximum(off, 0)))


def test_a_word_stands_at_the_right_of_its_place_where_nothing_is_in_its_way():
    found = free([100, 100])
    assert found["y"] == 100
    assert 5 < found["x"] - 100 < 15


def test_a_word_covers_neither_words_nor_vehicles_nor_lines_nor_the_explained_vehicle():
    """As long as there is room beside its place, no farther than it must."""
    arrow, word = [[100, 100], [250, 100], 3], box(100, 84, 90, 16)
    boid, ring = box(112, 112, 12, 12), box(60, 100, 36, 36) | {"weight": 3}
    found = free([100, 100], words=[word], lines=[arrow], bodies=[boid, ring])
    assert not any(meets(found, each) for each in (word, boid, ring))
    assert not crossed(found, arrow)
    assert away(found, [100, 100]) < 40


def test_what_is_far_from_a_place_does_not_move_its_word():
    others = {"words": [box(250, 100, 90, 16)], "bodies": [box(100, 160, 12, 12)], "lines": [[[0, 40], [400, 40], 3]]}
    assert free([100, 100], **others) == free([100, 100])


@pytest.mark.parametrize("place", [[1, 1], [399, 1], [399, 199], [1, 199], [200, 0], [0, 100], [380, 100]])
def test_words_lie_within_the_picture_whole(place):
    found = free(place)
    assert 0 <= found["x"] <= 400 - WIDE
    assert HIGH / 2 <= found["y"] <= 200 - HIGH / 2
    assert away(found, place) < 25


def test_a_word_is_left_out_where_it_would_lie_on_others():
    """And one that was seen until now stays a little longer."""
    full = [box(x, y, 18, 14) for x in range(0, 400, 20) for y in range(0, 210, 15)]
    assert free([200, 100], bodies=full) is not None
    assert free([200, 100], bodies=full, most=50) is None
    last = free([200, 100])
    beside = {"bodies": [box(150, 100, 200, 200)], "last": last["key"]}
    costs = free([200, 100], **beside)["cost"]
    assert free([200, 100], **beside, most=0.8 * costs) is not None
    assert free([200, 100], **beside, most=0.5 * costs) is None


def test_a_word_stays_where_it_stood_while_that_is_about_as_free():
    arrow = [[100, 100], [250, 100], 3]
    moved = free([100, 100], lines=[arrow])
    assert moved["key"] != free([100, 100])["key"]
    assert free([100, 100], last=moved["key"])["key"] == moved["key"]
    at = [[moved["x"], moved["y"]], [moved["x"] + WIDE, moved["y"]], 3, True]
    assert free([100, 100], lines=[at], last=moved["key"])["key"] != moved["key"]


@pytest.mark.parametrize(("number", "same"), [(0, True), (1, False), (None, False)])
def test_a_word_stays_beside_its_place_when_the_number_of_that_place_changes(number, same):
    """It stood below the second of two places, of which the first is gone."""
    found = free(None, around=[[200, 100]], last="1 8 3", beside=number)
    assert found["same"] == same
    assert (found["key"] == "0 8 3") == same


def test_a_word_that_has_stood_for_long_moves_for_little():
    """What was in its way is gone: it comes back once, after a while."""
    code = f"""(() => {{ let stood = new Map(); const keys = [];
        for (let k = 0; k < 120; k++) {{
            const kept = k ? [] : [{{ x: 60, y: 100, wide: 100, high: 60 }}];
            const wish = {{ text: "a", wide: 60, high: 16, places: [[100, 100]] }};
            const [now, things] = [new Map(), {{ words: [], bodies: [], lines: [], kept }}];
            placing.arranged([wish], things, {json.dumps(PICTURE)}, stood, now, 16 * k);
            stood = now;
            keys.push(now.get("a 0").key);
        }}
        return keys; }})()"""
    keys = said(code)
    assert keys[0] == keys[60] != keys[119]
    assert sum(one != other for one, other in pairwise(keys)) == 1


def test_what_passes_over_a_word_does_not_move_it_until_the_world_is_paused():
    """Nor does a line of a construction; an arrow does."""
    first = free([100, 100])
    at = {"x": first["x"] + 5, "y": 100, "wide": 12, "high": 12}
    code = f"""(() => {{ const made = (still, body, line) => {{
            const wish = {{ text: "a", wide: 60, high: 16, places: [[100, 100]] }};
            const last = {{ key: {json.dumps(first["key"])}, place: [100, 100], since: 0, looked: 0, cost: 0 }};
            const [stood, now] = [new Map([["a 0", last]]), new Map()];
            const things = {{ words: [], kept: [], bodies: body ? [{json.dumps(at)}] : [], lines: line, still }};
            placing.arranged([wish], things, {json.dumps(PICTURE)}, stood, now, 500);
            return now.get("a 0").key; }};
        const line = (arrow) => [[[100, 101], [200, 101], 3, arrow, 2]];
        const passing = [made(false, true, []), made(false, false, line(false))];
        return [...passing, made(true, true, []), made(false, false, line(true))]; }})()"""
    vehicle, line, paused, arrow = said(code)
    assert vehicle == line == first["key"]
    assert paused != first["key"]
    assert arrow != first["key"]


def test_the_word_of_a_ring_stays_at_its_place_when_other_places_come_into_the_picture():
    """Also in other words, as of a second ring that comes."""
    (one, two), found = moved([[120, 60], [120, 140]], [[60, 40], [122, 61], [120, 140]], words=("ring", "rings"))
    assert two == pytest.approx([one[0] + 2, one[1] + 1])
    assert found


def moved(places, others, *, words=("a", "a"), times=(0, 16, 300)):
    """Where a word of a place stands, and then in a picture with other places; and whether it is there in the last one."""
    code = f"""(() => {{ let stood = new Map(); const made = [];
        const all = {json.dumps([places, others, others])}, words = {json.dumps([*words, words[1]])};
        {json.dumps(times)}.forEach((time, k) => {{
            const wish = {{ text: words[k], element: {{ means: "m" }}, wide: 60, high: 16, places: all[k] }};
            const [now, things] = [new Map(), {{ words: [], bodies: [], lines: [], kept: [] }}];
            made.push(placing.arranged([wish], things, {json.dumps(PICTURE)}, stood, now, time)[0]);
            stood = now;
        }});
        return made; }})()"""
    *pair, last = [each and (each["x"], each["y"]) for each in said(code)]
    return pair, last


def test_a_word_does_not_jump_with_what_it_names_but_comes_back_where_that_stays():
    (one, two), last = moved([[100, 100]], [[220, 100]])
    assert two is None
    assert last == pytest.approx([one[0] + 120, one[1]])
    (one, two), _ = moved([[100, 100]], [[130, 100]])
    assert two == pytest.approx([one[0] + 30, one[1]])


def test_in_a_picture_few_words_look_for_a_better_place():
    """Of nine whose places have all become worse, two; when the world is paused, all."""
    code = """(() => { const made = (still) => {
            const things = (lines) => ({ words: [], bodies: [], lines, kept: [], still });
            const spots = Array.from({ length: 9 }, (_, k) => [40 + 150 * (k % 3), 30 + 60 * Math.floor(k / 3)]);
            const wishes = spots.map((at, k) => ({ text: "abcdefghi"[k], wide: 60, high: 16, places: [at] }));
            const [first, last, picture] = [new Map(), new Map(), { width: 500, height: 200 }];
            const placed = placing.arranged(wishes, things([]), picture, new Map(), first, 0);
            const lines = placed.map(({ x, y }) => [[x, y], [x + 60, y], 3, true]);
            placing.arranged(wishes, things(lines), picture, first, last, 1400);
            return [...last].filter(([name, { key }]) => key !== first.get(name).key).length; };
        return [made(false), made(true)]; })()"""
    assert said(code) == [2, 9]


def test_a_word_of_a_ring_stands_at_the_freest_place_along_it():
    places = [[100, 100], [200, 100], [300, 100]]
    full = [box(60, 100, 240, 200)]
    assert free(None, around=places, kept=full)["place"] == places[2]


def test_words_keep_off_the_numbers_of_the_grid():
    (number,) = said('labels.boxesOf([{ text: "-20", left: "110px", top: "93px" }])')
    assert not meets(free([100, 100], kept=[number]), number)
    assert meets(free([100, 100]), number)


def test_words_keep_off_each_other_and_off_the_lines_to_their_places():
    """Nine words at one place: none on another one, and none on a line from another one to the place."""
    code = f"""(() => {{ const things = {{ words: [], bodies: [], lines: [], kept: [] }};
        const wish = (k) => ({{ text: "abcdefghi"[k], wide: 60, high: 16, places: [[200, 100]] }});
        const wishes = Array.from({{ length: 9 }}, (_, k) => wish(k));
        return placing.arranged(wishes, things, {json.dumps(PICTURE)}, new Map(), new Map()); }})()"""
    placed = said(code)
    assert len(placed) == 9
    for k, one in enumerate(placed):
        assert not any(meets(one, other) for other in placed[:k])
        assert not any(crossed(one, other["line"]) for other in placed[:k] if other["line"])


def test_two_words_in_one_line_do_not_read_as_one():
    alone = free([100, 100])
    word = box(alone["x"] + WIDE + 3, 100, 60, 16)
    beside = free([100, 100], words=[word])
    assert not meets(beside | {"wide": WIDE + 4}, word)


def test_words_of_arrows_and_marks_in_one_line_do_not_crowd():
    """A velocity, the steering that brakes beside it, and the goal between them: there is air between any two words."""
    own, arrows = [100, 100], [[[100, 100], [169, 100], 2, True, 2], [[169, 91], [132, 91], 2, True, 2]]
    cross, road = [[130, 100], [134, 100], 14, True, 4], [[[x, -99], [x, 399], 2, False, 0.4] for x in (125, 132, 139)]
    ring, ways = (
        box(72, 100, 56, 56) | {"weight": 3},
        {"steering": [[132, 91], [146, 91]], "velocity": [[169, 100], [143, 100]]},
    )
    wishes = [
        {
            "text": text,
            "wide": wide,
            "high": 18,
            "places": ways.get(text, [[132, 100]]),
            "tip": text in ways,
            "from": own,
        }
        for text, wide in (("steering", 60), ("velocity", 58), ("line", 30))
    ]
    placed = said(f"""placing.arranged({json.dumps(wishes)}, {{ words: [], bodies: {json.dumps([ring])}, kept: [],
        still: true, lines: {json.dumps([*arrows, cross, *road])} }}, {json.dumps(PICTURE)}, new Map(), new Map())""")
    assert len(placed) == 3
    roomy = [each | {"x": each["x"] - 3, "wide": each["wide"] + 6, "high": each["high"] + 7} for each in placed]
    assert not any(meets(one, other) for k, one in enumerate(roomy) for other in roomy[:k]), placed


def test_a_word_away_from_its_place_has_a_line_to_it():
    """From its rim to the place, also where the word stands at the left; not at a word that stands beside its place."""
    words = [{**box(x, y, 60, 16), "place": [100, 100]} for x, y in ((108, 100), (108, 148), (10, 60))]
    assert said(f"{json.dumps(words)}.map(placing.leader)") == [
        None, [[108, pytest.approx(141.6)], [100, 100]], [[70, pytest.approx(66.4)], [100, 100]],
    ]  # fmt: skip


def test_the_name_of_a_ring_stands_along_it_where_it_is_seen():
    """A ring around (390, 50) with radius 100 in a picture of 400 by 200: of its points, those that are seen whole."""
    code = """(() => {
        const angles = Array.from({ length: 73 }, (_, k) => (2 * Math.PI * k) / 72);
        const points = new Float32Array(angles.flatMap((a) => [390 + 100 * Math.cos(a), 50 + 100 * Math.sin(a)]));
        const ring = { kind: "lines", of: 3, means: "how far it looks", points, counts: [73] };
        const spot = (places, k) => Array.from(places.slice(2 * k, 2 * k + 2));
        const other = { of: 4, means: "how far it looks" };
        return [ring, other].map((it) => labels.placesOf([490, 50], it, [ring], spot, { width: 400, height: 200 })); })()"""
    every, own = said(code)
    assert own == [[490, 50]]
    seen = [each for each in every if each is not None]
    assert len(every) == 12
    assert 3 <= len(seen) < 12
    for x, y in seen:
        assert 0 < x < 400
        assert 0 < y < 200
        assert np.hypot(x - 390, y - 50) == pytest.approx(100, rel=1e-4)


@pytest.mark.parametrize(
    ("x", "radius", "drawn", "places"),
    [(1000, 630, True, True), (1000, 450, True, False), (200, 900, True, False), (200, 50, False, False)],
    ids=["a little is seen", "nothing is seen", "all around the picture", "not drawn"],
)
def test_the_name_of_a_large_ring_stands_where_a_part_is_seen_or_nowhere(x, radius, drawn, places):
    """Also of a ball around the eye, which has no outline: its name stood somewhere in the sky."""
    code = f"""(() => {{
        const angles = Array.from({{ length: 73 }}, (_, k) => (2 * Math.PI * (k + 3.5)) / 72);
        const points = angles.flatMap((a) => [{x} + {radius} * Math.cos(a), 100 + {radius} * Math.sin(a)]);
        const ring = {{ of: 3, means: "how far it looks", says: "looks far" }};
        const word = {{ ...ring, kind: "texts", ring: true }};
        const line = {{ ...ring, kind: "lines", points: new Float32Array(points), counts: [73] }};
        const spot = (all, k) => Array.from(all.slice(2 * k, 2 * k + 2));
        return labels.placesOf([200, 20], word, {json.dumps(drawn)} ? [word, line] : [word], spot,
            {{ width: 400, height: 200 }}); }})()"""
    found = said(code)
    assert bool(found) == places
    assert all(np.hypot(at[0] - x, at[1] - 100) == pytest.approx(radius, rel=1e-4) for at in found)


def test_the_name_of_arrows_stands_at_the_tip_or_the_outer_half_of_the_longest():
    code = """(() => {
        const arrows = { kind: "arrows", of: 3, means: "danger", tails: [50, 50, 50, 50], tips: [50, 51, 90, 50] };
        const spot = (places, k) => places.slice(2 * k, 2 * k + 2);
        return labels.placesOf([50, 50], arrows, [arrows], spot, { width: 400, height: 200 }); })()"""
    assert said(code) == [[90, 50], [82, 50], [74, 50]]


def test_the_name_of_a_force_stands_at_the_tip_or_the_outer_half_of_its_arrow():
    code = """(() => {
        const spot = (places, k) => places.slice(2 * k, 2 * k + 2);
        const word = { kind: "texts", force: true, tails: [10, 50] };
        return labels.placesOf([60, 50], word, [], spot, { width: 400, height: 200 }); })()"""
    assert said(code) == [[60, 50], [50, 50], [40, 50]]


def test_the_word_of_an_arrow_rather_stands_beside_its_middle_where_it_is_free():
    """At its tip others end, too."""
    code = f"""[[], [[0, 130, 400, 60]], [[0, 70, 200, 60], [0, 130, 200, 60]]].map((full) => placing.freest(
        {{ wide: 60, high: 16, places: [[200, 100], [120, 100]], from: [40, 100], tip: true }},
        {{ words: [], lines: [[[40, 100], [200, 100], 3, true]], bodies: [],
           kept: full.map(([x, y, wide, high]) => ({{ x, y, wide, high }})) }}, {json.dumps(PICTURE)}).place)"""
    alone, above, tip = said(code)
    assert alone == above == [120, 100]
    assert tip == [200, 100]


@pytest.mark.parametrize("angle", [0, 40, 90, 160, 250])
def test_the_word_of_an_arrow_stands_beside_the_outer_half_of_its_shaft(angle):
    """Neither beyond its tip nor on it, and as near as a word is."""
    tail = np.array([200, 100])
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    tip = tail + 80 * along
    places = [(tail + part * (tip - tail)).tolist() for part in (1, 0.8, 0.6)]
    wish = {"wide": WIDE, "high": HIGH, "places": places, "from": tail.tolist(), "tip": True, "most": 1e9}
    lines = [[tail.tolist(), tip.tolist(), 2, True, 2], [(tip - 16 * along).tolist(), tip.tolist(), 16, True, 4]]
    things = {"words": [], "bodies": [], "lines": lines, "kept": []}
    at = said(f"placing.freest({json.dumps(wish)}, {json.dumps(things)}, {{ width: 400, height: 300 }})")
    assert at["place"] in places[1:]
    assert not any(crossed(at, line) for line in lines)
    assert away(at, at["place"]) < 18
    middle = np.array([at["x"] + at["wide"] / 2, at["y"]]) - tail
    assert abs(middle @ np.array([-along[1], along[0]])) > 8, "it stands beside the shaft"


def test_faint_lines_that_are_many_drive_no_word_away():
    """The edges of all pieces of a road, say, of which one is hardly seen."""
    many = [[[x, 60], [x, 140], 2, False, 0.4] for x in range(80, 220, 2)]
    assert away(free([100, 100], lines=many), [100, 100]) < 18
    assert away(free([100, 100], lines=[[*line[:4], 1] for line in many]), [100, 100]) > 18


def test_a_line_in_many_pieces_costs_what_it_does_in_one():
    """As a ring around a neighbor has, across a word that can stand nowhere else."""
    code = f"""[1, 30].map((pieces) => {{
        const corners = Array.from({{ length: pieces + 1 }}, (_, k) => [100 + (200 * k) / pieces, 100]);
        const lines = corners.slice(1).map((to, k) => [corners[k], to, 2]);
        const kept = [[0, 44, 400, 88], [0, 156, 400, 88], [0, 100, 90, 70]];
        const boxes = kept.map(([x, y, wide, high]) => ({{ x, y, wide, high }}));
        return placing.freest({{ wide: 60, high: 16, places: [[100, 100]] }},
            {{ words: [], bodies: [], lines, kept: boxes }}, {json.dumps(PICTURE)}).cost; }})"""
    one, many = said(code)
    assert 30 < one < 60
    assert many == pytest.approx(one, rel=0.2)


def test_the_first_word_makes_room_for_one_that_can_stand_nowhere_else():
    """The more telling word is placed first; where the other one can only stand there, the first one looks once more."""
    code = f"""(() => {{ const kept = [[0, 44, 400, 88], [0, 156, 400, 88], [0, 100, 50, 60], [270, 100, 130, 60]];
        const things = {{ words: [], bodies: [], lines: [], still: true,
            kept: kept.map(([x, y, wide, high]) => ({{ x, y, wide, high }})) }};
        const wish = (text, x, wide) => ({{ text, wide, high: 16, places: [[x, 100]] }});
        const wishes = [wish("a", 120, 60), wish("b", 150, 100)];
        return placing.arranged(wishes, things, {json.dumps(PICTURE)}, new Map(), new Map())
    }})()"""
    one, other = said(code)
    assert not meets(one, other)
    assert one["x"] < 120 < 150 < other["x"]


def test_words_beside_moving_arrows_do_not_hop():
    """Ten seconds of a vehicle that turns, with its arrows, among others: a word changes its side now and then."""
    code = """(() => { let stood = new Map(); const [hops, jumps, seen] = [{}, [], {}]; const last = {};
        const picture = { width: 900, height: 600 };
        for (let k = 0; k < 600; k++) {
            const own = [300 + 0.3 * k, 300 - 0.1 * k];
            const turn = 0.9 * Math.sin(k / 90);
            const to = (angle, long, from = own) => [from[0] + long * Math.cos(angle), from[1] + long * Math.sin(angle)];
            const [velocity, desired] = [to(turn, 140), to(turn + 0.4 + 0.2 * Math.sin(k / 40), 150)];
            const steering = [0, 1].map((c) => velocity[c] + 0.8 * (desired[c] - velocity[c]));
            const ways = { velocity: [own, velocity], "desired velocity": [own, desired], steering: [velocity, steering] };
            const lines = Object.values(ways).map(([a, b]) => [a, b, 2, true, 2]);
            const along = ([a, b]) => [1, 0.8, 0.6].map((part) => a.map((x, c) => x + part * (b[c] - x)));
            const wishes = Object.entries(ways).map(([text, way]) => (
                { text, wide: 8 * text.length, high: 18, places: along(way), from: own, tip: true, most: 290 }));
            const bodies = Array.from({ length: 12 }, (_, j) => (
                { x: (40 * j + 1.1 * k * (j % 3)) % 900, y: (67 * j + 0.4 * k) % 600, wide: 20, high: 20, weight: 0.3 }));
            const now = new Map();
            const placed = placing.arranged(wishes, { words: [], bodies, lines, kept: [] }, picture, stood, now, 16.7 * k);
            for (const { text, x, y, place } of placed) {
                const off = [x - place[0], y - place[1]];
                seen[text] = (seen[text] ?? 0) + 1;
                if (last[text] && Math.hypot(off[0] - last[text][0], off[1] - last[text][1]) > 3)
                    hops[text] = (hops[text] ?? 0) + 1;
                last[text] = off;
            }
            stood = now;
        }
        return [hops, seen]; })()"""
    hops, seen = said(code)
    assert all(count > 550 for count in seen.values()), seen
    assert len(seen) == 3
    assert all(count <= 7 for count in hops.values()), hops


def test_the_line_from_a_word_to_its_place_crosses_no_arrow_where_there_is_another_way():
    around = box(181, 100, 38, 60)
    for across, at_right in (([[212, 95], [212, 105], 2, True], False), ([[212, 95], [212, 105], 2], True)):
        assert (free([200, 100], lines=[across], kept=[around])["x"] > 212) == at_right


def test_no_arrow_lies_between_a_word_and_the_arrow_that_it_names():
    """A steering that brakes lies beside the velocity: its word does not stand beyond the velocity."""
    lines = [[[200, 180], [200, 60], 2, True, 2], [[209, 60], [209, 96], 2, True, 2]]
    wish = {"wide": 60, "high": 16, "places": [[209, 96], [209, 88.8], [209, 81.6]], "tip": True, "most": 1e9}
    things = {"words": [], "bodies": [box(230, 100, 40, 200) | {"weight": 0.8}], "lines": lines, "kept": []}
    at = said(f"placing.freest({json.dumps(wish)}, {json.dumps(things)}, {json.dumps(PICTURE)})")
    assert at["x"] > 200 or at["y"] < 52, "at its side, or above both"


@pytest.mark.parametrize(
    ("word", "means", "several"),
    [
        ("predicted position", "p", "predicted positions"),
        ("neighbor", "neighbors and obstacles that count", "neighbors"),
        ("goes 4th", "neighbors and obstacles that count", "goes 4th"),
        ("looks far", "how far it looks", "looks far"),
    ],
)
def test_one_word_for_several_says_so(word, means, several):
    code = f"""[1, 2].map((rings) => {{
        const word = {{ kind: "texts", of: 3, means: "{means}", words: ["{word}"], position: [50, 50] }};
        const circles = {{ kind: "lines", of: 3, means: "{means}", points: [], counts: Array(rings).fill(73) }};
        const spot = (places, k) => [places[2 * k] ?? 50, places[2 * k + 1] ?? 50];
        return labels.namesOf([word], [circles], spot, {{ width: 400, height: 200 }}, () => true)[0].text; }})"""
    assert said(code) == [word, several]


@pytest.mark.parametrize(
    ("at", "said_as", "leaves"),
    [([900, 100], "lamp →", (394, 100)), ([200, -300], "lamp ↑", (200, 6)), ([300, 100], "lamp", (300, 100))],
)
def test_a_goal_that_is_out_of_the_picture_is_named_where_the_way_to_it_leaves(at, said_as, leaves):
    code = f"""(() => {{
        const word = {{ kind: "texts", of: 3, means: "where to go", words: ["lamp"], position: {at} }};
        const spot = (places, k) => [places[2 * k], places[2 * k + 1]];
        const seen = (at) => labels.isWithin(at, {json.dumps(PICTURE)});
        return labels.namesOf([word], [], spot, {json.dumps(PICTURE)}, seen, [200, 100]); }})()"""
    (name,) = said(code)
    assert name["text"] == said_as
    assert name["places"] == [pytest.approx(leaves)]


def test_a_word_covers_others_rather_than_a_vehicle_that_takes_part_in_the_explanation():
    bodies = {"n": 2, "id": [4, 7], "position": [5, 5, 20, 20], "size": [2, 2]}
    code = f"""(() => {{
        const camera = {{ width: 40, height: 40, meter: () => 1, middle: [20, 20], scale: 1,
            matrix: [0.05, 0, 0, 0, 0, 0.05, 0, 0, 0, 0, 1, 0, -1, -1, 0, 1] }};
        const made = (explains) => labels.bodiesOf({{ after: {{ populations: {{ all: {json.dumps(bodies)} }} }}, explains,
            cast: explains ? new Map([["all", new Set([7])]]) : new Map() }}, camera).map(({{ weight }}) => weight);
        return [made(true), made(false)]; }})()"""
    (other, part), usual = said(code)
    assert other < 1 < part
    assert usual == [1, 1]


def test_a_vehicle_that_is_wider_than_long_covers_its_width():
    bodies = {"n": 2, "id": [4, 7], "position": [5, 5, 20, 20], "size": [2, 2], "width": [1, 4]}
    code = f"""(() => {{
        const camera = {{ width: 40, height: 40, meter: () => 1, middle: [20, 20], scale: 1,
            matrix: [0.05, 0, 0, 0, 0, 0.05, 0, 0, 0, 0, 1, 0, -1, -1, 0, 1] }};
        const after = {{ populations: {{ all: {json.dumps(bodies)} }} }};
        return labels.bodiesOf({{ after, cast: new Map() }}, camera).map(({{ wide }}) => wide); }})()"""
    narrow, broad = said(code)
    assert broad == pytest.approx(2 * narrow)


def test_numbers_of_the_grid_are_not_cut_off():
    camera = "{ width: 800, height: 600, middle: [0, 0, 0], scale: 6.01 }"
    ticks = said(f"labels.ticks({camera}).map(({{ text, left, top }}) => [text, parseFloat(left), parseFloat(top)])")
    across = [(left, len(text)) for text, left, top in ticks if top == 2]
    up = [top for text, left, top in ticks if top != 2]
    assert len(across) >= 5
    assert len(up) >= 3
    assert all(left + 6 * size < 800 for left, size in across)
    assert all(14 < top < 588 for top in up)


def test_names_are_told_beside_an_explanation_of_what_is_drawn_and_at_its_marks():
    names = [{"text": text, "at": [x, 0]} for text, x in (("at a mark", 0), ("at a point", 100), ("a remark", 200))]
    names.append({"text": "a note", "at": [300, 0], "element": {"says": "a note"}})
    code = f"labels.placesIn({json.dumps(names)}, [{{ at: [5, 0] }}], [[100, 3], null]).map(({{ text }}) => text)"
    assert said(code) == ["at a mark", "at a point", "a note"]
    many = code.replace("null]", "[300, 9], [400, 9], [500, 9], [600, 9]]")
    assert said(many) == ["at a mark", "a note"]  # Places of a whole crowd, say.


def test_names_that_the_explanation_does_not_need_are_told_of_the_nearest_places():
    """Also of points of which there are many; not where another name stands, or the same one."""
    names = [{"text": f"place {k}", "at": [30 * k, 0]} for k in range(9)]
    named = [{"text": "place 1", "at": [300, 90]}, {"text": "goal", "at": [65, 0]}]
    found = said(f"labels.spared({json.dumps(names)}, {json.dumps(named)}, [0, 0]).map(({{ text }}) => text)")
    assert found == ["place 0", "place 3", "place 4", "place 5"]
    assert len(said(f"labels.spared({json.dumps(names)}, [], null)")) == 4


def test_a_word_stands_beside_the_mark_that_it_names():
    """Of two things that a node reacts to, each has its own word."""
    code = """(() => {
        const rings = [50, 90].map((x, k) => ({ kind: "marks", of: 3, means: "m", says: "ab"[k], position: [x, 50] }));
        const spot = (places, k) => places.slice(2 * k, 2 * k + 2);
        return rings.map((it) => labels.placesOf([9, 9], it, rings, spot, { width: 400, height: 200 })); })()"""
    assert said(code) == [[[50, 50]], [[90, 50]]]


def test_a_population_without_vehicles_covers_nothing():
    code = """(() => {
        const one = { n: 1, position: [5, 5], size: [2] };
        const camera = { width: 40, height: 40, matrix: [], meter: () => 1, middle: [0, 0], scale: 1 };
        const stage = (populations) => ({ after: { populations }, cast: new Map() });
        return labels.bodiesOf(stage({ none: { n: 0, position: [], size: [] } }), camera); })()"""
    assert said(code) == []


def test_words_keep_off_obstacles_where_there_is_room():
    """Off each that is in the picture and not as large as ground; of very many none is looked at."""
    corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    rings = np.concatenate([np.multiply(corners, 30) + place for place in ([100, 100], [900, 100])])

    def found(count, layer, scale=1):
        element = {"kind": "areas", "layer": layer, "points": (scale * rings).ravel().tolist(), "counts": [4] * count}
        spot = "(places, k) => places.slice(2 * k, 2 * k + 2)"
        return said(f"labels.rocksOf([{json.dumps(element)}], {spot}, {json.dumps(PICTURE)})")

    (rock,) = found(2, 1.6)
    assert [rock[each] for each in ("x", "y", "wide", "high")] == pytest.approx([76, 100, 48, 48])
    assert found(2, 1.92) == [rock]  # A lamp, or a fire; ground is no obstacle.
    assert found(2, 0.5) == found(2, 2.6) == found(5000, 1.6) == found(2, 1.6, scale=3.2) == []
    assert not meets(free([120, 100], bodies=[rock]), rock)
    assert free([100, 100], bodies=[{**rock, "x": 0, "y": 100, "wide": 400, "high": 200}]) is not None
