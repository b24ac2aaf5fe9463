"""Circle swap with ORCA: everybody on a circle wants to the opposite side, and nobody collides.

Van den Berg et al. 2011. Compare `circle_swap`.
"""

from steersman.scenarios.library.circle_swap import swap
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.behavior import Behavior
from steersman.steering.group.orca import ORCA
from steersman.world.world import World


def make(*, n: int, seed: int) -> Stage:
    """Put n vehicles on a circle, strong enough to take any velocity at once, as ORCA has it."""

    def avoiding(there: Behavior) -> Behavior:
        return ORCA(time_horizon=2.5, toward=there, k=10, margin=0.1)

    return swap(n, seed, avoiding, max_force=200.0, response_time="step")


def check(world: World) -> list[str]:
    """Everybody is across, and nobody has touched anybody."""
    meters, problems = meters_of(world), []
    if not meters["walkers.arrived"].now > 0.95:
        problems.append(f"they must get across, but only {meters['walkers.arrived'].now:.0%} did")
    if meters["walkers.collisions"].now > 0:
        problems.append(f"nobody may touch anybody, but {meters['walkers.collisions'].now:.0f} pairs did")
    return problems


SCENARIO = OldScenario(
    name="circle_swap_orca",
    shows="Everybody on a circle crosses to the opposite side, by reciprocal velocity obstacles, without a collision.",
    tags=("group", "crowd", "van den Berg 2011"),
    dimensions=2,
    n=250,
    make=make,
    check=check,
    quick=24,
)
