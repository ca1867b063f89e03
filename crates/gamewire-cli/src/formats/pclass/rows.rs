//! `gamewire rows`

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::Format;
use gamewire::document::{Document, Entries, Layout, Settings, count, detect};
use gamewire::kiwi_pclass::Schema;
use gamewire::kiwi_pclass::archive::is_bare_object;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde_json::{Value as Json, json};

use super::archive::{begins, is_archive};
use super::types::{derived, find};
use crate::args::LimitArgs;
use crate::args::pclass::PclassArgs;
use crate::commands::bar;
use crate::commands::sources::Glob;
use crate::failure::{Failure, Outcome};
use crate::fault::show;
use crate::files::{self, Found, Input};
use crate::output::{self, Sink};

/// Entries that are read before their rows are written, and bytes that they may have together.
const BATCH: (usize, usize) = (512, 8 << 20);

/// Hashes that are listed on standard error.
const MAX_LISTED: usize = 20;

/// Write a row of JSON for each object in archives, files and folders of KingsIsle's games
///
/// Each line is {"archive":…,"entry":…,"class":…,"object":…}, the object as `decode` writes it, or with `error` in
/// place of both. What is no object is skipped: objects begin with BINd, are in the debug form, or are called
/// gamedata.bin or pathNodeData.bin. Archives are read entry by entry, on all cores, however large they are.
///
/// At the end, standard error says how many hashes of classes and properties the type lists do not have, and
/// which.
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

/// The result of an entry.
enum Row {
    /// No object, or none that is asked for.
    None,
    /// The line, and the hashes that are not known, of an object.
    Object(String, Vec<Hash>),
    Error(String),
}

/// The counts.
#[derive(Default)]
struct Met {
    objects: usize,
    errors: usize,
    unfetched: usize,
    hashes: HashMap<Hash, Places>,
}

/// How often a hash is present, and where first.
struct Places {
    times: usize,
    archive: Option<String>,
    entry: String,
}

/// The selection.
struct Asked {
    settings: Settings,
    globs: Vec<Glob>,
    /// The names of classes; `None` for all.
    classes: Option<HashSet<String>>,
    missing: bool,
}

impl Rows {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let pclass = self.pclass.settings();
        let Some(schema) = pclass.schema.clone() else {
            return Err(Failure::Usage("no type list is given; --types FILE names one".to_owned()));
        };
        let limits = self.limits.settings();
        let asked = Asked {
            settings: Settings {
                format: Some(Format::KiwiPclass),
                limits,
                pclass,
                ..Settings::default()
            },
            globs: self.entry.iter().map(|name| Glob::new(name)).collect(),
            classes: classes(&schema, &self.class).map_err(Failure::Usage)?,
            missing: self.missing,
        };
        let walk = files::expand(&self.paths);
        let (mut met, mut wrong) = (Met::default(), walk.unreadable.clone());
        let bar = bar(walk.files.len(), "files");
        Sink::new(self.output.as_deref()).write_json(|out| {
            for found in &walk.files {
                if let Err(why) = self.file(found, &asked, &mut met, out)? {
                    wrong.push(why);
                }
                bar.inc(1);
            }
            if self.missing { write_missing(&met, out) } else { Ok(()) }
        })?;
        bar.finish_and_clear();
        wrong.iter().for_each(|why| output::error(why));
        output::note(&report(&met));
        Ok(Outcome::good_if(met.errors == 0 && wrong.is_empty()))
    }

    /// The rows of a file that was found. The inner error is what is wrong with the file as a whole.
    fn file(
        &self,
        found: &Found,
        asked: &Asked,
        met: &mut Met,
        out: &mut dyn Write,
    ) -> io::Result<Result<(), String>> {
        let name = found.path.display().to_string();
        let open = |file: Result<Entries, gamewire::document::Error>| {
            file.map_err(|error| show(&error, &name, &[]))
        };
        let none = || gamewire::document::Error::new("is no archive");
        let entries = if begins(&found.path) {
            let file = match files::open(&found.path) {
                Ok(file) => file,
                Err(why) => return Ok(Err(format!("{name}: {why}"))),
            };
            let entries = Entries::open(file, &asked.settings);
            open(entries.and_then(|own| own.ok_or_else(none)))
        } else {
            let own = found.relative.display().to_string();
            if !asked.is_meant(&own) {
                return Ok(Ok(()));
            }
            match Input::read(&found.path, self.limits.bound()) {
                Ok(input) if is_archive(&input.bytes) => {
                    let entries = Entries::open(Cursor::new(input.bytes), &asked.settings);
                    open(entries.and_then(|own| own.ok_or_else(none)))
                }
                Ok(input) => {
                    let row = asked.row(None, &name, &input.bytes);
                    return met.write(vec![(&name, row)], None, asked, out).map(Ok);
                }
                Err(Failure::Data(why) | Failure::Usage(why)) => return Ok(Err(why)),
                Err(Failure::Closed) => return Err(io::ErrorKind::BrokenPipe.into()),
            }
        };
        match entries {
            Ok(entries) => archive(&entries, &name, asked, met, out).map(Ok),
            Err(why) => Ok(Err(why)),
        }
    }
}

