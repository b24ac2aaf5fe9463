"""One hypothesis profile for all tests: the same examples in every run, and few of them."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steersman",
    derandomize=True,
    deadline=None,
    max_examples=40,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steersman")
