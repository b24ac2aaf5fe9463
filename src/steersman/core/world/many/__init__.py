"""Many worlds in one step: shared parts are bound once, and each world is the numbers in which it differs.

worlds.py     Worlds: made, stepped, reset and read together
slot.py       one world's plan, whose arrays take the state of one world after the other
comparing.py  which arrays of two plans differ, and the sentence for those that may not
supported.py  the parts that only Python can step, refused by name
measuring.py  one number for each world
"""
