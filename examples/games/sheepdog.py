"""Sheepdog: bring 36 sheep into the pen before the sun sets, and keep the wolf away. Needs pygame-ce.

Arrows or WASD run, or hold the mouse; SPACE barks, TAB shows how the sheep near the dog are steered, P pauses, R begins anew.
`python examples/games/sheepdog.py --frames 600` ends after so many frames.
"""

import sys
from collections.abc import Callable

import numpy as np
import pygame

import steersman as sm
from steersman.adapters.camera import Camera
from steersman.adapters.clock import FrameClock
from steersman.adapters.loading import Loading
from steersman.adapters.pygame import Sprites, draw_overlay, keys, mouse

SIZE, MEADOW, SECONDS, MEALS = (960, 640), sm.Box([94, 58], [1, 1]), 120.0, 3
PEN, GATE = sm.Box([18, 16], [77, 1]), sm.Box([26, 16], [69, 1])
FENCE = sm.Walls([[95, 17], [77, 17], [77, 14]])
INK, PAPER, GOLD = (24, 34, 28), (250, 247, 236), (246, 201, 84)


class Game:
    """One round: the world, the score and the clock."""

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        trees = sm.Spheres(sm.spawn.inside(11, sm.Box([60, 50], [6, 5]), apart=9, rng=rng), rng.uniform(1.2, 2.4, 11))
        things = [trees, FENCE]
        self.trees, self.rng, self.time, self.penned, self.eaten, self.bark = trees, rng, SECONDS, 0, 0, 0.0
        start = sm.spawn.inside(36, sm.Box([28, 28], [12, 18]), obstacles=trees, clearance=1.5, apart=1.6, rng=rng)
        self.sheep = sm.Vehicles(start, max_speed=6.5, max_force=22, response_time=0.2, radius=0.7)
        self.dog = sm.Vehicles([[62, 12]], heading=np.pi, max_speed=15, radius=0.8)
        self.wolf = sm.Vehicles(np.zeros((0, 2)), max_speed=8.5, max_force=30, radius=0.9)
        clear = sm.AvoidObstacles(things, lookahead=0.7)
        herd = 0.7 * sm.Separation(radius=2.2) + 1.6 * sm.Cohesion(radius=25) + 0.5 * sm.Alignment(radius=7)
        away = 2.2 * sm.Evade(self.dog, panic_distance=13) + 2 * sm.Evade(self.wolf, panic_distance=10)
        stroll = 0.5 * sm.Separation(radius=2.5) + 0.15 * sm.Wander("turn", speed=0.8, rate=2)
        stroll += 0.06 * sm.Cohesion(radius=30)
        brave = sm.Modes(
            {
                "graze": sm.Priority([clear, stroll]),
                "run": sm.Priority([clear, away + herd]),
                "home": sm.Priority([sm.AvoidObstacles(FENCE), sm.Contain(PEN), stroll]),
            },
            start="graze",
            transitions=[
                (["graze", "run"], "home", sm.Where(lambda sheep: GATE.inside(sheep.position))),
                ("graze", "run", sm.Near(self.dog, 10) | sm.Near(self.wolf, 8)),
                ("run", "graze", sm.After(0.8) & ~sm.Near(self.dog, 13)),
            ],
        )
        self.world = sm.World(domain=MEADOW, seed=seed, constraints=[sm.ZeroOverlap(things)])
        self.flock = self.world.add(self.sheep, name="sheep", steering=brave)
        self.world.add(self.dog, name="dog")
        hunt = sm.Priority([clear, sm.Evade(self.dog, panic_distance=8), sm.Pursue(self.sheep)])
        self.world.add(self.wolf, name="wolf", steering=hunt)
        self.world.on_step(self.after_step)
        self.world.on_step(self.wolf_comes, sm.EverySeconds(12))

    @property
    def result(self) -> str:
        """How the round ended; "" while it goes on."""
        if self.eaten >= MEALS:
            return "The wolf has eaten too many"
        return "All sheep are home!" if self.penned == len(self.sheep) else "" if self.time > 0 else "The sun has set"

    @property
    def score(self) -> int:
        """Ten for each sheep in the pen, and for the time that is left when all are."""
        return 10 * self.penned + (int(3 * self.time) if self.penned == len(self.sheep) else 0)

    def update(self, dt: float, way: np.ndarray, barks: bool = False) -> float:
        """Let time pass: the dog runs one way; returns the part of the next step, for drawing."""
        self.dog.velocity[:] += (15 * way - self.dog.velocity) * min(1.0, 9 * dt)
        if barks and self.bark <= 0:
            near = np.linalg.norm(self.sheep.position - self.dog.position, axis=1) < 22
            sm.set_modes(self.flock, "run", near & (sm.modes_of(self.flock) == "graze"))
            self.wolf.velocity[:] *= -1
            self.bark = 1.5
        return self.world.advance(0.0 if self.result else dt)

    def wolf_comes(self, world: sm.World) -> None:
        """A wolf at the left edge, unless there is one."""
        if not len(self.wolf):
            self.wolf.spawn([[1, self.rng.uniform(10, 50)]])

    def after_step(self, world: sm.World) -> None:
        """The clock, the pen, and the wolf's meal, after every step."""
        self.time, self.bark = max(0.0, self.time - world.dt), self.bark - world.dt
        home = PEN.inside(self.sheep.position)
        self.penned = int(home.sum())
        if len(self.wolf) and len(self.sheep):
            close = ~home & (np.linalg.norm(self.sheep.position - self.wolf.position[0], axis=1) < 1.8)
            if close.any():
                self.sheep.remove(self.sheep.id[close][:1])
                self.eaten += 1
                self.wolf.remove(self.wolf.id)  # It carries its prey away, and comes again.


