"""Arrows of an explained vehicle: velocity, desired velocity, and the steering from the one toward the other."""

import json

import numpy as np
import pytest
from studio.viewer.node import said

MEANINGS = {"present velocity": "velocity", "desired velocity": "desired velocity"}


def told(velocity, force, *parts, granted=1.0, response=0.5, **about):
    """An explanation: of the force that the parts make together, so much is granted."""
    whole = np.asarray(force, float)
    leaves = [
        {"key": k, "label": "A", "words": f"part {k}", "raw": raw, "contribution": kept, "parts": []}
        for k, (raw, kept) in enumerate(parts, 1)
    ]
    tree = {
        "key": 0,
        "label": "S",
        "words": "all",
        "raw": whole.tolist(),
        "contribution": whole.tolist(),
        "parts": leaves,
    }
    return {
        "population": "a", "id": 0, "leaf": 0, "full": 10, "max_force": 10, "velocity": list(velocity), "fastest": 4,
        "response": response, "force": (granted * whole).tolist(), "tree": tree, **about,
    }  # fmt: skip


def drawn(it, at=(0, 0), camera=None, picked=None, velocities=True, moments=1, rim=20, stretch=1, tour=None, keys=None):
    """Tails, tips and words of arrows and straight lines in a picture of 10 pixels a meter, in pixels: by color.

    Of several moments, those of the last picture, and the world moves.
    """
    camera = camera or "{ width: 460, height: 460, middle: [0, 0, 0], scale: 10, meter: () => 10 }"
    words = [
        (means, {"kind": kind, "means": means, "words": [word]})
        for means, word in MEANINGS.items()
        for kind in ("arrows", "texts")
    ]
    elements = json.dumps([each for _, each in words] if velocities else [])
    code = f"""(() => {{
        const stage = {{ placeOf: () => {list(at)}, rim: () => {rim}, camera: {camera}, stretch: {stretch},
            still: {json.dumps(not isinstance(it, list))} }};
        const key = () => {{}};
        const panel = Object.create(why.Why.prototype);
        Object.assign(panel, {{ stage, tour: {json.dumps(tour or {})}, picked: {json.dumps(picked)}, vectors: null, key,
            keysOf: () => {f"new Set({keys})" if keys else "undefined"} }});
        let made = [];
        for (const told of {json.dumps(it if isinstance(it, list) else [it])})
            made = why.Why.prototype.arrows.call(panel, told, {elements});
        const d = {len(at)};
        const pixels = (all) => Array.from(all, (each) => 10 * each);
        const from = (all, k) => pixels(all).slice(d * k, d * k + d);
        const lines = ({{ points, ...each }}) => (each.kind === "lines"
            ? {{ means: each.kind, tails: points.slice(0, d), tips: points.slice(d) }} : each);
        const straight = made.filter(({{ counts = [] }}) => !(counts[0] > 2));
        return straight.map(lines).map(({{ kind, means = "force", tails, tips, words, position }}) => kind === "texts"
            ? [words[0], pixels(position)]
            : Array.from({{ length: tips.length / d }}, (_, k) => [means, from(tails, k), from(tips, k)])); }})()"""
    made = said(code)
    arrows = [arrow for each in made if not isinstance(each[0], str) for arrow in each]
    return [(means, np.array(tail), np.array(tip)) for means, tail, tip in arrows], [
        each[0] for each in made if isinstance(each[0], str)
    ]


def by_meaning(arrows):
    return {means: (tail, tip) for means, tail, tip in arrows}


