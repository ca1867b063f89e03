//! Prefabs and settings of Open 3D Engine: patches, projects, lint, refactoring.

pub(crate) mod edit;
pub(crate) mod graph;
pub(crate) mod lint;
mod project;
pub(crate) mod refactor;
pub(crate) mod resolve;
pub(crate) mod tree;

use std::path::Path;

use gamewire::Format;

use crate::files::Input;

/// Whether a file in a folder has a name that files of the engine have, so that it is worth reading.
fn may_be(path: &Path) -> bool {
    let extension = path.extension().map(|own| own.to_string_lossy().to_ascii_lowercase());
    let known = Format::O3deJson.extensions().iter().chain(&SHARED_EXTENSIONS);
    extension.is_some_and(|own| known.into_iter().any(|known| *known == own))
}

/// Extensions that files of others have, too: the content says what they are.
const SHARED_EXTENSIONS: [&str; 8] =
    ["material", "shader", "template", "names", "pass", "assetinfo", "scriptcanvas", "json"];

/// Whether a file is one of O3DE: by what is in it, for names that others have, too.
fn is_own(input: &Input) -> bool {
    input.is_named
        || gamewire::detect(&input.bytes, input.path.as_deref()) == Some(Format::O3deJson)
}
