//! `cargo xtask soak`: three servers, one after another, each with 200 clients that play and 20 of each kind that
//! attacks, on this machine alone. Ends by itself.
//!
//! A server is a process of its own, so that its memory can be seen; all clients are here.

mod attack;
mod enet;
mod watch;
mod websocket;
mod zeze;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use watch::Watch;

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Clients that play, and clients of each kind that attacks.
const HONEST: usize = 200;
const HOSTILE: usize = 20;

/// A kind of clients that attack: one of them, until the end.
pub(crate) type Attack = (&'static str, fn(SocketAddr, &Watch));

/// A server and its clients.
struct Game {
    name: &'static str,
    /// Says its address, and serves without end.
    serve: fn() -> Outcome,
    /// Some clients that play, until the end. Each answer is told to the watch.
    honest: fn(SocketAddr, &Arc<Watch>, usize) -> Outcome,
    /// How many of these share a thread.
    together: usize,
    attacks: &'static [Attack],
}

const GAMES: [Game; 3] = [websocket::GAME, enet::GAME, zeze::GAME];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let seconds: u64 = words.last().and_then(|word| word.parse().ok()).unwrap_or(30);
    match words.as_slice() {
        ["serve", name, _] => {
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(seconds));
                std::process::exit(0);
            });
            let game = GAMES.iter().find(|game| game.name == *name).expect("a name of ours");
            if let Err(fault) = (game.serve)() {
                eprintln!("{fault}");
            }
            ExitCode::FAILURE
        }
        names => {
            let is_chosen = |game: &&Game| match names {
                [name, ..] if name.parse::<u64>().is_err() => game.name == *name,
                _ => true,
            };
            let chosen: Vec<&Game> = GAMES.iter().filter(is_chosen).collect();
            let time =
                Duration::from_secs(seconds) / u32::try_from(chosen.len().max(1)).unwrap_or(1);
            let mut rows = Vec::new();
            let mut held = !chosen.is_empty();
            for game in chosen {
                match soak(game, time) {
                    Ok((row, game_held)) => {
                        rows.push(row);
                        held &= game_held;
                    }
                    Err(fault) => {
                        println!("{}: {fault}", game.name);
                        held = false;
                    }
                }
            }
            println!(
                "| server | answers | worst in peace | under attack | memory of a client | halfway | at the end | log |"
            );
            println!("|---|--:|--:|--:|--:|--:|--:|--:|");
            rows.iter().for_each(|row| println!("{row}"));
            ExitCode::from(u8::from(!held))
        }
    }
}

/// Ends with the soak.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Server {
    /// Kilobytes of memory that are resident, where the system tells it.
    fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    }
}

/// One server, for a while: a third of it in peace. Returns a row of the table, and whether it held.
fn soak(game: &Game, time: Duration) -> Outcome<(String, bool)> {
    let limit = (time.as_secs() + 10).to_string();
    let mut child = Command::new(std::env::current_exe()?)
        .args(["serve", game.name, &limit])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (out, log) = (child.stdout.take(), child.stderr.take());
    let server = Server(child);
    let mut line = String::new();
    BufReader::new(out.ok_or("no output")?).read_line(&mut line)?;
    let address: SocketAddr = line.trim().parse()?;
    let empty = server.memory();

    let watch = Arc::new(Watch::new(time));
    let logged = AtomicUsize::new(0);
    let [mut idle, mut halfway, mut full] = [None; 3];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut buffer = [0; 4096];
            let Some(mut log) = log else { return };
            while let Ok(count @ 1..) = log.read(&mut buffer) {
                logged.fetch_add(count, Ordering::Relaxed);
            }
        });
        let small = || std::thread::Builder::new().stack_size(512 << 10);
        for number in (0..HONEST).step_by(game.together) {
            let (watch, count) = (&watch, game.together.min(HONEST - number));
            let client = move || match (game.honest)(address, watch, count) {
                Ok(()) => {}
                Err(fault) => watch.failed(fault.to_string()),
            };
            small().spawn_scoped(scope, client).expect("a thread");
        }
        watch.sleep_until(0.33);
        idle = server.memory();
        watch.attack();
        for (_, attack) in game.attacks {
            for _ in 0..HOSTILE {
                small().spawn_scoped(scope, || attack(address, &watch)).expect("a thread");
            }
        }
        watch.sleep_until(0.66);
        halfway = server.memory();
        watch.sleep_until(0.97);
        full = server.memory();
        watch.sleep_until(1.0);
        // The clients end by the clock, and the server's log with it.
        drop(server);
    });

    let kinds: Vec<&str> = game.attacks.iter().map(|(name, _)| *name).collect();
    println!("{}: {HONEST} clients, and {HOSTILE} each of: {}", game.name, kinds.join(", "));
    let mut faults = watch.faults();
    let (calm, attacked, answers) = (watch.worst(false), watch.worst(true), watch.answers());
    if answers < 2 * HONEST {
        faults.push(format!("{answers} answers"));
    }
    // Below a moment that nobody notices, twice as long is the scheduler's doing.
    if attacked > calm.max(Duration::from_millis(50)) * 2 {
        faults.push(format!("answers took {attacked:.1?}, and {calm:.1?} in peace"));
    }
    let each = empty.zip(idle).map(|(empty, idle)| idle.saturating_sub(empty) / HONEST as u64);
    if each.is_some_and(|each| each > 200) {
        faults.push("a client takes more than 200 KB".to_owned());
    }
    if halfway.zip(full).is_some_and(|(halfway, full)| full > halfway + halfway / 5 + 4096) {
        faults.push("memory grows".to_owned());
    }
    let logged = logged.load(Ordering::Relaxed);
    if logged > 64 << 10 {
        faults.push("the log grows".to_owned());
    }
    for fault in &faults {
        println!("  NOT HELD: {fault}");
    }
    let memory = |size: Option<u64>| size.map_or("?".to_owned(), |size| format!("{size} KB"));
    let [each, halfway, full] = [each, halfway, full].map(memory);
    let row = format!(
        "| {} | {answers} | {calm:.1?} | {attacked:.1?} | {each} | {halfway} | {full} | {logged} B |",
        game.name
    );
    Ok((row, faults.is_empty()))
}
