"""The exit codes of the command."""

FAILED = 1
"""The run failed."""

WRONG_USE = 2
"""The call or the file is wrong."""

INTERRUPTED = 130
"""Ctrl-C stopped it."""
