//! The example servers, and clients that do what they should not.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use godot_multiplayer::{Event, Methods, SERVER, Session, TransferMode};
use tungstenite::{Message, WebSocket};

#[path = "../../examples/enet.rs"]
#[allow(dead_code)]
mod enet;
#[path = "../../examples/server.rs"]
#[allow(dead_code)]
mod server;

const PATIENCE: Duration = Duration::from_secs(20);

fn start(all: usize, each: usize) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let hosts = server::Hosts { all, each, ..Default::default() };
    std::thread::spawn(move || server::run(&listener, &hosts));
    address
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Whether the server closes it.
fn is_closed(mut stream: TcpStream) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        match stream.read(&mut [0; 100]) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
    false
}

/// A client of the WebSocket server.
struct Player {
    socket: WebSocket<TcpStream>,
    session: Session,
}

impl Player {
    fn new(address: SocketAddr) -> Option<Player> {
        let url = format!("ws://{address}/");
        let (mut socket, _) = tungstenite::client(url, connect(address)).ok()?;
        let Message::Binary(id) = socket.read().ok()? else { return None };
        let mut session = Session::client(i32::from_le_bytes(id.as_ref().try_into().ok()?));
        session.node("Chat", Methods::new().any_peer("say").authority("hear"));
        session.connect(SERVER).ok()?;
        Some(Player { socket, session })
    }

    /// Says something; returns what it hears.
    fn say(&mut self, text: &str) -> Option<String> {
        self.session.call(SERVER, "Chat", "say", &(text,)).unwrap();
        loop {
            while let Some(packet) = self.session.next_outgoing() {
                self.socket.send(Message::binary(packet.bytes.to_vec())).ok()?;
            }
            let Message::Binary(bytes) = self.socket.read().ok()? else { continue };
            let event = self.session.receive(SERVER, TransferMode::Reliable, 0, &bytes).unwrap();
            if let Some(Event::Call(call)) = event {
                return call.args::<(String,)>().ok().map(|(text,)| text);
            }
        }
    }
}

#[test]
fn one_host_has_some_places() {
    let address = start(10, 2);
    let silent = connect(address);
    let mut player = Player::new(address).unwrap();
    assert!(is_closed(connect(address)), "a third one");
    assert_eq!(player.say("a").as_deref(), Some("you said a"));
    drop(silent);
    let begun = Instant::now();
    while Player::new(address).is_none() {
        assert!(begun.elapsed() < PATIENCE, "a place that is free again");
    }
}

#[test]
fn a_handshake_ends() {
    let address = start(10, 10);
    let begun = Instant::now();
    let mut slow = connect(address);
    let stream = slow.try_clone().unwrap();
    let writer = std::thread::spawn(move || {
        while slow.write_all(b"G").is_ok() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(300));
        }
    });
    assert!(is_closed(stream));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    writer.join().unwrap();
}

#[test]
fn binary_messages_alone_are_packets() {
    let address = start(10, 10);
    let (mut player, mut bad) = (Player::new(address).unwrap(), Player::new(address).unwrap());
    // As packets they would be refused, too many times.
    for _ in 0..60 {
        player.socket.send(Message::Ping(vec![0xff; 20].into())).unwrap();
        player.socket.send(Message::text("\u{7f}")).unwrap();
    }
    assert_eq!(player.say("b").as_deref(), Some("you said b"));
    for _ in 0..150 {
        if bad.socket.send(Message::binary(vec![0xff; 20])).is_err() {
            break;
        }
    }
    assert_eq!(bad.say("c"), None);
    assert_eq!(player.say("d").as_deref(), Some("you said d"));
}

#[test]
fn a_message_is_of_some_size() {
    let address = start(10, 10);
    let (mut player, mut large) = (Player::new(address).unwrap(), Player::new(address).unwrap());
    assert_eq!(large.say(&"x".repeat(30_000)).map(|text| text.len()), Some(30_009));
    assert_eq!(large.say(&"x".repeat(70_000)), None);
    // The head of one that never comes.
    let mut endless = Player::new(address).unwrap();
    let head = [&[0x82, 0xff][..], &(62_u64 << 20).to_be_bytes(), &[0; 4]].concat();
    endless.socket.get_mut().write_all(&head).unwrap();
    assert!(is_closed(endless.socket.get_ref().try_clone().unwrap()));
    assert_eq!(player.say("e").as_deref(), Some("you said e"));
}

