//! A server for unmodified Godot clients over ENet, the engine's own transport:
//! `cargo run --example enet -- ADDRESS`. Without an address it plays a client, too, and ends.

use std::collections::HashMap;
use std::error::Error;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use godot_multiplayer::{Event, Methods, Outgoing, SERVER, Session, TransferMode};
use rusty_enet::{EventNoRef, Host, HostSettings, Packet, PacketKind, PeerID, PeerState};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    match std::env::args().nth(1) {
        // In Godot: `peer.create_client("HOST", 9080)` of an ENetMultiplayerPeer.
        Some(address) => {
            let mut server = Side::new(&address, server())?;
            loop {
                server.turn();
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        None => play(),
    }
}

/// The node `/root/Chat` has `@rpc("any_peer") func say(text)` and `@rpc func hear(text)`.
pub(crate) fn server() -> Session {
    // Clients that need not reach one another cannot send anything to one another.
    let mut session = Session::server().relays(false);
    session.node("Chat", Methods::new().any_peer("say").authority("hear"));
    session
}

/// A server and a client that talk.
fn play() -> Outcome<()> {
    let mut server = Side::new("127.0.0.1:0", server())?;
    let mut client = client(server.host.socket().local_addr()?, 7)?;
    let start = Instant::now();
    while client.heard.is_empty() {
        if start.elapsed() > Duration::from_secs(20) {
            return Err("no answer came".into());
        }
        server.turn();
        if client.turn() {
            client.session.call(SERVER, "Chat", "say", &("hello",))?;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    println!("{}", client.heard.join("\n"));
    Ok(())
}

/// A client, which chooses its id: the data of the connection.
pub(crate) fn client(address: SocketAddr, id: i32) -> Outcome<Side> {
    let mut client = Side::new("127.0.0.1:0", Session::client(id))?;
    client.session.node("Chat", Methods::new().any_peer("say").authority("hear"));
    let peer = client.host.connect(address, CHANNELS, id.cast_unsigned())?.id();
    client.add(SERVER, peer);
    Ok(client)
}

const CHANNELS: usize = 255;

/// Of a server: clients, those of one host, bytes of one packet; bad packets of one client, and its packets in a
/// second, where 1 KiB counts as one.
const MAX_PEERS: usize = 64;
const MAX_PER_HOST: usize = 8;
const MAX_PACKET: usize = 64 << 10;
const MAX_REFUSED: u32 = 100;
const MAX_RATE: usize = 500;
/// Bytes that wait in the system between two turns; it may allow fewer.
const RECEIVE_BUFFER: usize = 4 << 20;

/// One side: peers have an id in the game and one in the transport.
pub(crate) struct Side {
    pub(crate) host: Host<UdpSocket>,
    pub(crate) session: Session,
    pub(crate) heard: Vec<String>,
    pub(crate) max_per_host: usize,
    peers: HashMap<i32, Peer>,
    ids: HashMap<PeerID, i32>,
}

struct Peer {
    place: PeerID,
    refused: u32,
    /// The packets in the second that began then.
    second: Instant,
    packets: usize,
}

impl Side {
    pub(crate) fn new(address: &str, session: Session) -> Outcome<Self> {
        Self::with_limits(address, session, MAX_PEERS, MAX_PER_HOST)
    }

    pub(crate) fn with_limits(
        address: &str,
        session: Session,
        peer_limit: usize,
        max_per_host: usize,
    ) -> Outcome<Self> {
        let socket = UdpSocket::bind(address.parse::<SocketAddr>()?)?;
        // By default one burst of one client fills it for all.
        socket2::SockRef::from(&socket).set_recv_buffer_size(RECEIVE_BUFFER)?;
        let settings = HostSettings { peer_limit, channel_limit: CHANNELS, ..Default::default() };
        let mut host = Host::new(socket, settings)?;
        host.set_maximum_packet_size(MAX_PACKET)?;
        host.set_maximum_waiting_data(4 * MAX_PACKET)?;
        let (peers, ids) = (HashMap::new(), HashMap::new());
        Ok(Side { host, session, heard: Vec::new(), max_per_host, peers, ids })
    }

    /// Takes what arrived, and sends what is to be sent. Returns whether a peer has connected. No error of one peer
    /// is one of another's.
    pub(crate) fn turn(&mut self) -> bool {
        let mut is_new = false;
        // An error of the socket may be about one address.
        while let Ok(Some(event)) = self.host.service().map(|own| own.map(|event| event.no_ref())) {
            match event {
                EventNoRef::Connect { peer, data } => is_new |= self.connected(peer, data),
                EventNoRef::Disconnect { peer, .. } => {
                    if let Some(id) = self.ids.get(&peer) {
                        self.remove(*id);
                    }
                }
                EventNoRef::Receive { peer, packet, channel_id } => {
                    if let Some(id) = self.ids.get(&peer) {
                        self.received(*id, channel_id, &packet);
                    }
                }
            }
            self.send();
        }
        if self.session.id() == SERVER {
            self.make_room();
        }
        self.send();
        is_new
    }

    fn connected(&mut self, place: PeerID, data: u32) -> bool {
        if self.session.id() != SERVER {
            return self.session.connect(SERVER).is_ok();
        }
        let id = data.cast_signed();
        // As the engine does with a client that takes an id which is not its own.
        if self.session.connect(id).is_err() {
            self.host.peer_mut(place).reset();
            return false;
        }
        // Who does not acknowledge anything for so long is gone.
        self.host.peer_mut(place).set_timeout(0, 3000, 6000);
        self.add(id, place);
        true
    }

    fn add(&mut self, id: i32, place: PeerID) {
        self.peers.insert(id, Peer { place, refused: 0, second: Instant::now(), packets: 0 });
        self.ids.insert(place, id);
    }

    fn remove(&mut self, id: i32) {
        if let Some(peer) = self.peers.remove(&id) {
            self.ids.remove(&peer.place);
        }
        self.session.disconnect(id);
    }

    /// Ends the connection of a peer.
    fn end(&mut self, id: i32) {
        if let Some(peer) = self.peers.get(&id) {
            self.host.peer_mut(peer.place).disconnect_now(0);
        }
        self.remove(id);
    }

    fn received(&mut self, id: i32, channel: u8, packet: &Packet) {
        let refused = u32::from(self.receive(id, channel, packet).is_err());
        let Some(peer) = self.peers.get_mut(&id) else { return };
        if peer.second.elapsed() > Duration::from_secs(1) {
            (peer.second, peer.packets) = (Instant::now(), 0);
        }
        peer.packets = peer.packets.saturating_add((packet.data().len() / 1024).saturating_add(1));
        // An error is about one packet: the peer stays, but not for ever.
        peer.refused = peer.refused.saturating_add(refused);
        if peer.refused > MAX_REFUSED || peer.packets > MAX_RATE {
            self.end(id);
        }
    }

    fn receive(&mut self, from: i32, channel: u8, packet: &Packet) -> Outcome<()> {
        let (transfer, channel) = of_enet(channel, packet.kind());
        let event = self.session.receive(from, transfer, channel, packet.data())?;
        if let Some(Event::Call(call)) = event {
            let (text,) = call.args::<(String,)>()?;
            match &*call.method {
                "say" => self.session.call(from, "Chat", "hear", &(format!("you said {text}"),))?,
                _ => self.heard.push(text),
            }
        }
        Ok(())
    }

    fn send(&mut self) {
        while let Some(packet) = self.session.next_outgoing() {
            let Some(peer) = self.peers.get(&packet.peer) else { continue };
            let (channel, in_enet) = in_enet(&packet);
            // A packet that is too large for the transport, say.
            if self.host.peer_mut(peer.place).send(channel, &in_enet).is_err() {
                self.end(packet.peer);
            }
        }
        while let Some(Event::Overflow(id) | Event::AuthFailed(id)) = self.session.next_event() {
            self.end(id);
        }
    }

    /// Takes the places of hosts that have too many, and soon those of connections that do not go on.
    fn make_room(&mut self) {
        let mut counts = HashMap::new();
        let mut over = Vec::new();
        for peer in self.host.peers_mut().filter(|peer| peer.state() != PeerState::Disconnected) {
            let Some(address) = peer.address() else { continue };
            let count = counts.entry(address.ip()).or_insert(0_usize);
            *count = count.saturating_add(1);
            if *count > self.max_per_host {
                over.push(peer.id());
            } else if !peer.connected() {
                peer.set_timeout(0, 1000, 2000);
            }
        }
        for place in over {
            match self.ids.get(&place) {
                Some(id) => self.end(*id),
                None => self.host.peer_mut(place).disconnect_now(0),
            }
        }
    }
}

/// The channel and the flags with which the engine sends a packet.
fn in_enet(packet: &Outgoing) -> (u8, Packet) {
    let bytes = &*packet.bytes;
    let (channel, made) = match packet.transfer {
        TransferMode::Unreliable => (1, Packet::always_unreliable_unsequenced(bytes)),
        TransferMode::UnreliableOrdered => (1, Packet::always_unreliable(bytes)),
        _ => (0, Packet::reliable(bytes)),
    };
    // Channels of the game come after those two.
    match u8::try_from(packet.channel) {
        Ok(own @ 1..) => (own.saturating_add(1), made),
        _ => (channel, made),
    }
}

/// The way back.
fn of_enet(channel: u8, kind: PacketKind) -> (TransferMode, i32) {
    let transfer = match kind {
        PacketKind::Reliable => TransferMode::Reliable,
        PacketKind::Unreliable { sequenced } | PacketKind::AlwaysUnreliable { sequenced } => {
            if sequenced {
                TransferMode::UnreliableOrdered
            } else {
                TransferMode::Unreliable
            }
        }
    };
    (transfer, i32::from(channel.saturating_sub(1)))
}
