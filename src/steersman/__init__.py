"""Steering behaviors for autonomous characters: Reynolds 1999, for one character or a million, in 2D and 3D.

    import numpy as np
    import steersman as sm

    boids = sm.Vehicles(position=np.random.default_rng(7).uniform(0, 200, (2000, 2)), max_speed=12, max_force=30)
    world = sm.World(domain=sm.Torus([200, 200]), seed=7)
    world.add(boids, steering=1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9))
    world.run(seconds=30, dt=1 / 60)

Every public name is here, flat: `sm.Seek`, `sm.Priority`, `sm.World`. The bare equations are in `sm.laws`.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from warnings import warn as _warn

from steersman import extensions as _extensions  # noqa: F401
from steersman.core.action_selection.after import After
from steersman.core.action_selection.arrived import Arrived
from steersman.core.action_selection.chance import Chance
from steersman.core.action_selection.composing import AllOf, AnyOf, Not
from steersman.core.action_selection.condition import Condition
from steersman.core.action_selection.knows import Knows
from steersman.core.action_selection.modes import Modes
from steersman.core.action_selection.near import Near
from steersman.core.action_selection.reading import modes_of, set_modes
from steersman.core.action_selection.sees import Sees
from steersman.core.action_selection.where import Where
from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.box import Box
from steersman.core.environment.domains.torus import Torus
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.fields.flow_function import FlowFunction
from steersman.core.environment.fields.flow_grid import FlowGrid
from steersman.core.environment.fields.flow_image import FlowImage
from steersman.core.environment.fields.flow_toward import FlowToward
from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.environment.obstacles.capsules import Capsules
from steersman.core.environment.obstacles.obstacle import OBSTACLES, Obstacles
from steersman.core.environment.obstacles.skin import Skin
from steersman.core.environment.obstacles.spheres import Spheres
from steersman.core.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.environment.open import Open
from steersman.core.environment.paths.path import PATH, Path
from steersman.core.environment.regions.interior import Interior
from steersman.core.environment.regions.kind import REGION
from steersman.core.environment.regions.polygon import Polygon
from steersman.core.environment.regions.region import Region
from steersman.core.environment.regions.sphere import Sphere
from steersman.core.environment.resources import Resources
from steersman.core.environment.routes.nav_mesh import NavMesh
from steersman.core.environment.routes.route import Route
from steersman.core.environment.routes.route_grid import RouteGrid
from steersman.core.environment.routes.walk_mesh import WalkMesh
from steersman.core.environment.surface import Surface
from steersman.core.environment.surfaces.heightfield import Heightfield
from steersman.core.environment.surfaces.plane import Plane
from steersman.core.locomotion.flying import Flying
from steersman.core.locomotion.free_body import FreeBody
from steersman.core.locomotion.limit import Limit
from steersman.core.locomotion.limits.asymmetric import Asymmetric
from steersman.core.locomotion.limits.drag import Drag
from steersman.core.locomotion.limits.gait import Gait
from steersman.core.locomotion.limits.heading_smoother import HeadingSmoother
from steersman.core.locomotion.limits.low_speed_turn import LowSpeedTurn
from steersman.core.locomotion.limits.moment_of_inertia import MomentOfInertia
from steersman.core.locomotion.limits.smooth_force import SmoothForce
from steersman.core.locomotion.limits.turn_rate import TurnRate
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.locomotion.motion_clips import Clip, MotionClips
from steersman.core.locomotion.point_mass import PointMass
from steersman.core.locomotion.surface_bound import SurfaceBound
from steersman.core.locomotion.wheeled import Signals, Wheeled
from steersman.core.maths import shapes
from steersman.core.neighborhood.lookup import Neighbors
from steersman.core.parameters.guiding import suggestion as _suggestion
from steersman.core.parameters.keeping import Keeping
from steersman.core.parameters.kinds import FLAG, FUNCTION, INTEGER, TEXT, VECTOR, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering import laws
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.context_map import ContextMap
from steersman.core.steering.combining.dithered import Dithered
from steersman.core.steering.combining.goals import Goals
from steersman.core.steering.combining.pipeline import Pipeline
from steersman.core.steering.combining.priority import Priority
from steersman.core.steering.combining.round_robin import RoundRobin
from steersman.core.steering.combining.stages import (
    Actuator,
    AlongPath,
    Constraint,
    Decomposer,
    KeepClear,
    Straight,
    Targeter,
    Toward,
)
from steersman.core.steering.combining.switch import Switch
from steersman.core.steering.combining.truncated_sum import TruncatedSum
from steersman.core.steering.combining.weighted_sum import WeightedSum
from steersman.core.steering.goals.arrive import Arrive
from steersman.core.steering.goals.dock import Dock
from steersman.core.steering.goals.flee import Flee
from steersman.core.steering.goals.match_velocity import MatchVelocity
from steersman.core.steering.goals.seek import Seek
from steersman.core.steering.goals.target_speed import TargetSpeed
from steersman.core.steering.group.alignment import Alignment
from steersman.core.steering.group.avoid_neighbors import AvoidNeighbors
from steersman.core.steering.group.cohesion import Cohesion
from steersman.core.steering.group.flocking import Flocking
from steersman.core.steering.group.follow_leader import FollowLeader
from steersman.core.steering.group.formation import Formation
from steersman.core.steering.group.orca import ORCA
from steersman.core.steering.group.queue import Queue
from steersman.core.steering.group.separation import Separation
from steersman.core.steering.obstacles.avoid_obstacles import AvoidObstacles
from steersman.core.steering.obstacles.avoid_walls import AvoidWalls
from steersman.core.steering.obstacles.contain import Contain
from steersman.core.steering.obstacles.follow_wall import FollowWall
from steersman.core.steering.obstacles.whiskers import Whiskers
from steersman.core.steering.paths.follow_flow import FollowFlow
from steersman.core.steering.paths.follow_path import FollowPath
from steersman.core.steering.paths.go_to import GoTo
from steersman.core.steering.paths.patrol import Patrol
from steersman.core.steering.paths.stay_on_path import StayOnPath
from steersman.core.steering.pursuit.constant_bearing import ConstantBearing
from steersman.core.steering.pursuit.evade import Evade
from steersman.core.steering.pursuit.hide import Hide
from steersman.core.steering.pursuit.interpose import Interpose
from steersman.core.steering.pursuit.offset_pursuit import OffsetPursuit
from steersman.core.steering.pursuit.pursue import Pursue
from steersman.core.steering.pursuit.shadow import Shadow
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.steering.sensing.last_heard import LastHeard
from steersman.core.steering.sensing.last_seen import LastSeen
from steersman.core.steering.targets.prediction import (
    Approach,
    Capped,
    Constant,
    Heading,
    Intercept,
    NineCases,
    Oncoming,
    Predictor,
    Proportional,
)
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET
from steersman.core.steering.turning.face import Face
from steersman.core.steering.turning.look_where_you_go import LookWhereYouGo
from steersman.core.steering.turning.reach_orientation import ReachOrientation
from steersman.core.steering.wandering.explore import Explore
from steersman.core.steering.wandering.forage import Forage
from steersman.core.steering.wandering.wander import Wander
from steersman.core.vehicles.holding import POPULATION
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world import spawn
from steersman.core.world.constraint import WorldConstraint
from steersman.core.world.constraints.zero_overlap import ZeroOverlap
from steersman.core.world.controller import Controller
from steersman.core.world.explain import Explanation
from steersman.core.world.flows.flow import Flow
from steersman.core.world.flows.replayed import Replayed, Tracks
from steersman.core.world.flows.sink import Sink
from steersman.core.world.flows.spawner import Spawner
from steersman.core.world.gaits import gait_of
from steersman.core.world.guard import NonFiniteError
from steersman.core.world.observers import EverySeconds, EverySteps
from steersman.core.world.sketching import Sketch
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.timings import Timings
from steersman.core.world.warmup import warmup
from steersman.core.world.world import World
from steersman.core.world.writing import NoDocumentError, from_document, to_document, write_document
from steersman.core.world.zone import Zone

if _TYPE_CHECKING:
    from steersman.drawing.draw import draw
    from steersman.drawing.style import Picture
    from steersman.drawing.trails import Trails
    from steersman.runs import metrics
    from steersman.runs.documents.stage import Stage
    from steersman.runs.metrics.coverage import Coverage
    from steersman.runs.metrics.stuck import StuckWatch
    from steersman.runs.recording.folder import RunError
    from steersman.runs.recording.recording import Recording, RecordingError
    from steersman.runs.recording.run import Run, read_run

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
    "Condition",
    "Constant",
    "ConstantBearing",
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
    "MatchVelocity",
    "Modes",
    "MomentOfInertia",
    "MotionClips",
    "NavMesh",
    "Near",
    "Neighbors",
    "NineCases",
    "NoDocumentError",
    "NonFiniteError",
    "Not",
    "Obstacles",
    "OffsetPursuit",
    "Oncoming",
    "Open",
    "Path",
    "Patrol",
    "Picture",
    "Pipeline",
    "Plane",
    "PointMass",
    "Polygon",
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
    "Spawner",
    "Sphere",
    "Spheres",
    "Stage",
    "StayOnPath",
    "Straight",
    "StuckWatch",
    "Surface",
    "SurfaceBound",
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
    "ZeroOverlap",
    "Zone",
    "draw",
    "from_document",
    "gait_of",
    "laws",
    "metrics",
    "modes_of",
    "parameter",
    "read_run",
    "set_modes",
    "shapes",
    "spawn",
    "to_document",
    "warmup",
    "write_document",
]

_LATER = {
    "Coverage": "steersman.runs.metrics.coverage",
    "Picture": "steersman.drawing.style",
    "Recording": "steersman.runs.recording.recording",
    "RecordingError": "steersman.runs.recording.recording",
    "Run": "steersman.runs.recording.run",
    "RunError": "steersman.runs.recording.folder",
    "Stage": "steersman.runs.documents.stage",
    "StuckWatch": "steersman.runs.metrics.stuck",
    "Trails": "steersman.drawing.trails",
    "draw": "steersman.drawing.draw",
    "metrics": "steersman.runs.metrics",
    "read_run": "steersman.runs.recording.run",
}
"""The modules of names outside of the core: they are imported when they are first used."""


_RENAMED = {"Sketched": "SketchContext"}
"""Names of before 0.1.0 that still work for one release."""


def __getattr__(name: str) -> _Any:
    if name in _RENAMED:
        _warn(f"steersman.{name} is called {_RENAMED[name]} now", DeprecationWarning, stacklevel=2)
        return globals()[_RENAMED[name]]
    if name not in _LATER:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}{_suggestion(name, __all__).partition(' (known')[0]}"
        )
    module = _import_module(_LATER[name])
    value = globals()[name] = getattr(module, name, module)  # "metrics" is a module itself.
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
