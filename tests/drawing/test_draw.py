"""The door to pictures: what can be drawn, where to, and what it says where that cannot be."""

import builtins
import io

import matplotlib.image
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

import steersman as sm
from steersman.core.world.surroundings import surroundings
from steersman.drawing.contents import contents_of
from steersman.drawing.draw import as_png, draw_moments
from steersman.drawing.palette import ROCK, rgb


@pytest.fixture(autouse=True)
def _no_figure_is_left():
    yield
    pyplot.close("all")


def flat_world(steering=None, position=((20, 20), (80, 80))):
    world = sm.World(domain=sm.Box([100, 100]))
    world.add(sm.Vehicles(position, [5, 0], max_speed=10, max_force=20), name="a", steering=steering)
    return world


def pixels(data):
    source = io.BytesIO(data) if isinstance(data, bytes) else data
    return matplotlib.image.imread(source)[:, :, :3]


def colored(picture, color):
    return np.all(np.abs(picture - rgb(color)) < 0.02, axis=2).sum()


# ---------------------------------------------------------------------------------------------------- where to


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".PNG"])
def test_the_same_world_gives_the_same_file(tmp_path, suffix):
    world = flat_world()
    for name in ("one", "two"):
        world.draw(tmp_path / f"{name}{suffix}")
    one, two = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two"))
    assert one == two
    assert one.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix.lower()])
    assert not pyplot.get_fignums()


@pytest.mark.parametrize("name", ["a.mp4", "a", "a.png.gz"])
def test_other_suffixes_are_refused_before_anything_is_written(tmp_path, name):
    with pytest.raises(ValueError, match=rf"file must end in \.png, \.svg or \.pdf, got .*{name}"):
        flat_world().draw(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_without_a_file_it_is_a_figure_of_pyplot_in_meters():
    axes = flat_world().draw()
    assert pyplot.gcf() is axes.figure
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 100), (0, 100))
    assert [text.get_text() for text in axes.legend().get_texts()] == ["a"]


def test_axes_that_are_given_are_drawn_into_and_returned():
    left, right = Figure().subplots(1, 2)
    assert flat_world().draw(ax=left, title="mine") is left
    assert left.get_title(loc="left") == "mine"
    assert left.collections
    assert not right.collections
    deep = sm.World()
    deep.add(sm.Vehicles([0, 0, 0]))
    assert deep.draw(ax=right) is right
    assert not pyplot.get_fignums()


def test_a_frame_says_what_is_seen():
    axes = flat_world().draw(frame=([10, 20], [30, 60]))
    assert (axes.get_xlim(), axes.get_ylim()) == ((10, 30), (20, 60))
    for wrong, message in [(3, "two corners of 2"), (([5, 5], [1, 9]), "lowest and the highest")]:
        with pytest.raises(ValueError, match=message):
            flat_world().draw(frame=wrong)


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    for draw in (flat_world().draw, lambda: draw_moments([contents_of(flat_world())])):
        with pytest.raises(ImportError, match=r'pip install "steersman\[draw\]"'):
            draw()
    monkeypatch.setattr("steersman.drawing.draw.find_spec", lambda name: None)
    assert flat_world()._repr_png_() is None


# ---------------------------------------------------------------------------------------------------- what


def test_a_world_shows_what_its_trees_bodies_and_constraints_know_of(tmp_path):
    rocks = {name: sm.Spheres([x, 50], 6) for name, x in (("avoided", 15), ("mode", 40), ("constraint", 65))}
    meadow, path, wind = sm.Box([90, 90]), sm.Path([[0, 0], [50, 90]]), sm.FlowField.grid(np.ones((2, 2, 2)))
    modes = sm.Modes(
        {"go": sm.FollowPath(path), "hide": sm.Priority([sm.AvoidObstacles(rocks["mode"]), sm.Wander()])},
        transitions=[("go", "hide", sm.Near([3, 4], 5.0))],
        start="go",
    )
    world = flat_world(sm.Priority([sm.AvoidObstacles([rocks["avoided"]]), 2 * sm.Contain(meadow) + modes]))
    world.add(sm.Vehicles([1, 1]), name="b", steering=sm.FollowFlow(wind) + sm.Contain(meadow) + sm.Seek([9, 9]))
    world.constraints = [sm.ZeroOverlap(obstacles=rocks["constraint"])]
    found = surroundings(world.populations.values(), world.constraints)
    assert sorted(map(id, found)) == sorted(map(id, [*rocks.values(), meadow, path, wind]))
    world.draw(tmp_path / "all.png")
    world.draw(tmp_path / "none.png", scenery=())
    assert colored(pixels(tmp_path / "all.png"), ROCK) > 1000
    assert colored(pixels(tmp_path / "none.png"), ROCK) < 100  # Edges of letters.
    (cross,) = [line for line in world.draw().lines if line.get_marker() == "+"]
    assert cross.get_xydata().tolist() == [[3, 4], [9, 9]]


