//! The captured session, played by this crate on both sides.

use godot_multiplayer::{Event, Methods, NewSpawn, Session, State, TransferMode};
use godot_variant::Error;
use godot_variant::types::{PackedByteArray, Vector3};

/// The sender of each packet, and its bytes.
pub(crate) type Packets = Vec<(i64, Vec<u8>)>;

/// Peer 1, the server, and peer 2.
struct Both {
    server: Session,
    client: Session,
    packets: Packets,
    /// The meaning of the packets to their receivers.
    events: Vec<String>,
}

/// Plays what the steps of the rows say.
pub(crate) fn play() -> Result<(Packets, Vec<String>), Error> {
    let with_nodes = |mut session: Session, peer| {
        session.node("N", Methods::new().any_peer("go"));
        session.node("N/Spawner", Methods::new());
        session.connect(peer).unwrap();
        session
    };
    let mut both = Both {
        server: with_nodes(Session::server(), 2),
        client: with_nodes(Session::client(2), 1),
        packets: Vec::new(),
        events: Vec::new(),
    };
    for _ in 0..2 {
        both.server.call(2, "N", "go", &(1, "x", 2.5))?;
        both.deliver()?;
    }
    for _ in 0..2 {
        both.client.call(1, "N", "go", &())?;
        both.deliver()?;
    }
    both.server.call(2, "N", "go", &(PackedByteArray(vec![1, 2, 3]),))?;
    both.deliver()?;
    both.server.send_bytes(2, &[9, 8, 7])?;
    both.deliver()?;

    let position = Vector3::new(1.0, 2.0, 3.0);
    let state = State::new(&(5, position))?;
    let thing = NewSpawn::scene(0, "Thing").synchronizers(1).state(state);
    let thing = both.server.spawn(2, "N/Spawner", thing)?;
    let id = thing.synchronizers[0];
    // The engine sends the first states before the answer to the path arrives.
    both.server.sync(2, &[(id, State::new(&(5,))?)])?;
    both.server.delta(2, &[(id, 1, State::new(&(position,))?)])?;
    both.deliver()?;
    for _ in 0..5 {
        both.server.sync(2, &[(id, State::new(&(5,))?)])?;
    }
    both.server.sync(2, &[(id, State::new(&(1000,))?)])?;
    both.server.delta(2, &[(id, 1, State::new(&(Vector3::new(9.0, 8.0, 7.0),))?)])?;
    for _ in 0..3 {
        both.server.sync(2, &[(id, State::new(&(1000,))?)])?;
    }
    both.server.despawn(2, thing.net_id)?;
    both.deliver()?;
    Ok((both.packets, both.events))
}

impl Both {
    /// Passes packets on until there are none.
    fn deliver(&mut self) -> Result<(), Error> {
        loop {
            let mut quiet = true;
            while let Some(packet) = self.server.next_outgoing() {
                quiet = false;
                self.packets.push((1, packet.bytes.to_vec()));
                let event = self.client.receive(1, TransferMode::Reliable, 0, &packet.bytes)?;
                self.events.push(shown(&self.client, event)?);
            }
            while let Some(packet) = self.client.next_outgoing() {
                quiet = false;
                self.packets.push((2, packet.bytes.to_vec()));
                let event = self.server.receive(2, TransferMode::Reliable, 0, &packet.bytes)?;
                self.events.push(shown(&self.server, event)?);
            }
            if quiet {
                return Ok(());
            }
        }
    }
}

/// The meaning of a packet, in one line.
fn shown(session: &Session, event: Option<Event<'_>>) -> Result<String, Error> {
    let of = |id| session.synchronizer(1, id);
    Ok(match event {
        Some(Event::Call(call)) => format!("{} {}{:?}", call.path, call.method, call.arguments),
        Some(Event::Bytes { bytes, .. }) => format!("bytes {bytes:?}"),
        Some(Event::PathLearned { path, agrees, .. }) => format!("learned {path} {agrees}"),
        Some(Event::PathConfirmed { path, agrees, .. }) => format!("confirmed {path} {agrees}"),
        Some(Event::Spawn { spawner, spawn, .. }) => {
            format!("{spawner} spawns {} {:?}", spawn.name, spawn.state)
        }
        Some(Event::Despawn { despawn, .. }) => format!("despawn {}", despawn.net_id),
        Some(Event::Sync { sync, .. }) => {
            let state = &sync.states[0];
            format!("sync {} {:?} of {:?}", sync.time, state.state, of(state.net_id))
        }
        Some(Event::Delta { delta, .. }) => {
            let state = &delta.states[0];
            format!("delta {:#b} {:?} of {:?}", state.properties, state.state, of(state.net_id))
        }
        other => format!("{other:?}"),
    })
}
