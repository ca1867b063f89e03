//! What each byte means. The work is the crate's; only this module knows its face.

use gamewire::godot_variant::project::ProjectSettings;
use gamewire::godot_variant::{Options, frame};

use super::args::Framing;
use super::content::{from_base64, guess};
use crate::fault::Fault;
use crate::formats::Explained;

pub(super) fn explain(
    bytes: &[u8],
    framing: Option<Framing>,
    options: &Options,
) -> Result<Box<dyn Explained>, Fault> {
    let frames = || frame::Framing::new().options(options.clone());
    let explanation = match framing.unwrap_or_else(|| guess(bytes, options)) {
        Framing::Bare => options.explain(bytes),
        Framing::StoreVar => frames().explain(bytes),
        Framing::StoreVarBe => frames().big_endian(true).explain(bytes),
        Framing::Project => ProjectSettings::explain_with(bytes, options),
        Framing::Base64 => options.explain(&from_base64(bytes)?),
    };
    Ok(Box::new(explanation))
}
