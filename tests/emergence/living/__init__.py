"""Every behavior with its defaults, alive for ten minutes: where it lives, and what its page promises."""
