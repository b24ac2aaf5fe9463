"""FollowFlow: move with a flow field.

    predicted = position + lookahead * velocity
    force     = m (flow(predicted) - velocity) / response_time

Reynolds 1999, "Flow field following" (Figure 11): the flow at the future position is the desired velocity.
"""

from typing import Any

from steersman.core.environment.fields.flow_field import FLOW_FIELD
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import ScaledArrow
from steersman.core.maths.vectors import ONE, ZERO, load, truncate, with_length
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.on_plan import as_drawn
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.sensing.looking_ahead import look_ahead_call, new_columns
from steersman.core.steering.tree.forces import Out, deposit, match
from steersman.core.typing import Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

FIELD, MAX, NUMBER = 0.0, 1.0, 2.0
SPEEDS = {"field": FIELD, "max": MAX}


@row_kernel
def follow_flow(i: int, vehicles: VehicleColumns, flow: Columns, go: Any, clock: Clock, out: Out) -> None:
    """Match the flow."""
    desired, top = load(flow, i), vehicles.max_speed[i]
    if go.kind == ZERO:
        desired = truncate(desired, top)
    elif go.kind == ONE:
        desired = with_length(desired, top)
    else:
        desired = with_length(desired, go.speed)
    force = match(desired, load(vehicles.velocity, i), vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
    deposit(out, i, force, vehicles.max_force[i], True)


@registered
class FollowFlow(Behavior):
    """Take on the velocity of a flow field at the place where the vehicle is about to be.

    Where nothing flows it stops. It claims every vehicle; combine a field that ends somewhere with other parts by
    weights.

    Args:
        field: A FlowField. One of 2 dimensions flows under vehicles on a surface in 3D along x and y.
        lookahead: How far to look ahead [s], as time at the present velocity. Raising it turns earlier, and cuts bends.
        speed: How fast to go: "field" (the speed of the flow, as far as the vehicle can go it), "max", or a number
            [m/s], for fields that say the direction only. Raising it goes faster.
    """

    field: Any = parameter(kind=FLOW_FIELD, positional=True)
    lookahead: float = parameter(0.5, low=0.0, unit="s")
    speed: float | str = parameter("field", choices=("field", "max"), low=0.0, unit="m/s")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """Predict, sample, match."""
        scene, out, calls = as_drawn("field", self.field.dimensions, scene, out)
        flow = new_columns(scene)
        scene.show(flow=flow)
        predicted, call = look_ahead_call(scene, self.lookahead)
        kind, speed = (SPEEDS[self.speed], 0.0) if isinstance(self.speed, str) else (NUMBER, self.speed)
        go = scene.own(kind=kind, speed=speed)
        arguments = (scene.columns, flow, go, scene.clock, out)
        return [*calls, call, *self.field.flow_calls(predicted, scene.domain, flow), Call(follow_flow, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """Where it will be, and how it flows there."""
        context = context.on_plan(self.field.dimensions)
        future = context.ahead(self.lookahead)
        yield from context.own_future(future)
        yield ScaledArrow(future, context.shown["flow"], role="target", label="flow")