/// Runs a server and clients until all of the clients that should have heard something.
fn play(server: &mut enet::Side, clients: &mut [&mut enet::Side], waits: &[usize]) {
    let begun = Instant::now();
    while !waits.iter().all(|at| !clients[*at].heard.is_empty()) {
        assert!(begun.elapsed() < PATIENCE, "{waits:?}");
        server.turn();
        for client in &mut *clients {
            if client.turn() {
                client.session.call(SERVER, "Chat", "say", &("hello",)).unwrap();
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn over_enet_an_id_belongs_to_one_client() {
    let mut server = enet::Side::new("127.0.0.1:0", enet::server()).unwrap();
    let address = server.host.socket().local_addr().unwrap();
    let mut first = enet::client(address, 7).unwrap();
    play(&mut server, &mut [&mut first], &[0]);
    for id in [7, 1, 0, -5] {
        let mut thief = enet::client(address, id).unwrap();
        let mut other = enet::client(address, 100 + id).unwrap();
        first.heard.clear();
        first.session.call(SERVER, "Chat", "say", &("again",)).unwrap();
        play(&mut server, &mut [&mut first, &mut thief, &mut other], &[0, 2]);
        assert!(thief.heard.is_empty(), "{id}");
        assert_eq!(first.heard, ["you said again"]);
    }
}

#[test]
fn over_enet_one_bad_peer_is_one() {
    let mut server = enet::Side::with_limits("127.0.0.1:0", enet::server(), 8, 2).unwrap();
    let address = server.host.socket().local_addr().unwrap();
    let (mut good, mut bad) =
        (enet::client(address, 2).unwrap(), enet::client(address, 3).unwrap());
    play(&mut server, &mut [&mut good, &mut bad], &[0, 1]);
    // An answer that is larger than the transport takes.
    let text = "x".repeat((64 << 10) - 20);
    bad.session.call(SERVER, "Chat", "say", &(text,)).unwrap();
    let begun = Instant::now();
    while server.session.peers().contains(&3) {
        assert!(begun.elapsed() < PATIENCE);
        server.turn();
        bad.turn();
    }
    good.heard.clear();
    good.session.call(SERVER, "Chat", "say", &("still here",)).unwrap();
    play(&mut server, &mut [&mut good], &[0]);
    assert_eq!(good.heard, ["you said still here"]);
    // Half-open connections of one host take no more than its places, and these for two seconds.
    let mut half: Vec<_> = (10..30).map(|id| enet::client(address, id).unwrap()).collect();
    half.iter_mut().for_each(|own| {
        own.turn();
    });
    drop(half);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(4) {
        server.turn();
        good.turn();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(server.session.peers(), [2]);
    let mut late = enet::client(address, 50).unwrap();
    play(&mut server, &mut [&mut good, &mut late], &[0, 1]);
}

/// What comes between two turns waits in the system, so that a burst of one does not lose what others send.
#[test]
#[cfg(target_os = "linux")]
fn over_enet_a_burst_fits() {
    let mut server = enet::Side::new("127.0.0.1:0", enet::server()).unwrap();
    let address = server.host.socket().local_addr().unwrap();
    let mut good = enet::client(address, 2).unwrap();
    play(&mut server, &mut [&mut good], &[0]);
    good.heard.clear();
    let stranger = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    // More than a system gives by default, and less than it gives to whom asks.
    for _ in 0..130 {
        stranger.send_to(&[7; 1200], address).unwrap();
    }
    good.session.call(SERVER, "Chat", "say", &("hello",)).unwrap();
    // The second turn sends what the first one made.
    good.turn();
    good.turn();
    // A packet that was lost is not sent again so soon.
    for _ in 0..2 {
        server.turn();
    }
    good.turn();
    assert_eq!(good.heard, ["you said hello"]);
}
