//! The files in an archive of KingsIsle's games or in a package of Resonite.

use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::BuildHasher as _;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use kiwi_pclass::archive::{Archive, Entry, Problem};
use resonite_brson::package::{Package, Record};

use super::diff::Change;
use super::error::Error;
use super::settings::Settings;
use super::{Document, detect};

/// The entry of a package with its record.
const RECORD: &str = "R-Main.record";

/// The first folder in a package, of files that are named by their hashes.
const ASSETS: &str = "Assets/";

/// An archive of KingsIsle's games or a package of Resonite, opened: files, each of which may be a [`Document`].
///
/// Of an archive only the table is in memory; an entry is read when it is asked for.
///
/// ```
/// use gamewire::document::{Entries, Settings};
///
/// # let mut builder = gamewire::kiwi_pclass::archive::Builder::new();
/// # builder.insert("a/b.xml", b"<Objects/>")?;
/// # let file = std::io::Cursor::new(builder.to_vec()?);
/// // let file = std::fs::File::open("Root.wad")?;
/// let mut root = Entries::open(file, &Settings::default())?.expect("an archive");
/// let at = root.find("a/b.xml").expect("an entry");
/// assert_eq!(root.read(at)?, b"<Objects/>");
/// // let mut document = root.document(at)?; document.set("m_full", "7")?;
/// root.put(at, b"<Objects></Objects>".to_vec())?;
/// let mut made = Vec::new();
/// root.write(&mut made)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Entries {
    what: What,
    settings: Settings,
}

/// Where the entries are.
#[derive(Debug)]
enum What {
    /// With the new content of some entries.
    Archive(Archive<'static>, BTreeMap<usize, Vec<u8>>),
    Package(Box<Package>),
}

/// A difference of two archives: what became of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntryChange {
    /// Its name; of one that moved, the old one.
    pub name: String,
    /// The outcome.
    pub what: EntryChangeKind,
}

/// How an entry differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryChangeKind {
    /// It is new. The bytes of its content.
    Added(usize),
    /// It is gone. The bytes that its content had.
    Removed(usize),
    /// The same content under another name.
    Moved(String),
    /// Values differ; none where the same values are written in other bytes.
    Values(Vec<Change>),
    /// The bytes differ, and are not compared by value.
    Bytes {
        /// How many the old content has.
        old: usize,
        /// How many the new content has.
        new: usize,
        /// Why not, where it is of a known format.
        why: Option<String>,
    },
}

impl Entries {
    /// Opens a file, from its start. `None` if it is neither an archive nor a package.
    ///
    /// # Errors
    ///
    /// If its table or its record is not valid, or it cannot be read.
    pub fn open(
        mut file: impl Read + Seek + Send + 'static,
        settings: &Settings,
    ) -> Result<Option<Self>, Error> {
        let failed = |error: io::Error| Error::new(error.to_string());
        let mut bytes = Vec::new();
        file.by_ref().take(8).read_to_end(&mut bytes).map_err(failed)?;
        let what = if Archive::is_archive(&bytes) {
            let own = &settings.pclass;
            let mut options = kiwi_pclass::Options::new().ignore_checksums(own.ignore_checksums);
            if let Some(most) = settings.limits.max_memory {
                options = options.max_memory(most);
            }
            What::Archive(Archive::from_file(file, &options)?, BTreeMap::new())
        } else if bytes.starts_with(b"PK") {
            file.read_to_end(&mut bytes).map_err(failed)?;
            if !Package::is_archive(&bytes) {
                return Ok(None);
            }
            let options = settings.resonite.options(settings.limits);
            What::Package(Box::new(Package::from_slice_with(&bytes, &options)?))
        } else {
            return Ok(None);
        };
        Ok(Some(Entries { what, settings: settings.clone() }))
    }

