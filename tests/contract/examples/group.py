"""Examples of the group behaviors."""

import numpy as np
from contract.examples.example import Example

import steersman as sm

EXAMPLES: dict[str, Example] = {
    "separation": lambda p: sm.Separation(radius=9.0),
    "separation without fading": lambda p: sm.Separation(radius=9.0, fade=False),
    "separation falloff, strength": lambda p: sm.Separation(radius=8.0, falloff=2.5, strength=3.0),
    "separation all the world": lambda p: sm.Separation(radius=np.inf),
    "separation view": lambda p: sm.Separation(radius=14.0, angle=3.0, inner_radius=4.0),
    "separation nearest two": lambda p: sm.Separation(radius=12.0, k=2),
    "separation of others": lambda p: sm.Separation(radius=10.0, of=p.others),
    "separation of several populations": lambda p: sm.Separation(radius=10.0, of=[p.others, p.vehicles]),
    "alignment of several populations, nearest two": lambda p: sm.Alignment(radius=14.0, k=2, of=[p.others, p.vehicles]),
    "separation of points": lambda p: sm.Separation(radius=10.0, of=p.state.sites),
    "separation of rocks": lambda p: sm.Separation(radius=10.0, of=p.rocks),
    "separation inverse square": lambda p: sm.Separation(radius=9.0, law="inverse_square", strength=40.0, limit=2.0),
    "separation inverse square without fading": lambda p: sm.Separation(radius=9.0, law="inverse_square", fade=False),
    "separation mean site": lambda p: sm.Separation(radius=5.0, law="mean_site", of=p.state.sites),
    **{
        f"separation mean site, speed {speed}": lambda p, speed=speed: sm.Separation(
            radius=7.0, law="mean_site", speed=speed
        )
        for speed in (1.5, "current", "offset")
    },
    "cohesion": lambda p: sm.Cohesion(radius=9.0, law="seek"),
    "cohesion view": lambda p: sm.Cohesion(radius=14.0, angle=2.0, inner_radius=3.0, law="seek"),
    "cohesion nearest three": lambda p: sm.Cohesion(radius=15.0, k=3, law="seek", speed=1.5),
    "cohesion of others, speed current": lambda p: sm.Cohesion(radius=10.0, of=p.others, law="seek", speed="current"),
    "cohesion speed offset": lambda p: sm.Cohesion(radius=10.0, law="seek", speed="offset"),
    "cohesion offset": lambda p: sm.Cohesion(radius=10.0),
    "cohesion offset, strength, of points": lambda p: sm.Cohesion(strength=0.4, of=p.state.sites),
    "alignment": lambda p: sm.Alignment(radius=9.0, law="velocity"),
    "alignment heading": lambda p: sm.Alignment(radius=9.0),
    "alignment heading, nearest two, speed": lambda p: sm.Alignment(radius=14.0, k=2, speed=1.5),
    "alignment heading, speed current": lambda p: sm.Alignment(radius=9.0, speed="current"),
    "alignment in gusts along the axes, noise": lambda p: sm.Alignment(radius=9.0, turbulence=0.3),
    "flocking in gusts along the axes, noise": lambda p: sm.Flocking(turbulence=0.2),
    "alignment vicsek": lambda p: sm.Alignment(radius=9.0, law="vicsek"),
    "alignment vicsek, speed current": lambda p: sm.Alignment(radius=9.0, law="vicsek", speed="current"),
    "alignment vicsek, noise": lambda p: sm.Alignment(radius=9.0, law="vicsek", noise=2.0, speed=1.5),
    "alignment vicsek, noise held": lambda p: sm.Alignment(radius=9.0, law="vicsek", noise=2.0, noise_time=0.15),
    "alignment view, of others": lambda p: sm.Alignment(
        radius=14.0, angle=3.0, inner_radius=2.0, of=p.others, law="velocity"
    ),
    "alignment forward": lambda p: sm.Alignment(radius=9.0, law="forward"),
    "alignment forward, strength": lambda p: sm.Alignment(radius=9.0, law="forward", strength=0.7, k=2),
    "alignment mean velocity": lambda p: sm.Alignment(radius=9.0, law="mean_velocity"),
    "alignment mean velocity, strength": lambda p: sm.Alignment(radius=9.0, law="mean_velocity", strength=0.3),
    "flocking": lambda p: sm.Flocking(),
    "flocking normalized": lambda p: sm.Flocking(each="normalize", alignment_law="velocity", separation_fade=False),
    "flocking raw, by other laws": lambda p: sm.Flocking(
        each="raw", separation_law="inverse_square", alignment_law="forward", cohesion_law="seek",
    ),
    "flocking, mean site": lambda p: sm.Flocking(separation_law="mean_site", alignment_law="mean_velocity"),
    "flocking as Vicsek": lambda p: sm.Flocking(alignment_law="vicsek"),
    "flocking, all options": lambda p: sm.Flocking(
        separation_weight=0.7, separation_radius=7.0, separation_angle=6.0, alignment_weight=0.2, alignment_radius=12.0,
        alignment_angle=2.0, cohesion_weight=-0.4, cohesion_radius=15.0, cohesion_angle=4.0, inner_radius=1.0, k=3,
    ),
}  # fmt: skip
