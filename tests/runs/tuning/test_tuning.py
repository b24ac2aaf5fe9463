"""Tuning: the values that make a metric best are found, and judged with other seeds."""

import tomllib
from types import SimpleNamespace

import numpy as np
import pytest
from later import later, needs

import steersman as sm
from steersman.runs.sweeps import crews, store
from steersman.runs.sweeps.design import Span, as_axis
from steersman.runs.tuning.judging import balanced, estimate, front
from steersman.runs.tuning.searching import Cmaes, new_search
from steersman.runs.tuning.tune import _current, _judge

pytestmark = [needs("cmaes"), needs("optuna")]
optuna, stats = later("optuna"), later("scipy.stats")

SPAN = {"low": 0.0, "high": 4.0}


def bowl(*, seed=0, a=1.0, b=3.0, kind="x"):
    """A world whose one vehicle stands at a place that depends on the parameters, and a little on the seed."""
    noise = np.random.default_rng(seed).normal(0, 0.05)
    world = sm.World(seed=seed, dt=0.1)
    world.add(sm.Vehicles([[a + noise, b + (5.0 if kind == "x" else 0.0)]]), name="one")
    return sm.Stage(world, seconds=0.1)


def off(stage):
    x, y = stage.world["one"].position[0]
    return float((x - 2) ** 2 + (y - 1) ** 2)


def right(stage):
    return float(stage.world["one"].position[0, 0])


def left(stage):
    return float(-stage.world["one"].position[0, 0] + 3 * stage.world["one"].position[0, 1])


def failing(*, seed=0, a=1.0):
    if a > 2:
        raise ValueError("too large")
    return bowl(seed=seed, a=a, b=1.0, kind="y")


QUICK = {"seeds": 2, "held_out": 6, "on": "here"}


def test_cmaes_finds_the_lowest_place_and_judges_it_with_other_seeds(tmp_path):
    tuned = sm.tune(
        bowl, {"a": SPAN, "b": {"low": -6.0, "high": 0.0}}, minimize=off, measure=right, budget=120, **QUICK
    )
    assert tuned.values == pytest.approx({"a": 2, "b": -4}, abs=0.1)
    goal, other = tuned.judged
    assert (goal.measure, goal.goal, goal.verdict) == ("off", "minimize", "better")
    assert goal.before.mean == pytest.approx(1 + 49, abs=0.3)
    assert goal.after.mean < 0.05
    assert goal.gain.low < goal.gain.mean < goal.gain.high
    assert goal.gain.mean == pytest.approx(goal.before.mean - goal.after.mean)
    assert (other.goal, other.verdict) == ("", "")
    assert len(tuned.candidates) >= 120
    assert "off      minimize  " in str(tuned)
    assert tuned.table[0]["gain_mean"] == goal.gain.mean
    tuned.write(tmp_path / "tuned.toml")
    text = tuned.chart(tmp_path / "chart.svg").read_text()
    assert all(f"<!-- {word} -->" in text for word in ("candidates", "best so far", "candidate", "minimize off"))
    text = (tmp_path / "tuned.toml").read_text()
    assert "# a = " in text.replace("#   a", "# a")
    again = sm.from_document(tmp_path / "tuned.toml")
    assert again["one"].position[0, 1] == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("full", [False, True])
def test_a_search_that_was_stopped_makes_one_table_and_leaves_its_folder_to_the_next(tmp_path, monkeypatch, full):
    """Also where that table cannot be written."""

    def stop(done, count):
        if done == 1:
            raise KeyboardInterrupt

    about = {"minimize": off, "budget": 1, "seeds": 2, "held_out": 1, "on": "here", "out": tmp_path}
    with monkeypatch.context() as broken:
        if full:
            broken.setattr(store.Store, "settle", lambda rows: (tmp_path / "nothing").stat())
        with pytest.raises(FileNotFoundError if full else KeyboardInterrupt):
            sm.tune(bowl, {"a": SPAN}, progress=stop, **about)
    assert (tmp_path / "table.parquet").exists() == (not full)
    assert len([*(tmp_path / "rows").iterdir()]) == full
    sm.tune(bowl, {"a": SPAN}, **about)
    assert len(sm.read_sweep(tmp_path)) > 2


def test_a_damaged_folder_can_be_mended_and_used_again(tmp_path):
    """It stayed locked until the process ended."""
    about = {"minimize": off, "budget": 1, "seeds": 1, "held_out": 1, "on": "here", "out": tmp_path}
    sm.tune(bowl, {"a": SPAN}, **about)
    whole = (tmp_path / "table.parquet").read_bytes()
    (tmp_path / "table.parquet").write_bytes(whole[:99])
    with pytest.raises(sm.RunError, match="a file is damaged"):
        sm.tune(bowl, {"a": SPAN}, **about)
    (tmp_path / "table.parquet").write_bytes(whole)
    sm.tune(bowl, {"a": SPAN}, **about)


