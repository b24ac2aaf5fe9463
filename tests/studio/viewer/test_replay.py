"""Replays: one file with everything in it, small, from which the page gets the same places back."""

import base64
import json
import re
import struct
import zlib

import numpy as np
import pytest
from studio.viewer.node import said

import steersman as sm
from steersman.studio.viewer.page_files import page_html
from steersman.studio.viewer.replay import STEPS, Film, replay, replay_run, runs


def read(path):
    """Head of the recording in a page, and its numbers."""
    (text,) = re.findall(r'id="recording">([^<]*)</script>', path.read_text("utf-8"))
    data = zlib.decompress(base64.b64decode(text))
    (length,) = struct.unpack_from("<I", data)
    return json.loads(data[4 : 4 + length]), np.frombuffer(data, np.uint8, -1, 4 + length)


def places(head, numbers, d):
    """Positions [m], shape (frames, n, d), of the first group of the first population, as the page reads them."""
    group = head["populations"][0]["groups"][0]
    n, count = len(group["ids"]), group["count"]
    size, found = n * count, []
    for component in range(d):
        low, high = (numbers[(2 * component + k) * size :][:size].astype(np.int64) for k in (0, 1))
        turned = (low | high << 8).reshape(count, n)
        place = turned.copy()
        place[1:] = 0
        place = place + np.cumsum(np.cumsum(np.concatenate([np.zeros((1, n), np.int64), turned[1:]]), axis=0), axis=0)
        start = np.broadcast_to(turned[0], (count, n))
        place[1:] += start[1:]
        found.append(head["low"][component] + (place % STEPS) * head["mesh"][component])
    return np.stack(found, axis=-1)


@pytest.mark.parametrize("d", [2, 3])
def test_the_page_gets_the_same_places_back(tmp_path, flock, d):
    stage = flock(n=30, dimensions=d)
    film = Film.of_world(stage)
    stage.world.on_step(film, sm.EverySteps(3))
    film(stage.world)
    path = replay(stage, tmp_path / "r.html", seconds=1.0)
    head, numbers = read(path)
    true = np.array([moment.position for moment in film.moments["boids"]])
    read_back = places(head, numbers, d)
    assert len(read_back) == len(true) > 15
    wrong = np.abs(read_back - true)
    period = np.array(head["scene"]["period"])
    wrong = np.minimum(wrong, np.where(period > 0, np.abs(period - wrong), np.inf))
    assert wrong.max() < 0.002
    assert head["times"] == pytest.approx(film.times, abs=1e-3)


@pytest.mark.parametrize("d", [2, 3])
def test_its_own_page_reads_the_places_over_every_seam(tmp_path, d):
    """One goes down over the seams of a torus, and one up."""
    world = sm.World(domain=sm.Torus([4, 3, 5][:d], origin=[-1] * d), dt=0.02)
    way = np.array([3.0, 4.0, 5.0])[:d]
    vehicles = sm.Vehicles(np.zeros((2, d)), [way, -way], max_speed=9)
    world.add(vehicles, name="a", steering=sm.TargetSpeed(float(np.linalg.norm(way))))
    true = [vehicles.position.copy()]
    world.on_step(lambda _: true.append(vehicles.position.copy()), sm.EverySteps(2))
    head, numbers = read(world.replay(tmp_path / "r.html", seconds=2))
    code = f"""recorded.framesIn(new Uint8Array({numbers.tolist()}).buffer, {json.dumps(head)}).map(
        ({{ populations }}) => Array.from(populations.a.position))"""
    found = np.array(said(code)).reshape(-1, 2, d)
    assert len(found) == len(true) == 51
    assert np.abs(world.domain.difference(found, np.array(true))).max() < 0.002
    low, high = found.min(axis=(0, 1)), found.max(axis=(0, 1))
    assert (low >= -1 - 1e-6).all()
    assert (high <= np.array([3, 2, 4][:d]) + 1e-6).all()


def test_it_ends_with_the_last_step(tmp_path):
    world = sm.World(dt=0.02)
    world.add(sm.Vehicles([[0, 0]], [1, 0], max_speed=1), name="a")
    head, _ = read(world.replay(tmp_path / "r.html", seconds=0.1))
    assert head["times"] == pytest.approx([0, 0.04, 0.08, 0.1])


