//! The folders in which a project's files are looked for.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use o3de_json::Options;
use o3de_json::value::{Folder, Importer, Value, normal_path};

/// The scan folders of a project: the project itself, then the `Assets` of its gems, then the
/// engine's.
///
/// They are found from `project.json`, which names gems and folders of more gems, from the `gem.json`
/// of each, and from an `engine.json` in a folder around the project. A source is a path below any of
/// them; the first that has it counts. Where no file has the very name, case does not count, as on the
/// systems where most files of the engine are made.
///
/// It is an [`Importer`], for a [`Loader`](crate::Loader) or for
/// [`Imports`](o3de_json::value::Imports).
#[derive(Clone, Debug, Default)]
pub struct Project {
    folders: Vec<PathBuf>,
    found: Vec<(String, PathBuf)>,
}

/// The most bytes of a manifest.
const MAX_MANIFEST: usize = 1 << 20;

/// The most folders of gems that are looked at.
const MAX_GEMS: usize = 4096;

impl Project {
    /// The project that a file is in: the nearest folder around it with a `project.json`, or where there
    /// is none, with a `gem.json`. `None` if there is neither. Of a folder it may be the folder itself.
    ///
    /// # Errors
    /// The file's own folder cannot be found. A manifest that cannot be read or is no JSON
    /// counts as empty.
    pub fn around(file: &Path) -> io::Result<Option<Self>> {
        Ok(Project::root_around(file)?.as_deref().map(Project::at))
    }

    /// The folder of the project that a file is in, without a look at its manifests; see
    /// [`around`](Project::around).
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

    /// The project, or the gem, in a folder.
    pub fn at(root: &Path) -> Self {
        let mut gems = Gems::default();
        let project = manifest(&root.join("project.json"));
        let own = manifest(&root.join("gem.json"));
        gems.add_below(root, &project);
        gems.add_below(root, &own);
        let engine = root.ancestors().skip(1).find(|folder| folder.join("engine.json").is_file());
        if let Some(engine) = engine {
            gems.add_below(engine, &manifest(&engine.join("engine.json")));
        }
        let assets = |folder: &Path| folder.join("Assets");
        let mut folders = vec![root.to_owned(), assets(root)];
        folders.extend(gems.folders.iter().map(|gem| assets(gem)));
        folders.extend(engine.map(assets));
        folders.retain(|folder| folder.is_dir());
        Project { folders, found: Vec::new() }
    }

    /// These folders, the first first.
    pub fn of<I: IntoIterator<Item: Into<PathBuf>>>(folders: I) -> Self {
        Project { folders: folders.into_iter().map(Into::into).collect(), found: Vec::new() }
    }

    /// The folders, the first first.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
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
        let file = self.find(path).ok_or_else(absent)?;
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

/// Folders of gems, each once.
#[derive(Default)]
struct Gems {
    folders: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
}

impl Gems {
    /// The gems that a manifest names: folders by their paths, and names of folders in `Gems`.
    fn add_below(&mut self, root: &Path, names: &Value) {
        let mut waiting: Vec<PathBuf> = folders_of(root, names);
        while let Some(folder) = waiting.pop() {
            let Ok(folder) = folder.canonicalize() else { continue };
            if self.seen.len() >= MAX_GEMS || !self.seen.insert(folder.clone()) {
                continue;
            }
            waiting.extend(folders_of(&folder, &manifest(&folder.join("gem.json"))));
            self.folders.push(folder);
        }
    }
}

fn folders_of(root: &Path, names: &Value) -> Vec<PathBuf> {
    let texts = |name: &str| -> Vec<String> {
        let list = names.get(name).and_then(Value::as_array).into_iter().flatten();
        // A gem is named, or an object with its name.
        let text =
            |own: &Value| own.as_str().or_else(|| own.get("name")?.as_str()).map(str::to_owned);
        list.filter_map(text).collect()
    };
    let named = texts("gem_names").into_iter().map(|name| root.join("Gems").join(name));
    let mut folders: Vec<PathBuf> = named.collect();
    folders.extend(texts("external_subdirectories").into_iter().map(|path| root.join(path)));
    // The last is looked at first.
    folders.reverse();
    folders
}

/// A manifest, or null.
fn manifest(path: &Path) -> Value {
    let parts = path.parent().zip(path.file_name());
    let read =
        parts.map(|(folder, name)| Folder::new(folder).read(&name.to_string_lossy(), MAX_MANIFEST));
    match read {
        Some(Ok(bytes)) if bytes.len() <= MAX_MANIFEST => {
            Options::new().from_slice(&bytes).unwrap_or_default()
        }
        _ => Value::Null,
    }
}
