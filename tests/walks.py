"""Random walks over the library, for hours: `python -m tests.walks --hours 3`.

Two worlds go the same way, one with one thread, the other with four and small blocks: vehicles come and go, trees, bodies,
domains and constraints are replaced, columns are written to, wrong inputs are refused, and one of the worlds is saved and
loaded now and then. After every operation both have the same bits; whatever a step has accepted is finite, and can be written
down as a document.
"""

import argparse
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

import steersman as sm
from steersman.core.world import section
from steersman.core.world.state_hash import state_hash

NAMES = ("a", "b")

NUMBERS = st.integers(0, 2**32 - 1)
"""Seeds of what is drawn: NumPy draws the arrays, so a walk is a short list of numbers."""

Made = Callable[[int, np.random.Generator, sm.Vehicles], Any]

HEIGHTS = np.sin(np.arange(36.0)).reshape(6, 6)


def point(d: int, rng: np.random.Generator) -> Any:
    return rng.uniform(-20, 20, d).round(2)


TREES: dict[str, Made] = {
    "nothing": lambda d, rng, other: None,
    "Wander": lambda d, rng, other: sm.Wander(),
    "Seek": lambda d, rng, other: sm.Seek(point(d, rng)),
    "Arrive + Separation": lambda d, rng, other: sm.Arrive(point(d, rng)) + 2 * sm.Separation(radius=3),
    "Flocking": lambda d, rng, other: sm.Separation(radius=3) + sm.Alignment(radius=6) + sm.Cohesion(radius=6),
    "nearest": lambda d, rng, other: sm.Separation(radius=5, k=3) + sm.Wander(),
    "Pursue": lambda d, rng, other: sm.Pursue(other),
    "Evade": lambda d, rng, other: sm.Priority([sm.Evade(other), sm.Wander()]),
    "AvoidNeighbors": lambda d, rng, other: sm.Priority([sm.AvoidNeighbors(radius=6), sm.Seek(point(d, rng))]),
    "ORCA": lambda d, rng, other: sm.ORCA(toward=sm.Seek(point(d, rng)), radius=6),
    "rocks": lambda d, rng, other: sm.Priority(
        [sm.AvoidObstacles(sm.Spheres([point(d, rng), point(d, rng)], rng.uniform(0.5, 5))), sm.Wander()]
    ),
    "path": lambda d, rng, other: sm.FollowPath(sm.Path([point(d, rng), point(d, rng), point(d, rng)])),
    "leader": lambda d, rng, other: sm.OffsetPursuit(other, offset=point(d, rng) / 10),
    "Modes": lambda d, rng, other: sm.Modes(
        {"go": sm.Wander(), "stay": sm.Arrive(point(d, rng))},
        start="go",
        transitions=[("go", "stay", sm.After(0.3)), ("stay", "go", sm.After(0.2))],
    ),
    "turning": lambda d, rng, other: sm.Seek(point(d, rng)) + sm.Face(point(d, rng)),
}
"""Steering trees by name; most replaced ones share a part with others, so memory is handed on."""

BODIES: dict[str, Made] = {
    "point mass": lambda d, rng, other: sm.PointMass(),
    "smooth": lambda d, rng, other: sm.PointMass(limits=[sm.TurnRate(2.0), sm.SmoothForce(0.2), sm.Drag(0.5)]),
    "inertia": lambda d, rng, other: sm.PointMass(limits=[sm.Asymmetric(side=0.5), sm.MomentOfInertia(0.3), sm.Gait()]),
    "free": lambda d, rng, other: sm.FreeBody(limits=[sm.Drag(0.2, angular=0.3)]),
    "wheeled or flying": lambda d, rng, other: sm.Wheeled(turning_radius=2) if d == 2 else sm.Flying(),
    "clips or field": lambda d, rng, other: (
        sm.MotionClips([sm.Clip("walk", speed=1.0), sm.Clip("left", speed=0.5, turn_rate=1.0)])
        if d == 2
        else sm.SurfaceBound(sm.Heightfield(HEIGHTS, [-20, -20], [20, 20]))
    ),
    "sphere": lambda d, rng, other: sm.SurfaceBound(sm.Sphere(np.zeros(d), 9.0)),
    "plane": lambda d, rng, other: sm.SurfaceBound(sm.Plane(np.zeros(d), [0, 0, 1][-d:])),
    "skin": lambda d, rng, other: sm.SurfaceBound(sm.Spheres([point(d, rng), point(d, rng)], 4.0)),
}

