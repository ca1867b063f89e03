//! One end of a connection.

use std::fmt;
use std::time::Duration;

use gamewire_core::bytes::part;
use serde_core::Serialize;
use zeze_serialize::RawBean;
use zeze_serialize::frame::{Frame, Framing, OwnedFrame, Protocol, RawFrame, Rpc};

use crate::calls::{CallId, Calls, Found};
use crate::codec::{Input, Output};
use crate::handshake::{self, Agreement, Stage, Step};
use crate::keys::{Decryption, Key, Keys, Random};
use crate::{Compression, Config, Encryption, Error, ErrorKind, Opening, Result, message};

/// Bytes that are done with and may stay in the buffer.
const COMPACT: usize = 4 << 10;

/// The work on a frame beside that on its bytes, as bytes.
const FRAME: usize = 256;

/// How many bytes a server unpacks for each that it receives, unless the configuration says it.
const RATIO: usize = 256;

/// An event on a connection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The handshake is done: frames may be sent.
    Open(Agreement),
    /// A message, which has no answer.
    Message(OwnedFrame),
    /// A call, which waits for [`respond`](Connection::respond).
    Call(OwnedFrame),
    /// The answer to a call of this side, which its session id tells.
    Answer(OwnedFrame),
    /// An answer without a call: it came too late, or was never called for.
    Unexpected(OwnedFrame),
    /// No answer came in time.
    TimedOut(CallId),
}

/// One end of a connection, without I/O; see the [module](super) for an example.
///
/// All times are since any moment that stays the same. After an error of
/// [`poll_event`](Self::poll_event) or [`handle_timeout`](Self::handle_timeout) the connection is to be
/// closed: it takes and gives nothing more.
pub struct Connection {
    pub(crate) config: Config,
    is_server: bool,
    random: Box<Random>,
    state: State,
    agreement: Option<Agreement>,
    has_failed: bool,
    /// Whether the work on keys is left to who takes it here and calls [`answer`](Self::answer).
    pub(crate) leaves_keys: bool,
    #[cfg_attr(not(feature = "client"), allow(dead_code))]
    pub(crate) decryption: Option<Box<Decryption>>,
    input: Input,
    output: Output,
    /// Received, decrypted and decompressed; the first [`taken`](Self::taken) bytes are done with.
    plain: Vec<u8>,
    taken: usize,
    /// The offset of the next frame in the received bytes.
    offset: usize,
    calls: Calls,
    started: Duration,
    received: Duration,
    sent: Duration,
    /// When the last `KeepAlive` was sent.
    kept_alive: Duration,
    frame: Vec<u8>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("is_server", &self.is_server)
            .field("is_open", &self.is_open())
            .field("calls", &self.calls.len())
            .finish_non_exhaustive()
    }
}

/// How far a connection is.
enum State {
    Handshake(Stage),
    /// A server has the keys of a client decrypted, and then sends this result.
    Keys(Vec<u8>, Agreement),
    Open,
}

/// The receiver of a frame.
enum Taken {
    /// The application.
    Event(Event),
    /// The connection itself.
    Own,
}

impl Connection {
    /// The client's end of a connection that has just been made.
    ///
    /// `random` fills a slice with bytes that cannot be guessed; it is called during the handshake only.
    pub fn client(
        config: Config,
        now: Duration,
        random: impl FnMut(&mut [u8]) + Send + 'static,
    ) -> Self {
        Connection::new(config, now, Box::new(random), false)
    }

    /// The server's end of a connection that has just been made.
    ///
    /// # Errors
    /// An encryption that needs a key or an address which `config` has not.
    pub fn server(
        config: Config,
        now: Duration,
        random: impl FnMut(&mut [u8]) + Send + 'static,
    ) -> Result<Self> {
        let encryption = match config.opening {
            Opening::Handshake => config.encryption,
            Opening::AtOnce => Encryption::None,
        };
        if !config.has(encryption, true) {
            let text = format!(
                "expected what the encryption {encryption:?} needs: an address or a private key in Config"
            );
            return Err(Error::new(ErrorKind::Handshake, text));
        }
        let mut connection = Connection::new(config, now, Box::new(random), true);
        if connection.config.opening == Opening::Handshake {
            let offer = handshake::offer(&connection.config)?;
            connection.tell(now, message::OFFER, &offer)?;
        }
        Ok(connection)
    }

