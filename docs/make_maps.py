"""Writes the picture of maps in use: a field and routes in a house, two floors, orders, and the braking zones of a race.

python docs/make_maps.py
"""

import tempfile
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from make_pictures import DOCS, keep

import steersman as sm
from steersman.gallery.registry import SCENARIOS
from steersman.gallery.scenarios.evacuation import EXITS, HEIGHT, house
from steersman.gallery.scenarios.rts_orders import NORTH, PARADE, SOUTH

BRAKES = 1.0
"""From this deceleration on a car counts as braking [m/s^2]."""


def rooms(columns: int = 4, room: float = 6.0, hall: float = 4.0, door: float = 1.6) -> tuple[sm.Walls, sm.Box]:
    """A hall with rooms on both sides, and exits at both ends of it."""
    wide, walls = columns * room, []
    for low, front in ((0.0, room), (room + hall, room + hall)):
        high = low + room
        back = low if front == high else high
        walls += [[[0, low], [0, high]], [[0, back], [wide, back]]]
        for left in room * np.arange(columns):
            right, middle = left + room, left + room / 2
            walls += [[[left, front], [middle - door / 2, front]], [[middle + door / 2, front], [right, front]]]
            walls += [[[right, low], [right, high]]]
    return sm.Walls(walls), sm.Box([wide + 4, 2 * room + hall], origin=[-2, 0])


def draw_house(ax: Any) -> None:
    """The field toward two exits, and routes from the rooms."""
    walls, floor = rooms()
    exits = np.array([[-1.2, 8.0], [25.2, 8.0]])
    field = sm.FlowField.toward(exits, obstacles=walls, region=floor, clearance=0.35, spacing=0.3)
    mesh = sm.NavMesh.around(walls, region=floor, clearance=0.35)
    starts = np.array([[1.0, 1.0], [8.0, 1.2], [17.0, 15.0], [22.5, 14.0], [11.0, 15.0]])
    routes = []
    for start in starts:
        ways = [mesh.route(start, end, radius=0.1) for end in exits]
        routes.append(min(ways, key=lambda way: way.length))
    sm.draw([field, walls, *routes], ax=ax, targets=exits, title="A field toward two exits, and exact routes")


def draw_floors(ax: Any) -> None:
    """People on their ways out of a house of two floors."""
    stage = SCENARIOS["evacuation"].stage(n=40, seed=1)
    trails = sm.Trails(stage.world, seconds=8)
    stage.world.run(seconds=9)
    ground = house()
    upstairs = [ground.route([x, y, HEIGHT], EXITS[1], radius=0.1) for x, y in ((2.0, 9.0), (9.0, -5.0))]
    style, frame = sm.Picture(azimuth=-70, elevation=32, size=1.4), ([0, -7, 0], [32, 11, 3])
    shown = [ground, *upstairs]
    sm.draw(
        stage.world, ax=ax, trails=trails, scenery=shown, style=style, frame=frame, title="Two floors, by a WalkMesh"
    )


def draw_orders(ax: Any) -> None:
    """Two squads after their orders."""
    stage = SCENARIOS["rts_orders"].stage(n=24, seed=1)
    trails = sm.Trails(stage.world, seconds=9)
    stage.world.run(seconds=11)
    goals = np.array([NORTH, SOUTH, PARADE])
    frame, title = ([0, 0], [120, 90]), "Orders: north at once, south 5 s later, then parade"
    sm.draw(stage.world, ax=ax, trails=trails, targets=goals, frame=frame, title=title)


def draw_race(ax: Any) -> None:
    """Where the cars of a race brake."""
    stage = SCENARIOS["race"].stage(n=7, seed=1)
    world, cars = stage.world, stage.world["cars"]
    places, gains = [], []
    for _ in range(700):
        before = cars.speed
        world.run(steps=6)
        places.append(cars.position.copy())
        gains.append((cars.speed - before) / (6 * world.dt))
    place, gain = np.concatenate(places[60:]), np.concatenate(gains[60:])
    sm.draw(world, ax=ax, title="A race: where cars brake by 1 m/s² and more (red)")
    braking = gain < -BRAKES
    ax.scatter(*place[~braking].T, s=1.5, color="#9aa5b1", zorder=3, linewidths=0)
    ax.scatter(*place[braking].T, s=4, color="#d1495b", zorder=4, linewidths=0)


def main() -> None:
    """Draw all four."""
    figure, axes = plt.subplots(2, 2, figsize=(12.8, 10), layout="constrained")
    for draw, ax in zip((draw_house, draw_floors, draw_orders, draw_race), axes.flat, strict=True):
        draw(ax)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "maps.png")
        figure.savefig(file, dpi=110)
        keep(file, DOCS / "maps.png", 1100)


if __name__ == "__main__":
    main()
