"""Steering behaviors for autonomous characters: Reynolds 1999, for one character or a million, in 2D and 3D.

    import numpy as np
    import steersman as sm

    boids = sm.Vehicles(position=np.random.default_rng(7).uniform(0, 200, (2000, 2)), max_speed=12, max_force=30)
    world = sm.World(domain=sm.Torus([200, 200]), seed=7)
    world.add(boids, steering=1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9))
    world.run(seconds=30, dt=1 / 60)

Every public name is here, flat: `sm.Seek`, `sm.Priority`, `sm.World`. The bare equations are in `sm.laws`.
"""

from steersman.environment.domains.box import Box
from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.environment.domains.torus import Torus
from steersman.environment.obstacles.spheres import Spheres
from steersman.environment.paths.path import Path
from steersman.geometry.parameters import parameter
from steersman.locomotion.locomotion import Locomotion
from steersman.locomotion.point_mass import PointMass
from steersman.steering import laws
from steersman.steering.behavior import Behavior
from steersman.steering.combining.priority import Priority
from steersman.steering.combining.weighted_sum import WeightedSum
from steersman.steering.group.alignment import Alignment
from steersman.steering.group.cohesion import Cohesion
from steersman.steering.group.flocking import Flocking
from steersman.steering.group.separation import Separation
from steersman.steering.individual.arrive import Arrive
from steersman.steering.individual.avoid_obstacles import AvoidObstacles
from steersman.steering.individual.evade import Evade
from steersman.steering.individual.flee import Flee
from steersman.steering.individual.follow_path import FollowPath
from steersman.steering.individual.patrol import Patrol
from steersman.steering.individual.pursue import Pursue
from steersman.steering.individual.seek import Seek
from steersman.steering.individual.stay_on_path import StayOnPath
from steersman.steering.individual.wander import Wander
from steersman.steering.prediction import Approach, Capped, Constant, Heading, Intercept, Predictor, Proportional
from steersman.vehicles.vehicles import Vehicles
from steersman.world.controller import Controller
from steersman.world.guard import NonFiniteError
from steersman.world.observers import EverySeconds, EverySteps
from steersman.world.world import World

__version__ = "0.1.0"

__all__ = [
    "Alignment",
    "Approach",
    "Arrive",
    "AvoidObstacles",
    "Behavior",
    "Box",
    "Capped",
    "Cohesion",
    "Constant",
    "Controller",
    "Domain",
    "Evade",
    "EverySeconds",
    "EverySteps",
    "Flee",
    "Flocking",
    "FollowPath",
    "Heading",
    "Intercept",
    "Locomotion",
    "NonFiniteError",
    "Open",
    "Path",
    "Patrol",
    "PointMass",
    "Predictor",
    "Priority",
    "Proportional",
    "Pursue",
    "Seek",
    "Separation",
    "Spheres",
    "StayOnPath",
    "Torus",
    "Vehicles",
    "Wander",
    "WeightedSum",
    "World",
    "laws",
    "parameter",
]
