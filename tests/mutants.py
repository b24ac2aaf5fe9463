"""Plausible mistakes, made on purpose: each is put into a copy of the sources, and its test has to fail.

    python -m tests.mutants               # all of them
    python -m tests.mutants seam torus    # those whose names contain one of these words

A mutant here once survived the whole suite, or guards a law that is easy to get wrong. Exit code 1: one survives.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src/steersman"


class Mutant(NamedTuple):
    """One mistake.

    Attributes:
        name: The mistake, in words.
        file: The source file, below src/steersman.
        code: A piece of it that occurs once.
        mistake: The code in its place.
        test: The test file that has to fail, below tests, with `-k` words after it.
    """

    name: str
    file: str
    code: str
    mistake: str
    test: str

    def text(self) -> str:
        """The source file with the mistake.

        Raises:
            ValueError: The piece of code does not occur once.
        """
        text = (SOURCES / self.file).read_text()
        if text.count(self.code) != 1:
            raise ValueError(f"{self.name}: {self.code!r} occurs {text.count(self.code)} times in {self.file}")
        return text.replace(self.code, self.mistake)

    def survives(self) -> bool:
        """Whether its test passes."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "steersman"
            shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
            (copy / self.file).write_text(self.text())
            file, *words = self.test.split(" -k ")
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"tests/{file}"]
            command += ["-k", words[0]] if words else []
            own = {"PYTHONPATH": folder}
            if self.file.startswith("core/kernels/"):  # The way of compiling is not in the digest of kept kernels.
                own |= {"STEERSMAN_CACHE": str(Path(folder) / "kernels")}
            done = subprocess.run(
                command, cwd=ROOT, env={**os.environ, **own}, capture_output=True, text=True, check=False
            )
        if done.returncode not in (0, 1):
            raise ValueError(f"{self.name}: pytest ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.returncode == 0


MUTANTS = (
    Mutant(
        "obstacles beyond the next turn of a route are avoided",
        "core/steering/obstacles/avoid_obstacles.py",
        "threatens = visible and not sight.touch[i] > way",
        "threatens = visible",
        "core/steering/paths/test_go_to.py -k who_avoids",
    ),
    Mutant(
        "a route counts for ever after it was asked",
        "core/steering/driving/leading.py",
        "if until[i] >= time[0]:",
        "if until[i] >= 0:",
        "core/steering/paths/test_go_to.py -k followed_no_more",
    ),
    Mutant(
        "the search for the nearest takes the border of a cell for farther than it is",
        "core/neighborhood/nearest.py",
        "gap = axis.after if step > 0 else axis.before",
        "gap = axis.width",
        "core/neighborhood/test_nearest.py -k oblong",
    ),
    Mutant(
        "hooks and meals come after vehicles have come and gone",
        "core/world/world.py",
        "plan.notify()\n            finally:\n                self._stepping = False\n            if flowing:\n",
        "pass\n            finally:\n                self._stepping = False\n            if flowing:\n",
        "core/world/flows/test_flows.py -k meals",
    ),
    Mutant(
        "a fly-by turns with 45 degrees of lead",
        "core/steering/laws/flying_by.py",
        "LEAD = 0.5",
        "LEAD = 1.0",
        "core/steering/laws/test_reaching.py -k fly_by",
    ),
    Mutant(
        "the leader's turn is not averaged",
        "core/steering/driving/slot_keeping.py",
        "since / (since + tau)",
        "since / since",
        "core/steering/driving/test_slot_keeping.py",
    ),
    Mutant(
        "the nearest obstacle is remembered without the reach",
        "core/steering/scene/senses.py",
        '("nearest", tuple(map(id, solids.sets)), float(reach))',
        '("nearest", tuple(map(id, solids.sets)))',
        "core/steering/scene/test_senses.py -k another_reach",
    ),
    Mutant(
        "ray hits are remembered without the reach",
        "core/steering/scene/senses.py",
        '("cast", tuple(map(id, solids.sets)), float(reach))',
        '("cast", tuple(map(id, solids.sets)))',
        "core/steering/scene/test_senses.py -k another_reach",
    ),
    Mutant(
        "an obstacle that touches the target hides it",
        "core/steering/sensing/line_of_sight.py",
        "np.float32(1 - 1e-5)",
        "np.float32(1 + 1e-5)",
        "core/steering/sensing/test_line_of_sight.py -k touches",
    ),
    Mutant(
        "rays on an oblong torus end after the short period",
        "core/environment/box_tree.py",
        "longest = max(wrap[0, 0], wrap[0, 1])",
        "longest = min(wrap[0, 0], wrap[0, 1])",
        "core/environment/obstacles/test_spheres.py -k oblong",
    ),
    Mutant(
        "rays on an oblong torus ignore the third period",
        "core/environment/box_tree.py",
        "longest = max(longest, wrap[0, 2])",
        "longest = min(longest, wrap[0, 2])",
        "core/environment/obstacles/test_spheres.py -k oblong",
    ),
    Mutant(
        "the margin is forgotten where images are chosen",
        "core/environment/obstacles/searching.py",
        "images_near(home, reach + margin, parts.boxes, wrap)",
        "images_near(home, reach, parts.boxes, wrap)",
        "core/environment/obstacles/test_barring.py -k seam",
    ),
    Mutant(
        "across the seam the flow jumps unless the gap is one spacing",
        "core/environment/fields/flow_grid.py",
        "(u - end) / (period - end)",
        "u - end",
        "core/environment/fields/test_flow_grid.py -k seam",
    ),
    Mutant(
        "a way out exactly through a corner is not seen",
        "core/environment/regions/polygon.py",
        "ZERO <= s <= edges[k, 4]",
        "ZERO < s < edges[k, 4]",
        "core/environment/regions/test_regions.py -k corner",
    ),
    Mutant(
        "a vehicle below the low wall is turned round on its way in",
        "core/environment/domains/box.py",
        "if v[i] < ZERO:",
        "if v[i] != ZERO:",
        "core/environment/domains/test_domains.py -k way_back",
    ),
    Mutant(
        "angular velocities are taken over from the wrong rows after a removal",
        "core/world/frames.py",
        "older.block[:, rows], np.nan",
        "older.block[:, : turn.stayed], np.nan",
        "core/world/test_frames.py -k removal",
    ),
    Mutant(
        "who keeps its frame is taken over from the wrong rows after a removal",
        "core/world/frames.py",
        "kept.turned[: turn.stayed] = older.turned[rows]",
        "kept.turned[: turn.stayed] = older.turned[: turn.stayed]",
        "core/world/test_frames.py -k removal",
    ),
    Mutant(
        "the births of before a removal are never replaced",
        "core/world/frames.py",
        "self._births, self._revision = vehicles.births, vehicles.revision",
        "self._revision = vehicles.revision",
        "core/world/test_frames.py -k removal",
    ),
    Mutant(
        "a folded axis that wraps keeps narrow cells",
        "core/neighborhood/grid.py",
        "grid.axes[INVERSE, k] *= fewer / count[k]",
        "grid.axes[INVERSE, k] *= 1.0",
        "core/neighborhood/test_grid.py -k folded",
    ),
    Mutant(
        "the first row of a row group counts to the one before",
        "runs/recording/run.py",
        'inside = np.searchsorted(np.cumsum(sizes), rows, side="right")',
        'inside = np.searchsorted(np.cumsum(sizes), rows, side="left")',
        "runs/recording/test_run.py -k row_group",
    ),
    Mutant(
        "the first row of a frame counts to the one before",
        "runs/recording/run.py",
        'k = np.searchsorted(part.ends, rows, side="right")',
        'k = np.searchsorted(part.ends, rows, side="left")',
        "runs/recording/test_run.py -k row_group",
    ),
    Mutant(
        "a restored world keeps its own rest of frame time",
        "runs/snapshots/restoring.py",
        'document["dt"], document.get("rest", 0.0)',
        'document["dt"], world.rest',
        "runs/snapshots/test_snapshots.py -k frame_time",
    ),
    Mutant(
        "a restore that fails leaves resources changed",
        "runs/snapshots/restoring.py",
        "            each.amount = amount\n",
        "            pass\n",
        "runs/snapshots/test_snapshots.py -k frame_time",
    ),
    Mutant(
        "after a new scene frames of the old world are sent",
        "studio/viewer/watcher.py",
        'if kind == "scene":',
        'if kind == "scenes":',
        "studio/viewer/test_watcher.py",
    ),
    Mutant(
        "after a hang the simulation races to catch up",
        "studio/viewer/simulation.py",
        "return min(debt + passed * speed, 4 * FRAME * max(speed, 1.0) + dt)",
        "return debt + passed * speed",
        "studio/viewer/test_watcher.py -k hung",
    ),
    Mutant(
        "the simulation steps by the time that has passed",
        "studio/viewer/simulation.py",
        "debt = owed(debt, began - then, self.speed, self.world.dt)",
        "debt += (began - then) * self.speed",
        "studio/viewer/test_watcher.py -k owes",
    ),
    Mutant(
        "the sizes of other vehicles are sent with a sample",
        "studio/viewer/packing.py",
        "vehicles.id[rows], sizes[rows],",
        "vehicles.id[rows], sizes[: len(vehicles.id[rows])],",
        "studio/viewer/test_packing.py -k sample",
    ),
    Mutant(
        "the widths of other vehicles are sent with a sample",
        "studio/viewer/packing.py",
        "2 * vehicles.radius[rows]",
        "2 * vehicles.radius[: len(vehicles.id[rows])]",
        "studio/viewer/test_packing.py -k sample",
    ),
    Mutant(
        "at a seam a followed vehicle flies across the world",
        "studio/viewer/page/frames.js",
        "if (period[c]) way -=",
        "if (!period[c] && period[c]) way -=",
        "studio/viewer/test_frames.py -k seam",
    ),
    Mutant(
        "bodies are aligned by their rows",
        "studio/viewer/page/frames.js",
        "  return found.map((_, k) => rows.get(others[k]) ?? -1);",
        "  return found.map((_, k) => (k < ids.length ? k : (rows.get(others[k]) ?? -1)));",
        "studio/viewer/test_frames.py -k aligned",
    ),
    Mutant(
        "a resumed run is said to be faster than it was",
        "cli/running/performance.py",
        "(outcome.steps - done - 1) /",
        "(outcome.steps - 1) /",
        "cli/running/test_performance.py",
    ),
    Mutant(
        "the digest tells where an object lies in memory",
        "core/kernels/cache.py",
        "if kind.__repr__ is object.__repr__:",
        "if False:",
        "core/kernels/test_cache.py -k addresses",
    ),
    Mutant(
        "the digest has a set in the order of its process",
        "core/kernels/cache.py",
        "sorted(map(self.described, value))",
        "list(map(self.described, value))",
        "core/kernels/test_cache.py -k words_of_their_own",
    ),
    Mutant(
        "defaults of a helper are not in the digest",
        "core/kernels/cache.py",
        "{function.__defaults__!r} {function.__kwdefaults__!r}",
        "",
        "core/kernels/test_cache.py -k defaults",
    ),
    Mutant(
        "defaults by keyword are not in the digest",
        "core/kernels/cache.py",
        " {function.__kwdefaults__!r}",
        "",
        "core/kernels/test_cache.py -k defaults",
    ),
    Mutant(
        "errors of a kernel in a program are lost",
        "core/kernels/tasks.py",
        "builder.ret(builder.zext(status.is_error, FAILED))",
        "builder.ret(FAILED(0))",
        "core/world/test_section.py -k raises",
    ),
    Mutant(
        "whole numbers lose their sign in programs",
        "core/kernels/tasks.py",
        "        yield int(argument)\n    elif isinstance(argument, np.float32)",
        "        yield abs(int(argument))\n    elif isinstance(argument, np.float32)",
        "core/world/test_section.py -k signs",
    ),
    Mutant(
        "brakes do not count for the bend that asks for braking first",
        "core/environment/paths/bends.py",
        "key = np.tile(after, len(laps)) + 2 * ratio * begin",
        "key = np.tile(after, len(laps)) + 2 * begin",
        "core/environment/paths/test_bends.py",
    ),
    Mutant(
        "a vehicle speeds up in a bend with the force that turns it",
        "core/steering/driving/lanes.py",
        "    if spot.around[i] < v.INFINITE:\n",
        "    if spot.around[i] < v.ZERO:\n",
        "core/steering/paths/test_follow_path.py -k speed_up",
    ),
    Mutant(
        "a route is followed on by one corner only to find its bend",
        "core/environment/routes/nav_mesh.py",
        "    for _ in range(RUN):\n        ahead = goals",
        "    for _ in range(1):\n        ahead = goals",
        "core/steering/paths/test_go_to.py -k fast_slow_down",
    ),
    Mutant(
        "a map of polygons on a torus takes goals as they are",
        "core/environment/routes/door_map.py",
        "            points = images_about(self.map.middle, points, self.query.wrap)\n",
        "",
        "core/steering/paths/test_go_to.py -k seam",
    ),
    Mutant(
        "a flow that follows goals takes them as they are on a torus",
        "core/environment/fields/flow_toward.py",
        'images_about(grid.middle, points_of("goals", self.field.goals), self.wrap)',
        'points_of("goals", self.field.goals)',
        "core/environment/fields/test_flow_toward.py -k seam",
    ),
    Mutant(
        "new room for fields is believed to hold the old ones",
        "core/environment/routes/changing_fields.py",
        "self.columns(2 * len(keys), self.fields.frame.dtype), {}",
        "self.columns(2 * len(keys), self.fields.frame.dtype), self.places",
        "core/steering/paths/test_go_to.py -k part",
    ),
    Mutant(
        "the estimate of A* stays when a road becomes cheaper",
        "core/environment/routes/route.py",
        "low=0.0, infinite=True)\n        self._set_scale()",
        "low=0.0, infinite=True)",
        "core/environment/routes/test_route.py -k cheaper",
    ),
    Mutant(
        "a sink ends at the seam",
        "core/world/flows/sink.py",
        "self.region.inside(vehicles.position, moment.domain)",
        "self.region.inside(vehicles.position)",
        "core/world/flows/test_flows.py -k seam",
    ),
    Mutant(
        "ages go to vehicles as if ids were in order",
        "core/world/flows/sink.py",
        'since[rows] = state["since"][known]',
        'since[rows] = state["since"][: len(known)]',
        "core/world/flows/test_flows.py -k ages",
    ),
    Mutant(
        "a stuck watch takes ids for ordered",
        "runs/metrics/stuck.py",
        "place = order[np.minimum(np.searchsorted(self._of, ids, sorter=order), len(order) - 1)]",
        "place = np.minimum(np.searchsorted(self._of, ids, sorter=order), len(order) - 1)",
        "runs/metrics/test_stuck.py -k any_order",
    ),
    Mutant(
        "signs of quaternions are taken from the wrong rows after a removal",
        "core/world/interpolation.py",
        '"ij,ij->i", stayed, before.turn[rows]) < 0',
        '"ij,ij->i", stayed, before.turn[: change.stayed]) < 0',
        "core/world/test_interpolation.py -k row_before",
    ),
    Mutant(
        "conditions with memory are asked only while undecided",
        "core/action_selection/composing.py",
        "truth.active if remembers(scene.shared, node) else undecided",
        "undecided",
        "core/action_selection/test_conditions.py -k misses",
    ),
    Mutant(
        "beyond the rim of the third axis it flows",
        "core/environment/fields/flow_grid.py",
        "(out_x + out_y + out_z) > 0",
        "(out_x + out_y) > 0",
        "core/environment/fields/test_flow_grid.py -k any_axis",
    ),
    Mutant(
        "a blend of clips lasts as long as its first",
        "core/locomotion/motion_clips.py",
        "clips.duration[first] * keep + clips.duration[second] * share",
        "clips.duration[first]",
        "core/locomotion/test_motion_clips.py -k blend_lasts",
    ),
    Mutant(
        "the hash of the step that a run goes back to is lost",
        "runs/recording/truncation.py",
        "if int(key) <= step}",
        "if int(key) < step}",
        "runs/recording/test_resuming.py -k very_step",
    ),
    Mutant(
        "a meter colors other populations",
        "studio/viewer/coloring.py",
        "        if population.vehicles is not subject.vehicles:\n            return None\n",
        "",
        "studio/viewer/test_coloring.py",
    ),
    Mutant(
        "what takes long is sent as often",
        "studio/viewer/subscriptions.py",
        "began + max(often, (ended - began) / PART)",
        "began + often",
        "studio/viewer/test_subscriptions.py -k often",
    ),
    Mutant(
        "the ups of other vehicles are drawn",
        "studio/viewer/page/frames.js",
        "up: before.up && after.up ? taken(before.up, after.up) : undefined,",
        "up: before.up,",
        "studio/viewer/test_frames.py -k ups",
    ),
    Mutant(
        "held noise changes a step late where dt adds up to less",
        "core/steering/group/alignment.py",
        "(clock.time[0] + float(v.HALF * clock.dt[0])) / float(time)",
        "clock.time[0] / float(time)",
        "core/steering/group/test_sums.py -k not_a_step_later",
    ),
    Mutant(
        "points touch at the whole radius",
        "core/steering/group/separation.py",
        "touching=0.1 * reach)",
        "touching=reach)",
        "core/steering/group/test_sums.py -k points_touch",
    ),
    Mutant(
        "a forager keeps a find in mind that is out of reach",
        "core/steering/wandering/forage.py",
        "        if dot(way, way) <= numbers.reach * numbers.reach:\n            best, best_d2 = known",
        "        if dot(way, way) < INFINITE:\n            best, best_d2 = known",
        "core/steering/wandering/test_forage.py -k out_of_reach",
    ),
    Mutant(
        "a turn that lags waits for a slow response",
        "core/steering/driving/turning.py",
        "tau = min(tau, ONE / (FOUR * how.rate))",
        "tau = min(tau, ONE / how.rate)",
        "core/steering/driving/test_turning.py -k slower_response",
    ),
    Mutant(
        "a pipeline takes the long way round a closed path",
        "core/steering/combining/stages.py",
        "            ahead = np.where(ahead > path.length / 2, ahead - path.length, ahead)\n",
        "",
        "core/steering/combining/test_pipeline.py -k short_way_round",
    ),
    Mutant(
        "a pursuer knows its catch by the row",
        "core/steering/pursuit/pursue.py",
        "now[i] == others.id[j]\n",
        "now[i] == j\n",
        "core/steering/pursuit/test_whom.py",
    ),
    Mutant(
        "path errors are measured over one of the two seams",
        "runs/metrics/following.py",
        "(0,) if not p else (-1, 0, 1) for p in period])]\n    projections",
        "(0,) if not p else (-1, 0) for p in period])]\n    projections",
        "runs/metrics/test_following.py -k side_of_the_seam",
    ),
    Mutant(
        "an explanation of some vehicles has the mean weight of all",
        "core/world/explain.py",
        "weight.array[rows]",
        "weight.array[:]",
        "core/world/test_explain.py -k of_their_own",
    ),
    Mutant(
        "places of a replay wrap upwards alone",
        "studio/viewer/page/recorded.js",
        "(place[k] + pace[k] + 65536) % 65536",
        "(place[k] + pace[k]) % 65536",
        "studio/viewer/test_replay.py -k every_seam",
    ),
    Mutant(
        "a plot goes on when time goes back",
        "studio/viewer/page/plots.js",
        "points.filter(([each]) => each < time);",
        "points;",
        "studio/viewer/test_panel.py -k time_goes_back",
    ),
    Mutant(
        "arrows of a sample have the velocities of the first rows",
        "studio/viewer/page/populations.js",
        "d * k * every,",
        "d * k,",
        "studio/viewer/test_panel.py -k own_velocities",
    ),
    Mutant(
        "walls behind a noise damp it",
        "core/steering/sensing/last_heard.py",
        "reach[hit < distance * GRAZING]",
        "reach[hit < np.inf]",
        "core/steering/sensing/test_last_heard.py -k damps_nothing",
    ),
    Mutant(
        "slots beyond a squad that shrinks are kept",
        "core/steering/group/slots.py",
        "0 <= k < count[0] and",
        "0 <= k and",
        "core/steering/group/test_formation.py -k shrinks",
    ),
    Mutant(
        "velocities of replayed vehicles jump from frame to frame",
        "core/world/flows/replayed.py",
        "        velocity[here] += s * (ahead - velocity[here])\n",
        "",
        "core/world/flows/test_replayed.py -k evenly",
    ),
    Mutant(
        "neighbors at 1e-23 m/s are met at once",
        "core/steering/combining/meeting.py",
        "if ahead > ZERO and w2 > TINY:",
        "if ahead > ZERO:",
        "core/steering/combining/test_meeting_neighbors.py -k square_is_lost",
    ),
    Mutant(
        "flows assigned later owe what others failed at",
        "core/world/flows/flows.py",
        "            self.owed = 0.0\n        self.tallies",
        "            pass\n        self.tallies",
        "core/world/flows/test_flows.py -k owe_nothing",
    ),
    Mutant(
        "a world put in its place keeps the constants of the one before",
        "core/world/many/worlds.py",
        "            self._write_all_constants(self._batch.constants[number])\n",
        "",
        "core/world/many/test_worlds.py -k takes_its_place",
    ),
    Mutant(
        "reset with new seeds leaves the old beginning",
        "core/world/many/worlds.py",
        "        self._start[rows] = self._batch.state[rows]\n",
        "",
        "core/world/many/test_worlds.py -k new_seeds_begin",
    ),
    Mutant(
        "the search for a meeting of capsules goes beyond the horizon",
        "core/neighborhood/bodies.py",
        "time = min(time + (distance - reach) * distance / closing, horizon)",
        "time = time + (distance - reach) * distance / closing",
        "core/neighborhood/test_bodies.py -k up_to_any_horizon",
    ),
    Mutant(
        "balls do not see that others are long",
        "core/neighborhood/bodies.py",
        "if not any(map(longest, (vehicles, *among))):",
        "if not longest(vehicles):",
        "core/steering/group/test_bodies_of_length.py -k how_long_others",
    ),
    Mutant(
        "a goal that moves leaves the nearest distance as it was",
        "core/steering/driving/resting.py",
        "    following.nearest[i] += math.sqrt(dot(moved, moved))\n",
        "",
        "core/steering/driving/test_resting.py -k lost_ground",
    ),
    Mutant(
        "who was carried away keeps its patience",
        "core/steering/driving/resting.py",
        "if gained > NEARER or gained < -AWAY:",
        "if gained > NEARER:",
        "core/steering/driving/test_resting.py -k carried_away",
    ),
    Mutant(
        "who rests does not mind how fast another comes",
        "core/steering/driving/resting.py",
        "if closing * (vehicles.response_time[i] + braking) > apart - both:",
        "if closing * vehicles.response_time[i] > apart - both:",
        "core/steering/driving/test_resting.py -k minds_another",
    ),
    Mutant(
        "of two notices at one time that of the first row is told",
        "core/steering/sensing/remembering.py",
        "if j < 0 or time[i] > time[j] or (time[i] == time[j] and id[i] < id[j]):",
        "if j < 0 or time[i] > time[j]:",
        "core/steering/sensing/test_last_seen.py -k two_sights",
    ),
    Mutant(
        "what others tell leaves the up",
        "core/steering/sensing/remembering.py",
        "        store(notice.forward, i, load(notice.forward, j))\n        copy_up(notice.up, i, notice.up, j)\n",
        "        store(notice.forward, i, load(notice.forward, j))\n",
        "core/steering/sensing/test_last_seen.py -k all_of_what_was_noticed",
    ),
    Mutant(
        "edges are joined by their height at one end",
        "core/environment/walking/portals.py",
        "for at in (low, high):\n                own",
        "for at in (low,):\n                own",
        "core/environment/walking/test_walk_mesh.py -k part_along",
    ),
    Mutant(
        "nodes are where the first triangle has them",
        "core/environment/walking/way_finding.py",
        "side = 0 if mesh.beside[mesh.piece[q], 0] == t else 1\n    dx",
        "side = 0\n    dx",
        "core/environment/walking/test_walk_mesh.py -k riser",
    ),
    Mutant(
        "the way to the mesh does not count",
        "core/environment/walking/way_finding.py",
        "guide.remaining[i] = length + math.hypot(px - x, py - y)",
        "guide.remaining[i] = length",
        "core/environment/walking/test_walk_mesh.py -k way_to_the_mesh",
    ),
    Mutant(
        "goals of a front are not brought to one scale",
        "runs/tuning/judging.py",
        "(chosen - low) / np.where(width > 0, width, 1.0)",
        "(chosen - low)",
        "runs/tuning/test_tuning.py -k whatever_its_unit",
    ),
    Mutant(
        "CMA-ES begins in the middle",
        "runs/tuning/searching.py",
        "                mean[k] = axis.quantile(value)\n",
        "                pass\n",
        "runs/tuning/test_tuning.py -k search_begins",
    ),
    Mutant(
        "the run at hand is lost where a process ends while it is handed out",
        "runs/sweeps/crews.py",
        "list(waiting.values()) + ([task] if task is not None else [])",
        "list(waiting.values())",
        "runs/sweeps/test_sweep.py -k at_hand",
    ),
    Mutant(
        "relative velocities are perceived the other way",
        "learning/senses.py",
        "parts.append(their_velocity[:, None] - velocity[:, :, None])",
        "parts.append(velocity[:, :, None] - their_velocity[:, None])",
        "learning/test_learning.py -k motion_of_others",
    ),
    Mutant(
        "a policy forgets the mass",
        "learning/policy.py",
        "* (vehicles.mass / response)[:, None]",
        "* (1.0 / response)[:, None]",
        "learning/test_learning.py -k any_mass",
    ),
    Mutant(
        "undo leaves the end of the instant before",
        "studio/viewer/past.py",
        "            self.kept[-1].until = before.until\n",
        "            pass\n",
        "studio/viewer/test_past.py -k undone_the_run",
    ),
    Mutant(
        "vehicles that touch by rounding are contacts",
        "studio/viewer/events.py",
        "rows[depth > DEEP * wide]",
        "rows[depth > 0]",
        "studio/viewer/test_past.py -k by_rounding",
    ),
    Mutant(
        "boxes of a turned rectangle turn the other way",
        "adapters/tiled.py",
        "np.radians(item.rotation) * (-1 if self.flip else 1)",
        "np.radians(item.rotation)",
        "adapters/test_tiled.py -k turned_a_little",
    ),
    Mutant(
        "a ball that is too large for a capsule leaves it far outside",
        "core/environment/obstacles/capsules.py",
        "tangent, size, max(room, v.ZERO)\n",
        "tangent, size, room\n",
        "core/environment/obstacles/test_boxes_and_capsules.py -k no_room",
    ),
    Mutant(
        "quaternions of boxes are taken as they are",
        "core/environment/obstacles/boxes.py",
        "rotation_matrices(values / size)",
        "rotation_matrices(values)",
        "core/environment/obstacles/test_boxes_and_capsules.py -k quaternions_that",
    ),
    Mutant(
        "of two spheres met at once any one stands in the way",
        "core/environment/obstacles/spheres.py",
        "if crossing < sight.order[i] or (crossing == sight.order[i] and which < sight.which[i]):",
        "if crossing < sight.order[i]:",
        "core/environment/obstacles/test_spheres.py -k met_at_once",
    ),
    Mutant(
        "the room of far blocks of a map forgets the corners",
        "core/environment/routes/rasters.py",
        "near = np.flatnonzero(around < cap + corner)",
        "near = np.flatnonzero(around < cap)",
        "core/environment/routes/test_route_grid.py -k room_of_each",
    ),
    Mutant(
        "the cost around a goal does not count",
        "core/environment/routes/route_grid.py",
        "values.append(off * self.weight[x + 1, y + 1] / self.step)",
        "values.append(off)",
        "core/environment/routes/test_route_grid.py -k meter_costs",
    ),
    Mutant(
        "bodies beyond the rim of a map count within it",
        "core/environment/routes/rasters.py",
        "known = np.isfinite(at).all(axis=1) & (at > -1).all(axis=1) & (at < count + 1).all(axis=1)",
        "known = np.isfinite(at).all(axis=1)",
        "core/environment/routes/test_route_grid.py -k beside_a_map",
    ),
    Mutant(
        "the wheel of a driver is told by curvature where there is a wheelbase",
        "core/locomotion/wheeled.py",
        "        steer[i] = math.atan(car.wheelbase * curvature) / math.atan(car.wheelbase * car.sharpest)\n",
        "        pass\n",
        "core/locomotion/test_bodies.py -k wheel_is_turned",
    ),
    Mutant(
        "a car that rolls back turns its front the other way",
        "core/locomotion/wheeled.py",
        "        curvature = -curvature  # It",
        "        pass  # It",
        "core/locomotion/test_bodies.py -k rolls_back",
    ),
    Mutant(
        "brakes of a car forget its limits",
        "core/locomotion/wheeled.py",
        "return min(self.brake, super().brakes)",
        "return self.brake",
        "core/locomotion/test_braking.py -k hardly_looks",
    ),
    Mutant(
        "at rest a lateral force is an infinite turn rate",
        "core/locomotion/limits/moment_of_inertia.py",
        "speed = max(math.sqrt(v.dot(velocity, velocity)), SLOW * vehicles.max_speed[i])",
        "speed = math.sqrt(v.dot(velocity, velocity))",
        "core/locomotion/test_limits.py -k tenth_of_their",
    ),
    Mutant(
        "more come than the limit leaves room for",
        "core/world/flows/spawner.py",
        'count = min(int(state["wait"][0]), room)',
        'count = int(state["wait"][0])',
        "core/world/flows/test_flows.py -k leaves_room_for",
    ),
    Mutant(
        "rows behind a lost vehicle are taken for others between instants",
        "studio/video/instants.py",
        "one, other = old[one], new[other]",
        "one = old[one]",
        "studio/video/test_video.py -k lost_or_gone",
    ),
    Mutant(
        "who is at one place in a list is told apart by own ids alone",
        "core/neighborhood/pairs.py",
        "direction(ids[0][i], ids[1][j], ids[2], vehicles.position)",
        "direction(ids[0][i], ids[0][j], ids[2], vehicles.position)",
        "core/steering/group/test_pair_behavior.py -k opposite_directions",
    ),
    Mutant(
        "two of equal ids in lists leave a place the same way",
        "core/steering/group/pair_behavior.py",
        "tie_of(scene.vehicles, self.of))",
        "1)",
        "core/steering/group/test_pair_behavior.py -k opposite_directions",
    ),
    Mutant(
        "a buffer is empty while its last item is being written",
        "runs/recording/buffer.py",
        "(self._open if empty else self._size > self.limit)",
        "(self._items if empty else self._size > self.limit)",
        "runs/recording/test_buffer.py -k dealt_with",
    ),
    Mutant(
        "doors of a walkable mesh are looked for along z, too far",
        "core/environment/walking/walk_mesh.py",
        "(np.abs(off[..., 2]) <= HIGHEST * self.step)",
        "(np.abs(off[..., 2]) <= np.inf)",
        "core/environment/walking/test_walk_mesh.py -k own_floor",
    ),
    Mutant(
        "forces after a turnover are those of the first rows",
        "core/world/controller.py",
        "present[:, : turn.stayed] = force[:, turn.from_rows(len(births))]",
        "present[:, : turn.stayed] = force[:, : turn.stayed]",
        "core/world/test_controller.py -k leave_there",
    ),
    Mutant(
        "trails of another run stay after going back",
        "studio/viewer/page/frames.js",
        "if (branch !== this.branch) this.frames = this.frames.filter(({ steps }) => steps <= cut);",
        "",
        "studio/viewer/test_frames.py -k given_up",
    ),
    Mutant(
        "the instants of trails change from frame to frame",
        "studio/viewer/page/frames.js",
        "return lately.filter(({ steps }) => Math.round(steps / gap) % every === 0);",
        "return lately.filter((_, k) => k % every === 0);",
        "studio/viewer/test_frames.py -k same_instants",
    ),
    Mutant(
        "where frames are thinned the newest is lost",
        "studio/viewer/page/frames.js",
        "k % 2 === (count - 1) % 2",
        "k % 2 === 0",
        "studio/viewer/test_frames.py -k newest_frame",
    ),
    Mutant(
        "colors of arrows on dark paper are taken three by three",
        "studio/viewer/page/palette.js",
        'element.kind === "lines" || element.kind === "arrows" ? 4 : 3',
        'element.kind === "lines" ? 4 : 3',
        "studio/viewer/test_frames.py -k dark_paper",
    ),
    Mutant(
        "what a document does not say is written into it when it is read",
        "runs/documents/overrides.py",
        "else here.setdefault(key, {}) if make else here.get(key, {})",
        "else here.setdefault(key, {})",
        "runs/documents/test_overrides.py -k leaves_it_as",
    ),
    Mutant(
        "pursuers on a torus are judged by the straight way",
        "learning/tasks.py",
        'way = self.torus.difference(at["prey"].position, at[LEARNERS].position)',
        'way = at["prey"].position - at[LEARNERS].position',
        "learning/test_learning.py -k shortest_ways",
    ),
    Mutant(
        "a flock touches itself only within the square",
        "learning/tasks.py",
        "way = self.torus.difference(own.position[:, None], own.position[:, :, None])",
        "way = own.position[:, None] - own.position[:, :, None]",
        "learning/test_learning.py -k shortest_ways",
    ),
    Mutant(
        "the words of modes are those of the first vehicles",
        "adapters/overlay.py",
        "words = modes_of(population)[rows].tolist()",
        "words = modes_of(population)[: len(rows)].tolist()",
        "adapters/test_overlay.py -k word_of_its",
    ),
    Mutant(
        "normals of a swarm stay as the shape has them",
        "adapters/panda3d.py",
        "vertices[:, :, 1] = self._normals.astype(np.float32) @ frame",
        "vertices[:, :, 1] = self._normals.astype(np.float32)",
        "adapters/test_panda3d.py -k light_falls",
    ),
    Mutant(
        "doors are passed from their left side alone",
        "core/environment/routes/seeing_corners.py",
        "if (a >= -near) != (b >= -near):",
        "if (a >= -near) and not (b >= -near):",
        "core/steering/paths/test_go_to.py -k way_back",
    ),
    Mutant(
        "congestion is counted where bodies are now, not where they were counted",
        "core/environment/routes/crowds.py",
        "n, counts = len(active), active.astype(bool) & crowd.due()",
        "n, counts = len(active), active.astype(bool)",
        "core/steering/paths/test_go_to.py -k every_half_second",
    ),
    Mutant(
        "who is in two places of a torus leaves its place at the seam",
        "runs/metrics/stuck.py",
        "new = ~wants | (lengths(domain.difference(position, self.there)) > radius)",
        "new = ~wants | (lengths(position - self.there) > radius)",
        "runs/metrics/test_stuck.py -k trembles_at",
    ),
    Mutant(
        "runs that failed are made again with their neighbors",
        "runs/sweeps/sweep.py",
        'whole = whole[np.asarray(there["error"].is_null())]',
        "whole = whole[:0]",
        "runs/sweeps/test_sweep.py -k only_what_failed",
    ),
    Mutant(
        "a sweep with other steps goes on",
        "runs/sweeps/sweep.py",
        '"n": work.n, "options": dict(work.options), "steps": work.steps,',
        '"n": work.n, "options": dict(work.options),',
        "runs/sweeps/test_sweep.py -k same_settings",
    ),
    Mutant(
        "any spot behind a pursuer is taken for the best",
        "core/steering/pursuit/hide.py",
        "(d2 < best_d2 if back == best_back else back)",
        "(d2 < best_d2 or back)",
        "core/steering/pursuit/test_hide.py -k several_spots",
    ),
    Mutant(
        "numbers per vehicle take ids for ordered",
        "core/parameters/per_vehicle.py",
        "at = order[np.minimum(np.searchsorted(addressed, ids, sorter=order), len(order) - 1)]",
        "at = np.minimum(np.searchsorted(addressed, ids), len(order) - 1)",
        "core/parameters/test_per_vehicle.py -k no_order",
    ),
    Mutant(
        "the turn of a route beyond the seam is far away",
        "core/steering/driving/leading.py",
        "ahead = difference(load(place, i), load(vehicles.position[:2], i), wrap)",
        "ahead = (place[0][i] - vehicles.position[0][i], place[1][i] - vehicles.position[1][i])",
        "core/steering/paths/test_go_to.py -k short_way_to_it",
    ),
    Mutant(
        "a patrol that was longer is due where there is none",
        "core/steering/paths/patrol.py",
        "k = max(0, min(before, count - 1))  #",
        "k = max(0, before)  #",
        "core/steering/paths/test_patrol.py -k longer_patrol",
    ),
    Mutant(
        "between two frames a torus begins at the origin",
        "studio/video/instants.py",
        "low + np.mod(position - low, around)",
        "np.mod(position, around)",
        "studio/video/test_video.py -k wherever_it_begins",
    ),
    Mutant(
        "the rim of a box is measured along another axis",
        "core/environment/obstacles/box_contact.py",
        "half[0] if axis == 0 else half[1])",
        "half[0] if axis == 1 else half[1])",
        "core/environment/obstacles/test_contract.py -k ball_touches",
    ),
    Mutant(
        "of four edges of a box two are tried twice",
        "core/environment/obstacles/box_contact.py",
        "(-half[0], half[1] if one else -half[1], half[2] if other else -half[2])",
        "(-half[0], half[1] if one else -half[1], -half[2])",
        "core/environment/obstacles/test_contract.py -k ball_touches",
    ),
    Mutant(
        "runs of some seconds lose their last step to rounding",
        "core/world/clock.py",
        'round(check_time(seconds, "seconds") / dt)',
        'int(check_time(seconds, "seconds") / dt)',
        "core/world/test_clock.py -k as_many_as_were_meant",
    ),
    Mutant(
        "a list of too many numbers is not told as one",
        "runs/documents/spread.py",
        "if len(self.values) != n:",
        "if len(self.values) < n:",
        "runs/documents/test_starting.py -k as_many_as_vehicles",
    ),
    Mutant(
        "going back leaves the domain of now",
        "studio/viewer/reset.py",
        'OF_WORLD = ("domain", "constraints", "seed", "dt")',
        'OF_WORLD = ("constraints", "seed", "dt")',
        "studio/viewer/test_reset.py -k whatever_was_exchanged",
    ),
    Mutant(
        "an odd height is taken for even",
        "studio/video/forms.py",
        "if form.even and (width % 2 or height % 2):",
        "if form.even and width % 2:",
        "studio/video/test_forms.py -k either_number",
    ),
    Mutant(
        "a small population beside a large one is not shown",
        "studio/viewer/populations.py",
        "max(1, int(part * len(each)))",
        "int(part * len(each))",
        "studio/viewer/test_populations.py -k small_population",
    ),
    Mutant(
        "forces of a sample are those of the first rows",
        "studio/viewer/populations.py",
        '"force": packed(_finite(explanations.force[rows])),',
        '"force": packed(_finite(explanations.force[: len(rows)])),',
        "studio/viewer/test_populations.py -k forces_of_a_sample",
    ),
    Mutant(
        "ids of one population replace each other",
        "cli/shared/selection.py",
        'chosen.setdefault(name, []).extend(map(int, ids.split(",")))',
        'chosen[name] = list(map(int, ids.split(",")))',
        "cli/shared/test_selection.py -k several_words",
    ),
    Mutant(
        "the time that is left is that of the whole run",
        "cli/shared/progress.py",
        "rest = (self.steps - done) / speed if speed else 0.0",
        "rest = self.steps / speed if speed else 0.0",
        "cli/shared/test_progress.py -k what_is_left",
    ),
    Mutant(
        "a recorded run that begins late ends early",
        "adapters/frames.py",
        "if time > run.times[0] + seconds + 1e-9:",
        "if time > seconds + 1e-9:",
        "adapters/test_export.py -k begins_late",
    ),
    Mutant(
        "a sweep is never told to try again",
        "cli/commands/sweep.py",
        "force=force, retry=retry, trust=trust,",
        "force=force, trust=trust,",
        "cli/commands/test_options.py -k every_option",
    ),
    Mutant(
        "a search takes the way that fits, whatever was asked for",
        "cli/commands/tune.py",
        "budget=budget, method=method,",
        "budget=budget,",
        "cli/commands/test_options.py -k every_option",
    ),
    Mutant(
        "a video is never slowed down",
        "cli/commands/video.py",
        '{"fps": fps, "speed": speed, "width": width, "turn": turn}',
        '{"fps": fps, "width": width, "turn": turn}',
        "cli/commands/test_options.py -k every_option",
    ),
    Mutant(
        "a repeating landscape is as long as it is wide",
        "core/environment/surfaces/heights.py",
        "x = inside_rim(place[0], frame[0, 0], frame[3, 0], frame[4, 0], True)",
        "x = inside_rim(place[0], frame[0, 0], frame[3, 1], frame[4, 0], True)",
        "core/environment/surfaces/test_surfaces.py -k some_periods",
    ),
    Mutant(
        "the way to a wall is measured across it, not along the way of a vehicle that comes askew",
        "core/steering/driving/staying_inside.py",
        "max(v.length(velocity) * inside.time[i] - over / cosine, v.ZERO)",
        "max(v.length(velocity) * inside.time[i] - over, v.ZERO)",
        "core/steering/driving/test_staying_inside.py -k askew",
    ),
    Mutant(
        "the way to the nearest wall is measured across it",
        "core/steering/driving/staying_inside.py",
        "        free = max(-outside, v.ZERO) / cosine",
        "        free = max(-outside, v.ZERO)",
        "core/steering/driving/test_staying_inside.py -k askew",
    ),
    Mutant(
        "of two that rush at each other only the way of one counts before vehicles are dealt out",
        "scaling/split_world.py",
        "(each + 2 * moved > self._held[name])",
        "(each + moved > self._held[name])",
        "scaling/test_split_world.py -k rush",
    ),
    Mutant(
        "after a toll has changed a crowd that stands makes no way longer",
        "core/environment/routes/changing_fields.py",
        'self.tolls, self.places, self.counted, self.weight = tolls, {}, b"", grid.weight',
        "self.tolls, self.places, self.weight = tolls, {}, grid.weight",
        "core/environment/routes/test_route_grid.py -k toll_that_changes",
    ),
    Mutant(
        "a toll that changes without a crowd leads by the same door",
        "core/environment/routes/changing_fields.py",
        'self.tolls, self.places, self.counted, self.weight = tolls, {}, b"", grid.weight',
        'self.tolls, self.counted, self.weight = tolls, b"", grid.weight',
        "core/environment/routes/test_route_grid.py -k without_a_crowd",
    ),
    Mutant(
        "fields are computed as far as those with an open node around ask, whoever has none",
        "core/environment/routes/changing_fields.py",
        "np.unique(corners[is_open]) if is_open.any(axis=1).all() else None",
        "np.unique(corners[is_open]) if is_open.any() else None",
        "core/environment/routes/test_route_grid.py -k asks_later",
    ),
    Mutant(
        "a field is known where one of those who ask knows its way",
        "core/environment/routes/changing_fields.py",
        "return bool((remaining <= self.final[place]).all())",
        "return bool((remaining <= self.final[place]).any())",
        "core/environment/routes/test_route_grid.py -k asks_later",
    ),
    Mutant(
        "what is left of a pull is the root of max_force^2 less the push",
        "core/steering/combining/balancing.py",
        "max(max_force * max_force - size * size, ZERO * size)",
        "max(max_force * max_force - size, ZERO * size)",
        "core/steering/combining/test_balancing.py -k completes_max_force",
    ),
    Mutant(
        "a little push takes all of a pull but the rest",
        "core/steering/combining/balancing.py",
        "pulled = truncate(pulled, (ONE - part) * limit + part * rest)",
        "pulled = truncate(pulled, part * rest)",
        "core/steering/combining/test_balancing.py -k in_part",
    ),
    Mutant(
        "the angle turned in vain falls below zero on a way straight on",
        "core/locomotion/limits/low_speed_turn.py",
        "    return max(vain + (angle - HALF * speed / wheel) * dt, ZERO * dt)",
        "    return vain + (angle - HALF * speed / wheel) * dt",
        "core/locomotion/test_turned_in_vain.py -k straight_on",
    ),
    Mutant(
        "one that circled to the right goes straight on for no way",
        "core/locomotion/motion_clips.py",
        "        vain = -v.TWO * speed / abs(rate)",
        "        vain = -v.TWO * speed / rate",
        "core/locomotion/test_turned_in_vain.py -k wide",
    ),
    Mutant(
        "a turn of a little more than half a circle has the sign of the long way round",
        "core/world/frames.py",
        "return scale(normalize(axis), -angle if dot(axis, sine) < ZERO else angle)",
        "return scale(normalize(axis), angle)",
        "core/world/test_frames.py -k nearly_half",
    ),
    Mutant(
        "the progress of a search ends with the number of runs that were asked for",
        "runs/tuning/tune.py",
        "runs.total = len(tried) * len(known) + 2 * len(fresh)",
        "runs.total = budget * len(known) + 2 * len(fresh)",
        "runs/tuning/test_tuning.py -k progress",
    ),
    Mutant(
        "a video has one frame more where half of one is left",
        "studio/video/video.py",
        "round(length * request.rate / request.speed - 1e-9)",
        "round(length * request.rate / request.speed + 1e-9)",
        "studio/video/test_instants.py -k many_frames",
    ),
    Mutant(
        "a world makes a step too many for a frame that is one rounding late",
        "studio/video/instants.py",
        "while world.time < time - SLACK * world.dt:",
        "while world.time < time:",
        "studio/video/test_instants.py -k too_many",
    ),
    Mutant(
        "a contact with the far end of a segment is told to be at its start",
        "core/environment/obstacles/contact.py",
        "    if other < distance:\n        return other, size, normal_there",
        "    if other < distance:\n        return other, v.ZERO * size, normal_there",
        "core/environment/obstacles/test_contact.py -k radius",
    ),
    Mutant(
        "the bound of a slanted half-space shrinks on the ground",
        "core/steering/sensing/on_ground.py",
        "add_bar(bars, i, scale(flat, ONE / share), bound / share)",
        "add_bar(bars, i, scale(flat, ONE / share), bound * share)",
        "core/steering/sensing/test_on_ground.py -k half_spaces",
    ),
    Mutant(
        "the axis of a half turn is read from a column that is not the longest",
        "core/steering/turning/reach_orientation.py",
        "    if y[1] > axis[0] and y[1] >= z[2]:",
        "    if y[1] > axis[0]:",
        "core/steering/driving/test_turning.py -k half_turn",
    ),
    Mutant(
        "proportional navigation turns every mass with the same force",
        "core/steering/pursuit/constant_bearing.py",
        "turn = scale(turn_with_sight(way, velocity, other), vehicles.mass[i] * gain[0])",
        "turn = scale(turn_with_sight(way, velocity, other), gain[0])",
        "core/steering/pursuit/test_constant_bearing.py -k heavy",
    ),
    Mutant(
        "any mode is also the one that a transition enters",
        "core/action_selection/change.py",
        "if left in names or (ANY in names and left != entered):",
        "if left in names or ANY in names:",
        "core/action_selection/test_change.py -k any_mode",
    ),
    Mutant(
        "the free way is that of the obstacle set that was looked at last",
        "core/environment/obstacles/seeing.py",
        "    sight.free[i] = min(sight.free[i], hits.distance[i])",
        "    sight.free[i] = hits.distance[i]",
        "core/environment/obstacles/test_seeing.py -k shortest",
    ),
    Mutant(
        "a world that ends after some of several steps loses them",
        "core/world/many/slot.py",
        "            batch.time[w] += batch.dt[0]\n            left -= 1\n        if left < batch.due[0]:",
        "            batch.time[w] += batch.dt[0]\n            left -= 1\n        if left == 0:",
        "core/world/many/test_worlds.py -k ends_after",
    ),
    Mutant(
        "the point between two moves with the mean of their velocities, whatever the ratio",
        "core/steering/laws/accompanying.py",
        "    velocity = a_velocity + np.subtract(b_velocity, a_velocity) * share",
        "    velocity = np.add(a_velocity, b_velocity) / 2",
        "core/steering/pursuit/test_interpose.py -k nearer_one",
    ),
    Mutant(
        "back along a path tubes have the radii of the way there",
        "core/environment/paths/bends.py",
        "        tangent, size, radius = -tangent[::-1], size[::-1], radius[::-1]",
        "        tangent, size = -tangent[::-1], size[::-1]",
        "core/environment/paths/test_bends.py -k reversed",
    ),
    Mutant(
        "a heading turns from and to the rest before and after it",
        "runs/metrics/jitter.py",
        "    return across, there[2:] & there[1:-1] & there[:-2]",
        "    return across, there[1:-1]",
        "runs/metrics/test_jitter.py -k frame_of_rest",
    ),
    Mutant(
        "the nearest are as many as were asked for first",
        "runs/metrics/nearby.py",
        "        key = (radius, k, others is None)",
        "        key = (radius, others is None)",
        "runs/metrics/test_nearby.py -k whatever",
    ),
    Mutant(
        "on a narrow torus vehicles count twice for lanes",
        "runs/metrics/order.py",
        "    if 0 < span <= 2 * width:",
        "    if 0 < span <= width:",
        "runs/metrics/test_order.py -k lanes_on",
    ),
    Mutant(
        "a video of a recorded run goes on after the run",
        "studio/video/video.py",
        "        length = end - start if chosen is None else min(chosen, end - start)",
        "        length = end - start if chosen is None else chosen",
        "studio/video/test_instants.py -k ends_where",
    ),
    Mutant(
        "three frames of 0.1 s between snapshots of 0.3 s are two",
        "cli/running/resuming.py",
        '{"keep": self.keep, "keep_every": max(1, round(self.when.seconds / period))}',
        '{"keep": self.keep, "keep_every": max(1, int(self.when.seconds / period))}',
        "cli/running/test_resuming.py -k part_of_the",
    ),
    Mutant(
        "swarms are mirrored",
        "adapters/panda3d.py",
        "frame = np.stack([forward, np.cross(up, forward), up], axis=1)",
        "frame = np.stack([forward, np.cross(forward, up), up], axis=1)",
        "adapters/test_panda3d.py -k light",
    ),
    Mutant(
        "up is down in windows whose y grows upwards",
        "adapters/camera.py",
        "        way = np.array([right, up if self.world_y_up else -up], np.float64)",
        "        way = np.array([right, up if self.flip else -up], np.float64)",
        "adapters/test_camera.py -k either_way",
    ),
)


def main(words: Sequence[str]) -> int:
    """Try mutants; the exit code."""
    chosen = [each for each in MUTANTS if not words or any(word in each.name for word in words)]
    alive = 0
    for each in chosen:
        survives = each.survives()
        alive += survives
        print(f"{'SURVIVES' if survives else 'killed  '} {each.name}", flush=True)
    print(f"{len(chosen) - alive} of {len(chosen)} killed")
    return int(alive > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
