"""Crossings of a line: against ways that are unrolled and equations that are solved one by one."""

import itertools
import math

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics import LineWatch, crossings, flow, specific_flow

DT = 0.5


def walks(frames, n, torus, d=2, seed=0):
    """Ways that lead on and on, and the same within a torus of 10 m."""
    rng = np.random.default_rng(seed)
    unrolled = rng.uniform(0, 10, (n, d)) + np.cumsum(rng.normal(0, 1.1, (frames, n, d)), axis=0)
    return unrolled, unrolled % 10 if torus else unrolled


def by_hand(unrolled, line, torus):
    """Every image of the line, every vehicle, every step: two equations with two unknowns."""
    found = []
    images = range(-3, 4) if torus else (0,)
    assert np.abs(unrolled).max() < 25
    ends = np.array(line, float)
    for a, b in itertools.product(images, images):
        start, along = ends[0] + [10 * a, 10 * b], ends[1] - ends[0]
        for k, i in itertools.product(range(len(unrolled) - 1), range(unrolled.shape[1])):
            before, after = unrolled[k, i, :2], unrolled[k + 1, i, :2]
            matrix = np.column_stack([after - before, -along])
            if np.linalg.det(matrix) != 0:
                t, s = np.linalg.solve(matrix, start - before)
                if 0 <= t < 1 and 0 <= s < 1:
                    left = along[0] * (after - before)[1] - along[1] * (after - before)[0] > 0
                    found.append(((k + t) * DT, i, 1 if left else -1, s * math.hypot(*along)))
    return sorted(found)


@pytest.mark.each_value
@pytest.mark.parametrize("torus", [True, False])
@pytest.mark.parametrize("line", [[[2, 3], [7, 5]], [[0, 5], [10, 5]], [[5, 1], [12, -2]], [[0, 0], [0, 10]]])
@pytest.mark.parametrize("d", [2, 3])
def test_all_crossings_are_found_where_and_when_they_are(line, torus, d):
    unrolled, position = walks(16, 24, torus, d)
    found = crossings(position, line, DT, sm.Torus([10] * d) if torus else None)
    expected = by_hand(unrolled, line, torus)
    assert len(expected) > 0
    for column, numbers in zip(found, zip(*expected, strict=True), strict=True):
        np.testing.assert_allclose(column, numbers, rtol=1e-7, atol=1e-9)


def test_the_seam_of_a_torus_is_no_crossing():
    steps = np.array([[[9.0, 5.0]], [[9.8, 5.0]], [[0.6, 5.0]], [[1.4, 5.0]]])
    assert len(crossings(steps, [[5, 0], [5, 9]], DT, sm.Torus([10, 10])).time) == 0
    assert len(crossings(steps, [[5, 0], [5, 9]], DT).time) == 1
    seam = crossings(steps, [[10, 0], [10, 9]], DT, sm.Torus([10, 10]))
    np.testing.assert_allclose(seam.time, [1.25 * DT])
    assert seam.way.tolist() == [-1]
    assert len(crossings(steps, [[0, 0], [0, 9]], DT, sm.Torus([10, 10])).time) == 1


@pytest.mark.parametrize(("line", "along"), [([[0, 5], [10, 5]], [0.1]), ([[-1, 5], [12, 5]], [1.1, 11.1])])
def test_a_line_as_long_as_space_is_crossed_at_the_seam_and_a_longer_one_twice(line, along):
    """From 0.1 m before the seam to 0.3 m behind it, halfway across the line."""
    found = crossings([[[9.9, 4.8]], [[0.3, 5.2]]], line, DT, sm.Torus([10, 10]))
    np.testing.assert_allclose(np.sort(found.along), along)
    np.testing.assert_allclose(found.time, DT / 2)


def test_who_stops_on_the_line_crosses_it_once_and_who_turns_there_twice():
    through = np.array([0.0, 1.0, 1.0, 2.0])
    back = np.array([0.0, 1.0, 1.0, 0.0])
    x = np.stack([through, back, -through + 2], axis=1)
    position = np.stack([x, np.full_like(x, 0.5)], axis=2)
    found = crossings(position, [[1, 1], [1, 0]], 1.0)  # Left of it is where x is more than 1.
    assert sorted(zip(found.row.tolist(), found.way.tolist(), found.time.tolist(), strict=True)) == [
        (0, 1, 1.0), (1, -1, 2.0), (1, 1, 1.0), (2, -1, 2.0),
    ]  # fmt: skip


def test_of_lines_end_to_end_one_is_crossed():
    _, position = walks(30, 40, torus=False)
    position = np.round(2 * position) / 2  # Some go exactly through the end.
    whole = crossings(position, [[0, 5], [8, 5]], DT)
    parts = [crossings(position, [[a, 5], [a + 1, 5]], DT) for a in range(8)]
    assert sum(len(part.time) for part in parts) == len(whole.time) > 30
    assert any(len(part.along) and part.along.min() == 0 for part in parts)


