"""How fast the library is: one runner, a few workloads, medians."""
