"""What people do: published numbers, each with its source, and the range that a cell is judged by."""

from typing import Any, NamedTuple

import numpy as np

from steersman import laws

SCATTER = 0.26 / 1.34
"""Standard deviation of free walking speeds, as a part of their mean (Weidmann 1993: 1.34 m/s, 0.26 m/s)."""

TWO_WAY = 0.75
"""Greatest specific flow of two-way streams against one-way ones (Zhang and Seyfried 2012: 1.5 and 2 persons/(m s))."""


LAST = 3.7
"""Density up to which the straight line of Nelson and Mowrer is meant [1/m^2]: from 3.76 on nobody would move."""


class Range(NamedTuple):
    """The published range of a number, with its source."""

    low: float
    high: float
    source: str

    def verdict(self, value: float) -> str:
        """Whether a value lies within, or by how much it lies outside."""
        if not np.isfinite(value):
            return "no value"
        off = min(value - self.low, 0.0) + max(value - self.high, 0.0)
        return "within" if off == 0 else f"{off:+.2f}"


def handbooks(density: float) -> list[float]:
    """Walking speeds [m/s] at a density [1/m^2] by three handbooks.

    Weidmann 1993; Nelson and Mowrer 2002 (SFPE handbook): 1.4 (1 - 0.266 density), at most 1.19; Predtechenskii and
    Milinskii 1978: (112 D^4 - 380 D^3 + 434 D^2 - 217 D + 57) / 60, D = 0.113 m^2 density.
    """
    share = 0.113 * density
    polynomial = float(np.polyval([112, -380, 434, -217, 57], share)) / 60
    straight = [min(1.19, 1.4 * (1 - 0.266 * density))] if density < LAST else []
    return [float(laws.walking_speed(density)), polynomial, *straight]


def one_way(density: float) -> Range:
    """Speeds in a stream of one direction."""
    speeds = handbooks(density)
    return Range(
        min(speeds) * (1 - SCATTER), max(speeds) * (1 + SCATTER), "three handbooks, with the scatter of people"
    )


def two_way(density: float) -> Range:
    """Speeds in a stream of two directions."""
    low, high, _ = one_way(density)
    return Range(TWO_WAY * low, high, "the same; Zhang and Seyfried 2012 for the lower end")


def single(value: Any) -> Range:
    """A single pedestrian of 1.33 m/s needs 26 to 34 s for 40 m."""
    return Range(26.0, 34.0, "RiMEA 4.1.1, test 1")


DOOR = Range(1.2, 1.9, "Kretz et al. 2006, Seyfried et al. 2009 and those they compare")
NOBODY = Range(0.0, 0.0, "RiMEA 4.1.1, test 6")
BETWEEN = Range(0.0, 1.0, "RiMEA 4.1.1, test 15")
HALF = Range(0.5, 1.0, "RiMEA 4.1.1, test 13, with the fits of Corbetta et al.; half, as in JuPedSim's verification")


class Stairs(NamedTuple):
    """How people walk stairs.

    Attributes:
        speed: Of a single person, along the slope [m/s].
        part: That of the free speed in the plane, 1.34 m/s.
    """

    speed: float
    part: float


STAIRS_UP = Stairs(0.65, 0.48)
"""The mean of four handbooks, 0.63, 0.61, 0.80 and 0.55 m/s (Burghardt et al. 2012, by JuPedSim's test 13)."""

STAIRS_DOWN = Stairs(0.84, 0.63)
"""As much faster as Fruin found for people of 30 to 50 years: 0.65 m/s down, 0.50 m/s up (RiMEA's table)."""


def flight(speed: Any) -> Range:
    """Stairs of 10 m: the margins of test 1, 26 to 34 s for a way of 30.1 s, at another speed."""
    usual, nominal = 40 / 1.33, 10 / speed
    return Range(26 / usual * nominal, 34 / usual * nominal, "RiMEA 4.1.1, tests 2 and 3, with the margins of test 1")


def stairs_band(way: str, density: Any) -> tuple[Any, Any]:
    """Speeds in plan on stairs, "up" or "down", at densities of 0.6 to 1.5 people/m^2: from the least to the greatest [m/s].

    Corbetta et al.'s fits of two kinds of walkers, the fast and the slow: means less and plus one standard deviation.
    """
    fits = {
        "up": (([0.18, -0.55, 1.02], [-0.14, 0.35]), ([0.01, 0.48], [-0.02, 0.10])),
        "down": (([0.33, -1.02, 1.39], [-0.11, 0.29]), ([-0.08, 0.67], [-0.06, 0.14])),
    }
    bounds = [
        (np.polyval(mean, density) - spread, np.polyval(mean, density) + spread)
        for mean, deviation in fits[way]
        for spread in [np.maximum(np.polyval(deviation, density), 0)]
    ]
    return np.minimum(*(low for low, _ in bounds)), np.maximum(*(high for _, high in bounds))
