"""Two teams and a ball: the nearest player of each runs to where the ball is going, and the others hold their places.

After OpenSteer's demonstration of the same name. The places move along with the ball, and the keeper's lies between ball and
goal. Kicks, goals and the kick-off are the referee's, a function that is called after every step: steering moves
players, the game's rules move the ball.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.parameters.keeping import Keeping
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.lead import Lead
from steersman.gallery.making.scenario import Scenario
from steersman.runs.metrics.deciding import in_mode

GOALS = {"blue players": np.array([50.0, 0.0]), "red players": np.array([-50.0, 0.0])}
"""Team -> the middle of the goal that it attacks [m]."""


BORDER = np.array([[-50, -32], [50, -32], [50, 32], [-50, 32]])
"""Corners of the pitch [m]."""

AREA = np.array([[50, -16], [34, -16], [34, 16], [50, 16]])
"""Corners of a penalty area [m]."""

MARKINGS = [
    sm.shapes.Line(BORDER[[0, 1, 2, 3, 0]], role="range"),
    sm.shapes.Line(BORDER[1:3] * [0, 1], role="range"),
    sm.shapes.Line(sm.spawn.circle(48, 9)[[*range(48), 0]], role="range"),
    *(sm.shapes.Line(AREA * [side, 1], role="range") for side in (-1, 1)),
]
"""The lines of the pitch: its border and middle, and the penalty areas."""

FRAMES = sm.Walls(
    [
        [[47 * side, y], [49.4 * side, y]] if y else [[49.4 * side, -7], [49.4 * side, 7]]
        for side in (-1, 1)
        for y in (-7, 0, 7)
    ]
)
"""The goals, for pictures."""


def make(*, n: int = 7, seed: int = 0) -> sm.Stage:
    """Put two teams of n on a field of 100 by 64 m, and the ball in the middle."""
    rng = np.random.default_rng(seed)
    ground = sm.Box([100, 64], [-50, -32], restitution=0.7)
    ball = sm.Vehicles([[0, 0]], max_speed=30, max_force=100, radius=0.5)
    world = sm.World(domain=ground, seed=seed, dt=1 / 30)
    teams = {
        name: sm.Vehicles(
            places(name, n, ball) + rng.normal(0, 0.8, (n, 2)),
            max_speed=8,
            max_force=32,
            response_time=0.15,
            radius=0.7,
        )
        for name in GOALS
    }
    for name in GOALS:
        play(world, name, teams, ball)
    world.add(ball, name="ball", steering=lambda ball: -0.2 * ball.mass[:, None] * ball.velocity)  # It rolls on grass.
    referee = Referee(rng)
    world.on_step(referee)

    def runs() -> Iterator[sm.shapes.Shape]:
        """The ball."""
        yield sm.shapes.Circle(ball.position, 1.6, role="guide", label="ball")

    stage = sm.Stage(
        world,
        seconds=120,
        picture=sm.Picture(
            looks={"ground": "grass", "pitch": "grass"},
            trails=2,
            size=1.3,
            at=12,
            glyphs={"blue players": "person", "red players": "person", "ball": "ball"},
            sketch={"blue players": [5]},
            opens=33.5,
        ),
        colors={"blue players": "blue", "red players": "red", "ball": "gray"},
        labels={"goal of the reds": GOALS["blue players"], "goal of the blues": GOALS["red players"]},
        scenery={"pitch": ground, "goals": sm.Skin(FRAMES)},
        notes=[*MARKINGS, runs],
        fixed_populations={"ball": "a game has one ball, which the referee puts back to the middle"},
    )
    stage.watch("ball", "mean_speed")
    for name in GOALS:
        watch(stage, name, referee, ball)
    return stage


def places(team: str, n: int, ball: sm.Vehicles) -> np.ndarray:
    """The keeper's place between ball and goal, then the others', which follow the ball a little; shape (n, 2)."""
    at, own = ball.position[0].astype(float), -GOALS[team]
    far, rows = float(np.linalg.norm(at - own)), np.arange(max(n - 1, 0))
    keeper = own + (at - own) * min(6 / max(far, 1e-9), 0.5)
    posts = np.stack([0.4 * own[0] - 0.4 * own[0] * (rows // 3), 16 * (rows % 3) - 16], axis=1)
    return np.vstack([keeper, np.clip(posts + 0.45 * at, [-47, -29], [47, 29])])[:n]


def play(world: sm.World, name: str, teams: Mapping[str, sm.Vehicles], ball: sm.Vehicles) -> None:
    """Let a team take part."""
    players = teams[name]

    def nearest(players: sm.Vehicles) -> np.ndarray:
        """The players that run for the ball: the nearest but the keeper, and the keeper when it is close."""
        distance = np.linalg.norm(players.position - ball.position[0], axis=1)
        keeper, others = distance[:1] < 4, distance[1:]
        return np.concatenate([keeper, others == np.min(others, initial=np.inf)])

    def station() -> np.ndarray:
        """Its place on the pitch, of each player: shape (n, 2)."""
        return places(name, len(players), ball)

    roles = sm.Modes(
        {"hold": sm.Arrive(station), "run": sm.Pursue(ball, prediction=sm.Intercept())},
        start="hold",
        transitions=[
            ("hold", "run", sm.Where(nearest, name="it is nearest to the ball")),
            ("run", "hold", lambda players: ~nearest(players)),
        ],
        cooldown=0.3,
    )
    opponents = next(each for other, each in teams.items() if other != name)
    world.add(players, name=name, steering=roles + 0.6 * sm.Separation(radius=3, of=opponents))


class Referee(Keeping):
    """Kicks the ball for the players, counts goals, and puts the ball back to the middle.

    Attributes:
        goals: How many each team has scored.
        kicks: How often each team has kicked.
    """

    saved_attributes = ("goals", "kicks", "next_kick")

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.next_kick = rng, 0.0
        self.goals, self.kicks = dict.fromkeys(GOALS, 0), dict.fromkeys(GOALS, 0)

    def saved(self) -> dict[str, Any]:
        """The score, and how far the random numbers are."""
        return {**super().saved(), "random": self.rng.bit_generator.state}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on with a game."""
        super().resume(saved)
        self.rng.bit_generator.state = saved["random"]

    def __call__(self, world: sm.World) -> None:
        """Move the ball after a step: the nearest player within 1.5 m kicks it."""
        ball = world["ball"]
        for team, goal in GOALS.items():
            if abs(ball.position[0, 0] - goal[0]) < 0.6 and abs(ball.position[0, 1]) < 7:
                self.goals[team] += 1
                ball.position, ball.velocity = [[0, 0]], [[0, 0]]
                self.next_kick = world.time + 1
        away = {
            team: np.linalg.norm(world[team].position - ball.position, axis=1).min(initial=np.inf) for team in GOALS
        }
        team = min(away, key=lambda name: away[name])
        if world.time >= self.next_kick and away[team] < 1.5:
            aim = GOALS[team] + self.rng.normal(0, [0.1, 3]) - ball.position[0]
            far = np.linalg.norm(aim)
            speed, spread = (30, 0.1) if far < 30 else (18, 0.7)  # A shot, or a pass to somebody.
            angle = np.arctan2(aim[1], aim[0]) + self.rng.normal(0, spread)
            ball.velocity = [[speed * np.cos(angle), speed * np.sin(angle)]]
            self.kicks[team] += 1
            self.next_kick = world.time + 0.8


