//! A session and a running engine: calls, bytes, a path, spawns, syncs, and a despawn over WebSocket.
//!
//! The engine is `godot` of the path or what the variable `GODOT` names. Where there is none, the
//! captured session, which `replay` plays on both sides, has to do.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use godot_multiplayer::{
    Event, Method, Methods, NewSpawn, RpcMode, Session, Spawned, State, TransferMode,
};
use godot_variant::types::{PackedByteArray, Vector3};
use godot_variant::{Value, text};
use tungstenite::{Message, WebSocket, accept};

use crate::vectors::replay;

/// The project of the client.
const FILES: [(&str, &str); 5] = [
    ("project.godot", include_str!("live/project.godot")),
    ("main.gd", include_str!("live/main.gd")),
    ("n.gd", include_str!("live/n.gd")),
    ("thing.gd", include_str!("live/thing.gd")),
    ("thing.tscn", include_str!("live/thing.tscn")),
];

const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn a_session_and_a_running_engine_talk() {
    let Some(engine) = engine() else {
        let (packets, events) = replay::play().unwrap();
        assert_eq!(packets.len(), events.len());
        let count = packets.len();
        println!(
            "the live session: no Godot 4 at $GODOT or in the path; the captured session played \
             both sides: {count} packets"
        );
        return;
    };
    let version = Command::new(&engine).arg("--version").output().unwrap();
    let folder = std::env::temp_dir().join(format!("godot-variant-live-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, content) in FILES {
        std::fs::write(folder.join(name), content).unwrap();
    }
    let listener = TcpListener::bind((Ipv4Addr::from([127, 0, 0, 1]), 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let client = Client(start(&engine, &folder, address));
    let heard = Game::accept(&listener).play();
    drop(client);
    std::fs::remove_dir_all(&folder).ok();
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    println!("the live session with Godot {version}: {} reports", heard.len());
    assert_eq!(heard, EXPECTED, "{heard:#?}");
}

/// The reports of the client, in the engine's text.
const EXPECTED: [&str; 10] = [
    "ready 7",
    "hello [1, \"x\", 2.5]",
    "types [null, true, -129, 9007199254740993, 0.1, &\"sn\", NodePath(\"a/b:c\"), \
     Vector3(1, 2, 3), {\n1: [2]\n}, Array[int]([7]), PackedStringArray(\"a\", \"b\")]",
    "bytes PackedByteArray(1, 2, 3)",
    "packet PackedByteArray(9, 8, 7)",
    "spawned [\"Thing\", 5, Vector3(1, 2, 3), null]",
    "sync 1000",
    "delta Vector3(9, 8, 7)",
    "gone \"Thing\"",
    "spawned [\"Bob\", 0, Vector3(0, 0, 0), \"red\"]",
];

fn engine() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = std::env::var_os("GODOT").map(PathBuf::from);
    let engine = named.or_else(|| {
        std::env::split_paths(&path).map(|folder| folder.join("godot")).find(|file| file.is_file())
    })?;
    let version = Command::new(&engine).arg("--version").output().ok()?;
    version.stdout.starts_with(b"4.").then_some(engine)
}

fn start(engine: &Path, folder: &Path, address: SocketAddr) -> Child {
    Command::new(engine)
        .args(["--headless", "--path"])
        .arg(folder)
        .args(["--script", "main.gd", "--", &format!("ws://{address}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Ends with the test.
struct Client(Child);

impl Drop for Client {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// The side of the server.
struct Game {
    socket: WebSocket<TcpStream>,
    session: Session,
    spawned: Option<Spawned>,
}

const PEER: i32 = 7;

impl Game {
    fn accept(listener: &TcpListener) -> Game {
        listener.set_nonblocking(true).unwrap();
        let begun = Instant::now();
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(_) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => panic!("the client does not connect: {error}"),
            }
        };
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut socket = accept(stream).unwrap();
        socket.send(Message::binary(PEER.to_le_bytes().to_vec())).unwrap();
        let mut session = Session::server();
        let free = Method::new("queue_free").mode(RpcMode::Authority);
        let methods =
            ["hello", "bytes", "types"].into_iter().fold(Methods::new(), Methods::authority);
        session.node("N", methods.any_peer("report").native(free));
        session.node("N/Spawner", Methods::new());
        session.connect(PEER).unwrap();
        Game { socket, session, spawned: None }
    }

    /// Answers each report with the next step, until all were made.
    fn play(mut self) -> Vec<String> {
        let mut heard = Vec::new();
        while heard.len() < EXPECTED.len() {
            while let Some(packet) = self.session.next_outgoing() {
                self.socket.send(Message::binary(packet.bytes.to_vec())).unwrap();
            }
            let message = match self.socket.read() {
                Ok(message) => message.into_data(),
                Err(error) => panic!("{error} after {heard:#?}"),
            };
            match self.session.receive(PEER, TransferMode::Reliable, 0, &message).unwrap() {
                Some(Event::Call(call)) => {
                    assert_eq!((&*call.path, &*call.method), ("N", "report"));
                    let (what, data) = call.args::<(String, Value)>().unwrap();
                    heard.push(format!("{what} {}", text::to_string(&data).unwrap()));
                    self.step(&what);
                }
                Some(
                    Event::PathLearned { agrees, path, .. }
                    | Event::PathConfirmed { agrees, path, .. },
                ) => assert!(agrees, "the methods of {path} differ"),
                other => panic!("{other:?}"),
            }
        }
        heard
    }

    fn step(&mut self, after: &str) {
        let session = &mut self.session;
        let position = Vector3::new(9.0, 8.0, 7.0);
        match after {
            "ready" => session.call(PEER, "N", "hello", &(1, "x", 2.5)).unwrap(),
            "hello" => session.call(PEER, "N", "types", &()).unwrap(),
            "types" => {
                session.call(PEER, "N", "bytes", &(PackedByteArray(vec![1, 2, 3]),)).unwrap();
            }
            "bytes" => session.send_bytes(PEER, &[9, 8, 7]).unwrap(),
            "packet" => {
                let state = State::new(&(5, Vector3::new(1.0, 2.0, 3.0))).unwrap();
                let thing = NewSpawn::scene(0, "Thing").synchronizers(1).state(state);
                self.spawned = Some(session.spawn(PEER, "N/Spawner", thing).unwrap());
            }
            "spawned" => {
                let id = self.spawned.as_ref().unwrap().synchronizers[0];
                session.sync(PEER, &[(id, State::new(&(1000,)).unwrap())]).unwrap();
            }
            "sync" => {
                let id = self.spawned.as_ref().unwrap().synchronizers[0];
                session.delta(PEER, &[(id, 1, State::new(&(position,)).unwrap())]).unwrap();
            }
            "delta" => session.despawn(PEER, self.spawned.as_ref().unwrap().net_id).unwrap(),
            "gone" => {
                let argument = State::new(&("red",)).unwrap();
                let state = State::new(&(0, Vector3::new(0.0, 0.0, 0.0))).unwrap();
                let bob = NewSpawn::custom(argument, "Bob").synchronizers(1).state(state);
                session.spawn(PEER, "N/Spawner", bob).unwrap();
            }
            other => panic!("another report: {other}"),
        }
    }
}
