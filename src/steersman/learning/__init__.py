"""Learning: many worlds as an environment, and policies as behaviors (see docs/learning.md).

senses.py       the perception of vehicles in their own frames, for many worlds at once
task.py         a task: worlds, observations, rewards and an end; the episodes of many worlds
tasks.py        ready-made tasks
policy.py       a policy that steers vehicles of a World; small networks
vector_env.py   gymnasium's VectorEnv, and its Env for one world (extra `learn`)
parallel_env.py PettingZoo's ParallelEnv (extra `learn`)
"""

from typing import Any

__all__ = [
    "TASKS", "AgentsEnv", "Doorway", "Episodes", "Evasion", "Flock", "Formation", "Herding", "Network", "Policy",
    "Pursuit", "Task", "WorldEnv", "WorldsEnv",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The public names, imported with the first that is used; the environments need the extra `learn`."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "AgentsEnv":
        from steersman.learning import parallel_env as module
    elif name in ("WorldEnv", "WorldsEnv"):
        from steersman.learning import vector_env as module  # type: ignore[no-redef]
    elif name in ("Network", "Policy"):
        from steersman.learning import policy as module  # type: ignore[no-redef]
    elif name in ("Episodes", "Task"):
        from steersman.learning import task as module  # type: ignore[no-redef]
    else:
        from steersman.learning import tasks as module  # type: ignore[no-redef]
    return getattr(module, name)
