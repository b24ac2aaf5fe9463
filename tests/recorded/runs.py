"""Bodies, metrics, documents, recordings and commands, each tried once."""

import inspect
import re
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
from adapters.exported import frames, lively
from calling import call
from contract.places import State
from core.locomotion.test_bodies import herd
from core.locomotion.test_rows_and_frames import BODIES
from runs.recording.worlds import comings_and_goings

import steersman as sm
from steersman.adapters.camera import Camera
from steersman.adapters.export import export
from steersman.adapters.overlay import overlay
from steersman.adapters.stream import read_stream, write_stream
from steersman.runs import metrics
from steersman.runs.metrics.metric import METRICS
from steersman.runs.metrics.watching import watch

from .table import Rows, Section, digest, vectors

DT = 0.07


def body(name: str, model: Any) -> Rows:
    """Where a body goes whose vehicles are unlike each other, and what shows of it."""
    section, d = Section(), 3 if isinstance(model, (sm.Flying, sm.SurfaceBound)) else 2
    rng = np.random.default_rng(8)
    n = 6
    unlike = {
        "mass": rng.uniform(0.5, 3, n), "radius": rng.uniform(0.2, 0.9, n), "max_speed": rng.uniform(2, 4, n),
        "max_force": rng.uniform(4, 20, n), "response_time": rng.uniform(0.1, 0.6, n),
    }  # fmt: skip
    vehicles = herd(d, n, np.float64, **unlike)
    world = sm.World(dt=DT, seed=5, threads=1)
    world.add(vehicles, name="ants", steering=sm.Seek([20.0, -3.0, 6.0][:d]) + sm.LookWhereYouGo(), locomotion=model)
    for steps in (1, 4):
        world.run(steps=steps)
        for column in ("position", "velocity", "forward", "angular_velocity"):
            section.add(f"{column} after {world.steps}", vectors(getattr(vehicles, column)[:4]))
    for key, memory in world.populations["ants"].memories.items():
        for column, values in memory.snapshot().items():
            if np.asarray(values).dtype.kind in "fiub":
                section.add(f"memory {key} {column}", vectors(np.asarray(values, float)[:4]))
    return section.rows


TOWARD = {
    "target": [3.0, 8.0],
    "path": sm.Path([[0, 8], [9, 12], [20, 20.0]], radius=2.5),
    "region": sm.Sphere([9.0, 14.0], 7.0),
    "area": sm.Box([21.0, 23.0], [1.0, 4.0]),
    "floor": sm.Box([21.0, 23.0], [1.0, 4.0]),
    "distance": 6.5,
}


def metric(name: str) -> Rows:
    """What a metric reads at some steps, in an open plane and on a torus."""
    section, of = Section(), METRICS[name]
    for torus in (False, True):
        place = State.random(7, 2, n=12, torus=torus).place(np.float32)
        world = sm.World(domain=place.domain, seed=5, dt=DT, threads=1)
        world.add(place.vehicles, name="ants", steering=sm.Seek(place.state.point))
        about = "torus" if torus else "plane"
        try:
            meters = watch(world, "ants", (name,), {}, to=TOWARD.get(of.to), every="step", obstacles=(place.rocks,))
            world.run(steps=4)
        except (TypeError, ValueError) as error:
            section.add(about, str(error))
            continue
        section.add(about, vectors(meters[f"ants.{name}"].values))
    return section.rows


def measured(name: str) -> Rows:
    """What a function of ways or velocities measures, in an open plane and on a torus."""
    section, function = Section(), getattr(metrics, name)
    takes = inspect.signature(function).parameters
    rng = np.random.default_rng(4)
    velocity = rng.normal([1.0, 0.2], 0.7, (25, 8, 2))
    position = rng.uniform(0, 12, (8, 2)) + 0.3 * np.cumsum(velocity, axis=0)
    still = ("position" in takes) and name.endswith(
        ("s_to", "pairs", "overlaps", "labels", "distances", "areas", "volumes")
    )
    given = {
        "position": position[3] if still or name in ONCE else position, "velocity": velocity,
        "dt": 0.3, "goal": [9.0, 7.0], "line": [[6.0, -2.0], [6.5, 15.0]], "reach": 4.5, "radius": 0.9,
        "path": TOWARD["path"], "axis": [1.0, 0.3], "width": 1.5, "target": [3.0, 8.0], "seconds": 1.1, "n": 8,
        "obstacles": sm.Spheres([[4.0, 5.0], [9.0, 8.0]], [1.7, 2.3]), "order": [0.2, 0.5, 0.4, 0.9], "places": [2.0, 6.0],
        "correlation": ([0.5, 1.0, 1.5, 2.0], [0.9, 0.4, -0.3, 0.1]),
    }  # fmt: skip
    needed = {key for key, each in takes.items() if each.default is inspect.Parameter.empty} | (
        {"radius"} & takes.keys()
    )
    for domain in (None, sm.Torus([13.0, 14.0])) if "domain" in takes else (None,):
        own = {key: given[key] for key in takes if key in needed and key in given}
        if "domain" in takes:
            own["domain"] = domain
        if name == "space_time":
            own["axis"] = 0
        if name in ("lane_order", "velocity_correlation"):
            own["velocity"] = velocity[3]
        about = "torus" if domain is not None else "plane"
        try:
            found = function(**own)
        except (TypeError, ValueError, AttributeError) as error:
            section.add(about, str(error).splitlines()[0])
            continue
        for k, each in enumerate(found if isinstance(found, tuple) else (found,)):
            section.add(f"{about} {k}", digest(np.atleast_1d(np.asarray(each, float)), spread=False))
    return section.rows


