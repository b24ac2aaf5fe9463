"""Videos: what is in the file when it is decoded again, and what there is where none can be written."""

import os
import resource
import subprocess
import threading
from dataclasses import replace

import numpy as np
import pytest
from patience import interrupted

import steersman as sm
from steersman.drawing.camera import Camera
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.elements import Lines
from steersman.drawing.extent import frame_of
from steersman.drawing.palette import FRUIT, PAPER, rgb
from steersman.drawing.raster.sheet import sheet_of
from steersman.drawing.raster.shot import Painter
from steersman.studio.video.camerawork import CameraWork, Leader
from steersman.studio.video.forms import FORMS
from steersman.studio.video.instants import between
from steersman.studio.video.video import painted, video

SMALL = {"size": (480, 270), "fps": 10}


def seen_at(stage, positions, size=SMALL["size"], **about):
    """Window of the world, and where points of a plane should be seen [pixels], by the description's own corners."""
    contents = contents_of(stage)
    low, high = about.get("frame") or frame_of(contents)
    sheet = sheet_of(contents, *size, float((high - low)[1] / (high - low)[0]))
    return sheet.window, sheet.place(low, high).pixels(positions)


# ---------------------------------------------------------------------------------------------------- what is in it


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif", ".webp"])
def test_every_form_has_the_frames_that_were_asked_for(tmp_path, film, coasting, suffix):
    path = coasting().video(tmp_path / f"a{suffix}", seconds=1.2, **SMALL)
    shown = film(path)
    assert shown.frames.shape == (12, 270, 480, 3)
    assert shown.rate == pytest.approx(10, rel=0.01)
    assert np.abs(shown.frames[:, 3, 3].astype(float) - 255 * np.array(rgb(PAPER))).max() < 4
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif", ".webp"])
def test_vehicles_are_where_the_world_says(tmp_path, film, coasting, suffix):
    stage = coasting()
    shown = film(stage.video(tmp_path / f"a{suffix}", **SMALL))
    times = np.arange(20) / 10
    window, places = seen_at(stage, np.array([20, 20]) + times[:, None] * [12, 4])
    assert np.ptp(places[:, 0]) > 70  # It goes far, so one that stood still would be seen.
    assert np.abs(shown.centers("red", window) - places).max() < 1.5
    assert stage.world.time == pytest.approx(2)


def test_between_two_steps_everybody_is_on_the_way_also_across_a_seam(tmp_path, film, coasting):
    stage = coasting((50, 20), (40, 0), sm.Torus([60.0, 40.0]), dt=0.25)
    shown = film(stage.video(tmp_path / "a.mp4", seconds=1, **SMALL))
    x = (50 + 40 * np.arange(10) / 10) % 60
    far = np.abs(x - 30) < 27  # Near the seam a half of it is cut off.
    window, places = seen_at(stage, np.stack([x, np.full(10, 20)], axis=1))
    assert np.abs(shown.centers("red", window) - places)[far].max() < 1.5


def test_in_an_open_space_the_frame_holds_the_whole_run(tmp_path, film, coasting):
    stage = coasting((0, 0), (30, 10), sm.Open())
    shown = film(stage.video(tmp_path / "a.mp4", **SMALL))
    way = np.arange(20)[:, None] / 10 * [30, 10]
    contents = contents_of(coasting((0, 0), (30, 10), sm.Open()))
    window, places = seen_at(stage, way, frame=frame_of(contents, [way]))
    assert np.abs(shown.centers("red", window) - places).max() < 1.5


def test_a_frame_and_a_speed_may_be_given(tmp_path, film, coasting):
    stage = coasting()
    frame = ([10, 10], [70, 40])
    shown = film(stage.video(tmp_path / "a.mp4", seconds=2, speed=2.0, frame=frame, **SMALL))
    assert len(shown.frames) == 10
    way = np.array([20, 20]) + np.arange(10)[:, None] / 5 * [12, 4]
    window, places = seen_at(stage, way, frame=tuple(map(np.array, frame)))
    assert np.abs(shown.centers("red", window) - places).max() < 1.5


