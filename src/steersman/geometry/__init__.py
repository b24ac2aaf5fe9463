"""Ground floor: the kernel decorator, vectors on tuples, frames, angles, random numbers, argument checks."""
