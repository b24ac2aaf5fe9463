"""An arena: sixty enemies hunt a player, who shoots. A loop as pygame has it; enemies die, bullets fly away, others come in.

The lines that would draw and listen are comments: everything else is the game.
"""

import time

import numpy as np

import steersman as sm

SIZE, FRAMES, DT = 100.0, 1800, 1 / 60
rng = np.random.default_rng(7)

player = sm.Vehicles(position=[50, 50], max_speed=12, max_force=60, radius=1)
enemies = sm.Vehicles(position=rng.uniform(0, SIZE, (60, 2)), max_speed=7, max_force=30, radius=0.6)
bullets = sm.Vehicles(position=np.zeros((0, 2)), max_speed=40)
pillars = sm.Spheres(center=[[30, 30], [70, 35], [50, 75]], radius=[5, 4, 6])

hunt = sm.Priority([sm.AvoidObstacles(pillars), sm.Pursue(player) + 2 * sm.Separation(radius=2)])
hunters = sm.Controller(enemies, hunt, seed=7)
health = {int(id): 3 for id in enemies.id}
body, kills, steering_times = sm.PointMass(), 0, []

for frame in range(FRAMES):
    # for event in pygame.event.get(): ...
    player.position[:] = [50 + 20 * np.cos(frame * DT), 50 + 12 * np.sin(2 * frame * DT)]

    if frame % 6 == 0:  # The player shoots at whoever is nearest.
        way = enemies.position - player.position
        aim = way[np.argmin(np.linalg.norm(way, axis=1))]
        bullets.spawn(player.position, velocity=40 * aim / np.linalg.norm(aim))
    if len(enemies) < 60:
        health |= {int(id): 3 for id in enemies.spawn([0, rng.uniform(0, SIZE)])}

    began = time.perf_counter()
    force = hunters.steer(DT)
    steering_times.append(time.perf_counter() - began)
    body.advance(enemies, force, DT)
    bullets.position[:] += bullets.velocity * DT

    distance = np.linalg.norm(bullets.position[:, None] - enemies.position, axis=2)
    hits = distance < 1
    for id in enemies.id[hits.any(axis=0)].tolist():
        health[id] -= 1
    dead = np.array([health[id] <= 0 for id in enemies.id.tolist()])
    kills += dead.sum()
    gone = hits.any(axis=1) | (np.abs(bullets.position - SIZE / 2) > SIZE / 2).any(axis=1)
    enemies.remove(dead)
    bullets.remove(gone)

    # for center in enemies.points(): pygame.draw.circle(screen, "red", center, 4)

print(f"{kills} kills, {len(bullets)} bullets in the air")
median, worst = np.percentile(1000 * np.array(steering_times[60:]), [50, 99])
print(f"steering takes {median:.2f} ms a frame, {worst:.2f} ms in one of a hundred")
