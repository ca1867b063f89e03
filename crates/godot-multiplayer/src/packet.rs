//! The commands of `SceneMultiplayer`.

mod read;
mod write;

use std::borrow::Cow;

use serde_core::Deserialize;

use super::{Args, MethodsHash, State};
use crate::{Error, ErrorKind, Result};

/// One packet.
///
/// Reading keeps everything: a packet of the engine is written back byte for byte.
///
/// ```
/// use godot_multiplayer::{Args, Call, Packet, Target};
///
/// let call = Call { target: Target::Id(1), method: 0, arguments: Args::new(&(1, "x", 2.5))? };
/// let bytes = Packet::Call(call).to_vec()?;
/// assert_eq!(bytes[..5], [0, 1, 0, 3, 2]); // a call, node 1, method 0, three arguments, an int …
///
/// let packet = Packet::from_slice(&bytes)?;
/// assert_eq!(packet.args::<(i64, String, f64)>()?, (1, "x".to_owned(), 2.5));
/// # Ok::<(), godot_multiplayer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Packet<'a> {
    /// A remote call.
    Call(Call<'a>),
    /// The id that a peer has given to a node path.
    SimplifyPath(SimplifyPath<'a>),
    /// The answer to it.
    ConfirmPath(ConfirmPath),
    /// The bytes of `send_bytes`, at least one.
    Raw(Cow<'a, [u8]>),
    /// A node that a `MultiplayerSpawner` spawned.
    Spawn(Spawn<'a>),
    /// Such a node is gone.
    Despawn(Despawn),
    /// States that `MultiplayerSynchronizer`s send always.
    Sync(Sync<'a>),
    /// States that `MultiplayerSynchronizer`s send on change.
    Delta(Delta<'a>),
    /// Peers and their packets, authentication.
    Sys(Sys<'a>),
}

/// A remote call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The node.
    pub target: Target<'a>,
    /// The position of the method among those of the node, see [`Methods`](super::Methods).
    pub method: u16,
    /// The arguments.
    pub arguments: Args<'a>,
}

impl Call<'_> {
    /// Reads the arguments; see [`Args::read`].
    ///
    /// # Errors
    /// As [`Args::read`].
    pub fn args<'s, T: Deserialize<'s>>(&'s self) -> Result<T> {
        self.arguments.read()
    }
}

/// The node that a call is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// The id that the caller gave to the path, in as few bytes as hold it.
    Id(u32),
    /// The same in 4 bytes, which the engine sends where not all peers know the id.
    WideId(u32),
    /// The path, because the callee has not confirmed an id yet.
    Path(Cow<'a, str>),
}

/// A node path and the id that stands for it from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimplifyPath<'a> {
    /// The check sum of the node's methods.
    pub methods: MethodsHash,
    /// The id, chosen by the sender; counts from 1.
    pub id: u32,
    /// Relative to the root path.
    pub path: Cow<'a, str>,
}

/// The answer to a [`SimplifyPath`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmPath {
    /// Whether the check sums are the same on both sides.
    pub agrees: bool,
    /// The id.
    pub id: u32,
}

/// A node that was spawned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spawn<'a> {
    /// The position among the spawner's scenes; [`Spawn::CUSTOM`] for `spawn(data)`.
    pub scene: u8,
    /// The id of the spawner's path.
    pub spawner: u32,
    /// The id of the node.
    pub net_id: u32,
    /// The ids of its synchronizers, in their order.
    pub synchronizers: Vec<u32>,
    /// The name of the node.
    pub name: Cow<'a, str>,
    /// The argument of `spawn(data)`: one variant, only there if the scene is [`Spawn::CUSTOM`].
    pub argument: Option<State<'a>>,
    /// The properties that are replicated on spawn, of all synchronizers.
    pub state: State<'a>,
}

impl Spawn<'_> {
    /// The scene of a node that the game's own function makes from an argument.
    pub const CUSTOM: u8 = 0xff;
}