    fn new(config: Config, now: Duration, random: Box<Random>, is_server: bool) -> Self {
        let state = match config.opening {
            Opening::AtOnce => State::Open,
            Opening::Handshake if is_server => State::Handshake(Stage::Choice),
            Opening::Handshake => State::Handshake(Stage::Offer),
        };
        let ratio = config.max_ratio.or(is_server.then_some(RATIO));
        Connection {
            config,
            is_server,
            random,
            state,
            agreement: None,
            has_failed: false,
            leaves_keys: false,
            decryption: None,
            input: Input::new(ratio),
            output: Output::default(),
            plain: Vec::new(),
            taken: 0,
            offset: 0,
            calls: Calls::default(),
            started: now,
            received: now,
            sent: now,
            kept_alive: now,
            frame: Vec::new(),
        }
    }

    /// Whether the handshake is done and nothing has failed: frames may be sent.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Open) && !self.has_failed
    }

    /// The encryption and compressions that both sides have agreed on; `None` before the handshake is done.
    pub fn agreement(&self) -> Option<Agreement> {
        self.agreement
    }

    /// How many calls wait for their answers.
    pub fn pending_calls(&self) -> usize {
        self.calls.len()
    }

    /// Takes bytes that came from the other side, in pieces of any size.
    ///
    /// Call [`poll_event`](Self::poll_event) until it returns `None`: then no more than one frame that is
    /// not whole is kept.
    pub fn receive(&mut self, now: Duration, bytes: &[u8]) {
        if !self.has_failed && !bytes.is_empty() {
            self.received = now;
            self.input.push(bytes);
        }
    }

    /// Returns the next event in the received bytes; `None` until more come.
    ///
    /// # Errors
    /// Bytes that do not belong into the handshake, cannot be decompressed, unpack to too many
    /// ([`Config::max_ratio`]) or are no frame, too many answers to nothing ([`Config::max_unexpected`]), and an
    /// output that is full of answers. Offsets count what was received after decryption and decompression.
    pub fn poll_event(&mut self, now: Duration) -> Result<Option<Event>> {
        let mut budget = usize::MAX;
        self.poll_within(now, &mut budget)
    }

    /// The same for as long as there is a budget of bytes, of which each frame takes some.
    pub(crate) fn poll_within(
        &mut self,
        now: Duration,
        budget: &mut usize,
    ) -> Result<Option<Event>> {
        if self.has_failed {
            return Ok(None);
        }
        if let Some(call) = self.calls.expired(now) {
            return Ok(Some(Event::TimedOut(call)));
        }
        let event = self.next_event(now, budget);
        event.inspect_err(|_| self.has_failed = true)
    }

    /// Answers a client with the keys that it has told of; until then nothing that comes is looked at.
    pub(crate) fn answer(&mut self, now: Duration, keys: Keys) -> Result<()> {
        let State::Keys(result, agreement) = &mut self.state else {
            debug_assert!(false, "nobody waits for keys");
            return Ok(());
        };
        let step = Step::Answer(std::mem::take(result), Some(keys), *agreement);
        self.go(now, step).map(drop).inspect_err(|_| self.has_failed = true)
    }

    /// Takes a call that got no answer in time, as [`poll_event`](Self::poll_event) does before all else:
    /// for while there is no room for other events, as calls are to end in time whatever waits.
    pub fn poll_timed_out(&mut self, now: Duration) -> Option<CallId> {
        self.calls.expired(now)
    }

    /// Says that nothing is taken from the other side at the moment, so that its
    /// [silence](Config::max_silence) counts from `now`.
    pub fn pause(&mut self, now: Duration) {
        self.received = now;
    }

    /// The other side has closed its end: no more bytes come. Call it when
    /// [`poll_event`](Self::poll_event) has returned `None`.
    ///
    /// # Errors
    /// An end within the handshake, which says the message that was to come, or within a frame, which says
    /// how many bytes of it are [missing](Error::needed).
    pub fn end(&self) -> Result<()> {
        let awaited = match &self.state {
            State::Handshake(stage) => Some(stage.name()),
            State::Keys(..) => Some(message::name(message::DONE)),
            State::Open => None,
        };
        if let Some(name) = awaited {
            let text = format!(
                "expected the message {name}, found the end: the other side has closed the connection"
            );
            return Err(Error::new(ErrorKind::Closed, text));
        }
        let rest = part(&self.plain, self.taken..);
        if rest.is_empty() {
            return Ok(());
        }
        let cut = self.config.framing.split(rest);
        cut.map(drop).map_err(|error| error.shifted(self.offset).into())
    }

    fn next_event(&mut self, now: Duration, budget: &mut usize) -> Result<Option<Event>> {
        if matches!(self.state, State::Open) && self.agreement.is_none() {
            return Ok(Some(self.open(now, Agreement::default())));
        }
        while *budget > 0 {
            let rest = part(&self.plain, self.taken..);
            let framing = match &self.state {
                State::Open => self.config.framing,
                State::Handshake(stage) => {
                    stage.check_start(rest)?;
                    self.config.framing.max_size(handshake::MAX_SIZE)
                }
                // From then on a client encrypts with them.
                State::Keys(..) => return Ok(None),
            };
            let len = framing.frame_len(rest).map_err(|error| error.shifted(self.offset))?;
            let Some(len) = len.filter(|len| rest.len() >= *len) else {
                self.compact();
                let wanted = self.taken.saturating_add(len.unwrap_or(Framing::HEAD_LEN));
                let added = self.input.fill(&mut self.plain, wanted)?;
                *budget = budget.saturating_sub(added);
                if self.plain.len() < wanted {
                    return Ok(None);
                }
                continue;
            };
            // The buffer is put back: the frame borrows it while the connection changes.
            let plain = std::mem::take(&mut self.plain);
            let taken = match framing.split(part(&plain, self.taken..)) {
                Ok((frame, _)) => self.take(now, &frame),
                Err(error) => Err(error.shifted(self.offset).into()),
            };
            self.plain = plain;
            // The offset counts all bytes of a connection, which may be more than a `usize` does.
            self.offset = self.offset.saturating_add(len);
            self.taken = self.taken.saturating_add(len);
            *budget = budget.saturating_sub(FRAME);
            if let Taken::Event(event) = taken? {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Forgets what is done with, not for each small frame.
    fn compact(&mut self) {
        if self.taken == self.plain.len() || self.taken >= COMPACT {
            self.plain.drain(..self.taken);
            self.taken = 0;
        }
    }

    fn take(&mut self, now: Duration, frame: &RawFrame<'_>) -> Result<Taken> {
        if let State::Handshake(stage) = &self.state {
            let step = stage.step(frame, self.offset, &self.config, &mut *self.random)?;
            return self.go(now, step);
        }
        let is_own = frame.module_id == message::MODULE;
        if frame.header.is_request() {
            if is_own && frame.protocol_id == message::KEEP_ALIVE {
                if let Some(answer) = answer_to(frame).respond(0, ()) {
                    self.push(now, &answer)?;
                }
                return Ok(Taken::Own);
            }
            return Ok(Taken::Event(Event::Call(frame.clone().into_owned())));
        }
        if frame.header.session_id().is_some() {
            let found = self.calls.answer(frame);
            return Ok(match found {
                Found::Own => Taken::Own,
                Found::Wanted => Taken::Event(Event::Answer(frame.clone().into_owned())),
                Found::Nothing if self.calls.unexpected > self.config.max_unexpected => {
                    let text = format!(
                        "expected answers to calls, found {} to nothing, and max_unexpected is {}",
                        self.calls.unexpected, self.config.max_unexpected
                    );
                    return Err(Error::new(ErrorKind::CallLimit, text));
                }
                Found::Nothing => Taken::Event(Event::Unexpected(frame.clone().into_owned())),
            });
        }
        const HANDSHAKE: [u32; 4] =
            [message::OFFER, message::CHOICE, message::RESULT, message::DONE];
        if is_own && HANDSHAKE.contains(&frame.protocol_id) {
            let text = format!(
                "expected no more of the handshake, found {}",
                message::name(frame.protocol_id)
            );
            return Err(Error::at(ErrorKind::Handshake, self.offset, text));
        }
        Ok(Taken::Event(Event::Message(frame.clone().into_owned())))
    }

    /// Does what a message of the handshake leads to.
    fn go(&mut self, now: Duration, step: Step) -> Result<Taken> {
        match step {
            Step::Send(protocol, argument, stage) => {
                self.tell(now, protocol, &argument)?;
                self.state = State::Handshake(stage);
                Ok(Taken::Own)
            }
            Step::Finish(keys, agreement) => {
                self.switch(keys.as_ref(), agreement);
                self.tell(now, message::DONE, &[0])?;
                Ok(Taken::Event(self.open(now, agreement)))
            }
            Step::Answer(argument, keys, agreement) => {
                self.tell(now, message::RESULT, &argument)?;
                self.switch(keys.as_ref(), agreement);
                self.state = State::Handshake(Stage::Done(agreement));
                Ok(Taken::Own)
            }
            Step::Decrypt(decryption, result, agreement) => {
                self.state = State::Keys(result, agreement);
                if self.leaves_keys {
                    self.decryption = Some(decryption);
                } else {
                    self.answer(now, decryption.keys())?;
                }
                Ok(Taken::Own)
            }
            Step::Open(agreement) => Ok(Taken::Event(self.open(now, agreement))),
        }
    }

    /// From here on both directions are as agreed.
    fn switch(&mut self, keys: Option<&Keys>, agreement: Agreement) {
        let to_server = (keys.map(|keys| &keys.to_server), agreement.to_server);
        let to_client = (keys.map(|keys| &keys.to_client), agreement.to_client);
        type Way<'a> = (Option<&'a Key>, Compression);
        let (input, output): (Way<'_>, Way<'_>) =
            if self.is_server { (to_server, to_client) } else { (to_client, to_server) };
        self.input.switch(input.0, input.1);
        self.output.switch(output.0, output.1);
    }

    fn open(&mut self, now: Duration, agreement: Agreement) -> Event {
        self.state = State::Open;
        self.agreement = Some(agreement);
        self.kept_alive = now;
        Event::Open(agreement)
    }

    /// Sends a message whose argument is no bean.
    fn tell(&mut self, now: Duration, protocol: u32, argument: &[u8]) -> Result<()> {
        let argument = RawBean::new_unchecked(argument);
        self.push(now, &Frame::protocol(message::MODULE, protocol, argument))
    }

    fn push<T: Serialize>(&mut self, now: Duration, frame: &Frame<'_, T>) -> Result<()> {
        let waiting = self.output.len();
        if waiting >= self.config.max_output {
            let text = format!(
                "{waiting} bytes wait to be sent, and max_output is {} bytes",
                self.config.max_output
            );
            return Err(Error::new(ErrorKind::OutputLimit, text));
        }
        self.frame.clear();
        self.config.framing.append_to_vec(&mut self.frame, frame)?;
        self.output.push(&self.frame);
        self.sent = now;
        Ok(())
    }

    fn check_open(&self) -> Result<()> {
        if self.is_open() {
            return Ok(());
        }
        let text = if self.has_failed {
            "expected an open connection, found one that has failed"
        } else {
            "expected an open connection, found one whose handshake is not done"
        };
        Err(Error::new(ErrorKind::Closed, text))
    }

    /// Sends a message, which has no answer.
    ///
    /// # Errors
    /// As [`send_frame`](Self::send_frame).
    pub fn send<P: Protocol>(&mut self, now: Duration, argument: P::Argument) -> Result<()>
    where
        P::Argument: Serialize,
    {
        self.send_frame(now, &P::message(argument))
    }

    /// Calls, and returns the session id of the call, which its [answer](Event::Answer) has. It waits as
    /// long as [`Config::call_time`] says.
    ///
    /// # Errors
    /// As [`send_frame`](Self::send_frame), and more calls than [`Config::max_calls`].
    pub fn call<R: Rpc>(&mut self, now: Duration, argument: R::Argument) -> Result<i64>
    where
        R::Argument: Serialize,
    {
        self.call_within::<R>(now, self.config.call_time, argument)
    }

    /// The same with a time that it waits for its answer.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub fn call_within<R: Rpc>(
        &mut self,
        now: Duration,
        time: Duration,
        argument: R::Argument,
    ) -> Result<i64>
    where
        R::Argument: Serialize,
    {
        self.check_open()?;
        let session_id = self.calls.next(self.config.max_calls)?;
        self.push(now, &R::request(session_id, argument))?;
        let (module_id, protocol_id) = (R::MODULE_ID, R::PROTOCOL_ID);
        let id = CallId { module_id, protocol_id, session_id };
        self.calls.add(id, now.saturating_add(time), true);
        Ok(session_id)
    }

    /// No longer waits for the answer to a call; whether it did. If the answer comes it is
    /// [`Unexpected`](Event::Unexpected).
    pub fn forget(&mut self, session_id: i64) -> bool {
        let has_waited = self.calls.remove(session_id);
        if has_waited {
            self.calls.give_up();
        }
        has_waited
    }

    /// Answers a call, with 0 or the code of what went wrong.
    ///
    /// # Errors
    /// As [`send_frame`](Self::send_frame), and a frame that is no call.
    pub fn respond<T: Serialize>(
        &mut self,
        now: Duration,
        call: &OwnedFrame,
        result_code: i64,
        result: T,
    ) -> Result<()> {
        let call = call.as_raw();
        let call = answer_to(&call);
        let Some(answer) = call.respond(result_code, result) else {
            let text = "expected a call, found another frame";
            return Err(zeze_serialize::Error::new(zeze_serialize::ErrorKind::Frame, text).into());
        };
        self.send_frame(now, &answer)
    }

    /// Sends a frame as it is. The answer to a call that is sent so is
    /// [`Unexpected`](Event::Unexpected).
    ///
    /// # Errors
    /// As [`Framing::to_vec`](zeze_serialize::frame::Framing::to_vec), a connection that is not open, and more
    /// bytes that wait to be sent than [`Config::max_output`].
    pub fn send_frame<T: Serialize>(&mut self, now: Duration, frame: &Frame<'_, T>) -> Result<()> {
        self.check_open()?;
        self.push(now, frame)?;
        if frame.header.is_request() {
            self.calls.give_up();
        }
        Ok(())
    }

    /// Returns the bytes to send to the other side; `None` until there are some.
    ///
    /// Compressed frames since the last call are flushed here, so that frames that are sent
    /// together take fewer bytes.
    pub fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.output.take()
    }

    /// When [`handle_timeout`](Self::handle_timeout) is to be called next, if nothing else happens.
    pub fn poll_timeout(&self) -> Option<Duration> {
        if self.has_failed {
            return None;
        }
        if !self.is_open() {
            return Some(self.started.saturating_add(self.config.handshake_time));
        }
        let silence = self.config.silence.map(|time| self.received.saturating_add(time));
        let times = [self.calls.first_deadline(), self.next_keep_alive(), silence];
        times.into_iter().flatten().min()
    }

    fn next_keep_alive(&self) -> Option<Duration> {
        let last = self.sent.min(self.received).max(self.kept_alive);
        self.config.keep_alive.map(|time| last.saturating_add(time))
    }

    /// Does what is due: tells of calls without answers ([`Event::TimedOut`]), and keeps the connection
    /// alive. [`poll_event`](Self::poll_event) and [`poll_transmit`](Self::poll_transmit) have the
    /// outcome.
    ///
    /// # Errors
    /// The handshake has taken too long, or nothing has been received for too long.
    pub fn handle_timeout(&mut self, now: Duration) -> Result<()> {
        if self.has_failed {
            return Ok(());
        }
        let done = self.check_times(now);
        done.inspect_err(|_| self.has_failed = true)
    }

    fn check_times(&mut self, now: Duration) -> Result<()> {
        if !self.is_open() {
            let time = self.config.handshake_time;
            if now < self.started.saturating_add(time) {
                return Ok(());
            }
            let text = format!("expected the handshake to be done within {time:?}");
            return Err(Error::new(ErrorKind::Timeout, text));
        }
        if let Some(time) =
            self.config.silence.filter(|time| now >= self.received.saturating_add(*time))
        {
            let text = format!("expected bytes from the other side within {time:?}");
            return Err(Error::new(ErrorKind::Timeout, text));
        }
        if self.next_keep_alive().is_some_and(|due| now >= due) {
            self.kept_alive = now;
            self.keep_alive(now)?;
        }
        Ok(())
    }

    fn keep_alive(&mut self, now: Duration) -> Result<()> {
        // Its answer may come or not; one more or less does not count.
        let session_id = self.calls.next(usize::MAX)?;
        let (module_id, protocol_id) = (message::MODULE, message::KEEP_ALIVE);
        self.push(now, &Frame::rpc_request(module_id, protocol_id, session_id, ()))?;
        let id = CallId { module_id, protocol_id, session_id };
        self.calls.add(id, now.saturating_add(self.config.call_time), false);
        Ok(())
    }
}

/// A frame to answer, whatever its bean is.
fn answer_to<'a>(frame: &RawFrame<'a>) -> Frame<'a, ()> {
    let RawFrame { module_id, protocol_id, ref header, .. } = *frame;
    let (header, rest) = (header.clone(), std::borrow::Cow::Borrowed(&[][..]));
    Frame { module_id, protocol_id, header, bean: (), rest }
}
