"""Kernels: how functions are compiled, kept in a cache, put into programs, and run by several threads.

A kernel (`kernel.py`) is a function of `(start, stop, *arguments)` that works on rows of component arrays. One source
serves 2D and 3D, float32 and float64. Only kernels that Python calls become machine code of their own; a kernel that
another one calls is inlined into it (`compiler.py`). Parameters that are plain numbers arrive as a NamedTuple of
scalars, so that the code reads `numbers.lookahead` (`numbers.py`).

Compiled kernels are kept by content in the user's cache folder (`cache.py`); of several processes that need the same
kernel, one compiles it (`compile_lock.py`). When kernels of a plan are missing, the
plan is made twice: once to find out which, and again after several processes have compiled them (`ahead.py`,
`compile_worker.py`).

    law  ->  kernel  ->  Call  ->  Bound  ->  share  ->  stage  ->  program  ->  worker pool

    law      what holds for one row i; `row_kernel` makes the kernel                       row_kernel.py
    Call     a kernel and its arrays, for any rows, maybe behind the flags of gates        call.py
    Bound    machine code and all its arguments, rows included; a Gate has some behind it  bound.py
    share    the bound calls of one thread; a stage is a list of shares for any threads    bound.py
    task     the address of a kernel that takes its arguments from memory                  tasks.py
    program  the tasks of some stages and the places of their arguments: machine code only program.py
    pool     the threads that go through the shares of a program, stage after stage        worker_pool.py

Read `kernel.py` and `call.py` first. The others are needed only to change how kernels are compiled or shared out.

A section of a step (`world/section.py`) turns its calls into programs, so it is one call from Python whatever it
contains. With several threads, a thread that is awake claims the next share, and the thread that completes the last
share of a stage opens the next stage. No thread waits for one that has not begun, and results do not depend on the
assignment of shares to threads. `signals.py` makes changes that Ctrl-C cannot cut in two: Python handles signals between
its instructions, and a sequence of calls into C can be one instruction.
"""
