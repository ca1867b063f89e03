//! Connections over `tokio`.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use gamewire_core::words::Count;
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, ToSocketAddrs};
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, timeout};
use zeroize::Zeroizing;
use zeze_serialize::frame::{OwnedFrame, Protocol, Rpc};

use crate::sync::{self, Mutex, MutexGuard, sleep_until};
use crate::{Agreement, Config, Connection, Error, ErrorKind, Event, Result};

/// The memory of a waiting frame beside its bytes, at least.
const FRAME: usize = 128;

/// Bytes that are read at once.
const STEP: usize = 16 << 10;

/// Bytes that are unpacked and taken apart before others have their turn.
const TURN: usize = 64 << 10;

/// Random bytes for a handshake: an RSA key of 8192 bits takes 1024 of padding.
const RANDOM: usize = 2 << 10;

/// Connects to a server, and waits until the handshake is done.
///
/// Where `config` has no [address](Config::address), it is the one that was connected to. A task of the
/// runtime drives the connection; it ends when the other side does, or when all copies of the [`Peer`]
/// are dropped.
///
/// # Errors
/// An I/O error, and as [`Connection::poll_event`] and [`Connection::handle_timeout`].
pub async fn connect(address: impl ToSocketAddrs, config: Config) -> Result<(Peer, Incoming)> {
    let time = config.handshake_time;
    let Ok(stream) = timeout(time, TcpStream::connect(address)).await else {
        return Err(Error::new(
            ErrorKind::Timeout,
            format!("expected a connection within {time:?}"),
        ));
    };
    let stream = stream?;
    stream.set_nodelay(true)?;
    let server = stream.peer_addr()?.ip();
    let config = if config.address.is_some() { config } else { config.address(server) };
    let connection = Connection::client(config, Duration::ZERO, random()?);
    over(stream, connection).await
}

/// The server's end of a connection that was accepted; waits until the handshake is done.
///
/// Where `config` has no [address](Config::address), it is the one that the client has connected to.
///
/// # Errors
/// As [`connect`].
pub async fn accept(stream: TcpStream, config: Config) -> Result<(Peer, Incoming)> {
    stream.set_nodelay(true)?;
    let server = stream.local_addr()?.ip();
    let config = if config.address.is_some() { config } else { config.address(server) };
    let connection = Connection::server(config, Duration::ZERO, random()?)?;
    over(stream, connection).await
}

/// Drives a connection over any stream of bytes, from the moment 0 on, and waits until the handshake is
/// done.
///
/// # Errors
/// As [`connect`].
pub async fn over<S>(stream: S, mut connection: Connection) -> Result<(Peer, Incoming)>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (opened, is_open) = oneshot::channel();
    connection.leaves_keys = true;
    let shared = Arc::new(Shared {
        state: Mutex::new(State {
            connection,
            waiting: HashMap::new(),
            opened: Some(opened),
            frames: Some(VecDeque::new()),
            held: 0,
            closing: None,
            end: None,
        }),
        changed: Notify::new(),
        arrived: Notify::new(),
        ended: Notify::new(),
        start: Instant::now(),
    });
    // Dropped before the connection is open, they close it.
    let handle = Arc::new(Handle { shared: Arc::clone(&shared) });
    let incoming = Incoming { shared: Arc::clone(&shared) };
    sync::spawn(async move {
        let end = drive(stream, &shared).await;
        shared.close(end);
    });
    match is_open.await {
        Ok(agreement) => Ok((Peer { handle, agreement }, incoming)),
        Err(_) => Err(handle.shared.why()),
    }
}

fn random() -> Result<impl FnMut(&mut [u8]) + Send + 'static> {
    let mut bytes = Zeroizing::new(vec![0; RANDOM]);
    getrandom::fill(&mut bytes).map_err(|why| {
        Error::new(ErrorKind::Io, format!("expected random bytes from the system: {why}"))
    })?;
    let mut used = 0_usize;
    Ok(move |out: &mut [u8]| {
        for (to, from) in out.iter_mut().zip(bytes.iter().skip(used)) {
            *to = *from;
        }
        used = used.saturating_add(out.len());
        debug_assert!(used <= RANDOM, "a handshake that takes more random bytes");
    })
}

