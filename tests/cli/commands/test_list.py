"""steersman list."""

from calling import call

from steersman.gallery.registry import SCENARIOS


def test_list():
    result = call("list")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in SCENARIOS)


def test_list_of_those_with_a_word():
    result = call("list", "path")
    assert result.exit_code == 0
    assert "path_following" in result.stdout
    assert "seek_flee" not in result.stdout
    assert call("list", "nonsense").exit_code == 2
