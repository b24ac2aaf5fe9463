"""Kernels: how functions are compiled, kept in a cache, put into programs, and shared among threads."""
