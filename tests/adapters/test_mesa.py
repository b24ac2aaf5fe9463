"""Agents of Mesa that are steered."""

import warnings

import numpy as np
import pytest
from later import later

import steersman as sm

made, adapter = later("adapters.flock_model"), later("steersman.adapters.mesa")


def same(model):
    """Agents and vehicles are the same, at the same places."""
    vehicles = model.flock.vehicles
    for id, place in zip(vehicles.id, vehicles.position, strict=True):
        agent = model.flock.agent_of(id)
        assert agent.unique_id == id
        assert np.allclose(agent.position, place)
    return len(vehicles)


def test_agents_are_where_the_vehicles_are():
    model = made.Model(rng=1)
    for _ in range(20):
        model.step()
    assert same(model) == 5
    assert (model.steps if hasattr(model, "steps") else model.time) == 20  # Mesa 3.3 has no time, and Mesa 4 no steps.
    assert model.flock.vehicles.speed.max() == pytest.approx(4, rel=0.01)
    assert [agent.position.tolist() for agent in model.rest] == [[40, 40], [41, 40]]


def test_a_space_of_a_model_is_the_domain_of_its_world():
    torus, box = adapter.domain_of(made.Model().space), adapter.domain_of(made.Model(torus=False).space)
    assert isinstance(torus, sm.Torus)
    assert isinstance(box, sm.Box)
    for domain in (torus, box):
        assert np.array_equal(domain.size, [100, 80])
        assert np.array_equal(domain.origin, [-10, 0])


def test_they_go_over_the_seam():
    model = made.Model(1, goal=(85.0, 75.0))  # From (-8, 70) the way over the seam is the short one.
    for _ in range(30):
        model.step()
    assert same(model) == 1
    assert model.flock.vehicles.position[0, 0] > 80
    assert model.space.in_bounds(model.space.agent_positions[-1])


def test_what_mesa_moves_and_removes_is_moved_and_removed():
    model = made.Model()
    model.step()
    first, second = model.flock.vehicles.id[:2].tolist()
    velocity = model.flock.vehicles.velocity.copy()
    model.flock.agent_of(first).position = [7.0, 8.0]
    model.flock.agent_of(second).remove()
    model.rest[0].remove()
    model.flock.read()
    assert same(model) == 4
    assert model.flock.vehicles.position[0].tolist() == [7, 8]
    assert np.array_equal(model.flock.vehicles.velocity[0], velocity[0])
    model.step()
    assert same(model) == 4
    assert len(model.agents) == 5


def test_what_a_program_writes_to_vehicles_stays_where_mesa_moves_no_agent():
    model = made.Model()
    model.step()
    model.flock.vehicles.position[0] = [7.0, 8.0]
    model.flock.read()
    assert model.flock.vehicles.position[0].tolist() == [7, 8]


def test_vehicles_that_are_removed_take_their_agents_along():
    model = made.Model()
    gone = model.flock.vehicles.id[1:3].tolist()
    agents = [model.flock.agent_of(id) for id in gone]
    model.flock.vehicles.remove(gone)
    model.flock.write()
    assert same(model) == 3
    assert len(model.agents) == len(model.space.active_agents) == 5
    assert not set(agents) & set(model.agents)


def test_an_agent_may_join_and_a_stranger_is_refused():
    model = made.Model()
    agent = model.at([10, 20])
    model.flock.add(agent, [1, 0], max_speed=9)
    assert model.flock.vehicles.velocity[-1].tolist() == [1, 0]
    model.step()
    assert same(model) == 6
    assert model.flock.vehicles.max_speed[-1] == 9
    assert model.flock.vehicles.id[-1] == agent.unique_id
    model.flock.vehicles.spawn([[1, 1]])
    with pytest.raises(ValueError, match="must have an agent"):
        model.flock.write()


def test_all_may_go():
    model = made.Model(3, others=0)
    for agent in list(model.agents):
        agent.remove()
    model.step()
    assert same(model) == 0
    model.step()


def test_wrong_arguments_are_named():
    model, other = made.Model(), made.Model()
    with pytest.raises(ValueError, match="must live in the space"):
        adapter.Agents(model.space, other.rest)
    with pytest.raises(ValueError, match="at least one"):
        adapter.Agents(model.space, [])
    model.flock.vehicles.position[0] = [95, -1]  # As of a world that has no domain.
    model.flock.write()
    assert model.flock.agent_of(model.flock.vehicles.id[0]).position.tolist() == [-5, 79]
    walled = made.Model(2, torus=False)
    walled.flock.vehicles.position[:] = [[90, 80], [-10, 0]]  # At a wall they are inside.
    walled.flock.write()
    assert same(walled) == 2
    walled.flock.vehicles.position[1] = [0, 200]
    with pytest.raises(ValueError, match=f"got vehicle {walled.flock.vehicles.id[1]} outside"):
        walled.flock.write()


def test_agents_that_have_a_place_keep_it():
    model = made.Model()
    twice = adapter.Agents(model.space, model.rest, dtype=np.float64)
    assert twice.vehicles.position.tolist() == [[40, 40], [41, 40]]
    assert not twice.vehicles.velocity.any()
    moving = adapter.Agents(model.space, model.rest, None, [[1, 2], [3, 4]])
    assert moving.vehicles.velocity.tolist() == [[1, 2], [3, 4]]
    other = model.at([10, 20])
    moving.add(model.flock.agent_of(model.flock.vehicles.id[3]))
    moving.add(other)
    assert moving.vehicles.id[-2:].tolist() == [model.flock.vehicles.id[3], other.unique_id]


def test_darts_face_along_their_angles():
    """Also where Mesa's drawing is not installed."""
    angles = np.radians([0, 35, 90, 200])
    noses = adapter.darts_of(angles)[:, 0]
    assert np.allclose(noses, np.stack([np.cos(angles), np.sin(angles)], axis=1))


def test_mesa_draws_them_as_they_face():
    pytest.importorskip("solara")
    pytest.importorskip("altair")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from mesa.visualization import SpaceRenderer

        model = made.Model(goal=(50, 1e6), torus=False)
        for _ in range(5):
            model.step()
        drawing = SpaceRenderer(model, backend="matplotlib")
        drawing.render(agent_portrayal=adapter.portrayal("flock", color="red"))
        canvas = FigureCanvasAgg(drawing.canvas.figure)
        canvas.draw()
        picture = np.asarray(canvas.buffer_rgba())[:, :, :3]
    red = (picture == (255, 0, 0)).all(axis=2)
    assert red.sum() > 50
    style = adapter.portrayal("flock")(model.flock.agent_of(model.flock.vehicles.id[0]))
    dart = style.marker.get_path().vertices
    assert np.allclose(dart[0], [0, 1], atol=0.1)  # It looks up, where the goal is.
    assert adapter.portrayal("flock")(model.rest[0]).color == "gray"
