"""Cases of Yuka 0.7.8, run with the bare laws (conventions: README.md)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reference.cases import YUKA

import steersman as sm
from steersman.core.steering import laws


def column(entity: dict[str, Any], *names: str) -> list[Any]:
    """Values of a vehicle as arrays and numbers."""
    return [np.array(entity[name]) if isinstance(entity[name], list) else entity[name] for name in names]


def seek(v: dict[str, Any], q: dict[str, Any]) -> Any:
    position, velocity, max_speed = column(v, "position", "velocity", "max_speed")
    return laws.seek(position, velocity, q["target"], max_speed)


def flee(v: dict[str, Any], q: dict[str, Any]) -> Any:
    position, velocity, max_speed = column(v, "position", "velocity", "max_speed")
    return laws.flee(position, velocity, q["target"], max_speed, panic_distance=q["panic_distance"])


def arrive(v: dict[str, Any], q: dict[str, Any]) -> Any:
    position, velocity, max_speed = column(v, "position", "velocity", "max_speed")
    return laws.arrive(
        position, velocity, q["target"], max_speed, deceleration_time=q["deceleration"], stop_distance=q["tolerance"]
    )


def predicted(v: dict[str, Any], other: dict[str, Any], factor: float) -> Any:
    """Yuka's prediction time: a multiple of the approach time."""
    return factor * laws.approach_time(*column(v, "position"), *column(other, "position", "velocity"), v["max_speed"])


def pursuit(v: dict[str, Any], q: dict[str, Any]) -> Any:
    evader = q["evader"]
    head_on = laws.is_head_on(*column(v, "position", "axis_z"), *column(evader, "position", "axis_z"))
    return laws.pursue(
        *column(v, "position", "velocity"),
        *column(evader, "position", "velocity"),
        v["max_speed"],
        time=predicted(v, evader, q["prediction_factor"]),
        head_on=head_on,
    )


def evade(v: dict[str, Any], q: dict[str, Any]) -> Any:
    pursuer = q["pursuer"]
    return laws.evade(
        *column(v, "position", "velocity"),
        *column(pursuer, "position", "velocity"),
        v["max_speed"],
        time=predicted(v, pursuer, q["prediction_factor"]),
        panic_distance=q["panic_distance"],
    )


def neighbors(q: dict[str, Any], name: str) -> Any:
    return np.array([neighbor[name] for neighbor in q["neighbors"]]).reshape(-1, 3)


def separation(v: dict[str, Any], q: dict[str, Any]) -> Any:
    return laws.separation(*column(v, "position"), neighbors(q, "position"))


def alignment(v: dict[str, Any], q: dict[str, Any]) -> Any:
    return laws.alignment(*column(v, "axis_z"), neighbors(q, "forward"))


def cohesion(v: dict[str, Any], q: dict[str, Any]) -> Any:
    position, velocity, max_speed = column(v, "position", "velocity", "max_speed")
    return laws.normalize(laws.cohesion(position, velocity, neighbors(q, "position"), max_speed))


def on_path(v: dict[str, Any], q: dict[str, Any]) -> Any:
    position, velocity, max_speed = column(v, "position", "velocity", "max_speed")
    path = sm.Path(q["waypoints"], radius=q["radius"], closed=q["loop"])
    return laws.stay_on_path(position, velocity, path, max_speed, lookahead=q["prediction_time"])


def offset_pursuit(v: dict[str, Any], q: dict[str, Any]) -> Any:
    """The offset is told along Yuka's own axes: left, up, forward."""
    position, velocity, max_speed = column(v, "position", "velocity", "max_speed")
    place, axes = np.array(q["leader"]["position"]), np.array(column(q["leader"], "axis_x", "axis_y", "axis_z"))
    slot = laws.offset_slot(place, np.array(q["offset_local"]), axes)
    lead = np.array(q["leader"]["velocity"])
    return laws.pursue_offset(position, velocity, slot, lead, max_speed, deceleration_time=q["deceleration"])


