"""A browser for the tests that need one: Debian's Chromium, without a screen. Without it they are skipped, and say so.

With `STEERSMAN_SLOW=1` pages have an eighth of a processor, and messages to them are late by chance: tests must pass, too.
"""

import asyncio
import os
import random
import shutil
import sys
import time

import numpy as np
import pytest
from patience import PATIENCE

import steersman as sm
from steersman.studio.viewer import course
from steersman.studio.viewer.server import Browser

ARGUMENTS = [
    "--no-sandbox", "--no-first-run", "--disable-quic", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
    # WebGL by Mesa; SwiftShader, where there is none, takes 6 times as long: it draws each instance by itself.
    "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--enable-unsafe-swiftshader",
    # Without a graphics card, words and buttons are painted and laid over each other faster in memory.
    "--disable-gpu-rasterization", "--disable-gpu-compositing",
]  # fmt: skip
SIZE = {"width": 900, "height": 600}
NEEDED = "STEERSMAN_BROWSER"
"""Set where a missing browser is a failure and no reason to skip: in CI."""
SLOW = bool(os.environ.get("STEERSMAN_SLOW"))
"""Whether pages are slow, and messages late: what a busy machine does now and then."""
RATE, LATE = 8, 0.15
"""How many times slower a slow page is, and the longest delay of a message to it [s]."""


@pytest.fixture(scope="session")
def chromium():
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        reason = "no Chromium is installed, so nobody has looked at the page: apt-get install chromium"
        (pytest.fail if os.environ.get(NEEDED) else pytest.skip)(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()
    assert "playwright" in sys.modules


def flock(*, n=60, seed=0, dimensions=2):
    """A flock around a rock, as a stage; quick to make for any number."""
    rng, d = np.random.default_rng(seed), dimensions
    world = sm.World(domain=sm.Torus([60.0] * d), seed=seed)
    boids = sm.Vehicles(rng.uniform(0, 60, (n or 60, d)), rng.normal(size=(n or 60, d)) * 5, max_speed=10, max_force=30)
    rock = sm.Spheres([[30.0] * d], 6)
    urges = 1.5 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.4 * sm.Wander()
    world.add(boids, name="boids", steering=sm.Priority([sm.AvoidObstacles(rock), urges]))
    world.watch("boids", "mean_speed")
    return sm.Stage(world, seconds=10, name="flock", scenery={"rock": rock}, colors={"boids": "blue"})


OPEN = """try {
    const known = JSON.parse(localStorage.getItem("steersman.opened") ?? "{}");
    const open = { run: true, steering: true, meters: true, forces: true };
    localStorage.setItem("steersman.opened", JSON.stringify({ ...open, ...known }));
} catch {}"""
"""Sections of the panel that tests look into are open, as for a visitor who has opened them before."""


class Page:
    """A page with all that it said and asked for, until the next test has it."""

    def __init__(self, page):
        self.page, self.said, self.asked = page, [], []
        if SLOW:
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": RATE})
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))

    def begin(self):
        """As if it were new: blank and bright, with the mouse in the corner."""
        self.page.goto("about:blank")
        self.page.set_viewport_size(SIZE)
        self.page.emulate_media(color_scheme="light")
        self.page.mouse.move(0, 0)
        self.said, self.asked = [], []

    def stage(self, code):
        """What some JavaScript says, in which `stage` is what is shown."""
        return self.page.evaluate(f"(() => {{ const stage = window.steersman; return {code}; }})()")

    def until(self, code, timeout=1000 * PATIENCE):
        """Wait until it is true."""
        self.page.wait_for_function(
            f"() => {{ const stage = window.steersman; return stage && ({code}); }}", timeout=timeout
        )

    def settled(self):
        """Wait until all that has changed is in the picture: nothing is left to paint, in two turns of painting."""
        paint = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        end = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < end, "it is painted again and again, as while it plays"
            self.until("!stage.dirty")
            painted = self.stage("stage.painted")
            self.page.evaluate(paint)
            if self.stage("stage.painted") == painted and not self.stage("stage.dirty"):
                return

    def shows(self, selector, words, timeout=1000 * PATIENCE):
        """Wait until an element has these words: a key that is pressed before acts on what the page knew then."""
        self.page.wait_for_function(
            "([selector, words]) => document.querySelector(selector)?.textContent === words",
            arg=[selector, words],
            timeout=timeout,
        )

    def picture(self):
        """What is seen of the world, shape (height, width, 3), in [0, 1]."""
        import io

        import matplotlib.image

        return matplotlib.image.imread(io.BytesIO(self.page.locator("#view").screenshot()))[:, :, :3]


@pytest.fixture(autouse=SLOW)
def late(monkeypatch):
    """Messages to pages wait for a random time."""
    take, rng = Browser.take, random.Random(time.time_ns())

    async def taken(browser):
        message = await take(browser)
        await asyncio.sleep(rng.random() ** 4 * LATE)
        return message

    monkeypatch.setattr(Browser, "take", taken)


@pytest.fixture(autouse=True)
def _courses(request, monkeypatch):
    """No world steps on while it stands still where tests read it from another thread: all but those of courses."""
    if request.module.__name__.rpartition(".")[2] not in ("test_course", "test_every_scenario"):
        monkeypatch.setattr(course, "MOST", 0)


@pytest.fixture(name="flock")
def _flock():
    return flock


@pytest.fixture(scope="session")
def one_page(chromium):
    """A page for all tests, one after the other: to open and close a page takes a third of what a test takes."""
    context = chromium.new_context(viewport=SIZE, accept_downloads=True)
    context.add_init_script(OPEN)
    yield Page(context.new_page())
    context.close()


NOTED = ("ERR_CONNECTION_REFUSED", "GPU stall due to ReadPixels")
"""What the browser notes by itself: a page outlives its server and tries to connect again; a driver waits for a picture."""


def quiet(said):
    """Whether a console says nothing but what the browser notes by itself."""
    return all(any(note in text for note in NOTED) for text in said)


@pytest.fixture
def page(one_page):
    """A page that must say nothing on its console."""
    yield one_page
    said = one_page.said
    one_page.begin()
    assert quiet(said), said


@pytest.fixture
def page_of_its_own(chromium):
    """The same, in a context that is closed at the end."""
    context = chromium.new_context(viewport=SIZE, accept_downloads=True)
    context.add_init_script(OPEN)
    shown = Page(context.new_page())
    yield shown
    context.close()
    assert quiet(shown.said), shown.said