@pytest.mark.parametrize("turn", [0.0, 30.0])
def test_a_scene_in_space_is_seen_by_its_camera(tmp_path, film, coasting, turn):
    stage = coasting((20, 20, 20), (25, 10, 5), picture=sm.Picture(trails=0.0, azimuth=-40, elevation=25, size=2.0))
    shown = film(stage.video(tmp_path / "a.mp4", turn=turn, **SMALL))
    description = describe(contents_of(stage))
    sheet = sheet_of(contents_of(stage), *SMALL["size"], None)
    expected = []
    for k in range(20):
        camera = Camera(description.middle, description.reach, -40 + turn * k / 10, 25)
        place = camera.project(np.array([20, 20, 20]) + k / 10 * np.array([25, 10, 5]))[0]
        expected.append(sheet.picture().pixels(place))
    expected = np.array(expected)
    left, top = (int(each) - 30 for each in expected.min(axis=0))
    right, bottom = (int(each) + 30 for each in expected.max(axis=0))
    assert np.ptp(expected, axis=0).max() > 40
    assert np.abs(shown.centers("red", (left, top, right, bottom), shade=200) - expected).max() < 6  # Faces are shaded.


@pytest.mark.parametrize(
    ("domain", "d"), [(sm.Torus([60.0, 60.0]), 2), (sm.Open(), 2), (sm.Box([200.0, 200.0]), 2), (sm.Open(), 3)]
)
def test_who_is_followed_stays_in_the_middle(tmp_path, film, domain, d):
    world = sm.World(domain=domain, dt=0.05)
    rng = np.random.default_rng(1)
    crowd = sm.Vehicles(rng.uniform(0, 60, (30, d)), max_speed=5)
    leader = sm.Vehicles([[50.0, 30, 20][:d]], [[30.0, 12, 5][:d]], max_speed=50)
    world.add(crowd, name="crowd")
    world.add(leader, name="leader")
    stage = sm.Stage(world, colors={"leader": "red", "crowd": "blue"}, picture=sm.Picture(trails=0.0))
    shown = film(stage.video(tmp_path / "a.mp4", seconds=1.5, follow={"leader": 0}, width=20, **SMALL))
    work = CameraWork(contents_of(stage), SMALL["size"], None, 0.0, None) if d == 3 else None
    left, top, right, bottom = work.sheet.window if work else sheet_of(contents_of(stage), *SMALL["size"], None).window
    middle = np.array([(left + right) / 2, (top + bottom) / 2])
    x, y = middle.astype(int)
    centers = shown.centers("red", (x - 40, y - 40, x + 40, y + 40), shade=120 if d == 2 else 200)
    assert np.abs(centers - middle).max() < (9 if d == 3 else 2)


def test_what_stands_around_passes_by_whoever_is_followed(tmp_path, film):
    """Also beyond the seam, where the rock is seen again."""
    world = sm.World(domain=sm.Torus([60.0, 40.0]), dt=0.05)
    world.add(sm.Vehicles([[30.0, 8.0]], [40, 0], max_speed=50), name="a")
    rock = sm.Spheres([[40.0, 14.0]], 2)
    stage = sm.Stage(world, scenery={"rock": rock}, picture=sm.Picture(trails=0.0), colors={"a": "red"})
    shown = film(stage.video(tmp_path / "a.mp4", seconds=3, follow=0, width=40, **SMALL))
    sheet = sheet_of(contents_of(stage), *SMALL["size"], None)
    left, top, right, bottom = sheet.window
    scale = (right - left) / 40
    for k in range(30):
        x = 30 + 4.0 * k
        away = (40 - x + 30) % 60 - 30
        if abs(away) < 17:
            at = int((left + right) / 2 + away * scale), int((top + bottom) / 2 - 6 * scale)
            assert np.abs(shown.frames[k, at[1], at[0]].astype(int) - [216, 212, 200]).max() < 12


