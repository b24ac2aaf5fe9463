"""Ready-made tasks: pursuit, evasion, herding, a flock without collisions, a formation, and a doorway."""

from typing import Any, ClassVar

import numpy as np

from steersman.core.environment.domains.torus import Torus
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.steering.goals.flee import Flee
from steersman.core.steering.goals.seek import Seek
from steersman.core.steering.group.alignment import Alignment
from steersman.core.steering.group.cohesion import Cohesion
from steersman.core.steering.group.flocking import Flocking
from steersman.core.steering.group.separation import Separation
from steersman.core.steering.obstacles.avoid_obstacles import AvoidObstacles
from steersman.core.steering.pursuit.evade import Evade
from steersman.core.steering.pursuit.offset_pursuit import OffsetPursuit
from steersman.core.steering.pursuit.pursue import Pursue
from steersman.core.steering.wandering.wander import Wander
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.world import World
from steersman.learning.senses import nearest, rays, toward, turned
from steersman.learning.task import LEARNERS, At, Task


class Pursuit(Task):
    """Three pursuers catch a prey that is faster, on a torus: alone none of them can."""

    agents: ClassVar[int] = 3
    observed: ClassVar[int] = 12
    extent: ClassVar[float] = 30.0
    torus: ClassVar[Torus] = Torus((30.0, 30.0))
    mode_names: ClassVar[tuple[str, ...]] = ("pursue", "seek", "spread")

    def places(self, rng: np.random.Generator) -> dict[str, Array]:
        """Anywhere."""
        return {LEARNERS: rng.uniform(0, self.extent, (3, 2)), "prey": rng.uniform(0, self.extent, (1, 2))}

    def fill(self, world: World, places: dict[str, Array], steering: Any) -> None:
        """Pursuers of 3 m/s, and a prey of 3.6 m/s that flees from the nearest."""
        pursuers = Vehicles(places[LEARNERS], max_speed=3.0, max_force=12.0, radius=0.4)
        prey = world.add(Vehicles(places["prey"], max_speed=3.6, max_force=12.0, radius=0.4), name="prey")
        self.add(world, pursuers, steering)
        prey.steering = Flee(pursuers, panic_distance=8.0)

    def hand_made(self, world: World) -> Any:
        """Each goes to where it will meet the prey."""
        return Pursue(world["prey"])

    def modes(self, world: World) -> dict[str, Any]:
        """Cut the prey off, run at it, or keep away from the mates, to come at it from several sides."""
        return {"pursue": Pursue(world["prey"]), "seek": Seek(world["prey"]), "spread": Separation(radius=15.0)}

    def observe(self, at: At) -> Array:
        """The prey and its velocity, and both mates and theirs, in the own frame."""
        own, prey = at[LEARNERS], at["prey"]
        look: dict[str, Any] = {"reach": 22.0, "domain": self.torus, "velocity": own.velocity}
        place = own.position
        quarry = nearest(place, own.forward, prey.position, 1, their_velocity=prey.velocity, **look)
        return np.concatenate([quarry, nearest(place, own.forward, place, 2, their_velocity=own.velocity, **look)], -1)

    def judge(self, at: At) -> tuple[Array, Array]:
        """The nearer the better, and 10 for all when it is caught, which ends the episode."""
        way = self.torus.difference(at["prey"].position, at[LEARNERS].position)
        distance = np.linalg.norm(way, axis=-1)
        caught = distance.min(axis=1) < 1.0
        return -distance / self.extent / 3.0 + 10.0 * caught[:, None], caught