ONCE = ("lane_order", "velocity_correlation", "pair_correlation", "penetrations", "number_fluctuations", "center")
"""Functions of one instant."""

MEASURES = [name for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name)) and name not in METRICS]

TOLD = r"^(speed|state|wrote|took)\b.*"
"""Lines of commands that are of one machine, or of one folder."""


def command(*words: str) -> Rows:
    """What a command prints, and the document that it writes."""
    section = Section()
    with tempfile.TemporaryDirectory() as folder:
        said = call(*words, "--out", Path(folder) / "out").stdout.replace(folder, "...")
        for k, line in enumerate(said.splitlines()):
            if not re.match(TOLD, line.strip()) and line.strip() and ("…" not in line):
                section.add(f"line {k:02}", line.strip())
        table = Path(folder) / "out" / "table.parquet"
        for k, row in enumerate(parquet.read_table(table).to_pylist() if table.exists() else ()):
            words = [f"{name} {value:.5g}" for name, value in row.items() if isinstance(value, (int, float))]
            section.add(f"row {k}", "; ".join(each for each in words if "second" not in each))
        file = Path(folder) / "out" / "scenario.toml"
        for k, line in enumerate(file.read_text("utf-8").splitlines() if file.exists() else ()):
            if line and not line.startswith("# Resolved"):
                section.add(f"{file.name} {k:03}", line.replace("], [", "; "))
    return section.rows


def recording() -> Rows:
    """The columns and the first and last rows of a recording, in both formats' own words."""
    section = Section()
    place = State.random(7, 2, torus=True).place(np.float32)
    world = sm.World(domain=place.domain, seed=5, dt=DT, threads=1)
    world.add(place.vehicles, name="ants", steering=sm.Seek(place.state.point))
    with tempfile.TemporaryDirectory() as folder:
        with world.record(Path(folder) / "run", every="2 steps", format="csv", columns=("force", "mass")):
            world.run(steps=7)
        for file in sorted(Path(folder).rglob("*.csv")):
            lines = file.read_text("utf-8").splitlines()
            for k in (0, 1, 2, len(lines) // 2, len(lines) - 1):
                section.add(f"{file.name} {k:02}", "; ".join(lines[k].split(",")))
    return section.rows


def flows() -> Rows:
    """A world in which vehicles come and go, of two populations."""
    section, world = Section(), comings_and_goings()
    for _ in range(3):
        world.run(steps=15)
        for name, population in world.populations.items():
            vehicles = population.vehicles
            about = f"{name} at {world.steps}"
            section.add(about, f"{digest(vehicles.id)}; {digest(vehicles.position)}; {digest(vehicles.velocity)}")
            for flow, tally in population.flowing.tallies.items():
                section.add(f"{about} {flow}", vectors([tally.passed, *map(np.sum, tally.state.values())]))
    return section.rows


def exports(suffix: str, d: int) -> Rows:
    """The first and the last lines of an exported text; of other files their numbers, as they are read again."""
    section = Section()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"a{suffix}"
        if suffix == ".frames":
            write_stream(frames(d), file)
            for time, populations in list(read_stream(file))[::10]:
                for name, rows in populations.items():
                    section.add(f"{name} at {time:.2f}", f"{digest(rows.id)}; {digest(rows.matrix.reshape(-1, 12))}")
        else:
            export(lively(d), file, seconds=0.4, every=0.04)
            lines = file.read_text("utf-8").splitlines()
            for k in sorted(
                {*range(min(4, len(lines))), *(len(lines) * part // 8 for part in range(8)), len(lines) - 1}
            ):
                section.add(f"line {k:03}", "; ".join(re.split(r", ?", lines[k])[:24]))
    return section.rows


def over_a_game() -> Rows:
    """What stands over the window of a game."""
    section, world = Section(), comings_and_goings()
    world.run(steps=20)
    camera = Camera((400, 300), center=(18, 21), scale=7.5)
    for name, population in world.populations.items():
        for part in overlay(world, population.vehicles.id[:2], camera, name=name, neighbors=15.0):
            fields = part._asdict()
            words = [str(each) for each in fields.values() if isinstance(each, str)]
            numbers = [digest(np.atleast_1d(each)) for each in fields.values() if not isinstance(each, str)]
            section.add(f"{name} {type(part).__name__}", " ".join([*words, "; ".join(numbers)]))
    return section.rows


COMMANDS = {
    "run of a scenario": ("run", "seek_flee", "--n", "3", "--seconds", "0.5", "--threads", "1"),
    "run of a crowd": ("run", "evacuation", "--n", "4", "--seconds", "0.3", "--threads", "1"),
    "run of a flock": ("run", "boids", "--n", "5", "--seconds", "0.3", "--threads", "1"),
    "sweep": ("sweep", "wander", "--n", "3", "--seeds", "3", "--seconds", "0.3", "--workers", "1"),
}

EXPORTS = ((".frames", 2), (".frames", 3), (".csv", 3), (".fcd.xml", 2), (".mf.json", 2), (".usda", 3))

SECTIONS: dict[str, Callable[[], Rows]] = {
    **{f"body {name}": partial(body, name, model) for name, model in BODIES.items()},
    **{f"metric {name}": partial(metric, name) for name in METRICS},
    **{f"command {name}": partial(command, *words) for name, words in COMMANDS.items()},
    "recording": recording,
    **{f"measured {name}": partial(measured, name) for name in MEASURES},
    "flows": flows,
    "over the window of a game": over_a_game,
    **{f"export {suffix} in {d}D": partial(exports, suffix, d) for suffix, d in EXPORTS},
}
