"""Reading and setting the modes of vehicles from outside of the tree, for games, pictures and tests."""

from typing import Any, Protocol

from steersman.core.action_selection.modes import Modes
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles


class Remembering(Protocol):
    """An object with a steering tree and its memory: a population (`world.populations["sheep"]`), or a Controller."""

    @property
    def vehicles(self) -> Vehicles:
        """Its vehicles."""

    def node(self, which: Any = None, kind: type[Any] | None = None) -> Node:
        """A node of the tree."""

    def memory(self, which: Any) -> dict[str, Array]:
        """Its memory."""

    def remember(self, which: Any, ids: Any = None, /, **columns: Any) -> None:
        """Change its memory."""


@explained
def modes_of(population: Remembering, node: Any = None) -> Array:
    """The mode of every vehicle.

    Args:
        population: A population (as `world.add` returns, or `world.populations[name]`), or a Controller.
        node: Which Modes of its tree: its name or itself. Default: the only one, or the outermost.

    Returns:
        Names, shape (n,), str.

    Raises:
        KeyError: There is no such Modes in the tree.
    """
    machine = _modes(population, node)
    modes: Any = machine.behavior
    names: Array = modes.names(population.memory(machine)["mode"])
    return names


@explained
def set_modes(population: Remembering, mode: str, which: Any = None, node: Any = None) -> None:
    """Put vehicles into a mode from outside; it begins with the next step.

    Args:
        population: A population or a Controller.
        mode: The name of the mode.
        which: The vehicles: an id, ids, or a mask of shape (n,). Default: all.
        node: Which Modes of its tree: its name or itself. Default: the only one, or the outermost.

    Raises:
        KeyError: There is no such Modes in the tree, or no vehicle of an id.
    """
    machine = _modes(population, node)
    modes: Any = machine.behavior
    if mode not in modes.modes:
        raise ValueError(f"mode must be one of {', '.join(modes.modes)}, got {brief(mode)}")
    population.remember(machine, which, **modes.entering(mode))


def _modes(population: Any, node: Any) -> Node:
    """The node of a Modes in the tree of a population."""
    if not hasattr(population, "node"):
        raise TypeError(
            f"population must be a Population, world.populations[name] or a Controller, got {brief(population)}"
        )
    machine: Node = population.node(node, Modes)
    return machine
