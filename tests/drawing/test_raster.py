"""Elements drawn straight into pixels: exact where that can be told, and the look of the pictures on paper."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.elements import Areas, Arrows, Element, Faces, Glyphs, Lines, Marks, Texts
from steersman.drawing.flat import draw_flat, put
from steersman.drawing.letters import outlines as letters
from steersman.drawing.palette import rgba
from steersman.drawing.raster import outlines
from steersman.drawing.raster.canvas import Canvas, Place
from steersman.drawing.raster.filling import HIDING, OVER, TESTED
from steersman.drawing.raster.outlines import Shapes
from steersman.drawing.raster.sheet import sheet_of, ticks
from steersman.drawing.solid import HEIGHT

BLACK = (0.0, 0.0, 0.0, 1.0)
WHOLE = (0, 0, 40, 30)


def covered(shapes, window=WHOLE, color=BLACK):
    """How much of every pixel some shapes cover, shape (30, 40)."""
    canvas = Canvas(40, 30, 1.0)
    canvas.clear([1, 1, 1])
    canvas.fill(shapes, color, window)
    assert not canvas._cover.any()  # The scratch is as it was.
    return 1 - canvas.pixels[:, :, 0] / 255


def box(x0, y0, x1, y1):
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)


def test_a_box_covers_parts_of_pixels_exactly():
    found = covered(Shapes.together([box(3.25, 5.5, 10.75, 8.25)]))
    x = np.clip(np.minimum(np.arange(40) + 1, 10.75) - np.maximum(np.arange(40), 3.25), 0, 1)
    y = np.clip(np.minimum(np.arange(30) + 1, 8.25) - np.maximum(np.arange(30), 5.5), 0, 1)
    assert np.abs(found - y[:, None] * x).max() < 0.005


@pytest.mark.parametrize("seed", range(20))
def test_triangles_cover_their_area_and_what_is_outside_of_the_window_is_left_alone(seed):
    corners = np.random.default_rng(seed).uniform(2, 28, (3, 2))
    one, two = corners[1] - corners[0], corners[2] - corners[0]
    found = covered(Shapes.together([corners]))
    assert found.sum() == pytest.approx(0.5 * abs(one[0] * two[1] - one[1] * two[0]), abs=0.35)
    window = (9, 7, 21, 18)
    part = covered(Shapes.together([corners]), window)
    inside = np.zeros((30, 40), bool)
    inside[7:18, 9:21] = True
    assert np.abs(part - found)[inside].max() < 0.005
    assert not part[~inside].any()


def test_rings_that_turn_the_other_way_are_holes_and_others_are_filled_once():
    outer, inner = box(5, 5, 25, 25), box(10, 10, 20, 20)
    assert covered(Shapes.together([outer, inner[::-1]]))[15, [7, 15]].tolist() == [1, 0]
    half = covered(Shapes.together([outer, inner]), color=(0, 0, 0, 0.5))
    assert half[15, [7, 15]] == pytest.approx([0.5, 0.5], abs=0.005)
    twice = covered(Shapes.each([outer, inner]), color=(0, 0, 0, 0.5))
    assert twice[15, [7, 15]] == pytest.approx([0.5, 0.75], abs=0.005)


@pytest.mark.parametrize("corner", [np.nan, np.inf, 1e12])
def test_what_is_nowhere_is_not_drawn(corner):
    assert not covered(Shapes.together([np.array([[5, 5], [corner, 9], [9, 20.0]])])).any()
    assert not covered(Shapes.together([np.zeros((0, 2))])).any()


def test_who_is_behind_something_is_hidden_by_it():
    canvas = Canvas(40, 30, 1.0)
    canvas.clear([1, 1, 1])
    wall = Shapes.together([box(10, 0, 20, 30)])
    canvas.fill(wall, (0.5, 0.5, 0.5, 1), WHOLE, np.array([0.2]), HIDING)
    for depth, row in ((0.1, 5), (0.3, 15)):
        canvas.fill(Shapes.together([box(5, row, 25, row + 5)]), BLACK, WHOLE, np.array([depth]), TESTED)
    assert canvas.pixels[7, [7, 15, 23], 0].tolist() == [0, 0, 0]
    assert canvas.pixels[17, [7, 15, 23], 0].tolist() == [0, 128, 0]
    canvas.fill(Shapes.together([box(5, 25, 25, 28)]), BLACK, WHOLE, None, OVER)
    assert canvas.pixels[26, 15, 0] == 0
    canvas.clear([1, 1, 1])
    canvas.fill(wall, BLACK, WHOLE, np.array([0.3]), TESTED)
    assert canvas.pixels[17, 15, 0] == 0  # The wall of the picture before is gone.


def test_strokes_are_as_wide_as_asked_and_dashes_as_long():
    line = np.array([[4.0, 10.0], [34.0, 10.0]])
    found = covered(outlines.stroke(line, 3.0))
    assert found.sum() == pytest.approx(30 * 3, rel=0.01)
    assert covered(outlines.stroke(line, 3.0, round_ends=True)).sum() == pytest.approx(90 + np.pi * 1.5**2, rel=0.03)
    dashes = outlines.dashed(np.array([[0, 0], [6, 0], [6, 14.0]]), 3, 2)
    assert [np.linalg.norm(np.diff(each, axis=0), axis=1).sum() for each in dashes] == [3, 3, 3, 3]
    assert dashes[1].tolist() == [[5, 0], [6, 0], [6, 2]]


def test_letters_are_those_of_the_pictures():
    words = letters("Vogel 7")
    assert words.width == pytest.approx(3.5, rel=0.2)
    assert max(ring[:, 1].max() for ring in words.rings) == pytest.approx(0.75, abs=0.05)
    assert letters(" ").rings == ()
    assert letters("a$b$").rings  # No formula.
    assert letters("m", bold=True).width > letters("m").width


# ---------------------------------------------------------------------------------------------------- the same look

PLACE = Place(0.0, 360.0, 6.0, (0, 0, 600, 360))


def on_paper(draw):
    """What matplotlib draws on axes that fill a figure of 600 x 360 pixels: 100 x 60 m at 90 dots per inch."""
    figure = Figure(figsize=(600 / 90, 360 / 90), dpi=90, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 60)
    axes.set_axis_off()
    draw(axes)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].astype(float)


def in_pixels(elements):
    canvas = Canvas(600, 360, 90 / 72)
    canvas.clear([1, 1, 1])
    canvas.draw(elements, PLACE)
    return canvas.pixels.astype(float)


def ring(x, y, radius, corners=7):
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], axis=1)


RNG = np.random.default_rng(3)
PLACES, WAYS = RNG.uniform(5, 55, (25, 2)) * [1.7, 1], RNG.normal(size=(25, 2))
WAYS /= np.linalg.norm(WAYS, axis=1, keepdims=True)
RED = (0.8, 0.2, 0.1)

ELEMENTS = {
    "areas with a hole": Areas(rings=[ring(40, 30, 25), ring(40, 30, 10)[::-1]], face=RED, opacity=0.5),
    "areas with edges": Areas(rings=[ring(30, 30, 20), ring(50, 30, 20)], face=RED, edge=(0, 0, 0), width=3.0),
    "dashed edges": Areas(rings=[ring(50, 30, 25)], edge=(0, 0, 0), width=2.0, dash=(4, 3)),
    "lines": Lines(points=[ring(50, 30, 20), ring(20, 20, 9)], color=rgba("blue", 0.6), width=4.0),
    "dashed lines": Lines(points=[ring(50, 30, 20)], color=rgba("blue"), width=1.5, dash=(5, 4)),
    "trails": Lines(
        points=np.stack([PLACES, PLACES + 6 * WAYS], axis=1),
        color=np.column_stack([RNG.uniform(0, 1, (25, 3)), np.full(25, 0.5)]),
        width=RNG.uniform(1, 6, 25),
    ),
    "arrows": Arrows(tails=PLACES, tips=PLACES + RNG.uniform(0.2, 9, (25, 1)) * WAYS, color=rgba("green", 0.8), width=0.4),
    "plus": Marks(shape="plus", position=PLACES, color=RED, size=9.0),
    "dots": Marks(shape="dot", position=PLACES, color=RED, size=RNG.uniform(2, 20, 25), opacity=0.4),
    "rings": Marks(shape="ring", position=PLACES, color=RED, size=14.0),
    "darts": Glyphs(shape="dart", position=PLACES, size=RNG.uniform(2, 8, 25), color=RED, forward=WAYS),
    "balls": Glyphs(shape="ball", position=PLACES, size=RNG.uniform(2, 8, 25), color=RED),
    "faces": Faces(polygons=PLACES[:, None] + RNG.normal(size=(25, 3, 2)) * 4, color=RNG.uniform(0, 1, (25, 3))),
    "faces of many corners": Faces(
        polygons=[ring(x, y, 3, 5 + k % 4) for k, (x, y) in enumerate(PLACES)], color=RNG.uniform(0, 1, (25, 3))
    ),
    "texts": Texts(position=PLACES[:4], words=["north gate", "b", "Kai 3", "x-y"], color=(0, 0, 0), size=12.0),
}  # fmt: skip


ROUNDED = {"texts": 0.35, "plus": 0.35, "rings": 0.2}
"""On paper, letters and marks are moved to whole pixels, which is so much of their thin lines."""


@pytest.mark.parametrize("name", ELEMENTS)
def test_every_element_looks_as_on_paper(name):
    element = ELEMENTS[name]
    paper, pixels = on_paper(lambda axes: put(element, axes)), in_pixels([element])
    drawn = np.abs(255 - paper).sum()
    away = np.abs(paper - pixels).sum()
    assert drawn > 50_000
    assert away < ROUNDED.get(name, 0.14) * drawn
    assert np.abs(paper.mean(axis=(0, 1)) - pixels.mean(axis=(0, 1))).max() < 0.03 * np.abs(255 - paper).mean() + 0.4


PARTS = {Areas: "rings", Lines: "points", Arrows: "tails", Faces: "polygons"}
"""The field that has as many rows as an element has parts; of others it is the position."""


@pytest.mark.parametrize("name", ELEMENTS)
def test_an_element_without_parts_is_not_drawn(name):
    element = ELEMENTS[name]
    count = len(getattr(element, PARTS.get(type(element), "position")))
    columns = {field: each for field, each in vars(element).items() if isinstance(each, (list, np.ndarray))}
    empty = replace(element, **{field: each[:0] for field, each in columns.items() if len(each) == count})
    assert (in_pixels([empty]) == 255).all()
    assert (on_paper(lambda axes: put(empty, axes)) == 255).all()


@pytest.mark.parametrize("name", ["areas with a hole", "areas with edges", "dashed edges", "lines", "dashed lines"])
def test_a_line_without_points_leaves_the_others_as_they_are(name):
    element, field = ELEMENTS[name], PARTS[type(ELEMENTS[name])]
    more = replace(element, **{field: [np.zeros((0, 2)), *getattr(element, field)]})
    np.testing.assert_array_equal(in_pixels([more]), in_pixels([element]))


def test_a_stroke_of_no_length_is_a_dot_where_its_ends_are_round():
    for line in (np.full((1, 2), 9.0), np.full((3, 2), 9.0)):
        assert not covered(outlines.stroke(line, 3.0)).any()
        assert covered(outlines.stroke(line, 3.0, round_ends=True)).sum() == pytest.approx(np.pi * 1.5**2, rel=0.12)


def test_every_kind_of_element_of_a_plane_is_drawn():
    kinds = {type(each) for each in ELEMENTS.values()}
    assert kinds == {each for each in put.registry if each not in (object, Element)}
    with pytest.raises(TypeError, match="is nothing that a plane shows"):
        Canvas(20, 20, 1.0).put(Element(), PLACE)


def test_a_whole_scene_looks_as_on_paper():
    rng = np.random.default_rng(5)
    world = sm.World(domain=sm.Box([100, 60]), dt=0.05)
    road = sm.Path([[5, 10], [45, 12], [82, 45], [8, 40]], radius=3)
    crowd = sm.Vehicles(rng.uniform(5, 55, (60, 2)), rng.normal(size=(60, 2)), max_speed=8, max_force=20)
    rocks = sm.Spheres([[60, 20], [30, 50]], [6, 3])
    world.add(crowd, name="crowd", steering=sm.Priority([sm.AvoidObstacles(rocks), sm.FollowPath(road)]))
    trails = sm.Trails(world, 2.0)
    world.run(seconds=3)
    contents = contents_of(world).__class__(**{**contents_of(world).__dict__, "trails": trails})
    description = describe(contents)

    def draw(axes):
        draw_flat(axes, description)
        axes.grid(visible=False)

    paper, pixels = on_paper(draw), in_pixels(description.elements)
    assert np.abs(255 - paper).mean() > 5
    assert np.abs(paper - pixels).mean() < 0.08 * np.abs(255 - paper).mean()


# ---------------------------------------------------------------------------------------------------- the sheet


@pytest.mark.parametrize(
    ("low", "high", "written"),
    [
        (0, 60, ["0", "10", "20", "30", "40", "50", "60"]),
        (-0.1, 0.5, ["\u22120.1", "0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
    ],
)
def test_axes_have_round_numbers(low, high, written):
    assert [label for _, label in ticks(low, high)] == written


@pytest.mark.parametrize("size", [(480, 270), (1280, 720)])
def test_numbers_of_axes_stand_beside_the_ticks_at_their_places(size):
    """A digit is 7 points high at most, and a tick is 2.5 points long."""

    class Said(Canvas):
        def write(self, text, x, y, size, color, *, bold=False, align="left", **about):
            words[align, text] = x, y
            return 0.0

    words: dict[tuple[str, str], tuple[float, float]] = {}
    sheet = sheet_of(contents_of(sm.World(domain=sm.Box([100.0, 60.0]))), *size, None)
    low, high = np.zeros(2), np.array([100.0, 60.0])
    sheet.begin(Said(*size, sheet.point), low, high)
    left, _, _, bottom = sheet.window
    places = sheet.place(low, high).pixels(np.array([[20.0, 20.0], [40.0, 40.0]]))
    for label, (at_x, at_y) in zip(("20", "40"), places, strict=True):
        x, y = words["center", label]
        assert x == pytest.approx(at_x)
        assert bottom + 7.5 * sheet.point < y < bottom + 14 * sheet.point
        x, y = words["right", label]
        assert left - 8 * sheet.point < x < left - 3.5 * sheet.point
        assert at_y + sheet.point < y < at_y + 4 * sheet.point


def test_a_scene_in_space_lies_between_its_words():
    world = sm.World(domain=sm.Box([30, 30, 30]))
    world.add(sm.Vehicles([10, 10, 10]), name="a", steering=sm.Seek([9, 9, 9]))
    stage = sm.Stage(world, name="somewhere", description="What there is to be seen of it.")
    plain = contents_of(stage)
    sketched = plain.__class__(**{**plain.__dict__, "sketches": tuple(world.sketch("a", [0]))})
    for contents in (plain, sketched):
        sheet = sheet_of(contents, 1280, 720, None)
        (_, top), (_, bottom) = sheet.picture().pixels([[0, HEIGHT], [0, -HEIGHT]])
        for word in sheet.words(contents):
            y = word.y * sheet.inch
            assert y < top + 1 or y - word.size * sheet.point > bottom - 1, word


def test_the_middle_of_a_picture_is_that_of_its_window_and_a_legend_begins_at_its_left():
    world = sm.World(domain=sm.Box([30, 20], origin=[7, -40]))
    world.add(sm.Vehicles([10, -30]), name="a", steering=sm.Seek([9, -25]))
    plain = contents_of(sm.Stage(world, name="somewhere", description="What there is to be seen of it."))
    contents = plain.__class__(**{**plain.__dict__, "sketches": tuple(world.sketch("a", [0]))})
    sheet = sheet_of(contents, 720, 720, None)
    low, high = np.array([7.0, -40]), np.array([37.0, -20])
    left, top, right, bottom = sheet.window
    place = sheet.place(low, high)
    np.testing.assert_allclose(place.pixels(np.array([(low + high) / 2])), [[(left + right) / 2, (top + bottom) / 2]])
    usual = {word.text for word in sheet.words(plain)}
    legend = [word for word in sheet.words(contents) if word.text not in usual]
    assert legend
    assert legend[0].x == min(word.x for word in sheet.words(plain) if not word.right)


@pytest.mark.parametrize("size", [(160, 120), (480, 270), (1280, 720), (720, 1280), (3840, 2160)])
@pytest.mark.parametrize("shape", [None, 0.3, 1.0, 3.0])
def test_the_world_is_within_the_frame_and_no_word_lies_upon_it(size, shape):
    world = sm.World(domain=sm.Box([100, 60]))
    world.add(sm.Vehicles([10, 10]), name="a")
    stage = sm.Stage(world, name="somewhere", description="What there is to be seen of it, in a sentence or so.")
    sheet = sheet_of(contents_of(stage), *size, shape)
    left, top, right, bottom = sheet.window
    assert 0 <= left < right <= size[0]
    assert 0 <= top < bottom <= size[1]
    if shape is not None and min(size) > 200:
        assert (bottom - top) / (right - left) == pytest.approx(shape, rel=0.05)
    if min(size) > 200:
        for word in sheet.words(contents_of(stage)):
            width = letters(word.text, bold=word.bold).width * word.size * sheet.point
            x, y = word.x * sheet.inch, word.y * sheet.inch
            x0, x1 = (x - width, x) if word.right else (x, x + width)
            assert 0 <= x0 < x1 <= size[0]
            assert x1 <= left or y <= top + 1 or y - word.size * sheet.point >= bottom


@pytest.mark.parametrize("corners", [np.zeros((0, 2)), np.full((3, 2), np.nan), box(5, 90, 25, 99)])
def test_what_is_not_drawn_leaves_what_comes_after_it(corners):
    expected = covered(Shapes.together([box(5, 5, 25, 25)]))
    np.testing.assert_array_equal(covered(Shapes.each([corners, box(5, 5, 25, 25)])), expected)