def test_it_is_small_and_asks_for_nothing(tmp_path, flock):
    path = flock(n=300).world.replay(tmp_path / "flock.html", seconds=4)
    page = path.read_text("utf-8")
    assert len(page_html()) < 280_000
    assert len(page) - len(page_html()) < 490_000  # It grows with the time: at most 1.3 MB for twenty seconds.
    assert not re.findall(r"https?://(?!www\.w3\.org)[\w.]+|src=\"(?!data:)", page)


def test_a_world_without_vehicles_has_the_mesh_of_a_unit(tmp_path):
    stage = sm.Stage(sm.World(dt=0.1), seconds=0.3, scenery={"rock": sm.Spheres([5, 5], 2)})
    head, _ = read(replay(stage, tmp_path / "r.html", seconds=0.3))
    assert (head["populations"], len(head["times"])) == ([], 4)
    assert head["low"] == [0, 0]
    assert head["mesh"] == pytest.approx([1 / STEPS] * 2, rel=1e-3)


def test_vehicles_may_come_and_go(tmp_path):
    door = sm.Sphere([0, 0], 3)
    world = sm.World(domain=sm.Box([40, 40], [-20, -20]))
    flows = [sm.Spawner(20.0, door), sm.Sink(older_than=0.5)]
    world.add(sm.Vehicles(np.zeros((0, 2)), [3, 0], max_speed=5), name="sparks", flows=flows, steering=sm.Wander())
    head, _ = read(world.replay(tmp_path / "r.html", seconds=2))
    groups = head["populations"][0]["groups"]
    assert len(groups) > 5
    assert sum(group["count"] for group in groups) == len(head["times"])
    assert groups[0]["ids"] == []


def doors():
    """Vehicles of two radii that come and leave, in a space without end: at the end nobody is there."""
    world = sm.World(dt=0.1)
    flows = [sm.Sink(older_than=1.0)]
    vehicles = sm.Vehicles([[0.0, 0], [5, 0]], [30, 0], max_speed=30, radius=[2.0, 3.0])
    world.add(vehicles, name="a", flows=flows, steering=sm.TargetSpeed(30.0))
    world.on_step(lambda _: vehicles.spawn([1.0, 1]) if world.steps == 3 else None)
    return world


def test_vehicles_that_leave_are_as_large_as_they_were_and_all_places_are_framed(tmp_path):
    world = doors()
    head, _ = read(world.replay(tmp_path / "r.html", seconds=2))
    assert len(world["a"]) == 0
    first, last = head["populations"][0]["groups"][0], head["populations"][0]["groups"][-1]
    reach = head["scene"]["reach"]
    assert first["width"] == [4, 6]
    assert first["size"] == pytest.approx([0.05 * 2 * reach])  # The largest that bodies are drawn.
    assert last["ids"] == []
    assert head["scene"]["low"][0] < 0
    assert head["scene"]["high"][0] > 30


def test_scenery_does_not_hide_places_of_the_run(tmp_path):
    world = sm.World(dt=0.1)
    rock = sm.Spheres([[0.0, 10]], 2)
    tree = sm.Priority([sm.AvoidObstacles(rock), sm.TargetSpeed(10.0)])
    world.add(sm.Vehicles([[0.0, 0]], [10, 0], max_speed=10), name="a", steering=tree)
    world.run(seconds=5)
    world["a"].velocity[:] = -world["a"].velocity
    head, _ = read(world.replay(tmp_path / "r.html", seconds=10))
    assert head["scene"]["low"][0] < world["a"].position[0, 0] + 1
    assert head["scene"]["high"][0] > 45


def test_why_is_in_it_with_sketches_of_some_and_the_place_at_that_time(tmp_path, flock):
    stage = flock(n=120)
    places = {}
    stage.world.on_step(lambda world: places.update({round(world.time, 3): world["boids"].position.copy()}))
    head, _ = read(replay(stage, tmp_path / "r.html", seconds=1.3))
    assert [each["time"] for each in head["whys"]] == pytest.approx([0, 0.4, 0.8, 1.2], abs=0.02)
    told = head["whys"][2]["told"]
    assert 60 <= len(told) <= 100
    assert [part["label"] for part in told[3]["tree"]["parts"]] == ["AvoidObstacles", "WeightedSum"]
    sketched = [why["id"] for why in told if "elements" in why]
    assert 1 <= len(sketched) <= 8
    assert sketched == [why["id"] for why in head["whys"][0]["told"] if "elements" in why]
    at = places[round(head["whys"][2]["time"], 3)]
    assert told[3]["at"] == pytest.approx(at[told[3]["id"]].tolist(), abs=1e-3)