/// The side that has closed a connection where it may.
#[derive(Clone, Copy)]
enum Side {
    This,
    Other,
}

struct State {
    connection: Connection,
    /// The receivers of answers, by the session id of the call.
    waiting: HashMap<i64, oneshot::Sender<Result<OwnedFrame>>>,
    opened: Option<oneshot::Sender<Agreement>>,
    /// Frames for [`Incoming`], unless that was dropped.
    frames: Option<VecDeque<OwnedFrame>>,
    /// The bytes of those.
    held: usize,
    /// When what was not sent until then is dropped, once the last [`Peer`] was.
    closing: Option<Duration>,
    /// Set once the connection has ended.
    end: Option<Result<Side>>,
}

struct Shared {
    state: Mutex<State>,
    /// There is something to send, room for frames, or the end.
    changed: Notify,
    /// There is a frame for [`Incoming`], or the end.
    arrived: Notify,
    ended: Notify,
    start: Instant,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn close(&self, end: Result<Side>) {
        let mut state = self.state();
        state.end = Some(end);
        state.opened = None;
        state.waiting.clear();
        drop(state);
        self.arrived.notify_one();
        self.ended.notify_waiters();
    }

    /// The error of a connection that has ended.
    fn why(&self) -> Error {
        let text = match &self.state().end {
            Some(Err(error)) => return error.clone(),
            Some(Ok(Side::Other)) => {
                "expected an open connection, found one that was closed by the other side"
            }
            Some(Ok(Side::This)) => "expected an open connection, found one that was closed",
            None => "expected an open connection, found a closed one",
        };
        Error::new(ErrorKind::Closed, text)
    }
}

/// Closes the connection when the last copy is dropped.
struct Handle {
    shared: Arc<Shared>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        let time = state.connection.config.handshake_time;
        state.closing = Some(self.shared.now().saturating_add(time));
        drop(state);
        self.shared.changed.notify_one();
    }
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply<T> {
    /// 0 for success.
    pub result_code: i64,
    /// The bean, which servers leave empty where a call fails.
    pub bean: T,
}

impl<T> Reply<T> {
    /// The bean of a call that has succeeded.
    ///
    /// # Errors
    /// The result code of one that has not.
    pub fn ok(self) -> std::result::Result<T, i64> {
        if self.result_code == 0 { Ok(self.bean) } else { Err(self.result_code) }
    }
}

/// The other side of a connection, to send to. Copies are of the same connection, which is closed when
/// all of them are dropped.
#[derive(Clone)]
pub struct Peer {
    handle: Arc<Handle>,
    agreement: Agreement,
}

impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.handle.shared.state().connection.fmt(f)
    }
}

impl Peer {
    /// The encryption and compressions that both sides have agreed on.
    pub fn agreement(&self) -> Agreement {
        self.agreement
    }

    /// Calls, and waits for the answer, as long as [`Config::call_time`] says.
    ///
    /// Dropping the future forgets the call.
    ///
    /// # Errors
    /// As [`Connection::call`]; no answer in time ([`ErrorKind::Timeout`]); the end of the connection; an
    /// answer that does not fit `R::Result`.
    pub async fn call<R: Rpc>(&self, argument: R::Argument) -> Result<Reply<R::Result>>
    where
        R::Argument: Serialize,
        R::Result: DeserializeOwned,
    {
        let time = self.handle.shared.state().connection.config.call_time;
        self.call_within::<R>(time, argument).await
    }

