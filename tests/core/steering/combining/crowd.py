"""A few vehicles, and parts that push them."""

from typing import Any

import numpy as np

import steersman as sm

DT = 0.1


def some(n: int = 6, **columns: Any) -> sm.Vehicles:
    rng = np.random.default_rng(3)
    given = {"max_speed": 3.0, "max_force": 100.0, "dtype": np.float64} | columns
    return sm.Vehicles(rng.uniform(0, 10, (n, 2)), rng.normal(0, 1, (n, 2)), **given)


def steer(vehicles: sm.Vehicles, steering: Any, steps: int = 1, dt: float = DT) -> Any:
    """Forces of every step, (steps, n, d); the vehicles stay where they are."""
    controller = sm.Controller(vehicles, steering, threads=1)
    return np.array([controller.steer(dt).copy() for _ in range(steps)])


class Push:
    """A part that pushes everybody alike, and counts for whom it was asked."""

    def __init__(self, *force: float) -> None:
        self.force, self.asked = np.array(force), 0

    def __call__(self, vehicles: sm.Vehicles) -> Any:
        self.asked += 1
        return np.tile(self.force, (len(vehicles), 1))
