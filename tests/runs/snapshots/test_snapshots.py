"""A world is saved in one file, in mid-run, and loaded, bit for bit; what is Python in it stands there by name."""

import json
import os
import stat
import zipfile
from dataclasses import dataclass

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.runs.metrics.metric import Metric


def flock(n=30, d=2, dtype=np.float32, **columns):
    rng = np.random.default_rng(3)
    columns = {"max_speed": 4, "max_force": 9} | columns
    return sm.Vehicles(rng.uniform(0, 50, (n, d)), rng.normal(0, 1, (n, d)), dtype=dtype, **columns)


def small_world(steering=None, n=5, d=2, **columns):
    world = sm.World(domain=sm.Torus([50] * d), seed=4, dt=0.05, threads=1)
    world.add(flock(n, d, **columns), name="ants", steering=steering)
    return world


def goes_on_the_same(world, file, steps=20, **given):
    functions = world.save(file)
    again = sm.World.load(file, functions=functions, threads=3, **given)
    assert (state_hash(again), again.threads) == (state_hash(world), 3)
    for each in (world, again):
        each.run(steps=steps)
    assert state_hash(again) == state_hash(world)
    return again


@pytest.fixture
def file(tmp_path):
    return tmp_path / "world.steersman"


# ------------------------------------------------------------------------------------------------------ what comes back


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("n", [0, 1, 7, 300])
def test_vehicles_of_every_kind_come_back(n, d, dtype, file):
    rng = np.random.default_rng(n)
    columns = {"mass": rng.uniform(1, 2, n), "id": rng.permutation(999)[:n], "response_time": "step"}
    world = small_world(sm.Wander() + sm.Separation(radius=3), n, d, dtype=dtype, **columns)
    world.run(steps=5)
    again = goes_on_the_same(world, file)
    assert again["ants"].next_id == world["ants"].next_id
    assert again["ants"].dtype == dtype


def test_clock_memory_flows_resources_and_constraints_come_back(file):
    food, rocks = sm.Resources([[25, 25], [3, 4]], [50, 20]), sm.Spheres([[9, 9]], 2)
    world = small_world(sm.Priority([sm.AvoidObstacles(rocks), sm.Forage(food, reach=9.0, bite=5)]), n=20)
    world.constraints = [sm.ZeroOverlap()]
    ants = world.populations["ants"]
    ants.flows = [sm.Spawner(rate=9.0, where=[[1, 1], [5, 1]], name="nest"), sm.Sink(sm.Sphere([40, 40], 6))]
    dogs = world.add(flock(3), name="dogs", locomotion=sm.Wheeled(), steering=sm.Pursue(ants, which="nearest"))
    dogs.steering = sm.Modes(
        {"go": sm.Pursue(ants), "rest": sm.TargetSpeed(0.0)},
        start="go",
        transitions=[("go", "rest", sm.After(0.4)), ("rest", "go", sm.After(0.3))],
    )
    world.run(steps=30)
    world.advance(0.07)
    again = goes_on_the_same(world, file)
    assert (again.rest, again.time, again.steps, again.dt) == (world.rest, world.time, world.steps, world.dt)
    assert again.populations["ants"].passed("nest") == ants.passed("nest") > 3
    assert again.constraints == world.constraints
    assert again.advance(0.11) == world.advance(0.11)


def test_what_a_replaced_tree_remembers_goes_on(file):
    world = small_world(sm.Wander() + sm.Separation())
    for steering in (sm.Priority([sm.Separation(), sm.Wander("turn"), sm.Wander()]), sm.Priority([sm.Wander()])):
        world.run(steps=5)
        world.populations["ants"].steering = steering
    world.run(steps=5)
    again = goes_on_the_same(world, file)
    assert again.populations["ants"].keys == world.populations["ants"].keys != (0, 1)


def test_frames_that_drifted_are_taken_over_as_they_are(file):
    world = small_world()
    world["ants"].forward[...] *= np.float32(1 + 3e-7)
    goes_on_the_same(world, file)