/// The rows of an archive, on all cores, in the order of its table.
fn archive(
    entries: &Entries,
    archive: &str,
    asked: &Asked,
    met: &mut Met,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut meant = entries.names().enumerate().filter(|(_, name)| asked.is_meant(name)).peekable();
    while meant.peek().is_some() {
        let (mut batch, mut len) = (Vec::new(), 0_usize);
        while batch.len() < BATCH.0
            && let Some((at, name)) = meant
                .next_if(|(at, _)| len == 0 || len.saturating_add(entries.size(*at)) <= BATCH.1)
        {
            len = len.saturating_add(entries.size(at)).max(1);
            batch.push((at, name));
        }
        let rows = batch.par_iter().map(|(at, name)| {
            let row = match entries.read(*at) {
                Ok(content) => Some(asked.row(Some(archive), name, &content)),
                Err(_) if entries.is_unfetched(*at) => None,
                Err(error) => Some(asked.error(Some(archive), name, &error.to_string())),
            };
            (*name, row)
        });
        let rows: Vec<(&str, Option<Row>)> = rows.collect();
        met.unfetched += rows.iter().filter(|(_, row)| row.is_none()).count();
        let rows = rows.into_iter().filter_map(|(name, row)| Some((name, row?))).collect();
        met.write(rows, Some(archive), asked, out)?;
    }
    Ok(())
}

impl Asked {
    fn is_meant(&self, name: &str) -> bool {
        self.globs.is_empty() || self.globs.iter().any(|glob| glob.matches(name))
    }

    fn row(&self, archive: Option<&str>, name: &str, content: &[u8]) -> Row {
        let path = Path::new(name);
        let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii_start();
        let is_debug = || text.starts_with(b"<") && detect(content, None, false).is_some();
        if !content.starts_with(b"BINd") && !is_bare_object(name) && !is_debug() {
            return Row::None;
        }
        let settings = Settings { name: Some(path.to_owned()), ..self.settings.clone() };
        let document = match Document::open(content, &settings) {
            Ok(document) => document,
            Err(error) => return self.error(archive, name, error.message()),
        };
        let class = document.root().type_name();
        if self.classes.as_ref().is_some_and(|all| !all.contains(&class)) {
            return Row::None;
        }
        let hashes = document.unknown_hashes().into_iter();
        let hashes = hashes.map(|own| (own.class.map(str::to_owned), own.hash)).collect();
        if self.missing {
            return Row::Object(String::new(), hashes);
        }
        let mut object = Vec::new();
        if let Err(error) = document.write_json(&mut object, Layout::Compact, false) {
            return self.error(archive, name, &error.to_string());
        }
        let head = json!({ "archive": archive, "entry": name, "class": class }).to_string();
        let object = String::from_utf8_lossy(object.trim_ascii());
        let head = head.strip_suffix('}').unwrap_or(&head);
        Row::Object(format!("{head},\"object\":{object}}}\n"), hashes)
    }

    fn error(&self, archive: Option<&str>, name: &str, why: &str) -> Row {
        let why = why.lines().next().unwrap_or(why);
        Row::Error(json!({ "archive": archive, "entry": name, "error": why }).to_string() + "\n")
    }
}

impl Met {
    fn write(
        &mut self,
        rows: Vec<(&str, Row)>,
        archive: Option<&str>,
        asked: &Asked,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for (name, row) in rows {
            match row {
                Row::None => {}
                Row::Error(line) => {
                    self.errors += 1;
                    // Reports of hashes say it too: what is in there is not known.
                    out.write_all(line.as_bytes())?;
                }
                Row::Object(line, hashes) => {
                    self.objects += 1;
                    if !asked.missing {
                        out.write_all(line.as_bytes())?;
                    }
                    for hash in hashes {
                        let (archive, entry) = (archive.map(str::to_owned), name.to_owned());
                        let first = || Places { times: 0, archive, entry };
                        self.hashes.entry(hash).or_insert_with(first).times += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// The hashes that are not known, the most frequent first.
    fn sorted(&self) -> Vec<(&Hash, &Places)> {
        let mut all: Vec<_> = self.hashes.iter().collect();
        all.sort_by(|a, b| b.1.times.cmp(&a.1.times).then_with(|| a.0.cmp(b.0)));
        all
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

fn write_missing(met: &Met, out: &mut dyn Write) -> io::Result<()> {
    for ((class, hash), Places { times, archive, entry }) in met.sorted() {
        let what = if class.is_some() { "property" } else { "class" };
        let row: Json = json!({
            "hash": hash, "what": what, "class": class, "count": times,
            "archive": archive, "entry": entry,
        });
        writeln!(out, "{row}")?;
    }
    Ok(())
}

/// The counts, for people.
fn report(met: &Met) -> String {
    let mut text = format!("{}, {}", count(met.objects, "object"), count(met.errors, "error"));
    if met.unfetched > 0 {
        _ = write!(text, "; {} not fetched", count(met.unfetched, "entry"));
    }
    if met.hashes.is_empty() {
        return text;
    }
    let hashes = count(met.hashes.len(), "hash");
    _ = write!(text, "; the type lists do not have {hashes}:");
    for ((class, hash), places) in met.sorted().into_iter().take(MAX_LISTED) {
        let what = match class {
            Some(class) => format!("a property of {}", class.escape_debug()),
            None => "a class".to_owned(),
        };
        let place = places.archive.iter().map(|own| format!("{own} ")).collect::<String>();
        let times = count(places.times, "time");
        let entry = places.entry.escape_debug();
        _ = write!(text, "\n  {hash:#010x}  {what}, {times}, first in {place}{entry}");
    }
    if met.hashes.len() > MAX_LISTED {
        _ = write!(text, "\n  and {} more: --missing lists all", met.hashes.len() - MAX_LISTED);
    }
    text
}
