"""Who is near whom: the uniform grid, fields of view, k nearest, and sums over neighbors in one shared pass."""
