"""Explanations: equal to the force, about every node, and without any effect on the run."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash

ROCKS = sm.Spheres([[8.0, 8.0], [4.0, 7.0]], [2.0, 1.0])


def herd(n: int = 12, **columns: Any) -> sm.Vehicles:
    rng = np.random.default_rng(5)
    given = {"max_speed": 3.0, "max_force": 4.0, "dtype": np.float64} | columns
    return sm.Vehicles(rng.uniform(0, 20, (n, 2)), rng.normal(0, 1, (n, 2)), **given)


TREE = sm.Priority(
    [
        sm.AvoidObstacles(ROCKS, lookahead=6.0),
        1.5 * sm.Separation(radius=4.0) + 0.5 * sm.Wander(name="stroll") + sm.Seek([3.0, 4.0]),
    ]
)


def world_of(steering: Any = TREE, **columns: Any) -> sm.World:
    world = sm.World(seed=3, threads=1)
    world.add(herd(**columns), name="herd", steering=steering)
    world.run(steps=5, dt=0.1)
    return world


def test_it_tells_the_force_of_the_step_that_comes_next() -> None:
    world, told = world_of(), None
    told = world.explain("herd")
    seen: list[Any] = []
    world["herd"].mass = 1.0
    before = world["herd"].velocity.copy()
    world.step()
    seen.append((world["herd"].velocity - before) / 0.1)
    fast = np.linalg.norm(before + told.force * 0.1, axis=1) > 3
    assert not fast.all()
    np.testing.assert_allclose(seen[0][~fast], told.force[~fast], rtol=1e-9, atol=1e-9)


def test_a_controller_tells_what_it_will_say() -> None:
    vehicles = herd()
    controller = sm.Controller(vehicles, TREE, threads=1, seed=2)
    for _ in range(3):
        controller.steer(0.1)
    told = controller.explain()
    np.testing.assert_allclose(told.force, controller.steer(0.1), rtol=1e-9, atol=1e-12)
    assert controller.explain(7).id.tolist() == [7]


def test_some_are_explained_by_id_or_by_a_mask() -> None:
    world = world_of()
    herd = world.populations["herd"]
    herd.vehicles.remove(0)
    told = world.explain(herd, [7, 3])
    assert told.id.tolist() == [7, 3]
    assert "2 vehicles of 'herd'" in str(told)
    masked = world.explain("herd", herd.vehicles.id >= 10)
    assert masked.id.tolist() == [10, 11]
    one = world.explain(herd, 10)
    np.testing.assert_array_equal(masked.force[0], one.force[0])
    assert str(one).startswith("vehicle 10 of 'herd'")
    for query in (world.explain, world.sketch):
        with pytest.raises(TypeError, match="the id of a vehicle is given twice: 10 and 7"):
            query(10, 7)
    with pytest.raises(KeyError, match="'herd' is not in this world"):
        sm.World().explain(herd)


def test_asking_has_no_effect() -> None:
    hashes = []
    for asks in (False, True):
        world = world_of()
        for _ in range(4):
            if asks:
                str(world.explain("herd", 3))
            world.step()
        hashes.append(state_hash(world))
    assert hashes[0] == hashes[1]


def test_weights_of_their_own_are_told_of_those_who_are_asked() -> None:
    world = sm.World(threads=1)
    weights = np.array([1.0, 3.0, 8.0])
    world.add(herd(3), name="herd", steering=sm.WeightedSum([sm.Seek([3.0, 4.0]), sm.Wander()], weights=[weights, 2.0]))
    told = [world.explain("herd", ids).parts[0].weight for ids in (0, 1, [0, 2], None)]
    assert told == [1.0, 3.0, 4.5, 4.0]


def test_every_node_is_told_of_with_its_weight() -> None:
    told = world_of().explain()
    assert [node.label for node in told.walk()] == [
        "Priority", "AvoidObstacles", "WeightedSum", "Separation", "stroll", "Seek",
    ]  # fmt: skip
    assert [node.weight for node in told["WeightedSum"].parts] == [1.5, 0.5, 1.0]
    asked = told["stroll"].evaluated
    raw = told["stroll"].raw[asked]
    limited = raw * np.minimum(1, 4 / np.linalg.norm(raw, axis=1))[:, None]
    np.testing.assert_allclose(told["stroll"].contribution[asked], 0.5 * limited, rtol=1e-9)
    np.testing.assert_allclose(sum(part.contribution for part in told["WeightedSum"].parts), told["WeightedSum"].raw)


def test_it_says_who_won() -> None:
    told = world_of(max_force=2.0).explain()  # Weak brakes: some have to avoid already.
    avoid, group = told.parts
    assert avoid.acts.any()
    assert not avoid.acts.all()
    assert (group.evaluated == ~avoid.acts).all(), "who is avoiding is not asked by the group"
    np.testing.assert_array_equal(told.winner[avoid.acts], "AvoidObstacles")
    sizes = np.stack([np.linalg.norm(part.contribution, axis=1) for part in group.parts])
    names = np.array([part.label for part in group.parts])
    np.testing.assert_array_equal(told.winner[~avoid.acts], names[sizes.argmax(axis=0)][~avoid.acts])


def test_one_vehicle_prints_as_a_tree() -> None:
    vehicles = sm.Vehicles([[0.0, 0.0]], max_speed=2.0, max_force=9.0, mass=1.0, response_time=1.0, dtype=np.float64)
    world = sm.World(threads=1)
    asleep = sm.Flee([90.0, 0.0], panic_distance=1.0)
    unasked = sm.Seek([0.0, 1.0], name="never")
    world.add(
        vehicles, name="one", steering=sm.Priority([asleep, 0.5 * sm.Seek([4.0, 0.0]) + sm.Seek([0.0, 3.0]), unasked])
    )
    assert str(world.explain(0)) == "\n".join(
        [
            "vehicle 0 of 'one' at step 0 (0 s): [1, 2] N of at most 9 N",
            "Priority          [1, 2] N",
            "|- Flee           does not act",
            "|- WeightedSum    [1, 2] N",
            "|  |- 0.5 x Seek  [2, 0] N, kept [1, 0] N",
            "|  `- Seek        [0, 2] N",
            "`- never          not asked",
        ]
    )


def test_many_print_as_counts() -> None:
    text = str(world_of().explain())
    assert text.startswith("'herd' at step 5 (0.5 s): 12 vehicles, on average")
    assert "|- AvoidObstacles" in text
    assert "asked for 12" in text


def test_the_mode_is_told() -> None:
    modes = sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Flee([5.0, 5.0])}, start="graze",
        transitions=[("graze", "flee", sm.Where(lambda vehicles: vehicles.id < 4))],
    )  # fmt: skip
    told = world_of(modes).explain()
    assert [part.mode for part in told.parts] == ["graze", "flee"]
    np.testing.assert_array_equal(told["flee"].evaluated, told.id < 4)
    assert "flee: Flee" in str(told.of(2))
    assert "graze: Wander  not asked" in str(told.of(2))


@pytest.mark.parametrize(
    "tree",
    [
        sm.TruncatedSum([sm.Flee([9.0, 9.0], panic_distance=5.0), 0.4 * sm.Seek([1.0, 2.0]), sm.Wander()]),
        sm.Dithered([sm.Seek([1.0, 2.0]), sm.Wander()], probabilities=(0.5, 0.9)),
        sm.RoundRobin([sm.Seek([1.0, 2.0]), sm.Wander()], period=0.2),
        sm.Switch(sm.Seek([1.0, 2.0]), on=lambda vehicles: vehicles.id > 5),
        sm.ContextMap([sm.Seek([1.0, 2.0]), sm.Wander()], danger=[sm.Separation(radius=3.0)], obstacles=ROCKS),
        sm.ContextMap([sm.Seek([1.0, 2.0]), sm.Wander()], neighbors=True),
    ],
    ids=lambda tree: type(tree).__name__,
)
def test_what_is_kept_of_the_parts_is_the_whole(tree: Any) -> None:
    told = world_of(tree).explain()
    np.testing.assert_allclose(sum(part.contribution for part in told.parts), told.raw, rtol=1e-9, atol=1e-12)
    assert told.raw.any()


def test_what_is_off_is_told_of_as_not_asked() -> None:
    world = sm.World(threads=1)
    world.add(herd(), steering=sm.Switch(sm.Seek([1.0, 2.0]), on=False) + sm.Wander())
    assert "Seek   not asked" in str(world.explain(3))


def test_who_is_meant_must_be_clear() -> None:
    world = world_of()
    world.add(herd(3), name="coasting")
    assert len(world.explain().id) == 12, "the only population that is steered"
    assert world.explain(7).id.tolist() == [7]
    with pytest.raises(ValueError, match="which population is meant must be said: 'herd', 'coasting'"):
        world.explain(1)
    with pytest.raises(ValueError, match="nothing steers 'coasting'"):
        world.explain("coasting")
    with pytest.raises(KeyError, match="no population is called 'flock'"):
        world.explain("flock")
    with pytest.raises(KeyError, match="no vehicle has id 77"):
        world.explain("herd", 77)
    with pytest.raises(KeyError, match="no vehicle has id 77"):
        world.explain(77)
    for who in (range(10**12), [1, 2], 1.0, True):
        with pytest.raises(TypeError, match="vehicles must be a population, its name, or the id of a vehicle, got"):
            world.explain(who)
    with pytest.raises(KeyError, match="no node is called 'Alignment'; there are: Priority"):
        _ = world.explain()["Alignment"]
    with pytest.raises(ValueError, match="which population is meant must be said: none is steered"):
        sm.World().explain()


def test_not_in_the_middle_of_a_step() -> None:
    world = sm.World(threads=1)
    world.add(herd(), steering=lambda vehicles: world.explain().force)
    with pytest.raises(RuntimeError, match="explain is for between steps"):
        world.step()


def test_one_alone_is_told_what_was_kept_when_all_is_spent():
    """The part that spends the last of max_force is recorded, too, where nobody else has something left."""

    def kept(n):
        world = sm.World()
        vehicles = sm.Vehicles(np.array([[0.0, 0], [50, 50]])[:n], max_force=10, max_speed=5)
        urges = [sm.Seek([100.0, 0]), sm.Seek([0.0, 100])]
        world.add(vehicles, name="some", steering=sm.TruncatedSum(urges, weights=[20.0, 1.0], accounting="lengths"))
        return [part.contribution[0].tolist() for part in world.explain("some").parts]

    assert kept(1) == kept(2)
    assert np.linalg.norm(kept(1)[0]) == pytest.approx(10)