@pytest.mark.parametrize(
    ("velocity", "force", "granted"),
    [
        ((4, 0), (-4, 6), 1),
        ((4, 0), (-4, 6), 0.5),
        ((2, 2), (-6, 1), 0.7),
        ((1, -2), (4, 4), 1),
        ((3, 0, 1), (-3, 5, 0), 0.5),
    ],
)
def test_steering_leads_from_the_velocity_toward_the_desired_one(velocity, force, granted):
    """As far as is granted of it, and at most until its head is beside that; at top speed the velocity is 120 pixels long.

    In space, a dashed line shows how far the velocity leads up.
    """
    camera = "{ width: 460, height: 460, eye: [0, 0, 500], meter: () => 10 }" if len(velocity) == 3 else None
    arrows, words = drawn(told(velocity, force, granted=granted), at=[0] * len(velocity), camera=camera)
    found = by_meaning(arrows)
    assert set(words) - {"up"} == {"velocity", "desired velocity", "steering"}
    assert ("up" in words) == (len(velocity) == 3)
    assert len(arrows) == 3 + (granted < 1)
    (start, now), (_, wish), (tail, tip) = (found[each] for each in ("present velocity", "desired velocity", "force"))
    assert np.allclose(start, 0)
    assert now == pytest.approx(np.multiply(velocity, 120 / 4), rel=1e-5)
    assert tail == pytest.approx(now)
    whole = wish - now
    lean = whole @ wish / np.linalg.norm(whole) / np.linalg.norm(wish)
    gap = 8 / np.sqrt(1 - lean**2)
    assert tip == pytest.approx(now + granted * whole - (granted == 1) * gap * whole / np.linalg.norm(whole), abs=1e-3)
    assert wish - now == pytest.approx(np.multiply(force, 0.5 * 120 / 4), rel=1e-5)
    if granted < 1:  # What it lacks leads on to there.
        assert np.concatenate(found["lines"]) == pytest.approx(np.concatenate([tip, wish]), rel=1e-5)


@pytest.mark.parametrize("velocity", [(0, 0), (0.5, 0)])
def test_the_steering_of_a_vehicle_that_hardly_moves_begins_at_its_ring(velocity):
    """There, the desired velocity lies in the same line, and is not drawn."""
    ((_, tail, tip),), words = drawn(told(velocity, (0, 6)))
    assert words == ["steering"]
    assert tail == pytest.approx([0, 20])
    assert tip == pytest.approx([0, 20 + 6 * 0.5 * 120 / 4])


@pytest.mark.parametrize(
    ("force", "words"),
    [((0, 0.4), ["velocity", "steering"]), ((6, 0.3), ["velocity", "steering"]), ((0, 0), ["velocity, as desired"])],
    ids=["about the same", "in one line", "the same"],
)
def test_of_velocities_that_can_hardly_be_told_apart_one_is_drawn(force, words):
    arrows, found = drawn(told((3, 0), force))
    assert sorted(found) == sorted(words)
    assert len(arrows) == len(words)


@pytest.mark.parametrize(
    ("force", "velocity", "length", "words"),
    [
        ((0, 0.08), 90, 36, ["velocity", "steering"]),
        ((0, 0.3), 90, 36, ["velocity", "steering"]),
        ((-1, 0), 90, 36, ["velocity", "steering"]),
        ((0, 1), 90 * 1.7, 36, ["velocity", "steering"]),
        ((0, 1.6), 90 * 36 / 24, 27.72, ["velocity", "desired velocity", "steering"]),
        ((0, 2.4), 90, 27.38, ["velocity", "desired velocity", "steering"]),
        ((-9, 9), 90, 173.0, ["velocity", "desired velocity", "steering"]),
    ],
)
def test_no_steering_is_too_short_to_be_seen(force, velocity, length, words):
    """All arrows grow together for its sake, to 1.7 times their length; it alone where the desired velocity is left out.

    Its head ends before that of the desired velocity, and not on it.
    """
    arrows, found = drawn(told((3, 0), force))
    assert found == words
    assert np.linalg.norm(arrows[0][2]) == pytest.approx(velocity, rel=1e-3)
    _, tail, tip = arrows[-1]
    if "desired velocity" in words:
        start, end = by_meaning(arrows)["desired velocity"]
        beside = np.cross(np.append(end - start, 0), np.append(tip - start, 0)) / np.linalg.norm(end - start)
        assert abs(beside[2]) == pytest.approx(8, rel=1e-3)
    assert np.linalg.norm(tip - tail) == pytest.approx(length, rel=1e-3)
    assert (tip - tail) / length == pytest.approx(np.array(force) / np.hypot(*force), abs=1e-3)


