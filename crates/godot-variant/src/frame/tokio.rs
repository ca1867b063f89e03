//! Frames over the codecs of `tokio_util`.

use serde_core::Serialize;
use tokio_util::bytes::BytesMut;
use tokio_util::codec;

use super::{Framing, OwnedFrame};
use crate::error::{Error, Result};

gamewire_core::frame_codec! {
    Framing, OwnedFrame, Error;

    /// Frames over `tokio_util::codec`: for `Framed`, `FramedRead` and `FramedWrite`.
    ///
    /// Reads an [`OwnedFrame`], and writes a frame with any value in it. A frame that is too large is
    /// skipped as by a [`Decoder`](super::Decoder), after its error.
    pub struct Codec;
}

impl<T: Serialize> codec::Encoder<T> for Codec {
    type Error = Error;

    fn encode(&mut self, value: T, out: &mut BytesMut) -> Result<()> {
        out.extend_from_slice(&self.0.frames.to_vec(&value)?);
        Ok(())
    }
}
