"""Times as they are written down."""

import pytest

import steersman as sm
from steersman.core.world.clock import time_shown


@pytest.mark.parametrize(
    ("dt", "steps", "shown"),
    [
        (0.1, 125, 12.5), (0.1, 3, 0.3), (0.05, 47, 2.35), (1 / 60, 60, 1.0), (1 / 60, 1, 1 / 60), (1 / 240, 7, 7 / 240),
        (60, 10_080, 604_800),
    ],
)  # fmt: skip
def test_times_are_written_down_without_the_rounding_of_a_sum(dt: float, steps: int, shown: float) -> None:
    world = sm.World(dt=dt, threads=1)
    world.run(steps=steps)
    assert time_shown(world.time, world.steps, world.dt) == shown


def test_a_time_of_steps_of_several_lengths_stays_what_it_is() -> None:
    world = sm.World(dt=0.1, threads=1)
    world.run(steps=3)
    world.step(0.25)
    assert time_shown(world.time, world.steps, world.dt) == world.time
