//! The example `enet` of godot-multiplayer, over ENet.

#[path = "../../../godot-multiplayer/examples/enet.rs"]
#[allow(dead_code)]
mod side;

use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

use godot_multiplayer::{Packet, SERVER, Sys};
use rusty_enet::{Event, Host, HostSettings};
use side::Side;

use crate::watch::Watch;
use crate::{Game, Outcome, attack};

pub(crate) const GAME: Game = Game {
    name: "enet",
    serve,
    honest,
    together: 50,
    attacks: &[
        ("takers of ids", |address, watch| raw(address, watch, 1000, &[0; 4])),
        ("false servers", |address, watch| raw(address, watch, 1, &[0, 1, 0])),
        ("bad packets", |address, watch| raw(address, watch, 0, &[0xff; 100])),
        ("large packets", |address, watch| raw(address, watch, 0, &[3; 60_000])),
        ("too large packets", |address, watch| raw(address, watch, 0, &[3; 200_000])),
        ("relays to all", |address, watch| {
            let relay = Sys::Relay { peer: 0, packet: (&[3; 1000]).into() };
            raw(address, watch, 0, &Packet::Sys(relay).to_vec().unwrap_or_default());
        }),
        ("half connections", half),
        ("random datagrams", random),
    ],
};

fn serve() -> Outcome {
    let server = Side::with_limits("127.0.0.1:0", side::server(), 1000, 1000);
    let mut server = server.map_err(|error| error.to_string())?;
    println!("{}", server.host.socket().local_addr()?);
    loop {
        server.turn();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Many clients on one thread, each with one call at a time.
fn honest(address: SocketAddr, watch: &Arc<Watch>, count: usize) -> Outcome {
    // The example's own clients; their ids are none that an attacker takes first.
    static NEXT: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(1000);
    let mut clients = Vec::new();
    for _ in 0..count {
        let id = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let side = side::client(address, id).map_err(|error| error.to_string())?;
        clients.push((side, None::<Instant>, Instant::now()));
    }
    while watch.goes_on() {
        for (client, asked, next) in &mut clients {
            client.turn();
            if let Some(begun) = *asked {
                if client.heard.pop().is_some() {
                    watch.answered(begun);
                    (*asked, *next) = (None, Instant::now() + watch.between());
                } else if begun.elapsed() > Duration::from_secs(8) {
                    return Err(format!("{} has no answer", client.session.id()).into());
                }
            } else if client.session.peers() == [SERVER] && Instant::now() >= *next {
                let called = client.session.call(SERVER, "Chat", "say", &("hello",));
                called.map_err(|error| error.to_string())?;
                client.turn();
                *asked = Some(Instant::now());
            } else if next.elapsed() > Duration::from_secs(8) {
                return Err(format!("{} is not connected", client.session.id()).into());
            }
        }
        watch.pause(2);
    }
    Ok(())
}

/// Connects with an id, or any for 0, and sends a packet again and again.
fn raw(address: SocketAddr, watch: &Watch, id: u32, packet: &[u8]) {
    let mut any = std::process::id() ^ 0x5555_0000 ^ u32::from(address.port());
    while watch.goes_on() {
        any = any.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let id = if id == 0 { any >> 1 } else { id };
        let _ = connected(address, watch, id, packet);
        watch.pause(50);
    }
}

fn connected(address: SocketAddr, watch: &Watch, id: u32, packet: &[u8]) -> Outcome {
    let mut host = Host::new(UdpSocket::bind("127.0.0.1:0")?, settings())
        .map_err(|error| format!("{error:?}"))?;
    let server = host.connect(address, 255, id).map_err(|error| format!("{error:?}"))?.id();
    let begun = Instant::now();
    while watch.goes_on() && begun.elapsed() < Duration::from_secs(3) {
        match host.service()? {
            Some(Event::Disconnect { .. }) => return Ok(()),
            Some(_) => continue,
            None => {}
        }
        if host.peer(server).connected() {
            let packet = rusty_enet::Packet::reliable(packet);
            host.peer_mut(server).send(0, &packet).map_err(|error| format!("{error:?}"))?;
        }
        // Together as much as a line of 100 Mbit/s brings.
        watch.pause(u64::try_from(packet.len() / 200 + 10)?);
    }
    Ok(())
}

fn settings() -> HostSettings {
    HostSettings { peer_limit: 1, ..Default::default() }
}

/// Asks to connect, and does not go on.
fn half(address: SocketAddr, watch: &Watch) {
    while watch.goes_on() {
        let made = UdpSocket::bind("127.0.0.1:0").map(|socket| Host::new(socket, settings()));
        if let Ok(Ok(mut host)) = made
            && host.connect(address, 2, 7).is_ok()
        {
            let _ = host.service();
        }
        watch.pause(200);
    }
}

fn random(address: SocketAddr, watch: &Watch) {
    let Ok(socket) = UdpSocket::bind("127.0.0.1:0") else { return };
    let mut number = attack::SEED;
    while watch.goes_on() {
        let _ = socket.send_to(&attack::noise(&mut number, 60), address);
        watch.pause(2);
    }
}
