//! Projects of Godot: lint, refactoring.

pub(crate) mod lint;
pub(crate) mod refactor;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use gamewire::godot_resource::Project;

use crate::failure::Failure;
use crate::files::{self, Bound};
use crate::output::Shown as _;

/// The files that an engine keeps together.
struct OpenProject {
    root: PathBuf,
    project: Project<'static>,
    /// Whether the root has a `project.godot`, so that what is not below it is not there.
    is_whole: bool,
}

impl OpenProject {
    /// The root of the project around a file, and whether there is one; else the folder.
    fn root(file: &Path, folder: &Path) -> Result<(PathBuf, bool), Failure> {
        let failed = |error| Failure::io(&file.shown(), &error);
        let path = file.canonicalize().map_err(failed)?;
        match path.ancestors().skip(1).find(|folder| folder.join("project.godot").is_file()) {
            Some(root) => Ok((root.to_owned(), true)),
            None => Ok((folder.canonicalize().map_err(failed)?, false)),
        }
    }

    fn open((root, is_whole): (PathBuf, bool), bound: Bound) -> Self {
        let walk = files::expand(std::slice::from_ref(&root));
        let files: Vec<&Path> = walk.files.iter().map(|own| own.relative.as_path()).collect();
        // Folders that the engine does not look into.
        let is_shut = |file: &Path| {
            let is_mark =
                file.file_name().is_some_and(|name| name == ".gdignore" || name == "project.godot");
            file.parent().filter(|folder| is_mark && *folder != Path::new("")).map(Path::to_owned)
        };
        let shut: HashSet<PathBuf> = files.iter().filter_map(|file| is_shut(file)).collect();
        let is_in = |file: &Path| {
            let is_hidden = file.iter().any(|name| name.to_string_lossy().starts_with('.'));
            !is_hidden && !file.ancestors().any(|folder| shut.contains(folder))
        };
        let files: Vec<String> = files.into_iter().filter(|own| is_in(own)).map(slashed).collect();
        let folder = root.clone();
        let project = Project::new(files, move |path| files::read(&folder.join(path), bound).ok());
        OpenProject { root, project, is_whole }
    }

    /// The path of a file from the root on.
    fn name(&self, file: &Path) -> Option<String> {
        let path = file.canonicalize().ok()?;
        path.strip_prefix(&self.root).ok().map(slashed)
    }
}

fn slashed(path: &Path) -> String {
    path.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Whether the file has a name that files of the engine have.
pub(crate) fn may_be(path: &Path) -> bool {
    const EXTENSIONS: [&str; 10] =
        ["tscn", "tres", "escn", "scn", "res", "import", "uid", "godot", "gdextension", "remap"];
    let extension = path.extension().map(|own| own.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|own| EXTENSIONS.contains(&&*own))
}
