"""steersman warmup."""

from calling import call

from steersman.core.kernels.announcing import watched_compilation


def test_warmup_compiles_what_a_run_needs(small, monkeypatch, tmp_path):
    monkeypatch.setenv("STEERSMAN_CACHE", str(tmp_path / "cache"))
    result = call("warmup", small, "seek_flee")
    assert result.exit_code == 0, result.output
    assert "has them all" in result.stdout
    begun = []
    with watched_compilation(begins=lambda *told: begun.append(told)):
        assert call("run", small, "--steps", 1).exit_code == 0
        assert call("run", "seek_flee", "--steps", 1, "--quiet").exit_code == 0
    assert begun == []
    assert call("warmup", small, "--quiet").output == ""


def test_warmup_of_what_is_no_scenario_is_wrong_use(tmp_path):
    result = call("warmup", tmp_path / "nothing.toml")
    assert result.exit_code == 2
    assert "nothing.toml" in result.output
