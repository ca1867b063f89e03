//! The settings registry of a project, merged from its files.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::imports::Imports;
use crate::project::{Project, below, entries};
use o3de_json::report::Processing;
use o3de_json::value::{Folder, Importer, Pointer, append_pointer};
use o3de_json::{Options, Value};

/// The most bytes of a file of settings.
const MAX_FILE: usize = 64 << 20;

/// The settings registry of a [`Project`], merged as the engine merges it for a program of the computer that it is
/// developed on: the `Registry` folders of the engine, of the gems, of the project and of `.o3de` in the user's home,
/// at last `user/Registry` of the project.
///
/// Of a folder, files whose tags are all [specializations](Registry::of) count, by name; of one name those with fewer
/// tags first, and those of the platform after the others (`SettingsRegistryImpl::MergeSettingsFolder`). Each `.setreg`
/// is a merge patch, each `.setregpatch` a JSON Patch, their imports resolved in order. What only a build makes, such
/// as the registry in the cache, and what command lines set is left out.
///
/// ```no_run
/// use o3de_prefab::{Project, Registry};
///
/// let project = Project::at("../game".as_ref());
/// let registry = Registry::of(&project, &["profile", "editor"], Some("Linux"), &Default::default());
/// for own in registry.origins("/Amazon/Tools/Limit") {
///     println!("{:?} comes from {}", own.value, own.file.display());
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    value: Value,
    files: Vec<PathBuf>,
    faults: Vec<String>,
    /// By JSON pointer, the file that set it last.
    origins: HashMap<String, usize>,
}

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Origin<'r> {
    /// The setting, as a JSON pointer.
    pub pointer: String,
    /// Its value.
    pub value: &'r Value,
    /// The file that set it last, or imports what did.
    pub file: &'r Path,
}

impl Registry {
    /// Merges the registry of a project. `specializations` are tags in their order, such as `profile`, `editor` and
    /// `tools`; `platform` is a folder below `Registry/Platform`. Case counts in neither.
    pub fn of<S: AsRef<str>>(
        project: &Project,
        specializations: &[S],
        platform: Option<&str>,
        options: &Options,
    ) -> Self {
        let mut registry = Registry { value: Value::Object(Default::default()), ..Self::default() };
        let tags: Vec<&str> = specializations.iter().map(AsRef::as_ref).collect();
        for ((owner, root), inside) in project.registries() {
            let folder = root.join(inside);
            let (files, faults) = files(&folder, &tags, platform);
            registry.faults.extend(faults.iter().map(|own| format!("{}: {own}", folder.display())));
            for file in files {
                let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy();
                let name = format!("{owner}/{}", name.replace('\\', "/"));
                if let Err(why) = registry.add(project, &file, &name, options) {
                    registry.faults.push(format!("{}: {why}", file.display()));
                }
            }
        }
        registry
    }

    /// All settings.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The files that were merged, in their order.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Files and folders that the engine leaves out, whole or in part, in sentences.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Where the setting at a JSON pointer comes from, or each setting below it; a list is one setting. Empty where
    /// there is none.
    pub fn origins(&self, pointer: &str) -> Vec<Origin<'_>> {
        let Some(parsed) = Pointer::parse(pointer) else { return Vec::new() };
        let mut place = String::new();
        parsed.tokens().iter().for_each(|token| append_pointer(&mut place, &token.name));
        let Some(value) = self.value.pointer(&place) else { return Vec::new() };
        // What is in a list comes from where the list does.
        let of = |pointer: &str| {
            let ends = pointer.rmatch_indices('/').map(|(at, _)| at);
            let around = std::iter::once(pointer.len()).chain(ends);
            let mut around = around.filter_map(|at| self.origins.get(pointer.get(..at)?));
            self.files.get(*around.next()?).map(PathBuf::as_path)
        };
        let all = leaves(place, value).into_iter();
        all.filter_map(|(pointer, value)| Some(Origin { file: of(&pointer)?, pointer, value }))
            .collect()
    }

    /// Merges a file; `name` is its path for imports.
    fn add(
        &mut self,
        project: &Project,
        file: &Path,
        name: &str,
        options: &Options,
    ) -> Result<(), String> {
        let options = options.clone().trailing_commas(true);
        let mut importer = Owners(project.owners());
        let bytes = importer.read(name, MAX_FILE).map_err(|why| why.to_string())?;
        if bytes.len() > MAX_FILE || bytes.starts_with(b"\xef\xbb\xbf") {
            let why = "the engine does not read settings that begin with a byte order mark";
            return Err(if bytes.len() > MAX_FILE { "it is too long" } else { why }.to_owned());
        }
        let document = options.take_from_slice::<Value>(&bytes).map_err(|why| why.to_string())?.0;
        let mut imports = Imports::new(importer).options(options);
        for (owner, _) in project.owners() {
            imports = match owner.strip_prefix("gems/") {
                Some(gem) => imports.alias(format!("@gemroot:{gem}@"), owner),
                None if owner == "engine" => imports.alias("@engroot@", owner),
                None => imports.alias(format!("@{owner}root@"), owner),
            };
        }
        let (patch, _) =
            imports.resolve_in_order(&document, name).map_err(|why| why.to_string())?;
        let is_patch = file.extension().is_some_and(|own| own.eq_ignore_ascii_case("setregpatch"));
        let before = self.value.clone();
        let mut halted = Ok(());
        match (&patch, is_patch) {
            (Value::Array(_), true) => {
                _ = self.value.apply_patch_with(&patch, &mut |step| {
                    if step.code.processing() == Processing::Halted && halted.is_ok() {
                        let (at, why) = (step.pointer, &step.message);
                        halted = Err(format!(
                            "the operation at {at} does not fit, and ends the patch: {why}"
                        ));
                    }
                    step.code
                });
            }
            (Value::Object(_), false) => _ = self.value.apply_merge_patch(&patch),
            (_, true) => return Err("expected an array of operations".to_owned()),
            (_, false) => return Err("expected settings in an object".to_owned()),
        }
        for (pointer, value) in leaves(String::new(), &self.value) {
            // A file that says what is there already says it all the same.
            let is_said = !is_patch && patch.pointer(&pointer).is_some();
            if is_said || before.pointer(&pointer) != Some(value) {
                self.origins.insert(pointer, self.files.len());
            }
        }
        self.files.push(file.to_owned());
        halted
    }
}

