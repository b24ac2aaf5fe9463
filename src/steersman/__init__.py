"""Steering behaviors for autonomous characters: Reynolds 1999, for one character or a million, in 2D and 3D.

    import numpy as np
    import steersman as sm

    boids = sm.Vehicles(position=np.random.default_rng(7).uniform(0, 200, (2000, 2)), max_speed=12, max_force=30)
    world = sm.World(domain=sm.Torus([200, 200]), seed=7)
    world.add(boids, steering=1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9))
    world.run(seconds=30, dt=1 / 60)

Every public name is here, flat: `sm.Seek`, `sm.Priority`, `sm.World`. The bare equations are in `sm.laws`.
"""

from steersman import metrics
from steersman.action_selection.after import After
from steersman.action_selection.arrived import Arrived
from steersman.action_selection.chance import Chance
from steersman.action_selection.composing import AllOf, AnyOf, Not
from steersman.action_selection.condition import Condition
from steersman.action_selection.modes import Modes
from steersman.action_selection.near import Near
from steersman.action_selection.reading import modes_of, set_modes
from steersman.action_selection.sees import Sees
from steersman.action_selection.where import Where
from steersman.drawing.draw import draw
from steersman.drawing.style import Picture
from steersman.drawing.trails import Trails
from steersman.environment.domains.box import Box
from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.environment.domains.torus import Torus
from steersman.environment.fields.flow_field import FlowField
from steersman.environment.fields.flow_function import FlowFunction
from steersman.environment.fields.flow_grid import FlowGrid
from steersman.environment.fields.flow_image import FlowImage
from steersman.environment.obstacles.boxes import Boxes
from steersman.environment.obstacles.capsules import Capsules
from steersman.environment.obstacles.obstacle import OBSTACLES, Obstacles
from steersman.environment.obstacles.spheres import Spheres
from steersman.environment.obstacles.triangle_mesh import TriangleMesh
from steersman.environment.obstacles.walls import Walls
from steersman.environment.paths.path import PATH, Path
from steersman.environment.regions.interior import Interior
from steersman.environment.regions.kind import REGION
from steersman.environment.regions.polygon import Polygon
from steersman.environment.regions.region import Region
from steersman.environment.regions.sphere import Sphere
from steersman.environment.resources import Resources
from steersman.environment.surfaces.heightfield import Heightfield
from steersman.environment.surfaces.plane import Plane
from steersman.environment.surfaces.skin import Skin
from steersman.environment.surfaces.surface import Surface
from steersman.geometry import shapes
from steersman.geometry.keeping import Keeping
from steersman.geometry.kinds import FLAG, FUNCTION, INTEGER, TEXT, VECTOR, Kind
from steersman.geometry.parameters import parameter
from steersman.locomotion.flying import Flying
from steersman.locomotion.free_body import FreeBody
from steersman.locomotion.limits.asymmetric import Asymmetric
from steersman.locomotion.limits.drag import Drag
from steersman.locomotion.limits.gait import Gait
from steersman.locomotion.limits.heading_smoother import HeadingSmoother
from steersman.locomotion.limits.limit import Limit
from steersman.locomotion.limits.low_speed_turn import LowSpeedTurn
from steersman.locomotion.limits.moment_of_inertia import MomentOfInertia
from steersman.locomotion.limits.smooth_force import SmoothForce
from steersman.locomotion.limits.turn_rate import TurnRate
from steersman.locomotion.locomotion import Locomotion
from steersman.locomotion.motion_clips import Clip, MotionClips
from steersman.locomotion.point_mass import PointMass
from steersman.locomotion.surface_bound import SurfaceBound
from steersman.locomotion.wheeled import Signals, Wheeled
from steersman.metrics.coverage import Coverage
from steersman.metrics.stuck import StuckWatch
from steersman.neighborhood.lookup import Neighbors
from steersman.recording.folder import RunError
from steersman.recording.recording import Recording, RecordingError
from steersman.recording.run import Run, read_run
from steersman.scenarios.stage import Stage
from steersman.steering import laws
from steersman.steering.behavior import Behavior
from steersman.steering.combining.context_map import ContextMap
from steersman.steering.combining.dithered import Dithered
from steersman.steering.combining.goals import Goals
from steersman.steering.combining.pipeline import Pipeline
from steersman.steering.combining.priority import Priority
from steersman.steering.combining.round_robin import RoundRobin
from steersman.steering.combining.stages import (
    Actuator,
    AlongPath,
    Constraint,
    Decomposer,
    KeepClear,
    Straight,
    Targeter,
    Toward,
)
from steersman.steering.combining.switch import Switch
from steersman.steering.combining.truncated_sum import TruncatedSum
from steersman.steering.combining.weighted_sum import WeightedSum
from steersman.steering.group.alignment import Alignment
from steersman.steering.group.avoid_neighbors import AvoidNeighbors
from steersman.steering.group.cohesion import Cohesion
from steersman.steering.group.flocking import Flocking
from steersman.steering.group.follow_leader import FollowLeader
from steersman.steering.group.formation import Formation
from steersman.steering.group.orca import ORCA
from steersman.steering.group.queue import Queue
from steersman.steering.group.separation import Separation
from steersman.steering.individual.arrive import Arrive
from steersman.steering.individual.avoid_obstacles import AvoidObstacles
from steersman.steering.individual.avoid_walls import AvoidWalls
from steersman.steering.individual.constant_bearing import ConstantBearing
from steersman.steering.individual.contain import Contain
from steersman.steering.individual.dock import Dock
from steersman.steering.individual.evade import Evade
from steersman.steering.individual.explore import Explore
from steersman.steering.individual.face import Face
from steersman.steering.individual.flee import Flee
from steersman.steering.individual.follow_flow import FollowFlow
from steersman.steering.individual.follow_path import FollowPath
from steersman.steering.individual.follow_wall import FollowWall
from steersman.steering.individual.forage import Forage
from steersman.steering.individual.hide import Hide
from steersman.steering.individual.interpose import Interpose
from steersman.steering.individual.look_where_you_go import LookWhereYouGo
from steersman.steering.individual.match_velocity import MatchVelocity
from steersman.steering.individual.offset_pursuit import OffsetPursuit
from steersman.steering.individual.patrol import Patrol
from steersman.steering.individual.pursue import Pursue
from steersman.steering.individual.reach_orientation import ReachOrientation
from steersman.steering.individual.seek import Seek
from steersman.steering.individual.shadow import Shadow
from steersman.steering.individual.stay_on_path import StayOnPath
from steersman.steering.individual.target_speed import TargetSpeed
from steersman.steering.individual.wander import Wander
from steersman.steering.individual.whiskers import Whiskers
from steersman.steering.sketched import Sketched
from steersman.steering.targets.prediction import (
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
from steersman.steering.targets.target import TARGET
from steersman.steering.targets.whom import WHICH
from steersman.vehicles.holding import POPULATION
from steersman.vehicles.vehicles import Vehicles
from steersman.world import spawn
from steersman.world.constraints.constraint import WorldConstraint
from steersman.world.constraints.zero_overlap import ZeroOverlap
from steersman.world.controller import Controller
from steersman.world.explain import Explanation
from steersman.world.flows.flow import Flow
from steersman.world.flows.sink import Sink
from steersman.world.flows.spawner import Spawner
from steersman.world.gaits import gait_of
from steersman.world.guard import NonFiniteError
from steersman.world.observers import EverySeconds, EverySteps
from steersman.world.sketching import Sketch
from steersman.world.snapshot_error import SnapshotError
from steersman.world.timings import Timings
from steersman.world.warmup import warmup
from steersman.world.world import World
from steersman.world.writing import NoDocumentError, from_document, to_document, write_document

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
    "Flying",
    "FollowFlow",
    "FollowLeader",
    "FollowPath",
    "FollowWall",
    "Forage",
    "Formation",
    "FreeBody",
    "Gait",
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
    "Limit",
    "Locomotion",
    "LookWhereYouGo",
    "LowSpeedTurn",
    "MatchVelocity",
    "Modes",
    "MomentOfInertia",
    "MotionClips",
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
    "Resources",
    "RoundRobin",
    "Run",
    "RunError",
    "Seek",
    "Sees",
    "Separation",
    "Shadow",
    "Signals",
    "Sink",
    "Sketch",
    "Sketched",
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
    "Trails",
    "TriangleMesh",
    "TruncatedSum",
    "TurnRate",
    "Vehicles",
    "Walls",
    "Wander",
    "WeightedSum",
    "Wheeled",
    "Where",
    "Whiskers",
    "World",
    "WorldConstraint",
    "ZeroOverlap",
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