def animal(length: int, fleece: str, face: str) -> pygame.Surface:
    """A picture of an animal from above that looks to the right."""
    image = pygame.Surface((4 * length, 4 * length), pygame.SRCALPHA)
    body, wool, head = (0.1, 0.3, 0.62, 0.4, fleece), (0.16, 0.27, 0.5, 0.46, fleece), (0.62, 0.37, 0.26, 0.26, face)
    for x, y, w, h, color in (body, wool, head):
        pygame.draw.ellipse(image, color, [each * 4 * length for each in (x, y, w, h)])
    return pygame.transform.smoothscale(image, (length, length))


def meadow(game: Game, camera: Camera) -> pygame.Surface:
    """The picture behind everything: grass, trees, the pen."""
    picture, rng = pygame.Surface(SIZE), np.random.default_rng(5)
    picture.fill((104, 148, 82))
    for x, y in rng.uniform(0, SIZE, (2600, 2)).tolist():
        pygame.draw.line(picture, rng.choice([(92, 136, 72), (118, 162, 94)]).tolist(), (x, y), (x + 2, y - 5))
    corner, far = camera.pixels([[77, 17], [96, 0]])
    pygame.draw.rect(picture, (150, 138, 92), (*corner, *(far - corner)))
    pygame.draw.lines(picture, (92, 62, 36), False, camera.pixels(FENCE.points).reshape(-1, 2).tolist(), 6)
    for center, radius in zip(camera.pixels(game.trees.center).tolist(), game.trees.radius.tolist(), strict=True):
        for shade, part, at in (((60, 92, 52), 1.25, 5), ((40, 84, 48), 1.15, 0), ((58, 108, 60), 0.75, -3)):
            pygame.draw.circle(picture, shade, (center[0] + at, center[1] + at), part * 10 * radius)
    return picture


def followers(game: Game, camera: Camera) -> list[Sprites]:
    """Groups of sprites: the sheep, the dog, the wolf."""
    pictures = animal(26, "#F5F2E6", "#3A3A3C"), animal(30, "#22262B", "#E8E4DA"), animal(34, "#6C7078", "#4A4D55")
    return [Sprites(each, p, camera) for each, p in zip((game.sheep, game.dog, game.wolf), pictures, strict=True)]


