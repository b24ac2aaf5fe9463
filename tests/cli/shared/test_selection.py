"""Vehicles that are named on the command line, in several words."""

import numpy as np

import steersman as sm
from steersman.cli.shared.selection import selection_of
from steersman.runs.documents.builder import set_stage


def test_ids_of_several_words_come_together():
    """By their populations; without a name, those of the first."""
    populations = [
        {"name": name, "n": 9, "spawn": {"shape": "disc", "radius": 3}, "steering": {"behavior": "Seek", "target": [0, 0]}}
        for name in ("ants", "bees")
    ]  # fmt: skip
    stage = set_stage({"populations": populations})
    assert isinstance(stage.world, sm.World)
    found = selection_of(stage, ["1,3", "bees:0", "ants:4", "bees:7,8", "2"])
    assert found == {"ants": [1, 3, 4, 2], "bees": [0, 7, 8]}
    assert np.isin(found["bees"], stage.world["bees"].id).all()
