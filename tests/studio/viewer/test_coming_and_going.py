"""Vehicles that a user of the window removes and adds: every scenario goes on, or refuses before it changes anything."""

import numpy as np
import pytest
from sampling import drawn

from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.requests import Request, obey
from steersman.studio.viewer.simulation import Simulation

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

PLACES = {"first": 0, "middle": 0.5, "last": 1}


class Window:
    """The simulation of a window, without a browser."""

    def __init__(self, name, n=None):
        self.stage = SCENARIOS[name].stage(n=n or SCENARIOS[name].quick, threads=1)
        self.simulation = Simulation(self.stage, name=name)
        self.troubles, self.answers = [], []
        self.simulation.tell = self._hear

    def _hear(self, kind, message):
        if kind == "trouble":
            self.troubles.append(message)

    def run(self, steps, after):
        """Make some steps; nothing may stop them, also not what is drawn of the moment."""
        for _ in range(steps):
            assert self.simulation.step(), f"{after}: {self.troubles}"
        self.stage.moving_notes()
        self.simulation.publish(whole=True)

    def ask(self, **message):
        """What a request is answered: "" where it is done."""
        obey(self.simulation, Request(message, self.answers.append))
        return self.answers[-1].get("message", "")

    def remove(self, population, part):
        ids = self.stage.world[population].id
        return self.ask(do="remove", population=population, id=int(ids[round(part * (len(ids) - 1))]))

    def add(self, population, at):
        return self.ask(do="add", population=population, position=at.tolist())


@pytest.mark.parametrize("name", drawn(SCENARIOS, 4, "one less, one more"))
def test_a_scenario_goes_on_without_a_vehicle_and_with_another_one(name):
    for population in Window(name).stage.world.populations:
        window = Window(name)
        window.run(5, "at the start")
        vehicles = window.stage.world[population]
        for place, part in PLACES.items():
            there, what = len(vehicles), f"{name}, without the {place} of the {population}"
            if not there:
                break
            at = vehicles.position[round(part * (there - 1))].copy()
            if population in window.stage.fixed_populations:
                words = window.stage.fixed_populations[population]
                assert window.remove(population, part) == f"no vehicle can be removed from {population!r}: {words}"
                assert window.add(population, at) == f"no vehicle can be added to {population!r}: {words}"
                assert len(vehicles) == there
                assert not window.simulation.past.undone
            else:
                assert window.remove(population, part) == "", what
                assert len(vehicles) == there - 1
                window.run(30, what)
                assert window.add(population, at) == "", what
            window.run(30, f"{what}, and with another one")
        assert all(np.isfinite(each.vehicles.block).all() for each in window.stage.world.populations.values())


@pytest.mark.parametrize("name", drawn(SCENARIOS, 3, "judged without a vehicle"))
def test_a_check_judges_a_run_without_a_vehicle(name):
    for population in Window(name).stage.world.populations:
        window = Window(name)
        window.run(1, "at the start")
        if len(window.stage.world[population]):
            window.remove(population, 0)
            window.run(window.stage.steps, f"{name}, without the first of the {population}")
            window.stage.problems()


@pytest.mark.parametrize("name", drawn(SCENARIOS, 3, "emptied"))
def test_a_scenario_goes_on_without_vehicles(name):
    for population in Window(name).stage.world.populations:
        window = Window(name)
        while len(there := window.stage.world[population]) and population not in window.stage.fixed_populations:
            at = there.position[0].copy()
            window.remove(population, 0)
        window.run(50, f"{name}, without {population}")
        if population not in window.stage.fixed_populations and window.stage.world[population].next_id:
            assert window.add(population, at) == ""
            window.run(50, f"{name}, with new {population}")
