//! [`.resonitepackage`](https://github.com/gamewire/gamewire/blob/main/docs/formats/resonite-brson.md#packages): a save with its assets, as a zip archive.
//!
//! | entry | content |
//! |---|---|
//! | `R-Main.record` | JSON: the name, and the hash of the main asset; the last entry |
//! | `Assets/<hash>` | any asset under its SHA-256 in hexadecimal digits; the main one is a save |
//! | `Metadata/<hash>.bitmap` | what the engine knows of an asset, JSON |
//!
//! ```
//! use resonite_save::model::{Members, SavedObject, SlotPath};
//! use resonite_save::package::Package;
//!
//! # #[cfg(feature = "brotli")] {
//! let mut object = SavedObject::new("2026.8.12.1196", "Picture");
//! let mut package = Package::new("Picture", &object)?;
//! let hash = package.add_asset(b"any image".to_vec());
//! let texture = Members::new().field("URL", Package::url(&hash));
//! object.add_asset("[FrooxEngine]FrooxEngine.StaticTexture2D", texture)?;
//! package.set_object(&object)?;
//!
//! let file = package.to_vec()?;
//! let package = Package::from_slice(&file)?;
//! assert_eq!(package.record().name().as_deref(), Some("Picture"));
//! assert_eq!(package.object()?, object);
//! assert_eq!(package.asset(&hash), Some(&b"any image"[..]));
//! assert!(package.verify().is_empty());
//! # }
//! # Ok::<(), resonite_brson::Error>(())
//! ```
//!
//! An asset is what its hash says: whatever is not changed keeps its bytes, compressed as they are,
//! and so its name.

mod archive;
mod backup;
#[cfg(feature = "explain")]
mod explain;
mod record;
mod usage;
mod verify;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use resonite_brson::container::{self, Container};
use resonite_brson::value::Value;
use resonite_brson::{Body, Options, Url};
use sha2::{Digest, Sha256};

use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::model::{Redactor, SavedObject, urls_of};

pub use backup::Gathered;
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub use explain::explain;
pub use record::Record;
pub use usage::{Usage, UsageFolder, UsageItem};
pub use verify::Problem;

/// The folder of assets.
const ASSETS: &str = "Assets/";
/// The folder of what is known of assets.
const METADATA: &str = "Metadata/";
/// The entry with the record.
const RECORD: &str = "R-Main.record";
/// Before the hash in an address.
const SCHEME: &str = "packdb:///";

/// A package in memory.
#[derive(Clone, Debug)]
pub struct Package {
    record: Record,
    /// All but the record, in order, folders included.
    entries: Vec<Entry>,
    /// The archive that was read, from which what is not changed is copied.
    source: Arc<[u8]>,
    options: Options,
}

/// Equal when they have the same record, and the same entries in the same order.
impl PartialEq for Package {
    fn eq(&self, other: &Self) -> bool {
        self.record == other.record && self.entries().eq(other.entries())
    }
}

/// A file in the archive.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    bytes: Vec<u8>,
    /// Its place in the archive that was read.
    origin: Option<usize>,
}

impl Entry {
    fn new(name: String, bytes: Vec<u8>) -> Self {
        Entry { name, bytes, origin: None }
    }

    /// Whether it is a folder. With bytes in it, it is an entry with an odd name.
    fn is_folder(&self) -> bool {
        self.name.ends_with('/') && self.bytes.is_empty()
    }

    /// The hash that it is named by, if it is an asset.
    fn hash(&self) -> Option<&str> {
        self.name.strip_prefix(ASSETS)
    }
}

impl Package {
    /// The most entries that an archive may have.
    pub const MAX_ENTRIES: usize = 65_536;

    /// A package of one save, compressed as `.brson`.
    ///
    /// # Errors
    /// As [`to_vec`](resonite_brson::to_vec).
    pub fn new(name: &str, object: &SavedObject) -> Result<Package> {
        let main = resonite_brson::to_vec(object)?;
        let hash = hash(&main);
        let entries = vec![Entry::new(asset_name(&hash), main)];
        let source = Arc::default();
        Ok(Package { record: Record::new(name, &hash), entries, source, options: Options::new() })
    }