/// A node that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Despawn {
    /// The id of the node.
    pub net_id: u32,
}

/// States of synchronizers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sync<'a> {
    /// Counts the syncs of the sender to this peer, and wraps around.
    pub time: u16,
    /// The states.
    pub states: Vec<SyncState<'a>>,
}

impl Sync<'_> {
    /// Whether a sync of this time comes after one of time `last`, as the engine decides it: older
    /// ones are dropped.
    pub fn is_newer(time: u16, last: u16) -> bool {
        time > last || last.wrapping_sub(time) >= 32767
    }
}

/// The state of one synchronizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncState<'a> {
    /// The id of the synchronizer. Of one that was not spawned: the id of its path, and bit 31.
    pub net_id: u32,
    /// The properties that are replicated always.
    pub state: State<'a>,
}

/// Changes of synchronizers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delta<'a> {
    /// The changes.
    pub states: Vec<DeltaState<'a>>,
}

/// The changes of one synchronizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeltaState<'a> {
    /// The id of the synchronizer, as in [`SyncState`].
    pub net_id: u32,
    /// A bit for each property that is replicated on change, the first in bit 0.
    pub properties: u64,
    /// The properties whose bits are set.
    pub state: State<'a>,
}

/// Peers and their packets, authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sys<'a> {
    /// The bytes of `send_auth`; none when authentication is complete.
    Auth(Cow<'a, [u8]>),
    /// The server has a new peer.
    AddPeer(i32),
    /// The server lost a peer.
    DelPeer(i32),
    /// A packet that goes through the server.
    Relay {
        /// To the server: whom it is for; 0 for all, -n for all but n. From it: whose it is.
        peer: i32,
        /// The packet.
        packet: Cow<'a, [u8]>,
    },
}

impl<'a> Packet<'a> {
    /// The name of the command.
    pub fn name(&self) -> &'static str {
        match self {
            Packet::Call(_) => "a remote call",
            Packet::SimplifyPath(_) => "a path to simplify",
            Packet::ConfirmPath(_) => "a confirmed path",
            Packet::Raw(_) => "raw bytes",
            Packet::Spawn(_) => "a spawn",
            Packet::Despawn(_) => "a despawn",
            Packet::Sync(_) => "a sync",
            Packet::Delta(_) => "a delta",
            Packet::Sys(_) => "a system packet",
        }
    }

    /// Reads the arguments of a call; see [`Args::read`].
    ///
    /// # Errors
    /// Another packet, and as [`Args::read`].
    pub fn args<'s, T: Deserialize<'s>>(&'s self) -> Result<T> {
        match self {
            Packet::Call(call) => call.args(),
            other => {
                let text = format!("expected a remote call, found {}", other.name());
                Err(Error::new(ErrorKind::Data, text))
            }
        }
    }
}

/// The low bits of the first byte.
const COMMAND: u8 = 7;

const REMOTE_CALL: u8 = 0;
const SIMPLIFY_PATH: u8 = 1;
const CONFIRM_PATH: u8 = 2;
const RAW: u8 = 3;
const SPAWN: u8 = 4;
const DESPAWN: u8 = 5;
const SYNC: u8 = 6;
const SYS: u8 = 7;

const SYS_AUTH: u8 = 0;
const SYS_ADD_PEER: u8 = 1;
const SYS_DEL_PEER: u8 = 2;
const SYS_RELAY: u8 = 3;

/// Bits of a call: how wide the target is, whether the method has two bytes, whether the arguments have
/// the short form. Bit of a sync: whether it is a delta.
const TARGET_SHIFT: u8 = 4;
const WIDE_METHOD: u8 = 1 << 6;
const SHORT_ARGS: u8 = 1 << 7;
const IS_DELTA: u8 = 1 << 4;

/// In a target of 4 bytes: the rest is the offset of a path.
const IS_PATH: u32 = 1 << 31;
