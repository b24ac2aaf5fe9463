"""What steers: the library's trees, all made of the same urges and told the same, and peers where they are installed.

Each walks a scene and says where everybody was after each step. The urge to go on is the same for all: to the next place of
the way at full speed (`Errand.wanted`). So are radius, speed, force and how far ahead to look; whatever else there is to
say is as it comes.
"""

import contextlib
import itertools
import logging
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

import steersman as sm
from benchmarks.quality.scenes import FORCE, RADIUS, RESPONSE, SPEED, Errand, Scene

DT = 1 / 30

AHEAD, ROCKS_AHEAD = 3.0, 1.5
"""How far ahead to look for others and for obstacles [s]."""

APART = 1.5
"""Up to where Separation pushes [m]."""


class Walked(NamedTuple):
    """Where everybody was, the start first [m], and how fast [m/s], shape (steps + 1, n, 2); NaN for who has arrived."""

    position: Any
    velocity: Any


Walk = Callable[[Scene], Walked]


class Diary:
    """Notes where everybody is after each step."""

    def __init__(self, errand: Errand, position: Any, velocity: Any) -> None:
        self.errand, self.noted = errand, [(np.array(position, float), np.array(velocity, float))]

    def note(self, position: Any, velocity: Any) -> Any:
        """Note a step; returns who has just arrived, and is to be put away, shape (n,)."""
        here = self.errand.gone[:, None]
        self.noted.append((np.where(here, np.nan, position), np.where(here, np.nan, velocity)))
        return self.errand.advance(position)

    def walked(self) -> Walked:
        """All steps."""
        return Walked(*(np.array(each) for each in zip(*self.noted, strict=True)))


class Parts(NamedTuple):
    """What trees are made of: the urge to go on; to keep off obstacles, and to evade others."""

    go: Any
    rocks: Any
    evade: Any
    obstacles: Any

    def hard(self, *more: Any) -> list[Any]:
        """What keeps off obstacles, where there are some, before something else."""
        return [*([self.rocks] if self.obstacles else []), *more]


def orca(it: Parts, toward: Any, **more: Any) -> Any:
    """ORCA over a tree."""
    obstacles = it.obstacles or None
    return sm.ORCA(AHEAD, toward=toward, obstacles=obstacles, obstacle_horizon=ROCKS_AHEAD, **more)


def urgent(it: Parts) -> Any:
    """Whatever is urgent, in one place: obstacles first, and others with what they leave."""
    return sm.TruncatedSum([it.rocks, it.evade], each="limit") if it.obstacles else it.evade


TREES: dict[str, Callable[[Parts], Any]] = {
    "Separation": lambda it: sm.Priority(it.hard(sm.Separation(radius=APART) + it.go)),
    "naive sum": lambda it: sm.WeightedSum(it.hard(it.evade, it.go)),
    "Priority": lambda it: sm.Priority(it.hard(it.evade, it.go)),
    "TruncatedSum": lambda it: sm.TruncatedSum(it.hard(it.evade, it.go), each="limit"),
    "ContextMap": lambda it: sm.ContextMap(
        [it.go], danger=[it.evade], obstacles=it.obstacles or None, lookahead=ROCKS_AHEAD
    ),
    "ContextMap, neighbors": lambda it: sm.ContextMap(
        [it.go], neighbors=True, time_horizon=AHEAD, obstacles=it.obstacles or None, lookahead=ROCKS_AHEAD
    ),
    "AvoidNeighbors": lambda it: sm.Priority([urgent(it), it.go], blend=0.3),
    "ORCA": lambda it: orca(it, it.go),
    "ORCA over a tree": lambda it: orca(it, sm.Priority([urgent(it), it.go], blend=0.3)),
}
"""Name -> tree."""

IMPOSTOR = "nobody avoids"
"""Not in the tables: what the judge must find worst."""


def parts(scene: Scene, errand: Errand, response: float = RESPONSE) -> Parts:
    """The parts of trees for a scene, for vehicles that respond within so long [s]."""

    def go(vehicles: sm.Vehicles) -> Any:
        return (errand.wanted(vehicles.position.astype(float)) - vehicles.velocity) / response

    obstacles = scene.obstacles
    rocks = sm.AvoidObstacles(obstacles, lookahead=ROCKS_AHEAD) if obstacles else None
    return Parts(go, rocks, sm.AvoidNeighbors(AHEAD), obstacles)


