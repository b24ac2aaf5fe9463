"""What an example is."""

from collections.abc import Callable
from typing import Any

from contract.places import Place

import steersman as sm
from steersman.core.steering.behavior import Behavior

Example = Callable[[Place], Behavior | Callable[[sm.Vehicles], Any]]