def test_a_world_that_cannot_be_written_says_why(file):
    world = small_world()
    world["ants"].forward[...] *= 2
    with pytest.raises(
        sm.SnapshotError, match=r"cannot be saved: populations\.ants: forward and up must be unit vectors"
    ):
        world.save(file)
    with pytest.raises(sm.SnapshotError, match="a world without populations"):
        sm.World().save(file)
    assert not file.exists()


# ------------------------------------------------------------------------------------------------------ meters, observers


def test_what_was_measured_goes_on(file):
    world, whole = small_world(sm.Wander()), small_world(sm.Wander())
    for each in (world, whole):
        each.watch("ants", "mean_speed", every=0.15)
        each.watch("ants", near="distance_to", to=[1, 2], every=sm.EverySteps(3))
    world.run(steps=10)
    world.save(file)
    again = sm.World.load(file)
    again.run(steps=31)
    whole.run(steps=41)
    for label, meter in whole.meters.items():
        assert np.array_equal(again.meters[label].times, meter.times)
        assert np.array_equal(again.meters[label].values, meter.values)
        assert again.meters[label].summary() == meter.summary()


class Counter:
    """Knows something, and says so."""

    def __init__(self):
        self.calls = []

    def __call__(self, world):
        self.calls.append(round(world.time, 6))
        world["ants"].velocity[0] *= 0.9

    def saved(self):
        return {"calls": self.calls}

    def resume(self, saved):
        self.calls = saved["calls"]


class Stubborn(Counter):
    """Takes no state."""

    def resume(self, saved):
        raise ValueError("no")


def test_observers_are_called_on_time_and_go_on_with_what_they_know(file):
    world, counter = small_world(sm.Wander()), Counter()
    world.on_step(counter, sm.EverySeconds(0.35))
    world.on_step(print, sm.EverySteps(100))
    world.run(steps=10)
    assert world.save(file) == {"Counter": counter, "print": print}
    other = Counter()
    again = sm.World.load(file, functions={"Counter": other, "print": print})
    for each in (world, again):
        each.run(steps=20)
    assert other.calls == counter.calls
    assert len(counter.calls) == 4
    assert state_hash(again) == state_hash(world)
    assert [type(when) for _, when in again.observers] == [sm.EverySeconds, sm.EverySteps]
    with pytest.raises(sm.SnapshotError, match=r"'Counter': the same objects must have saved\(\) and resume\(saved\)"):
        sm.World.load(file, functions={"Counter": print, "print": print})


@pytest.mark.parametrize("whole", [False, True])
def test_a_metric_of_ones_own_goes_on_with_what_it_knows(whole, file):
    class Most(Counter):
        def __call__(self, subject):
            self.calls = [max(*self.calls, len(subject.vehicles if whole else subject), 0)]
            return self.calls[0]

    def metric(most):
        return Metric("", "", most) if whole else most

    world, other = small_world(n=5), Most()
    world.watch("ants", most=metric(Most()), every=sm.EverySteps(1))
    world.save(file)
    again = sm.World.load(file, functions={"ants.most": metric(other)})
    assert other.calls == [5]
    again["ants"].remove(again["ants"].id < 3)
    again.step()
    assert again.meters["ants.most"].values.tolist() == [5, 5]


# ------------------------------------------------------------------------------------------------------ Python by name


def push(vehicles):
    return vehicles.position * 0.1


def pull(vehicles):
    return -vehicles.position


class Wind:
    def __init__(self, strength):
        self.strength = strength

    def blow(self, vehicles):
        return np.full(vehicles.position.shape, self.strength)


@dataclass(frozen=True, eq=False)
class Drift(sm.Behavior):
    """A behavior of one's own, with memory."""

    wind: float = 1.0

    def init(self, vehicles):
        return {"blown": np.zeros(len(vehicles))}

    def steer(self, scene, memory, out):
        memory["blown"] += scene.dt
        out.linear[:, 0] = self.wind * memory["blown"]


