"""Glyphs: the shapes that vehicles are drawn as, described once for paper and for browsers.

Each is an outline in the plane and triangles in space, about one long, that face along x: (forward, side) and (forward,
side, up).
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.locomotion.wheeled import Wheeled
from steersman.core.typing import Array

GLYPHS = (
    "dart", "arrow", "disc", "car", "bird", "fish", "animal", "wolf", "sheep", "cow", "horse", "deer", "mouse", "ant",
    "moth", "person", "plane", "ship", "footprint", "leaf", "motorcycle", "ball",
)  # fmt: skip
"""Their names."""

USUAL = "dart"

HALVES: dict[str, list[tuple[float, float]]] = {
    "dart": [(0.62, 0), (-0.38, 0.3), (-0.2, 0)],
    "arrow": [(0.6, 0), (-0.4, 0.36), (-0.4, 0)],
    "car": [
        (0.58, 0), (0.56, 0.06), (0.36, 0.09), (0.34, 0.22), (0.16, 0.22), (0.14, 0.13), (-0.14, 0.18), (-0.15, 0.29),
        (-0.42, 0.29), (-0.42, 0.18), (-0.5, 0.14), (-0.5, 0),
    ],
    "bird": [
        (0.46, 0), (0.38, 0.05), (0.26, 0.06), (0.2, 0.13), (0.2, 0.32), (0.02, 0.58), (0.03, 0.33), (-0.05, 0.12),
        (-0.2, 0.05), (-0.48, 0.14), (-0.42, 0),
    ],
    "animal": [
        (0.58, 0), (0.57, 0.04), (0.53, 0.055), (0.44, 0.08), (0.4, 0.09), (0.33, 0.2), (0.29, 0.17), (0.33, 0.09),
        (0.27, 0.1), (0.2, 0.155), (0.12, 0.185), (0.04, 0.185), (-0.1, 0.16), (-0.22, 0.175), (-0.32, 0.17), (-0.39, 0.13),
        (-0.42, 0.07), (-0.44, 0.025), (-0.5, 0.05), (-0.56, 0.04), (-0.6, 0),
    ],
    "wolf": [
        (0.6, 0), (0.585, 0.03), (0.5, 0.045), (0.44, 0.085), (0.425, 0.15), (0.36, 0.115), (0.31, 0.16), (0.24, 0.2),
        (0.15, 0.185), (0.06, 0.145), (-0.08, 0.115), (-0.2, 0.15), (-0.29, 0.145), (-0.34, 0.08), (-0.355, 0.035),
        (-0.42, 0.075), (-0.5, 0.085), (-0.56, 0.055), (-0.59, 0),
    ],
    "sheep": [
        (0.55, 0), (0.54, 0.05), (0.48, 0.085), (0.41, 0.085), (0.36, 0.17), (0.31, 0.18), (0.33, 0.095), (0.27, 0.1),
        (0.26, 0.16), (0.21, 0.2), (0.15, 0.19), (0.12, 0.25), (0.05, 0.28), (-0.02, 0.25), (-0.07, 0.29), (-0.15, 0.29),
        (-0.2, 0.24), (-0.27, 0.26), (-0.34, 0.22), (-0.35, 0.17), (-0.42, 0.15), (-0.45, 0.08), (-0.43, 0.03), (-0.47, 0),
    ],
    "cow": [
        (0.6, 0), (0.595, 0.05), (0.56, 0.07), (0.5, 0.06), (0.43, 0.085), (0.44, 0.14), (0.52, 0.2), (0.43, 0.185),
        (0.39, 0.1), (0.36, 0.2), (0.31, 0.215), (0.29, 0.18), (0.33, 0.09), (0.27, 0.075), (0.22, 0.11), (0.17, 0.165),
        (0.1, 0.175), (0.03, 0.16), (-0.06, 0.195), (-0.15, 0.22), (-0.24, 0.205), (-0.3, 0.165), (-0.35, 0.185),
        (-0.41, 0.155), (-0.44, 0.08), (-0.445, 0.018), (-0.5, 0.012), (-0.52, 0.03), (-0.565, 0.028), (-0.575, 0),
    ],
    "horse": [
        (0.6, 0), (0.59, 0.035), (0.52, 0.055), (0.45, 0.05), (0.42, 0.085), (0.39, 0.05), (0.28, 0.06), (0.2, 0.1),
        (0.13, 0.11), (0.11, 0.17), (0.05, 0.215), (-0.03, 0.23), (-0.11, 0.215), (-0.17, 0.17), (-0.19, 0.12),
        (-0.27, 0.145), (-0.36, 0.13), (-0.42, 0.07), (-0.44, 0.025), (-0.58, 0.045), (-0.55, 0),
    ],
    "deer": [
        (0.58, 0), (0.57, 0.035), (0.53, 0.05), (0.46, 0.06), (0.42, 0.065), (0.45, 0.17), (0.57, 0.23), (0.55, 0.265),
        (0.43, 0.21), (0.39, 0.34), (0.35, 0.33), (0.39, 0.19), (0.37, 0.07), (0.27, 0.08), (0.2, 0.14), (0.1, 0.17),
        (-0.02, 0.165), (-0.15, 0.155), (-0.27, 0.17), (-0.37, 0.145), (-0.42, 0.08), (-0.44, 0.03), (-0.48, 0.02),
        (-0.48, 0),
    ],
    "mouse": [
        (0.52, 0), (0.5, 0.025), (0.43, 0.07), (0.37, 0.095), (0.385, 0.14), (0.375, 0.19), (0.33, 0.225), (0.27, 0.225),
        (0.225, 0.19), (0.215, 0.15), (0.24, 0.115), (0.16, 0.145), (0.06, 0.185), (-0.05, 0.2), (-0.15, 0.18),
        (-0.22, 0.125), (-0.25, 0.06), (-0.265, 0.022), (-0.42, 0.02), (-0.55, 0.012), (-0.57, 0),
    ],
    "ant": [
        (0.46, 0), (0.475, 0.035), (0.445, 0.07), (0.475, 0.16), (0.59, 0.215), (0.575, 0.25), (0.445, 0.19), (0.4, 0.1),
        (0.33, 0.105), (0.27, 0.07), (0.25, 0.035), (0.21, 0.07), (0.175, 0.075), (0.27, 0.23), (0.39, 0.33), (0.36, 0.365),
        (0.23, 0.255), (0.135, 0.085), (0.105, 0.085), (0.09, 0.26), (0.06, 0.42), (0.015, 0.41), (0.045, 0.25),
        (0.06, 0.08), (0.02, 0.075), (-0.07, 0.25), (-0.25, 0.4), (-0.28, 0.365), (-0.11, 0.22), (-0.03, 0.06),
        (-0.07, 0.03), (-0.1, 0.035), (-0.15, 0.1), (-0.24, 0.155), (-0.35, 0.155), (-0.45, 0.105), (-0.51, 0.045),
        (-0.53, 0),
    ],
    "person": [
        (0.31, 0), (0.24, 0.07), (0.21, 0.13), (0.15, 0.18), (0.14, 0.24), (0.3, 0.25), (0.4, 0.27), (0.43, 0.32),
        (0.38, 0.36), (0.25, 0.38), (0.08, 0.4), (-0.06, 0.38), (-0.15, 0.33), (-0.2, 0.25), (-0.24, 0.14), (-0.28, 0),
    ],
    "moth": [
        (0.42, 0), (0.405, 0.04), (0.5, 0.13), (0.48, 0.155), (0.37, 0.065), (0.3, 0.075), (0.27, 0.3), (0.16, 0.54),
        (0.06, 0.58), (-0.03, 0.5), (-0.08, 0.33), (-0.2, 0.37), (-0.31, 0.3), (-0.33, 0.18), (-0.2, 0.06), (-0.3, 0.05),
        (-0.44, 0),
    ],
    "plane": [
        (0.6, 0), (0.57, 0.03), (0.45, 0.055), (0.24, 0.07), (0.06, 0.32), (-0.02, 0.54), (-0.12, 0.56), (-0.12, 0.34),
        (-0.13, 0.08), (-0.34, 0.055), (-0.44, 0.22), (-0.52, 0.23), (-0.52, 0.05), (-0.56, 0),
    ],
    "footprint": [
        (0.5, 0), (0.47, 0.09), (0.38, 0.16), (0.24, 0.19), (0.08, 0.17), (-0.06, 0.11), (-0.18, 0.1), (-0.3, 0.14),
        (-0.41, 0.13), (-0.47, 0.08), (-0.49, 0),
    ],
    "leaf": [
        (0.52, 0), (0.4, 0.07), (0.24, 0.155), (0.06, 0.21), (-0.1, 0.21), (-0.24, 0.155), (-0.34, 0.06), (-0.37, 0.018),
        (-0.55, 0.014), (-0.55, 0),
    ],
    "ship": [
        (0.58, 0), (0.5, 0.06), (0.38, 0.125), (0.2, 0.18), (0.0, 0.2), (-0.25, 0.195), (-0.42, 0.17), (-0.48, 0.14),
        (-0.5, 0),
    ],
    "motorcycle": [
        (0.55, 0), (0.54, 0.045), (0.36, 0.055), (0.31, 0.06), (0.24, 0.22), (0.19, 0.21), (0.2, 0.12), (0.12, 0.17),
        (0.02, 0.19), (-0.08, 0.16), (-0.14, 0.1), (-0.3, 0.08), (-0.33, 0.055), (-0.54, 0.05), (-0.55, 0),
    ],
    "fish": [
        (0.54, 0), (0.42, 0.09), (0.2, 0.15), (0.12, 0.155), (-0.04, 0.26), (-0.02, 0.135), (-0.2, 0.07), (-0.28, 0.035),
        (-0.48, 0.19), (-0.42, 0),
    ],
}  # fmt: skip
"""The left halves of outlines, from front to back; the right ones are their mirror images."""


SHADES: dict[str, list[tuple[str, list[tuple[float, float]]]]] = {
    "car": [
        ("both", [(0.35, 0.1), (0.34, 0.22), (0.16, 0.22), (0.15, 0.14)]),
        ("both", [(-0.14, 0.2), (-0.15, 0.29), (-0.42, 0.29), (-0.42, 0.2)]),
        ("middle", [(0.12, 0), (0.07, 0.07), (-0.1, 0.08), (-0.14, 0)]),
    ],
    "animal": [
        ("both", [(0.4, 0.09), (0.33, 0.2), (0.29, 0.17), (0.33, 0.09)]),
        ("middle", [(0.58, 0), (0.57, 0.04), (0.53, 0.055), (0.5, 0.03), (0.49, 0)]),
        ("middle", [(0.14, 0), (0.1, 0.08), (0.0, 0.11), (-0.2, 0.1), (-0.3, 0.06), (-0.34, 0)]),
    ],
    "wolf": [
        ("both", [(0.44, 0.085), (0.425, 0.15), (0.36, 0.115), (0.38, 0.09)]),
        ("middle", [(0.6, 0), (0.585, 0.03), (0.55, 0.037), (0.54, 0)]),
        ("middle", [(0.26, 0), (0.24, 0.11), (0.15, 0.11), (0.04, 0.07), (-0.1, 0.05), (-0.24, 0.06), (-0.34, 0.02),
                    (-0.355, 0)]),
        ("middle", [(-0.5, 0), (-0.5, 0.085), (-0.56, 0.055), (-0.59, 0)]),
    ],
    "sheep": [
        ("middle", [(0.55, 0), (0.54, 0.05), (0.48, 0.085), (0.41, 0.085), (0.36, 0.17), (0.31, 0.18), (0.33, 0.095),
                    (0.24, 0.08), (0.21, 0)]),
    ],
    "cow": [
        ("both", [(0.44, 0.14), (0.52, 0.2), (0.43, 0.185), (0.39, 0.1), (0.43, 0.085)]),
        ("left", [(0.2, 0.12), (0.17, 0.165), (0.1, 0.175), (0.06, 0.165), (0.02, 0.09), (0.1, 0.02), (0.19, 0.04)]),
        ("right", [(-0.06, 0.12), (-0.1, 0.205), (-0.15, 0.22), (-0.24, 0.205), (-0.27, 0.18), (-0.26, 0.06), (-0.18, -0.02),
                   (-0.09, 0.02)]),
        ("middle", [(-0.5, 0), (-0.5, 0.012), (-0.52, 0.03), (-0.565, 0.028), (-0.575, 0)]),
    ],
    "deer": [
        ("both", [(0.42, 0.065), (0.45, 0.17), (0.57, 0.23), (0.55, 0.265), (0.43, 0.21), (0.39, 0.34), (0.35, 0.33),
                  (0.39, 0.19), (0.385, 0.07)]),
        ("middle", [(0.58, 0), (0.57, 0.035), (0.53, 0.05), (0.5, 0.03), (0.49, 0)]),
        ("middle", [(-0.38, 0), (-0.42, 0.08), (-0.44, 0.03), (-0.48, 0.02), (-0.48, 0)]),
    ],
    "horse": [
        ("middle", [(0.44, 0), (0.4, 0.02), (0.16, 0.025), (0.16, 0)]),
        ("middle", [(-0.42, 0), (-0.44, 0.025), (-0.58, 0.045), (-0.55, 0)]),
        ("both", [(0.11, 0.17), (0.05, 0.215), (-0.03, 0.23), (-0.11, 0.215), (-0.17, 0.17), (-0.13, 0.09), (-0.02, 0.1),
                  (0.08, 0.09)]),
    ],
    "mouse": [
        ("both", [(0.355, 0.15), (0.345, 0.185), (0.315, 0.2), (0.275, 0.195), (0.25, 0.165), (0.27, 0.135), (0.32, 0.13)]),
        ("middle", [(0.52, 0), (0.5, 0.025), (0.475, 0.042), (0.465, 0)]),
        ("middle", [(-0.265, 0), (-0.265, 0.022), (-0.42, 0.02), (-0.55, 0.012), (-0.57, 0)]),
    ],
    "ant": [
        ("middle", [(-0.2, 0), (-0.195, 0.125), (-0.235, 0.15), (-0.24, 0)]),
        ("middle", [(-0.32, 0), (-0.315, 0.15), (-0.355, 0.15), (-0.36, 0)]),
        ("both", [(0.42, 0.045), (0.4, 0.085), (0.36, 0.085), (0.375, 0.045)]),
    ],
    "moth": [
        ("middle", [(0.42, 0), (0.405, 0.04), (0.3, 0.065), (0.1, 0.05), (-0.2, 0.05), (-0.3, 0.04), (-0.44, 0)]),
        ("both", [(0.16, 0.3), (0.17, 0.38), (0.1, 0.41), (0.05, 0.34), (0.09, 0.28)]),
        ("both", [(-0.2, 0.24), (-0.24, 0.29), (-0.28, 0.23), (-0.24, 0.19)]),
    ],
    "plane": [
        ("middle", [(0.38, 0), (0.36, 0.03), (0.2, 0.045), (0.12, 0)]),
        ("both", [(-0.02, 0.48), (-0.02, 0.54), (-0.12, 0.56), (-0.12, 0.48)]),
        ("middle", [(-0.3, 0), (-0.4, 0.012), (-0.56, 0)]),
    ],
    "leaf": [
        ("middle", [(0.42, 0), (0.3, 0.012), (-0.37, 0.018), (-0.55, 0.014), (-0.55, 0)]),
        ("both", [(0.14, 0.01), (0.22, 0.13), (0.19, 0.14), (0.1, 0.01)]),
        ("both", [(-0.08, 0.01), (0.0, 0.16), (-0.03, 0.165), (-0.12, 0.01)]),
    ],
    "ship": [
        ("middle", [(0.1, 0), (0.09, 0.09), (0.05, 0.11), (-0.28, 0.11), (-0.31, 0.09), (-0.32, 0)]),
        ("middle", [(0.44, 0), (0.4, 0.04), (0.24, 0.08), (0.22, 0.06), (0.22, 0)]),
    ],
    "motorcycle": [
        ("middle", [(0.55, 0), (0.54, 0.045), (0.36, 0.055), (0.36, 0)]),
        ("middle", [(-0.33, 0), (-0.33, 0.055), (-0.54, 0.05), (-0.55, 0)]),
        ("both", [(0.12, 0.17), (0.02, 0.19), (-0.08, 0.16), (-0.1, 0.08), (-0.02, 0.09), (0.08, 0.08)]),
    ],
}  # fmt: skip
"""Dark parts of glyphs in the plane, from front to back: at the left and mirrored ("both"), a left half ("middle"), or at one
side."""


OWN, DARK, SKIN, WOOL = 0, 1, 2, 3
"""Tints of triangles: the color of the population, that color darkened, the color of skin, and a pale color like wool."""

WOOLLY = ("sheep",)
"""Those whose bodies have it."""

TRUNKS: dict[str, list[tuple[float, float]]] = {
    "person": [
        (0.19, 0), (0.18, 0.08), (0.16, 0.18), (0.15, 0.28), (0.12, 0.36), (0.05, 0.41), (-0.04, 0.42), (-0.11, 0.39),
        (-0.15, 0.32), (-0.17, 0.2), (-0.185, 0.1), (-0.19, 0),
    ],
}  # fmt: skip
"""Left halves of bodies whose limbs and heads are parts of their own: what windows draw in place of the outline."""

LIMBS: dict[str, list[tuple[int, list[tuple[float, float]]]]] = {
    "person": [
        (DARK, [(0.1, 0.07), (0.28, 0.065), (0.36, 0.08), (0.4, 0.125), (0.36, 0.17), (0.28, 0.19), (0.1, 0.185)]),
        (DARK, [(-0.1, -0.185), (-0.28, -0.19), (-0.35, -0.17), (-0.38, -0.125), (-0.35, -0.08), (-0.1, -0.07)]),
        (OWN, [(0.0, -0.42), (0.14, -0.42), (0.27, -0.36), (0.27, -0.27), (0.1, -0.27)]),
        (OWN, [(0.0, 0.42), (-0.1, 0.27), (-0.25, 0.29), (-0.27, 0.36), (-0.16, 0.41)]),
        (SKIN, [(0.25, -0.38), (0.32, -0.38), (0.36, -0.33), (0.34, -0.27), (0.25, -0.25)]),
        (SKIN, [(-0.24, 0.38), (-0.24, 0.27), (-0.31, 0.27), (-0.35, 0.33), (-0.31, 0.38)]),
    ],
}  # fmt: skip
"""Parts in the plane beneath the outline, of one side each: feet, sleeves and hands of one who walks."""

HEADS: dict[str, list[tuple[int, list[tuple[float, float]]]]] = {
    "cow": [
        (WOOL, [(0.53, 0), (0.52, 0.03), (0.42, 0.04), (0.37, 0)]),
        (SKIN, [(0.6, 0), (0.595, 0.05), (0.56, 0.07), (0.53, 0.066), (0.52, 0)]),
        (WOOL, [(0.03, 0), (0.05, 0.07), (0.03, 0.158), (-0.06, 0.19), (-0.08, 0.1), (-0.06, 0)]),
    ],
    "person": [
        (SKIN, [(0.21, 0), (0.2, 0.05), (0.17, 0.1), (0.11, 0.14), (0.0, 0.16)]),
        (DARK, [(0.12, 0), (0.11, 0.06), (0.12, 0.12), (0.06, 0.155), (-0.02, 0.17), (-0.1, 0.15), (-0.16, 0.09),
                (-0.18, 0)]),
    ],
}  # fmt: skip
"""Left halves of parts upon the outline: a face ahead, hair, and pale spots."""


RIDGE = 0.15
"""Height of the ridge of glyphs in the plane, as a part of their length;"""

BACKS = dict.fromkeys((
    "animal", "wolf", "sheep", "cow", "horse", "deer", "mouse", "ant", "moth", "person", "ship", "footprint", "leaf",
    "motorcycle",
), 0.05)  # fmt: skip
"""that of those with a round back is lower: their two halves are nearly equally bright."""


@cache
def outline(name: str) -> Array:
    """The outline of a glyph in the plane, counterclockwise, shape (k, 2)."""
    if name == "ball":
        angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        return 0.5 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if name == "disc":
        angle = np.linspace(0.42, 2 * np.pi - 0.42, 22)
        rim = 0.38 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.concatenate([[[0.56, 0.0]], rim])
    left = np.array(HALVES[name])
    right = left[::-1] * (1, -1)
    return np.concatenate([left, right[right[:, 1] < 0]])


@cache
def roof_triangles(name: str) -> Array:
    """The same as triangles in (forward, side, up), shape (k, 3, 3): a roof, whose ridge is the axis of the glyph.

    Seen from above it has the outline, or is the trunk. Its halves catch the light differently; discs and balls are level.
    """
    if name not in HALVES:
        ring = np.pad(outline(name), ((0, 0), (0, 1)))
        return np.array([ring[list(corners)] for corners in _ears(ring[:, :2])])
    half = np.array([(x, y, BACKS.get(name, RIDGE) if y == 0 else 0.0) for x, y in TRUNKS.get(name, HALVES[name])])
    left = np.array([half[list(corners)] for corners in _ears(half[:, :2])])
    return np.concatenate([left, left[:, ::-1] * (1, -1, 1)])


@cache
def tinted_triangles(name: str, dimensions: int) -> Array:
    """A glyph as windows draw it: nine numbers of each triangle, and its tint, shape (k, 10)."""
    triangles, tints = _seen(name) if dimensions == 2 else (solid_triangles(name), _solid_tints(name))
    return np.column_stack([triangles.reshape(-1, 9), tints])


@cache
def _seen(name: str) -> tuple[Array, Array]:
    """A glyph in the plane with the parts beneath and upon it, in the order in which they hide each other.

    Returns:
        Triangles, shape (k, 3, 3), and their tints, shape (k,).
    """
    beneath = [(tint, np.array(ring)) for tint, ring in LIMBS.get(name, ())]
    upon: list[tuple[int, Array]] = []
    for side, points in SHADES.get(name, ()):
        left = np.array(points)
        if side == "middle":
            upon.append((DARK, _whole(left)))
        else:
            right = left[::-1] * (1, -1)
            upon += [
                (DARK, each) for each, sides in ((left, ("both", "left")), (right, ("both", "right"))) if side in sides
            ]
    upon += [(tint, _whole(np.array(half))) for tint, half in HEADS.get(name, ())]
    roof = roof_triangles(name)
    parts = [*map(_level, beneath), (roof, np.full(len(roof), WOOL if name in WOOLLY else OWN)), *map(_level, upon)]
    triangles, tints = zip(*parts, strict=True)
    return np.concatenate(triangles), np.concatenate(tints)


def _whole(left: Array) -> Array:
    """A left half, from front to back, and its mirror image."""
    right = left[::-1] * (1, -1)
    return np.concatenate([left, right[right[:, 1] < 0]])


def _level(part: tuple[int, Array]) -> tuple[Array, Array]:
    """A polygon as level triangles that look up, and their tints."""
    tint, ring = part
    ring = ring if sum(_turn(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)) > 0 else ring[::-1]
    triangles = np.array([np.pad(ring[list(corners)], ((0, 0), (0, 1))) for corners in _ears(ring)])
    return triangles, np.full(len(triangles), tint)


def _ears(ring: Array) -> list[tuple[int, int, int]]:
    """A simple polygon, counterclockwise, as triangles: ears are cut off until one is left (Meisters 1975)."""
    left, triangles = list(range(len(ring))), []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            if _turn(ring[a], ring[b], ring[c]) > 0 and not any(
                _within(ring[p], ring[a], ring[b], ring[c]) for p in left if p not in (a, b, c)
            ):
                triangles.append((a, b, c))
                del left[k]
                break
        else:
            raise ValueError("this outline crosses itself")
    return [*triangles, (left[0], left[1], left[2])]


def _turn(a: Array, b: Array, c: Array) -> float:
    """Twice the area of a triangle, positive where it turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _within(p: Array, a: Array, b: Array, c: Array) -> bool:
    return _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0


