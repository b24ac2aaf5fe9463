"""What others make of a recorded run: PedPy measures a street of pedestrians."""

import numpy as np
import pytest

import steersman as sm


@pytest.mark.filterwarnings("ignore")
def test_pedpy_measures_density_and_flow(tmp_path):
    pedpy = pytest.importorskip("pedpy")
    rng = np.random.default_rng(1)
    people = sm.Vehicles(
        np.column_stack([rng.uniform(0, 10, 30), rng.uniform(0.5, 3.5, 30)]),
        [1.2, 0],
        max_speed=1.2,
        max_force=5,
        radius=0.2,
    )
    world = sm.World(domain=sm.Open(), seed=1, dt=0.05, threads=1)
    world.add(people, name="people")  # They walk on as they are.
    with world.record(tmp_path / "run", every=0.1):
        world.run(seconds=10)
    run = sm.read_run(tmp_path / "run")
    walks = pedpy.TrajectoryData(run.pandas(["id", "frame", "x", "y"]), frame_rate=run.meta["frame_rate"])
    assert walks.frame_rate == pytest.approx(10)
    street = pedpy.WalkableArea([(-1, 0), (30, 0), (30, 4), (-1, 4)])
    room = pedpy.MeasurementArea([(10, 0), (14, 0), (14, 4), (10, 4)])
    density = pedpy.compute_classic_density(traj_data=walks, measurement_area=room)
    assert density["density"].iloc[0] == 0
    first = run.frame(20)["people"].position[:, 0]
    assert density.loc[20, "density"] == pytest.approx(np.sum((first > 10) & (first < 14)) / 16)
    line = pedpy.MeasurementLine([(11, 0), (11, 4)])
    crossed, crossings = pedpy.compute_n_t(traj_data=walks, measurement_line=line)
    assert len(crossings) == np.sum(people.position[:, 0] > 11) - np.sum(run.frame(0)["people"].position[:, 0] > 11)
    speed = pedpy.compute_individual_speed(traj_data=walks, frame_step=5)
    flow = pedpy.compute_flow(
        nt=crossed, crossing_frames=crossings, individual_speed=speed, delta_frame=50, frame_rate=walks.frame_rate
    )
    assert flow["flow"].iloc[0] > 1
    assert flow["mean_speed"].iloc[0] == pytest.approx(1.2, rel=1e-3)
    assert street.area == 124
