"""Tabular: series over time as objects of pandas, polars and xarray. Each of them is imported when it is asked for."""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from steersman.core.typing import Array
from steersman.runs.optional import require_package


class Timed(Protocol):
    """A series: its times [s], values and unit."""

    @property
    def times(self) -> Array:
        """Times [s], shape (k,)."""

    @property
    def values(self) -> Any:
        """Values, shape (k,)."""

    @property
    def unit(self) -> str:
        """Their unit, "" for a pure number."""


class SeriesTable(Mapping[str, Any]):
    """Series by label, as tables over time."""

    def pandas(self) -> Any:
        """A DataFrame of pandas: a column for each meter over the time [s], NaN where it has no reading.

        Units are in `attrs["units"]`.
        """
        return as_pandas(self)

    def polars(self) -> Any:
        """A DataFrame of polars: the time [s] and a column for each meter."""
        return as_polars(self)

    def xarray(self) -> Any:
        """A Dataset of xarray: a variable over time for each meter, with its unit."""
        return as_xarray(self)


def as_pandas(series: Mapping[str, Timed]) -> Any:
    """A DataFrame with a column for each series, over all times; NaN where one has no reading. Units are in `attrs`."""
    pandas = require_package("pandas")
    columns = {label: pandas.Series(np.array(each.values), _index(pandas, each)) for label, each in series.items()}
    frame = pandas.DataFrame({label: _last(each) for label, each in columns.items()})
    frame.index.name = "time"
    frame.attrs["units"] = {"time": "s", **{label: each.unit for label, each in series.items()}}
    return frame.sort_index()


def as_polars(series: Mapping[str, Timed]) -> Any:
    """A DataFrame with the columns time and one for each series, over all times; null where a series has no reading."""
    polars = require_package("polars")
    frame = polars.DataFrame({"time": np.zeros(0)})
    for label, each in series.items():
        rows = polars.DataFrame({"time": np.array(each.times), label: np.array(each.values)})
        rows = rows.unique("time", keep="last", maintain_order=True)
        frame = frame.join(rows, on="time", how="full", coalesce=True)
    return frame.sort("time")


def as_xarray(series: Mapping[str, Timed]) -> Any:
    """A Dataset over time with a variable for each series, which has its unit; NaN where one has no reading."""
    xarray = require_package("xarray", "steersman[measure]")
    every = np.unique(np.concatenate([np.zeros(0), *(np.asarray(each.times) for each in series.values())]))
    variables = {}
    for label, each in series.items():
        values = np.full(len(every), np.nan)
        values[np.searchsorted(every, each.times)] = each.values
        variables[label] = ("time", values, {"units": each.unit})
    return xarray.Dataset(variables, {"time": ("time", every, {"units": "s"})})


def _index(pandas: Any, series: Timed) -> Any:
    return pandas.Index(np.array(series.times), name="time")


def _last(column: Any) -> Any:
    """A column with one reading for each time: the last one."""
    return column[~column.index.duplicated(keep="last")]
