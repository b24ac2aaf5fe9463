"""Ctrl-C at any moment: a step happens whole or not at all."""

import random
import signal
import sys
from collections.abc import Callable

import numpy as np
import pytest
from world.whole_state import whole_state

import steersman as sm

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="timers are signals of POSIX")


class Interrupted(BaseException):
    """What Ctrl-C would raise."""


def raise_it(number: int, frame: object) -> None:
    raise Interrupted


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
    before = signal.signal(signal.SIGALRM, raise_it)
    try:
        while heard < interrupts:
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 3e-3))
                while True:
                    world.step()
            except Interrupted:
                heard += 1
            while other.steps < world.steps:
                other.step()
            known = {other.steps: whole_state(other)}
            assert whole_state(world) == known[world.steps]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def at_every_event(world: sm.World, act: Callable[[], None]) -> int:
    """Interrupt a step at each line and call of Python in turn; returns how many there are."""
    place = 0
    while True:
        left = place

        def trace(frame: object, event: str, argument: object) -> object:
            nonlocal left
            left -= 1
            if left < 0 and not waiting():
                sys.settrace(None)
                raise Interrupted
            return trace

        sys.settrace(trace)
        try:
            world.step()
        except Interrupted:
            place += 1
            act()
        else:
            return place
        finally:
            sys.settrace(None)


def waiting() -> bool:
    """Whether signals wait now."""
    return "deferred_signals" in str(getattr(signal.getsignal(signal.SIGINT), "__qualname__", ""))


@pytest.mark.parametrize("make", [crowd, bodies])
def test_a_step_may_be_interrupted_at_any_line(make: Callable[[], sm.World]) -> None:
    world, other = make(), make()
    for each in (world, other):
        each.run(steps=2)

    def check() -> None:
        while other.steps < world.steps:
            other.step()
        assert whole_state(world) == whole_state(other)

    assert at_every_event(world, check) > 50
    check()


def test_what_advance_was_given_is_stepped_once() -> None:
    world = sm.World(dt=0.1)
    world.add(herd(3), steering=sm.Wander())
    world.on_step(lambda world: 1 / (world.steps - 1))
    with pytest.raises(ZeroDivisionError):
        world.advance(0.3)
    world.advance(0.0)
    assert world.steps == 3
