"""A scenario that has to be compiled says how far that is, in the page and in the terminal."""

import json

from studio.viewer.conftest import flock
from websockets.asyncio.client import connect

from steersman.core.kernels.announcing import tell_compiled, tell_compiling
from steersman.studio.viewer import compiling
from steersman.studio.viewer.compiling import Progress
from steersman.studio.viewer.tabs import simulation_at
from steersman.studio.viewer.view import serve
from tests.studio.viewer.test_server import finished, parts

PLAN = 4


def compiled_first(address):
    """A simulation, before which a plan of kernels is announced."""
    for number in range(1, PLAN + 1):
        tell_compiling("sweep", number, PLAN)
        tell_compiled("sweep", 0.1)
    tell_compiling("", PLAN, PLAN)
    return simulation_at(address, flock, "flock")


def test_an_opened_scenario_says_how_many_kernels_are_left_and_for_how_long(capsys):
    shown = serve(compiled_first)
    address, query = parts(shown)

    async def story():
        async with connect(f"{address.replace('http', 'ws')}/live?{query}", origin=address) as socket:
            heard = [json.loads(await socket.recv())]
            while heard[-1]["type"] != "scene":
                heard.append(json.loads(await socket.recv()))
        return heard

    try:
        told = [each for each in finished(story()) if each["type"] == "preparing"]
    finally:
        shown.close()
    assert [(each["number"], each["count"]) for each in told] == [(number, PLAN) for number in range(1, PLAN + 1)]
    assert [each["seconds"] is None for each in told] == [True, False, False, False]
    assert f"steersman: compiled {PLAN} kernels in " in capsys.readouterr().err


def test_the_time_left_is_that_of_the_plan_and_kernels_by_themselves_are_counted_on(monkeypatch):
    now, told = [0.0], []
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: now[0])
    progress = Progress(lambda *about: told.append(about))
    calls = [(1, 1), (2, 2), (1, 3), (2, 3), (3, 3), (3, 3), (1, 2), (2, 2)]
    for time, (number, count) in enumerate(calls):
        now[0] = 10.0 * time
        progress("sweep", number, count)
    assert told == [
        (1, 0, None),
        (2, 0, None),
        (1, 3, None),
        (2, 3, 20.0),
        (3, 3, 10.0),
        (6, 0, None),
        (1, 2, None),
        (2, 2, 10.0),
    ]
