"""Peers that need nothing installed do the same work as ours; who does less is found out."""

import numpy as np
import pytest

from benchmarks.peers.meaning import judge, seen
from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.programs import everybody
from benchmarks.peers.programs.all_pairs import AllPairs, Avoid, Flock, Follow, Small
from benchmarks.peers.programs.numba_loops import NumbaLoops
from benchmarks.peers.programs.plain_objects import PlainObjects
from benchmarks.peers.programs.steersman_world import Steersman
from benchmarks.peers.work import WORKS

OURS = Steersman(1)
FEW = {"flock": (60, 100), "small": (40, 200), "avoid": (60, 200), "path": (10, 400)}
"""Vehicles and steps: enough to tell."""


@pytest.fixture(scope="module")
def shown():
    """What ours shows of a workload."""
    kept = {}

    def of(name):
        if name not in kept:
            kept[name] = seen(OURS, WORKS[name], *FEW[name])
        return kept[name]

    return of


class Impostor(Peer):
    """NumPy, with something left out."""

    name = "impostor"

    def __init__(self, cls: type[Running], **numbers: object) -> None:
        def made(work, n, seed):
            running = cls(work, n, seed)
            running.p = running.p | numbers
            return running

        self.makes = dict.fromkeys(WORKS, made)


@pytest.mark.each_value
@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("peer", [AllPairs(), NumbaLoops(), PlainObjects()], ids=lambda peer: peer.name)
def test_peers_do_the_same_work(peer, name, shown):
    verdict = judge(WORKS[name], shown(name), seen(peer, WORKS[name], *FEW[name]))
    assert verdict.same, verdict.words


@pytest.mark.parametrize(
    ("name", "cls", "numbers"),
    [
        ("flock", Flock, {"cohesion_weight": 0.0}),
        ("flock", Flock, {"separation_weight": 0.0}),
        ("flock", Flock, {"alignment_weight": 0.0}),
        ("flock", Flock, {"separation_cosine": 2.0, "alignment_cosine": 2.0, "cohesion_cosine": 2.0}),
        ("small", Small, {"path": [[0.0, 0.0], [1.0, 0.0]]}),
        ("small", Small, {"wander_distance": 0.0}),
        ("avoid", Avoid, {"lookahead": 0.0}),
        ("path", Follow, {"reach": 0.0, "predict": 0.0}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else None,
)
def test_impostors_are_found_out(name, cls, numbers, shown):
    assert not judge(WORKS[name], shown(name), seen(Impostor(cls, **numbers), WORKS[name], *FEW[name])).same


def test_less_harm_is_no_other_work():
    work = WORKS["avoid"]
    ours = [{"inside circles": share, "forward [m/s]": 7.5} for share in (0.1, 0.12, 0.11)]
    better = [{"inside circles": 0.0, "forward [m/s]": 7.9}]
    worse = [{"inside circles": 0.3, "forward [m/s]": 7.5}]
    assert judge(work, ours, better).same
    assert not judge(work, ours, worse).same


def test_what_is_not_finite_is_other_work():
    work = WORKS["avoid"]
    ours = [{"inside circles": 0.1, "forward [m/s]": 7.5}] * 2
    assert not judge(work, ours, [{"inside circles": np.nan, "forward [m/s]": 7.5}]).same


def test_starts_are_those_of_the_seed():
    for work in WORKS.values():
        for one, other in zip(work.starts(20, 3), work.starts(20, 3), strict=True):
            np.testing.assert_array_equal(one, other)
        assert not np.array_equal(work.starts(20, 3)[0], work.starts(20, 4)[0])


def test_everybody_says_what_is_missing_and_for_what_there_is_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("STEERSMAN_PEERS_NPM", str(tmp_path))
    for peer in everybody(2):
        if peer.name.startswith("Yuka"):
            assert peer.missing() in ("npm could not install yuka", "there is no Node")
        else:
            assert peer.missing() is None or peer.missing().endswith(" is not installed")
        for work in WORKS.values():
            assert (peer.can(work, 10) is None) == (work.name in peer.makes)
