"""Writes docs/blender.png: an exported run, imported and rendered by Blender.

It runs in an environment with the package bpy, or in Blender (`blender -b -P docs/make_blender.py -- RUN PICTURE`).

    steersman export aquarium -o tank.usdc --model fish --size 1.6 --seconds 12
    python docs/make_blender.py tank.usdc docs/blender.png

The first runs in the environment of steersman.
"""

import sys
from pathlib import Path

import bpy
from mathutils import Vector

FRAME, MIDDLE, AWAY = 60, Vector((33, 13, 12)), Vector((-10, -36, 13))
SKY = (0.05, 0.16, 0.24, 1.0)


def main(run: Path, picture: Path) -> None:
    """Import the run, check that every vehicle is an instance, and render a frame."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=str(run.resolve()))
    scene = bpy.context.scene
    scene.frame_set(FRAME)
    drawn = bpy.context.evaluated_depsgraph_get().object_instances
    print(sum(each.is_instance and each.object.type == "MESH" for each in drawn), "instances")
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = MIDDLE + AWAY
    camera.rotation_euler = (-AWAY).to_track_quat("-Z", "Y").to_euler()
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 4.0, (0.5, 0.3, 0.0)
    for each in (camera, sun):
        scene.collection.objects.link(each)
    scene.camera, scene.world = camera, bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = SKY
    scene.view_settings.view_transform = "Standard"
    scene.render.engine, scene.cycles.samples = "CYCLES", 16
    scene.render.resolution_x, scene.render.resolution_y = 800, 420
    scene.render.filepath = str(picture.resolve())
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[-2:]))
