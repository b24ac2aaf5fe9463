"""Sets of obstacles of all kinds, for the tests that every kind must pass."""

import numpy as np
from contract.families import own, with_own

import steersman as sm
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet

RNG = np.random.default_rng(9)
BALL = sm.TriangleMesh(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]],
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
)
KINDS: dict[str, ObstacleSet] = with_own("OBSTACLES", {
    "circles": sm.Spheres(RNG.uniform(0, 20, (9, 2))),
    "spheres": sm.Spheres(RNG.uniform(0, 20, (9, 3)), seen_from="both"),
    "rectangles": sm.Boxes(RNG.uniform(0, 20, (9, 2)), 1.0, 0.3),
    "boxes": sm.Boxes(RNG.uniform(0, 20, (9, 3)), 1.0),
    "flat capsules": sm.Capsules(RNG.uniform(0, 20, (9, 2)), RNG.uniform(0, 20, (9, 2)), 0.5),
    "capsules": sm.Capsules(RNG.uniform(0, 20, (9, 3)), RNG.uniform(0, 20, (9, 3)), 0.5),
    "walls": sm.Walls(RNG.uniform(0, 20, (9, 2))),
    "mesh": BALL,
})  # fmt: skip
"""Every kind of obstacles by a name; a test file of a kind adds its own."""

for each in own("OBSTACLES"):
    NAME = each.__name__.removeprefix("contract_of_test_")
    OTHERS = [name for name in each.OBSTACLES if NAME not in name]
    assert not OTHERS, (
        f"{OTHERS} of test_{NAME}.py must contain {NAME!r}, as {NAME + ' in space'!r}: `-k {NAME}` tries them"
    )
