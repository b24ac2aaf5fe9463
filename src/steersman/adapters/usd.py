"""OpenUSD: an animated PointInstancer for each population, for Omniverse, Blender, Houdini, usdview and game engines.

Ids, positions, orientations and velocities have a time sample for each frame. The number of instances is the same in all of
them; vehicles that are not there are invisible (`invisibleIds`). z is up, and a unit is a meter. A reader that knows
velocities goes along them from the last sample, so that a vehicle that crosses the seam of a torus flies nowhere else.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steersman.adapters.frames import Frame, Motion, linear, linear_colors, motions_of, shape_lengths
from steersman.adapters.gltf import shape_of
from steersman.adapters.standing import COLOR, Standing
from steersman.core.typing import Array
from steersman.drawing.palette import RGB, rgb
from steersman.runs.optional import require_package

ENDINGS = (".usda", ".usdc", ".usd", ".usdz")
"""Endings of files that a model may have."""

TURNS = {
    "x": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "y": ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    "-x": ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    "-y": ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    "z": ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    "-z": ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
}
"""The direction in which a model faces -> its forward, left and up: z is up, or y where it faces along z."""


def write_usd(
    frames: Iterable[Frame],
    file: Path,
    *,
    model: Any = "dart",
    faces: str = "x",
    size: float | None = None,
    colors: Mapping[str, str | None] | None = None,
    obstacles: Standing | None = None,
) -> None:
    """Write a .usda or .usdc file.

    Args:
        frames: The frames.
        file: The file.
        model: The prototypes: a USD file with a default prim, as large as it is there; a list of such files, which the
            vehicles take in turns; a shape of pictures ("dart", "bird", ...) or triangles; or each of these by population.
        faces: Where the models in files face: "x", "-x", "y", "-y", with z up, or "z", "-z", with y up.
        size: How long shapes are [m]. Default: twice the radius of each vehicle. For files: how often their own size.
        colors: Colors of populations by name, "#rrggbb" or a name of the palette.
        obstacles: The obstacles, as a mesh and curves below /World/obstacles. Default: nothing.

    Raises:
        ImportError: usd-core is not installed.
        ValueError: There are no vehicles, or there is no such model.
    """
    require_package("pxr", "steersman[usd]")
    from pxr import Gf, Usd, UsdGeom

    if faces not in TURNS:
        raise ValueError(f"faces must be one of {', '.join(TURNS)}, got {faces!r}")
    for each in model.values() if isinstance(model, Mapping) else [model]:
        _models(each)
    motions = motions_of(frames)
    stage = Usd.Stage.CreateNew(str(file))
    times = next(iter(motions.values())).times
    rate = 24.0 if len(times) < 2 else round(float(1 / np.median(np.diff(times))), 6)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    codes = (times * rate).round(9)
    stage.SetStartTimeCode(codes[0])
    stage.SetEndTimeCode(codes[-1])
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, UsdGeom.LinearUnits.meters)
    root = UsdGeom.Xform.Define(stage, "/World")
    stage.SetDefaultPrim(root.GetPrim())
    paint = linear_colors(motions, colors)
    for name, motion in motions.items():
        files, triangles = _models(model.get(name, "dart") if isinstance(model, Mapping) else model)
        instancer = UsdGeom.PointInstancer.Define(stage, _free(_identifier(name), stage))
        home = f"{instancer.GetPath()}/Prototypes"
        UsdGeom.Scope.Define(stage, home)
        prototypes = [f"{home}/model_{k}" for k in range(max(1, len(files)))]
        for path, each in zip(prototypes, files, strict=False):
            prim = UsdGeom.Xform.Define(stage, path)
            prim.AddTransformOp().Set(Gf.Matrix4d(_turned(each, faces).tolist()))
            where = Path(os.path.relpath(each.resolve(), file.parent.resolve())).as_posix()
            stage.DefinePrim(f"{path}/file").GetReferences().AddReference(where if where[0] == "." else f"./{where}")
        if not files:
            _mesh(stage, prototypes[0], triangles, paint[name])
        instancer.CreatePrototypesRel().SetTargets(prototypes)
        scale = np.full(len(motion.id), size or 1.0, np.float32) if files else shape_lengths(motion, size)
        box = UsdGeom.BBoxCache(Usd.TimeCode.Default(), [UsdGeom.Tokens.default_])
        ranges = [box.ComputeLocalBound(stage.GetPrimAtPath(path)).ComputeAlignedRange() for path in prototypes]
        wide = max((np.abs([*r.GetMin(), *r.GetMax()]).max() * 3**0.5 for r in ranges if not r.IsEmpty()), default=0.0)
        _samples(instancer, motion, codes, scale, len(prototypes), float(wide * scale.max()))
    if obstacles is not None and (len(obstacles.triangles) or obstacles.lines):
        home = _free("obstacles", stage)
        UsdGeom.Xform.Define(stage, home)
        if len(obstacles.triangles):
            _mesh(stage, f"{home}/faces", obstacles.triangles, linear(rgb(COLOR)))
        if obstacles.lines:
            _curves(stage, f"{home}/edges", obstacles.lines)
    stage.GetRootLayer().Save()


def _free(name: str, stage: Any) -> str:
    """A path below /World that nothing has yet."""
    while stage.GetPrimAtPath(f"/World/{name}"):
        name += "_"
    return f"/World/{name}"


def _curves(stage: Any, path: str, lines: list[Array]) -> None:
    """Lines as linear curves a centimeter wide."""
    from pxr import UsdGeom, Vt

    curves, points = UsdGeom.BasisCurves.Define(stage, path), np.concatenate(lines).astype(np.float32)
    curves.CreateTypeAttr(UsdGeom.Tokens.linear)
    curves.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    curves.CreateCurveVertexCountsAttr(Vt.IntArray.FromNumpy(np.array([len(each) for each in lines], np.int32)))
    curves.CreateWidthsAttr(Vt.FloatArray([0.01]))
    curves.SetWidthsInterpolation(UsdGeom.Tokens.constant)
    curves.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(np.stack([points.min(axis=0) - 0.005, points.max(axis=0) + 0.005])))
    curves.CreateDisplayColorAttr([linear(rgb(COLOR))])


def _samples(instancer: Any, motion: Motion, codes: Array, scale: Array, kinds: int, wide: float) -> None:
    """Write what is the same in all frames, and what has a time sample for each."""
    from pxr import Vt

    instancer.CreateIdsAttr(Vt.Int64Array.FromNumpy(motion.id.astype(np.int64)))
    instancer.CreateProtoIndicesAttr(Vt.IntArray.FromNumpy((motion.id % kinds).astype(np.int32)))
    instancer.CreateScalesAttr(Vt.Vec3fArray.FromNumpy(np.repeat(scale[:, None], 3, axis=1)))
    position, velocity = instancer.CreatePositionsAttr(), instancer.CreateVelocitiesAttr()
    turn, unseen, extent = (
        instancer.CreateOrientationsAttr(),
        instancer.CreateInvisibleIdsAttr(),
        instancer.CreateExtentAttr(),
    )
    for k, code in enumerate(codes.tolist()):
        position.Set(Vt.Vec3fArray.FromNumpy(motion.position[k]), code)
        velocity.Set(Vt.Vec3fArray.FromNumpy(motion.velocity[k]), code)
        turn.Set(Vt.QuathArray.FromNumpy(motion.quaternion[k][:, [1, 2, 3, 0]].astype(np.float16)), code)
        low, high = motion.position[k].min(axis=0) - wide, motion.position[k].max(axis=0) + wide
        extent.Set(Vt.Vec3fArray.FromNumpy(np.stack([low, high])), code)
        if not motion.there.all():
            unseen.Set(Vt.Int64Array.FromNumpy(motion.id[~motion.there[k]]), code)


def _mesh(stage: Any, path: str, triangles: Array, color: RGB) -> None:
    """A prototype of triangles, shape (k, 3, 3), with a color for viewports and a material for renderers."""
    from pxr import Sdf, UsdGeom, UsdShade, Vt

    mesh, points = UsdGeom.Mesh.Define(stage, path), triangles.reshape(-1, 3).astype(np.float32)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(triangles), 3, np.int32)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(np.arange(len(points), dtype=np.int32)))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(True)
    mesh.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(np.stack([points.min(axis=0), points.max(axis=0)])))
    mesh.CreateDisplayColorAttr([color])
    material, shader = (
        UsdShade.Material.Define(stage, f"{path}/paint"),
        UsdShade.Shader.Define(stage, f"{path}/paint/surface"),
    )
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(color)
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.7)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)


def _models(model: Any) -> tuple[list[Path], Array]:
    """The files of a model, or its triangles, shape (k, 3, 3)."""
    paths = model if isinstance(model, list | tuple) else [model]
    if not all(isinstance(each, str | os.PathLike) and str(each).lower().endswith(ENDINGS) for each in paths):
        return [], shape_of(model)
    files = [Path(each) for each in paths]
    for file in files:
        if not file.is_file():
            raise ValueError(f"model must be a file that is there, got {str(file)!r}")
    return files, np.zeros((0, 3, 3))


def _turned(model: Path, faces: str) -> Array:
    """The matrix, for row vectors, that turns a model to face along x with z up, and makes its units meters, shape (4, 4)."""
    from pxr import Usd, UsdGeom

    matrix = np.eye(4)
    matrix[:3, :3] = UsdGeom.GetStageMetersPerUnit(Usd.Stage.Open(str(model))) * np.array(TURNS[faces]).T
    return matrix


def _identifier(name: str) -> str:
    from pxr import Tf

    return str(Tf.MakeValidIdentifier(name))