def test_a_surface_under_walkers_is_seen():
    hills = sm.Heightfield(np.zeros((3, 3)), [0, 0], [9, 9])
    walkers = sm.World().add(sm.Vehicles([3, 3, 0]), locomotion=sm.SurfaceBound(hills))
    assert surroundings([walkers]) == (hills,)
    on_hills, alone = pixels(walkers._repr_png_()), pixels(walkers.vehicles._repr_png_())
    assert np.any(np.abs(on_hills - alone) > 0.02, axis=2).mean() > 0.05


SHOWN = {
    "population": lambda: flat_world().populations["a"],
    "vehicles": lambda: sm.Vehicles([0, 0]),
    "path": lambda: sm.Path([[0, 0], [9, 4]]),
    "field": lambda: sm.FlowField.grid(np.ones((3, 4, 2)), origin=5.0),
    "painted field": lambda: sm.FlowField.image(np.ones((4, 4, 3)), [0, 0], [4, 4], max_speed=3.0),
    "rocks": lambda: sm.Spheres([0, 0, 0], 2),
    "region": lambda: sm.Polygon([[0, 0], [4, 0], [2, 5]]),
    "food": lambda: sm.Resources([[0, 0], [3, 4]]),
}


@pytest.mark.parametrize("name", SHOWN)
def test_notebooks_show_a_picture(name):
    picture = pixels(SHOWN[name]()._repr_png_())
    assert picture.shape[1] == 800
    assert picture.reshape(-1, 3).std() > 0.005
    assert not pyplot.get_fignums()


def test_notebooks_show_words_where_nothing_is_to_be_seen():
    mixed = sm.World()
    mixed.add(sm.Vehicles([0, 0]))
    mixed.add(sm.Vehicles([0, 0, 0]))
    for what in (sm.World(), mixed, sm.FlowField.function(lambda points: points), sm.Plane([0, 0, 0], [0, 0, 1])):
        assert as_png(what) is None


def test_several_things_are_drawn_together():
    axes = sm.draw([sm.Spheres([50, 0], 5), sm.Vehicles([0, 0]), sm.Path([[0, 0], [0, 60]])])
    assert axes.get_xlim()[1] > 55
    assert axes.get_ylim()[1] > 60
    with pytest.raises(ValueError, match="several populations of one name"):
        sm.draw([sm.Vehicles([0, 0]), sm.Vehicles([0, 0])])


@pytest.mark.parametrize(
    ("about", "kind", "message"),
    [
        ({"colors": {"b": "red"}}, ValueError, r"there is no 'b' \(populations: a\)"),
        ({"colors": {"a": "pink"}}, ValueError, "a color must be #rrggbb or one of blue"),
        ({"scenery": [sm.Spheres([0, 0, 0], 1)]}, ValueError, "scenery must have 2 dimensions"),
        ({"scenery": [7]}, TypeError, "scenery must be obstacles, paths"),
        ({"trails": 3}, TypeError, "trails must be Trails, got 3"),
        ({"style": 3}, TypeError, "style must be Picture, got 3"),
        ({"forces": True}, ValueError, "none is steered"),
        ({"colour": 3}, TypeError, "colour"),
    ],
)
def test_messages(about, kind, message):
    with pytest.raises(kind, match=message):
        flat_world().draw(**about)


def test_populations_in_the_plane_and_in_space_are_not_in_one_picture(tmp_path):
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]]), name="mouse")
    world.add(sm.Vehicles([[0, 0, 0]]), name="bird")
    with pytest.raises(ValueError, match="same number of dimensions to be drawn"):
        sm.draw(world)
    with pytest.raises(ValueError, match="same number of dimensions to be filmed"):
        world.video(tmp_path / "x.gif", seconds=1)


