//! What each byte means. The work is the crate's.

use gamewire::zeze_serialize::Options;

use super::args::Frames;
use super::content::{framing, guess};
use crate::formats::Explained;

pub(super) fn explain(
    bytes: &[u8],
    frames: Option<Frames>,
    options: &Options,
) -> Box<dyn Explained> {
    let frames = frames.unwrap_or_else(|| guess(bytes, options));
    Box::new(match framing(frames) {
        None => options.explain(bytes),
        Some(framing) => framing.options(*options).explain(bytes),
    })
}