@pytest.mark.parametrize("origin", [0.0, -25.0])
def test_who_is_followed_sees_the_same_images_wherever_a_torus_begins(origin):
    """The view is 40 m wide; it reaches beyond the seam at the right, and beyond the one below."""
    world = sm.World(domain=sm.Torus([60.0, 40.0], origin=origin))
    world.add(sm.Vehicles([[origin + 55, origin + 4]]), name="a")
    contents = contents_of(world)
    shot = CameraWork(contents, SMALL["size"], Leader("a", 0), 0.0, 40.0).shot(contents, 0.0)
    assert sorted(map(tuple, shot.shifts)) == [(0, -40), (0, 0), (60, -40), (60, 0)]


@pytest.mark.parametrize(("domain", "bordered"), [(sm.Box([60.0, 40.0]), True), (sm.Torus([60.0, 40.0]), False)])
def test_who_is_followed_sees_where_a_space_ends(domain, bordered):
    world = sm.World(domain=domain)
    world.add(sm.Vehicles([[55.0, 4.0]]), name="a")
    contents = contents_of(world)
    shot = CameraWork(contents, SMALL["size"], Leader("a", 0), 0.0, 40.0).shot(contents, 0.0)
    lines = [each.tolist() for part in shot.setting.elements if isinstance(part, Lines) for each in part.points]
    assert ([[0, 0], [60, 0], [60, 40], [0, 40], [0, 0]] in lines) == bordered


def test_the_same_seed_gives_the_same_file_and_another_one_does_not(tmp_path, flock):
    paths = [flock(seed=seed).video(tmp_path / f"{k}.mp4", seconds=1, **SMALL) for k, seed in enumerate((3, 3, 4))]
    one, two, three = (path.read_bytes() for path in paths)
    assert one == two != three


@pytest.mark.parametrize("every", [0.05, 0.1, 0.2])
def test_a_recorded_run_gives_the_same_video(tmp_path, film, flock, every):
    pytest.importorskip("pyarrow")
    stage = flock()
    with stage.record(tmp_path / "run", every=every):
        stage.world.run(seconds=2.0)
    live = film(flock().video(tmp_path / "live.mp4", seconds=2, **SMALL)).frames
    run = film(sm.read_run(tmp_path / "run").video(tmp_path / "run.mp4", **SMALL)).frames
    away = np.abs(live.astype(int) - run).mean()
    assert len(run) == len(live) == 20
    assert away < 0.01 if every < 0.2 else 0 < away < 1  # Between two frames they are on straight ways.
    still = np.abs(live[1:].astype(int) - live[:-1]).mean()
    assert still > 2 * away


def test_trails_of_the_last_seconds_are_seen_and_words_around(tmp_path, film, coasting):
    with_trails = coasting(picture=sm.Picture(trails=1.0), description="it goes on", labels={"here": [80.0, 50.0]})
    shown = film(with_trails.video(tmp_path / "a.mp4", **SMALL)).frames
    plain = film(coasting(labels={"here": [80.0, 50.0]}).video(tmp_path / "b.mp4", **SMALL)).frames
    window, places = seen_at(with_trails, np.array([20, 20]) + np.array([[1.6], [1.2], [0.6]]) * [12, 4])
    fresh, old, gone = (shown[19, int(y), int(x)].astype(int) - plain[19, int(y), int(x)] for x, y in places)
    assert fresh.sum() < old.sum() < -20
    assert abs(gone).max() < 10
    _, ((x, y),) = seen_at(with_trails, np.array([[80.0, 50.0]]))
    assert (plain[0, int(y) - 20 : int(y), int(x) : int(x) + 40] < 150).any()  # The label.
    assert (np.abs(shown[:, : window[1]].astype(int) - plain[:, : window[1]]).max() > 100) or window[0] > 100


