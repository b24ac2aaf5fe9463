"""Bad inputs by the thousand: whatever is given, the answer is a result or a refusal that helps.

    python -m tests.faults --inputs 100000

A module of this package that makes inputs has `@source("documents")` above a function `(rng, count)`, which yields `count`
inputs or pairs of a description and a call, and its line in SOURCES (`trying.py`). What a refusal must be is said once, in
`judging.py`.
"""
