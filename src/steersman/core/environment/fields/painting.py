"""Colors as velocities: hue is direction, strength of color is speed.

    speed     = max_speed * (largest - smallest of red, green, blue) * opacity
    direction = hue: red along +x, then counter-clockwise: yellow at 60 degrees, green 120, cyan 180, blue 240, magenta 300

A full color is full speed; darker and paler ones are slower, and black, gray, white and transparent stand still.
"""

from typing import Any

import numpy as np

from steersman.core.typing import Array


def velocities_of(colors: Array, max_speed: float) -> Array:
    """Velocities [m/s], shape (..., 2), of colors in [0, 1], shape (..., 3), or (..., 4) with opacity."""
    angle = hue_of(colors)
    speed = max_speed * (colors[..., :3].max(axis=-1) - colors[..., :3].min(axis=-1))
    if colors.shape[-1] == 4:
        speed = speed * colors[..., 3]
    return np.asarray(speed[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1))


def hue_of(colors: Array) -> Any:
    """The hue of colors [rad], in [0, 2 pi); 0 of grays."""
    red, green, blue = (colors[..., k] for k in range(3))
    high, low = colors[..., :3].max(axis=-1), colors[..., :3].min(axis=-1)
    chroma = np.where(high == low, 1, high - low)
    sixths = np.select(
        [high == low, high == red, high == green],
        [0.0, ((green - blue) / chroma) % 6, (blue - red) / chroma + 2],
        (red - green) / chroma + 4,
    )
    return sixths * (np.pi / 3)


def colors_of(velocities: Array, max_speed: float) -> Array:
    """The colors, shape (..., 3), uint8, that stand for velocities [m/s], shape (..., 2): undoes `velocities_of`."""
    speed = np.minimum(np.hypot(velocities[..., 0], velocities[..., 1]) / max_speed, 1)
    sixths = np.arctan2(velocities[..., 1], velocities[..., 0]) % (2 * np.pi) / (np.pi / 3)
    # Red, green and blue are full within one sixth of their own hue, and gone beyond two.
    away = np.abs((sixths[..., None] - np.array([0.0, 2.0, 4.0]) + 3) % 6 - 3)
    return np.asarray(np.rint(255 * speed[..., None] * np.clip(2 - away, 0, 1)), np.uint8)
