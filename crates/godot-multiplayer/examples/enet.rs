//! A server for unmodified Godot clients over ENet, the engine's own transport:
//! `cargo run --example enet -- ADDRESS`. Without an address it plays a client, too, and ends.

use std::collections::HashMap;
use std::error::Error;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use godot_multiplayer::{Event, Methods, Outgoing, SERVER, Session, TransferMode};
use rusty_enet::{EventNoRef, Host, HostSettings, Packet, PeerID};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    match std::env::args().nth(1) {
        // In Godot: `peer.create_client("HOST", 9080)` of an ENetMultiplayerPeer.
        Some(address) => {
            let mut server = Side::new(&address, server())?;
            loop {
                server.turn()?;
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        None => play(),
    }
}

/// The node `/root/Chat` has `@rpc("any_peer") func say(text)` and `@rpc func hear(text)`.
fn server() -> Session {
    let mut session = Session::server();
    session.node("Chat", Methods::new().any_peer("say").authority("hear"));
    session
}

/// A server and a client that talk.
fn play() -> Outcome<()> {
    let mut server = Side::new("127.0.0.1:0", server())?;
    let id = 7;
    let mut client = Side::new("127.0.0.1:0", Session::client(id))?;
    client.session.node("Chat", Methods::new().any_peer("say").authority("hear"));
    // A client chooses its id, which is the data of the connection.
    let address = server.host.socket().local_addr()?;
    let peer = client.host.connect(address, CHANNELS, id.cast_unsigned())?.id();
    client.peers.insert(SERVER, peer);
    let start = Instant::now();
    while client.heard.is_empty() {
        if start.elapsed() > Duration::from_secs(20) {
            return Err("no answer came".into());
        }
        server.turn()?;
        if client.turn()? {
            client.session.call(SERVER, "Chat", "say", &("hello",))?;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    println!("{}", client.heard.join("\n"));
    Ok(())
}

const CHANNELS: usize = 255;

/// One side: peers have an id in the game and one in the transport.
struct Side {
    host: Host<UdpSocket>,
    peers: HashMap<i32, PeerID>,
    session: Session,
    heard: Vec<String>,
}

impl Side {
    fn new(address: &str, session: Session) -> Outcome<Self> {
        let socket = UdpSocket::bind(address.parse::<SocketAddr>()?)?;
        let settings =
            HostSettings { peer_limit: 32, channel_limit: CHANNELS, ..Default::default() };
        let host = Host::new(socket, settings)?;
        Ok(Side { host, peers: HashMap::new(), session, heard: Vec::new() })
    }

    /// Takes what arrived, and sends what is to be sent. Returns whether a peer has connected.
    fn turn(&mut self) -> Outcome<bool> {
        let mut is_new = false;
        while let Some(event) = self.host.service()?.map(rusty_enet::Event::no_ref) {
            match event {
                EventNoRef::Connect { peer, data } => {
                    let id = if self.session.id() == SERVER { data.cast_signed() } else { SERVER };
                    self.peers.insert(id, peer);
                    self.session.connect(id);
                    is_new = true;
                }
                EventNoRef::Disconnect { peer, .. } => {
                    if let Some(id) = self.id(peer) {
                        self.peers.remove(&id);
                        self.session.disconnect(id);
                    }
                }
                EventNoRef::Receive { peer, packet, .. } => {
                    if let Some(id) = self.id(peer) {
                        // An error is about one packet.
                        if let Err(error) = self.receive(id, packet.data()) {
                            eprintln!("{id}: {error}");
                        }
                    }
                }
            }
        }
        while let Some(packet) = self.session.next_outgoing() {
            if let Some(peer) = self.peers.get(&packet.peer) {
                let (channel, packet) = in_enet(&packet);
                self.host.peer_mut(*peer).send(channel, &packet)?;
            }
        }
        Ok(is_new)
    }

    fn id(&self, peer: PeerID) -> Option<i32> {
        self.peers.iter().find(|(_, own)| **own == peer).map(|(id, _)| *id)
    }

    fn receive(&mut self, from: i32, bytes: &[u8]) -> Outcome<()> {
        if let Some(Event::Call(call)) = self.session.receive(from, bytes)? {
            let (text,) = call.args::<(String,)>()?;
            match &*call.method {
                "say" => self.session.call(from, "Chat", "hear", &(format!("you said {text}"),))?,
                _ => self.heard.push(text),
            }
        }
        Ok(())
    }
}

/// The channel and the flags with which the engine sends a packet.
fn in_enet(packet: &Outgoing) -> (u8, Packet) {
    let bytes = packet.bytes.as_slice();
    let (channel, made) = match packet.transfer {
        TransferMode::Unreliable => (1, Packet::unreliable_unsequenced(bytes)),
        TransferMode::UnreliableOrdered => (1, Packet::always_unreliable(bytes)),
        _ => (0, Packet::reliable(bytes)),
    };
    // Channels of the game come after those two.
    match u8::try_from(packet.channel) {
        Ok(own @ 1..) => (own.saturating_add(1), made),
        _ => (channel, made),
    }
}
