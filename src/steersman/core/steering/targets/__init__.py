"""What a behavior heads for: points, vehicles, whom of a population, and where they will be."""
