//! The files in an archive of KingsIsle's games or in a package of Resonite.

#[cfg(feature = "kiwi-pclass")]
mod archive;
#[cfg(feature = "resonite-save")]
mod package;

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::hash::BuildHasher as _;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use super::diff::Change;
use super::error::Error;
use super::limits::Limits;
use super::settings::Settings;
use super::{Document, detect};

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
    own: Box<dyn Holder>,
    settings: Settings,
    /// The bytes of the file.
    len: usize,
}

/// The length of an entry, as it is and compressed, and its checksum, as a table says them.
type Facts = (usize, Option<u32>, u32);

/// A file with entries.
trait Holder: fmt::Debug + Send + Sync {
    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_>;

    fn name(&self, at: usize) -> Option<&str> {
        self.names().nth(at)
    }

    fn read(&self, at: usize) -> Result<Vec<u8>, Error>;

    fn put(&mut self, at: usize, content: Vec<u8>) -> Result<(), Error>;

    /// Adds an entry with a name that there is not.
    fn add(&mut self, name: &str, content: Vec<u8>) -> Result<(), Error>;

    fn remove(&mut self, at: usize) -> Result<(), Error>;

    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// The facts of an entry that need no reading.
    fn facts(&self, at: usize) -> Option<Facts> {
        let _ = at;
        None
    }

    /// The bytes of an entry as they stand in the file.
    fn stored(&self, at: usize) -> Option<Cow<'_, [u8]>> {
        let _ = at;
        None
    }

    fn is_unfetched(&self, at: usize) -> bool {
        let _ = at;
        false
    }

    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

fn none() -> Error {
    Error::new("there is no such entry")
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
        #[cfg(feature = "kiwi-pclass")]
        if kiwi_pclass::archive::Archive::is_archive(&bytes) {
            let len = file.seek(io::SeekFrom::End(0)).map_err(failed)?;
            let len = usize::try_from(len).unwrap_or(usize::MAX);
            let own = archive::open(file, settings)?;
            return Ok(Some(Entries { own, settings: settings.clone(), len }));
        }
        #[cfg(feature = "resonite-save")]
        if bytes.starts_with(b"PK") {
            file.read_to_end(&mut bytes).map_err(failed)?;
            let own = package::open(&bytes, settings)?;
            let (settings, len) = (settings.clone(), bytes.len());
            return Ok(own.map(|own| Entries { own, settings, len }));
        }
        Ok(None)
    }

    /// The names, in the order of the table; of a package, the record first.
    pub fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        self.own.names()
    }

    /// The name of an entry, by its place.
    pub fn name(&self, at: usize) -> Option<&str> {
        self.own.name(at)
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
        self.own.is_unfetched(at)
    }

    /// The faults of the table of an archive that was read, in sentences: entries that share data, or a name.
    pub fn problems(&self) -> Vec<String> {
        self.own.problems()
    }

    /// The content of an entry, by its place.
    ///
    /// # Errors
    ///
    /// If there is no such entry, or its data is damaged.
    pub fn read(&self, at: usize) -> Result<Vec<u8>, Error> {
        self.own.read(at)
    }

    /// The document that an entry is.
    ///
    /// # Errors
    ///
    /// As [`read`](Entries::read) and [`Document::open`].
    pub fn document(&self, at: usize) -> Result<Document, Error> {
        Document::open(self.read(at)?, &self.settings_of(self.name(at).unwrap_or_default()))
    }

    /// The settings for an entry. What is compressed in the file may be any number of bytes.
    fn settings_of(&self, name: &str) -> Settings {
        let limits = self.limits();
        Settings { name: Some(PathBuf::from(name)), limits, ..self.settings.clone() }
    }

    /// The limits of reading what is in an entry.
    pub fn limits(&self) -> Limits {
        self.settings.limits.of_unpacked(self.len)
    }

    /// Puts another content into an entry. Other entries keep their bytes. In a package, the save and
    /// the record follow: an asset is named by what is in it.
    ///
    /// # Errors
    ///
    /// If there is no such entry, or it cannot have other content by itself.
    pub fn put(&mut self, at: usize, content: Vec<u8>) -> Result<(), Error> {
        self.own.put(at, content)
    }

    /// Puts content into the entry with a name, or adds one. An archive has new entries in the order of
    /// names if its own are in it; the places of others may change. In a package, only assets can be added,
    /// each by the name that its content gives it: `Assets/` and the SHA-256.
    ///
    /// # Errors
    ///
    /// As [`put`](Entries::put); for a name that cannot be.
    pub fn insert(&mut self, name: &str, content: Vec<u8>) -> Result<(), Error> {
        let at = self.names().position(|own| own == name);
        match at {
            Some(at) => self.put(at, content),
            None => self.own.add(name, content),
        }
    }

    /// Takes an entry out; the places of those after it are one less. Of a package, the save and the record
    /// stay; the save may still point to an asset that is gone.
    ///
    /// # Errors
    ///
    /// If there is no such entry, or the file cannot be without it.
    pub fn remove(&mut self, at: usize) -> Result<(), Error> {
        self.own.remove(at)
    }

    /// Writes the archive or package. An archive in which nothing changed is the same bytes.
    ///
    /// # Errors
    ///
    /// If data that is to stay is not there, or `out` has an error.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.own.write(out)
    }

    /// Compares the entries with those of a newer archive: added, gone, moved to another name, and by value what
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
            let same = self.read(at).ok().and_then(|content| {
                let places = contents.get_mut(&hasher.hash_one(&content))?;
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
        match self.own.facts(at) {
            Some((size, ..)) => size,
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
        // Entries that cannot be read, or are not fetched yet, may still be equal.
        let (old, new_facts) = (self.own.facts(at), newer.own.facts(new));
        if old.is_some() && old == new_facts && self.own.stored(at) == newer.own.stored(new) {
            return None;
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
        let settings = self.settings_of(name);
        let format = detect(&new, settings.name.as_deref(), false);
        let settings = Settings { format, ..settings };
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
