"""The commands of `steersman`, each in a file of its name: its options, its help, its exit codes."""
