"""What goes to the page can be read there: frames as float32 columns, scenes as JSON."""

import base64
import json
import struct

import numpy as np
import pytest
from studio.viewer.node import said

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer import packing
from steersman.studio.viewer.element_messages import packed_ids
from steersman.studio.viewer.packing import frame_of, scene_of


def read_frame(data):
    """Head, and columns by population, as the page reads them: it takes numbers at multiples of four bytes alone."""
    (length,) = struct.unpack_from("<I", data)
    assert length % 4 == 0
    head, at = json.loads(data[4 : 4 + length]), 4 + length
    found = {}
    for about in head["populations"]:
        n, d = about["n"], about["d"]
        coded = "low" in about
        names = (
            {name: 1 for name, key in (("id", "first"), ("size", "size")) if about.get(key) is None}
            | ({"width": 1} if about["broad"] else {})
            | ({"axis": 1} if about.get("long") else {})
            | ({} if coded else {"position": d, "forward": d})
            | ({"up": 3} if d == 3 else {})
        )
        for name, width in names.items():
            kind = "<u4" if name == "id" else "<f4"
            found[about["name"], name] = np.frombuffer(data, kind, n * width, at).reshape(n, width)
            at += 4 * n * width
        if coded:
            places, headings = np.frombuffer(data, "<u2", 2 * n * d, at).reshape(2, n, d)
            at += 4 * n * d
            found[about["name"], "position"] = np.array(about["low"]) + about["step"] * places
            found[about["name"], "forward"] = (headings - 32768.0) / 32767
    assert at == len(data)
    return head, found


@pytest.mark.parametrize(("n", "most"), [(1, 128), (100, 64), (400, 16), (800, 16)])
def test_a_track_of_very_many_steps_is_an_even_sample_and_the_next_one_is_whole(n, most):
    """Of few vehicles it has more steps: their trails are smooth also where the world runs fast."""
    track, herd = packing.Track(), {"ants": sm.Vehicles(np.stack([np.arange(n), np.zeros(n)], axis=1))}

    def noted(steps):
        for step in steps:
            track.add(step, 0.1 * step, herd)
        data = track.packed(1, 0)
        (length,) = struct.unpack_from("<I", data)
        return [each["steps"] for each in json.loads(data[4 : 4 + length])["track"]]

    assert noted(range(1, most + 1)) == [*range(1, most + 1)]
    assert noted(range(1, most + 2)) == [*range(2, most + 2, 2)]
    assert noted(range(1, 6)) == [1, 2, 3, 4, 5]
    assert track.packed(1, 0) is None


