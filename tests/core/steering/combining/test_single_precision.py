"""The kernels of the combinators stay in float32, but for those that look at the clock, which is kept in float64."""

from typing import Any

import pytest
from precision import assert_single_precision

import steersman as sm
from steersman.core.kernels.call import ROW

PARTS = [sm.Seek([1.0, 2.0]), sm.Flee([3.0, 4.0])]
ROCKS = sm.Spheres([[5.0, 5.0]], 1.0)

TREES = {
    "priority": (sm.Priority(PARTS), {"begin", "settle"}),
    "truncated sum": (sm.TruncatedSum(PARTS, accounting="lengths"), {"allocate", "begin_account"}),
    "dithered": (sm.Dithered(PARTS, probabilities=(0.5, 1)), {"offer"}),
    "context map": (
        sm.ContextMap(PARTS[:1], danger=PARTS[1:], obstacles=ROCKS),
        {"begin_map", "note_interest", "note_danger", "aim", "note_obstacles", "choose"},
    ),
}


@pytest.mark.parametrize(("tree", "names"), TREES.values(), ids=TREES)
def test_it_stays_in_float32(tree: Any, names: set[str]) -> None:
    vehicles = sm.Vehicles([[1.0, 1.0], [2.0, 2.0]])
    controller = sm.Controller(vehicles, tree, threads=1)
    controller.steer(0.1)
    found = {call.kernel.__name__: call for call in controller._ready().steered[0].plan.calls if not call.whole}
    assert names <= found.keys()
    for name in names:
        assert_single_precision(found[name].kernel, ROW(0), ROW(1), *found[name].arguments)
