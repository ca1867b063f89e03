//! `gamewire backup`: folders with the records and assets of an account.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gamewire::document::{count, shortened};
use gamewire::resonite_save::package::{self, Package, Record, Usage, UsageFolder, UsageItem};
use gamewire::resonite_save::{Options, SavedObject};

use serde_json::{Value as Json, json};

use crate::files::{self, Bound, Found};
use crate::names::{Paths, folded};
use crate::output::Shown as _;

/// The files found in a folder.
pub(crate) struct Backup {
    pub(crate) records: Vec<Entry>,
    /// The files whose bytes are those of their names.
    assets: BTreeMap<String, Asset>,
    /// The hashes of which there are only files with other bytes.
    damaged: BTreeSet<String>,
    pub(crate) problems: Vec<Problem>,
    /// Neither a record nor an asset.
    others: usize,
}

/// A record, and the file that it is in.
pub(crate) struct Entry {
    pub(crate) file: String,
    record: Record,
}

struct Asset {
    path: PathBuf,
    len: u64,
}

/// Something wrong with a file.
pub(crate) struct Problem {
    file: String,
    /// The asset that it is about.
    asset: Option<String>,
    message: String,
}

impl Problem {
    fn new(file: &str, asset: Option<&str>, message: String) -> Self {
        Problem { file: file.to_owned(), asset: asset.map(str::to_owned), message }
    }

    pub(crate) fn line(&self) -> String {
        format!("{}: {}\n", self.file.shown(), self.message)
    }

    pub(crate) fn json(&self) -> Json {
        json!({ "file": self.file, "asset": self.asset, "message": self.message })
    }
}

/// How many there are of what.
pub(crate) struct Counts {
    pub(crate) records: usize,
    pub(crate) assets: usize,
    /// Records of folders and links, and deleted ones.
    pub(crate) without_asset: usize,
    /// Assets that no record needs.
    pub(crate) unneeded: usize,
    pub(crate) others: usize,
}

impl Counts {
    pub(crate) fn words(&self) -> String {
        format!(
            "{}, {} without an asset; {}, {} not needed; {}",
            count(self.records, "record"),
            self.without_asset,
            count(self.assets, "asset"),
            self.unneeded,
            count(self.others, "other file"),
        )
    }

    pub(crate) fn json(&self) -> Json {
        json!({
            "records": self.records,
            "without_asset": self.without_asset,
            "assets": self.assets,
            "unneeded": self.unneeded,
            "others": self.others,
        })
    }
}

impl Backup {
    /// Reads all files once, one at a time.
    pub(crate) fn read(files: &[Found], bound: Bound, mut tick: impl FnMut()) -> Backup {
        let mut backup = Backup {
            records: Vec::new(),
            assets: BTreeMap::new(),
            damaged: BTreeSet::new(),
            problems: Vec::new(),
            others: 0,
        };
        let mut wrong = Vec::new();
        for found in files {
            tick();
            let file = found.path.display().to_string();
            let hash = hash_in_name(&found.path);
            if hash.is_none() && !may_be_record(&found.path) {
                backup.others += 1;
                continue;
            }
            let bytes = match files::read(&found.path, bound) {
                Ok(bytes) => bytes,
                Err(why) => {
                    backup.problems.push(Problem::new(&file, hash.as_deref(), why));
                    continue;
                }
            };
            match hash {
                Some(hash) => {
                    let own = package::hash(&bytes);
                    if own == hash {
                        let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                        let path = found.path.clone();
                        backup.assets.entry(hash).or_insert(Asset { path, len });
                    } else {
                        wrong.push((hash, own, file));
                    }
                }
                None => backup.add_record(file, &bytes),
            }
        }
        // Beside an asset there may be what a tool knows of it, in a file of the same name.
        for (hash, own, file) in wrong {
            if backup.assets.contains_key(&hash) {
                backup.others += 1;
                continue;
            }
            let message = format!("has the hash {own}");
            backup.problems.push(Problem::new(&file, Some(&hash), message));
            backup.damaged.insert(hash);
        }
        backup
    }

    fn add_record(&mut self, file: String, bytes: &[u8]) {
        match Record::from_slice(bytes) {
            Ok(record) if record.record_type().is_some() => {
                self.records.push(Entry { file, record });
            }
            // Other tables of an account are JSON too, and lists of things as well.
            Ok(_) => self.others += 1,
            Err(_) if serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok() => {
                self.others += 1;
            }
            Err(error) => self.problems.push(Problem::new(&file, None, error.to_string())),
        }
    }