@pytest.mark.parametrize(("scale", "far"), [(2.0**-10, 0.0), (1.0, 2.0**19)])
def test_a_small_world_and_one_far_from_the_origin_are_told_as_finely_as_others(tmp_path, scale, far):
    def told(scale, far, name):
        places = scale * np.array([[0.3, 0.7], [5.1, 3.3], [8.9, 9.7]]) + [far, 0]
        vehicles = sm.Vehicles(places, [scale, 0], max_speed=scale, radius=scale * np.array([0.2, 0.25, 0.3]))
        world = sm.World(domain=sm.Box([10 * scale] * 2, [far, 0]))
        world.add(vehicles, name="a", steering=sm.Seek([far + 7 * scale, scale]))
        note = sm.shapes.Circle([[far + 4.3 * scale, scale]], scale)
        head, _ = read(replay(sm.Stage(world, notes=[lambda: [note]]), tmp_path / name, seconds=0.1))
        group = head["populations"][0]["groups"][0]
        at = [[each["at"][0] - far, each["at"][1]] for each in head["whys"][0]["told"]]
        points = np.reshape(head["notes"][0][1][0]["points"]["f32"], (-1, 2)) - [far, 0]
        return [np.asarray(each) / scale for each in (group["size"], group["width"], at, points)]

    for small, usual in zip(told(scale, far, "s.html"), told(1.0, 0.0, "u.html"), strict=True):
        np.testing.assert_allclose(small, usual, atol=0.06 if far else 0.006)


def test_things_have_the_names_that_they_have_in_the_window(tmp_path):
    rock = sm.Spheres([[10.0, 0.5]], 2)
    world = sm.World()
    world.add(sm.Vehicles([[0.0, 0]], [5, 0], max_speed=5), name="a", steering=sm.AvoidObstacles(rock))
    head, _ = read(replay(sm.Stage(world, scenery={"boulders": rock}), tmp_path / "r.html", seconds=0.3))
    (why, *_) = head["whys"][0]["told"]
    assert "boulder" in [word for each in why["elements"] for word in each.get("words", [])]


def test_of_a_long_run_fewer_instants_are_explained(flock, monkeypatch):
    monkeypatch.setattr("steersman.studio.viewer.replay.EXPLANATIONS", 100)
    stage = flock(n=20)
    film = Film.of_world(stage)
    film.expect(10)
    for _ in range(300):
        stage.world.step()
        film.explain(stage.world)
    times = [time for time, *_ in film.whys]
    assert sum(count for *_, count in film.whys) <= 100
    assert np.diff(times).min() > 0.75
    assert times[-1] > 4


def test_events_are_in_it(tmp_path):
    head, _ = read(doors().replay(tmp_path / "r.html", seconds=2))
    assert {kind for _, _, kind, _ in head["events"]} >= {"birth", "death"}


def test_a_film_of_a_run_that_goes_back_forgets_what_came_later(flock):
    stage = flock(n=5)
    film = Film.of_world(stage)
    film._moving_notes = lambda: [sm.shapes.Circle([[5.0, 5]], 1 + stage.world.time)]
    for k in range(60):
        stage.world.step()
        if k == 40:
            stage.world["boids"].remove(4)
        film(stage.world)
        film.explain(stage.world)
    assert [kind for *_, kind, _ in film.events.events] == ["death"]
    time, end = film.times[20], film.times[-1]
    kept = [film.times, *([each[0] for each in some] for some in (film.whys, film.notes))]
    assert all(times[0] <= time < times[-1] <= end for times in kept)
    film.cut(time)
    left = [film.times, *([each[0] for each in some] for some in (film.whys, film.notes))]
    assert left == [[each for each in times if each <= time] for times in kept]
    assert [len(each) for each in film.moments.values()] == [21]
    assert film.numbers == 21 * 2 * 5
    assert film.events.events == []


