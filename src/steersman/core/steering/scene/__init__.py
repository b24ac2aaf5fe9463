"""Scene: the vehicles, neighbors, obstacles and ground that a behavior is bound to and perceives."""