def test_one_function_is_one_argument(file):
    world = small_world(push)
    world.run(steps=3)
    world.save(file)
    again = sm.World.load(file, functions={"push": push})
    for each in (world, again):
        each.run(steps=5)
    assert state_hash(again) == state_hash(world)


def test_all_that_is_missing_is_named_with_its_place(file):
    world = small_world(2.0 * sm.Priority([push, sm.Wander()]) + 3.0 * sm.Switch(sm.Wander(), on=lambda v: v.id > 2))
    world.add(flock(2), name="bees", steering=sm.Seek(lambda: [1.0, 2.0]), locomotion=sm.PointMass())
    world.watch("bees", crowd=len)
    world.on_step(Wind(1.0).blow)
    world.save(file)
    with pytest.raises(sm.SnapshotError) as error:
        sm.World.load(file, functions={"push": push})
    told = str(error.value).splitlines()
    assert [line.split(",")[0].strip() for line in told[1:]] == [
        "'lambda'",
        "'bees.crowd'",
        "'lambda 2'",
        "'Wind.blow'",
    ]
    assert "populations.ants.steering.parts[1].on" in told[1]
    assert "the function builtins.len, at populations.bees.metrics.crowd" in told[2]
    assert "populations.bees.steering.target" in told[3]
    assert "on_step[1]" in told[4]


def test_functions_with_weights_hooks_and_methods_come_back(file):
    calm, storm = Wind(0.1), Wind(2.0)
    modes = sm.Modes(
        {"calm": calm.blow, "storm": sm.Priority([storm.blow])},
        start="calm",
        transitions=[("calm", "storm", lambda vehicles: vehicles.id % 2 == 0)],
        on_enter={"storm": lambda vehicles, who: None},
    )
    world = small_world(sm.WeightedSum([push, sm.Wander(), modes], weights=[2.5, 1, 0.5]))
    world.run(steps=3)
    again = goes_on_the_same(world, file)
    assert again.populations["ants"].steering.weights == world.populations["ants"].steering.weights


def test_classes_of_ones_own_come_back_with_their_memory(file):
    world = small_world(sm.Priority([Drift(3.0), sm.Wander()]))
    world.run(steps=3)
    assert list(world.save(file)) == ["Drift"]
    again = goes_on_the_same(world, file)
    assert again.populations["ants"].memory("Drift")["blown"].min() > 1


def test_vehicles_outside_of_the_world_are_given_again(file):
    player = flock(1)
    world = small_world(sm.Pursue(player))
    world.save(file)
    with pytest.raises(sm.SnapshotError, match="'Vehicles', an object of the class steersman"):
        sm.World.load(file)
    assert sm.World.load(file, functions={"Vehicles": player}).populations["ants"].steering.quarry is player


def test_names_may_be_chosen(file):
    calm, storm = Wind(0.1), Wind(2.0)
    world = small_world(sm.Priority([calm.blow, storm.blow]))
    assert list(world.save(file)) == ["Wind.blow", "Wind.blow 2"]
    assert list(world.save(file, functions={"storm": storm.blow, "calm": calm.blow})) == ["storm", "calm"]
    again = sm.World.load(file, functions={"storm": storm.blow, "calm": calm.blow})
    for each in (world, again):
        each.run(steps=3)
    assert state_hash(again) == state_hash(world)
    with pytest.raises(sm.SnapshotError, match="there is no such thing in this world: 'gale'"):
        world.save(file, functions={"gale": push})


def test_nothing_is_imported_by_its_name(file):
    """A name is a label: what it says does not matter."""
    world = small_world(push)
    world.save(file, functions={"os.system": push})
    with pytest.raises(sm.SnapshotError, match=r"'os\.system', the function .*push, at populations\.ants\.steering"):
        sm.World.load(file)


# ------------------------------------------------------------------------------------------------------ restoring


