"""Open: space without end."""

from dataclasses import dataclass
from typing import final

from steersman.core.environment.domain import Domain, Moving


@final
@dataclass(frozen=True, eq=False)
class Open(Domain):
    """Space without end or edge, of any number of dimensions."""

    @property
    def dimensions(self) -> None:
        """None: any number will do."""

    def confine_call(self, vehicles: Moving) -> None:
        """Nothing to be done."""
