"""Domains: the space that vehicles live in. Open, a torus, a box."""
