"""steersman warmup."""

from calling import call
from forgetting import forgotten_kernels, nothing_compiles


def test_warmup_compiles_or_loads_what_a_run_needs(small):
    with forgotten_kernels():
        result = call("warmup", small, "seek_flee")
        assert result.exit_code == 0, result.output
        assert "has them all" in result.stdout
        with nothing_compiles() as late:
            assert call("run", small, "--steps", 1).exit_code == 0
            assert call("run", "seek_flee", "--steps", 1, "--quiet").exit_code == 0
        assert late == []
    assert call("warmup", small, "--quiet").output == ""


def test_warmup_of_what_is_no_scenario_is_wrong_use(tmp_path):
    result = call("warmup", tmp_path / "nothing.toml")
    assert result.exit_code == 2
    assert "nothing.toml" in result.output
