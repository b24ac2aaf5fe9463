"""Types of arguments: arrays, and vectors as kernels see them."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

Vector = tuple[Any, ...]
"""Two or three numbers (one, of turning in the plane)."""

Columns = tuple[np.ndarray[Any, Any], ...]
"""Two or three arrays of shape (n,): the components of n vectors."""
