"""Many worlds in one step: parts that worlds share are bound once; each world is a row of the numbers in which it differs.

worlds.py     the class Worlds (begin here)
slot.py       the plan of one world; its arrays take the state of one world after the other
comparing.py  the arrays in which plans differ, and messages about differences that are not allowed
supported.py  the check for parts that only Python can step
measuring.py  one number for each world
"""
