//! Packets that arrive.

use std::borrow::Cow;
use std::sync::Arc;

use gamewire_core::words::Shortened;

use super::{Called, Event, Outgoing, Session, Synchronizer, To, written};
use crate::{
    Call, Error, ErrorKind, Packet, Result, RpcMode, SERVER, SimplifyPath, Sys, Target,
    TransferMode,
};

impl Session {
    /// Takes a packet that arrived from a peer and says what it is; `None` for what only passes
    /// through, for answers about nodes that are gone, and for states that are all late or of synchronizers
    /// that are not known.
    ///
    /// `transfer` and `channel` say how it came, [`Reliable`](TransferMode::Reliable) and 0 where the transport
    /// has but one way: a packet for another client is sent on in the same way.
    ///
    /// After an error the session continues as if the packet had not come, but for what the engine does
    /// first: it relays the packet, and admits a peer of whom this side had nothing more to ask.
    ///
    /// An error is about one packet: a server drops it, and need not drop the peer.
    ///
    /// # Errors
    /// - A malformed packet.
    /// - [`Gone`](ErrorKind::Gone): of or for a peer, node or spawned node that was there and is gone. It
    ///   was on its way, which happens in every game.
    /// - [`Forbidden`](ErrorKind::Forbidden): a call, a spawn or a despawn that the peer may not make, and states
    ///   only of synchronizers of which it is not the authority.
    /// - [`Protocol`](ErrorKind::Protocol): anything else that breaks a rule: of a peer that was never
    ///   connected, for a node or method that this side does not have.
    /// - [`AllocLimit`](ErrorKind::AllocLimit): what would take more than a limit, also of
    ///   [what waits](Self::max_output) for each peer that a relay is for.
    pub fn receive<'a>(
        &mut self,
        from: i32,
        transfer: TransferMode,
        channel: i32,
        bytes: &'a [u8],
    ) -> Result<Option<Event<'a>>> {
        let packet = Packet::from_slice_with(bytes, &self.options)?;
        let is_auth = matches!(packet, Packet::Sys(Sys::Auth(_)));
        match self.pending.get(&from) {
            // The peer was admitted on its side: its first packet says so.
            Some(pending) if pending.own && !is_auth => {
                self.pending.remove(&from);
                self.admit(from);
            }
            Some(_) => return self.authenticate(from, packet),
            None if self.peers.contains(&from) => {}
            None => {
                let text =
                    format!("expected a packet of a peer that is connected, found one of {from}");
                return Err(Error::new(self.left.kind(&from), text));
            }
        }
        match packet {
            Packet::Sys(Sys::Relay { peer, packet }) if self.relays && self.id == SERVER => {
                self.relay(from, transfer, channel, peer, packet)
            }
            Packet::Sys(sys) => self.sys(from, sys),
            packet => self.packet(from, packet),
        }
    }

    fn packet<'a>(&mut self, from: i32, packet: Packet<'a>) -> Result<Option<Event<'a>>> {
        Ok(Some(match packet {
            Packet::Call(call) => self.called(from, call).map(Event::Call)?,
            Packet::SimplifyPath(news) => self.learn(from, &news)?,
            Packet::ConfirmPath(answer) => {
                let Some(path) = self.cache.confirm(from, answer)? else { return Ok(None) };
                Event::PathConfirmed { from, path, agrees: answer.agrees }
            }
            Packet::Raw(bytes) if bytes.is_empty() => {
                let text = "expected at least one byte of send_bytes, found none";
                return Err(Error::at(ErrorKind::UnexpectedEof, 1, text));
            }
            Packet::Raw(bytes) => Event::Bytes { from, bytes },
            Packet::Spawn(spawn) => {
                let spawner = self.known_path(from, spawn.spawner)?;
                self.check_authority(from, &spawner, "a spawn")?;
                self.replicas.spawned(from, &spawner, &spawn)?;
                Event::Spawn { from, spawner, spawn }
            }
            Packet::Despawn(despawn) => {
                if let Some(spawner) = self.replicas.spawner(from, despawn.net_id) {
                    self.check_authority(from, &spawner, "a despawn")?;
                }
                self.replicas.despawned(from, despawn.net_id)?;
                Event::Despawn { from, despawn }
            }
            Packet::Sync(mut sync) => {
                self.keep_own(from, Some(sync.time), &mut sync.states, |own| own.net_id)?;
                if sync.states.is_empty() {
                    return Ok(None);
                }
                Event::Sync { from, sync }
            }
            Packet::Delta(mut delta) => {
                self.keep_own(from, None, &mut delta.states, |own| own.net_id)?;
                if delta.states.is_empty() {
                    return Ok(None);
                }
                Event::Delta { from, delta }
            }
            Packet::Sys(_) => {
                let text = "expected no system packet inside of another, found one";
                return Err(Error::new(ErrorKind::Protocol, text));
            }
        }))
    }

    fn called<'a>(&self, from: i32, call: Call<'a>) -> Result<Called<'a>> {
        let path = match &call.target {
            Target::Id(id) | Target::WideId(id) => self.known_path(from, *id)?,
            Target::Path(path) => self.own_path(path)?,
        };
        let node = self.find(&path)?;
        let Some(method) = node.methods.get(call.method) else {
            let text = format!(
                "expected the number of a method of \"{}\", found {}",
                Shortened(&path),
                call.method
            );
            return Err(Error::at(ErrorKind::Protocol, 0, text));
        };
        let allowed = match method.mode {
            RpcMode::AnyPeer => true,
            RpcMode::Authority => node.authority == from,
            RpcMode::Disabled => false,
        };
        if !allowed {
            let text = format!(
                "peer {from} may not call \"{}\" of \"{}\"",
                Shortened(&method.name),
                Shortened(&path)
            );
            return Err(Error::new(ErrorKind::Forbidden, text));
        }
        let method = Arc::clone(&method.name);
        let options = self.options.clone();
        Ok(Called { from, path, method, arguments: call.arguments, options })
    }

    fn learn<'a>(&mut self, from: i32, news: &SimplifyPath<'a>) -> Result<Event<'a>> {
        let path = self.own_path(&news.path)?;
        let methods = self.find(&path)?.hash;
        let answer = self.cache.learn(from, news, Arc::clone(&path), methods)?;
        let bytes = Packet::ConfirmPath(answer).to_vec()?.into();
        self.send(from, TransferMode::Reliable, 0, bytes);
        Ok(Event::PathLearned { from, path, agrees: answer.agrees })
    }

    /// The path of a node of this session.
    fn own_path(&self, path: &str) -> Result<Arc<str>> {
        let found = self.nodes.get_key_value(path);
        found.map(|(path, _)| Arc::clone(path)).ok_or_else(|| self.unknown_node(path))
    }

    /// The path that a peer has given an id.
    fn known_path(&self, from: i32, id: u32) -> Result<Arc<str>> {
        self.cache.path(from, id).ok_or_else(|| {
            let text = format!("expected the id of a node path of peer {from}, found {id}");
            Error::at(ErrorKind::Protocol, 1, text)
        })
    }

    pub(crate) fn check_authority(&self, from: i32, path: &str, what: &str) -> Result<()> {
        if self.find(path)?.authority == from {
            return Ok(());
        }
        let path = Shortened(path);
        let text = format!("expected {what} of the authority of \"{path}\", found one of {from}");
        Err(Error::new(ErrorKind::Forbidden, text))
    }

    /// Drops states that are late, of a synchronizer that a peer has not spawned or named, or of one of which
    /// it is not the authority; where there are no others, the latter are an error.
    fn keep_own<T>(
        &mut self,
        from: i32,
        time: Option<u16>,
        states: &mut Vec<T>,
        id: impl Fn(&T) -> u32,
    ) -> Result<()> {
        let mut foreign = None;
        states.retain(|own| match self.synchronizer(from, id(own)) {
            Some(Synchronizer::Path(path)) => {
                let authority = self.nodes.get(&path).map(|node| node.authority);
                foreign = foreign.take().or(authority.filter(|own| *own != from).map(|_| path));
                authority == Some(from)
            }
            found => found.is_some(),
        });
        if let Some(path) = foreign.filter(|_| states.is_empty()) {
            return self.check_authority(from, &path, "states");
        }
        if let Some(time) = time {
            states.retain(|own| self.replicas.take_time(from, id(own), time));
        }
        Ok(())
    }

    fn sys<'a>(&mut self, from: i32, sys: Sys<'a>) -> Result<Option<Event<'a>>> {
        let of_server = self.relays && self.id != SERVER && from == SERVER;
        match sys {
            // This side was done first: the peer only says the same.
            Sys::Auth(bytes) if bytes.is_empty() => Ok(None),
            Sys::AddPeer(peer) if of_server => {
                self.check_new(peer)?;
                self.admit(peer);
                Ok(Some(Event::PeerConnected(peer)))
            }
            Sys::DelPeer(peer) if of_server => {
                self.forget(peer);
                Ok(Some(Event::PeerDisconnected(peer)))
            }
            Sys::Relay { peer, packet } if of_server => self.inner(peer, packet),
            _ => {
                let text = format!("expected no such system packet of peer {from}, found one");
                Err(Error::at(ErrorKind::Protocol, 1, text))
            }
        }
    }

    /// Passes a packet on in the way in which it came, as the server; it may be for the server too.
    fn relay<'a>(
        &mut self,
        from: i32,
        transfer: TransferMode,
        channel: i32,
        peer: i32,
        packet: Cow<'a, [u8]>,
    ) -> Result<Option<Event<'a>>> {
        let to = To::from(peer);
        let mut peers = self.targets(to)?;
        peers.retain(|peer| *peer != from);
        self.settle();
        let bytes = written(Packet::Sys(Sys::Relay { peer: from, packet: packet.clone() }));
        let all = peers.len();
        // Those who have no room for it stay.
        peers.retain(|peer| {
            let packet = Outgoing { peer: *peer, transfer, channel, bytes: Arc::clone(&bytes) };
            !self.outgoing.push(Some(from), packet, self.max_output)
        });
        if all > 0 && peers.len() == all {
            let text = format!("more waits than max_output where {from} sends a packet through");
            return Err(Error::at(ErrorKind::AllocLimit, 1, text));
        }
        // It is they who lag behind, for others had room.
        peers.into_iter().for_each(|peer| self.overflow(peer));
        if !matches!(to, To::Peer(_)) && to.takes(SERVER) {
            return self.inner(from, packet);
        }
        Ok(None)
    }

    /// A packet that came through the server.
    fn inner<'a>(&mut self, from: i32, packet: Cow<'a, [u8]>) -> Result<Option<Event<'a>>> {
        match packet {
            Cow::Borrowed(bytes) => {
                let packet = Packet::from_slice_with(bytes, &self.options)
                    .map_err(|error| error.shifted(RELAY_HEAD))?;
                self.packet(from, packet)
            }
            // Packets that are read borrow from their bytes.
            Cow::Owned(_) => Ok(None),
        }
    }

    fn authenticate<'a>(&mut self, from: i32, packet: Packet<'a>) -> Result<Option<Event<'a>>> {
        let Packet::Sys(Sys::Auth(bytes)) = packet else {
            let name = packet.name();
            let text = format!("expected a packet of authentication of {from}, found {name}");
            return Err(Error::new(ErrorKind::Protocol, text));
        };
        let Some(pending) = self.pending.get_mut(&from).filter(|_| bytes.is_empty()) else {
            return Ok(Some(Event::Auth { from, bytes }));
        };
        pending.remote = true;
        if !pending.own {
            return Ok(Some(Event::Auth { from, bytes }));
        }
        self.pending.remove(&from);
        self.admit(from);
        Ok(Some(Event::PeerConnected(from)))
    }
}

/// Bytes of a relayed packet before the packet inside.
const RELAY_HEAD: usize = 6;