def test_restoring_keeps_the_objects(file):
    food = sm.Resources([[25, 25]], [50])

    def make():
        world = small_world(sm.Forage(food, reach=30.0, bite=9), n=9)
        return world, world["ants"], world.populations["ants"]

    world, _, _ = make()
    world.run(steps=20)
    world["ants"].remove([3])
    world.run(steps=5)
    world.save(file)
    left = food.amount.copy()
    food.amount = [50]
    again, ants, population = make()
    again.run(steps=2)
    again.restore(file)
    assert again["ants"] is ants
    assert again.populations["ants"] is population
    assert len(ants) == 8
    assert np.array_equal(food.amount, left)
    assert state_hash(again) == state_hash(world)
    assert (again.steps, again.time) == (world.steps, world.time)


def test_resources_that_were_full_are_full_again(file):
    food = sm.Resources([[25, 25]])
    world = small_world(sm.Forage(food, reach=90.0, bite=99))
    world.save(file)
    world.advance(0.07)
    assert food.amount[0] < 1
    world.restore(file)
    assert food.amount.tolist() == [1]
    assert (world.steps, world.time, world.rest) == (0, 0, 0)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda world: setattr(world, "seed", 5), "seed is 4 there, and 5 here"),
        (lambda world: setattr(world, "domain", sm.Torus([50, 51])), r"domain\.size\[1\] is 50.* there, and 51"),
        (lambda world: world.add(flock(2), name="bees"), "populations are 1 there, and 2 here"),
        (
            lambda world: setattr(world.populations["ants"], "steering", sm.Wander(strength=9)),
            r"populations\[0\]\.steering\.strength is only here",
        ),
        (lambda world: world.on_step(print), "on_step are 0 there, and 1 here"),
    ],
)
def test_a_world_that_was_made_otherwise_is_not_restored(change, told, file):
    world = small_world(sm.Wander())
    world.run(steps=3)
    world.save(file)
    other = small_world(sm.Wander())
    change(other)
    before = state_hash(other)
    with pytest.raises(sm.SnapshotError, match="a snapshot of another world: " + told):
        other.restore(file)
    assert state_hash(other) == before


def test_what_fails_in_the_middle_leaves_the_world_as_it_was(file):
    world = small_world(sm.Wander())
    world.on_step(Counter())
    world.run(steps=9)
    world.save(file, functions={"counter": world.observers[0][0]})
    other, stubborn = small_world(sm.Wander()), Stubborn()
    other.on_step(stubborn)
    other.run(steps=2)
    before = state_hash(other)
    with pytest.raises(sm.SnapshotError, match="cannot be put into this world, which is as it was: no"):
        other.restore(file, functions={"counter": stubborn})
    assert state_hash(other) == before
    whole = small_world(sm.Wander())
    whole.on_step(Counter())
    whole.run(steps=6)
    other.run(steps=4)
    assert state_hash(other) == state_hash(whole)


def test_meters_and_observers_are_as_they_were_when_a_later_one_refuses_its_state(file):
    """The meters and the first observer take their states, and the second observer refuses."""
    world = small_world(sm.Wander())
    world.watch("ants", "mean_speed", every=sm.EverySteps(2))
    counters = {"first": Counter(), "second": Counter()}
    for each in counters.values():
        world.on_step(each)
    world.run(steps=2)
    world.save(file, functions=counters)
    other, first, second = small_world(sm.Wander()), Counter(), Stubborn()
    other.watch("ants", "mean_speed", every=sm.EverySteps(2))
    for each in (first, second):
        other.on_step(each)
    other.run(steps=5)
    calls, readings = list(first.calls), other.meters.saved()
    with pytest.raises(sm.SnapshotError, match="which is as it was: no"):
        other.restore(file, functions={"first": first, "second": second})
    assert first.calls == calls
    assert_same(other.meters.saved()["ants.mean_speed"], readings["ants.mean_speed"])
    other.step()
    assert other.meters["ants.mean_speed"].count == 4


def test_a_restored_world_is_drawn_where_it_is(file):
    world = small_world(sm.Wander())
    world.drawn(0)
    world.step()
    world.save(file)
    world.run(steps=20)
    world.restore(file)
    np.testing.assert_array_equal(world.drawn(0.5).position, world["ants"].position)


