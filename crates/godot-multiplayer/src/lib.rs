#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod args;
mod cache;
mod compact;
mod de;
mod methods;
mod packet;
mod read;
mod ser;
mod session;

pub use args::{Args, State};
pub use cache::PathCache;
pub use godot_variant::{Error, ErrorKind, Options, Result};
pub use methods::{Method, Methods, MethodsHash, RpcMode, TransferMode};
pub use packet::{
    Call, ConfirmPath, Delta, DeltaState, Despawn, Packet, SimplifyPath, Spawn, Sync, SyncState,
    Sys, Target,
};
pub use session::{Called, Event, NewSpawn, Outgoing, Session, Spawned, Synchronizer, To};

/// The id of the server.
pub const SERVER: i32 = 1;
