"""A visitor finds a scenario by words of his own."""

import pytest

from steersman.gallery.registry import SCENARIOS
from steersman.gallery.search import SYNONYMS, behaviors_of, words_of

FOUND = {
    "predator": ({"caribou_and_wolves", "murmuration", "pursuit_evasion", "sheep"}, {"race", "boids", "maze"}),
    "chase": ({"multiple_pursuit", "pursuit_evasion", "wander_chase_evade", "patrol"}, {"race", "boids", "maze"}),
    "crowd": ({"pedestrians", "corridor", "doorway", "evacuation", "circle_swap_orca"}, {"race", "hide", "maze"}),
    "flock": ({"boids", "flocking", "murmuration", "aquarium", "hills"}, {"race", "corridor", "maze"}),
    "car": ({"race", "map_drive", "asymmetric", "overshoot"}, {"caribou_and_wolves", "boids", "maze"}),
    "avoid": ({"obstacle_avoidance", "circle_swap_orca", "battle_bot", "map_drive"}, {"vicsek", "formation", "boids"}),
}
"""Word -> scenarios that it is to find, and such that it is not to find."""


@pytest.mark.parametrize("word", FOUND)
def test_a_word_of_a_visitor_finds_what_he_means(word):
    wanted, others = FOUND[word]
    found = {name for name, each in SCENARIOS.items() if word in words_of(each).lower().split()}
    assert wanted <= found
    assert not others & found


def test_the_behaviors_of_a_scenario_are_those_that_its_file_uses():
    assert {"AvoidObstacles", "Evade", "Priority", "Queue"} & set(behaviors_of(SCENARIOS["sheep"])) == {
        "AvoidObstacles",
        "Evade",
        "Priority",
    }
    assert {"Chance", "Pursue"} & set(behaviors_of(SCENARIOS["patrol"])) == {"Pursue"}
    assert "avoid obstacles" in words_of(SCENARIOS["obstacle_avoidance"]).lower()


def test_every_synonym_means_something():
    """Some scenario has it."""
    told = [words_of(each) for each in SCENARIOS.values()]
    assert [words for words in SYNONYMS if not any(words in each for each in told)] == []