class Evasion(Task):
    """Three vehicles keep away from a hunter, which is faster and takes wider turns, on a torus."""

    agents: ClassVar[int] = 3
    observed: ClassVar[int] = 13
    extent: ClassVar[float] = 30.0
    most: ClassVar[int] = 150
    torus: ClassVar[Torus] = Torus((30.0, 30.0))
    mode_names: ClassVar[tuple[str, ...]] = ("evade", "flee", "scatter")

    def places(self, rng: np.random.Generator) -> dict[str, Array]:
        """The hunter anywhere, the others at least 6 m from it."""
        hunter = rng.uniform(0, self.extent, (1, 2))
        turn, far = rng.uniform(0, 2 * np.pi, 3), rng.uniform(6.0, 15.0, 3)
        others = hunter + far[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        return {LEARNERS: np.mod(others, self.extent), "hunter": hunter}

    def fill(self, world: World, places: dict[str, Array], steering: Any) -> None:
        """Evaders of 3 m/s, and a hunter of 3.6 m/s with a third of their force, which pursues the nearest."""
        evaders = Vehicles(places[LEARNERS], max_speed=3.0, max_force=12.0, radius=0.4)
        hunter = world.add(Vehicles(places["hunter"], max_speed=3.6, max_force=4.0, radius=0.4), name="hunter")
        self.add(world, evaders, steering)
        hunter.steering = Pursue(evaders)

    def hand_made(self, world: World) -> Any:
        """Each flees from where the hunter will be."""
        return Evade(world["hunter"])

    def modes(self, world: World) -> dict[str, Any]:
        """Flee from where the hunter will be, from where it is, or from the mates."""
        return {"evade": Evade(world["hunter"]), "flee": Flee(world["hunter"]), "scatter": Separation(radius=10.0)}

    def observe(self, at: At) -> Array:
        """The own speed, the hunter and its velocity, and both mates and theirs, in the own frame."""
        own, hunter = at[LEARNERS], at["hunter"]
        speed = np.linalg.norm(own.velocity, axis=-1, keepdims=True) / 3.0
        near = [
            nearest(
                own.position, own.forward, its.position, count, reach=22.0, domain=self.torus, velocity=own.velocity,
                their_velocity=its.velocity,
            )
            for its, count in ((hunter, 1), (own, 2))
        ]  # fmt: skip
        return np.concatenate([speed, *near], axis=-1)

    def judge(self, at: At) -> tuple[Array, Array]:
        """A share of 0.1 for every action, and -10 for the one that is caught, which ends the episode."""
        way = self.torus.difference(at["hunter"].position, at[LEARNERS].position)
        caught = np.linalg.norm(way, axis=-1) < 1.0
        return 0.1 - 10.0 * caught, np.asarray(caught.any(axis=1))


class Herding(Task):
    """Two dogs bring eight sheep, which flee from them and keep together, to a fold."""

    agents: ClassVar[int] = 2
    observed: ClassVar[int] = 14
    most: ClassVar[int] = 150
    fold: ClassVar[float] = 6.0

    def places(self, rng: np.random.Generator) -> dict[str, Array]:
        """The sheep in a bunch 15 to 25 m from the fold, the dogs about 10 m behind it."""
        turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(15, 25)
        bunch = far * np.array([np.cos(turn), np.sin(turn)])
        behind = bunch * (1 + 10 / far)
        return {LEARNERS: behind + rng.uniform(-5, 5, (2, 2)), "sheep": bunch + rng.uniform(-3, 3, (8, 2))}

    def fill(self, world: World, places: dict[str, Array], steering: Any) -> None:
        """Dogs of 4 m/s, sheep of 2 m/s."""
        dogs = Vehicles(places[LEARNERS], max_speed=4.0, max_force=20.0, radius=0.3)
        sheep = Vehicles(places["sheep"], max_speed=2.0, max_force=8.0, radius=0.3)
        herd = world.add(sheep, name="sheep")
        self.add(world, dogs, steering)
        urges = Separation(radius=2.0) + 0.4 * Cohesion(radius=15.0)
        herd.steering = 2.0 * Flee(dogs, panic_distance=8.0) + 0.5 * urges

    def hand_made(self, world: World) -> Any:
        """The dogs keep near the middle of the herd, beyond it as seen from the fold, and apart."""
        return Cohesion(of=world["sheep"], radius=40.0) + 0.27 * Flee((0.0, 0.0)) + 0.5 * Separation(radius=8.0)

    def observe(self, at: At) -> Array:
        """The fold, the middle of the herd and the sheep that is farthest from the fold, the mate, and three sheep."""
        own, sheep = at[LEARNERS], at["sheep"].position
        place, forward = own.position, own.forward
        middle = sheep.mean(axis=1)[:, None]
        last = np.take_along_axis(sheep, np.argmax(np.sum(sheep**2, -1), 1)[:, None, None], 1)
        ways = [toward(place, forward, each, reach=20.0) for each in (np.zeros(2), middle, last)]
        near = [nearest(place, forward, place, 1, reach=20.0), nearest(place, forward, sheep, 3, reach=20.0)]
        return np.concatenate([*ways, *near], axis=-1)

    def judge(self, at: At) -> tuple[Array, Array]:
        """The nearer the herd to the fold the better, and 10 when all are in it, which ends the episode."""
        far = np.linalg.norm(at["sheep"].position, axis=-1)
        done = far.max(axis=1) < self.fold
        reward = -far.mean(axis=1) / 100.0 + 10.0 * done
        return np.repeat(reward[:, None], self.agents, axis=1), done


class Flock(Task):
    """Ten vehicles go the same way, fast, near each other and without touching, on a torus."""

    agents: ClassVar[int] = 10
    observed: ClassVar[int] = 18
    torus: ClassVar[Torus] = Torus((25.0, 25.0))
    mode_names: ClassVar[tuple[str, ...]] = ("separation", "alignment", "cohesion")

    def places(self, rng: np.random.Generator) -> dict[str, Array]:
        """Anywhere."""
        return {LEARNERS: rng.uniform(0, 25, (self.agents, 2))}

    def fill(self, world: World, places: dict[str, Array], steering: Any) -> None:
        """Vehicles of 3 m/s and 1 m across."""
        self.add(world, Vehicles(places[LEARNERS], max_speed=3.0, max_force=9.0, radius=0.5), steering)

    def parts(self) -> dict[str, Any]:
        """The three urges of a flock."""
        return {
            "separation": Separation(radius=3.0),
            "alignment": Alignment(radius=8.0),
            "cohesion": Cohesion(radius=8.0),
        }

    def hand_made(self, world: World) -> Any:
        """Reynolds' flock."""
        return Flocking()

    def observe(self, at: At) -> Array:
        """The own speed, how far the nearest is, and the four nearest with their velocities."""
        own = at[LEARNERS]
        others = nearest(
            own.position, own.forward, own.position, 4, reach=10.0, domain=self.torus, velocity=own.velocity,
            their_velocity=own.velocity,
        )  # fmt: skip
        speed = np.linalg.norm(own.velocity, axis=-1) / own.max_speed
        crowd = np.linalg.norm(others[..., :2], axis=-1)
        return np.concatenate([speed[..., None], crowd[..., None], others], axis=-1)

    def judge(self, at: At) -> tuple[Array, Array]:
        """Mean velocity as a part of max_speed, less the share of the others that each touches, less being alone."""
        own = at[LEARNERS]
        together = np.linalg.norm(own.velocity.mean(axis=1) / 3.0, axis=-1)
        way = self.torus.difference(own.position[:, None], own.position[:, :, None])
        distance = np.linalg.norm(way, axis=-1) + 1e3 * np.eye(self.agents)
        touched = np.sum(distance < 1.0, axis=2)
        alone = np.maximum(distance.min(axis=2) - 5.0, 0.0) / 10.0
        return together[:, None] - touched - alone, np.zeros(len(together), bool)


class Formation(Task):
    """Five vehicles keep the places of a V behind a leader that strolls about, without touching."""

    agents: ClassVar[int] = 5
    observed: ClassVar[int] = 14
    slots: ClassVar[Array] = np.array([[-2.0, 2.0], [-2.0, -2.0], [-4.0, 4.0], [-4.0, -4.0], [-4.0, 0.0]])

    def places(self, rng: np.random.Generator) -> dict[str, Array]:
        """The leader in the middle, the others around it, no two in one place."""
        turn = rng.uniform(0, 2 * np.pi) + np.arange(self.agents) * 2 * np.pi / self.agents
        ring = rng.uniform(4.0, 9.0, self.agents)[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        return {LEARNERS: ring, "leader": np.zeros((1, 2))}

    def fill(self, world: World, places: dict[str, Array], steering: Any) -> None:
        """A leader of 2 m/s, and followers of 3 m/s."""
        leader = world.add(Vehicles(places["leader"], [1.0, 0.0], max_speed=2.0, max_force=2.0), name="leader")
        self.add(world, Vehicles(places[LEARNERS], max_speed=3.0, max_force=9.0, radius=0.5), steering)
        leader.steering = Wander()

    def hand_made(self, world: World) -> Any:
        """Each goes to its place, as fast as the place moves."""
        return OffsetPursuit(world["leader"], offset=self.slots) + Separation(radius=1.0)

    def ways(self, at: At) -> Array:
        """The ways of all to their places [m], shape (n, k, 2)."""
        leader = at["leader"]
        ahead = leader.forward
        right = np.stack([ahead[..., 1], -ahead[..., 0]], axis=-1)
        slots = leader.position + self.slots[:, :1] * ahead + self.slots[:, 1:] * right
        return np.asarray(slots - at[LEARNERS].position)

    def observe(self, at: At) -> Array:
        """The way to the place, the leader's velocity and the own one, and two mates with theirs, in the own frame."""
        own, leader = at[LEARNERS], at["leader"]
        place, forward, velocity = own.position, own.forward, own.velocity
        way = toward(place, forward, place + self.ways(at), reach=10.0)
        speeds = [turned(np.broadcast_to(each, velocity.shape), forward) / 3.0 for each in (leader.velocity, velocity)]
        mates = nearest(place, forward, place, 2, reach=5.0, velocity=velocity, their_velocity=velocity)
        return np.concatenate([way, *speeds, mates], axis=-1)

    def judge(self, at: At) -> tuple[Array, Array]:
        """The nearer to the place the better, less the others that each touches."""
        place = at[LEARNERS].position
        off = np.linalg.norm(self.ways(at), axis=-1)
        way = place[:, None] - place[:, :, None]
        touched = np.sum(np.linalg.norm(way, axis=-1) + 1e3 * np.eye(self.agents) < 1.0, axis=2)
        return -np.minimum(off, 10.0) / 10.0 - 0.2 * touched, np.zeros(len(place), bool)


class Doorway(Task):
    """Eight people go through a door of 1.2 m to the other side, without touching each other or the wall."""

    agents: ClassVar[int] = 8
    observed: ClassVar[int] = 20
    most: ClassVar[int] = 120
    wall: ClassVar[Walls] = Walls([[[0, -20], [0, -0.6]], [[0, 0.6], [0, 20]]])

    def places(self, rng: np.random.Generator) -> dict[str, Array]:
        """Before the wall, no two in one place."""
        cells = rng.permutation(24)[: self.agents]
        return {
            LEARNERS: np.stack([-1.5 - cells // 6, cells % 6 - 2.5], axis=1) + rng.uniform(-0.2, 0.2, (self.agents, 2))
        }

    def fill(self, world: World, places: dict[str, Array], steering: Any) -> None:
        """People of 1.4 m/s and 0.5 m across."""
        people = Vehicles(places[LEARNERS], max_speed=1.4, max_force=6.0, radius=0.25)
        keep = AvoidObstacles(self.wall, lookahead=0.5)
        population = world.add(people, name=LEARNERS)
        population.steering = keep + (steering(world) if callable(steering) else steering)

    def hand_made(self, world: World) -> Any:
        """Seek the other side, and keep apart."""
        return Seek((3.0, 0.0)) + Separation(radius=1.0)

    def observe(self, at: At) -> Array:
        """The way to the door, or beyond it on; the own speed; five rays; the three nearest with their velocities."""
        own = at[LEARNERS]
        place, forward = own.position, own.forward
        door = np.where(place[..., :1] < 0.3, np.array([0.5, 0.0]), np.array([8.0, 0.0]))
        own_speed = np.linalg.norm(own.velocity, axis=-1, keepdims=True) / 1.4
        sight = rays(self.wall, place, forward, 5, reach=3.0)
        others = nearest(place, forward, place, 3, reach=3.0, velocity=own.velocity, their_velocity=own.velocity)
        return np.concatenate([toward(place, forward, door, reach=3.0), own_speed, sight, others], axis=-1)

    def judge(self, at: At) -> tuple[Array, Array]:
        """A share of 1 for each second beyond the door, less contacts; done when all are through."""
        own = at[LEARNERS]
        place = own.position
        through = place[..., 0] > 0.5
        way = place[:, None] - place[:, :, None]
        distance = np.linalg.norm(way, axis=-1) + 1e3 * np.eye(self.agents)
        touched = np.sum(distance < 0.5, axis=2)
        left = np.clip(-place[..., 0], 0.0, 6.0) / 60.0
        done = np.asarray(through.all(axis=1))
        return 0.1 * through - left - 0.2 * touched + 5.0 * done[:, None], done


TASKS: dict[str, type[Task]] = {
    "pursuit": Pursuit, "evasion": Evasion, "herding": Herding, "flock": Flock, "formation": Formation, "doorway": Doorway,
}  # fmt: skip
"""The ready-made tasks by name."""