def by_tree(tree: Callable[[Parts], Any], dt: float = DT, **body: Any) -> Walk:
    """Walk with a steering tree of the library."""

    def walk(scene: Scene) -> Walked:
        errand = Errand(scene)
        like = {"radius": RADIUS, "max_speed": SPEED, "max_force": FORCE, "response_time": RESPONSE} | body
        walkers = sm.Vehicles(scene.start, **like)
        world = sm.World(dt=dt, threads=1, seed=1)
        world.add(walkers, steering=tree(parts(scene, errand, dt if like["response_time"] == "step" else RESPONSE)))
        diary = Diary(errand, walkers.position, walkers.velocity)
        for _ in range(round(scene.seconds / dt)):
            world.step()
            if (over := diary.note(walkers.position, walkers.velocity)).any():
                walkers.position[over], walkers.velocity[over] = errand.away[over], 0.0
        return diary.walked()

    return walk


def by_rvo2(scene: Scene) -> Walked:
    """RVO2 (van den Berg et al. 2011) by the bindings of pyrvo. It takes any velocity at once: no force is too much."""
    import pyrvo

    errand, n = Errand(scene), len(scene.start)
    simulator = pyrvo.RVOSimulator(DT, 20.0, 8, AHEAD, ROCKS_AHEAD, RADIUS, SPEED)
    for place in scene.start:
        simulator.add_agent(tuple(place))
    for wall in scene.walls:
        simulator.add_obstacle([tuple(end) for end in wall])
    angle = np.arange(24) * np.pi / 12
    for center, radius in zip(*scene.rocks, strict=True):
        ring = center + radius / np.cos(np.pi / 24) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        simulator.add_obstacle([tuple(corner) for corner in ring])
    simulator.process_obstacles()

    def ask(what: Any) -> Any:
        return np.array([what(i).to_tuple() for i in range(n)])

    diary = Diary(errand, ask(simulator.get_agent_position), ask(simulator.get_agent_velocity))
    for _ in range(round(scene.seconds / DT)):
        for i, velocity in enumerate(errand.wanted(ask(simulator.get_agent_position))):
            simulator.set_agent_pref_velocity(i, tuple(velocity))
        simulator.do_step()
        over = diary.note(ask(simulator.get_agent_position), ask(simulator.get_agent_velocity))
        for i in np.flatnonzero(over):
            simulator.set_agent_position(i, tuple(errand.away[i]))
            simulator.set_agent_velocity(i, (0.0, 0.0))
    return diary.walked()


def quietly_imported() -> Any:
    """PySocialForce, without the log file and the messages of everybody that it turns on where it is imported."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        import pysocialforce
    root.setLevel(level)
    root.handlers[:] = handlers
    return pysocialforce


def by_social_force(scene: Scene) -> Walked:
    """PySocialForce: the extended social force model (Moussaid et al. 2010), as it comes, with our radius and speed."""
    pysocialforce = quietly_imported()

    errand = Errand(scene)
    state = np.concatenate([scene.start, np.zeros_like(scene.start), errand.next], axis=1)
    angle = np.linspace(0, 2 * np.pi, 13)
    lines = [(a[0], b[0], a[1], b[1]) for a, b in scene.walls]
    for center, radius in zip(*scene.rocks, strict=True):
        ring = center + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        lines += [(a[0], b[0], a[1], b[1]) for a, b in itertools.pairwise(ring)]
    simulator = pysocialforce.Simulator(state, obstacles=lines or None)
    people = simulator.peds
    people.step_width, people.agent_radius = DT, RADIUS
    people.initial_speeds = np.full(len(scene.start), SPEED / people.max_speed_multiplier)
    people.max_speeds = np.full(len(scene.start), SPEED)
    diary = Diary(errand, people.pos(), people.vel())
    with np.errstate(all="ignore"):
        for _ in range(round(scene.seconds / DT)):
            people.state[:, 4:6] = errand.next
            simulator.step_once()
            people.ped_states.clear()
            over = diary.note(people.pos(), people.vel())
            people.state[over, :2], people.state[over, 2:4] = errand.away[over], 0.0
    return diary.walked()


PEERS: dict[str, tuple[str, Walk]] = {
    "RVO2": ("pyrvo", by_rvo2),
    "PySocialForce": ("pysocialforce", by_social_force),
}
"""Name -> the package that it needs, and how it walks."""


def walks() -> dict[str, Walk]:
    """All that can be tried here: name -> walk."""
    ours = {name: by_tree(tree) for name, tree in TREES.items()}
    ours["ORCA, any force"] = by_tree(TREES["ORCA"], max_force=1e3, response_time="step")
    return ours | {name: walk for name, (package, walk) in PEERS.items() if find_spec(package)}


def missing() -> list[str]:
    """Peers that are not installed."""
    return [name for name, (package, _) in PEERS.items() if not find_spec(package)]
