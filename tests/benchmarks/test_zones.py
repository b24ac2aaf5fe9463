"""Couzin's phases, and that a group remembers the one that it comes from."""

from benchmarks.zones import counted, group, measure, phase


def test_a_swarm_becomes_a_mill_then_a_parallel_group_and_stays_one() -> None:
    world = group(1)
    found = [phase(*measure(world, width, settling=1500, readings=20)) for width in (0.0, 2.5, 5.0, 2.5)]
    assert found == ["swarm", "torus", "parallel", "parallel"]


def test_phases_are_counted() -> None:
    assert counted(["torus"] * 3) == "torus"
    assert counted(["swarm", "torus", "torus"]) == "2 torus, 1 swarm"
