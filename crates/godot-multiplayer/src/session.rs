//! One side of a multiplayer game, without I/O.

mod event;
mod keep;
mod outbox;
mod receive;
mod replicate;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use serde_core::Serialize;

use gamewire_core::words::Shortened;

use crate::{
    Args, Call, Error, ErrorKind, Method, Methods, MethodsHash, Options, Packet, PathCache, Result,
    SERVER, Sys, Target, TransferMode,
};
use keep::{Departed, Kept};
use outbox::Outbox;
use replicate::Replicas;

pub use event::{Called, Event, Synchronizer};
pub use replicate::{NewSpawn, Spawned};

/// One side of a multiplayer game: the work of `SceneMultiplayer`, without I/O and without nodes.
///
/// It knows the paths and methods of the nodes that take part. Packets that arrive go into
/// [`receive`](Self::receive), which says what they are; packets for others come out of
/// [`next_outgoing`](Self::next_outgoing). Send them after each packet that arrives: what waits for a peer
/// is bounded by [`max_output`](Self::max_output).
#[derive(Clone, Debug)]
pub struct Session {
    id: i32,
    relays: bool,
    authenticates: bool,
    options: Options,
    /// In the order in which they came.
    peers: Vec<i32>,
    /// Peers that are not admitted yet.
    pending: BTreeMap<i32, Pending>,
    auth_timeout: Duration,
    nodes: HashMap<Arc<str>, Node>,
    cache: PathCache,
    replicas: Replicas,
    max_sync: usize,
    max_delta: usize,
    max_output: usize,
    outgoing: Outbox,
    /// For all peers, but not in their queues yet: those that leave together need not hear of each other.
    news: Vec<Arc<[u8]>>,
    events: VecDeque<Event<'static>>,
    kept: Vec<Kept>,
    /// Peers, and paths of nodes, that were here.
    left: Departed<i32>,
    removed: Departed<Arc<str>>,
}

