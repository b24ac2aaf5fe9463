"""The public names of the core. `steersman` reads here which module has a name; an import of this one loads them all."""

from steersman.core.action_selection.after import After as After
from steersman.core.action_selection.arrived import Arrived as Arrived
from steersman.core.action_selection.chance import Chance as Chance
from steersman.core.action_selection.composing import AllOf as AllOf
from steersman.core.action_selection.composing import AnyOf as AnyOf
from steersman.core.action_selection.composing import Not as Not
from steersman.core.action_selection.condition import Condition as Condition
from steersman.core.action_selection.knows import Knows as Knows
from steersman.core.action_selection.modes import Modes as Modes
from steersman.core.action_selection.near import Near as Near
from steersman.core.action_selection.reading import modes_of as modes_of
from steersman.core.action_selection.reading import set_modes as set_modes
from steersman.core.action_selection.sees import Sees as Sees
from steersman.core.action_selection.startled import Startled as Startled
from steersman.core.action_selection.where import Where as Where
from steersman.core.environment.domain import Domain as Domain
from steersman.core.environment.domains.box import Box as Box
from steersman.core.environment.domains.torus import Torus as Torus
from steersman.core.environment.fields.flow_field import FlowField as FlowField
from steersman.core.environment.fields.flow_function import FlowFunction as FlowFunction
from steersman.core.environment.fields.flow_grid import FlowGrid as FlowGrid
from steersman.core.environment.fields.flow_image import FlowImage as FlowImage
from steersman.core.environment.fields.flow_toward import FlowToward as FlowToward
from steersman.core.environment.obstacles.boxes import Boxes as Boxes
from steersman.core.environment.obstacles.capsules import Capsules as Capsules
from steersman.core.environment.obstacles.obstacle import OBSTACLES as OBSTACLES
from steersman.core.environment.obstacles.obstacle import Obstacles as Obstacles
from steersman.core.environment.obstacles.skin import Skin as Skin
from steersman.core.environment.obstacles.spheres import Spheres as Spheres
from steersman.core.environment.obstacles.triangle_mesh import TriangleMesh as TriangleMesh
from steersman.core.environment.obstacles.walls import Walls as Walls
from steersman.core.environment.open import Open as Open
from steersman.core.environment.paths.path import PATH as PATH
from steersman.core.environment.paths.path import Path as Path
from steersman.core.environment.regions.interior import Interior as Interior
from steersman.core.environment.regions.kind import REGION as REGION
from steersman.core.environment.regions.polygon import Polygon as Polygon
from steersman.core.environment.regions.region import Region as Region
from steersman.core.environment.regions.sphere import Sphere as Sphere
from steersman.core.environment.resources import Resources as Resources
from steersman.core.environment.routes.nav_mesh import NavMesh as NavMesh
from steersman.core.environment.routes.route import Route as Route
from steersman.core.environment.routes.route_grid import RouteGrid as RouteGrid
from steersman.core.environment.surface import Surface as Surface
from steersman.core.environment.surfaces.heightfield import Heightfield as Heightfield
from steersman.core.environment.surfaces.plane import Plane as Plane
from steersman.core.environment.walking.walk_mesh import WalkMesh as WalkMesh
from steersman.core.locomotion.flying import Flying as Flying
from steersman.core.locomotion.free_body import FreeBody as FreeBody
from steersman.core.locomotion.limit import Limit as Limit
from steersman.core.locomotion.limits.asymmetric import Asymmetric as Asymmetric
from steersman.core.locomotion.limits.constant_speed import ConstantSpeed as ConstantSpeed
from steersman.core.locomotion.limits.drag import Drag as Drag
from steersman.core.locomotion.limits.gait import Gait as Gait
from steersman.core.locomotion.limits.heading_smoother import HeadingSmoother as HeadingSmoother
from steersman.core.locomotion.limits.low_speed_turn import LowSpeedTurn as LowSpeedTurn
from steersman.core.locomotion.limits.moment_of_inertia import MomentOfInertia as MomentOfInertia
from steersman.core.locomotion.limits.smooth_force import SmoothForce as SmoothForce
from steersman.core.locomotion.limits.turn_rate import TurnRate as TurnRate
from steersman.core.locomotion.locomotion import Locomotion as Locomotion
from steersman.core.locomotion.motion_clips import Clip as Clip
from steersman.core.locomotion.motion_clips import MotionClips as MotionClips
from steersman.core.locomotion.point_mass import PointMass as PointMass
from steersman.core.locomotion.surface_bound import SurfaceBound as SurfaceBound
from steersman.core.locomotion.wheeled import Signals as Signals
from steersman.core.locomotion.wheeled import Wheeled as Wheeled
from steersman.core.maths import shapes as shapes
from steersman.core.neighborhood.lookup import Neighbors as Neighbors
from steersman.core.parameters.keeping import Keeping as Keeping
from steersman.core.parameters.kinds import (
    FLAG as FLAG,
)
from steersman.core.parameters.kinds import (
    FUNCTION as FUNCTION,
)
from steersman.core.parameters.kinds import (
    INTEGER as INTEGER,
)
from steersman.core.parameters.kinds import (
    TEXT as TEXT,
)
from steersman.core.parameters.kinds import (
    VECTOR as VECTOR,
)
from steersman.core.parameters.kinds import (
    Kind as Kind,
)
from steersman.core.parameters.parameters import parameter as parameter
from steersman.core.steering import laws as laws
from steersman.core.steering.behavior import Behavior as Behavior
from steersman.core.steering.combining.context_map import ContextMap as ContextMap
from steersman.core.steering.combining.dithered import Dithered as Dithered
from steersman.core.steering.combining.goals import Goals as Goals
from steersman.core.steering.combining.orders import Orders as Orders
from steersman.core.steering.combining.pipeline import Pipeline as Pipeline
from steersman.core.steering.combining.priority import Priority as Priority
from steersman.core.steering.combining.round_robin import RoundRobin as RoundRobin
from steersman.core.steering.combining.stages import (
    Actuator as Actuator,
)
from steersman.core.steering.combining.stages import (
    AlongPath as AlongPath,
)
from steersman.core.steering.combining.stages import (
    Constraint as Constraint,
)
from steersman.core.steering.combining.stages import (
    Decomposer as Decomposer,
)
from steersman.core.steering.combining.stages import (
    KeepClear as KeepClear,
)
from steersman.core.steering.combining.stages import (
    Straight as Straight,
)
from steersman.core.steering.combining.stages import (
    Targeter as Targeter,
)
from steersman.core.steering.combining.stages import (
    Toward as Toward,
)
from steersman.core.steering.combining.switch import Switch as Switch
from steersman.core.steering.combining.truncated_sum import TruncatedSum as TruncatedSum
from steersman.core.steering.combining.weighted_sum import WeightedSum as WeightedSum
from steersman.core.steering.goals.arrive import Arrive as Arrive
from steersman.core.steering.goals.dock import Dock as Dock
from steersman.core.steering.goals.flee import Flee as Flee
from steersman.core.steering.goals.match_velocity import MatchVelocity as MatchVelocity
from steersman.core.steering.goals.seek import Seek as Seek
from steersman.core.steering.goals.target_speed import TargetSpeed as TargetSpeed
from steersman.core.steering.group.alignment import Alignment as Alignment
from steersman.core.steering.group.avoid_neighbors import AvoidNeighbors as AvoidNeighbors
from steersman.core.steering.group.cohesion import Cohesion as Cohesion
from steersman.core.steering.group.flocking import Flocking as Flocking
from steersman.core.steering.group.follow_leader import FollowLeader as FollowLeader
from steersman.core.steering.group.formation import Formation as Formation
from steersman.core.steering.group.orca import ORCA as ORCA
from steersman.core.steering.group.pair_behavior import PairBehavior as PairBehavior
from steersman.core.steering.group.queue import Queue as Queue
from steersman.core.steering.group.separation import Separation as Separation
from steersman.core.steering.group.zones import Zones as Zones
from steersman.core.steering.obstacles.avoid_obstacles import AvoidObstacles as AvoidObstacles
from steersman.core.steering.obstacles.avoid_walls import AvoidWalls as AvoidWalls
from steersman.core.steering.obstacles.contain import Contain as Contain
from steersman.core.steering.obstacles.follow_wall import FollowWall as FollowWall
from steersman.core.steering.obstacles.whiskers import Whiskers as Whiskers
from steersman.core.steering.paths.follow_flow import FollowFlow as FollowFlow
from steersman.core.steering.paths.follow_path import FollowPath as FollowPath
from steersman.core.steering.paths.go_to import GoTo as GoTo
from steersman.core.steering.paths.patrol import Patrol as Patrol
from steersman.core.steering.paths.stay_on_path import StayOnPath as StayOnPath
from steersman.core.steering.pedestrians.anticipation_velocity import AnticipationVelocity as AnticipationVelocity
from steersman.core.steering.pedestrians.centrifugal_force import (
    GeneralizedCentrifugalForce as GeneralizedCentrifugalForce,
)
from steersman.core.steering.pedestrians.collision_free_speed import CollisionFreeSpeed as CollisionFreeSpeed
from steersman.core.steering.pedestrians.power_law import PowerLaw as PowerLaw
from steersman.core.steering.pedestrians.social_force import SocialForce as SocialForce
from steersman.core.steering.pursuit.constant_bearing import ConstantBearing as ConstantBearing
from steersman.core.steering.pursuit.evade import Evade as Evade
from steersman.core.steering.pursuit.hide import Hide as Hide
from steersman.core.steering.pursuit.interpose import Interpose as Interpose
from steersman.core.steering.pursuit.offset_pursuit import OffsetPursuit as OffsetPursuit
from steersman.core.steering.pursuit.pursue import Pursue as Pursue
from steersman.core.steering.pursuit.shadow import Shadow as Shadow
from steersman.core.steering.scene.sketch_context import SketchContext as SketchContext
from steersman.core.steering.sensing.last_heard import LastHeard as LastHeard
from steersman.core.steering.sensing.last_seen import LastSeen as LastSeen
from steersman.core.steering.targets.prediction import (
    Approach as Approach,
)
from steersman.core.steering.targets.prediction import (
    Capped as Capped,
)
from steersman.core.steering.targets.prediction import (
    Constant as Constant,
)
from steersman.core.steering.targets.prediction import (
    Heading as Heading,
)
from steersman.core.steering.targets.prediction import (
    Intercept as Intercept,
)
from steersman.core.steering.targets.prediction import (
    NineCases as NineCases,
)
from steersman.core.steering.targets.prediction import (
    Oncoming as Oncoming,
)
from steersman.core.steering.targets.prediction import (
    Predictor as Predictor,
)
from steersman.core.steering.targets.prediction import (
    Proportional as Proportional,
)
from steersman.core.steering.targets.selection import WHICH as WHICH
from steersman.core.steering.targets.target import TARGET as TARGET
from steersman.core.steering.turning.face import Face as Face
from steersman.core.steering.turning.look_where_you_go import LookWhereYouGo as LookWhereYouGo
from steersman.core.steering.turning.reach_orientation import ReachOrientation as ReachOrientation
from steersman.core.steering.wandering.explore import Explore as Explore
from steersman.core.steering.wandering.forage import Forage as Forage
from steersman.core.steering.wandering.wander import Wander as Wander
from steersman.core.vehicles.holding import POPULATION as POPULATION
from steersman.core.vehicles.vehicles import Vehicles as Vehicles
from steersman.core.world import spawn as spawn
from steersman.core.world.constraint import WorldConstraint as WorldConstraint
from steersman.core.world.constraints.zero_overlap import ZeroOverlap as ZeroOverlap
from steersman.core.world.controller import Controller as Controller
from steersman.core.world.explain import Explanation as Explanation
from steersman.core.world.flows.flow import Flow as Flow
from steersman.core.world.flows.replayed import Replayed as Replayed
from steersman.core.world.flows.replayed import Tracks as Tracks
from steersman.core.world.flows.sink import Sink as Sink
from steersman.core.world.flows.spawner import Spawner as Spawner
from steersman.core.world.gaits import gait_of as gait_of
from steersman.core.world.guard import NonFiniteError as NonFiniteError
from steersman.core.world.many.worlds import ManyVehicles as ManyVehicles
from steersman.core.world.many.worlds import Worlds as Worlds
from steersman.core.world.observers import EverySeconds as EverySeconds
from steersman.core.world.observers import EverySteps as EverySteps
from steersman.core.world.sketching import Sketch as Sketch
from steersman.core.world.snapshot_error import SnapshotError as SnapshotError
from steersman.core.world.state_hash import state_hash as state_hash
from steersman.core.world.timings import Timings as Timings
from steersman.core.world.warmup import warmup as warmup
from steersman.core.world.world import World as World
from steersman.core.world.writing import (
    NoDocumentError as NoDocumentError,
)
from steersman.core.world.writing import (
    from_document as from_document,
)
from steersman.core.world.writing import (
    to_document as to_document,
)
from steersman.core.world.writing import (
    write_document as write_document,
)
from steersman.core.world.zone import Zone as Zone
