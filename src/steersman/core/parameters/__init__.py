"""Parameters: the values that describe behaviors, bodies and scenery, with their checks, messages and printed form.

An argument of another kind raises TypeError, and one that is not allowed ValueError: `Parameters` says when. So do all
functions `as_...`, which return the normal form of an argument. Docstrings list only errors beyond these.

Begin with `parameters.py` (the base class, and `parameter`, which declares a field) and `kinds.py` (the values that are
allowed). `per_vehicle.py` has numbers that differ from vehicle to vehicle. The rest are tools:

    messages           brief.py, guiding.py, docstrings.py, sizes.py
    arrays             arrays.py
    printing           expression.py, showing.py
    walks over values  walking.py
    classes            registry.py, renaming.py, keeping.py
    files              whole_files.py
"""
