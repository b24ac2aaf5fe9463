"""Sketches on axes."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from steersman.core.maths.shapes import ROLES, Circle, Cross, ScaledArrow
from steersman.core.world.sketching import Sketch
from steersman.drawing.camera import Camera
from steersman.drawing.palette import rgb
from steersman.drawing.sketch_elements import ASLEEP
from steersman.drawing.sketch_paper import LETTERS, draw_sketches, put_key
from steersman.drawing.sketches import LOOKS


def sketch(*shapes, acts=True):
    return Sketch("root", "Seek", 0, acts, np.array([0]), shapes)


@pytest.fixture
def axes():
    figure = Figure(figsize=(2, 2), dpi=100)
    FigureCanvasAgg(figure)
    return figure.add_axes((0, 0, 1, 1), xlim=(0, 10), ylim=(0, 10))


def pixels(axes, places):
    """The colors at places [m] of a picture 10 m wide, from 0 to 1."""
    axes.set_axis_off()
    axes.figure.canvas.draw()
    picture = np.asarray(axes.figure.canvas.buffer_rgba())[..., :3] / 255
    return [picture[int(200 - 20 * y), int(20 * x)] for x, y in places]


def test_ranges_that_overlap_are_seen_through_each_other(axes):
    ranges = Circle([[4, 5], [6, 5]], [2.5, 2.5], role="range")
    draw_sketches(axes, [sketch(ranges)], 10.0, legend="")
    outside, one, both = (float(each.mean()) for each in pixels(axes, [(5, 9), (2.5, 5), (5, 5)]))
    assert outside - one > 0.02
    assert one - both > 0.02


def test_arrows_and_words_of_forces_are_drawn(axes):
    draw_sketches(axes, [sketch(ScaledArrow([2, 5], [4, 0], role="part", label="Seek"), acts=False)], 10.0)
    shaft, _ = axes.collections
    np.testing.assert_allclose(shaft.get_segments()[0][0], [2, 5])
    assert shaft.get_color()[0][3] == pytest.approx(ASLEEP)
    (word,) = axes.texts
    assert (word.get_text(), word.get_color(), word.get_alpha()) == ("Seek", rgb(LOOKS["part"].color), 1.0)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [ROLES["part"]]
    assert axes.get_legend().get_title().get_text() == "arrows: 0.2 s long"


def test_a_camera_says_where_everything_lies(axes):
    camera = Camera(np.zeros(3), 10.0)
    place = np.array([[1.0, 2.0, 3.0]])
    draw_sketches(axes, [sketch(Cross(place, role="target"))], 10.0, camera.places, legend="")
    arms = np.concatenate(axes.collections[0].get_segments())
    np.testing.assert_allclose(arms.mean(axis=0), camera.project(place)[0][0], atol=1e-3)
    assert axes.get_legend() is None


def test_lengths_and_looks_can_be_asked_for(axes):
    looks = LOOKS | {"velocity": LOOKS["velocity"]._replace(color="#00ff00")}
    velocity = ScaledArrow([0, 0], [1, 0], role="velocity")
    draw_sketches(axes, [sketch(velocity)], 10.0, unit=0.5, seconds=4.0, looks=looks)
    shaft, head = axes.collections
    np.testing.assert_allclose(head.get_paths()[0].vertices[:, 0].max(), 4)
    np.testing.assert_allclose(shaft.get_color()[0], [0, 1, 0, 1])
    assert axes.get_legend().get_lines()[0].get_color() == "#00ff00"


def test_a_key_tells_every_role_and_how_long_arrows_are(axes):
    told = [sketch(ScaledArrow([0, 0], [1, 0], role="velocity"), Cross([1, 1], role="target"))]
    put_key(axes.figure, told, 10.0, (0.1, 0.1), 2)
    (key,) = axes.figure.legends
    assert [text.get_text() for text in key.get_texts()] == ["present velocity", "where to go (arrows: 1 s long)"]
    assert [line.get_color() for line in key.get_lines()] == [LOOKS["velocity"].color, LOOKS["target"].color]


@pytest.mark.parametrize("width", [2, 8])
def test_a_key_ends_within_the_picture(width):
    figure = Figure(figsize=(width, 2), dpi=100)
    FigureCanvasAgg(figure)
    told = [sketch(ScaledArrow([0, 0], [1, 0], role="velocity"), Cross([1, 1], role="target"))]
    put_key(figure, told, 10.0, (0.1, 0.1), 2)
    (key,) = figure.legends
    figure.canvas.draw()
    assert key.get_window_extent().x1 <= figure.bbox.width + 1
    letters = {text.get_fontsize() for text in key.get_texts()}
    assert (letters == {LETTERS}) == (width == 8)
