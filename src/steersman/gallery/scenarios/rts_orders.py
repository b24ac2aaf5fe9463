"""Two squads get orders: to different goals at different times, and one of them falls in and faces about; some are lost.

As in real-time strategy games: a commander selects vehicles by id and gives them a goal, or a place in a formation, without
another steering tree. Orders to those who were lost meanwhile are left out.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.core.parameters.keeping import Keeping
from steersman.core.world.population import Population
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

SPACING = 4.0
"""Distance between neighbors of a squad [m]."""

CAMP = np.array([15.0, 45.0])
"""Where all are at first [m]."""

NORTH, SOUTH, PARADE = np.array([60.0, 75.0]), np.array([60.0, 15.0]), np.array([110.0, 45.0])
"""Where the first squad goes, where the second one goes, and where the first one falls in [m]."""

SECOND, LOST, FALL_IN, ABOUT, END = 5.0, 12.0, 26.0, 40.0, 54.0
"""When the second squad is sent, some are lost, the first squad falls in, and faces about; and when all ends [s]."""


ORDERS = (
    "first squad: go north",
    "second squad: go south",
    "three are lost, the others go on",
    "first squad: fall in",
    "face west",
)


HEARS = (1, 2, 2, 1, 1)
"""The squad that hears each of them: the lost ones are told to the second one, which goes on without them."""


class Commander(Keeping):
    """Gives the orders, one after the other."""

    saved_attributes = ("given",)

    def __init__(self, army: Population) -> None:
        ids = army.vehicles.id
        self.army, self.first, self.second, self.given = army, ids[::2].copy(), ids[1::2].copy(), 0

    def __call__(self, world: sm.World) -> None:
        """Give the order that is due."""
        due = (0.0, SECOND, LOST, FALL_IN, ABOUT)
        hears = any(isinstance(node.behavior, sm.Orders) for node in self.army.nodes)
        if not hears or self.given == len(due) or world.time < due[self.given]:
            return
        self.given += 1
        if self.given == 1:
            self.army.order(self.first, goal=places(NORTH, len(self.first)), missing="ignore")
        elif self.given == 2:
            self.army.order(self.second, goal=places(SOUTH, len(self.second)), pace=5.0, missing="ignore")
        elif self.given == 3:
            lost = np.array([*self.first[1:3], self.second[0]])
            self.army.vehicles.remove(lost[self.army.vehicles.alive(lost)])
        elif self.given == 4:
            self.army.order(self.first, drill=1, rally=PARADE, facing=(0.0, 1.0), missing="ignore")
        else:
            self.army.order(self.first, facing=(-1.0, 0.0), missing="ignore")


def places(middle: np.ndarray, n: int) -> np.ndarray:
    """Places for n vehicles around a goal [m], in rows of four."""
    place = np.arange(n)
    return middle + SPACING * np.stack([place // 4 - (n // 4 - 1) / 2, place % 4 - 1.5], axis=1)


def make(*, n: int = 24, seed: int = 0) -> sm.Stage:
    """Put n vehicles in a camp, every other one in the first squad."""
    rng = np.random.default_rng(seed)
    soldiers = sm.Vehicles(
        sm.spawn.disc(n, radius=4 + 2.2 * n**0.5, center=CAMP, apart=2.5, rng=rng), max_speed=7, max_force=25
    )
    falling_in = sm.Formation("column:rally", slots="line", spacing=SPACING, face="column:facing", members="drill")
    steering = sm.Orders(
        sm.Priority([sm.AvoidNeighbors(), falling_in, sm.Arrive("column:goal", speed="column:pace")]),
        {"goal": None, "pace": 7.0, "rally": None, "facing": None, "drill": 0.0},
    )
    world = sm.World(seed=seed)
    army = world.add(soldiers, name="soldiers", steering=steering)
    commander = Commander(army)
    world.on_step(commander, sm.EverySeconds(0.25))
    world.watch("soldiers", north=Away(commander.first, places(NORTH, len(commander.first))))
    world.watch("soldiers", south=Away(commander.second, places(SOUTH, len(commander.second))))
    world.watch("soldiers", "overlap")
    world.watch("soldiers", line=lambda army: unfilled(army, commander.first))
    camp = soldiers.position[soldiers.rows(commander.second)].copy()
    world.watch("soldiers", left=Away(commander.second, camp))

    def orders() -> Iterator[sm.shapes.Shape]:
        """Where each squad is sent, and the order that was given last."""
        first = NORTH if commander.given < 4 else PARADE
        for ids, goal, squad in ((commander.first, first, 1), (commander.second, SOUTH, 2)):
            sent = f"order to the {('first', 'second')[squad - 1]} squad"
            rows = soldiers.rows(ids[soldiers.alive(ids)])
            if commander.given >= squad and len(rows):
                yield sm.shapes.Arrow(soldiers.position[rows].mean(axis=0)[None], goal[None], role="guide", label=sent)
            if commander.given and HEARS[commander.given - 1] == squad and len(rows):
                order = ORDERS[commander.given - 1]
                yield sm.shapes.Circle(soldiers.position[rows], 1.6, role="guide", label=order)
        if commander.given >= 4:
            rows = soldiers.rows(commander.first[soldiers.alive(commander.first)])
            line = SPACING * (np.arange(len(rows)) - (len(rows) - 1) / 2)
            along = [[1, 0]] if commander.given == 4 else [[0, 1]]
            yield sm.shapes.Circle(PARADE + line[:, None] * along, 1.0, role="target", label=ORDERS[3])

    camp_radius, half = 6 + 2.2 * n**0.5, SPACING * n / 4 + 2
    return sm.Stage(
        world,
        seconds=END,
        picture=sm.Picture(
            looks={"ground": "grass", "square": "sand"},
            glyphs="person",
            trails=5,
            at=(0, 9, 24, 38, END),
            close_up=26,
            sketch={"soldiers": [0]},
            opens=32.09,
        ),
        scenery={"square": sm.Polygon(PARADE + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]))},
        labels={
            "camp": CAMP - np.array([0, camp_radius + 3]),
            "north": NORTH + np.array([0, 10]),
            "south": SOUTH - np.array([0, 10]),
            "parade ground": PARADE,
        },
        notes=[
            sm.shapes.Circle(np.concatenate([places(goal, n // 2) for goal in (NORTH, SOUTH)]), 1.0, role="guide"),
            sm.shapes.Circle(CAMP, camp_radius, role="guide"),
            orders,
        ],
    )


class Away:
    """How far the farthest vehicle of a squad is from its own place [m]."""

    def __init__(self, ids: np.ndarray, places: np.ndarray) -> None:
        self.ids, self.places = ids, places

    def __call__(self, army: sm.Vehicles) -> float:
        """The distance now, of those who are there."""
        there = army.alive(self.ids)
        return float(
            np.linalg.norm(army.position[army.rows(self.ids[there])] - self.places[there], axis=1).max(initial=0)
        )


def unfilled(army: sm.Vehicles, ids: np.ndarray) -> float:
    """How far the nearest of the squad is from the place of the line that faces west that is worst filled [m]."""
    own = army.position[army.rows(ids[army.alive(ids)])]
    if not len(own):
        return 0.0
    line = np.vstack([np.zeros((1, 2)), sm.laws.formation_slots("line", len(own) - 1, SPACING)])
    line[:, 1] -= line[:, 1].mean()
    slots = PARADE + sm.laws.to_global(line, np.array([[-1.0, 0.0], [0.0, 1.0]]))
    return float(np.linalg.norm(slots[:, None] - own, axis=2).min(axis=1, initial=np.inf).max(initial=0))


def check(stage: sm.Stage) -> Iterator[str]:
    """Each squad is where its orders say, when they say it, and not before."""

    def at(meter: str, time: float) -> float:
        readings = stage.meters[f"soldiers.{meter}"]
        return float(np.interp(time, readings.times, readings.values))

    if (far := at("left", SECOND)) > 12:  # They step aside for the first squad.
        yield f"the second squad must wait in the camp for its order, but one was {far:.1f} m away before it"
    for squad, time in (("north", FALL_IN), ("south", FALL_IN), ("south", END)):
        if (far := at(squad, time)) > 1.5:
            yield f"the squad that was sent {squad} must be there after {time:g} s, but one was {far:.1f} m away"
    if (worst := at("line", ABOUT)) < SPACING:
        yield f"the line must face north until it faces about, but its places in the west were filled, by {worst:.1f} m"
    if (worst := at("line", END)) > 0.2 * SPACING:
        yield f"the line must face west in the end, but the nearest to one of its places was {worst:.1f} m away"
    if (deep := stage.meters["soldiers.overlap"].values.max()) > 0.05:
        yield f"no two may overlap, but two did by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "formation", "orders"),
    least=12,
    most=32,
    exempt={"soldiers: AvoidNeighbors minds one alone": "their places are apart, so they seldom meet several"},
    impostors={
        "without Formation": without(sm.Formation),
        "a formation of all": instead(sm.Formation, lambda old: old.replace(members=1.0)),
        "a formation that faces nowhere": instead(sm.Formation, lambda old: old.replace(face=None)),
        "a formation elsewhere": instead(sm.Formation, lambda old: old.replace(around=NORTH)),
        "a wedge for the line": instead(sm.Formation, lambda old: old.replace(slots="wedge")),
        "one goal for all": instead(sm.Arrive, lambda old: old.replace(target=NORTH)),
        "nobody listens": instead(sm.Arrive, sm.Wander()),
        "without AvoidNeighbors": without(sm.AvoidNeighbors),
    },
)
