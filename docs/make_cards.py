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
"""When a picture is taken at least [s], as a part of the usual time of a run at most, where the window does not open later;
and the largest number of vehicles."""

FRAMES, STEP = 36, 1 / 12
"""Frames of a moving picture, and the time between two [s]."""

BARE = """() => {
    const spare = document.querySelectorAll("header, footer, aside, #strip, #labels, #time");
    spare.forEach((each) => (each.style.display = "none"));
    Object.assign(document.querySelector("#view").style, { position: "fixed", inset: 0, height: "100vh" });
    const {camera, scene} = steersman;
    if (scene.dimensions === 2 && scene.period.every((each) => each > 0)) {
        camera.scale = Math.max(...[480, 360].map((size, k) => size / (scene.high[k] - scene.low[k])));
        camera.touched = true;
    }
    steersman.dirty = true;
}"""


LONG = 0.036
"""How long vehicles are at least, as a part of the width of a picture;"""

LONGER = {
    "circle_swap": 0.6, "circle_swap_orca": 0.6, "containment": 0.7, "evacuation": 2.4, "hide": 0.55, "interpose": 2.5,
    "maze": 0.6, "mounts": 1.8,
}  # fmt: skip
"""in some scenarios so many times as long."""

NEAR = """([chosen, long]) => {
    const {after, camera, scene} = steersman;
    const d = scene.dimensions;
    const all = Object.values(after.populations).flatMap(({n, position, size}) =>
        Array.from({length: n}, (_, k) => ({at: Array.from(position.subarray(d * k, d * k + d)), size: size[k]}))
    );
    const sizes = all.map(({size}) => size).sort((a, b) => a - b);
    const own = chosen && steersman.placeOf(chosen);
    const most = Math.max(sizes[sizes.length >> 1], own ? 0.6 * sizes[sizes.length - 1] : 0) / long;
    const mean = (some) => some[0].map((_, c) => some.reduce((sum, each) => sum + each[c], 0) / some.length);
    const places = all.map(({at}) => at);
    const half = [0.46 * most, 0.34 * most, 0.46 * most];
    const seen = (middle) => places.filter((each) => each.every((x, c) => Math.abs(x - middle[c]) < half[c]));
    let middle = own ? [...own] : mean(places);
    for (let k = 0; k < 12; k++) {
        const near = seen(middle);
        if (near.length) middle = mean(near);
        if (own) middle = middle.map((x, c) => Math.min(Math.max(x, own[c] - 0.6 * half[c]), own[c] + 0.6 * half[c]));
    }
    const near = seen(middle);
    const [low, high] = [Math.min, Math.max].map((one) => middle.map((_, c) => one(...near.map((each) => each[c]))));
    const alone = near.length < 2;
    const across = alone ? most : Math.max(high[0] - low[0], (4 / 3) * (high[1] - low[1]), d === 3 ? high[2] - low[2] : 0);
    const wide = Math.min(most, Math.max(1.3 * across, 0.45 * most));
    if (scene.dimensions === 2 && (camera.width / camera.scale) < wide) return;
    camera.near(d === 2 ? 0.75 * wide : wide);
    camera.follow(alone ? middle : low.map((x, c) => (x + high[c]) / 2));
    steersman.dirty = true;
}"""


def shot(page: Any, time: float) -> Image.Image:
    """The picture of a replay at a time."""
    page.locator("#timeline").evaluate(
        "(slider, time) => { slider.value = time; slider.dispatchEvent(new Event('input')); }", time
    )
    page.wait_for_function("() => !steersman.dirty")
    picture = Image.open(io.BytesIO(page.locator("#view").screenshot())).convert("RGB")
    assert picture.size == SIZE, f"the page lays its picture out in another way: {picture.size}"
    return picture.resize(FILE, Image.Resampling.LANCZOS)


def card(browser: Any, name: str, folder: Path) -> None:
    """The pictures of a scenario."""
    scenario = SCENARIOS[name]
    moving = name in MOVING
    stage = scenario.stage(n=max(scenario.least, min(scenario.n, MOST)))
    early = min(SECONDS, SHARE * stage.seconds)
    time = early if moving or stage.picture.opens < early or scenario.n > MOST else stage.picture.opens
    chosen = first_of(stage)
    file = replay(stage, folder / f"{name}.html", seconds=time + (FRAMES * STEP if moving else 0.0) + 0.1)
    page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
    page.goto(file.as_uri())
    page.wait_for_function("() => window.steersman && steersman.after")
    page.evaluate(BARE)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shot(page, time)
    who = {"population": chosen[0], "id": chosen[1]} if chosen else None
    page.evaluate(NEAR, [who, LONG * LONGER.get(name, 1.0)])
    for paper in ("light", "dark"):
        page.emulate_media(color_scheme=paper)
        page.wait_for_function("(dark) => steersman.painter.dark === dark", arg=paper == "dark")
        shot(page, time).save(FOLDER / f"{name}.{paper}.webp", quality=72, method=6)
        if moving:
            first, *others = [shot(page, time + k * STEP) for k in range(FRAMES)]
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
