"""Examples of additions are tests of a library that has them; `test_contributing.py` runs them there."""

collect_ignore = ["additions"]
