"""Reference cases from disk, and how a number is compared with them."""

import json
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent

ANALYTIC: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((HERE / "analytic_cases.json").read_text(encoding="utf-8"))
}
YUKA: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((HERE / "yuka_examples.json").read_text(encoding="utf-8"))["cases"]
}


def check_analytic(name: str, values: Any) -> None:
    """Assert that values agree with an analytic case within its absolute tolerance."""
    case = ANALYTIC[name]
    np.testing.assert_allclose(
        values, case["expected"], rtol=0, atol=case.get("tolerance", 1e-12), err_msg=case["name"]
    )


def ring(number: int, radius: float) -> np.ndarray:
    """Points at equal angles on a circle, shape (number, 2)."""
    angle = 2 * np.pi * np.arange(number) / number
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
