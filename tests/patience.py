"""How long tests wait for processes, threads and pages that are on their way."""

PATIENCE = 600.0
"""Seconds after which what a test waits for hangs. On a busy machine a process may get a fiftieth of a processor."""
