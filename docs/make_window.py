"""Writes pictures with a browser: window.png for the page on watching, and flock.webp, which moves, for the README.

Needs Chromium, with the options that `tests/studio/viewer/conftest.py` starts it with: `python docs/make_window.py`.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.replay import replay
from steersman.studio.viewer.requests import Request
from steersman.studio.viewer.view import View, view

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent / "tests" / "studio" / "viewer"), str(DOCS.parent / "tests")]
FRAMES, START, STEP = 60, 9.0, 1 / 15
"""Frames of the animation, the time of the first [s], and the time between two [s]."""

TRAIL = 60
"""Steps that the window shows before its picture is taken."""

CLOSE = """() => {
    const {camera, canvas, layers, scene} = steersman;
    layers.grid = false;
    camera.scale = canvas.clientWidth / (scene.high[0] - scene.low[0]);
    camera.touched = true;
}"""
"""The world as wide as the picture."""


def wish(shown: View, **message: Any) -> None:
    """Have the simulation of a window do something, as its page would."""
    shown._simulation.requests.put(Request(message, print))


def window(browser: Any) -> None:
    """A picture of the window with one sheep explained."""
    scenario = SCENARIOS["sheep"]
    stage = scenario.stage()
    steps, ids = round(stage.picture.opens / stage.world.dt), stage.picture.sketch["sheep"]
    stage.world.run(steps=steps - TRAIL)
    shown = view(stage, browser=False, remake=scenario.stage, name=scenario.name)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(shown.url)
    page.wait_for_function("() => window.steersman && steersman.after")
    wish(shown, do="select", population="sheep", id=ids[0])
    for _ in range(TRAIL):
        wish(shown, do="step")
    page.wait_for_function(f"() => steersman.after.steps === {steps}")
    page.get_by_role("button", name="Come near").click()
    page.wait_for_timeout(2500)
    page.screenshot(path=DOCS / "window.png")
    shown.close()


def animation(browser: Any, folder: Path) -> None:
    """A flock that moves."""
    file = replay(SCENARIOS["flocking"].stage(n=400), folder / "flock.html", seconds=START + FRAMES * STEP + 0.5)
    page = browser.new_page(viewport={"width": 760, "height": 560})
    page.goto(file.as_uri())
    page.wait_for_function("() => window.steersman && steersman.after")
    page.click("button.play")
    page.evaluate(CLOSE)
    pictures = []
    for k in range(FRAMES):
        page.locator("#timeline").fill(str(START + k * STEP))
        page.wait_for_function("() => !steersman.dirty")
        shot = page.locator("#view").screenshot()
        pictures.append(Image.open(io.BytesIO(shot)).convert("RGB"))
    first, *others = pictures
    first.save(
        DOCS / "flock.webp",
        save_all=True,
        append_images=others,
        duration=round(1000 * STEP),
        loop=0,
        quality=60,
        method=4,
    )


def main() -> None:
    """Write both."""
    from conftest import ARGUMENTS

    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        window(browser)
        animation(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
