"""A game with a loop of its own: the library steers, the game moves. Guards patrol until an intruder comes near."""

import numpy as np

import steersman as sm

intruder = np.array([0.0, 30.0])
guards = sm.Vehicles(position=[[0, 0], [40, 0], [40, 40]], max_speed=6, max_force=20)
crates = sm.Boxes(center=[[20, 0], [40, 22]], size=[2, 2])

steering = sm.Modes(
    {
        "patrol": sm.Priority([sm.AvoidObstacles(crates), sm.Patrol([[0, 0], [40, 0], [40, 40]])]),
        "chase": sm.Priority([sm.AvoidObstacles(crates), sm.Seek(lambda: intruder)]),
    },
    start="patrol",
    transitions=[
        ("patrol", "chase", sm.Near(lambda: intruder, 12)),
        ("chase", "patrol", sm.After(2) & ~sm.Near(lambda: intruder, 18)),
    ],
)
controller = sm.Controller(guards, steering, seed=7)
body = sm.PointMass()

for _frame in range(600):
    dt = 1 / 60
    intruder += np.array([4.0, -2.0]) * dt
    force = controller.steer(dt)  # (n, d), truncated to max_force: give it to your physics engine, or let
    body.advance(guards, force, dt)  # one of the library's bodies move the guards
    pixels = guards.points(guards.position * 8, whole=True)  # tuples of ints: pygame refuses rows of float32
print(guards.position.round(1))
print("drawn at", pixels)
