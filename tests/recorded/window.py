"""The window: what each request of a page is answered, and which messages all pages get, in a few scenarios."""

import base64
import json
import math
import struct
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.address import Address
from steersman.studio.viewer.requests import Request, obey
from steersman.studio.viewer.simulation import Simulation
from steersman.studio.viewer.tabs import simulation_at

from .table import Rows, Section, vectors

SHOWN = {"aquarium": 5, "forage": 4, "hide_and_seek": 3, "patrol": 3}
"""Scenarios, and the number of their vehicles: in space, with resources, of two populations, with modes."""

TIMED = {"pace", "branch", "run", "seconds", "timings", "text", "serial"}
"""Entries that tell of the time that was taken, or by chance of its run, and documents, which have tests of their own."""

LONG = 40
"""Longer texts are sentences: they are counted, not compared."""


def leaves(message: Any) -> Iterator[Any]:
    """The words and numbers of a message, in their order, names included; packed numbers as numbers."""
    if isinstance(message, Mapping):
        if set(message) == {"f32"}:
            yield from np.frombuffer(base64.b64decode(message["f32"]), np.float32).tolist()
            return
        for name, value in message.items():
            if name not in TIMED:
                yield name
                yield from leaves(value)
    elif isinstance(message, list):
        yield f"{len(message)} entries"
        for each in message:
            yield from leaves(each)
    else:
        yield message if isinstance(message, (int, float, str)) and not isinstance(message, bool) else str(message)


def short(message: Any) -> str:
    """How many words and numbers a message has, a digest of the words, and two means of the numbers.

    Small and large numbers count alike, and each by its place.
    """
    found = list(leaves(message))
    words = [each if len(each) < LONG else "a sentence" for each in found if isinstance(each, str)]
    numbers = np.arcsinh(1e3 * np.array([each for each in found if not isinstance(each, str)], float))
    numbers = numbers[np.isfinite(numbers)]
    text = f"{len(words)} words #{crc32(' '.join(words).encode()):08x}"
    if not len(numbers):
        return text
    return (
        f"{text} {len(numbers)} numbers {vectors([[numbers.mean(), numbers @ np.cos(1.7 * np.arange(len(numbers)))]])}"
    )


def unpacked(message: str | bytes) -> Any:
    """A message as an object."""
    if isinstance(message, str):
        return json.loads(message)
    (length,) = struct.unpack_from("<I", message)
    columns = np.frombuffer(message, np.uint8, offset=4 + length)
    size = len(columns) // 4 * 4
    return {**json.loads(message[4 : 4 + length]), "columns": columns[:size].view(np.float32).tolist()}


def requests(simulation: Simulation) -> Iterator[dict[str, Any]]:
    """What a page asks for, one after the other; some of it is refused."""
    world = simulation.world
    name, population = [each for each in world.populations.items() if each[1].tree is not None][-1]
    d, ids = population.vehicles.dimensions, population.vehicles.id.tolist()
    beside = np.array([1.5, -2.0, 0.5])[:d]
    yield {"do": "want", "forces": True, "sketches": True, "velocity": True, "colors": "decision", "pixel": 0.05}
    yield {"do": "step"}
    for by in ("speed", "force", "nothing"):
        yield {"do": "want", "colors": by}
    yield {"do": "look", "planes": [[1.0] * d + [0.0]]}
    yield {"do": "look", "planes": [[1.0] * d]}
    yield {"do": "select", "population": name, "id": ids[-1]}
    yield {"do": "select", "population": name, "id": 99}
    yield {"do": "select"}
    nodes = [each.key for each in population.nodes]
    for key in nodes[:3]:
        yield {"do": "weight", "population": name, "key": key, "value": 0.5}
        yield {"do": "switch", "population": name, "key": key, "on": False}
    yield {"do": "undo"}
    yield {"do": "undo"}
    yield {"do": "redo"}
    yield {"do": "set", "population": name, "key": nodes[0], "name": "nonsense", "value": 1}
    yield {"do": "step"}
    here = population.vehicles.position[0].copy()
    yield {"do": "move", "population": name, "id": ids[0], "position": (here + beside).tolist()}
    yield {"do": "move", "population": name, "id": ids[0], "position": [0.0]}
    yield {"do": "add", "population": name, "position": (here - beside).tolist()}
    yield {"do": "remove", "population": name, "id": ids[-1]}
    yield {"do": "remove", "population": "nobody", "id": 1}
    for handle, thing in list(simulation.handles.items())[:2]:
        yield {"do": "put", "handle": handle, "position": (thing.place + beside).tolist(), "done": False}
        yield {"do": "put", "handle": handle, "position": (thing.place + 2 * beside).tolist()}
    yield {"do": "put", "handle": "nothing", "position": beside.tolist()}
    yield {"do": "step"}
    yield {"do": "go", "by": -2}
    yield {"do": "go", "steps": 1.5}
    yield {"do": "speed", "value": 2}
    yield {"do": "speed", "value": 1001}
    yield {"do": "copy", "population": name, "as": "toml"}
    yield {"do": "save", "only": "check"}
    yield {"do": "record", "on": True}
    yield {"do": "step"}
    yield {"do": "record", "on": False}
    yield {"do": "record", "on": False}
    yield {"do": "reset", "n": 3, "seed": 11}
    yield {"do": "dance"}
    yield {"do": "leave"}


def session(name: str) -> Rows:
    """A window of one scenario, from its opening to the last request: answers, and messages that have changed."""
    section = Section()
    simulation = simulation_at(Address(scene=name, n=SHOWN[name], seed=3), SCENARIOS[name].stage, name)
    simulation.playing = False
    before: dict[str, tuple[str | bytes, str]] = {}

    def add(about: str, *answers: Mapping[str, Any]) -> None:
        told = [
            str(each.get("message", "done" if each.keys() <= {"type", "serial"} else short(each))) for each in answers
        ]
        simulation.publish(whole=True)
        for kind, message in sorted(simulation.sent.items()):
            old, text = before.get(kind, ("", ""))
            if kind not in TIMED and message != old:
                before[kind] = message, short(unpacked(message))
                told += [f"{kind} {before[kind][1]}"] if before[kind][1] != text else []
        section.add(about, "; ".join(told))

    add("opened")
    for request in requests(simulation):
        simulation._furnished = math.inf  # Scenery is sent while it is dragged, if there is time.
        answers: list[Mapping[str, Any]] = []
        obey(simulation, Request(request, answers.append, "page"))
        add(request["do"], *answers)
    simulation.end()
    return section.rows


SECTIONS: dict[str, Callable[[], Rows]] = {f"window of {name}": partial(session, name) for name in SHOWN}
