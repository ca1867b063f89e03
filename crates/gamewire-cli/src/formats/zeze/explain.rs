//! What each byte means. The work is the crate's.

use std::io::Write;

use gamewire::zeze_serialize::{Explanation, Options};

use super::args::Frames;
use super::content::{framing, guess};
use crate::fault::Fault;
use crate::formats::Explained;
use crate::json::{self, Layout};

pub(super) fn explain(
    bytes: &[u8],
    frames: Option<Frames>,
    options: &Options,
) -> Box<dyn Explained> {
    let frames = frames.unwrap_or_else(|| guess(bytes, options));
    Box::new(Explainer(match framing(frames) {
        None => options.explain(bytes),
        Some(framing) => framing.options(*options).explain(bytes),
    }))
}

struct Explainer(Explanation);

impl Explained for Explainer {
    fn error(&self) -> Option<Fault> {
        self.0.error().map(Fault::from)
    }

    fn text(&self, color: bool) -> String {
        if color { self.0.to_text_colored() } else { self.0.to_text() }
    }

    fn html(&self, title: &str) -> String {
        self.0.to_html(title)
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error> {
        json::write(out, &self.0, Layout::Lines)
    }
}
