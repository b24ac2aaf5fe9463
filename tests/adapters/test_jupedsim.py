"""Trajectories of JuPedSim: written, read back, and read by PedPy; floors and routes."""

import sqlite3

import numpy as np
import pytest

import steersman as sm
from steersman.adapters.jupedsim import EngineRoutes, TrajectoryWriter, floor_of, polygon_of, read_trajectories, wkt_of

FLOOR = [[-1, -1], [21, -1], [21, 9], [-1, 9]]


@pytest.fixture
def walked(tmp_path):
    """A file of a walk, and where the people were."""
    people = sm.Vehicles([[0, 1], [0, 3], [0, 5]], max_speed=1.4, max_force=8, id=[7, 3, 5])
    world = sm.World(dt=1 / 20)
    world.add(people, steering=sm.Seek([20, 3]))
    kept = []
    with TrajectoryWriter(tmp_path / "walk #1, 50%25.sqlite", people, FLOOR, fps=10) as writer:
        world.on_step(writer, sm.EverySeconds(0.1))
        world.on_step(lambda _: kept.append((people.id.tolist(), people.position.copy())), sm.EverySeconds(0.1))
        world.run(seconds=2)
        people.remove(3)
        world.run(seconds=1)
    return tmp_path / "walk #1, 50%25.sqlite", kept


def test_what_is_written_is_read(walked):
    file, kept = walked
    read = read_trajectories(file)
    assert read.fps == 10
    assert np.unique(read.frame).tolist() == list(range(30)) == list(range(len(kept)))
    for frame, (ids, places) in enumerate(kept):
        rows = read.frame == frame
        order = np.argsort(ids)
        assert read.id[rows].tolist() == sorted(ids)
        assert np.allclose(read.position[rows], places[order])
    assert read.floor == ("POLYGON ((-1.0 -1.0, 21.0 -1.0, 21.0 9.0, -1.0 9.0, -1.0 -1.0))",)
    base = sqlite3.connect(file)
    about = dict(base.execute("SELECT key, value FROM metadata"))
    base.close()
    bounds = [float(about[name]) for name in ("xmin", "ymin", "xmax", "ymax")]
    assert bounds == pytest.approx([*read.position.min(axis=0), *read.position.max(axis=0)])


def test_a_frame_becomes_vehicles(walked):
    read = read_trajectories(walked[0])
    people = read.vehicles(10, radius=0.2)
    assert read._replace(forward=read.forward[:, ::-1]).vehicles(10).forward == pytest.approx(people.forward[:, ::-1])
    assert people.id.tolist() == [3, 5, 7]
    assert people.speed == pytest.approx([1.4] * 3, rel=0.02)
    last = read_trajectories(walked[0]).vehicles(19)  # The one with the id 3 is in no later frame.
    assert last.speed == pytest.approx([0, 1.4, 1.4], rel=0.02)
    with pytest.raises(ValueError, match="frame must be"):
        read_trajectories(walked[0]).vehicles(99)


def test_pedpy_reads_it(walked):
    pedpy = pytest.importorskip("pedpy")
    file, kept = walked
    data = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=file)
    area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=file)
    assert data.frame_rate == 10
    assert len(data.data) == sum(len(ids) for ids, _ in kept)
    assert area.polygon.area == pytest.approx(220)


def test_other_files_are_refused(tmp_path):
    (tmp_path / "text.sqlite").write_text("no database at all")
    with pytest.raises(ValueError, match="JuPedSim"):
        read_trajectories(tmp_path / "text.sqlite")
    people = sm.Vehicles([[0, 0]])
    TrajectoryWriter(tmp_path / "new.sqlite", people, FLOOR, fps=1).close()
    base = sqlite3.connect(tmp_path / "new.sqlite")
    base.execute("UPDATE metadata SET value = '9' WHERE key = 'version'")
    base.commit()
    base.close()
    with pytest.raises(ValueError, match="version 2 or 3, got 9"):
        read_trajectories(tmp_path / "new.sqlite")
    for version in (1, 4):
        with pytest.raises(ValueError, match="version must be"):
            TrajectoryWriter(tmp_path / "another.sqlite", people, FLOOR, fps=1, version=version)
    with pytest.raises(ValueError, match="fps must be > 0"):
        TrajectoryWriter(tmp_path / "still.sqlite", people, FLOOR, fps=0)
    with pytest.raises(ValueError, match="2D"):
        TrajectoryWriter(tmp_path / "solid.sqlite", sm.Vehicles([[0, 0, 0]]), FLOOR, fps=1)


