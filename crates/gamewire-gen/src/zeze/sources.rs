//! Which files belong to a solution.

use std::path::{Component, Path, PathBuf};

use super::place::Place;
use super::{Options, ReadFile};
use crate::{Error, Result};

/// Where imported files may be.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The folder in which all of them are, without links.
    root: PathBuf,
    is_given: bool,
    read: Option<ReadFile>,
}

/// The file of a name.
pub(super) struct Found {
    pub(super) file: Option<PathBuf>,
    /// A sentence that is worth knowing.
    pub(super) note: Option<String>,
}

impl Sources {
    /// The root of a solution: the one that was given; else that of the repository; else the current
    /// folder, or the one above the solution's, whichever has more in it.
    pub(super) fn new(file: &Path, options: &Options) -> Result<Self> {
        let real = |path: &Path| {
            let real = path.canonicalize();
            real.map_err(|error| Error(format!("{}: {error}", path.display())))
        };
        let read = options.read;
        if let Some(root) = &options.root {
            return Ok(Sources { root: real(root)?, is_given: true, read });
        }
        let file = real(file)?;
        let folder = file.parent().unwrap_or(Path::new("/"));
        let repository = folder.ancestors().find(|folder| folder.join(".git").exists());
        let above = folder.parent().unwrap_or(folder);
        let current = real(Path::new("."))?;
        let current = Some(current.as_path()).filter(|current| above.starts_with(current));
        let root = repository.or(current).unwrap_or(above).to_owned();
        Ok(Sources { root, is_given: false, read })
    }

    /// The content of a file. Errors are sentences without its name.
    pub(super) fn read(&self, path: &Path) -> std::result::Result<Vec<u8>, String> {
        match self.read {
            Some(read) => read(path),
            None => std::fs::read(path).map_err(|error| error.to_string()),
        }
    }

    /// The file of a name that stands at a place: beside the file that names it; or, as Zeze does,
    /// where it was started; or, where projects of a repository import each other by another layout,
    /// in a folder around it.
    pub(super) fn find(&self, place: &Place, name: &str) -> Result<Found> {
        let near = [place.resolve(name), PathBuf::from(name)];
        // Without a root, nothing is read.
        let is_none = self.root.as_os_str().is_empty();
        let near = near.into_iter().find(|file| !is_none && file.is_file());
        if let Some(file) = near {
            if !self.has(&file) {
                let hint = if self.is_given { "" } else { "; --root DIR allows more" };
                let root = self.root.display();
                let text = format!("{name:?} to import is outside of {root}{hint}");
                return Err(place.wrong(text));
            }
            return Ok(Found { file: Some(file), note: None });
        }
        let file = if is_none { None } else { self.elsewhere(place, Path::new(name)) };
        let note = match &file {
            Some(file) => format!("no file {name:?} to import there, took {}", file.display()),
            None => format!("no file {name:?} to import"),
        };
        Ok(Found { file, note: Some(place.wrong(note).0) })
    }

    fn has(&self, file: &Path) -> bool {
        file.canonicalize().is_ok_and(|real| real.starts_with(&self.root))
    }

    /// The file whose path ends as the name does, with a folder at least, below one around the place.
    fn elsewhere(&self, place: &Place, name: &Path) -> Option<PathBuf> {
        let parts = name.components().filter(|part| matches!(part, Component::Normal(_)));
        let parts: Vec<Component<'_>> = parts.collect();
        let folder = place.file.parent()?;
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = folder.canonicalize().ok()?;
        let around = folder.ancestors().take_while(|folder| folder.starts_with(&self.root));
        let ends = || (0..parts.len().saturating_sub(1)).filter_map(|at| parts.get(at..));
        let mut all = around
            .flat_map(|folder| ends().map(|end| folder.join(end.iter().collect::<PathBuf>())));
        all.find(|file| file.is_file() && self.has(file))
    }
}
