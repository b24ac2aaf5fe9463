"""Crowds beside measurements: the references say what was published, the cases what was walked."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from benchmarks.validation.__main__ import beside, cell, kept, tables, walk
from benchmarks.validation.methods import AT_ONCE, METHODS, people
from benchmarks.validation.references import (
    DOOR,
    STAIRS_DOWN,
    STAIRS_UP,
    Range,
    flight,
    handbooks,
    one_way,
    stairs_band,
    two_way,
)
from benchmarks.validation.scenes import (
    CASES,
    alone,
    corner,
    corridor,
    crowd_on_stairs,
    door,
    large_corner,
    on_stairs,
    spread,
)

ROOT = Path(__file__).parents[2]


def test_the_references_are_the_published_curves() -> None:
    """Weidmann: 1.06 m/s at 1/m^2. Predtechenskii and Milinskii: 0.62 m/s. SFPE: 1.03 m/s."""
    assert handbooks(1.0) == pytest.approx([1.058, 0.623, 1.028], abs=0.005)
    assert handbooks(3.0)[0] == pytest.approx(0.33, abs=0.005)
    for density in CASES["one_way"].values:
        low, high, _ = one_way(density)
        assert 0 <= low < sm.laws.walking_speed(density) < high
        assert two_way(density).low < low


def test_a_verdict_says_how_far_outside() -> None:
    assert DOOR.verdict(1.5) == "within"
    assert DOOR.verdict(1.0) == "-0.20"
    assert Range(0, 1, "").verdict(1.25) == "+0.25"
    assert DOOR.verdict(np.nan) == "no value"
    assert cell(np.array([1.4, 1.6]), DOOR) == "**1.50 ± 0.10**"
    assert cell(np.array([2.0, 2.0]), DOOR) == "2.00 ± 0.00 (+0.10)"


def test_people_begin_beside_each_other() -> None:
    place = spread(120, [15.0, 4.0], 3)
    assert place.shape == (120, 2)
    assert ((place >= 0) & (place <= [15, 4])).all()
    first, second = np.triu_indices(120, 1)
    assert np.linalg.norm(place[first] - place[second], axis=1).min() > 0.3


def test_a_tree_that_only_goes_is_not_slowed_by_others() -> None:
    """The impostor: at any density as fast as alone, and through each other."""
    nobody = METHODS["ORCA"]._replace(tree=lambda go, walls: go)
    found = corridor(nobody, 3.0, 0, 1.0)
    _, wanted = people(nobody, np.zeros((180, 2)), 0)
    assert found["speed"] == pytest.approx(wanted.mean(), rel=0.01)
    assert one_way(3.0).verdict(found["speed"]) != "within"
    assert found["overlap"] > 0.1
    assert alone(nobody, 40.0, 0)["time"] == pytest.approx(40 / 1.33, rel=0.02)


def test_a_run_is_the_same_each_time_and_can_be_kept(tmp_path) -> None:
    key = ("alone", "CollisionFreeSpeed", 40.0, 0)
    assert walk(key) == walk(key)
    assert 26 < walk(key)[1]["time"] < 34
    assert kept(tmp_path / "none") == {}
    text = "\n".join(tables({key: walk(key)[1]}))
    assert "| CollisionFreeSpeed | **30" in text


def test_a_part_is_written_beside_the_numbers_of_the_others(tmp_path) -> None:
    """A method that is walked anew takes the place of its old numbers, of all seeds; those of others stay."""
    file, old, new = tmp_path / "numbers.csv", {"time": 30.0}, {"time": 31.0}
    lines = [f"alone,{method},40.0,{seed},time,30" for seed in (0, 1) for method in ("SocialForce", "ORCA")]
    file.write_text("\n".join(["case,method,value,seed,number,is", *lines, "gone,ORCA,1.0,0,time,3"]) + "\n")
    runs = beside({("alone", "ORCA", 40.0, 0): new}, file)
    assert runs == {
        ("alone", "SocialForce", 40.0, 0): old,
        ("alone", "ORCA", 40.0, 0): new,
        ("alone", "SocialForce", 40.0, 1): old,
    }
    text = "\n".join(tables(runs))
    assert "| SocialForce | **30.00 ± 0.00** |" in text
    assert "| ORCA | **31.00 ± 0.00** |" in text


def test_before_a_door_orca_steps_into_nobody() -> None:
    """Of those that take any velocity at once; steps back went 1.6 cm into those behind."""
    at_once = METHODS["ORCA"]._replace(body=AT_ONCE)
    found = door(at_once, 1.2, 0)
    assert found["overlap"] < 1e-3
    assert found["flow"] > 1


def test_the_references_of_stairs_are_the_published_ones() -> None:
    """Corbetta et al. at 1/m^2: up 0.65 +- 0.21 and 0.49 +- 0.08 m/s, down 0.70 +- 0.18 and 0.59 +- 0.08 m/s."""
    assert stairs_band("up", np.array([1.0])) == (pytest.approx([0.41]), pytest.approx([0.86]))
    assert stairs_band("down", np.array([1.0])) == (pytest.approx([0.51]), pytest.approx([0.88]))
    assert pytest.approx(0.6475, abs=0.005) == STAIRS_UP.speed
    assert STAIRS_DOWN.speed / STAIRS_UP.speed == pytest.approx(0.65 / 0.50, abs=0.01)
    assert flight(1.33)[:2] == pytest.approx((6.5, 8.5))


@pytest.mark.parametrize("stairs", [STAIRS_UP, STAIRS_DOWN])
def test_stairs_are_walked_at_the_speed_that_is_wanted_there(stairs) -> None:
    """10 m along the slope, up and down, where the plan has 8 m."""
    time = on_stairs(METHODS["CollisionFreeSpeed"], stairs.speed, 0)["time"]
    assert time == pytest.approx(10 / stairs.speed, abs=0.05)


def test_a_crowd_is_faster_down_than_up_the_stairs() -> None:
    up, down = (crowd_on_stairs(METHODS["CollisionFreeSpeed"], each.part, 0) for each in (STAIRS_UP, STAIRS_DOWN))
    assert 0.3 < up["speed"] < down["speed"] < 0.8
    assert up["density"] > down["density"] > 1


def test_a_tree_that_only_goes_is_found_out_on_stairs() -> None:
    """The impostor keeps its speed at any density, through others; the band alone does not find it out."""
    found = crowd_on_stairs(METHODS["ORCA"]._replace(tree=lambda go, walls: go), STAIRS_DOWN.part, 0)
    assert found["speed"] == pytest.approx(1.34 * STAIRS_DOWN.part, rel=0.1)
    assert found["overlap"] > 0.2


def test_who_comes_round_the_end_of_a_wall_goes_through_none() -> None:
    """With this seed one is pressed out of the open end behind it, and walks beside the corridor for a while."""
    assert corner(METHODS["AvoidNeighbors"], 20, 3) == {"lost": 0, "arrived": 1}
    assert corner(METHODS["GeneralizedCentrifugalForce"], 20, 1)["lost"] > 0  # These do go through.


def test_a_corner_takes_a_time_between_the_ways_along_its_walls() -> None:
    found = large_corner(METHODS["CollisionFreeSpeed"], 40, 0)
    assert found["short"] < found["corner"] < found["long"]
    assert 0 < found["place"] < 1


def test_the_program_of_the_page_remakes_a_cell_of_its_table() -> None:
    """Places at random give 0.65 m/s, and walls that nobody sees 0.64: both are refused."""
    page = (ROOT / "docs/validation.md").read_text(encoding="utf-8")
    program = page[page.index("def one_way") : page.index("\n\n\nprint", page.index("def one_way"))]
    names: dict[str, Any] = {"np": np, "sm": sm}
    exec(program, names)
    assert np.mean([names["one_way"](2.0, seed) for seed in (0, 1)]) == pytest.approx(0.52, abs=0.06)
    assert "| CollisionFreeSpeed | **1.05 ± 0.07** | **0.95 ± 0.05** | **0.52 ± 0.04** |" in page
