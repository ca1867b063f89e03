//! Packets that wait to be sent, in a queue for each peer.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Bound;

use super::Outgoing;
use crate::TransferMode;

/// Packets that wait for the peers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    /// None of them is empty.
    queues: BTreeMap<i32, Queue>,
    /// The peer whose turn it was.
    last: i32,
    /// Peers that were given up: nothing waits for them.
    over: BTreeSet<i32>,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    /// Each with the peer that it is relayed from.
    packets: VecDeque<(Option<i32>, Outgoing)>,
    bytes: usize,
    /// Of these, the bytes that are relayed from each peer.
    relayed: HashMap<i32, usize>,
}

/// The memory of a packet beside its bytes, about.
const OVERHEAD: usize = 64;

fn size(packet: &Outgoing) -> usize {
    packet.bytes.len().saturating_add(OVERHEAD)
}

impl Outbox {
    /// Adds a packet of this side, or one that is relayed from a peer, if at most `most` bytes wait then. Returns
    /// false for a reliable one that has no room; another may be lost.
    pub(crate) fn push(&mut self, from: Option<i32>, packet: Outgoing, most: usize) -> bool {
        let (peer, size) = (packet.peer, size(&packet));
        if self.over.contains(&peer) {
            return true;
        }
        let queue = self.queues.get(&peer);
        let all = queue.map_or(size, |queue| queue.bytes.saturating_add(size));
        let part = from.and_then(|from| queue?.relayed.get(&from)).copied().unwrap_or_default();
        let is_over_part = part > 0 && part.saturating_add(size) > most / 4;
        if is_over_part || all > most {
            return packet.transfer != TransferMode::Reliable;
        }
        let queue = self.queues.entry(peer).or_default();
        queue.bytes = all;
        if let Some(from) = from {
            queue.relayed.insert(from, part.saturating_add(size));
        }
        queue.packets.push_back((from, packet));
        true
    }

    /// The next packet: one of each peer in turn.
    pub(crate) fn next(&mut self) -> Option<Outgoing> {
        let mut after = self.queues.range((Bound::Excluded(self.last), Bound::Unbounded));
        let (peer, _) = after.next().or_else(|| self.queues.first_key_value())?;
        self.last = *peer;
        self.next_for(self.last)
    }

    /// The next packet for a peer.
    pub(crate) fn next_for(&mut self, peer: i32) -> Option<Outgoing> {
        let queue = self.queues.get_mut(&peer)?;
        let (from, packet) = queue.packets.pop_front()?;
        let size = size(&packet);
        queue.bytes = queue.bytes.saturating_sub(size);
        if let Some(from) = from
            && let Some(part) = queue.relayed.get_mut(&from)
        {
            *part = part.saturating_sub(size);
            if *part == 0 {
                queue.relayed.remove(&from);
            }
        }
        if queue.packets.is_empty() {
            self.queues.remove(&peer);
        }
        Some(packet)
    }

    /// Drops what waits for a peer, and what would wait.
    pub(crate) fn give_up(&mut self, peer: i32) {
        self.queues.remove(&peer);
        self.over.insert(peer);
    }

    /// Drops what waits for a peer.
    pub(crate) fn forget(&mut self, peer: i32) {
        self.queues.remove(&peer);
        self.over.remove(&peer);
    }
}
