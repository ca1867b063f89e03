//! How the engine and the gems of a project are found.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::gems::{Gems, named};
use super::scan::Settings;
use super::version::{Wanted, parts};
use super::{Project, manifest, texts};
use o3de_json::Value;

/// Where the engine and the gems of a project are looked for.
///
/// As the engine does, this reads `o3de_manifest.json` in the folder `.o3de` of the user's home, which names
/// engines and folders of gems. The engine of a project is, the first that there is: the one given here;
/// `engine_path` of `user/project.json`; the newest registered one with the name and version that `engine`
/// says; the one around the project; the only one that is registered, for a project that names none.
///
/// The gems are those that `gem_names` of `project.json` and of `engine.json` and an older
/// `enabled_gems.cmake` name, those inside of the project that its `external_subdirectories` name, those
/// given here, and all that these depend on. Each is looked for in the `external_subdirectories` of the
/// project, of the engine, of the manifest and of gems among them, and in the folders `Gems` of project and
/// engine.
///
/// The scan folders and their order are those of the settings registry: of the engine, of the gems, of the
/// project and of the user.
///
/// ```no_run
/// use o3de_prefab::Search;
///
/// // As on a computer that builds, where nothing is registered.
/// let search = Search::new().manifest(None).engine("../o3de").gem("../assets/Gems");
/// let project = search.at("../game".as_ref());
/// assert_eq!(project.absent(), [""; 0]);
/// ```
#[derive(Clone, Debug)]
pub struct Search {
    manifest: Option<PathBuf>,
    engine: Option<PathBuf>,
    gems: Vec<PathBuf>,
    scan_folders: Vec<PathBuf>,
}

impl Default for Search {
    fn default() -> Self {
        Search::new()
    }
}

impl Search {
    /// With what the user of this computer has registered.
    pub fn new() -> Self {
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
        let manifest = home.map(|home| Path::new(&home).join(".o3de/o3de_manifest.json"));
        Search { manifest, engine: None, gems: Vec::new(), scan_folders: Vec::new() }
    }

    /// Sets the file of what is registered; none for `None`. By default that of the user.
    #[must_use]
    pub fn manifest(mut self, file: Option<PathBuf>) -> Self {
        self.manifest = file;
        self
    }

    /// Sets the folder of the engine, whatever the project says.
    #[must_use]
    pub fn engine(mut self, folder: impl Into<PathBuf>) -> Self {
        self.engine = Some(folder.into());
        self
    }

    /// Adds a gem that is used, or a folder of gems: one without a `gem.json`, but with gems in it.
    #[must_use]
    pub fn gem(mut self, folder: impl Into<PathBuf>) -> Self {
        self.gems.push(folder.into());
        self
    }

