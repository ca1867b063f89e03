//! Notes about a session.

use std::time::Duration;

use kiwi_pclass::{Error, ErrorKind, Result};

use crate::{Control, KeepAlive, SessionAccept, SessionOffer, Time};

/// Says in a message that has a place for it that nothing is encrypted.
const NO_CRYPTO: [u8; 5] = [1, 0, 0, 0, 0];

/// One end of a session: it is offered, accepted, and kept alive.
///
/// It says which control message to send, and has neither a socket nor a clock: all times are since any
/// moment that stays the same.
///
/// ```
/// use std::time::Duration;
///
/// use kiwi_dml::{Session, Time};
///
/// let now = Duration::ZERO;
/// let (mut server, mut client) = (Session::server(7), Session::client());
/// let accept = client.take(now, &server.offer(Time::default()))?;
/// assert_eq!(server.take(now, &accept.expect("an accepted session"))?, None);
/// assert!(server.is_open() && client.is_open() && client.id() == 7);
///
/// // Every ten seconds, and in the other direction every minute.
/// let now = Session::CLIENT_KEEP_ALIVE;
/// let answer = server.take(now, &client.keep_alive(now))?;
/// assert_eq!(answer.expect("an answer").opcode(), 4);
/// # Ok::<(), kiwi_dml::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    is_server: bool,
    id: u16,
    /// When it was accepted.
    opened: Option<Duration>,
}

impl Session {
    /// How often the game's client sends a keep-alive.
    pub const CLIENT_KEEP_ALIVE: Duration = Duration::from_secs(10);

    /// The client's end. It accepts what the server offers, without encryption.
    pub const fn client() -> Self {
        Session { is_server: false, id: 0, opened: None }
    }

    /// The server's end of the session of this id. Send its [`offer`](Self::offer) first.
    pub const fn server(id: u16) -> Self {
        Session { is_server: true, id, opened: None }
    }

    /// The id; of a client, 0 before the offer.
    pub fn id(&self) -> u16 {
        self.id
    }

    /// Whether the session was accepted.
    pub fn is_open(&self) -> bool {
        self.opened.is_some()
    }

    /// Makes the server's first message, without encryption.
    pub fn offer(&self, time: Time) -> Control {
        Control::SessionOffer(SessionOffer { session_id: self.id, time, crypto: Vec::new() })
    }

    /// Takes a control message of the other side, and returns the one to answer with, if there is one.
    /// Unknown ones are skipped.
    ///
    /// # Errors
    /// An offer or its acceptance where it does not belong, and an accepted session of another id.
    pub fn take(&mut self, now: Duration, control: &Control) -> Result<Option<Control>> {
        match control {
            Control::SessionOffer(offer) if !self.is_server && !self.is_open() => {
                (self.id, self.opened) = (offer.session_id, Some(now));
                let SessionOffer { session_id, time, ref crypto } = *offer;
                let crypto = if crypto.is_empty() { vec![] } else { NO_CRYPTO.to_vec() };
                let accept = SessionAccept { reserved: 0, time, session_id, crypto };
                Ok(Some(Control::SessionAccept(accept)))
            }
            Control::SessionAccept(accept) if self.is_server && !self.is_open() => {
                if accept.session_id != self.id {
                    let (id, found) = (self.id, accept.session_id);
                    let text = format!("expected the session {id} to be accepted, found {found}");
                    return Err(Error::new(ErrorKind::Data, text));
                }
                self.opened = Some(now);
                Ok(None)
            }
            Control::SessionOffer(_) | Control::SessionAccept(_) => {
                let text = "expected no session to be offered or accepted here, found one";
                Err(Error::new(ErrorKind::Data, text))
            }
            Control::KeepAlive(alive) => Ok(Some(Control::KeepAliveResponse(Some(*alive)))),
            Control::KeepAliveResponse(_) | Control::Other { .. } => Ok(None),
        }
    }

    /// Makes a keep-alive, which the other side answers.
    pub fn keep_alive(&self, now: Duration) -> Control {
        let elapsed = now.saturating_sub(self.opened.unwrap_or(now));
        let clock = u32::try_from(elapsed.as_millis()).unwrap_or(u32::MAX);
        Control::KeepAlive(match self.is_server {
            true => KeepAlive { session_id: 0, clock },
            false => KeepAlive::of_client(self.id, elapsed),
        })
    }
}