def near(stage):
    return -off(stage)


@pytest.mark.parametrize("values", [{"a": SPAN, "b": {"low": -6.0, "high": 0.0}}, {"a": SPAN, "kind": ["x", "y"]}])
def test_what_is_maximized_is_searched_as_its_opposite_is_minimized(values):
    least, most = (
        sm.tune(bowl, values, budget=16, seeds=1, held_out=2, on="here", **goal)
        for goal in ({"minimize": off}, {"maximize": near})
    )
    assert least.values == most.values
    assert [each.values for each in least.candidates] == [each.values for each in most.candidates]


def test_the_same_values_are_found_wherever_the_runs_are_made():
    about = {"minimize": off, "seeds": 2, "held_out": 4, "budget": 20}
    here, pool = (sm.tune(bowl, {"a": SPAN}, **about, **more) for more in ({"on": "here"}, {"workers": 2}))
    assert here.values == pool.values
    assert here.judged == pool.judged
    assert here.candidates == pool.candidates
    assert here.values != sm.tune(bowl, {"a": SPAN}, on="here", search_seed=1, **about).values


@pytest.mark.parametrize("values", [{"a": SPAN}, {"kind": ["x", "y"], "a": {"low": 0, "high": 4, "whole": True}}])
def test_a_search_that_was_stopped_goes_on_and_makes_no_run_twice(values, tmp_path, monkeypatch):
    about = {"minimize": off, "measure": right, "seeds": 2, "held_out": 4, "budget": 30, "on": "here"}
    whole, made = sm.tune(bowl, values, **about), []

    def stop(done, count):
        if done == 41:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        sm.tune(bowl, values, out=tmp_path, progress=stop, **about)
    perform = crews.perform
    monkeypatch.setattr(crews, "perform", lambda work, task: made.append(task.number) or perform(work, task))
    again = sm.tune(bowl, values, out=tmp_path, **about)
    runs = 2 * len(whole.candidates) + 8
    assert made == list(range(41, runs))
    assert again.judged == whole.judged
    assert again.candidates == whole.candidates
    assert repr(sm.read_sweep(tmp_path)) == f"Sweep({str(tmp_path)!r}, {runs} runs)"
    made.clear()
    assert sm.tune(bowl, values, out=tmp_path, **about).judged == whole.judged
    assert not made
    with pytest.raises(sm.RunError, match="with other budget"):
        sm.tune(bowl, values, out=tmp_path, **about | {"budget": 31})
    assert len(sm.tune(bowl, values, out=tmp_path, force=True, **about | {"budget": 8}).candidates) < 30


@pytest.mark.parametrize("budget", [8, 9])
def test_progress_ends_with_the_number_of_runs_that_were_made(budget):
    """Before that it is the number that was asked for: the last generation may be larger than what is left."""
    told = []
    tuned = sm.tune(
        bowl, {"a": SPAN}, minimize=off, seeds=2, held_out=3, budget=budget, on="here",
        progress=lambda done, count: told.append((done, count)),
    )  # fmt: skip
    tried, judging = 2 * len(tuned.candidates), 2 * 3
    done, count = np.array(told).T
    assert len(told) == tried + judging
    assert (np.diff(done) >= 0).all()
    assert set(count[:tried]) == {2 * budget + judging}
    assert done[:tried].tolist() == np.minimum(np.arange(1, tried + 1), 2 * budget + judging).tolist()
    assert told[tried:] == [(tried + k, tried + judging) for k in range(1, judging + 1)]


def test_a_row_of_other_values_is_made_again(tmp_path, monkeypatch):
    """A newer CMA-ES may ask for others with the same seed."""
    about = {"minimize": off, "seeds": 1, "held_out": 2, "budget": 8, "on": "here", "out": tmp_path}
    first = sm.tune(bowl, {"a": SPAN}, **about)
    monkeypatch.setattr(Cmaes, "ask", lambda self, ask=Cmaes.ask: [(each[0] + 0.125,) for each in ask(self)])
    moved = sm.tune(bowl, {"a": SPAN}, **about)
    assert moved.candidates[0].values["a"] == first.candidates[0].values["a"] + 0.125
    assert moved.candidates[0].means != first.candidates[0].means


