//! Messages: two numbers and a body.

use std::borrow::Cow;

use kiwi_pclass::{Error, ErrorKind, Result};
use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

use crate::read::{Reader, error_at};
use crate::{de, ser};

/// A Rust type of a message: a struct with its fields in the order in which they are sent.
///
/// `gamewire gen dml` makes such types from `*Messages.xml`.
pub trait Message {
    /// The id of the service.
    const SERVICE_ID: u8;
    /// The number in the service.
    const ORDER: u8;
    /// The name, such as `MSG_CLIENTMOVE`.
    const NAME: &'static str;
}

/// A message whose body is bytes.
///
/// ```
/// use kiwi_dml::{Message, RawMessage};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Move {
///     x: u16,
///     y: u16,
/// }
///
/// impl Message for Move {
///     const SERVICE_ID: u8 = 5;
///     const ORDER: u8 = 36;
///     const NAME: &'static str = "MSG_CLIENTMOVE";
/// }
///
/// let raw = RawMessage::of(&Move { x: 1, y: 2 })?;
/// assert_eq!(raw.to_vec(), [5, 36, 8, 0, 1, 0, 2, 0]);
/// assert!(raw.is::<Move>());
/// assert_eq!(raw.read::<Move>()?, Move { x: 1, y: 2 });
/// # Ok::<(), kiwi_dml::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawMessage<'a> {
    /// The id of the service.
    pub service_id: u8,
    /// The number in the service.
    pub order: u8,
    /// The fields; at most [`MAX_BODY`](Self::MAX_BODY) bytes.
    pub(crate) body: Cow<'a, [u8]>,
}

impl<'a> RawMessage<'a> {
    /// Bytes before the body: service, order, and the length of all.
    pub const HEAD_LEN: usize = 4;

    /// The most bytes of a body: the length, which counts the head, has 16 bits.
    pub const MAX_BODY: usize = 65_531;

    /// A message with this body.
    ///
    /// # Errors
    /// A body of more than [`MAX_BODY`](Self::MAX_BODY) bytes.
    pub fn new(service_id: u8, order: u8, body: impl Into<Cow<'a, [u8]>>) -> Result<Self> {
        let body = body.into();
        ser::check_body(body.len())?;
        Ok(RawMessage { service_id, order, body })
    }

    /// Writes a message.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn of<M: Message + Serialize>(message: &M) -> Result<RawMessage<'static>> {
        let body = ser::to_body(message).map_err(|error| error.inside(M::NAME))?;
        RawMessage::new(M::SERVICE_ID, M::ORDER, body)
    }

    /// The fields as bytes.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Whether it is this message: of its service and its order.
    pub fn is<M: Message>(&self) -> bool {
        (self.service_id, self.order) == (M::SERVICE_ID, M::ORDER)
    }

    /// Reads it. Texts and bytes can be borrowed.
    ///
    /// # Errors
    /// Another message, and as [`from_slice`](crate::from_slice). Offsets count from the start of the body.
    pub fn read<'s, M: Message + Deserialize<'s>>(&'s self) -> Result<M> {
        if !self.is::<M>() {
            let text = format!(
                "expected the message {} of the service {} ({}), found {} of {}",
                M::ORDER,
                M::SERVICE_ID,
                M::NAME,
                self.order,
                self.service_id
            );
            return Err(Error::new(ErrorKind::Data, text));
        }
        de::from_body(&self.body).map_err(|error| error.inside(M::NAME))
    }

    /// Takes the message at the front, which is not the end of the input.
    pub(crate) fn take(reader: &mut Reader<'a>) -> Result<Self> {
        let start = reader.offset();
        let [service_id, order] = reader.array("the head of a message")?;
        let len = reader.u16("the length of a message")?;
        let Some(len) = usize::from(len).checked_sub(Self::HEAD_LEN) else {
            let text = format!("expected a message of at least 4 bytes, found one of {len}");
            return Err(error_at(ErrorKind::Frame, start, text));
        };
        let body = Cow::Borrowed(reader.take(len, "a message")?);
        Ok(RawMessage { service_id, order, body })
    }

    /// Appends it as it is sent.
    pub fn append_to_vec(&self, out: &mut Vec<u8>) {
        let len = self.body.len().saturating_add(Self::HEAD_LEN);
        out.extend_from_slice(&[self.service_id, self.order]);
        out.extend_from_slice(&u16::try_from(len).unwrap_or(u16::MAX).to_le_bytes());
        out.extend_from_slice(&self.body);
    }

    /// The bytes as they are sent, in a frame.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.body.len().saturating_add(Self::HEAD_LEN));
        self.append_to_vec(&mut out);
        out
    }

    /// The same with its own bytes.
    pub fn into_owned(self) -> RawMessage<'static> {
        let RawMessage { service_id, order, body } = self;
        RawMessage { service_id, order, body: Cow::Owned(body.into_owned()) }
    }
}
