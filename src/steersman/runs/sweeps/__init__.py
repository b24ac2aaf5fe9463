"""Sweeps: a scenario is run with many values and seeds, anywhere, and every run becomes a row of a table.

`design` chooses values, `measures` reads a run, `task` makes one run, `crews` has runs made by processes or
clusters, `store` keeps the rows, and `sweep` is all of it.
"""