@pytest.mark.parametrize(
    ("force", "length"), [((0, 0.3, 0), 36), ((0, 0.3, 0.3), 36 * 2**0.5), ((0, 0, 0.3), 36 / 0.3)]
)
def test_what_points_at_the_eye_is_as_short_as_it_is_seen(force, length):
    camera = "{ width: 460, height: 460, eye: [0, 0, 500], meter: () => 10 }"
    arrows, _ = drawn(told((3, 0, 0), force), at=[0, 0, 0], camera=camera)
    _, tail, tip = arrows[-1]
    assert np.linalg.norm(tip - tail) == pytest.approx(length, rel=1e-2)


def test_a_full_thrust_ends_where_the_desired_velocity_does():
    """It is stronger than what leads there, and has another direction: the desired velocity is what the law says."""
    arrows, words = drawn(told((4, 0), (-6, 12), desired=[0, 4]))
    assert words == ["velocity", "desired velocity", "steering"]
    found = by_meaning(arrows)
    assert found["desired velocity"][1] == pytest.approx([0, 120])
    tail, tip = found["force"]
    assert np.linalg.norm(tip - tail) == pytest.approx(120 * 2**0.5, rel=1e-5)
    assert (tip - tail) / np.linalg.norm(tip - tail) == pytest.approx(np.array([-1, 2]) / 5**0.5)


def test_a_thrust_that_leads_elsewhere_has_no_desired_velocity_beside_it():
    """Its triangle would not close."""
    arrows, words = drawn(told((4, 0), (0, 12), desired=[0, 4]))
    assert words == ["velocity", "steering"]
    assert "desired velocity" not in by_meaning(arrows)


@pytest.mark.parametrize(
    ("goal", "far"),
    [
        ((7, 7), 70 * 2**0.5 - 8),
        ((7, 6), 10 * 85**0.5 - 8),
        ((20, 20), 120),
        ((9, 3), 120),
        ((4, 4), 0.6 * 120),
        ((1, 1), 120),
        ((-9, -9), 120),
    ],
    ids=["before its tip", "nearly on its way", "beyond it", "elsewhere", "near", "on the vehicle", "behind"],
)
@pytest.mark.parametrize("shape", ["mark", "line"])
@pytest.mark.parametrize("d", [2, 3])
def test_the_desired_velocity_ends_before_its_goal(goal, far, shape, d):
    """All velocities and forces have one scale. They reach beyond the ring."""
    more = [0] * (d - 2)
    place = {"kind": "marks", "position": [*goal, *more]}
    way = {"kind": "lines", "points": [0] * d + [*goal, *more], "counts": [2]}
    elements = [{"means": "where to go", **(place if shape == "mark" else way)}]
    it = told((4, 0, *more), (8**0.5 * 2 - 8, 8**0.5 * 2, *more), elements=elements)
    camera = "{ width: 460, height: 460, eye: [0, 0, 500], meter: () => 10 }" if d == 3 else None
    arrows, _ = drawn(it, at=[0] * d, camera=camera)
    found = by_meaning(arrows)
    assert np.linalg.norm(found["desired velocity"][1]) == pytest.approx(far, rel=1e-4)
    assert np.linalg.norm(found["present velocity"][1]) == pytest.approx(far, rel=1e-4)


