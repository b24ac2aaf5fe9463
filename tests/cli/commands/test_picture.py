"""steersman picture."""

import matplotlib.image
import pytest
from calling import call


def test_a_recorded_run_is_drawn_at_a_time(small, tmp_path):
    pytest.importorskip("pyarrow")
    assert call("run", small, "--record", "--out", tmp_path / "run").exit_code == 0
    result = call("picture", tmp_path / "run", "--at", 0.1, "-o", tmp_path / "half.png")
    assert result.exit_code == 0, result.output
    assert matplotlib.image.imread(tmp_path / "half.png").std() > 0.01


def test_no_picture_of_what_is_no_run(tmp_path):
    result = call("picture", tmp_path, "--at", 1, "-o", tmp_path / "x.png")
    assert result.exit_code == 2
    assert "there is no recorded run: meta.json is missing" in result.stderr
