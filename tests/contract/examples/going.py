"""Examples of the behaviors about others on the move."""

from contract.examples.example import Example

import steersman as sm

EXAMPLES: dict[str, Example] = {
    "constant bearing": lambda p: sm.ConstantBearing(p.others),
    "constant bearing of points": lambda p: sm.ConstantBearing(p.state.points, gain=4.5, speed="current"),
    "constant bearing parallel": lambda p: sm.ConstantBearing(p.others, law="parallel", speed=3.0),
    "constant bearing parallel, one": lambda p: sm.ConstantBearing(p.others, which=2, law="parallel"),
    "offset pursuit fly-by": lambda p: sm.OffsetPursuit(p.others, radius=3.0),
    "offset pursuit fly-by, row": lambda p: sm.OffsetPursuit(
        p.others, which=9, radius=2.0, come_around=20.0, speed="current", thrust="full"
    ),
    "offset pursuit fly-by, literal": lambda p: sm.OffsetPursuit(p.others, radius=3.0, law="literal"),
    "offset pursuit fly-by, literal, row": lambda p: sm.OffsetPursuit(
        p.others, which=9, radius=2.0, law="literal", prediction=sm.Constant(0.5), speed="current", thrust="full"
    ),
    "offset pursuit fly-by, literal, arriving": lambda p: sm.OffsetPursuit(
        p.others, radius=4.0, law="literal", approach="arrive"
    ),
    "offset pursuit slot to the right": lambda p: sm.OffsetPursuit(
        p.others, offset=(-3.0, 2.0, 1.0)[: p.state.dimensions]
    ),
    "offset pursuit slots of the world": lambda p: sm.OffsetPursuit(
        p.others, which=p.state.chosen, offset=p.state.points - p.state.position, frame="world", deceleration_time=30.0
    ),
    "offset pursuit slot to the right, slowing": lambda p: sm.OffsetPursuit(
        p.others, offset=[1.0, -2.0, 3.0][: p.state.dimensions], slowing_distance=70.0, speed=2.5
    ),
    "offset pursuit slot to the right, full thrust": lambda p: sm.OffsetPursuit(
        p.others, offset=[1.0, -2.0, 3.0][: p.state.dimensions], thrust="full"
    ),
    "offset pursuit slot to the right, literal": lambda p: sm.OffsetPursuit(
        p.others, offset=(-3.0, 2.0, 1.0)[: p.state.dimensions], law="literal", slowing_distance=70.0, speed=2.5
    ),
    "offset pursuit slots of the world, literal": lambda p: sm.OffsetPursuit(
        p.others,
        which=p.state.chosen,
        offset=p.state.points - p.state.position,
        frame="world",
        law="literal",
        deceleration_time=30.0,
    ),
    "offset pursuit slot to the right, literal, seeking": lambda p: sm.OffsetPursuit(
        p.others, offset=[1.0, -2.0, 3.0][: p.state.dimensions], law="literal", approach="seek", speed="offset"
    ),
    "interpose": lambda p: sm.Interpose(p.others, p.others, which_a=9, which_b=30),
    "interpose point and nearest": lambda p: sm.Interpose(p.state.point, p.others, ratio=0.3, slowing_distance=60.0),
    "interpose by seeking": lambda p: sm.Interpose(p.others, p.state.points, approach="seek", speed="current"),
    "interpose, full thrust": lambda p: sm.Interpose(p.others, p.vehicles, thrust="full"),
    "interpose, in time": lambda p: sm.Interpose(p.others, p.state.point, deceleration_time=40.0, speed="offset"),
    "shadow": lambda p: sm.Shadow(p.others),
    "shadow near": lambda p: sm.Shadow(p.others, which=9, distance=2.0, slowing_distance=40.0, speed=1.5),
    "match velocity": lambda p: sm.MatchVelocity(p.others),
    "match velocity one": lambda p: sm.MatchVelocity(p.others, which=p.state.chosen),
    "match velocity given": lambda p: sm.MatchVelocity(lambda: p.state.wind),
    "dock": lambda p: sm.Dock(p.state.point, forward=p.state.wind),
    "dock anyhow, in time": lambda p: sm.Dock(p.state.points, at_time=3.0, speed=3.0),
    "dock at others": lambda p: sm.Dock(p.others, which=p.state.chosen, standoff=6.0),
    "dock at one in time": lambda p: sm.Dock(p.others, which=9, forward=p.state.forward, at_time=9.0),
    "dock with a velocity": lambda p: sm.Dock(
        p.state.points, velocity=p.state.wind, tolerance=6.0, slowing_distance=9.0
    ),
    "dock with velocities of their own": lambda p: sm.Dock(
        p.state.points, velocity=0.2 * p.state.velocity, tolerance=9.0
    ),
    "dock with a speed in time": lambda p: sm.Dock(
        p.state.point, forward=p.state.wind, velocity=0.7, at_time=12.0, tolerance=5.0, standoff=20.0
    ),
    "target speed": lambda p: sm.TargetSpeed(),
    "target speed number": lambda p: sm.TargetSpeed(1.7),
}
