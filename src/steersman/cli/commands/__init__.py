"""The commands of `steersman`, each in a file that is called as it is: its options, its help, its exit codes."""
