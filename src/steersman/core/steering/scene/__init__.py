"""Scene: what a behavior is bound to and perceives: vehicles, neighbors, obstacles, ground."""
