"""The games of examples/games run without a screen, are won and lost, take keys, and show a picture."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from loading import module_of

import steersman as sm

GAMES = Path(__file__).parents[2] / "examples" / "games"
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
if not (os.environ.get("DISPLAY") or sys.platform in ("win32", "darwin")):
    os.environ.setdefault("ARCADE_HEADLESS", "True")


def game(name):
    return module_of(GAMES / f"{name}.py")


@pytest.fixture(scope="module")
def sheepdog():
    pytest.importorskip("pygame")
    return game("sheepdog")


@pytest.fixture(scope="module")
def swarm():
    pytest.importorskip("arcade")
    return game("swarm")


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.py")), ids=lambda path: path.stem)
def test_games_are_short(path):
    assert len(path.read_text("utf-8").splitlines()) <= 200


def drive(game):
    """The way of a dog: behind the herd, or behind the sheep that strays from it (Strombom et al. 2014)."""
    loose = game.sheep.position[sm.modes_of(game.flock) != "home"]
    if not len(loose):
        return np.zeros(2)
    herd = np.median(loose, axis=0)
    apart = np.linalg.norm(loose - herd, axis=1)
    last, goal = (loose[np.argmax(apart)], herd) if apart.max() > 14 else (herd, np.array([78.0, 9.0]))
    way = last + 7 * (last - goal) / np.linalg.norm(last - goal) - game.dog.position[0]
    return way / max(np.linalg.norm(way), 3.0)


def test_a_dog_that_is_led_brings_sheep_home(sheepdog):
    played = sheepdog.Game(seed=0)
    herd = played.sheep.position
    played.sheep.position = [62, 12] + 0.5 * (herd - herd.mean(axis=0))  # Half the way is done.
    played.dog.position = [46, 14]
    while not played.result and played.penned < 1:
        played.update(1 / 30, drive(played))
    assert played.penned >= 1
    assert played.score >= 10 * played.penned
    assert len(played.sheep) + played.eaten == 36


def test_a_dog_that_rests_loses(sheepdog):
    played = sheepdog.Game(seed=1)
    played.time = 4.0
    while not played.result:
        played.update(0.1, np.zeros(2))
    assert played.result == "The sun has set"
    time = played.time
    played.update(0.1, np.zeros(2))
    assert played.time == time


def test_a_dog_that_leaves_the_sheep_alone_loses_them_to_the_wolf(sheepdog):
    played = sheepdog.Game(seed=1)
    played.world.dt = 0.1
    while not played.result:
        played.update(0.5, np.zeros(2))
    assert played.result == "The wolf has eaten too many"
    assert len(played.sheep) == 33


def test_the_sheepdog_is_drawn_and_takes_keys(sheepdog):
    import pygame

    seen, barked = [], []

    def play(game):
        seen.append(game)
        if len(seen) == 20:
            for key in (pygame.K_SPACE, pygame.K_TAB):
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
        if len(seen) == 22:
            barked.append(game.bark)
        if len(seen) == 30:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_r))
        if len(seen) == 40:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE))
        return np.array([-1.0, 0.0])

    last = sheepdog.main(frames=60, run=play)
    assert len(seen) == 40  # Escape has ended it.
    assert seen[0] is not last
    assert barked[0] > 0
    assert seen[0].dog.position[0, 0] < 61
    picture = pygame.surfarray.array3d(pygame.display.get_surface())
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    pygame.quit()


def flown(window):
    """Fly around the nearest drone, by the keys and the mouse."""
    from arcade import key

    game = window.game
    if len(game.drones):
        way = sm.Torus([96, 64]).difference(game.drones.position, game.ship.position)
        nearest = way[np.argmin(np.linalg.norm(way, axis=1))]
        away = -nearest + 0.8 * np.array([-nearest[1], nearest[0]])
        window.held = {key.D if away[0] > 0 else key.A, key.W if away[1] > 0 else key.S, -1}
        window.on_mouse_motion(*window.camera.pixels(game.ship.position[0] + nearest), 0, 0)
        if game.shields < 4:
            window.on_key_press(key.B, 0)


def test_the_swarm_is_fought_by_keys_and_drawn(swarm):
    import arcade

    try:
        arcade.Window(100, 100, visible=False).close()
    except Exception as error:  # Neither of a card nor of Mesa.
        pytest.skip(f"there is no OpenGL: {error}")
    window = swarm.main(frames=1)
    window.loading.wait()
    for frame in range(150):
        flown(window)
        window.on_update(1 / 60)
        if frame == 140:
            window.on_key_press(arcade.key.TAB, 0)
        if frame in (60, 145):
            window.on_draw()
    played = window.game
    assert played.score >= 10
    assert np.linalg.norm(played.ship.velocity) > 1
    picture = np.asarray(arcade.get_image())
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 50
    played.sparks = [(48.0, 32.0, 0.39), (50.0, 32.0, 0.1)]
    window.on_update(0.2)  # A slow frame: a spark that is too old is not drawn.
    window.on_draw()
    assert all(age < 0.5 for *_, age in played.sparks)
    window.on_key_press(arcade.key.P, 0)
    window.on_key_press(arcade.key.R, 0)
    window.loading.wait()
    assert window.game is not played
    assert not window.timer.paused  # A new round runs, also after a pause.
    window.held = set()
    window.on_mouse_release()  # Of a press in another window.
    assert not window.held
    window.on_mouse_press()
    window.on_mouse_release()
    assert not window.held
    window.close()


def test_the_swarm_wins_and_loses(swarm):
    still = swarm.Game(seed=1)
    still.shields = 1
    while not still.result:
        still.update(0.12, np.zeros(2), None, False)
    assert still.result == "The swarm has got you"
    brave = swarm.Game(seed=1)
    while not brave.result and brave.world.time < 300:
        brave.update(0.05, np.zeros(2), None, False)
        brave.drones.remove(brave.drones.id[:30])
    assert brave.result == "You held out!"
    assert brave.wave == len(swarm.WAVES)
    assert brave.score >= 100 * (len(swarm.WAVES) - 1)  # For the seconds that were left of each wave.


def test_the_waves_grow_and_do_not_wait(swarm):
    game = swarm.Game(seed=1)
    sizes, speeds = [], []
    while game.wave < 3:
        game.safe = game.world.time + 9  # Nothing can hit the ship.
        game.drones.position = [78.0, 62.0]  # None comes near.
        wave, before = game.wave, len(game.drones)
        game.update(0.1, np.zeros(2), None, False)
        if game.wave > wave:
            sizes.append(len(game.drones) - before)
            speeds.append(game.drones.max_speed.max())
    assert tuple(sizes) == swarm.WAVES[:3]
    assert speeds == sorted(set(speeds))
    assert game.world.time == pytest.approx(2 * swarm.PAUSE, abs=1)
    game.shields = 2
    game.drones.remove(game.drones.id)
    game.update(0.1, np.zeros(2), None, False)
    assert game.wave == 4
    assert game.shields == 3  # A wave that is cleared in time gives a shield back.
    assert game.score > 0
    drone = game.drones.id[0]
    score, game.safe = game.score, 0.0
    game.drones.position[0] = game.ship.position[0]
    game.update(0.05, np.zeros(2), None, False)
    assert drone not in game.drones.id
    assert game.score == score  # Ramming gives no points.
    assert game.shields == 2
