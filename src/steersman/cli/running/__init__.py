"""Running a scenario from its beginning, or from its last snapshot, to its end, with its results in a folder."""
