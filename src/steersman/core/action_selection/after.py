"""After: enough time has gone by since the vehicle entered its mode.

    holds = time - time of entering >= seconds

Time is the world's clock. So the answer does not depend on the length of steps, nor on whether another node steered the
vehicle meanwhile.
"""

from steersman.core.action_selection.condition import Condition, Truth
from steersman.core.action_selection.registry import condition
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.vehicles.memory import Memory

ROUNDING = 1e-9
"""The part of a time that rounding may take away, because times are sums of steps."""


@row_kernel
def after(i: int, wait: float, clock: Clock, truth: Truth) -> None:
    """Whether the wait [s], a float64, is over."""
    time = clock.time[0]
    truth.holds[i] = time - truth.entered[i] >= wait


@condition
class After(Condition):
    """Holds when the vehicle has been in its mode for some time.

    Args:
        seconds: Time in the mode [s]. Raising it makes the mode last longer.
    """

    seconds: float = parameter(low=0.0, unit="s", positional=True)

    def bind(self, scene: Scene, memory: Memory, truth: Truth) -> list[Call]:
        """One call."""
        return [Call(after, (float(self.seconds * (1 - ROUNDING)), scene.clock, truth))]
