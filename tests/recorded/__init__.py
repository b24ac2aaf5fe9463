"""Recorded results: what examples, scenarios, runs and refusals gave when they were last looked at, pinned in text files.

    python -m tests.recorded              # writes the files anew; the diff names what has changed
    python -m tests.recorded scenarios    # one of them

A recorded number does not prove that a result is right: it was made by the code that it is compared with. It shows that a
result has changed, and which. Whether it is right is tested against numbers that others produced (`contract/references`,
`reference/`).

A file is a list of sections, `[name]`, with a row for each quantity: its name, and words and numbers. Vectors are separated
by semicolons. `table.py` compares them.
"""