/// A peer that authenticates.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    /// Whether this side and the peer are done.
    own: bool,
    remote: bool,
    /// The first time that was told to this side since it came.
    since: Option<Duration>,
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
    /// The packet, which all peers share that it is for.
    pub bytes: Arc<[u8]>,
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
    /// The most peers that may authenticate at a time.
    pub const MAX_PENDING: usize = 1024;

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
            pending: BTreeMap::new(),
            auth_timeout: Duration::from_secs(3),
            nodes: HashMap::new(),
            cache: PathCache::new(),
            replicas: Replicas::default(),
            max_sync: 1350,
            max_delta: 65_535,
            max_output: 16 << 20,
            outgoing: Outbox::default(),
            news: Vec::new(),
            events: VecDeque::new(),
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

    /// How long a peer may take to authenticate, by the clock of [`handle_timeout`](Self::handle_timeout).
    /// Default 3 seconds, as `SceneMultiplayer.auth_timeout`; zero is without end.
    #[must_use]
    pub fn auth_timeout(mut self, time: Duration) -> Self {
        self.auth_timeout = time;
        self
    }

    /// The most bytes of states in one packet of [`sync`](Self::sync), and of one state. Default 1350, as
    /// `SceneMultiplayer.max_sync_packet_size`, and at least 128.
    #[must_use]
    pub fn max_sync_packet_size(mut self, bytes: usize) -> Self {
        self.max_sync = bytes.max(128);
        self
    }

    /// The same for [`delta`](Self::delta). Default 65 535, as `SceneMultiplayer.max_delta_packet_size`.
    #[must_use]
    pub fn max_delta_packet_size(mut self, bytes: usize) -> Self {
        self.max_delta = bytes.max(128);
        self
    }

    /// The most bytes that may wait for one peer, with 64 for each packet; a quarter of them relayed from any
    /// one other peer. Default 16 MiB.
    ///
    /// Unreliable packets above it are lost. A peer for which a reliable one does not fit is an
    /// [`Event::Overflow`], and nothing more waits for it; where no addressee of a relay has room for what
    /// one peer sends, that peer's packet is refused.
    #[must_use]
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// The id of this side.
    pub fn id(&self) -> i32 {
        self.id
    }

    /// The peers that are connected, in the order in which they came.
    pub fn peers(&self) -> &[i32] {
        &self.peers
    }

    /// The peers that are not admitted yet, because they authenticate.
    pub fn pending(&self) -> impl Iterator<Item = i32> + '_ {
        self.pending.keys().copied()
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
    ///
    /// Close its connection after an error: over ENet a client chooses its id, and one that takes that of the
    /// server or of another client would act for it.
    ///
    /// # Errors
    /// An id below 2 at the server or below 1 at a client, the id of this side or of a peer that is here; and
    /// more than [`MAX_PENDING`](Self::MAX_PENDING) peers that authenticate.
    pub fn connect(&mut self, peer: i32) -> Result<()> {
        self.check_new(peer)?;
        if self.authenticates && self.pending.len() >= Self::MAX_PENDING {
            let text = format!("more than {} peers authenticate", Self::MAX_PENDING);
            return Err(Error::new(ErrorKind::AllocLimit, text));
        } else if self.authenticates {
            self.pending.insert(peer, Pending::default());
        } else {
            self.admit(peer);
        }
        Ok(())
    }

    fn check_new(&self, peer: i32) -> Result<()> {
        let least = if self.id == SERVER { SERVER.saturating_add(1) } else { SERVER };
        let is_taken = self.peers.contains(&peer) || self.pending.contains_key(&peer);
        if peer < least || peer == self.id || is_taken {
            let text = format!("expected an id of {least} or more that no peer has, found {peer}");
            return Err(Error::new(ErrorKind::Protocol, text));
        }
        Ok(())
    }

    /// Tells the time, counted from any moment, to take leave of peers that do not authenticate in time.
    /// Each is an [`Event::AuthFailed`] of [`next_event`](Self::next_event).
    pub fn handle_timeout(&mut self, now: Duration) {
        let (time, events) = (self.auth_timeout, &mut self.events);
        self.pending.retain(|peer, pending| {
            let waited = now.saturating_sub(*pending.since.get_or_insert(now));
            let stays = time.is_zero() || waited < time;
            if !stays {
                self.outgoing.forget(*peer);
                self.left.add(*peer);
                events.push_back(Event::AuthFailed(*peer));
            }
            stays
        });
    }

    /// The next event that no packet brings: [`Event::Overflow`], [`Event::AuthFailed`].
    pub fn next_event(&mut self) -> Option<Event<'static>> {
        self.settle();
        self.events.pop_front()
    }

    fn admit(&mut self, peer: i32) {
        if self.relays && self.id == SERVER {
            // The others learn of the new peer, and it of them.
            self.broadcast(Packet::Sys(Sys::AddPeer(peer)));
            for other in self.peers.clone() {
                self.push(peer, Packet::Sys(Sys::AddPeer(other)));
            }
        }
        // Earlier news are none for it.
        self.settle();
        self.left.came_back(&peer);
        self.peers.push(peer);
        self.spawn_kept(peer);
    }

    /// A peer has disconnected. Packets for it that were not sent are dropped, and nodes that are
    /// [kept](Self::keep) for it are despawned.
    pub fn disconnect(&mut self, peer: i32) {
        self.pending.remove(&peer);
        self.outgoing.forget(peer);
        if !self.forget(peer) {
            return;
        }
        if self.relays && self.id == SERVER {
            self.broadcast(Packet::Sys(Sys::DelPeer(peer)));
        }
        self.despawn_kept(peer);
    }

    /// Returns whether the peer was here.
    fn forget(&mut self, peer: i32) -> bool {
        let Some(at) = self.peers.iter().position(|own| *own == peer) else { return false };
        self.peers.remove(at);
        self.left.add(peer);
        self.cache.forget(peer);
        self.replicas.forget(peer);
        true
    }

    /// The next packet that is to be sent: one of each peer in turn, and those of one in their order.
    pub fn next_outgoing(&mut self) -> Option<Outgoing> {
        self.settle();
        self.outgoing.next()
    }

    /// The next packet for one peer, where another part of the program sends to each, or a peer takes no
    /// more for now.
    pub fn next_outgoing_for(&mut self, peer: i32) -> Option<Outgoing> {
        self.settle();
        self.outgoing.next_for(peer)
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
        let (mut by_id, mut by_path) = (None, None);
        for peer in peers {
            let is_confirmed = self.cache.is_confirmed(path, peer);
            let made: &mut Option<Arc<[u8]>> = if is_confirmed { &mut by_id } else { &mut by_path };
            let bytes = match made {
                Some(bytes) => Arc::clone(bytes),
                None => {
                    let target = match is_confirmed {
                        true if all || id > 0xffff => Target::Id(id),
                        true => Target::WideId(id),
                        false => Target::Path(path.into()),
                    };
                    let call = Call { target, method: number, arguments: args.borrowed() };
                    Arc::clone(made.insert(Packet::Call(call).to_vec()?.into()))
                }
            };
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
        let bytes: Arc<[u8]> = Packet::Raw(bytes.into()).to_vec()?.into();
        for peer in self.targets(to.into())? {
            self.send(peer, TransferMode::Reliable, 0, Arc::clone(&bytes));
        }
        Ok(())
    }

    /// Sends bytes to a peer that is not admitted yet.
    ///
    /// # Errors
    /// No bytes, or a peer that is not waiting for it.
    pub fn send_auth(&mut self, peer: i32, bytes: &[u8]) -> Result<()> {
        match self.pending.get(&peer) {
            Some(Pending { own: false, remote: false, .. }) if !bytes.is_empty() => {
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
        let Some(Pending { own: own @ false, remote, .. }) = self.pending.get_mut(&peer) else {
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
            let bytes = Packet::SimplifyPath(news).to_vec()?.into();
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
        self.send(peer, TransferMode::Reliable, 0, written(packet));
    }

    /// A reliable packet without arguments for all peers.
    fn broadcast(&mut self, packet: Packet<'_>) {
        self.news.push(written(packet));
    }

    /// Lays news into the queues of the peers that are here.
    fn settle(&mut self) {
        let news = std::mem::take(&mut self.news);
        if news.is_empty() {
            return;
        }
        for peer in self.peers.clone() {
            for bytes in &news {
                self.send(peer, TransferMode::Reliable, 0, Arc::clone(bytes));
            }
        }
    }

    /// Clients send to other clients through the server.
    fn send(&mut self, peer: i32, transfer: TransferMode, channel: i32, bytes: Arc<[u8]>) {
        self.settle();
        let through = self.relays && self.id != SERVER && peer != SERVER;
        let (peer, bytes) = match through {
            true => {
                let packet = Cow::Borrowed(&*bytes);
                (SERVER, written(Packet::Sys(Sys::Relay { peer, packet })))
            }
            false => (peer, bytes),
        };
        let packet = Outgoing { peer, transfer, channel, bytes };
        if !self.outgoing.push(None, packet, self.max_output) {
            self.overflow(peer);
        }
    }

    fn overflow(&mut self, peer: i32) {
        self.outgoing.give_up(peer);
        self.events.push_back(Event::Overflow(peer));
    }
}

/// A packet without arguments, which cannot fail to be written.
fn written(packet: Packet<'_>) -> Arc<[u8]> {
    match packet.to_vec() {
        Ok(bytes) => bytes.into(),
        Err(error) => {
            debug_assert!(false, "{error}");
            Arc::default()
        }
    }
}
