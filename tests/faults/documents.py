"""Scenario files with something wrong in them: documents of the library that are changed here and there, text that is
damaged, nonsense made of the words that documents know, files beside them that are garbled, and `--set` with nonsense.

The answer to each is a world, or a ScenarioError whose every problem says what is allowed.
"""

import io
import json
import re
import tempfile
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.action_selection.registry import CONDITIONS
from steersman.core.locomotion.registry import LOCOMOTIONS
from steersman.core.parameters.parameters import describe
from steersman.core.steering.registry import BEHAVIORS
from steersman.gallery.registry import SCENARIOS
from steersman.gallery.request import prepare
from steersman.runs.documents.documents import resolved
from steersman.runs.documents.files import save_document
from steersman.runs.documents.kinds import DOMAINS
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.scenery import SECTIONS
from steersman.runs.documents.schema import MetricSettings, PopulationSettings, Settings
from steersman.runs.documents.spawning import SHAPES
from steersman.runs.documents.starting import STARTS
from steersman.runs.documents.toml_text import to_toml
from steersman.runs.metrics.metric import METRICS

from .judging import ALLOWED, LONGEST, Input, shortened, source

FULL = (
    "boids", "path_following", "obstacle_avoidance", "hills", "aquarium", "sheep", "doorway", "flow_field",
    "pedestrians",
)  # fmt: skip
"""Built-in scenarios whose documents are changed, besides MODES."""

MODES = """
dt = 0.02
[domain]
kind = "box"
size = [100, 80]
[[regions]]
name = "exit"
kind = "polygon"
points = [[20, 20], [80, 30], [90, 60]]
[[resources]]
name = "food"
position = [[5, 5], [60, 60]]
amount = [1.0, 2.0]
[[populations]]
name = "sheep"
n = 4
spawn = {shape = "disc", radius = 10, center = [50, 40]}
velocity = {kind = "random", speed = {low = 1, high = 2}}
locomotion = {body = "PointMass", limits = [{kind = "Drag", rate = 1.0}]}
metrics = ["mean_speed", {metric = "distance_to", to = [0, 0], name = "way", every = 0.5}]
flows = [{kind = "Spawner", rate = 1.2, where = "exit"}, {kind = "Sink", region = "exit", name = "exit"}]
[populations.steering]
behavior = "Modes"
start = "graze"
cooldown = 0.5
modes.graze = {behavior = "Wander"}
modes.flee = {behavior = "Evade", pursuer = "dogs"}
transitions = [
  {from = "graze", to = "flee", when = {condition = "Near", target = "dogs", distance = 40, leave = 60}},
  {from = "flee", to = "graze", when = {all = [
    {condition = "After", seconds = 3}, {not = {condition = "After", seconds = 9}}
  ]}},
]
[[populations]]
name = "dogs"
position = [[1, 2], [3, 4]]
mass = [1.0, 2.0]
steering = {behavior = "Pursue", quarry = "sheep", which = 3}
"""

RAW = {
    "@date": "1979-05-27", "@moment": "1979-05-27T07:32:00Z", "@time": "07:32:00", "@nan": "nan", "@inf": "-inf",
    "@long": "9" * 5000, "@hex": "0x" + "f" * 4000, "@tiny": "1e-320", "@deep": "[" * 300 + "]" * 300,
    "@deeper": "[" * 100_000, "@tables": "{a=" * 200 + "1" + "}" * 200, "@keys": "{" + "a." * 500 + "a=1}",
}  # fmt: skip
"""What TOML can say and Python's numbers and lists cannot, by what stands for it until the text is made."""

FILES = (
    "good.npz", "good.png", "good.json", "good.obj", "bomb.npz", "bomb.png", "none.npz", "folder", "../up.json",
    "/dev/zero", "a\0b",
)  # fmt: skip
"""Files that documents name. In each run some bytes of the good ones are changed."""