    /// The names, in the order of the table; of a package, the record first.
    pub fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match &self.what {
            What::Archive(archive, _) => Box::new(archive.file_names()),
            What::Package(package) => {
                Box::new([RECORD].into_iter().chain(package.entries().map(|(name, _)| name)))
            }
        }
    }

    /// The name of an entry, by its place.
    pub fn name(&self, at: usize) -> Option<&str> {
        match &self.what {
            What::Archive(archive, _) => archive.by_index(at).map(|own| own.name()),
            What::Package(_) => self.names().nth(at),
        }
    }

    /// The place of the entry with a name: the first, or the only one that differs from it by case alone.
    pub fn find(&self, name: &str) -> Option<usize> {
        if let Some(at) = self.names().position(|own| own == name) {
            return Some(at);
        }
        let mut same = self.names().enumerate().filter(|(_, own)| own.eq_ignore_ascii_case(name));
        let found = same.next();
        found.filter(|_| same.next().is_none()).map(|(at, _)| at)
    }

    /// Whether an archive has room for the data of an entry and not the data: the game has not fetched it yet.
    pub fn is_unfetched(&self, at: usize) -> bool {
        self.entry(at).is_some_and(|entry| entry.is_unpatched())
    }

    /// The faults of the table of an archive, in sentences: entries that share data, or a name.
    pub fn problems(&self) -> Vec<String> {
        let What::Archive(archive, _) = &self.what else { return Vec::new() };
        let problems = archive.verify_table().into_iter();
        problems.filter(Problem::is_error).map(|problem| problem.to_string()).collect()
    }

    fn entry(&self, at: usize) -> Option<Entry<'_, 'static>> {
        match &self.what {
            What::Archive(archive, made) if !made.contains_key(&at) => archive.by_index(at),
            _ => None,
        }
    }

    /// The content of an entry, by its place.
    ///
    /// # Errors
    ///
    /// If there is no such entry, or its data is damaged.
    pub fn read(&self, at: usize) -> Result<Vec<u8>, Error> {
        let none = || Error::new("there is no such entry");
        match &self.what {
            What::Archive(archive, made) => match made.get(&at) {
                Some(made) => Ok(made.clone()),
                None => Ok(archive.by_index(at).ok_or_else(none)?.read()?.into_owned()),
            },
            What::Package(package) => match at.checked_sub(1) {
                None => Ok(package.record().to_vec()),
                Some(at) => Ok(package.entries().nth(at).ok_or_else(none)?.1.to_vec()),
            },
        }
    }

    /// The document that an entry is.
    ///
    /// # Errors
    ///
    /// As [`read`](Entries::read) and [`Document::open`].
    pub fn document(&self, at: usize) -> Result<Document, Error> {
        let name = self.name(at).map(PathBuf::from);
        Document::open(self.read(at)?, &Settings { name, ..self.settings.clone() })
    }

    /// Puts another content into an entry. Other entries keep their bytes. In a package, the save and
    /// the record follow: an asset is named by what is in it.
    ///
    /// # Errors
    ///
    /// If there is no such entry, or it cannot have other content by itself.
    pub fn put(&mut self, at: usize, content: Vec<u8>) -> Result<(), Error> {
        let name = self.name(at).unwrap_or_default().to_owned();
        match &mut self.what {
            What::Archive(archive, made) => {
                if archive.by_name(&name).is_none_or(|own| own.index() != at) {
                    let why = format!("an entry before it has the name {}", name.escape_debug());
                    return Err(Error::new(why));
                }
                made.insert(at, content);
            }
            What::Package(package) if name == RECORD => {
                *package.record_mut() = Record::from_slice(&content)?;
            }
            What::Package(package) => {
                let hash = name.strip_prefix(ASSETS).ok_or_else(|| {
                    Error::new(format!("{}: only assets can be changed", name.escape_debug()))
                })?;
                if package.main_hash().as_deref() == Some(hash) {
                    package.set_main(content);
                } else {
                    package.replace_asset(hash, content)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the archive or package. An archive in which nothing changed is the same bytes.
    ///
    /// # Errors
    ///
    /// If data that is to stay is not there, or `out` has an error.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.what {
            What::Archive(archive, made) => {
                let mut builder = archive.to_builder();
                for (at, content) in made {
                    builder.insert(self.name(*at).unwrap_or_default(), content)?;
                }
                Ok(builder.to_writer(out)?)
            }
            What::Package(package) => out.write_all(&package.to_vec()?),
        }
    }

    /// What became of the entries in a newer archive: added, gone, moved to another name, and by value what
    /// changed in those that can be read. Values are shown with at most `max_shown` characters. Where data
    /// stands in the file is no difference.
    pub fn diff(&self, newer: &Entries, max_shown: usize) -> Vec<EntryChange> {
        let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for (at, name) in newer.names().enumerate() {
            places.entry(name).or_default().push_back(at);
        }
        let (mut changes, mut gone) = (Vec::new(), Vec::new());
        for (at, name) in self.names().enumerate() {
            match places.get_mut(name).and_then(VecDeque::pop_front) {
                None => gone.push((at, name)),
                Some(new) => changes.extend(
                    self.compare(name, at, newer, new, max_shown)
                        .map(|what| EntryChange { name: name.to_owned(), what }),
                ),
            }
        }
        let mut added: Vec<usize> = places.into_values().flatten().collect();
        added.sort_unstable();
        let sizes: HashSet<usize> = gone.iter().map(|(at, _)| self.size(*at)).collect();
        let hasher = RandomState::new();
        let mut contents: HashMap<u64, Vec<usize>> = HashMap::new();
        for at in added.iter().copied().filter(|at| sizes.contains(&newer.size(*at))) {
            if let Some(content) = newer.read(at).ok().filter(|content| !content.is_empty()) {
                contents.entry(hasher.hash_one(&content)).or_default().push(at);
            }
        }
        let names: Vec<&str> = newer.names().collect();
        let name_of = |at: usize| names.get(at).copied().unwrap_or_default().to_owned();
        for (at, name) in gone {
            let content = self.read(at).unwrap_or_default();
            let same = contents.get_mut(&hasher.hash_one(&content)).and_then(|places| {
                let is_same = |at: &usize| newer.read(*at).is_ok_and(|own| own == content);
                places.iter().position(is_same).map(|found| places.remove(found))
            });
            added.retain(|own| Some(*own) != same);
            let what = match same {
                Some(to) => EntryChangeKind::Moved(name_of(to)),
                None => EntryChangeKind::Removed(self.size(at)),
            };
            changes.push(EntryChange { name: name.to_owned(), what });
        }
        let added = added.into_iter().map(|at| EntryChange {
            name: name_of(at),
            what: EntryChangeKind::Added(newer.size(at)),
        });
        changes.extend(added);
        changes
    }

    /// The bytes of an entry's content, as the table says them.
    fn size(&self, at: usize) -> usize {
        match self.entry(at) {
            Some(entry) => entry.size() as usize,
            None => self.read(at).map_or(0, |content| content.len()),
        }
    }

    /// The difference between an entry and a newer one of its name.
    fn compare(
        &self,
        name: &str,
        at: usize,
        newer: &Entries,
        new: usize,
        most: usize,
    ) -> Option<EntryChangeKind> {
        if let (Some(old), Some(new)) = (self.entry(at), newer.entry(new)) {
            let facts = |own: Entry<'_, '_>| (own.size(), own.compressed_size(), own.crc32());
            // Entries that cannot be read, or are not fetched yet, may still be equal.
            if facts(old) == facts(new) && old.stored().ok() == new.stored().ok() {
                return None;
            }
        }
        let sizes = (self.size(at), newer.size(new));
        let bytes = |why| Some(EntryChangeKind::Bytes { old: sizes.0, new: sizes.1, why });
        let (old, new) = match (self.read(at), newer.read(new)) {
            (Ok(old), Ok(new)) => (old, new),
            (Err(error), _) => return bytes(Some(format!("the old one: {error}"))),
            (_, Err(error)) => return bytes(Some(format!("the new one: {error}"))),
        };
        if old == new {
            return None;
        }
        let path = PathBuf::from(name);
        let format = detect(&new, Some(&path), false);
        let settings = Settings { name: Some(path), format, ..self.settings.clone() };
        if settings.format.is_none() {
            return bytes(None);
        }
        let documents = Document::open(old, &settings)
            .and_then(|old| old.diff(&Document::open(new, &settings)?, most));
        match documents {
            Ok(changes) => Some(EntryChangeKind::Values(changes)),
            Err(error) => bytes(Some(error.to_string())),
        }
    }
}
