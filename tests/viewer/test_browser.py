"""The page in a real browser: what is seen moves, controls take effect in the world, and nothing is asked from elsewhere."""

import json
import time
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from steersman.scenarios.registry import SCENARIOS
from steersman.viewer.replay import replay
from steersman.viewer.simulation import Simulation
from steersman.viewer.view import view


@contextmanager
def window(make, **about):
    """A window of a stage that can begin again."""
    shown = view(make(**about), browser=False, again=partial(make, **about), name="flock")
    try:
        yield shown
    finally:
        shown.close()


def simulation(shown) -> Simulation:
    return shown._simulation


def wait(condition, seconds=5.0):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.01)


def differing(one, two):
    return int(np.any(np.abs(one - two) > 0.05, axis=2).sum())


def colored(picture):
    """Pixels of a color that no paper, sky or rock has."""
    return int((np.ptp(picture, axis=2) > 0.3).sum())


def middle_of(page, population, number):
    """Where a vehicle is on the page [pixels]."""
    return page.stage(f"""(() => {{
        const box = stage.canvas.getBoundingClientRect();
        const place = stage.placeOf({{population: {json.dumps(population)}, id: {number}}});
        const m = stage.camera.matrix;
        const row = (k) => m[k] * place[0] + m[4 + k] * place[1] + m[8 + k] * (place[2] ?? 0) + m[12 + k];
        return [box.left + (row(0) / row(3) + 1) / 2 * box.width, box.top + (1 - row(1) / row(3)) / 2 * box.height];
    }})()""")


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


def test_controls_take_effect(page, flock):
    with window(flock) as shown:
        it = simulation(shown)
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1")
        page.page.get_by_role("button", name="Step", exact=True).click()
        wait(lambda: it.world.steps == 1)
        page.page.keyboard.press("ArrowRight")
        wait(lambda: it.world.steps == 2)

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
        wait(lambda: not it.world.explain("boids")["Wander"].asked.any())
        page.page.fill("#n", "25")
        page.page.press("#n", "Enter")
        wait(lambda: len(it.world["boids"]) == 25 and it.world.steps == 0)
        page.page.get_by_role("button", name="Reset").click()
        with page.page.expect_download() as saved:
            page.page.click("text=Save scenario")
        assert "[[populations]]" in saved.value.path().read_text("utf-8")


def test_a_click_explains_a_drag_moves_and_the_wheel_zooms(page, flock):
    with window(flock, n=20) as shown:
        it = simulation(shown)
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1")
        page.page.mouse.click(*middle_of(page, "boids", 7))
        page.page.wait_for_selector("ul.why")
        assert "vehicle 7" in page.page.locator("[data-section=why]").text_content()
        assert page.stage("stage.extra.get('why').make().length") >= 1
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

        page.page.keyboard.press("f")
        page.page.mouse.dblclick(300, 300)
        wait(lambda: len(it.world["boids"]) == 21 and it.selected == ("boids", 20))
        page.until("stage.selected && stage.selected.id === 20")
        page.page.keyboard.press("Delete")
        wait(lambda: len(it.world["boids"]) == 20)


def test_colors_tell_who_decides(page, flock):
    with window(flock, n=60) as shown:
        page.page.goto(shown.url)
        page.until("stage.after && stage.painted > 1 && !stage.dirty")
        before = page.picture()
        page.page.click("text=Layers")
        page.page.select_option("#color-by", "decision")
        page.page.wait_for_selector("#colors span")
        page.until("!stage.dirty")
        assert differing(before, page.picture()) > 300
        names = page.page.locator("#colors span").all_text_contents()
        assert set(names) == set(simulation(shown).world.explain("boids").winner)


def test_the_gallery_leads_to_a_scene(page, flock):
    with window(flock, n=3) as shown:
        page.page.goto(shown.url.replace("/?", "/gallery?"))
        page.page.click('button[data-tag="3D"]')
        cards = page.page.locator(".card")
        assert cards.count() == sum(each.dimensions == 3 for each in SCENARIOS.values())
        page.page.locator(".card", has_text="boids").first.click()
        page.until("stage.scene && stage.scene.name === 'boids' && stage.after")
        wait(lambda: simulation(shown).world.populations.keys() == {"boids"})


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
    page.page.click("button.play")
    page.page.locator("#timeline").fill("0")
    page.until("stage.after.time < 0.1 && !stage.dirty")
    start = page.picture()
    assert colored(start) > 1000
    page.page.locator("#timeline").fill("1.5")
    page.until("stage.after.time > 1.4 && !stage.dirty")
    assert differing(start, page.picture()) > 1500
    page.page.mouse.click(*middle_of(page, "boids", 5))
    page.until("stage.selected && stage.selected.id === 5")
    assert all(address.startswith(("file:", "data:", "blob:")) for address in page.asked)
