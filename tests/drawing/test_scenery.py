"""Scenery in pictures: every kind of thing is seen where it is."""

import matplotlib.colors
import matplotlib.image
import numpy as np
import pytest
from contract.families import with_own

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.elements import Areas, Arrows, View
from steersman.drawing.extent import corners_of
from steersman.drawing.palette import WHEEL, rgb
from steersman.drawing.scenery_flat import in_plane, softened
from steersman.drawing.scenery_solid import CORNERS, EDGES, SIDES, capsule, in_space, sheet_triangles
from steersman.runs.documents.scenery import SECTIONS

FLAT = {
    "spheres": lambda: sm.Spheres([[30, 30]], 8),
    "tank": lambda: sm.Spheres([[30, 30]], 12, seen_from="inside"),
    "boxes": lambda: sm.Boxes([[30, 30]], [[9, 5]], 0.4),
    "capsules": lambda: sm.Capsules([[20, 30]], [[40, 32]], 4),
    "path": lambda: sm.Path([[10, 30], [30, 30], [38, 44]], radius=4),
    "point path": lambda: sm.Path([[30, 30]], radius=6),
    "region box": lambda: sm.Box([30, 20], [15, 20]),
    "region sphere": lambda: sm.Sphere([30, 30], 12),
    "walls": lambda: sm.Walls([[12, 12], [30, 12], [40, 40]]),
    "ring": lambda: sm.Walls([[[12, 12], [40, 12], [40, 40], [12, 40]], [[20, 20], [30, 20], [25, 30]]], closed=True),
    "resources": lambda: sm.Resources([[20, 30], [30, 30], [40, 20]], [3, 1, 0]),
    "polygon": lambda: sm.Polygon([[12, 12], [45, 15], [30, 46]]),
    "grid of routes": lambda: sm.RouteGrid(region=sm.Box([30, 20], [12, 15]), clearance=1.0, spacing=1.5),
    "mesh of routes": lambda: sm.NavMesh.around(region=sm.Box([30, 20], [12, 15]), clearance=1.0),
    "field": lambda: sm.FlowField.function(lambda p: np.where((p < 50).all(axis=1, keepdims=True), [[1.0, 0.0]], 0.0)),
}
"""Things in the lower left of a world of 100 x 100 m."""

ADDED = with_own("OBSTACLES", {})
FLAT |= {name: lambda each=each: each for name, each in ADDED.items() if each.dimensions == 2}


VIEW = View(np.zeros(2), np.full(2, 9.0), sm.Open())


def pixels(tmp_path, scenery, dimensions=2, domain=None):
    world = sm.World(domain=domain or sm.Box([100.0] * dimensions))
    world.add(sm.Vehicles([80.0] * dimensions), name="a")
    sm.draw(world, tmp_path / "p.png", scenery=scenery)
    return matplotlib.image.imread(tmp_path / "p.png")[:, :, :3]


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    return pixels(tmp_path_factory.mktemp("empty"), [])


@pytest.mark.parametrize("name", FLAT)
def test_a_thing_is_seen_where_it_is(tmp_path, empty, name):
    changed = np.any(np.abs(pixels(tmp_path, [FLAT[name]()]) - empty) > 0.01, axis=2)
    rows, columns = np.nonzero(changed)
    height, width = changed.shape
    assert len(rows) > 300
    assert rows.min() > 0.4 * height
    assert columns.max() < 0.6 * width


