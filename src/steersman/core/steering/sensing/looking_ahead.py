"""Looking ahead: where every vehicle will be, for behaviors that ask a field or a region about it."""

from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import add_scaled, load, store
from steersman.core.steering.scene.scene import Scene
from steersman.core.typing import Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def look_ahead(i: int, vehicles: VehicleColumns, lookahead: Any, predicted: Columns) -> None:
    """The positions after the time `lookahead` [s], at the present velocity; of all vehicles, active or not."""
    store(predicted, i, add_scaled(load(vehicles.position, i), load(vehicles.velocity, i), lookahead))


def new_columns(scene: Scene) -> Columns:
    """Columns for one vector per vehicle, zero at the start."""
    return tuple(np.zeros((scene.dimensions, scene.capacity), scene.vehicles.dtype))


def look_ahead_call(scene: Scene, lookahead: float) -> tuple[Columns, Call]:
    """Columns of predicted positions [m], and the call that writes them."""
    predicted = new_columns(scene)
    return predicted, Call(look_ahead, (scene.columns, scene.number(lookahead), predicted))
