"""Pictures of other moments than the end, several side by side, dots at equal times, labels and bodies."""

import matplotlib.image
import numpy as np
import pytest

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.draw import draw_moments
from steersman.drawing.elements import Glyphs, Marks, Texts, of_kind
from steersman.drawing.flat import discs
from steersman.drawing.moments import Moments


def coasting(**about):
    """One vehicle that goes along x at 10 m/s, from x = 0."""
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0, 0]], [10, 0], max_speed=10, radius=2), name="a")
    return sm.Stage(world, seconds=4, **about)


def run(stage):
    stage.keep_picture()
    stage.world.run(steps=stage.steps)
    return stage


def elements_of(stage, kind):
    return of_kind(describe(contents_of(stage)).elements, kind)


def test_moments_keep_what_was_to_be_seen():
    stage = coasting()
    moments = Moments(stage.world, lambda: contents_of(stage), [2.0, 0.0, 1.05, 9.0])
    stage.world.run(steps=stage.steps)
    assert [round(each.time, 6) for each in moments.moments] == [0.0, 1.1, 2.0]
    assert np.allclose([each.vehicles["a"].position[0, 0] for each in moments.moments], [0, 11, 20])


def test_moments_that_are_past_are_not_drawn():
    stage = coasting()
    stage.world.run(seconds=1)
    moments = Moments(stage.world, lambda: contents_of(stage), [0.0, 0.5, 1.0, 1.5])
    stage.world.run(seconds=1)
    assert [round(each.time, 6) for each in moments.moments] == [1.0, 1.5]


def test_what_is_eaten_later_is_still_there():
    stage = coasting(scenery={"grass": sm.Resources([[5, 5]], 3.0)})
    moments = Moments(stage.world, lambda: contents_of(stage), [0.5])
    stage.world.run(seconds=1)
    stage.scenery["grass"].amount = [0.0]
    assert moments.moments[0].scenery[0].amount.tolist() == [3.0]


def test_a_stage_is_drawn_when_its_picture_says(tmp_path):
    one, late, two = (run(coasting(picture=sm.Picture(at=at))) for at in (1.0, (), (0, 4)))
    (left, right) = (stage.draw(tmp_path / "x.png").get_xlim() for stage in (one, late))
    assert left[1] < 30 < 40 < right[1]
    axes = two.draw(tmp_path / "strip.png")
    assert len(axes) == 2
    assert len({each.get_xlim() for each in axes}) == 1  # All are seen from the same place.
    texts = [each.get_text() for each in axes[0].figure.texts]
    assert np.all([0 < part < 1 for each in axes[0].figure.texts for part in each.get_position()])
    assert [each for each in texts if each.startswith("t =")] == ["t = 0.0 s", "t = 4.0 s"]
    height, width, _ = matplotlib.image.imread(tmp_path / "strip.png").shape
    assert width > 1.5 * height


def test_moments_must_be_some():
    with pytest.raises(ValueError, match="moments must be at least one"):
        draw_moments([])
    assert len(draw_moments([contents_of(coasting())] * 2)) == 2  # Without a file.


@pytest.mark.parametrize("order", [1, -1])
def test_the_view_of_several_moments_holds_all_of_them(order):
    moments = [contents_of(coasting()), contents_of(run(coasting()))]
    low, high = draw_moments(moments[::order])[0].get_xlim()
    assert low < 0 < 40 < high


@pytest.mark.parametrize(("at", "kept"), [(3, (3.0,)), ([4, 1, 1], (1.0, 4.0)), ((), ())])
def test_times_have_a_normal_form(at, kept):
    assert sm.Picture(at=at).at == kept


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"at": -1}, "at must be a time or times >= 0 s, got -1"),
        ({"at": "end"}, "at must be numbers"),
        ({"dots": 0}, "dots must be > 0 s"),
        ({"sketch": [3]}, "sketch must be ids by population"),
        ({"sketch": {"a": 1.5}}, "sketch must be ids by population"),
    ],
)
def test_nonsense_is_refused(about, message):
    with pytest.raises((TypeError, ValueError), match=message):
        sm.Picture(**about)


def test_dots_lie_at_equal_times_along_the_trail():
    stage = run(coasting(picture=sm.Picture(trails=2.0, dots=0.5)))
    contents = contents_of(stage)
    trails = stage._trails
    assert np.allclose(trails.places("a", every=0.5), [[40, 0], [35, 0], [30, 0], [25, 0], [20, 0]], atol=1e-4)
    assert trails.places("b", every=0.5).shape == (0, 2)
    (dots,) = [
        each
        for each in describe(contents.__class__(**{**contents.__dict__, "trails": trails})).elements
        if isinstance(each, Marks) and each.shape == "dot"
    ]
    assert len(dots.position) == 5


def test_no_dot_lies_where_a_trail_jumps_across_the_seam():
    world = sm.World(domain=sm.Torus([20, 20]), dt=0.1)
    world.add(sm.Vehicles([[1, 1]], [10, 0], max_speed=10), name="a")
    trails = sm.Trails(world, 4.0)
    world.run(seconds=4)
    places = trails.places("a", every=0.03)
    assert np.allclose(places[:, 1], 1.0)
    steps = np.abs(np.diff(places[:, 0]))
    assert (np.minimum(steps, 20 - steps) < 1.4).all()  # Between the last and the first step, no dot runs back.


def test_labels_stand_beside_their_places_and_are_seen():
    stage = coasting(labels={"berth": [100.0, 50.0]})
    (texts,) = elements_of(stage, Texts)
    assert (texts.words, texts.position.tolist()) == (("berth",), [[100.0, 50.0]])
    assert describe(contents_of(stage)).high[0] > 100


def test_bodies_are_as_wide_as_what_is_judged_where_they_can_be_seen():
    stage = coasting(labels={"far": [100.0, 50.0]})
    (body,) = [each for each in elements_of(stage, Glyphs) if each.shape == "ball"]
    assert (body.size.tolist(), body.axis) == ([4.0], None)
    assert np.linalg.norm(discs(body) - body.position, axis=-1) == pytest.approx(2.0)
    stage.labels = {"far": [10_000.0, 0.0]}
    assert [each for each in elements_of(stage, Glyphs) if each.shape == "ball"] == []


@pytest.mark.parametrize("glyph", ["dart", "ball"])
def test_bodies_of_length_are_capsules_along_their_heading(glyph):
    ahead, side = np.array([0.6, 0.8]), np.array([-0.8, 0.6])
    bus = sm.Vehicles([[1.0, 2.0], [9.0, 2.0]], [5 * ahead, [1.0, 0]], radius=1, length=[6, 1], max_speed=5)
    world = sm.World()
    world.add(bus, name="bus")
    elements = elements_of(sm.Stage(world, picture=sm.Picture(glyphs={"bus": glyph})), Glyphs)
    balls = [each for each in elements if each.shape == "ball"]
    assert len(balls) == {"dart": 1, "ball": 2}[glyph]
    for each in balls:
        capsule, ball = discs(each)
        along = np.abs((capsule - [1, 2]) @ ahead)
        assert along.max() == pytest.approx(3.0, abs=0.01)
        assert np.hypot(np.maximum(along - 2, 0), (capsule - [1, 2]) @ side) == pytest.approx(1.0)
        assert np.linalg.norm(ball - [9, 2], axis=1) == pytest.approx(1.0)
