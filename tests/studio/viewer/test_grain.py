"""The grain of materials: it repeats without a seam, leaves the color what it is, and hides no vehicle."""

import functools

import numpy as np
import pytest
from studio.viewer.node import said

from steersman.drawing.looks import MATERIALS
from steersman.drawing.palette import POPULATIONS, TONES, contrast, rgb

WEAVES = "Object.entries(grain.MATERIALS).map(([name, weave]) => [name, weave])"
DARKER = 0.5  # How dark the edges of vehicles are, see stage.js.


@functools.cache
def pixels():
    numbers = np.array(said("Array.from(grain.grains())"), float)
    size = round((len(numbers) / 4) ** 0.5)
    return numbers.reshape(size, size, 4)


def test_each_material_has_a_grain():
    assert {name for name, _ in said(WEAVES)} >= {*MATERIALS, "meadow", "sheet"}
    assert all(any(weave) for _, weave in said(WEAVES))


@pytest.mark.parametrize("kind", range(4))
def test_a_grain_is_seen_and_has_no_seam(kind):
    each = pixels()[..., kind]
    assert abs(each.mean() - 128) < 14
    assert each.std() > 5
    for across in (each, each.T):
        *steps, seam = np.abs(across - np.roll(across, -1, axis=0)).mean(axis=1)
        assert seam < 1.2 * max(steps)


def test_a_grain_is_not_exchanged_at_once_while_the_picture_comes_nearer():
    """From scale to scale it changes little at any place, and over a doubling of the scale by about one grain."""
    scales = 7 * 2 ** np.linspace(0, 2.5, 251)
    told = said(f"{scales.tolist()}.map(grain.tiling)")
    places, each = np.random.default_rng(0).uniform(-40, 40, (500, 2)), pixels()[..., 0]

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
    """Itself or its edge has a contrast of at least 3, wherever the grain is lightest and darkest."""
    low, high = (pixels().reshape(-1, 4).min(axis=0) / 255 - 0.5, pixels().reshape(-1, 4).max(axis=0) / 255 - 0.5)
    faint = {}
    for name, weave in said(WEAVES):
        much = (2.4 if dark else 1.0) * np.array(weave[:4])
        for by in (1 + much @ low, 1 + much @ high):
            ground = tuple(np.clip(by * np.array(rgb(TONES[name][dark])), 0, 1))
            for color, tones in POPULATIONS.items():
                own = rgb(tones[dark])
                best = max(contrast(own, ground), contrast(tuple(DARKER * np.array(own)), ground))
                if best < 3:
                    faint[name, color] = best
    assert faint == {}