def test_what_is_eaten_is_seen_no_more(tmp_path, film):
    world = sm.World(domain=sm.Box([80, 40]), dt=0.1)
    grass = sm.Resources([[60, 20]], 5.0)
    world.add(sm.Vehicles([[10, 10]]), name="a", steering=sm.Forage(grass))
    world.on_step(lambda world: setattr(grass, "amount", [5.0 if world.time < 0.95 else 0.0]))
    stage = sm.Stage(world, scenery={"grass": grass})
    shown = film(stage.video(tmp_path / "a.mp4", seconds=2, **SMALL)).frames
    _, ((x, y),) = seen_at(stage, np.array([[60.0, 20.0]]))
    before, after = (shown[k, int(y), int(x)].astype(int) for k in (5, 15))
    assert np.abs(before - 255 * np.array(rgb(FRUIT))).max() < 25
    assert after.min() > 200  # A faint ring is left.


def test_sketches_are_drawn_and_told(tmp_path, film, flock):
    plain, sketched = (
        film(flock().video(tmp_path / f"{k}.mp4", seconds=0.5, sketch=k, **SMALL)).frames for k in (False, [3, 7])
    )
    assert (np.abs(plain.astype(int) - sketched).max(axis=-1) > 60).sum(axis=(1, 2)).min() > 100


def test_there_is_room_for_what_the_colors_of_sketches_mean(tmp_path, monkeypatch, flock):
    sheets = []

    class Noted(CameraWork):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            sheets.append(self.sheet)

    monkeypatch.setattr("steersman.studio.video.video.CameraWork", Noted)
    for sketch in (False, 3):
        flock().video(tmp_path / "a.gif", seconds=0.1, sketch=sketch, frame=([0, 0], [60, 15]), **SMALL)
    plain, sketched = (sheet.window[3] for sheet in sheets)
    assert not any(sheet.beside for sheet in sheets)
    assert sketched < plain


def test_few_frames_are_painted_ahead(flock):
    contents = contents_of(flock())
    work = CameraWork(contents, (160, 120), None, 0.0, None)
    asked = []

    def shots():
        for k in range(50):
            asked.append(k)
            yield work.shot(contents, 0.0)

    frames = painted(shots(), [Painter(work.sheet), Painter(work.sheet)])
    assert next(frames).shape == (120, 160, 3)
    assert len(asked) <= 6
    frames.close()
    assert len(asked) <= 6


def test_threads_that_paint_end_where_a_picture_fails():
    class Failing:
        def paint(self, shot):
            if shot == 3:
                raise RuntimeError("it fails")
            return shot

    with pytest.raises(RuntimeError, match="it fails") as told:
        list(painted(iter(range(9)), [Failing(), Failing()]))
    assert told.tb is not None  # It holds the frame, and with it the pool.
    assert not [each for each in threading.enumerate() if each.name.startswith("steersman-painter")]


# ---------------------------------------------------------------------------------------------------- what is refused


def test_odd_sizes_are_made_even_where_they_must_be(tmp_path, film, coasting):
    with pytest.warns(UserWarning, match="481 x 271: this kind of video needs even numbers; it is 482 x 272") as told:
        path = coasting().video(tmp_path / "a.mp4", seconds=0.3, size=(481, 271))
    assert {each.filename for each in told} == {__file__}
    assert film(path).frames.shape[1:3] == (272, 482)
    assert film(coasting().video(tmp_path / "a.gif", seconds=0.3, size=(481, 271))).frames.shape[1:3] == (271, 481)


