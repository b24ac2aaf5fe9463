"""Vehicles take the mean heading of their neighbors, with some noise: out of random headings comes one.

Vicsek et al. 1995, by Alignment of that law: every step each takes the mean heading of all within the radius, itself
among them, plus an angle that is uniform in [-noise / 2, noise / 2], and goes on at constant speed. Its order parameter
is the polarization.
"""

import math
from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.agreement import Agreement
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


def make(*, n: int = 300, seed: int = 0, noise: float = 1.0) -> sm.Stage:
    """Put n particles on a torus, four in the square of the radius within which they see each other.

    Args:
        n: How many.
        seed: Seed of everything random.
        noise: Vicsek's eta, the width of the random angles [rad]. At 2 pi there is no order.
    """
    rng = np.random.default_rng(seed)
    edge = math.sqrt(n / 4)
    space = sm.Torus([edge, edge])
    particles = sm.Vehicles(
        sm.spawn.inside(n, space, rng=rng),
        sm.spawn.any_direction(n, speed=1, rng=rng),
        radius=0,
        max_speed=1,
        max_force=100,  # The new heading is taken at once.
        response_time="step",
    )
    world = sm.World(domain=space, seed=seed, dt=1 / 30)  # A step of 0.03 radii, as in the paper.
    world.add(particles, name="particles", steering=sm.Alignment(law="vicsek", radius=1, speed=1, noise=noise))
    agreement = Agreement(particles)
    world.on_step(agreement, sm.EverySeconds(0.1))
    world.watch("particles", "polarization", "local_polarization", agreement=agreement.now)
    return sm.Stage(
        world,
        seconds=25,
        picture=sm.Picture(
            looks={"ground": "water"},
            glyphs="fish",
            trails=1,
            at=(0, 2, 25),
            sketch={"particles": [218]},
            close_up=2.7,
            opens=1.0,
        ),
        colors={"particles": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """With as little noise as usual they find one heading, but for the noise."""
    large = len(stage.world["particles"]) > 400  # It takes longer until all of a large crowd agree.
    order = stage.meters["particles.local_polarization" if large else "particles.polarization"].values[-20:].mean()
    if not 0.85 < order < 0.99:
        yield f"polarization must rise to 0.85 and noise keep it below 0.99, but in the last 5 s it was {order:.3f}"
    if not (parts := stage.meters["particles.agreement"].now) > 0.03:
        yield f"neighbors must agree before all do, but did so by {parts:.2f} only, as if all were told the same"


def common_heading(particles: sm.Vehicles) -> np.ndarray:
    """The force that turns them to the east, but for the noise of each."""
    angle = 0.5 * np.sin(12.9898 * particles.id + 40 * particles.position[:, 0])
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.asarray((0.1 * way - 0.1 * particles.velocity) * 30)


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "order", "Vicsek 1995"),
    least=100,
    quick=150,
    impostors={
        "without Alignment": without(sm.Alignment),
        "Cohesion for Alignment": instead(sm.Alignment, sm.Cohesion(radius=1)),
        "told a heading, with noise": instead(sm.Alignment, lambda _: common_heading),
        "without noise": instead(sm.Alignment, lambda old: old.replace(noise=0.0)),
        "too much noise": instead(sm.Alignment, lambda old: old.replace(noise=5.0)),
        "short sight": instead(sm.Alignment, lambda old: old.replace(radius=0.1)),
    },
)
