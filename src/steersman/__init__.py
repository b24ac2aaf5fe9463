"""Steering behaviors for autonomous characters: Reynolds 1999, for one character or a million, in 2D and 3D.

    import numpy as np
    import steersman as sm

    boids = sm.Vehicles(position=np.random.default_rng(7).uniform(0, 200, (2000, 2)), max_speed=12, max_force=30)
    world = sm.World(domain=sm.Torus([200, 200]), seed=7)
    world.add(boids, steering=1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9))
    world.run(seconds=30, dt=1 / 60)

Every public name is here, flat: `sm.Seek`, `sm.Priority`, `sm.World`. The bare equations are in `sm.laws`.

Functions and classes check their arguments before they change anything. An argument of another kind raises TypeError; one
that is not allowed (NaN, another shape, out of range, an unknown word) ValueError; a name or an id that does not exist
KeyError. Docstrings list only errors beyond these.
"""

from functools import cache as _cache
from pathlib import Path as _Path
from re import findall as _findall
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from warnings import warn as _warn

from steersman import extensions as _extensions  # noqa: F401

if _TYPE_CHECKING:
    from steersman.core.public import *
    from steersman.drawing.draw import draw
    from steersman.drawing.style import Picture
    from steersman.drawing.trails import Trails
    from steersman.learning.policy import Network, Policy
    from steersman.runs import metrics
    from steersman.runs.documents.stage import Stage
    from steersman.runs.metrics.coverage import Coverage
    from steersman.runs.metrics.stuck import StuckWatch
    from steersman.runs.recording.folder import RunError
    from steersman.runs.recording.recording import Recording, RecordingError
    from steersman.runs.recording.run import Run, read_run
    from steersman.runs.sweeps.sweep import Sweep, read_sweep, sweep
    from steersman.runs.tuning.tune import Tuned, tune
    from steersman.scaling.split_world import SplitWorld, split_world

__version__ = "0.1.0"

__all__ = [
    "FLAG",
    "FUNCTION",
    "INTEGER",
    "OBSTACLES",
    "ORCA",
    "PATH",
    "POPULATION",
    "REGION",
    "TARGET",
    "TEXT",
    "VECTOR",
    "WHICH",
    "Actuator",
    "After",
    "Alignment",
    "AllOf",
    "AlongPath",
    "AnticipationVelocity",
    "AnyOf",
    "Approach",
    "Arrive",
    "Arrived",
    "Asymmetric",
    "AvoidNeighbors",
    "AvoidObstacles",
    "AvoidWalls",
    "Behavior",
    "Box",
    "Boxes",
    "Capped",
    "Capsules",
    "Chance",
    "Clip",
    "Cohesion",
    "CollisionFreeSpeed",
    "Condition",
    "Constant",
    "ConstantBearing",
    "ConstantSpeed",
    "Constraint",
    "Contain",
    "ContextMap",
    "Controller",
    "Coverage",
    "Decomposer",
    "Dithered",
    "Dock",
    "Domain",
    "Drag",
    "Evade",
    "EverySeconds",
    "EverySteps",
    "Explanation",
    "Explore",
    "Face",
    "Flee",
    "Flocking",
    "Flow",
    "FlowField",
    "FlowFunction",
    "FlowGrid",
    "FlowImage",
    "FlowToward",
    "Flying",
    "FollowFlow",
    "FollowLeader",
    "FollowPath",
    "FollowWall",
    "Forage",
    "Formation",
    "FreeBody",
    "Gait",
    "GeneralizedCentrifugalForce",
    "GoTo",
    "Goals",
    "Heading",
    "HeadingSmoother",
    "Heightfield",
    "Hide",
    "Intercept",
    "Interior",
    "Interpose",
    "KeepClear",
    "Keeping",
    "Kind",
    "Knows",
    "LastHeard",
    "LastSeen",
    "Limit",
    "Locomotion",
    "LookWhereYouGo",
    "LowSpeedTurn",
    "ManyVehicles",
    "MatchVelocity",
    "Modes",
    "MomentOfInertia",
    "MotionClips",
    "NavMesh",
    "Near",
    "Neighbors",
    "Network",
    "NineCases",
    "NoDocumentError",
    "NonFiniteError",
    "Not",
    "Obstacles",
    "OffsetPursuit",
    "Oncoming",
    "Open",
    "Orders",
    "PairBehavior",
    "Path",
    "Patrol",
    "Picture",
    "Pipeline",
    "Plane",
    "PointMass",
    "Policy",
    "Polygon",
    "PowerLaw",
    "Predictor",
    "Priority",
    "Proportional",
    "Pursue",
    "Queue",
    "ReachOrientation",
    "Recording",
    "RecordingError",
    "Region",
    "Replayed",
    "Resources",
    "RoundRobin",
    "Route",
    "RouteGrid",
    "Run",
    "RunError",
    "Seek",
    "Sees",
    "Separation",
    "Shadow",
    "Signals",
    "Sink",
    "Sketch",
    "SketchContext",
    "Skin",
    "SmoothForce",
    "SnapshotError",
    "SocialForce",
    "Spawner",
    "Sphere",
    "Spheres",
    "SplitWorld",
    "Stage",
    "Startled",
    "StayOnPath",
    "Straight",
    "StuckWatch",
    "Surface",
    "SurfaceBound",
    "Sweep",
    "Switch",
    "TargetSpeed",
    "Targeter",
    "Timings",
    "Torus",
    "Toward",
    "Tracks",
    "Trails",
    "TriangleMesh",
    "TruncatedSum",
    "Tuned",
    "TurnRate",
    "Vehicles",
    "WalkMesh",
    "Walls",
    "Wander",
    "WeightedSum",
    "Wheeled",
    "Where",
    "Whiskers",
    "World",
    "WorldConstraint",
    "Worlds",
    "ZeroOverlap",
    "Zone",
    "Zones",
    "draw",
    "from_document",
    "gait_of",
    "laws",
    "metrics",
    "modes_of",
    "parameter",
    "read_run",
    "read_sweep",
    "set_modes",
    "shapes",
    "spawn",
    "split_world",
    "state_hash",
    "sweep",
    "to_document",
    "tune",
    "warmup",
    "write_document",
]