def value(rng: Random) -> Any:
    """A value that may stand anywhere, seldom rightly. (No whole numbers that make much work and are allowed.)"""
    numbers = [
        0,
        1,
        -1,
        2,
        7,
        10**12,
        10**18,
        -(10**18),
        2**63,
        10**40,
        10**250,
        0.0,
        0.5,
        -0.5,
        1e-12,
        1e-300,
        1e12,
        1e39,
        1e308,
        -1e308,
    ]
    lists: list[Any] = [
        [],
        [[]],
        [1],
        [1, 2],
        [1.0, 2.0, 3.0],
        [[0, 0], [1, 1]],
        [[1, 2], [3]],
        [[0, 0, 0], [1, 1, 1]],
        ["a"],
        [True],
        [{}],
        [1e308, -1e308],
    ]
    tables: list[Any] = [
        {},
        {"low": 1, "high": 0},
        {"kind": "Wander"},
        {"behavior": word(rng)},
        {"file": rng.choice(FILES), "array": "x"},
        {"own": [1], "whom": 3},
        {"among": "a"},
    ]
    texts = ["", "a", "nearest", "max", "é\n\u0000\u001b[2J", "x" * 5000, word(rng), rng.choice(FILES)]
    kinds = [numbers, numbers, lists, tables, texts, [True, False], list(RAW)]
    return deepcopy(rng.choice(rng.choice(kinds)))


@cache
def words() -> list[str]:
    """The words that documents know: keys, kinds, and names of classes."""
    classes = [
        *BEHAVIORS.values(),
        *CONDITIONS.values(),
        *LOCOMOTIONS.values(),
        Settings,
        PopulationSettings,
        MetricSettings,
    ]
    keys = {each.name for cls in classes for each in describe(cls)}
    known = [
        BEHAVIORS,
        CONDITIONS,
        LOCOMOTIONS,
        METRICS,
        DOMAINS,
        SHAPES,
        STARTS,
        *(about.kinds for about in SECTIONS.values()),
    ]
    return sorted(
        keys | {name for names in known for name in names} | {"scenario", "params", "name", "kind", "shape", "array"}
    )


def word(rng: Random) -> str:
    """One of them."""
    return rng.choice(words())


def plain(document: dict[str, Any]) -> dict[str, Any]:
    """A document as it is read."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scenario.toml"
        save_document(document, file)
        return tomllib.loads(file.read_text())


@cache
def good() -> list[dict[str, Any]]:
    """Documents with nothing wrong in them."""
    built_in = [plain(resolved(SCENARIOS[name].stage(n=4))[0]) for name in FULL if name in SCENARIOS]
    written = plain(sm.to_document(sm.from_document(tomllib.loads(MODES))))
    call = {"scenario": "wander", "n": 3, "seed": 1, "params": {}}
    return [tomllib.loads(MODES), written, call, *(each for each in built_in if "populations" in each)]


# ------------------------------------------------------------------------------------------------------- changes


def places(holder: Any, around: tuple[Any, ...] = ()) -> Iterator[tuple[Any, Any, tuple[Any, ...]]]:
    """Every place in a document: what holds it, its key there, and the way to it."""
    for key in list(holder if isinstance(holder, dict) else range(len(holder))):
        yield holder, key, (*around, key)
        if isinstance(holder[key], (dict, list)):
            yield from places(holder[key], (*around, key))


def changed(document: dict[str, Any], rng: Random) -> str:
    """Change one thing in a document; what was done."""
    holder, key, way = rng.choice(list(places(document)) or [(document, "name", ("name",))])
    where, what = ".".join(map(str, way)), rng.randrange(7)
    if what == 0:
        del holder[key]
        return f"{where} left out"
    if what == 1 and isinstance(holder, dict):
        other = word(rng)
        holder[other] = holder.pop(key)
        return f"{where} called {other}"
    if what == 2 and isinstance(holder, dict):
        added = word(rng)
        holder[added] = value(rng)
        return f"{where}: {added} = {holder[added]!r} beside it"
    if what == 3:
        other_holder, other_key, other = rng.choice(list(places(document)))
        holder[key] = deepcopy(other_holder[other_key])
        return f"{where} as {'.'.join(map(str, other))}"
    if what == 4:
        holder[key] = rng.choice(
            [lambda it: [it], lambda it: {word(rng): it}, lambda it: str(it), lambda it: [it, it]]
        )(holder[key])
        return f"{where} = {holder[key]!r}"
    holder[key] = value(rng)
    return f"{where} = {holder[key]!r}"


def text_of(document: dict[str, Any]) -> str:
    """The document as TOML."""
    text = to_toml(document)
    for mark, raw in RAW.items():
        text = text.replace(f'"{mark}"', raw)
    return text


def changed_document(rng: Random) -> tuple[str, bytes]:
    """One to three changes to a good document."""
    document = deepcopy(rng.choice(good()))
    done = [changed(document, rng) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    try:
        text = text_of(document)
    except (TypeError, AttributeError):  # A list of tables that is a list no more, and such: TOML cannot say it.
        return changed_document(rng)
    return f"{document.get('name', 'a document')}: {'; '.join(done)}", text.encode("utf-8", "surrogatepass")


BYTES = (
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b'"',
    b'"""',
    b"'''",
    b"[",
    b"]]",
    b"{",
    b"}",
    b"=",
    b".",
    b",",
    b"#",
    b"\\u",
    b"nan",
    b"1e999",
    b"-",
)
"""What is put into texts."""


