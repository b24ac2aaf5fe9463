"""The population: a struct of arrays, its local frames, spawning and removal."""