@pytest.mark.parametrize(("keys", "far"), [([1], 70 * 2**0.5 - 8), ([2], 120)], ids=["drawn", "not drawn"])
def test_a_goal_that_is_not_drawn_shortens_no_arrow(keys, far):
    goal = [{"kind": "marks", "means": "where to go", "position": [7, 7], "of": 1}]
    arrows, _ = drawn(told((4, 0), (8**0.5 * 2 - 8, 8**0.5 * 2), elements=goal), keys=keys)
    assert np.linalg.norm(by_meaning(arrows)["desired velocity"][1]) == pytest.approx(far, rel=1e-4)


def test_arrows_change_calmly_where_a_goal_comes_in_their_way():
    goal = [{"kind": "marks", "means": "where to go", "position": [7, 7]}]
    moments = [told((4, 0), (8**0.5 * 2 - 8, 8**0.5 * 2), elements=each) for each in ([], *[goal] * 40)]
    ends = [np.linalg.norm(by_meaning(drawn(moments[:n])[0])["desired velocity"][1]) for n in (1, 2, 3, 41)]
    assert ends[0] == pytest.approx(120, rel=1e-4)
    assert ends[0] > ends[1] > ends[2] > ends[3] == pytest.approx(70 * 2**0.5 - 8, rel=0.01)
    assert ends[0] - ends[1] < 0.2 * (ends[0] - ends[3])


def test_lines_that_are_many_lead_to_no_goal():
    """Such as those of a map of directions."""
    lines = [{"kind": "lines", "means": "where to go", "points": [0, 0, 3, 9, 0, 0, 7, 7], "counts": [2, 2]}]
    arrows, _ = drawn(told((4, 0), (8**0.5 * 2 - 8, 8**0.5 * 2), elements=lines))
    assert np.linalg.norm(by_meaning(arrows)["desired velocity"][1]) == pytest.approx(120, rel=1e-4)


def test_velocities_that_end_before_a_goal_can_still_be_told_apart():
    goal = [{"kind": "marks", "means": "where to go", "position": [7.5, 1.5]}]
    arrows, words = drawn(told((4, 0), (0, 2.4), elements=goal))
    assert words == ["velocity", "desired velocity", "steering"]
    found = by_meaning(arrows)
    gap = np.linalg.norm(found["desired velocity"][1] - found["present velocity"][1])
    assert gap == pytest.approx(1.1 * 28)
    assert 75 < found["desired velocity"][1][0] < 120


@pytest.mark.parametrize("side", [-1, 0, 1])
def test_steering_that_brakes_lies_beside_the_velocity_and_not_on_it(side):
    """On the side to which it turns."""
    arrows, _ = drawn(told((4, 0), (-3, 0.3 * side)))
    (_, now), (tail, tip) = (by_meaning(arrows)[each] for each in ("present velocity", "force"))
    assert tail - now == pytest.approx([0, -9 if side < 0 else 9])
    assert abs(tip[1]) >= 9 - 1e-6


@pytest.mark.parametrize(
    ("at", "velocity"), [((31, 0), (4, 0)), ((0, 21), (0, 4)), ((-31, -5), (-4, 1)), ((0, -21), (0, -4))]
)
def test_arrows_end_in_the_picture(at, velocity):
    """Of vehicles that have room for the shortest ones: 12 pixels from the border."""
    camera = "{ width: 800, height: 600, middle: [40, -7, 0], scale: 10, meter: () => 10 }"
    arrows, _ = drawn(told(velocity, np.flip(velocity) * 1.5), at=np.add(at, [40, -7]).tolist(), camera=camera)
    assert len(arrows) == 3
    tips = np.array([tip for _, _, tip in arrows]) - [400, -70]
    assert (tips <= [388.1, 288.1]).all()
    assert (tips >= [-388.1, -288.1]).all()
    assert np.isclose(np.abs(tips), [388, 288], atol=0.1).any()


