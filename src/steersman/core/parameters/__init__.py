"""Parameters: their kinds, checks, messages, and how they print."""
