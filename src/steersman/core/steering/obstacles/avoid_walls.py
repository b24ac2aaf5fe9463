"""AvoidWalls: be pushed off walls by as much as a feeler reaches into them.

    force = strength * (reach - distance) * normal        of the feeler with the nearest hit

Game AI lecture, "Wall Avoidance": three feelers, the closest intersection, a force perpendicular to the wall with a magnitude
equal to the penetration depth.
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Arrow, Cross, Line
from steersman.core.maths.vectors import INFINITE, ZERO, load, scale
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.sensing.feelers import Touch, fan, feel_calls, feeler_lines
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def avoid_walls(i: int, vehicles: VehicleColumns, touch: Touch, numbers: Any, out: Out) -> None:
    """Push along the normal; claim the vehicle where a feeler touches a wall."""
    if touch.distance[i] < INFINITE:
        strength = numbers.strength
        if strength < ZERO:
            strength = vehicles.max_force[i] / numbers.reach
        depth = numbers.reach - touch.distance[i]
        deposit(out, i, scale(load(touch.normal, i), strength * depth), vehicles.max_force[i], True)


@registered
class AvoidWalls(Behavior):
    """Feel walls with a few rays, and be pushed off along their normal.

    Args:
        walls: The walls to keep clear of: a set of obstacles, or a list of several.
        feelers: How many feelers: 3 are ahead, right and left; 1 ahead; 2 parallel, along either flank; in 3D also 5, up and
            down too. Raising it notices walls beside the way, and costs more.
        reach: Length of the feelers [m]. Raising it turns earlier.
        spread: Full angle between the feelers to the right and to the left [rad]. Raising it feels more to the sides.
        strength: Push per meter of a feeler inside of a wall [N/m]. Raising it turns harder. Default: max_force /
            length of the feeler.
    """

    walls: Any = parameter(kind=OBSTACLES, positional=True)
    feelers: int = parameter(3, kind=INTEGER, low=1, high=5)
    reach: float = parameter(4.0, above=0.0, unit="m")
    spread: float = parameter(math.pi / 2, low=0.0, high=2 * math.pi, unit="rad")
    strength: float | None = parameter(None, low=0.0, unit="N/m", optional=True)

    def validate(self) -> None:
        """Check that there are such feelers."""
        fan(self.feelers, self.spread, 3, "feelers")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after the calls that find which walls the feelers touch."""
        check_dimensions(self.walls, scene.vehicles.dimensions, "walls")
        feelers = fan(self.feelers, self.spread, scene.vehicles.dimensions, "feelers")
        touch, calls = feel_calls(scene, self.walls, feelers, scene.number(self.reach), out.active, nearest=True)
        scene.show(**touch._asdict())
        numbers = scene.own("strength", "reach")
        return [*calls, Call(avoid_walls, (scene.columns, touch, numbers, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The feelers, their hits, and the wall's normal there, as long as the feeler is within the wall."""
        depth = self.reach - context.shown["distance"]
        hit = np.where(np.isfinite(depth)[:, None], context.position + context.shown["way"], np.nan)
        for line in feeler_lines(
            context, fan(self.feelers, self.spread, context.position.shape[1], "feelers"), self.reach
        ):
            yield Line(line, role="range", label="feelers")
        yield Cross(hit, role="chosen")
        yield Arrow(
            hit,
            hit + context.shown["normal"] * np.where(np.isfinite(depth), depth, 0)[:, None],
            means="push of the wall",
        )
