"""The parts of populations on their way between processes."""

import numpy as np

from steersman.scaling.part import Rows, joined


def test_vehicles_are_joined_in_the_order_of_their_births() -> None:
    """Not in that of their ids, which may be given: rows are in the order of births in one process."""
    some = Rows(np.array([[1.0, 4.0]]), np.array([[90, 5], [0, 3]]), {7: [np.array([[0.1, 0.4]])]})
    more = Rows(np.array([[2.0, 3.0]]), np.array([[80, 70], [1, 2]]), {7: [np.array([[0.2, 0.3]])]})
    whole = joined([some, more])
    assert whole.block.tolist() == [[1, 2, 3, 4]]
    assert whole.names.tolist() == [[90, 80, 70, 5], [0, 1, 2, 3]]
    assert whole.memories[7][0].tolist() == [[0.1, 0.2, 0.3, 0.4]]
