//! The project that a file is in.

use std::path::{Path, PathBuf};

use gamewire::o3de_prefab::Project;

use crate::args::o3de::SearchArgs;
use crate::failure::Failure;
use crate::output::Shown as _;

/// The scan folders for a file, and its path from one of them. Where there is no project, its own folder
/// is the only one; `root` is the only one where it is given.
pub(super) fn around(
    file: &Path,
    root: Option<&Path>,
    search: &SearchArgs,
) -> Result<(Project, String), Failure> {
    let failed = |error: std::io::Error| Failure::io(&file.shown(), &error);
    let project = match root {
        Some(root) => Project::of([root]),
        None => match search.root(file).map_err(failed)? {
            Some(root) => search.project(&root),
            None => Project::of([file.parent().map_or_else(PathBuf::new, Path::to_owned)]),
        },
    };
    let path = name(&project, file);
    Ok((project, path))
}

/// The engine and the gems that were not found, in words.
pub(super) fn absent(project: &Project) -> Vec<String> {
    let mut absent = project.absent().to_vec();
    if project.engine().is_none() && !absent.iter().any(|own| own.starts_with("the engine")) {
        absent.insert(0, "the engine".to_owned());
    }
    absent
}

/// The path of a file from a scan folder.
pub(super) fn name(project: &Project, file: &Path) -> String {
    let canonical = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let names = [canonical.as_path(), file].map(|file| project.names(file).into_iter().next());
    names.into_iter().flatten().next().unwrap_or_default()
}
