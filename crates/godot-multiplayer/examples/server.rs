//! A server for unmodified Godot clients: `cargo run --example server -- ADDRESS`.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use godot_multiplayer::{Event, Methods, Session, TransferMode};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, accept_with_config};

fn main() -> Result<(), Box<dyn Error>> {
    // In Godot: `peer.create_client("ws://HOST:9080")` of a WebSocketMultiplayerPeer.
    let Some(address) = std::env::args().nth(1) else {
        println!("usage: server ADDRESS");
        return Ok(());
    };
    let listener = TcpListener::bind(address)?;
    run(&listener, &Hosts { all: 1000, each: 16, ..Hosts::default() });
    Ok(())
}

/// Bytes of one message; bad packets of one client; messages of one in a second, where 1 KiB counts as one.
const MAX_MESSAGE: usize = 64 << 10;
const MAX_REFUSED: usize = 100;
const MAX_RATE: usize = 200;
/// For the handshake, and for what a client does not read.
const PATIENCE: Duration = Duration::from_secs(5);

/// Takes clients for as long as the program runs, whatever one of them does.
pub(crate) fn run(listener: &TcpListener, hosts: &Hosts) {
    for id in (2..=i32::MAX).cycle() {
        let stream = match listener.accept() {
            Ok((stream, address)) => hosts.place(address.ip()).map(|place| (stream, place)),
            Err(error) => {
                // No more files: some are closed before long.
                log(format_args!("not accepted: {error}"));
                std::thread::sleep(Duration::from_millis(20));
                None
            }
        };
        // One client too many is closed here.
        let Some((stream, place)) = stream else { continue };
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(move || {
            if let Err(error) = serve(stream, id) {
                log(format_args!("{id}: {error}"));
            }
            drop(place);
        });
        if let Err(error) = thread {
            log(format_args!("{id}: {error}"));
        }
    }
}

/// One client. The node `/root/Chat` has `@rpc("any_peer") func say(text)` and `@rpc func hear(text)`.
fn serve(stream: TcpStream, id: i32) -> Result<(), Box<dyn Error>> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let config = WebSocketConfig::default().read_buffer_size(4 << 10);
    let config = config.max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
    let stream = Timed { stream, end: Instant::now().checked_add(PATIENCE) };
    let mut socket = accept_with_config(stream, Some(config)).map_err(|error| error.to_string())?;
    socket.get_mut().end = None;
    socket.get_mut().stream.set_read_timeout(None)?;
    // The first message of this transport is the client's id.
    socket.send(Message::binary(id.to_le_bytes().to_vec()))?;
    let mut session = Session::server();
    session.node("Chat", Methods::new().any_peer("say").authority("hear"));
    session.connect(id)?;
    let (mut refused, mut second, mut count) = (0_usize, Instant::now(), 0_usize);
    loop {
        while let Some(packet) = session.next_outgoing() {
            socket.send(Message::binary(packet.bytes.to_vec()))?;
        }
        let message = socket.read()?;
        count = count.saturating_add(message.len() / 1024).saturating_add(1);
        if count > MAX_RATE {
            // Who sends more has to wait, and nobody else.
            std::thread::sleep(Duration::from_secs(1).saturating_sub(second.elapsed()));
        }
        if second.elapsed() >= Duration::from_secs(1) {
            (second, count) = (Instant::now(), 0);
        }
        // Text, pings and the end of a connection are no packets.
        let Message::Binary(bytes) = message else { continue };
        match session.receive(id, TransferMode::Reliable, 0, &bytes) {
            Ok(Some(Event::Call(call))) => {
                let Ok((text,)) = call.args::<(&str,)>() else { continue };
                session.call(id, "Chat", "hear", &(format!("you said {text}"),))?;
            }
            Ok(_) => {}
            // It is about one packet: the client stays, but not for ever.
            Err(_) if refused < MAX_REFUSED => refused = refused.saturating_add(1),
            Err(error) => return Err(error.into()),
        }
    }
}

/// A stream that a client may not hold up beyond a moment.
struct Timed {
    stream: TcpStream,
    end: Option<Instant>,
}

impl Read for Timed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Some(end) = self.end {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(left))?;
        }
        self.stream.read(bytes)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// How many connections there may be, and how many of each host.
#[derive(Clone, Default)]
pub(crate) struct Hosts {
    pub(crate) all: usize,
    pub(crate) each: usize,
    pub(crate) counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// One of them.
struct Place(Hosts, IpAddr);

impl Hosts {
    fn place(&self, host: IpAddr) -> Option<Place> {
        let mut counts = self.counts.lock().ok()?;
        let (own, all) = (counts.get(&host).copied().unwrap_or(0), counts.values().sum::<usize>());
        if own >= self.each || all >= self.all {
            return None;
        }
        counts.insert(host, own.saturating_add(1));
        Some(Place(self.clone(), host))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Ok(mut counts) = self.0.counts.lock() else { return };
        if let Some(count) = counts.get_mut(&self.1) {
            *count = count.saturating_sub(1);
        }
        counts.retain(|_, count| *count > 0);
    }
}

/// At most ten lines in a second, so that nobody fills the disk.
fn log(line: impl Display) {
    static LINES: Mutex<Option<(Instant, u32)>> = Mutex::new(None);
    let Ok(mut lines) = LINES.lock() else { return };
    let second = lines.filter(|(begun, _)| begun.elapsed() < Duration::from_secs(1));
    let (begun, count) = second.unwrap_or((Instant::now(), 0));
    *lines = Some((begun, count.saturating_add(1)));
    if count < 10 {
        eprintln!("{line}");
    }
}
