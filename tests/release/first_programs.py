"""The first program of an environment that has the library with one extra and nothing else: `.ci/release` runs them.

python first_programs.py EXTRA    # in a folder of its own
"""

import sys
import warnings

FLOCK = """
import numpy as np
import steersman as sm

rng = np.random.default_rng(1)
boids = sm.Vehicles(rng.uniform(0, 40, (30, 2)), rng.normal(0, 3, (30, 2)), max_speed=6, max_force=20)
world = sm.World(domain=sm.Torus([40, 40]), dt=0.05, seed=1)
world.add(boids, name="boids", steering=sm.Flocking())
"""

STAGE = """
def flock(*, seed=0, weight=1.0):
    rng = np.random.default_rng(seed)
    boids = sm.Vehicles(rng.uniform(0, 20, (10, 2)), rng.normal(0, 3, (10, 2)), max_speed=6, max_force=20)
    world = sm.World(domain=sm.Torus([20, 20]), seed=seed, dt=0.05)
    world.add(boids, name="boids", steering=weight * sm.Separation(radius=4) + sm.Cohesion(radius=8))
    return sm.Stage(world, seconds=0.5)
"""

PROGRAMS: dict[str, str] = {
    "": """
import steersman as sm

boat = sm.Vehicles(position=[0, 0], max_speed=2, max_force=5)
world = sm.World()
world.add(boat, steering=sm.Arrive([10, 0]))
world.run(seconds=10)
assert abs(boat.position - [10, 0]).max() < 0.05, boat.position
for needs in (world.draw, lambda: world.record("run"), lambda: world.view(browser=False)):
    try:
        needs()
    except ImportError as missing:
        assert "pip install" in str(missing), missing
    else:
        raise AssertionError("an extra is there that was not asked for")
""",
    "draw": FLOCK
    + """
world.run(seconds=1)
world.draw("flock.png")
assert open("flock.png", "rb").read(4)[1:] == b"PNG"
""",
    "cli": """
import subprocess, sys

words = ["run", "flocking", "--n", "20", "--seconds", "0.3", "--out", "run"]
subprocess.run([sys.executable, "-m", "steersman", *words], check=True)
""",
    "viewer": FLOCK
    + """
from urllib.request import urlopen

view = world.view(browser=False)
assert b"<canvas" in urlopen(view.url).read()
view.close()
world.replay("flock.html", seconds=0.5)
""",
    "notebook": FLOCK
    + """
from steersman.studio.viewer.notebook import NotebookView
from steersman.studio.viewer.simulation import Simulation

NotebookView(Simulation(world)).close()
""",
    "geo": """
import shapely
import steersman as sm

walls = sm.Walls.from_shapely(shapely.box(0, 0, 10, 5))
people = sm.Vehicles([[2, 2], [8, 3]], max_speed=1.4, max_force=9, radius=0.2)
world = sm.World()
world.add(people, steering=sm.Priority([sm.AvoidWalls(walls), sm.Wander()]))
world.run(seconds=1)
""",
    "record": FLOCK
    + """
with world.record("flock", every=0.1):
    world.run(seconds=1)
assert sm.read_run("flock").frames == 11
""",
    "measure": FLOCK
    + """
world.run(seconds=1)
assert 0 < sm.metrics.hull_size(boids) < 1e5
series = world.watch("boids", "polarization")
world.run(seconds=1)
series["boids.polarization"].xarray()
""",
    "sweep": FLOCK
    + STAGE
    + """
runs = sm.sweep(flock, {"weight": [1.0, 2.0]}, seeds=2, measure=["polarization:mean"], workers=1)
assert len(runs) == 4
""",
    "tune": FLOCK
    + STAGE
    + """
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    found = sm.tune(
        flock, {"weight": {"low": 0.5, "high": 3}}, maximize="polarization:mean", seeds=1, held_out=2, budget=4, workers=1
    )
print(found)
""",
    "video": FLOCK
    + """
world.video("flock.mp4", seconds=0.3)
""",
    "pygame": FLOCK
    + """
import pygame
from steersman.adapters.camera import Camera
from steersman.adapters.pygame import Sprites, dart

pygame.init()
screen = pygame.display.set_mode((400, 200))
sprites = Sprites(boids, dart(12, "white"), Camera((400, 200), center=(20, 20), scale=5))
world.run(seconds=0.5)
sprites.update()
sprites.draw(screen)
""",
    "arcade": FLOCK
    + """
from steersman.adapters.arcade import Camera, Sprites, dart

world.run(seconds=0.5)
""",
    "pymunk": """
import pymunk
import steersman as sm
from steersman.adapters.pymunk import Bodies

space, body = pymunk.Space(), pymunk.Body(2, 1)
space.add(body, pymunk.Circle(body, 0.5))
cars = Bodies(space, [body], max_speed=4, max_force=40)
controller = sm.Controller(cars.vehicles, sm.Seek([12, 3]))
for _ in range(30):
    cars.read()
    cars.push(controller.steer(1 / 60))
    space.step(1 / 60)
assert body.position.x > 0
""",
    "panda3d": FLOCK
    + """
from panda3d.core import CardMaker, NodePath
from steersman.adapters.panda3d import Nodes

nodes = Nodes(boids, NodePath(CardMaker("card").generate()), NodePath("render"))
world.run(seconds=0.5)
nodes.follow()
""",
    "ursina": FLOCK
    + """
from ursina import Entity, Ursina
from steersman.adapters.ursina import Entities

app = Ursina(window_type="none")
flock = Entities(boids, lambda: Entity(model="cube"))
world.run(seconds=0.5)
flock.follow(world.drawn(0.5))
""",
    "mesa": """
import mesa
import steersman as sm
from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent
from steersman.adapters.mesa import Agents, domain_of

class Model(mesa.Model):
    def __init__(self):
        super().__init__(rng=1)
        self.space = ContinuousSpace([[0, 50], [0, 50]], torus=True, random=self.random, n_agents=2)
        birds = [ContinuousSpaceAgent(self.space, self) for _ in range(2)]
        self.flock = Agents(self.space, birds, [[1, 1], [9, 9]], max_speed=4, max_force=20)
        self.world = sm.World(domain=domain_of(self.space), dt=0.1)
        self.world.add(self.flock.vehicles, steering=sm.Seek([25, 25]))

model = Model()
model.flock.read()
model.world.step()
model.flock.write()
""",
    "usd": FLOCK
    + """
from steersman.adapters.export import export

export(world, "flock.usdc", seconds=0.5)
""",
    "jupedsim": """
import steersman as sm
from steersman.adapters.jupedsim import TrajectoryWriter, floor_of, read_trajectories
import jupedsim

people = sm.Vehicles([[0, 1], [0, 3]], max_speed=1.4, max_force=8)
world = sm.World(dt=1 / 20)
world.add(people, steering=sm.Seek([20, 3]))
with TrajectoryWriter("walk.sqlite", people, [[-1, -1], [21, -1], [21, 9], [-1, 9]], fps=10) as writer:
    world.on_step(writer, sm.EverySeconds(0.1))
    world.run(seconds=1)
assert len(read_trajectories("walk.sqlite").id) > 0
""",
    "learn": """
import gymnasium
import steersman.learning.vector_env
from steersman.learning.parallel_env import AgentsEnv

env = gymnasium.make_vec("steersman/Pursuit-v0", num_envs=2, autoreset_mode="SameStep")
env.reset(seed=1)
env.step(env.action_space.sample())
AgentsEnv("doorway").reset(seed=1)
""",
}
"""Extra ("" for none) -> program."""

ELSEWHERE = {
    "gpu": "it needs a graphics processor (docs/gpu.md)",
    "mpi": "it needs mpiexec (tests/scaling/test_mpi.py)",
    "bench": "of benchmarks/",
    "dev": "of the tests",
    "docs": "of the site",
    "peers": "of the tests",
}
"""Extra -> why it has no program here."""

if __name__ == "__main__":
    warnings.simplefilter("error", DeprecationWarning)
    exec(
        compile(PROGRAMS[sys.argv[1]], f"first program of [{sys.argv[1]}]", "exec"),
        {"__name__": "__main__", "warnings": warnings},
    )
    print(f"[{sys.argv[1]}] runs")
