"""NumPy with SciPy's tree: only those pairs that are near."""

import importlib

import numpy as np

from benchmarks.peers.peer import Peer, Running
from benchmarks.peers.programs.all_pairs import Arrays, lengths
from benchmarks.peers.work import Array, Work


class NearFlock(Arrays):
    """Separation, alignment, cohesion, of the pairs that a tree finds."""

    def __init__(self, work: Work, n: int, seed: int) -> None:
        super().__init__(work, n, seed)
        self.tree = importlib.import_module("scipy.spatial").cKDTree

    def force(self) -> Array:
        p, n = self.p, len(self.position)
        pairs = self.tree(self.position).query_pairs(p["cohesion_radius"], output_type="ndarray")
        one, other = np.concatenate([pairs, pairs[:, ::-1]]).T
        offset = self.position[other] - self.position[one]
        d2 = (offset**2).sum(axis=1)
        cosine = np.where(
            d2 <= p["inner_radius"] ** 2, 2.0, (offset * self.heading[one]).sum(axis=1) / np.sqrt(np.maximum(d2, 1e-30))
        )

        def summed(part: str, vectors: Array) -> tuple[Array, Array]:
            seen = (d2 <= p[f"{part}_radius"] ** 2) & (cosine >= p[f"{part}_cosine"])
            who, what = one[seen], vectors[seen]
            total = np.stack([np.bincount(who, what[:, k], n) for k in (0, 1)], axis=1)
            return total, np.bincount(who, minlength=n)[:, None]

        push, _ = summed("separation", -offset / np.maximum(d2, 1e-30)[:, None])
        turn, count = summed("alignment", self.heading[other])
        turn = (turn / np.maximum(count, 1) - self.heading) * (count > 0)
        pull, _ = summed("cohesion", offset)
        return (
            p["separation_weight"] * push / lengths(push)
            + p["alignment_weight"] * turn / lengths(turn)
            + p["cohesion_weight"] * pull / lengths(pull)
        )


class KDTree(Peer):
    """Pairs from a tree, sums by bincount."""

    name = "NumPy + cKDTree"
    how = "`query_pairs`, then whole arrays, float64"
    packages = ("numpy", "scipy")

    def __init__(self) -> None:
        self.makes: dict[str, type[Running]] = {"flock": NearFlock}
