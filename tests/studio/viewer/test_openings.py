"""Scenarios open in the window at moments at which the explained vehicle is seen to steer, and its sentence says so.

What it has as its cause is drawn, and each mark has a word that says what it is. Twenty of them; with STEERSMAN_ALL all.
"""

import json
import re

import numpy as np
import pytest
from sampling import drawn
from studio.viewer.node import said

from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.explanations import sketch_of, whys_of
from steersman.studio.viewer.simulation import first_of

LEAST = 0.08
"""Of the limit of a vehicle: the least force that is an arrow, and not a stub."""

WATCHED = 0.3
"""For how long an opening is looked at [s]: nobody sees a single step."""

UNSEEN = {"one_turning": "a function, of which nothing is known but its force"}
"""Scenarios of which nothing but arrows is drawn, and why."""

EMPTY = {"construction", "reacts to this", "how far it looks", "where not to be", "neighbors and obstacles that count"}
"""Words that say of a mark what its color means, and not what it is."""


@pytest.mark.parametrize("name", drawn(list(SCENARIOS), 10, "openings"))
def test_a_scenario_opens_where_its_vehicle_steers(name):
    stage = SCENARIOS[name].stage()
    chosen = first_of(stage)
    assert chosen is not None
    population, vehicle = chosen
    while stage.world.time < stage.picture.opens - 1e-6:
        stage.world.step()
    until, shares, sentences, marks, story, tale = stage.world.time + WATCHED, [], [], {}, {}, 0
    while stage.world.time < until:
        (told,) = whys_of(stage.world, population, [vehicle], 50.0, stage.named)
        (row,) = stage.world[population].rows([vehicle])
        forward = stage.world[population].forward[row].tolist()
        shares.append(np.linalg.norm(told["force"]) / told["full"])
        sentences.append(f"reason.reasonOf({json.dumps(told)}, {forward})")
        if not marks and shares[-1] > LEAST:
            marks, story, tale = (
                sketch_of(stage.world, population, vehicle, 50.0, stage.named),
                told,
                len(sentences) - 1,
            )
        stage.world.step()
    assert max(shares) > LEAST, shares
    tales = said(f"[{', '.join(sentences)}]")
    assert any(not each.startswith("It goes straight on") and "rests" not in each for each in tales), tales
    named = said(f"acting.decider({json.dumps(story)})")
    purpose = named["purpose"] or f"as {named['label']} says"
    ends = r"(, facing [^,.]+)?(, but is at its top speed|, at its top speed)?\."
    assert re.search(f"{re.escape(purpose)}{ends}$", tales[tale]), (tales[tale], purpose)
    drawn_marks = [each for each in (*marks["near"], *marks["elements"]) if each["of"] == named["key"]]
    assert drawn_marks or name in UNSEEN, f"nothing is drawn of {named['label']}"
    for each in drawn_marks:
        assert each["says"], each
        assert not EMPTY & {each["says"], *each.get("words", ())}, each
