"""Action selection: when to do what. Conditions, and modes that change by them.

Begin with `condition.py` (the base class of conditions) and `modes.py`. Modes are a behavior: first the conditions judge,
then one kernel decides which mode each vehicle is in, and then the part of each mode steers the vehicles in that mode.
Conditions are nodes of the steering tree under the same contract as behaviors (`steering/tree/node_parameters.py`). Hooks on
entering a mode are requested by `scene.afterwards` and called when the step is accepted. Memory stores the transition that
led to the present mode as a number, made from both modes and the key of the condition (`change.py`); so the number keeps its
meaning when the tree is replaced.
"""