@pytest.mark.parametrize("value", [1.0, 9.0])
def test_a_search_begins_at_what_there_is_even_at_the_end_of_a_range(value):
    about = {"goals": 1, "budget": 9, "seed": 0}
    assert new_search({"a": Span(1, 9)}, [value], method="cmaes", **about)._cma.mean[0] == (value - 1) / 8
    axes = {"a": Span(1, 9), "kind": as_axis("kind", list("wxyz"))}
    for kind in "wxyz":
        assert new_search(axes, [value, kind], method="optuna", **about).ask()[0] == (value, kind)


def test_a_search_in_a_function_begins_at_its_defaults():
    work = SimpleNamespace(scenario=lambda b, a=1.5, c=(1, 2), d="auto": None)
    assert [_current(work, path, 0) for path in ("a", "params.a", "b", "c", "d")] == [1.5, 1.5, None, None, "auto"]


@pytest.mark.parametrize("method", ["cmaes", "optuna"])
def test_a_range_in_place_of_a_word_is_searched_from_anywhere(method):
    asked = new_search({"a": Span(1, 9)}, ["auto"], goals=1, budget=9, seed=0, method=method).ask()
    assert all(1 <= value <= 9 for (value,) in asked)


def test_optuna_keeps_whole_numbers_between_ends_that_are_none():
    search = new_search({"a": Span(1.5, 4.5, whole=True)}, [1.6], goals=1, budget=80, seed=0, method="optuna")
    asked = [search.ask() for _ in range(10)]
    assert asked[0][0] == (2,)
    assert {value for batch in asked for (value,) in batch} == {2, 3, 4}


def test_optuna_knows_logarithms_and_which_candidates_failed():
    search = new_search({"a": Span(1, 100, log=True)}, [10.0], goals=1, budget=9, seed=0, method="optuna")
    count = len(search.ask())
    search.tell(np.full((count, 1), np.nan))
    trials = search._study.get_trials()[-count:]
    assert all(each.distributions["a"].log and each.state == optuna.trial.TrialState.FAIL for each in trials)


def test_optuna_takes_lists_and_whole_numbers():
    values = {"kind": ["x", "y"], "a": {"low": 0, "high": 4, "whole": True}, "b": SPAN}
    tuned = sm.tune(bowl, values, minimize=off, budget=64, **QUICK)
    assert tuned.values["kind"] == "y"
    assert tuned.values["a"] == 2
    assert abs(tuned.values["b"] - 1) < 1


def test_several_goals_have_a_front(tmp_path):
    tuned = sm.tune(bowl, {"a": SPAN, "kind": ["x", "y"]}, maximize=[right, left], budget=64, **QUICK)
    means = np.array([[each.means["right"], each.means["left"]] for each in tuned.front])
    assert (np.diff(means[:, 0]) < 0).all()
    assert (np.diff(means[:, 1]) > 0).all()
    kinds = [each.values["kind"] for each in tuned.front]
    assert kinds.count("x") > 0.8 * len(kinds)  # "y" is on the front with the largest a alone.
    assert means[:, 0].min() < tuned.values["a"] < means[:, 0].max()
    text = tuned.chart(tmp_path / "front.svg").read_text()
    assert all(f"<!-- {word} -->" in text for word in ("candidates", "front", "maximize right", "maximize left"))


def test_candidates_that_fail_are_passed_over():
    tuned = sm.tune(failing, {"a": SPAN}, maximize=right, budget=30, **QUICK)
    assert 1.8 < tuned.values["a"] <= 2
    assert any(np.isnan(each.means["right"]) for each in tuned.candidates)
    with pytest.raises(ValueError, match="no candidate could be run"):
        sm.tune(failing, {"a": {"low": 3, "high": 4}}, maximize=right, budget=8, **QUICK)


def test_no_gain_is_said_to_be_none():
    tuned = sm.tune(bowl, {"a": {"low": 0.9, "high": 1.1}}, maximize=lambda stage: 1.0, budget=8, **QUICK)
    assert tuned.judged[0].verdict == "no gain"


def test_a_built_in_scenario_is_tuned_and_written(tmp_path):
    values = {"populations.strollers.max_speed": {"low": 1, "high": 3}}
    tuned = sm.tune("wander", values, maximize="mean_speed", n=3, steps=3, seeds=1, held_out=2, budget=8, on="here")
    tuned.write(tmp_path / "tuned.toml")
    document = tomllib.loads((tmp_path / "tuned.toml").read_text())
    assert document["populations"][0]["max_speed"] == pytest.approx(*tuned.values.values(), rel=1e-6)


