"""steersman view."""

from calling import call


def test_view_prints_the_address_and_stays_open_for_a_while(small):
    result = call("view", small, "--no-browser", "--seconds", 0.1)
    assert result.exit_code == 0
    assert "watch it at http://127.0.0.1:" in result.stdout
    result = call("view", "--no-browser", "--seconds", 0.1)
    assert "/gallery?token=" in result.stdout
