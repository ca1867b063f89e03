//! The numbers before the bean of a frame, read and written.

use super::Framing;
use crate::error::{Count, Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::types::RawBean;
use crate::value::decode::{Decoder, FramePart, Listener};
use crate::write;

/// Added to the family where a result code follows.
const WITH_RESULT: u32 = 32;

/// The families: which sort of frame it is.
pub(crate) const RESPONSE: u32 = 0;
const REQUEST: u32 = 1;
const PROTOCOL: u32 = 2;
pub(crate) const RAFT_RESPONSE: u32 = 3;
const RAFT_REQUEST: u32 = 4;

/// The kind of a frame, and its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Header<'a> {
    /// Nothing: the frame of the published page.
    Page,
    /// A protocol: a message without an answer.
    Protocol {
        /// 0 for success.
        result_code: i64,
    },
    /// A remote procedure call, or the answer to one.
    Rpc {
        /// Whether it is the call.
        is_request: bool,
        /// 0 for success.
        result_code: i64,
        /// Which call the answer belongs to.
        session_id: i64,
    },
    /// A remote procedure call to a raft cluster, or the answer to one.
    RaftRpc {
        /// Whether it is the call.
        is_request: bool,
        /// 0 for success.
        result_code: i64,
        /// Which call the answer belongs to.
        session_id: i64,
        /// Identifies the call, so that it is done once only.
        unique: RawBean<'a>,
        /// When it was made, in milliseconds since 1970.
        create_time: i64,
    },
}

impl<'a> Header<'a> {
    /// The result code; `None` in the frame of the published page.
    pub fn result_code(&self) -> Option<i64> {
        match self {
            Header::Page => None,
            Header::Protocol { result_code }
            | Header::Rpc { result_code, .. }
            | Header::RaftRpc { result_code, .. } => Some(*result_code),
        }
    }

    /// The session id of a call.
    pub fn session_id(&self) -> Option<i64> {
        match self {
            Header::Rpc { session_id, .. } | Header::RaftRpc { session_id, .. } => {
                Some(*session_id)
            }
            _ => None,
        }
    }

    /// Whether it is a call that waits for an answer.
    pub fn is_request(&self) -> bool {
        matches!(
            self,
            Header::Rpc { is_request: true, .. } | Header::RaftRpc { is_request: true, .. }
        )
    }

    /// The same with its own bytes.
    pub fn into_owned(self) -> Header<'static> {
        match self {
            Header::Page => Header::Page,
            Header::Protocol { result_code } => Header::Protocol { result_code },
            Header::Rpc { is_request, result_code, session_id } => {
                Header::Rpc { is_request, result_code, session_id }
            }
            Header::RaftRpc { is_request, result_code, session_id, unique, create_time } => {
                let unique = unique.into_owned();
                Header::RaftRpc { is_request, result_code, session_id, unique, create_time }
            }
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let (family, result_code) = match self {
            Header::Page => return,
            Header::Protocol { result_code } => (PROTOCOL, *result_code),
            Header::Rpc { is_request: true, result_code, .. } => (REQUEST, *result_code),
            Header::Rpc { result_code, .. } => (RESPONSE, *result_code),
            Header::RaftRpc { is_request: true, result_code, .. } => (RAFT_REQUEST, *result_code),
            Header::RaftRpc { result_code, .. } => (RAFT_RESPONSE, *result_code),
        };
        if result_code == 0 {
            write::uint(out, family);
        } else {
            write::uint(out, family | WITH_RESULT);
            write::int(out, result_code);
        }
        if let Some(session_id) = self.session_id() {
            write::int(out, session_id);
        }
        if let Header::RaftRpc { unique, create_time, .. } = self {
            out.extend_from_slice(unique.as_bytes());
            write::int(out, *create_time);
        }
    }
}

