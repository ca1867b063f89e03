//! The project that a file is in.

use std::path::{Path, PathBuf};

use gamewire::o3de_prefab::Project;

use crate::failure::Failure;

/// The scan folders for a file, and its path from one of them. Where there is no project, its own folder
/// is the only one.
pub(super) fn around(file: &Path, root: Option<&Path>) -> Result<(Project, String), Failure> {
    let failed = |error: std::io::Error| Failure::io(&file.display().to_string(), &error);
    let found = match root {
        Some(root) => Some(Project::of([root])),
        None => Project::around(file).map_err(failed)?,
    };
    let beside = file.parent().map_or_else(PathBuf::new, Path::to_owned);
    let project = found.unwrap_or_else(|| Project::of([beside]));
    let canonical = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let names = [canonical.as_path(), file].map(|file| project.names(file).into_iter().next());
    let path = names.into_iter().flatten().next().unwrap_or_default();
    Ok((project, path))
}