    /// Looks at every record and what it needs.
    pub(crate) fn check(
        &mut self,
        options: &Options,
        bound: Bound,
        mut tick: impl FnMut(),
    ) -> Counts {
        let mut needed = HashSet::new();
        let mut problems = Vec::new();
        for entry in &self.records {
            tick();
            self.check_record(entry, options, bound, &mut needed, &mut problems);
        }
        self.problems.append(&mut problems);
        let is_needed = |hash: &&String| needed.contains(hash.as_str());
        Counts {
            records: self.records.len(),
            assets: self.assets.len(),
            without_asset: self.records.iter().filter(|entry| !entry.has_asset()).count(),
            unneeded: self.assets.keys().filter(|hash| !is_needed(hash)).count(),
            others: self.others,
        }
    }

    fn check_record(
        &self,
        entry: &Entry,
        options: &Options,
        bound: Bound,
        needed: &mut HashSet<String>,
        problems: &mut Vec<Problem>,
    ) {
        let record = &entry.record;
        let mut add = |asset: Option<&str>, message: String| {
            problems.push(Problem::new(&entry.file, asset, message));
        };
        let thumbnail = record.get("thumbnailUri").map(|json| json.trim_matches('"'));
        needed.extend(thumbnail.and_then(Package::asset_of).map(str::to_owned));
        if !entry.has_asset() {
            return;
        }
        let main = record.main_hash();
        let mut save = None;
        match &main {
            None => add(None, "the record has no address of a main asset".to_owned()),
            Some(main) => match self.bytes(main, bound) {
                Err(why) => add(Some(main), format!("the main asset {main} {why}")),
                Ok(bytes) if record.has_save() => match options.from_slice::<SavedObject>(&bytes) {
                    Ok(object) => save = Some(object),
                    Err(error) => add(Some(main), format!("the save {main}: {error}")),
                },
                Ok(_) => {}
            },
        }
        for hash in record.needed(save.as_ref()) {
            if !self.assets.contains_key(&hash) {
                let message = format!("asset {} {}", shown(&hash), self.why_not(&hash));
                add(Some(&hash), message);
            }
            needed.insert(hash);
        }
        for (hash, listed) in record.manifest() {
            if let Some(Asset { len, .. }) = self.assets.get(&hash).filter(|own| own.len != listed)
            {
                let message = format!("asset {hash} has {len} bytes, the record says {listed}");
                add(Some(&hash), message);
            }
        }
        needed.extend(main);
    }

    fn why_not(&self, hash: &str) -> &'static str {
        if self.damaged.contains(hash) { "is damaged" } else { "is not there" }
    }

    /// The bytes of an asset, or the end of a sentence that says why there are none.
    fn bytes(&self, hash: &str, bound: Bound) -> Result<Vec<u8>, String> {
        match self.assets.get(hash) {
            None => Err(self.why_not(hash).to_owned()),
            Some(Asset { path, .. }) => {
                files::read(path, bound).map_err(|why| format!("cannot be read: {why}"))
            }
        }
    }

    /// The records that become packages, and the names of these.
    pub(crate) fn packed(&self) -> Vec<(&Entry, PathBuf)> {
        let mut taken = HashSet::new();
        let entries = self.records.iter().filter(|entry| entry.has_asset());
        entries.map(|entry| (entry, entry.file_name(&mut taken))).collect()
    }

    /// The package of a record, and what is missing in it.
    pub(crate) fn pack(
        &self,
        entry: &Entry,
        options: &Options,
        bound: Bound,
    ) -> Result<(Vec<u8>, Vec<Problem>), Problem> {
        let failed = |message: String| Problem::new(&entry.file, None, message);
        if let Some(main) = entry.record.main_hash()
            && let Err(why) = self.bytes(&main, bound)
        {
            let message = format!("the main asset {main} {why}");
            return Err(Problem::new(&entry.file, Some(&main), message));
        }
        let find = |hash: &str| self.bytes(hash, bound).ok();
        let made = Package::gather(entry.record.clone(), options, find);
        let made = made.map_err(|error| failed(error.to_string()))?;
        let bytes = made.package.to_vec().map_err(|error| failed(error.to_string()))?;
        let missing = made.missing.iter().map(|hash| {
            let message = format!("asset {} {}", shown(hash), self.why_not(hash));
            Problem::new(&entry.file, Some(hash), message)
        });
        Ok((bytes, missing.collect()))
    }
}

impl Backup {
    /// The bytes of the items.
    pub(crate) fn usage(&self) -> Usage {
        Usage::new(self.records.iter().map(|entry| &entry.record))
    }
}

/// Items that share assets, of which the name is shown.
const MAX_SHARING: usize = 3;

/// Characters of a name that are shown.
const MAX_SHOWN: usize = 100;

