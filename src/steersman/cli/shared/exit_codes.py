"""What the command's exit status says."""

FAILED = 1
"""Something went wrong while it ran."""

WRONG_USE = 2
"""It was asked for something that there is not."""

INTERRUPTED = 130
"""Ctrl-C stopped it."""
