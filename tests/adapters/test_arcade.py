"""Vehicles in arcade: sprites where the vehicles are, collisions, obstacles, the overlay."""

import math

import numpy as np
import pytest
from later import later

import steersman as sm

arcade, adapter = later("arcade"), later("steersman.adapters.arcade")

RED, BLUE = (255, 0, 0), (0, 0, 255)


def half_red(faces=0):
    """A texture whose end to where it faces [degrees] is red."""
    image = pytest.importorskip("PIL.Image").new("RGBA", (20, 6), (*BLUE, 255))
    image.paste((*RED, 255), (10, 0, 20, 6))
    return arcade.Texture(image.rotate(faces, expand=True))


@pytest.fixture
def camera():
    return adapter.Camera((400, 200), center=(20, 10), scale=10)


def pixel(x, y):
    return arcade.get_pixel(int(x), int(y))[:3]


@pytest.mark.parametrize(("faces", "scale", "flip"), [(0, 1, False), (90, 2, False), (-90, 1, True)])
def test_sprites_are_where_the_vehicles_are_and_turned_like_them(window, faces, scale, flip):
    camera = adapter.Camera((400, 200), center=(20, 10), scale=10, flip=flip)
    angles = [0, math.pi / 2, math.pi, -math.pi / 2]
    vehicles = sm.Vehicles([[5, 5], [15, 5], [25, 5], [35, 5]], heading=angles)
    sprites = adapter.Sprites(vehicles, half_red(faces), camera, faces=faces, scale=scale)
    window.clear()
    sprites.draw()
    up = -1 if flip else 1
    for center, way in zip(camera.pixels(vehicles.position), [(1, 0), (0, up), (-1, 0), (0, -up)], strict=True):
        assert pixel(*(center + np.multiply(way, 7 * scale))) == RED
        assert pixel(*(center - np.multiply(way, 7 * scale))) == BLUE
        assert pixel(*(center + np.multiply(way, 13 * scale))) == (0, 0, 0)


def test_sprites_come_and_go_with_vehicles(window, camera):
    vehicles = sm.Vehicles([[5, 5], [15, 5], [25, 5]])
    sprites = adapter.Sprites(vehicles, adapter.dart(12, (255, 255, 255, 255)), camera)
    vehicles.remove(0)
    vehicles.spawn([[30, 15]])
    sprites.follow()
    window.clear()
    sprites.draw()
    assert len(sprites) == 3
    assert pixel(*camera.pixels([30, 15])) > (240, 240, 240)
    assert pixel(*camera.pixels([5, 5])) == (0, 0, 0)
    sprites.sprite_of(2).kill()
    assert vehicles.id.tolist() == [1, 3]
    vehicles.remove([1, 3])
    sprites.follow()
    sprites.draw()
    assert len(sprites) == 0


def test_a_population_may_be_empty_at_the_beginning(window, camera):
    vehicles = sm.Vehicles(np.zeros((0, 2)))
    sprites = adapter.Sprites(vehicles, adapter.dart(12, (255, 255, 255, 255)), camera)
    sprites.draw()
    vehicles.spawn([[30, 15]])
    sprites.follow()
    window.clear()
    sprites.draw()
    assert pixel(*camera.pixels([30, 15])) > (240, 240, 240)


def test_settled_sprites_collide(window, camera):
    prey = sm.Vehicles([[5, 5], [15, 5], [25, 5]])
    sprites = adapter.Sprites(prey, half_red(), camera)
    prey.position[:] += [1, 2]
    sprites.follow()
    sprites.settle()
    shot = arcade.SpriteSolidColor(4, 4, *camera.pixels([16, 7]), arcade.color.WHITE)
    assert [each.id for each in arcade.check_for_collision_with_list(shot, sprites)] == [1]


def test_keys_are_directions(camera):
    held = {arcade.key.UP, arcade.key.D}
    assert adapter.keys(held, camera) == pytest.approx([math.sqrt(0.5)] * 2)
    for some, way in (("LEFT A", (-1, 0)), ("RIGHT D", (1, 0)), ("UP W", (0, 1)), ("DOWN S", (0, -1))):
        for key in some.split():
            assert adapter.keys({getattr(arcade.key, key)}, camera).tolist() == list(way)
    assert adapter.keys(set(), camera).tolist() == [0, 0]


@pytest.mark.parametrize("flip", [False, True])
def test_sprites_are_obstacles(window, flip):
    """By 30 degrees clockwise, as the window shows them."""
    camera = adapter.Camera((400, 200), center=(20, 10), scale=10, flip=flip)
    wall = arcade.SpriteSolidColor(40, 20, 120, 60, arcade.color.WHITE, angle=30)
    rocks = adapter.boxes([wall], camera)
    assert rocks.center.tolist() == [[12, 14 if flip else 6]]
    nose = camera.pixels(rocks.corners[0]) - (120, 60)
    along = np.array([math.cos(math.radians(30)), -math.sin(math.radians(30))])
    assert np.sort(np.abs(nose @ along)) == pytest.approx([20] * 4, abs=1e-4)


def test_the_overlay_shows_the_sketch_of_the_library(window, camera):
    one = sm.Vehicles([[10, 5]], velocity=[3, 0], max_speed=4, max_force=9)
    controller = sm.Controller(one, sm.Modes({"going": sm.Seek([30, 15])}, start="going"))
    window.clear()
    adapter.draw_overlay(camera, controller, 0)
    seen = np.asarray(arcade.get_image())[::-1, :, :3].any(axis=2).T  # x, y from below
    assert seen[294:307, 144:157].any()
    assert seen[100:140, 30:60].sum() > 60
    assert {word.anchor_y for word in adapter._WORDS.values()} == {"center"}


def test_round_fills_and_hollow_ones_cover_what_they_should(window):
    angle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    circle = 40 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + [100, 100]
    hollow = [[280, 140], [240, 80], [200, 140], [200, 60], [280, 60]]  # Not convex: a bay from above.
    window.clear()
    adapter._fill(circle.tolist(), (255, 0, 0, 255))
    adapter._fill(hollow, (255, 0, 0, 255))
    assert [pixel(*each) for each in ((100, 100), (100, 137), (70, 75), (240, 70), (205, 120))] == [RED] * 5
    assert [pixel(*each) for each in ((100, 145), (66, 66), (240, 110))] == [(0, 0, 0)] * 3