/// The folders as a tree, each with its items; what takes most comes first.
pub(crate) fn usage_text(usage: &Usage, freed: Option<u64>) -> String {
    let folders = usage.folders();
    let mut inside: HashMap<&[String], Vec<&UsageFolder>> = HashMap::new();
    for folder in &folders {
        if let Some((_, outer)) = folder.path.split_last() {
            inside.entry(outer).or_default().push(folder);
        }
    }
    let mut listed: HashMap<Vec<String>, Vec<(usize, &UsageItem)>> = HashMap::new();
    for (at, item) in usage.items().iter().enumerate() {
        listed.entry(item.record().folders()).or_default().push((at, item));
    }
    let mut text = format!("{:>14} {:>14}\n", "own", "shared");
    // The ones that are still to be shown, the next one last.
    let mut todo: Vec<&UsageFolder> = folders.first().into_iter().collect();
    while let Some(folder) = todo.pop() {
        let indent = "  ".repeat(folder.path.len());
        let name = folder.path.last().map(|name| format!("{}/", shortened(name, MAX_SHOWN)));
        let name = name.as_deref().unwrap_or("all");
        let items = count(folder.items, "item");
        _ = writeln!(text, "{:>14} {:>14}  {indent}{name}  {items}", folder.own, folder.shared);
        let mut items = listed.remove(&folder.path).unwrap_or_default();
        items.sort_by_key(|(_, item)| std::cmp::Reverse((item.own(), item.shared())));
        for (at, item) in items {
            let (own, shared) = (item.own(), item.shared());
            let name = shortened(&item.record().name().unwrap_or_default(), MAX_SHOWN);
            let id = shortened(&item.record().id().unwrap_or_default(), MAX_SHOWN);
            let with = sharing(usage, at);
            _ = writeln!(text, "{own:>14} {shared:>14}  {indent}  {name}  {id}{with}");
        }
        let mut inside = inside.remove(folder.path.as_slice()).unwrap_or_default();
        inside.sort_by_key(|folder| (folder.own, folder.shared));
        todo.extend(inside);
    }
    _ = writeln!(text, "{:>14} bytes in all", usage.total());
    if let Some(freed) = freed {
        _ = writeln!(text, "{freed:>14} bytes are freed");
    }
    text
}

/// With whom an item shares most.
fn sharing(usage: &Usage, item: usize) -> String {
    let others = usage.sharing(item);
    let first = others.iter().take(MAX_SHARING).map(|(other, bytes)| {
        format!("{}: {bytes}", shortened(&other.record().id().unwrap_or_default(), MAX_SHOWN))
    });
    let mut first: Vec<String> = first.collect();
    if others.len() > MAX_SHARING {
        first.push(format!("{} more", others.len() - MAX_SHARING));
    }
    if first.is_empty() { String::new() } else { format!("  (with {})", first.join(", ")) }
}

/// The items, what takes most first.
pub(crate) fn usage_json(usage: &Usage, freed: Option<u64>) -> Json {
    let mut items: Vec<&UsageItem> = usage.items().iter().collect();
    items.sort_by_key(|item| std::cmp::Reverse((item.own(), item.shared())));
    let items = items.into_iter().map(|item| {
        let record = item.record();
        json!({
            "id": record.id(),
            "name": record.name(),
            "path": record.path(),
            "own": item.own(),
            "shared": item.shared(),
        })
    });
    let mut value = json!({ "items": items.collect::<Vec<_>>(), "total": usage.total() });
    if let (Some(object), Some(freed)) = (value.as_object_mut(), freed) {
        object.insert("freed".to_owned(), freed.into());
    }
    value
}

/// Whether a file is named as an asset is.
pub(crate) fn is_asset(path: &Path) -> bool {
    hash_in_name(path).is_some()
}

impl Entry {
    /// Whether there should be a main asset: folders, links and what was deleted have none.
    fn has_asset(&self) -> bool {
        let kind = self.record.record_type().unwrap_or_default().to_ascii_lowercase();
        let is_gone = self.record.get("isDeleted") == Some("true");
        let has_address = self.record.asset_uri().is_some();
        !matches!(kind.as_str(), "directory" | "link") && (has_address || !is_gone)
    }

    /// A name that no other record got, in the folders of the inventory.
    fn file_name(&self, taken: &mut HashSet<String>) -> PathBuf {
        let folders = self.record.folders();
        let folder: PathBuf = folders.iter().map(|name| Paths::file(name, "")).collect();
        let name = self.record.name().filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| "unnamed".to_owned());
        for number in 1usize.. {
            let extension = match number {
                1 => ".resonitepackage".to_owned(),
                _ => format!(" ({number}).resonitepackage"),
            };
            let path = folder.join(Paths::file(&name, &extension));
            if taken.insert(folded(&path.display().to_string())) {
                return path;
            }
        }
        PathBuf::new()
    }
}

/// The hash that a file is named by: 64 digits, with an extension or without.
fn hash_in_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    package::is_hash(stem).then(|| stem.to_owned())
}

fn may_be_record(path: &Path) -> bool {
    let extension = path.extension().and_then(|own| own.to_str());
    extension
        .is_some_and(|own| own.eq_ignore_ascii_case("json") || own.eq_ignore_ascii_case("record"))
}

/// A hash of a record, which may be any text.
fn shown(hash: &str) -> String {
    shortened(hash, 64)
}
