//! Nodes that are spawned, and their states.

use std::collections::HashMap;
use std::sync::Arc;

use super::keep::Departed;
use super::{Session, Synchronizer, To};
use crate::{
    Delta, DeltaState, Despawn, Error, ErrorKind, Packet, Result, Spawn, State, Sync, SyncState,
    TransferMode,
};

/// The bit of the ids of synchronizers that were not spawned; the rest is the id of their path.
const BY_PATH: u32 = 1 << 31;

/// A node that is to be spawned on other peers.
///
/// ```
/// use godot_multiplayer::{Methods, NewSpawn, Session, State};
/// use godot_variant::types::Vector3;
///
/// let mut server = Session::server();
/// server.node("Main/Spawner", Methods::new());
/// server.connect(2)?;
/// let state = State::new(&(5, Vector3::new(1.0, 2.0, 3.0)))?;
/// let thing = NewSpawn::scene(0, "Thing").synchronizers(1).state(state);
/// let thing = server.spawn(2, "Main/Spawner", thing)?;
/// server.sync(2, &[(thing.synchronizers[0], State::new(&(6,))?)])?;
/// server.despawn(2, thing.net_id)?;
/// # Ok::<(), godot_multiplayer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NewSpawn<'a> {
    pub(super) scene: u8,
    pub(super) name: &'a str,
    pub(super) argument: Option<State<'a>>,
    pub(super) state: Option<State<'a>>,
    synchronizers: usize,
    ids: Option<Spawned>,
}

impl<'a> NewSpawn<'a> {
    /// A node of the scene at a position of the spawner's list.
    pub fn scene(scene: u8, name: &'a str) -> Self {
        NewSpawn { scene, name, argument: None, state: None, synchronizers: 0, ids: None }
    }

    /// A node that the spawner's `spawn_function` makes of an argument, a state of one value.
    pub fn custom(argument: State<'a>, name: &'a str) -> Self {
        NewSpawn { argument: Some(argument), ..NewSpawn::scene(Spawn::CUSTOM, name) }
    }

    /// The properties that are replicated on spawn, of all synchronizers.
    #[must_use]
    pub fn state(mut self, state: State<'a>) -> Self {
        self.state = Some(state);
        self
    }

    /// How many synchronizers the node has.
    #[must_use]
    pub fn synchronizers(mut self, count: usize) -> Self {
        self.synchronizers = count;
        self
    }

    /// A node that other peers have already, with the ids that it has there.
    #[must_use]
    pub fn again(mut self, ids: Spawned) -> Self {
        self.ids = Some(ids);
        self
    }
}

/// The ids of a node that was spawned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spawned {
    /// The id of the node.
    pub net_id: u32,
    /// The ids of its synchronizers.
    pub synchronizers: Vec<u32>,
}

/// Ids of nodes that this side spawned, and nodes that peers spawned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replicas {
    last: u32,
    peers: HashMap<i32, Remotes>,
    /// Nodes that peers despawned.
    despawned: Departed<(i32, u32)>,
}

/// The nodes and syncs of one peer.
#[derive(Clone, Debug, Default)]
struct Remotes {
    /// Syncs that it was sent.
    time: u16,
    nodes: HashMap<u32, Remote>,
    synchronizers: HashMap<u32, (u32, usize)>,
    /// The times of the last syncs of its synchronizers.
    last: HashMap<u32, u16>,
}

/// A node that a peer spawned.
#[derive(Clone, Debug)]
struct Remote {
    spawner: Arc<str>,
    name: Arc<str>,
    synchronizers: Vec<u32>,
}

impl Replicas {
    fn new_id(&mut self) -> u32 {
        self.last = self.last.saturating_add(1);
        self.last
    }

    pub(crate) fn forget(&mut self, peer: i32) {
        self.peers.remove(&peer);
    }

