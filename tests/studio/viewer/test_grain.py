"""The grain of materials: it repeats without a seam, leaves the color what it is, and hides no vehicle."""

import base64
import functools

import numpy as np
import pytest
from studio.viewer.node import said

from steersman.drawing.looks import MATERIALS
from steersman.drawing.palette import POPULATIONS, TONES, contrast, rgb

SIZE = 256
DARKER = 0.5  # How dark the edges of vehicles are, see stage.js.
BROAD = 0.085  # How much lighter or darker broad patches make a color, see shaders.js.
NAMES = (*MATERIALS, "meadow", "road")


@functools.cache
def pixels(name):
    """How light a material is at a place: red, green, blue, and broad patches, 0 where its color is as it is."""
    told = said(f"Buffer.from(grain.grains({name!r}, {SIZE})).toString('base64')")
    return np.frombuffer(base64.b64decode(told), np.uint8).reshape(SIZE, SIZE, 4) / 255 - 0.5


def test_each_material_has_a_grain():
    assert set(said("Object.keys(grain.MATERIALS)")) == {*NAMES, "sheet"}


@pytest.mark.parametrize("name", NAMES)
def test_a_grain_is_seen_has_no_seam_and_leaves_the_color_as_it_is(name):
    each = pixels(name)
    assert np.abs(each[..., :3].mean(axis=(0, 1))).max() < 0.05
    assert each[..., :3].std(axis=(0, 1)).min() > 0.012
    assert each[..., 3].std() > 0.05
    for across in (each, each.swapaxes(0, 1)):
        *steps, seam = np.abs(across - np.roll(across, -1, axis=0)).mean(axis=(1, 2))
        assert seam < 1.2 * max(steps)


def test_a_grain_is_the_same_each_time():
    assert said("String(grain.grains('grass', 64)) === String(grain.grains('grass', 64))")


def test_a_grain_is_not_exchanged_at_once_while_the_picture_comes_nearer():
    """From scale to scale it changes little at any place, and over a doubling of the scale by about one grain."""
    scales = 7 * 2 ** np.linspace(0, 2.5, 251)
    told = said(f"{scales.tolist()}.map(grain.tiling)")
    places, each = np.random.default_rng(0).uniform(-40, 40, (500, 2)), pixels("grass")[..., 0]

    def seen(tile):
        """The grain at the places: one whole repetition is a picture."""
        column, row = (np.floor(tile * places * len(each)).astype(int) % len(each)).T
        return each[row, column]

    grain = np.array([(1 - fade) * seen(tile) + fade * seen(2 * tile) for tile, fade in told])
    assert np.abs(np.diff(grain, axis=0)).mean(axis=1).max() < 0.05 * np.abs(grain[0] - grain[-1]).mean()
    for (tile, fade), scale in zip(told, scales, strict=True):
        assert 0 <= fade <= 1
        assert 299 < scale / tile < 601


@pytest.mark.parametrize("dark", [0, 1], ids=["light", "dark"])
def test_a_vehicle_can_be_seen_on_every_material(dark):
    """Itself or its edge has a contrast of at least 3, in the lightest and darkest patch of a grain, of 4 x 4 pixels."""
    faint, much = {}, 1.6 if dark else 1.0
    for name in NAMES:
        patches = pixels(name)[..., :3].reshape(SIZE // 4, 4, SIZE // 4, 4, 3).mean(axis=(1, 3))
        low, high = patches.min(axis=(0, 1)) - BROAD, patches.max(axis=(0, 1)) + BROAD
        for by in (1 + much * low, 1 + much * high):
            ground = tuple(np.clip(by * np.array(rgb(TONES[name][dark])), 0, 1))
            for color, tones in POPULATIONS.items():
                own = rgb(tones[dark])
                best = max(contrast(own, ground), contrast(tuple(DARKER * np.array(own)), ground))
                if best < 3:
                    faint[name, color] = best
    assert faint == {}
