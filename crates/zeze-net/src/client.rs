//! Connections over `tokio`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, ToSocketAddrs};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::Instant;

use crate::error::error;
use crate::{Agreement, Config, Connection, Event};
use zeze_serialize::frame::{OwnedFrame, Protocol, Rpc};
use zeze_serialize::{Error, ErrorKind, Result};

/// Frames of the other side that wait for [`Incoming::next`] before no more bytes are taken.
const MAX_WAITING: usize = 256;

/// Bytes that are read at once.
const STEP: usize = 16 << 10;

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
    let stream = TcpStream::connect(address).await.map_err(Error::from)?;
    stream.set_nodelay(true).map_err(Error::from)?;
    let server = stream.peer_addr().map_err(Error::from)?.ip();
    let config = if config.address.is_some() { config } else { config.address(server) };
    let connection = Connection::client(config, Duration::ZERO, random()?)?;
    over(stream, connection).await
}

/// The server's end of a connection that was accepted; waits until the handshake is done.
///
/// Where `config` has no [address](Config::address), it is the one that the client has connected to.
///
/// # Errors
/// As [`connect`].
pub async fn accept(stream: TcpStream, config: Config) -> Result<(Peer, Incoming)> {
    stream.set_nodelay(true).map_err(Error::from)?;
    let server = stream.local_addr().map_err(Error::from)?.ip();
    let config = if config.address.is_some() { config } else { config.address(server) };
    let connection = Connection::server(config, Duration::ZERO, random()?)?;
    over(stream, connection).await
}

/// Drives a connection over any stream of bytes, from the moment 0 on, and waits until the handshake is
/// done.
///
/// # Errors
/// As [`connect`].
pub async fn over<S>(stream: S, connection: Connection) -> Result<(Peer, Incoming)>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (opened, is_open) = oneshot::channel();
    let (to_incoming, frames) = mpsc::channel(MAX_WAITING);
    let shared = Arc::new(Shared {
        state: Mutex::new(State {
            connection,
            waiting: HashMap::new(),
            opened: Some(opened),
            closing: false,
            end: None,
        }),
        changed: Notify::new(),
        start: Instant::now(),
    });
    let peer = Peer { handle: Arc::new(Handle { shared: Arc::clone(&shared) }) };
    let incoming = Incoming { frames, shared: Arc::clone(&shared) };
    tokio::spawn(async move {
        let end = drive(stream, &shared, &to_incoming).await;
        // `Incoming::next` sees the end after the reason for it is there.
        shared.close(end);
    });
    match is_open.await {
        Ok(_) => Ok((peer, incoming)),
        Err(_) => Err(peer.handle.shared.why()),
    }
}

fn random() -> Result<impl FnMut(&mut [u8]) + Send + 'static> {
    let mut bytes = vec![0; RANDOM];
    getrandom::fill(&mut bytes).map_err(|why| {
        error(ErrorKind::Io, format!("expected random bytes from the system: {why}"))
    })?;
    let mut bytes = bytes.into_iter();
    Ok(move |out: &mut [u8]| {
        for (to, from) in out.iter_mut().zip(&mut bytes) {
            *to = from;
        }
    })
}

/// Why a connection has ended: an error, or nothing.
type End = Option<(ErrorKind, String)>;

struct State {
    connection: Connection,
    /// The receivers of answers, by the session id of the call.
    waiting: HashMap<i64, oneshot::Sender<Result<OwnedFrame>>>,
    opened: Option<oneshot::Sender<Agreement>>,
    closing: bool,
    /// Set once the connection has ended.
    end: Option<End>,
}

struct Shared {
    state: Mutex<State>,
    /// There is something to send, or the end.
    changed: Notify,
    start: Instant,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn close(&self, end: Result<()>) {
        let mut state = self.state();
        state.end = Some(end.err().map(|error| (error.kind(), error.to_string())));
        state.opened = None;
        state.waiting.clear();
    }

    /// The error of a connection that has ended.
    fn why(&self) -> Error {
        match &self.state().end {
            Some(Some((kind, text))) => error(*kind, text.clone()),
            _ => error(ErrorKind::Closed, "expected an open connection, found one that is closed"),
        }
    }
}

/// Closes the connection when the last copy is dropped.
struct Handle {
    shared: Arc<Shared>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.state().closing = true;
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
}

impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.handle.shared.state().connection.fmt(f)
    }
}

