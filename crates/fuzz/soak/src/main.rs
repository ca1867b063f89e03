//! `cargo xtask soak`: three servers, one after another, each with 200 clients that play and 20 of each kind that
//! attacks, on this machine alone. Ends by itself.
//!
//! A server is a process of its own, so that its memory and its work can be seen. The clients that attack are another
//! one, which runs when no other would: what they compute is not what is measured. The clients that play are here.

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

use watch::{Watch, millis};

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
    let seconds: f64 = words.last().and_then(|word| word.parse().ok()).unwrap_or(30.0);
    let time = Duration::from_secs_f64(seconds);
    match words.as_slice() {
        ["serve", name, _] => {
            std::thread::spawn(move || {
                std::thread::sleep(time);
                std::process::exit(0);
            });
            let game = GAMES.iter().find(|game| game.name == *name).expect("a name of ours");
            if let Err(fault) = (game.serve)() {
                eprintln!("{fault}");
            }
            ExitCode::FAILURE
        }
        ["attack", name, kind, address, _] => {
            let game = GAMES.iter().find(|game| game.name == *name).expect("a name of ours");
            let address = address.parse().expect("an address");
            let watch = Watch::new(time);
            std::thread::scope(|scope| {
                for (_, attack) in game.attacks.iter().filter(|(own, _)| is_chosen(own, kind)) {
                    for _ in 0..HOSTILE {
                        small().spawn_scoped(scope, || attack(address, &watch)).expect("a thread");
                    }
                }
            });
            ExitCode::SUCCESS
        }
        names => {
            let name = names.first().copied().filter(|name| name.parse::<f64>().is_err());
            // One kind of attack alone: `zeze:silent`.
            let (name, kind) =
                name.unwrap_or("").split_once(':').unwrap_or((name.unwrap_or(""), ""));
            let mut rows = Vec::new();
            let mut held = true;
            for game in GAMES.iter().filter(|game| is_chosen(game.name, name)) {
                match soak(game, kind, time) {
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
                "| server | | answers | half | 99 of 100 | worst | server's work | idle | traffic | memory | log |"
            );
            println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
            rows.iter().for_each(|row| println!("{row}"));
            ExitCode::from(u8::from(!held || rows.is_empty()))
        }
    }
}

/// Whether something has the name that was asked for, if one was.
fn is_chosen(name: &str, wanted: &str) -> bool {
    wanted.is_empty() || name == wanted
}

fn small() -> std::thread::Builder {
    std::thread::Builder::new().stack_size(512 << 10)
}

/// Ends with the soak.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Process {
    fn file(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(format!("/proc/{}/{name}", self.0.id())).ok()
    }

    /// Kilobytes of memory that are resident, where the system tells it.
    fn memory(&self) -> Option<u64> {
        let status = self.file("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    }

    /// The time that processors have worked for it, in hundredths of a second.
    fn work(&self) -> Option<u64> {
        let stat = self.file("stat")?;
        let mut words = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut next = || words.next()?.parse::<u64>().ok();
        Some(next()? + next()?)
    }
}

/// Hundredths of a second that all processors have been idle so far.
fn idle_time() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    stat.split_whitespace().nth(4)?.parse().ok()
}

