//! Archives: what is in one, and the files in it as input of the commands.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use gamewire::document::{Error, Hierarchy, LineWidth, as_json, count, draw, shortened};
use gamewire::kiwi_pclass::archive::{Archive, Builder, Entry, Problem};
use gamewire::kiwi_pclass::{ErrorKind, Options};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde_json::{Value as Json, json};

use crate::failure::Failure;
use crate::fault::show;
use crate::files::{Bound, Input, Reopened};
use crate::names::Paths;
use crate::output::Shown as _;
use crate::output::{self, Drawing, is_dash};

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

/// A file that is named: an archive, with its name, of which only the table is read; or any other.
pub(crate) enum Given {
    Archive(String, Archive<'static>),
    Other(Input),
}

impl Given {
    pub(crate) fn read(path: &Path, bound: Bound, options: &Options) -> Result<Self, Failure> {
        let (name, archive) = if begins(path) {
            let file = Reopened { path: path.to_owned(), at: 0 };
            (path.shown(), Archive::from_file(file, options))
        } else {
            let input = Input::read(path, bound)?;
            // A file that has the name of one and is none is reported.
            if !is_archive(&input.bytes) && !is_named(path) {
                return Ok(Given::Other(input));
            }
            (input.name, Archive::from_file(Cursor::new(input.bytes.into_vec()), options))
        };
        match archive {
            Ok(archive) => Ok(Given::Archive(name, archive)),
            Err(error) => Err(Failure::Data(show(&Error::from(error), &name, &[]))),
        }
    }
}

/// Whether there is a file that begins as an archive does.
pub(crate) fn begins(path: &Path) -> bool {
    let mut head = Vec::new();
    let is_file = || std::fs::metadata(path).is_ok_and(|own| own.is_file());
    !is_dash(path)
        && is_file()
        && File::open(path).is_ok_and(|file| file.take(8).read_to_end(&mut head).is_ok())
        && is_archive(&head)
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
pub(crate) fn tree(archive: &Archive<'_>) -> Drawing {
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
    draw(&mut text, &mut folders, 0, LineWidth::wide(output::columns()));
    let root = as_json(&mut folders, 0);
    Drawing { text, json: json!({ "version": version, "root": root }) }
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
pub(crate) fn verify(archive: &Archive<'_>) -> (String, bool) {
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
    (text, !problems.iter().any(Problem::is_error))
}

/// The content of an entry; `None` for one that the game has not fetched.
pub(crate) fn content(entry: Entry<'_, '_>, is_stored: bool) -> Result<Option<Vec<u8>>, String> {
    match entry.read_and_rest() {
        Ok((content, rest)) => {
            if rest > 0 {
                let (name, rest) = (shortened(entry.name(), MAX_NAME), count(rest, "byte"));
                output::note(&format!("{name}: {rest} after the compressed data are left out"));
            }
            Ok(Some(content.into_owned()))
        }
        Err(_) if is_stored && entry.is_falsely_compressed() => {
            entry.stored().map(|own| Some(own.into_owned())).map_err(|error| error.to_string())
        }
        Err(error) if entry.is_falsely_compressed() => {
            Err(format!("{error}; --stored writes it as it stands there"))
        }
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
        // An entry that is present knows whether it is compressed, and may be the same.
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
