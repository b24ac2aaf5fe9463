"""The page in a real browser: what is seen moves, controls take effect in the world, and nothing is asked from elsewhere."""

import asyncio
import json
import re
import socket
import struct
import subprocess
import time
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import numpy as np
import pytest
from patience import PATIENCE
from studio.viewer.conftest import Page, quiet

import steersman as sm
from steersman.core.kernels.announcing import WATCHERS, tell_compiling
from steersman.core.world.state_hash import state_hash
from steersman.drawing.palette import contrast, rgb
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer import packing, past
from steersman.studio.viewer.explanations import why_of, whys_of
from steersman.studio.viewer.replay import replay
from steersman.studio.viewer.requests import Request
from steersman.studio.viewer.server import Browser
from steersman.studio.viewer.simulation import Simulation, first_of
from steersman.studio.viewer.tabs import simulation_at
from steersman.studio.viewer.view import serve, view


@contextmanager
def window(make, **about):
    """A window of a stage that can begin again."""
    shown = view(make(**about), browser=False, remake=partial(make, **about), name="flock")
    try:
        yield shown
    finally:
        shown.close()


def simulation(shown) -> Simulation:
    return shown._simulation


@contextmanager
def opened(page, make, **about):
    """The simulation of a stage that can begin again, as soon as the page shows it."""
    with window(make, **about) as shown:
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1 && !stage.dirty")
        yield simulation(shown)


def explained(it):
    """Why the boids are steered as they are; the simulation has a thread of its own."""
    with it.world.between_steps():
        return it.world.explain("boids")


def hash_of(it):
    """The hash of the state between two steps, or changes, of the simulation's thread."""
    with it.world.between_steps():
        return state_hash(it.world)


def wait(condition, seconds=PATIENCE):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.01)


def finish(it):
    """Wait until the simulation has done what it was asked for."""
    answers = []
    it.requests.put(Request({"do": "nothing"}, answers.append))
    wait(lambda: answers)


def heard(page, it, held=()):
    """Wait until the page has heard all of a simulation that stands still; what was held back is let go."""
    finish(it)
    it.say("trouble", {"message": "heard"})
    if held:
        held.clear()
    page.page.wait_for_selector("#notice:has-text('heard')")
    it.say("trouble", {"message": ""})
    page.page.wait_for_selector("#notice:has-text('heard')", state="detached")


class Relay:
    """Stands between pages and their server, and holds messages to pages back. They pass while a page is asked.

    Args:
        page: The page.
        holds: Called with each message as a table (an empty one for a frame), what the page asked for, if it is the answer
            (else None), and the address: whether it is held back.
    """

    def __init__(self, page, holds):
        self.page, self.holds, self.held = page.page, holds, []
        page.page.route_web_socket("**/live**", self._between)

    def _between(self, ours):
        server, asked = ours.connect_to_server(), {}

        def from_page(text):
            told = json.loads(text)
            asked[told.get("re")] = told["do"]
            server.send(text)

        def from_server(message):
            told = json.loads(message) if isinstance(message, str) else {}
            late = self.holds(told, asked.get(told["re"]) if "re" in told else None, ours.url)
            self.held.append((told, partial(ours.send, message))) if late else ours.send(message)

        ours.on_message(from_page)
        server.on_message(from_server)

    def told(self, kind, **about):
        """Those that are held back, of a kind and with these entries."""
        return [told for told, _ in self.held if told.get("type") == kind and about.items() <= told.items()]

    def end(self):
        """Have the page leave before its server does: what it says meanwhile would go to a connection that is closing."""
        self.page.goto("about:blank")

    def release(self, but=()):
        """Let those that are held back go, but for some."""
        gone, self.held = self.held, [each for each in self.held if each[0] in but]
        for told, send in gone:
            if told not in but:
                send()


def differing(one, two):
    return int(np.any(np.abs(one - two) > 0.05, axis=2).sum())


def colored(picture):
    """Pixels of a color that no paper, sky or rock has."""
    return int((np.ptp(picture, axis=2) > 0.3).sum())


def pixel(page, *place):
    """Where a place of the plane or of space is on the page [pixels]; JavaScript for its coordinates will do, too."""
    return page.stage(f"""(() => {{
        const box = stage.canvas.getBoundingClientRect(), m = stage.camera.matrix, p = [{", ".join(map(str, place))}];
        const row = (k) => m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * (p[2] ?? 0) + m[12 + k];
        return [box.left + (row(0) / row(3) + 1) / 2 * box.width, box.top + (1 - row(1) / row(3)) / 2 * box.height];
    }})()""")


def middle_of(page, population, number):
    """Where a vehicle is on the page [pixels]."""
    return pixel(page, f"...stage.placeOf({{population: {json.dumps(population)}, id: {number}}})")


@pytest.mark.parametrize("dimensions", [2, 3])
def test_it_stands_still_and_moves(page, flock, dimensions):
    with window(flock, n=200, dimensions=dimensions) as shown:
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1 && !stage.dirty")
        still = page.picture()
        assert colored(still) > 2000
        assert differing(still, page.picture()) == 0
        page.page.click("button.play")
        wait(lambda: simulation(shown).world.time > 0.7)
        page.page.click("button.play")
        wait(lambda: not simulation(shown).playing)
        page.until(f"stage.after.steps === {simulation(shown).world.steps} && stage.part === 1 && !stage.dirty")
        moved = page.picture()
        assert colored(moved) > 2000
        assert differing(still, moved) > 2000
        assert differing(moved, page.picture()) == 0
        host = shown.url.split("/?")[0]
        ours = (host, host.replace("http:", "ws:"), "data:", "blob:")
        assert all(address.startswith(ours) for address in page.asked)


def test_what_is_typed_stays_until_it_is_sent(page, flock):
    """Also when the value changes elsewhere meanwhile."""
    with opened(page, flock) as it:
        row = page.page.locator('[data-label="Separation"] [data-parameter="radius"]')
        page.page.locator('[data-label="Separation"] summary').click()
        row.locator('input[type="text"]').fill("6.5")
        key = it.world.populations["boids"].node("Separation").key
        message = {"do": "set", "population": "boids", "key": key, "name": "radius", "value": 3}
        it.requests.put(Request(message, lambda answer: None))
        wait(lambda: row.locator('input[type="range"]').input_value() == "3")
        assert row.locator('input[type="text"]').input_value() == "6.5"
        row.locator('input[type="text"]').press("Enter")
        wait(lambda: it.world.populations["boids"].node("Separation").behavior.radius == 6.5)


def test_controls_stay_while_values_change(page, flock):
    """The one that is used keeps the focus, and what was done before an answer counts."""
    with opened(page, flock) as it:

        def separation():
            return it.world.populations["boids"].node("Separation").behavior

        page.page.locator('[data-label="Separation"] summary').click()
        slider = page.page.locator('[data-label="Separation"] [data-parameter="radius"] input[type="range"]')
        slider.focus()
        step = float(slider.get_attribute("step"))
        page.page.keyboard.press("ArrowRight")
        wait(lambda: separation().radius > 4)
        before = separation().radius
        with it.world.between_steps():  # The simulation answers nothing meanwhile.
            for _ in range(3):
                page.page.keyboard.press("ArrowRight")
        wait(lambda: separation().radius > before + 2.5 * step)
        page.until("document.activeElement.type === 'range'")
        pieces = """(name) => ["normalize_", "weights"].map((piece) => {
            name.style.width = "80px";
            const [text] = [...name.childNodes].filter((each) => each.data === piece);
            const range = document.createRange();
            range.selectNodeContents(text);
            return range.getClientRects().length; })"""
        named = page.page.locator(
            '[data-label="WeightedSum"] > details > .inner > [data-parameter="normalize_weights"]'
        )
        assert named.locator(".name").evaluate(pieces) == [1, 1]  # No word is torn.
        slider.fill(slider.get_attribute("max"))  # At its end there is more to come.
        page.until("document.activeElement.value < 0.5 * document.activeElement.max")
        assert separation().radius == 30
        box = page.page.locator('[data-label="Wander"] summary input')
        box.press(" ")
        page.page.locator('.off[data-label="Wander"]').wait_for()
        page.until("document.activeElement.checked === false")
        page.page.get_by_role("button", name="Undo").click()
        wait(box.is_checked)


def test_controls_take_effect(page, flock):
    with opened(page, flock) as it:
        page.page.get_by_role("button", name="Step", exact=True).click()
        wait(lambda: it.world.steps == 1)
        wait(page.page.get_by_role("button", name="Back", exact=True).is_enabled)
        it.say("trouble", {"message": "the simulation stopped"})
        page.shows("#notice", "the simulation stopped")
        page.page.keyboard.press("ArrowRight")
        wait(lambda: it.world.steps == 2)
        page.page.locator("#notice").wait_for(state="hidden")

        meters, plot = page.page.locator('[data-section="meters"] > summary'), page.page.locator("canvas.plot")
        drawn = plot.evaluate("(canvas) => canvas.toDataURL()")
        meters.click()
        for steps in range(3, 6):
            page.page.keyboard.press("ArrowRight")
            page.until(f"stage.after.steps === {steps}")
        meters.click()
        wait(lambda: plot.evaluate("(canvas) => canvas.toDataURL()") != drawn)

        row = page.page.locator('[data-label="Separation"] [data-parameter="radius"]')
        page.page.locator('[data-label="Separation"] summary').click()
        row.locator('input[type="text"]').fill("6.5")
        row.locator('input[type="text"]').press("Enter")
        wait(lambda: it.world.populations["boids"].node("Separation").behavior.radius == 6.5)
        row.locator('input[type="range"]').fill("3")
        wait(lambda: it.world.populations["boids"].node("Separation").behavior.radius == 3)
        row.locator('input[type="text"]').fill("-2")
        row.locator('input[type="text"]').press("Enter")
        wrong = row.locator(".wrong")
        wrong.wait_for(state="visible")
        assert "radius must be" in wrong.text_content()
        assert it.world.populations["boids"].node("Separation").behavior.radius == 3

        page.page.locator('[data-label="Wander"] summary input').click()
        wait(lambda: not explained(it)["Wander"].evaluated.any())
        page.page.fill("#n", "25")
        page.page.press("#n", "Enter")
        page.until("stage.after?.populations.boids.n === 25 && stage.after.steps === 0")
        page.page.focus("#canvas")
        page.page.keyboard.press("n")
        page.until("stage.selected")
        page.page.keyboard.press("Delete")
        page.page.wait_for_function("() => document.querySelector('#n').value === '24'")
        page.page.get_by_role("button", name="Reset").click()
        wait(lambda: len(it.world["boids"]) == 25)
        heard(page, it)
        with page.page.expect_download() as saved:
            page.page.click("text=Save scenario")
        assert "[[populations]]" in saved.value.path().read_text("utf-8")


def test_what_cannot_be_written_is_told_before_it_is_asked_for(page):
    """Trees with Python functions have no TOML; those of other populations have, and all have Python."""

    def back(vehicles):
        """The way back."""
        return -vehicles.position

    def story():
        world = sm.World()
        world.add(sm.Vehicles([[0, 0]]), name="goers", steering=sm.Seek([5, 5]))
        world.add(sm.Vehicles([[4, 4]]), name="comers", steering=back)
        return sm.Stage(world, seconds=10)

    with opened(page, story):
        rows = page.page.locator("[data-section=steering] .buttons")
        page.page.wait_for_selector("button:text('Copy as TOML'):disabled")
        goers, comers = (rows.nth(k).get_by_text("Copy as TOML") for k in range(2))
        assert goers.is_enabled()
        assert "as it is now" in goers.get_attribute("title")
        assert comers.is_disabled()
        reason = "No TOML: a Python function has no document, got back"
        assert reason in comers.get_attribute("title")
        assert reason in rows.nth(1).inner_text()
        assert rows.nth(0).locator("p").inner_text() == ""
        assert all(rows.nth(k).get_by_text("Copy as Python").is_enabled() for k in range(2))


def test_what_is_seen_is_recorded_and_filmed(page, flock, tmp_path):
    with opened(page, flock, n=20) as it:
        page.page.get_by_role("button", name="Record", exact=True).click()
        page.page.get_by_role("button", name="Film", exact=True).click()
        wait(lambda: it.recording == "on")
        page.page.get_by_role("button", name="Play", exact=True).click()
        wait(lambda: it.world.time > 1.5)
        page.page.get_by_role("button", name="Pause", exact=True).click()
        wait(lambda: not it.playing)
        with page.page.expect_download() as saved:
            page.page.get_by_role("button", name="Save film").click()
        film = saved.value.path().read_bytes()
        assert film[:4] == bytes.fromhex("1a45dfa3")  # The head of a WebM file.
        assert len(film) > 10_000
        with page.page.expect_download() as saved:
            page.page.get_by_role("button", name="Save replay").click()
        assert saved.value.suggested_filename == "flock.html"
        wait(lambda: it.recording == "")
        replayed = tmp_path / "flock.html"
        saved.value.save_as(replayed)
        page.page.goto(replayed.as_uri())
        page.until("stage.painted > 1")
        page.page.get_by_role(
            "button", name="Step", exact=True
        ).click()  # It stands still, whether or not it had ended.
        page.page.locator("#timeline").fill("0")
        page.until("stage.before.time < 0.1")
        page.page.get_by_role("button", name="Play", exact=True).click()
        page.until("stage.before.time > 0.5")
        assert page.stage("stage.trailPieces") > 0


def duration_in(film):
    """How long a WebM says that it is [s]: in its head, where players look."""
    at = film.index(bytes.fromhex("44898840"), 0, 400)
    return struct.unpack_from(">d", film, at + 3)[0] / 1000


