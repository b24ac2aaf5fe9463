"""Painted flow fields."""

import sys

import numpy as np
import pytest

import steersman as sm

Image = pytest.importorskip("PIL.Image")


def picture(*rows):
    return np.array(rows, np.uint8)


RED, CYAN, BLACK, WHITE = (255, 0, 0), (0, 255, 255), (0, 0, 0), (255, 255, 255)


def test_colors_are_directions_and_their_strength_is_speed():
    """Six full hues, 60 degrees apart, counter-clockwise from red along +x."""
    hues = [(255, 0, 0), (255, 255, 0), (0, 255, 0), (0, 255, 255), (0, 0, 255), (255, 0, 255)]
    field = sm.FlowField.image(picture(hues, hues), [0, 0], [6, 2], max_speed=5)
    found = field.at([(k + 0.5, 1.0) for k in range(6)])
    angles = np.radians(60 * np.arange(6))
    np.testing.assert_allclose(found, 5 * np.column_stack([np.cos(angles), np.sin(angles)]), atol=1e-12)


def test_dark_is_slow_and_gray_stands_still():
    row = [(102, 0, 0), BLACK, WHITE, (128, 128, 128), (255, 204, 204)]
    found = sm.FlowField.image(picture(row, row), [0, 0], [5, 2], max_speed=10).at([(k + 0.5, 1.0) for k in range(5)])
    np.testing.assert_allclose(found, [[4, 0], [0, 0], [0, 0], [0, 0], [2, 0]], atol=1e-12)


def test_the_first_row_is_the_top_and_pixels_count_at_their_centers():
    field = sm.FlowField.image(picture([CYAN, BLACK], [BLACK, RED]), [10, 20], [14, 22], max_speed=2)
    np.testing.assert_allclose(field.at([11, 21.5]), [-2, 0], atol=1e-12)
    np.testing.assert_allclose(field.at([13, 20.5]), [2, 0], atol=1e-12)
    np.testing.assert_allclose(field.at([12, 20.5]), [1, 0], atol=1e-12)


@pytest.mark.parametrize(("outside", "beyond"), [("clamp", [2, 0]), ("zero", [0, 0])])
def test_beyond_the_rim_it_flows_as_it_is_asked_to(outside, beyond):
    field = sm.FlowField.image(picture([RED, RED], [RED, RED]), [0, 0], [2, 4], max_speed=2, outside=outside)
    np.testing.assert_allclose(field.at([[1.5, 3], [2.1, 3], [1, -0.1]]), [[2, 0], beyond, beyond], atol=1e-12)


