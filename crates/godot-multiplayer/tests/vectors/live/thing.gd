extends Node

var hp = 0
var pos = Vector3()
var tag = null

func _ready():
	$Sync.synchronized.connect(func(): get_parent().say("sync", hp))
	$Sync.delta_synchronized.connect(func(): get_parent().say("delta", pos))
	get_parent().say("spawned", [String(name), hp, pos, tag])

func _exit_tree():
	get_parent().say("gone", String(name))
