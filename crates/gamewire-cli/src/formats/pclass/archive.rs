//! Archives: what is in one, and the files in it as input of the commands.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gamewire::document::{Drawing, Error, Hierarchy, Page, as_json, count, draw, shortened};
use gamewire::kiwi_pclass::archive::{Archive, Builder, Entry, Problem};
use gamewire::kiwi_pclass::{ErrorKind, Options};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde_json::{Value as Json, json};

use crate::failure::Failure;
use crate::fault::show;
use crate::files::{Found, Packed};
use crate::names::Paths;
use crate::output;

/// Levels of folders that are drawn; what is below is one name.
const MAX_LEVELS: usize = 64;

/// Characters of a name that are drawn.
const MAX_NAME: usize = 120;

/// Whether bytes begin as an archive does.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    Archive::is_archive(bytes)
}

/// Whether a file with this name is an archive.
pub(crate) fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case("wad"))
}

pub(crate) fn read<'a>(bytes: &'a [u8], options: &Options) -> Result<Archive<'a>, Error> {
    Ok(Archive::from_slice_with(bytes, options)?)
}

/// An archive whose entries are read one by one, on any core.
struct Opened(Archive<'static>);

impl Packed for Opened {
    fn read(&self, index: usize) -> Result<Vec<u8>, String> {
        let entry = self.0.by_index(index).ok_or("is not in the archive")?;
        entry.read().map(std::borrow::Cow::into_owned).map_err(|error| error.to_string())
    }
}

/// The files found in an archive.
#[derive(Default)]
pub(crate) struct Contents {
    pub(crate) files: Vec<Found>,
    /// Entries that the game has not fetched yet.
    pub(crate) unpatched: usize,
    /// The problems of the table.
    pub(crate) problems: Vec<String>,
}

/// The entries of an archive that `is_meant` says yes to, as files. `None` stands for all.
pub(crate) fn open(
    path: &Path,
    bytes: Vec<u8>,
    is_meant: Option<&dyn Fn(&str) -> bool>,
) -> Result<Contents, Failure> {
    // Each of them may be read on another core until the command ends, and the process with it.
    let bytes: &'static [u8] = bytes.leak();
    let shown = path.display();
    let failed = |fault: Error| Failure::Data(show(&fault, &shown.to_string(), bytes));
    let archive = read(bytes, &Options::new()).map_err(failed)?;
    let mut contents = Contents::default();
    let problems = archive.verify_table();
    let problems = problems.iter().filter(|problem| problem.is_error());
    contents.problems = problems.map(|problem| format!("{shown}: {problem}")).collect();
    let opened = Arc::new(Opened(archive));
    let mut paths = Paths::new();
    for entry in opened.0.entries() {
        // The path of an entry does not depend on what else is meant.
        let relative = paths.of(entry.name());
        if is_meant.is_some_and(|is_meant| !is_meant(entry.name())) {
            continue;
        }
        if entry.is_unpatched() {
            contents.unpatched += 1;
            continue;
        }
        let packed: Arc<dyn Packed> = opened.clone();
        contents.files.push(Found {
            path: path.join(&relative),
            relative,
            is_named: false,
            inside: Some((packed, entry.index())),
        });
    }
    Ok(contents)
}

/// The entries in short.
pub(crate) fn list(archive: &Archive<'_>) -> Drawing {
    let flags = archive.flags().map_or(String::new(), |flags| format!(", flags {flags:#x}"));
    let entries = count(archive.len(), "entry");
    let mut text = format!("version {}{flags}, {entries}\n", archive.version());
    for entry in archive.entries() {
        let stored = entry.compressed_size().map_or_else(|| "-".to_owned(), |own| own.to_string());
        let mark = if entry.is_unpatched() { "  (not fetched)" } else { "" };
        let name = entry.name().escape_debug();
        _ = writeln!(text, "{:>10}  {stored:>10}  {name}{mark}", entry.size());
    }
    let entries: Vec<Json> = archive.entries().map(entry_json).collect();
    let (version, flags) = (archive.version(), archive.flags());
    Drawing { text, json: json!({ "version": version, "flags": flags, "entries": entries }) }
}

fn entry_json(entry: Entry<'_, '_>) -> Json {
    json!({
        "name": entry.name(),
        "len": entry.size(),
        "compressed_len": entry.compressed_size(),
        "crc32": entry.crc32(),
        "offset": entry.offset(),
        "fetched": !entry.is_unpatched(),
    })
}

/// The folders and files.
pub(crate) fn tree(bytes: &[u8]) -> Result<Drawing, Error> {
    let archive = read(bytes, &Options::new())?;
    let mut folders = Folders { nodes: vec![Node::default()] };
    let mut places: HashMap<(usize, &str), usize> = HashMap::new();
    for entry in archive.entries() {
        let mut place = 0;
        for part in entry.name().splitn(MAX_LEVELS, '/') {
            place = *places
                .entry((place, part))
                .or_insert_with(|| folders.add(place, shortened(part, MAX_NAME)));
        }
        if let Some(node) = folders.nodes.get_mut(place) {
            node.note = format!("  {}", count(entry.size() as usize, "byte"));
        }
    }
    let (version, entries) = (archive.version(), count(archive.len(), "entry"));
    if let Some(root) = folders.nodes.first_mut() {
        root.name = format!("archive, version {version}: {entries}");
    }
    let mut text = String::new();
    draw(&mut text, &mut folders, 0, Page::wide(output::columns()));
    let root = as_json(&mut folders, 0);
    Ok(Drawing { text, json: json!({ "version": version, "root": root }) })
}

#[derive(Default)]
struct Node {
    name: String,
    note: String,
    children: Vec<usize>,
}

struct Folders {
    nodes: Vec<Node>,
}

impl Folders {
    fn add(&mut self, parent: usize, name: String) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node { name, ..Node::default() });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(index);
        }
        index
    }
}