    /// A peer spawned a node.
    pub(crate) fn spawned(
        &mut self,
        from: i32,
        spawner: &Arc<str>,
        spawn: &Spawn<'_>,
    ) -> Result<()> {
        let Spawn { net_id, synchronizers, name, .. } = spawn;
        let remotes = self.peers.entry(from).or_default();
        if remotes.nodes.contains_key(net_id) {
            let text = format!("expected a new id of a node, found {net_id} of peer {from} again");
            return Err(Error::at(ErrorKind::Protocol, 6, text));
        }
        let count = remotes.nodes.len().saturating_add(remotes.synchronizers.len());
        let most = Session::MAX_SPAWNED;
        if count.saturating_add(synchronizers.len()) >= most {
            let text = format!("peer {from} has spawned more than {most} nodes and synchronizers");
            return Err(Error::at(ErrorKind::AllocLimit, 6, text));
        }
        for (index, id) in synchronizers.iter().enumerate() {
            remotes.synchronizers.insert(*id, (*net_id, index));
        }
        let remote = Remote {
            spawner: Arc::clone(spawner),
            name: (&**name).into(),
            synchronizers: synchronizers.clone(),
        };
        remotes.nodes.insert(*net_id, remote);
        Ok(())
    }

    /// The spawner of a node of a peer.
    pub(crate) fn spawner(&self, from: i32, net_id: u32) -> Option<Arc<str>> {
        Some(Arc::clone(&self.peers.get(&from)?.nodes.get(&net_id)?.spawner))
    }

    /// A peer despawned a node.
    pub(crate) fn despawned(&mut self, from: i32, net_id: u32) -> Result<()> {
        let remotes = self.peers.get_mut(&from);
        let found = remotes.and_then(|own| own.nodes.remove(&net_id).map(|node| (own, node)));
        let Some((remotes, remote)) = found else {
            let text =
                format!("expected the id of a node that peer {from} spawned, found {net_id}");
            return Err(Error::at(self.despawned.kind(&(from, net_id)), 1, text));
        };
        self.despawned.add((from, net_id));
        for id in &remote.synchronizers {
            remotes.synchronizers.remove(id);
            remotes.last.remove(id);
        }
        Ok(())
    }

    /// Takes the time of a state, unless the last one of the synchronizer is not older.
    pub(crate) fn take_time(&mut self, from: i32, net_id: u32, time: u16) -> bool {
        let last = &mut self.peers.entry(from).or_default().last;
        let is_newer = last.get(&net_id).is_none_or(|last| Sync::is_newer(time, *last));
        if is_newer {
            last.insert(net_id, time);
        }
        is_newer
    }
}

impl Session {
    /// The most nodes and synchronizers that one peer may have spawned at a time.
    pub const MAX_SPAWNED: usize = 1 << 20;

    /// Spawns a node on other peers.
    ///
    /// # Errors
    /// A spawner or peer that this side does not know, and a spawner of another authority.
    pub fn spawn(
        &mut self,
        to: impl Into<To>,
        spawner: &str,
        spawn: NewSpawn<'_>,
    ) -> Result<Spawned> {
        let own = self.id;
        self.check_authority(own, spawner, "a spawn")?;
        let peers = self.targets(to.into())?;
        let NewSpawn { scene, name, argument, state, synchronizers, ids } = spawn;
        let spawned = ids.unwrap_or_else(|| Spawned {
            net_id: self.replicas.new_id(),
            synchronizers: (0..synchronizers).map(|_| self.replicas.new_id()).collect(),
        });
        let packet = Packet::Spawn(Spawn {
            scene,
            spawner: self.cache.id(spawner),
            net_id: spawned.net_id,
            synchronizers: spawned.synchronizers.clone(),
            name: name.into(),
            argument,
            state: state.unwrap_or(State { bytes: (&[]).into(), at: 0 }),
        });
        let bytes: Arc<[u8]> = packet.to_vec()?.into();
        for peer in peers {
            self.announce(spawner, peer)?;
            self.send(peer, TransferMode::Reliable, 0, Arc::clone(&bytes));
        }
        Ok(spawned)
    }

    /// Removes a node that this side spawned from other peers; of all, it is no longer
    /// [kept](Self::keep).
    ///
    /// # Errors
    /// A peer that this side does not know.
    pub fn despawn(&mut self, to: impl Into<To>, net_id: u32) -> Result<()> {
        let to = to.into();
        if to == To::All {
            self.kept.retain(|kept| kept.ids.net_id != net_id);
            self.broadcast(Packet::Despawn(Despawn { net_id }));
            return Ok(());
        }
        for peer in self.targets(to)? {
            self.push(peer, Packet::Despawn(Despawn { net_id }));
        }
        Ok(())
    }

