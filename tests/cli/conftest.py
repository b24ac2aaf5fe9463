"""What tests of the command begin with."""

import pytest
from calling import SMALL


@pytest.fixture
def small(tmp_path):
    """A scenario in a file."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path
