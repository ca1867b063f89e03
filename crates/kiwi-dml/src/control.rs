//! Control messages
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-dml.md#control-messages)).

use std::time::Duration;

use kiwi_pclass::{ErrorKind, Result};

use crate::read::{Reader, error_at};

/// A message of a session itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Control {
    /// 0: the server offers a session.
    SessionOffer(SessionOffer),
    /// 3: the sender is present, and wants an answer.
    KeepAlive(KeepAlive),
    /// 4: the answer to it. Some clients send it without content.
    KeepAliveResponse(Option<KeepAlive>),
    /// 5: the client accepts a session.
    SessionAccept(SessionAccept),
    /// Any other.
    Other {
        /// Its number.
        opcode: u8,
        /// All of the frame's payload, with the 0 at the end that most have.
        payload: Vec<u8>,
    },
}

/// A time of a server's or a client's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Time {
    /// Seconds since 1970. Servers of others repeat the lower 32 bits in the upper ones, or leave those 0;
    /// clients do not look.
    pub seconds: u64,
    /// Milliseconds of the current second.
    pub milliseconds: u32,
}

impl Time {
    /// The time since 1970.
    pub fn since_1970(time: Duration) -> Self {
        Time { seconds: time.as_secs(), milliseconds: time.subsec_millis() }
    }
}

/// A session that a server offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SessionOffer {
    /// The id of the session.
    pub session_id: u16,
    /// The server's time.
    pub time: Time,
    /// The start of encryption: a length of 32 bits and as many bytes, which a signature ends. None in
    /// sessions without.
    pub crypto: Vec<u8>,
}

/// A session that a client accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SessionAccept {
    /// Always 0.
    pub reserved: u16,
    /// The client's time, or that of the offer.
    pub time: Time,
    /// The id that was offered.
    pub session_id: u16,
    /// The answer to [`SessionOffer::crypto`].
    pub crypto: Vec<u8>,
}

/// That a side is present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeepAlive {
    /// The id of the session; servers send 0 too.
    pub session_id: u16,
    /// Of a server: milliseconds since it started. Of a client: two numbers of 16 bits, which
    /// [`milliseconds`](Self::milliseconds) and [`minutes`](Self::minutes) take out.
    pub clock: u32,
}

impl KeepAlive {
    /// The message of a client, after a time in the session.
    pub fn of_client(session_id: u16, elapsed: Duration) -> Self {
        let minutes = u16::try_from(elapsed.as_secs() / 60).unwrap_or(u16::MAX);
        let clock = u32::from(minutes) << 16 | elapsed.subsec_millis();
        KeepAlive { session_id, clock }
    }

    /// Of a client: milliseconds of the current second.
    pub fn milliseconds(self) -> u16 {
        let [low, high, ..] = self.clock.to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// Of a client: minutes since the session began.
    pub fn minutes(self) -> u16 {
        let [.., low, high] = self.clock.to_le_bytes();
        u16::from_le_bytes([low, high])
    }
}

impl Control {
    /// Its number.
    pub fn opcode(&self) -> u8 {
        match self {
            Control::SessionOffer(_) => 0,
            Control::KeepAlive(_) => 3,
            Control::KeepAliveResponse(_) => 4,
            Control::SessionAccept(_) => 5,
            Control::Other { opcode, .. } => *opcode,
        }
    }

    /// Reads the payload of a frame. The 0 at its end may be missing.
    ///
    /// # Errors
    /// A payload that is cut off, or too long for a keep-alive, or whose last byte could be that of the frame or
    /// that of the encryption.
    pub fn read(opcode: u8, payload: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(payload);
        Ok(match opcode {
            0 => {
                let session_id = reader.u16("a session's id")?;
                let time = time(&mut reader)?;
                Control::SessionOffer(SessionOffer { session_id, time, crypto: crypto(&reader)? })
            }
            3 => Control::KeepAlive(keep_alive(&mut reader)?),
            4 if matches!(payload, [] | [0]) => Control::KeepAliveResponse(None),
            4 => Control::KeepAliveResponse(Some(keep_alive(&mut reader)?)),
            5 => {
                let reserved = reader.u16("an accepted session")?;
                let time = time(&mut reader)?;
                let session_id = reader.u16("a session's id")?;
                let crypto = crypto(&reader)?;
                Control::SessionAccept(SessionAccept { reserved, time, session_id, crypto })
            }
            _ => Control::Other { opcode, payload: payload.into() },
        })
    }

    /// Writes the payload, without the 0 at its end; of [`Other`](Control::Other) as it is.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Control::SessionOffer(offer) => {
                out.extend_from_slice(&offer.session_id.to_le_bytes());
                put_time(&mut out, offer.time);
                out.extend_from_slice(&offer.crypto);
            }
            Control::KeepAlive(alive) | Control::KeepAliveResponse(Some(alive)) => {
                out.extend_from_slice(&alive.session_id.to_le_bytes());
                out.extend_from_slice(&alive.clock.to_le_bytes());
            }
            Control::KeepAliveResponse(None) => {}
            Control::SessionAccept(accept) => {
                out.extend_from_slice(&accept.reserved.to_le_bytes());
                put_time(&mut out, accept.time);
                out.extend_from_slice(&accept.session_id.to_le_bytes());
                out.extend_from_slice(&accept.crypto);
            }
            Control::Other { payload, .. } => out.extend_from_slice(payload),
        }
        out
    }
}

/// The upper half of the seconds comes first.
fn time(reader: &mut Reader<'_>) -> Result<Time> {
    let what = "the time of a session";
    let (high, low) = (reader.u32(what)?, reader.u32(what)?);
    let seconds = u64::from(high) << 32 | u64::from(low);
    Ok(Time { seconds, milliseconds: reader.u32(what)? })
}

fn put_time(out: &mut Vec<u8>, time: Time) {
    out.extend_from_slice(&time.seconds.rotate_left(32).to_le_bytes());
    out.extend_from_slice(&time.milliseconds.to_le_bytes());
}

/// The rest, without the 0 at the end: of the stated length, or any.
fn crypto(reader: &Reader<'_>) -> Result<Vec<u8>> {
    let rest = reader.rest();
    let claim = rest.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
    let len = usize::try_from(claim).map_or(0, |len| len.saturating_add(4));
    match rest.split_at_checked(len) {
        Some((own, [] | [0])) => Ok(own.to_vec()),
        // With the 0 of a frame it would have the stated length, and be taken for another one.
        None if len == rest.len().saturating_add(1) => {
            let text = format!("expected {claim} bytes to start encryption, found one less");
            Err(error_at(ErrorKind::UnexpectedEof, reader.offset(), text))
        }
        _ => Ok(rest.strip_suffix(&[0]).unwrap_or(rest).to_vec()),
    }
}

fn keep_alive(reader: &mut Reader<'_>) -> Result<KeepAlive> {
    let session_id = reader.u16("a session's id")?;
    let clock = reader.u32("the clock of a keep-alive")?;
    if !matches!(reader.rest(), [] | [0]) {
        let text = "expected the end of a keep-alive, found more bytes";
        return Err(error_at(ErrorKind::TrailingBytes, reader.offset(), text));
    }
    Ok(KeepAlive { session_id, clock })
}