def interpose(v: dict[str, Any], q: dict[str, Any]) -> Any:
    position, velocity, max_speed = column(v, "position", "velocity", "max_speed")
    a, b = column(q["entity1"], "position", "velocity"), column(q["entity2"], "position", "velocity")
    return laws.interpose(position, velocity, *a, *b, max_speed, deceleration_time=q["deceleration"])


FORCES: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "seek": seek,
    "flee": flee,
    "arrive": arrive,
    "pursuit": pursuit,
    "evade": evade,
    "offset_pursuit": offset_pursuit,
    "interpose": interpose,
    "separation": separation,
    "alignment": alignment,
    "cohesion": cohesion,
    "on_path": on_path,
}


def check_wander(case: dict[str, Any]) -> None:
    """The circle lies in the z-x plane; axis_x points to the left, and so is minus the side."""
    v, q = case["vehicle"], case["params"]
    forward, left = np.array(v["axis_z"])[[2, 0]], np.array(v["axis_x"])[[2, 0]]
    local = np.array([1.0, -1.0])  # (z, x) = (forward, left) to (forward, side) and back
    x, z = 2 * np.array(q["uniform01_draws_x_z"]) - 1
    before = np.array(q["target_local_before"])[[2, 0]]
    steering, after = laws.wander(
        before * local,
        np.array([z, x]) * local,
        np.stack([forward, -left]),
        strength=q["radius"],
        rate=q["jitter"] * q["dt"],
        distance=q["distance"],
    )
    np.testing.assert_allclose(steering, np.array(case["expected_force"])[[2, 0]], rtol=1e-9, atol=1e-12)
    expected = np.array(case["expected_target_local_after"])[[2, 0]]
    np.testing.assert_allclose(after * local, expected, rtol=1e-9, atol=1e-12)


def check_obstacle_avoidance(case: dict[str, Any]) -> None:
    """Whether it acts, and on which obstacle, which the braking part of Yuka's force gives away."""
    v, q = case["vehicle"], case["params"]
    position, velocity, forward = column(v, "position", "velocity", "axis_z")
    centers = np.array([obstacle["center"] for obstacle in q["obstacles"]])
    radii = np.array([obstacle["radius"] for obstacle in q["obstacles"]])
    reach = q["dbox_min_length"] * (1 + laws.length(velocity) / v["max_speed"])
    row, _ = laws.nearest_threat(position, forward, v["radius"], centers, radii, reach)
    force = np.array(case["expected_force"])
    if not force.any():
        assert row == -1
        return
    braking = (radii - (centers - position) @ forward) * q["braking_weight"]
    assert row == np.argmin(np.abs(braking - force @ forward))
    assert braking[row] == pytest.approx(force @ forward, rel=1e-9)


