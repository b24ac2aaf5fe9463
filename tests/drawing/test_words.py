"""Words beside places: inside of the picture, wherever it is drawn."""

import numpy as np
import pytest

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.raster.canvas import Canvas
from steersman.drawing.raster.sheet import sheet_of
from steersman.drawing.solid import HEIGHT
from steersman.drawing.words import TRIANGLE, populations, stands_right

LABELS = {"here": [50, 30], "at the very left": [0, 20], "at the very right": [100, 40],
          "a word that is long and is not quite at the right of the picture": [70, 10]}  # fmt: skip


def stage():
    world = sm.World(domain=sm.Box([100, 60]))
    world.add(sm.Vehicles([[50, 50]], max_speed=1), name="one")
    return sm.Stage(world, seconds=1, labels=LABELS)


def test_a_word_stands_at_the_right_unless_it_would_be_cut_off():
    assert stands_right("word", 9, 10, 300)
    assert not stands_right("x" * 30, 9, 200, 100)
    assert stands_right("x" * 15, 9, 200, 100)
    assert stands_right("x" * 400, 9, 200, 100), "it is cut off at either side"
    assert not stands_right("x", 9, 290, 20), "close to the border"


def test_populations_stand_side_by_side_or_below_each_other():
    world = sm.World()
    for name in ("cats", "dogs", "birds that are far away"):
        world.add(sm.Vehicles(np.zeros((1200, 2))), name=name)
    words = list(populations(contents_of(world), 1.0, 5.0))
    assert [each.text for each in words[1::2]] == ["cats  1,200", "dogs  1,200", "birds that are far away  1,200"]
    assert {each.y for each in words} == {5.0}
    marks, names = [each.x for each in words[::2]], [each.x for each in words[1::2]]
    assert {each.text for each in words[::2]} == {TRIANGLE}
    assert all(mark < name for mark, name in zip(marks, names, strict=True))
    for name, text, after in zip(names, words[1::2], marks[1:], strict=False):
        assert after > name + 9 / 72 * 0.5 * len(text.text)
    words = list(populations(contents_of(world), 1.0, 5.0, below=0.25))
    assert [each.y for each in words[::2]] == [each.y for each in words[1::2]] == [5.0, 5.25, 5.5]
    assert {each.x for each in words[::2]} == {1.0}


@pytest.mark.parametrize("size", [(640, 480), (480, 1600)])
def test_the_picture_of_a_camera_is_within_the_frame(size):
    world = sm.World()
    world.add(sm.Vehicles([[0, 0, 0]]), name="one")
    sheet = sheet_of(contents_of(world), *size, None)
    corners = sheet.picture().pixels(np.array([[-1.0, -HEIGHT], [1.0, HEIGHT]]))
    top, bottom = sheet.rows
    room, seen = [size[0], bottom - top], np.ptp(corners, axis=0)
    assert (seen <= np.array(room) + 1e-6).all()
    assert np.isclose(seen, room).any()
    assert corners.mean(axis=0) == pytest.approx([size[0] / 2, (top + bottom) / 2])


def test_no_word_is_cut_off_on_paper():
    axes = sm.draw(stage())
    axes.figure.canvas.draw()
    sheet = axes.get_window_extent()
    found = {text.get_text(): text.get_window_extent() for text in axes.texts if text.get_text() in LABELS}
    assert found.keys() == LABELS.keys()
    for word, box in found.items():
        assert sheet.x0 <= box.x0 + 3, word
        assert box.x1 - 3 <= sheet.x1, word


@pytest.mark.parametrize("size", [(640, 480), (1280, 720)])
def test_no_word_is_cut_off_in_videos(size, monkeypatch):
    rooms = {}
    write = Canvas.write

    def noted(self, text, x, *rest, window, align, **about):
        wide = write(self, text, x, *rest, window=window, align=align, **about)
        start = x - (wide if align == "right" else 0)
        rooms[text] = start - window[0], window[2] - start - wide
        return wide

    contents = contents_of(stage())
    seen, sheet = describe(contents), sheet_of(contents, *size, None)
    monkeypatch.setattr(Canvas, "write", noted)
    Canvas(sheet.width, sheet.height, sheet.point).draw(seen.elements, sheet.place(seen.low, seen.high))
    assert rooms.keys() == LABELS.keys()
    assert np.min(list(rooms.values())) >= 0, rooms
