"""Running a scenario from its beginning, or from where it was stopped, to its end: and what that leaves in a folder."""