def walk(file, version, floor=FLOOR):
    """Three people who walk up to each other and past, written at 10 frames a second."""
    people = sm.Vehicles([[0, 1], [0, 3], [0, 5]], max_speed=1.4, max_force=8, id=[7, 3, 5], radius=0.2)
    world = sm.World(dt=1 / 20)
    world.add(people, steering=sm.Seek([20, 3]) + sm.Separation(radius=1))
    with TrajectoryWriter(file, people, floor, fps=10, version=version) as writer:
        world.on_step(writer, sm.EverySeconds(0.1))
        world.run(seconds=3)
    return read_trajectories(file)


def test_version_3_has_no_orientations(tmp_path):
    with_them, without = (walk(tmp_path / f"{version}.sqlite", version) for version in (2, 3))
    base = sqlite3.connect(tmp_path / "3.sqlite")
    columns = [name for _, name, *_ in base.execute("PRAGMA table_info(trajectory_data)")]
    about = dict(base.execute("SELECT key, value FROM metadata"))
    base.close()
    assert columns == ["frame", "id", "pos_x", "pos_y"]
    assert about["version"] == "3"
    assert np.array_equal(with_them.position, without.position)
    assert np.array_equal(with_them.id, without.id)
    assert (with_them.forward * without.forward).sum(axis=1).min() > 0.99  # They face where they go.
    people = without.vehicles(5, radius=0.2)
    assert people.forward == pytest.approx(with_them.vehicles(5).forward, abs=0.05)


def test_where_nobody_goes_on_orientations_stay(tmp_path):
    base = sqlite3.connect(tmp_path / "rest.sqlite")
    base.executescript("""
        CREATE TABLE trajectory_data (frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL);
        CREATE TABLE metadata (key TEXT, value TEXT);
        CREATE TABLE geometry (hash INTEGER, wkt TEXT);
        INSERT INTO metadata VALUES ('version', '3'), ('fps', '1');
        INSERT INTO trajectory_data VALUES (0, 1, 0, 0), (1, 1, 0, 2), (2, 1, 0, 2), (0, 2, 5, 5), (1, 2, 5, 5), (2, 2, 4, 5);
    """)
    base.commit()
    base.close()
    read = read_trajectories(tmp_path / "rest.sqlite")
    ways = {(frame, id): way for frame, id, way in zip(read.frame, read.id, read.forward.tolist(), strict=True)}
    assert [ways[frame, 1] for frame in range(3)] == [[0, 1]] * 3
    assert [ways[frame, 2] for frame in range(3)] == [[1, 0], [-1, 0], [-1, 0]]


def hall():
    """A floor that is not convex: a wall with a gap, and a pillar."""
    box = pytest.importorskip("shapely").box
    return box(0, 0, 20, 10).difference(box(9, 0, 10, 7)).difference(box(14, 4, 15, 5))


def test_floors_go_both_ways():
    floor = hall()
    ours = floor_of(sm.Box([20, 10]), [sm.Boxes([[9.5, 3.5]], [[0.5, 3.5]]), sm.Boxes([[14.5, 4.5]], [[0.5, 0.5]])])
    assert ours.symmetric_difference(floor).area < 1e-9
    assert polygon_of(wkt_of(floor)).equals(floor)
    assert polygon_of(sm.Polygon(FLOOR)).area == polygon_of(FLOOR).area == 220
    assert sm.NavMesh(polygon_of(wkt_of(floor))).lengths([[1, 1]], [[19, 1]])[0] > 20
    apart = floor_of(sm.Box([20, 10]), sm.Boxes([[10, 5]], [[1, 1]]), clearance=0.75)
    assert apart.distance(pytest.importorskip("shapely").box(9, 4, 11, 6)) == pytest.approx(0.75)
    with pytest.raises(ValueError, match="clearance must be >= 0 m"):
        floor_of(sm.Box([20, 10]), clearance=-1)
    with pytest.raises(ValueError, match="one piece"):
        floor_of(sm.Box([20, 10]), sm.Boxes([[10, 5]], [[1, 6]]))


def test_pedpy_measures_on_a_floor_that_is_not_convex(tmp_path):
    pedpy = pytest.importorskip("pedpy")
    walk(tmp_path / "hall.sqlite", 2, hall())
    data = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=tmp_path / "hall.sqlite")
    area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=tmp_path / "hall.sqlite")
    assert area.polygon.equals(hall())
    cells = pedpy.compute_individual_voronoi_polygons(traj_data=data, walkable_area=area)
    assert len(cells) == len(data.data)
    first = cells[cells.frame == 0].polygon
    assert sum(each.area for each in first) <= hall().area + 1e-6


