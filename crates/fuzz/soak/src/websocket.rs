//! The example `server` of godot-multiplayer, over WebSocket.

#[path = "../../../godot-multiplayer/examples/server.rs"]
#[allow(dead_code)]
mod server;

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use godot_multiplayer::{Event, Methods, Packet, SERVER, Session, Sys, TransferMode};
use tungstenite::{Message, WebSocket};

use crate::watch::Watch;
use crate::{Game, Outcome, attack};

pub(crate) const GAME: Game = Game {
    name: "websocket",
    serve,
    honest,
    together: 1,
    attacks: &[
        ("silent", attack::silent),
        ("slow headers", |address, watch| {
            attack::slow(address, watch, b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: yes\r\n");
        }),
        ("fleeting", attack::fleeting),
        ("garbage", attack::garbage),
        ("reconnecting", |address, watch| again(address, watch, |_| Ok(()))),
        ("bad packets", |address, watch| flood(address, watch, || vec![0xff; 40])),
        ("endless messages", endless),
        ("large packets", |address, watch| flood(address, watch, || say(&"x".repeat(60_000)))),
        ("relays to all", |address, watch| {
            flood(address, watch, || {
                let packet = vec![3; 60_000].into();
                Packet::Sys(Sys::Relay { peer: 0, packet }).to_vec().unwrap_or_default()
            });
        }),
        ("readers of nothing", deaf),
        ("pings", |address, watch| {
            again(address, watch, |socket| {
                loop {
                    socket.send(Message::Ping(vec![7; 100].into()))?;
                    watch.pause(2);
                    if !watch.goes_on() {
                        return Ok(());
                    }
                }
            });
        }),
    ],
};

fn serve() -> Outcome {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    println!("{}", listener.local_addr()?);
    // All hosts are this one here.
    server::run(&listener, &server::Hosts { all: 1000, each: 1000, ..Default::default() });
    Ok(())
}

fn connect(address: SocketAddr) -> Outcome<WebSocket<TcpStream>> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(10)))?;
    let (socket, _) = tungstenite::client(format!("ws://{address}/"), stream)
        .map_err(|error| error.to_string())?;
    Ok(socket)
}

fn honest(address: SocketAddr, watch: &Arc<Watch>, _: usize) -> Outcome {
    let mut socket = connect(address)?;
    let id = match socket.read()? {
        Message::Binary(bytes) => i32::from_le_bytes(bytes.as_ref().try_into()?),
        other => return Err(format!("expected an id, found {other:?}").into()),
    };
    let mut session = Session::client(id);
    session.node("Chat", Methods::new().any_peer("say").authority("hear"));
    session.connect(SERVER)?;
    std::thread::sleep(watch.between());
    while watch.goes_on() {
        let asked = Instant::now();
        session.call(SERVER, "Chat", "say", &("hello",))?;
        while !hears(&mut socket, &mut session)? {}
        watch.answered(asked);
        std::thread::sleep(watch.between());
    }
    Ok(())
}

fn hears(socket: &mut WebSocket<TcpStream>, session: &mut Session) -> Outcome<bool> {
    while let Some(packet) = session.next_outgoing() {
        socket.send(Message::binary(packet.bytes.to_vec()))?;
    }
    let Message::Binary(bytes) = socket.read()? else { return Ok(false) };
    let event = session.receive(SERVER, TransferMode::Reliable, 0, &bytes)?;
    Ok(matches!(event, Some(Event::Call(_))))
}

/// A packet of a client that calls `say`.
fn say(text: &str) -> Vec<u8> {
    let mut session = Session::client(2);
    session.node("Chat", Methods::new().any_peer("say").authority("hear"));
    let made = session.connect(SERVER).and_then(|()| session.call(SERVER, "Chat", "say", &(text,)));
    let call = std::iter::from_fn(|| session.next_outgoing()).last();
    made.ok().and(call).map(|packet| packet.bytes.to_vec()).unwrap_or_default()
}

/// Connects as a client should, does something, and again.
fn again(
    address: SocketAddr,
    watch: &Watch,
    mut act: impl FnMut(&mut WebSocket<TcpStream>) -> tungstenite::Result<()>,
) {
    while watch.goes_on() {
        if let Ok(mut socket) = connect(address)
            && socket.get_ref().set_write_timeout(Some(Duration::from_millis(500))).is_ok()
        {
            let _ = act(&mut socket);
        }
        watch.pause(50);
    }
}

/// Sends packets as fast as the server takes them.
fn flood(address: SocketAddr, watch: &Watch, packet: impl Fn() -> Vec<u8>) {
    let packet = packet();
    again(address, watch, |socket| {
        while watch.goes_on() {
            socket.send(Message::binary(packet.clone()))?;
            // Together as much as a line of 100 Mbit/s brings.
            watch.pause(u64::try_from(packet.len() / 200 + 2).unwrap_or(1));
        }
        Ok(())
    });
}

/// A message of 62 MiB that never ends.
fn endless(address: SocketAddr, watch: &Watch) {
    use std::io::Write as _;
    again(address, watch, |socket| {
        let stream = socket.get_mut();
        let head = [&[0x82, 0xff][..], &(62_u64 << 20).to_be_bytes(), &[0; 4]].concat();
        stream.write_all(&head)?;
        while watch.goes_on() {
            stream.write_all(&[7; 4096])?;
            watch.pause(5);
        }
        Ok(())
    });
}

/// Asks for much, and does not read it.
fn deaf(address: SocketAddr, watch: &Watch) {
    let packet = say(&"x".repeat(30_000));
    again(address, watch, |socket| {
        while watch.goes_on() {
            socket.send(Message::binary(packet.clone()))?;
            watch.pause(2);
        }
        Ok(())
    });
}