@cache
def solid_triangles(name: str) -> Array:
    """A glyph in space, shape (k, 3, 3)."""
    if name == "arrow":
        return _cone((0.6, 0.0, 0.0), -0.4, 0.26)
    if name in PARTED:
        return np.concatenate([part for _, part in _parts(name)])
    if name in ("disc", "ball", *BACKS):
        return _prism(outline(name), -0.07, 0.07)
    if name == "car":
        cabin = np.array([(0.12, 0.1), (-0.4, 0.15), (-0.4, -0.15), (0.12, -0.1)])
        return np.concatenate([_prism(outline("car"), -0.13, 0.05), _prism(cabin, 0.05, 0.19, 0.72)])
    return np.array(SOLIDS[name], np.float64)


@cache
def _solid_tints(name: str) -> Array:
    """The tints of a glyph in space, shape (k,)."""
    if name in PARTED:
        return np.concatenate([np.full(len(part), tint) for tint, part in _parts(name)])
    return np.full(len(solid_triangles(name)), OWN)


def _parts(name: str) -> list[tuple[int, Array]]:
    """The parts in space of an animal, a person or a plane, with their tints."""
    if name == "person":
        return [(tint, _column(sections)) for tint, sections in PERSON]
    if name == "plane":
        wings = np.array(WINGS)
        mirrored = wings[:, ::-1] * (1, -1, 1)
        return [
            (OWN, _loft(FUSELAGE, 8)),
            (DARK, _loft(CANOPY, 8)),
            (OWN, wings),
            (OWN, mirrored),
            (DARK, np.array(FIN)),
        ]
    body, head, feet = ANIMALS[name]
    woolly = name in WOOLLY
    posts = [(DARK, _post(x, side * y, top, r)) for x, y, top, r in feet for side in (1, -1)]
    horns = [(DARK, _horn(*each, side)) for each in HORNS.get(name, ()) for side in (1, -1)]
    rider = [(DARK, _loft(RIDER))] if name == "horse" else []
    heads = (DARK if woolly else OWN, _loft(head, 8))
    trunk = _loft(body, 10)
    pale = np.isin(np.arange(len(trunk)) // 2, PIED) if name == "cow" else np.full(len(trunk), woolly)
    return [(OWN, trunk[~pale]), (WOOL, trunk[pale]), heads, *posts, *horns, *rider]


Place = tuple[float, float, float]


def _horn(base: Place, tip: Place, radius: float, side: int) -> Array:
    """A spike from a base to a tip, at the left (1) or its mirror image at the right (-1)."""
    ring = np.array(base) + radius * np.array([(1, 0, 0), (-0.5, 0, 0.87), (-0.5, 0, -0.87)])
    triangles = np.array([(one, other, tip) for one, other in pairwise([*ring, ring[0]])]) * (1, side, 1)
    return triangles if side < 0 else triangles[:, ::-1]


def _column(sections: Sequence[tuple[float, float, float, float, float]]) -> Array:
    """A body through level sections from below to above: their middle (forward, side, up), and radii ahead and aside."""
    corners = 8 if sections[0][1] == 0 else 6  # Limbs are thinner.
    angle = 2 * np.pi * np.arange(corners) / corners + np.pi / corners
    rings = [
        np.column_stack([x + ahead * np.cos(angle), y + aside * np.sin(angle), np.full(corners, z)])
        for x, y, z, ahead, aside in sections
    ]
    return _body(rings)


def _cone(tip: tuple[float, float, float], back: float, radius: float, corners: int = 10) -> Array:
    """A cone along x."""
    angle = np.linspace(0, 2 * np.pi, corners + 1)
    rim = np.stack([np.full(corners + 1, back), radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    sides = [np.stack([np.array(tip), one, other]) for one, other in pairwise(rim)]
    lids = [np.stack([np.array([back, 0, 0]), other, one]) for one, other in pairwise(rim)]
    return np.array([*sides, *lids])


Section = tuple[float, float, float, float]
"""Of a body along x: where it is, its half width, the height of its middle, and its half height."""


def _loft(sections: Sequence[Section], corners: int = 6) -> Array:
    """A body through sections from back to front, which are hexagons."""
    angle = 2 * np.pi * np.arange(corners) / corners
    return _body(
        [
            np.stack([np.full(corners, x), wide * np.cos(angle), z + high * np.sin(angle)], axis=1)
            for x, wide, z, high in sections
        ]
    )


def _body(rings: Sequence[Array]) -> Array:
    """The walls between rings of as many corners each, and a lid on the first and on the last ring."""
    triangles = _walls(rings)
    for ring, way in ((rings[0], -1), (rings[-1], 1)):
        middle = ring.mean(axis=0)
        triangles += [(middle, *pair[::way]) for pair in pairwise([*ring, ring[0]])]
    return np.array(triangles)


def _walls(rings: Sequence[Array]) -> list[tuple[Array, Array, Array]]:
    """The walls between rings of as many corners each, which look outward where the next ring is seen counterclockwise."""
    return [
        triangle
        for low, high in pairwise(rings)
        for (a, d), (b, c) in pairwise([*zip(low, high, strict=True), (low[0], high[0])])
        for triangle in ((a, b, c), (a, c, d))
    ]


def _post(x: float, y: float, top: float, radius: float) -> Array:
    """A leg that stands on the ground, narrower below."""
    square = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
    ends = ((0.7 * radius, FEET), (radius, top))
    return np.array(_walls([np.column_stack([(x, y) + r * square, np.full(4, z)]) for r, z in ends]))


def _prism(ring: Array, low: float, high: float, narrow: float = 1.0) -> Array:
    """The walls on an outline between two heights, with a roof that is narrower."""
    middle = ring.mean(axis=0)
    floor = np.column_stack([ring, np.full(len(ring), low)])
    roof = np.column_stack([middle + narrow * (ring - middle), np.full(len(ring), high)])
    lids = _ears(ring)
    roofs, floors = ([(each[a], each[b], each[c]) for a, b, c in lids] for each in (roof, floor))
    return np.array([*_walls([floor, roof]), *roofs, *(triangle[::-1] for triangle in floors)])


def _spindle(nose: Any, tail: Any, left: Any, top: Any, bottom: Any) -> list[Sequence[Any]]:
    """A body with four edges from the nose to the tail."""
    right = (left[0], -left[1], left[2])
    ring = [left, top, right, bottom]
    pairs = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    return [(nose, one, other) for one, other in pairs] + [(tail, other, one) for one, other in pairs]


_NOSE, _LEFT, _RIGHT, _BACK, _KEEL = (0.6, 0, 0), (-0.4, 0.4, 0.1), (-0.4, -0.4, 0.1), (-0.3, 0, 0.16), (-0.3, 0, -0.06)

SOLIDS: dict[str, list[Sequence[Any]]] = {
    "dart": [
        (_NOSE, _LEFT, _BACK), (_NOSE, _BACK, _RIGHT), (_NOSE, _KEEL, _LEFT), (_NOSE, _RIGHT, _KEEL), (_LEFT, _KEEL, _BACK),
        (_BACK, _KEEL, _RIGHT),
    ],
    "bird": [
        *_spindle((0.46, 0, 0), (-0.3, 0, 0.01), (0.12, 0.08, 0), (0.12, 0, 0.08), (0.12, 0, -0.07)),
        ((0.24, 0.05, 0.02), (0.08, 0.3, 0.1), (-0.08, 0.05, 0.02)), ((0.24, 0.05, 0.02), (0.2, 0.3, 0.1), (0.08, 0.3, 0.1)),
        ((0.2, 0.3, 0.1), (0.0, 0.6, 0.06), (0.08, 0.3, 0.1)), ((0.24, -0.05, 0.02), (-0.08, -0.05, 0.02), (0.08, -0.3, 0.1)),
        ((0.24, -0.05, 0.02), (0.08, -0.3, 0.1), (0.2, -0.3, 0.1)), ((0.2, -0.3, 0.1), (0.08, -0.3, 0.1), (0.0, -0.6, 0.06)),
        ((-0.22, 0, 0.02), (-0.5, 0.13, 0.03), (-0.5, -0.13, 0.03)),
    ],
    "fish": [
        *_loft([(-0.36, 0.015, 0, 0.03), (-0.2, 0.045, 0, 0.09), (0.02, 0.09, 0.01, 0.16), (0.22, 0.1, 0.01, 0.16),
                (0.4, 0.065, 0, 0.1), (0.52, 0.015, 0, 0.02)], corners=8),
        ((-0.28, 0, 0), (-0.5, 0, 0.2), (-0.42, 0, 0)), ((-0.28, 0, 0), (-0.42, 0, 0), (-0.5, 0, -0.18)),
        ((0.12, 0, 0.16), (-0.12, 0, 0.27), (-0.14, 0, 0.08)),
        ((0.08, 0.09, -0.04), (-0.1, 0.22, -0.1), (-0.06, 0.07, -0.04)),
        ((0.08, -0.09, -0.04), (-0.06, -0.07, -0.04), (-0.1, -0.22, -0.1)),
    ],
}  # fmt: skip
"""The glyphs in space that are no turned or raised outline."""


FEET = -0.07
"""Height of the ground below the middle of a glyph in space."""

ANIMALS: dict[str, tuple[list[Section], list[Section], list[tuple[float, float, float, float]]]] = {
    "animal": (
        [(-0.56, 0.02, 0.24, 0.02), (-0.4, 0.05, 0.2, 0.05), (-0.36, 0.12, 0.18, 0.11), (-0.05, 0.12, 0.18, 0.11),
         (0.2, 0.15, 0.2, 0.15), (0.32, 0.07, 0.27, 0.09)],
        [(0.28, 0.06, 0.3, 0.08), (0.36, 0.09, 0.36, 0.09), (0.44, 0.07, 0.35, 0.07), (0.58, 0.035, 0.32, 0.035)],
        [(0.17, 0.09, 0.18, 0.035), (-0.32, 0.08, 0.18, 0.04)],
    ),
    "wolf": (
        [(-0.6, 0.02, 0.13, 0.02), (-0.5, 0.07, 0.16, 0.07), (-0.38, 0.04, 0.24, 0.04), (-0.33, 0.12, 0.22, 0.11),
         (-0.08, 0.11, 0.21, 0.1), (0.15, 0.16, 0.22, 0.16), (0.26, 0.15, 0.27, 0.16), (0.36, 0.07, 0.3, 0.09)],
        [(0.3, 0.06, 0.31, 0.08), (0.37, 0.095, 0.36, 0.09), (0.46, 0.06, 0.34, 0.06), (0.6, 0.03, 0.31, 0.03)],
        [(0.17, 0.09, 0.18, 0.033), (-0.3, 0.08, 0.19, 0.036)],
    ),
    "sheep": (
        [(-0.47, 0.08, 0.25, 0.09), (-0.38, 0.2, 0.24, 0.18), (-0.12, 0.27, 0.25, 0.22), (0.15, 0.25, 0.26, 0.21),
         (0.3, 0.14, 0.29, 0.14)],
        [(0.24, 0.08, 0.34, 0.1), (0.36, 0.09, 0.37, 0.09), (0.55, 0.05, 0.3, 0.05)],
        [(0.15, 0.13, 0.16, 0.03), (-0.28, 0.13, 0.16, 0.03)],
    ),
    "cow": (
        [(-0.47, 0.05, 0.29, 0.06), (-0.44, 0.14, 0.28, 0.12), (-0.36, 0.19, 0.26, 0.16), (-0.1, 0.2, 0.24, 0.19),
         (0.14, 0.19, 0.26, 0.18), (0.26, 0.15, 0.29, 0.16), (0.36, 0.07, 0.34, 0.09)],
        [(0.28, 0.07, 0.33, 0.09), (0.4, 0.09, 0.38, 0.08), (0.44, 0.09, 0.36, 0.08), (0.58, 0.06, 0.29, 0.05)],
        [(0.2, 0.13, 0.2, 0.035), (-0.34, 0.13, 0.2, 0.035)],
    ),
    "horse": (
        [(-0.56, 0.03, 0.16, 0.07), (-0.44, 0.05, 0.3, 0.05), (-0.38, 0.13, 0.28, 0.13), (-0.05, 0.12, 0.27, 0.12),
         (0.2, 0.13, 0.28, 0.14), (0.34, 0.06, 0.42, 0.09)],
        [(0.3, 0.05, 0.42, 0.09), (0.4, 0.06, 0.52, 0.07), (0.6, 0.035, 0.42, 0.04)],
        [(0.18, 0.08, 0.25, 0.03), (-0.33, 0.08, 0.25, 0.035)],
    ),
    "deer": (
        [(-0.48, 0.04, 0.3, 0.06), (-0.42, 0.12, 0.27, 0.12), (-0.1, 0.13, 0.25, 0.12), (0.2, 0.13, 0.27, 0.14),
         (0.33, 0.06, 0.4, 0.08)],
        [(0.28, 0.05, 0.38, 0.08), (0.38, 0.07, 0.48, 0.07), (0.46, 0.06, 0.46, 0.06), (0.58, 0.035, 0.4, 0.035)],
        [(0.18, 0.07, 0.22, 0.028), (-0.36, 0.07, 0.22, 0.03)],
    ),
}  # fmt: skip
"""Animals in space: sections of the body and of the head, and the legs of one side: where they stand, how high they reach,
their radius."""

HORNS: dict[str, list[tuple[Place, Place, float]]] = {
    "wolf": [((0.36, 0.06, 0.42), (0.38, 0.09, 0.55), 0.035)],
    "cow": [((0.38, 0.06, 0.44), (0.46, 0.2, 0.54), 0.03)],
    "deer": [
        ((0.4, 0.04, 0.53), (0.28, 0.26, 0.86), 0.022),
        ((0.36, 0.12, 0.66), (0.5, 0.2, 0.84), 0.018),
        ((0.4, 0.06, 0.55), (0.55, 0.12, 0.66), 0.018),
    ],
}
"""Horns and ears of one side, and branches of antlers: their base, their tip, and their radius."""

PIED = (10, 11, 12, 20, 21, 22, 23, 24, 26, 27, 33, 34, 37, 38, 39, 43, 44)
"""Pale patches of cows in space, by section from behind and by side: ten sides around each."""

PERSON: list[tuple[int, list[tuple[float, float, float, float, float]]]] = [
    (DARK, [(0.21, 0.08, FEET, 0.1, 0.05), (0.19, 0.08, -0.02, 0.08, 0.045), (0.16, 0.08, -0.01, 0.04, 0.04)]),
    (DARK, [(0.16, 0.08, -0.03, 0.045, 0.045), (0.1, 0.08, 0.2, 0.06, 0.055), (0.0, 0.07, 0.45, 0.09, 0.075)]),
    (DARK, [(-0.17, -0.08, FEET, 0.1, 0.05), (-0.19, -0.08, -0.02, 0.08, 0.045), (-0.22, -0.08, -0.01, 0.04, 0.04)]),
    (DARK, [(-0.22, -0.08, -0.03, 0.045, 0.045), (-0.06, -0.08, 0.2, 0.06, 0.055), (0.0, -0.07, 0.45, 0.09, 0.075)]),
    (OWN, [(0.0, 0.0, 0.4, 0.1, 0.15), (0.01, 0.0, 0.52, 0.1, 0.14), (0.02, 0.0, 0.68, 0.11, 0.18),
           (0.01, 0.0, 0.77, 0.09, 0.19), (0.0, 0.0, 0.81, 0.06, 0.09)]),
    (OWN, [(-0.1, 0.24, 0.55, 0.05, 0.045), (-0.02, 0.21, 0.66, 0.055, 0.05), (0.0, 0.18, 0.79, 0.05, 0.05)]),
    (SKIN, [(-0.12, 0.24, 0.4, 0.035, 0.03), (-0.13, 0.24, 0.45, 0.045, 0.04), (-0.1, 0.24, 0.56, 0.04, 0.035)]),
    (OWN, [(0.1, -0.24, 0.55, 0.05, 0.045), (0.06, -0.21, 0.66, 0.055, 0.05), (0.0, -0.18, 0.79, 0.05, 0.05)]),
    (SKIN, [(0.22, -0.24, 0.47, 0.04, 0.03), (0.19, -0.24, 0.5, 0.05, 0.04), (0.1, -0.24, 0.57, 0.04, 0.035)]),
    (SKIN, [(0.01, 0.0, 0.79, 0.05, 0.05), (0.02, 0.0, 0.84, 0.075, 0.06), (0.03, 0.0, 0.91, 0.09, 0.078),
            (0.02, 0.0, 0.95, 0.08, 0.07)]),
    (DARK, [(-0.04, 0.0, 0.84, 0.05, 0.06), (-0.02, 0.0, 0.9, 0.085, 0.085), (0.0, 0.0, 0.95, 0.1, 0.085),
            (0.0, 0.0, 0.99, 0.07, 0.06), (0.0, 0.0, 1.0, 0.03, 0.03)]),
]  # fmt: skip
"""A person who walks, in space, by parts: their tint and sections: shoes, trousers, trunk, sleeves, arms, head and hair."""

RIDER: list[Section] = [
    (-0.12, 0.11, 0.48, 0.1),
    (-0.06, 0.12, 0.56, 0.18),
    (0.02, 0.08, 0.62, 0.16),
    (0.05, 0.05, 0.72, 0.06),
]

FUSELAGE: list[Section] = [
    (-0.56, 0.02, 0.04, 0.02), (-0.34, 0.05, 0.02, 0.045), (0.0, 0.08, 0.0, 0.075), (0.3, 0.07, 0.0, 0.065),
    (0.5, 0.04, -0.01, 0.035), (0.6, 0.02, -0.01, 0.016),
]  # fmt: skip
CANOPY: list[Section] = [
    (0.06, 0.02, 0.06, 0.02), (0.16, 0.05, 0.07, 0.05), (0.3, 0.04, 0.06, 0.035), (0.38, 0.02, 0.04, 0.016),
]  # fmt: skip
WINGS: list[Sequence[Any]] = [
    ((0.24, 0.05, 0), (-0.02, 0.54, 0.04), (-0.12, 0.56, 0.04)), ((0.24, 0.05, 0), (-0.12, 0.56, 0.04), (-0.13, 0.05, 0)),
    ((-0.34, 0.03, 0.03), (-0.44, 0.22, 0.04), (-0.52, 0.23, 0.04)),
    ((-0.34, 0.03, 0.03), (-0.52, 0.23, 0.04), (-0.52, 0, 0.03)),
]  # fmt: skip
FIN: list[Sequence[Any]] = [
    ((-0.3, 0, 0.05), (-0.56, 0, 0.24), (-0.46, 0, 0.24)), ((-0.3, 0, 0.05), (-0.54, 0, 0.05), (-0.56, 0, 0.24)),
]  # fmt: skip
"""A plane in space: sections of its body and of the glass above the pilot, its left wing and tail plane, and its fin."""

PARTED = (*ANIMALS, "person", "plane")
"""Glyphs in space of several parts."""

STANDING = (*ANIMALS, "person", "mouse", "ant", "car", "motorcycle")
"""Those that stand upon the ground in space: their shadows begin at their feet."""

HEIGHT = 0.17
HEIGHTS = {"bird": 0.75, "plane": 0.9, "moth": 0.5, "person": 0.26, "leaf": 0.08, "fish": 0.3}
"""How far from their places their shadows in the plane lie, as parts of their length: as high as they stand or fly; by name
where that is not the usual."""

LEGIBLE = 0.03
"""Length of vehicles, as a part of the width of the picture, from which on they have the shape of their body; smaller
ones are darts, of which one sees where they go."""


def glyph_of(body: Locomotion | None, length: float) -> str:
    """The glyph of a body: a car for one on wheels.

    Args:
        body: The body of the vehicles; None where it is not known.
        length: How long they are drawn, as a part of the width of the picture.
    """
    return "car" if isinstance(body, Wheeled) and length >= LEGIBLE else USUAL
