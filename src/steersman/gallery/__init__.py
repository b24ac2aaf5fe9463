"""Gallery: the built-in scenarios and how they are judged."""
