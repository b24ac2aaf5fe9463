"""Scenario documents: worlds as TOML, read into worlds and written from them.

Reading goes down through `files`, `gallery/opening`, `stage`, `builder` and `reader`; `kinds` and `trees` say how a
parameter of each kind is read. Every error on the way becomes a ScenarioError with its place and cause
(`problems.py`, `Reader.attempt`); values that no class would refuse are checked first (`limits.py`), sizes before
memory is taken (`core/parameters/sizes.py`), and files are found by `Reader.file` alone.

A document is derived from the living objects (`documents`, `writer`); nothing is carried beside them. Writing
dispatches by the type of a value. Parameters write those that differ from their defaults (`Parameters.chosen`), so a
new behavior, body, obstacle or condition needs no code for it, if its normal form makes the same again and it is
registered. `repr` rests on the same `chosen` (`core/parameters/expression.py`). A type whose normal form differs from
the user's input registers it with `user_value`.
"""
