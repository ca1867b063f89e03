//! One side of a multiplayer game, without I/O.

mod event;
mod keep;
mod receive;
mod replicate;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_core::Serialize;

use gamewire_core::words::Shortened;

use crate::{
    Args, Call, Error, ErrorKind, Method, Methods, MethodsHash, Options, Packet, PathCache, Result,
    SERVER, Sys, Target, TransferMode,
};
use keep::{Departed, Kept};
use replicate::Replicas;

pub use event::{Called, Event, Synchronizer};
pub use replicate::{NewSpawn, Spawned};

/// One side of a multiplayer game: the work of `SceneMultiplayer`, without I/O and without nodes.
///
/// It knows the paths and methods of the nodes that take part. Packets that arrive go into
/// [`receive`](Self::receive), which says what they are; packets for others come out of
/// [`next_outgoing`](Self::next_outgoing).
#[derive(Clone, Debug)]
pub struct Session {
    id: i32,
    relays: bool,
    authenticates: bool,
    options: Options,
    /// In the order in which they came.
    peers: Vec<i32>,
    /// Peers that are not admitted yet: whether this side and they are done.
    pending: HashMap<i32, (bool, bool)>,
    nodes: HashMap<Arc<str>, Node>,
    cache: PathCache,
    replicas: Replicas,
    outgoing: VecDeque<Outgoing>,
    kept: Vec<Kept>,
    /// Peers, and paths of nodes, that were here.
    left: Departed<i32>,
    removed: Departed<Arc<str>>,
}

/// A node that takes part.
#[derive(Clone, Debug)]
struct Node {
    methods: Arc<Methods>,
    hash: MethodsHash,
    authority: i32,
}

/// A packet that is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outgoing {
    /// To whom.
    pub peer: i32,
    /// How.
    pub transfer: TransferMode,
    /// On which channel; 0 is the default one.
    pub channel: i32,
    /// The packet.
    pub bytes: Vec<u8>,
}

/// The peers that something is sent to. From a number as in the engine: a peer, 0 for all, -n for all but n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// All peers.
    All,
    /// All peers but one.
    AllBut(i32),
    /// One peer.
    Peer(i32),
}

impl From<i32> for To {
    fn from(id: i32) -> Self {
        match id {
            0 => To::All,
            ..0 => To::AllBut(id.saturating_neg()),
            _ => To::Peer(id),
        }
    }
}

impl To {
    fn takes(self, peer: i32) -> bool {
        match self {
            To::All => true,
            To::AllBut(other) => peer != other,
            To::Peer(other) => peer == other,
        }
    }
}

impl Session {
    /// The side of the server, whose id is 1.
    pub fn server() -> Self {
        Session::client(SERVER)
    }

    /// The side of a client, by the id that the server gave to it.
    pub fn client(id: i32) -> Self {
        Session {
            id,
            relays: true,
            authenticates: false,
            options: Options::new(),
            peers: Vec::new(),
            pending: HashMap::new(),
            nodes: HashMap::new(),
            cache: PathCache::new(),
            replicas: Replicas::default(),
            outgoing: VecDeque::new(),
            kept: Vec::new(),
            left: Departed::default(),
            removed: Departed::default(),
        }
    }

    /// Options for arguments and packets: [`strict`](Options::strict), limits, and whether whole
    /// objects are allowed in arguments, as `SceneMultiplayer.allow_object_decoding`.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Whether clients reach one another through the server. Default `true`, as
    /// `SceneMultiplayer.server_relay` is; ENet and WebSocket can do it.
    #[must_use]
    pub fn relays(mut self, relays: bool) -> Self {
        self.relays = relays;
        self
    }

    /// Whether peers are admitted only when both sides have called
    /// [`complete_auth`](Self::complete_auth). Default `false`.
    #[must_use]
    pub fn authenticates(mut self, authenticates: bool) -> Self {
        self.authenticates = authenticates;
        self
    }

    /// The id of this side.
    pub fn id(&self) -> i32 {
        self.id
    }