impl Peer {
    /// The encryption and compressions that both sides have agreed on.
    pub fn agreement(&self) -> Agreement {
        self.handle.shared.state().connection.agreement().unwrap_or_default()
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
        let shared = &*self.handle.shared;
        let (mut waiting, answer) = {
            let mut state = self.open()?;
            let session_id = state.connection.call::<R>(shared.now(), argument)?;
            let (answered, answer) = oneshot::channel();
            state.waiting.insert(session_id, answered);
            (Waiting { shared, session_id: Some(session_id) }, answer)
        };
        shared.changed.notify_one();
        let answer = answer.await;
        waiting.session_id = None;
        let frame = answer.unwrap_or_else(|_| Err(shared.why()))?;
        let frame = frame.as_raw();
        let result_code = frame.header.result_code().unwrap_or_default();
        Ok(Reply { result_code, bean: frame.read()? })
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

/// Forgets a call when it is dropped before its answer is there.
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
/// While 256 of them wait here, nothing is received, answers included. Drop this to have
/// them dropped as they come.
pub struct Incoming {
    frames: mpsc::Receiver<OwnedFrame>,
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Incoming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Incoming").field("waiting", &self.frames.len()).finish()
    }
}

impl Incoming {
    /// The next message or call; `None` after the end of the connection.
    ///
    /// A call is a frame whose header says so ([`is_request`](zeze_serialize::frame::Header::is_request)), and is
    /// to be answered by [`Peer::respond`].
    ///
    /// # Errors
    /// The error that has ended the connection, if neither side has closed it.
    pub async fn next(&mut self) -> Result<Option<OwnedFrame>> {
        if let Some(frame) = self.frames.recv().await {
            return Ok(Some(frame));
        }
        // The task that drives the connection drops its end a moment before it says why.
        match &self.shared.state().end {
            Some(Some((kind, text))) => Err(error(*kind, text.clone())),
            _ => Ok(None),
        }
    }
}

/// Moves bytes until one of the sides ends the connection.
async fn drive<S>(stream: S, shared: &Shared, to_incoming: &mpsc::Sender<OwnedFrame>) -> Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (mut reader, mut writer) = tokio::io::split(stream);
    let mut buffer = vec![0; STEP];
    let mut out = Vec::new();
    let mut sent = 0;
    // A frame for which there is no room: as long as there is one, nothing more is received.
    let mut waiting = None;
    loop {
        let (deadline, is_done) = {
            let mut state = shared.state();
            let now = shared.now();
            state.connection.handle_timeout(now)?;
            while waiting.is_none()
                && let Some(event) = state.connection.poll_event(now)?
            {
                if let Some(frame) = state.take(event)
                    && let Err(mpsc::error::TrySendError::Full(frame)) = to_incoming.try_send(frame)
                {
                    waiting = Some(frame);
                }
            }
            if sent == out.len() {
                sent = 0;
                out = state.connection.poll_transmit().unwrap_or_default();
            }
            (state.connection.poll_timeout(), state.closing && out.is_empty())
        };
        if is_done {
            return writer.shutdown().await.map_err(Error::from);
        }
        let wakes_at = shared.start.checked_add(deadline.unwrap_or(Duration::MAX));
        tokio::select! {
            () = shared.changed.notified() => {}
            read = reader.read(&mut buffer), if waiting.is_none() => {
                let count = read.map_err(Error::from)?;
                if count == 0 {
                    return Ok(());
                }
                let bytes = buffer.get(..count).unwrap_or_default();
                shared.state().connection.receive(shared.now(), bytes);
            }
            written = writer.write(out.get(sent..).unwrap_or_default()), if sent < out.len() => {
                let count = written.map_err(Error::from)?;
                if count == 0 {
                    return Err(error(ErrorKind::Io, "expected a stream that takes bytes"));
                }
                sent = sent.saturating_add(count);
            }
            room = to_incoming.reserve(), if waiting.is_some() => {
                // Without a receiver it is dropped.
                if let (Some(frame), Ok(room)) = (waiting.take(), room) {
                    room.send(frame);
                }
            }
            () = sleep_until(wakes_at) => {}
        }
    }
}

async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

impl State {
    /// Passes an event on; returns a frame that goes to [`Incoming`].
    fn take(&mut self, event: Event) -> Option<OwnedFrame> {
        match event {
            Event::Open(agreement) => {
                let opened = self.opened.take()?;
                // A receiver that was dropped has dropped the connection, too.
                let _ = opened.send(agreement);
                None
            }
            Event::Message(frame) | Event::Call(frame) => Some(frame),
            Event::Answer(frame) => {
                let session_id = frame.as_raw().header.session_id()?;
                let _ = self.waiting.remove(&session_id)?.send(Ok(frame));
                None
            }
            Event::TimedOut(call) => {
                let text = format!(
                    "expected the answer to call {} of protocol {} of module {} in time",
                    call.session_id, call.protocol_id, call.module_id
                );
                let error = error(ErrorKind::Timeout, text);
                let _ = self.waiting.remove(&call.session_id)?.send(Err(error));
                None
            }
            Event::Unexpected(_) => None,
        }
    }
}
