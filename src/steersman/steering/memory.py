"""Memory of behaviors; bodies have the same kind (see `vehicles.memory`)."""

from steersman.vehicles.memory import Memory

__all__ = ["Memory"]