def hud(screen: pygame.Surface, game: Game, paused: bool) -> None:
    """Score and time, and the words at the end."""
    pygame.draw.rect(screen, INK, (0, 0, SIZE[0], 40))
    words = f"home {game.penned}/{len(game.sheep)}     eaten {game.eaten}/{MEALS}"
    words += f"     score {game.score}     time {game.time:.0f}"
    screen.blit(pygame.font.Font(None, 30).render(words, True, PAPER), (16, 10))
    pygame.draw.rect(screen, GOLD, (SIZE[0] - 266, 14, 250 * game.time / SECONDS, 12), border_radius=6)
    if game.result or paused:
        shade = pygame.Surface(SIZE, pygame.SRCALPHA)
        shade.fill((*INK, 150))
        screen.blit(shade, (0, 0))
        lines = [game.result or "Pause", f"score {game.score}", "R: again    P: go on    Esc: leave"]
        for line, size, y in zip(lines, (72, 48, 30), (230, 310, 370), strict=True):
            text = pygame.font.Font(None, size).render(line, True, GOLD if size == 72 else PAPER)
            screen.blit(text, text.get_rect(center=(SIZE[0] / 2, y)))


def main(frames: int = 0, seed: int = 0, run: Callable[[Game], np.ndarray] | None = None) -> Game:
    """Play until the window is closed, or for some frames, while a function says which way the dog runs."""
    pygame.init()
    screen, clock, ticker = pygame.display.set_mode(SIZE), FrameClock(), pygame.time.Clock()
    pygame.display.set_caption("Sheepdog")
    camera, game, tab = Camera(SIZE, (48, 32), 10.0), Game(seed), False
    loading = Loading(game.world, explain=True)
    while not loading.done:
        screen.fill(INK)
        pygame.draw.rect(screen, GOLD, (280, 310, 400 * loading.fraction, 20), border_radius=8)
        pygame.event.pump()
        pygame.display.flip()
        ticker.tick(30)
    back, drawn, groups = meadow(game, camera), 0, followers(game, camera)
    while not frames or drawn < frames:
        barks = False
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                return game
            if event.type == pygame.KEYDOWN:
                barks |= event.key == pygame.K_SPACE
                tab ^= event.key == pygame.K_TAB
                clock.paused ^= event.key == pygame.K_p
                if event.key == pygame.K_r:
                    game, seed, clock.paused = Game(seed + 1), seed + 1, False
                    back, groups = meadow(game, camera), followers(game, camera)
        way = keys(camera) if run is None else run(game)
        if pygame.mouse.get_pressed()[0]:
            toward = mouse(camera) - game.dog.position[0]
            way = toward / max(np.linalg.norm(toward), 2.0)
        fraction = game.update(1 / 60 if frames else clock.tick(), way, barks)
        screen.blit(back, (0, 0))
        for sprites in groups:
            sprites.update(game.world.drawn(fraction, sprites.vehicles))
            sprites.draw(screen)
        if game.bark > 0.9:
            pygame.draw.circle(screen, PAPER, camera.pixels(game.dog.position[0]).tolist(), 400 * (1.5 - game.bark), 2)
        if tab and len(game.sheep):
            near = np.argsort(np.linalg.norm(game.sheep.position - game.dog.position, axis=1))[:3]
            draw_overlay(screen, camera, game.world, game.sheep.id[near], name="sheep", neighbors=4.0)
        hud(screen, game, clock.paused)
        pygame.display.flip()
        ticker.tick(0 if frames else 60)
        drawn += 1
    return game


if __name__ == "__main__":
    played = main(int(sys.argv[2]) if "--frames" in sys.argv else 0)
    print(f"{played.penned} sheep are home, {played.eaten} eaten, {played.time:.0f} s left: {played.score} points")