    /// The same with a separate time to wait.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn call_within<R: Rpc>(
        &self,
        time: Duration,
        argument: R::Argument,
    ) -> Result<Reply<R::Result>>
    where
        R::Argument: Serialize,
        R::Result: DeserializeOwned,
    {
        let shared = &*self.handle.shared;
        let (mut waiting, answer) = {
            let mut state = self.open()?;
            let session_id = state.connection.call_within::<R>(shared.now(), time, argument)?;
            let (answered, answer) = oneshot::channel();
            state.waiting.insert(session_id, answered);
            (Waiting { shared, session_id: Some(session_id) }, answer)
        };
        shared.changed.notify_one();
        let answer = answer.await;
        waiting.session_id = None;
        let frame = answer.unwrap_or_else(|_| Err(shared.why()))?;
        let frame = frame.as_raw();
        let result_code = frame.header.result_code();
        debug_assert!(result_code.is_some(), "an answer has a session, and so a result code");
        Ok(Reply { result_code: result_code.unwrap_or_default(), bean: frame.read()? })
    }

    /// Sends a message, which has no answer. It is on its way when this returns, not there.
    ///
    /// # Errors
    /// As [`Connection::send`].
    pub fn send<P: Protocol>(&self, argument: P::Argument) -> Result<()>
    where
        P::Argument: Serialize,
    {
        let shared = &self.handle.shared;
        self.open()?.connection.send::<P>(shared.now(), argument)?;
        shared.changed.notify_one();
        Ok(())
    }

    /// Answers a call of the other side, with 0 or the code of what went wrong.
    ///
    /// # Errors
    /// As [`Connection::respond`].
    pub fn respond<T: Serialize>(
        &self,
        call: &OwnedFrame,
        result_code: i64,
        result: T,
    ) -> Result<()> {
        let shared = &self.handle.shared;
        self.open()?.connection.respond(shared.now(), call, result_code, result)?;
        shared.changed.notify_one();
        Ok(())
    }

    /// Waits for the end of the connection.
    ///
    /// # Errors
    /// The error that has ended it, if neither side has closed it.
    pub async fn closed(&self) -> Result<()> {
        let shared = &self.handle.shared;
        loop {
            // Made before the look at the state, so that no end is missed.
            let ended = shared.ended.notified();
            if let Some(end) = &shared.state().end {
                return end.clone().map(drop);
            }
            ended.await;
        }
    }

    /// The state of a connection that has not ended.
    fn open(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.handle.shared.state();
        if state.end.is_none() {
            return Ok(state);
        }
        drop(state);
        Err(self.handle.shared.why())
    }
}

/// Forgets a call when it is dropped before its answer is present.
struct Waiting<'a> {
    shared: &'a Shared,
    session_id: Option<i64>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(session_id) = self.session_id {
            let mut state = self.shared.state();
            state.connection.forget(session_id);
            state.waiting.remove(&session_id);
        }
    }
}

/// Messages and calls of the other side.
///
/// As many wait here as [`Config::max_incoming`] allows; beyond that nothing is received. Drop this to
/// have them dropped as they come.
pub struct Incoming {
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Incoming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let waiting = self.shared.state().frames.as_ref().map_or(0, VecDeque::len);
        f.debug_struct("Incoming").field("waiting", &waiting).finish()
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        (state.frames, state.held) = (None, 0);
        drop(state);
        self.shared.changed.notify_one();
    }
}

impl Incoming {
    /// The next message or call; `None` after the end of the connection.
    ///
    /// A call is a frame whose header says so ([`is_request`](zeze_serialize::frame::Header::is_request)), and is
    /// to be answered by [`Peer::respond`]. The enum that `gamewire gen zeze` writes for a service reads
    /// both into one type.
    ///
    /// # Errors
    /// The error that has ended the connection, if neither side has closed it where a frame ends.
    pub async fn next(&mut self) -> Result<Option<OwnedFrame>> {
        loop {
            let arrived = self.shared.arrived.notified();
            {
                let mut state = self.shared.state();
                if let Some(frame) = state.frames.as_mut().and_then(VecDeque::pop_front) {
                    let was_full = state.is_full();
                    debug_assert!(state.held >= size(&frame));
                    state.held = state.held.saturating_sub(size(&frame));
                    if was_full && !state.is_full() {
                        self.shared.changed.notify_one();
                    }
                    return Ok(Some(frame));
                }
                if let Some(end) = &state.end {
                    return end.clone().map(|_| None);
                }
            }
            arrived.await;
        }
    }
}