@pytest.mark.parametrize("n", [0, 1, packing.FOLLOWED, packing.FOLLOWED + 1, 3 * packing.FOLLOWED])
def test_a_track_is_of_an_even_sample_of_a_population(n):
    herd = sm.Vehicles(np.stack([np.arange(n), np.zeros(n)], axis=1))
    track = packing.Track()
    track.add(1, 0.1, {"ants": herd})
    data = track.packed(1, 0)
    (length,) = struct.unpack_from("<I", data)
    (moment,) = json.loads(data[4 : 4 + length])["track"]
    count, every = moment["populations"][0]["n"], max(1, -(-n // packing.FOLLOWED))
    ids = np.frombuffer(data, "<u4", count, 4 + length)
    places = np.frombuffer(data, "<f4", 2 * count, 4 + length + 4 * count)
    assert ids.tolist() == places[::2].tolist() == list(range(0, n, every))
    assert count <= packing.FOLLOWED


@pytest.mark.parametrize("d", [2, 3])
def test_a_frame_says_where_everybody_is(d):
    rng = np.random.default_rng(0)
    world = sm.World()
    world.add(sm.Vehicles(rng.normal(size=(5, d)), rng.normal(size=(5, d)), max_speed=3), name="a bird")
    world.add(sm.Vehicles(rng.normal(size=(0, d))), name="nobody")
    head, columns = read_frame(frame_of(contents_of(world), 10.0, {"time": 1.5, "steps": 3}))
    assert (head["time"], head["steps"]) == (1.5, 3)
    birds = world["a bird"]
    assert columns["a bird", "position"] == pytest.approx(birds.position)
    assert columns["a bird", "forward"] == pytest.approx(birds.forward)
    assert columns["a bird", "id"][:, 0].tolist() == birds.id.tolist()
    assert (columns["a bird", "size"] > 0).all()
    assert len(columns["nobody", "id"]) == 0


def test_bodies_that_can_be_seen_are_sent_with_their_widths():
    world = sm.World()
    world.add(sm.Vehicles(np.eye(2), radius=[0.5, 0.75]), name="balls")
    _, columns = read_frame(frame_of(contents_of(world), 10.0, {}))
    assert columns["balls", "width"][:, 0].tolist() == [1.0, 1.5]
    assert ("balls", "axis") not in columns
    world["balls"].length = [4.0, 1.25]
    data = frame_of(contents_of(world), 10.0, {})
    _, columns = read_frame(data)
    assert columns["balls", "axis"][:, 0].tolist() == [3.0, 0.0]
    text = base64.b64encode(data).decode()
    code = f"""(() => {{
        const frame = frames.frameIn(Uint8Array.from(atob("{text}"), (c) => c.charCodeAt(0)).buffer);
        const [kept, bodies] = [new frames.Kept(), frame.populations.balls];
        kept.add({{ ...frame, time: 0, steps: 0 }});
        const other = {{ ...bodies, id: bodies.id.slice().reverse() }};
        const told = [bodies, kept.frames[0].populations.balls, frames.aligned(other, bodies)];
        return [[...bodies.position], ...told.map((each) => [...each.axis])]; }})()"""
    assert said(code) == [[1, 0, 0, 1], *[[3, 0]] * 3]
    head, _ = read_frame(frame_of(contents_of(world), 1e6, {}))
    assert not head["populations"][0]["broad"]
    assert "long" not in head["populations"][0]


@pytest.mark.parametrize("d", [2, 3])
def test_crowds_are_sent_in_numbers_as_fine_as_the_picture(d):
    rng = np.random.default_rng(0)
    world = sm.World()
    crowd = sm.Vehicles(rng.uniform(-500, 1500, (3000, d)), rng.normal(size=(3000, d)), max_speed=3)
    world.add(crowd, name="crowd")
    contents = contents_of(world)
    whole, coded = (frame_of(contents, 2000.0, {}, pixel=pixel) for pixel in (0.1, 1.0))
    assert len(coded) < {2: 0.4, 3: 0.6}[d] * len(whole)
    head, columns = read_frame(coded)
    assert np.abs(columns["crowd", "position"] - crowd.position).max() < 0.02
    assert np.abs(columns["crowd", "forward"] - crowd.forward).max() < 1e-4
    assert (head["populations"][0]["first"], head["populations"][0]["size"] > 0) == (0, True)
    crowd.remove(7)
    head, columns = read_frame(frame_of(contents_of(world), 2000.0, {}, pixel=1.0))
    assert columns["crowd", "id"][:, 0].tolist() == crowd.id.tolist()
    assert np.abs(columns["crowd", "position"] - crowd.position).max() < 0.02


def test_ids_of_a_crowd_in_any_order_are_sent():
    rng = np.random.default_rng(2)
    ids = np.arange(packing.CODED)
    ids[[3, 8]] = ids[[8, 3]]  # As many as from the first to the last, which are where they were.
    world = sm.World()
    world.add(sm.Vehicles(rng.uniform(0, 100, (len(ids), 2)), id=ids), name="crowd")
    _, columns = read_frame(frame_of(contents_of(world), 100.0, {}, pixel=0.5))
    assert columns["crowd", "id"][:, 0].tolist() == ids.tolist()


def test_the_page_reads_numbers_of_16_bits():
    world = sm.World()
    rng = np.random.default_rng(1)
    crowd = sm.Vehicles(rng.uniform(0, 100, (packing.CODED, 2)), rng.normal(size=(packing.CODED, 2)), max_speed=3)
    world.add(crowd, name="a")
    data = frame_of(contents_of(world), 100.0, {"time": 1, "steps": 2}, velocity=True, pixel=0.5)
    text = base64.b64encode(data).decode()
    code = f"""(() => {{
        const {{ a }} = frames.frameIn(Uint8Array.from(atob("{text}"), (c) => c.charCodeAt(0)).buffer).populations;
        const told = [a.position, a.forward, a.velocity].map((each) => [...each.slice(8, 10)]);
        return [[...a.id.slice(0, 3)], ...told]; }})()"""
    ids, *found = said(code)
    assert ids == [0, 1, 2]
    for name, (x, y) in zip(("position", "forward", "velocity"), found, strict=True):
        assert (x, y) == pytest.approx(getattr(crowd, name)[4], abs=1e-3), name


def square(middle, half):
    """A square as planes."""
    (x, y), h = middle, half
    return np.array([[1.0, 0, h - x], [-1, 0, h + x], [0, 1, h - y], [0, -1, h + y]])


def test_of_a_crowd_those_in_a_view_are_sent():
    """Some stand a little outside of it and reach into it; the chosen one is sent wherever it is."""
    rng = np.random.default_rng(3)
    world = sm.World()
    crowd = sm.Vehicles(rng.uniform(0, 100, (packing.FEWEST, 2)), rng.normal(size=(packing.FEWEST, 2)), max_speed=3)
    few = sm.Vehicles(rng.uniform(0, 100, (50, 2)))
    world.add(crowd, name="crowd")
    world.add(few, name="few")
    contents = contents_of(world)
    views = [square((20, 30), 10), square((80, 30), 5)]
    far = int(np.argmax(crowd.position[:, 1]))
    head, columns = read_frame(frame_of(contents, 100.0, {}, views=views, always=("crowd", far)))
    ids = columns["crowd", "id"][:, 0].astype(int)
    size = float(columns["crowd", "size"].max())
    out = [np.abs(crowd.position - middle).max(axis=1) - half for middle, half in (((20, 30), 10), ((80, 30), 5))]
    away = np.minimum(*out)
    assert far in ids
    others = ids[ids != far]
    assert others.tolist() == np.flatnonzero(away <= size).tolist()
    assert (away[others] > 0).any()
    assert head["populations"][0]["of"] == len(crowd) > len(ids)
    assert "of" not in head["populations"][1]
    assert len(columns["few", "id"]) == 50
    np.testing.assert_array_equal(columns["crowd", "position"], crowd.position[ids].astype(np.float32))
    whole = frame_of(contents, 100.0, {})
    assert frame_of(contents, 100.0, {}, views=[*views, square((50, 50), 60)]) == whole


def test_planes_of_a_page_may_hold_any_numbers():
    """What overflows is no warning: the planes are those of any page."""
    world = sm.World()
    world.add(sm.Vehicles(np.random.default_rng(3).uniform(0, 1, (packing.FEWEST, 2))), name="crowd")
    head, _ = read_frame(frame_of(contents_of(world), 100.0, {}, views=[np.array([[1e300, 1e300, 0]])]))
    assert head["populations"][0]["n"] <= packing.FEWEST


def test_a_view_beyond_the_sample_that_is_sent_shows_none_else(monkeypatch):
    """Of very many a sample is sent, and of that those in the view."""
    rng = np.random.default_rng(3)
    world = sm.World()
    crowd = sm.Vehicles(rng.uniform(0, 100, (packing.FEWEST + 500, 2)))
    world.add(crowd, name="crowd")
    monkeypatch.setattr(packing, "SHOWN", packing.FEWEST)
    _, sample = read_frame(frame_of(contents_of(world), 100.0, {}))
    head, columns = read_frame(frame_of(contents_of(world), 100.0, {}, views=[square((50, 50), 20)]))
    assert head["populations"][0]["of"] == packing.FEWEST
    inside = np.abs(sample["crowd", "position"] - 50).max(axis=1) <= 20 + sample["crowd", "size"][0]
    assert 0 < inside.sum() < packing.FEWEST
    np.testing.assert_array_equal(columns["crowd", "id"], sample["crowd", "id"][inside])


@pytest.mark.parametrize("n", [4, packing.CODED])
def test_ids_of_the_page_are_those_of_the_vehicles_up_to_the_last_one(n):
    """Float32 has every second whole number beyond 2**24: a click on one vehicle chose another one."""
    world = sm.World()
    few = [2**24 - 1, 2**24 + 1, 2**24 + 2, 2**32 - 1]
    for name, ids in {"counted": 2**24 + np.arange(n), "others": np.resize(few, n) - 4 * (np.arange(n) // 4)}.items():
        world.add(sm.Vehicles(np.stack([np.arange(n), np.zeros(n)], axis=1), id=ids), name=name)
    expected = {name: world[name].id.tolist() for name in world.populations}
    track = packing.Track()
    track.add(1, 0.1, {name: world[name] for name in expected})
    frame, told = frame_of(contents_of(world), n, {}, pixel=1.0), track.packed(1, 0)
    code = """(() => {
        const ids = (of) => Object.fromEntries(Object.entries(of).map(([name, { id }]) => [name, Array.from(id)]));
        const [frame, [track]] = [%s, %s].map((bytes) => frames.frameIn(new Uint8Array(bytes).buffer));
        return [ids(frame.populations), ids(track.tracks[0].populations)];
    })()"""
    every = max(1, n // packing.FOLLOWED)
    assert said(code % (list(frame), list(told))) == [expected, {name: ids[::every] for name, ids in expected.items()}]
    message = json.dumps({"ids": packed_ids(few), "none": packed_ids([])})
    assert said(f"(({{ ids, none }}) => [[...ids], [...none]])(frames.messageIn({json.dumps(message)}))") == [few, []]


def test_vehicles_that_are_nowhere_are_not_sent():
    world = sm.World()
    vehicles = world.add(sm.Vehicles([[1, 2], [3, 4]]), name="a").vehicles
    vehicles.position[0] = np.nan
    _, columns = read_frame(frame_of(contents_of(world), 10.0, {}))
    assert columns["a", "id"].tolist() == [[1]]


@pytest.mark.parametrize("name", ["path_following", "hills", "flow_field", "forage", "wall_following", "boids"])
def test_a_scene_is_json_with_arrays(name):
    scene = json.loads(json.dumps(scene_of(contents_of(SCENARIOS[name].stage()), {}), allow_nan=False))
    assert scene["dimensions"] == SCENARIOS[name].dimensions
    assert len(scene["period"]) == scene["dimensions"]
    assert scene["elements"]
    for element in scene["elements"]:
        if "points" in element:
            points = np.frombuffer(base64.b64decode(element["points"]["f32"]), "<f4")
            assert len(points) == scene["dimensions"] * sum(element["counts"])
            assert np.isfinite(points).all()


@pytest.mark.parametrize("d", [2, 3])
def test_of_a_large_crowd_a_sample_is_sent_with_its_own_sizes(d, monkeypatch):
    """Each row of a sample has the size, width and place of the vehicle whose id it has."""
    rng = np.random.default_rng(2)
    world = sm.World()
    world.add(sm.Vehicles(rng.normal(size=(40, d)), radius=rng.uniform(0.6, 1.2, 40)), name="a")
    _, whole = read_frame(frame_of(contents_of(world), 100.0, {}))
    assert len(np.unique(whole["a", "size"])) > 20
    monkeypatch.setattr(packing, "SHOWN", 7)
    _, sample = read_frame(frame_of(contents_of(world), 100.0, {}))
    rows = sample["a", "id"][:, 0].astype(int)
    assert len(rows) == len(set(rows)) == 7
    assert sample.keys() == whole.keys()
    for key, column in sample.items():
        np.testing.assert_array_equal(column, whole[key][rows])


def test_labels_say_whether_anything_is_drawn_at_their_places():
    """A point of a behavior, within a region, on a rock, beside a path; helper lines by their names; elsewhere nothing is."""
    world = sm.World(domain=sm.Box([100, 60]))
    world.add(sm.Vehicles([[50, 30]]), name="a", steering=sm.Seek([20, 20]))
    region = sm.Polygon([[60, 10], [90, 10], [90, 30], [60, 30]])
    scenery = {"yard": region, "rock": sm.Spheres([[30, 45]], 4), "way": sm.Path([[5, 50], [5, 5]], radius=1)}
    labels = {
        "goal": [20, 20],
        "yard": [75, 20],
        "rock": [30, 45],
        "way": [5, 30],
        "corner": [60, 55],
        "none": [50, 30],
    }
    notes = [sm.shapes.Line([[40, 55], [60, 55]], role="guide", label="the round")]
    stage = sm.Stage(world, labels=labels, scenery=scenery, notes=notes)
    (texts,) = [each for each in scene_of(contents_of(stage), {})["elements"] if each.get("words") == list(labels)]
    told = dict(zip(labels, texts["on"], strict=True))
    assert told == {"goal": True, "yard": True, "rock": True, "way": True, "corner": "the round", "none": False}
