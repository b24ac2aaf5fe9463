"""A task: worlds to learn in, the observations and rewards of learners, and when an episode ends."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import suggestion
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.orders import Orders
from steersman.core.steering.combining.weighted_sum import WeightedSum
from steersman.core.steering.goals.match_velocity import MatchVelocity
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.many.worlds import Worlds
from steersman.core.world.world import World
from steersman.learning.push import Push

LEARNERS = "learners"
"""The population that learns."""

OBEYING = "obeying"
"""The name of the node that holds their actions."""

CONTROLS = ("velocity", "force", "weights", "modes")


class Columns(Protocol):
    """A population of n worlds: columns of shape (n, k, 2) and (n, k)."""

    position: Array
    velocity: Array
    forward: Array
    max_speed: Array
    max_force: Array
    mass: Array
    response_time: Array


At = Mapping[str, Columns]
"""The populations of n worlds by name."""


class Task(ABC):
    """A task to be learned, in two dimensions. Its methods are for n worlds of k learners at once.

    Args:
        control: The meaning of actions: "velocity": the wanted velocity in the own frame, ahead and to the left, in parts of
            max_speed; "force": the force, in parts of max_force; "weights": the weights of `parts`, from 0 to 2; "modes": a
            number for each of `mode_names`, of which the largest says which behavior steers.

    Attributes:
        agents: The number of learners.
        observed: The numbers that each observes.
        dt: The time step [s].
        every: Steps for each action.
        most: The actions of an episode, after which it is cut off.
        torus: The domain. Default: None, space without end.
        mode_names: The names of `modes`.
    """

    agents: ClassVar[int]
    observed: ClassVar[int]
    dt: ClassVar[float] = 1 / 30
    every: ClassVar[int] = 6
    most: ClassVar[int] = 100
    torus: ClassVar[Any] = None
    mode_names: ClassVar[tuple[str, ...]] = ()

    def __init__(self, control: str = "velocity") -> None:
        if control not in CONTROLS:
            raise ValueError(f"control must be one of {', '.join(CONTROLS)}, got {brief(control)}")
        self.control = control

    @property
    def acted(self) -> int:
        """The numbers of each learner's action, each from -1 to 1."""
        if self.control == "modes":
            return len(self.mode_names)
        return len(self.parts()) if self.control == "weights" else 2

    # ------------------------------------------------------------------------------------------------ for tasks

    @abstractmethod
    def places(self, rng: np.random.Generator) -> dict[str, Array]:
        """Where vehicles begin [m], by population, shape (k, 2)."""

    @abstractmethod
    def fill(self, world: World, places: dict[str, Array], steering: Any) -> None:
        """Add the populations to a world.

        Args:
            world: The world, empty.
            places: Those of `places`.
            steering: The tree of the learners, or a function that makes it of the world when all others are there.
        """

    @abstractmethod
    def hand_made(self, world: World) -> Any:
        """A tree of the library that does the same task, to be compared with."""

    @abstractmethod
    def observe(self, at: At) -> Array:
        """The observations of learners, shape (n, k, observed)."""

    @abstractmethod
    def judge(self, at: At) -> tuple[Array, Array]:
        """The reward of each learner for the last action, shape (n, k), and which worlds are done, shape (n,), bool."""

    def parts(self) -> dict[str, Any]:
        """The behaviors that weights are for, by name. Default: there are none."""
        return {}

    def modes(self, world: World) -> dict[str, Any]:
        """The behaviors that modes are chosen from, by the names of `mode_names`. Default: the `parts` of these names.

        Args:
            world: The world, with all populations but the learners.
        """
        parts = self.parts()
        return {name: parts[name] for name in self.mode_names}

    # ------------------------------------------------------------------------------------------------ worlds

    def make(self, seed: int, steering: Any = None) -> World:
        """A world of this task.

        Args:
            seed: Decides where vehicles begin, and all random numbers.
            steering: The tree of the learners, or a function of the world that makes it. Default: they obey actions.
        """
        world = World(domain=self.space(), seed=seed, dt=self.dt)
        self.fill(world, self.places(np.random.default_rng(seed)), self._obeying() if steering is None else steering)
        return world

    def space(self) -> Any:
        """The domain. Default: `torus`."""
        return self.torus

    def add(self, world: World, vehicles: Vehicles, steering: Any) -> None:
        """Add the learners."""
        population = world.add(vehicles, name=LEARNERS)
        population.steering = steering(world) if callable(steering) else steering

    def _obeying(self) -> Any:
        """The tree that obeys actions, or a function of the world that makes it.

        Raises:
            ValueError: Actions are to be weights or modes, and the task has none.
        """
        if self.control == "force":
            return Push(name=OBEYING)
        if self.control == "velocity":
            still: dict[str, Any] = {"command": (0.0, 0.0)}
            return Orders([MatchVelocity("column:command")], still, name=OBEYING)
        if not self.acted:
            raise ValueError(f"{type(self).__name__} has no {self.control} to learn")
        return weighing(self.parts()) if self.control == "weights" else lambda world: weighing(self.modes(world))

    def command(self, action: Array, learners: Columns) -> dict[str, Array]:
        """The columns that make vehicles do an action.

        Args:
            action: Shape (n, k, acted), from -1 to 1; beyond, it is clipped.
            learners: The vehicles.

        Raises:
            ValueError: An action is NaN, as those of a network whose weights have grown beyond all bounds.
        """
        if np.isnan(action).any():
            where = np.argwhere(np.isnan(action))[0].tolist()
            raise ValueError(
                f"actions must be numbers from -1 to 1, got nan for learner {where[1]} of world {where[0]}"
            )
        action = np.clip(action, -1.0, 1.0)
        if self.control == "weights":
            return {name: action[..., k] + 1.0 for k, name in enumerate(self.parts())}
        if self.control == "modes":
            chosen = action.argmax(axis=-1)
            return {name: (chosen == k).astype(float) for k, name in enumerate(self.mode_names)}
        ahead, left = action[..., :1], action[..., 1:]
        forward = learners.forward
        way = ahead * forward + left * np.stack([-forward[..., 1], forward[..., 0]], axis=-1)
        return {"command": way * (learners.max_speed if self.control == "velocity" else learners.max_force)[..., None]}


