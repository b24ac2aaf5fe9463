"""One sitting: everybody who can does a workload of a size, taking turns, as far as each gets in its time.

A turn is as many windows of steps as fit into its share; each window begins at the workload's start, with one step that
does not count. What is compared is the time of a step in each turn with ours in the same turn, so what else the machine
does concerns both.
"""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.peers.meaning import Verdict, judge, seen
from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.work import Work

SEED = 12345
LEAST = 3
"""Turns of at least one step that have to fit into the time."""


@dataclass
class Result:
    """What a peer took for a workload of a size.

    Attributes:
        each: Time of a step in each turn [ms]; empty for who was left out.
        ratios: Of each turn to ours.
        verdict: Whether it was the same work.
        left_out: Why there are no times.
    """

    work: Work
    n: int
    peer: Peer
    each: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    verdict: Verdict | None = None
    left_out: str = ""

    @property
    def median(self) -> float:
        """Median time of a step [ms]."""
        return statistics.median(self.each)

    @property
    def ratio(self) -> float:
        """Median of the ratios to ours."""
        return statistics.median(self.ratios)


class Turns:
    """A peer's turns at one workload."""

    def __init__(self, running: Running, start: tuple, window: int, seconds: float, turns: int) -> None:
        self.running, self.start, self.window = running, start, window
        first = running.steps(1)  # Compiles, builds, warms.
        if first < seconds:
            running.place(*start)
            first = min(first, running.steps(1))
        self.share = seconds / (turns + 1)
        self.fits = first * LEAST <= seconds
        self.turns = max(LEAST, min(turns, int(seconds / max(first, 1e-9))))

    def take(self, share: float) -> float:
        """Time of a step [ms] in a turn that lasts about so long [s], one window at least."""
        spent, steps = 0.0, 0
        while not steps or spent < share:
            self.running.place(*self.start)
            warm = self.running.steps(1)
            room = max(1, min(self.window - 1, int(self.share / max(warm, 1e-9))))
            spent += self.running.steps(room)
            steps += room
        return 1e3 * spent / steps


def expected(known: dict[int, float], n: int) -> float:
    """About how long a step with n vehicles takes, from the times of smaller numbers: they go on growing as they did.

    Args:
        known: Times of a step by numbers of vehicles.
        n: How many vehicles.
    """
    sizes = sorted(known)
    if not sizes:
        return 0.0
    power = 1.0
    if len(sizes) > 1:
        power = max(0.0, math.log(known[sizes[-1]] / known[sizes[-2]]) / math.log(sizes[-1] / sizes[-2]))
    return known[sizes[-1]] * (n / sizes[-1]) ** power


@contextmanager
def failing(result: Result, *, ours: bool) -> Iterator[None]:
    """Leave out who fails, and say how; the others go on. It is no excuse for our own."""
    try:
        yield
    except Exception as error:
        if ours:
            raise
        result.left_out = f"it failed: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
        result.each.clear()


def measure(
    work: Work,
    n: int,
    peers: Iterable[Peer],
    seconds: float,
    turns: int,
    share: float,
    known: dict[str, dict[int, float]] | None = None,
) -> list[Result]:
    """Times of everybody at one workload of one size, the first of the peers being ours.

    Args:
        work: The workload.
        n: How many vehicles.
        peers: Who takes turns.
        seconds: Time that each may take in all; who cannot make three steps in it is left out.
        turns: How often.
        share: How long a turn lasts at most, but for one step [s].
        known: Times of a step by name of the peer and number of vehicles [ms]; who would take too long is not even tried.
    """
    known = known or {}
    results = [Result(work, n, peer) for peer in peers]
    taking: dict[int, Turns] = {}
    for k, result in enumerate(results):
        result.left_out = result.peer.missing() or result.peer.can(work, n) or ""
        guess = expected(known.get(result.peer.name, {}), n) / 1e3
        if not result.left_out and LEAST * guess > seconds:
            result.left_out = f"a step would take about {guess:.2g} s"
        if not result.left_out:
            with failing(result, ours=k == 0):
                running = result.peer.make(work, n, SEED)
                one = Turns(running, work.starts(n, SEED), work.window, seconds, turns)
                if one.fits:
                    one.take(min(share, one.share))  # Whoever compiles while it runs has done so then.
                    taking[k] = one
                else:
                    running.close()
                    result.left_out = f"{LEAST} steps take longer than {seconds:g} s"
    try:
        for turn in range(turns):
            order = [k for k in taking if turn < taking[k].turns and not results[k].left_out]
            for k in order[turn % len(order) :] + order[: turn % len(order)]:
                with failing(results[k], ours=k == 0):
                    results[k].each.append(taking[k].take(min(share, taking[k].share)))
    finally:
        for one in taking.values():
            one.running.close()
    ours = results[0].each
    for result in results:
        result.ratios = [theirs / us for theirs, us in zip(result.each, ours, strict=False)]
    return results


def sitting(
    works: Iterable[tuple[Work, Iterable[int]]],
    peers: list[Peer],
    *,
    seconds: float,
    turns: int,
    share: float,
    seeds: int,
    say: Callable[[Result], object] = str,
) -> list[Result]:
    """All workloads: first whether each peer does the same work, then the times."""
    results = []
    for work, sizes in works:
        n, steps = work.checked
        verdicts: dict[str, Verdict] = {}
        ours = seen(peers[0], work, n, steps, seeds)
        for peer in peers:
            if not (peer.missing() or peer.can(work, n)):
                verdicts[peer.name] = judge(work, ours, seen(peer, work, n, steps, seeds))
        known: dict[str, dict[int, float]] = {peer.name: {} for peer in peers}
        for size in sizes:
            for result in measure(work, size, peers, seconds, turns, share, known):
                result.verdict = verdicts.get(result.peer.name)
                if result.each:
                    known[result.peer.name][size] = result.median
                results.append(result)
                say(result)
    return results
