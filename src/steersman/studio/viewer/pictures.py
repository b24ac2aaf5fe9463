"""Small pictures of the built-in scenarios, for the gallery; each is drawn once, when it is first shown."""

import functools
import threading

from steersman.drawing.draw import as_png
from steersman.drawing.trails import Trails
from steersman.gallery.registry import SCENARIOS

MOST = 300
"""Largest number of vehicles in a picture."""

SECONDS = 3.0
"""Latest time of a run at which a picture is taken [s]."""

DPI = 60

_one_at_a_time = threading.Lock()


@functools.cache
def picture_of(name: str) -> bytes | None:
    """The picture of a scenario as a PNG; None for other names."""
    scenario = SCENARIOS.get(name)
    if scenario is None:
        return None
    with _one_at_a_time:
        stage = scenario.stage(n=max(scenario.least, min(scenario.n, MOST)))
        trails = Trails(stage.world, stage.picture.trails)
        stage.world.run(seconds=min(SECONDS, 0.25 * stage.seconds))
        return as_png(stage, dpi=DPI, trails=trails, title="", caption="", time=None)
