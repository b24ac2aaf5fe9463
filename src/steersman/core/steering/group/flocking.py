"""Flocking: separation, cohesion and alignment, each limited, then weighted, then summed.

    force = w_s limited(separation) + w_c limited(cohesion) + w_a limited(alignment)

Reynolds 1999, "Flocking", after his boids of 1987: nine parameters, a weight, a distance and an angle for each of the three.
It equals a WeightedSum of the three with the same `each`, and is one: the parts are nodes of the tree. The default weights
keep the order of the Unity lecture: separation before cohesion before alignment.

Reynolds normalizes the three before weighting: each="normalize", alignment_law="velocity", separation_fade=False is
that law to the letter. Such a flock stands and trembles. Where a part is nearly balanced, as all parts are inside of a
flock, its direction is chance, and normalizing makes a full force of it; the mean velocity of a crowd without order is
no speed to fly at; and each pair of vehicles about a radius apart is pushed and let go by turns. So by default parts
are only limited, and stay small near their balance; Alignment holds the speed, and turns as far as the neighbors agree;
pushes fade at the radius. And all three see all around: a vehicle that is not pushed from behind is pushed back on the
whole, and stops in a dense flock.

None of the three laws turns a flock that agrees: after a few minutes by itself it is a lattice that flies straight on.
A flock stays alive if it has something to turn for: obstacles, a roost, a predator, or gusts that neighbors share.
`turbulence=0.05` lets flocks of any size wheel, split and meet again (`steering/group/turbulence.py`).
"""

import math

from steersman.core.kernels.call import Call
from steersman.core.parameters.kinds import FLAG, INTEGER, TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.weighted_sum import TAKE, bind_sum
from steersman.core.steering.group.alignment import LAWS as ALIGNMENT_LAWS
from steersman.core.steering.group.alignment import Alignment
from steersman.core.steering.group.cohesion import LAWS as COHESION_LAWS
from steersman.core.steering.group.cohesion import Cohesion
from steersman.core.steering.group.separation import LAWS as SEPARATION_LAWS
from steersman.core.steering.group.separation import Separation
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.tree.forces import Out
from steersman.core.vehicles.memory import Memory


@registered
class Flocking(Behavior):
    """Move as a flock, a herd or a school.

    Args:
        separation_weight: Weight of keeping apart. Raising it spreads the flock.
        separation_radius: Distance up to which others are kept apart from [m]. Raising it spreads the flock.
        separation_angle: Full field of view of keeping apart [rad]. Raising it sees more of those behind.
        alignment_weight: Weight of heading alike. Raising it orders the flock.
        alignment_radius: Distance up to which headings are matched [m]. Raising it matches more neighbors.
        alignment_angle: Full field of view of heading alike [rad]. Raising it sees more of those behind.
        cohesion_weight: Weight of gathering. Raising it tightens the flock.
        cohesion_radius: Distance up to which others are gathered with [m]. Raising it gathers more neighbors.
        cohesion_angle: Full field of view of gathering [rad]. Raising it sees more of those behind.
        inner_radius: Distance within which neighbors are noticed at any angle, by all three [m]. Raising it notices
            more of those behind.
        k: Only the k nearest within each radius count. Starlings seem to go by six or seven (Ballerini et al. 2008); let the
            radii be large then, or infinite. Raising it counts more, up to all. Default: all.
        each: How a part's force is taken before weighting: "limit", "normalize" (Reynolds) or "raw", as by WeightedSum.
        separation_law: How neighbors push: see Separation.
        separation_fade: Whether pushes fade to nothing at the radius, rather than end there with a jump.
        turbulence: How hard gusts push, as a part of max_force: see Alignment. Zero is Reynolds' law. Raising it makes
            a flock more restless.
        alignment_law: The quantity of the neighbors that is matched: see Alignment; "velocity" is Reynolds' law.
        cohesion_law: Whether the centroid pulls ("offset"), or is sought ("seek"): see Cohesion.
    """

    separation_weight: float = parameter(1.5)
    separation_radius: float = parameter(5.0, above=0.0, infinite=True, unit="m")
    separation_angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    alignment_weight: float = parameter(0.9)
    alignment_radius: float = parameter(7.5, above=0.0, infinite=True, unit="m")
    alignment_angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    cohesion_weight: float = parameter(1.0)
    cohesion_radius: float = parameter(9.0, above=0.0, infinite=True, unit="m")
    cohesion_angle: float = parameter(2 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    inner_radius: float = parameter(0.0, low=0.0, unit="m")
    k: int | None = parameter(None, kind=INTEGER, low=1, optional=True)

    each: str = parameter("limit", kind=TEXT, choices=tuple(TAKE))
    separation_law: str = parameter("inverse", kind=TEXT, choices=SEPARATION_LAWS)
    separation_fade: bool = parameter(True, kind=FLAG)
    turbulence: float = parameter(0.0, low=0.0)
    alignment_law: str = parameter("heading", kind=TEXT, choices=ALIGNMENT_LAWS)
    cohesion_law: str = parameter("offset", kind=TEXT, choices=COHESION_LAWS)

    def parts(self) -> tuple[Behavior, ...]:
        """Separation, alignment and cohesion."""
        inner, k = self.inner_radius, self.k
        return (
            Separation(
                radius=self.separation_radius,
                angle=self.separation_angle,
                inner_radius=inner,
                k=k,
                law=self.separation_law,
                fade=self.separation_fade,
            ),
            Alignment(
                radius=self.alignment_radius,
                angle=self.alignment_angle,
                inner_radius=inner,
                k=k,
                law=self.alignment_law,
                turbulence=self.turbulence,
            ),
            Cohesion(
                radius=self.cohesion_radius, angle=self.cohesion_angle, inner_radius=inner, k=k, law=self.cohesion_law
            ),
        )

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The sum of the three parts."""
        weights = (self.separation_weight, self.alignment_weight, self.cohesion_weight)
        return bind_sum(scene, out, weights, TAKE[self.each])
