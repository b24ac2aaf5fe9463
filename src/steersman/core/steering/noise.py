"""Noise: a smooth random function of time, straight from the counter-based generator."""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.random import draw, signed_uniform
from steersman.core.maths.vectors import TWO
from steersman.core.typing import Array

THREE = np.float32(3)


@kernel
def smooth_noise(key: Array, id: int, time: float, period: Any, number: int, like: Array) -> Any:
    """Coherent noise in [-1, 1): random at every multiple of the period [s], smooth between. It needs no memory.

    `number` distinguishes several noises of one vehicle; the result has the type of the array `like`.
    """
    T = like.dtype.type
    place = time / period
    k = math.floor(place)
    x = T(place - k)
    before = signed_uniform(draw(key, id, int(k), number)[0], like)
    after = signed_uniform(draw(key, id, int(k) + 1, number)[0], like)
    return before + (after - before) * (x * x * (THREE - TWO * x))