/// Bytes that have come over loopback so far.
fn traffic() -> Option<u64> {
    let devices = std::fs::read_to_string("/proc/net/dev").ok()?;
    let line = devices.lines().find_map(|line| line.trim().strip_prefix("lo:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// All that attack, until the end.
fn attackers(game: &Game, kind: &str, address: SocketAddr, time: Duration) -> Outcome<Process> {
    let seconds = time.as_secs_f64().to_string();
    let program = std::env::current_exe()?;
    // Where the system has no class of idle processes, the lowest priority of others.
    let classes: [&[&str]; 2] = [&["chrt", "--idle", "0"], &["nice", "-n", "19"]];
    let started = classes.iter().find_map(|class| {
        let mut command = Command::new(class[0]);
        command.args(&class[1..]).arg(&program).args(["attack", game.name, kind]);
        command.args([&address.to_string(), &seconds]).spawn().ok()
    });
    Ok(Process(started.ok_or("neither chrt nor nice")?))
}

/// One server, for a while: first, a tenth of it, all connect, then peace and attack are of one length. Returns two
/// rows of the table, and whether it held.
fn soak(game: &Game, kind: &str, time: Duration) -> Outcome<(String, bool)> {
    let limit = (time.as_secs() + 10).to_string();
    let mut child = Command::new(std::env::current_exe()?)
        .args(["serve", game.name, &limit])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (out, log) = (child.stdout.take(), child.stderr.take());
    let server = Process(child);
    let mut line = String::new();
    BufReader::new(out.ok_or("no output")?).read_line(&mut line)?;
    let address: SocketAddr = line.trim().parse()?;
    let empty = server.memory();

    let watch = Arc::new(Watch::new(time));
    let logged = AtomicUsize::new(0);
    let [mut idle, mut halfway, mut full] = [None; 3];
    // At the start of both parts and at the end: the server's work, what processors do not do, and traffic.
    let mut counts = [[None; 3]; 3];
    let count = |server: &Process| [server.work(), idle_time(), traffic()];
    let begun = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut buffer = [0; 4096];
            let Some(mut log) = log else { return };
            while let Ok(count @ 1..) = log.read(&mut buffer) {
                logged.fetch_add(count, Ordering::Relaxed);
            }
        });
        for number in (0..HONEST).step_by(game.together) {
            let (watch, count) = (&watch, game.together.min(HONEST - number));
            let client = move || match (game.honest)(address, watch, count) {
                Ok(()) => {}
                Err(fault) => watch.failed(fault.to_string()),
            };
            small().spawn_scoped(scope, client).expect("a thread");
        }
        watch.sleep_until(0.1);
        watch.measure(0);
        counts[0] = count(&server);
        watch.sleep_until(0.55);
        (idle, counts[1]) = (server.memory(), count(&server));
        watch.measure(1);
        let attackers = attackers(game, kind, address, time.mul_f64(0.45));
        watch.sleep_until(0.75);
        halfway = server.memory();
        watch.sleep_until(0.97);
        (full, counts[2]) = (server.memory(), count(&server));
        watch.sleep_until(1.0);
        // The clients end by the clock, and the server's log with it.
        drop(server);
        attackers
    });
    drop(begun?);

    let kinds = game.attacks.iter().map(|(name, _)| *name).filter(|own| is_chosen(own, kind));
    let kinds: Vec<&str> = kinds.collect();
    println!("{}: {HONEST} clients, and {HOSTILE} each of: {}", game.name, kinds.join(", "));
    let mut faults = watch.faults();
    let [calm, attacked] = [0, 1].map(|part| watch.answers(part));
    if calm.len().min(attacked.len()) < HONEST {
        faults.push(format!("{} answers, and {} in peace", attacked.len(), calm.len()));
    }
    let [worst, worst_calm] = [&attacked, &calm].map(|answers| millis(answers, 1.0));
    // Below 10 ms the scheduler decides: in peace, too, one run's worst is ten times another's.
    if worst > worst_calm.max(5.0) * 2.0 {
        faults.push(format!("the worst answer took {worst:.1} ms, and {worst_calm:.1} in peace"));
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
    // Per second of a part.
    let rates = |from: usize, seconds: f64| {
        let [work, idle, bytes] = [0, 1, 2].map(|which| {
            let ends = counts[from][which].zip(counts[from + 1][which]);
            ends.map_or(0.0, |(from, to)| to.saturating_sub(from) as f64 / seconds)
        });
        format!("{work:.0} % | {idle:.0} % | {:.1} MB/s", bytes / 1e6)
    };
    let row = |answers: &[u32]| {
        format!(
            "{} | {:.2} ms | {:.2} ms | {:.1} ms",
            answers.len(),
            millis(answers, 0.5),
            millis(answers, 0.99),
            millis(answers, 1.0)
        )
    };
    let rows = format!(
        "| {} | peace | {} | {} | {} a client | |\n| | attack | {} | {} | {} halfway, {} at the end | {logged} B |",
        game.name,
        row(&calm),
        rates(0, time.as_secs_f64() * 0.45),
        memory(each),
        row(&attacked),
        rates(1, time.as_secs_f64() * 0.42),
        memory(halfway),
        memory(full),
    );
    Ok((rows, faults.is_empty()))
}