@pytest.mark.parametrize(
    ("about", "error", "message"),
    [
        ({"file": "a.avi"}, ValueError, r"file must end in \.mp4, \.webm, \.gif or \.webp, got .*a\.avi"),
        ({"file": "a"}, ValueError, "file must end in"),
        ({"file": "none/a.mp4"}, FileNotFoundError, "there is no such folder"),
        ({"seconds": 0}, ValueError, "seconds must be at least one frame of 0.1 s, got 0"),
        ({"seconds": -1}, ValueError, "seconds must be a finite number >= 0 s"),
        ({"seconds": 1e9}, ValueError, "seconds must be at most 1,000,000 frames"),
        ({"size": (10, 10)}, ValueError, "size must be between 160 x 120 and 7680 x 4320 pixels, got 10 x 10"),
        ({"size": 7}, TypeError, "size must be a width and a height"),
        ({"fps": 0}, ValueError, "fps must be > 0"),
        ({"fps": 1000}, ValueError, "fps must be at most 240"),
        ({"file": "a.gif", "fps": 60}, ValueError, "fps must be at most 50 frames/s in such a file, got 60"),
        ({"speed": 0}, ValueError, "speed must be > 0"),
        ({"follow": 99}, KeyError, "follow: no vehicle has the id 99; there are: a 0 to 0"),
        ({"follow": {"b": 0}}, KeyError, "follow: no population is called 'b'; there are: a"),
        ({"follow": "a"}, TypeError, "follow must be an id"),
        ({"turn": 5}, ValueError, "turn is of a camera in 3D"),
        ({"width": 5}, ValueError, "width is that of the view around a vehicle"),
        ({"sketch": 3}, ValueError, "sketch must be ids of vehicles that are steered"),
        ({"frame": ([1, 1], [0, 0])}, ValueError, "frame must be the lowest and the highest corner"),
        ({"colour": 5}, TypeError, "colour"),
    ],
)
def test_what_is_refused_leaves_no_file_and_makes_no_step(tmp_path, coasting, about, error, message):
    stage = coasting()
    about = {"file": "a.mp4", "seconds": 1, **SMALL, **about}
    with pytest.raises(error, match=message):
        stage.video(tmp_path / about.pop("file"), **about)
    assert not list(tmp_path.iterdir())
    assert stage.world.steps == 0


def test_vehicles_that_are_lost_or_gone_change_nothing_of_others_between_two_instants():
    moments = []
    for now, places, ids in (
        (0.0, [[0.0, 0.0], [np.nan, 0.0], [10.0, 0.0], [20.0, 0.0]], [4, 9, 2, 7]),
        (1.0, [[8.0, 8.0], [2.0, 0.0], [np.nan, 0.0], [14.0, 0.0]], [5, 4, 9, 2]),
    ):
        world = sm.World()
        world.add(sm.Vehicles(np.nan_to_num(places), id=ids), name="boids")
        world["boids"].position[:] = places
        moments.append(replace(contents_of(world), time=now))
    there = between(*moments, 0.25).vehicles["boids"]
    assert there.id.tolist() == [4, 2, 7]
    np.testing.assert_allclose(there.position, [[0.5, 0.0], [11.0, 0.0], [20.0, 0.0]])


@pytest.mark.parametrize("origin", [0.0, -7.0])
def test_between_two_instants_all_are_in_the_torus_wherever_it_begins(origin):
    moments = []
    for now, x in ((0.0, 9.0), (1.0, 1.0)):
        world = sm.World(domain=sm.Torus([10.0, 10.0], origin=[origin, origin]))
        world.add(sm.Vehicles(np.array([[x, 5.0], [x - 4.0, 2.0]]) + origin), name="boids")
        moments.append(replace(contents_of(world), time=now))
    for part, expected in ((0.25, [9.5, 5.5]), (0.75, [0.5, 6.5])):
        there = between(*moments, part).vehicles["boids"].position[:, 0] - origin
        np.testing.assert_allclose(there, expected, atol=1e-5)


def test_a_world_without_anything_cannot_be_filmed(tmp_path):
    with pytest.raises(ValueError, match="must have a population or some scenery"):
        sm.World().video(tmp_path / "a.mp4", seconds=1)
    with pytest.raises(TypeError, match="the object to film must be a World, a Stage or a Run, got 3"):
        video(3, tmp_path / "a.mp4", seconds=1)
    with pytest.raises(TypeError, match="seconds must be given"):
        video(sm.World(), tmp_path / "a.mp4")


