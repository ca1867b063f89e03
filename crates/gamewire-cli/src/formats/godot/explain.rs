//! What each byte means. The work is the crate's; only this module knows its face.

use std::io::Write;

use gamewire::godot_variant::project::ProjectSettings;
use gamewire::godot_variant::{Explanation, Options, frame};

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
    let frames = || frame::Framing::new().options(options.clone());
    let explanation = match framing.unwrap_or_else(|| guess(bytes, options)) {
        Framing::Bare => options.explain(bytes),
        Framing::StoreVar => frames().explain(bytes),
        Framing::StoreVarBe => frames().big_endian(true).explain(bytes),
        Framing::Project => ProjectSettings::explain_with(bytes, options),
        Framing::Base64 => options.explain(decoded.insert(from_base64(bytes)?)),
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
        if color { self.explanation.to_text_colored() } else { self.explanation.to_text() }
    }

    fn html(&self, title: &str) -> String {
        self.explanation.to_html(title)
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error> {
        json::write(out, &self.explanation, Layout::Lines)
    }
}
