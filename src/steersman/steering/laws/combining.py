"""Combining steering vectors: the weighted sum, and the priority list.

Reynolds 1999, "Combining Behaviors".
"""

from collections.abc import Sequence

import numpy as np

from steersman.geometry.vectors import Array
from steersman.steering.laws.vectors import Number, truncate, with_length


def weighted_sum(
    forces: Sequence[Array],
    weights: Sequence[float],
    *,
    each: str = "raw",
    max_force: Number = np.inf,
    normalize_weights: bool = False,
) -> Array:
    """The sum of weight * force.

    Source: Reynolds 1999, "Combining Behaviors" (each="raw") and "Flocking" (each="normalize"); project notes,
    "Steering behaviors" (normalized weights).

    Args:
        forces: The parts [N], each of shape (d,) or (n, d).
        weights: Their weights, as many.
        each: How a part enters: "raw", as it is; "limit", truncated to max_force, so that no part drowns the others;
            "normalize", stretched or shrunk to max_force unless it is zero.
        max_force: Maximum forces [N], a number or shape (n,).
        normalize_weights: Divide by the sum of the weights.

    Returns:
        The sum [N], shape (d,) or (n, d).

    Raises:
        ValueError: There are not as many weights as forces, they add up to zero and are to be normalized, `each` is not
            known, or parts are to be stretched to an infinite force.
    """
    if len(forces) != len(weights):
        raise ValueError(f"weights must be {len(forces)} numbers, one a force, got {len(weights)}")
    share = np.asarray(weights, dtype=float)
    if normalize_weights:
        if share.sum() == 0:
            raise ValueError(f"weights must not add up to zero to be normalized, got {list(weights)}")
        share = share / share.sum()
    if each == "normalize" and not np.all(np.isfinite(max_force)):
        raise ValueError(f'max_force must be finite with each="normalize", got {max_force!r}')
    if each not in ("raw", "limit", "normalize"):
        raise ValueError(f'each must be "raw", "limit" or "normalize", got {each!r}')
    if each == "limit":
        forces = [truncate(force, max_force) for force in forces]
    elif each == "normalize":
        forces = [with_length(force, max_force) for force in forces]
    return np.asarray(sum(float(w) * np.asarray(force) for w, force in zip(share, forces, strict=True)))


def priority(forces: Sequence[Array], acts: Sequence[bool | Array] | None = None) -> Array:
    """For every vehicle the first force that acts.

    Source: Reynolds 1999, "Combining Behaviors": the first that returns a non-zero value.

    Args:
        forces: The parts [N] in order of priority, each of shape (d,) or (n, d).
        acts: For each part, whether it acts, a flag or shape (n,). Default: where it is not zero.

    Returns:
        The chosen forces [N], shape (d,) or (n, d); zero where none acts.
    """
    parts = np.stack(np.broadcast_arrays(*forces))
    if acts is None:
        claims = np.any(parts != 0, axis=-1)
    else:
        claims = np.stack([np.broadcast_to(flag, parts.shape[1:-1]) for flag in acts])
    first = np.argmax(claims, axis=0)[None, ..., None]
    chosen = np.take_along_axis(parts, first, axis=0)[0]
    return np.where(np.any(claims, axis=0)[..., None], chosen, 0)
