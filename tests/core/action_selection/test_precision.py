"""Float32 kernels of conditions compute nothing in float64 but time."""

import numpy as np
from precision import assert_single_precision

import steersman as sm
from steersman.core.action_selection import arrived, chance, near, sees
from steersman.core.action_selection.condition import Truth
from steersman.core.kernels.numbers import numbers_of
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.targets.target import Mark

VEHICLES = sm.Vehicles([[0.0, 0.0], [3.0, 4.0]], max_speed=1, max_force=1)
BODY = VEHICLES.columns
WRAP = sm.Open().wrap(2, np.float32)
TWO = np.ones(2, np.float32)
MARK = Mark(BODY.position, np.zeros(2, np.int64))
TRUTH = Truth(np.zeros(2, np.uint8), np.ones(2, np.uint8), np.zeros(2))
BYTES = np.zeros(2, np.uint8)
ROW = np.uint64(0)


def test_near_and_arrived():
    assert_single_precision(near.near_mark, ROW, ROW, BODY, MARK, WRAP, near.NearNumbers(*TWO), BYTES)
    assert_single_precision(near.near_some, ROW, ROW, TWO, TWO, BYTES)
    assert_single_precision(
        arrived.arrived, ROW, ROW, BODY, MARK, WRAP, numbers_of(None, np.float32, distance=1, speed=1), TRUTH
    )


def test_sees():
    picks = np.zeros((2, 1), np.int32)
    numbers = numbers_of(None, np.float32, range=1, cosine=1)
    assert_single_precision(sees.look_at_mark, ROW, ROW, BODY, MARK, WRAP, numbers, TRUTH.active, picks)


def test_chance():
    key = np.zeros(2, np.uint32)
    assert_single_precision(chance.chance, ROW, ROW, BODY.id, TWO, TWO[0], key, Clock.new(np.float32), TRUTH)