def test_a_saved_film_says_how_long_it_is_and_has_the_words_of_the_picture(page, flock, tmp_path):
    encoding = pytest.importorskip("imageio_ffmpeg")
    with opened(page, flock, n=20):
        page.page.get_by_role("button", name="Play", exact=True).click()
        began = time.monotonic()
        page.page.get_by_role("button", name="Film", exact=True).click()
        painted = page.stage("stage.painted")
        page.until(f"stage.painted > {painted} + 10")
        canvas = page.page.locator("#canvas").bounding_box()
        words = page.page.locator("#legend > span").bounding_box()
        with page.page.expect_download() as saved:
            page.page.get_by_role("button", name="Save film").click()
        passed = time.monotonic() - began
        saved.value.save_as(tmp_path / "flock.webm")
    seconds = duration_in((tmp_path / "flock.webm").read_bytes())
    assert 0 < seconds < passed
    reader = [encoding.get_ffmpeg_exe(), "-i", str(tmp_path / "flock.webm"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(reader, capture_output=True, check=True)
    told = done.stderr.decode()
    minutes, rest = re.search(r"Duration: 00:(\d\d):([\d.]+),", told).groups()  # So another reader tells, too.
    assert 60 * int(minutes) + float(rest) == pytest.approx(seconds, abs=0.02)
    wide, high = map(int, re.search(r"Video: .*? (\d+)x(\d+)[ ,]", told).groups())
    frames = np.frombuffer(done.stdout, np.uint8).reshape(-1, high, wide, 3)
    assert len(frames) >= 5
    x, y = round(words["x"] - canvas["x"]), round(words["y"] - canvas["y"])
    box = frames[-1][y : y + round(words["height"]), x + 15 : x + round(words["width"])].min(axis=2)
    assert (box < 120).sum() > 60, "there are no words"
    assert np.median(box) > 200


def test_a_click_on_a_part_shows_all_of_its_construction(page):
    """Of a guard on its round the rings and the sight of its conditions are not drawn until its modes are clicked."""
    with opened(page, SCENARIOS["patrol"].stage):
        page.page.mouse.click(*middle_of(page, "guards", 0))
        page.page.wait_for_selector("ul.why .part")
        drawn = "stage.extra.get('why').elements.filter((it) => it.means === 'how far it looks' && !it.words).length"
        page.until(f"({drawn}) <= 2")
        few = page.stage(drawn)
        modes = page.page.get_by_role("button", name="Modes", exact=True)
        modes.click()
        page.until(f"({drawn}) > {few}")
        assert modes.get_attribute("aria-pressed") == "true"
        modes.click()
        page.until(f"({drawn}) === {few}")


def test_a_click_explains_a_drag_moves_and_the_wheel_zooms(page, flock):
    with opened(page, flock, n=20) as it:
        page.page.mouse.click(*middle_of(page, "boids", 7))
        page.page.wait_for_selector("ul.why")
        assert "vehicle 7" in page.page.locator("[data-section=why]").text_content()
        assert page.stage("stage.extra.get('why').make().length") >= 1
        sentence = page.page.locator("#reason").text_content()
        assert re.match(r"The boid .*\b(to \w.*|rests)\.$", sentence), sentence
        x, y = middle_of(page, "boids", 7)
        before, meter = it.world["boids"].position[7].copy(), page.stage("stage.camera.scale")
        page.page.mouse.move(x, y)
        page.page.mouse.down()
        page.page.mouse.move(x + 20, y - 20, steps=3)
        page.page.mouse.move(x + 40, y - 30, steps=3)
        page.page.mouse.up()
        wait(lambda: np.allclose(it.world["boids"].position[7] - before, np.array([40, 30]) / meter, atol=4 / meter))
        x, y = middle_of(page, "boids", 3)
        page.page.mouse.move(x, y)
        page.page.mouse.wheel(0, -400)
        page.until(f"stage.camera.scale > {1.5 * meter}")
        assert middle_of(page, "boids", 3) == pytest.approx([x, y], abs=1)
        page.page.keyboard.press("Escape")
        wait(lambda: it.selected is None)
        page.page.wait_for_selector("#reason", state="hidden")

        page.page.keyboard.press("f")
        bounds = page.page.locator("#canvas").bounding_box()
        spots = "Array.from({ length: 40 }, (_, k) => [40 + 11 * k, 260])"
        free = page.stage(f"{spots}.find(([x, y]) => !stage.vehicleAt(x, y) && !stage.vehicleAt(x, y - 15))")
        page.page.mouse.dblclick(*np.add(free, [bounds["x"], bounds["y"]]))
        wait(lambda: len(it.world["boids"]) == 21 and it.selected == ("boids", 20))
        page.until("stage.selected && stage.selected.id === 20")
        page.page.keyboard.press("Delete")
        wait(lambda: len(it.world["boids"]) == 20)


def test_keys_move_the_chosen_vehicle_as_a_drag_does_and_that_is_undone(page, flock, monkeypatch):
    """Each press counts, also one before the last one is answered; without a chosen vehicle none moves."""
    monkeypatch.setattr(past, "GESTURE", np.inf)  # All presses are one change, however slow the page is.
    with opened(page, flock, n=20) as it:
        press, boids = page.page.keyboard.press, it.world["boids"]
        start = boids.position.copy()
        press("Control+ArrowUp")
        page.page.mouse.click(*middle_of(page, "boids", 7))
        wait(lambda: it.selected == ("boids", 7))
        page.until("stage.selected?.id === 7")
        meter = page.stage("stage.camera.scale")
        for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowLeft"):
            press(f"Control+{key}")
        way = np.zeros((20, 2))
        way[7] = np.array([24, 12]) / meter
        wait(lambda: np.allclose(boids.position - start, way, atol=0.2 / meter))
        assert it.world.steps == 0
        press("Control+z")
        wait(lambda: np.allclose(it.world["boids"].position, start))
        press("?")
        page.page.wait_for_selector("dialog[open]")
        assert "put the chosen vehicle a little aside" in page.page.locator("dialog").text_content()


def test_a_choice_that_is_answered_late_does_not_undo_the_choice_of_python(page_of_its_own, flock):
    """The two clicks of a double click choose nothing; then Python chooses the new vehicle, before it has answered them."""
    page = page_of_its_own
    relay = Relay(page, lambda told, asked, url: asked == "select")
    with opened(page, flock, n=20) as it:
        relay.release()
        page.page.keyboard.press("f")
        page.page.mouse.dblclick(5, 300)
        wait(lambda: page.stage("1") and it.selected == ("boids", 20))  # Messages are relayed while the page is asked.
        page.until("stage.after.populations.boids.n === 21")
        assert len(relay.held) == 2
        relay.release()
        page.until("stage.selected && stage.selected.id === 20")
        relay.end()


def test_a_key_pressed_right_after_a_new_beginning_counts(page_of_its_own, flock):
    """The page hears of the new beginning after the first press, and of its choice before the state that tells it."""
    page, holds = page_of_its_own, []
    relay = Relay(page, lambda told, asked, url: bool(holds))
    told = relay.told
    with opened(page, flock, n=20) as it:
        world, press = it.world, page.page.keyboard.press
        holds.append(True)
        press("r")
        wait(lambda: page.stage("1") and it.world is not world and told("scene") and told("state"))
        press("n")
        wait(lambda: page.stage("1") and told("state", selected=["boids", 0]))
        chosen = told("state", selected=["boids", 0])
        wait(lambda: page.stage("1") and told("done", serial=chosen[0]["serial"]))
        wait(lambda: relay.release(but=chosen) or page.stage("stage.after && stage.after.steps === 0"))
        press("n")
        assert page.stage("stage.selected?.id") == 1
        wait(lambda: page.stage("1") and it.selected == ("boids", 1))
        holds.clear()
        relay.release()
        page.until("stage.selected?.id === 1")
        relay.end()


@pytest.fixture
def held(monkeypatch):
    """A list: while something is in it, messages to pages wait at the server, as where a page is slow."""
    holds = []

    async def taken(browser):
        while holds or not browser.waiting:
            await asyncio.sleep(0.005)
        return browser.next()

    monkeypatch.setattr(Browser, "take", taken)
    return holds


def test_keys_count_before_the_page_has_heard_that_there_is_something_to_go_back_to(page, flock, held):
    """One step back right after the first step, and a change that is undone, and done again, right after it."""
    with opened(page, flock, n=20) as it:
        press = page.page.keyboard.press
        held.append(True)
        press("ArrowRight")
        wait(lambda: it.world.steps == 1)
        press("ArrowLeft")
        wait(lambda: it.world.steps == 0)
        press("n")
        press("Delete")
        wait(lambda: len(it.world["boids"]) == 19)
        press("Control+z")
        wait(lambda: len(it.world["boids"]) == 20)
        press("Control+y")
        wait(lambda: len(it.world["boids"]) == 19)
        held.clear()
        page.until("stage.after.populations.boids.n === 19")
        assert page.page.locator("#notice").is_hidden()


@pytest.mark.parametrize("by", ["this page", "another page"])
def test_a_vehicle_that_is_added_is_explained_to_a_page_that_hears_late(page, flock, held, by):
    """Where messages wait, its explanation may come before the state that selects it."""
    with opened(page, flock, n=20) as it:
        page.page.mouse.click(*middle_of(page, "boids", 3))
        page.page.wait_for_selector("#reason:not([hidden])")
        held.append(True)
        with it.world.between_steps():
            it._say_why()  # The next one takes its place.
        if by == "this page":
            page.page.mouse.dblclick(5, 300)
        else:
            it.requests.put(Request({"do": "add", "position": [1.0, 1.0]}, print))
        wait(lambda: len(it.world["boids"]) == 21)
        heard(page, it, held)
        assert page.stage("stage.selected.id") == 20
        assert page.page.locator("#reason").text_content().startswith("The boid ")
        assert page.page.locator("[data-section=why] p.hint").first.text_content() == "boids, vehicle 20"


def test_only_vehicles_in_view_are_sent_and_nothing_that_is_seen_is_missing(page, flock, monkeypatch):
    monkeypatch.setattr(packing, "FEWEST", 400)  # Thousands take seconds a picture without a graphics card,
    page.page.set_viewport_size({"width": 400, "height": 476})  # and so do large pictures.
    away = """(() => { const m = stage.camera.matrix, { position: p, id } = stage.after.populations.boids;
        return Array.from(id, (_, k) => [id[k], Math.max(
            Math.abs(m[0] * p[2 * k] + m[12]), Math.abs(m[5] * p[2 * k + 1] + m[13]))]); })()"""
    part = "stage.after.populations.boids.n < 100"
    with opened(page, flock, n=400) as it:
        page.page.keyboard.press("n")
        wait(lambda: it.selected == ("boids", 0))
        page.page.keyboard.press(" ")
        page.until("stage.after.steps > 3 && stage.after.populations.boids.n === 400")
        page.stage("[stage.camera.zoom(6), (stage.dirty = true)]")
        page.until(part)
        found = page.page.wait_for_function(f"() => {{ const stage = window.steersman; return {part} && {away}; }}")
        places = dict(map(tuple, found.json_value()))
        del places[0]
        assert 0 < sum(each < 1 for each in places.values()) < len(places)
        size = page.stage("stage.after.populations.boids.size[0] * stage.camera.matrix[5]")
        assert max(places.values()) <= 1.5 + 1.01 * size  # The margin, and those that reach into it.
        page.shows('#legend [data-name="boids"] b', "400")

        page.stage(
            "[stage.camera.follow([45, 45]), (stage.dirty = true)]"
        )  # The chosen one is told of, wherever it is.
        for _ in range(3):
            page.until(f"{part} && stage.after.populations.boids.id.includes(0) && stage.placeOf(stage.selected)")
        page.page.keyboard.press(" ")
        page.until("stage.after.populations.boids.n === 400")  # A picture that stands still is complete.
        page.page.keyboard.press(" ")
        page.until(part)
        page.stage("[stage.camera.fit(), (stage.dirty = true)]")
        page.until("stage.view === null && stage.after.populations.boids.n === 400")
        wait(lambda: it.subscriptions.views is None)
        page.until(f"stage.after.steps > {it.world.steps}")
        assert page.stage("stage.after.populations.boids.n") == 400


def test_a_picture_without_end_comes_nearer_when_the_crowd_gathers(page):
    """Calmly, no nearer than a part of the first picture, and not against whoever has moved it."""

    def gathering():
        around = np.linspace(0, 2 * np.pi, 30, endpoint=False)
        places = np.column_stack([40 * np.cos(around), 40 * np.sin(around)])
        world = sm.World()
        world.add(sm.Vehicles(places, max_speed=10), name="all", steering=sm.Arrive([0, 0]) + sm.Separation(radius=2))
        return sm.Stage(world, seconds=30, name="gathering")

    spread = "(() => { const p = stage.after.populations.all.position; return Math.max(...p.map(Math.abs)); })()"
    half = "Math.min(stage.camera.width, stage.camera.height) / 2 / stage.camera.scale"
    with opened(page, gathering) as it:
        first, wide = page.stage("stage.camera.scale"), page.stage(half)
        assert wide > 40
        it.speed = 5.0
        page.page.get_by_role("button", name="Play", exact=True).click()
        page.until(f"stage.camera.scale > 2.2 * {first}")
        near, crowd = page.stage(half), page.stage(spread)
        assert crowd < near < wide / 2
        assert near > 0.29 * wide
        page.stage("[stage.camera.zoom(0.25), (stage.dirty = true)]")
        chosen, steps = page.stage("stage.camera.scale"), page.stage("stage.after.steps")
        page.until(f"stage.after.steps > {steps} + 60")
        assert page.stage("stage.camera.scale") == chosen


def test_a_tour_shows_what_a_behavior_sees_wants_and_does(page):
    """In words of the library, with only that in the picture; then the behaviors that do not decide."""
    world = sm.World(dt=0.1)
    fox = sm.Vehicles([[0.0, 0.0]], velocity=[[1.0, 0.0]], max_speed=5, max_force=50)
    steering = sm.WeightedSum([sm.Seek([0.0, 30.0]), sm.AvoidObstacles(sm.Spheres([[50.0, 50.0]], 2.0))])
    world.add(fox, name="fox", steering=steering)
    shown = view(world, browser=False)
    try:
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1")
        page.page.keyboard.press("n")
        page.page.get_by_role("button", name="Tour", exact=True).click()
        box = page.page.locator("#tour")
        assert "Seek: what it sees (1 of 3)" in box.inner_text()
        page.page.keyboard.press("Alt+g")  # A key of the browser's own.
        assert "(1 of 3)" in box.inner_text()
        assert page.stage("stage.following")
        assert page.stage("stage.extra.get('why').make().length") == 0
        page.page.keyboard.press("g")
        wanted = "Go to a point, a population, or the points of a function.\nIt asks for"
        assert wanted in box.inner_text().replace("\n\n", "\n")
        assert "to the left" in box.inner_text()
        words = page.stage("stage.extra.get('why').make().flatMap((each) => each.words ?? [])")
        assert words == ["velocity", "seek"]
        page.page.keyboard.press("g")
        words = page.stage("stage.extra.get('why').make().flatMap((each) => each.words ?? [])")
        assert sorted(words) == ["desired velocity", "steering", "velocity"]
        assert "It decides now." in box.inner_text()
        assert "WeightedSum: The weighted sum of its parts." in box.inner_text()
        page.page.get_by_role("button", name="Next: AvoidObstacles").click()
        assert "AvoidObstacles: what it sees" in box.inner_text()
        page.page.keyboard.press("Escape")
        box.wait_for(state="hidden")
        assert page.stage("stage.selected.id") == 0
        assert not page.stage("stage.following")
    finally:
        shown.close()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desktop", "phone"])
@pytest.mark.parametrize("way", [(1, 1), (-1, 1), (1, -1), (0, -1)], ids=["right", "left", "low", "below"])
def test_the_box_of_the_tour_covers_no_word_of_its_step(page, way, size):
    """It goes to a corner where there is none, and comes back to its own when it can."""
    page.page.set_viewport_size({"width": size[0], "height": size[1]})
    world = sm.World(dt=0.1)
    wolf = world.add(sm.Vehicles([np.multiply(way, 20.0)], [np.multiply(way, -1.0)]), name="wolf").vehicles
    sheep = sm.Vehicles([[0.0, 0.0]], velocity=[[1.0, 0.0]], max_speed=5, max_force=50)
    world.add(sheep, name="sheep", steering=sm.Evade(wolf))
    with window(lambda: sm.Stage(world)) as shown:
        simulation(shown).requests.put(Request({"do": "select", "population": "sheep", "id": 0}, print))
        page.page.goto(shown.url)
        page.until("stage.after && stage.selected && stage.extra.get('why')?.make")
        page.page.keyboard.press("g")
        page.until("!document.querySelector('#tour').hidden")
        page.until("!stage.goal && !stage.dirty")
        page.settled()
        words = page.page.locator("#labels .word")
        assert "wolf" in words.all_text_contents()
        box = page.page.locator("#tour").bounding_box()
        for word in words.all():
            each = word.bounding_box()
            assert min(box["x"] + box["width"], each["x"] + each["width"]) <= max(box["x"], each["x"]) or min(
                box["y"] + box["height"], each["y"] + each["height"]
            ) <= max(box["y"], each["y"]), word.text_content()


def test_a_click_tells_the_mode_and_the_transition_that_led_there(page):
    """Of that vehicle, not of the others; of modes in modes, too; and nothing where somebody else has set the mode."""
    wolves = sm.Vehicles([[50.0, 50.0]], max_speed=5)
    near = sm.Near(wolves, 30)
    asleep = sm.Modes({"lie": sm.TargetSpeed(0.0), "turn": sm.Wander()}, start="lie",
                      transitions=[("lie", "turn", sm.After(0.4, name="an itch"))], name="sleep")  # fmt: skip
    world = sm.World(domain=sm.Box([100, 100]), dt=0.1)
    sheep = world.add(
        sm.Vehicles([[40, 45], [80, 85], [20, 15], [10, 80]], max_speed=0.01, dtype=float), name="sheep",
        steering=sm.Modes({"graze": sm.Wander(), "flee": sm.Evade(wolves), "sleep": asleep}, start="graze", transitions=[
            ("graze", "sleep", sm.Where(lambda vehicles: vehicles.id == 2, name="tired")), ("graze", "flee", near),
            ("flee", "graze", sm.After(99))]))  # fmt: skip
    world.add(wolves, name="wolves")
    world.run(steps=8)
    sm.set_modes(sheep, "flee", [3])
    world.run(steps=7)
    said = {
        0: ["flee for 1.5 s", "from graze because wolves within 30 m"],
        1: ["graze for 1.5 s"],
        2: ["sleep for 1.5 s", "from graze because tired", "turn for 1.1 s", "from lie because an itch"],
        3: ["flee for 0.7 s"],
    }
    with opened(page, lambda: world):
        for number, lines in said.items():
            page.page.mouse.click(*middle_of(page, "sheep", number))
            page.page.wait_for_selector(f"[data-section=why] p.hint:has-text('vehicle {number}')")
            changes = page.page.locator("[data-section=why] .change")
            told = changes.evaluate_all("""(all) => all.flatMap(({ childNodes }) =>
                [...childNodes].map((each) => (each.nodeName === "BR" ? "\\n" : each.textContent)).join("").split("\\n"))""")
            assert told == lines  # innerText has no line breaks in a folded section.


def test_words_at_the_border_are_not_cut_off(page):
    """At the right border they stand at the left of their places; elsewhere at the right; also in a narrow window."""
    world = sm.World(domain=sm.Box([100, 60]))
    world.add(sm.Vehicles([[50, 30]], max_speed=1), name="one")
    labels = {"a word in the middle": [50, 30], "a word at the left": [0, 30], "a word at the right": [100, 20],
              "a word that is very long, and not quite at the right": [70, 40]}  # fmt: skip
    with opened(page, lambda: sm.Stage(world, seconds=1, labels=labels)):
        page.page.wait_for_selector("#labels .word")
        for width in (900, 840):
            page.page.set_viewport_size({"width": width, "height": 600})
            page.settled()
            sheet = page.page.locator("#view").bounding_box()
            for word, (x, _) in labels.items():
                box = page.page.locator("#labels .word", has_text=word).bounding_box()
                assert sheet["x"] <= box["x"], word
                assert box["x"] + box["width"] <= sheet["x"] + sheet["width"], word
                place = page.stage(f"stage.canvas.getBoundingClientRect().left + stage.camera.width / 2"
                                   f" + ({x} - stage.camera.middle[0]) * stage.camera.scale")  # fmt: skip
                at_the_right = box["x"] > place
                assert at_the_right == (x <= 50), word


LAYOUT = """(() => {
    const { camera, lens, after } = stage;
    const at = (place) => {
        const m = camera.matrix;
        const [x, y, w] = [0, 1, 3].map((k) => m[k] * place[0] + m[4 + k] * place[1] + m[12 + k]);
        return [((x / w + 1) * camera.width) / 2, ((1 - y / w) * camera.height) / 2]; };
    const frame = stage.canvas.getBoundingClientRect();
    const boxes = (selector) => Array.from(document.querySelectorAll(selector), (each) => {
        const { left, top, width, height } = each.getBoundingClientRect();
        return [each.textContent, left - frame.left, top - frame.top + 0.2 * height, width, 0.6 * height]; });
    const { elements, made } = stage.extra.get("why");
    const arrows = [...elements, ...made].filter(({ kind }) => kind === "arrows").flatMap(({ tails, tips }) =>
        Array.from({ length: tips.length / 2 }, (_, k) => [tails, tips].map((all) => at(all.slice(2 * k, 2 * k + 2)))));
    const vehicles = Object.values(after.populations).flatMap(({ n, position, size }) =>
        Array.from({ length: n }, (_, k) => [...at(position.slice(2 * k, 2 * k + 2)), 0.3 * size[k] * camera.scale]));
    return { words: boxes("#labels .word"), inside: boxes("#lens .word"), arrows, vehicles, lens: lens.view?.rect ?? null,
        size: [camera.width, camera.height] };
})()"""


def on_line(box, ends):
    """Whether an arrow passes through a word."""
    _, x, y, wide, high = box
    points = np.linspace(*ends, 300) - [x, y]
    return bool(((points > 0) & (points < [wide, high])).all(axis=1).any())


def apart(one, other):
    """Whether two boxes do not overlap."""
    (x, y, wide, high), (left, top, broad, tall) = one, other
    return x >= left + broad or left >= x + wide or y >= top + tall or top >= y + high


@pytest.mark.parametrize(
    ("name", "lens"), [("pursuit_evasion", False), ("hide", False), ("sheep", False), ("forage", True)]
)
def test_where_a_scenario_opens_each_arrow_has_a_word_and_words_lie_on_nothing(page, name, lens):
    """Neither on arrows nor on vehicles, each other or the lens, and within the picture; the same in the lens."""
    stage = SCENARIOS[name].stage()
    stage.world.run(seconds=max(stage.picture.opens, 0.3))  # The same moment, however fast the page is.
    population, vehicle = first_of(stage)
    shown = view(stage, browser=False, remake=SCENARIOS[name].stage, name=name)
    page.page.set_viewport_size({"width": 1280, "height": 720})
    try:
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1")
        simulation(shown).requests.put(Request({"do": "select", "population": population, "id": vehicle}, print))
        page.until(f"stage.selected?.id === {vehicle} && stage.extra.get('why')")
        page.page.wait_for_selector("#reason")
        if not lens:
            if stage.picture.close_up is None:  # Everything is seen, and the vehicle is small.
                page.page.keyboard.press("f")
            page.until("stage.following")
        page.settled()
        found = page.stage(LAYOUT)
        key = page.page.locator(".meanings", has_text="the explained vehicle").inner_text()
    finally:
        shown.close()
    words, inside, rect = found["words"], found["inside"] if lens else [], found["lens"]
    assert (rect is not None) == lens
    told = [text for text, *_ in (inside or words)]
    for each in ("velocity", "desired", "steering"):
        assert any(each in text for text in told), each
    assert ("desired velocity" in key) == any("desired velocity" in text for text in told), key
    frame = [rect[side] for side in ("x", "y", "width", "height")] if lens else [-1, -1, 0, 0]
    vehicles = [(x - half, y - half, 2 * half, 2 * half) for x, y, half in found["vehicles"]]
    for shown_in, all_words in (([0, 0, *found["size"]], words), (frame, inside)):
        for k, (text, x, y, wide, high) in enumerate(all_words):
            assert shown_in[0] <= x <= shown_in[0] + shown_in[2] - wide, text
            assert shown_in[1] <= y <= shown_in[1] + shown_in[3] - high, text
            assert all(apart((x, y, wide, high), other[1:]) for other in all_words[:k]), text
    for text, *box in words:
        assert apart(box, frame), text
        assert all(apart(box, vehicle) for vehicle in vehicles), text
        assert not any(on_line([text, *box], ends) for ends in found["arrows"]), text


def test_a_scenario_opens_close_to_the_vehicle_that_it_explains_and_to_what_it_steers_by(page, monkeypatch):
    """And goes along; the key f and the button lead to everything and back, and an own zoom is kept."""
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.1)
    later = (
        SCENARIOS["interpose"].stage().picture.opens + 0.1
    )  # It has rested where it opens: the button says Pause for good.
    shown = serve(lambda address: simulation_at(address, SCENARIOS["interpose"].stage, "interpose"))
    try:
        address, _, token = shown.url.partition("?")
        page.page.goto(f"{address.replace('/gallery', '/')}?scene=interpose&{token}")
        page.until(
            f"stage.after && stage.after.time > {later} && stage.painted > 1 && stage.selected && stage.following"
        )
        page.page.get_by_role("button", name="Pause", exact=True).click()
        page.shows("button.play", "Play")
        page.settled()
        size = page.stage("[stage.camera.width, stage.camera.height]")
        long = page.stage("stage.sizes(stage.after.populations.guards)[0] * stage.camera.scale")
        assert 18 <= long <= 72.1
        bounds = page.page.locator("#view").bounding_box()
        for who in ("guards", "stalkers", "wards"):
            place = np.subtract(
                middle_of(page, who, *SCENARIOS["interpose"].stage().picture.sketch["guards"]),
                [bounds["x"], bounds["y"]],
            )
            assert (place > 20).all(), who
            assert (place < np.subtract(size, 20)).all(), who
        page.page.keyboard.press("f")
        page.until("!stage.following && !stage.camera.touched")
        page.page.get_by_role("button", name="Come near", exact=True).click()
        page.until("stage.following && stage.camera.touched")
        page.settled()
        page.page.mouse.move(bounds["x"] + 200, bounds["y"] + 200)
        before = page.stage("stage.camera.scale")
        page.page.mouse.wheel(0, 400)
        page.until(f"stage.camera.scale < {0.6 * before}")
        page.page.keyboard.press("ArrowRight")  # A step: the camera stays as far away.
        page.settled()
        assert page.stage("stage.camera.scale") < 0.6 * before
        page.page.get_by_role("button", name="See all", exact=True).click()
        page.until("!stage.following && !stage.camera.touched")
        page.page.wait_for_selector("label:has-text('Follow') input:not(:checked)")
        page.stage("stage.framing.begin()")  # As a picture does that is painted after its explanation has come.
        page.page.wait_for_selector("label:has-text('Follow') input:checked")
    finally:
        shown.close()


def test_words_of_the_scenery_do_not_lie_on_its_lines(page):
    """A word beside the corner of a round stands over or below the side that goes to the right."""
    world = sm.World(domain=sm.Box([100, 60]))
    world.add(sm.Vehicles([[50, 30]], max_speed=1), name="one")
    corners = np.array([[20.0, 20.0], [80.0, 20.0], [80.0, 40.0], [20.0, 40.0]])
    notes = [sm.shapes.Line(corners, closed=True)]
    with opened(page, lambda: sm.Stage(world, seconds=1, labels={"a corner": corners[0]}, notes=notes)):
        page.page.wait_for_selector("#labels .word")
        page.settled()
        box = page.page.locator("#labels .word", has_text="a corner").bounding_box()
        line = page.stage("stage.canvas.getBoundingClientRect().top + stage.camera.height / 2"
                          " - (20 - stage.camera.middle[1]) * stage.camera.scale")  # fmt: skip
        assert box["y"] > line or box["y"] + box["height"] < line


@pytest.mark.parametrize("goal", [[-30, 0], [30, 0]], ids=["left", "right"])
def test_words_at_arrows_stand_beyond_their_tips_and_not_on_the_vehicle(page, goal):
    def one():
        world = sm.World()
        world.add(
            sm.Vehicles([[0, 0]], velocity=np.sign([goal]) * 3.0, max_speed=5), name="one", steering=sm.Seek(goal)
        )
        corners = sm.Vehicles([[-40, -20], [40, 20]], max_speed=1)
        world.add(corners, name="corners")
        return sm.Stage(world, seconds=10, name="one")

    with opened(page, one):
        middle = middle_of(page, "one", 0)
        page.page.mouse.click(*middle)
        page.page.wait_for_selector("#labels span.word:has-text('steering')")
        boxes = {each.text_content(): each.bounding_box() for each in page.page.locator("#labels span.word").all()}
    assert {"velocity", "steering"} <= {words.partition(" \u00d7")[0] for words in boxes}
    for words, box in boxes.items():
        side = box["x"] + box["width"] < middle[0] if goal[0] < 0 else box["x"] > middle[0]
        assert side, words


def test_the_bold_row_and_the_key_are_those_of_the_sentence(page):
    """Not of the strongest part, which the others cancel: that of what serves the force most, with a word for each mark."""

    def stage():
        def wind(vehicles):
            """A wind from the east."""
            return np.tile([-11.0, 0.0], (len(vehicles), 1))

        world = sm.World(domain=sm.Box([100, 100]))
        one = sm.Vehicles([[50, 50]], [[4, 0]], max_speed=8, max_force=10)
        towers = sm.Vehicles([[50, 70]], max_speed=1)
        evade = sm.Evade(towers, panic_distance=30)
        world.add(one, name="one", steering=sm.WeightedSum([wind, evade, 1.2 * sm.Seek([90, 50])]))
        world.add(towers, name="towers")
        return sm.Stage(world, seconds=10, name="one")

    with opened(page, stage):
        page.page.mouse.click(*middle_of(page, "one", 0))
        page.page.wait_for_selector("#reason:not([hidden])")
        page.page.wait_for_selector("li.winner")
        sentence = page.page.locator("#reason").text_content()
        (bold,) = page.page.locator("li.winner > button").all_text_contents()
        key = page.page.locator(".meanings span").all_text_contents()
    (told,) = whys_of(stage().world, "one", [0], 50.0)
    named = {each["label"]: each["purpose"] for each in told["tree"]["parts"]}
    assert named[bold] in sentence, (bold, sentence)
    assert max(told["tree"]["parts"], key=lambda each: np.hypot(*each["contribution"]))["label"] != bold
    assert not {"construction", "how far it looks", "neighbors and obstacles that count"} & set(key), key


def test_numbers_are_read_at_a_glance(page):
    """Three digits; what is rounding beside what the vehicle can do is nothing, however small all forces are in newtons."""

    def pushes(size):
        def push(vehicles):
            return np.tile([size, 0.0], (len(vehicles), 1))

        return push

    world = sm.World(domain=sm.Box([100, 100]))
    for y, name, most, unit in ((20, "large", 25.0, 1.0), (80, "tiny", 25e-6, 1e-6), (50, "as if endless", 1e9, 1.0)):
        tree = sm.WeightedSum([pushes(size * unit) for size in (1.23456, 3e-6, 20.0)] + [0 * sm.Seek([12345.67, 0])])
        world.add(sm.Vehicles([[50, y]], max_force=most, max_speed=1, dtype=float), name=name, steering=tree)
    with opened(page, lambda: world):
        usual = ["1.23 N", "0 N", "20 N"]
        for name, lines in {
            "large": usual,
            "tiny": ["0.00000123 N", "0 N", "0.00002 N"],
            "as if endless": usual,
        }.items():
            page.page.mouse.click(*middle_of(page, name, 0))
            page.page.wait_for_selector(f"[data-section=why] p.hint:has-text('{name}, vehicle 0')")
            told = page.page.locator("[data-section=why] li .force").all_inner_texts()
            assert told[1:4] == lines
        assert page.page.locator("input[type=text]").evaluate_all(
            "all => all.filter((each) => each.value === '12345.67, 0').length") == 3  # fmt: skip


def bus(*, length):
    """A body that stands across a box, as a stage."""
    world = sm.World(domain=sm.Box([60, 40]))
    body = sm.Vehicles([[30.0, 20]], [[3.0, 4]], radius=2, length=length, max_speed=5)
    world.add(body, name="bus")
    return sm.Stage(world, seconds=1, name="bus")


def test_bodies_of_length_are_capsules_along_their_heading(page):
    pictures = []
    for length in (0.0, 16.0):
        with opened(page, bus, length=length):
            pictures.append(page.picture())
            scale = page.stage("stage.camera.scale")
    low, right = np.nonzero(np.any(np.abs(pictures[0] - pictures[1]) > 0.4, axis=2))  # Shadows change less.
    assert len(low) / scale**2 == pytest.approx(12 * 4, rel=0.2)
    assert np.corrcoef(right, -low)[0, 1] > 0.8
    assert np.polyfit(right, -low, 1)[0] == pytest.approx(4 / 3, rel=0.15)


def test_colors_tell_who_decides(page, flock):
    with opened(page, flock, n=60) as it:
        before = page.picture()
        page.page.click("summary:has-text('Layers')")
        page.page.select_option("#color-by", "decision")
        page.page.wait_for_selector("#colors span")
        page.until("!stage.dirty")
        assert differing(before, page.picture()) > 300
        names = page.page.locator("#colors span").all_text_contents()
        assert set(names) == set(explained(it).winner)


def test_the_gallery_leads_to_a_scene(page, flock):
    with window(flock, n=3) as shown:
        page.page.goto(shown.url.replace("/?", "/gallery?"))
        page.page.click('button[data-tag="3D"]')
        cards = page.page.locator(".card:visible")
        assert cards.count() == sum(each.dimensions == 3 for each in SCENARIOS.values())
        page.page.locator(".card", has_text="boids").first.click()
        page.until("stage.scene && stage.scene.name === 'boids' && stage.after && stage.after.steps > 0")
        assert simulation(shown).world.steps == 0
        page.page.go_back()
        assert page.page.locator('button[data-tag="3D"]').get_attribute("aria-pressed") == "true"
        assert cards.count() == sum(each.dimensions == 3 for each in SCENARIOS.values())
        page.page.click('button[data-tag="3D"]')
        page.page.fill("input[type=search]", "wolves")
        assert "caribou and wolves" in page.page.locator(".card:visible h2").all_text_contents()
        page.page.fill("input[type=search]", "car")
        top = "(all) => all.map((it) => [it.getBoundingClientRect().top, it.querySelector('h2').textContent])"
        found = [name for _, name in sorted(page.page.locator(".card:visible").evaluate_all(top))]
        assert {"race", "map drive"} <= set(found[: found.index("caribou and wolves")])
        assert "boids" not in found
        page.page.fill("input[type=search]", "AvoidObstacles rocks")
        assert "obstacle avoidance" in page.page.locator(".card:visible h2").all_text_contents()


def test_a_refused_number_is_told_at_its_field(page, flock):
    with opened(page, flock, n=3) as it:
        page.page.fill("#n", "-3")
        page.page.press("#n", "Enter")
        page.page.wait_for_function("() => document.querySelector('#n').validationMessage.includes('1,000,000')")
        assert "got -3" in page.page.evaluate("document.querySelector('#n').validationMessage")
        assert len(it.world["boids"]) == 3
        page.page.fill("#n", "5")
        assert page.page.evaluate("document.querySelector('#n').validationMessage") == ""
        page.page.fill("#seed", "-1")
        page.page.press("#seed", "Enter")
        page.page.wait_for_function("() => document.querySelector('#seed').validationMessage.includes('got -1')")


def test_an_address_that_cannot_be_shown_is_told_alone(page, flock):
    with window(flock, n=3) as shown:
        page.page.goto(shown.url.replace("/?", "/?scene=nosuch&"))
        page.page.wait_for_function(
            "() => document.querySelector('#notice').textContent.includes('there is no scenario')"
        )
        assert "Opening" not in page.page.text_content("#notice")


def test_a_lost_connection_comes_back_and_the_address_names_what_is_shown(page_of_its_own, flock):
    page = page_of_its_own
    page.page.clock.install()

    def own(address):
        return simulation_at(address, flock, "flock")

    with free_port() as port:
        pass
    shown = serve(own, port=port)
    page.page.goto(shown.url.replace("/?", "/?n=5&"))
    page.until("stage.after && stage.after.steps > 0")
    page.page.fill("#seed", "7")
    page.page.press("#seed", "Enter")
    page.page.wait_for_function("() => location.search.startsWith('?n=5&seed=7&token=')")
    shown.close()
    page.page.wait_for_function("() => document.querySelector('#notice').textContent.includes('Trying again')")
    page.page.clock.fast_forward(9000)
    page.page.clock.resume()
    assert page.page.locator("#notice").is_visible()  # It holds for as long as it is true.
    shown = serve(own, port=port)
    begun = "() => document.querySelector('#notice').textContent.includes('has begun anew')"
    page.page.wait_for_function(begun, timeout=60_000)
    page.page.wait_for_function("() => document.querySelector('#notice').hidden", timeout=60_000)
    wait(lambda: shown._server.tabs._open)
    (remake,) = shown._server.tabs._open.values()
    assert (remake.world.seed, len(remake.world["boids"])) == (7, 5)
    page.until("stage.after && stage.after.steps > 0")
    shown.close()


def test_a_connection_that_comes_back_to_the_same_run_has_its_past(page_of_its_own, flock):
    """The timeline reaches as far back as before, to instants that Python can go back to; none of them is told anew."""
    page = page_of_its_own
    page.page.add_init_script("""window.sockets = []; const Plain = WebSocket;
        window.WebSocket = class extends Plain { constructor(...about) { super(...about); sockets.push(this); } };""")
    shown = serve(lambda address: simulation_at(address, flock, "flock"))
    try:
        page.page.goto(shown.url)
        page.until("stage.after && stage.after.time > 1")
        page.shows("button.play", "Pause")
        page.page.keyboard.press("Space")
        page.shows("button.play", "Play")
        first, last = (page.page.get_attribute("#timeline", each) for each in ("min", "max"))
        assert float(last) > float(first) + 0.5
        page.page.evaluate("() => { window.old = window.steersman.scene; sockets.at(-1).close(); }")
        page.until("stage.scene !== old && stage.after && document.querySelector('#notice').hidden")
        page.until(f"document.querySelector('#timeline').max === '{last}'")
        assert page.page.get_attribute("#timeline", "min") == first
        page.page.keyboard.press("ArrowLeft")
        page.until(f"stage.after.time < {last}")
    finally:
        shown.close()


@contextmanager
def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_a_scene_that_does_not_exist_is_told_and_no_other_is_shown(page, flock):
    with window(flock, n=3) as shown:
        page.page.goto(f"{shown.url}&scene=boidz")
        page.page.wait_for_function(
            "() => document.querySelector('#notice').textContent.includes(\"did you mean 'boids'\")"
        )
        page.page.wait_for_timeout(1000)
        assert page.stage("stage.scene") is None
        assert "Trying again" not in page.page.locator("#notice").text_content()


def test_the_picture_survives_the_loss_of_the_graphics_card(page, flock):
    with opened(page, flock, n=60):
        page.page.mouse.click(*middle_of(page, "boids", 7))
        page.page.wait_for_selector("#reason:not([hidden])")
        page.settled()
        before = page.picture()
        page.stage("(window.lost = stage.painter.gl.getExtension('WEBGL_lose_context')).loseContext()")
        page.page.wait_for_function("() => document.querySelector('#notice').textContent.includes('graphics card')")
        page.page.evaluate("window.lost.restoreContext()")
        page.page.wait_for_function("() => document.querySelector('#notice').hidden")
        page.settled()
        assert np.abs(page.picture() - before).mean() < 1e-3


def test_a_browser_without_webgl2_is_told_so_for_as_long_as_the_page_is_open(chromium, flock):
    context = chromium.new_context()
    context.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    with window(flock, n=3) as shown:
        page = context.new_page()
        page.goto(shown.url)
        page.wait_for_function("() => document.querySelector('#notice').textContent.includes('no WebGL2')")
        assert page.locator("#notice").is_visible()
    context.close()


def test_a_notebook_shows_the_window_in_a_cell(page, flock):
    class Notebook(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<link rel="icon" href="data:,">{shown._repr_html_()}'.encode())

        def log_message(self, *args):
            pass

    with window(flock, n=30) as shown, ThreadingHTTPServer(("127.0.0.1", 0), Notebook) as notebook:
        Thread(target=notebook.serve_forever, daemon=True).start()
        page.page.goto(f"http://127.0.0.1:{notebook.server_address[1]}")
        page.page.frame_locator("iframe").get_by_role("button", name="Step", exact=True).click()
        wait(lambda: simulation(shown).world.steps == 1)
        notebook.shutdown()


def test_a_replay_plays_from_disk(page, flock, tmp_path):
    path = replay(flock(n=150), tmp_path / "flock.html", seconds=2)
    page.page.goto(path.as_uri())
    page.until("stage.after && stage.painted > 1")
    page.page.get_by_role("button", name="Step", exact=True).click()  # It stands still, whether or not it had ended.
    page.page.locator("#timeline").fill("0")
    page.until("stage.after.time < 0.1 && !stage.dirty")
    start = page.picture()
    assert colored(start) > 1000
    page.page.locator("#timeline").fill("1.5")
    page.until("stage.after.time > 1.4 && !stage.dirty")
    assert differing(start, page.picture()) > 1500
    page.page.mouse.click(*middle_of(page, "boids", 5))
    page.until("stage.selected && stage.selected.id === 5")
    for near in ("true", "false"):  # Keys do what they do in a live window.
        page.page.keyboard.press("f")
        page.until(f"stage.following === {near}")
    page.page.mouse.click(*middle_of(page, "boids", 0))  # It is explained at once, though the replay stands still.
    page.page.wait_for_selector("[data-section=why] p.hint:has-text('boids, vehicle 0')")
    page.page.keyboard.press("=")
    page.page.wait_for_function("() => document.querySelector('#speed').value === '6'")
    assert all(address.startswith(("file:", "data:", "blob:")) for address in page.asked)


def test_on_a_phone_a_replay_that_tells_why_is_mostly_picture(page, flock, tmp_path):
    """Its sentence stands below the picture; the panel opens and closes by its button."""
    page.page.set_viewport_size({"width": 390, "height": 844})
    page.page.goto(replay(flock(n=20), tmp_path / "flock.html", seconds=1).as_uri())
    page.until("stage.after && stage.painted > 1")
    panel = page.page.locator("#panel")
    page.page.keyboard.press("n")
    page.page.wait_for_selector("#reason:visible")
    assert not panel.is_visible()
    assert page.page.locator("#view").bounding_box()["height"] > 0.65 * 844
    page.page.click("text=Panel")
    assert panel.is_visible()
    page.page.keyboard.press("n")
    page.until("stage.selected.id === 1")
    assert panel.is_visible()
    page.page.click("text=Panel")
    assert not panel.is_visible()


def field(*, n=4, seed=0):
    """A few vehicles among things that can be taken, as a stage."""
    world = sm.World(domain=sm.Box([60, 40]), seed=seed)
    rocks, walls = (
        sm.Spheres([[15.0, 30]], 4),
        sm.Walls([[[40.0, 5], [55, 5], [55, 12], [40, 12]]], closed=True, seen_from="outside"),
    )
    tree = sm.Priority([sm.AvoidObstacles([rocks, walls]), sm.Seek([30, 10]) + 0.3 * sm.Wander()])
    rng = np.random.default_rng(seed)
    world.add(sm.Vehicles(rng.uniform(22, 36, (n or 4, 2)), max_speed=5, max_force=20), name="a", steering=tree)
    return sm.Stage(world, seconds=10, name="field", scenery={"rocks": rocks, "walls": walls})


def drag(page, start, stop):
    page.page.mouse.move(*start)
    page.page.mouse.down()
    page.page.mouse.move((start[0] + stop[0]) / 2, (start[1] + stop[1]) / 2, steps=3)
    page.page.mouse.move(*stop, steps=3)
    page.page.mouse.up()


def accent(picture):
    """Pixels of the color of what can be taken."""
    return int(((picture[:, :, 0] > 0.85) & (abs(picture[:, :, 1] - 0.5) < 0.2) & (picture[:, :, 2] < 0.3)).sum())


def test_obstacles_and_points_are_dragged_and_reset_puts_them_back(page):
    with opened(page, field) as it:
        before = page.picture()
        assert accent(before) < 20
        page.page.mouse.move(*pixel(page, 15, 30))
        page.until("stage.canvas.style.cursor === 'move' && !stage.dirty")
        assert "Spheres" in page.stage("stage.canvas.title")
        assert accent(page.picture()) > 100
        page.page.mouse.move(*pixel(page, 5, 5))
        page.until("stage.canvas.style.cursor !== 'move'")

        drag(page, pixel(page, 16, 31), pixel(page, 11, 11))
        rock = lambda: it.world.populations["a"].node("AvoidObstacles").behavior.obstacles.sets[0].center[0]  # noqa: E731
        wait(lambda: np.allclose(rock(), [10, 10], atol=0.3))
        heard(page, it)
        assert it.subject.scenery["rocks"].center[0] == pytest.approx(rock())
        page.page.mouse.move(*pixel(page, 30, 38))
        page.until("!stage.dirty")
        assert differing(before, page.picture()) > 500

        page.page.click("button.play")  # While it runs, too.
        drag(page, pixel(page, 30, 10), pixel(page, 20, 20))
        wait(lambda: np.allclose(it.world.populations["a"].node("Seek").behavior.target, [20, 20], atol=0.3))
        page.page.click("button.play")
        wait(lambda: not it.playing)
        drag(page, pixel(page, 45, 8), pixel(page, 45, 28))
        walls = lambda: it.world.populations["a"].node("AvoidObstacles").behavior.obstacles.sets[1]  # noqa: E731
        wait(lambda: np.allclose(walls().points[0][0], [40, 25], atol=0.3))
        heard(page, it)
        typed = page.page.locator('[data-label="Seek"] [data-parameter="target"] input').input_value()
        assert [float(each) for each in typed.split(",")] == pytest.approx([20, 20], abs=0.3)

        page.page.get_by_role("button", name="Reset").click()
        wait(lambda: it.world.steps == 0)
        page.until("stage.after && stage.after.steps === 0 && !stage.dirty")
        page.page.mouse.move(*pixel(page, 30, 38))
        page.until("!stage.dirty")
        assert differing(before, page.picture()) < 50


def roads(*, n=None, seed=0):
    """Two who follow a road within a meadow."""
    road, meadow = sm.Path([[5.0, 10], [45, 10], [45, 40]], radius=3), sm.Polygon([[0, 0], [60, 0], [60, 50], [0, 50]])
    world = sm.World(seed=seed)
    tree = sm.Priority([sm.Contain(meadow), sm.FollowPath(road)])
    world.add(sm.Vehicles([[6.0, 10], [9, 11]], max_speed=5, max_force=20), name="a", steering=tree)
    return sm.Stage(world, seconds=30, name="roads", scenery={"road": road, "meadow": meadow})


def test_paths_and_regions_are_dragged_and_reset_puts_them_back(page):
    with opened(page, roads) as it:
        before = page.picture()
        road = lambda: it.world.populations["a"].node("FollowPath").behavior.path.points  # noqa: E731
        meadow = lambda: it.world.populations["a"].node("Contain").behavior.region.points  # noqa: E731
        page.page.mouse.move(*pixel(page, 45, 10))
        page.until("stage.canvas.style.cursor === 'move' && !stage.dirty")
        assert "Path, point 1" in page.stage("stage.canvas.title")
        drag(page, pixel(page, 45, 10), pixel(page, 35, 20))
        wait(lambda: np.allclose(road(), [[5, 10], [35, 20], [45, 40]], atol=0.3))
        heard(page, it)
        assert it.subject.scenery["road"].points is road()
        page.until("!stage.dirty")
        assert differing(before, page.picture()) > 1000

        page.page.mouse.move(*pixel(page, 20, 15))  # On the spine, between two points.
        page.until("stage.canvas.style.cursor === 'move' && !stage.dirty")
        assert "Path (" in page.stage("stage.canvas.title")
        assert accent(page.picture()) > 50
        drag(page, pixel(page, 20, 15), pixel(page, 20, 22))
        wait(lambda: np.allclose(road(), [[5, 17], [35, 27], [45, 47]], atol=0.4))
        heard(page, it)

        middle = page.stage("stage.camera.middle")
        page.page.mouse.move(*pixel(page, 52, 8))  # In the meadow, not on its rim: the picture is dragged.
        page.until("stage.canvas.style.cursor !== 'move'")
        drag(page, pixel(page, 52, 8), pixel(page, 50, 8))
        assert page.stage("stage.camera.middle") != middle
        assert meadow()[0].tolist() == [0, 0]
        drag(page, pixel(page, 30, 0), pixel(page, 34, 3))
        wait(lambda: np.allclose(meadow(), [[4, 3], [64, 3], [64, 53], [4, 53]], atol=0.3))

        page.page.click("button.play")  # They go where the road is now.
        wait(lambda: it.world.time > 4)
        page.page.click("button.play")
        wait(lambda: not it.playing)
        far = it.subject.scenery["road"].project(it.world["a"].position).distance
        assert far.max() < 3.5
        page.page.get_by_role("button", name="Reset").click()
        page.until("stage.after && stage.after.steps === 0 && !stage.dirty")
        assert (road()[1].tolist(), meadow()[0].tolist()) == ([45, 10], [0, 0])


def test_a_path_and_a_region_are_dragged_in_space(page):
    def tunnel(**about):
        path, ball = sm.Path([[0.0, 0, 0], [40, 0, 0], [40, 40, 0]], radius=3), sm.Sphere([20.0, 20, 0], 40)
        world = sm.World(seed=0)
        tree = sm.Priority([sm.Contain(ball), sm.FollowPath(path)])
        world.add(sm.Vehicles([[0.0, 0, 0]], max_speed=5, max_force=20), name="a", steering=tree)
        return sm.Stage(world, seconds=30, scenery={"path": path, "ball": ball})

    with opened(page, tunnel) as it:
        path = lambda: it.world.populations["a"].node("FollowPath").behavior.path.points  # noqa: E731
        x, y = pixel(page, 40, 0, 0)
        meter = page.stage("stage.camera.meter([40, 0, 0])")
        drag(page, (x, y), (x + 30, y - 20))
        wait(lambda: np.linalg.norm(path()[1] - [40, 0, 0]) * meter == pytest.approx(np.hypot(30, 20), rel=0.05))
        assert path()[[0, 2]].tolist() == [[0, 0, 0], [40, 40, 0]]
        ball = lambda: it.world.populations["a"].node("Contain").behavior.region.center  # noqa: E731
        x, y = pixel(page, 20, 20, 40)
        drag(page, (x, y), (x + 30, y - 20))
        wait(lambda: np.linalg.norm(ball() - [20, 20, 0]) > 1)


def test_the_verdict_says_that_somebody_has_dragged_something(page):
    def judged(**about):
        stage = field(**about)
        stage.seconds, stage.check = (
            0.1,
            lambda it: [] if it.scenery["rocks"].center[0][0] < 12 else ["the rock is far"],
        )
        return stage

    said = page.page.locator("#panel p", has_text="check")
    with opened(page, judged):
        ends = lambda: [page.page.get_by_role("button", name="Step", exact=True).click() for _ in range(6)]  # noqa: E731
        ends()
        said.first.wait_for()
        assert said.all_text_contents() == ["The check failed:"]
        assert page.page.get_by_text("the rock is far").is_visible()
        page.page.get_by_role("button", name="Reset").click()
        page.until("stage.after && stage.after.steps === 0 && !stage.dirty")
        assert said.count() == 0
        page.page.get_by_role("button", name="Step", exact=True).click()
        page.until("stage.after.steps === 1 && !stage.dirty")
        drag(page, pixel(page, 16, 31), pixel(page, 11, 11))
        ends()
        said.first.wait_for()
        outcome, deeds = said.all_text_contents()
        assert outcome == "Touched at 0.0167 s: the check passed."
        assert "What was done: Spheres was moved." in deeds


def test_what_is_not_allowed_is_said_and_escape_puts_it_back(page):
    def two():
        stage = field()
        walls = sm.Walls(
            [[[40.0, 5], [55, 5], [55, 12]], [[40, 25], [55, 25], [55, 32]]], closed=True, seen_from="outside"
        )
        stage.world.populations["a"].steering = sm.AvoidObstacles(walls)
        stage.scenery = {}
        return stage

    with opened(page, two) as it:
        drag(page, pixel(page, 52, 7), pixel(page, 50, 24))
        page.page.wait_for_selector("#notice:not([hidden])")
        assert "cross" in page.page.locator("#notice").text_content()
        walls = lambda: it.world.populations["a"].steering.obstacles  # noqa: E731
        page.page.mouse.move(*pixel(page, 50, 25))
        page.page.mouse.down()
        page.page.mouse.move(*pixel(page, 50, 35), steps=4)
        wait(lambda: walls().points[1][0][1] > 30)
        page.page.keyboard.press("Escape")
        wait(lambda: np.allclose(walls().points[1][0], [40, 25]))
        page.page.mouse.up()
        page.page.mouse.move(*pixel(page, 50, 7))
        page.page.keyboard.down("Shift")
        middle = page.stage("stage.camera.middle")
        drag(page, pixel(page, 52, 7), pixel(page, 42, 7))
        page.page.keyboard.up("Shift")
        assert page.stage("stage.camera.middle") != middle


def test_a_ball_is_dragged_in_space(page, flock):
    with opened(page, flock, n=3, dimensions=3) as it:
        x, y = page.stage("""(() => {
            const box = stage.canvas.getBoundingClientRect(), m = stage.camera.matrix, p = [30, 30, 30];
            const row = (k) => m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
            return [box.left + (row(0) / row(3) + 1) / 2 * box.width, box.top + (1 - row(1) / row(3)) / 2 * box.height];
        })()""")
        before = page.picture()
        drag(page, (x, y), (x + 80, y - 40))
        rock = lambda: it.world.populations["boids"].node("AvoidObstacles").behavior.obstacles.center[0]  # noqa: E731
        meter = page.stage("stage.camera.meter([30, 30, 30])")
        wait(lambda: np.linalg.norm(rock() - 30) * meter == pytest.approx(np.hypot(80, 40), rel=0.05))
        heard(page, it)
        page.until("!stage.dirty")
        assert differing(before, page.picture()) > 1000


def test_forces_of_all_and_velocities_are_drawn(page, flock):
    with opened(page, flock, n=40) as it:
        page.page.click("summary:has-text('Layers')")
        plain = page.picture()
        page.page.check("#layer-velocity")
        page.until("stage.after.populations.boids.velocity && !stage.dirty")
        moving = page.picture()
        assert differing(plain, moving) > 500
        page.page.select_option("#whose", "all")
        page.page.wait_for_selector("#populations span")
        words = page.page.locator("#populations span").all_text_contents()
        assert words == ["steering; thin: what each behavior wants, and what is kept of it"]
        page.until("!stage.dirty")
        forced = page.picture()
        assert differing(moving, forced) > 500
        arrows = page.stage("stage.extra.get('populations').make().find((each) => each.width.length > 60).width")
        widths = np.array(arrows)
        told = explained(it)
        leaves = [node for node in told.walk() if not node.parts]
        kept = sum((np.linalg.norm(node.contribution, axis=1) > 1e-3).sum() for node in leaves)
        assert len(widths) >= kept
        assert (
            len(np.unique(widths.round(5))) == 4
        )  # What is wanted, what is kept, what the winner keeps, and the whole.
        page.page.check("#layer-near")
        page.until("stage.extra.get('populations').prepared.length > 0 && !stage.dirty")
        assert differing(forced, page.picture()) > 500
        page.page.select_option("#whose", "one")
        page.page.uncheck("#layer-velocity")
        page.until("stage.extra.get('populations').prepared.length === 0 && !stage.dirty")
        assert differing(plain, page.picture()) < 50


def test_floors_in_space_are_filled(page):
    """Also those that let the ones below them be seen."""
    corners = np.array([[0, 0, 0], [30, 0, 0], [30, 30, 0], [0, 30, 0]], float)
    floor = sm.WalkMesh(sm.TriangleMesh(corners, [[0, 1, 2], [0, 2, 3]]), clearance=0.5)
    world = sm.World()
    walker = sm.Vehicles([[3.0, 3, 0]], radius=0.2, max_speed=1)
    world.add(walker, name="walker", steering=sm.GoTo([27.0, 27, 0], by=floor), locomotion=sm.SurfaceBound(floor))
    with opened(page, lambda: sm.Stage(world, picture=sm.Picture(elevation=70))):
        page.settled()
        before = page.picture()
        page.page.click("summary:has-text('Layers')")
        page.page.uncheck("#layer-scenery")
        page.settled()
        assert int(np.any(np.abs(before - page.picture()) > 0.02, axis=2).sum()) > 20_000


def test_layers_are_switched_off(page):
    world = sm.World(domain=sm.Box([60, 40]))
    wind = sm.FlowField.function(lambda points: np.tile([3.0, 1.0], (len(points), 1)))
    tree = sm.FollowFlow(wind) + sm.AvoidObstacles(sm.Spheres([30, 20], 5))
    world.add(sm.Vehicles([[10, 10]], max_speed=5), name="a", steering=tree)
    shown = view(world, browser=False)
    try:
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1 && !stage.dirty")
        page.page.click("summary:has-text('Layers')")
        before = page.picture()
        for layer, least in [("flow", 400), ("scenery", 400), ("grid", 100)]:
            page.page.uncheck(f"#layer-{layer}")
            page.settled()
            now = page.picture()
            assert int(np.any(np.abs(before - now) > 0.02, axis=2).sum()) > least, layer
            before = now
        page.page.check("#layer-ids")
        page.page.wait_for_function("() => document.querySelector('#labels span:not(.tick)')")
    finally:
        shown.close()


def test_each_kind_of_construction_has_a_switch(page):
    """Of the explained vehicle, and of all: one kind alone can be seen."""
    world = sm.World(dt=0.1)
    quarry = world.add(sm.Vehicles([[20.0, 5.0]], [[0, 3.0]]), name="quarry").vehicles
    hunters = sm.Vehicles([[0.0, 0.0], [5.0, 8.0]], velocity=[[1.0, 0.0]] * 2, max_speed=5, max_force=50)
    steering = sm.Pursue(quarry) + sm.Separation(radius=20)
    world.add(hunters, name="hunters", steering=steering)
    kinds = {
        "target": "where to go",
        "predicted": "predicted position",
        "chosen": "neighbors and obstacles that count",
        "guide": "construction",
    }

    def seen(owner):
        """The kinds that are drawn."""
        page.settled()
        told = page.stage(f"stage.extra.get('{owner}').elements.map((each) => each.means ?? '')")
        return {kind for kind, means in kinds.items() if means in told}

    with window(lambda: sm.Stage(world)) as shown:
        simulation(shown).requests.put(Request({"do": "select", "population": "hunters", "id": 0}, print))
        page.page.goto(shown.url)
        page.until("stage.after && stage.selected && stage.extra.get('why')?.make")
        page.page.locator(".why button", has_text="WeightedSum").click()  # All of its construction.
        page.page.click("summary:has-text('Layers')")
        assert seen("why") == set(kinds)
        for kind in ("target", "chosen", "guide"):
            page.page.uncheck(f"#layer-{kind}")
        assert seen("why") == {"predicted"}
        page.page.select_option("#whose", "all")
        page.page.check("#layer-sketch")
        page.until("stage.extra.get('populations').elements.length")
        assert seen("populations") == {"predicted"}
        page.page.wait_for_selector("#populations:has-text('predicted position')")
        page.page.check("#layer-chosen")
        assert seen("populations") == {"predicted", "chosen"}
        assert "where to go" not in page.page.locator("#populations").inner_text()


def test_colors_by_a_number(page, flock):
    with opened(page, flock, n=60):
        page.page.click("summary:has-text('Layers')")
        before = page.picture()
        for by in ("nearest distance", "force", "speed"):
            page.page.select_option("#color-by", by)
            page.page.wait_for_selector("#colors .ramp")
            if by != "speed":
                page.until("Object.keys(stage.numbers).length === 1 && !stage.dirty")
            page.until("!stage.dirty")
            now = page.picture()
            if by != "speed":
                assert differing(before, now) > 300, by
            before = now


def test_colors_by_heading_go_around_a_wheel_and_trails_have_them(page, flock):
    with opened(page, flock, n=60):
        page.page.click("summary:has-text('Layers')")
        page.page.select_option("#color-by", "heading")
        page.page.wait_for_selector("#colors .wheel i")
        assert page.page.locator("#colors .wheel b").all_text_contents() == ["up", "left", "right", "down"]
        assert page.stage("stage.coloring") == "wheel"
        several = (
            "new Set(Array.from(stage.after.populations.boids.id, (id) => String(stage.shades()('boids', id)))).size"
        )
        assert page.stage(several) > 10
        page.page.select_option("#color-by", "speed")  # Of a world that never moved.
        page.until("stage.valued.get('boids')?.every((each) => each > 0.01)")


def test_a_crowd_is_seen_by_its_density(page, flock):
    with opened(page, flock, n=60):
        page.page.click("summary:has-text('Layers')")
        before = page.picture()
        page.page.select_option("#color-by", "density")
        page.page.wait_for_selector("#colors .ramp")
        page.until("!stage.dirty")
        assert differing(before, page.picture()) > 2000


def test_notes_of_a_stage_are_drawn_and_follow_the_vehicles(page):
    world = sm.World(domain=sm.Box([100, 60]))
    rovers = world.add(sm.Vehicles([[50, 30]], max_speed=1), name="rovers").vehicles

    def here():
        yield sm.shapes.Circle(rovers.position, 8, role="danger", label="here")

    notes = [sm.shapes.Line(np.array([[10, 10], [90, 10]]), role="target", label="the way"), here]
    with window(lambda: sm.Stage(world, notes=notes)) as shown:
        page.page.goto(shown.url)
        page.until("stage.after && stage.extra.get('notes').prepared.length && !stage.dirty")
        words = page.page.locator("#labels .word")
        assert set(words.all_text_contents()) == {"the way", "here"}
        picture, place = page.picture(), words.filter(has_text="here").bounding_box()
        with world.between_steps():
            rovers.position = [[20, 40]]
        page.page.click("button:has-text('Step')")
        wait(lambda: world.steps == 1)
        heard(page, simulation(shown))  # Notes come after their frame.
        page.settled()
        assert words.filter(has_text="here").bounding_box()["x"] < place["x"] - 50
        page.page.click("summary:has-text('Layers')")
        page.page.uncheck("#layer-scenery")
        page.until("!stage.dirty")
        assert words.count() == 0
        assert differing(picture, page.picture()) > 1000


def test_one_name_and_color_is_in_the_picture_and_in_the_sentence(page):
    """That of the goal in place of its label; of notes those in the sentence once; a goal is below the vehicle."""
    world = sm.World()
    hunter = sm.Vehicles([[0.0, 0.0], [40, 0]], velocity=[[0, 4], [0, 1]], max_speed=5, max_force=50)
    world.add(hunter, name="hunter", steering=sm.Arrive([[30.0, 20.0], [40.0, 0.2]]))

    def noted():
        for x, words in (
            (2, "arrive"),
            (6, "place 1"),
            (10, "elsewhere"),
        ):  # In the sentence, that of the goal, another one.
            yield sm.shapes.Circle(np.array([[x, 9.0]]), 1, role="chosen", label=words)

    with opened(page, lambda: sm.Stage(world, labels={"1": [30, 20]}, notes=[noted])) as it:
        it.requests.put(Request({"do": "select", "population": "hunter", "id": 0}, print))
        page.until("stage.selected?.id === 0 && stage.extra.get('why')?.made?.length")
        page.page.wait_for_selector("#reason b")
        page.settled()
        words = page.page.locator("#labels .word")
        shades = {each.text_content(): each.evaluate("(it) => getComputedStyle(it).color") for each in words.all()}
        bold = {each.text_content(): each.evaluate("(it) => getComputedStyle(it).color")
                for each in page.page.locator("#reason b").all()}  # fmt: skip
        assert "1" not in shades
        assert words.all_text_contents().count("place 1") == 1
        assert bold["place 1"] == shades["place 1"]
        assert "arrive" in shades
        assert "elsewhere" in shades  # There is room for it.
        it.requests.put(Request({"do": "select", "population": "hunter", "id": 1}, print))
        page.until("stage.selected?.id === 1")
        heard(page, it)
        page.settled()
        x, y = np.subtract(middle_of(page, "hunter", 1), list(page.page.locator("#view").bounding_box().values())[:2])
        red, _, blue = page.picture()[int(y), int(x)]
        assert not blue > 0.8 > 0.4 > red, "the cross of the goal lies on the vehicle"


def test_beside_an_explanation_labels_stand_at_what_is_drawn_alone(page):
    """That of a corner of a round stands there as long as the sentence names the round, which is drawn then."""
    world = sm.World()
    rovers = sm.Vehicles([[10.0, 10.0]], velocity=[[0, 4]], max_speed=5, max_force=50)
    world.add(rovers, name="rovers", steering=sm.Arrive([30.0, 20.0]))
    labels = {"bare": [20, 5], "yard": [35, 8], "corner": [8, 20]}
    notes = [sm.shapes.Line([[8, 20], [30, 24]], role="guide", label="round")]

    def story():
        return sm.Stage(
            world, labels=labels, notes=notes, scenery={"court": sm.Polygon([[32, 5], [38, 5], [38, 11], [32, 11]])}
        )

    def words():
        page.settled()
        return set(page.page.locator("#labels .word").all_text_contents()) & set(labels)

    with opened(page, story) as it:
        assert words() == set(labels)
        it.requests.put(Request({"do": "select", "population": "rovers", "id": 0}, print))
        page.until("stage.selected?.id === 0 && stage.extra.get('why')?.made?.length")
        page.page.wait_for_selector("#reason b")
        assert words() == {"yard"}
        page.stage("(stage.said = ({ says }) => says === 'round', stage.dirty = true)")
        assert words() == {"yard", "corner"}


def test_time_by_phase_is_measured_while_it_is_looked_at(page, flock):
    with opened(page, flock) as it:
        assert it.world._timings == ()
        page.page.click("[data-section=time] summary")
        wait(lambda: len(it.world._timings) == 1)
        page.page.click("button.play")
        page.page.wait_for_selector(".phases li")
        words = page.page.locator(".phases li").all_text_contents()
        assert [each.split(" ")[0].rstrip("0123456789.") for each in words] == [
            "begin",
            "look",
            "steer",
            "move",
            "after",
        ]
        page.page.click("[data-section=time] summary")
        wait(lambda: it.world._timings == ())


def test_reset_of_a_script_s_world_says_what_it_does(page):
    def my_wind(vehicles):
        return np.zeros((len(vehicles), 2))

    world = field().world
    world.populations["a"].steering = sm.Seek([30, 10]) + my_wind
    shown = view(world, browser=False)
    try:
        page.page.goto(shown.url)
        page.until("stage.after")
        reset = page.page.get_by_role("button", name="Reset")
        assert "my_wind" in reset.get_attribute("title")
        page.page.keyboard.press("ArrowRight")
        wait(lambda: world.steps == 1)
        page.page.keyboard.press("r")
        wait(lambda: world.steps == 0)
        assert page.page.locator("#n").is_disabled()
    finally:
        shown.close()


def test_keys(page, flock):
    with opened(page, flock) as it:
        press = page.page.keyboard.press
        press(" ")
        wait(lambda: it.playing)
        page.shows("button.play", "Pause")
        page.until("stage.after.steps > 0")
        press(" ")
        wait(lambda: not it.playing)
        page.shows("button.play", "Play")
        for key, speed in [("+", 1.5), ("-", 1.0), ("-", 0.7)]:
            press(key)
            wait(lambda speed=speed: it.speed == speed)
            page.shows("#transport output", f"x{speed:g}")
        page.page.locator("#speed").focus()
        press("r")  # A slider has the focus, and leaves alone what it does not use.
        page.until("stage.after && stage.after.steps === 0")
        assert it.world.steps == 0
        press("?")
        page.page.wait_for_selector("dialog[open]")
        assert "add a vehicle there" in page.page.locator("dialog").text_content()
        assert "quarter of a second" not in page.page.locator("dialog").text_content()  # That is a key of replays.
        press("Escape")
        page.page.wait_for_selector("dialog:not([open])", state="attached")
        for key, number in [("n", 0), ("n", 1), ("p", 0), ("p", 59)]:
            press(key)
            wait(lambda number=number: it.selected == ("boids", number))
        press("Escape")
        wait(lambda: it.selected is None)
        page.page.locator("#canvas").focus()
        middle = page.stage("stage.camera.middle")
        press("Shift+ArrowRight")
        press("Shift+ArrowUp")
        page.until(f"stage.camera.middle[0] > {middle[0]} && stage.camera.middle[1] > {middle[1]}")
        assert it.world.steps == 0
        press("PageUp")
        press("f")
        press("t")
        page.until("stage.layers.trails === false")
        scale = page.stage("stage.camera.scale")
        page.page.mouse.move(300, 300)
        page.page.mouse.wheel(0, -600)
        page.until(f"stage.camera.scale > {1.5 * scale}")
        press("f")
        page.until(f"Math.abs(stage.camera.scale - {scale}) < 1e-9")


def test_every_control_has_a_label_and_a_tooltip(page, flock):
    with opened(page, flock):
        assert page.page.locator("button, input, select").count() > 30
        bare = page.page.evaluate("""() => [...document.querySelectorAll("button, input, select")].filter((each) => {
            const titled = each.title || each.closest("[title]");
            const named = each.textContent.trim() || each.ariaLabel || each.closest("label, summary, .row");
            return !titled || !named;
        }).map((each) => each.outerHTML)""")
        assert bare == []
        for name in ("Separation", "Wander"):  # A box that switches a behavior off has its name.
            assert page.page.get_by_role("checkbox", name=name, exact=True).count() == 1


def test_dark_paper(page, flock):
    with window(flock) as shown:
        page.page.emulate_media(color_scheme="dark")
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1 && !stage.dirty")
        assert np.median(page.picture()) < 0.2
        page.page.emulate_media(color_scheme="light")
        page.until("!stage.painter.dark && !stage.dirty")
        assert np.median(page.picture()) > 0.8


@pytest.mark.parametrize("paper", ["light", "dark"])
def test_vehicles_are_folded_and_the_ground_has_a_grain(page, paper):
    """One half of a dart is darker, wherever it is headed, also along the light; grass is mottled."""
    world = sm.World(domain=sm.Box([60, 40]))
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False) + 2.25  # The first goes away from the light.
    ahead = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    places = np.array([[8.0 + 12 * (k % 4), 12.0 + 16 * (k // 4)] for k in range(8)])
    world.add(sm.Vehicles(places, ahead), name="a")
    style = sm.Picture(size=6.0, looks={"ground": "grass"})
    page.page.emulate_media(color_scheme=paper)
    with opened(page, lambda: sm.Stage(world, seconds=1, colors={"a": "blue"}, picture=style)):
        page.settled()
        picture = page.picture()
        size = page.stage("stage.after.populations.a.size[0]")
        bounds = page.page.locator("#view").bounding_box()

        def at(place):
            return np.round(np.subtract(pixel(page, *place), [bounds["x"], bounds["y"]])).astype(int)

        def seen(place):
            x, y = at(place)
            return float(picture[y - 1 : y + 2, x - 1 : x + 2].mean())

        left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
        for place, way, side in zip(places, ahead, left, strict=True):
            halves = [seen(place + size * (0.1 * way + sign * 0.07 * side)) for sign in (1, -1)]
            assert abs(halves[0] - halves[1]) > 0.02
        x, y = at([26, 20])
        grass = picture[y - 12 : y + 12, x - 40 : x + 40]
        assert grass.std(axis=(0, 1)).max() > 0.003
        assert grass[..., 1].mean() > max(grass[..., 0].mean(), grass[..., 2].mean())


def hued(picture, place, hue, around=10):
    """How strong the pixels of a hue are near a place of the window: 0 where there are none."""
    x, y = np.round(place).astype(int)
    part = picture[y - around : y + around, x - around : x + around].reshape(-1, 3)
    (high,) = np.nonzero(np.array(hue) == 1)
    spread = part.max(axis=1) - part.min(axis=1)
    own = np.isin(part.argmax(axis=1), high) & np.isin(part.argmin(axis=1), np.nonzero(np.array(hue) == -1)[0])
    return np.where(own, spread, 0)


@pytest.mark.parametrize("paper", ["light", "dark"])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_the_explained_vehicle_is_on_top_and_those_that_do_not_matter_are_paler(page, dimensions, paper):
    """Its target keeps its color; all is as before where nobody is explained, or colors have a meaning."""
    rest = [0.0] * (dimensions - 2)
    world = sm.World(domain=sm.Box([60, 40, *[20] * (dimensions - 2)]))
    places = {"hunters": [[30, 20]], "prey": [[42, 20]], "others": [[30.6, 20], [20, 30]]}
    made = {name: sm.Vehicles([[*at, *[each + 10 for each in rest]] for at in them]) for name, them in places.items()}
    for name, vehicles in made.items():
        world.add(vehicles, name=name, steering=sm.Seek(made["prey"]) if name == "hunters" else None)
    colors = {"hunters": "blue", "prey": "red", "others": "green"}
    page.page.emulate_media(color_scheme=paper)
    with opened(page, lambda: sm.Stage(world, seconds=1, colors=colors, picture=sm.Picture(size=2.5))):
        page.stage("[(stage.layers.lens = false), (stage.layers.sketch = true)]")
        page.settled()
        bounds = page.page.locator("#view").bounding_box()
        spot = {
            (name, k): np.subtract(middle_of(page, name, k), [bounds["x"], bounds["y"]])
            for name, k in (("hunters", 0), ("prey", 0), ("others", 0), ("others", 1))
        }
        hues = {"hunters": (-1, 0, 1), "prey": (1, 0, -1), "others": (-1, 1, 0)}

        def strength(name, k=0):
            return hued(page.picture(), spot[name, k], hues[name])

        before = {name: strength(name, 1 if name == "others" else 0).max() for name in hues}
        hidden = (strength("others") > 0.3).sum()
        ticks = page.page.locator("#labels span.tick")
        assert (ticks.count() > 0) == (dimensions == 2)
        page.page.mouse.click(*middle_of(page, "hunters", 0))
        page.until(
            "stage.selected && stage.selected.population === 'hunters' && stage.extra.get('why').elements.length"
        )
        page.settled()
        assert ticks.count() == 0
        assert strength("hunters").max() > 0.9 * before["hunters"]
        assert strength("prey").max() > 0.9 * before["prey"]
        x, y = np.round(spot["prey", 0]).astype(int)
        middle = page.picture()[y - 3 : y + 3, x - 3 : x + 3]
        assert (middle[..., 2] - middle[..., 0]).max() > 0, "the mark of the goal, which is blue, lies over it"
        assert 0.3 * before["others"] < strength("others", 1).max() < 0.75 * before["others"]
        assert (strength("others") > 0.1).sum() < 0.5 * hidden, "another vehicle lies on the explained one"
        page.page.click("summary:has-text('Layers')")
        page.page.select_option("#color-by", "speed")
        page.settled()
        assert not page.stage("stage.explains")
        page.page.select_option("#color-by", "population")
        page.page.keyboard.press("Escape")
        page.until("!stage.selected")
        page.settled()
        assert strength("others", 1).max() == pytest.approx(before["others"], abs=0.02)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["desktop", "phone"])
def test_the_sentence_the_legend_and_the_scale_lie_below_the_picture(page, flock, size):
    """On a strip of their own, without a change of the picture when another sentence is told; the sentence is largest."""
    page.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    with opened(page, flock, n=20):
        page.page.mouse.click(*middle_of(page, "boids", 7))
        page.page.wait_for_selector("#reason")
        heights = []
        for sentence in ("It rests.", "Chase: it brakes hard and turns left to be where the thief will be."):
            page.page.evaluate("(words) => (document.querySelector('#reason').textContent = words)", sentence)
            canvas, *words = (
                page.page.locator(name).bounding_box() for name in ("#canvas", "#reason", "#legend > span", "#scale")
            )
            heights.append(canvas["height"])
            ends = page.page.locator("#time").bounding_box()["y"]
            assert all(canvas["y"] + canvas["height"] <= each["y"] for each in words)
            assert all(each["y"] + each["height"] <= ends for each in words)
            sizes = page.page.evaluate("""() => ["reason", "legend", "scale"].map((id) =>
                parseFloat(getComputedStyle(document.getElementById(id)).fontSize)).join()""")
            assert float(sizes.split(",")[0]) >= 16 > max(map(float, sizes.split(",")[1:]))
        assert heights[0] == heights[1]
        labels = page.page.evaluate("parseFloat(getComputedStyle(document.getElementById('labels')).fontSize)")
        assert 13 <= labels < float(sizes.split(",")[0])


def test_a_narrow_window_is_mostly_picture(page, flock):
    page.page.set_viewport_size({"width": 390, "height": 844})
    with opened(page, flock, n=3):
        assert page.page.locator("#view").bounding_box()["height"] > 0.65 * 844
        buttons = page.page.locator("footer button:visible")
        boxes = [buttons.nth(k).bounding_box() for k in range(buttons.count())]
        assert all(min(each["height"], each["width"]) >= 44 for each in boxes)
        assert len({each["y"] for each in boxes}) == 1, "more than one row"
        assert max(each["x"] + each["width"] for each in boxes) <= 390, "cut off"
        assert not page.page.locator("#panel").is_visible()
        page.page.click("text=Panel")
        assert page.page.locator("#panel").is_visible()
        view = page.page.locator("#view").bounding_box()
        assert page.page.locator("#panel").bounding_box()["y"] >= view["y"] + view["height"], "it covers nobody"
        page.page.evaluate("() => document.querySelectorAll('#panel details').forEach((each) => (each.open = true))")
        sizes = page.page.evaluate("""() => [...document.querySelectorAll("#panel :is(button, select, input, summary)")]
            .filter((each) => each.checkVisibility())
            .map((each) => [each.outerHTML, each.type === "checkbox", each.getBoundingClientRect().height])""")
        assert len(sizes) > 40
        assert [each for each in sizes if each[2] < (24 if each[1] else 44)] == []  # A box stands alone in a row of 44.
        page.page.click("text=Panel")
        assert not page.page.locator("#panel").is_visible()


def test_targets_of_fingers_are_large(page, flock):
    """Also those that come with an explanation, and the way back to the gallery."""
    page.page.set_viewport_size({"width": 390, "height": 844})
    with opened(page, flock, n=20):
        page.page.keyboard.press("n")
        page.page.click("text=Panel")
        page.page.evaluate("() => document.querySelectorAll('#panel details').forEach((each) => (each.open = true))")
        page.page.wait_for_selector(".why .part")
        small = page.page.evaluate("""() => [...document.querySelectorAll("#home, #panel button")]
            .filter((each) => each.checkVisibility())
            .map((each) => [each.textContent, each.getBoundingClientRect()])
            .filter(([, {width, height}]) => width < 44 || height < 44).map(([text]) => text)""")
        assert small == []


@pytest.mark.parametrize("size", [(390, 844), (900, 600)])
def test_the_help_lies_within_the_picture(page, flock, size):
    """It is longer: it scrolls, not the page, and its first keys and the button that closes it are seen."""
    page.page.set_viewport_size({"width": size[0], "height": size[1]})
    with opened(page, flock, n=3):
        view = page.page.locator("#view").bounding_box()
        page.page.keyboard.press("?")
        page.page.wait_for_selector("dialog[open]")
        assert page.page.locator("#view").bounding_box() == view
        for each in ("#help", "#help button", "#help kbd >> nth=0"):
            box = page.page.locator(each).bounding_box()
            assert view["y"] <= box["y"] < box["y"] + box["height"] <= view["y"] + view["height"]
        assert page.page.locator("#help").evaluate("(box) => box.scrollHeight > box.clientHeight")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_all_words_are_legible_on_either_paper(page, flock, scheme):
    """Words have a contrast of 4.5 with what is behind them, in the header, the controls, and the panel."""
    page.page.set_viewport_size({"width": 390, "height": 844})
    page.page.emulate_media(color_scheme=scheme)
    with opened(page, flock, n=3):
        assert (np.median(page.picture()) > 0.8) == (scheme == "light")
        page.page.click("text=Panel")
        page.page.evaluate("() => document.querySelectorAll('#panel details').forEach((each) => (each.open = true))")
        found = page.page.evaluate("""() => {
            const numbers = (color) => (color.match(/[0-9.]+/g) ?? []).map(Number);
            const behind = (element) => {
                for (let each = element; each; each = each.parentElement) {
                    const paper = numbers(getComputedStyle(each).backgroundColor);
                    if (paper.length === 3 || paper[3] === 1) return paper.slice(0, 3);
                }
                return [255, 255, 255];
            };
            const has = (element) => [...element.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
            const off = (element) => element.closest(":disabled, .off, .idle, option, style, script");
            return [...document.querySelectorAll("body *")]
                .filter((each) => each.checkVisibility() && has(each) && !off(each))
                .map((each) => [each.textContent.trim().slice(0, 40), numbers(getComputedStyle(each).color), behind(each)]);
        }""")
    assert len(found) > 40
    for words, ink, paper in found:
        assert contrast(np.array(ink[:3]) / 255, np.array(paper) / 255) >= 4.5, (words, ink, paper)


def test_fingers_drag_and_zoom(page, flock):
    with opened(page, flock, n=3) as it:
        hand = page.page.context.new_cdp_session(page.page)

        def touch(kind, *places):
            points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        scale = page.stage("stage.camera.scale")
        touch("touchStart", (200, 400))
        touch("touchStart", (200, 400), (240, 400))
        for k in range(1, 6):
            touch("touchMove", (200 - 10 * k, 400), (240 + 10 * k, 400))
        touch("touchEnd")
        page.until(f"stage.camera.scale > {2 * scale}")
        middle = page.stage("stage.camera.middle")
        touch("touchStart", (100, 400))
        for k in range(1, 5):
            touch("touchMove", (100 + 10 * k, 400))
        touch("touchEnd")
        page.until(f"stage.camera.middle[0] < {middle[0]}")

        for _ in range(2):  # A double tap adds no vehicle, whether or not this browser makes a double click of it.
            touch("touchStart", (300, 300))
            touch("touchEnd")
        page.page.dispatch_event("#canvas", "dblclick", {"clientX": 300, "clientY": 300})
        page.page.keyboard.press("ArrowRight")  # Is answered later.
        page.until("stage.after.steps === 1")
        assert len(it.world["boids"]) == 3


def test_fast_presses_count_though_what_comes_between_is_older(page, flock):
    with opened(page, flock, n=20) as it:
        for steps in range(1, 5):
            page.page.keyboard.press("ArrowRight")
            page.until(f"stage.after.steps === {steps}")
        state = json.loads(it.sent["state"])
        for number, (keys, asked) in enumerate((("--", 2), ("  ", 2), (["ArrowLeft", "ArrowLeft"], 1))):
            with it.world.between_steps():  # The simulation answers nothing meanwhile.
                page.page.keyboard.press(keys[0])
                it.say("state", {**state, "seed": 70 + number})
                page.page.wait_for_function(f"() => document.querySelector('#seed').value === '{70 + number}'")
                page.page.keyboard.press(keys[1])
                wait(lambda asked=asked: it.requests.qsize() + len(it._put_off) >= asked)  # Else it plays until then.
            finish(it)
        wait(lambda: it.world.steps == 2)
        assert it.speed == 0.5
        assert not it.playing


def test_time_is_turned_back_and_a_change_undone(page, flock, monkeypatch):
    monkeypatch.setattr(packing, "BETWEEN", (10_000, 10_000))  # On a busy machine many steps lie between two frames.
    with opened(page, flock, n=20) as it:
        page.page.get_by_role("button", name="Play", exact=True).click()
        wait(lambda: it.world.steps > 60)
        page.page.get_by_role("button", name="Pause", exact=True).click()
        wait(lambda: not it.playing)
        newest = it.world.steps
        page.until(f"stage.after.steps === {newest}")
        # To a slow page a frame may be sent before the positions at the steps that lead to it.
        page.until(f"stage.trails.frames.filter((each) => each.steps > {newest} - 20).length >= 19")
        line = page.page.locator("#timeline")
        line.evaluate("(line) => { line.value = '0.5'; line.dispatchEvent(new Event('input')); }")
        page.until("stage.before.time <= 0.5 && stage.after.time > 0.4")
        assert it.world.steps == newest  # It is only looked at.
        line.evaluate("(line) => line.dispatchEvent(new Event('change'))")
        wait(lambda: it.world.steps == 30)
        before = hash_of(it)
        line.focus()  # Arrows go by steps there, too; the page need not have heard of the simulation's instant.
        page.stage("stage.after.steps = 31")
        page.page.keyboard.press("ArrowLeft")
        wait(lambda: it.world.steps == 29)
        page.until("stage.after.steps === 29")
        page.page.keyboard.press("ArrowRight")
        wait(lambda: it.world.steps == 30)
        assert hash_of(it) == before
        page.page.mouse.click(*middle_of(page, "boids", 7))
        page.page.wait_for_selector("ul.why")
        page.page.keyboard.press("Delete")
        wait(lambda: len(it.world["boids"]) == 19)
        undo = page.page.get_by_role("button", name="Undo")
        wait(undo.is_enabled)
        page.page.keyboard.press("Control+z")
        wait(lambda: len(it.world["boids"]) == 20 and hash_of(it) == before)
        wait(undo.is_disabled)
        for remake in ("Control+Shift+z", "Control+y"):
            wait(page.page.get_by_role("button", name="Redo").is_enabled)
            page.page.keyboard.press(remake)
            wait(lambda: len(it.world["boids"]) == 19)
            wait(undo.is_enabled)
            page.page.keyboard.press("Control+z")
            wait(lambda: len(it.world["boids"]) == 20)
        wait(page.page.get_by_role("button", name="Redo").is_enabled)
        page.page.keyboard.press("Control+y")
        wait(undo.is_enabled)
        for time in (0.2, 0.4):
            line.evaluate("(line, time) => { line.value = time; line.dispatchEvent(new Event('input')); }", time)
            page.page.keyboard.press("l")
        page.shows("#time > button", "End loop")
        page.page.keyboard.press("Control+z")  # It is seen at once: what was repeated is over.
        page.until("stage.after.steps === 30 && stage.after.populations.boids.n === 20")
        page.shows("#time > button", "Loop")


def test_two_are_seen_side_by_side_and_one_transport_moves_both(page, flock):
    shown = serve(lambda address: simulation_at(address, flock, "flock"))
    times = "[stage, document.querySelector('iframe')?.contentWindow.steersman].map((each) => each?.after?.time ?? -1)"
    try:
        page.page.goto(f"{shown.url}&n=20")
        page.until("stage.after && stage.painted > 1")
        page.page.select_option("#beside", "~seed")
        page.until(f"Math.min(...{times}) > 0.5")
        page.shows("button.play", "Pause")
        page.page.keyboard.press("Space")
        page.shows("button.play", "Play")
        page.until(f"{times}[0] === {times}[1]")
        inner = page.page.frame_locator("iframe")
        legends = [each.locator("#legend").get_attribute("data-caption") for each in (page.page, inner)]
        assert legends == ["seed 0", "seed 1"]
        before = page.stage(times)[0]
        inner.locator("#canvas").press("ArrowRight")  # In the frame, too, keys move both.
        page.until(f"{times}.every((each) => each > {before})")
        assert page.stage("new Set(" + times + ").size") == 1
        page.page.evaluate(STEP_THEN_DRAG)  # Frames that are on their way end the look at the past in neither.
        page.page.wait_for_timeout(800)
        assert max(page.stage(times)) < before
        page.page.locator("#canvas").press("ArrowRight")
        page.until(f"{times}[0] === {times}[1] && {times}[0] > {before}")
        scales = times.replace("after?.time", "camera?.scale")
        page.page.locator("#canvas").hover()
        page.page.mouse.wheel(0, 1)  # From now on the cameras do not frame.
        page.until(times.replace("?.after?.time ?? -1", ".framing.auto") + ".every((each) => !each)")
        wide = page.stage(scales)
        page.page.mouse.wheel(0, -200)
        inner.locator("#canvas").press("PageUp")
        page.until(f"{scales}.every((each, k) => each > 1.6 * {wide}[k])")
        page.page.keyboard.press("f")
        page.until(f"{scales}.every((each, k) => each < 1.6 * {wide}[k])")
        page.page.select_option("#beside", "~none")
        page.until("stage.painted > 1 && !document.querySelector('iframe')")
    finally:
        shown.close()


def test_a_jump_to_before_the_opening_moves_both_pictures(page):
    """The one beside has no frame of that instant, and its pause is answered after the frame has come."""
    shown = serve(lambda address: simulation_at(address, SCENARIOS["boids"].stage, "boids"))
    times = "[stage, document.querySelector('iframe')?.contentWindow.steersman].map((each) => each?.after?.time ?? -1)"
    try:
        page.page.goto(f"{shown.url}&n=20&beside=seed%3D4")
        page.until(f"Math.min(...{times}) > 1.8")
        page.shows("button.play", "Pause")
        page.page.keyboard.press("Space")
        page.shows("button.play", "Play")
        page.until(f"{times}[0] === {times}[1]")
        time = page.page.evaluate(JUMP)
        page.until(f"{times}.every((each) => Math.abs(each - {time}) < 0.04)")
    finally:
        shown.close()


JUMP = """() => { const line = document.querySelector("#timeline"); line.value = "0.5";
    const there = Number(line.value);
    for (const type of ["input", "change"]) line.dispatchEvent(new Event(type));
    return there; }"""
"""The timeline is dragged to an instant, or to its start on a page that has missed the frames before it, and let go."""


def test_after_a_look_at_the_past_both_pictures_go_on_also_where_a_pause_is_answered_late(
    page_of_its_own, flock, monkeypatch
):
    """That of the one beside, of which the frame of a step arrives before."""
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.1)
    page, frames = page_of_its_own, []

    def late(told, asked, url):
        inner = "&of=" in url
        if inner and not told:
            frames.append(True)
        return inner and asked == "pause"

    relay = Relay(page, late)
    shown = serve(lambda address: simulation_at(address, flock, "flock"))
    times = "[stage, document.querySelector('iframe')?.contentWindow.steersman].map((each) => each?.after?.time ?? -1)"
    try:
        page.page.goto(f"{shown.url}&n=20&beside=seed%3D4")
        page.until(f"Math.min(...{times}) > 0.5")
        page.shows("button.play", "Pause")
        page.page.keyboard.press("Space")
        page.shows("button.play", "Play")
        page.until(f"{times}[0] === {times}[1]")
        before = page.stage(times)[0]
        page.page.evaluate("""() => { const line = document.querySelector("#timeline");
            line.value = "0.2"; line.dispatchEvent(new Event("input")); }""")
        wait(lambda: page.stage("1") and relay.held)  # Messages pass while the page is asked.
        assert max(page.stage(times)) < before
        frames.clear()
        page.page.keyboard.press("ArrowRight")
        page.until(f"{times}[0] > {before}")
        wait(lambda: page.stage("1") and frames)
        relay.release()
        page.until(f"{times}[0] === {times}[1]")
        relay.end()
    finally:
        shown.close()


@pytest.mark.parametrize("address", ["", "&n=20"])
def test_the_way_back_of_the_browser_leads_to_the_values_before(page, flock, address, monkeypatch):
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.1)
    shown = serve(lambda address: simulation_at(address, flock, "flock"))
    try:
        page.page.goto(f"{shown.url}{address}")
        page.until("stage.after?.steps > 0 && stage.painted > 1")  # Before, it rests, where the key would let it play.
        page.shows("button.play", "Pause")
        page.page.keyboard.press("Space")
        page.shows("button.play", "Play")
        page.page.locator('[data-label="Separation"] summary').click()
        radius = page.page.locator('[data-label="Separation"] [data-parameter="radius"] input[type="text"]')
        radius.fill("6.5")
        radius.press("Enter")
        page.page.wait_for_function("() => location.search.includes('radius%3D6.5')")
        page.page.go_back()
        page.page.wait_for_function("() => !location.search.includes('set')")
        page.page.wait_for_function("(each) => each.value === '4'", arg=radius.element_handle())
        wait(page.page.get_by_role("button", name="Redo").is_enabled)
        page.page.go_forward()
        page.page.wait_for_function("(each) => each.value === '6.5'", arg=radius.element_handle())
    finally:
        shown.close()


def open_lens(page, shown):
    """Open a window, and click a vehicle that is so small that a lens shows it."""
    page.page.set_viewport_size({"width": 1280, "height": 720})
    page.page.goto(shown.url)
    page.until("stage.after && stage.painted > 1")
    page.page.mouse.click(*middle_of(page, "boids", 7))
    page.page.wait_for_selector("#lens:not([hidden]) span.word")
    page.settled()


def test_a_lens_shows_a_small_vehicle_in_an_empty_corner(page, flock):
    with window(flock, n=20) as shown:
        open_lens(page, shown)
        magnified, picture = page.page.locator("#lens").bounding_box(), page.picture()
        x, y = middle_of(page, "boids", 7)
        inside = magnified["x"] < x < magnified["x"] + magnified["width"]
        assert not (inside and magnified["y"] < y < magnified["y"] + magnified["height"])
        left, top = (round(magnified[k] - page.page.locator("#view").bounding_box()[k]) for k in "xy")
        size = round(magnified["width"])
        part = np.s_[top : top + size, left : left + size]
        blue = (picture[part] * [-1, -0.5, 1]).sum(axis=2) > 0.1  # The color of the vehicles.
        assert blue.sum() > 400, "a vehicle of 44 pixels is seen there"
        page.page.click("summary:has-text('Layers')")
        page.page.uncheck("#layer-lens")
        page.page.wait_for_selector("#lens", state="hidden")
        page.settled()
        assert differing(picture[part], page.picture()[part]) > 400
        page.page.check("#layer-lens")
        page.page.wait_for_selector("#lens:not([hidden])")
        scale = page.stage("stage.camera.scale")
        page.page.mouse.click(magnified["x"] + 20, magnified["y"] + 20)
        page.until(f"stage.camera.scale > {1.2 * scale} && stage.following")
        page.page.wait_for_selector("#lens", state="hidden")
        page.page.mouse.move(0, 0)
        page.page.keyboard.press("f")
        page.page.wait_for_selector("#lens:not([hidden])")


def behind(page, selector, ground):
    """The contrast of words with what is behind them, where they lie upon a color."""
    shown = page.page.evaluate(
        """([selector, ground]) => {
            const { color, backgroundColor } = getComputedStyle(document.querySelector(selector));
            const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            const seen = (all) => {
                for (const each of all) { pen.fillStyle = each; pen.fillRect(0, 0, 1, 1); }
                return "#" + [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
                    .map((part) => part.toString(16).padStart(2, "0")).join("");
            };
            return [seen([ground, backgroundColor, color]), seen([ground, backgroundColor])]; }""",
        [selector, ground],
    )
    return contrast(*map(rgb, shown))


@pytest.mark.parametrize("paper", ["light", "dark"])
def test_the_caption_of_the_lens_is_legible_on_every_color(page, flock, paper):
    page.page.emulate_media(color_scheme=paper)
    with window(flock, n=20) as shown:
        open_lens(page, shown)
        for ground in ("#b8008f", "#ff70c8", "#000000", "#808080", "#ffffff"):
            assert behind(page, "#lens .caption", ground) >= 4.5, ground


def test_a_lens_shows_a_small_vehicle_in_space(page, flock):
    """From the same side as the picture, over which only the vehicle itself is full: others there are pale."""
    with window(flock, n=20, dimensions=3) as shown:
        open_lens(page, shown)
        zoom, near, far = page.stage("""(() => {
            const { zoom, camera, place } = stage.lens.view;
            return [zoom, camera.meter(place), stage.camera.meter(place)]; })()""")
        assert zoom > 1.5
        assert near == pytest.approx(zoom * far, rel=0.01)
        angles = "[it.azimuth, it.elevation]"
        assert page.stage(f"((it) => {angles})(stage.lens.view.camera)") == page.stage(
            f"((it) => {angles})(stage.camera)"
        )


def pushed(push, **populations):
    """A stage of vehicles that a function of the time pushes, at these places."""

    def stage(*, n=None, seed=0):
        world = sm.World(domain=sm.Box([100, 60]), dt=0.1, seed=seed)
        for name, place in populations.items():
            vehicles = sm.Vehicles([place], [[1, 0]], max_speed=9, max_force=10)
            world.add(vehicles, name=name, steering=lambda _: np.array([push(world.time)]))
        return sm.Stage(world, seconds=10, name="pushed")

    return stage


def test_an_answer_about_the_same_number_of_another_population_is_not_shown(page):
    with opened(page, pushed(lambda time: (1.0, 0.0), a=[30, 20], b=[60, 40])) as it:
        page.page.mouse.click(*middle_of(page, "b", 0))
        name = page.page.locator("[data-section=why] p.hint").first
        page.page.wait_for_selector("[data-section=why] p.hint:has-text('b, vehicle 0')")
        with it.world.between_steps():
            it.say("why", why_of(it.world, "a", 0, it.span))
        heard(page, it)
        assert name.text_content() == "b, vehicle 0"


def test_a_vehicle_that_is_gone_says_so_and_the_next_one_is_offered(page, flock):
    with opened(page, flock, n=9) as it:
        page.page.mouse.click(*middle_of(page, "boids", 3))
        page.page.wait_for_selector("#reason:not([hidden])")
        with it.world.between_steps():
            it.world["boids"].remove([3, 4])
            it.publish(whole=True)
        page.shows("#reason", "boids 3 is gone, since 0 s.")
        told = page.page.locator("[data-section=why] > div").inner_text()
        assert [line for line in told.split("\n") if line] == ["boids 3 is gone, since 0 s.", "Next vehicle"]
        page.page.click("text=Next vehicle")
        page.page.wait_for_selector("[data-section=why] p.hint:has-text('boids, vehicle 5')")


def test_in_a_loop_the_sentence_is_that_of_the_instant_that_is_seen(page):
    """And so it is where the timeline is dragged; the simulation stands at the end, where it is pushed to the left."""
    with opened(page, pushed(lambda time: (0.0, 6.0) if time > 1.45 else (6.0, 0.0), a=[20, 20])):
        page.page.mouse.click(*middle_of(page, "a", 0))
        page.page.wait_for_selector("#reason:has-text('speeds up')")
        for k in range(30):
            page.page.keyboard.press("ArrowRight")
            page.until(f"stage.after.steps === {k + 1}")  # Of all instants it hears what is told.
        page.page.wait_for_selector("#reason:has-text('turns left')")
        shown = '#timeline:not([value="x"])'
        drag_to = """([time, kind]) => { const line = document.querySelector("#timeline");
            line.value = String(time); line.dispatchEvent(new Event(kind)); }"""
        page.page.evaluate(drag_to, [0.6, "input"])
        page.page.wait_for_selector(f"body:has({shown}) #reason:has-text('speeds up')")
        page.page.evaluate(drag_to, [2.6, "input"])
        page.page.wait_for_selector("#reason:has-text('turns left')")
        page.page.evaluate(drag_to, [0.4, "input"])
        page.page.keyboard.press("l")
        page.page.evaluate(drag_to, [1.0, "input"])
        page.page.keyboard.press("l")
        page.until("stage.after.time < 1.2")
        page.page.wait_for_selector("#reason:has-text('speeds up')")
        one, other = page.stage('["#reason", ".sentence"].map((each) => document.querySelector(each).textContent)')
        assert one == other


STEP_THEN_DRAG = """async () => { const line = document.querySelector("#timeline");
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise(queueMicrotask); // The step is asked for then.
    line.value = "0.2"; line.dispatchEvent(new Event("input")); }"""
"""A look at the past, while the frame of a step is on its way."""


def test_a_frame_that_was_on_its_way_does_not_end_a_look_at_the_past(page):
    """The step that is asked for before the timeline is dragged is answered after that."""
    with opened(page, pushed(lambda time: (1.0, 0.0), a=[20, 20])) as it:
        for k in range(5):
            page.page.keyboard.press("ArrowRight")
            page.until(f"stage.after.steps === {k + 1}")
        page.page.evaluate(STEP_THEN_DRAG)
        wait(lambda: it.world.steps == 6)
        heard(page, it)
        assert page.stage("Number(document.querySelector('#timeline').value)") == pytest.approx(0.2)


def test_an_obstacle_of_very_many_corners_is_painted(page, flock):
    with opened(page, flock, n=3):
        corners = page.stage("""(() => {
            const points = Float32Array.from({ length: 1e6 }, (_, k) => Math.sin(1e-6 * Math.PI * k + (k % 2)));
            const coast = { kind: "areas", layer: 1.6, points, counts: [5e5], face: [0.5, 0.5, 0.5], edge: [0, 0, 0] };
            return stage.painter.prepare(coast, 2).corners; })()""")
        assert corners == 500_000


def test_a_key_that_can_undo_nothing_says_so(page, flock):
    with opened(page, flock, n=3):
        assert page.page.get_by_role("button", name="Undo").is_disabled()
        page.page.keyboard.press("Control+z")
        page.page.wait_for_selector("#notice:has-text('nothing to undo')")
        page.page.keyboard.press("Control+y")
        page.page.wait_for_selector("#notice:has-text('nothing was undone')")


def test_the_page_says_when_it_shows_where_a_scenario_opens(page, flock, monkeypatch):
    """The rest there begins then, however long that takes."""
    monkeypatch.setattr("steersman.studio.viewer.simulation.LATEST", 1e9)
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.05)
    shown = serve(lambda address: simulation_at(address, flock, "flock"))
    try:
        page.page.goto(shown.url.replace("/?", "/?n=5&"))
        page.until("stage.after && stage.after.steps > 0")
    finally:
        shown.close()


SEEN = """window.seen = [];
    const look = () => {
        const button = document.querySelector("button.play");
        const now = [button?.textContent, button?.disabled];
        if (button && String(now) !== String(seen.at(-1))) seen.push(now);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);"""
"""What the button says, and whether it is disabled: as often as it changes."""


@pytest.mark.parametrize("rests", [True, False])
def test_the_button_says_that_a_scene_opens_until_it_can_be_paused(page_of_its_own, flock, monkeypatch, rests):
    """Also where kernels are compiled after the first picture; where it rests there, it can be let on."""
    page = page_of_its_own
    there, begun = Event(), Event()

    def compiled(world, progress=None):
        for k in range(2):
            tell_compiling("kernel", k + 1, 2)
            begun.wait(PATIENCE)
        tell_compiling("", 2, 2)
        return 2

    def slow(**about):
        there.wait(PATIENCE)  # The page is there before the scene.
        return flock(**about)

    def begin(address):
        return simulation_at(address, slow, "flock") if rests else Simulation(slow(), playing=True)

    monkeypatch.setattr("steersman.studio.viewer.simulation.warmup", compiled)
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 0.5)
    page.page.add_init_script(SEEN)
    shown = serve(begin)
    try:
        page.page.goto(shown.url)
        page.shows("button.play", "Opening")
        there.set()
        page.until("stage.after")
        page.shows("button.play", "Compiling")
        begun.set()
        page.shows("button.play", "Pause")
        seen = page.page.evaluate("seen")
    finally:
        there.set()
        begun.set()
        shown.close()
    assert seen == [["Opening", True], ["Compiling", True], *([["Play", False]] * rests), ["Pause", False]]


