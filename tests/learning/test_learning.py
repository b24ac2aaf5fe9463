"""Learning: the checkers of gymnasium and PettingZoo, the ways to begin anew, seeds to the bit, and policies in worlds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.typing import Array
from steersman.core.world.state_hash import state_hash
from steersman.learning import senses
from steersman.learning.task import LEARNERS, At, Episodes, Task
from steersman.learning.tasks import TASKS, Evasion, Flock, Formation, Herding, Pursuit


@pytest.mark.parametrize("name", TASKS)
def test_a_task_observes_judges_and_begins_anew_as_it_was_made(name: str) -> None:
    task = TASKS[name]()
    episodes = Episodes(task, 3, threads=1)
    for _ in range(3):
        reward, done, cut = episodes.act(np.full((3, task.agents, task.acted), 0.5))
    observed = episodes.observe()
    assert observed.shape == (3, task.agents, task.observed)
    assert np.isfinite(observed).all()
    assert np.isfinite(reward).all()
    assert reward.shape == (3, task.agents)
    assert not cut.any()
    assert not done.any()
    episodes.begin(np.array([False, True, False]), np.array([77]))
    assert state_hash(episodes.worlds[1]) == state_hash(task.make(77))
    assert episodes.worlds.steps.tolist() == [3 * task.every, 0, 3 * task.every]
    episodes.act(np.full((3, task.agents, task.acted), -0.5))
    alone = task.make(77)
    command = task.command(np.full((1, task.agents, task.acted), -0.5), Episodes(task, [77], 1).worlds[LEARNERS])
    alone.populations[LEARNERS].order(alone[LEARNERS].id, **{key: each[0] for key, each in command.items()})
    alone.run(steps=task.every)
    assert state_hash(episodes.worlds[1]) == state_hash(alone)


@pytest.mark.parametrize("control", ["velocity", "force", "weights"])
def test_actions_are_velocities_forces_or_weights(control: str) -> None:
    task = Flock(control)
    episodes = Episodes(task, 2, threads=1)
    action = np.zeros((2, task.agents, task.acted))
    action[..., 0] = 1.0
    before = episodes.worlds[LEARNERS].velocity.copy()
    for far, most in ((7 * action, action), (-3 * action, -action)):  # Beyond 1 they are cut.
        beyond, within = (task.command(each, episodes.worlds[LEARNERS]) for each in (far, most))
        for name, values in within.items():
            np.testing.assert_array_equal(beyond[name], values)
    episodes.act(action)
    own = episodes.worlds[LEARNERS]
    if control == "weights":
        assert task.acted == 3
        assert not np.array_equal(own.velocity, before)
    elif control == "velocity":
        assert np.all(own.velocity[..., 0] > 1.0)  # Ahead is along x at the start.
    else:
        np.testing.assert_allclose(own.velocity[..., 0], 9.0 * task.every * task.dt, rtol=1e-4)


def test_a_mode_steers_as_its_behavior_alone() -> None:
    """And each learner has its own: the largest of the numbers wins."""
    task = Pursuit("modes")
    episodes = Episodes(task, 1, threads=1)
    assert task.acted == len(task.mode_names) == 3
    for chosen in ([0, 0, 0], [2, 0, 1]):
        episodes.begin(np.ones(1, bool), np.array([5]))
        episodes.act(np.eye(3)[chosen][None] * 0.5 - 0.2)
        modes = [0.0 if k not in chosen else 1.0 for k in range(3)]
        alone = task.make(5, lambda world, modes=modes: sm.WeightedSum([*task.modes(world).values()], weights=modes))
        alone.run(steps=task.every)
        same = [np.array_equal(episodes.worlds[LEARNERS].position[0, k], alone[LEARNERS].position[k]) for k in range(3)]
        assert all(same) is (len(set(chosen)) == 1)
    with pytest.raises(ValueError, match="Formation has no modes to learn"):
        Formation("modes").make(0)


@pytest.mark.filterwarnings("ignore:.*:UserWarning", "ignore:The old:DeprecationWarning")
def test_modes_are_whole_numbers_in_environments() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    env = vector_env(control="modes")
    assert env.single_action_space == gymnasium.spaces.MultiDiscrete([3, 3, 3])
    assert env.action_space.shape == (4, 3)
    env.reset(seed=1)
    env.step(np.array([[0, 1, 2]] * 4))
    orders = env.episodes.worlds.memory(LEARNERS, "obeying")
    for k, name in enumerate(Pursuit.mode_names):
        np.testing.assert_array_equal(orders[name], np.tile(np.eye(3)[k], (4, 1)))
    with pytest.raises(ValueError, match="modes must be whole numbers from 0 to 2, got"):
        env.step(np.full((4, 3), 3))
    check_env(gymnasium.make("steersman/Flock-v0", control="modes").unwrapped, skip_render_check=True)
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import parallel_api_test

    from steersman.learning.parallel_env import AgentsEnv

    agents = AgentsEnv("evasion", control="modes")
    parallel_api_test(agents, num_cycles=5)
    assert agents.action_space("learner_0") == gymnasium.spaces.Discrete(3)


def test_senses_are_in_the_own_frame() -> None:
    position = np.array([[[0.0, 0.0], [0.0, 2.0], [9.0, 0.0]]])
    forward = np.array([[[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]]])
    seen = senses.nearest(position, forward, position, 2, reach=10.0)
    np.testing.assert_allclose(seen[0, 0], [0.2, 0.0, 0.0, -0.9])  # Ahead; to the right.
    np.testing.assert_allclose(seen[0, 1], [0.0, -0.2, 0.9, -0.2])
    np.testing.assert_array_equal(senses.nearest(position, forward, position[:], 2, reach=10.0), seen)
    own_too = senses.nearest(position, forward, position.copy(), 1, reach=10.0)
    np.testing.assert_array_equal(own_too, np.zeros((1, 3, 2)))
    around = [[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0], [0.0, -1.0], [2.0, 0.0]] * 9  # Of those as near, the first ones.
    near = senses.nearest(np.zeros((1, 1, 2)), np.array([[[1.0, 0.0]]]), np.array([around]), 30, reach=2.0)
    np.testing.assert_array_equal(2 * near.reshape(30, 2), sorted(around, key=np.linalg.norm)[:30])
    round_it = senses.nearest(position, forward, position, 1, reach=10.0, domain=sm.Torus((10, 10)))
    np.testing.assert_allclose(round_it[0, 0], [0.0, 0.1])
    np.testing.assert_allclose(senses.toward(position, forward, (0.0, 5.0), reach=10.0)[0, 0], [0.5, 0.0])
    wall = sm.Walls([[[-5, 4], [5, 4]]])
    np.testing.assert_allclose(senses.rays(wall, position, forward, 3, reach=8.0)[0, 0], [0.0, 0.5, 0.0], atol=1e-6)
    beside = sm.Walls([[[2, -5], [2, 5]]])  # To the right of the first, who looks along y.
    np.testing.assert_allclose(senses.rays(beside, position, forward, 3, reach=8.0)[0, 0], [0.75, 0.0, 0.0], atol=1e-6)
    road = sm.Path([[0, 1], [10, 1]])
    np.testing.assert_allclose(senses.along(road, position, forward, reach=2.0)[0, 0], [0.5, 0.0, 0.0, -1.0])
    torus = sm.Torus((10, 10))
    np.testing.assert_allclose(
        senses.toward(position, forward, (9.0, 9.0), reach=10.0, domain=torus)[0, 0], [-0.1, 0.1], atol=1e-9
    )
    feelers = {"reach": 8.0, "domain": torus, "spread": 2 * np.pi / 3}  # 60 degrees to either side.
    seen = senses.rays(sm.Walls([[[9, 0], [9, 10]]]), position, forward, 3, **feelers)[0, 0]
    np.testing.assert_allclose(seen, [0.0, 0.0, 1 - 2 / np.sqrt(3) / 8], atol=1e-6)


@pytest.mark.parametrize("name", [name for name, task in TASKS.items() if task.torus is not None])
def test_a_torus_looks_the_same_from_everywhere(name: str) -> None:
    """What is observed and judged does not change where all are moved, some of them over the seam."""
    episodes = Episodes(TASKS[name](), 2, threads=1)
    episodes.begin(np.ones(2, bool), np.array([5, 6]))
    episodes.act(np.full((2, episodes.task.agents, episodes.task.acted), 0.7))
    observed, judged = episodes.observe(), episodes.task.judge(episodes.at)
    size = np.asarray(episodes.task.torus.size)
    assert all(world.domain == episodes.task.torus for world in episodes.worlds)
    for each in episodes.at.values():
        each.position[:] = np.mod(each.position + [0.6, 0.4] * size, size)
    np.testing.assert_allclose(episodes.observe(), observed, atol=1e-4)
    np.testing.assert_allclose(episodes.task.judge(episodes.at)[0], judged[0], atol=1e-4)


def test_tasks_on_a_torus_judge_by_the_shortest_ways() -> None:
    """A prey across the seam is caught, and mates across the seam touch each other."""
    hunt = Episodes(Pursuit(), 2, threads=1)
    hunt.at["prey"].position[:] = [29.8, 15.0]
    hunt.at[LEARNERS].position[:] = [[10.0, 15.0], [29.8, 1.0], [0.2, 15.0]]
    hunt.at[LEARNERS].position[1, 2] = [2.0, 15.0]
    reward, caught = hunt.task.judge(hunt.at)
    assert caught.tolist() == [True, False]
    np.testing.assert_allclose(
        reward, [np.array([-10.2, -14.0, -0.4]) / 90 + 10, np.array([-10.2, -14.0, -2.2]) / 90], rtol=1e-4
    )
    flock = Episodes(Flock(), 1, threads=1)
    flock.at[LEARNERS].velocity[:] = 0.0
    flock.at[LEARNERS].position[:] = np.stack([2.5 * np.arange(10.0), np.full(10, 12.0)], axis=1)
    assert flock.task.judge(flock.at)[0].tolist() == [[0.0] * 10]
    flock.at[LEARNERS].position[0, 0] = [24.9, 24.9]
    flock.at[LEARNERS].position[0, 9] = [0.3, 0.3]
    touched = np.zeros(10)
    touched[[0, 9]] = -1
    np.testing.assert_allclose(flock.task.judge(flock.at)[0], [touched])


def test_a_world_that_waits_counts_no_action() -> None:
    episodes = Episodes(Flock(), 2, threads=1)
    action = np.zeros((2, episodes.task.agents, episodes.task.acted))
    episodes.act(action, np.array([True, False]))
    assert episodes.acts.tolist() == [1, 0]
    episodes.act(action)
    assert episodes.acts.tolist() == [2, 1]


def in_own_frame(own: complex, ahead: complex, points: Array, motion: Array, reach: float, count: int) -> list[complex]:
    """The nearest points and their motions, by complex numbers: those beyond the reach are zero."""
    order = sorted(range(len(points)), key=lambda k: abs(points[k] - own))
    parts = [(points[k] - own, motion[k]) for k in order if abs(points[k] - own) <= reach][:count]
    seen = [each / ahead / reach for pair in parts for each in pair]
    return seen + [0j] * (2 * count - len(seen))


def pieces_of(name: str, k: int, at: At, n: int) -> list[Any]:
    """What docstrings say that learner k of world n perceives: real numbers, and places in its frame as complex numbers."""
    place, motion, ahead = (
        {key: getattr(each, kind)[n].astype(float) @ [1, 1j] for key, each in at.items()}
        for kind in ("position", "velocity", "forward")
    )
    own, its, face = place[LEARNERS][k], motion[LEARNERS][k], ahead[LEARNERS][k]
    mates = np.arange(len(place[LEARNERS])) != k

    def near(key: str, reach: float, count: int) -> list[complex]:
        rows = mates if key == LEARNERS else slice(None)
        return in_own_frame(own, face, place[key][rows], motion[key][rows] - its, reach, count)

    def capped(way: complex) -> complex:
        return way / max(1.0, abs(way))

    if name == "pursuit":
        return [*near("prey", 22, 1), *near(LEARNERS, 22, 2)]
    if name == "evasion":
        return [abs(its) / 3, *near("hunter", 22, 1), *near(LEARNERS, 22, 2)]
    if name == "flock":
        others = near(LEARNERS, 10, 4)
        return [abs(its) / 3, abs(others[0]), *others]
    if name == "formation":
        slot = complex(*Formation.slots[k]).conjugate()  # Slots are ahead and to the right.
        way = (place["leader"][0] + slot * ahead["leader"][0] - own) / face / 10
        return [capped(way), motion["leader"][0] / face / 3, its / face / 3, *near(LEARNERS, 5, 2)]
    sight = [rays_through_the_door(own, face * np.exp(1j * turn)) for turn in np.linspace(-np.pi / 2, np.pi / 2, 5)]
    door = 0.5 if own.real < 0.3 else 8.0
    return [capped((door - own) / face / 3), abs(its) / 1.4, *sight, *near(LEARNERS, 3, 3)]


def rays_through_the_door(own: complex, ahead: complex) -> float:
    """How near the wall of the doorway is along a ray of 3 m."""
    far = -own.real / ahead.real if ahead.real else np.inf
    hit = 0 <= far <= 3 and abs((own + far * ahead).imag) >= 0.6
    return 1 - far / 3 if hit else 0.0


@pytest.mark.parametrize("name", ["pursuit", "evasion", "flock", "formation", "doorway"])
def test_what_is_observed_is_what_the_docstring_says_in_its_order(name: str) -> None:
    """Two worlds in which all places, speeds and directions are different; none is near a seam."""
    episodes = Episodes(TASKS[name](), 2, threads=1)
    rng = np.random.default_rng(8)
    least, most = (-2, 2) if name == "doorway" else (8, 14)
    for each in episodes.at.values():
        each.position[:] = rng.uniform(least, most, each.position.shape)
        angle = rng.uniform(-3, 3, each.position.shape[:2])
        each.forward[:] = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        each.velocity[:] = rng.normal(size=each.position.shape)
    observed = episodes.observe()
    for n, k in np.ndindex(*observed.shape[:2]):
        pieces = pieces_of(name, k, episodes.at, n)
        wanted = np.hstack([(each.real, each.imag) if np.iscomplexobj(each) else each for each in pieces])
        np.testing.assert_allclose(observed[n, k], wanted, atol=2e-5)


def test_dogs_perceive_fold_and_herd_and_are_judged_by_its_distance() -> None:
    """In their own frame, in parts of 20 m."""
    episodes = Episodes(Herding(), 1, threads=1)
    dogs, sheep = episodes.at[LEARNERS], episodes.at["sheep"]
    dogs.position[0], dogs.forward[0] = [[0.0, -10.0], [10.0, 0.0]], [[0.0, 1.0], [-1.0, 0.0]]
    sheep.position[0] = [[4.0, 0.0]] * 7 + [[12.0, 0.0]]
    fold, middle, last, mate = np.split(episodes.observe()[0, :, :8], 4, axis=1)
    np.testing.assert_allclose(fold, [[0.5, 0.0], [0.5, 0.0]], atol=1e-6)
    np.testing.assert_allclose(middle, [[0.5, -0.25], [0.25, 0.0]], atol=1e-6)
    np.testing.assert_allclose(last, [[0.5, -0.6], [-0.1, 0.0]], atol=1e-6)
    np.testing.assert_allclose(mate, [[0.5, -0.5], [0.5, 0.5]], atol=1e-6)
    reward, done = episodes.task.judge(episodes.at)
    np.testing.assert_allclose(reward, [[-0.05, -0.05]], atol=1e-6)  # The herd is 5 m off on average.
    assert not done.any()
    sheep.position[0, 7] = [4.0, 0.0]
    reward, done = episodes.task.judge(episodes.at)
    np.testing.assert_allclose(reward, [[9.96, 9.96]], atol=1e-6)
    assert done.all()


def test_a_prey_flees_from_who_is_near_and_a_hunter_goes_for_the_nearest() -> None:
    """In two worlds: pursuers stand 9 m from the prey, and 7 m; an evader stands left of the hunter, and right."""
    hunt = Episodes(Pursuit(), 2, threads=1)
    hunt.at["prey"].position[:] = [15.0, 15.0]
    hunt.at[LEARNERS].position[:] = np.array([[[24.0, 15.0]], [[22.0, 15.0]]])
    hunt.worlds.run(steps=60)
    place = hunt.at["prey"].position[:, 0]
    np.testing.assert_allclose(place[0], [15, 15], atol=1e-4)
    assert 15 - place[1, 0] > 3.0
    np.testing.assert_allclose(np.linalg.norm(hunt.at["prey"].velocity[1], axis=-1), 3.6, rtol=0.02)
    chase = Episodes(Evasion(), 2, threads=1)
    chase.at["hunter"].position[:] = [15.0, 15.0]
    chase.at[LEARNERS].position[:] = [[10.0, 15.0], [21.0, 15.0], [15.0, 2.0]]
    chase.at[LEARNERS].position[1, 1] = [19.0, 15.0]
    chase.worlds.run(steps=30)
    way = chase.at["hunter"].position[:, 0] - 15
    assert way[0, 0] < -0.5
    assert way[1, 0] > 0.5


def test_people_of_the_doorway_are_judged_by_where_they_stand() -> None:
    """They are 0.5 m across: two that are 0.45 m apart touch, two that are 0.55 m apart do not."""
    room = Episodes(TASKS["doorway"](), 1, threads=1)
    places = np.stack([np.full(8, -3.0), 2.0 * np.arange(8.0) - 7], axis=1)
    places[1], places[3] = places[0] + [0.45, 0.0], places[2] + [0.0, 0.55]
    places[7] = 2.0, 0.0
    room.at[LEARNERS].position[:] = places
    reward, done = room.task.judge(room.at)
    wanted = -np.array([3.0, 2.55, 3, 3, 3, 3, 3, 0]) / 60
    wanted[:2] -= 0.2
    wanted[7] = 0.1
    np.testing.assert_allclose(reward[0], wanted, atol=1e-6)
    assert not done[0]


def test_who_is_caught_pays_alone() -> None:
    chase = Episodes(TASKS["evasion"](), 2, threads=1)
    chase.at["hunter"].position[:] = 0.2
    chase.at[LEARNERS].position[:] = [[[29.6, 0.2], [5, 5], [9, 9]], [[1.3, 0.2], [5, 5], [9, 9]]]  # Across the seam.
    reward, done = chase.task.judge(chase.at)
    np.testing.assert_allclose(reward, [[-9.9, 0.1, 0.1], [0.1, 0.1, 0.1]])
    assert done.tolist() == [True, False]


def test_a_policy_steers_in_a_world_as_in_many() -> None:
    task = Pursuit()
    task.every = 1  # type: ignore[misc]
    net = sm.Network((12, 8, 2), np.random.default_rng(0).normal(size=sm.Network((12, 8, 2)).count))
    episodes = Episodes(task, 2, threads=1)
    for _ in range(40):
        episodes.act(net(episodes.observe()))
    world = task.make(1, lambda world: sm.Policy(net, task, {"prey": world["prey"]}))
    world.run(steps=40)
    np.testing.assert_allclose(world[LEARNERS].position, episodes.worlds[LEARNERS].position[1], atol=1e-3)


def test_the_motion_of_others_is_that_against_the_own_one() -> None:
    position = np.array([[[0.0, 0.0], [0.0, 2.0]]])
    forward, velocity = np.array([[[0.0, 1.0], [1.0, 0.0]]]), np.array([[[0.0, 3.0], [1.0, -1.0]]])
    both = {"velocity": velocity, "their_velocity": velocity}
    seen = senses.nearest(position, forward, position, 1, reach=10.0, **both)
    np.testing.assert_allclose(seen[0, 0], [0.2, 0.0, -0.4, -0.1])  # It comes nearer, and goes to the right.
    np.testing.assert_allclose(seen[0, 1], [0.0, -0.2, -0.1, 0.4])


@pytest.mark.parametrize(("control", "response"), [("velocity", 0.5), ("velocity", "step"), ("force", 0.5)])
def test_a_policy_steers_vehicles_of_any_mass(control: str, response: Any) -> None:
    """A wanted velocity is reached as soon by a heavy one; a force speeds it up less."""
    task = Flock(control)
    world = task.make(0, lambda world: sm.Policy(lambda seen: np.tile([0.1, 0.0], (len(seen), 1)), task))
    own = world[LEARNERS]
    own.max_force, own.mass, own.response_time = 1e6 if control == "velocity" else 9.0, np.arange(1.0, 11.0), response
    world.step()
    part = task.dt / 0.5 if response == 0.5 else 1.0
    wanted = 0.3 * part if control == "velocity" else 0.9 * task.dt / own.mass
    np.testing.assert_allclose(own.velocity[:, 0], wanted, rtol=1e-4)


def test_a_network_is_saved_and_many_are_asked_at_once(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    sizes = (4, 5, 2)
    numbers = rng.normal(size=(3, sm.Network(sizes).count))
    looks = rng.normal(size=(3, 6, 4))
    together = sm.Network(sizes, numbers)(looks)
    for k in range(3):
        np.testing.assert_allclose(together[k], sm.Network(sizes, numbers[k])(looks[k]))
    seen, at, kept = looks[0, 0], 0, numbers[0].tolist()
    for a, b in ((4, 5), (5, 2)):  # The weights of the first input, of the second, ..., and the biases.
        seen = [np.tanh(sum(seen[i] * kept[at + i * b + j] for i in range(a)) + kept[at + a * b + j]) for j in range(b)]
        at += (a + 1) * b
    np.testing.assert_allclose(together[0, 0], seen)
    sm.Network(sizes, numbers[0]).save(tmp_path / "net.npz")
    np.testing.assert_array_equal(sm.Network.load(tmp_path / "net.npz")(looks), sm.Network(sizes, numbers[0])(looks))
    with pytest.raises(ValueError, match=r"numbers must have shape \(37,\), got \(3,\)"):
        sm.Network(sizes, np.zeros(3))


def test_a_policy_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match='task must have control "velocity" or "force" for a Policy, got "weights"'):
        sm.Policy(lambda seen: seen, Flock("weights"))
    world = Flock().make(0, lambda world: sm.Policy(lambda seen: seen, Flock()))
    with pytest.raises(ValueError, match=r"act must give shape \(10, 2\), got \(10, 18\)"):
        world.step()
    with pytest.raises(ValueError, match="control must be one of velocity, force, weights, modes, got 'speed'"):
        Flock("speed")
    task = Pursuit()
    with pytest.raises(ValueError, match=r"observations must have shape \(\.\.\., 5\), got \(3, 12\)"):
        task.make(0, lambda world: sm.Policy(sm.Network((5, 2)), task, {"prey": world["prey"]})).step()
    with pytest.raises(ValueError, match="others must have the population 'prey' of the task, got learners"):
        task.make(0, lambda world: sm.Policy(sm.Network((12, 2)), task)).step()


def test_actions_that_are_no_numbers_are_refused() -> None:
    episodes = Episodes(Pursuit(), 2, threads=1)
    action = np.zeros((2, 3, 2))
    action[1, 2, 0] = np.nan
    episodes.act(action, np.array([True, False]))  # The world of this action does not go on.
    with pytest.raises(ValueError, match="actions must be numbers from -1 to 1, got nan for learner 2 of world 1"):
        episodes.act(action)
    assert episodes.worlds.steps.tolist() == [Pursuit.every, 0]


# ------------------------------------------------------------------------------------------------ gymnasium


def vector_env(**options: Any) -> Any:
    pytest.importorskip("gymnasium")
    from steersman.learning.vector_env import WorldsEnv

    return WorldsEnv(**{"task": "pursuit", "num_envs": 4, "threads": 1} | options)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_gymnasium_checks_the_environment(name: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import steersman.learning.vector_env

    env = gymnasium.make(f"steersman/{name.capitalize()}-v0")
    check_env(env.unwrapped, skip_render_check=True)
    many = gymnasium.make_vec(f"steersman/{name.capitalize()}-v0", num_envs=2)
    assert type(many) is steersman.learning.vector_env.WorldsEnv
    observed, _ = many.reset(seed=1)
    assert many.observation_space.contains(observed)
    single, _ = env.reset(seed=2)
    np.testing.assert_array_equal(single, observed[1])
    second, third = env.reset()[0], env.reset()[0]
    assert not np.array_equal(second, third)
    env.reset(seed=2)
    np.testing.assert_array_equal(env.reset()[0], second)


class Uneven(Pursuit):
    """Each world ends by its own places: one now, another later."""

    def judge(self, at: At) -> tuple[Array, Array]:
        return super().judge(at)[0], np.asarray(at[LEARNERS].position[:, 0, 0] % 1 < 0.2)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_episodes_do_not_depend_on_the_other_worlds(mode: str) -> None:
    """Every world has the observations that it has alone, through the ends of its episodes."""

    def played(count: int, seeds: list[int]) -> list[Any]:
        env = vector_env(task=Uneven(), num_envs=count, autoreset_mode=mode, max_episode_steps=7)
        env.reset(seed=seeds)
        seen, ended, acts = [], np.zeros(count, bool), np.zeros(count, int)
        for k in range(20):
            acts = np.where(ended, 0 if mode == "NextStep" else 1, acts + 1)
            if mode == "Disabled" and ended.any():
                env.reset(seed=[seed + k for seed in seeds], options={"reset_mask": ended})
            action = np.full(env.action_space.shape, 0.1 * k - 1.0)
            observed, reward, done, cut, infos = env.step(action)
            ended = done | cut
            np.testing.assert_array_equal(infos.get("_done_in", ended), ended)
            np.testing.assert_array_equal(infos.get("done_in", ended), np.where(ended, acts, 0))
            np.testing.assert_allclose(reward, infos["rewards"].mean(axis=1))
            seen.append((observed, reward, done, cut, infos))
        return seen

    together, alone = played(3, [5, 6, 7]), played(1, [6])
    assert len({tuple(c | d) for _, _, c, d, _ in together}) > 2
    for (a, b, c, d, _), (e, f, g, h, _) in zip(together, alone, strict=True):
        np.testing.assert_array_equal(a[1], e[0])
        assert (b[1], c[1], d[1]) == (f[0], g[0], h[0])


def test_next_step_ignores_the_action_and_same_step_gives_the_last_observation() -> None:
    env = vector_env(autoreset_mode="NextStep", max_episode_steps=2)
    env.reset(seed=3)
    action = np.ones(env.action_space.shape)
    env.step(action)
    last, _, _, cut, infos = env.step(action)
    assert cut.all()
    assert infos["done_in"].tolist() == [2, 2, 2, 2]
    begun, reward, done, cut, infos = env.step(action)
    for each in (reward, done, cut, infos["_rewards"]):
        assert not each.any()
    same = vector_env(autoreset_mode="SameStep", max_episode_steps=2)
    same.reset(seed=3)
    same.step(action)
    observed, _, _, cut, infos = same.step(action)
    assert cut.all()
    np.testing.assert_array_equal(np.stack(infos["final_obs"]), last)
    assert infos["_final_obs"].all()
    np.testing.assert_array_equal(observed, begun)
    off = vector_env(autoreset_mode="Disabled", max_episode_steps=1)
    off.reset(seed=3)
    off.step(action)
    with pytest.raises(ValueError, match=r"worlds \[0, 1, 2, 3\] have ended: reset them by reset_mask"):
        off.step(action)
    off.reset(options={"reset_mask": np.array([True, False, False, True])})
    with pytest.raises(ValueError, match=r"worlds \[1, 2\] have ended"):
        off.step(action)


def test_every_public_name_is_there() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    found = {name: getattr(sm.learning, name) for name in sm.learning.__all__}
    assert found.pop("TASKS") is TASKS
    assert [each.__name__ for each in found.values()] == list(found)
    with pytest.raises(AttributeError, match="has no attribute 'Worlds'"):
        _ = sm.learning.Worlds


def test_one_world_is_the_first_of_many_to_the_end_of_its_episode() -> None:
    """Some episodes are done, others are cut off."""
    module = pytest.importorskip("steersman.learning.vector_env")
    task = Uneven()
    task.most = 4  # type: ignore[misc]
    one, many = module.WorldEnv(task), vector_env(task=task, num_envs=1, autoreset_mode="Disabled")
    ends = set()
    for seed in range(4):
        observed, (first, *_), ended = one.reset(seed=seed)[0], many.reset(seed=seed)[0], False
        np.testing.assert_array_equal(observed, first)
        while not ended:
            action = np.full(one.action_space.shape, 0.5)
            observed, reward, done, cut, infos = one.step(action)
            all_observed, rewards, all_done, all_cut, all_infos = many.step(action[None])
            np.testing.assert_array_equal(observed, all_observed[0])
            np.testing.assert_array_equal(infos["rewards"], all_infos["rewards"][0])
            assert (reward, done, cut) == (rewards[0], all_done[0], all_cut[0])
            ended = done or cut
        ends.add((done, cut))
    assert ends == {(True, False), (False, True)}
    assert module.WorldEnv("pursuit", control="force")._many.task.control == "force"


def test_the_length_of_episodes_is_that_of_one_environment() -> None:
    """Neither others of the same task, nor the task itself have it."""
    task = Pursuit()
    short = vector_env(task=task, max_episode_steps=2, autoreset_mode="Disabled")
    others = [vector_env(task=each, autoreset_mode="Disabled") for each in (task, "pursuit")]
    for env, cut_off in ((short, True), *((other, False) for other in others)):
        env.reset(seed=3)
        for _ in range(2):
            *_, cut, _ = env.step(np.ones(env.action_space.shape))
        assert cut.all() == cut_off
    assert task.most == Pursuit.most == Pursuit().most


def test_an_environment_says_what_is_wrong() -> None:
    env = vector_env()
    with pytest.raises(ValueError, match=r"actions must have shape \(4, 3, 2\), got \(4, 2\)"):
        env.step(np.zeros((4, 2)))
    with pytest.raises(ValueError, match="there must be one seed for each of 4 worlds, got 2"):
        env.reset(seed=[1, 2])
    with pytest.raises(ValueError, match=r"reset_mask must be a mask of shape \(4,\) with a world in it"):
        env.reset(options={"reset_mask": np.zeros(4, bool)})
    with pytest.raises(
        ValueError,
        match="task must be a Task, or one of pursuit, evasion, herding, flock, formation, doorway, got 'chess'",
    ):
        vector_env(task="chess")


def returned(task: Task, steering: Any, seeds: range) -> float:
    """The mean return of an episode with a tree of the library."""
    total = 0.0
    for seed in seeds:
        world = task.make(seed, steering)
        worlds = sm.Worlds(lambda seed, world=world: world, [seed], threads=1)
        for _ in range(task.most):
            worlds.run(steps=task.every)
            reward, done = task.judge(worlds.populations)
            total += float(reward.mean()) / len(seeds)
            if done[0]:
                break
    return total


@pytest.mark.parametrize(
    ("task", "impostor"),
    [
        (Herding(), lambda world: sm.Pursue(world["sheep"])),
        (Evasion(), lambda world: sm.Pursue(world["hunter"])),
        (Formation(), lambda world: sm.OffsetPursuit(world["leader"], offset=Formation.slots * [1, -1])),
    ],
    ids=["herding", "evasion", "formation"],
)
def test_the_hand_made_tree_does_the_task_and_its_nearest_impostor_does_not(task: Task, impostor: Any) -> None:
    good, bad = (returned(task, tree, range(6)) for tree in (task.hand_made, impostor))
    assert good > bad + 3.0


def test_the_places_of_a_formation_are_those_of_the_leaders_frame() -> None:
    task = Formation()
    episodes = Episodes(task, 2, threads=1)
    episodes.act(np.zeros((2, 5, 2)))
    leader, own = episodes.worlds["leader"], episodes.worlds[LEARNERS]
    ahead = leader.forward
    left = np.stack([-ahead[..., 1], ahead[..., 0]], axis=-1)
    own.position[:] = leader.position + Formation.slots[:, :1] * ahead - Formation.slots[:, 1:] * left
    reward, done = task.judge(episodes.at)
    np.testing.assert_allclose(reward, 0.0, atol=1e-6)
    assert not done.any()
    np.testing.assert_allclose(task.observe(episodes.at)[..., :2], 0.0, atol=1e-6)
    for mate, beside, wanted in ((1, [0.5, 0.0], -0.2), (2, [-0.9, 0.0], -0.4)):  # Then one touches it, then two.
        own.position[0, mate] = own.position[0, 0] + np.array(beside)
        reward, _ = task.judge(episodes.at)
        assert reward[0, 0] == pytest.approx(wanted, abs=1e-6)
    np.testing.assert_allclose(reward[1], 0.0, atol=1e-6)


# ------------------------------------------------------------------------------------------------ PettingZoo


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.filterwarnings(
    "ignore:The old environment creation API:DeprecationWarning", "ignore:The old API:DeprecationWarning"
)
def test_pettingzoo_checks_the_environment(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    from steersman.learning.parallel_env import AgentsEnv

    parallel_api_test(AgentsEnv(name), num_cycles=150)
    assert "Passed" in capsys.readouterr().out
    parallel_seed_test(lambda: AgentsEnv(name), num_cycles=20)
    agents = AgentsEnv(name)
    first, second, again = (agents.reset(seed)[0]["learner_0"] for seed in (7, None, 7))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, second)
    seen = []
    for order in (1, -1):  # Actions are those of the agents that they are for, however they are listed.
        agents.reset(7)
        actions = {each: np.array([0.2 * k, -0.1], np.float32) for k, each in enumerate(agents.agents)}
        seen.append(agents.step(dict([*actions.items()][::order]))[0])
    for each in agents.possible_agents:
        np.testing.assert_array_equal(seen[0][each], seen[1][each])


class Chase(Pursuit):
    def observe(self, at: At) -> Array:
        return super().observe(at)[..., :11]


class Few(Pursuit):
    agents = 2


class Lost(Pursuit):
    def observe(self, at: At) -> Array:
        return np.zeros((*at["pray"].position.shape[:2], self.observed))


class Alone(Pursuit):
    def fill(self, world: sm.World, places: dict[str, Array], steering: Any) -> None:
        world.add(sm.Vehicles(places["prey"]), name="prey")


class Elsewhere(Pursuit):
    """Begins with two preys, of which its worlds have one."""

    def make(self, seed: int, steering: Any = None) -> sm.World:
        return Pursuit().make(seed, steering)

    def places(self, rng: np.random.Generator) -> dict[str, Array]:
        return super().places(rng) | {"prey": np.zeros((2, 2))}


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Few, "Few has agents = 2, but its fill adds 3 learners"),
        (Alone, r"fill of Alone must add the learners, by self.add"),
        (Chase, r"observe of Chase must give shape \(2, 3, 12\) \(worlds, learners, observed\), got \(2, 3, 11\)"),
        (Lost, "there is no population 'pray'; did you mean 'prey'.* .there are: .*learners"),
        (Elsewhere, r"places of Elsewhere must give 'prey' shape \(1, 2\), got \(2, 2\)"),
    ],
)
def test_an_own_task_says_which_shape_or_name_is_wrong(task: type[Task], message: str) -> None:
    def begin_and_observe() -> None:
        episodes = Episodes(task(), 2)
        episodes.begin(np.ones(2, bool), np.arange(2))
        episodes.observe()

    with pytest.raises(ValueError, match=message):
        begin_and_observe()


@pytest.mark.parametrize(
    ("reward", "done", "error", "message"),
    [
        (np.zeros(2), np.zeros(2, bool), ValueError, r"reward in judge of Pursuit must have shape \(2, 3\)"),
        (np.zeros((2, 3)), np.zeros((2, 3), bool), ValueError, r"done in judge of Pursuit must have shape \(2,\)"),
        (np.zeros((2, 3)), np.zeros(2), TypeError, "done in judge of Pursuit must be bool, got float64"),
        (None, None, TypeError, "judge of Pursuit must give two arrays"),
    ],
)
def test_rewards_and_ends_of_another_shape_are_refused(
    reward: Any, done: Any, error: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    episodes = Episodes(Pursuit(), 2)
    monkeypatch.setattr(Pursuit, "judge", lambda self, at: reward if reward is None else (reward, done))
    with pytest.raises(error, match=message):
        episodes.act(np.zeros((2, 3, 2)))


def test_a_policy_checks_the_observations_of_its_task() -> None:
    net = sm.Network((11, 2))
    world = Chase().make(1, lambda world: sm.Policy(net, Chase(), {"prey": world["prey"]}))
    with pytest.raises(ValueError, match="observe of Chase must give shape"):
        world.step()


def test_rewards_that_are_a_view_of_one_number_a_world_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    env = pytest.importorskip("steersman.learning.vector_env").WorldsEnv("pursuit", 2)
    monkeypatch.setattr(Pursuit, "judge", lambda self, at: (np.broadcast_to(np.ones((2, 1)), (2, 3)), np.ones(2, bool)))
    env.reset(seed=1)
    for expected in (1.0, 0.0):  # The second action is ignored: the worlds begin anew, and do not end.
        _, reward, done, cut, _ = env.step(np.zeros((2, 3, 2)))
        assert (reward == expected).all()
        assert (done == bool(expected)).all()
        assert not cut.any()
