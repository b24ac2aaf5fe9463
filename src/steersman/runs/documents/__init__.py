"""Scenario documents: worlds as TOML, read into worlds and written from them.

Begin with `builder.py` to follow how a document is read, and with `documents.py` to follow how a world is written.

A file is read by `files`, opened by `gallery/opening`, and built by `builder` into a `Stage` (`stage`), with `reader` for
tables; `kinds` and `trees` have the functions that read parameters of each kind. Every error becomes a ScenarioError with its
place and cause (`problems.py`, `Reader.attempt`). Values that no class would refuse are checked before anything is read
(`limits.py`), and sizes before memory is allocated (`core/parameters/sizes.py`). Only `Reader.file` finds files.

A document is made from the present objects alone (`documents`, `writer`): a world does not keep the text that it was read
from. Writing dispatches by the type of a value. Objects with parameters write those that differ from their defaults
(`Parameters.chosen`, on which `repr` rests, too). So a new behavior, body, obstacle or condition needs no code here, if it is
registered, and if its class makes an equal object of the normal forms. A type with a normal form that differs from the input
of users registers the input with `user_value`.
"""
