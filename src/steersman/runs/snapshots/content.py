"""Content: a snapshot is read from its file, its form is checked, and its names are replaced by Python objects."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.vehicles.columns import SCALARS
from steersman.core.world.observers import EverySeconds, EverySteps, Trigger
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.state_hash import all_maps_with_doors, all_obstacles
from steersman.core.world.world import World
from steersman.runs.snapshots.capture import FORMAT
from steersman.runs.snapshots.container import read_container
from steersman.runs.snapshots.python import KEY, keepers_of

FORMS = {"hash": str, "document": dict, "observers": list, "meters": dict, "python": list, "steersman": str}
"""Keys of the text, and the types of their values."""

STATE = (
    "position",
    "velocity",
    "forward",
    "up",
    "angular_velocity",
    "id",
    "next_id",
    "newcomers",
    "remembered",
    *SCALARS,
)
"""Keys of a population that change during a run."""

TRIGGERS: dict[str, type[Trigger]] = {cls.__name__: cls for cls in (EverySteps, EverySeconds)}


@dataclass(frozen=True)
class Content:
    """The content of a snapshot.

    Attributes:
        path: Its file.
        hash: The state hash of the world.
        document: The world.
        observers: The observers that are called after steps, and their triggers.
        meters: The readings so far, by label.
        python: The record of each Python object: its name, its description, its places, and its saved state.
        tolls: The tolls of the doors of maps, for each use of a map.
        enabled: Whether each part of obstacles is enabled, for each use of a set; empty if all are.
        turned: Of a Controller, the vehicles with an angular velocity that follows their frame, shape (n,), uint8.
    """

    path: Path
    hash: str
    document: dict[str, Any]
    observers: list[dict[str, Any]]
    meters: dict[str, Any]
    python: list[dict[str, Any]]
    tolls: list[Any] = field(default_factory=list)
    enabled: list[Any] = field(default_factory=list)
    turned: Any = None

    def missing(self, objects: Mapping[str, Any]) -> list[str]:
        """A line about each Python object that is not given."""
        return [
            f"  {entry['name']!r}, {entry['what']}, at {', '.join(entry['places'])}"
            for entry in self.python
            if entry["name"] not in objects
        ]

    def set_doors(self, world: World) -> None:
        """Set the tolls of doors, and which parts of obstacles are enabled."""
        for each, tolls in zip(all_maps_with_doors(world), self.tolls, strict=True):
            each.set_tolls(tolls)
        sets = all_obstacles(world)
        enabled_parts = self.enabled or [np.ones(len(each), bool) for each in sets]
        for obstacles, enabled in zip(sets, enabled_parts, strict=True):
            flags = np.asarray(enabled)
            if flags.dtype != bool or flags.shape != (len(obstacles),):
                raise ValueError(f"enabled must be flags of shape ({len(obstacles)},), got shape {flags.shape}")
            obstacles.switches.set(flags)

    def resume(self, objects: Mapping[str, Any], meters: Any) -> None:
        """Give the saved states back to the meters and to the Python objects that have `resume`: to all, or to none.

        Args:
            objects: The Python objects, by name.
            meters: The meters of the world; None if there are none.

        Raises:
            ValueError: An object has a saved state but no `resume`, or a `resume` but no saved state.
            Exception: An object refuses its state; those before it have their former states again.
        """
        states = {entry["name"]: entry["saved"] for entry in self.python if "saved" in entry}
        keepers = dict(keepers_of({entry["name"]: objects[entry["name"]] for entry in self.python}))
        if keepers.keys() != states.keys():
            odd = ", ".join(map(repr, sorted(keepers.keys() ^ states.keys())))
            raise ValueError(f"{odd}: the same objects must have saved() and resume(saved) as when it was saved")
        pairs = [] if meters is None else [(meters, self.meters)]
        undo = []
        try:
            for keeper, saved in [*pairs, *((keepers[name], saved) for name, saved in states.items())]:
                before = keeper.saved()
                keeper.resume(saved)
                undo.append((keeper, before))
        except Exception:
            for keeper, before in undo:
                keeper.resume(before)
            raise


def read(path: Path) -> Content:
    """Read a snapshot.

    Raises:
        SnapshotError: The file cannot be read, or is no snapshot.
    """
    import steersman  # For its version. A module of the package cannot import the package at the top.

    stored = read_container(path)
    if stored.get("format") != FORMAT or any(not isinstance(stored.get(key), kind) for key, kind in FORMS.items()):
        raise SnapshotError(f"{path}: is no snapshot that steersman wrote: something is missing in its text")
    if stored["steersman"] != steersman.__version__:
        warnings.warn(
            f"{path} was written by steersman {stored['steersman'][:20]}, this is {steersman.__version__}: the run goes on "
            "from the same state, but not with the same bits where a behavior has changed",
            stacklevel=5,
        )
    content = Content(path, **{key: stored[key] for key in FORMS if key != "steersman"}, turned=stored.get("turned"))
    for own, name in ((content.tolls, "tolls"), (content.enabled, "enabled")):
        if isinstance(values := stored.get(name, []), list):
            own.extend(values)
    _check_python(content)
    _check_populations(content)
    return content


def _check_python(content: Content) -> None:
    for entry in content.python:
        texts = (
            [entry.get("name"), entry.get("what"), *entry.get("places", [None])] if isinstance(entry, dict) else [None]
        )
        if not all(isinstance(text, str) for text in texts):
            raise SnapshotError(f"{content.path}: is no snapshot that steersman wrote: python must be tables of texts")


def _check_populations(content: Content) -> None:
    """Check that a snapshot holds the state of each vehicle: a file must not ask for any number of new vehicles."""
    populations = content.document.get("populations")
    known = {"name", "dtype", "locomotion", "flows", "yields", "metrics", "steering", *STATE}
    good = isinstance(populations, list) and all(isinstance(each, dict) and set(each) <= known for each in populations)
    if not good or "scenario" in content.document:
        raise SnapshotError(f"{content.path}: is no snapshot that steersman wrote: these are no populations")


def with_python(value: Any, objects: Mapping[str, Any]) -> Any:
    """A value with its marks replaced by the Python objects."""
    if isinstance(value, list):
        return [with_python(item, objects) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get(KEY), str) and set(value) <= {KEY, "weight"}:
        value_of = objects[value[KEY]]
        return {"behavior": value_of, "weight": value["weight"]} if "weight" in value else value_of
    return {key: with_python(item, objects) for key, item in value.items()}


def trigger(value: Any) -> Trigger:
    """The trigger of a table, or a trigger itself.

    Raises:
        TypeError, ValueError, KeyError: The value is neither.
    """
    if isinstance(value, Trigger):
        return value
    table = {"kind": value} if isinstance(value, str) else dict(value)
    return TRIGGERS[table.pop("kind")](**table)
