"""Where: a function of the vehicles gives a truth value for each of them."""

from collections.abc import Callable, Mapping
from typing import Any

from steersman.core.action_selection.condition import Condition
from steersman.core.action_selection.registry import condition
from steersman.core.parameters.kinds import FUNCTION, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Scene
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

PREDICATE = Kind("function", "a function vehicles -> bool (n,)", base=Callable, like=FUNCTION)


@condition
class Where(Condition):
    """Holds where a function says so. Wherever a condition is expected, the bare function will do.

    The function is called once a step; it must change nothing.

    Args:
        function: Called with the vehicles; returns an array of truth values, shape (n,), bool.

    Raises:
        ValueError: The function returns other values (when it is called).
    """

    function: Callable[[Vehicles], Any] = parameter(kind=PREDICATE, positional=True)

    @property
    def title(self) -> str:
        """The name of the function."""
        return getattr(self.function, "__name__", type(self.function).__name__)

    def judge(self, scene: Scene, memory: Mapping[str, Array]) -> Any:
        """Ask the function."""
        return self.function(scene.vehicles)
