//! What each byte means. The work is the crate's; only this module knows its face.

mod shim;

use std::io::Write;

use gamewire::godot_variant::Options;

use self::shim::Explanation;
use super::args::Framing;
use super::content::{from_base64, guess};
use crate::fault::Fault;
use crate::formats::Explained;
use crate::json::{self, Layout};

pub(super) fn explain(
    bytes: &[u8],
    framing: Option<Framing>,
    options: &Options,
) -> Result<Box<dyn Explained>, Fault> {
    let mut decoded = None;
    let explanation = match framing.unwrap_or_else(|| guess(bytes, options)) {
        Framing::Bare => shim::value(options, bytes),
        Framing::StoreVar => shim::frames(options, false, bytes),
        Framing::StoreVarBe => shim::frames(options, true, bytes),
        Framing::Project => shim::project(bytes),
        Framing::Base64 => shim::value(options, decoded.insert(from_base64(bytes)?)),
    };
    Ok(Box::new(Explainer { explanation, decoded }))
}

struct Explainer {
    explanation: Explanation,
    /// The bytes that are explained, where they are not those of the file.
    decoded: Option<Vec<u8>>,
}

impl Explained for Explainer {
    fn error(&self) -> Option<Fault> {
        let fault = Fault::from(self.explanation.error()?);
        Some(match &self.decoded {
            Some(bytes) => fault.within(bytes.clone()),
            None => fault,
        })
    }

    fn text(&self, color: bool) -> String {
        self.explanation.to_text(color)
    }

    fn html(&self, title: &str) -> String {
        self.explanation.to_html(title)
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error> {
        json::write(out, &self.explanation, Layout::Lines)
    }
}
