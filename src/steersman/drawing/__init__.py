"""Pictures of worlds. matplotlib is imported where it is needed, not with this package."""