    /// The id of a synchronizer that is present from the start, by its path. Peers are told; a state
    /// that reaches them before they have [`confirmed`](super::Event::PathConfirmed) the path is lost.
    ///
    /// # Errors
    /// A path or peer that this side does not know.
    pub fn synchronizer_at(&mut self, to: impl Into<To>, path: &str) -> Result<u32> {
        self.find(path)?;
        for peer in self.targets(to.into())? {
            self.announce(path, peer)?;
        }
        Ok(self.cache.id(path) | BY_PATH)
    }

    /// Sends states of synchronizers, unreliably: the properties that are replicated always. They go into as many
    /// packets as it takes, each of at most [`max_sync_packet_size`](Self::max_sync_packet_size).
    ///
    /// # Errors
    /// A state that is larger than that, and a peer that this side does not know; nothing is sent then.
    pub fn sync(&mut self, to: impl Into<To>, states: &[(u32, State<'_>)]) -> Result<()> {
        let states = states
            .iter()
            .map(|(net_id, state)| SyncState { net_id: *net_id, state: state.clone() });
        let packets = split(states, self.max_sync, 3, 8, |own| (own.net_id, &own.state))?;
        for peer in self.targets(to.into())? {
            let time = &mut self.replicas.peers.entry(peer).or_default().time;
            *time = time.wrapping_add(1);
            let time = *time;
            for states in &packets {
                let packet = Packet::Sync(Sync { time, states: states.clone() });
                let bytes = packet.to_vec()?.into();
                self.send(peer, TransferMode::Unreliable, 0, bytes);
            }
        }
        Ok(())
    }

    /// Sends changes of synchronizers, reliably: of the properties that are replicated on change
    /// those whose bits are set. They go into as many packets as it takes, each of at most
    /// [`max_delta_packet_size`](Self::max_delta_packet_size).
    ///
    /// # Errors
    /// As [`sync`](Self::sync).
    pub fn delta(&mut self, to: impl Into<To>, states: &[(u32, u64, State<'_>)]) -> Result<()> {
        let states = states.iter().map(|(net_id, properties, state)| DeltaState {
            net_id: *net_id,
            properties: *properties,
            state: state.clone(),
        });
        let packets = split(states, self.max_delta, 1, 16, |own| (own.net_id, &own.state))?;
        let peers = self.targets(to.into())?;
        for states in packets {
            let bytes: Arc<[u8]> = Packet::Delta(Delta { states }).to_vec()?.into();
            for peer in &peers {
                self.send(*peer, TransferMode::Reliable, 0, Arc::clone(&bytes));
            }
        }
        Ok(())
    }

    /// The synchronizer whose states have this id in a sync or delta of a peer; `None` for one it has not spawned or
    /// named, which the engine skips.
    pub fn synchronizer(&self, from: i32, net_id: u32) -> Option<Synchronizer> {
        if net_id & BY_PATH != 0 {
            return self.cache.path(from, net_id & !BY_PATH).map(Synchronizer::Path);
        }
        let remotes = self.replicas.peers.get(&from)?;
        let (node, index) = *remotes.synchronizers.get(&net_id)?;
        let remote = remotes.nodes.get(&node)?;
        Some(Synchronizer::Spawned {
            spawner: Arc::clone(&remote.spawner),
            node: Arc::clone(&remote.name),
            net_id: node,
            index,
        })
    }
}

/// Lays states into packets as the engine does: each has a head and, before a state, a record. Empty states are left
/// out, and one that is large takes a packet of its own.
fn split<T>(
    states: impl Iterator<Item = T>,
    most: usize,
    head: usize,
    record: usize,
    of: impl Fn(&T) -> (u32, &State<'_>),
) -> Result<Vec<Vec<T>>> {
    let mut packets: Vec<Vec<T>> = Vec::new();
    let mut size = usize::MAX;
    for own in states {
        let (net_id, State { bytes, .. }) = of(&own);
        if bytes.len() > most {
            let (state, len) = (format!("a state of synchronizer {net_id}"), bytes.len());
            let text = format!("expected at most {most} bytes in {state}, found {len}");
            return Err(Error::new(ErrorKind::OutputLimit, text));
        }
        let len = bytes.len().saturating_add(record);
        if len > record {
            if size.saturating_add(len) > most {
                packets.push(Vec::new());
                size = head;
            }
            size = size.saturating_add(len);
            if let Some(packet) = packets.last_mut() {
                packet.push(own);
            }
        }
    }
    Ok(packets)
}