def test_jupedsim_reads_the_floor_and_we_read_its_file(tmp_path):
    jps = pytest.importorskip("jupedsim")
    writer = jps.SqliteTrajectoryWriter(output_file=tmp_path / "theirs.sqlite", every_nth_frame=10)
    simulation = jps.Simulation(
        model=jps.CollisionFreeSpeedModel(), geometry=hall(), trajectory_writer=writer, dt=0.01
    )  # fmt: skip
    assert polygon_of(simulation.get_geometry()).equals(hall())
    goal = simulation.add_exit_stage([(18, 1), (19, 1), (19, 2), (18, 2)])
    journey = simulation.add_journey(jps.JourneyDescription([goal]))
    for y in (1, 3):
        simulation.add_agent(
            jps.CollisionFreeSpeedModelAgentParameters(position=(1, y), journey_id=journey, stage_id=goal)
        )
    simulation.iterate(300)
    if hasattr(writer, "close"):  # Since 1.4; before, each frame is written at once.
        writer.close()
    read = read_trajectories(tmp_path / "theirs.sqlite")
    assert read.fps == pytest.approx(10)
    assert len(np.unique(read.id)) == 2
    assert polygon_of(read.floor[0]).equals(hall())
    people = read.vehicles(10, radius=0.2)
    assert people.speed == pytest.approx([1.2, 1.2], rel=0.1)
    recording = pytest.importorskip("jupedsim.recording").Recording(str(tmp_path / "theirs.sqlite"))
    assert recording.num_frames == len(np.unique(read.frame))


def test_jupedsim_finds_the_way(tmp_path):
    pytest.importorskip("jupedsim")
    routes = EngineRoutes(hall())
    points = np.array([[1.0, 1], [5, 9], [15, 1], [9.5, 3]])  # The last is in the wall.
    ahead, length = routes.guide(points, [[19.0, 1]])
    _, exact = sm.NavMesh(hall()).guide(points[:3], [[19.0, 1]])
    assert (length[:3] >= exact - 1e-6).all()
    assert (length[:3] <= exact + 1).all()
    assert ahead[2] == pytest.approx([19, 1])
    assert np.isfinite(length).all()
    path = routes.route([1, 1], [19, 1])
    assert path.length == pytest.approx(length[0], rel=1e-3)
    _, both = routes.guide([1.0, 1], [[19.0, 1], [2, 2]])
    assert both == pytest.approx(2**0.5)

    people = sm.Vehicles([[1, 1], [2, 4], [1, 8]], max_speed=1.4, max_force=8, radius=0.2)
    world = sm.World(seed=1)
    walls = sm.Walls.from_shapely(hall())
    world.add(people, steering=sm.Priority([sm.AvoidObstacles(walls), sm.GoTo(sm.Box([2, 2], [17, 0.5]), by=routes)]))
    floor = hall().buffer(-0.05)
    shapely = pytest.importorskip("shapely")
    for _ in range(30):
        world.run(seconds=1)
        assert shapely.contains_xy(floor, *people.position.T).all()
    assert (np.abs(people.position - [18, 1.5]) < 1.3).all()


class StraightAhead:
    """An engine that knows no walls, and refuses points that are not on the floor."""

    def __init__(self, floor):
        self.floor = floor

    def compute_waypoints(self, here, there):
        if not pytest.importorskip("shapely").contains_xy(self.floor, *np.transpose([here, there])).all():
            raise RuntimeError("off the floor")
        return [here, there]


class OverTheMesh:
    """An engine that knows the ways of a NavMesh, and those to the dead end from nowhere."""

    def __init__(self, floor, dead_end=(0, 0)):
        self.mesh, self.dead_end = sm.NavMesh(floor), dead_end

    def compute_waypoints(self, here, there):
        if np.hypot(*np.subtract(there, self.dead_end)) < 0.1:
            raise RuntimeError("not joined")
        return [here, *self.mesh.route(here, there).points[1:-1].tolist(), there]


@pytest.fixture
def meshed(monkeypatch):
    """A NavMesh, and EngineRoutes with its ways."""
    monkeypatch.setattr(EngineRoutes, "engine", OverTheMesh(hall()))
    return sm.NavMesh(hall()), EngineRoutes(hall())


