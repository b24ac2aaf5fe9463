"""Vehicles: a population as a struct of arrays, and the memory of its behaviors.

Begin with `vehicles.py`, the class that users have; its base in `stored.py` is what plans, worlds and recorders use, and
`columns.py` has the arrays below. Columns lie in one block, component by component, and are shown as `(n, d)` views. Row i is
the same vehicle until vehicles are spawned or removed; the id of a vehicle never changes. The block has spare capacity, so
vehicles come and go within the same arrays. Users get views of other array objects than those that plans are bound to, and
these views own no memory (`pinned.py`). So nothing that a user does to a view can free or reinterpret memory that a kernel
reads.

Memory (`memory.py`) holds per-vehicle arrays of behaviors, conditions and bodies, kept by the key of the node and the
id of the vehicle. Columns of one type lie in one block, which is copied when a step is accepted.

A change of the number of vehicles is prepared as a list of actions and made in one instruction of Python, which no signal
interrupts; so is the change of memory that follows. The thread that steps holds the lock of its `Turn` (`turns.py`); methods
that change stepped objects (`@takes_turn`) wait for the turns of all worlds and Controllers that step or watch those
vehicles.
"""
