"""Soccer: two teams and a ball.

After OpenSteer's demonstration of the same name. In each team the one who is nearest runs for the ball; the others hold their
places, which move along with the ball, and the keeper stays between ball and goal. Kicks, goals and the kick-off are the
referee's, a function that is called after every step: steering moves players, the game's rules move the ball.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steersman.geometry.keeping import Keeping
from steersman.geometry.random import generator, key_of
from steersman.geometry.vectors import Array
from steersman.metrics.deciding import count_metric, mode_metric
from steersman.metrics.meters import Metric
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

LENGTH, WIDTH, MOUTH = 100.0, 64.0, 7.0
"""The field, and half of a goal's width [m]."""

KICK, REACH, PAUSE = 21.0, 1.5, 0.5
"""Speed of a kicked ball [m/s], how near a player must be [m], and how soon one may kick again [s]."""

SHOT = 30.0
"""Distance from which they shoot as hard as they can [m]."""

SIDES = {"blues": 1.0, "reds": -1.0}
"""Team -> which way it plays along the x axis."""


class Referee(Keeping):
    """Kicks the ball for the players, counts goals, and puts the ball back to the middle.

    Attributes:
        goals: How many each team has scored.
        kicks: How often each team has kicked.
    """

    kept = ("goals", "kicks", "next_kick")

    def __init__(self, seed: int) -> None:
        self.rng = generator(key_of(seed, "kicks"))
        self.goals = dict.fromkeys(SIDES, 0)
        self.kicks = dict.fromkeys(SIDES, 0)
        self.next_kick = 0.0

    def saved(self) -> dict[str, Any]:
        """The score, and how far the random numbers are."""
        return {**super().saved(), "random": self.rng.bit_generator.state}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on with a game."""
        super().resume(saved)
        self.rng.bit_generator.state = saved["random"]

    def __call__(self, world: World) -> None:
        """What happens to the ball after a step."""
        ball = world["ball"]
        x, y = ball.position[0]
        for team, side in SIDES.items():
            if side * (x - LENGTH / 2) > LENGTH / 2 - 0.5 and abs(y - WIDTH / 2) < MOUTH:
                self.goals[team] += 1
                ball.position, ball.velocity = [[LENGTH / 2, WIDTH / 2]], [[0.0, 0.0]]
                self.next_kick = world.time + 1.0
                return
        if world.time >= self.next_kick:
            self.kick(world, ball)

    def kick(self, world: World, ball: Vehicles) -> None:
        """Let the nearest player who reaches the ball shoot at the goal, more or less."""
        nearest = {team: float(distances(world[team], ball.position[0]).min()) for team in SIDES}
        team = min(nearest, key=lambda name: nearest[name])
        if nearest[team] > REACH:
            return
        aim = goal(SIDES[team]) + np.array([0.0, self.rng.normal(0, 3.0)]) - ball.position[0]
        angle = self.rng.normal(0, 0.1)
        turned = [aim[0] * np.cos(angle) - aim[1] * np.sin(angle), aim[0] * np.sin(angle) + aim[1] * np.cos(angle)]
        ball.velocity = [np.array(turned) / np.hypot(*turned) * (KICK if np.hypot(*turned) < SHOT else 0.7 * KICK)]
        self.kicks[team] += 1
        self.next_kick = world.time + PAUSE


def distances(players: Vehicles, point: Any) -> Array:
    """Distances to a point [m], shape (n,)."""
    return np.asarray(np.linalg.norm(players.position.astype(float) - point, axis=1))


def goal(side: float) -> Array:
    """The middle of the goal that is attacked [m]."""
    return np.array([LENGTH / 2 + side * LENGTH / 2, WIDTH / 2])


class Team:
    """What the players of one team know: who runs for the ball, and where the others should be."""

    def __init__(self, n: int, side: float, ball: list[Vehicles]) -> None:
        self.side, self.ball = side, ball
        rows = np.arange(n - 1)
        lanes = WIDTH * (rows % 3 + 1) / 4
        lines = LENGTH / 2 - side * (30.0 - 20.0 * (rows // 3))
        self.posts = np.stack([lines, lanes], axis=1)

    def places(self) -> Array:
        """The keeper's place between ball and goal, then the others', which follow the ball a little; shape (n, 2)."""
        return self.places_for(self.ball[0].position[0].astype(float))

    def places_for(self, ball: Array) -> Array:
        """The places for a ball that lies somewhere."""
        own = goal(-self.side)
        way = ball - own
        keeper = own + way / max(np.hypot(*way), 1e-9) * min(6.0, 0.5 * np.hypot(*way))
        shift = 0.45 * (ball - [LENGTH / 2, WIDTH / 2])
        return np.concatenate([keeper[None], np.clip(self.posts + shift, 3.0, [LENGTH - 3.0, WIDTH - 3.0])])

    def runs(self, vehicles: Vehicles) -> Array:
        """Who runs for the ball: the nearest but the keeper, and the keeper when it is close."""
        distance = distances(vehicles, self.ball[0].position[0])
        chosen = np.zeros(len(vehicles), bool)
        if len(vehicles) > 1:
            chosen[1 + np.argmin(distance[1:])] = True
        chosen[0] = distance[0] < 6.0
        return chosen


def make(*, n: int, seed: int) -> Stage:
    """Put two teams of n on the field, and the ball in the middle."""
    ball: list[Vehicles] = []
    teams = {name: Team(n, side, ball) for name, side in SIDES.items()}
    stage = set_stage(document(n=n, seed=seed, teams=teams, ball=ball))
    world, referee = stage.world, Referee(seed)
    ball.append(world["ball"])
    world.on_step(referee)
    for name in SIDES:
        watch(stage, name, referee, teams[name])
    return stage


def misplaced(players: Vehicles, team: Team) -> float:
    """Mean distance of players from their places [m]."""
    return float(np.linalg.norm(players.position - team.places(), axis=1).mean())


def watch(stage: Stage, team: str, referee: Referee, place: Team) -> None:
    """Measure what a team does."""
    stage.watch(
        team,
        "overlapping",
        goals=count_metric("goals", lambda: referee.goals[team]),
        kicks=count_metric("kicks", lambda: referee.kicks[team]),
        scattered=Metric("m", "mean distance from their places", lambda s: misplaced(s.vehicles, place)),
        running=mode_metric(stage.world.populations[team], "run", "share that runs for the ball"),
    )


def document(*, n: int, seed: int, teams: dict[str, Team], ball: list[Vehicles]) -> dict[str, Any]:
    """The field."""
    margin = {"kind": "box", "size": [LENGTH - 2.0, WIDTH - 2.0], "origin": [1.0, 1.0]}
    return {
        "seed": seed,
        "seconds": 90.0,
        "dt": 1 / 30,
        "domain": {"kind": "box", "size": [LENGTH, WIDTH], "restitution": 0.7},
        "picture": {"trails": 2.0, "size": 1.3},
        "regions": [{"name": "field", **margin}],
        "populations": [
            players(n, "blues", "blue", teams["blues"], seed),
            players(n, "reds", "red", teams["reds"], seed),
            {
                "name": "ball",
                "n": 1,
                "color": "yellow",
                "spawn": {"shape": "points", "position": [[LENGTH / 2, WIDTH / 2]]},
                "max_speed": KICK,
                "max_force": 100.0,
                "radius": 0.5,
                "metrics": ["mean_speed"],
                "steering": {"behavior": "WeightedSum", "parts": [roll]},
            },
        ],
    }


def roll(vehicles: Vehicles) -> Array:
    """The grass slows a rolling ball down."""
    return np.asarray(-0.5 * vehicles.mass[:, None] * vehicles.velocity)


def players(n: int, name: str, color: str, team: Team, seed: int) -> dict[str, Any]:
    """A team, about in its places."""
    start = team.places_for(np.array([LENGTH / 2, WIDTH / 2])) + generator(key_of(seed, name)).normal(0, 0.8, (n, 2))
    apart = [
        {"weight": 0.6, "behavior": "Separation", "radius": 3.0},
        {"weight": 0.6, "behavior": "Separation", "radius": 2.5, "of": "reds" if name == "blues" else "blues"},
    ]
    modes = {
        "hold": {"behavior": "WeightedSum", "parts": [{"behavior": "Arrive", "target": team.places}, *apart]},
        "run": {"behavior": "WeightedSum", "parts": [{"weight": 1.5, "behavior": "Pursue", "quarry": "ball"}, *apart]},
    }
    return {
        "name": name,
        "n": n,
        "color": color,
        "spawn": {"shape": "points", "position": start.tolist()},
        "max_speed": 8.0,
        "max_force": 32.0,
        "response_time": 0.15,
        "radius": 0.7,
        "steering": {
            "behavior": "Priority",
            "parts": [
                {"behavior": "Contain", "region": "field", "lookahead": 0.3},
                {
                    "behavior": "Modes",
                    "start": "hold",
                    "modes": modes,
                    "transitions": [
                        {"from": "hold", "to": "run", "when": team.runs},
                        {"from": "run", "to": "hold", "when": {"not": team.runs}},
                    ],
                    "cooldown": 0.3,
                },
            ],
        },
    }


def check(world: World) -> list[str]:
    """Both teams were at the ball, there were goals, and nobody was run over."""
    meters, problems = meters_of(world), []
    goals = sum(meters[f"{team}.goals"].now for team in SIDES)
    for team in SIDES:
        if not meters[f"{team}.kicks"].now >= 5:
            problems.append(
                f"the {team} must kick at least 5 times, but did so {meters[f'{team}.kicks'].now:.0f} times"
            )
        if not 0 < meters[f"{team}.running"].greatest < 0.7:
            problems.append(f"some of the {team} must run for the ball, and not all of them")
        if not meters[f"{team}.scattered"].greatest < 25:
            problems.append(
                f"the {team} must hold their places, but are {meters[f'{team}.scattered'].greatest:.0f} m away"
            )
        if not meters[f"{team}.overlapping"].now < 0.35:
            problems.append(f"the {team} must keep apart, but {100 * meters[f'{team}.overlapping'].now:.0f} % overlap")
    if not goals >= 1:
        problems.append("there must be a goal, but there was none")
    return problems


SCENARIO = OldScenario(
    name="soccer",
    shows="Two teams run for the ball, hold their places, and score.",
    tags=("story", "modes", "think", "OpenSteer"),
    dimensions=2,
    n=7,
    make=make,
    check=check,
)
