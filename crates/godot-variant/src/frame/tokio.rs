//! Frames over the codecs of `tokio_util`.

use gamewire_core::frames::Splitter;
use serde_core::Serialize;
use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec;

use super::{Framing, OwnedFrame};
use crate::error::{Error, Result};

/// Frames over `tokio_util::codec`: for `Framed`, `FramedRead` and `FramedWrite`.
///
/// Reads an [`OwnedFrame`], and writes a frame with any value in it. A frame that is too large is
/// passed over as by a [`Decoder`](super::Decoder), after its error.
#[derive(Clone, Debug)]
pub struct Codec(Splitter<Framing>);

impl Codec {
    /// A codec for frames of a kind.
    pub const fn new(framing: Framing) -> Self {
        Codec(Splitter::new(framing))
    }
}

impl codec::Decoder for Codec {
    type Item = OwnedFrame;
    type Error = Error;

    fn decode(&mut self, bytes: &mut BytesMut) -> Result<Option<OwnedFrame>> {
        bytes.advance(self.0.pass(bytes.len()));
        let Some(len) = self.0.whole(bytes)? else { return Ok(None) };
        self.0.frame(&bytes.split_to(len)).map(|frame| Some(frame.into_owned()))
    }

    fn decode_eof(&mut self, bytes: &mut BytesMut) -> Result<Option<OwnedFrame>> {
        let frame = self.decode(bytes)?;
        if frame.is_none() {
            let ended = self.0.end(bytes);
            bytes.clear();
            ended?;
        }
        Ok(frame)
    }
}

impl<T: Serialize> codec::Encoder<T> for Codec {
    type Error = Error;

    fn encode(&mut self, value: T, out: &mut BytesMut) -> Result<()> {
        out.extend_from_slice(&self.0.frames.to_vec(&value)?);
        Ok(())
    }
}