DOMAINS: dict[str, Callable[[int], Any]] = {
    "open": lambda d: sm.Open(),
    "torus": lambda d: sm.Torus([40.0, 25.0, 30.0][:d]),
    "box": lambda d: sm.Box([40.0, 50.0, 30.0][:d], origin=[-20.0, -25.0, -15.0][:d]),
}

COLUMNS = (
    "position", "velocity", "forward", "mass", "radius", "max_speed", "max_force", "response_time", "angular_velocity",
)  # fmt: skip

VALUES = (0.0, 1e-12, 1e-3, 1.0, 5.0, 100.0, 1e6, 1e14)
"""What is written into columns: whatever is allowed."""

WRONG = (np.nan, np.inf, -np.inf, -1.0)

STEPS = (1 / 60, 1 / 240, 0.05, 0.3, 1e-6, 1.0, 200.0, 1e9)
"""Time steps [s]."""


class Walks(RuleBasedStateMachine):
    """Two worlds that go the same way."""

    @initialize(number=NUMBERS)
    def begin(self, number: int) -> None:
        """Make them."""
        rng = np.random.default_rng(number)
        self.d = int(rng.choice([2, 3]))
        dtype = rng.choice([np.float32, np.float64])
        self.sizes = section.SERIAL, section.BLOCK
        section.SERIAL, section.BLOCK = 8, 16
        starts = [rng.uniform(-15, 15, (int(rng.choice([0, 1, 3, 40])), self.d)).round(3) for _ in NAMES]
        self.worlds = []
        for threads in (1, 4):
            world = sm.World(seed=number, dt=0.05, threads=threads)
            for name, start in zip(NAMES, starts, strict=True):
                world.add(sm.Vehicles(start, max_speed=3, max_force=9, dtype=dtype), name=name, steering=sm.Wander())
            self.worlds.append(world)
        self.said = ""

    def teardown(self) -> None:
        """Leave the library as it was."""
        if hasattr(self, "sizes"):
            section.SERIAL, section.BLOCK = self.sizes

    def both(self, act: Callable[[sm.World], Any], *, refused: bool = False) -> bool:
        """Do something with both worlds; whether it was taken. They give the same answer."""
        answers = []
        for world in self.worlds:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    act(world)
                answers.append("")
            except (ValueError, TypeError, KeyError, FloatingPointError) as error:
                answers.append(f"{type(error).__name__}: {error}")
        assert answers[0] == answers[1], answers
        assert not (refused and not answers[0]), "a wrong input was taken"
        one, other = self.worlds
        assert state_hash(one) == state_hash(other)
        return not answers[0]

    @rule(count=st.sampled_from([1, 1, 2, 5]))
    def step(self, count: int) -> None:
        """Make steps. What they accept is finite, and can be written down."""
        for _ in range(count):
            if not self.both(lambda world: world.step()):
                self.mend()
                return
            for name in NAMES:
                assert np.isfinite(self.worlds[0][name].block).all(), f"a step has accepted what is not finite: {name}"
        self.documented()

    def documented(self) -> None:
        """Write both down. (That brings memory in step with vehicles that have come or gone, which the hash sees.)"""
        for world in self.worlds:
            frames = [
                getattr(each.vehicles, way)
                for each in world.populations.values()
                for way in ("forward", "up")[: self.d - 1]
            ]
            try:
                sm.to_document(world)
            except sm.NoDocumentError:
                assert not all(np.allclose(np.linalg.norm(each, axis=1), 1, atol=1e-5) for each in frames)

    def mend(self) -> None:
        """A step was refused, as numbers were too large: go on from others."""

        def reset(world: sm.World) -> None:
            world.dt = 0.05
            for name in NAMES:
                vehicles = world[name]
                vehicles.position = np.clip(vehicles.position, -100, 100)
                vehicles.velocity[:] = 0
                vehicles.forward = np.eye(self.d)[0]
                for column, value in (("mass", 1.0), ("max_speed", 3.0), ("max_force", 9.0), ("angular_velocity", 0.0)):
                    getattr(vehicles, column)[:] = value

        self.both(reset)

    @rule(name=st.sampled_from(NAMES), number=NUMBERS)
    def spawn(self, name: str, number: int) -> None:
        """Let some come, sometimes under ids that were there before."""

        def act(world: sm.World) -> None:
            rng = np.random.default_rng(number)
            n = int(rng.choice([0, 1, 2, 30]))
            if len(world[name]) < 200:
                world[name].spawn(rng.uniform(-15, 15, (n, self.d)), rng.normal(size=(n, self.d)))

        assert self.both(act)

    @rule(name=st.sampled_from(NAMES), number=NUMBERS)
    def remove(self, name: str, number: int) -> None:
        """Let some go."""

        def act(world: sm.World) -> None:
            rng = np.random.default_rng(number)
            world[name].remove(rng.random(len(world[name])) < rng.choice([0.0, 0.1, 0.5, 1.0]))

        assert self.both(act)

    @rule(name=st.sampled_from(NAMES), tree=st.sampled_from(sorted(TREES)), number=NUMBERS)
    def steer(self, name: str, tree: str, number: int) -> None:
        """Replace a tree."""
        other = NAMES[1 - NAMES.index(name)]
        self.both(
            lambda world: setattr(
                world.populations[name], "steering", TREES[tree](self.d, np.random.default_rng(number), world[other])
            )
        )

    @rule(name=st.sampled_from(NAMES), body=st.sampled_from(sorted(BODIES)), number=NUMBERS)
    def embody(self, name: str, body: str, number: int) -> None:
        """Replace a body."""
        self.both(
            lambda world: setattr(
                world.populations[name], "locomotion", BODIES[body](self.d, np.random.default_rng(number), world[name])
            )
        )

    @rule(domain=st.sampled_from(sorted(DOMAINS)))
    def move_house(self, domain: str) -> None:
        """Replace the domain."""
        assert self.both(lambda world: setattr(world, "domain", DOMAINS[domain](self.d)))

    @rule(on=st.booleans())
    def constrain(self, on: bool) -> None:
        """Let vehicles overlap, or not."""
        assert self.both(lambda world: setattr(world, "constraints", [sm.ZeroOverlap()] if on else []))

    @rule(dt=st.sampled_from(STEPS))
    def hasten(self, dt: float) -> None:
        """Make steps of another length."""
        assert self.both(lambda world: setattr(world, "dt", dt))

    @rule(flowing=st.booleans())
    def flow(self, flowing: bool) -> None:
        """Let vehicles come and go by themselves."""
        flows = [sm.Spawner(20.0, [[1.0] * self.d, [4.0] * self.d]), sm.Sink(older_than=0.4)] if flowing else []
        assert self.both(lambda world: setattr(world.populations["a"], "flows", flows))

    @rule(
        name=st.sampled_from(NAMES), column=st.sampled_from(COLUMNS), value=st.sampled_from(VALUES), number=NUMBERS,
        all=st.booleans(),
    )  # fmt: skip
    def write(self, name: str, column: str, value: float, number: int, all: bool) -> None:
        """Write into a column what is allowed there."""

        def act(world: sm.World) -> None:
            vehicles = world[name]
            if len(vehicles) and not (column == "mass" and value < 1e-3):
                getattr(vehicles, column)[slice(None) if all else number % len(vehicles)] = value

        assert self.both(act)

    @rule(
        name=st.sampled_from(NAMES), column=st.sampled_from(COLUMNS), value=st.sampled_from(WRONG), number=NUMBERS
    )  # fmt: skip
    def write_wrong(self, name: str, column: str, value: float, number: int) -> None:
        """Write into a column what must not be there: the next step is refused, and all is as it was."""
        if not len(self.worlds[0][name]) or (value == -1.0 and self.worlds[0][name].__getattribute__(column).ndim > 1):
            return
        if value == -1.0 and column == "angular_velocity":
            return
        kept = {}
        for world in self.worlds:
            values = getattr(world[name], column)
            kept[world] = values.copy()
            values[number % len(values)] = value
        self.both(lambda world: world.step(), refused=True)
        for world in self.worlds:
            getattr(world[name], column)[...] = kept[world]
        self.both(lambda world: None)

    @rule(number=NUMBERS)
    def refuse(self, number: int) -> None:
        """Ask for what is refused."""
        rng = np.random.default_rng(number)
        wrong = [
            lambda world: world["a"].spawn([np.nan] * self.d),
            lambda world: world["a"].spawn([0.0] * self.d, mass=-1),
            lambda world: world["a"].spawn([0.0] * self.d, id=[-3]),
            lambda world: world["a"].remove([10**9]),
            lambda world: world["a"].remove(np.ones(10**4, bool)),
            lambda world: setattr(world.populations["a"], "steering", 3),
            lambda world: setattr(world.populations["a"], "locomotion", sm.Wander()),
            lambda world: setattr(world, "domain", sm.Torus([9.0] * (5 - self.d))) or world.step(),
            lambda world: world.step(-1.0),
            lambda world: world.step(np.nan),
            lambda world: setattr(world, "dt", 0),
            lambda world: world.run(seconds=-1),
        ]
        act = wrong[int(rng.integers(len(wrong)))]
        if act is wrong[7] and not any(len(self.worlds[0][name]) for name in NAMES):
            return
        self.both(act, refused=True)

    @precondition(lambda self: np.isfinite(self.worlds[0]["a"].block).all())
    @rule(which=st.integers(0, 1), threads=st.sampled_from([1, 2, 4]))
    def save(self, which: int, threads: int) -> None:
        """Go on from a snapshot of one of them, or with other threads."""
        for world in self.worlds:
            for name in NAMES:
                forward = world[name].forward
                forward[~forward.any(axis=1), 0] = 1.0  # A zero that was written is no direction.
                world[name].forward = forward
        self.documented()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "walk.steersman"
            try:
                self.worlds[which].save(file)
            except ValueError as error:
                if "rate must let at most" not in str(error):
                    raise
                # The last step was so long that its flows were refused. It owes them until others replace them.
                self.flow(False)
                self.worlds[which].save(file)
            before = state_hash(self.worlds[which])
            self.worlds[which].restore(file)
            assert state_hash(self.worlds[which]) == before
            loaded = sm.World.load(file, threads=threads)
        assert state_hash(loaded) == before
        self.worlds[which] = loaded

    @rule(threads=st.sampled_from([2, 3, 4]))
    def share(self, threads: int) -> None:
        """Use another number of threads."""
        self.worlds[1].threads = threads


def walk(walks: int, length: int, number: int | None = None) -> None:
    """Walk so many ways of so many operations.

    Raises:
        AssertionError: Something does not hold; the message tells the shortest way to it.
    """
    about = settings(
        max_examples=walks, stateful_step_count=length, derandomize=number is None, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink], report_multiple_bugs=False,
    )  # fmt: skip
    machine = Walks if number is None else seed(number)(type("Walks", (Walks,), {}))
    run_state_machine_as_test(machine, settings=about)


def main() -> int:
    """Walk as long as was asked for; 1 where something does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.walks", description="Walk at random over the library.")
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first hundred walks")
    parser.add_argument("--length", type=int, default=80, help="operations of a walk")
    given = parser.parse_args()
    began, number = time.monotonic(), given.seed
    while time.monotonic() - began < 3600 * given.hours:
        walk(100, given.length, number)
        number += 1
        print(f"{100 * (number - given.seed)} walks of {given.length}, {(time.monotonic() - began) / 60:.0f} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
