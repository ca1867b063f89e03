extends SceneTree

func _initialize():
	var n = Node.new()
	n.name = "N"
	n.set_script(load("res://n.gd"))
	n.rpc_config(&"queue_free", {"rpc_mode": MultiplayerAPI.RPC_MODE_AUTHORITY})
	var spawner = MultiplayerSpawner.new()
	spawner.name = "Spawner"
	spawner.spawn_path = NodePath("..")
	spawner.add_spawnable_scene("res://thing.tscn")
	spawner.spawn_function = func(data):
		var thing = load("res://thing.tscn").instantiate()
		thing.tag = data
		return thing
	n.add_child(spawner)
	root.add_child(n)
	var peer = WebSocketMultiplayerPeer.new()
	peer.create_client(OS.get_cmdline_user_args()[0])
	get_multiplayer().multiplayer_peer = peer
	get_multiplayer().server_disconnected.connect(quit)
