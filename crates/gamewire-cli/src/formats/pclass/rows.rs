//! `gamewire rows`

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::Format;
use gamewire::document::{Document, Layout, Limits, Settings, count, detect};
use gamewire::kiwi_pclass::Schema;
use gamewire::kiwi_pclass::archive::is_bare_object;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde_json::json;

use super::types::{derived, find};
use crate::args::LimitArgs;
use crate::args::pclass::PclassArgs;
use crate::commands::sources::expand;
use crate::commands::{bar, for_other};
use crate::failure::{Failure, Outcome};
use crate::fault::sentence;
use crate::files::{self, Bound, Found, Input};
use crate::glob::Globs;
use crate::output::{self, Shown as _, Sink};

/// Files that are read before their rows are written.
const BATCH: usize = 256;

/// Write a row of JSON for each object in archives, files and folders of KingsIsle's games
///
/// Each line is {"archive":…,"entry":…,"class":…,"object":…}, the object as `decode` writes it, or with `error` in
/// place of both, or before an object of which a property cannot be read. What is no object is skipped: objects begin with BINd, are in the debug form, or are called
/// gamedata.bin or pathNodeData.bin. Archives are read entry by entry, on all cores, however large they are.
///
/// At the end, standard error says how many hashes of classes and properties the type lists do not have; --missing
/// writes which.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire rows GameData/ --types types.json > all.jsonl
  gamewire rows Root.wad --types types.json --class SpellTemplate | jq -r .object.m_name
  gamewire rows GameData/*.wad --types types.json --entry gamedata.bin
  gamewire rows GameData/ --types types.json --missing")]
pub(crate) struct Rows {
    /// Archives, files, and folders with them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only entries and files of this name, or that match a pattern with *, ? and **; may be repeated
    #[arg(long, value_name = "NAME")]
    entry: Vec<String>,
    /// Only objects of this class and of those derived from it; may be repeated
    #[arg(long, value_name = "CLASS")]
    class: Vec<String>,
    /// Write, in place of the objects, a row for each hash that the type lists do not have
    #[arg(long)]
    missing: bool,
    /// Where the rows go [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pclass: PclassArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// A hash that no type list has: that of a class, or that of a property of one.
type Hash = (Option<String>, u32);

/// The result of a file or an entry.
enum Row {
    /// No object, or none that is asked for.
    None,
    /// The line, and the hashes that are not known, of an object, and whether all of it could be read.
    Object(Vec<u8>, Vec<Hash>, Place, bool),
    Error(String),
}

/// The counts.
#[derive(Default)]
struct Met {
    objects: usize,
    errors: usize,
    unfetched: usize,
    /// How often each hash is there, and where first.
    hashes: HashMap<Hash, (usize, Place)>,
}

/// An archive, and the name of an entry in it; or no archive, and the path of a file.
type Place = (Option<String>, String);

/// The selection.
struct Asked {
    settings: Settings,
    bound: Bound,
    globs: Globs,
    /// The names of classes; `None` for all.
    classes: Option<HashSet<String>>,
    missing: bool,
}

impl Rows {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let (format, limits) = (Some(Format::KiwiPclass), self.limits.settings());
        let pclass = self.pclass.settings();
        // Of these the name says what they are.
        let is_told = |path: &Path| {
            path.extension().is_some_and(|own| own == "wad")
                || is_bare_object(&path.to_string_lossy())
        };
        for path in self.paths.iter().filter(|path| path.is_file() && !is_told(path)) {
            let input = Input::read(path, self.limits.bound())?;
            if let Some(why) = for_other(&input, Format::KiwiPclass, "rows") {
                return Err(Failure::Usage(why));
            }
        }
        let Some(schema) = pclass.schema.clone() else {
            return Err(Failure::Usage("no type list is given; --types FILE names one".to_owned()));
        };
        let asked = Asked {
            settings: Settings { format, limits, pclass, ..Settings::default() },
            bound: self.limits.bound(),
            globs: Globs::new(&self.entry).map_err(Failure::Usage)?,
            classes: classes(&schema, &self.class).map_err(Failure::Usage)?,
            missing: self.missing,
        };
        let walk = files::expand(&self.paths);
        let (mut met, mut wrong) = (Met::default(), walk.unreadable);
        let bar = bar(walk.files.len(), "files");
        Sink::new(self.output.as_deref()).write_json(|out| {
            // One archive after the other: the tables of all of them are long.
            for found in &walk.files {
                match expand(std::slice::from_ref(&found.path), &asked.settings) {
                    Ok(inside) => {
                        met.unfetched += inside.skipped.unfetched;
                        wrong.extend(inside.unreadable);
                        for batch in inside.files.chunks(BATCH) {
                            let rows = batch.par_iter().map(|own| asked.row(&found.path, own));
                            met.write(rows.collect::<Vec<Row>>(), out)?;
                        }
                    }
                    Err(Failure::Data(why) | Failure::Usage(why)) => wrong.push(why),
                    Err(Failure::Closed) => return Err(io::ErrorKind::BrokenPipe.into()),
                }
                bar.inc(1);
            }
            if self.missing { met.write_hashes(out) } else { Ok(()) }
        })?;
        bar.finish_and_clear();
        wrong.iter().for_each(|why| output::error(why));
        output::note(&met.report());
        Ok(Outcome::good_if(met.errors == 0 && wrong.is_empty()))
    }
}

impl Asked {
    /// The row of a file, or of an entry of an archive.
    fn row(&self, archive: &Path, found: &Found) -> Row {
        let inside = found.inside.as_ref();
        let name = inside.and_then(|(entries, at)| entries.name(*at)).map(str::to_owned);
        let archive = name.is_some().then(|| archive.display().to_string());
        let place = (archive, name.unwrap_or_else(|| found.path.display().to_string()));
        let name = found.path.file_name().unwrap_or_default().to_string_lossy();
        let globbed = inside.map_or(&*name, |_| &place.1);
        if !self.globs.matches(globbed) {
            return Row::None;
        }
        let error = |why: &str| {
            let why = why.lines().next().unwrap_or(why);
            let why = why.strip_prefix(&format!("{}: ", found.path.shown())).unwrap_or(why);
            let row = json!({ "archive": place.0, "entry": place.1, "error": why });
            Row::Error(format!("{row}\n"))
        };
        let (content, max_memory) = match found.read(self.bound) {
            Ok(input) => (input.bytes, input.max_memory),
            Err(Failure::Data(why) | Failure::Usage(why)) => return error(&why),
            Err(Failure::Closed) => return Row::None,
        };
        let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&content).trim_ascii_start();
        let is_debug = || text.starts_with(b"<") && detect(&content, None, false).is_some();
        if !content.starts_with(b"BINd") && !is_bare_object(&place.1) && !is_debug() {
            return Row::None;
        }
        let name = Some(PathBuf::from(&place.1));
        let max_memory = max_memory.or(self.settings.limits.max_memory);
        let limits = Limits { max_memory, ..self.settings.limits };
        let settings = Settings { name, limits, ..self.settings.clone() };
        let document = match Document::open(content, &settings) {
            Ok(document) => document,
            Err(why) => return error(&sentence(&why)),
        };
        let class = document.root().type_name();
        if self.classes.as_ref().is_some_and(|all| !all.contains(&class)) {
            return Row::None;
        }
        let hashes = document.unknown_hashes().into_iter();
        let hashes = hashes.map(|own| (own.class.map(str::to_owned), own.hash)).collect();
        let unread = document.unread_properties();
        let mut object = Vec::new();
        if !self.missing {
            let mut head = json!({ "archive": place.0, "entry": place.1, "class": class });
            if let (Some((class, property)), Some(members)) = (unread.first(), head.as_object_mut())
            {
                let why = property.oddity().unwrap_or("has a type whose layout is not known");
                let why = format!("{}.{} {why}", class.name(), property.name());
                members.insert("error".to_owned(), why.into());
            }
            let head = head.to_string();
            object.extend_from_slice(head.trim_end_matches('}').as_bytes());
            object.extend_from_slice(b",\"object\":");
            if let Err(why) = document.write_json(&mut object, Layout::Compact, false) {
                return error(&why.to_string());
            }
            object.truncate(object.trim_ascii_end().len());
            object.extend_from_slice(b"}\n");
        }
        Row::Object(object, hashes, place, unread.is_empty())
    }
}

impl Met {
    fn write(&mut self, rows: Vec<Row>, out: &mut dyn Write) -> io::Result<()> {
        for row in rows {
            match row {
                Row::None => {}
                Row::Error(line) => {
                    self.errors += 1;
                    out.write_all(line.as_bytes())?;
                }
                Row::Object(line, hashes, place, is_whole) => {
                    self.objects += 1;
                    self.errors += usize::from(!is_whole);
                    out.write_all(&line)?;
                    for hash in hashes {
                        self.hashes.entry(hash).or_insert_with(|| (0, place.clone())).0 += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// A row for each hash that is not known, the most frequent first.
    fn write_hashes(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut all: Vec<_> = self.hashes.iter().collect();
        all.sort_by(|a, b| b.1.0.cmp(&a.1.0).then_with(|| a.0.cmp(b.0)));
        for ((class, hash), (times, (archive, entry))) in all {
            let what = if class.is_some() { "property" } else { "class" };
            let row = json!({
                "hash": format!("{hash:#010x}"), "what": what, "class": class, "count": times,
                "archive": archive, "entry": entry,
            });
            writeln!(out, "{row}")?;
        }
        Ok(())
    }

    /// Returns the counts as text for people.
    fn report(&self) -> String {
        let mut text =
            format!("{}, {}", count(self.objects, "object"), count(self.errors, "error"));
        if self.unfetched > 0 {
            _ = write!(text, "; {} not fetched", count(self.unfetched, "entry"));
        }
        if !self.hashes.is_empty() {
            let hashes = count(self.hashes.len(), "hash");
            _ = write!(text, "; the type lists do not have {hashes}, which --missing lists");
        }
        text
    }
}

/// The names of classes and of those derived from them.
fn classes(schema: &Schema, names: &[String]) -> Result<Option<HashSet<String>>, String> {
    let mut all = HashSet::new();
    for name in names {
        let class = find(schema, name)?;
        all.insert(class.name().to_owned());
        all.extend(derived(schema, class).iter().map(|own| own.name().to_owned()));
    }
    Ok((!names.is_empty()).then_some(all))
}