def watch(stage: sm.Stage, name: str, referee: Referee, ball: sm.Vehicles) -> None:
    """Measure the play of a team."""

    def astray(players: sm.Vehicles) -> float:
        """Mean distance from their places [m]."""
        return mean(np.linalg.norm(players.position - places(name, len(players), ball), axis=1))

    lead = Lead(stage.world[name], ball, near=4, which=lambda: in_mode(stage.world.populations[name], "run"))
    stage.world.on_step(lead, sm.EverySeconds(0.1))
    stage.watch(name, lead=lead.share)
    stage.watch(name, goals=lambda _: referee.goals[name], kicks=lambda _: referee.kicks[name], astray=astray)
    stage.watch(name, "overlap", every=sm.EverySteps(1))
    if name == "red players":
        stage.watch(name, "closest_to", to=stage.world["blue players"], every=sm.EverySteps(1))


def check(stage: sm.Stage) -> Iterator[str]:
    """Both teams were at the ball, and quickly; the others held their places, and none was run over."""
    meters = stage.meters
    kicks = {team: meters[f"{team}.kicks"].now for team in GOALS}
    if not (both := sum(kicks.values())) >= 40:
        yield f"they must be at the ball soon after a kick, so that there are 40 in 2 minutes, but there were {both:.0f}"
    if not 2 < (speed := meters["ball.mean_speed"].values.mean()) < 15.3:
        yield f"the ball must roll, and slow down on the grass, but its mean speed was {speed:.1f} m/s"
    for team in GOALS:
        if not (lead := meters[f"{team}.lead"].now) > 0.08:
            yield f"the {team} must run to where the ball is going, but made {lead:.2f} of its way aside"
        if not kicks[team] >= 0.25 * both:
            yield f"both teams must kick, but the {team} did so {kicks[team]:.0f} times out of {both:.0f}"
        if not (away := meters[f"{team}.astray"].values.mean()) < 9:
            yield f"the {team} must hold their places, but were {away:.0f} m away on average"
        if not (deep := np.mean(meters[f"{team}.overlap"].values > 0.1)) < 0.02:
            yield f"the {team} must not run into each other, but two of them touched for {deep:.1%} of the time"
    if not (touching := np.mean(meters["red players.closest_to"].values < 1.2)) < 0.1:
        yield f"opponents must keep apart, but two of them touched for {touching:.0%} of the time"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "modes", "think", "OpenSteer"),
    least=7,
    most=11,
    exempt={
        name: reason
        for team in GOALS
        for name, reason in (
            (f"{team}: Separation is left out", "their opponents keep apart from them"),
            (f"{team}: Pursue predicts 1 s, always", "to a ball that is 4 to 10 m away it takes about a second"),
        )
    },
    impostors={
        "without Separation": without(sm.Separation),
        "without Pursue": without(sm.Pursue),
        "Flee for Pursue": instead(sm.Pursue, lambda old: sm.Flee(old.quarry)),
        "without Arrive": without(sm.Arrive),
        "all run": instead(sm.Modes, lambda old: old.modes["run"]),
        "none runs": instead(sm.Modes, lambda old: old.modes["hold"]),
    },
)
