//! Calls of zeze-serialize over a socket of this machine: both ends of a connection, each on a thread
//! that waits for the other's bytes. What counts is the time that passes, not that of the processor.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use zeze_net::{Compression, Config, Connection, Encryption, Event};
use zeze_serialize::frame::{Protocol, Rpc};

use crate::Outcome;
use crate::table::{Cell, Table};
use crate::task::Task;

/// Calls of one run.
const CALLS: usize = 2000;

/// Not random: what is measured does not depend on it.
fn fixed(bytes: &mut [u8]) {
    bytes.fill(7);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Bean {
    text: String,
    number: i64,
}

struct Echo;
impl Protocol for Echo {
    const MODULE_ID: u32 = 1;
    const PROTOCOL_ID: u32 = 1;
    type Argument = Bean;
}
impl Rpc for Echo {
    type Result = Bean;
}

/// One end, and its socket.
struct End {
    connection: Connection,
    stream: TcpStream,
    start: Instant,
    buffer: Vec<u8>,
}

impl End {
    fn new(connection: Connection, stream: TcpStream) -> Outcome<Self> {
        stream.set_nodelay(true)?;
        Ok(End { connection, stream, start: Instant::now(), buffer: vec![0; 1 << 16] })
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// The next event; `None` at the end of the stream.
    fn next(&mut self) -> Outcome<Option<Event>> {
        loop {
            if let Some(event) = self.connection.poll_event(self.now())? {
                return Ok(Some(event));
            }
            if let Some(bytes) = self.connection.poll_transmit() {
                self.stream.write_all(&bytes)?;
            }
            let count = self.stream.read(&mut self.buffer)?;
            if count == 0 {
                return Ok(None);
            }
            self.connection.receive(self.start.elapsed(), &self.buffer[..count]);
        }
    }
}

/// Answers calls until the client goes.
fn serve(listener: &TcpListener, config: Config) -> Outcome<()> {
    let (stream, _) = listener.accept()?;
    let mut end = End::new(Connection::server(config, Duration::ZERO, fixed)?, stream)?;
    while let Some(event) = end.next()? {
        if let Event::Call(frame) = event {
            let bean = frame.as_raw().read::<Bean>()?;
            end.connection.respond(end.now(), &frame, 0, bean)?;
        }
    }
    Ok(())
}

/// Makes [`CALLS`] calls, of which `at_once` wait for their answers.
fn call(end: &mut End, at_once: usize) -> Outcome<()> {
    let (mut called, mut answered) = (0, 0);
    while answered < CALLS {
        while called < CALLS && called - answered < at_once {
            let bean = Bean { text: "a text of some length".to_owned(), number: called as i64 };
            end.connection.call::<Echo>(end.now(), bean)?;
            called += 1;
        }
        match end.next()? {
            Some(Event::Answer(frame))
                if frame.as_raw().read::<Bean>()?.number == answered as i64 =>
            {
                answered += 1;
            }
            other => return Err(format!("{other:?} in the place of an answer").into()),
        }
    }
    Ok(())
}

/// One table: calls one after another, and 64 at a time.
pub fn tables(task: &Task) -> Outcome<Vec<Table>> {
    let columns = ["name", "one by one ms", "ns per call", "64 at once ms", "ns per call"];
    let mut table = Table::new("2 000 calls over a socket, two threads", &columns);
    for (name, encryption, compression) in [
        ("plain", Encryption::None, Compression::None),
        ("AES", Encryption::AesNoAddress, Compression::None),
        ("AES and MPPC", Encryption::AesNoAddress, Compression::Mppc),
    ] {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let stream = TcpStream::connect(listener.local_addr()?)?;
        let config = Config::new().encryption(encryption).compression(compression, compression);
        let server =
            thread::spawn(move || serve(&listener, config).map_err(|error| error.to_string()));
        let client = Connection::client(Config::new(), Duration::ZERO, fixed);
        let mut end = End::new(client, stream)?;
        if !matches!(end.next()?, Some(Event::Open(_))) {
            return Err("the handshake does not come first".into());
        }
        let mut shortest = |at_once| -> Outcome<Duration> {
            let mut best = Duration::MAX;
            for _ in 0..task.plan.runs {
                let run = Instant::now();
                call(&mut end, at_once)?;
                best = best.min(run.elapsed());
            }
            Ok(best)
        };
        let (single, many) = (shortest(1)?, shortest(64)?);
        drop(end);
        server.join().map_err(|_| "the server has panicked")??;
        let calls = CALLS as u64;
        table.rows.push(vec![
            Cell::Text(name.to_owned()),
            Cell::Time(single),
            Cell::Nanoseconds(calls, 1),
            Cell::Time(many),
            Cell::Nanoseconds(calls, 3),
        ]);
    }
    Ok(vec![table])
}
