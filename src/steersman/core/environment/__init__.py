"""The environment of the vehicles: domains, obstacles, regions, surfaces, fields, paths and resources."""