def test_a_part_is_drawn_where_it_is_picked_and_begins_where_the_steering_does():
    """With what it asks for beyond what it gets, thin; all in one proportion."""
    parts = [([-6, 2], [-3, 1]), ([0, 4], [0, 4])]
    it = told((4, 0), (-3, 5), *parts)
    assert len(drawn(it)[0]) == 3
    arrows, words = drawn(it, picked=1)
    forces = [(tail, tip) for means, tail, tip in arrows if means == "force"]
    assert words == ["velocity", "desired velocity", "part 1 asks for 6.32 N", "part 1", "steering"]
    for (tail, tip), force in zip(forces, ([-6, 2], [-3, 1], [-3, 5]), strict=True):
        assert tip - tail == pytest.approx(np.multiply(force, 0.5 * 120 / 4), rel=1e-5)
    assert [tail.tolist() for tail, _ in forces[2:]] == [pytest.approx([120, 0])]


def test_a_tour_shows_what_a_part_asks_for_and_then_what_it_gets():
    """Of the part that it is about, from the tip of the velocity."""
    it = told((4, 0), (-3, 5), ([-6, 2], [-3, 1]), ([0, 4], [0, 4]))
    for leaf, step, expected in ((0, 0, []), (0, 1, [[-6, 2]]), (0, 2, [[-3, 1], [-3, 5]]), (1, 2, [[0, 4], [-3, 5]])):
        arrows, _ = drawn(it, tour={"on": True, "leaf": leaf, "step": step})
        forces = [tip - tail for means, tail, tip in arrows if means == "force"]
        assert forces == [pytest.approx(np.multiply(each, 15), rel=1e-5) for each in expected]


@pytest.mark.parametrize(
    ("force", "parts", "state", "count"),
    [
        ([0.01, 0], [[0.01, 0], [0, 0]], "no force is needed now", 0),
        ([0.01, 0], [[0, 3], [0.01, -2.99]], "forces cancel out", 2),
        ([0.5, 0], [[0.5, 0], [0, 0]], "", 1),
    ],
)
def test_nearly_no_steering_is_told_in_words(force, parts, state, count):
    """In the panel; the picture then has no arrow of a force, but of those that cancel out."""
    it = told((3, 0), force, *[(each, each) for each in parts])
    assert said(f"why.quietly({json.dumps(it)})") == state
    arrows, words = drawn(it)
    assert sum(means == "force" for means, _, _ in arrows) == count
    assert ("velocity, as desired" in words) == bool(state)


def test_what_is_drawn_stays_until_it_is_clearly_too_short():
    """The desired velocity comes with a change of 30 pixels, stays with one of 16, and goes with one of 3."""
    large, less, little = (told((4, 0), (0, size / 15)) for size in (30, 16, 3))
    counts = [len(drawn(each)[0]) for each in ([large], [less], [large, *[less] * 60], [large, *[little] * 60])]
    assert counts == [3, 2, 3, 2]


def test_without_velocities_forces_begin_at_the_ring():
    ((_, tail, tip),), _ = drawn(told((4, 0), (0, 6)), velocities=False)
    assert tail == pytest.approx([0, 20])
    assert tip == pytest.approx([0, 20 + 90])


def test_a_vector_from_a_place_ends_at_the_border_of_the_picture():
    """Of places 25 pixels or more from it, in any direction and however large: 12 pixels from the border."""
    rng = np.random.default_rng(1)
    tails = np.concatenate([rng.uniform(-1, 1, (200, 2)) * [375, 275], [[375, 0], [0, -275], [-375, 275]]]) / 5
    angles = np.concatenate([rng.uniform(0, 2 * np.pi, 200), [0, -np.pi / 2, 2.4]])
    forces = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 10.0 ** rng.uniform(-3, 6, (203, 1))
    for middle, scale in (([0, 0], 5.0), ([40, -7], 5.0)):
        camera = f"{{ width: 800, height: 600, middle: {[*middle, 0]}, scale: {scale} }}"
        pairs = json.dumps(np.stack([tails + middle, forces], axis=1).tolist())
        scales = np.array(said(f"{pairs}.map(([tail, force]) => vectors.within({camera}, tail, force))"), float)
        tips = np.abs(tails + forces * scales[:, None]) * scale
        assert (tips <= np.array([388, 288]) + 1e-6).all()
        assert np.isclose(tips, [388, 288]).any(axis=1).all()  # The scale is the largest one with which they stay.


