"""Pipeline: goals are set, broken down, checked against constraints, and only then turned into a force.

    targeters    set the goals
    decomposers  set the next goals on the way there
    constraints  suggest other goals where the way violates one (in some rounds)
    actuator     makes the way, and the force to go it
    fallback     steers the vehicles for which no way was found

Forces that are blended may cancel; goals are negotiated before there are forces, so the result is one way that keeps
all constraints. Named in the game AI lecture ("pipelining", after Millington); the library follows their published
description in general terms.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Cross, Line
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import STEERING, Behavior
from steersman.core.steering.combining.goals import Goals
from steersman.core.steering.combining.stages import (
    ACTUATOR,
    CONSTRAINTS,
    DECOMPOSERS,
    TARGETERS,
    Actuator,
    Constraint,
    Decomposer,
    Straight,
    Targeter,
)
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.numpy_steering import block_of
from steersman.core.steering.scene.scene import LIBRARY, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory


@row_kernel(some=True)
def copy_any_active(i: int, part_active: Array) -> Any:
    """Note whether any vehicle is asked."""
    return part_active[i]


@registered
class Pipeline(Behavior):
    """Go for one goal that keeps all constraints.

    Written in NumPy: a step takes some tens of microseconds for one vehicle, and less than that for each of many.

    Args:
        targeters: The stages that set goals: a Targeter such as Toward(target), or several. Each sets the channels of
            the goal that the stages before it left free.
        decomposers: The stages that set intermediate goals: Decomposers, such as AlongPath(path), each asked for the
            goal that the one before it gave.
        constraints: The conditions that a way must keep: Constraints, such as KeepClear(obstacles).
        actuator: The stage that knows how the vehicle moves. Default: Straight(), which arrives.
        fallback: Behavior that steers where no way was found. Default: they brake.
        rounds: How many times other goals are tried, at most. Raising it finds ways through more obstacles.
    """

    targeters: Sequence[Targeter] = parameter(kind=TARGETERS, positional=True)
    decomposers: Sequence[Decomposer] = parameter((), kind=DECOMPOSERS)
    constraints: Sequence[Constraint] = parameter((), kind=CONSTRAINTS)
    actuator: Actuator = parameter(Straight(), kind=ACTUATOR)
    fallback: Behavior | None = parameter(None, kind=STEERING, optional=True)
    rounds: int = parameter(4, kind=INTEGER, low=1)

    def validate(self) -> None:
        """Check that there is a targeter."""
        if not self.targeters:
            raise ValueError("targeters must be at least one, got none")

    def parts(self) -> tuple[Behavior, ...]:
        """The fallback."""
        return () if self.fallback is None else (self.fallback,)

    def defers(self, index: int) -> bool:
        """Always: the only part, the fallback, is asked where no goal is left."""
        return True

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The negotiation for all vehicles at once; then the fallback for the vehicles that it left."""
        (part_active, pass_call), stuck = scene.pass_on(out.active), np.zeros(scene.capacity, np.uint8)
        result = scene.scratch(part_active)
        calls = [
            pass_call,
            scene.clear_call(result),
            Call(_Negotiation(self, scene, result, stuck), whole=True, fits=True),
        ]
        calls.append(scene.hand_up_call(result, out))
        if self.fallback is None:
            return calls
        some = flags_of(stuck)
        calls.append(Call(copy_any_active, (stuck, some)))
        calls += scene.look_calls([(scene.node.children[0], stuck)])
        return [*calls, *gated(some, scene.part(0, out._replace(active=stuck)))]

    def plan(self, scene: Scene) -> tuple[Array, Goals, Array]:
        """The ways to go (n, m, d), the goals they lead to, and the vehicles without a way, shape (n,), bool."""
        goals = Goals.none(len(scene.vehicles), scene.vehicles.dimensions)
        for targeter in self.targeters:
            goals = goals.filled(targeter.goals(scene))
        for decomposer in self.decomposers:
            goals = decomposer.decompose(scene, goals)
        path = self.actuator.path(scene, goals)
        violated = np.zeros(len(scene.vehicles), bool)
        for attempt in range(self.rounds + 1 if self.constraints else 0):
            distance = np.stack([constraint.violation(scene, path) for constraint in self.constraints])
            first, violated = np.argmin(distance, axis=0), np.isfinite(distance.min(axis=0)) & goals.any
            if attempt == self.rounds or not violated.any():
                break
            for k, constraint in enumerate(self.constraints):
                concerned = violated & (first == k)
                if concerned.any():
                    goals = goals.replaced(concerned, constraint.suggest(scene, path, goals))
            path = self.actuator.path(scene, goals)
        return path, goals, violated

    def sketch(self, context: SketchContext) -> Shapes:
        """The goal, and the way that was found there."""
        path, goals, _ = self.plan(context.scene)
        way = context.position[:, None] + path[context.rows]
        yield Line(way, role="predicted", means="planned way")
        there = goals.has_position[context.rows][:, None]
        yield Cross(np.where(there, context.image(goals.position[context.rows]), np.nan))


class _Negotiation:
    """Runs the stages, and puts the force where a way was found."""

    def __init__(self, pipeline: Pipeline, scene: Scene, result: Out, stuck: Array) -> None:
        self.pipeline, self.scene, self.result, self.stuck = pipeline, replace(scene, shown=True), result, stuck
        self.block = block_of(result.linear)

    def rehearse(self) -> None:
        """Compile the functions that stages of this library call: they are not known from parameters alone."""
        pipeline = self.pipeline
        stages = (*pipeline.targeters, *pipeline.decomposers, *pipeline.constraints, pipeline.actuator)
        if len(self.scene.vehicles) and all(type(each).__module__.startswith(f"{LIBRARY}.") for each in stages):
            pipeline.plan(self.scene)

    def __call__(self) -> None:
        n = len(self.scene.vehicles)
        active = self.result.active[:n] != 0
        self.result.active[:] = 0
        self.stuck[:n] = 0
        if not active.any():
            return
        path, goals, violated = self.pipeline.plan(self.scene)
        force = self.pipeline.actuator.steer(self.scene, path, goals)
        lost = active & violated
        if self.pipeline.fallback is None:
            vehicles = self.scene.vehicles
            tau = np.where(vehicles.response_time > 0, vehicles.response_time, self.scene.dt)
            force = np.where(lost[:, None], -vehicles.velocity * (vehicles.mass / tau)[:, None], force)
            solved = active & goals.any
        else:
            self.stuck[:n] = lost
            solved = active & goals.any & ~lost
        self.block[:, :n] = np.where(solved[:, None], force, 0).T
        self.result.acts[:n] = solved