    /// The peers that are connected.
    pub fn peers(&self) -> &[i32] {
        &self.peers
    }

    /// Adds a node, or changes its methods. Its authority is the server.
    pub fn node(&mut self, path: &str, methods: Methods) {
        self.node_of(path, methods, SERVER);
    }

    /// Adds a node of another authority, or changes its methods and authority.
    pub fn node_of(&mut self, path: &str, methods: Methods, authority: i32) {
        let hash = methods.hash();
        self.removed.came_back(path);
        self.nodes.insert(path.into(), Node { methods: Arc::new(methods), hash, authority });
    }

    /// Forgets a node.
    pub fn remove_node(&mut self, path: &str) {
        if let Some((path, _)) = self.nodes.remove_entry(path) {
            self.removed.add(path);
        }
        self.cache.remove(path);
    }

    /// A peer has connected.
    pub fn connect(&mut self, peer: i32) {
        if self.authenticates {
            self.pending.insert(peer, (false, false));
        } else {
            self.admit(peer);
        }
    }

    fn admit(&mut self, peer: i32) {
        if self.peers.contains(&peer) {
            return;
        }
        if self.relays && self.id == SERVER {
            // The others learn of the new peer, and it of them.
            for other in self.peers.clone() {
                self.push(other, Packet::Sys(Sys::AddPeer(peer)));
                self.push(peer, Packet::Sys(Sys::AddPeer(other)));
            }
        }
        self.left.came_back(&peer);
        self.peers.push(peer);
        self.spawn_kept(peer);
    }

    /// A peer has disconnected. Packets for it that were not sent are dropped, and nodes that are
    /// [kept](Self::keep) for it are despawned.
    pub fn disconnect(&mut self, peer: i32) {
        self.pending.remove(&peer);
        self.outgoing.retain(|packet| packet.peer != peer);
        if !self.peers.contains(&peer) {
            return;
        }
        self.forget(peer);
        if self.relays && self.id == SERVER {
            for other in self.peers.clone() {
                self.push(other, Packet::Sys(Sys::DelPeer(peer)));
            }
        }
        self.despawn_kept(peer);
    }

    fn forget(&mut self, peer: i32) {
        self.peers.retain(|own| *own != peer);
        self.left.add(peer);
        self.cache.forget(peer);
        self.replicas.forget(peer);
    }

    /// The next packet that is to be sent.
    pub fn next_outgoing(&mut self) -> Option<Outgoing> {
        self.outgoing.pop_front()
    }

    /// Calls a method of a node on other peers.
    ///
    /// # Errors
    /// A node, method or peer that this side does not know, and as [`Args::new`].
    pub fn call<T: Serialize + ?Sized>(
        &mut self,
        to: impl Into<To>,
        path: &str,
        method: &str,
        args: &T,
    ) -> Result<()> {
        let args = Args::new_with(args, &self.options)?;
        self.call_encoded(to.into(), path, method, args)
    }

    fn call_encoded(&mut self, to: To, path: &str, method: &str, args: Args<'_>) -> Result<()> {
        let methods = Arc::clone(&self.find(path)?.methods);
        let Some((number, Method { transfer, channel, .. })) = methods.find(method) else {
            let text = format!("\"{}\" has no method \"{}\"", Shortened(path), Shortened(method));
            return Err(Error::new(ErrorKind::Protocol, text));
        };
        let peers = self.targets(to)?;
        // First all paths, then all calls, as the engine sends them.
        let mut id = 0;
        let mut all = true;
        for peer in &peers {
            id = self.announce(path, *peer)?;
            all = all && self.cache.is_confirmed(path, *peer);
        }
        for peer in peers {
            let target = match self.cache.is_confirmed(path, peer) {
                true if all || id > 0xffff => Target::Id(id),
                true => Target::WideId(id),
                false => Target::Path(path.into()),
            };
            let call = Call { target, method: number, arguments: args.borrowed() };
            let bytes = Packet::Call(call).to_vec()?;
            self.send(peer, *transfer, *channel, bytes);
        }
        Ok(())
    }

