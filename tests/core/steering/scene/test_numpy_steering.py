"""Behaviors written in NumPy."""

import numpy as np
import pytest

import steersman as sm


def test_a_behavior_that_has_failed_is_asked_anew_about_those_that_are_asked_then():
    class Failing(sm.Behavior):
        def init(self, vehicles):
            return {"asked": np.zeros(len(vehicles))}

        def steer(self, scene, memory, out):
            if fails:
                raise RuntimeError("it fails")
            memory["asked"] += 1

    fails, on = True, np.ones(3, bool)
    vehicles = sm.Vehicles(np.zeros((3, 2)), max_speed=1, max_force=1)
    controller = sm.Controller(vehicles, sm.Switch(Failing(), on=lambda vehicles: on))
    with pytest.raises(RuntimeError, match="it fails"):
        controller.steer(0.1)
    fails, on = False, np.zeros(3, bool)
    controller.steer(0.1)
    assert controller.memory("Failing")["asked"].tolist() == [0, 0, 0]
    on = np.array([True, False, True])
    controller.steer(0.1)
    assert controller.memory("Failing")["asked"].tolist() == [1, 0, 1]