@pytest.mark.parametrize(
    ("number", "count", "words"),
    [
        (3, 3, "Preparing: compiling for this machine, once only"),
        (3, 12, "Compiling for this machine, once only: 3 of 12, about 1 s"),
    ],
    ids=["unknown", "known"],
)
def test_kernels_are_counted_where_it_is_known_how_many_there_are(page, flock, number, count, words):
    """A number alone looks like a part of something."""
    seen = Event()

    def slow(**about):
        for each in WATCHERS:
            each.tell("kernel", number, count)
        seen.wait(PATIENCE)
        return flock(**about)

    shown = serve(lambda address: simulation_at(address, slow, "flock"))
    try:
        page.page.goto(shown.url)
        page.page.wait_for_selector(f"#notice:has-text('{words}')")
        notices = page.page.locator("#notice > div").all_text_contents()
        assert notices == ["Opening the world ...", words]
        assert page.page.locator("#notice progress").count() == (number < count)
    finally:
        seen.set()
        shown.close()


SLOW = """let stage; Object.defineProperty(window, "steersman", {
    get: () => stage, set: (made) => { made.interval = 1e6; stage = made; } });"""
"""Frames come so seldom that vehicles take minutes from one to the next."""


def test_where_a_scenario_opens_vehicles_are_there_at_once(page_of_its_own, monkeypatch):
    """They do not come from where they were on the way there, and the camera frames where they are."""
    monkeypatch.setattr("steersman.studio.viewer.simulation.LOOK", 1e9)

    def slow(vehicles):
        time.sleep(0.01)  # The page shows the beginning meanwhile.
        return np.zeros_like(vehicles.position)

    def run(*, n=12):
        world = sm.World()
        runner = sm.Vehicles([[0, 0]], [[8, 0]], max_speed=8, max_force=20)
        world.add(runner, name="a", steering=sm.Seek([200, 60]))
        world.add(sm.Vehicles(np.linspace([30, 8], [90, 8], n or 12)), name="b", steering=slow)
        return sm.Stage(world, seconds=30, picture=sm.Picture(opens=6.0, close_up=24, sketch={"a": (0,)}))

    page = page_of_its_own
    page.page.add_init_script(SLOW)
    shown = serve(lambda address: simulation_at(address, run, "run"))
    try:
        page.page.goto(shown.url)
        page.until("stage.after?.time > 5.9 && stage.approached === stage.scene")
        place, there = page.stage("[stage.placeOf({population: 'a', id: 0}), [...stage.after.populations.a.position]]")
        np.testing.assert_allclose(place[:2], there[:2], atol=0.01)
        np.testing.assert_allclose(page.stage("stage.camera.middle.slice(0, 2)"), there[:2], atol=12)
    finally:
        shown.close()


