use std::collections::HashSet;

use resonite_brson::Options;

use super::{Entry, Package, Record, asset_name, hash, is_hash, no_main};
use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::model::SavedObject;

/// Before the hashes in addresses of assets: of the same package, of the platform, of NeosVR.
const SCHEMES: [&str; 3] = [super::SCHEME, "resdb:///", "neosdb:///"];

/// A package that was made of a record and of assets beside it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Gathered {
    /// With all assets that were found.
    pub package: Package,
    /// The hashes of those that were not, in the order in which they are needed.
    pub missing: Vec<String>,
}

/// Records and assets outside of packages, as backups of an account have them.
impl Record {
    /// Its type: `object`, `world`, `directory`, `link`, `texture`, `audio` and others.
    pub fn record_type(&self) -> Option<String> {
        self.text("recordType")
    }

    /// Whether it is an object or a world: then the main asset is a save.
    pub fn has_save(&self) -> bool {
        self.record_type().is_some_and(|own| {
            own.eq_ignore_ascii_case("object") || own.eq_ignore_ascii_case("world")
        })
    }

    /// Whether it is an item of the inventory, with assets: neither a folder nor a link nor deleted.
    pub fn is_item(&self) -> bool {
        let kind = self.record_type().unwrap_or_default().to_ascii_lowercase();
        !matches!(kind.as_str(), "directory" | "link") && self.get("isDeleted") != Some("true")
    }

    /// The folder that it is in: `Inventory\Lamps`.
    pub fn path(&self) -> Option<String> {
        self.text("path")
    }

    /// The names of the folders in its [path](Self::path), from the root of the inventory.
    pub fn folders(&self) -> Vec<String> {
        let path = self.path().unwrap_or_default();
        path.split(['\\', '/']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// The hash of the main asset, wherever that is: see [`Package::asset_of`]. Folders and links
    /// have none.
    pub fn main_hash(&self) -> Option<String> {
        self.asset_uri().and_then(|uri| Package::asset_of(&uri).map(str::to_owned))
    }

    /// The hashes of the assets that it needs beside the main one, each once: those that it lists,
    /// then those to which addresses in its save lead.
    pub fn needed(&self, save: Option<&SavedObject>) -> Vec<String> {
        let main = self.main_hash();
        let mut seen: HashSet<String> = main.into_iter().collect();
        let listed = self.manifest().into_iter().map(|(hash, _)| hash);
        let urls = save.into_iter().flat_map(SavedObject::urls);
        let addressed = urls.filter_map(Package::asset_of).map(str::to_owned);
        listed.chain(addressed).filter(|hash| seen.insert(hash.clone())).collect()
    }
}

impl Package {
    /// The hash in an address of an asset: `packdb:///<hash>`, `resdb:///<hash>.<extension>`,
    /// `neosdb:///<hash>.<extension>`.
    pub fn asset_of(url: &str) -> Option<&str> {
        let rest = SCHEMES.iter().find_map(|scheme| url.strip_prefix(scheme))?;
        rest.split(['.', '/', '?']).next().filter(|hash| is_hash(hash))
    }

    /// Makes a package of a record and the assets that it needs, as a backup of an account has them.
    ///
    /// `find` gives the bytes of an asset by its hash; other bytes than those of the hash count as
    /// none. In the save, addresses of what was found lead into the package, and others stay: the
    /// platform may still have what they lead to. The record is called `R-Main`, as in every package,
    /// and lists what is in it; its other keys stay.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use resonite_save::package::{self, Package, Record};
    /// use resonite_save::{Options, SavedObject};
    ///
    /// # #[cfg(feature = "brotli")] {
    /// let save = resonite_brson::to_vec(&SavedObject::new("2026.8.12.1196", "Lamp"))?;
    /// let json = format!(
    ///     r#"{{"id":"R-1","name":"Lamp","recordType":"object","assetUri":"resdb:///{}.brson"}}"#,
    ///     package::hash(&save),
    /// );
    /// let assets = HashMap::from([(package::hash(&save), save)]);
    ///
    /// let record = Record::from_slice(json.as_bytes())?;
    /// let made = Package::gather(record, &Options::new(), |hash| assets.get(hash).cloned())?;
    /// assert!(made.missing.is_empty() && made.package.verify().is_empty());
    /// # }
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    ///
    /// # Errors
    /// A record without a main asset, one that is not found, or a save that cannot be read.
    pub fn gather(
        record: Record,
        options: &Options,
        mut find: impl FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Gathered> {
        let mut find = |name: &str| find(name).filter(|bytes| hash(bytes) == name);
        let main = record.main_hash().ok_or_else(no_main)?;
        let bytes = find(&main).ok_or_else(|| {
            let main = Shortened(&main).to_string();
            Error::new(ErrorKind::Package, format!("the main asset {main} was not found"))
        })?;
        let entries = vec![Entry::new(asset_name(&main), bytes)];
        let mut package =
            Package { record, entries, source: std::sync::Arc::default(), options: *options };
        package.record.set_id("R-Main");
        package.record.set_asset_uri(&format!("{}{main}", super::SCHEME));
        let mut object = match package.record.has_save() {
            true => Some(package.object()?),
            false => None,
        };
        let (mut found, mut missing) = (HashSet::from([main]), Vec::new());
        for hash in package.record.needed(object.as_ref()) {
            match find(&hash) {
                Some(bytes) => {
                    package.entries.push(Entry::new(asset_name(&hash), bytes));
                    found.insert(hash);
                }
                None => missing.push(hash),
            }
        }
        package.list_assets();
        if let Some(object) = &mut object {
            let change = |url: &str| {
                let hash = Package::asset_of(url).filter(|hash| found.contains(*hash))?;
                Some(Package::url(hash))
            };
            if object.rewrite_urls(change) > 0 {
                package.set_object(object)?;
            }
        }
        Ok(Gathered { package, missing })
    }
}