def test_the_ways_of_an_engine_are_used_as_those_of_a_mesh(meshed):
    mesh, routes = meshed
    points = np.array([[1.0, 1], [5, 9], [8.5, 2], [15, 1], [13, 4.5], [19, 9]])
    for goals in ([[19.0, 1]], [[19.0, 1], [2, 2]], [[2, 9.5], [16, 4.5], [19, 1]]):
        for ours, theirs in zip(routes.guide(points, goals), mesh.guide(points, goals), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-3)


def test_a_bend_is_taken_as_that_of_a_mesh(monkeypatch):
    """Of one bend: a mesh looks at the corners behind the next, too."""
    box = pytest.importorskip("shapely").box
    floor = box(0, 0, 20, 10).difference(box(8, 0, 20, 6))
    monkeypatch.setattr(EngineRoutes, "engine", OverTheMesh(floor))
    where = []
    for by in (sm.NavMesh(floor), EngineRoutes(floor)):
        people = sm.Vehicles([[1.0, 1], [4, 0.5], [7.5, 2]], max_speed=4, max_force=4, radius=0.2)
        world = sm.World(dt=0.1)
        world.add(people, steering=sm.GoTo([[19.0, 7], [14, 9], [9, 6.5]], by=by))
        run = []
        for _ in range(8):
            world.run(seconds=1)
            run.append(people.position.copy())
        where.append(run)
    np.testing.assert_allclose(where[1], where[0], atol=0.02)


def test_where_an_engine_knows_no_way_vehicles_stay(meshed):
    _, routes = meshed
    points = np.array([[1.0, 1], [5, 9]])
    ahead, length = routes.guide(points, [[0.0, 0]])
    assert length.tolist() == [np.inf, np.inf]
    assert ahead.tolist() == points.tolist()
    ahead, length = routes.guide(points, [[0.0, 0], [1, 3]])
    assert ahead[0].tolist() == [1, 3]
    assert length[0] == 2
    people = sm.Vehicles(points, max_speed=1.4, max_force=8)
    world = sm.World()
    world.add(people, steering=sm.GoTo([0.0, 0], by=routes))
    world.run(seconds=1)
    assert people.position.tolist() == points.tolist()
    with pytest.raises(ValueError, match="2"):
        routes.guide(np.zeros((2, 3)), [[0.0, 0, 0]])


def test_on_a_torus_the_images_count_that_are_nearest_to_the_floor(monkeypatch):
    floor = pytest.importorskip("shapely").box(100, -44, 120, -34)
    monkeypatch.setattr(EngineRoutes, "engine", StraightAhead(floor))
    routes, torus = EngineRoutes(floor), sm.Torus([30, 20], [95, -49])
    points, goals = np.array([[101.0, -43], [119, -35], [110, -36]]), [[118.0, -42]]
    turns = np.array([[30.0, 0], [-60, 20], [0, -40]])
    next_places, length = routes.guide(points + turns, goals, domain=torus)
    np.testing.assert_allclose(next_places - turns, np.broadcast_to(goals, (3, 2)))
    np.testing.assert_allclose(length, np.linalg.norm(points - goals, axis=1))
    assert routes.guide(points, np.add(goals, [[-30, 20]]), domain=torus)[1] == pytest.approx(length)


def test_who_has_come_into_a_region_stays_there(monkeypatch):
    floor = pytest.importorskip("shapely").box(0, 0, 20, 10)
    monkeypatch.setattr(EngineRoutes, "engine", StraightAhead(floor))
    people = sm.Vehicles([[2, 2], [18, 1.6], [17.2, 0.7]], max_speed=1.4, max_force=8)
    world = sm.World()
    world.add(people, steering=sm.GoTo(sm.Box([2, 2], [17, 0.5]), by=EngineRoutes(floor)))
    world.step()
    assert people.velocity[0, 0] > 0
    np.testing.assert_allclose(people.velocity[1:], 0, atol=1e-6)


def test_a_geometry_of_jupedsim_keeps_its_holes():
    class Geometry:
        def boundary(self):
            return [(0, 0), (9, 0), (9, 9), (0, 9)]

        def holes(self):
            return [[(1, 1), (3, 1), (3, 2)], [(5, 5), (6, 5), (6, 6), (5, 6)]]

    floor = polygon_of(wkt_of(Geometry()))
    assert floor.area == 81 - 1 - 1
    assert len(floor.interiors) == 2
