"""Order among those who are near each other: a large flock may head several ways, each part of it in order."""

from typing import Any

from steersman.environment.domains.domain import Domain
from steersman.geometry.guiding import explained
from steersman.geometry.kinds import INTEGER, Description
from steersman.metrics.frames import Each, Frames, lengths, mean, units
from steersman.metrics.nearby import Nearby

NEAREST = 7
"""How many neighbors starlings seem to go by (Ballerini et al. 2008)."""


@explained
def local_polarization(position: Any, domain: Domain | None = None, k: int = NEAREST, *, velocity: Any = None) -> Each:
    """Mean over all vehicles of the polarization of each with its k nearest neighbors; NaN for nobody.

    Formula: mean over i of |mean of unit(v_j)| over j = i and its k nearest. It is 1 when everybody heads as its neighbors
    do, even where those far away head elsewhere, and about 1 / sqrt(k + 1) when nobody agrees.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.
        k: How many neighbors, >= 1; all, where there are fewer. Of those equally near the lower row is the nearer.
        velocity: Velocities [m/s], shaped like the positions. Default: those of the vehicles.

    Returns:
        The polarization, from 0 to 1; for several frames shape (frames,).

    Raises:
        TypeError: There are no numbers, or no velocities.
        ValueError: A wrong shape, k < 1, NaN or infinity.
    """
    seen = Frames("position", position)
    ahead, near = units(seen.vectors("velocity", velocity)), Nearby(seen.space(domain))
    count = min(int(Description("k", INTEGER, low=1).normal(k)), seen.n - 1)
    order = lengths(ahead)
    if count > 0:
        for frame, (where, heading) in enumerate(zip(seen.values, ahead, strict=True)):
            rows, _ = near.nearest(where, count)
            order[frame] = lengths((heading + heading[rows].sum(axis=1)) / (count + 1))
    return seen.answer(mean(order))
