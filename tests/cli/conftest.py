"""What tests of the command begin with."""

import contextlib

import pytest
from calling import SMALL


@pytest.fixture
def small(tmp_path):
    """A scenario in a file."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def two_kernels():
    """Stands for `watched_compilation` where two kernels are compiled."""

    @contextlib.contextmanager
    def watched(begins):
        begins("seek", 1, 2)
        begins("move", 2, 2)
        yield

    return watched
