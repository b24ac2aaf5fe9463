"""Ctrl-C at any moment: a step happens whole or not at all."""

import random
import signal
from collections.abc import Callable

import numpy as np
import pytest
from alarms import Alarm
from core.world.whole_state import whole_state

import steersman as sm

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="timers are signals of POSIX")


class Interrupted(BaseException):
    """What Ctrl-C would raise."""


def herd(n: int, d: int = 2) -> sm.Vehicles:
    return sm.Vehicles(np.random.default_rng(3).uniform(0, 12, (n, d)), max_speed=4, max_force=30)


def crowd() -> sm.World:
    world = sm.World(seed=1, dt=0.05, constraints=[sm.ZeroOverlap(passes=4)])
    world.add(herd(60), steering=sm.Wander() + sm.Seek([6.0, 6.0]))
    return world


def bodies() -> sm.World:
    world = sm.World(seed=1, dt=0.05, domain=sm.Torus([12, 12]), threads=1)
    limits = [sm.TurnRate(2.0), sm.SmoothForce(0.2)]
    world.add(herd(30), steering=sm.Wander(), locomotion=sm.PointMass(limits=limits))
    world.add(herd(20), steering=sm.Wander(), name="others")
    return world


def many() -> sm.World:
    world = sm.World(seed=1, dt=0.05, threads=2)
    world.add(herd(5000), steering=sm.Wander())
    return world


@pytest.mark.parametrize(("make", "interrupts"), [(crowd, 60), (bodies, 60), (many, 30)])
def test_an_interrupted_step_is_whole_or_not_at_all(make: Callable[[], sm.World], interrupts: int) -> None:
    world, other = make(), make()
    world.step()
    other.step()
    rng, heard = random.Random(5), 0
    known = {world.steps: whole_state(world)}
    with Alarm(Interrupted) as alarm:
        while heard < interrupts:
            try:
                alarm.set(rng.uniform(1e-5, 3e-3))
                for _ in range(100_000):
                    world.step()
                pytest.fail("a signal was lost")
            except Interrupted:
                heard += 1
            while other.steps < world.steps:
                other.step()
            known = {other.steps: whole_state(other)}
            assert whole_state(world) == known[world.steps]


def test_what_advance_was_given_is_stepped_once() -> None:
    world = sm.World(dt=0.1)
    world.add(herd(3), steering=sm.Wander())
    world.on_step(lambda world: 1 / (world.steps - 1))
    with pytest.raises(ZeroDivisionError):
        world.advance(0.3)
    world.advance(0.0)
    assert world.steps == 3