@pytest.mark.parametrize("closed", [True, False])
def test_soft_bends_are_round_sharp_corners_stay_and_neither_leaves_the_line(closed):
    angle = np.linspace(0, 2 * np.pi, 15)[: None if closed else -3]
    rounds = 10 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    drawn = softened(rounds, 0.2, closed=closed)
    ways = np.diff(drawn, axis=0)
    ways = ways[np.linalg.norm(ways, axis=1) > 1e-9]
    turns = np.abs(np.diff(np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))))
    assert turns.max() < 0.4 * 2 * np.pi / 14
    apart = np.linalg.norm(drawn[:, None] - rounds[None], axis=2).min(axis=0)
    assert 0.02 < apart.max() < 0.21
    square = np.array([[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], float)
    assert np.array_equal(softened(square, 0.2, closed=True), square)
    turn = np.linspace(0, 300, 2000)
    long_line = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    assert np.array_equal(softened(long_line, 0.2, closed=False), long_line)


def test_a_road_is_as_wide_as_its_tube(tmp_path, empty):
    road = pixels(tmp_path, [sm.Path([[-50, 30], [150, 30]], radius=10)])
    changed = np.any(np.abs(road - empty) > 0.01, axis=2)
    meter = 0.925 * changed.shape[1] / 100  # The axes take 92.5 % of the width.
    assert changed[:, changed.shape[1] // 2].sum() == pytest.approx(20 * meter, rel=0.03)


def test_of_images_across_the_seam_those_in_view_are_drawn():
    view = View(np.zeros(2), np.full(2, 100.0), sm.Torus([100, 100]))
    ring = np.array([[-2.0, -2], [2, -2], [2, 2], [-2, 2]])
    for place, count in (([50, 50], 1), ([0, 50], 2), ([50, 100], 2), ([0, 100], 4), ([99, 3], 2)):
        made = view.across_the_seam(Areas(rings=[ring + place]))
        assert len(made.rings) == count, place


def test_a_mesh_is_closed_where_it_is_seen_from_outside():
    corners, faces = [[0, 0, 0], [9, 0, 0], [0, 9, 0], [0, 0, 9]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    for seen_from in ("outside", "inside"):
        mesh = sm.TriangleMesh(corners, faces, seen_from=seen_from)
        assert mesh.is_closed
        (made,) = in_space(mesh, VIEW)
        assert made.closed == (seen_from == "outside")


def test_things_are_seen_across_the_seam(tmp_path):
    domain = sm.Torus([100, 100])
    plain = pixels(tmp_path, [], domain=domain)
    for thing in (sm.Boxes([[0, 0]], [[9, 9]]), sm.Path([[90, 0], [110, 0]], radius=6)):
        changed = np.any(np.abs(pixels(tmp_path, [thing], domain=domain) - plain) > 0.01, axis=2)
        halves = [np.array_split(rows, 2, axis=1) for rows in np.array_split(changed, 2)]
        assert all(quarter.any() for half in halves for quarter in half)


SOLID = {
    "boxes": lambda: sm.Boxes([[30, 30, 30]], [[9, 5, 7]]),
    "room": lambda: sm.Boxes([[30, 30, 30]], [[9, 5, 7]], seen_from="inside"),
    "capsules": lambda: sm.Capsules([[20, 30, 30]], [[40, 32, 20]], 4),
    "spheres": lambda: sm.Spheres([[30, 30, 30]], 8),
    "path": lambda: sm.Path([[10, 30, 0], [30, 30, 20], [38, 44, 50]], radius=4),
    "region box": lambda: sm.Box([30, 20, 20], [15, 20, 0]),
    "region sphere": lambda: sm.Sphere([30, 30, 30], 12),
    "field": lambda: sm.FlowField.function(lambda p: np.broadcast_to([1.0, 0.0, 0.5], p.shape)),
    "mesh": lambda: sm.TriangleMesh([[30, 20, 20], [60, 20, 20], [30, 60, 20], [30, 30, 60]], [[0, 1, 2], [0, 1, 3]]),
    "resources": lambda: sm.Resources([[20, 30, 20], [30, 30, 60], [40, 20, 20]], [3, 1, 0]),
    "heightfield": lambda: sm.Heightfield(np.random.default_rng(0).random((90, 70)), [0, 0], [100, 100], scale=9),
    "plane": lambda: sm.Plane([0, 0, 20], [0.2, 0, 1]),
}

SOLID |= {name: lambda each=each: each for name, each in ADDED.items() if each.dimensions == 3}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", SOLID)
def test_three_dimensions(tmp_path, name):
    changed = np.any(np.abs(pixels(tmp_path, [SOLID[name]()], 3) - pixels(tmp_path, [], 3)) > 0.004, axis=2)
    assert changed.sum() > 300


def test_a_body_hides_what_is_behind_it():
    view = View(np.zeros(3), np.ones(3), sm.Open())
    (mesh,) = in_space(sm.Boxes([[1, 2, 3]], [[2, 3, 4]]), view)
    triangles = mesh.triangles
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    assert np.all(np.sum(normal * (triangles.mean(axis=1) - [1, 2, 3]), axis=1) > 0)
    assert 0.5 * np.linalg.norm(normal, axis=1).sum() == pytest.approx(8 * (2 * 3 + 3 * 4 + 2 * 4))


def test_shapes_have_the_right_size():
    assert len(EDGES) == 12
    assert np.linalg.norm(CORNERS[EDGES[:, 0]] - CORNERS[EDGES[:, 1]], axis=1) == pytest.approx(np.ones(12))
    assert len(SIDES.reshape(-1, 3)) == 12
    ball = capsule(np.zeros(3), np.zeros(3), 2.0, rings=24)
    volume = np.sum(np.cross(ball[:, 0], ball[:, 1]) * ball[:, 2]) / 6
    assert volume == pytest.approx(4 / 3 * np.pi * 8, rel=0.02)
    assert len(sheet_triangles(np.zeros((3, 4, 3)))) == 12


def test_shadows_fall_on_the_lowest_floor():
    """And not far beneath a house that stands in open space."""
    corners = [[0, 0, 2], [40, 0, 2], [40, 40, 2], [0, 40, 2]]
    floor = sm.WalkMesh(sm.TriangleMesh(corners, [[0, 1, 2], [0, 2, 3]]), clearance=0.5)
    world = sm.World()
    world.add(sm.Vehicles([[20.0, 20.0, 2.0]]), steering=sm.GoTo([35, 35, 2], by=floor))
    assert describe(contents_of(world)).ground == pytest.approx(2, abs=0.5)


def test_the_frame_holds_every_thing():
    for thing in [make() for make in (*FLAT.values(), *SOLID.values())]:
        corners = corners_of(thing)
        if corners is not None:
            assert corners.shape[1] in (2, 3)
            assert np.isfinite(corners).all()
    assert corners_of(sm.Boxes([[1, 1]], [[2, 1]])).max(axis=0).tolist() == [3, 2]
    assert corners_of("anything") is None


def test_every_kind_of_thing_is_drawn():
    drawn = {"flat": in_plane, "solid": in_space}
    for section in SECTIONS.values():
        for cls in section.kinds.values():
            if cls not in section.recipes.values():
                found = [name for name, draw in drawn.items() if draw.dispatch(cls) is not draw.dispatch(object)]
                assert found, f"no picture shows {cls.__name__}"


def test_doors_of_maps_are_green_and_red_where_they_are_shut():
    doors = [[[5, 0], [5, 9]], [[7, 0], [7, 9]]]
    for routes in (
        sm.RouteGrid(region=sm.Box([9, 9]), doors=doors),
        sm.NavMesh.around(region=sm.Box([9, 9]), doors=doors),
    ):
        routes.shut(1)
        *_, open_ones, shut_ones = in_plane(routes, VIEW)
        np.testing.assert_array_equal(open_ones.points, [doors[0]])
        np.testing.assert_array_equal(shut_ones.points, [doors[1]])
        assert open_ones.color != shut_ones.color


def test_a_grid_of_routes_is_filled_where_bodies_fit():
    routes = sm.RouteGrid(sm.Spheres([[5, 5]], 1), region=sm.Box([9, 9]), clearance=0.5)
    areas = next(iter(in_plane(routes, VIEW)))
    rings = np.array(areas.rings)
    covered = (np.ptp(rings[..., 0], axis=1) * np.ptp(rings[..., 1], axis=1)).sum()
    assert covered == pytest.approx(np.isfinite(routes.weight).sum() * routes.step**2)


def test_arrows_of_a_flow_lead_over_the_seam_of_a_torus():
    """A picture lies across it, red at its left, and blue-green, the other way, at its right: that is seen at the left."""
    colors = np.zeros((4, 4, 3))
    colors[:, :2], colors[:, 2:] = [1, 0, 0], [0, 1, 1]
    field = sm.FlowField.image(colors, [15, 5], [25, 15], max_speed=3.0)
    for domain, sign in ((sm.Torus([20, 20]), -1), (sm.Open(), 1)):
        view = View(np.zeros(2), np.full(2, 20.0), domain)
        (arrows,) = (each for each in in_plane(field, view) if isinstance(each, Arrows))
        middle, way = (arrows.tails + arrows.tips) / 2, arrows.tips - arrows.tails
        shown = (middle[:, 0] > 1.5) & (middle[:, 0] < 4) & (np.abs(middle[:, 1] - 10) < 4)
        assert shown.any()
        assert (sign * way[shown, 0] > 0).all()


def test_paint_of_a_flow_ends_along_the_rim_of_its_color_and_not_in_steps():
    """Each corner of it has the color within rounding, and all of it together covers the picture once."""
    x, y = np.meshgrid(np.linspace(0, 1, 30), np.linspace(0, 1, 30))
    hues = np.stack([(0.4 * x + 0.3 * y**2) % 1, np.ones_like(x), np.ones_like(x)], axis=-1)
    field = sm.FlowField.image(matplotlib.colors.hsv_to_rgb(hues), [0, 0], [9, 9], max_speed=3.0)
    paint = [each for each in in_plane(field, VIEW) if isinstance(each, Areas)]
    assert len(paint) > 3
    area = 0.0
    for each in paint:
        ways = np.concatenate([np.arctan2(*field.at(ring, VIEW.domain).T[::-1]) for ring in each.rings])
        share = (ways * len(WHEEL) / (2 * np.pi) - [rgb(color) for color, _ in WHEEL].index(each.face)) % len(WHEEL)
        assert np.minimum(share, len(WHEEL) - share).max() < 0.51
        for ring in each.rings:
            along = np.roll(ring, -1, axis=0)
            area += abs(np.sum(ring[:, 0] * along[:, 1] - ring[:, 1] * along[:, 0])) / 2
    assert area == pytest.approx(81)


def test_in_space_what_is_all_gone_leaves_nothing_behind(tmp_path):
    """Resources that are eaten, and balls that have left a landscape."""
    land = sm.Heightfield(np.zeros((3, 3)), [0, 0], [100, 100])
    seen = []
    for more in ([], [sm.Resources([[30, 30, 5]], [0.0])]):
        world = sm.World(domain=sm.Box([100.0] * 3))
        world.add(sm.Vehicles(np.zeros((0, 3))), name="a")
        sm.draw(world, tmp_path / "p.png", scenery=[land, *more], style=sm.Picture(glyphs="ball"))
        seen.append(matplotlib.image.imread(tmp_path / "p.png"))
    assert np.array_equal(*seen)