def test_notes_of_the_moment_are_in_it_and_of_many_fewer(flock, tmp_path, monkeypatch):
    def notes():
        stage = flock(n=3)

        def near():
            x = round(stage.world.time, 2)
            return [sm.shapes.Circle([[x, 20.0]], 3.0)] if x < 1 else []

        stage.notes = [near]
        return read(replay(stage, tmp_path / "a.html", seconds=1.5))[0]["notes"]

    found = notes()
    assert 9 <= len(found) <= 12
    assert found[-1][1] == []
    first, last = (np.mean(found[k][1][0]["points"]["f32"][::2]) for k in (0, -2))
    assert last - first == pytest.approx(found[-2][0] - found[0][0], abs=0.02)
    monkeypatch.setattr("steersman.studio.viewer.replay.NOTES", 4000)
    assert 1 < len(notes()) < 9


@pytest.mark.parametrize(("origin", "size"), [(0, 30.0), (12_345, 30.0), (0, 1e-3), (-54_321, 100.0)])
def test_places_are_as_exact_as_the_picture_wherever_it_is(tmp_path, origin, size):
    """Of vehicles, of notes, and of the vehicle that an explanation is about."""
    world = sm.World(domain=sm.Box([size, size], origin=[origin, origin]))
    there = [origin + 0.1234 * size, origin + 0.5678 * size]
    radii = np.array([0.02, 0.0212]) * size
    vehicles = sm.Vehicles([there, there], radius=radii, max_speed=0.01 * size, max_force=1e-6 * size)
    world.add(vehicles, name="a", steering=sm.Wander())
    stage = sm.Stage(world, notes=[lambda: [sm.shapes.Circle([there], 0.01 * size)]])
    head, numbers = read(replay(stage, tmp_path / "a.html", seconds=0.1))
    told = {
        "vehicle": places(head, numbers, 2)[0, 0],
        "note": np.mean(np.reshape(head["notes"][0][1][0]["points"]["f32"], (-1, 2))[:-1], axis=0),
        "why": head["whys"][0]["told"][0]["at"],
    }
    for what, place in told.items():
        assert place == pytest.approx(there, abs=1e-3 * size), what
    width = head["populations"][0]["groups"][0]["width"]
    assert width[1] / width[0] == pytest.approx(1.06, rel=1e-3)


def test_frames_of_the_same_vehicles_are_told_together():
    moments = [type("M", (), {"id": np.array(ids)}) for ids in ([1, 2], [1, 2], [2], [2], [2], [])]
    assert list(runs(moments)) == [(0, 2), (2, 3), (5, 1)]


def test_as_many_others_are_another_group():
    moments = [type("M", (), {"id": np.array(ids)}) for ids in ([1, 2], [1, 3], [3, 1])]
    assert list(runs(moments)) == [(0, 1), (1, 1), (2, 1)]


def test_what_is_refused(tmp_path):
    world = sm.World()
    world.add(sm.Vehicles([0, 0]))
    with pytest.raises(ValueError, match=r"file must end in \.html"):
        world.replay(tmp_path / "a.mp4", seconds=1)
    with pytest.raises(ValueError, match="seconds must be at least one step"):
        world.replay(tmp_path / "a.html", seconds=0)
    with pytest.raises(ValueError, match="seconds must be"):
        world.replay(tmp_path / "a.html", seconds=-1)
    assert not list(tmp_path.iterdir())


def test_a_recorded_run_is_replayed(tmp_path, flock):
    pytest.importorskip("pyarrow")
    stage = flock(n=30)
    with stage.record(tmp_path / "run", every=0.05):
        stage.world.run(seconds=1)
    head, numbers = read(replay_run(tmp_path / "run", tmp_path / "r.html"))
    assert len(head["times"]) == 21
    last = places(head, numbers, 2)[-1]
    wrong = np.abs(last - stage.world["boids"].position)
    assert np.minimum(wrong, 60 - wrong).max() < 0.002
    assert any(element["kind"] == "areas" for element in head["scene"]["elements"])  # The rock.