def test_what_cannot_be_drawn():
    with pytest.raises(TypeError, match=r"must be a World, a Population, .*got 3"):
        sm.draw(3)
    for endless in (sm.FlowField.function(lambda points: points), sm.Plane([0, 0, 1], [0, 0, 1])):
        with pytest.raises(ValueError, match="frame must be given"):
            sm.draw(endless)
    with pytest.raises(TypeError, match="forces are those of a World"):
        sm.draw(sm.Vehicles([0, 0]), forces=True)


# ---------------------------------------------------------------------------------------------------- forces


def arrows_of(axes):
    (quiver,) = [each for each in axes.collections if type(each).__name__ == "Quiver"]
    return quiver.XY, np.stack([quiver.U, quiver.V], axis=1)


def test_arrows_are_the_forces_that_explain_tells():
    world = flat_world(lambda vehicles: np.array([[0.0, 4.0], [8.0, 0.0], [0.0, 0.0]]), [[20, 20], [50, 60], [80, 80]])
    tails, arrows = arrows_of(world.draw(forces=True))
    assert tails == pytest.approx(np.array([[20, 20], [50, 60]]))  # No arrow for no force.
    assert arrows[1] == pytest.approx([7.5, 0])  # The strongest.
    assert arrows[0] == pytest.approx([0, 3.75])
    assert world.explain("a").force[:2] == pytest.approx(arrows * 8 / 7.5)


def test_arrows_of_some():
    world = flat_world(lambda vehicles: np.ones((2, 2)))
    assert arrows_of(world.draw(forces=1))[0].tolist() == [[80, 80]]
    assert arrows_of(world.draw(forces=[0, 1]))[0].tolist() == [[20, 20], [80, 80]]
    assert arrows_of(world.draw(forces={"a": [0]}))[0].tolist() == [[20, 20]]
    for wrong, kind in [([9], KeyError), ({"a": [9]}, KeyError), ({"b": [0]}, KeyError), ("a", TypeError)]:
        with pytest.raises(kind):
            world.draw(forces=wrong)


def test_arrows_of_some_go_by_ids():
    """When the first one has gone, the second is in its row."""
    world = flat_world(lambda vehicles: np.ones((len(vehicles), 2)))
    world["a"].remove(0)
    assert arrows_of(world.draw(forces=1))[0].tolist() == [[80, 80]]


def test_a_force_next_to_nothing_has_no_long_arrow():
    world = flat_world(lambda vehicles: np.full((2, 2), 1e-7))
    assert len(arrows_of(world.draw(forces=True))[0]) == 0


def test_the_caption_says_how_strong_the_strongest_force_is_where_no_arrow_has_full_length():
    world = flat_world(lambda vehicles: np.array([[0.0, 0.166], [0.0, 0.0]]), [[20, 20], [50, 60]])
    axes = world.draw(forces=True)
    assert np.linalg.norm(arrows_of(axes)[1], axis=1).max() < 7.4
    assert "longest arrow: 0.166 N" in [text.get_text() for text in (*axes.texts, *axes.figure.texts)]


def test_arrows_in_3d_are_seen_by_the_camera():
    world = sm.World(domain=sm.Box([10, 10, 10]))
    world.add(sm.Vehicles([5, 5, 5], max_force=5), steering=lambda vehicles: np.array([[0.0, 0.0, 2.0]]))
    tails, arrows = arrows_of(world.draw(forces=True))
    assert tails[0] == pytest.approx([0, 0])
    assert arrows[0] == pytest.approx([0, 0.15], abs=0.01)  # Up, and as the camera is not far above, nearly all of it.


def test_the_unit_stands_above_a_number_at_the_very_top():
    """Of an axis that ends with one: the two do not lie on each other."""
    world = sm.World(domain=sm.Box([60, 40]))
    world.add(sm.Vehicles([[5, 5]], max_speed=1), name="one")
    axes = world.draw()
    axes.figure.canvas.draw()
    (unit,) = [each for each in axes.texts if each.get_text() == "m"]
    (top,) = [each for each in axes.get_yticklabels() if each.get_text() == "40"]
    assert not unit.get_window_extent().overlaps(top.get_window_extent())
