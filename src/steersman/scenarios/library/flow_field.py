"""Flow field: leaves drift down a river that was painted. Reynolds 1999, "Flow field following".

The picture is `data/river.png`: color is direction, and strength of color is speed. `draw` made it.
"""

from pathlib import Path
from typing import Any

import numpy as np

from steersman.environment.fields.flow_field import FlowField
from steersman.geometry.vectors import Array
from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

PICTURE = Path(__file__).parent.parent / "data" / "river.png"
"""The painted river."""

SIZE, SPEED = (120.0, 80.0), 8.0
"""Width and height of the picture [m], and the speed of a full color [m/s]."""


def river(points: Array) -> Array:
    """The velocities [m/s] that the picture shows: round and round along an oval, and back to it from both sides."""
    x, y = (points[:, 0] - 60) / 40, (points[:, 1] - 40) / 26
    ring = np.hypot(x, y) + 1e-9
    along = np.stack([-y * 40, x * 26], axis=1) / (ring * np.hypot(40, 26))[:, None]
    back = np.stack([x * 40, y * 26], axis=1) * ((1 - ring) / ring)[:, None] / 12
    flow = along / np.linalg.norm(along, axis=1, keepdims=True) + back
    speed = SPEED * (0.75 + 0.2 * np.sin(2 * np.arctan2(y, x)))
    return np.asarray(flow / np.linalg.norm(flow, axis=1, keepdims=True) * speed[:, None])


def draw() -> Array:
    """The pixels of the picture, 60 x 40, from the function above."""
    return FlowField.function(river).paint([0, 0], SIZE, max_speed=SPEED, pixels=(60, 40))


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n leaves anywhere on the water."""
    current = {"name": "river", "kind": "image", "image": str(PICTURE), "low": [0.0, 0.0], "high": list(SIZE)}
    return {
        "seconds": 24.0,
        "domain": {"kind": "box", "size": list(SIZE)},
        "picture": {"trails": 3.0},
        "fields": [{**current, "max_speed": SPEED}],
        "populations": [
            {
                "name": "leaves",
                "n": n,
                "color": "green",
                "spawn": {"shape": "box"},
                "max_speed": 10.0,
                "max_force": 30.0,
                "radius": 0.6,
                "metrics": ["milling", "mean_speed"],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"weight": 1.0, "behavior": "FollowFlow", "field": "river", "lookahead": 0.3},
                        {"weight": 0.4, "behavior": "Separation", "radius": 4.0},
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """All drift round one way, with the water, in the bed of the river."""
    meters, problems, leaves = meters_of(world), [], world["leaves"]
    position = leaves.position.astype(np.float64)
    flow = river(position)
    rate = np.linalg.norm(leaves.velocity - flow, axis=1).mean() / SPEED
    bed = np.hypot((position[:, 0] - 60) / 40, (position[:, 1] - 40) / 26)
    if not meters["leaves.milling"].now > 0.8:
        problems.append(f"they must all go round one way, but their milling is {meters['leaves.milling'].now:.2f}")
    if not rate < 0.25:
        problems.append(f"they must move as the water does, but differ from it by {100 * rate:.0f} % of its speed")
    if not np.abs(bed - 1).mean() < 0.2:
        problems.append(f"they must be in the bed of the river, but are off it by {np.abs(bed - 1).mean():.2f} radii")
    return problems


SCENARIO = OldScenario(
    name="flow_field",
    shows="Leaves drift down a river that an artist has painted.",
    tags=("individual", "field", "Reynolds 1999"),
    dimensions=2,
    n=120,
    document=document,
    check=check,
    quick=40,
)