impl Hierarchy for Folders {
    type Node = usize;

    fn lines(&mut self, node: usize) -> Option<(String, Vec<String>)> {
        let node = self.nodes.get(node)?;
        Some((format!("{}{}", node.name, node.note), Vec::new()))
    }

    fn children(&self, node: usize) -> Vec<usize> {
        self.nodes.get(node).map(|node| node.children.clone()).unwrap_or_default()
    }
}

/// Lists the problems, and says whether any does harm. Reads all entries, on all cores.
pub(crate) fn verify(bytes: &[u8], options: &Options) -> Result<(String, bool), Error> {
    let archive = read(bytes, options)?;
    let mut problems = archive.verify_table();
    let is_shared = problems.iter().any(|own| matches!(own, Problem::Overlap { .. }));
    if is_shared {
        // Many entries may share the same bytes; this reads none twice.
        problems = archive.verify();
    } else {
        let entries = (0..archive.len()).into_par_iter();
        let found = entries.filter_map(|index| archive.by_index(index)?.verify());
        problems.extend(found.collect::<Vec<_>>());
    }
    let mut text = String::new();
    for problem in &problems {
        let word = if problem.is_error() { "error" } else { "note" };
        _ = writeln!(text, "  {word}: {problem}");
    }
    Ok((text, !problems.iter().any(Problem::is_error)))
}

/// The content of an entry; `None` for one that the game has not fetched.
pub(crate) fn content(entry: Entry<'_, '_>) -> Result<Option<Vec<u8>>, String> {
    match entry.read() {
        Ok(content) => Ok(Some(content.into_owned())),
        Err(_) if entry.is_unpatched() => Ok(None),
        Err(error) => Err(match error.kind() {
            ErrorKind::OutputLimit => format!("{error}; --max-output BYTES allows more"),
            _ => error.to_string(),
        }),
    }
}

/// Puts files into an archive, compressed on all cores.
pub(crate) fn insert(
    builder: &mut Builder<'_>,
    files: Vec<(String, Vec<u8>)>,
) -> Result<(), Error> {
    use gamewire::kiwi_pclass::archive::Content;

    let packed = files.into_par_iter().map(|(name, bytes)| {
        // An entry that is there knows whether it is compressed, and may be the same.
        match builder.contains(&name) {
            true => Ok((name, Err(bytes))),
            false => Content::new(&name, bytes).map(|content| (name, Ok(content))),
        }
    });
    let packed: Result<Vec<_>, _> = packed.collect();
    for (name, content) in packed? {
        match content {
            Ok(content) => builder.insert_content(&name, content)?,
            Err(bytes) => builder.insert(&name, &bytes)?,
        }
    }
    Ok(())
}

/// The path that each entry gets in a folder.
pub(crate) fn paths(archive: &Archive<'_>) -> Vec<PathBuf> {
    let mut paths = Paths::new();
    archive.file_names().map(|name| paths.of(name)).collect()
}
