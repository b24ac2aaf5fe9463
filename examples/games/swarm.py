"""Swarm: hold out against ten waves of a swarm that flocks, hunts and scatters. Needs arcade 3.3.

Arrows or WASD fly, the mouse fires (SPACE: ahead), B scatters the swarm, TAB shows how it is steered, P pauses, R restarts.
"""

import sys

import arcade
import numpy as np

import steersman as sm
from steersman.adapters.arcade import Camera, Sprites, dart, draw_overlay, keys
from steersman.adapters.clock import FrameClock
from steersman.adapters.loading import Loading

SIZE, SPACE, WAVES, PAUSE, FIRE = (960, 640), sm.Torus([96, 64]), (9, 13, 18, 23, 30, 36, 42, 49, 56, 64), 12.0, -1
NIGHT, CYAN, GOLD, RED, GRAY = (13, 16, 28), (120, 220, 240), (246, 201, 84), (240, 98, 82), (74, 80, 98)


class Game:
    """One round: the world, the score and the clock."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.wave, self.score, self.shields, self.hot, self.safe, self.charged, self.due = 0, 0, 5, 0.0, 1.5, 0.0, 0.0
        around = sm.spawn.inside(9, SPACE, obstacles=sm.Spheres([[48, 32]], 12), clearance=2, apart=13, rng=rng)
        self.rocks = sm.Spheres(around, rng.uniform(1.5, 3.6, 9))
        self.ship = sm.Vehicles([[48, 32]], max_speed=22, radius=1.0)
        self.drones = sm.Vehicles(np.zeros((0, 2)), max_speed=14, max_force=34, radius=0.6, response_time=0.15)
        self.shots = sm.Vehicles(np.zeros((0, 2)), max_speed=60, radius=0.3)
        clear = sm.AvoidObstacles(self.rocks, lookahead=0.6)
        flock = 1.4 * sm.Separation(radius=3) + sm.Alignment(radius=8) + 0.9 * sm.Cohesion(radius=10)
        tree = sm.Modes(
            {"roam": sm.Priority([clear, flock + 0.5 * sm.Wander() + 0.25 * sm.Seek(self.ship)]),
             "hunt": sm.Priority([clear, 1.2 * sm.Separation(radius=2.5) + 1.3 * sm.Pursue(self.ship) + 0.3 * flock]),
             "scatter": sm.Priority([clear, sm.Evade(self.ship) + sm.Separation(radius=6)])},
            start="roam",
            transitions=[("roam", "hunt", sm.Near(self.ship, 20)), ("hunt", "roam", ~sm.Near(self.ship, 28)),
                         ("scatter", "roam", sm.After(2.2))],
        )  # fmt: skip
        self.world = sm.World(domain=SPACE, seed=seed, constraints=[sm.ZeroOverlap(self.rocks)])
        self.swarm = self.world.add(self.drones, name="drones", steering=tree)
        self.world.add(self.ship, name="ship")
        self.world.add(self.shots, name="shots", flows=[sm.Sink(older_than=1.0)])
        self.world.on_step(self.after_step)
        self.sparks: list[tuple[float, float, float]] = []  # Places and ages of explosions.

    @property
    def result(self) -> str:
        """How the round ended; "" while it goes on."""
        won = self.wave == len(WAVES) and not len(self.drones)
        return "The swarm has got you" if self.shields <= 0 else "You held out!" if won else ""

    def update(self, dt: float, way: np.ndarray, aim: np.ndarray | None, shock: bool) -> float:
        """Let time pass: the ship is pushed one way, and fires where it aims; returns the part of the next step."""
        now, velocity = self.world.time, self.ship.velocity
        velocity[:] += (70 * way - 2.2 * velocity) * dt
        if aim is not None and self.hot <= now and not self.result:
            self.shots.spawn(self.ship.position + 1.5 * aim, velocity=50 * (aim + self.rng.normal(0, 0.03, 2)))
            self.hot = now + 0.13
        if shock and self.charged <= now:
            sm.set_modes(self.swarm, "scatter", self.away(self.drones)[:, 0] < 24)
            self.charged = now + 6
        return self.world.advance(0.0 if self.result else dt)

    def away(self, vehicles: sm.Vehicles, others: sm.Vehicles | None = None) -> np.ndarray:
        """Distances of vehicles from the ship, or from others, over the seams of the torus, shape (n, m)."""
        target = (self.ship if others is None else others).position
        way = np.abs(vehicles.position[:, None] - target[None])
        return np.asarray(np.linalg.norm(np.minimum(way, SPACE.size - way), axis=2))

    def after_step(self, world: sm.World) -> None:
        """Hits, collisions and the next wave, after every step."""
        hits = self.away(self.drones, self.shots) < 1.1
        rammed = self.away(self.drones)[:, 0] < 1.9  # Bodies touch at 1.6, where ZeroOverlap keeps them.
        lost = rammed | hits.any(axis=1)
        self.sparks += [(x, y, 0.0) for x, y in self.drones.position[lost].tolist()]
        self.score += 10 * self.wave * int((lost & ~rammed).sum())
        if rammed.any() and self.safe <= world.time:
            self.shields, self.safe = self.shields - 1, world.time + 1.6
        self.shots.remove(hits.any(axis=0))
        self.drones.remove(lost)
        clear = not len(self.drones)
        if self.wave < len(WAVES) and (clear or world.time >= self.due):  # Waves do not wait for each other.
            if clear and self.wave:  # In time: a shield more, and points for the seconds that are left.
                self.shields, self.score = min(5, self.shields + 1), self.score + 10 * round(self.due - world.time)
            way = sm.spawn.any_direction(1, speed=34, rng=self.rng)
            places = self.ship.position + way + self.rng.normal(0, 4, (WAVES[self.wave], 2))
            fast = {"max_speed": 8 + 1.28 * self.wave, "velocity": self.rng.normal(0, 4, places.shape)}
            self.drones.spawn(np.mod(places, SPACE.size), **fast)
            self.wave, self.due = self.wave + 1, world.time + PAUSE


class Window(arcade.Window):
    """The window: keys and mouse in, sprites and words out."""

    def __init__(self, visible: bool = True) -> None:
        super().__init__(*SIZE, "Swarm", visible=visible)
        self.held, self.timer, self.tab, self.shock, self.pointer = set[int](), FrameClock(), False, False, (0.0, 0.0)
        self.camera = Camera(SIZE, (48, 32), 10.0)
        self.pictures = [dart(20, (*RED, 255)), arcade.make_circle_texture(7, (*GOLD, 255)), dart(34, (*CYAN, 255))]
        self.stars = np.random.default_rng(2).uniform(0, SIZE, (170, 2)).tolist()
        self.line = arcade.Text("", 16, 610, arcade.color.WHITE, 17)
        self.end = arcade.Text("", 0, 380, GOLD, 30, width=SIZE[0], align="center", multiline=True)
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Begin a round."""
        self.seed, self.game, self.fraction, self.timer.paused = seed, Game(seed), 0.0, False
        kinds = (self.game.drones, self.game.shots, self.game.ship)
        self.lists = [Sprites(each, picture, self.camera) for each, picture in zip(kinds, self.pictures, strict=True)]
        self.loading = Loading(self.game.world, explain=True)

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        """Keys that are held fly and fire; others act once."""
        self.held.add(symbol)
        self.shock |= symbol == arcade.key.B
        self.tab ^= symbol == arcade.key.TAB
        self.timer.paused ^= symbol == arcade.key.P
        if symbol == arcade.key.R:
            self.begin(self.seed + 1)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """A key is held no more."""
        self.held.discard(symbol)

    def on_mouse_motion(self, x: float, y: float, *rest: float) -> None:
        """The mouse aims."""
        self.pointer = x, y

    on_mouse_drag = on_mouse_motion

    def on_mouse_press(self, *about: float) -> None:
        """A button fires until it is released."""
        self.held.add(FIRE)

    def on_mouse_release(self, *about: float) -> None:
        """Also where the press, or another release, was in a different window."""
        self.held.discard(FIRE)

    def on_update(self, delta_time: float) -> None:
        """One frame of the game."""
        if self.loading.done:
            game, aim = self.game, None
            if self.held & {FIRE, arcade.key.SPACE}:
                way = self.camera.meters(self.pointer) - game.ship.position[0]
                aim = way / (0.01 + np.linalg.norm(way)) if FIRE in self.held else game.ship.forward[0]
            dt, shock, self.shock = self.timer.scaled(delta_time), self.shock, False
            self.fraction = game.update(dt, keys(self.held, self.camera), aim, shock)
            older = [(x, y, age + delta_time) for x, y, age in game.sparks]
            game.sparks = [spark for spark in older if spark[2] < 0.5]  # After a slow frame, too.

    def on_draw(self) -> None:
        """Draw everything."""
        self.clear((*NIGHT, 255))
        if not self.loading.done:
            arcade.draw_lbwh_rectangle_filled(280, 310, 400 * self.loading.fraction + 1, 16, GOLD)
            return
        game = self.game
        arcade.draw_points(self.stars, (150, 160, 190), 2)
        centers = self.camera.pixels(game.rocks.center).tolist()
        for place, radius in zip(centers, game.rocks.radius.tolist(), strict=True):
            arcade.draw_circle_filled(*place, 10 * radius, GRAY)
        for sprites in self.lists:
            sprites.follow(game.world.drawn(self.fraction, sprites.vehicles))
            sprites.draw()
        x, y = self.camera.pixels(game.ship.position[0]).tolist()
        if game.safe > game.world.time:
            arcade.draw_circle_outline(x, y, 24, CYAN, 2)
        if (age := game.world.time - game.charged + 6) < 0.5:
            arcade.draw_circle_outline(x, y, 480 * age, GOLD, 3)
        for *place, age in game.sparks:
            arcade.draw_circle_outline(*self.camera.pixels(place), 6 + 60 * age, (*GOLD, int(255 * (1 - age / 0.5))), 2)
        if self.tab and len(game.drones):
            near = game.drones.id[np.argsort(game.away(game.drones)[:, 0])[:2]]
            draw_overlay(self.camera, game.world, near, name="drones", neighbors=3.0)
        words = f"wave {game.wave}/{len(WAVES)}    drones {len(game.drones)}    shields {game.shields}    score {game.score}"
        wait = max(0, game.charged - game.world.time)
        ready = f"in {wait:.0f} s" if wait else "ready"
        self.line.text = f"{words}    time {game.world.time:.0f}    shock wave {ready}"
        self.line.draw()
        if game.result or self.timer.paused:
            arcade.draw_lbwh_rectangle_filled(0, 0, *SIZE, (*NIGHT, 170))
            self.end.text = f"{game.result or 'Pause'}\nscore {game.score}\n\nR: again    P: go on"
            self.end.draw()


def main(frames: int = 0) -> Window:
    """Play until the window is closed, or for some frames."""
    window = Window(visible=not frames)
    for _ in range(frames):
        window.on_update(1 / 60)
        window.on_draw()
    if not frames:
        arcade.run()
    return window


if __name__ == "__main__":
    print(main(int(sys.argv[2]) if "--frames" in sys.argv else 0).game.score, "points")
