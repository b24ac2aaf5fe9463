"""Classes of data: which of them can be changed, and which are compared by what they hold."""

import ast
from collections.abc import Iterator
from pathlib import Path

import steersman as sm

ROOT = Path(sm.__file__).parent

CHANGING = {
    "adapters.camera.Camera", "cli.running.performance.Outcome", "core.locomotion.locomotion.Proposal",
    "core.steering.tree.tree.Node", "core.world.flows.flows.Tally", "runs.documents.builder.PopulationEntry",
    "runs.documents.problems.Problems", "runs.documents.reader.Reader", "runs.documents.stage.Stage",
    "runs.metrics.meters.Meter", "runs.snapshots.python.Named", "studio.viewer.address.Address",
}  # fmt: skip
"""Classes whose objects change; those of all others are frozen, and can be shared."""

BY_VALUE = {
    "adapters.camera.Camera", "cli.running.performance.Outcome", "cli.running.performance.Drive",
    "cli.running.starting.Performance", "core.action_selection.modes._Entered", "core.kernels.call.Call",
    "core.kernels.kernel.Missing", "core.locomotion.chassis.Chassis", "core.locomotion.chassis.Motion",
    "core.locomotion.locomotion.Proposal", "core.neighborhood.request.NeighborSum",
    "core.neighborhood.request.NeighborList", "core.neighborhood.request.NeighborCells",
    "core.parameters.kinds.Description", "core.steering.combining.goals.Goals", "core.steering.scene.scene.Scene",
    "core.steering.scene.surroundings.Surroundings", "core.steering.tree.trace.Record",
    "core.steering.tree.trace.Trace", "core.world.flows.flows.Tally", "drawing.camera.Camera",
    "drawing.raster.canvas.Place", "drawing.raster.sheet.Sheet", "drawing.sketches.Lines",
    "gallery.making.scenario.Scenario", "runs.documents.builder.PopulationEntry", "runs.documents.problems.Problems",
    "runs.documents.reader.Reader", "runs.documents.spread.Spread", "runs.documents.spread.Each",
    "runs.metrics.meters.Meter", "runs.metrics.metric.Past", "runs.metrics.metric.Subject",
    "runs.metrics.metric.Metric", "runs.metrics.watching.OfVehicles", "runs.recording.query.ColumnRequest",
    "runs.snapshots.content.Content", "runs.snapshots.python.Named", "runs.sweeps.design.Choice",
    "runs.sweeps.design.Span", "runs.sweeps.design.Quantiles", "runs.sweeps.measures.Reading",
    "runs.sweeps.measures.Own", "runs.sweeps.task.Work", "runs.tuning.tune.Judged", "runs.tuning.tune.Candidate",
    "runs.tuning.tune.Tuned", "studio.video.forms.Form", "studio.viewer.address.Address",
}  # fmt: skip
"""Classes whose objects are equal if all that they hold is equal; those of all others, which may hold arrays, are equal
to themselves alone, and can be keys."""


def flags() -> Iterator[tuple[str, dict[str, bool]]]:
    """The name of each class of data, and the flags that its decorator is given; all modules need not be imported."""
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text("utf-8")
        if "dataclass" not in text:
            continue
        for cls in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)):
            for decorator in cls.decorator_list:
                if ast.unparse(decorator).partition("(")[0] in ("dataclass", "dataclasses.dataclass"):
                    given = decorator.keywords if isinstance(decorator, ast.Call) else []
                    name = ".".join((*path.relative_to(ROOT).with_suffix("").parts, cls.name))
                    yield name, {str(each.arg): ast.literal_eval(each.value) for each in given}


def test_data_is_frozen_and_equal_to_itself_alone_but_for_known_classes() -> None:
    known = dict(flags())
    assert {name for name, given in known.items() if not given.get("frozen", False)} == CHANGING
    assert {name for name, given in known.items() if given.get("eq", True)} == BY_VALUE
    assert {flag for given in known.values() for flag in given} <= {"frozen", "eq", "kw_only", "repr"}
