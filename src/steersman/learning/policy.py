"""Policies: functions of observations that steer the learners of a World; and a small network."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from steersman.core.parameters.arrays import as_array, as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import Explained
from steersman.core.parameters.kinds import FUNCTION, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.scene.scene import Scene
from steersman.core.typing import Array
from steersman.core.vehicles.holding import as_vehicles
from steersman.core.vehicles.vehicles import Vehicles
from steersman.learning.task import LEARNERS, Task, observations

OBSERVED = ("position", "velocity", "forward", "max_speed", "max_force", "mass", "response_time", "radius")

TASK = Kind("task", "a task", base=Task)


def as_others(name: str, value: Any) -> dict[str, Vehicles]:
    """Populations by name."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be populations by name, got {value!r}")
    return {str(key): as_vehicles(f"{name}[{key!r}]", each) for key, each in value.items()}


OTHERS = Kind("others", "populations by name", as_others)


@dataclass(frozen=True, eq=False)
class Policy(Behavior):
    """Steers by a function of observations, such as a network that has learned a task.

        net = sm.Network.load("pursuit.npz")
        world.add(dogs, steering=sm.Policy(net, Herding(), {"sheep": world["sheep"]}))

    It asks Python at every step, and acts at every step, while learners act at every `task.every`.

    Args:
        act: Observations, shape (k, observed), -> actions from -1 to 1, shape (k, 2).
        task: The task that defines observations and actions (its control is "velocity" or "force").
        others: The other populations of the task, by their names there.

    Raises:
        ValueError: The actions are weights or modes, or a population of the task is missing.
    """

    per_vehicle: ClassVar[bool] = False

    act: Callable[[Array], Array] = parameter(kind=FUNCTION, positional=True)
    task: Any = parameter(kind=TASK, positional=True)
    others: Any = parameter(None, kind=OTHERS, positional=True, optional=True)

    def validate(self) -> None:
        """Check that actions are velocities or forces."""
        if self.task.control not in ("velocity", "force"):
            raise ValueError(f'task must have control "velocity" or "force" for a Policy, got "{self.task.control}"')

    def steer(self, scene: Scene, memory: MutableMapping[str, Array], out: Any) -> None:
        """Observe, act, and steer for the wanted velocity."""
        vehicles = scene.vehicles
        at = ObservedPopulations(
            {name: _one_world(each) for name, each in {**(self.others or {}), LEARNERS: vehicles}.items()}
        )
        action = np.asarray(self.act(observations(self.task, at)[0]))
        if action.shape != (len(vehicles), self.task.acted):
            raise ValueError(f"act must give shape ({len(vehicles)}, {self.task.acted}), got {action.shape}")
        command = self.task.command(action[None], at[LEARNERS])["command"][0]
        if self.task.control == "velocity":
            response = np.where(vehicles.response_time > 0, vehicles.response_time, scene.dt)
            command = (command - vehicles.velocity) * (vehicles.mass / response)[:, None]
        out.linear[:] = command


class ObservedPopulations(dict[str, Any]):
    """The populations that a task observes, by name."""

    def __missing__(self, name: str) -> Any:
        """Say that a population is not there."""
        raise ValueError(f"others must have the population {name!r} of the task, got {', '.join(self)}")


def _one_world(vehicles: Vehicles) -> Any:
    """The columns of vehicles as those of a single world."""
    return SimpleNamespace(**{name: np.asarray(getattr(vehicles, name))[None] for name in OBSERVED})


def _sizes(sizes: Any) -> tuple[int, ...]:
    """The sizes of layers."""
    layers = as_array("sizes", sizes)
    if layers.ndim != 1 or len(layers) < 2 or layers.dtype.kind not in "iu" or not (layers >= 1).all():
        raise ValueError(f"sizes must be two whole numbers >= 1 or more, got {brief(sizes)}")
    return tuple(layers.tolist())


class Network(metaclass=Explained):
    """A small network of NumPy: layers with tanh, of which the last gives the actions.

        net = Network([12, 16, 2])
        action = net(observation)  # (..., 12) -> (..., 2)

    Args:
        sizes: The numbers of each layer, from observations to actions.
        numbers: All weights and biases, shape (count,): layer by layer the weights of its first input for every output, those
            of the second, and so on, then the biases. Default: zeros.

    Attributes:
        count: The number of weights and biases.
    """

    def __init__(self, sizes: Sequence[int], numbers: Array | None = None) -> None:
        self.sizes = _sizes(sizes)
        self.count = sum((a + 1) * b for a, b in zip(self.sizes[:-1], self.sizes[1:], strict=True))
        self.numbers = np.zeros(self.count) if numbers is None else as_floats("numbers", numbers, np.float64)
        if self.numbers.shape[-1:] != (self.count,):
            raise ValueError(f"numbers must have shape ({self.count},), got {self.numbers.shape}")

    def __call__(self, observation: Array) -> Array:
        """Actions, shape (..., last size); of m networks, with numbers (m, count), for observations (m, ..., first size).

        Raises:
            ValueError: The observations have another size.
        """
        x, at = np.asarray(observation), 0
        if x.shape[-1:] != self.sizes[:1]:
            raise ValueError(f"observations must have shape (..., {self.sizes[0]}), got {x.shape}")
        many = self.numbers.shape[:-1]
        for a, b in zip(self.sizes[:-1], self.sizes[1:], strict=True):
            weights = self.numbers[..., at : at + a * b].reshape(*many, a, b)
            bias = self.numbers[..., at + a * b : at + (a + 1) * b]
            at += (a + 1) * b
            rows = x.reshape(*many, -1, a)
            x = np.tanh(rows @ weights + bias[..., None, :]).reshape(*x.shape[:-1], b)
        return x

    def save(self, path: Any) -> None:
        """Write it to a file `.npz`."""
        np.savez(path, sizes=self.sizes, numbers=self.numbers)

    @classmethod
    def load(cls, path: Any) -> "Network":
        """The network of a file."""
        with np.load(path) as archive:
            return cls(archive["sizes"].tolist(), archive["numbers"])
