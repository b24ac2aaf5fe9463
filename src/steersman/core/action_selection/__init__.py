"""Action selection: when to do what. Conditions, and modes that change by them.

Modes are a behavior (`modes.py`): conditions judge, one kernel decides which mode each vehicle is in, and the part of
each mode is asked about its own vehicles alone. Conditions are nodes of the steering tree under the same contract as
behaviors (`steering/tree/node_parameters.py`). Hooks on entering a mode are requested by `scene.afterwards` and
called when the step is accepted. The transition that led to the present mode is remembered as a number made from both
modes and the key of the condition (`change.py`), so it keeps its meaning in a tree that is replaced.
"""
