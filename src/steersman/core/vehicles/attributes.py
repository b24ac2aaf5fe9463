"""Attributes of `Vehicles`: columns as live views, and those that only a population has."""

from typing import Any, NoReturn, Union, overload

from steersman.core.typing import Array
from steersman.core.vehicles.columns import as_column, as_vectors
from steersman.core.vehicles.stored import StoredVehicles


class VectorColumn:
    """A column of vectors: read as a live view of shape (n, d), written as a whole."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, vehicles: None, owner: type) -> "VectorColumn": ...
    @overload
    def __get__(self, vehicles: StoredVehicles, owner: type) -> Array: ...
    def __get__(self, vehicles: StoredVehicles | None, owner: type) -> Union["VectorColumn", Array]:
        return self if vehicles is None else vehicles._store.column[self.name].T

    def __set__(self, vehicles: StoredVehicles, value: Any) -> None:
        vectors = as_vectors(self.name, value, len(vehicles), vehicles.dimensions, vehicles.dtype)
        vehicles._store.column[self.name][...] = vectors.T


class ScalarColumn:
    """A column of numbers: read as a live view of shape (n,), written as a whole."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, vehicles: None, owner: type) -> "ScalarColumn": ...
    @overload
    def __get__(self, vehicles: StoredVehicles, owner: type) -> Array: ...
    def __get__(self, vehicles: StoredVehicles | None, owner: type) -> Union["ScalarColumn", Array]:
        return self if vehicles is None else vehicles._store.column[self.name][:]

    def __set__(self, vehicles: StoredVehicles, value: Any) -> None:
        vehicles._store.column[self.name][...] = as_column(self.name, value, len(vehicles), vehicles.dtype)
        vehicles._store.settle(self.name, value)


class OfPopulation:
    """An attribute of a population that its vehicles lack: reading or assigning it raises an error that says so."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, vehicles: StoredVehicles | None, owner: type) -> "OfPopulation":
        if vehicles is None:
            return self
        return self.__set__(vehicles, None)

    def __set__(self, vehicles: StoredVehicles, value: Any) -> NoReturn:
        raise AttributeError(
            f"vehicles have no {self.name}, their population has: world.populations[name].{self.name}, or that of the "
            "population that world.add returned"
        )
