"""FlowFunction: a flow field from a function."""

from collections.abc import Callable
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.fields.registry import flow_field
from steersman.core.kernels.call import Call
from steersman.core.parameters.kinds import FUNCTION, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns

FLOW = Kind("function", "a function of points (n, d)", base=Callable, like=FUNCTION)


@final
@flow_field
class FlowFunction(FlowField):
    """A field that a function computes, for all points at once.

        whirl = sm.FlowField.function(lambda points: np.stack([-points[:, 1], points[:, 0]], axis=1))

    On a torus it is asked about the points' places in the torus, so it need not be periodic.

    Args:
        flow: Called with points [m], shape (n, d); returns velocities [m/s], shape (n, d). It must not change the
            points, and return the same for the same points.
    """

    flow: Callable[[Array], Any] = parameter(kind=FLOW, positional=True)

    @property
    def dimensions(self) -> None:
        """None: a function may take points of any dimensions."""

    def flow_calls(self, points: Columns, domain: Domain, flow: Columns) -> list[Call]:
        """One call of the function, after one that brings the points into the torus."""
        here = tuple(np.zeros((len(points), len(points[0])), points[0].dtype))
        bring = domain.image_call(points, here)
        return [bring, Call(_Ask(self.flow, here, flow), whole=True)]


class _Ask:
    """Asks the function for all points."""

    def __init__(self, function: Callable[[Array], Any], points: Columns, flow: Columns) -> None:
        self.function, self.points, self.flow = function, points, flow

    def __call__(self) -> None:
        points = np.stack(self.points, axis=1)
        velocities = np.asarray(self.function(points))
        if velocities.shape != points.shape:
            name = getattr(self.function, "__name__", repr(self.function))
            raise ValueError(f"{name} must return velocities of shape {points.shape}, got {velocities.shape}")
        for k, column in enumerate(self.flow):
            column[...] = velocities[:, k]
