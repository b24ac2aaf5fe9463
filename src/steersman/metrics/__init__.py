"""Metrics: what a run is judged by. Pure functions of vehicles, and meters that watch them during a run."""

from steersman.metrics import (
    contacts,
    coverage,
    deciding,
    following,
    jitter,
    meters,
    motion,
    proximity,
    reading,
    stuck,
    watching,
)

__all__ = [
    "contacts",
    "coverage",
    "deciding",
    "following",
    "jitter",
    "meters",
    "motion",
    "proximity",
    "reading",
    "stuck",
    "watching",
]