@pytest.mark.parametrize(
    ("about", "error", "message"),
    [
        ({"minimize": ()}, ValueError, "at least one goal"),
        ({"maximize": off}, ValueError, "none for both"),
        ({"budget": 0}, ValueError, "budget"),
        ({"held_out": [1, 7]}, ValueError, "other seeds"),
        ({"values": {}}, ValueError, "at least one path"),
        ({"values": {"a": [1, 2]}, "method": "cmaes"}, ValueError, "use optuna"),
        ({"method": "luck"}, ValueError, "method must be one of"),
    ],
)
def test_wrong_calls_are_refused(about, error, message):
    with pytest.raises(error, match=message):
        sm.tune(
            **{"scenario": bowl, "values": {"a": SPAN}, "minimize": off, "seeds": 2, "held_out": 4, "on": "here"}
            | about
        )


def test_a_distribution_is_no_range():
    with pytest.raises(TypeError, match="must be a range"):
        sm.tune(bowl, {"a": stats.norm()}, minimize=off, seeds=2, held_out=4, on="here")


@pytest.mark.parametrize("seeds", [2, 4, 6, 12])
def test_an_interval_holds_the_mean_as_often_as_it_says_also_of_few_values(seeds):
    rng = np.random.default_rng(0)
    held = [low <= 3 <= high for _, low, high in map(estimate, rng.normal(3, 1, (1000, seeds)))]
    assert 0.93 < np.mean(held) < 0.97
    assert estimate(np.array([3.0])) == (3, -np.inf, np.inf)


@pytest.mark.parametrize(
    ("draw", "most"),
    [
        (lambda rng, k: rng.normal(0, 1, k), 0.07),
        (lambda rng, k: rng.standard_t(3, k), 0.07),
        (lambda rng, k: rng.choice([-1.0, 1.0], k), 0.07),
        (lambda rng, k: rng.lognormal(0, 1, k) - rng.lognormal(0, 1, k), 0.07),
    ],
)
def test_noise_is_seldom_called_better_or_worse_and_by_few_seeds_never(draw, most):
    rng = np.random.default_rng(1)

    def called(seeds):
        rows = [([{"off": 0.0}] * seeds, [{"off": each} for each in draw(rng, seeds)]) for _ in range(500)]
        return np.mean([_judge("off", "minimize", *each).verdict in ("better", "worse") for each in rows])

    assert called(4) == 0
    assert all(called(seeds) < most for seeds in (6, 12, 32))


def test_few_seeds_and_runs_that_failed_leave_a_tuning_undecided():
    before, after = ([{"off": value}] * 6 for value in (2.0, 1.0))
    assert _judge("off", "minimize", before, after).verdict == "better"
    assert _judge("off", "maximize", before, after).verdict == "worse"
    assert _judge("off", "minimize", before[:5], after[:5]).verdict == "undecided"
    assert _judge("off", "minimize", before, [*after[:5], {"off": np.nan}]).verdict == "undecided"
    assert _judge("off", "", before, after).verdict == ""


def test_a_document_that_begins_alike_for_all_seeds_is_warned_of():
    document = sm.to_document(bowl(seed=3))
    path = "populations.one.max_speed"
    with pytest.warns(UserWarning, match="all seeds begin with the same vehicles") as told:
        found = sm.tune(document, {path: SPAN}, minimize=off, seeds=1, held_out=1, budget=2, on="here")
    assert {each.filename for each in told} == {__file__}
    assert "undecided" in str(found)
    assert repr(found)


def test_of_a_front_the_point_is_chosen_that_is_good_in_each_goal_whatever_its_unit():
    for unit in (1.0, 1000.0, 1e-3):
        costs = np.array([[0.0, 10.0], [1.0, 4.0], [4.0, 0.5], [10.0, 0.0]]) * [1.0, unit]
        assert balanced(costs, [0, 1, 2, 3]) == 2
    assert balanced(np.array([[1.0, 5.0], [1.0, 5.0]]), [0, 1]) == 0


def test_the_search_begins_at_the_values_of_the_scenario():
    log = {"low": 0.01, "high": 100.0, "log": True}
    for start, near in (([3.8, 0.02], True), ([None, None], False)):
        axes = {path: as_axis(path, each) for path, each in {"a": SPAN, "b": log}.items()}
        asked = [
            values
            for seed in range(20)
            for values in new_search(axes, start, goals=1, budget=9, seed=seed, method="cmaes").ask()
        ]
        a, b = (np.median(each) for each in zip(*asked, strict=True))
        assert (a > 3 and b < 0.2) == near


def test_a_front_is_what_nothing_beats():
    costs = np.array([[3.0, 1.0], [1.0, 3.0], [2.0, 2.0], [3.0, 3.0], [np.nan, 0.0], [1.0, 4.0], [2.0, 2.0]])
    assert front(costs) == [1, 2, 0]
    assert balanced(costs, [1, 2, 0]) == 2
