"""Scaling: one world that several processes step together, with the bits of one process (see docs/scaling.md).

blocks.py       blocks of space: who owns a vehicle, and who needs to know of it
link.py         messages between the processes: MPI, or none for a process alone
part.py         the vehicles that a process holds of a population, and the rows that it sends and takes
supported.py    the parts of a world that cannot be split, refused by name
split_world.py  the step of a split world, its births and deaths, recordings and snapshots
"""
