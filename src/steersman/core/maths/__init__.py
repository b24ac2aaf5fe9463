"""Maths inside kernels: vectors on tuples, frames, angles, random numbers; and the shapes that sketches are made of."""