/// The memory that a frame takes while it waits, about.
fn size(frame: &OwnedFrame) -> usize {
    frame.as_raw().bean.len().saturating_add(FRAME)
}

/// Moves bytes until one of the sides ends the connection.
async fn drive<S>(stream: S, shared: &Shared) -> Result<Side>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (mut reader, mut writer) = tokio::io::split(stream);
    let mut buffer = Vec::with_capacity(STEP);
    let mut out = Vec::new();
    let mut sent = 0;
    // Whether the other side has closed its end.
    let mut is_last = false;
    // The outcome of writing; earlier bytes are still read.
    let mut failed: Option<(Error, Duration)> = None;
    loop {
        let (deadline, is_full, is_done, decryption) = {
            let mut state = shared.state();
            let now = shared.now();
            if state.is_full() {
                state.connection.pause(now);
            }
            state.connection.handle_timeout(now)?;
            // Calls end with their time, whether there is room for frames or not.
            while let Some(call) = state.connection.poll_timed_out(now) {
                state.take(Event::TimedOut(call));
            }
            let mut budget = TURN;
            while !state.is_full()
                && let Some(event) = state.connection.poll_within(now, &mut budget)?
            {
                if state.take(event) {
                    shared.arrived.notify_one();
                }
            }
            if sent == out.len() {
                sent = 0;
                out = state.connection.poll_transmit().unwrap_or_default();
            }
            if state.closing.is_some_and(|end| out.is_empty() || now >= end) {
                break;
            }
            let (is_done, decryption) = (budget > 0, state.connection.decryption.take());
            if is_last && is_done && decryption.is_none() && !state.is_full() {
                return state.connection.end().map(|()| Side::Other);
            }
            if let Some((error, _)) = failed.take_if(|(_, end)| now >= *end) {
                return Err(error);
            }
            let end = failed.as_ref().map(|(_, end)| *end);
            let times = [state.connection.poll_timeout(), state.closing, end];
            (times.into_iter().flatten().min(), state.is_full(), is_done, decryption)
        };
        let wakes_at = shared.start.checked_add(deadline.unwrap_or(Duration::MAX));
        if let Some(decryption) = decryption {
            let mut keys = std::pin::pin!(sync::decrypt(decryption));
            let mut ahead = 0_usize;
            loop {
                buffer.clear();
                tokio::select! {
                    keys = &mut keys => {
                        shared.state().connection.answer(shared.now(), keys?)?;
                        break;
                    }
                    // A client that has gone needs no keys.
                    read = reader.read_buf(&mut buffer), if ahead < STEP => {
                        let count = read?;
                        if count == 0 {
                            return shared.state().connection.end().map(|()| Side::Other);
                        }
                        ahead = ahead.saturating_add(count);
                        shared.state().connection.receive(shared.now(), &buffer);
                    }
                    () = sleep_until(wakes_at) => break,
                }
            }
            continue;
        }
        if !is_done {
            sync::yield_now().await;
        }
        buffer.clear();
        tokio::select! {
            () = shared.changed.notified() => {}
            () = std::future::ready(()), if !is_done => {}
            read = reader.read_buf(&mut buffer), if !is_full && !is_last && is_done => {
                is_last = read? == 0;
                let mut state = shared.state();
                // Where nobody is left, what comes is no work.
                if state.closing.is_none() || state.frames.is_some() {
                    state.connection.receive(shared.now(), &buffer);
                }
            }
            written = writer.write(out.get(sent..).unwrap_or_default()),
                if sent < out.len() && failed.is_none() =>
            {
                let written = written.map_err(Error::from).and_then(|count| match count {
                    0 => Err(Error::new(ErrorKind::Io, "expected a stream that takes bytes")),
                    _ => Ok(count),
                });
                match written {
                    Ok(count) => sent = sent.saturating_add(count),
                    Err(error) => {
                        let time = shared.state().connection.config.handshake_time;
                        failed = Some((error, shared.now().saturating_add(time)));
                    }
                }
            }
            () = sleep_until(wakes_at) => {}
        }
    }
    writer.shutdown().await?;
    Ok(Side::This)
}

