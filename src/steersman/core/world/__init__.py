"""The world: populations in a domain, stepped together by a clock, watched by observers.

Begin with `stepping.py`: `Stepping._step` is the algorithm of a step, for a World and for a Controller. A Controller is the
plan of one population without a body: a game moves the vehicles, and forces are kept within their limits instead.

    StepPlan            the sections of a step, for all populations                              step_plan.py
      PopulationPlan    one population: how it is steered, and how its body then moves it        step_plan.py
        SteeringPlan    the neighborhoods and calls of its tree; explanations need no more       plan.py
          Call          a kernel and its arrays (see `kernels`)
      Section           calls cut into blocks of rows, shared by threads                         section.py

The plan is a list of calls, bound once when a tree or a population changes. `Behavior.bind` makes the calls, so
stepping never walks a tree. `section.py` cuts rows into blocks and makes programs of calls (see `kernels`); calls of
Python, such as a behavior written in NumPy, stand between programs and run in the calling thread.

When vehicles come and go, nothing is bound anew while there is capacity: bound arrays have the shape `(capacity,)`
(`scene.capacity`), kernels are told which rows to work on, and the plan fits itself to the new number (`StepPlan.fit`).
Memory follows by numbers of birth (`vehicles/turnover.py`); other things that depend on the number register a function
(`scene.recount`), which the plan calls. Sections keep their calls for the last few numbers of rows (`MOST_COUNTS`), and
calls become a program after some steps with the same calls (`ALONE`).

When capacity runs out, it is doubled, and all plans that refer to these vehicles are bound anew. Some calls are bound anew at
every change of the number: those that were
bound to an empty population with an array of an entry for each vehicle (`scene.fix`), whole-array calls that do not say
`fits`, and those of behaviors of other packages with a `bind` of their own.

A refused step runs once more with the trace on, to name the behavior and the vehicles (`diagnosis.py`); the world
stays as it was. All populations steer before any of them moves. `explain.py` and `sketching.py` also steer with the
trace on, and only the rows that are asked for where these are few (`run_all`, `kernels/call.py`); both show the desired
velocity of the law that decides, before its force is cut (`desired_velocity.py`).

Flows (`flows/`) are parameters; their counts (`Tally`) belong to the population and to the state hash. Flows record the
actions that undo their changes, and stay owed until all of them have run, so an interrupted step continues to the same bits.
`gaits.py` reads the memory of bodies for animators.
"""