def test_flow_is_crossings_in_a_second():
    time = np.arange(21)  # 10 s.
    there, back = 1 + 0.5 * time, 8 - 0.4 * time
    position = np.stack(
        [np.stack([x, 0 * x + y], axis=1) for x, y in ((there, 1), (there, 2), (back, 1), (there, 7))], axis=1
    )
    gate = [[5.2, 0], [5.2, 4]]
    assert flow(position, gate, DT) == pytest.approx(0.3)
    assert flow(position, gate, DT, way="right") == pytest.approx(0.2)
    assert flow(position, gate, DT, way="left") == pytest.approx(0.1)
    assert flow(position, gate, DT, way="net") == pytest.approx(-0.1)
    assert specific_flow(position, gate, DT, way="right") == pytest.approx(0.05)
    turn = np.array([[0.8, 0.6], [-0.6, 0.8]])  # Turned by 37 degrees it is the same gate.
    oblique = [7, -3] + np.array(gate) @ turn
    assert specific_flow([7, -3] + position @ turn, oblique, DT, way="right") == pytest.approx(0.05)
    assert crossings(position, gate, DT).time[0] == pytest.approx(7 * DT)
    assert crossings(position, gate, DT).along.tolist() == pytest.approx([1, 1, 2])


def test_nobody_and_one_frame():
    assert flow(np.zeros((3, 0, 2)), [[0, 0], [1, 0]], DT) == 0
    assert len(crossings(np.zeros((1, 4, 2)), [[0, 0], [1, 0]], DT).row) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ([[0, 0], [0, 0]], r"line must be two different points, got \[0.0, 0.0\] twice"),
        ([[0, 0, 1], [0, 0, 0]], r"line must be two points in the plane, shape \(2, 2\), got \(2, 3\)"),
        ([[0, 0], [0, np.nan]], "line must be finite"),
    ],
)
def test_what_is_no_line_is_refused(line, message):
    with pytest.raises(ValueError, match=message):
        crossings(np.zeros((2, 1, 2)), line, DT)


def test_what_is_no_way_is_refused():
    with pytest.raises(ValueError, match=r"way must be one of .both., .*got 'up'"):
        flow(np.zeros((2, 1, 2)), [[0, 0], [1, 0]], DT, way="up")
    with pytest.raises(ValueError, match=r"at least 2 frames, got \(1, 1, 2\)"):
        flow(np.zeros((1, 1, 2)), [[0, 0], [1, 0]], DT)


def test_a_watch_counts_what_the_frames_of_a_run_say():
    rng = np.random.default_rng(3)
    people = sm.Vehicles(
        rng.uniform(0, 10, (30, 2)), rng.normal(0, 3, (30, 2)), max_speed=9, id=range(40, 70), dtype=float
    )
    world = sm.World(domain=sm.Torus([10, 10]), dt=0.1, seed=1)
    world.add(people, name="people", steering=sm.Wander())
    line = [[2, 3], [7, 5]]
    watch = LineWatch(people, line)
    world.on_step(watch)
    frames = [people.position.copy()]
    for _ in range(60):
        world.step()
        frames.append(people.position.copy())
    expected = crossings(frames, line, 0.1, world.domain)
    assert watch.count() == len(expected.time) > 20
    assert watch.count("net") == watch.count("left") - watch.count("right") == expected.way.sum()
    np.testing.assert_allclose(watch.crossings.time, expected.time, atol=1e-9)
    np.testing.assert_array_equal(watch.crossings.row, expected.row + 40)
    again = LineWatch(people, line)
    again.resume(watch.saved())
    people.remove(np.arange(40, 60))
    people.spawn(position=[[2, 3]], velocity=[[0.0, 0.0]])
    world.run(steps=20)
    assert again.count() == len(expected.time) < watch.count()


def test_who_comes_under_the_id_of_another_crosses_no_line(tmp_path):
    def made():
        people = sm.Vehicles([[0, 0], [6, 0]], [[0, 0], [0, 0]], id=[7, 8])
        world = sm.World(dt=0.1, threads=1)
        world.add(people, name="people")
        watch = LineWatch(people, [[3, -5], [3, 5]])
        world.on_step(watch)
        return world, people, watch

    world, people, watch = made()
    world.step()
    people.remove(7)
    people.spawn([[9, 0]], id=[7])
    world.save(tmp_path / "w.steersman")
    other, theirs, again = made()
    other.restore(tmp_path / "w.steersman")
    for each, crowd, line in ((world, people, watch), (other, theirs, again)):
        each.step()
        assert line.count() == 0
        crowd.position[0] = [1, 0]
        each.step()
        assert line.crossings.row.tolist() == [8]
