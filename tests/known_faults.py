"""Tests that fail for a known reason that is not yet mended. They are expected to fail, so that all others can be relied on.

An entry goes when its fault is mended; no test is added here to make a change pass.
"""

STORY = "the check does not tell this impostor from the story since laws have changed"

KNOWN_FAULTS = {
    "tests/gallery/test_scenarios.py::test_its_check_fails_for_every_impostor[capture_the_flag]": STORY,
    "tests/emergence/test_ten_minutes.py::test_it_keeps_its_promise_for_ten_minutes[FollowLeader-20-2]": (
        "followers come to 0.78 m, of 0.8 m that are promised"
    ),
}
