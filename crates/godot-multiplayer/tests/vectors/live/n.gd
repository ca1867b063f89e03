extends Node

func _ready():
	multiplayer.connected_to_server.connect(func(): say("ready", multiplayer.get_unique_id()))
	multiplayer.peer_packet.connect(func(_id, bytes): say("packet", bytes))

func say(what, data):
	report.rpc_id(1, what, data)

@rpc("any_peer")
func report(_what, _data):
	pass

@rpc
func hello(a, b, c):
	say("hello", [a, b, c])

@rpc
func types():
	var ints: Array[int] = [7]
	say("types", [null, true, -129, 9007199254740993, 0.1, &"sn", NodePath("a/b:c"), Vector3(1, 2, 3), {1: [2]}, ints, PackedStringArray(["a", "b"])])

@rpc
func bytes(data):
	say("bytes", data)