_LATER = {
    "Coverage": "steersman.runs.metrics.coverage",
    "Network": "steersman.learning.policy",
    "Picture": "steersman.drawing.style",
    "Policy": "steersman.learning.policy",
    "Recording": "steersman.runs.recording.recording",
    "RecordingError": "steersman.runs.recording.recording",
    "Run": "steersman.runs.recording.run",
    "RunError": "steersman.runs.recording.folder",
    "SplitWorld": "steersman.scaling.split_world",
    "Stage": "steersman.runs.documents.stage",
    "StuckWatch": "steersman.runs.metrics.stuck",
    "Sweep": "steersman.runs.sweeps.sweep",
    "Trails": "steersman.drawing.trails",
    "Tuned": "steersman.runs.tuning.tune",
    "draw": "steersman.drawing.draw",
    "metrics": "steersman.runs",
    "read_run": "steersman.runs.recording.run",
    "read_sweep": "steersman.runs.sweeps.sweep",
    "split_world": "steersman.scaling.split_world",
    "sweep": "steersman.runs.sweeps.sweep",
    "tune": "steersman.runs.tuning.tune",
}
"""The modules of names outside of the core. `core/public.py` has those of the core."""


_RENAMED = {"Sketched": "SketchContext"}
"""Names of before 0.1.0 that still work for one release."""


@_cache
def _modules_of_the_core() -> dict[str, str]:
    """Name -> module, as the lines of `core/public.py` say, which is for type checkers and imports the core as a whole.

    A module is imported with the first of its names that is used: a program waits for what it uses, and the command lists
    scenarios, or says what is wrong with its options, without Numba.
    """
    try:
        lines = (_Path(__file__).parent / "core" / "public.py").read_text("utf-8")
    except OSError:  # A program that was packed without sources, by PyInstaller or in a zip file: all modules at once.
        return dict.fromkeys(vars(__import__("steersman.core.public", fromlist=["*"])), "steersman.core.public")
    return {name: module for module, name in _findall(r"(?m)^from (\S+) import (?:\(\s+)?(\w+)", lines)}


def __getattr__(name: str) -> _Any:
    if name in _RENAMED:
        _warn(f"steersman.{name} is called {_RENAMED[name]} now", DeprecationWarning, stacklevel=2)
        return __getattr__(_RENAMED[name])
    if name in __all__:
        module = _LATER.get(name) or _modules_of_the_core()[name]
        value = globals()[name] = getattr(__import__(module, fromlist=[name]), name)
        return value
    if name.startswith("__"):  # Tools that look at every object ask for such names, and guessing takes milliseconds.
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from steersman.core.parameters.guiding import suggestion

    guess = suggestion(name, __all__).partition(" (known")[0]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{guess}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
