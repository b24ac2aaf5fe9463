"""Whether a peer does the same work: the same starts, as many steps, and then the same to be seen.

What is seen of a workload (order, distances, speeds) is averaged over the seeds. A peer's average may differ from ours
by as much as ours differs from seed to seed: two standard deviations of what ours shows, and 5 % of it where seeds
hardly matter. Where only one side is wrong (to stand in an obstacle), the other is free.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.peers.peer import Peer
from benchmarks.peers.work import Told, Work

SEEDS = 5
LEAST = {"inside circles": 0.02, "overlapping": 0.02, "off the spine [m]": 0.4}
"""What is allowed at least: of all for shares, which are zero for most; a tenth of the path's radius."""


@dataclass(frozen=True)
class Verdict:
    """What was found.

    Attributes:
        same: Whether it is the same work.
        words: What is not the same; what is seen, where all is.
    """

    same: bool
    words: str


def seen(peer: Peer, work: Work, n: int, steps: int, seeds: int = SEEDS) -> list[Told]:
    """What a peer shows after so many steps, for each seed."""
    told = []
    for seed in range(seeds):
        running = peer.make(work, n, seed)
        try:
            running.steps(steps)
            position, velocity = running.read()
        finally:
            running.close()
        told.append(work.seen(position, velocity, work.starts(n, seed)[0], steps * work.dt))
    return told


def judge(work: Work, ours: list[Told], theirs: list[Told]) -> Verdict:
    """Compare what two show."""
    other, all_words = [], []
    for name in ours[0]:
        us, them = (np.array([each[name] for each in told]) for told in (ours, theirs))
        allowed = max(2 * us.std(ddof=1), 0.05 * abs(us.mean()), LEAST.get(name, 0.0))
        beyond = them.mean() - us.mean()
        side = work.one_sided.get(name, 0)
        words = f"{name} {them.mean():.3g} (ours {us.mean():.3g} ± {allowed:.2g})"
        all_words.append(words)
        if not np.isfinite(beyond) or (beyond * side <= 0 and abs(beyond) > allowed):
            other.append(words)
    return Verdict(not other, "; ".join(other or all_words))