impl<'de> Decoder<'de> {
    /// Reads the numbers before the bean of a frame; the input ends with the frame then.
    pub(crate) fn frame_start<L: Listener<'de>>(
        &mut self,
        framing: &Framing,
        listener: &mut L,
    ) -> Result<(u32, u32, Header<'de>)> {
        let (start, there) = (self.offset(), self.rest().len());
        let mut word = |part| match self.u32_le() {
            Some(word) => {
                listener.frame(self.offset(), part, word.into());
                Ok(word)
            }
            None => Err(not_whole(start, there, "a frame's header of", Framing::HEAD_LEN)),
        };
        let module_id = word(FramePart::Module)?;
        let protocol_id = word(FramePart::Protocol)?;
        let size = word(FramePart::Size)? as usize;
        if size > framing.max_size {
            let at = self.offset().saturating_sub(4);
            return Err(too_large(size, framing.max_size, Some(at)));
        }
        let end = self.offset().saturating_add(size);
        // A frame that is cut off is explained up to where it ends, and nothing else reads it.
        if size > self.rest().len() {
            let len = size.saturating_add(Framing::HEAD_LEN);
            let error = not_whole(start, there, "a frame of", len);
            if !L::READS_ON {
                return Err(error);
            }
            self.claim.get_or_insert(error);
        }
        self.narrow(end);
        let header = if framing.is_page { Header::Page } else { self.header(listener)? };
        Ok((module_id, protocol_id, header))
    }

    /// Family, result code, and what an rpc is known by.
    fn header<L: Listener<'de>>(&mut self, listener: &mut L) -> Result<Header<'de>> {
        let at = self.offset();
        let number = self.uint("a frame's family")?;
        let family = number & !WITH_RESULT;
        if family > RAFT_REQUEST {
            let text = format!("expected a frame's family of 0 to 4, found {number}");
            return Err(Error::at(ErrorKind::Frame, at, text));
        }
        listener.frame(self.offset(), FramePart::Family, family.into());
        let result_code = match number & WITH_RESULT {
            0 => 0,
            _ => self.frame_int(FramePart::Result, listener)?,
        };
        if family == PROTOCOL {
            return Ok(Header::Protocol { result_code });
        }
        let session_id = self.frame_int(FramePart::Session, listener)?;
        let is_request = matches!(family, REQUEST | RAFT_REQUEST);
        if family < RAFT_RESPONSE {
            return Ok(Header::Rpc { is_request, result_code, session_id });
        }
        let start = self.offset();
        listener.frame(start, FramePart::Unique, 0);
        self.value(Kind::Bean, 0, listener).map_err(|error| error.inside("unique"))?;
        let unique = RawBean(self.since(start).into());
        let create_time = self.frame_int(FramePart::Created, listener)?;
        Ok(Header::RaftRpc { is_request, result_code, session_id, unique, create_time })
    }

    fn frame_int<L: Listener<'de>>(&mut self, part: FramePart, listener: &mut L) -> Result<i64> {
        let value = self.int()?;
        listener.frame(self.offset(), part, value);
        Ok(value)
    }

    /// Bytes in a frame after its bean are ignored, or an error if reading is strict. Then
    /// reading continues after the frame in `all` of the input.
    #[cfg(feature = "explain")]
    pub(crate) fn frame_end<L: Listener<'de>>(
        &mut self,
        all: &'de [u8],
        listener: &mut L,
    ) -> Result<()> {
        if self.options.strict {
            self.end()?;
        }
        self.widen(all);
        listener.frame(self.offset(), FramePart::Rest, 0);
        Ok(())
    }
}

/// A frame at `start` of which not all is present.
#[cold]
pub(super) fn not_whole(start: usize, there: usize, what: &str, len: usize) -> Error {
    let text = format!("expected {what} {}, found {}", Count(len, "byte"), Count(there, "byte"));
    Error::at(ErrorKind::UnexpectedEof, start.saturating_add(there), text)
        .needing(len.saturating_sub(there))
}

#[cold]
pub(super) fn too_large(size: usize, max_size: usize, at: Option<usize>) -> Error {
    let text =
        format!("a frame of {size} bytes is larger than max_size, which is {max_size} bytes");
    Error::at(ErrorKind::AllocLimit, at, text)
}