@pytest.mark.parametrize("missing", [["imageio-ffmpeg"], ["matplotlib"], ["imageio-ffmpeg", "matplotlib"]])
def test_without_a_package_it_says_what_to_install_before_anything_is_computed(
    tmp_path, monkeypatch, coasting, missing
):
    monkeypatch.setattr(
        "steersman.studio.video.forms.find_spec", lambda name: None if name.replace("_", "-") in missing else object()
    )
    stage = coasting()
    with pytest.raises(ImportError, match=rf'^videos need {" and ".join(missing)}; .*pip install "steersman\[video\]"'):
        stage.video(tmp_path / "a.mp4")
    assert stage.world.steps == 0


# ---------------------------------------------------------------------------------------------------- what goes wrong


@pytest.mark.skipif(os.name == "nt", reason="files have no such limit there")
@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_a_file_that_cannot_grow_leaves_what_was_there(tmp_path, flock, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(OSError, match=r"cannot be written|the encoder stopped"):
            flock(n=200).video(path, seconds=2, size=(640, 360), fps=30)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_a_full_disk_is_told_in_few_words(tmp_path, monkeypatch, coasting):
    encoder = tmp_path / "ffmpeg"
    encoder.write_text("#!/bin/sh\nhead -c 100000 >/dev/null\necho 'av_write: No space left on device' >&2\nexit 228\n")
    encoder.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(encoder))
    (tmp_path / "out").mkdir()
    with pytest.raises(OSError, match="cannot be written: no space left on device; nothing is left of it"):
        coasting().video(tmp_path / "out" / "a.mp4", **SMALL)
    assert not list((tmp_path / "out").iterdir())


def test_a_run_that_fails_leaves_no_file(tmp_path, coasting):
    stage = coasting()

    def fail(world):
        if world.steps == 10:
            raise RuntimeError("enough")

    stage.world.on_step(fail)
    with pytest.raises(RuntimeError, match="enough"):
        stage.video(tmp_path / "a.mp4", **SMALL)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="signals are sent in another way")
def test_ctrl_c_leaves_no_half_file(tmp_path):
    ready, out = tmp_path / "ready", tmp_path / "out"
    out.mkdir()
    script = (
        "import pathlib; from steersman.studio.video.encoding import Encoder; write = Encoder.write; done = []\n"
        "def writing(encoder, pixels):\n"
        f"    write(encoder, pixels); done.append(1); len(done) == 5 and pathlib.Path({str(ready)!r}).touch()\n"
        "Encoder.write = writing; from steersman.cli.main import run; run()\n"
    )
    arguments = ["video", "sheep", "--seconds", "1e4", "-o", str(out / "a.mp4")]
    assert "was not written" in interrupted(script, arguments, ready)
    assert not list(out.iterdir())


@pytest.mark.parametrize("suffix", FORMS)
def test_ctrl_c_of_a_terminal_reaches_no_encoder(tmp_path, coasting, monkeypatch, suffix):
    """It is for all processes of a session; this process ends its encoders itself."""
    sessions = []

    class Started(subprocess.Popen):
        def __init__(self, *arguments, **about):
            super().__init__(*arguments, **about)
            if "-i" in arguments[0]:  # It encodes; another one only says what ffmpeg can do.
                sessions.append(about.get("start_new_session", False))

    monkeypatch.setattr(subprocess, "Popen", Started)
    coasting().video(tmp_path / f"a{suffix}", seconds=0.2, **SMALL)
    assert sessions == [True] * (3 if FORMS[suffix].palette else 1)


def test_a_world_that_has_run_before_is_run_to_the_end_of_the_video(tmp_path, coasting):
    stage = coasting()
    stage.world.run(seconds=1)
    stage.video(tmp_path / "a.gif", seconds=0.5, **SMALL)
    assert stage.world.time == pytest.approx(1.5)
