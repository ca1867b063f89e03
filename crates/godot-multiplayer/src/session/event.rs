//! The meaning of a packet to a session.

use std::borrow::Cow;
use std::sync::Arc;

use serde_core::Deserialize;

use crate::{Args, Delta, Despawn, Options, Result, Spawn, Sync};

/// The meaning of a packet.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A peer calls a method.
    Call(Called<'a>),
    /// The bytes of a peer's `send_bytes`.
    Bytes {
        /// The peer.
        from: i32,
        /// The bytes.
        bytes: Cow<'a, [u8]>,
    },
    /// A peer has given an id to a path; the answer is among the packets to send.
    PathLearned {
        /// The peer.
        from: i32,
        /// The path.
        path: Arc<str>,
        /// Whether both sides have the same methods. If not, calls may mean other methods.
        agrees: bool,
    },
    /// A peer knows the id of a path from now on.
    PathConfirmed {
        /// The peer.
        from: i32,
        /// The path.
        path: Arc<str>,
        /// Whether both sides have the same methods.
        agrees: bool,
    },
    /// A node was spawned by a spawner of which the peer has the authority.
    Spawn {
        /// The peer.
        from: i32,
        /// The path of the spawner.
        spawner: Arc<str>,
        /// The node.
        spawn: Spawn<'a>,
    },
    /// A node that the peer spawned is gone.
    Despawn {
        /// The peer.
        from: i32,
        /// The node.
        despawn: Despawn,
    },
    /// States of synchronizers of which the peer is the authority, newer than the last ones;
    /// [`Session::synchronizer`](super::Session::synchronizer) says whose.
    Sync {
        /// The peer.
        from: i32,
        /// The states, at least one.
        sync: Sync<'a>,
    },
    /// Changes of synchronizers of which the peer is the authority;
    /// [`Session::synchronizer`](super::Session::synchronizer) says whose.
    Delta {
        /// The peer.
        from: i32,
        /// The changes, at least one.
        delta: Delta<'a>,
    },
    /// A peer was admitted: it, or the server for it, says so.
    PeerConnected(i32),
    /// The server says that a peer is gone.
    PeerDisconnected(i32),
    /// More waits for a peer than [`max_output`](super::Session::max_output), so that nothing more reaches
    /// it: close its connection.
    Overflow(i32),
    /// A peer has not authenticated in [time](super::Session::auth_timeout), and is forgotten: close its
    /// connection.
    AuthFailed(i32),
    /// Bytes of a peer that is not admitted yet.
    Auth {
        /// The peer.
        from: i32,
        /// The bytes; none when the peer has no more to say.
        bytes: Cow<'a, [u8]>,
    },
}

/// A call of a method on this side.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Called<'a> {
    /// The peer that calls.
    pub from: i32,
    /// The path of the node.
    pub path: Arc<str>,
    /// The name of the method.
    pub method: Arc<str>,
    /// The arguments.
    pub arguments: Args<'a>,
    pub(crate) options: Options,
}

impl Called<'_> {
    /// Reads the arguments with the options of the session; see [`Args::read`].
    ///
    /// # Errors
    /// As [`Args::read`].
    pub fn args<'s, T: Deserialize<'s>>(&'s self) -> Result<T> {
        self.arguments.read_with(&self.options)
    }
}

/// The synchronizer that a state is of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Synchronizer {
    /// A synchronizer of a node that was spawned.
    Spawned {
        /// The path of the spawner.
        spawner: Arc<str>,
        /// The name of the node.
        node: Arc<str>,
        /// The id of the node.
        net_id: u32,
        /// Its position among the synchronizers of the node.
        index: usize,
    },
    /// A synchronizer that is present from the start, by its path.
    Path(Arc<str>),
}
