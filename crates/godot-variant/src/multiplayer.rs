//! Packets of the engine's high-level multiplayer (`SceneMultiplayer`, Godot 4): remote calls,
//! paths, spawns and syncs. Feature `multiplayer`.
//!
//! A [`Session`] is one side of it without I/O: give it the packets that arrive over ENet,
//! WebSocket or anything else, and send those that it has for others. An unmodified client talks to
//! it.
//!
//! ```
//! use godot_variant::multiplayer::{Event, Methods, Session};
//!
//! // Two sides of one connection: peer 1 is the server.
//! let mut server = Session::server();
//! server.node("Chat", Methods::new().any_peer("say"));
//! server.connect(2);
//! let mut client = Session::client(2);
//! client.node("Chat", Methods::new().any_peer("say"));
//! client.connect(1);
//!
//! client.call(1, "Chat", "say", &("hello", 7))?;
//! while let Some(packet) = client.next_outgoing() {
//!     if let Some(Event::Call(call)) = server.receive(2, &packet.bytes)? {
//!         assert_eq!((&*call.path, &*call.method), ("Chat", "say"));
//!         assert_eq!(call.args::<(&str, i64)>()?, ("hello", 7));
//!     }
//! }
//! // The server has an answer to the path that came with the call.
//! assert_eq!(server.next_outgoing().map(|packet| packet.peer), Some(2));
//! # Ok::<(), godot_variant::Error>(())
//! ```
//!
//! Below it are [`Packet`], which reads and writes each command byte for byte, [`Args`] and
//! [`State`], the compact variants in them, and [`PathCache`], the ids of node paths.
//!
//! Paths are relative to the root of the multiplayer, `/root` unless the game chose another:
//! `"Main/Chat"`. The layouts are in
//! [docs/formats/godot-variant.md](https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md#14-multiplayer-packets).

mod args;
mod cache;
mod compact;
mod de;
mod methods;
mod packet;
mod ser;
mod session;

pub use args::{Args, State};
pub use cache::PathCache;
pub use methods::{Method, Methods, MethodsHash, RpcMode, TransferMode};
pub use packet::{
    Call, ConfirmPath, Delta, DeltaState, Despawn, Packet, SimplifyPath, Spawn, Sync, SyncState,
    Sys, Target,
};
pub use session::{Called, Event, NewSpawn, Outgoing, Session, Spawned, Synchronizer, To};

/// The id of the server.
pub const SERVER: i32 = 1;
