//! The folders in which a project's files are looked for.

mod gems;
mod scan;
mod search;
mod version;

use std::io;
use std::path::{Path, PathBuf};

pub use self::search::Search;
use o3de_json::Options;
use o3de_json::value::{Folder, Importer, Value, normal_path};

/// The scan folders of a project, in the order in which the Asset Processor looks into them.
///
/// [`Search`] says how they are found. A source is a path below any of them; the first that has it counts.
/// Where no file has the very name, case does not count, as on the systems where most files of the engine
/// are made.
///
/// It is an [`Importer`], for a [`Loader`](crate::Loader) or for
/// [`Imports`](crate::Imports).
#[derive(Clone, Debug, Default)]
pub struct Project {
    folders: Vec<PathBuf>,
    engine: Option<PathBuf>,
    absent: Vec<String>,
    found: Vec<(String, PathBuf)>,
    /// Engine, gems, project and the folder of the user, by name, in the order of their settings.
    owners: Vec<(String, PathBuf)>,
}

/// The most bytes of a manifest.
const MAX_MANIFEST: usize = 1 << 20;

impl Project {
    /// The project that a file is in, with what the user of this computer has registered; see
    /// [`Search::around`].
    ///
    /// # Errors
    /// The file's own folder cannot be found.
    pub fn around(file: &Path) -> io::Result<Option<Self>> {
        Search::new().around(file)
    }

    /// The folder of the project that a file is in, without a look at its manifests: the nearest folder
    /// around it with a `project.json`, or where there is none, with a `gem.json`. `None` if there is
    /// neither. Of a folder it may be the folder itself.
    ///
    /// # Errors
    /// The file's own folder cannot be found.
    pub fn root_around(file: &Path) -> io::Result<Option<PathBuf>> {
        let file = file.canonicalize()?;
        let first = usize::from(!file.is_dir());
        let with = |name: &str| {
            let mut around = file.ancestors().skip(first);
            around.find(|folder| folder.join(name).is_file()).map(Path::to_owned)
        };
        Ok(with("project.json").or_else(|| with("gem.json")))
    }

    /// The project, or the gem, in a folder, with what the user of this computer has registered; see
    /// [`Search::at`].
    pub fn at(root: &Path) -> Self {
        Search::new().at(root)
    }

    /// These folders, the first first.
    pub fn of<I: IntoIterator<Item: Into<PathBuf>>>(folders: I) -> Self {
        Project { folders: folders.into_iter().map(Into::into).collect(), ..Project::default() }
    }

    /// The folders, the first first.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The folder of the engine, if it was found.
    pub fn engine(&self) -> Option<&Path> {
        self.engine.as_deref()
    }

    /// Names of the project that nothing has registered, in words: ``the engine `o3de` ``,
    /// ``the gem `PopcornFX` ``. Gems that are optional are left out.
    pub fn absent(&self) -> &[String] {
        &self.absent
    }

    pub(crate) fn owners(&self) -> &[(String, PathBuf)] {
        &self.owners
    }

    /// The folders of the settings registry, in their order: whose they are, and their paths below that
    /// (SettingsRegistryMergeUtils.cpp; ComponentApplication.cpp, `MergeSharedSettings` and `MergeUserSettings`).
    pub(crate) fn registries(&self) -> impl Iterator<Item = (&(String, PathBuf), &'static str)> {
        let own = self.owners.iter().map(|owner| (owner, "Registry"));
        let is_project = |owner: &&(String, PathBuf)| owner.0 == "project";
        own.chain(self.owners.iter().filter(is_project).map(|owner| (owner, "user/Registry")))
    }

    /// The files that were read, by the paths that were asked for.
    pub fn found(&self) -> &[(String, PathBuf)] {
        &self.found
    }

    /// The paths by which documents can name a file: one for each scan folder that it is below.
    pub fn names(&self, file: &Path) -> Vec<String> {
        let name = |folder: &PathBuf| {
            let path = file.strip_prefix(folder).ok().filter(|path| path.file_name().is_some())?;
            Some(path.to_string_lossy().replace('\\', "/"))
        };
        self.folders.iter().filter_map(name).collect()
    }

    /// The file that a path stands for; `None` for one that leads out of the folders, too.
    pub fn find(&self, path: &str) -> Option<PathBuf> {
        let path = normal_path(path)?;
        let exact =
            self.folders.iter().map(|folder| folder.join(&path)).find(|file| file.is_file());
        exact.or_else(|| self.folders.iter().find_map(|folder| without_case(folder, &path)))
    }
}

impl Importer for &mut Project {
    fn read(&mut self, path: &str, most: usize) -> io::Result<Vec<u8>> {
        <Project as Importer>::read(self, path, most)
    }
}

impl Importer for Project {
    fn read(&mut self, path: &str, most: usize) -> io::Result<Vec<u8>> {
        let absent = || io::Error::new(io::ErrorKind::NotFound, "no scan folder has it");
        let file = self.find(path).ok_or_else(|| match self.scene_of(path) {
            Some(scene) => {
                let name = self.names(&scene).into_iter().next().unwrap_or_default();
                let why = format!("`{path}` is made of `{name}` by the Asset Processor");
                io::Error::new(io::ErrorKind::Unsupported, why)
            }
            None => absent(),
        })?;
        let inside = |folder: &&PathBuf| file.starts_with(folder);
        let folder = self.folders.iter().find(inside).ok_or(io::ErrorKind::NotFound)?;
        let relative = file.strip_prefix(folder).map_err(io::Error::other)?;
        // Which follows no link out of the folder.
        let bytes = Folder::new(folder).read(&relative.to_string_lossy(), most)?;
        self.found.push((path.to_owned(), file));
        Ok(bytes)
    }
}

/// A file below a folder, by a path in other case.
fn without_case(folder: &Path, path: &str) -> Option<PathBuf> {
    below(folder, path).filter(|place| place.is_file())
}

/// The files in a folder.
pub(crate) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file())
}

/// Finds a path in any case below a folder. Steps out of it lead nowhere.
pub(crate) fn below(folder: &Path, path: &str) -> Option<PathBuf> {
    let mut place = folder.to_owned();
    for part in path.split(['/', '\\']).filter(|part| !part.is_empty()) {
        if part == "." || part == ".." {
            return None;
        }
        let named = place.join(part);
        place = match named.exists() {
            true => named,
            false => std::fs::read_dir(&place)
                .ok()?
                .flatten()
                .find(|entry| entry.file_name().to_string_lossy().eq_ignore_ascii_case(part))?
                .path(),
        };
    }
    Some(place)
}

/// A JSON file of the engine, or null.
fn manifest(path: &Path) -> Value {
    match bytes(path) {
        Some(bytes) => Options::new().trailing_commas(true).from_slice(&bytes).unwrap_or_default(),
        None => Value::Null,
    }
}

/// The content of a file that is none too long.
fn bytes(path: &Path) -> Option<Vec<u8>> {
    let (folder, name) = path.parent().zip(path.file_name())?;
    let bytes = Folder::new(folder).read(&name.to_string_lossy(), MAX_MANIFEST).ok()?;
    Some(bytes).filter(|bytes| bytes.len() <= MAX_MANIFEST)
}

/// The strings of a list, and of its objects those that are their names.
fn texts<'v>(manifest: &'v Value, list: &str) -> impl Iterator<Item = &'v str> + use<'v> {
    let list = manifest.get(list).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|own| own.as_str().or_else(|| own.get("name")?.as_str()))
}
