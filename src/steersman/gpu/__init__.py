"""Steps on a graphics processor: `World(device="cuda")`, with the laws of the core as they stand.

    device.py         the device, its memory, and graphs of launches
    compiling.py      kernels of the core become functions of the device
    rows.py           the row kernels of a plan, fused to one kernel: a thread for each row
    fours.py          rows of four numbers, read at once
    cells.py          vehicles sorted by cell, stably
    sweeping.py       sums over neighbors: a thread for each watcher
    searching.py      the k nearest: a thread for each watcher, with the search of the core
    mirror.py         arrays of the host and their copies on the device
    device_column.py  columns for other libraries, without a copy
    supported.py      the parts that run there; all others are refused by name
    device_plan.py    the plan of a step

Nothing here states a law of steering. A step's calls are those of the plan for the processor: a kernel of rows is called for
a single row by each thread. Only the search for neighbors has a form of its own, with the same cells, the same test of the
view and the same weights. No float is added up in an order of chance, so runs repeat to the bit on one kind of device.
"""