def test_arrows_from_beyond_the_border_are_as_long_as_they_like():
    camera = "{ width: 800, height: 600, middle: [0, 0, 0], scale: 5 }"
    cases = "[[[90, 0], [1, 0]], [[79, 0], [1, 0]], [[0, 0, 0], [1, 0, 0]]]"
    assert said(f"{cases}.map(([tail, force]) => vectors.within({camera}, tail, force))") == [None, None, None]


def test_the_key_to_the_colors_is_renewed_when_a_velocity_is_drawn_that_was_not():
    """And when it is drawn no more; not while the same is drawn. It says where the steering is drawn longer than to scale.

    That more force is wanted than there is it tells as long as that is drawn.
    """
    turning, calm = told((4, 0), (-4, 6)), told((4, 0), (1, 0))
    limited = {**turning, "tree": {**turning["tree"], "contribution": [-6, 9]}}
    elements = [{"kind": "arrows", "means": means, "words": [word]} for means, word in MEANINGS.items()]
    code = f"""(() => {{
        const camera = {{ width: 460, height: 460, middle: [0, 0, 0], scale: 10, meter: () => 10 }};
        const stage = {{ placeOf: () => [0, 0], rim: () => 20, camera, stretch: 1, still: true }};
        const keys = [];
        const panel = Object.create(why.Why.prototype);
        Object.assign(panel, {{ stage, tour: {{}}, picked: null, vectors: null, longer: false, cut: false, key() {{
            keys.push([!!this.vectors.desired, this.longer, this.cut]); }} }});
        for (const it of {json.dumps([turning, turning, calm, calm, turning, limited, limited, turning])})
            why.Why.prototype.arrows.call(panel, it, {json.dumps(elements)});
        return keys; }})()"""
    changes = [
        [True, False, False],
        [False, True, False],
        [True, False, False],
        [True, False, True],
        [True, False, False],
    ]
    assert said(code) == changes


@pytest.mark.parametrize(
    ("asked", "granted", "desired", "drawn"),
    [
        ([0, 9], [0, 3], [2, 9], True),
        ([0, 9], [0, 8.9], [2, 9], False),  # As much as is asked for, about.
        ([0, 9], [0, 3], None, False),  # The desired velocity is not drawn.
        ([0, 9], [0, 3], [2, 3.05], False),  # Too short to be seen.
    ],
)
def test_what_a_limited_steering_lacks_leads_to_the_desired_velocity(asked, granted, desired, drawn):
    """At 10 pixels a meter, from the tip of the steering; of other steerings nothing is drawn. The key has its word."""
    told = {"velocity": [1, 1], "tree": {"contribution": asked}, "response": 0.5, "force": granted}
    place, tip, vectors = [10.0, 10.0], [12.0, 13.0], {"desired": desired, "speed": 1.0}
    arguments = ", ".join(json.dumps(each) for each in (told, tip, place, vectors, 0.1))
    made = said(f"why.missing({arguments}).map(({{ kind, points, dash }}) => [kind, Array.from(points), !!dash])")
    assert made == ([["lines", [12, 13, 12, 19], True]] if drawn else [])


