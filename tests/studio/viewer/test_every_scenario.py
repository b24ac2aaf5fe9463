"""Scenarios in a real browser, as a visitor opens them: they play, and are seen on light and dark paper, wide and on a phone.

Some of them; with STEERSMAN_ALL all of them, also with an empty folder of kernels, as on a machine that is new to the
library.
"""

import os
import subprocess
import sys

import numpy as np
import pytest
from patience import PATIENCE
from sampling import EVERYTHING, drawn
from studio.viewer.test_browser import differing

from steersman.core.kernels.cache import FOLDER
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.tabs import simulation_at
from steersman.studio.viewer.view import serve

SIZES = {"desktop": (1280, 720), "phone": (390, 844)}
PARTS = {"desktop": 0.75, "phone": 0.65}
"""Least part of the height that the picture has."""


def flocking(address):
    """What an address without a scenario opens."""
    return simulation_at(address, SCENARIOS["flocking"].stage, "flocking")


@pytest.fixture(scope="module", params=["cold", "warm"] if EVERYTHING else ["warm"])
def address(request, tmp_path_factory):
    """Where scenarios can be opened: a function of their names. Cold, the command serves them, with no kernel kept."""

    def opened(url):
        page, _, token = url.partition("?")
        return lambda name: f"{page.replace('/gallery', '/')}?scene={name}&{token}"

    if request.param == "warm":
        shown = serve(flocking)
        yield opened(shown.url)
        shown.close()
        return
    environment = {**os.environ, FOLDER: str(tmp_path_factory.mktemp("kernels"))}
    command = [sys.executable, "-m", "steersman", "view", "--no-browser"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        yield opened(process.stdout.readline().split()[-1])
        process.kill()


@pytest.mark.parametrize("name", drawn(SCENARIOS, 3, "opened in a browser"))
def test_a_scenario_plays_and_is_seen_on_each_paper_and_screen(page, address, name, monkeypatch):
    scenario = SCENARIOS[name]
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.1)
    page.page.goto(address(name))
    later = scenario.stage().picture.opens + 0.1  # It rests where it opens, and plays on.
    page.until(f"stage.after && stage.after.time > {later} && stage.painted > 1", timeout=3000 * PATIENCE)
    page.page.get_by_role("button", name="Pause", exact=True).click()
    page.shows("button.play", "Play")
    assert page.page.locator("h1").text_content() == name.replace("_", " ")
    assert page.page.locator("header p").text_content() == scenario.shows
    assert page.page.locator("#notice").is_hidden(), page.page.locator("#notice").text_content()
    assert page.page.get_by_role("button", name="Save scenario").is_enabled()
    there = page.stage("Object.entries(stage.after.populations).filter(([, { n }]) => n).map(([name]) => name)")
    assert set(there) <= set(
        page.page.locator("#legend [data-name]").evaluate_all("all => all.map((a) => a.dataset.name)")
    )
    for screen, (width, height) in SIZES.items():
        page.page.set_viewport_size({"width": width, "height": height})
        sheet = page.page.locator("#view").bounding_box()
        assert sheet["height"] >= PARTS[screen] * height, screen
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width, screen
        for paper in ("light", "dark"):
            page.page.emulate_media(color_scheme=paper)
            page.until(f"stage.painter.dark === {str(paper == 'dark').lower()}")
            page.settled()
            picture = page.picture()
            assert (np.median(picture) > 0.5) == (paper == "light"), (screen, paper)
            page.stage("[(stage.layers.vehicles = false), (stage.dirty = true)]")
            page.settled()
            assert differing(picture, page.picture()) > 20, f"no vehicle is seen: {screen}, {paper}"
            page.stage("[(stage.layers.vehicles = true), (stage.dirty = true)]")