    /// A package of a record and all other entries, by their names.
    ///
    /// # Errors
    /// Two entries with the same name, or one with that of the record.
    pub fn from_entries(
        record: Record,
        entries: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<Package> {
        let mut names = HashSet::from([RECORD.to_owned()]);
        let mut own = Vec::new();
        for (name, bytes) in entries {
            if !names.insert(name.clone()) {
                return Err(twice(&name));
            }
            own.push(Entry::new(name, bytes));
        }
        Ok(Package { record, entries: own, source: Arc::default(), options: Options::new() })
    }

    /// Reads an archive.
    ///
    /// Whether hashes are right is for [`verify`](Self::verify) to say.
    ///
    /// # Errors
    /// Bytes that are no zip archive, an archive without a record, encrypted, or with an entry twice, or
    /// a limit.
    pub fn from_slice(bytes: &[u8]) -> Result<Package> {
        Package::from_slice_with(bytes, &Options::new())
    }

    /// Reads an archive whose entries have no more than [`max_output`](Options::max_output) bytes
    /// together. The options are also those of the save in it: see
    /// [`with_options`](Self::with_options).
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_slice_with(bytes: &[u8], options: &Options) -> Result<Package> {
        archive::read(bytes, options)
    }

    /// The same package, whose save is read and written with these options by all methods here: their
    /// limits, and whether keys may be there twice.
    #[must_use]
    pub fn with_options(mut self, options: &Options) -> Package {
        self.options = *options;
        self
    }

    /// Whether bytes begin as an archive does.
    pub fn is_archive(bytes: &[u8]) -> bool {
        bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
    }

    /// Writes the archive. Of one that was read, the entries that are not changed keep their place,
    /// their compressed bytes and their dates, and if nothing is changed, it is the same bytes. What
    /// is new comes after them, and the record last unless it was somewhere else.
    ///
    /// # Errors
    /// Entries that are too many or too long for an archive.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        archive::write(self)
    }

