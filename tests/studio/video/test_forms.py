"""Forms of videos: sizes that an encoder takes."""

import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

from steersman.studio.video import encoding
from steersman.studio.video.forms import FORMS, checked_size


@pytest.mark.parametrize(
    ("size", "even"), [((480, 271), (480, 272)), ((481, 270), (482, 270)), ((481, 271), (482, 272))]
)
def test_either_number_alone_is_made_even(size, even):
    with pytest.warns(UserWarning, match=f"needs even numbers; it is {even[0]} x {even[1]}"):
        assert checked_size(size, FORMS[".mp4"]) == even
    assert checked_size(size, FORMS[".gif"]) == size


def test_even_numbers_are_taken_as_they_are():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert checked_size((480, 270), FORMS[".mp4"]) == (480, 270)


@pytest.mark.parametrize("size", [(159, 120), (160, 119), (7681, 4320), (7680, 4321)])
def test_each_number_has_its_own_limits(size):
    assert checked_size((160, 120), FORMS[".gif"]) == (160, 120)
    assert checked_size((7680, 4320), FORMS[".gif"]) == (7680, 4320)
    with pytest.raises(ValueError, match=f"between 160 x 120 and 7680 x 4320 pixels, got {size[0]} x {size[1]}"):
        checked_size(size, FORMS[".gif"])


def test_colors_that_cannot_be_chosen_leave_no_palette(tmp_path, monkeypatch):
    def failing(command, **about):
        Path(command[-1]).write_bytes(b"a part of it")
        return SimpleNamespace(returncode=1, stderr=b"no space left")

    monkeypatch.setattr(encoding.subprocess, "run", failing)
    monkeypatch.setattr(encoding, "_command", lambda: ["ffmpeg"])
    with pytest.raises(OSError, match="no space left"):
        encoding._in_colors(
            tmp_path / "a.frames", tmp_path / "aside", SimpleNamespace(arguments=[]), tmp_path / "a.gif"
        )
    assert list(tmp_path.iterdir()) == []
