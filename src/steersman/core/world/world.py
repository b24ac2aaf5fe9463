"""The world: populations that steer from one snapshot and move together.

The step is the algorithm of Reynolds 1999: find the neighbors, combine the steering forces, turn them into velocities, and
move. A step happens whole or not at all: all values are computed aside and checked, then committed in place.
"""

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.core import extensions
from steersman.core.environment.domain import Domain
from steersman.core.kernels.ahead import ahead
from steersman.core.kernels.signals import Action
from steersman.core.kernels.thread_count import thread_count
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.locomotion.point_mass import PointMass
from steersman.core.neighborhood.lookup import Neighbors, find_neighbors
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import as_number
from steersman.core.parameters.renaming import renamed_arguments
from steersman.core.parameters.showing import Shown
from steersman.core.steering.behavior import Steering
from steersman.core.typing import Array
from steersman.core.vehicles.choosing import rows_of
from steersman.core.vehicles.columns import SCALARS, vectors
from steersman.core.vehicles.turns import takes_turn
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.clock import Accumulator, check_dt, check_seed, check_steps, check_time, steps_to_run
from steersman.core.world.constraint import WORLD_CONSTRAINTS, WorldConstraint
from steersman.core.world.explain import Explanation, explain
from steersman.core.world.flows.flow import Flow
from steersman.core.world.flows.flows import Flows
from steersman.core.world.flows.replayed import Replayed
from steersman.core.world.idle_turning import warn_of_idle_turning
from steersman.core.world.interpolation import Interpolation, Pose
from steersman.core.world.observers import EverySteps, Observer, Observers, Trigger
from steersman.core.world.plan import SteeringPlan
from steersman.core.world.population import Population, as_domain
from steersman.core.world.sketching import Sketch, sketch
from steersman.core.world.starting_inside import warn_of_starting_inside
from steersman.core.world.step_plan import StepPlan
from steersman.core.world.stepping import Stepping
from steersman.core.world.unseen import warn_of_unseen
from steersman.core.world.unseen_walls import warn_of_unseen_walls

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from steersman.runs.metrics.reading import Meters
    from steersman.runs.recording.recording import Recording
    from steersman.studio.viewer.view import View


