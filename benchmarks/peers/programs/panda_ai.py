"""Panda3D's AI module: characters in C++, updated by its AIWorld.

It has flocks, obstacle avoidance and path following, each by a law of its own that cannot be changed: what it calls
velocity is the force, so nothing has inertia.
"""

from typing import Any

import numpy as np

from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import Array, Work


class Characters(Running):
    """An AIWorld with nodes that have bounds, but no picture."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        from panda3d.ai import AICharacter, AIWorld, Flock
        from panda3d.core import BoundingSphere, NodePath, Point3

        p = work.numbers
        self.p = p
        self.root = NodePath("root")
        self.world = AIWorld(self.root)
        self.dt = work.dt
        step = p["max_speed"] * work.dt  # How far one goes in a step: its force.

        def node(name: str, radius: float) -> Any:
            path = self.root.attach_new_node(name)
            path.node().set_bounds(BoundingSphere(Point3(0, 0, 0), radius))
            path.node().set_final(True)
            return path

        self.nodes, self.characters = [node(f"v{k}", 0.01) for k in range(n)], []
        if work.name == "avoid":
            for k, ((x, y), radius) in enumerate(zip(p["centers"], p["radii"], strict=True)):
                rock = node(f"rock{k}", radius)
                rock.set_pos(x, y, 0)
                self.world.add_obstacle(rock)
        if work.name == "flock":
            angle = np.degrees(np.arccos(p["cohesion_cosine"]))
            weights = (p["separation_weight"], p["cohesion_weight"], p["alignment_weight"])
            self.flock = Flock(
                1, *(round(number) for number in (angle, p["cohesion_radius"], *weights))
            )  # It takes integers.
        for k, path in enumerate(self.nodes):
            character = AICharacter(f"v{k}", path, 1.0, step, step)
            self.world.add_ai_char(character)
            self.characters.append(character)
            if work.name == "flock":
                self.flock.add_ai_char(character)
        if work.name == "flock":
            self.world.add_flock(self.flock)
        self.work = work
        self.points = [(x, y, 0.0) for x, y in p.get("path", ())]
        self.started = False

    def place(self, position: Array, velocity: Array) -> None:
        for path, (x, y), (vx, vy) in zip(self.nodes, position.tolist(), velocity.tolist(), strict=True):
            path.set_pos(x, y, 0)
            path.look_at(x - vx, y - vy, 0)  # Its characters face backwards.
        if not self.started or self.work.name == "path":
            self.begin(position)
        self.started = True

    def begin(self, position: Array) -> None:
        """Turn behaviors on."""
        from panda3d.core import LVecBase3

        for character, place in zip(self.characters, position, strict=True):
            behaviors = character.get_ai_behaviors()
            if self.work.name == "flock":
                behaviors.flock(1.0)
                behaviors.wander(5, 0, 1000, 0.05)
            if self.work.name == "avoid":
                behaviors.seek(LVecBase3(*self.p["seek"], 0), 1.0)
                behaviors.obstacle_avoidance(1.0)
            if self.work.name == "path":
                near = int(((np.array(self.p["path"]) - place) ** 2).sum(axis=1).argmin())
                behaviors.remove_ai("pathfollow") if self.started else None
                ahead = [self.points[(near + 1 + k) % len(self.points)] for k in range(len(self.points))]
                behaviors.path_follow(1.0)
                for point in reversed(ahead):  # It begins with the last.
                    behaviors.add_to_path(LVecBase3(*point))
                behaviors.start_follow()

    def step(self) -> None:
        self.world.update()

    def read(self) -> tuple[Array, Array]:
        position = np.array([tuple(path.get_pos()) for path in self.nodes])[:, :2]
        velocity = np.array([tuple(character.get_velocity()) for character in self.characters])[:, :2]
        return position, velocity / self.dt

    def close(self) -> None:
        for character in self.characters:
            self.world.remove_ai_char(character.name)


class PandaAI(Peer):
    """A game engine's module."""

    name = "Panda3D AI"
    how = "its `AIWorld`, with laws of its own"
    packages = ("panda3d",)

    def __init__(self) -> None:
        self.makes: dict[str, type[Running]] = {"flock": Characters, "avoid": Characters, "path": Characters}