@pytest.mark.parametrize(
    ("velocity", "words"), [([3, 0, 4], ["up"]), ([3, 0, -4], ["down"]), ([4, 0, 0.4], []), ([3, 4], []), (None, [])]
)
def test_a_velocity_in_space_shows_how_far_it_leads_up_or_down(velocity, words):
    """By a line to where it would lead at the same height, and from there to its tip; not one that is nearly level."""
    place = [1, 2, 3][: len(velocity or [0, 0, 0])]
    made = said(f"vectors.rising({place}, {json.dumps({'velocity': velocity, 'speed': 2})})")
    assert [word for each in made for word in each.get("words", [])] == words
    if words:
        points = np.reshape(list(made[0]["points"].values()), (3, 3))
        assert points == pytest.approx(np.array([place, [7, 2, 3], np.add(place, np.multiply(2, velocity))]))
        assert list(made[1]["position"].values()) == pytest.approx((points[1] + points[2]) / 2)


def test_arrows_go_calmly_to_another_force_while_the_world_moves():
    """Where it stands still they are there at once."""
    code = f"""((still) => {{
        const panel = Object.assign(Object.create(why.Why.prototype), {{ stage: {{ still }}, last: null }});
        const made = {json.dumps([told((4, 0), force) for force in ((0, 1), (0, 5), (0, 5))])}.map((it) => panel.eased(it));
        return made.map(({{ force, desired }}) => [force[1], desired[1]]); }})"""
    assert said(f"{code}(true)") == [[1, 0.5], [5, 2.5], [5, 2.5]]
    one, two, three = said(f"{code}(false)")
    assert one == [1, 0.5]
    assert 1 < two[0] < three[0] < 2.5
    assert 0.5 < two[1] < three[1] < 1.25


@pytest.mark.parametrize("on_ground", [True, False])
def test_on_the_ground_arrows_show_what_moves_the_vehicle_and_agree_with_the_sentence(on_ground):
    """The ground bears what presses on it: seen from the side of a slope, the whole force may point to the other side."""
    up = [0, -0.6, 0.8]
    it = told((2, 0, 0), (0, 4, -8), ([0, 4, -8], [0, 4, -8]), on_ground=on_ground, pace=0.5)
    code = f"""(() => {{
        let make = null;
        const body = {{ position: [0, 0, 0], forward: [1, 0, 0], up: {up} }};
        const camera = {{ width: 460, height: 460, middle: [0, 0, 0], meter: () => 10 }};
        const stage = {{ placeOf: () => [0, 0, 0], rim: () => 20, camera, stretch: 1, still: true, edges: [[], []],
            layers: {{ why: true }}, scene: {{ dimensions: 3 }}, decorate: (name, elements, makes) => (make = makes) }};
        const panel = Object.assign(Object.create(why.Why.prototype), {{ stage, tour: {{}}, picked: null, vectors: null,
            told: {json.dumps(it)}, bodyOf: () => body, tell: () => {{}}, key: () => {{}} }});
        panel.draw();
        const {{ tails, tips }} = make().find(({{ kind }}) => kind === "arrows");
        return [Array.from(tips, (each, k) => each - tails[k]), reason.reasonOf(panel.told, body.forward, body.up)];
    }})()"""
    arrow, sentence = said(code)
    across = np.cross(up, [1, 0, 0])
    if on_ground:
        assert np.dot(arrow, up) == pytest.approx(0, abs=1e-6)
        assert ("left" in sentence) == (np.dot(arrow, across) > 0)
    else:
        assert np.dot(arrow, [0, 4, -8]) == pytest.approx(np.linalg.norm(arrow) * np.hypot(4, 8))


def test_arrows_of_all_vehicles_end_in_the_picture_and_are_else_to_scale():
    camera = "{ width: 800, height: 600, middle: [0, 0, 0], scale: 5 }"
    arrows = f"new populations.Arrows(2, false, {camera})"
    add = "arrows.add(Float32Array.of(9, 9, 70, 0), 2, [0, 3, 0], k, 10, 0.1, [0, 0, 0, 1], 1)"
    tips = f"[0, 1].map((k) => {{ const arrows = {arrows}; {add}; return arrows.numbers.tips; }})"
    assert said(tips) == [[70, 30], [pytest.approx(77.6), 0]]
