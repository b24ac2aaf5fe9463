"""ZeroOverlap: vehicles that overlap are moved apart until they touch.

    overlap = radius_i + radius_j - distance;   each of the two moves by overlap / 2, along the line of centers

A vehicle with a length is a capsule: the distance is that of the two axes, and both move along the shortest way between them.
Bodies do not turn. Off obstacles they are kept at points of their axes, a radius apart.

The game AI lecture: if bounding spheres overlap, just move them to touching distance, and ignore dynamics. (Here velocities
lose the part that caused no motion, unless `velocities=False`: see `slowing.py`.) A vehicle with
several overlaps moves by their sum; all move at once, from one snapshot, so the order of vehicles does not matter (except
for rounding). This is repeated until no overlap is deeper than the tolerance. A vehicle that still overlaps adds a part of
its last move, but no more than 1.5 times the overlaps that are left; this untangles a crowd in half as many passes.
Overlaps of less than 1e-9 of the radii are rounding, and count as a touch. Obstacles do not move, so vehicles leave them
by the whole overlap. Vehicles that coincide separate along a direction that depends on their places in the world's order;
those whose axes meet, at right angles to the axes, but where these cross in 2D: there along the line of centers.

The vehicles are kept in the order of a grid's cells, with lists of vehicles that may touch each other; later passes test
only vehicles near a vehicle that has moved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import OBSTACLES
from steersman.core.kernels.call import Call
from steersman.core.parameters.kinds import FLAG, INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.constraint import WorldConstraint
from steersman.core.world.constraints.untangling import Untangling


@dataclass(frozen=True, eq=False)
class ZeroOverlap(WorldConstraint):
    """Move overlapping vehicles of all populations apart, and out of obstacles.

    Args:
        obstacles: Obstacles that no vehicle may overlap: one set, or several. Vehicles in a room of walls, or in bodies that
            are seen from inside or from both sides, are kept in there.
        passes: The most passes in a step. Raising it untangles denser crowds.
        tolerance: The deepest overlap that may stay, as a part of the two radii. Raising it is faster.
        velocities: Whether a vehicle that is moved back loses the part of its velocity by which it did not move. Then a
            walker in a crowd that stands still does not stride, and others predict its position correctly. False: only
            positions change, as in the lecture.
    """

    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True, positional=True)
    passes: int = parameter(50, kind=INTEGER, low=1)
    tolerance: float = parameter(1e-3, low=0.0)
    velocities: bool = parameter(True, kind=FLAG)

    @property
    def slows(self) -> bool:
        """Whether velocities are corrected, too."""
        return self.velocities

    def bind(self, populations: Sequence[Vehicles], domain: Domain) -> list[Call]:
        """One call for the populations of each number of dimensions."""
        calls = []
        for d in (2, 3):
            alike = [vehicles for vehicles in populations if vehicles.dimensions == d]
            if alike:
                untangling = Untangling(alike, domain, self.obstacles, self.passes, self.tolerance)
                calls.append(Call(untangling, whole=True, threaded=True))
        return calls