/// The settings in a value, with their pointers, in their order: lists, and what has nothing in it.
fn leaves(pointer: String, value: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    let mut waiting = vec![(pointer, value)];
    while let Some((pointer, value)) = waiting.pop() {
        match value.as_object().filter(|own| !own.is_empty()) {
            None => found.push((pointer, value)),
            Some(members) => waiting.extend(members.iter().rev().map(|(name, own)| {
                let mut place = pointer.clone();
                append_pointer(&mut place, name);
                (place, own)
            })),
        }
    }
    found
}

/// Folders by the names under which the files of a registry import one another.
struct Owners<'p>(&'p [(String, PathBuf)]);

impl Importer for Owners<'_> {
    fn read(&mut self, path: &str, most: usize) -> io::Result<Vec<u8>> {
        let inside = |(name, root): &(String, PathBuf)| {
            Some((root.clone(), path.strip_prefix(name.as_str())?.strip_prefix('/')?))
        };
        let found = self.0.iter().find_map(inside).ok_or(io::ErrorKind::NotFound.into());
        found.and_then(|(root, path)| Folder::new(root).read(path, most)).map_err(
            |why: io::Error| match why.kind() {
                kind @ io::ErrorKind::NotFound => io::Error::new(kind, "there is no such file"),
                _ => why,
            },
        )
    }
}

/// The files of a `Registry` folder, in the order in which they are merged, and what the engine leaves out.
pub(crate) fn files(
    folder: &Path,
    tags: &[&str],
    platform: Option<&str>,
) -> (Vec<PathBuf>, Vec<String>) {
    let of_platform = platform.and_then(|own| below(folder, &format!("Platform/{own}")));
    let places = [Some(folder), of_platform.as_deref()];
    let mut found = Vec::new();
    for (place, is_platform) in places.into_iter().zip([false, true]) {
        for file in place.into_iter().flat_map(entries) {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
            let is_own =
                ["setreg", "setregpatch"].iter().any(|own| extension.eq_ignore_ascii_case(own));
            let mut parts = stem.split('.').filter(|own| !own.is_empty());
            let first = parts.next().filter(|_| is_own).map(|own| format!("{own}."));
            let place = |tag: &str| tags.iter().position(|own| own.eq_ignore_ascii_case(tag));
            let own = parts.map(place).collect::<Option<Vec<usize>>>();
            if let (Some(first), Some(mut own)) = (first, own) {
                own.sort_unstable();
                found.push(((first, own.len(), own, is_platform), file));
            }
        }
    }
    found.sort();
    // Names in other case are one name, in the place of the first.
    let mut firsts: HashMap<String, String> = HashMap::new();
    for ((name, ..), _) in &mut found {
        *name = firsts.entry(name.to_lowercase()).or_insert_with(|| name.clone()).clone();
    }
    found.sort();
    let alike = found.windows(2).find_map(|pair| match pair {
        [(one, a), (other, b)] if one == other => Some([a, b]),
        _ => None,
    });
    if let Some(pair) = alike {
        let [a, b] = pair.map(|own| own.file_name().unwrap_or_default().to_string_lossy());
        let why =
            "are for the same specialization, and the engine then leaves out the whole folder";
        return (Vec::new(), vec![format!("`{a}` and `{b}` {why}")]);
    }
    // Of a file that has a tag twice the engine takes nothing.
    let (twice, files): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|((_, _, own, _), _)| own.windows(2).any(|pair| pair.first() == pair.last()));
    let fault = |(_, file): (_, PathBuf)| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("`{name}` has a tag twice, and the engine leaves it out")
    };
    let faults = twice.into_iter().map(fault).collect();
    (files.into_iter().map(|(_, file)| file).collect(), faults)
}
