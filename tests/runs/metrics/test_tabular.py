"""Series as objects of pandas, polars and xarray: of meters, and of recorded runs."""

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from later import later, needs

import steersman as sm
from steersman.runs.recording.run import Series, SeriesByLabel

pytestmark = [needs("pandas"), needs("polars"), needs("xarray")]
xarray = later("xarray")


def watched() -> sm.World:
    world = sm.World(dt=0.5, threads=1)
    world.add(
        sm.Vehicles([[0, 0], [5, 1]], [[1, 0], [0, 2]], max_speed=4, response_time=2),
        name="birds",
        steering=sm.Seek([40, 40]),
    )
    world.watch("birds", "mean_speed", every=0.5)
    world.watch("birds", "polarization", every=1.0)
    return world


def test_meters_of_other_times_stand_side_by_side() -> None:
    world = watched()
    world.run(seconds=3)
    speed, order = world.meters["birds.mean_speed"], world.meters["birds.polarization"]
    frame = world.meters.pandas()
    assert list(frame) == ["birds.mean_speed", "birds.polarization"]
    assert frame.index.name == "time"
    np.testing.assert_array_equal(frame.index, speed.times)
    np.testing.assert_array_equal(frame["birds.mean_speed"], speed.values)
    np.testing.assert_array_equal(frame["birds.polarization"].dropna().index, order.times)
    assert frame.attrs["units"] == {"time": "s", "birds.mean_speed": "m/s", "birds.polarization": ""}
    table = world.meters.polars()
    assert table.columns == ["time", "birds.mean_speed", "birds.polarization"]
    np.testing.assert_array_equal(table["time"], speed.times)
    np.testing.assert_array_equal(table["birds.polarization"].drop_nulls(), order.values)
    data = world.meters.xarray()
    np.testing.assert_array_equal(data["birds.mean_speed"], speed.values)
    assert data["birds.mean_speed"].attrs["units"] == "m/s"
    assert float(data["birds.polarization"].sel(time=2.0)) == order.values[np.searchsorted(order.times, 2.0)]
    np.testing.assert_array_equal(speed.pandas(), speed.values)
    assert speed.pandas().name == "birds.mean_speed"
    np.testing.assert_array_equal(speed.polars()["birds.mean_speed"], speed.values)
    np.testing.assert_array_equal(speed.xarray().time, speed.times)
    assert isinstance(speed.xarray(), xarray.DataArray)
    assert speed.xarray().name == "birds.mean_speed"


def test_a_run_gives_series_and_tracks(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    world = watched()
    with world.record(tmp_path / "run", every=sm.EverySteps(1)):
        world.run(steps=3)
        world["birds"].spawn([[9.0, 9.0]])
        world.run(steps=1)
    run = sm.read_run(tmp_path / "run")
    series = run.metrics()
    np.testing.assert_array_equal(series.pandas()["birds.mean_speed"], series["birds.mean_speed"].values)
    np.testing.assert_array_equal(series["birds.mean_speed"].xarray().time, series["birds.mean_speed"].times)
    assert series.polars().columns[0] == "time"
    assert series["birds.polarization"].polars().columns == ["time", "value"]
    assert series["birds.polarization"].pandas().index.name == "time"
    tracks = run.xarray()
    assert dict(tracks.sizes) == {"time": 5, "id": 3, "axis": 2}
    np.testing.assert_array_equal(tracks.position.sel(id=1), run.path(1).position)
    np.testing.assert_array_equal(tracks.velocity.sel(id=0, axis="y"), run.path(0).velocity[:, 1])
    assert np.isnan(tracks.position.sel(id=2)).all(axis=1).sum() == 4
    assert tracks.position.attrs["units"] == "m"
    assert tracks.attrs["seed"] == 0


def test_of_two_readings_at_one_time_the_last_counts() -> None:
    series = SeriesByLabel(a=Series(np.array([0.0, 1.0, 1.0]), np.array([5.0, 6.0, 7.0]), "m"))
    assert (
        series.pandas()["a"].tolist()
        == series.polars()["a"].to_list()
        == series.xarray()["a"].values.tolist()
        == [5, 7]
    )


def test_nothing_read_yet_makes_empty_tables() -> None:
    world = sm.World()
    world.add(sm.Vehicles([[0, 0]]), name="birds")
    meters = world.watch("birds", "mean_speed", every=5.0)
    count = world.meters["birds.mean_speed"].count
    assert len(meters.pandas()) == len(meters.polars()) == meters.xarray().sizes["time"] == count


@pytest.mark.parametrize("name", ["pandas", "polars", "xarray"])
def test_a_missing_package_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = watched()
    import sys

    real = builtins.__import__

    def refuse(asked: str, *more: Any) -> Any:
        if asked.partition(".")[0] == name:
            raise ModuleNotFoundError(asked)
        return real(asked, *more)

    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=f"this needs {name}; please run: pip install"):
        getattr(world.meters, name)()
