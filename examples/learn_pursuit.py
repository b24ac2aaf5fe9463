"""Three pursuers learn to catch a prey that is faster than they are, in minutes, by an evolution strategy.

    python examples/learn_pursuit.py                # learns, and compares with Pursue on seeds that it never saw
    python examples/learn_pursuit.py --rounds 5     # a quick look

All candidates of a round are stepped together: every world has a network of its own. The strategy is that of Salimans et
al. 2017 (Evolution Strategies as a Scalable Alternative to Reinforcement Learning): mirrored noise, ranks for rewards, Adam.
"""

import argparse
import time

import numpy as np

import steersman as sm
from steersman.learning.task import Episodes
from steersman.learning.tasks import Pursuit

PAIRS, EACH = 24, 8
"""Pairs of candidates in a round, and the worlds in which each is tried."""

NOISE, RATE, DECAY = 0.1, 0.04, 0.003
HELD_OUT = 100_000
"""From here on seeds are for the comparison alone."""


def returns(task: Pursuit, episodes: Episodes, net: sm.Network, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sum of rewards of an episode in every world, and whether the prey was caught, shape (n,)."""
    episodes.begin(np.ones(len(seeds), bool), seeds)
    total, going = np.zeros(len(seeds)), np.ones(len(seeds), bool)
    for _ in range(task.most):
        reward, done, _ = episodes.act(net(episodes.observe()), going)
        total += np.where(going, reward.mean(axis=1), 0.0)
        going &= ~done
        if not going.any():
            break
    return total, ~going


def by_hand(task: Pursuit, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same for the tree of the library."""
    worlds = sm.Worlds(lambda seed: task.make(seed, task.hand_made), seeds)
    total, going = np.zeros(len(seeds)), np.ones(len(seeds), bool)
    for _ in range(task.most):
        worlds.run(steps=task.every, only=going)
        reward, done = task.judge(worlds.populations)
        total += np.where(going, reward.mean(axis=1), 0.0)
        going &= ~done
    return total, ~going


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from -0.5 to 0.5, which no outlier moves."""
    found = np.empty(len(values))
    found[np.argsort(values)] = np.linspace(-0.5, 0.5, len(values))
    return found


def learn(task: Pursuit, rounds: int, seed: int = 0) -> sm.Network:
    """A network that has learned the task."""
    rng = np.random.default_rng(seed)
    sizes = (task.observed, 24, task.acted)
    mean = 0.3 * rng.standard_normal(sm.Network(sizes).count)
    episodes = Episodes(task, 2 * PAIRS * EACH)
    first, second = np.zeros_like(mean), np.zeros_like(mean)
    begin = time.perf_counter()
    for k in range(1, rounds + 1):
        noise = rng.standard_normal((PAIRS, len(mean)))
        noise = np.concatenate([noise, -noise])
        candidates = sm.Network(sizes, np.repeat(mean + NOISE * noise, EACH, axis=0))
        seeds = np.tile(rng.integers(HELD_OUT, size=EACH), 2 * PAIRS)  # All candidates in the same worlds.
        total, caught = returns(task, episodes, candidates, seeds)
        slope = ranks(total.reshape(-1, EACH).mean(axis=1)) @ noise / (2 * PAIRS * NOISE) - DECAY * mean
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        mean += RATE * (first / (1 - 0.9**k)) / (np.sqrt(second / (1 - 0.99**k)) + 1e-8)
        if k % 10 == 0 or k == rounds:
            spent = time.perf_counter() - begin
            print(f"round {k:4}: return {total.mean():6.2f}, caught {caught.mean():4.0%}, {spent:.0f} s", flush=True)
    return sm.Network(sizes, mean)


def shown(values: np.ndarray) -> str:
    """A mean with its interval of 95 %."""
    half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():.2f} +- {half:.2f}"


def main(rounds: int, held_out: int, save: str | None) -> None:
    """Learn, compare, and let the policy steer in an ordinary world."""
    task = Pursuit()
    net = learn(task, rounds)
    seeds = HELD_OUT + np.arange(held_out)
    learned, by_net = returns(task, Episodes(task, held_out), net, seeds)
    made, by_tree = by_hand(task, seeds)
    print(f"on {held_out} seeds that it never saw:")
    print(f"  return: learned {shown(learned)}, Pursue {shown(made)}, difference {shown(learned - made)}")
    print(f"  caught: learned {by_net.mean():.0%}, Pursue {by_tree.mean():.0%}")
    world = task.make(HELD_OUT, lambda world: sm.Policy(net, task, {"prey": world["prey"]}))
    world.run(seconds=2)
    print(f"as a behavior: {world}")
    if save:
        net.save(save)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=250)
    parser.add_argument("--held-out", type=int, default=400)
    parser.add_argument("--save", help="a file .npz for the network")
    given = parser.parse_args()
    main(given.rounds, given.held_out, given.save)