    /// The record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The record, to change.
    pub fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    /// The names and contents of all entries but the record.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.entries.iter().filter(|entry| !entry.is_folder());
        files.map(|entry| (entry.name.as_str(), entry.bytes.as_slice()))
    }

    /// The names of entries that are folders: they end in `/` and hold nothing. Engines write none
    /// and read none; they are written back.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let folders = self.entries.iter().filter(|entry| entry.is_folder());
        folders.map(|entry| entry.name.as_str())
    }

    /// The hashes and contents of all assets, the main one included.
    pub fn assets(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.entries.iter().filter(|entry| !entry.is_folder());
        files.filter_map(|entry| Some((entry.hash()?, entry.bytes.as_slice())))
    }

    /// An asset by its hash.
    pub fn asset(&self, hash: &str) -> Option<&[u8]> {
        self.assets().find(|(own, _)| *own == hash).map(|(_, bytes)| bytes)
    }

    /// The metadata of an asset: the names of entries such as `Metadata/<hash>.bitmap`, and their
    /// JSON.
    pub fn metadata(&self, hash: &str) -> impl Iterator<Item = (&str, &[u8])> {
        self.entries().filter(move |(name, _)| is_metadata_of(name, hash))
    }

    /// The address of an asset of the same package.
    pub fn url(hash: &str) -> Url {
        Url::of_scheme(SCHEME, hash)
    }

    /// The hash in an address of an asset of the same package: `packdb:///<hash>`.
    pub fn hash_of(url: &str) -> Option<&str> {
        url.strip_prefix(SCHEME).map(|rest| rest.split_once('.').map_or(rest, |(hash, _)| hash))
    }

    /// The hash of the main asset, as the record has it.
    pub fn main_hash(&self) -> Option<String> {
        self.record.asset_uri().and_then(|uri| Package::hash_of(&uri).map(str::to_owned))
    }

    /// The bytes of the main asset.
    ///
    /// # Errors
    /// A record that names none, or an asset that is missing.
    pub fn main(&self) -> Result<&[u8]> {
        let hash = self.main_hash().ok_or_else(no_main)?;
        self.asset(&hash).ok_or_else(|| {
            let hash = Shortened(&hash).to_string();
            Error::new(ErrorKind::Package, format!("the main asset {hash} is not in the package"))
        })
    }

    /// The main asset, decompressed.
    ///
    /// # Errors
    /// As [`main`](Self::main), and as [`open`](resonite_brson::open).
    pub fn open_main(&self, options: &Options) -> Result<Body<'_>> {
        options.open(self.main()?)
    }

    /// The save.
    ///
    /// # Errors
    /// As [`open_main`](Self::open_main), or a document that is no save.
    pub fn object(&self) -> Result<SavedObject> {
        self.open_main(&self.options)?.read()
    }

    /// Sets the save, compressed as the one before, and returns its hash.
    ///
    /// If it is the same save as before, its bytes stay as they are.
    ///
    /// # Errors
    /// As [`to_vec`](resonite_brson::to_vec).
    pub fn set_object(&mut self, object: &SavedObject) -> Result<String> {
        let options = self.options;
        let bson = options.container(Container::BSON).to_vec(object)?;
        let mut container = Container::BRSON;
        if let Ok(body) = self.open_main(&options) {
            if body.bson() == bson {
                return Ok(self.main_hash().unwrap_or_default());
            }
            container = body.container();
        }
        Ok(self.set_main(container::pack_with(&bson, &options.container(container))?))
    }

    /// Sets the main asset, a file of any container, and returns its hash.
    pub fn set_main(&mut self, bytes: Vec<u8>) -> String {
        let hash = hash(&bytes);
        let old = self.main_hash();
        if old.as_deref() == Some(&hash) && self.asset(&hash).is_some() {
            return hash;
        }
        let entry = Entry::new(asset_name(&hash), bytes);
        let place = old.map(|old| asset_name(&old));
        let at = place.and_then(|old| self.entries.iter().position(|entry| entry.name == old));
        self.entries.retain(|own| own.name != entry.name);
        match at.and_then(|at| self.entries.get_mut(at)) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
        self.record.set_asset_uri(&format!("{SCHEME}{hash}"));
        self.list_assets();
        hash
    }

    /// Adds an asset, if it is new, and returns its hash. It takes the place of an entry
    /// that has its name and other bytes.
    pub fn add_asset(&mut self, bytes: Vec<u8>) -> String {
        let hash = hash(&bytes);
        if self.asset(&hash) != Some(&bytes) {
            let name = asset_name(&hash);
            self.entries.retain(|entry| entry.name != name);
            self.entries.push(Entry::new(name, bytes));
            self.list_assets();
        }
        hash
    }

    /// Takes an asset out, with what is known of it. The save may still point to it.
    pub fn remove_asset(&mut self, hash: &str) -> Option<Vec<u8>> {
        let name = asset_name(hash);
        let at = self.entries.iter().position(|entry| entry.name == name)?;
        let entry = self.entries.remove(at);
        self.entries.retain(|entry| !is_metadata_of(&entry.name, hash));
        self.list_assets();
        Some(entry.bytes)
    }

    /// Puts another asset into the place of one, and has the save point to it; returns its hash. What
    /// is known of the old one is taken out.
    ///
    /// # Errors
    /// No such asset, the main asset, or a save that cannot be read.
    pub fn replace_asset(&mut self, old: &str, bytes: Vec<u8>) -> Result<String> {
        if self.asset(old).is_none() || self.main_hash().as_deref() == Some(old) {
            let old = Shortened(old).to_string();
            let message =
                format!("expected the hash of an asset that is not the save, found {old}");
            return Err(Error::new(ErrorKind::Package, message));
        }
        let new = hash(&bytes);
        if new == old {
            return Ok(new);
        }
        let mut object = self.object()?;
        object.rewrite_urls(|url| (Package::hash_of(url) == Some(old)).then(|| Package::url(&new)));
        self.add_asset(bytes);
        self.remove_asset(old);
        self.set_object(&object)?;
        Ok(new)
    }

    /// Takes out the assets to which nothing leads, and returns their hashes. Addresses count in the save,
    /// in the record, such as that of its picture, and in other assets that are documents.
    ///
    /// # Errors
    /// A save that cannot be read.
    pub fn strip_unused(&mut self) -> Result<Vec<String>> {
        let used = self.used(&self.object()?);
        let unused = self.assets().map(|(hash, _)| hash).filter(|hash| !used.contains(*hash));
        let unused: Vec<String> = unused.map(str::to_owned).collect();
        for hash in &unused {
            self.remove_asset(hash);
        }
        Ok(unused)
    }

    /// The hashes to which addresses lead, from the record and the save on.
    fn used(&self, object: &SavedObject) -> HashSet<String> {
        let found = |text: &str| Package::hash_of(text).map(str::to_owned);
        let record = self.record.members().filter_map(|(_, json)| serde_json::from_str(json).ok());
        let record = record.filter_map(|text: String| found(&text));
        let mut todo: Vec<String> = object.urls().filter_map(found).chain(record).collect();
        let main = self.main_hash();
        let mut used = HashSet::new();
        while let Some(hash) = todo.pop() {
            // A save may have others beside it, with separate assets.
            let bytes = self.asset(&hash).filter(|_| main.as_deref() != Some(&hash));
            let document = bytes.filter(|own| own.starts_with(&container::MAGIC));
            if used.insert(hash)
                && let Some(Ok(value)) = document.map(|own| self.options.from_slice::<Value>(own))
            {
                todo.extend(urls_of(&value).filter_map(found));
            }
        }
        used
    }

    /// Puts a picture in, as the one that users see in their inventory, and returns its hash.
    pub fn set_thumbnail(&mut self, picture: Vec<u8>) -> String {
        let hash = self.add_asset(picture);
        self.record.set_thumbnail_uri(Some(Package::url(&hash).as_str()));
        hash
    }

    /// Renames every asset that has the name of other bytes to the hash of its own, and has the save
    /// point to it: for assets that were changed under their old names. Names that are no hashes
    /// stay. Returns the old and the new hashes.
    ///
    /// # Errors
    /// A save that cannot be read.
    pub fn rehash(&mut self) -> Result<Vec<(String, String)>> {
        let main = self.main_hash();
        if let Some(old) = &main {
            // The main asset first: it is read by its name.
            let bytes = self.main()?.to_vec();
            if is_hash(old) && hash(&bytes) != *old {
                self.set_main(bytes);
            }
        }
        let changed: Vec<(String, String)> = self
            .assets()
            .map(|(name, bytes)| (name.to_owned(), hash(bytes)))
            .filter(|(name, hash)| is_hash(name) && name != hash)
            .collect();
        // All go before one comes: a new name may be the old one of another.
        let bytes: Vec<Vec<u8>> =
            changed.iter().filter_map(|(old, _)| self.remove_asset(old)).collect();
        for bytes in bytes {
            self.add_asset(bytes);
        }
        if !changed.is_empty() {
            let mut object = self.object()?;
            object.rewrite_urls(|url| {
                let old = Package::hash_of(url)?;
                changed.iter().find(|(own, _)| own == old).map(|(_, new)| Package::url(new))
            });
            self.set_object(&object)?;
        }
        self.list_assets();
        let main_changed = main.zip(self.main_hash()).filter(|(old, new)| old != new);
        Ok(main_changed.into_iter().chain(changed).collect())
    }

    /// Replaces all that tells who made it, in the record and in the save, and returns how many identifiers there
    /// were: see [`SavedObject::redact`]. The record has no name of an owner afterwards.
    ///
    /// # Errors
    /// A save that cannot be read.
    pub fn redact(&mut self) -> Result<usize> {
        let mut object = self.object()?;
        let mut redactor = Redactor::default();
        object.redact_with(&mut redactor);
        self.set_object(&object)?;
        let members: Vec<(String, String)> =
            self.record.members().map(|(key, json)| (key.to_owned(), json.to_owned())).collect();
        for (key, json) in members {
            match redactor.text(&json) {
                _ if key == "ownerName" && json != "null" => self.record.set(&key, "null")?,
                Some(new) => self.record.set(&key, &new)?,
                None => {}
            }
        }
        Ok(redactor.count)
    }

    /// Has the record list the assets: all but the main one.
    fn list_assets(&mut self) {
        let main = self.main_hash();
        let listed: Vec<(String, u64)> = self
            .assets()
            .filter(|(hash, _)| Some(*hash) != main.as_deref())
            .map(|(hash, bytes)| (hash.to_owned(), u64::try_from(bytes.len()).unwrap_or(u64::MAX)))
            .collect();
        self.record.set_manifest(&listed);
    }
}

/// The name of an asset: the SHA-256 of its bytes in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn asset_name(hash: &str) -> String {
    format!("{ASSETS}{hash}")
}

fn is_metadata_of(name: &str, hash: &str) -> bool {
    let rest = name.strip_prefix(METADATA).and_then(|rest| rest.strip_prefix(hash));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether a text is 64 hexadecimal digits in lower case, as the names of assets are.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cold]
fn no_main() -> Error {
    Error::new(ErrorKind::Package, "the record has no address of a main asset")
}

#[cold]
fn twice(name: &str) -> Error {
    Error::new(ErrorKind::Package, format!("two entries have the name {}", quoted(name)))
}

/// Foreign text in a message.
fn quoted(text: &str) -> Cow<'static, str> {
    Cow::Owned(format!("\"{}\"", Shortened(text)))
}
