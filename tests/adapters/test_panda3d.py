"""Vehicles in Panda3D: nodes look where vehicles face, Geoms move with them, boxes and sketches."""

import math

import numpy as np
import pytest

import steersman as sm

core = pytest.importorskip("panda3d.core")

from steersman.adapters.panda3d import Nodes, Overlay, Swarm, boxes  # noqa: E402
from steersman.drawing.elements import Areas, Lines  # noqa: E402
from steersman.drawing.sketch_elements import sketch_elements  # noqa: E402
from steersman.drawing.sketches import seconds_of  # noqa: E402

AHEAD, TOP = core.LVector3f(0, 1, 0), core.LVector3f(0, 0, 1)


def card():
    maker = core.CardMaker("card")
    maker.setFrame(-1, 1, -2, 2)
    return core.NodePath(maker.generate())


def test_models_look_where_vehicles_face_in_the_plane():
    render = core.NodePath("render")
    vehicles = sm.Vehicles([[1, 2], [3, 4]], heading=[0.3, -2])
    nodes = Nodes(vehicles, card(), render, height=7)
    for id, angle in enumerate([0.3, -2]):
        way = render.getRelativeVector(nodes.node_of(id), AHEAD)
        assert tuple(way) == pytest.approx((math.cos(angle), math.sin(angle), 0), abs=1e-6)
    assert tuple(nodes.node_of(1).getPos()) == (3, 4, 7)


def test_models_look_where_vehicles_face_in_space():
    rng = np.random.default_rng(2)
    render = core.NodePath("render")
    vehicles = sm.Vehicles(np.zeros((9, 3)), forward=rng.normal(0, 1, (9, 3)), up=rng.normal(0, 1, (9, 3)))
    nodes = Nodes(vehicles, card(), render)
    for row in range(9):
        ahead, up = (render.getRelativeVector(nodes.node_of(row), each) for each in (AHEAD, TOP))
        assert tuple(ahead) == pytest.approx(vehicles.forward[row].tolist(), abs=1e-5)
        assert tuple(up) == pytest.approx(vehicles.up[row].tolist(), abs=1e-5)


def test_nodes_come_and_go_with_vehicles():
    render = core.NodePath("render")
    vehicles = sm.Vehicles(np.zeros((3, 2)))
    nodes = Nodes(vehicles, card(), render)
    kept = nodes.node_of(1)
    vehicles.remove(0)
    vehicles.spawn([[5, 5]])
    nodes.follow()
    assert render.getNumChildren() == 3
    assert nodes.node_of(1) == kept
    assert nodes.node_of(3).getX() == 5


@pytest.mark.parametrize("d", [2, 3])
def test_a_swarm_is_one_geom_that_moves_with_the_vehicles(d):
    render = core.NodePath("render")
    vehicles = sm.Vehicles(np.arange(4 * d).reshape(4, d), forward=[0, 1, 0][:d])
    swarm = Swarm(vehicles, render, [[[2, 0, 0], [0, 1, 0], [0, -1, 0]]])
    vehicles.remove(0)
    vehicles.position[:] += 10
    swarm.follow()
    data = swarm.node.node().getGeom(0).getVertexData()
    reader, corners = core.GeomVertexReader(data, "vertex"), []
    while not reader.isAtEnd():
        corners.append(tuple(reader.getData3()))
    assert len(corners) == 9
    assert swarm.node.node().getGeom(0).getPrimitive(0).getNumPrimitives() == 3
    tips = np.zeros((3, 3))
    tips[:, :d] = vehicles.position
    assert np.allclose(np.array(corners)[::3] - tips, [0, 2, 0])


def test_a_swarm_of_darts_has_the_size_the_color_and_the_height_that_it_is_told():
    one = sm.Vehicles([[3, 4]])
    small, large = (Swarm(one, core.NodePath("render"), size=size, height=5, color=(1, 0, 0, 1)) for size in (1, 4))
    (low, high), (least, most) = (np.array([*each.node.getTightBounds()]) for each in (small, large))
    assert most - least == pytest.approx(4 * (high - low), rel=1e-5)
    assert (low[2] + high[2]) / 2 == pytest.approx(5, abs=0.5)
    assert tuple(large.node.getColor()) == (1, 0, 0, 1)