# ------------------------------------------------------------------------------------------------------ the file


def test_a_snapshot_is_a_zip_of_json_and_arrays(file):
    world = small_world(sm.Wander(), n=300)
    world.save(file)
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        text = json.loads(archive.read("snapshot.json"))
        with archive.open(f"arrays/{text['document']['populations'][0]['position']['$array']}.npy") as member:
            assert np.array_equal(np.load(member), world["ants"].position)
    assert text["format"] == "steersman snapshot"


def test_a_snapshot_replaces_the_one_before_and_leaves_nothing_beside(file):
    world = small_world(sm.Wander())
    for _ in range(2):
        world.run(steps=2)
        world.save(file)
        assert state_hash(sm.World.load(file)) == state_hash(world)
    assert os.listdir(file.parent) == [file.name]


def test_the_same_world_makes_the_same_file(tmp_path):
    world = small_world(sm.Wander())
    world.save(tmp_path / "a")
    world.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_in_the_middle_of_a_step_nothing_is_saved_or_restored(file):
    world = small_world(lambda vehicles: world.save(file))
    with pytest.raises(RuntimeError, match="save is for between steps"):
        world.step()
    assert not file.exists()
    small_world().save(file)
    world = small_world(lambda vehicles: world.restore(file))
    with pytest.raises(RuntimeError, match="restore is for between steps"):
        world.step()


def test_hooks_of_modes_may_not_save_either(file):
    """Who comes and goes in this step is not settled by then."""
    modes = {"go": sm.Wander(), "stop": sm.TargetSpeed(0.0)}
    world = small_world(
        sm.Modes(
            modes,
            start="go",
            transitions=[("go", "stop", sm.After(0.1))],
            on_enter={"stop": lambda v, w: world.save(file)},
        )
    )
    with pytest.raises(RuntimeError, match="save is for between steps"):
        world.run(steps=9)
    assert not file.exists()


def test_an_observer_may_save(file):
    world = small_world(sm.Wander())
    world.on_step(lambda world: world.save(file), sm.EverySteps(7))
    world.run(steps=20)
    with pytest.raises(sm.SnapshotError, match=r"'lambda'.*on_step"):
        sm.World.load(file)
    assert sm.World.load(file, functions={"lambda": print}).steps == 14


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="who may do anything is refused nothing")
def test_a_folder_that_cannot_be_written_to_is_told(file):
    world = small_world(sm.Wander())
    world.save(file)
    before = file.read_bytes()
    world.run(steps=2)
    file.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(PermissionError, match="cannot be written, and what was there is as it was"):
            world.save(file)
    finally:
        file.parent.chmod(stat.S_IRWXU)
    assert file.read_bytes() == before


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_disk_that_is_full_leaves_the_old_snapshot(call, file, monkeypatch):
    world = small_world(sm.Wander())
    world.save(file)
    before = file.read_bytes()
    world.run(steps=2)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    if call == "write":
        resource = pytest.importorskip("resource")
        signal = pytest.importorskip("signal")
        monkeypatch.undo()
        limit, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))
        try:
            with pytest.raises(OSError, match="cannot be written, and what was there is as it was: File too large"):
                world.save(file)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
            signal.signal(signal.SIGXFSZ, handler)
    else:
        monkeypatch.setattr(os, call, full)
        with pytest.raises(OSError, match=r"cannot be written.*No space left on device.*world\.steersman"):
            world.save(file)
        monkeypatch.undo()
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="cannot be written"):
        small_world().save(tmp_path / "nowhere" / "world.steersman")


def test_what_has_no_form_is_told_with_its_place(file):
    class Odd(Counter):
        def saved(self):
            return {"calls": {1, 2}}

    world = small_world()
    world.on_step(Odd())
    with pytest.raises(sm.SnapshotError, match=r"python\[0\]\.saved\.calls: a snapshot has no form for \{1, 2\}"):
        world.save(file)


