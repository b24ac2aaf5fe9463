"""Small state machines for tests: what steers a vehicle can be read off the force."""

import numpy as np

import steersman as sm


def push(x):
    """A force along the x-axis, so that what steers a vehicle can be read off the force."""

    def force(vehicles):
        return np.tile([x, 0.0], (len(vehicles), 1))

    return force


def herd(n=4, dtype=float):
    return sm.Vehicles(np.arange(2.0 * n).reshape(n, 2), max_speed=100, max_force=100, dtype=dtype)


def flag(mask):
    """A condition that can be changed from outside."""
    return sm.Where(lambda vehicles: mask.copy())


def two(when, back=None, **options):
    transitions = [("a", "b", when)] + ([("b", "a", back)] if back is not None else [])
    return sm.Modes({"a": push(1.0), "b": push(2.0)}, start="a", transitions=transitions, **options)
