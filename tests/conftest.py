"""One hypothesis profile for all tests, and which tests stay together when several processes share them."""

import gc
import os
import signal
from collections.abc import Iterator
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings
from known_faults import KNOWN_FAULTS
from nursery import LIBRARY, WARM, Nursery
from rewriting import rewrite_share
from sampling import EVERYTHING, covering, drawn

import steersman.core.public  # noqa: F401 - every behavior, condition and body is registered, whichever names a file uses.

settings.register_profile(
    "steersman",
    derandomize=True,
    deadline=None,
    max_examples=40 if EVERYTHING else 20,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steersman")

os.environ.setdefault("STEERSMAN_COMPILERS", "1")  # Every processor has a test process already.


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # As a shell starts what runs in its background.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Share the rewriting of assertions, and let the search for garbage pass over modules and tests, which last to the end.

    Searched again and again, they take a fifth of the time of collecting, and later a fortieth of that of the tests.
    """
    rewrite_share(session.config)
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


LONG = {"test_scenarios": 8, "test_ten_minutes": 8}
"""Files that take minutes, and in how many groups their tests are shared out."""

FIRST = [
    "test_browser", "test_pages", "test_server", "test_notebook_browser", "test_scenarios", "test_ten_minutes", "test_blocks",
    "test_go_to", "test_same_bits", "test_internals", "test_ahead", "test_examples", "test_planned_ways", "test_long_runs",
    "test_video", "test_faults", "test_mpi", "test_tabs", "test_every_scenario", "test_resuming", "test_contributing",
    "test_warmup", "test_split_world",
]  # fmt: skip
"""Long files, the longest first: begun at the end, they would keep one process busy and leave the others idle.

pytest-xdist keeps this order with `--no-loadscope-reorder` alone; else it begins with the groups of most tests.
"""


def _keep_a_part(items: list[pytest.Item]) -> None:
    """Of tests marked `each_value` or `one_in`, keep a part of the cases; with STEERSMAN_ALL all of them."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("each_value") or item.get_closest_marker("one_in"):
            functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out = set()
    for name, cases in functions.items():
        chosen = cases
        if not EVERYTHING and cases[0].get_closest_marker("each_value"):
            chosen = [cases[k] for k in covering([_parameters(case) for case in cases], name)]
        if mark := cases[0].get_closest_marker("one_in"):
            chosen = drawn(chosen, -(-len(chosen) // mark.args[0]), name)
        left_out |= {id(case) for case in cases} - {id(case) for case in chosen}
    items[:] = [item for item in items if id(item) not in left_out]


def _parameters(item: pytest.Item) -> list[tuple[object, ...]]:
    """The values that a test takes from each of its `parametrize` marks, and from each fixture with parameters."""
    left = dict(item.callspec.params)
    values = []
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0] if not isinstance(mark.args[0], str) else mark.args[0].replace(",", " ").split()
        values.append(tuple(left.pop(name) for name in names if name in left))
    return [*values, *((value,) for value in left.values())]


def _file(item: pytest.Item) -> str:
    """The file of a test, as in its id: another folder may have a file of the same name."""
    return item.nodeid.partition("::")[0]


def _name(file: str) -> str:
    """The name of a file without its folder."""
    return file.rpartition("/")[2].removesuffix(".py")


@pytest.hookimpl(tryfirst=True)  # Before the hook of pytest-xdist, which reads the groups.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep what compiles the same kernels in one process: a file, and in the contract suite a family of examples.

    An example is called after its behavior: "seek", "seek nearest", "seek row".
    """
    _keep_a_part(items)
    places = {name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(_name(_file(item)), len(FIRST)))
    for item in items:
        group = _file(item)
        name = _name(group)
        if item.path.parent.name == "contract" and isinstance(item, pytest.Function):
            params = getattr(item, "callspec", None)
            family = params.params.get("family") if params is not None else None
            group = f"contract {family}" if family else group
            item.extra_keyword_matches.update(getattr(item.function, "examples", {}).get(family, ()))  # For `-k`.
        elif name in LONG and isinstance(
            item, pytest.Function
        ):  # Shared out, as one process would be busy for minutes.
            group = f"{group} {crc32(item.name.encode()) % LONG[name]}"
        item.add_marker(pytest.mark.xdist_group(group))
        if reason := KNOWN_FAULTS.get(item.nodeid.partition("@")[0]):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=False))


@pytest.fixture(scope="session")
def compiling() -> Iterator[Nursery]:
    """Processes that have compiled a line with Numba."""
    made = Nursery(WARM)
    yield made
    made.close()


@pytest.fixture(scope="session")
def library() -> Iterator[Nursery]:
    """Processes that have imported this library."""
    made = Nursery(LIBRARY)
    yield made
    made.close()
