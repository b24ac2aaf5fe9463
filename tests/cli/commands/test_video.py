"""steersman video."""

import pytest
from calling import call

from steersman.core.world.world import World

SMALL = """
name = "small"
seconds = 0.5
[domain]
kind = "box"
size = [40, 30]
[[populations]]
name = "ants"
n = 5
spawn = { shape = "disc", center = [20, 15], radius = 5 }
max_speed = 3
steering = { behavior = "Wander" }
"""


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def out(tmp_path):
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def test_a_file_is_filmed(small, out):
    result = call("video", small, "-o", out / "a.mp4", "--size", "320x180", "--fps", 10, "--n", 3, "--follow", "ants:2")
    assert result.exit_code == 0, result.output
    assert f"wrote {out / 'a.mp4'}" in result.stdout
    assert "5 frames of 320 x 180 pixels" in result.stdout
    assert [each.name for each in out.iterdir()] == ["a.mp4"]
    quiet = call("video", small, "-o", out / "a.mp4", "--size", "161x121", "-q")
    assert quiet.stdout == ""
    assert "warning: size 161 x 121: this kind of video needs even numbers; it is 162 x 122" in quiet.stderr


def test_a_recorded_run_is_filmed(small, out, tmp_path):
    pytest.importorskip("pyarrow")
    assert call("run", small, "--record", "--out", tmp_path / "run").exit_code == 0
    result = call("video", tmp_path / "run", "-o", out / "a.gif", "--size", "320x180")
    assert result.exit_code == 0, result.output
    result = call("video", tmp_path / "run", "-o", out / "b.gif", "--n", 7, "--seed", 3)
    assert result.exit_code == 2
    assert "--n: is not for a recorded run, which is as it was" in result.output
    assert "--seed" in result.output


def test_a_mistake_in_a_file_is_reported_as_by_run(small, out):
    small.write_text(SMALL.replace("max_speed = 3", "max_sped = 3").replace("n = 5", "n = -5"))
    told, result = call("run", small), call("video", small, "-o", out / "a.mp4")
    assert (result.exit_code, result.output) == (2, told.output)
    assert not list(out.iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "a.mov"], "file must end in .mp4, .webm, .gif or .webp"),
        (["-o", "none/a.mp4"], "--out: none: there is no such folder; make it first"),
        (["-o", "a.mp4", "--size", "wide"], "--size: must be WIDTHxHEIGHT, such as 1280x720, got 'wide'"),
        (["-o", "a.mp4", "--follow", "first"], "--follow: must be an id, such as 7 or wolves:0, got 'first'"),
        (["-o", "a.mp4", "--follow", "wolves:0"], "follow: no population is called 'wolves'; there are: ants"),
        (["-o", "a.mp4", "--sketch", "99"], "--sketch: must be ids that there are in 'ants', from 0 to 4, got '99'"),
        (["-o", "a.mp4", "--seconds", "0"], "seconds must be > 0 s"),
        (["-o", "a.mp4", "--fps", "0"], "fps must be > 0"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_computed(small, out, monkeypatch, arguments, words):
    monkeypatch.chdir(out)
    monkeypatch.setattr(World, "step", lambda *_: pytest.fail("a step was made"))
    result = call("video", small, *arguments)
    assert result.exit_code == 2, result.output
    assert words in result.output
    assert not list(out.iterdir())


def test_without_the_extra_it_says_what_to_install(small, out, monkeypatch):
    monkeypatch.setattr("steersman.studio.video.forms.find_spec", lambda name: None if "ffmpeg" in name else object())
    monkeypatch.setattr(World, "step", lambda *_: pytest.fail("a step was made"))
    result = call("video", small, "-o", out / "a.mp4")
    assert result.exit_code == 1
    assert result.output == 'videos need imageio-ffmpeg; please run: pip install "steersman[video]"\n'


def test_what_fails_meanwhile_leaves_no_file(small, out, monkeypatch):
    def full(encoder, pixels):
        raise OSError(28, "cannot be written: no space left on device; nothing is left of it", "a.mp4")

    monkeypatch.setattr("steersman.studio.video.encoding.Encoder.write", full)
    result = call("video", small, "-o", out / "a.mp4", "--size", "320x180")
    assert result.exit_code == 1
    assert f"--out {out / 'a.mp4'}: cannot be written: no space left on device" in result.output
    assert not list(out.iterdir())