def check_vehicle_update(case: dict[str, Any]) -> None:
    """Euler's step with the new velocity; forward follows it."""
    v, q = case["vehicle"], case["params"]
    position, velocity = laws.point_mass_step(
        *column(v, "position", "velocity"),
        np.array(q["applied_force_after_truncation"]),
        mass=v["mass"],
        max_force=v["max_force"],
        max_speed=v["max_speed"],
        dt=q["dt"],
    )
    np.testing.assert_allclose(position, case["expected_position"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(velocity, case["expected_velocity"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(laws.normalize(velocity), case["expected_basis"]["axis_z"], rtol=1e-9, atol=1e-12)


def check_follow_path(case: dict[str, Any]) -> None:
    """By the law, and by the behavior where its memory is the one it starts with."""
    v, q = case["vehicle"], case["params"]
    position, velocity, max_speed = column(v, "position", "velocity", "max_speed")
    slowing = max_speed * q["arrive_deceleration"]
    steering, index = laws.follow_waypoints(
        position, velocity, q["waypoints"], q["index_before"], max_speed, seek_distance=q["next_waypoint_distance"],
        closed=q["loop"], slowing_distance=slowing,
    )  # fmt: skip
    np.testing.assert_allclose(steering, case["expected_force"], rtol=1e-9, atol=1e-12)
    assert index == case["expected_index_after"]
    if q["index_before"] == 0:
        behavior = sm.FollowPath(
            sm.Path(q["waypoints"], closed=q["loop"]), law="waypoints", seek_distance=q["next_waypoint_distance"],
            slowing_distance=slowing,
        )  # fmt: skip
        body = sm.Vehicles(
            [position], velocity, max_speed=max_speed, max_force=1e9, mass=2.0, response_time=2.0, dtype=np.float64
        )
        np.testing.assert_allclose(sm.Controller(body, behavior).steer(0.01)[0], case["expected_force"], rtol=1e-9)


def check_heading_smoother(case: dict[str, Any]) -> None:
    """Yuka averages velocities, and starts with zeros."""
    smoothed = laws.smoothed_headings(np.array(case["params"]["inputs"]), case["params"]["window"])
    np.testing.assert_allclose(smoothed, case["expected_outputs"], rtol=1e-9, atol=1e-12)


def check_priority_sum(case: dict[str, Any]) -> None:
    """By the law, and by the behavior: forces in order, each cut to what the length of the running sum has left."""
    q = case["params"]
    forces = [np.array(part["force"]) for part in q["ordered_forces"]]
    weights = [part["weight"] for part in q["ordered_forces"]]
    total = laws.truncated_sum(forces, weights, q["max_force"])
    np.testing.assert_allclose(total, case["expected_force"], rtol=1e-9, atol=1e-12)
    body = sm.Vehicles([case["vehicle"]["position"]], max_force=q["max_force"], dtype=np.float64)
    parts = [(lambda vehicles, force=force: force[None]) for force in forces]
    behavior = sm.TruncatedSum(parts, weights=weights)
    np.testing.assert_allclose(sm.Controller(body, behavior).steer(0.01)[0], case["expected_force"], rtol=1e-9)


def fellow(entity: dict[str, Any]) -> sm.Vehicles:
    """A vehicle of Yuka's, as one of ours: mass = response time makes the force the literal vector."""
    position, velocity, forward, up = column(entity, "position", "velocity", "axis_z", "axis_y")
    return sm.Vehicles(
        [position], velocity, forward=[forward], up=[up], max_speed=entity["max_speed"], max_force=1e9, mass=2.0,
        response_time=2.0, dtype=np.float64,
    )  # fmt: skip


@pytest.mark.parametrize("name", [name for name in YUKA if YUKA[name]["behaviour"] in ("offset_pursuit", "interpose")])
def test_yuka_by_the_behavior(name: str) -> None:
    v, q = YUKA[name]["vehicle"], YUKA[name]["params"]
    if "leader" in q:
        left, up, forward = q["offset_local"]
        leader = fellow(q["leader"])
        behavior: Any = sm.OffsetPursuit(
            leader, offset=[forward, up, -left], law="literal", deceleration_time=q["deceleration"]
        )
    else:
        behavior = sm.Interpose(fellow(q["entity1"]), fellow(q["entity2"]), deceleration_time=q["deceleration"])
    force = sm.Controller(fellow(v), behavior).steer(0.01)[0]
    np.testing.assert_allclose(force, YUKA[name]["expected_force"], rtol=1e-9, atol=1e-9)


CHECKS = {
    "heading_smoother": check_heading_smoother,
    "priority_sum": check_priority_sum,
    "follow_path": check_follow_path,
    "wander": check_wander,
    "obstacle_avoidance": check_obstacle_avoidance,
    "vehicle_update": check_vehicle_update,
}


@pytest.mark.parametrize("name", YUKA)
def test_yuka(name: str) -> None:
    case = YUKA[name]
    kind = case["behaviour"]
    if kind in CHECKS:
        CHECKS[kind](case)
        return
    force = FORCES[kind](case["vehicle"], case["params"])
    np.testing.assert_allclose(force, case["expected_force"], rtol=1e-9, atol=1e-12)


def test_head_on_case_is_reported_where_yuka_took_it() -> None:
    for case in YUKA.values():
        if case["behaviour"] == "pursuit":
            evader = case["params"]["evader"]
            head_on = laws.is_head_on(
                *column(case["vehicle"], "position", "axis_z"), *column(evader, "position", "axis_z")
            )
            assert head_on == case["direct_seek_branch"]