def damaged_text(rng: Random) -> tuple[str, bytes]:
    """The text of a good document, with some of it changed, doubled, left out or cut off."""
    text = bytearray(to_toml(rng.choice(good())).encode())
    done = []
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, what = rng.randrange(len(text) + 1), rng.randrange(5)
        piece = rng.choice(BYTES)
        size = rng.choice((1, 3, 40))
        if what == 0:
            text[at:at] = piece
        elif what == 1:
            text[at : at + size] = piece
        elif what == 2:
            del text[at : at + size]
        elif what == 3:
            text[at:at] = text[rng.randrange(len(text) + 1) :][:size]
        else:
            del text[max(at, 3) :]
        done.append(("put in", "replaced", "left out", "doubled", "cut off")[what] + f" at {at}")
    return f"bytes of a document {', '.join(done)}", bytes(text)


def nonsense(rng: Random) -> tuple[str, bytes]:
    """A document made of known words."""

    def anything(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.5:
            return value(rng)
        if rng.random() < 0.4:
            return [anything(depth - 1) for _ in range(rng.randrange(4))]
        return {word(rng): anything(depth - 1) for _ in range(rng.randrange(4))}

    document = {word(rng): anything(3) for _ in range(rng.randrange(6))}
    for key in rng.sample(
        ["populations", "obstacles", "paths", "domain", "scenario", "behavior", "steering"], rng.randrange(3)
    ):
        document[key] = anything(3)
    try:
        return f"nonsense: {document!r}", text_of(document).encode()
    except (TypeError, AttributeError):
        return nonsense(rng)


EDGES: tuple[tuple[str, bytes], ...] = (
    ("an empty file", b""),
    ("a mark alone", b"\xef\xbb\xbf"),
    ("UTF-16", "name = 'a'".encode("utf-16")),
    ("half a character", b"name = '\xc3"),
    ("nested text", b"name = " + b"[" * 100_000),
    ("nested tables", b"a = " + b"{a=" * 100_000),
    ("a long key", b"a." * 100_000 + b"a = 1"),
    ("a header of many words", b"[" + b"a." * 100_000 + b"a]"),
    ("a long number", b"seed = " + b"1" * 100_000),
    ("many tables", b"[[populations]]\n" * 3000),
    ("many keys", b"".join(b"k%d = 1\n" % k for k in range(3000))),
    ("one long line", b"#" * 1_000_000),
)
"""Texts that are tried once each time."""


# ------------------------------------------------------------------------------------------------- files beside it


def packed(shape: tuple[int, ...], numbers: bytes, kind: str = "<f8") -> bytes:
    """A file of an array that says it has a shape, and holds these numbers."""
    head, file = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": kind, "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", head.getvalue() + numbers)
    return file.getvalue()


def picture(width: int, height: int, pixels: bytes) -> bytes:
    """A PNG that says it has a size, and holds these pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


CONTENTS = {
    "good.npz": packed((4, 2), np.arange(8.0).tobytes()),
    "good.png": picture(4, 4, b"".join(b"\0" + bytes(range(k, k + 12)) for k in range(4))),
    "good.json": json.dumps({"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}).encode(),
    "good.obj": b"v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
    "bomb.npz": packed((10**13,), bytes(10_000)),
    "bomb.png": picture(60_000, 60_000, bytes(10_000)),
}
"""Files by name."""

NAMING = {
    ".npz": '[[populations]]\nname = "a"\ndimensions = 2\nposition = {file = "FILE", array = "x"}\n',
    ".png": '[[fields]]\nname = "f"\nkind = "image"\nimage = "FILE"\nlow = 0\nhigh = 9\nmax_speed = 1\n',
    ".json": '[[obstacles]]\nname = "o"\nkind = "geojson"\nfile = "FILE"\n',
    ".obj": 'dimensions = 3\n[[obstacles]]\nname = "o"\nkind = "mesh_file"\nfile = "FILE"\n',
}
"""Documents that name a file, by its ending."""


def garbled_file(rng: Random, folder: Path) -> tuple[str, bytes]:
    """A file of a good one's name with some bytes changed, and a document that names it."""
    name = rng.choice([name for name in CONTENTS if name.startswith("good")])
    content = bytearray(CONTENTS[name])
    for _ in range(rng.choice((1, 1, 3, 20))):
        at = rng.randrange(len(content) + 1)
        if rng.random() < 0.7:
            content[at : at + 1] = bytes([rng.randrange(256)])
        else:
            content[at : at + rng.randrange(30)] = b""
    garbled = "garbled" + Path(name).suffix
    (folder / garbled).write_bytes(content)
    text = (
        NAMING[Path(name).suffix].replace("FILE", garbled)
        + '[[populations]]\nname = "b"\nn = 1\nspawn = {shape = "box", size = [1, 1]}\n'
    )
    return f"{name} garbled: {bytes(content)!r}", text.encode()


# ---------------------------------------------------------------------------------------------------------- judging

UNKNOWN = re.compile(r"^cannot be read: (?!\[|No such|Is a)\w+")
"""What a problem says whose exception no part of the library raises on purpose."""

SAYS = re.compile(rf"{ALLOWED.pattern}|is not valid TOML|is not UTF-8|does not weigh|cannot be read|\bgive\b")
"""What the message of a problem must have."""


def judged(call: Callable[[], object]) -> Callable[[], None]:
    """A call that complains about a ScenarioError that does not help."""

    def run() -> None:
        try:
            call()
        except ScenarioError as error:
            for problem in error.problems:
                assert not UNKNOWN.search(problem.message), f"not foreseen: {shortened(problem.message)}"
                assert len(str(problem)) <= 1.1 * LONGEST, f"{len(str(problem))} characters: {shortened(str(problem))}"
                assert SAYS.search(problem.message), f"does not say what is allowed: {shortened(str(problem))}"

    return run


def override(rng: Random) -> tuple[str, Callable[[], object]]:
    """A call with `--set`."""
    document = rng.choice(good())
    way = ".".join(str(step) for step in rng.choice(list(places(document)))[2])
    path = rng.choice(
        [way, way, way + "." + word(rng), word(rng), "", ".", "a..b", "populations." + str(10**20), "populations.-1.n"]
    )
    given = value(rng)
    text = RAW.get(given, given) if isinstance(given, str) else text_of({"v": given}).removeprefix("v = ").strip()
    change = f"{path}{rng.choice(('=', '=', '=', ''))}{text}"
    name = rng.choice([name for name in FULL if name in SCENARIOS])
    seconds = rng.choice((None, None, 1e308, float("nan"), -1.0, 1e-320))
    return f"steersman run {name} --seconds {seconds} --set {change}", lambda: prepare(
        name, 3, {"seconds": seconds}, [change], None, None
    )


@source("documents", documented=())
def documents(rng: Random, count: int) -> Iterator[Input]:
    """Scenario files, one after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "folder").mkdir()
        for file, content in CONTENTS.items():
            (folder / file).write_bytes(content)
        for k in range(count):
            if k % 10 == 9 and k > len(EDGES):
                said, call = override(rng)
            else:
                make = rng.choices(
                    (changed_document, damaged_text, nonsense, lambda rng: garbled_file(rng, folder)), (6, 2, 2, 2)
                )[0]
                said, text = EDGES[k] if k < len(EDGES) else make(rng)
                call = reading(folder / "scenario.toml", text)
            yield Input(shortened(said, 300), judged(call))


def reading(path: Path, text: bytes) -> Callable[[], object]:
    """A call that writes a file and reads it."""

    def read() -> object:
        path.write_bytes(text)
        return sm.from_document(path)

    return read
