## Shows a run of steersman: a recorded one from a file, or a live one over a local socket.
##
## Each population is a MultiMeshInstance3D, a child of its name, whose matrices are set at once.
## The bytes of a frame are described in steersman/adapters/stream.py; y is up, and models face
## along -z, as everywhere in Godot.
class_name SteersmanRun
extends Node3D

const MAGIC := 0x46525453  # "STRF"
const COLORS: Array[Color] = [
	Color("3e9be0"),
	Color("e89b2a"),
	Color("2fc79b"),
	Color("f06a30"),
	Color("c27fba"),
	Color("6ec3f2")
]

## A file that `steersman export RUN -o run.frames` has written. Without it the run is live.
@export_file("*.frames") var file := "res://run.frames"
## Where a `Sender` of steersman listens.
@export var host := "127.0.0.1"
@export var port := 9080
## Seconds of a recorded run a second.
@export var speed := 1.0
## The shape of a vehicle, one meter long. Default: a dart.
@export var mesh: Mesh

## Time of the run that is shown, in seconds.
var time := 0.0
## Whether it comes over the socket.
var live := false

var _bytes := PackedByteArray()
var _starts := PackedInt64Array()
var _times := PackedFloat64Array()
var _shown := -1
var _socket := StreamPeerTCP.new()
var _swarms := {}


func _ready() -> void:
	if mesh == null:
		mesh = _dart()
	live = not FileAccess.file_exists(file)
	if live:
		return
	_bytes = FileAccess.get_file_as_bytes(file)
	var start := 0
	while _whole(start):
		_starts.append(start)
		_times.append(_bytes.decode_double(start + 8))
		start += 8 + _bytes.decode_u32(start + 4)
	if _times.is_empty():
		push_error("%s has no frames" % file)
		set_process(false)
		return
	time = _times[0]


func _process(delta: float) -> void:
	if live:
		_receive()
		return
	time += speed * delta
	if time > _times[-1]:
		time = _times[0]
	var frame: int = max(0, _times.bsearch(time, false) - 1)
	if frame != _shown:
		_shown = frame
		_show(_starts[frame])


## Take what has come, and show the last whole frame of it.
func _receive() -> void:
	_socket.poll()
	var status := _socket.get_status()
	if status == StreamPeerTCP.STATUS_NONE or status == StreamPeerTCP.STATUS_ERROR:
		_bytes.clear()
		_socket.disconnect_from_host()
		_socket.connect_to_host(host, port)
		return
	if status != StreamPeerTCP.STATUS_CONNECTED or _socket.get_available_bytes() == 0:
		return
	_bytes.append_array(_socket.get_data(_socket.get_available_bytes())[1])
	var start := 0
	var last := -1
	while _whole(start):
		last = start
		start += 8 + _bytes.decode_u32(start + 4)
	if last >= 0:
		time = _bytes.decode_double(last + 8)
		_show(last)
		_bytes = _bytes.slice(start)


## Whether all bytes of the frame that starts here are there.
func _whole(start: int) -> bool:
	if _bytes.size() < start + 8:
		return false
	if _bytes.decode_u32(start) != MAGIC:
		push_error("these are no frames of steersman")
		return false
	return _bytes.size() >= start + 8 + _bytes.decode_u32(start + 4)


func _show(start: int) -> void:
	var first := _swarms.is_empty()
	var box := AABB()
	var at := start + 20
	for k in _bytes.decode_u32(start + 16):
		var length := _bytes.decode_u32(at)
		var title := _bytes.slice(at + 4, at + 4 + length).get_string_from_utf8()
		var count := _bytes.decode_u32(at + 4 + length)
		at += 8 + length + 8 * count  # The ids are passed over.
		var swarm := _swarm(title)
		if swarm.instance_count != count:
			swarm.instance_count = count
		if count > 0:
			swarm.buffer = _bytes.slice(at, at + 48 * count).to_float32_array()
			if first:
				box = swarm.get_aabb() if box.size == Vector3.ZERO else box.merge(swarm.get_aabb())
		at += 48 * count
	if first:
		_look_at(box)


## The MultiMesh of a population, made where it is new.
func _swarm(title: String) -> MultiMesh:
	if not _swarms.has(title):
		var paint := StandardMaterial3D.new()
		paint.albedo_color = COLORS[_swarms.size() % COLORS.size()]
		paint.cull_mode = BaseMaterial3D.CULL_DISABLED
		var node := MultiMeshInstance3D.new()
		node.name = title.validate_node_name()
		node.material_override = paint
		node.multimesh = MultiMesh.new()
		node.multimesh.transform_format = MultiMesh.TRANSFORM_3D
		node.multimesh.mesh = mesh
		add_child(node)
		_swarms[title] = node.multimesh
	return _swarms[title]


## Let the camera see the whole run, as it is at its start.
func _look_at(box: AABB) -> void:
	var camera := get_viewport().get_camera_3d()
	if camera != null:
		var away: float = max(4.0, box.get_longest_axis_size())
		camera.look_at_from_position(
			box.get_center() + away * Vector3(0.0, 0.55, 0.5), box.get_center()
		)


func _dart() -> Mesh:
	var nose := Vector3(0.0, 0.0, -0.6)
	var left := Vector3(-0.4, 0.1, 0.4)
	var right := Vector3(0.4, 0.1, 0.4)
	var back := Vector3(0.0, 0.16, 0.3)
	var keel := Vector3(0.0, -0.06, 0.3)
	var corners := [
		nose,
		back,
		left,
		nose,
		right,
		back,
		nose,
		left,
		keel,
		nose,
		keel,
		right,
		left,
		back,
		keel,
		back,
		right,
		keel
	]
	var tool := SurfaceTool.new()
	tool.begin(Mesh.PRIMITIVE_TRIANGLES)
	for corner in corners:
		tool.add_vertex(corner)
	tool.generate_normals()
	return tool.commit()