def weighing(parts: dict[str, Any]) -> Behavior:
    """A sum of parts, each with a column of weights of its name, which are zero at first."""
    weights: Any = [*parts]
    total = WeightedSum([*parts.values()], weights=weights)
    return Orders([total], dict.fromkeys(weights, 0.0), name=OBEYING)


class Named(dict[str, Any]):
    """The populations of n worlds by name."""

    def __missing__(self, name: str) -> Any:
        """Say that a population is not there, and name those that are."""
        raise ValueError(f"there is no population {name!r}{suggestion(name, self, label='there are')}")


def observations(task: Task, at: At) -> Array:
    """The observations of learners, shape (n, k, observed), float32.

    Raises:
        ValueError: `observe` gives another shape.
    """
    observed = np.asarray(task.observe(at))
    shape = (*at[LEARNERS].position.shape[:2], task.observed)
    if observed.shape != shape:
        raise ValueError(
            f"observe of {type(task).__name__} must give shape {shape} (worlds, learners, observed), got {observed.shape}"
        )
    return observed.astype(np.float32)


def judgments(task: Task, at: At) -> tuple[Array, Array]:
    """The reward of each learner, shape (n, k), and which worlds are done, shape (n,), bool.

    Raises:
        TypeError: `judge` gives no pair, or `done` is not bool.
        ValueError: `judge` gives other shapes.
    """
    name = f"judge of {type(task).__name__}"
    pair = task.judge(at)
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise TypeError(f"{name} must give two arrays, the reward and done, got {brief(pair)}")
    reward, done = np.array(pair[0], float), np.asarray(pair[1])
    n, k = at[LEARNERS].position.shape[:2]
    if reward.shape != (n, k):
        raise ValueError(f"the reward in {name} must have shape {(n, k)} (worlds, learners), got {reward.shape}")
    if done.shape != (n,):
        raise ValueError(f"done in {name} must have shape {(n,)} (worlds), got {done.shape}")
    if done.dtype != bool:
        raise TypeError(f"done in {name} must be bool, got {done.dtype}")
    return reward, done


class Episodes:
    """Many worlds of a task, and the episodes that they are in.

    Args:
        task: The task.
        count: The number of worlds.
        threads: The number of threads.

    Attributes:
        worlds: The worlds.
        acts: Actions since the beginning of each episode, shape (n,).

    Raises:
        ValueError: `fill` adds no learners, or another number than `agents`.
    """

    def __init__(self, task: Task, count: int, threads: int | None = None) -> None:
        self.task = task
        self.worlds = Worlds(task.make, count, threads=threads)
        self.acts = np.zeros(count, np.int64)
        kind = type(task).__name__
        if LEARNERS not in self.at:
            raise ValueError(f"fill of {kind} must add the learners, by self.add(world, vehicles, steering)")
        if (added := self.at[LEARNERS].position.shape[1]) != task.agents:
            raise ValueError(f"{kind} has agents = {task.agents}, but its fill adds {added} learners")
        self._orders = self.worlds.memory(LEARNERS, OBEYING)

    @property
    def at(self) -> At:
        """The populations of all worlds."""
        return Named(self.worlds.populations)

    def begin(self, which: Array, seeds: Array) -> None:
        """Begin episodes anew: the state is that of `task.make(seed)`.

        Args:
            which: The worlds, shape (n,), bool.
            seeds: Their seeds, one for each of these worlds.

        Raises:
            ValueError: `places` names no population, or has other numbers of vehicles.
        """
        self.worlds.reset(which)
        self.worlds.reseed(which, seeds)
        at = self.at
        for number, seed in zip(np.flatnonzero(which).tolist(), np.asarray(seeds).tolist(), strict=True):
            for name, places in self.task.places(np.random.default_rng(seed)).items():
                rows = at[name].position[number]
                if np.shape(places) != rows.shape:
                    raise ValueError(
                        f"places of {type(self.task).__name__} must give {name!r} shape {rows.shape}, got {np.shape(places)}"
                    )
                rows[:] = places
        self.acts[which] = 0

    def observe(self) -> Array:
        """The observations of learners, shape (n, k, observed), float32.

        Raises:
            ValueError: `observe` of the task gives another shape, or asks for a population that is not there.
        """
        return observations(self.task, self.at)

    def act(self, action: Array, which: Array | None = None) -> tuple[Array, Array, Array]:
        """Do an action.

        Args:
            action: Shape (n, k, acted).
            which: The worlds that go on, shape (n,), bool. Default: all.

        Returns:
            Rewards, shape (n, k); which worlds are done, and which are cut off, shape (n,), bool.

        Raises:
            TypeError: `judge` of the task gives no pair, or `done` is not bool.
            ValueError: An action is NaN, `judge` of the task gives other shapes; no world has made a step.
        """
        action = np.asarray(action, float)
        if which is not None:
            action = np.where(np.asarray(which)[:, None, None], action, 0.0)  # The others' actions are ignored.
        for name, values in self.task.command(action, self.worlds[LEARNERS]).items():
            self._orders[name][...] = values
        self.worlds.run(steps=self.task.every, only=which)
        self.acts += 1 if which is None else which
        reward, done = judgments(self.task, self.at)
        return reward, done, (self.acts >= self.task.most) & ~done
