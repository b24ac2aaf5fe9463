"""References of the combinators: what they make of the answers of their parts."""

from typing import Any

from contract.references.vehicle import Answer, At, Combination

from steersman import laws


def priority(b: Any, at: At, parts: list[Answer]) -> Answer:
    return laws.priority([force for force, _ in parts], [acts for _, acts in parts]), any(acts for _, acts in parts)


def flocking(b: Any, at: At, parts: list[Answer]) -> Answer:
    weights = (b.separation_weight, b.cohesion_weight, b.alignment_weight)
    separation, alignment, cohesion = (force for force, _ in parts)
    force = laws.flocking(separation, cohesion, alignment, weights=weights, max_force=at.max_force)
    return force, any(acts for _, acts in parts)


def weighted_sum(b: Any, at: At, parts: list[Answer]) -> Answer:
    options = {"each": b.each, "max_force": at.max_force, "normalize_weights": b.normalize_weights}
    total = laws.weighted_sum([force for force, _ in parts], b.weights, **options)
    return total, any(acts for _, acts in parts)


COMBINATIONS: dict[str, Combination] = {"Priority": priority, "Flocking": flocking, "WeightedSum": weighted_sum}
