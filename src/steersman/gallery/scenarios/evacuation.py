"""A house with two floors is evacuated: sixteen rooms, stairs and two exits, each person by the shortest way.

Reynolds 1999, "Path following": the way is given by a planner. Here it is a `WalkMesh`: the floors and the treads of the
stairs are its triangles, and walls are where there are none. It is also the ground on which people stand.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.typing import Array
from steersman.gallery.making.impostors import by_another_map, instead
from steersman.gallery.making.scenario import Scenario

ROOM, DOOR, WALL, HALL, ROOMS = 6.0, 1.2, 0.3, 4.0, 4
"""Edge of a room, width of its door, thickness of walls, width of the hall [m], and rooms along one side of it."""

HEIGHT, TREADS, DEPTH, WIDTH = 3.0, 14, 0.3, 2.0
"""Height of the upper floor [m]; treads of the stairs, their depth and width [m]."""

LOW = 0.7
"""How high walls are drawn [m]."""

LENGTH = ROOMS * (ROOM + WALL)
"""How long the halls are [m]."""

FOOT = LENGTH + TREADS * DEPTH
"""Where the stairs begin [m]."""

EXITS = np.array([[-1.5, HALL / 2, 0.0], [FOOT + 4.5, HALL / 2, 0.0]])
"""Where people want to go [m]: out of the front door, or out of the door behind the stairs."""

CLEARANCE, SPEED = 0.35, 1.4
"""How near to walls ways lead [m], and how fast people walk [m/s]."""


def floors() -> Array:
    """Rectangles to walk upon [m]: halls, rooms, doors, treads; corners counter-clockwise, shape (k, 4, 3)."""
    rows = []
    for z in (0.0, HEIGHT):
        rows.append([0, 0, LENGTH, HALL, z])
        for left in (ROOM + WALL) * np.arange(ROOMS):
            door = left + (ROOM - DOOR) / 2
            rows += [
                [left, HALL + WALL, left + ROOM, HALL + WALL + ROOM, z],
                [left, -WALL - ROOM, left + ROOM, -WALL, z],
            ]
            rows += [[door, HALL, door + DOOR, HALL + WALL, z], [door, -WALL, door + DOOR, 0, z]]
    for k in range(TREADS):
        rows.append([FOOT - DEPTH * (k + 1), 0, FOOT - DEPTH * k, WIDTH - 0.2, HEIGHT * (k + 1) / (TREADS + 1)])
    rows += [[LENGTH, WIDTH, FOOT, HALL, 0], [FOOT, 0, FOOT + 2.5, HALL, 0]]  # Beside the stairs, and at their foot.
    rows += [[-WALL, 1, 0, HALL - 1, 0], [-3, -1, -WALL, HALL + 1, 0]]
    rows += [[FOOT + 2.5, 1, FOOT + 2.8, HALL - 1, 0], [FOOT + 2.8, -1, FOOT + 6, HALL + 1, 0]]
    x0, y0, x1, y1, z = np.array(rows).T
    corners = [[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]
    return np.array(corners).transpose(2, 0, 1)


def doors() -> Array:
    """The frames of both doors [m]: corners, shape (2, 4, 3)."""
    frame = np.array([[0.0, 1, 0], [0, HALL - 1, 0], [0, HALL - 1, 2.1], [0, 1, 2.1]])
    return np.stack([frame + np.array([x, 0, 0]) for x in (-WALL, FOOT + 2.8)])


def walls() -> sm.Boxes:
    """The walls of the rooms, as high as lets people be seen, for pictures: the map has none, but no floors there."""
    rows = []
    for z in (0.0, HEIGHT):
        for left in (ROOM + WALL) * np.arange(ROOMS):
            door = left + (ROOM - DOOR) / 2
            for y in (-WALL, HALL):
                rows += [[left, y, door, y + WALL, z], [door + DOOR, y, left + ROOM, y + WALL, z]]
            for y in (-WALL - ROOM, HALL + WALL):
                rows.append([left + ROOM, y, left + ROOM + WALL, y + ROOM, z])
    for x in (-WALL, FOOT + 2.5):  # Beside the doors.
        rows += [[x, 0, x + WALL, 1, 0.0], [x, HALL - 1, x + WALL, HALL, 0.0]]
    x0, y0, x1, y1, z = np.array(rows).T
    low, high = np.stack([x0, y0, z], axis=1), np.stack([x1, y1, z + LOW], axis=1)
    return sm.Boxes(center=(low + high) / 2, size=(high - low) / 2)


def house(**options: Any) -> sm.WalkMesh:
    """The map of the house."""
    rectangles = floors()
    corners = 4 * np.arange(len(rectangles))[:, None] + np.array([0, 1, 2, 0, 2, 3])
    mesh = sm.TriangleMesh(rectangles.reshape(-1, 3), corners.reshape(-1, 3))
    return sm.WalkMesh(mesh, **{"clearance": CLEARANCE, **options})


def make(*, n: int = 96, seed: int = 0) -> sm.Stage:
    """Spread n people over the rooms of both floors."""
    rng = np.random.default_rng(seed)
    rooms = np.array([
        [left, side, z]
        for z in (HEIGHT, 0.0)
        for left in (ROOM + WALL) * np.arange(ROOMS)
        for side in (HALL + WALL, -WALL - ROOM)
    ])  # fmt: skip
    side = max(3, int(np.ceil((n / len(rooms)) ** 0.5)))
    places = np.stack(np.meshgrid(*[np.linspace(0.6, ROOM - 0.6, side)] * 2), axis=-1).reshape(-1, 2)
    room = rng.permutation(np.arange(n) % len(rooms))
    seat = np.concatenate([rng.permutation(len(places))[: np.sum(room == k)] for k in range(len(rooms))])
    room = np.sort(room)
    start = rooms[room] + np.column_stack([places[seat], np.zeros(n)])
    people = sm.Vehicles(start, radius=0.25, max_speed=SPEED, max_force=10, response_time=0.15)
    exits = sm.Vehicles(EXITS, forward=[[-1, 0, 0], [1, 0, 0]], max_speed=1, max_force=1, radius=0.1)
    ground = house()
    outside = [sm.Box([2.5, HALL + 2, 2], origin=[x, -1, -1]) for x in (-3.0, FOOT + 3.3)]
    world = sm.World(seed=seed, dt=1 / 30)
    world.add(
        people,
        name="people",
        steering=1.5 * sm.Separation(radius=1.0) + sm.GoTo(exits, by=ground),
        locomotion=sm.SurfaceBound(ground),
        flows=[sm.Sink(each) for each in outside],
    )
    world.add(exits, name="exits")
    longest = float(ground.guide(start, EXITS)[1].max())
    stage = sm.Stage(
        world,
        seconds=float(np.ceil(1.2 * longest / SPEED + 0.25 * n + 5)),
        picture=sm.Picture(
            azimuth=-166,
            elevation=42,
            size=1.6,
            glyphs={"people": "person", "exits": "disc"},
            at=[1, 12],
            sketch={"people": [51]},
            close_up=13,
            opens=0.95,
        ),
        scenery={"walls": sm.Skin(walls())},
        colors={"people": "red", "exits": "green"},
        labels={
            "front exit": EXITS[0],
            "back exit": EXITS[1],
            "front door": np.array([-WALL, 1, 1.5]),
            "back door": np.array([FOOT + 2.8, 1, 1.5]),
            "upper floor": np.array([0, -WALL - ROOM, HEIGHT]),
            "stairs": np.array([FOOT - TREADS * DEPTH / 2, 0, HEIGHT / 2]),
        },
        notes=[sm.shapes.Line(doors(), closed=True, role="target", label="exit")],
    )
    stage.watch("people", "overlap", every=sm.EverySteps(1))
    stage.watch("people", inside=len, upstairs=lambda people: int(np.sum(people.position[:, 2] > HEIGHT / 2)))
    stage.watch("people", lift=lambda people: lift(ground, people), every=sm.EverySteps(3))
    return stage


def lift(ground: sm.WalkMesh, people: sm.Vehicles) -> float:
    """How far the farthest is from the floors [m]."""
    if not len(people):
        return 0.0
    return float(np.linalg.norm(people.position - ground.project(people.position)[0], axis=1).max())


def check(stage: sm.Stage) -> Iterator[str]:
    """All are out, all stayed on the floors, and nobody went upstairs or was pushed hard."""
    meters = stage.meters
    if inside := meters["people.inside"].now:
        yield f"all vehicles must get out, but {inside:.0f} did not"
    if (high := meters["people.lift"].greatest) > 0.01:
        yield f"all vehicles must stay on the floors, but one was {high:.2f} m off"
    if np.any(np.diff(meters["people.upstairs"].values) > 0):
        yield "nobody may go upstairs, but one did"
    if not (deep := meters["people.overlap"].greatest) < 0.1:
        yield f"no vehicle may push, but two overlapped by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("3d", "group", "crowd", "routes", "surface", "Reynolds 1999"),
    dimensions=3,
    quick=32,
    impostors={
        "without a map": instead(sm.GoTo, lambda go_to: go_to.replace(by=None)),
        "Seek for GoTo": instead(sm.GoTo, lambda go_to: sm.Seek(go_to.goal)),
        "a map without steps": by_another_map(step=0.1),
        "a map for thick people": by_another_map(clearance=0.65),
        "on the skin of the mesh": instead(sm.SurfaceBound, lambda body: body.replace(surface=body.surface.surface)),
        "not bound to the floors": instead(sm.SurfaceBound, sm.PointMass()),
    },
)