def test_light_falls_on_a_swarm_as_the_vehicles_are_turned():
    rng = np.random.default_rng(4)
    vehicles = sm.Vehicles(rng.normal(size=(5, 3)), forward=rng.normal(size=(5, 3)), up=rng.normal(size=(5, 3)))
    swarm = Swarm(vehicles, core.NodePath("render"), [[[2, 0, 0], [0, 1, 0], [0, -1, 0]]])
    left = np.cross(vehicles.up, vehicles.forward)
    corner = {"vertex": vehicles.position + left, "normal": vehicles.up}
    data = swarm.node.node().getGeom(0).getVertexData()
    for name, expected in (("vertex", vehicles.position + 2 * vehicles.forward), ("normal", vehicles.up)):
        reader, found = core.GeomVertexReader(data, name), []
        while not reader.isAtEnd():
            found.append(tuple(reader.getData3()))
        np.testing.assert_allclose(found[::3], expected, atol=1e-5)
        np.testing.assert_allclose(found[1::3], corner[name], atol=1e-5)  # Its left is no mirror image.


def test_nodes_are_obstacles():
    parent = core.NodePath("render").attachNewNode("parent")
    parent.setPos(10, 0, 0)
    node = card()
    node.reparentTo(parent)
    rocks = boxes([node])
    assert (rocks.center.tolist(), rocks.size.tolist()) == ([[10, 0, 0]], [[1, 0, 2]])
    assert boxes([node], 2).size.tolist() == [[1, 0]]
    with pytest.raises(ValueError, match="geometry"):
        boxes([core.NodePath("empty")])


def test_the_overlay_draws_the_sketch_of_the_library():
    render = core.NodePath("render")
    vehicles = sm.Vehicles([[1, 1]], velocity=[2, 0], max_speed=3, max_force=3)
    overlay = Overlay(render)
    controller = sm.Controller(vehicles, sm.Seek([9, 4]))
    overlay.show(controller, 0)
    low, high = overlay.node.getTightBounds()
    assert low[0] <= 1.01
    assert (high[0], high[1]) == pytest.approx((9, 4), abs=0.6)  # The cross at the goal.
    sizes = []
    for unit in (0.5, 2.0):
        overlay.show(controller, 0, height=3.0, unit=unit)
        low, high = overlay.node.getTightBounds()
        assert (low[2], high[2]) == pytest.approx((3, 3))  # Heads of arrows, too.
        sizes.append(high[1] - 4)
    assert sizes[1] == pytest.approx(4 * sizes[0], rel=0.01)
    controller = sm.Controller(vehicles, sm.Seek([9, 4]) + sm.Separation(radius=2))  # With a face to be seen through.
    overlay.show(controller, 0, height=3.0, unit=0.5)
    sketches, corners = controller.sketch(0), set()
    for node in overlay.node.findAllMatches("**/+GeomNode"):
        for geom in node.node().getGeoms():
            reader = core.GeomVertexReader(geom.getVertexData(), "vertex")
            while not reader.isAtEnd():
                corners.add(tuple(round(each, 4) for each in reader.getData3()))
    drawn = list(sketch_elements(sketches, 0.5, seconds_of(sketches, 20.0)))
    assert any(isinstance(each, Areas) and each.opacity < 1 for each in drawn)
    shapes = [each.points for each in drawn if isinstance(each, Lines)]
    shapes += [each.rings for each in drawn if isinstance(each, Areas) and each.opacity == 1 and each.face is not None]
    assert corners == {(round(x, 4), round(y, 4), 3.0) for each in shapes for line in each for x, y in line.tolist()}
    assert overlay.node.getNumChildren() == len(shapes)
    overlay.show(controller, 0)
    count = overlay.node.getNumChildren()
    overlay.show(controller, 0)
    assert overlay.node.getNumChildren() == count
