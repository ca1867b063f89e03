//! Frames over the codecs of `tokio_util`.

use serde_core::Serialize;
use tokio_util::bytes::{Bytes, BytesMut};
use tokio_util::codec;

use super::{Frame, Framing, OwnedFrame, RawFrame};
use crate::error::{Error, Result};

gamewire_core::frame_codec! {
    Framing, OwnedFrame, Error;

    /// Frames over `tokio_util::codec`: for `Framed`, `FramedRead` and `FramedWrite`.
    ///
    /// Reads an [`OwnedFrame`], and writes a [`Frame`] with any bean. A frame that is too large is
    /// skipped as by a [`Decoder`](super::Decoder), after its error.
    pub struct Codec;
}

impl<T: Serialize> codec::Encoder<Frame<'_, T>> for Codec {
    type Error = Error;

    fn encode(&mut self, frame: Frame<'_, T>, out: &mut BytesMut) -> Result<()> {
        out.extend_from_slice(&self.0.frames.to_vec(&frame)?);
        Ok(())
    }
}

impl RawFrame<'_> {
    /// The frame with its own bytes, so that a small one does not hold what came with it.
    fn held_by(self, _: &Bytes) -> OwnedFrame {
        self.into_owned()
    }
}