impl State {
    /// Whether no more frames are taken.
    fn is_full(&self) -> bool {
        self.held >= self.connection.config.max_incoming
    }

    /// Passes an event on; returns whether a frame waits for [`Incoming`] now.
    fn take(&mut self, event: Event) -> bool {
        match event {
            Event::Open(agreement) => {
                // A receiver that was dropped has dropped the connection, too.
                let _ = self.opened.take().map(|opened| opened.send(agreement));
            }
            Event::Message(frame) | Event::Call(frame) => {
                let Some(frames) = &mut self.frames else { return false };
                self.held = self.held.saturating_add(size(&frame));
                frames.push_back(frame);
                return true;
            }
            Event::Answer(frame) => {
                let session_id = frame.as_raw().header.session_id();
                let waiting = session_id.and_then(|session_id| self.waiting.remove(&session_id));
                if let Some(waiting) = waiting {
                    let _ = waiting.send(Ok(frame));
                }
            }
            Event::TimedOut(call) => {
                let mut text = format!(
                    "expected the answer to call {} of protocol {} of module {} in time",
                    call.session_id, call.protocol_id, call.module_id
                );
                if self.is_full() {
                    let held = Count(self.held, "byte");
                    text += &format!(" (no more is received: {held} wait for Incoming::next)");
                }
                if let Some(waiting) = self.waiting.remove(&call.session_id) {
                    let _ = waiting.send(Err(Error::new(ErrorKind::Timeout, text)));
                }
            }
            Event::Unexpected(_) => {}
        }
        false
    }
}

/// Connects to a server, and again when a connection has ended, with a pause before each further try: one
/// second, twice as long after each one that failed, and at most 8 seconds, as the reference's
/// `Connector` does.
///
/// ```no_run
/// # async fn play(server: zeze_net::Peer, incoming: zeze_net::Incoming) -> zeze_net::Result<()> { Ok(()) }
/// # async fn run() {
/// use zeze_net::{Config, Connector};
///
/// let mut connector = Connector::new("game.example.com:5000", Config::new());
/// loop {
///     let played = match connector.connect().await {
///         // Logs in, and takes messages until the connection ends.
///         Ok((server, incoming)) => play(server, incoming).await,
///         Err(error) => Err(error),
///     };
///     if let Err(error) = played {
///         eprintln!("{error}");
///     }
/// }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Connector<A> {
    address: A,
    config: Config,
    first: Duration,
    longest: Duration,
    /// Before the next try.
    pause: Duration,
}

impl<A: ToSocketAddrs + Clone> Connector<A> {
    /// Connections to an address, which is looked up each time.
    pub fn new(address: A, config: Config) -> Self {
        let (first, longest) = (Duration::from_secs(1), Duration::from_secs(8));
        Connector { address, config, first, longest, pause: Duration::ZERO }
    }

    /// The first pause, and the longest one.
    #[must_use]
    pub fn pauses(mut self, first: Duration, longest: Duration) -> Self {
        (self.first, self.longest) = (first, longest.max(first));
        self
    }

    /// Connects as [`connect`] does: the first time at once, then after a pause.
    ///
    /// # Errors
    /// As [`connect`]. The next call tries again.
    pub async fn connect(&mut self) -> Result<(Peer, Incoming)> {
        tokio::time::sleep(self.pause).await;
        self.pause = self.pause.saturating_mul(2).clamp(self.first, self.longest);
        let connected = connect(self.address.clone(), self.config.clone()).await?;
        self.pause = self.first;
        Ok(connected)
    }
}