    /// Sends bytes as they are: `SceneMultiplayer.send_bytes`.
    ///
    /// # Errors
    /// No bytes, or a peer that this side does not know.
    pub fn send_bytes(&mut self, to: impl Into<To>, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Err(Error::new(ErrorKind::Protocol, "expected bytes to send, found none"));
        }
        for peer in self.targets(to.into())? {
            self.push(peer, Packet::Raw(bytes.into()));
        }
        Ok(())
    }

    /// Sends bytes to a peer that is not admitted yet.
    ///
    /// # Errors
    /// No bytes, or a peer that is not waiting for it.
    pub fn send_auth(&mut self, peer: i32, bytes: &[u8]) -> Result<()> {
        match self.pending.get(&peer) {
            Some((false, false)) if !bytes.is_empty() => {
                self.push(peer, Packet::Sys(Sys::Auth(bytes.into())));
                Ok(())
            }
            _ => Err(Error::new(
                ErrorKind::Protocol,
                format!("expected bytes for a peer that authenticates, found none for {peer}"),
            )),
        }
    }

    /// This side has no more to ask a peer. It is admitted when it says the same; returns whether it
    /// is.
    ///
    /// # Errors
    /// A peer that is not waiting for it.
    pub fn complete_auth(&mut self, peer: i32) -> Result<bool> {
        let Some((own @ false, remote)) = self.pending.get_mut(&peer) else {
            let text = format!("expected a peer that authenticates, found peer {peer}");
            return Err(Error::new(ErrorKind::Protocol, text));
        };
        *own = true;
        let remote = *remote;
        self.push(peer, Packet::Sys(Sys::Auth((&[]).into())));
        if remote {
            self.pending.remove(&peer);
            self.admit(peer);
        }
        Ok(remote)
    }

    fn find(&self, path: &str) -> Result<&Node> {
        self.nodes.get(path).ok_or_else(|| self.unknown_node(path))
    }

    #[cold]
    fn unknown_node(&self, path: &str) -> Error {
        let kind = self.removed.kind(path);
        let path = Shortened(path);
        Error::new(kind, format!("expected the path of a node of the session, found \"{path}\""))
    }

    /// Tells a peer the id of a path, if it was not told yet.
    fn announce(&mut self, path: &str, peer: i32) -> Result<u32> {
        let hash = self.find(path)?.hash;
        let (id, news) = self.cache.announce(path, peer, hash);
        if let Some(news) = news {
            let bytes = Packet::SimplifyPath(news).to_vec()?;
            self.send(peer, TransferMode::Reliable, 0, bytes);
        }
        Ok(id)
    }

    /// The peers that something is for.
    fn targets(&self, to: To) -> Result<Vec<i32>> {
        match to {
            To::Peer(peer) if !self.peers.contains(&peer) => {
                let text = format!("expected a peer that is connected, found peer {peer}");
                Err(Error::new(self.left.kind(&peer), text))
            }
            To::Peer(peer) => Ok(vec![peer]),
            to => Ok(self.peers.iter().copied().filter(|peer| to.takes(*peer)).collect()),
        }
    }

    /// A reliable packet without arguments, which cannot fail to be written.
    fn push(&mut self, peer: i32, packet: Packet<'_>) {
        let bytes = packet.to_vec().unwrap_or_default();
        self.send(peer, TransferMode::Reliable, 0, bytes);
    }

    /// Clients send to other clients through the server.
    fn send(&mut self, peer: i32, transfer: TransferMode, channel: i32, bytes: Vec<u8>) {
        let through = self.relays && self.id != SERVER && peer != SERVER;
        let (peer, bytes) = match through {
            true => {
                let relay = Packet::Sys(Sys::Relay { peer, packet: bytes.into() });
                (SERVER, relay.to_vec().unwrap_or_default())
            }
            false => (peer, bytes),
        };
        self.outgoing.push_back(Outgoing { peer, transfer, channel, bytes });
    }
}
