"""Flow fields: a velocity at every place, from a grid of vectors, a function, or a painted picture."""