def test_the_panel_begins_with_plain_words_and_remembers_what_was_opened(chromium):
    """What it does, what arrows mean, and what to try; parameters, forces and meters are one click away."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = Page(context.new_page())
    try:
        with opened(page, field) as it:
            page.page.mouse.click(*middle_of(page, "a", 0))
            page.page.wait_for_selector(".sentence:not([hidden])")
            told = page.page.locator("#panel").inner_text()
            assert page.page.locator(".sentence").inner_text() in told
            assert "steering: the push that changes how it moves" in told
            assert "Try: drag an obstacle" in told
            assert " N" not in told  # Neither numbers nor parameters.
            assert page.page.locator("#panel > [open], [data-section=forces][open]").count() == 1
            page.page.click("summary:has-text('Steering')")
            assert page.page.locator("#panel input[type=range]").first.is_visible()
            page.page.reload()
            page.until("stage.after && stage.painted > 1")
            assert page.page.locator("[data-section=steering][open]").count() == 1
            page.page.click("summary:has-text('Steering')")
            page.page.reload()
            page.until("stage.after && stage.painted > 1")
            assert page.page.locator("[data-section=steering][open]").count() == 0
            assert it.world is not None
        assert quiet(page.said), page.said
    finally:
        context.close()


@pytest.mark.parametrize("what", ["vehicle", "goal"])
def test_what_is_dragged_stays_under_the_pointer_while_the_camera_follows(page, what, monkeypatch):
    """The camera stands still meanwhile: else it would run after what is dragged, and that after the pointer.

    However slowly it is dragged, it is undone at once.
    """
    monkeypatch.setattr(past, "GESTURE", 0.0)
    with opened(page, field) as it:
        page.page.mouse.click(*middle_of(page, "a", 0))
        page.page.wait_for_selector("#reason:not([hidden])")
        page.page.keyboard.press("f")
        page.until("stage.following")
        page.settled()

        def goal():
            with it.world.between_steps():  # Undoing replaces the tree, in another thread.
                return it.world.populations["a"].node("Seek").behavior.target

        place = (lambda: it.world["a"].position[0]) if what == "vehicle" else goal
        start, before = pixel(page, *map(float, place())), np.array(place())
        page.page.mouse.move(*start)
        page.page.mouse.down()
        for k in range(1, 7):
            page.page.mouse.move(start[0] + 12 * k, start[1] + 8 * k)
            page.settled()
        wait(lambda: not np.allclose(place(), before))
        end = start[0] + 72, start[1] + 48
        wait(lambda: np.allclose(pixel(page, *map(float, place())), end, atol=3))
        page.page.mouse.up()
        page.page.keyboard.press("Control+z")
        wait(lambda: np.allclose(place(), before))
