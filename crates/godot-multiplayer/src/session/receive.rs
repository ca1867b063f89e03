//! Packets that arrive.

use std::borrow::Cow;
use std::sync::Arc;

use gamewire_core::words::Shortened;

use super::{Called, Event, Session, To};
use crate::{
    Call, Error, ErrorKind, Packet, Result, RpcMode, SERVER, SimplifyPath, Sys, Target,
    TransferMode,
};

impl Session {
    /// Takes a packet that arrived from a peer and says what it is; `None` for what only passes
    /// through, and for answers about nodes that are gone.
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
    /// - [`Forbidden`](ErrorKind::Forbidden): a call, or a spawn, that the peer may not make.
    /// - [`Protocol`](ErrorKind::Protocol): anything else that breaks a rule: of a peer that was never
    ///   connected, for a node or method that this side does not have.
    pub fn receive<'a>(&mut self, from: i32, bytes: &'a [u8]) -> Result<Option<Event<'a>>> {
        let packet = Packet::from_slice_with(bytes, &self.options)?;
        if self.pending.contains_key(&from) {
            return self.authenticate(from, packet);
        }
        if !self.peers.contains(&from) {
            let text =
                format!("expected a packet of a peer that is connected, found one of {from}");
            return Err(Error::new(self.left.kind(&from), text));
        }
        match packet {
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
                self.replicas.despawned(from, despawn.net_id)?;
                Event::Despawn { from, despawn }
            }
            Packet::Sync(sync) => Event::Sync { from, sync },
            Packet::Delta(delta) => Event::Delta { from, delta },
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
        let bytes = Packet::ConfirmPath(answer).to_vec()?;
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

    fn sys<'a>(&mut self, from: i32, sys: Sys<'a>) -> Result<Option<Event<'a>>> {
        let of_server = self.relays && self.id != SERVER && from == SERVER;
        match sys {
            // This side was done first: the peer only says the same.
            Sys::Auth(bytes) if bytes.is_empty() => Ok(None),
            Sys::AddPeer(peer) if of_server => {
                self.admit(peer);
                Ok(Some(Event::PeerConnected(peer)))
            }
            Sys::DelPeer(peer) if of_server => {
                self.forget(peer);
                Ok(Some(Event::PeerDisconnected(peer)))
            }
            Sys::Relay { peer, packet } if of_server => self.inner(peer, packet),
            Sys::Relay { peer, packet } if self.relays && self.id == SERVER => {
                self.relay(from, peer, packet)
            }
            _ => {
                let text = format!("expected no such system packet of peer {from}, found one");
                Err(Error::at(ErrorKind::Protocol, 1, text))
            }
        }
    }

    /// Passes a packet on, as the server; it may be for the server too.
    fn relay<'a>(
        &mut self,
        from: i32,
        peer: i32,
        packet: Cow<'a, [u8]>,
    ) -> Result<Option<Event<'a>>> {
        let to = To::from(peer);
        let peers = self.targets(to)?;
        let relayed = Packet::Sys(Sys::Relay { peer: from, packet: packet.clone() }).to_vec()?;
        for peer in peers.into_iter().filter(|peer| *peer != from) {
            self.send(peer, TransferMode::Reliable, 0, relayed.clone());
        }
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
        let own = self.pending.get(&from).is_some_and(|(own, _)| *own);
        match packet {
            Packet::Sys(Sys::Auth(bytes)) => {
                if bytes.is_empty() {
                    if own {
                        self.pending.remove(&from);
                        self.admit(from);
                        return Ok(Some(Event::PeerConnected(from)));
                    }
                    self.pending.insert(from, (own, true));
                }
                Ok(Some(Event::Auth { from, bytes }))
            }
            // The peer was admitted on its side: its first packet says so.
            packet if own => {
                self.pending.remove(&from);
                self.admit(from);
                match packet {
                    Packet::Sys(sys) => self.sys(from, sys),
                    packet => self.packet(from, packet),
                }
            }
            other => {
                let name = other.name();
                let text = format!("expected a packet of authentication of {from}, found {name}");
                Err(Error::new(ErrorKind::Protocol, text))
            }
        }
    }
}

/// Bytes of a relayed packet before the packet inside.
const RELAY_HEAD: usize = 6;