def test_a_restored_world_has_the_frame_time_and_the_surroundings_of_the_snapshot_or_of_before(file):
    """The rest of frame time, resources, switches and tolls; a restore that fails gives them back."""

    def forest(observer):
        food = sm.Resources([[25, 25], [30, 20]], [8.0, 6.0])
        rocks = sm.Spheres([[5.0, 5.0], [45.0, 5.0]], 2.0)
        paths = sm.RouteGrid(region=sm.Box([50, 50]), spacing=5.0, doors=[[[20, 20], [20, 30]]])
        forage = sm.Forage(food, reach=60.0, bite=50, rate=1.0)
        world = small_world(sm.Priority([sm.AvoidObstacles(rocks), forage, sm.GoTo([40, 40], by=paths)]))
        world.on_step(observer)
        return world, food, rocks, paths

    world, food, rocks, paths = forest(counter := Counter())
    rocks.disable(0)
    paths.set_toll(0, 3.0)
    world.advance(0.13)
    world.save(file, functions={"counter": counter})
    rest, amount = world.rest, food.amount.copy()
    assert rest == pytest.approx(0.03)
    other, left, rocks, paths = forest(again := Counter())
    other.advance(0.27)
    assert (left.amount < amount).all()
    other.restore(file, functions={"counter": again})
    assert other.rest == rest
    np.testing.assert_array_equal(left.amount, amount)
    assert (rocks.enabled.tolist(), paths.current_tolls.tolist()) == ([False, True], [3.0])
    other, left, rocks, paths = forest(stubborn := Stubborn())
    rocks.disable(1)
    paths.set_toll(0, 7.0)
    other.advance(0.27)
    before = other.rest, left.amount.tolist(), state_hash(other)
    with pytest.raises(sm.SnapshotError, match="which is as it was: no"):
        other.restore(file, functions={"counter": stubborn})
    assert (other.rest, left.amount.tolist(), state_hash(other)) == before
    assert (rocks.enabled.tolist(), paths.current_tolls.tolist()) == ([True, False], [7.0])


WATCHES = {
    "line": lambda them: sm.metrics.LineWatch(them, [[5, 1], [5, 9]]),
    "contacts": lambda them: sm.metrics.Contacts(them),
    "stuck": lambda them: sm.StuckWatch("them", radius=0.8, seconds=0.4),
    "zone": lambda them: sm.Zone(sm.Sphere([5, 5], 3), them),
    "zone, once": lambda them: sm.Zone(sm.Sphere([5, 5], 3), them, once=True),
}


@pytest.mark.parametrize("kind", WATCHES)
def test_a_watch_that_looks_now_and_then_goes_on_as_if_nothing_had_happened(kind, tmp_path):
    """The snapshot is taken between two looks, and vehicles come and go."""

    def made():
        rng = np.random.default_rng(2)
        world = sm.World(domain=sm.Torus([10, 10]), dt=0.1, seed=1, threads=1)
        place, velocity = rng.uniform(0, 10, (25, 2)), rng.normal(0, 3, (25, 2))
        them = sm.Vehicles(place, velocity, max_speed=4, max_force=9, radius=0.4)
        flows = [sm.Spawner(5.0, [[5.0, 4.0]]), sm.Sink(sm.Sphere([5, 6], 1))]
        world.add(them, name="them", steering=sm.Wander(), flows=flows)
        watch = WATCHES[kind](them)
        world.on_step(watch, sm.EverySteps(4))
        return world, watch

    world, watch = made()
    world.run(steps=18)
    world.save(tmp_path / "w.steersman")
    other, again = made()
    other.restore(tmp_path / "w.steersman")
    seen = [each.saved() for each in (watch, again)]
    for each in (world, other):
        each.run(steps=30)
    last = [each.saved() for each in (watch, again)]
    assert_same(*last)
    with pytest.raises(AssertionError):
        assert_same(seen[0], last[0])


def assert_same(one, other):
    assert one.keys() == other.keys()
    for key, value in one.items():
        np.testing.assert_array_equal(value, other[key], err_msg=key)
