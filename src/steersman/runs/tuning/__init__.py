"""Tuning: values of a scenario are found by machine, and judged with seeds that the search has not seen.

`searching` proposes values, `judging` says how much better they are, `tune` is all of it; runs are made by `sweeps`.
"""
