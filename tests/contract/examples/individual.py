"""Examples of the individual behaviors."""

from typing import Any

from contract.examples.example import Example
from contract.places import Place

import steersman as sm
from steersman.core.steering.goals.arrive import RAMPS

PREDICTORS = {
    "constant": sm.Constant(0.7),
    "proportional": sm.Proportional(0.2),
    "approach": sm.Approach(),
    "capped": sm.Capped(1.5),
    "heading": sm.Heading(),
    "intercept": sm.Intercept(),
    "nine cases": sm.NineCases(3.0),
    "oncoming": sm.Oncoming(4.0),
}


def road(p: Place, radius: Any = (0.8, 1.5, 0.4), *, closed: bool = False) -> sm.Path:
    """A path of the place's sites; each segment has a radius of its own."""
    radii = [*radius, 1.0] if closed and isinstance(radius, tuple) else radius
    return sm.Path(p.state.sites, radius=radii, closed=closed)


EXAMPLES: dict[str, Example] = {
    "seek": lambda p: sm.Seek(p.state.point),
    "seek points": lambda p: sm.Seek(p.state.points),
    "seek callable": lambda p: sm.Seek(lambda: p.state.point),
    "seek callable of points": lambda p: sm.Seek(lambda: p.state.points),
    "seek nearest": lambda p: sm.Seek(p.others),
    "seek nearest fellow": lambda p: sm.Seek(p.vehicles),
    "seek one": lambda p: sm.Seek(p.others, which=30),
    "seek first": lambda p: sm.Seek(p.others, which="first"),
    "seek some": lambda p: sm.Seek(p.others, which=p.others.id % 2 == 1),
    "seek by mapping": lambda p: sm.Seek(
        p.others, which=dict(zip(p.vehicles.id.tolist(), p.state.chosen.tolist(), strict=True))
    ),
    "seek ids": lambda p: sm.Seek(p.others, which=p.state.chosen),
    "seek speed number": lambda p: sm.Seek(p.state.point, speed=1.5),
    "seek speed current": lambda p: sm.Seek(p.state.point, speed="current"),
    "seek speed offset": lambda p: sm.Seek(p.state.point, speed="offset"),
    "seek thrust full": lambda p: sm.Seek(p.state.point, thrust="full"),
    "flee": lambda p: sm.Flee(p.state.point),
    "flee panic": lambda p: sm.Flee(p.state.points, panic_distance=9.0),
    "flee ids": lambda p: sm.Flee(p.others, which=p.state.chosen),
    "flee nearest": lambda p: sm.Flee(p.others, panic_distance=6.0, speed="offset"),
    "flee speed current": lambda p: sm.Flee(p.state.point, speed="current"),
    "flee speed number, thrust full": lambda p: sm.Flee(p.state.point, speed=2.0, thrust="full"),
    "arrive": lambda p: sm.Arrive(p.state.point),
    "arrive slowing distance": lambda p: sm.Arrive(p.state.points, slowing_distance=60.0),
    "arrive deceleration time": lambda p: sm.Arrive(p.state.point, deceleration_time=40.0),
    "arrive stop distance": lambda p: sm.Arrive(p.state.points, stop_distance=8.0),
    "arrive hard stop": lambda p: sm.Arrive(p.state.points, stop_distance=8.0, hard_stop=True),
    "arrive hard stop, braking": lambda p: sm.Arrive(p.others, ramp="braking", stop_distance=12.0, hard_stop=True),
    "arrive speed number": lambda p: sm.Arrive(p.others, speed=1.2),
    **{f"arrive {ramp}": lambda p, ramp=ramp: sm.Arrive(p.state.point, ramp=ramp) for ramp in RAMPS[:6]},
    "arrive table": lambda p: sm.Arrive(p.state.point, ramp=[0, 0.3, 0.9, 0.8, 1], slowing_distance=70.0),
    "arrive calibrating": lambda p: sm.Arrive(p.state.points, calibrate=0.5),
    "arrive braking, ids": lambda p: sm.Arrive(p.others, which=p.state.chosen, ramp="braking", stop_distance=3.0),
    **{f"pursue {name}": lambda p, how=how: sm.Pursue(p.others, prediction=how) for name, how in PREDICTORS.items()},
    "pursue not head on": lambda p: sm.Pursue(p.others, head_on=False, which=2),
    "pursue ids, speed number": lambda p: sm.Pursue(p.others, which=p.state.chosen, speed=2.0),
    "pursue fellow, speed offset": lambda p: sm.Pursue(p.vehicles, speed="offset"),
    "pursue speed current": lambda p: sm.Pursue(p.others, speed="current"),
    "pursue thrust full": lambda p: sm.Pursue(p.others, thrust="full"),
    **{f"evade {name}": lambda p, how=how: sm.Evade(p.others, prediction=how) for name, how in PREDICTORS.items()},
    "evade panic, one": lambda p: sm.Evade(p.others, which=9, panic_distance=10.0),
    "evade ids, speed current": lambda p: sm.Evade(p.others, which=p.state.chosen, speed="current"),
    "evade speed offset, thrust full": lambda p: sm.Evade(p.others, speed="offset", thrust="full"),
    "evade speed number": lambda p: sm.Evade(p.others, speed=1.1),
    "evade unpredictable": lambda p: sm.Evade(p.others, unpredictability=0.8, period=0.3),
    "wander sphere": lambda p: sm.Wander(),
    "wander sphere, all options": lambda p: sm.Wander("sphere", distance=0.3, strength=0.6, rate=4.0),
    "wander jitter": lambda p: sm.Wander("jitter", distance=0.2, strength=0.5, rate=3.0),
    "wander turn": lambda p: sm.Wander("turn"),
    "wander turn, all options": lambda p: sm.Wander("turn", rate=20.0, max_turn_rate=1.0, speed=1.5),
    "wander turn, speed current": lambda p: sm.Wander("turn", speed="current"),
    "wander orientation": lambda p: sm.Wander("orientation", distance=2.0, strength=1.5, rate=2.0),
    "wander orientation, as it comes": lambda p: sm.Wander("orientation"),
    "wander lateral": lambda p: sm.Wander("lateral"),
    "wander lateral, all options": lambda p: sm.Wander("lateral", distance=0.0, strength=0.6, rate=3.0),
    "wander gradient": lambda p: sm.Wander("gradient", distance=0.2, strength=0.7, rate=1.3),
    "follow path": lambda p: sm.FollowPath(road(p)),
    "follow lane back, wide": lambda p: sm.FollowPath(road(p, radius=4.0), direction=-1, reach=3.0, speed=2.0),
    "follow lane to the end": lambda p: sm.FollowPath(road(p, radius=9.0), slowing_distance=60.0, speed="offset"),
    "follow lane, seek the end": lambda p: sm.FollowPath(road(p, radius=9.0), end="seek", speed="current"),
    "follow lane, full thrust": lambda p: sm.FollowPath(road(p, radius=9.0, closed=True), thrust="full"),
    "follow lane, no reach": lambda p: sm.FollowPath(road(p, radius=9.0), reach=0.0),
    "follow lane round": lambda p: sm.FollowPath(road(p, radius=9.0, closed=True), lookahead=2.0),
    "follow lane, literal": lambda p: sm.FollowPath(road(p, radius=9.0), bends="ignore"),
    "follow lane round, back, bends": lambda p: sm.FollowPath(road(p, closed=True), direction=-1),
    "follow tube": lambda p: sm.FollowPath(road(p), law="tube"),
    "follow tube back, wide": lambda p: sm.FollowPath(
        road(p, radius=4.0), law="tube", direction=-1, lookahead=0.6, reach=3.0
    ),
    "follow path parameter": lambda p: sm.FollowPath(road(p), law="parameter", reach=0.7, speed=2.0),
    "follow path predicted, seek the end": lambda p: sm.FollowPath(
        road(p), law="predicted", end="seek", speed="offset"
    ),
    "follow path, slowing": lambda p: sm.FollowPath(road(p), law="predicted", slowing_distance=60.0, speed="current"),
    "follow tube, full thrust": lambda p: sm.FollowPath(road(p), law="tube", lookahead=0.3, thrust="full"),
    "follow ring": lambda p: sm.FollowPath(road(p, closed=True), law="tube", lookahead=2.0),
    "follow ring back": lambda p: sm.FollowPath(road(p, closed=True), direction=-1, law="parameter"),
    "follow one point": lambda p: sm.FollowPath([p.state.point]),
    "follow one point, tube": lambda p: sm.FollowPath([p.state.point], law="tube"),
    "follow waypoints": lambda p: sm.FollowPath(road(p, radius=9.0), law="waypoints"),
    "follow waypoints back": lambda p: sm.FollowPath(
        road(p), law="waypoints", direction=-1, seek_distance=9.0, speed="current"
    ),
    "follow waypoints, full thrust": lambda p: sm.FollowPath(
        road(p, closed=True), law="waypoints", seek_distance=9.0, thrust="full"
    ),
    "follow waypoints to the end": lambda p: sm.FollowPath(
        [p.state.sites[0], p.state.point], law="waypoints", seek_distance=99.0, slowing_distance=70.0
    ),
    "stay on path": lambda p: sm.StayOnPath(road(p, radius=0.8)),
    "stay on wide ring": lambda p: sm.StayOnPath(road(p, radius=5.0, closed=True), lookahead=0.2, speed="offset"),
    "stay on path, full thrust": lambda p: sm.StayOnPath(road(p, radius=1.5), thrust="full", speed=2.0),
    "stay in tube": lambda p: sm.StayOnPath(road(p), law="tube"),
    "stay in wide tube": lambda p: sm.StayOnPath(
        road(p, radius=5.0, closed=True), law="tube", lookahead=0.2, speed="offset"
    ),
    "stay in tube, speed current": lambda p: sm.StayOnPath(road(p), law="tube", speed="current"),
    "stay in tube, full thrust": lambda p: sm.StayOnPath(road(p), law="tube", thrust="full", speed=2.0),
    "patrol": lambda p: sm.Patrol(p.state.sites, margin=9.0),
    "patrol once, slowing": lambda p: sm.Patrol(
        [p.state.sites[0], p.state.point], loop=False, margin=99.0, slowing_distance=50.0, speed=1.5
    ),
}
