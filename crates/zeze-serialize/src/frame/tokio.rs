//! Frames over the codecs of `tokio_util`.

use serde_core::Serialize;
use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec;

use super::stream::Splitter;
use super::{Frame, Framing, OwnedFrame};
use crate::error::{Error, Result};

/// Frames over `tokio_util::codec`: for `Framed`, `FramedRead` and `FramedWrite`.
///
/// Reads an [`OwnedFrame`], and writes a [`Frame`] with any bean. A frame that is too large is
/// passed over as by a [`Decoder`](super::Decoder), after its error.
#[derive(Clone, Debug)]
pub struct Codec {
    framing: Framing,
    splitter: Splitter,
}

impl Codec {
    /// A codec for frames of a kind.
    pub const fn new(framing: Framing) -> Self {
        Codec { framing, splitter: Splitter::new(framing) }
    }
}

impl codec::Decoder for Codec {
    type Item = OwnedFrame;
    type Error = Error;

    fn decode(&mut self, bytes: &mut BytesMut) -> Result<Option<OwnedFrame>> {
        bytes.advance(self.splitter.pass(bytes.len()));
        let Some(len) = self.splitter.len(bytes)? else { return Ok(None) };
        let frame = bytes.split_to(len);
        self.splitter.frame(&frame).map(|frame| Some(frame.into_owned()))
    }

    fn decode_eof(&mut self, bytes: &mut BytesMut) -> Result<Option<OwnedFrame>> {
        let frame = self.decode(bytes)?;
        if frame.is_none() {
            let ended = self.splitter.end(bytes);
            bytes.clear();
            ended?;
        }
        Ok(frame)
    }
}

impl<T: Serialize> codec::Encoder<Frame<'_, T>> for Codec {
    type Error = Error;

    fn encode(&mut self, frame: Frame<'_, T>, out: &mut BytesMut) -> Result<()> {
        out.extend_from_slice(&self.framing.to_vec(&frame)?);
        Ok(())
    }
}