@pytest.mark.parametrize("outside", ["clamp", "zero"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_outer_half_of_the_outer_pixels_belongs_to_the_picture(outside, dtype):
    """With outside="zero" the flow ended at the centers of the outer pixels."""
    field = sm.FlowField.image(picture([RED, CYAN], [RED, CYAN]), [0, 0], [2, 4], max_speed=2, outside=outside)
    points = np.array([[0.01, 3.9], [0.5, 0.1], [1.99, 0.1], [1.0, 3.99]], dtype)
    np.testing.assert_allclose(field.at(points), [[2, 0], [2, 0], [-2, 0], [0, 0]], atol=1e-6)
    beyond = np.array([[-0.01, 2], [2.01, 2], [0.5, 4.01], [0.5, -0.01]], dtype)
    rim = [[2, 0], [-2, 0], [2, 0], [2, 0]] if outside == "clamp" else np.zeros((4, 2))
    np.testing.assert_allclose(field.at(beyond), rim, atol=1e-6)


def test_opacity_and_numbers_from_0_to_1():
    pixels = np.zeros((2, 2, 4))
    pixels[..., 0], pixels[..., 3] = 1, 0.25
    np.testing.assert_allclose(sm.FlowField.image(pixels, [0, 0], [1, 1], max_speed=8).at([0.5, 0.5]), [2, 0])


def test_painting_is_undone_by_reading():
    whirl = sm.FlowField.function(lambda points: np.column_stack([-points[:, 1], points[:, 0]]))
    pixels = whirl.paint([-3, -3], [3, 3], max_speed=5, pixels=(48, 60))
    assert pixels.shape == (60, 48, 3)
    field = sm.FlowField.image(pixels, [-3, -3], [3, 3], max_speed=5)
    points = np.random.default_rng(0).uniform(-2.9, 2.9, (200, 2))
    np.testing.assert_allclose(field.at(points), whirl.at(points), atol=0.03)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_files_of_every_mode(tmp_path, mode):
    Image.fromarray(picture([RED, CYAN], [BLACK, RED])).convert(mode).save(tmp_path / "flow.png")
    field = sm.FlowField.image(tmp_path / "flow.png", [0, 0], [2, 2], max_speed=3)
    np.testing.assert_allclose(field.at([[0.5, 1.5], [1.5, 1.5], [0.5, 0.5]]), [[3, 0], [-3, 0], [0, 0]], atol=1e-12)


def test_the_picture_that_comes_along_is_the_one_that_is_drawn():
    """It is what the scenario shows: counter-clockwise around the middle."""
    from steersman.gallery.scenarios.flow_field import PICTURE, SIZE, SPEED, draw

    np.testing.assert_array_equal(np.asarray(Image.open(PICTURE)), draw())
    field = sm.FlowField.image(PICTURE, [0, 0], SIZE, max_speed=SPEED)
    for angle in np.radians([0, 70, 140, 220, 300]):
        way = np.array([np.cos(angle), np.sin(angle)])
        flow = field.at(np.array([60, 40]) + way * (40, 26))
        tangent = np.array([-way[1] * 40, way[0] * 26])
        assert flow @ tangent / np.linalg.norm(tangent) > 0.9 * np.linalg.norm(flow) > 2


def test_what_is_refused(tmp_path):
    def make(image, low=(0, 0), high=(1, 1), max_speed=1.0):
        return sm.FlowField.image(image, low, high, max_speed=max_speed)

    Image.fromarray(np.zeros((4, 4), np.uint8)).save(tmp_path / "gray.png")
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(
        FileNotFoundError, match=r"image must be a picture file or an array, got .*there is no such file"
    ):
        make(tmp_path / "missing.png")
    with pytest.raises(ValueError, match="image must be a picture of mode RGB, RGBA, P, PA, got mode L"):
        make(tmp_path / "gray.png")
    with pytest.raises(ValueError, match="cannot be read"):
        make(tmp_path / "text.png")
    with pytest.raises(ValueError, match="image must have at least 2 x 2 pixels, got 1 x 2"):
        make(picture([RED], [RED]))
    with pytest.raises(ValueError, match=r"image must have shape \(height, width, 3\)"):
        make(np.zeros((4, 4)))
    with pytest.raises(ValueError, match="or numbers 0 to 1, got -1 to 0"):
        make(np.array([[[0.0, 0, -1]] * 2] * 2))
    with pytest.raises(ValueError, match="or numbers 0 to 1, got 0 to 2"):
        make(np.array([[[0.0, 1, 2]] * 2] * 2))
    with pytest.raises(ValueError, match="high must be above low on both axes"):
        make(picture([RED] * 2, [RED] * 2), high=(1, 0))
    with pytest.raises(ValueError, match="max_speed must be > 0 m/s, got 0"):
        make(picture([RED] * 2, [RED] * 2), max_speed=0)


def test_without_pillow_the_error_says_what_to_install(tmp_path, monkeypatch):
    Image.fromarray(picture([RED, RED], [RED, RED])).save(tmp_path / "flow.png")
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"pip install steersman\[geo\]"):
        sm.FlowField.image(tmp_path / "flow.png", [0, 0], [1, 1], max_speed=1)


def test_a_flow_faster_than_the_fastest_color_has_that_color():
    fast = sm.FlowField.function(lambda points: np.tile([3.0, 0.0], (len(points), 1)))
    assert fast.paint([0, 0], [1, 1], max_speed=2, pixels=(2, 2))[0, 0].tolist() == [255, 0, 0]
