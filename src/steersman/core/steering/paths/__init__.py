"""Paths: behaviors that follow a path, checkpoints or a flow field."""
