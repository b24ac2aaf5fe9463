"""Vehicles in pygame-ce: sprites where the vehicles are, collisions, obstacles, the overlay."""

import math
from collections import defaultdict

import numpy as np
import pytest

import steersman as sm

pygame = pytest.importorskip("pygame")
if not getattr(pygame, "IS_CE", False):
    pytest.skip("pygame is there, and pygame-ce is needed", allow_module_level=True)

from steersman.adapters.camera import Camera  # noqa: E402
from steersman.adapters.pygame import Sprites, _fill, _stroke, boxes, dart, draw_overlay, keys, mouse, walls  # noqa: E402

CAMERA = Camera((400, 200), center=(20, 10), scale=10)


def half_red(size=(20, 6), faces=0):
    """An image whose end to where it faces [degrees] is red."""
    image = pygame.Surface(size, pygame.SRCALPHA)
    image.fill((0, 0, 255))
    image.fill((255, 0, 0), (size[0] // 2, 0, size[0] // 2, size[1]))
    return pygame.transform.rotate(image, faces)


@pytest.mark.parametrize(("faces", "off", "steps"), [(0, 0, 120), (90, 0, 120), (-90, 0.7, 4), (180, -0.7, 4)])
def test_sprites_are_where_the_vehicles_are_and_turned_like_them(screen, faces, off, steps):
    """With four steps to the quarter of a turn that is nearest."""
    angles = off + np.array([0, math.pi / 2, math.pi, -math.pi / 2])
    vehicles = sm.Vehicles([[5, 5], [15, 5], [25, 5], [35, 5]], heading=angles)
    sprites = Sprites(vehicles, half_red(faces=faces), CAMERA, faces=faces, steps=steps)
    sprites.draw(screen)
    for center, way in zip(CAMERA.pixels(vehicles.position), [(1, 0), (0, -1), (-1, 0), (0, 1)], strict=True):
        ahead, behind = center + np.multiply(way, 7), center - np.multiply(way, 7)
        assert screen.get_at(ahead.astype(int).tolist())[:3] == (255, 0, 0)
        assert screen.get_at(behind.astype(int).tolist())[:3] == (0, 0, 255)


def test_images_are_chosen_and_faces_count(screen):
    images = [pygame.Surface((10, 10)), pygame.Surface((10, 10))]
    images[0].fill("green"), images[1].fill("white")
    vehicles = sm.Vehicles([[5, 5], [15, 5]])
    sprites = Sprites(vehicles, images, CAMERA, faces=90)
    sprites.update(kind=[1, 0])
    sprites.draw(screen)
    assert [screen.get_at(at)[:3] for at in [(50, 150), (150, 150)]] == [(255, 255, 255), (0, 255, 0)]
    for change in (lambda: vehicles.remove(1), lambda: vehicles.spawn([[15, 5], [25, 5]])):
        change()  # Until the kinds of all are told again, all have the first image.
        sprites.draw(screen)
        assert screen.get_at((50, 150))[:3] == (0, 255, 0)


def test_a_dart_faces_right_and_may_have_a_rim(screen):
    plain, rimmed = (pygame.surfarray.array3d(dart(40, "white", edge)) for edge in (None, "red"))
    tail, nose = plain.any(axis=(1, 2)).nonzero()[0][[0, -1]]
    assert nose - tail == pytest.approx(40, abs=8)
    assert plain[nose - 6 :].any(axis=2).sum() < plain[: tail + 6].any(axis=2).sum()
    assert (np.ptp(plain, axis=2) == 0).all()
    assert (np.ptp(rimmed, axis=2) > 100).sum() > 40


def test_sprites_come_and_go_with_vehicles(screen):
    vehicles = sm.Vehicles(np.zeros((3, 2)))
    sprites = Sprites(vehicles, dart(12, "white"), CAMERA)
    kept = sprites.sprites()[2]
    vehicles.remove(0)
    vehicles.spawn([[4, 4]])
    sprites.update()
    assert [each.id for each in sprites] == vehicles.id.tolist() == [1, 2, 3]
    assert sprites.sprites()[1] is kept
    assert len(sprites) == 3
    kept.kill()
    assert vehicles.id.tolist() == [1, 3]
    sprites.draw(screen)
    assert not sprites.has(kept)


def test_groups_collide_and_kill_vehicles(screen):
    prey = sm.Vehicles([[5, 5], [15, 5], [25, 5]])
    shots = sm.Vehicles([[15.2, 5.1], [39, 19]])
    hit = pygame.sprite.groupcollide(
        Sprites(prey, dart(12, "white"), CAMERA), Sprites(shots, dart(6, "red"), CAMERA), True, True
    )
    assert [each.id for each in hit] == [1]
    assert (prey.id.tolist(), shots.id.tolist()) == ([0, 2], [1])


def test_a_pose_between_two_steps_is_drawn(screen):
    world = sm.World(dt=1.0)
    vehicles = sm.Vehicles([[0, 10]], [[10, 0]], max_speed=20)
    world.add(vehicles)
    sprites = Sprites(vehicles, dart(12, "white"), CAMERA)
    world.drawn(0)
    world.step()
    sprites.update(world.drawn(0.5))
    assert sprites.sprite_of(0).rect.center == pytest.approx(CAMERA.pixels([5, 10]).tolist())


def test_input_is_in_meters(screen):
    pygame.mouse.set_pos(200, 0)
    pygame.event.pump()
    assert mouse(CAMERA).tolist() in ([20, 20], CAMERA.meters(pygame.mouse.get_pos()).tolist())
    assert keys(CAMERA).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("held", "way"),
    [
        (["K_UP"], (0, 1)), (["K_w"], (0, 1)), (["K_DOWN"], (0, -1)), (["K_s"], (0, -1)), (["K_LEFT"], (-1, 0)),
        (["K_a"], (-1, 0)), (["K_RIGHT"], (1, 0)), (["K_d"], (1, 0)), (["K_LEFT", "K_RIGHT"], (0, 0)),
    ],
)  # fmt: skip
def test_keys_lead_where_they_point(monkeypatch, held, way):
    pressed = defaultdict(bool, {getattr(pygame, key): True for key in held})
    monkeypatch.setattr(pygame.key, "get_pressed", lambda: pressed)  # There is no keyboard.
    assert keys(CAMERA).tolist() == list(way)


def test_rects_sprites_and_masks_are_obstacles(screen):
    rocks = boxes([pygame.Rect(100, 50, 40, 20)], CAMERA)
    assert rocks.center.tolist() == [CAMERA.meters([120, 60]).tolist()] == [[12, 14]]
    assert rocks.size.tolist() == [[2, 1]]
    sprites = Sprites(sm.Vehicles([[5, 5]]), half_red(), CAMERA)
    assert np.allclose(boxes(sprites, CAMERA).center, [[5, 5]])
    picture = pygame.Surface((100, 100), pygame.SRCALPHA)
    pygame.draw.circle(picture, "white", (50, 50), 30)
    round_ = walls(pygame.mask.from_surface(picture), CAMERA, at=(150, 50))
    corners = np.concatenate([np.atleast_2d(each) for each in round_.points])
    assert np.linalg.norm(corners - CAMERA.meters([200, 100]), axis=-1) == pytest.approx(3, abs=0.2)
    assert (round_.closed, round_.seen_from) == ((True,), "outside")
    rough = walls(pygame.mask.from_surface(picture), CAMERA, every=16)
    assert len(rough) == pytest.approx(len(round_) / 4, abs=1)
    for size, every in (((3, 5), 4), ((4, 4), 16)):  # Of 15 pixels; of one corner.
        with pytest.raises(ValueError, match="mask must"):
            walls(pygame.Mask(size, fill=True), CAMERA, every=every)


def test_the_overlay_shows_the_sketch_of_the_library(screen):
    goal = [30, 15]
    one = sm.Vehicles([[10, 5], [12, 6]], velocity=[3, 0], max_speed=4, max_force=9)
    controller = sm.Controller(one, sm.Modes({"going": sm.Seek(goal)}, start="going"))
    draw_overlay(screen, CAMERA, controller, [0, 77], neighbors=4.0)
    seen = pygame.surfarray.array3d(screen).any(axis=2)
    x, y = CAMERA.pixels(goal).astype(int)
    assert seen[x - 6 : x + 7, y - 6 : y + 7].any()  # The cross at the goal.
    assert seen[100:140, 140:170].sum() > 100
    screen.fill("black")
    draw_overlay(screen, CAMERA, controller, [77])
    assert not pygame.surfarray.array3d(screen).any()


def test_lines_are_as_thick_as_they_are_told(screen):
    """A thin slanted one is smoothed: it has shades between black and white."""
    for width in (1.0, 3.0, 6.0):
        screen.fill("black")
        _stroke(screen, np.array([[100.0, 50], [200, 60]]), (255, 255, 255, 255), width)
        seen = pygame.surfarray.array3d(screen)[:, :, 0]
        assert seen[150].sum() / 255 == pytest.approx(width, abs=0.6)
        assert (len(np.unique(seen)) > 2) == (width == 1.0)


def test_areas_that_are_seen_through_are_where_they_should_be(screen):
    """Half white is gray; what is outside of the window is cut off."""
    _fill(screen, np.array([[350.0, 20], [450, 20], [450, 60], [350, 60]]), (255, 255, 255, 128))
    seen = pygame.surfarray.array3d(screen)[:, :, 0]
    assert set(np.unique(seen)) <= {0, 127, 128, 129}
    assert [edge.tolist() for edge in np.nonzero(seen)] == [
        np.repeat(range(350, 400), 41).tolist(),
        [*range(20, 61)] * 50,
    ]
