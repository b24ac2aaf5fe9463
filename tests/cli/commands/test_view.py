"""steersman view."""

from calling import SMALL, call

from steersman.studio.viewer.view import Window


def test_view_prints_the_address_and_stays_open_for_a_while(small):
    result = call("view", small, "--no-browser", "--seconds", 0.1)
    assert result.exit_code == 0
    assert "watch it at http://127.0.0.1:" in result.stdout
    result = call("view", "--no-browser", "--seconds", 0.1)
    assert "/gallery?token=" in result.stdout


def test_a_window_whose_scenario_is_wrong_is_closed(small, monkeypatch):
    closed, close = [], Window.close
    monkeypatch.setattr(Window, "close", lambda window: closed.append(window) or close(window))
    small.write_text(SMALL.replace("max_speed", "max_sped"))
    assert call("view", small, "--no-browser").exit_code == 2
    assert len(closed) == 1