class World(Stepping, Shown):
    """Populations in a domain, stepped together. A name or an id that does not exist raises KeyError in every method.

    Args:
        domain: The space: Open(), Torus(size) or Box(size). Default: Open().
        seed: Seed of all random numbers, a whole number >= 0. The same seed gives the same bits.
        dt: The time step [s] where none is given.
        threads: The number of threads; the result does not depend on it. Default: the environment variable
            STEERSMAN_THREADS, else all processors.
        device: "cpu"; or "cuda", a graphics processor, which steps worlds of some parts (see docs/gpu.md).
        constraints: Constraints on all vehicles together after every step, such as ZeroOverlap(), in this order.

    Attributes:
        time: Time since the start [s].
        steps: Steps since the start.
        meters: The measurements of `watch`; None while nothing is watched.
    """

    __slots__ = (
        "__weakref__", "_accumulator", "_constraints", "_device", "_domain", "_drawn", "_dt", "_observers", "_populations",
        "_seed", "_threads", "_unwarned", "meters",
    )  # fmt: skip # A misspelled attribute is an error.

    called = "world"
    step_method = "step"

    def __init__(
        self,
        *,
        domain: Domain | None = None,
        seed: int = 0,
        dt: float = 1 / 60,
        threads: int | None = None,
        device: str = "cpu",
        constraints: Sequence[WorldConstraint] = (),
    ) -> None:
        super().__init__()
        self._device = as_device(device)
        self._populations: dict[str, Population] = {}
        self.domain = as_domain(domain)
        self.seed = seed
        self.dt = dt
        self.threads = thread_count(threads)
        self._constraints = WORLD_CONSTRAINTS.several("constraints", constraints)
        self._observers = Observers()
        self.meters: Meters | None = None
        self._accumulator = Accumulator()
        self._drawn: Interpolation | None = None
        self._unwarned = True  # Whether a population is new, so that warnings about what it does not see are due.

    def __repr__(self) -> str:
        populations = ", ".join(f"{name!r}: {each.vehicles!r}" for name, each in self._populations.items())
        return f"World({self.domain!r}, seed={self.seed}, time={self.time:g} s, populations={{{populations}}})"

    def __getstate__(self) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        others, own = super().__getstate__()
        for population in self._populations.values():
            population.vehicles.bring_home()
        return others, own | {"_drawn": None}

    @takes_turn
    def bare(self) -> "World":
        """A copy without observers, measurements and flows, for another process that steps it."""
        mine = self._observers, self.meters
        flowing = {name: each.flowing for name, each in self._populations.items()}
        try:
            self._observers, self.meters = Observers(), None
            for each in self._populations.values():
                each.keep_up()
                each.flowing = Flows()
            return copy.deepcopy(self)
        finally:
            self._observers, self.meters = mine
            for name, flows in flowing.items():
                self._populations[name].flowing = flows

    @explained
    @takes_turn
    def add(
        self,
        vehicles: Vehicles | Replayed,
        *,
        name: str | None = None,
        steering: Steering | None = None,
        locomotion: Locomotion | None = None,
        flows: Sequence[Flow] = (),
        yields: float | None = None,
    ) -> Population:
        """Add a population.

        Args:
            vehicles: The vehicles. The caller may read and write their columns between steps. Or a Replayed: its vehicles,
                which it then moves.
            name: A unique name. Default: "vehicles", "vehicles 2", ...
            steering: A behavior, or a function `vehicles -> forces (n, d)`. Without one they coast.
            locomotion: The body that moves them. Default: PointMass().
            flows: Spawners and Sinks, which let vehicles come and go when a step is done, before observers are called.
            yields: How readily they give way to other populations, see `Population.yields`. Default: 1; 0 without steering.

        Returns:
            The population; assign its `steering` to replace the tree while running.

        Raises:
            ValueError: The world already has the name or the vehicles, or the dimensions do not fit the domain.
        """
        if isinstance(vehicles, Replayed):
            replayed = vehicles
            vehicles, flows = replayed.vehicles(self.time, self.domain), [replayed, *flows]
        if not isinstance(vehicles, Vehicles):
            raise TypeError(f"vehicles must be Vehicles, got {brief(vehicles)}")
        if self.domain.dimensions not in (None, vehicles.dimensions):
            raise ValueError(
                f"vehicles must have {self.domain.dimensions} dimensions like the domain, got {vehicles.dimensions}"
            )
        if any(population.vehicles is vehicles for population in self._populations.values()):
            raise ValueError("these vehicles are in the world already")
        name = self._unused_name() if name is None else name
        if name in self._populations:
            raise ValueError(f"name must be different for every population, got {brief(name)} twice")
        population = Population(name, vehicles, steering, PointMass() if locomotion is None else locomotion)
        population.flows, population.yields = flows, yields
        self._populations[name] = population
        self._plan, self._unwarned = None, True
        return population

    def _unused_name(self) -> str:
        names = ["vehicles", *(f"vehicles {k}" for k in range(2, len(self._populations) + 2))]
        return next(name for name in names if name not in self._populations)

    @property
    def domain(self) -> Domain:
        """The space; may be assigned between steps."""
        return self._domain

    @domain.setter
    @takes_turn
    def domain(self, domain: Domain) -> None:
        new_domain = as_domain(domain)
        for population in self._populations.values():
            new_domain.check_dimensions(population.vehicles.dimensions)
        self._domain, self._plan = new_domain, None

    @property
    def seed(self) -> int:
        """Seed of all random numbers; may be assigned between steps, for those from then on. Nothing else changes then."""
        return self._seed

    @seed.setter
    @takes_turn
    def seed(self, seed: int) -> None:
        self._seed, self._plan = check_seed(seed), None

    @property
    def dt(self) -> float:
        """The time step [s] where none is given; may be assigned."""
        return self._dt

    @dt.setter
    def dt(self, dt: float) -> None:
        self._dt = check_dt(dt)

    @property
    def threads(self) -> int:
        """The number of threads; may be assigned between steps."""
        return self._threads

    @threads.setter
    @takes_turn
    def threads(self, threads: int | None) -> None:
        self._threads, self._plan = thread_count(threads), None

    @property
    def device(self) -> str:
        """Where steps are made: "cpu" or "cuda"; may be assigned between steps."""
        return self._device

    @device.setter
    @takes_turn
    def device(self, device: str) -> None:
        new_device = as_device(device)
        for population in self._populations.values():
            population.vehicles.bring_home()
        self._device, self._plan = new_device, None

    def _kind_of_plan(self) -> Callable[..., StepPlan]:
        """Plans of the device."""
        return StepPlan if self._device == "cpu" else extensions.DEVICE_PLAN.function

    @property
    def constraints(self) -> tuple[WorldConstraint, ...]:
        """Constraints on all vehicles together after every step, in this order; may be assigned."""
        return self._constraints

    @constraints.setter
    @takes_turn
    def constraints(self, constraints: Sequence[WorldConstraint]) -> None:
        self._constraints = WORLD_CONSTRAINTS.several("constraints", constraints)
        self._plan = None

    @property
    def rest(self) -> float:
        """Time that `advance` was given and has not stepped yet [s]; may be assigned."""
        return self._accumulator.rest

    @rest.setter
    def rest(self, rest: float) -> None:
        self._accumulator.rest = check_time(rest, "rest")

    @property
    def observers(self) -> tuple[tuple[Observer, Trigger], ...]:
        """The functions that are called after steps, with their triggers."""
        return tuple(self._observers)

    @property
    def populations(self) -> Mapping[str, Population]:
        """The populations by name, read-only."""
        return MappingProxyType(self._populations)

    def __getitem__(self, name: str) -> Vehicles:
        """The vehicles of a population."""
        return self._population(name).vehicles

    def _population(self, name: str) -> Population:
        """The population of a name."""
        if not isinstance(name, str):
            raise TypeError(f"name must be the name of a population, a text, got {brief(name)}")
        if name not in self._populations:
            raise KeyError(
                f"no population is called {brief(name)}; there are: {', '.join(self._populations) or 'none'}"
            )
        return self._populations[name]

    @takes_turn
    def remove(self, name: str) -> Vehicles:
        """Remove a population from the world."""
        vehicles = self[name]
        del self._populations[name]
        self._plan = None
        return vehicles

    def memory(self, name: str, which: Any) -> dict[str, Array]:
        """The memory of a behavior of a population for every vehicle: a wander angle, a checkpoint, a mode.

        Args:
            name: The name of the population.
            which: The name given to the behavior, the name of its class if there is only one, or the behavior itself.

        Returns:
            Column -> copy of its values, shape (n, ...), one row a vehicle. `Population.remember` changes them.

        Raises:
            KeyError: There is no such population or behavior, the name is ambiguous, or the behavior has no memory.
        """
        _ = self[name]  # Says which populations there are.
        return self._populations[name].memory(which)

    @takes_turn
    def device_column(self, name: str, column: str) -> Any:
        """A column of a population in the memory of the graphics processor, without a copy: for CuPy, PyTorch, JAX.

            velocity = cupy.asarray(world.device_column("birds", "velocity"))
            velocity *= 0.5

        It holds the present values, and values that are written to it count in the next step. When the program reads a column
        of the vehicles themselves, all columns move to the host: get the device column again after that, and after vehicles
        have come or gone.

        Args:
            name: The name of the population.
            column: The name of one of its columns: "position", "velocity", "forward", "mass", ...

        Returns:
            An array of shape (n,) or (n, d), float32, for DLPack (`torch.from_dlpack`) and the CUDA array interface.

        Raises:
            ValueError: The world has parts that do not run on the device.
            RuntimeError: The device of the world is "cpu", or there is no device.
        """
        vehicles = self._population(name).vehicles
        columns = [*vectors(vehicles.dimensions), *SCALARS]
        if column not in columns:
            raise ValueError(f"column must be one of {', '.join(columns)}, got {brief(column)}")
        return self._ready().device_column(vehicles, column)

    @renamed_arguments(who="vehicles")
    @explained
    @takes_turn
    def explain(self, vehicles: str | int | Population | None = None, id: Any = None) -> Explanation:
        """Why vehicles are steered as they are: the force that every part of the tree asks for in the next step.

            print(world.explain("boids", 7))

        Args:
            vehicles: A population or its name; or a vehicle's id, where only one population has such a vehicle. Default: the
                only population that is steered.
            id: A vehicle of the population by its id, ids, or a mask of shape (n,). Default: all of them.

        Returns:
            The tree, which prints itself, with arrays of the forces that each node asks for and the forces that are kept of
            them. Nothing advances.

        Raises:
            TypeError: `vehicles` is the id of a vehicle, and `id` is given, too.
            ValueError: No population is steered, or `vehicles` fits several.
            RuntimeError: The world is in the middle of a step.
        """
        plan, which = self._plan_and_ids(vehicles, id, "explain")
        names = {name: each.vehicles for name, each in self._populations.items()}
        rows = None if which is None else rows_of(plan.vehicles.id, which)
        return self._trial(lambda: explain(plan, names, rows))

    @renamed_arguments(who="vehicles")
    @explained
    @takes_turn
    def sketch(self, vehicles: str | int | Population | None = None, id: Any = None) -> tuple[Sketch, ...]:
        """The inputs of behaviors now, as plain shapes: fields of view, predicted positions, chosen targets, and steering.

            for each in world.sketch("boids", 7):
                print(each.label, each.shapes)

        `World.draw` draws it: `world.draw(sketch={"boids": 7})`.

        Args:
            vehicles, id: The vehicles to sketch; arguments and errors are those of `explain`.

        Returns:
            For every node of the tree that is asked, parents first, a Sketch: `key`, `label`, `depth`, `acts`, `id` and
            `shapes` (see `sm.shapes`). Nothing advances.
        """
        plan, which = self._plan_and_ids(vehicles, id, "sketch")
        rows = np.arange(len(plan.vehicles)) if which is None else rows_of(plan.vehicles.id, which)
        return self._trial(lambda: sketch(plan, rows))

    def _plan_and_ids(self, vehicles: str | int | Population | None, id: Any, query: str) -> tuple[SteeringPlan, Any]:
        """The plan of the population that a query between steps is about, and the rows of the vehicles; None for all."""
        self._check_between(f"{query} is for between steps")
        plan = self._ready().plan_of(self._population_of(vehicles), self.dt, self.steps, self.time)
        if vehicles is None or isinstance(vehicles, (str, Population)):
            return plan, id
        if id is not None:
            raise TypeError(f"the id of a vehicle is given twice: {brief(vehicles)} and {brief(id)}")
        return plan, vehicles

    def _population_of(self, vehicles: Any) -> Population:
        """The population that a query is about."""
        if isinstance(vehicles, Population):
            if vehicles not in self._populations.values():
                raise KeyError(f"the population {vehicles.name!r} is not in this world")
            return vehicles
        if isinstance(vehicles, str):
            _ = self[vehicles]  # The error names the populations of the world.
            return self._populations[vehicles]
        populations = self._populations.values()
        if vehicles is not None and (isinstance(vehicles, bool) or not isinstance(vehicles, Integral)):
            raise TypeError(f"vehicles must be a population, its name, or the id of a vehicle, got {brief(vehicles)}")
        if vehicles is None:
            fitting = [population for population in populations if population.tree is not None]
        else:
            fitting = [population for population in populations if (population.vehicles.id == vehicles).any()]
        if vehicles is not None and not fitting:
            raise KeyError(f"no vehicle has id {vehicles!r}")
        if len(fitting) != 1:
            names = ", ".join(repr(population.name) for population in fitting) or "none is steered"
            raise ValueError(f"which population is meant must be said: {names}")
        return fitting[0]

    @explained
    def neighbors(
        self,
        name: str,
        radius: float,
        *,
        angle: float = 2 * math.pi,
        inner_radius: float = 0.0,
        k: int | None = None,
        of: Any = None,
        sort: bool = True,
    ) -> Neighbors:
        """The neighbors of every vehicle now: the neighborhood that behaviors see, as arrays.

        Args:
            name: The population that looks for neighbors.
            radius: Distance up to which others are neighbors [m], inclusive; may be infinite.
            angle: Full field of view [rad].
            inner_radius: Distance within which neighbors are seen at any angle [m].
            k: Only the k nearest. Default: all.
            of: The possible neighbors: the name of a population, Vehicles, any object with a `position`, or points (m, d)
                [m]. Default: the population itself.
            sort: Whether the nearest come first. Otherwise the order is that of the cells, unless k is given: faster.

        Returns:
            `indptr`, `indices`, `offsets` and `distances`: see `Neighbors`.
        """
        others = self[of] if isinstance(of, str) else of
        view: dict[str, Any] = {"angle": angle, "inner_radius": inner_radius, "k": k, "sort": sort}
        return find_neighbors(self[name], self.domain, radius, of=others, **view)

    @explained
    def draw(
        self,
        file: "str | PathLike[str] | None" = None,
        *,
        ax: "Axes | None" = None,
        forces: Any = False,
        sketch: Any = False,
        **about: Any,
    ) -> "Axes":
        """Draw the world with all items that its populations refer to: obstacles, paths, fields, regions.

        Args:
            file: A file to write: PNG, SVG or PDF, as its name ends.
            ax: Axes of matplotlib to draw into. Default: a figure of its own.
            forces: Whether to show the steering forces of the next step: True, an id, ids (k,), or ids by population.
            sketch: Vehicles for which to draw the inputs of behaviors and the steering that results: an id, ids (k,), ids by
                population, or True for all.
            **about: Other arguments of `sm.draw`: trails, scenery, targets, colors, style, title, frame.

        Returns:
            The axes, for drawing on: in 2D their units are meters.

        Raises:
            ImportError: matplotlib is not installed.
            ValueError: There is no population, or the file has another suffix.
        """
        axes: Axes = extensions.DRAW.function(self, file, ax=ax, forces=forces, sketch=sketch, **about)
        return axes

    @explained
    def view(self, *, block: bool = False, browser: bool | None = None, **about: Any) -> "View":
        """Show the world in a browser, or in the cell of a notebook: let it run, turn it, change its steering trees, ask why.

            view = world.view()  # returns at once; later steps of the script are shown, too

        Args:
            block: Whether to wait until Ctrl-C.
            browser: Whether to open a browser; without one, open `view.url` yourself. None opens one, except in a notebook,
                where the cell shows the view.
            **about: host, port, and `playing`: whether it runs from the start.

        Returns:
            The view: `close()`, and the `url` of a window.

        Raises:
            ImportError: websockets is not installed; nor, in a notebook, anywidget.
            ValueError: The world has nothing to show.
        """
        shown: View = extensions.VIEW.function(self, block=block, browser=browser, **about)
        return shown

    @explained
    def replay(self, file: "str | PathLike[str]", *, seconds: float) -> "Path":
        """Run for some time, and write its view as one HTML file that plays in any browser, without a server.

        Args:
            file: The file to write; it ends in .html.
            seconds: Time to run [s].

        Returns:
            The file.

        Raises:
            ValueError: The file ends otherwise, or seconds is less than a step.
        """
        path: Path = extensions.REPLAY.function(self, file, seconds=check_time(seconds, "seconds"))
        return path

    @explained
    def video(self, file: "str | PathLike[str]", *, seconds: float, **about: Any) -> "Path":
        """Run for some time, and write its view as a video (see docs/video.md).

            world.video("flock.mp4", seconds=10)
            world.video("leader.gif", seconds=5, size=(640, 360), follow=7)

        Args:
            file: The file to write; it ends in .mp4, .webm, .gif or .webp.
            seconds: Time to run [s].
            **about: size (width and height of frames [pixels]), fps, speed, follow (the vehicle to keep in the middle), width
                [m], turn [degrees/s], sketch, frame, title.

        Returns:
            The file.

        Raises:
            ImportError: imageio-ffmpeg is not installed.
            ValueError: The file ends otherwise.
            OSError: The file cannot be written; an existing file stays unchanged.
        """
        path: Path = extensions.VIDEO.function(self, file, seconds=seconds, **about)
        return path

    @explained
    def watch(
        self,
        population: str | Population | None = None,
        /,
        *metrics: str,
        to: Any = None,
        every: float | Trigger = 0.25,
        **own: Any,
    ) -> "Meters":
        """Measure quantities of a population from now on, and store them as series.

            meters = world.watch("boids", "polarization", fastest=lambda vehicles: vehicles.speed.max())
            world.run(seconds=10)
            plt.plot(meters["boids.fastest"].times, meters["boids.fastest"].values)

        Args:
            population: Its name. Default: the only one.
            *metrics: Names of metrics (see docs/metrics.md).
            to: The reference of metrics that need one: a point (d,), points (m, d), a population or its name, a path, a
                region, a distance [m].
            every: Time between readings [s]; or EverySteps(k). The first reading is made at once.
            **own: Metrics under names of your own: functions `vehicles -> number`, or names of metrics.

        Returns:
            All meters of the world, `world.meters`.

        Raises:
            TypeError: A metric gives no number.
            ValueError: The metric needs `to` or obstacles, no metric needs the `to`, or it is watched already.
        """
        meters: Meters = extensions.WATCH.function(self, population, metrics, own, to=to, every=every)
        return meters

    # ----------------------------------------------------------------------------------------------- snapshots

    @explained
    @takes_turn
    def save(self, path: "str | PathLike[str]", *, functions: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Write the present state of the world into one file, from which it continues bit for bit (see docs/snapshots.md).

            world.save("evening.steersman")
            world = sm.World.load("evening.steersman")

        The file is written aside and renamed, so it is complete at any time. Functions, and other objects that exist only in
        Python, are in it by name only.

        Args:
            path: The file. An existing one is replaced.
            functions: Names for the Python objects of this world. Default: their Python names.

        Returns:
            Name -> Python object of this world: the argument `functions` that `load` needs.

        Raises:
            SnapshotError: An object of the world can neither be written nor named.
            OSError: The file cannot be written. An existing file stays unchanged.
            RuntimeError: The world is in the middle of a step.
            ValueError: Flows that have failed after the last step, and come before anything else, fail again.
        """
        self._check_between("save is for between steps")
        self._flow()
        taken: dict[str, Any] = extensions.SAVE.function(self, Path(path), functions)
        return taken

    @staticmethod
    @explained
    def load(
        path: "str | PathLike[str]", *, functions: Mapping[str, Any] | None = None, threads: int | None = None
    ) -> "World":
        """The world of a file that `save` has written. The file may come from a stranger: nothing in it is executed.

        Args:
            path: The file.
            functions: The Python objects of the world, by name; the error lists those that are needed.
            threads: The number of threads; the result does not depend on it.

        Raises:
            SnapshotError: The file is no snapshot, is damaged or of a newer version, or a function is not given.
        """
        world: World = extensions.LOAD.function(Path(path), functions, threads)
        return world

    @explained
    @takes_turn
    def restore(self, path: "str | PathLike[str]", *, functions: Mapping[str, Any] | None = None) -> None:
        """Restore the state of a world that the same program made and saved.

            world = make()  # As usual, with its functions and observers.
            if path.exists():
                world.restore(path)

        Vehicles, obstacles and resources stay the same objects, so references to them stay valid.

        Args:
            path: The file that `save` has written.
            functions: Names for the Python objects of this world, where `save` was given some.

        Raises:
            SnapshotError: The file is no snapshot, is damaged, or of another world. This world stays unchanged.
            RuntimeError: The world is in the middle of a step.
        """
        self._check_between("restore is for between steps")
        extensions.RESTORE.function(self, Path(path), functions)

    @explained
    def record(
        self,
        folder: "str | PathLike[str]",
        *,
        every: float | Trigger = 0.1,
        columns: Sequence[str] = (),
        populations: Sequence[str | Population] | None = None,
        format: str = "parquet",
        force: bool = False,
        notes: Any = "",
    ) -> "Recording":
        """Record the positions of all vehicles, and the measurements, on disk from now on.

            with world.record("runs/first", every=0.1):
                world.run(seconds=60)
            run = sm.read_run("runs/first")

        Args:
            folder: The folder of the run; it is made.
            every: Time between two frames [s]; or EverySteps(k). The first frame is recorded at once.
            columns: Columns to record besides position, velocity, orientation, radius and mode: columns of the vehicles
                ("mass"), memory of a behavior ("Wander.point"), forces ("force", "Separation.force"), and "unwrapped",
                positions that go on over the seams of a torus.
            populations: The populations to record. Default: all, including those that are added later.
            format: "parquet", which needs pyarrow; or "csv", which is slower and larger; `read_run` reads both, with pyarrow.
            force: Whether to replace the run that is in the folder.
            notes: A text, or names with texts and numbers: kept with the run, beside the machine, the command, the commit of
                your project and the source of your own behaviors (`Run.provenance`).

        Returns:
            The recording. It ends with the block, with its `close`, with the world or with the program.

        Raises:
            RunError: The folder cannot be written to, or is not empty.
            ImportError: pyarrow is not installed.
            ValueError: No population has such a column.
        """
        recording: Recording = extensions.RECORD.function(
            self, folder, every=every, columns=columns, populations=populations, format=format, force=force, notes=notes
        )
        return recording

    # ------------------------------------------------------------------------------------------------ stepping

    @explained
    def step(self, dt: float | None = None) -> None:
        """Make one step.

        Args:
            dt: Its length [s]. Default: the world's.

        Raises:
            NonFiniteError: A column or a force is NaN, infinite or too large. The error names the behavior and the
                vehicles, and the world, memory included, is unchanged.
            ValueError: A column that must not be negative is.
            RuntimeError: The world is in the middle of a step: a behavior calls `step`, or another thread.
                Threads that share a world by `between_steps` wait for each other instead.
        """
        self._make(self._dt if dt is None else check_dt(dt))

    def _make(self, dt: float, *counted: Action) -> None:
        """Make a step of a checked length and notify behaviors and observers, when it is this thread's turn."""
        turn = self._turn
        if turn.waiting or self._stepping:
            self._make_way()
        with turn.lock:
            flowing = False
            for each in self._populations.values():
                if each.flowing.tallies:
                    flowing = True
                    counted = (*counted, (setattr, each.flowing, "owed", dt))
            if flowing:
                self._flow()
            drawn = self._drawn
            before = None if drawn is None else drawn.look(each.vehicles for each in self._populations.values())
            plan = self._step(dt, *counted)
            if drawn is not None and before is not None:
                drawn.keep(before)
            self._stepping = True
            try:
                plan.notify()
            finally:
                self._stepping = False
            if flowing:
                self._flow()
            self._observers.notify(self, dt)
            if plan.timed:
                plan.done()

    def _flow(self) -> None:
        """Run the flows for the last step, if an interrupt has kept them from running."""
        if self._stepping:
            return
        self._stepping = True
        try:
            all_vehicles = [each.vehicles for each in self._populations.values()]
            for each in self._populations.values():
                each.flowing.run(each.name, each.vehicles, all_vehicles, self.domain, self.seed, self.time, self.steps)
        finally:
            self._stepping = False

    @explained
    @contextmanager
    def between_steps(self) -> Iterator[None]:
        """Prevent steps while inside: for a thread that changes or reads the world while another thread steps it.

            with world.between_steps():  # A window, say, lets it run.
                world["boids"].position[0] = 30, 40

        A step that another thread wants to make waits until the block ends, and the block until a step is over.

        Raises:
            RuntimeError: This thread is in the middle of a step.
        """
        self._turn.shared = True
        with self._turn.taken():
            self._check_between("between_steps is for between steps")
            yield

    @explained
    def run(self, *, seconds: float | None = None, steps: int | None = None, dt: float | None = None) -> None:
        """Make many steps.

        Args:
            seconds: Time to run [s], rounded to whole steps: less than half a step is none. `advance` carries the rest over.
            steps: The number of steps, instead of seconds.
            dt: Their length [s], from now on the world's. Default: the world's.

        Raises:
            ValueError: Not exactly one of seconds and steps is given.
            NonFiniteError: As for `step`.
        """
        step = self.dt if dt is None else check_dt(dt)
        count = steps_to_run(seconds, steps, step)
        self.dt = step
        for _ in range(count):
            self.step()

    @explained
    def advance(self, frame_time: float, *, max_steps: int = 8) -> float:
        """Make as many whole steps as fit into the time that has passed, for a loop that draws at any rate.

        Args:
            frame_time: Time since the last call [s].
            max_steps: The most steps to make; time beyond is dropped, so that a slow machine does not fall behind further
                and further.

        Returns:
            The fraction of the next step that has passed, in [0, 1): draw `world.drawn(fraction)`.

        Raises:
            NonFiniteError: As for `step`.
        """
        passed, most = check_time(frame_time, "frame_time"), check_steps(max_steps, "max_steps", least=1)
        for _ in range(self._accumulator.steps(passed, self.dt, most)):
            dt = self.dt
            self._make(dt, (setattr, self._accumulator, "rest", self._accumulator.after(dt)))
        return self._accumulator.fraction(self.dt)

    @renamed_arguments(who="vehicles")
    @explained
    @takes_turn
    def drawn(self, fraction: float, vehicles: str | Population | Vehicles | None = None) -> Pose:
        """Where vehicles are between the last two steps, for a loop that draws more often than it steps.

            fraction = world.advance(frame_time)
            pose = world.drawn(fraction)  # pose.position, pose.heading; in 3D pose.quaternion

        Args:
            fraction: 0 for the state before the last step, 1 for the present one; positions are interpolated over the seam
                of a torus, orientations the short way.
            vehicles: A population, its name or its vehicles. Default: the only population.

        Returns:
            The poses of the present vehicles. A vehicle that came after the last step is where it is now. The state before
            a step is kept from the first call on, so the first call gives the present state.

        Raises:
            ValueError: `vehicles` is left out and there are several populations.
            RuntimeError: The world is in the middle of a step.
        """
        self._check_between("drawn is for between steps")
        part = as_number("fraction", fraction, low=0, high=1)
        known = {id(each.vehicles): each for each in self._populations.values()}
        if vehicles is None and len(known) == 1:
            (vehicles,) = known.values()
        elif isinstance(vehicles, Vehicles):
            vehicles = known.get(id(vehicles), vehicles)
        if not (vehicles is None or isinstance(vehicles, (str, Population))):
            raise TypeError(
                f"vehicles must be a population of this world, its name or its vehicles, got {brief(vehicles)}"
            )
        if self._drawn is None:
            self._drawn = Interpolation()
        return self._drawn.pose(self._population_of(vehicles).vehicles, part, self.domain)

    @explained
    def on_step(self, observer: Observer, when: Trigger | None = None) -> Callable[[], None]:
        """Call a function with the world after steps: for thinking, recording, drawing.

        Args:
            observer: Called as `observer(world)`. An observer with `only_watches = True` changes nothing, so that scenario
                files may leave it out.
            when: EverySteps(k) or EverySeconds(s). Default: after every step.

        Returns:
            A function that removes the observer again.
        """
        return self._observers.add(observer, when or EverySteps(1))

    def _hearing(self) -> tuple[Population, ...]:
        return tuple(self._populations.values())

    def _prepare(self, dt: float) -> None:
        """Warn, before the first step, of vehicles that do not see obstacles, other populations or walls."""
        if self.steps == 0:
            warn_of_starting_inside(self._ready().plans, self.domain)
        if self._unwarned:
            self._unwarned = False
            warn_of_unseen(self._ready().plans)
            warn_of_idle_turning(self._ready().plans)
            warn_of_unseen_walls(self._ready().plans, self.domain)

    def _ready(self) -> StepPlan:
        """The plan, adapted to vehicles that have come and gone, or made anew where this is not possible or a tree is new."""
        plan = self._plan
        if plan is None or plan.stale:
            self._plan = None  # If this is interrupted, the next call makes a new plan.
            if plan is None or not plan.fit():
                populations, known = list(self._populations.values()), plan
                plan = ahead(
                    lambda: self._made(populations, self.domain, self.seed, self.threads, self._constraints, known)
                )
            self._plan = plan
        return plan


def as_device(device: Any) -> str:
    """Where steps are made."""
    if not isinstance(device, str) or device not in ("cpu", "cuda"):
        raise ValueError(f'device must be "cpu" or "cuda", got {brief(device)}')
    return str(device)
