"""Writes the pictures of the window's gallery: one of each scenario for light and dark pages, and some that move.

Needs Chromium, as `docs/make_window.py` does: `python docs/make_cards.py [NAME ...]`.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

import steersman.studio.viewer
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.page_files import MOVING
from steersman.studio.viewer.replay import replay
from steersman.studio.viewer.simulation import first_of

FOLDER = Path(steersman.studio.viewer.__file__).parent / "page" / "pictures"
SIZE, FILE = (480, 360), (320, 240)
"""Size of the picture in the browser and in the file [pixels]."""

SECONDS, SHARE, MOST = 8.0, 0.3, 300
"""Latest time of a run at which a picture is taken [s], the part of its usual time, and the largest number of vehicles."""

FRAMES, STEP = 36, 1 / 12
"""Frames of a moving picture, and the time between two [s]."""

BARE = """() => {
    const spare = document.querySelectorAll("header, footer, aside, #strip, #labels, #time");
    spare.forEach((each) => (each.style.display = "none"));
    Object.assign(document.querySelector("#view").style, { position: "fixed", inset: 0, height: "100vh" });
    const {camera, scene, layers} = steersman;
    if (scene.dimensions === 2 && scene.period.every((each) => each > 0)) {
        camera.scale = Math.max(...[480, 360].map((size, k) => size / (scene.high[k] - scene.low[k])));
        camera.touched = true;
    }
    layers.grid = false;
    steersman.dirty = true;
}"""


CLOSE = {"formation": 48.0, "interpose": 30.0, "wander_chase_evade": 100.0}
"""Scenarios whose picture is close to one vehicle, and how wide it is [m]: all of the others is seen."""

NEAR = """([population, id, wide]) => {
    const {camera} = steersman;
    camera.near(wide);
    camera.follow(steersman.placeOf({population, id}));
    steersman.dirty = true;
}"""


def shots(page: Any, time: float, who: tuple[str, int, float] | None) -> Image.Image:
    """The picture of a replay at a time: close to a vehicle, and so wide [m], where there is one."""
    page.locator("#timeline").evaluate(
        "(slider, time) => { slider.value = time; slider.dispatchEvent(new Event('input')); }", time
    )
    if who is not None:
        page.evaluate(NEAR, list(who))
    page.wait_for_function("() => !steersman.dirty")
    picture = Image.open(io.BytesIO(page.locator("#view").screenshot())).convert("RGB")
    assert picture.size == SIZE, f"the page lays its picture out in another way: {picture.size}"
    return picture.resize(FILE, Image.Resampling.LANCZOS)


def card(browser: Any, name: str, folder: Path) -> None:
    """The pictures of a scenario."""
    scenario = SCENARIOS[name]
    moving = name in MOVING
    stage = scenario.stage(n=max(scenario.least, min(scenario.n, MOST)))
    time = min(SECONDS, SHARE * stage.seconds)
    chosen = first_of(stage)
    who = (*chosen, CLOSE[name]) if chosen and name in CLOSE else None
    file = replay(stage, folder / f"{name}.html", seconds=time + (FRAMES * STEP if moving else 0.0) + 0.1)
    for paper in ("light", "dark"):
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme=paper)
        page.goto(file.as_uri())
        page.wait_for_function("() => window.steersman && steersman.after")
        page.evaluate(BARE)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shots(page, time, who).save(FOLDER / f"{name}.{paper}.webp", quality=72, method=6)
        if moving:
            first, *others = [shots(page, time + k * STEP, who) for k in range(FRAMES)]
            first.save(
                FOLDER / f"{name}.moving.{paper}.webp", save_all=True, append_images=others,
                duration=round(1000 * STEP), loop=0, quality=50, method=6,
            )  # fmt: skip
        page.close()


def main(names: list[str]) -> None:
    """Write the pictures of some scenarios."""
    tests = Path(__file__).parent.parent / "tests"
    sys.path[:0] = [str(tests / "studio" / "viewer"), str(tests)]
    from conftest import ARGUMENTS

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        for name in names:
            print(name, flush=True)
            card(browser, name, Path(folder))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or list(SCENARIOS))