    /// Adds a scan folder before all others.
    #[must_use]
    pub fn scan_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.scan_folders.push(folder.into());
        self
    }

    /// The project that a file is in: the nearest folder around it with a `project.json`, or where there
    /// is none, with a `gem.json`. `None` if there is neither.
    ///
    /// # Errors
    /// The file's own folder cannot be found. A manifest that cannot be read or is no JSON
    /// counts as empty.
    pub fn around(&self, file: &Path) -> io::Result<Option<Project>> {
        Ok(Project::root_around(file)?.as_deref().map(|root| self.at(root)))
    }

    /// The project in a folder. Of one with a `gem.json` alone, which is a gem, the assets are a scan folder;
    /// any other folder is one itself.
    pub fn at(&self, root: &Path) -> Project {
        let root = &root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let project = manifest(&root.join("project.json"));
        let registered = self.manifest.as_deref().map_or(Value::Null, manifest);
        let mut absent = Vec::new();
        let engine = match &self.engine {
            Some(engine) => Some(engine.canonicalize().unwrap_or_else(|_| engine.clone())),
            None => engine_of(root, &project, &registered, &mut absent),
        };
        let engine_json =
            engine.as_deref().map_or(Value::Null, |engine| manifest(&engine.join("engine.json")));
        let gems =
            self.gems(root, [&project, &engine_json], engine.as_deref(), &registered, &mut absent);

        let mut owners: Vec<(String, PathBuf)> = Vec::new();
        owners.extend(engine.clone().map(|own| ("engine".to_owned(), own)));
        let of_gems = gems.in_order().iter().filter(|(_, own)| own != root);
        owners.extend(of_gems.map(|(name, own)| (format!("gems/{name}"), own.clone())));
        owners.push(("project".to_owned(), root.clone()));
        let home = self.manifest.as_deref().and_then(Path::parent);
        owners.extend(home.map(|own| ("home".to_owned(), own.to_owned())));
        let places = Project { owners, ..Project::default() };
        let mut settings = Settings::of(engine.as_deref());
        let registries = places.registries().skip(usize::from(engine.is_some()));
        registries.for_each(|(owner, inside)| settings.add_folder(&owner.1.join(inside)));
        gems.used()
            .for_each(|(_, gem)| settings.add_file(&gem.join("AssetProcessorGemConfig.setreg")));
        settings.add_file(&root.join("AssetProcessorGamePlatformConfig.setreg"));

        let mut folders: Vec<PathBuf> = self.scan_folders.clone();
        let found = settings.folders(root, engine.as_deref(), gems.used());
        let is_gem = root.join("gem.json").is_file() && !root.join("project.json").is_file();
        folders.extend(found.into_iter().filter(|folder| !(is_gem && folder == root)));
        let mut seen = HashSet::new();
        let folders = folders.into_iter().filter_map(|folder| folder.canonicalize().ok());
        let folders =
            folders.filter(|folder| folder.is_dir() && seen.insert(folder.clone())).collect();
        Project { folders, engine, absent, ..places }
    }

    fn gems(
        &self,
        root: &Path,
        [project, engine_json]: [&Value; 2],
        engine: Option<&Path>,
        registered: &Value,
        absent: &mut Vec<String>,
    ) -> Gems {
        let mut gems = Gems::default();
        let mut enabled: Vec<(String, bool)> = Vec::new();
        enabled.extend(gems.know(root).map(|own| (own, true)));
        let given = self.gems.iter().flat_map(|folder| match folder.join("gem.json").is_file() {
            true => vec![folder.clone()],
            false => std::fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .map(|own| own.path())
                .collect(),
        });
        given.for_each(|folder| enabled.extend(gems.know(&folder).map(|own| (own, true))));
        const LIST: &str = "external_subdirectories";
        for path in texts(project, LIST) {
            let folder = root.join(path);
            let is_own = folder.canonicalize().is_ok_and(|own| own.starts_with(root));
            let name = gems.know(&folder);
            enabled.extend(name.filter(|_| is_own).map(|name| (name, true)));
        }
        let of_engine = engine
            .into_iter()
            .flat_map(|engine| texts(engine_json, LIST).map(|path| engine.join(path)));
        let of_user = texts(registered, LIST).map(PathBuf::from);
        of_engine.chain(of_user).for_each(|folder| _ = gems.know(&folder));
        let engine_gems = texts(engine_json, "gem_names").map(|name| (name.to_owned(), true));
        enabled.extend(named(root, project).into_iter().chain(engine_gems));
        for (name, is_optional) in enabled {
            let own = Wanted::parse(&name).name;
            let mut is_found = gems.enable(&name);
            for place in [Some(root), engine].into_iter().flatten() {
                if is_found {
                    break;
                }
                is_found =
                    gems.know(&place.join("Gems").join(own)).is_some_and(|own| gems.enable(&own));
            }
            let word = format!("the gem `{own}`");
            if !is_found && !is_optional && !absent.contains(&word) {
                absent.push(word);
            }
        }
        gems
    }
}

/// The engine of a project.
fn engine_of(
    root: &Path,
    project: &Value,
    registered: &Value,
    absent: &mut Vec<String>,
) -> Option<PathBuf> {
    let user = manifest(&root.join("user/project.json"));
    let text = |name: &str| {
        let own = user.get(name).or_else(|| project.get(name)).and_then(Value::as_str);
        own.filter(|own| !own.is_empty())
    };
    if let Some(path) = text("engine_path").map(|path| root.join(path)) {
        return Some(path.canonicalize().unwrap_or(path));
    }
    let list = registered.get("engines").and_then(Value::as_array).into_iter().flatten();
    let path = |own: &Value| own.as_str().or_else(|| own.get("path")?.as_str()).map(PathBuf::from);
    let engines = list.filter_map(path).filter_map(|path| path.canonicalize().ok());
    let engines: Vec<(PathBuf, Value)> = engines
        .map(|path| (path.join("engine.json"), path))
        .filter(|(file, _)| file.is_file())
        .map(|(file, path)| (path, manifest(&file)))
        .collect();
    let around = root.ancestors().find(|folder| folder.join("engine.json").is_file());
    let best = match text("engine").map(Wanted::parse) {
        Some(wanted) => {
            let of = |own: &Value, name: &str| {
                own.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            let fitting = engines.iter().filter(|(_, own)| {
                of(own, "engine_name") == wanted.name && wanted.accepts(&of(own, "version"))
            });
            let best = fitting
                .max_by_key(|(path, own)| (root.starts_with(path), parts(&of(own, "version"))));
            if best.is_none() && around.is_none() {
                absent.push(format!("the engine `{}`", wanted.name));
            }
            best
        }
        None => engines.first().filter(|_| engines.len() == 1 && around.is_none()),
    };
    best.map(|(path, _)| path.clone()).or_else(|| around.map(Path::to_owned))
}
